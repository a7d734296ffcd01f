"""A copy of a workbook for a formula engine: cells, formulas, nothing else. The original is never touched.

The copy has no styles, tables, names or links: formulas arrive with names and tables written out. Cells that the
engine must not compute hold the value that Excel left. Built in memory: clients' data has no place in temporary files.
"""

from __future__ import annotations

import heapq
import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from functools import cache, partial
from html import escape
from itertools import islice
from typing import IO, TYPE_CHECKING, NamedTuple

from recargos.workbook.regions import Cell
from recargos.workbook.splicing import FORMULA, spliced
from recargos.workbook.syntax import MAX_COLUMN, MAX_ROW, Node, Ref, address, column_letters, written

if TYPE_CHECKING:
    from recargos.workbook.columns import Columns
    from recargos.workbook.formulas import Run, Template
    from recargos.workbook.package import Package

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_CONTENT = "application/vnd.openxmlformats-officedocument.spreadsheetml"

_escaped = partial(escape, quote=False)

Writer = Callable[[int], str]
"""Formula of a cell by its row, without "="."""


class Edit(NamedTuple):
    """What becomes of the rows `first` … `last` of a column in the copy."""

    column: int
    first: int
    last: int
    writer: Writer | None = None
    """The formula to store; None = no formula."""
    value: bool = True
    """Without a formula: whether the cached value stays as a constant, or the cell is emptied."""
    area: str = ""
    """`ref` of an array formula."""
    required: bool = True
    """Whether the cell must be there; a cell that an array fills need not."""
    values: Sequence[bytes] = ()
    """Texts of the numbers to store as constants, from row `first` on."""

    def form(self) -> bytes:
        """A cell with a number, but for its row and the number."""
        return b'<c r="%b%%d"><v>%%b</v></c>' % _letters(self.column)

    def cells(self, rows: Iterable[int]) -> Iterable[bytes | None]:
        """The cells that are written; None where the formula is taken out of one and its value stays."""
        letters, area = _letters(self.column), self.area.encode()
        if self.values:
            first, values, form = self.first, self.values, self.form()
            return [form % (row, values[row - first]) for row in rows]
        if self.writer is None:
            return [None if self.value else b'<c r="%b%d"/>' % (letters, row) for row in rows]
        opening = b"<f>" if not area else b'<f t="array" ref="%b">' % area
        formulas = ((row, self.writer(row)) for row in rows)
        return [
            b'<c r="%b%d">%b%b</f></c>'
            % (letters, row, opening, (_escaped(text) if "&" in text or "<" in text else text).encode())
            for row, text in formulas
        ]


def compiled(tree: Node, template: Template, column: int, idents: Mapping[int, int] | None = None) -> Writer:
    """A writer of `tree` for the cells of a column. References that leave the sheet are `#REF!`, as in Excel.

    `idents` maps the value of a placeholder (a number literal `\\1n`) to a base to which the row is added.
    """
    down, right = -template.place.row, column - template.place.column

    def reference(ref: Ref) -> str:
        left = ref.column if ref.column_fixed else ref.column + right
        last = ref.last_column if ref.last_column_fixed else ref.last_column + right
        if not (1 <= left <= MAX_COLUMN and 1 <= last <= MAX_COLUMN):
            return "#REF!"
        prefix = "" if ref.prefix is None else f"{_quoted(ref.prefix.sheet)}!"
        if ref.row == 1 and ref.last_row == MAX_ROW and ref.row_fixed and ref.last_row_fixed:
            return f"{prefix}{column_letters(left)}:{column_letters(last)}"
        if ref.column == 1 and ref.last_column == MAX_COLUMN and ref.column_fixed and ref.last_column_fixed:
            return f"{prefix}{_row(ref.row, ref.row_fixed, down)}:{_row(ref.last_row, ref.last_row_fixed, down)}"
        # No dollar signs: the engine is several times slower with them, and nothing is filled any further.
        text = f"{prefix}{column_letters(left)}{_row(ref.row, ref.row_fixed, down)}"
        return text if ref.single else f"{text}:{column_letters(last)}{_row(ref.last_row, ref.last_row_fixed, down)}"

    parts = _HOLE.split(written(tree, reference))
    texts = parts[::2]
    if len(texts) == 1:
        text = texts[0]
        return lambda _: text
    offsets = []
    for hole in parts[1::2]:
        if hole[0] == "@":
            assert idents is not None
            offsets.append((idents[int(hole[1:])], True))
        else:
            offsets.append((int(hole), False))
    lowest = min((o for o, ident in offsets if not ident), default=0)
    highest = max((o for o, ident in offsets if not ident), default=0)
    pattern = "%d".join(t.replace("%", "%%") for t in texts)
    steps = tuple(o for o, _ in offsets)

    def write(row: int) -> str:
        if row + lowest < 1 or row + highest > MAX_ROW:
            return "#REF!"
        return pattern % tuple([row + step for step in steps])

    return write


