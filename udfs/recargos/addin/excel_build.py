"""Builds `addin/excel/recargos.xlam` from its sources, on any system: no Office is needed.

Hand-written: `boot.bas`, `machine.bas`, `actions.bas`, `menus.bas`, `ribbon.bas`, `ThisWorkbook.cls`, `ribbon.xml`.
Generated from the catalogue: `udfs.bas`, `register.bas` and the IntelliSense sheets. From xlwings (BSD): `xlwings.bas`.
The same sources give the same parts; `drift` tells what in the tree is not what a build would make.

pyOpenVBA (MIT, a build dependency, pinned) writes the VBA project into an add-in that Excel itself once saved.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from recargos.addin import excel_vba
from recargos.statutes import FUNCTIONS

NAME = "recargos.xlam"
HAND_WRITTEN = ("boot", "machine", "actions", "menus", "ribbon")
GENERATED = ("udfs", "register", "xlwings")
RIBBON_PART = "customUI/customUI14.xml"
SHEETS = {"_IntelliSense_": "en", "_IntelliSense_en_": "en", "_IntelliSense_es_": "es"}
"""Hidden sheets of help. The first is the one that Excel-DNA IntelliSense reads; the ribbon copies a language into "
"it."""

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
_EPOCH = (1980, 1, 1, 0, 0, 0)


def generated_sources() -> dict[str, str]:
    """The generated modules by file name, as they stand in the tree."""
    functions = list(FUNCTIONS.values())
    return {
        "udfs.bas": excel_vba.harden(excel_vba.wrapper(functions)),
        "register.bas": excel_vba.register(functions),
        "xlwings.bas": excel_vba.xlwings_module(),
    }


def build(folder: Path, *, write: bool = True) -> dict[str, bytes]:
    """Build from the hand-written sources in `folder`; returns every file that it makes, by name.

    :raises FileNotFoundError: when a hand-written source is missing.
    """
    sources = generated_sources()
    made = {name: text.encode("utf-8") for name, text in sources.items()}
    made[NAME] = _package(folder, sources)
    if write:
        for name, data in made.items():
            (folder / name).write_bytes(data)
    return made


def drift(folder: Path) -> list[str]:
    """The files of the tree that a build would change: empty when everything is up to date."""
    changed = []
    for name, data in build(folder, write=False).items():
        path = folder / name
        if not path.exists():
            changed.append(f"{name} is missing")
        elif name == NAME:
            old, new = parts(path.read_bytes()), parts(data)
            changed += [f"{name}: {part}" for part in sorted(old.keys() | new.keys()) if old.get(part) != new.get(part)]
        elif path.read_bytes() != data:
            changed.append(name)
    return changed


def parts(package: bytes) -> dict[str, bytes]:
    """Contents of a zip by member: what a comparison must look at, since zlib versions deflate differently."""
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def module_text(source: str) -> str:
    """A module as it stands in the project: the editor's line ends, and no byte order mark."""
    return source.replace("\r\n", "\n").replace("\n", "\r\n")


def _package(folder: Path, generated: dict[str, str]) -> bytes:
    def source(name: str) -> str:
        return generated[name] if name in generated else (folder / name).read_text(encoding="utf-8")

    modules = {name: module_text(source(f"{name}.bas")) for name in (*HAND_WRITTEN, *GENERATED)}
    members = parts(_with_project(modules, module_text(source("ThisWorkbook.cls"))))
    _add_ribbon(members, (folder / "ribbon.xml").read_bytes())
    _add_sheets(members)
    members["docProps/core.xml"] = _CORE.format(version=excel_vba.xlwings_version()).encode("utf-8")
    members["docProps/app.xml"] = _APP
    return _zipped(members)


def _with_project(modules: dict[str, str], this_workbook: str) -> bytes:
    from pyopenvba import ExcelFile

    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / NAME
        with ExcelFile.create_new(path) as book:
            project = book.vba_project()
            for name in [m for m in book.module_names() if m.startswith("Module")]:
                project.delete_module(name)
            for name, text in modules.items():
                project.add_module(name, text)
            book.set_module("ThisWorkbook", book.get_module("ThisWorkbook") + this_workbook)
            book.save()
        return path.read_bytes()


def _add_ribbon(members: dict[str, bytes], ribbon: bytes) -> None:
    members[RIBBON_PART] = ribbon
    _add_relationship(
        members,
        "_rels/.rels",
        "recargosRibbon",
        "http://schemas.microsoft.com/office/2007/relationships/ui/extensibility",
        RIBBON_PART,
    )


def _add_sheets(members: dict[str, bytes]) -> None:
    functions = list(FUNCTIONS.values())
    entries = overrides = ""
    for number, (name, language) in enumerate(SHEETS.items(), start=2):
        part = f"xl/worksheets/sheet{number}.xml"
        members[part] = _sheet(excel_vba.intellisense(functions, language))
        overrides += f'<Override PartName="/{part}" ContentType="{_SHEET}"/>'
        entries += f'<sheet name={quoteattr(name)} sheetId="{number}" state="hidden" r:id="recargosSheet{number}"/>'
        _add_relationship(
            members,
            "xl/_rels/workbook.xml.rels",
            f"recargosSheet{number}",
            f"{_DOCUMENT}/worksheet",
            f"worksheets/sheet{number}.xml",
        )
    _insert(members, "xl/workbook.xml", "</sheets>", entries)
    _insert(members, "[Content_Types].xml", "</Types>", overrides)


def _sheet(rows: Iterable[list[str]]) -> bytes:
    lines = []
    for number, row in enumerate(rows, start=1):
        cells = "".join(
            f'<c r="{_column(column)}{number}" t="inlineStr"><is><t xml:space="preserve">{escape(text)}</t></is></c>'
            for column, text in enumerate(row, start=1)
            if text
        )
        lines.append(f'<row r="{number}">{cells}</row>')
    return (
        f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="{_MAIN}">'
        f"<sheetData>{''.join(lines)}</sheetData></worksheet>"
    ).encode()


def _column(number: int) -> str:
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _add_relationship(members: dict[str, bytes], part: str, id_: str, type_: str, target: str) -> None:
    _insert(members, part, "</Relationships>", f'<Relationship Id="{id_}" Type="{type_}" Target="{target}"/>')


def _insert(members: dict[str, bytes], part: str, before: str, text: str) -> None:
    """Into a part of the template, which is known to the letter: a mark that is not there once is a new template."""
    old = members[part].decode("utf-8")
    if old.count(before) != 1:
        raise ValueError(f"pyOpenVBA's add-in template has changed: {part}")
    members[part] = old.replace(before, text + before).encode("utf-8")


def _zipped(members: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, 0, 0
            archive.writestr(info, data)
    return target.getvalue()


_CORE = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Recargos</dc:title>'
    "<dc:description>Puerto Rico tax surcharges, interest and penalties. "
    "Recargos, intereses y penalidades contributivas de Puerto Rico.</dc:description>"
    "<dc:creator>Recargos</dc:creator><cp:keywords>xlwings {version}</cp:keywords></cp:coreProperties>"
)
_APP = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    b'<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">'
    b"<Application>Microsoft Excel</Application><AppVersion>16.0300</AppVersion></Properties>"
)
