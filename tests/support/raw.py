"""Workbooks written byte by byte, so that a test decides every spelling; and the corpus of real ones."""

from __future__ import annotations

import io
import json
import os
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from lxml import etree

SHARED = Path(__file__).parents[2].parent / "shared"
CORPUS = SHARED / "workbooks"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def corpus(expect: str) -> list[str]:
    """Names of the real workbooks that are to be done ("no_loss") or refused ("refuse_clearly")."""
    if not CORPUS.exists():
        if os.environ.get("CI") == "true":
            raise FileNotFoundError(CORPUS)
        return []
    entries = json.loads((CORPUS / "manifest.json").read_text("utf-8"))
    return [entry["file"] for entry in entries if entry["expect"] == expect]


needs_corpus = pytest.mark.skipif(
    not CORPUS.exists() and os.environ.get("CI") != "true", reason="the shared workbooks are not beside this checkout"
)


def sheet_xml(rows: str, *, tail: str = "", root: str = f'xmlns="{MAIN}" xmlns:r="{R}"') -> str:
    """A worksheet part around the inside of `sheetData`."""
    return f"{_HEAD}<worksheet {root}><sheetData>{rows}</sheetData>{tail}</worksheet>"


def cells(contents: Mapping[str, object]) -> str:
    """Rows from addresses: a number, a text, TRUE, "=formula" (without a value), ("=formula", value), or raw XML."""
    rows: dict[int, list[tuple[int, str]]] = {}
    for where, content in contents.items():
        match = re.fullmatch(r"([A-Z]+)([0-9]+)", where)
        assert match
        rows.setdefault(int(match[2]), []).append((_column(match[1]), _cell(where, content)))
    return "".join(f'<row r="{n}">{"".join(c for _, c in sorted(found))}</row>' for n, found in sorted(rows.items()))


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _cell(where: str, content: object) -> str:
    value: object = None
    if isinstance(content, tuple):
        content, value = content
    if isinstance(content, str) and content.startswith("<"):
        return content.replace("@", where)
    if isinstance(content, str) and content.startswith("="):
        formula = f"<f>{_escape(content[1:])}</f>"
        if value is None:
            return f'<c r="{where}">{formula}</c>'
        kind = ' t="b"' if isinstance(value, bool) else ' t="str"' if isinstance(value, str) else ""
        shown = int(value) if isinstance(value, bool) else value if isinstance(value, str) else repr(value)
        if isinstance(value, str) and value.startswith("#"):
            kind = ' t="e"'
        return f'<c r="{where}"{kind}>{formula}<v>{_escape(str(shown))}</v></c>'
    if isinstance(content, bool):
        return f'<c r="{where}" t="b"><v>{int(content)}</v></c>'
    if isinstance(content, str):
        return f'<c r="{where}" t="inlineStr"><is><t>{_escape(content)}</t></is></c>'
    return f'<c r="{where}"><v>{content!r}</v></c>'


def parts(
    sheets: Sequence[tuple[str, str | bytes]],
    *,
    names: str = "",
    properties: str = "",
    calculation: str = '<calcPr calcId="191029"/>',
    states: Mapping[str, str] | None = None,
    extra: Mapping[str, str | bytes] | None = None,
) -> dict[str, bytes]:
    """The members of a workbook: (name, whole sheet part) by sheet."""
    types = [
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
        '<Default Extension="xml" ContentType="application/xml"/>',
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>',
    ]
    relationships, listed, members = [], [], {}
    for number, (name, xml) in enumerate(sheets, 1):
        part = f"xl/worksheets/sheet{number}.xml"
        types.append(f'<Override PartName="/{part}" ContentType="{_TYPE}.worksheet+xml"/>')
        relationships.append(
            f'<Relationship Id="rId{number}" Type="{R}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        )
        state = f' state="{states[name]}"' if states and name in states else ""
        listed.append(f'<sheet name="{_escape(name)}" sheetId="{number}"{state} r:id="rId{number}"/>')
        members[part] = xml.encode() if isinstance(xml, str) else xml
    namespace = "http://schemas.openxmlformats.org/package/2006"
    texts = {
        "[Content_Types].xml": f'<Types xmlns="{namespace}/content-types">{"".join(types)}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{namespace}/relationships"><Relationship Id="rId1" '
        f'Type="{R}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{R}">{properties}<sheets>{"".join(listed)}</sheets>'
        f"{f'<definedNames>{names}</definedNames>' if names else ''}{calculation}</workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{namespace}/relationships">'
        f"{''.join(relationships)}</Relationships>",
    }
    found = {name: (_HEAD + text).encode() for name, text in texts.items()} | members
    for name, content in (extra or {}).items():
        found[name] = content.encode() if isinstance(content, str) else content
    return found


def zipped(members: Mapping[str, bytes], *, by_excel: bool = False) -> bytes:
    """A zip archive of members; `by_excel` gives them the marks that Excel's own writer leaves."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0) if by_excel else (2026, 1, 2, 3, 4, 6))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    data = buffer.getvalue()
    if by_excel:
        data = re.sub(rb"(PK\x03\x04..)..", lambda m: m[1] + b"\x06\0", data, flags=re.DOTALL)
        data = re.sub(rb"(PK\x01\x02....)..", lambda m: m[1] + b"\x06\0", data, flags=re.DOTALL)
    return data


def workbook(contents: Mapping[str, object] | str, *, by_excel: bool = False, **more: object) -> bytes:
    """A workbook of one sheet, "S", from its cells."""
    rows = contents if isinstance(contents, str) else cells(contents)
    return zipped(parts([("S", sheet_xml(rows))], **more), by_excel=by_excel)  # type: ignore[arg-type]


def without_values(xml: bytes) -> bytes:
    """A sheet in canonical form without what a recalculation may change: `t`, `vm`, `<v>` and `<is>` of formula cells.

    Written apart from the code under test, on lxml. Cells that an array or a data table fills count as formula cells.
    """
    root = etree.fromstring(xml)
    filled = []
    for formula in root.iter("{*}f"):
        if formula.get("ref") and formula.get("t") in ("array", "dataTable"):
            filled.append(_area(formula.get("ref")))
    row_number = 0
    for row in root.iter("{*}row"):
        row_number = int(row.get("r", row_number + 1))
        column = 0
        for cell in row.findall("{*}c"):
            where = cell.get("r")
            column = _column(re.sub("[^A-Z]", "", where.upper())) if where else column + 1
            inside = any(a <= row_number <= c and b <= column <= d for a, b, c, d in filled)
            if cell.find("{*}f") is None and not inside:
                continue
            for name in ("t", "vm"):
                cell.attrib.pop(name, None)
            for child in [*cell.findall("{*}v"), *cell.findall("{*}is")]:
                cell.remove(child)
            if not len(cell):
                cell.text = None
    return etree.tostring(root, method="c14n")


def _area(ref: str) -> tuple[int, int, int, int]:
    found = re.findall(r"\$?([A-Z]+)\$?([0-9]+)", ref)
    (a, b), (c, d) = found[0], found[-1]
    return int(b), _column(a), int(d), _column(c)


GOOD_SHEET = sheet_xml(cells({"A1": ("=1+1", 2)}))