_HOLE = re.compile("\0([^\0]*)\0")


def ident(number: int) -> str:
    """The text of a number literal that :func:`compiled` replaces by `idents[number] + row`."""
    return f"\0@{number}\0"


def _row(row: int, fixed: bool, down: int) -> str:
    return str(row) if fixed else f"\0{row + down}\0"


def _quoted(sheet: str) -> str:
    return "'" + sheet.replace("'", "''") + "'"


# ------------------------------------------------------------------------------------------------------ the package


def engine_copy(
    package: Package,
    edits: Mapping[int, Sequence[Edit]],
    last_rows: dict[int, int],
    scanned: Mapping[int, Columns] | None = None,
) -> bytes:
    """The copy as the bytes of a stored (not deflated) package. `edits` by index of the sheet, in any order.

    Fills `last_rows` with the last row of each sheet. `scanned`: sheets whose cells need not be looked for again.
    """
    buffer = io.BytesIO()
    sheets = [(index, sheet) for index, sheet in enumerate(package.sheets) if sheet.kind == "worksheet"]
    strings = _strings(package)
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        types = [f'<Override PartName="/xl/workbook.xml" ContentType="{_CONTENT}.sheet.main+xml"/>']
        links, entries = [], []
        for index, sheet in sheets:
            types.append(
                f'<Override PartName="/xl/worksheets/sheet{index}.xml" ContentType="{_CONTENT}.worksheet+xml"/>'
            )
            links.append(
                f'<Relationship Id="r{index}" Type="{_RELATIONSHIPS}/worksheet" Target="worksheets/sheet{index}.xml"/>'
            )
            name = _escaped(sheet.name).replace('"', "&quot;")
            entries.append(f'<sheet name="{name}" sheetId="{index + 1}" r:id="r{index}"/>')
        if strings is not None:
            types.append(f'<Override PartName="/xl/sharedStrings.xml" ContentType="{_CONTENT}.sharedStrings+xml"/>')
            links.append(f'<Relationship Id="s" Type="{_RELATIONSHIPS}/sharedStrings" Target="sharedStrings.xml"/>')
            archive.writestr("xl/sharedStrings.xml", strings)
        del strings
        package_ns = "http://schemas.openxmlformats.org/package/2006"
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package_ns}/content-types"><Default Extension="rels" ContentType='
            f'"application/vnd.openxmlformats-package.relationships+xml"/>{"".join(types)}</Types>',
        )
        main = f'<Relationship Id="r" Type="{_RELATIONSHIPS}/officeDocument" Target="xl/workbook.xml"/>'
        archive.writestr("_rels/.rels", f'<Relationships xmlns="{package_ns}/relationships">{main}</Relationships>')
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{package_ns}/relationships">{"".join(links)}</Relationships>',
        )
        date1904 = ' date1904="1"' if package.date1904 else ""
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{MAIN}" xmlns:r="{_RELATIONSHIPS}"><workbookPr{date1904}/>'
            f"<sheets>{''.join(entries)}</sheets></workbook>",
        )
        for index, sheet in sheets:
            columns = scanned.get(index) if scanned else None
            xml = columns.sheet.xml if columns is not None and columns.sheet.fast else package.read(sheet.part)
            with archive.open(f"xl/worksheets/sheet{index}.xml", "w") as out:
                last_rows[index] = _write_sheet(out, xml, edits.get(index, ()), package.date1904, columns)
    return buffer.getvalue()


def _write_sheet(out: IO[bytes], xml: bytes, edits: Sequence[Edit], date1904: bool, columns: Columns | None) -> int:
    """Write the copy of a sheet; returns its last row."""
    begin, end = _data(xml, columns is not None and columns.sheet.fast)
    prefixes = b""
    pieces: Iterable[bytes | memoryview] | None = None
    if begin >= 0:
        # Rows carry attributes of these prefixes; a strict parser would see no row at all.
        prefixes = b"".join(_PREFIX.findall(xml, 0, begin))
        with suppress(_NotFound):
            pieces = spliced(columns, edits, begin, end) if columns is not None and columns.sheet.fast else None
            pieces = _edited(xml, begin, end, edits) if pieces is None else pieces
    if pieces is None:
        xml = _canonical(xml, date1904)
        begin, end = 0, len(xml)
        pieces = _edited(xml, begin, end, edits)
    out.write(b'<worksheet xmlns="%b"%b><sheetData>' % (MAIN.encode(), prefixes))
    coming = iter(pieces)
    while batch := tuple(islice(coming, _BATCH)):
        out.write(b"".join(batch))
    out.write(b"</sheetData></worksheet>")
    last = _LAST_ROW.search(xml, max(xml.rfind(b"<row", begin, end), 0))
    return int(last[1]) if last else 0


class _NotFound(ValueError):
    """A cell to edit does not stand in the sheet in the plain spelling."""


_BATCH = 2000
_PREFIX = re.compile(rb"""\sxmlns:[\w.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*')""")


def _strings(package: Package) -> bytes | None:
    for relationship in package.relationships(package.workbook_part).values():
        if relationship.type == "sharedStrings" and not relationship.external and package.has(relationship.target):
            return _utf8(package.read(relationship.target))
    return None


def _utf8(xml: bytes) -> bytes:
    """The part in UTF-8, whatever it came in."""
    declared = re.match(rb"\s*<\?xml[^>]*encoding=[\"']([\w.-]+)", xml)
    if xml[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = xml.decode("utf-16")
    elif declared and declared[1].lower() not in (b"utf-8", b"utf8", b"us-ascii", b"ascii"):
        text = xml.decode(declared[1].decode())
    else:
        return xml
    return re.sub(r"^\s*<\?xml[^>]*\?>", "", text.lstrip("\ufeff")).encode()


# --------------------------------------------------------------------------------------------------------- one sheet


_ODD = (b"![CDATA[", b"!--", b'"d"', b"<c>", b"<c/>", b"<row>")


def _data(xml: bytes, scanned: bool) -> tuple[int, int]:
    """Where the rows stand between the tags of `<sheetData>`; -1 when the part is not in the plain spelling.

    Plain is what Excel and the usual libraries write: every row and cell begins with its address, no prefixes.
    `scanned`: the quick scan has found neither CDATA nor comments.
    """
    start = xml.find(b"<sheetData")
    head = xml[: xml.find(b">") + 1].lower()
    plain = (
        start >= 0
        and xml[:2] not in (b"\xff\xfe", b"\xfe\xff")
        and (b"encoding" not in head or b"utf-8" in head)
        and not any(odd in xml for odd in _ODD[2 if scanned else 0 :])
        and (b"'" not in xml or b"'d'" not in xml)
    )
    if not plain:
        return -1, -1
    begin = xml.find(b">", start) + 1
    return (begin, begin) if xml[begin - 2 : begin] == b"/>" else (begin, xml.rfind(b"</sheetData>"))


def _canonical(xml: bytes, date1904: bool) -> bytes:
    """The cells of a sheet in any legal spelling, written again in the plain one."""
    from lxml import etree

    out: list[str] = []
    row_at = 0
    events = etree.iterparse(
        io.BytesIO(xml), events=("end",), resolve_entities=False, huge_tree=True, no_network=True, remove_comments=True
    )
    for _, row in events:
        name = etree.QName(row).localname
        if name == "sheetData":
            break
        if name != "row":
            continue
        number = row.get("r")
        row_at = int(number) if number else row_at + 1
        column_at = 0
        hidden = ' hidden="1"' if row.get("hidden") in ("1", "true") else ""
        out.append(f'<row r="{row_at}"{hidden}>')
        for cell in row:
            if not isinstance(cell.tag, str) or etree.QName(cell).localname != "c":
                continue
            match = re.fullmatch(r"([A-Z]+)[0-9]+", cell.get("r", ""))
            column_at = _column(match[1]) if match else column_at + 1
            out.append(_cell(cell, address(row_at, column_at), date1904))
        out.append("</row>")
        row.clear()
    return "".join(out).encode()


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _cell(cell: object, where: str, date1904: bool) -> str:
    kind = cell.get("t", "")  # type: ignore[attr-defined]
    formula, value, inline = "", None, ""
    for child in cell:  # type: ignore[attr-defined]
        name = child.tag.rpartition("}")[2] if isinstance(child.tag, str) else ""
        if name == "f":
            attributes = "".join(f' {k}="{_escaped(v)}"' for k, v in child.attrib.items() if "}" not in k)
            formula = f"<f{attributes}>{_escaped(child.text or '')}</f>"
        elif name == "v":
            value = child.text or ""
        elif name == "is":
            texts = [
                t.text or ""
                for t in child.iter()
                if isinstance(t.tag, str) and t.tag.endswith("}t") and not t.getparent().tag.endswith("}rPh")
            ]
            inline = f'<is><t xml:space="preserve">{_escaped("".join(texts))}</t></is>'
    if kind == "d" and value is not None:
        serial = _serial(value, date1904)
        kind, value = ("", f"{serial!r}") if serial is not None else ("str", value)
    body = formula + (inline if inline else "" if value is None else f"<v>{_escaped(value)}</v>")
    return f'<c r="{where}"{f" t={chr(34)}{kind}{chr(34)}" if kind else ""}>{body}</c>'


def _serial(text: str, date1904: bool) -> float | None:
    """An ISO date of a strict workbook as a serial."""
    try:
        moment = datetime.fromisoformat(text.rstrip("Z"))
    except ValueError:
        return None
    days = (moment.date() - date(1899, 12, 30)).days - (1462 if date1904 else 0)
    return days + (moment.hour * 3600 + moment.minute * 60 + moment.second + moment.microsecond / 1e6) / 86400


_LAST_ROW = re.compile(rb'<row\b[^>]*?\sr="([0-9]+)"')


def _edited(xml: bytes, begin: int, end: int, edits: Sequence[Edit]) -> list[bytes | memoryview]:
    """The rows from `begin` to `end` with their edits applied, in pieces.

    Raises :class:`_NotFound` when a formula to replace, or to make a constant of, does not stand where it should.
    """
    view = memoryview(xml)
    if not edits:
        return [view[begin:end]]
    pieces: list[bytes | memoryview] = []
    put, find = pieces.append, xml.find
    done = at = row_end = begin
    row_at = 0
    order = sorted(edits, key=lambda edit: (edit.column, edit.first))
    for row, edit in heapq.merge(*map(_rows, order), key=lambda item: (item[0], item[1].column)):
        if row != row_at:
            row_start = find(b'<row r="%d"' % row, row_end, end)
            if row_start < 0:
                row_start = _other_row(xml, row, row_end, end)
            if row_start < 0:
                if edit.required:
                    raise _NotFound(row)
                continue
            row_at, at = row, row_start
            close = find(b">", row_start)
            row_end = close if xml[close - 1] == 47 else find(b"</row>", close)
        where = b'<c r="%s%d"' % (_letters(edit.column), row)
        start = find(where, at, row_end)
        if start < 0:
            if edit.required:
                raise _NotFound(row)
            continue
        close = find(b">", start, row_end)
        empty = xml[close - 1] == 47
        at = close + 1 if empty else find(b"</c>", close, row_end) + 4
        if start > done:
            put(view[done:start])
        done = at
        (text,) = edit.cells((row,))
        put(text or (where + b"/>" if empty else FORMULA.sub(b"", xml[start:at], count=1)))
    put(view[done:end])
    return pieces


def _other_row(xml: bytes, row: int, begin: int, end: int) -> int:
    """Where a row starts whose address is not its first attribute; -1 when there is none."""
    match = re.compile(rb'<row\b[^>]*?\sr="%d"' % row).search(xml, begin, end)
    return match.start() if match else -1


@cache
def _letters(column: int) -> bytes:
    return column_letters(column).encode()


def _rows(edit: Edit) -> Iterator[tuple[int, Edit]]:
    return ((row, edit) for row in range(edit.first, edit.last + 1))


def own_cells(run: Run) -> Iterator[Cell]:
    """The formula cells of a run."""
    for row in range(run.first, run.last + 1):
        yield Cell(run.sheet, row, run.column)
