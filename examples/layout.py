"""How the example workbooks look, and how they are stored: with stale or no results of a spreadsheet program."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

MADE = datetime(2026, 1, 15, 9, 0)
MONEY = "#,##0.00"
DAY = "mm/dd/yyyy"
RATE = "0%"
INPUT = PatternFill("solid", fgColor="FFF9E5")
HEAD = PatternFill("solid", fgColor="1F3A5F")
LINE = Border(bottom=Side("hair", color="9AA5B1"))
QUIET = Font(italic=True, color="52606D")

Cached = Mapping[str, Mapping[str, Any]]
"""Stale cached results: sheet → cell → value. Cells that are not named have none."""
Shared = tuple[str, str, int, int]
"""Sheet, column, first and last row that are stored as one shared formula."""


def sheet(book: Workbook, name: str, title: str, subtitle: str, headings: Sequence[tuple[str, float]]) -> Worksheet:
    """A sheet with a title, a line about it, and headings (text, width) in row 5."""
    ws = book.create_sheet(name)
    ws["A1"], ws["A2"] = title, subtitle
    ws["A1"].font, ws["A2"].font = Font(bold=True, size=14, color="1F3A5F"), QUIET
    for column, (heading, width) in enumerate(headings, 1):
        cell = ws.cell(5, column, heading)
        cell.font, cell.fill = Font(bold=True, color="FFFFFF"), HEAD
        cell.alignment = Alignment(wrap_text=True, vertical="center", horizontal="center")
        ws.column_dimensions[get_column_letter(column)].width = width
    ws.row_dimensions[5].height = 32
    ws.freeze_panes = "B6"
    ws.sheet_view.showGridLines = False
    ws.page_setup.orientation, ws.page_setup.fitToWidth, ws.page_setup.fitToHeight = "landscape", 1, 0
    ws.sheet_properties.pageSetUpPr.fitToPage = True
    ws.print_title_rows = "5:5"
    return ws


def put(cell: Cell, value: Any, form: str = "") -> None:
    """An input is blue on pale yellow, a formula black; `#REF!` becomes a true error, `'#REF!` stays text."""
    formula = isinstance(value, str) and value.startswith("=")
    cell.value = value.removeprefix("'") if isinstance(value, str) else value
    if value == "#REF!":
        cell.data_type = "e"
    elif isinstance(value, str) and not formula:
        cell.data_type = "s"
    cell.border = LINE
    if not formula:
        cell.fill, cell.font = INPUT, Font(color="1F4FBF")
    if form and (formula or not isinstance(value, str)):
        cell.number_format = form


def fill(ws: Worksheet, data: Sequence[Sequence[Any]], formulas: Sequence[str], formats: Sequence[str]) -> int:
    """Write inputs from row 6 on and, behind them, formulas with `{r}` for the row. Returns the last row."""
    for r, record in enumerate(data, 6):
        for c, value in enumerate([*record, *(f.format(r=r) for f in formulas)], 1):
            put(ws.cell(r, c), value, formats[c - 1])
    return 5 + len(data)


def total(ws: Worksheet, row: int, formulas: Mapping[str, str]) -> None:
    """A totals row under a double line."""
    ws.cell(row, 1, "Total").font = Font(bold=True)
    for column, formula in formulas.items():
        cell = ws[f"{column}{row}"]
        cell.value, cell.number_format, cell.font = formula, MONEY, Font(bold=True)
        cell.border = Border(top=Side("thin"), bottom=Side("double"))


_FORMULA = re.compile(r'<c r="([A-Z]+)(\d+)"((?: s="\d+")?)(?: t="\w+")?><f([^>]*)>([^<]*)</f><v ?/?>(?:</v>)?</c>')


def _stored(value: Any) -> tuple[str, str]:
    """A cached value as SpreadsheetML: the type attribute and the text."""
    if isinstance(value, bool):
        return ' t="b"', str(int(value))
    return (' t="str"', value) if isinstance(value, str) else ("", f"{value:g}" if value == int(value) else repr(value))


def _finish(xml: str, cached: Mapping[str, Any], shared: Sequence[Shared]) -> str:
    """Put stale results into formula cells, and store the columns of `shared` as one shared formula each."""

    def cell(match: re.Match[str]) -> str:
        column, row, style, attributes, formula = match.groups()
        kind, text = _stored(cached[column + row]) if column + row in cached else ("", "")
        element = f"<f{attributes}>{formula}</f>"
        for index, (_, letter, first, last) in enumerate(shared):
            if column == letter and first <= int(row) <= last:
                head = f'<f t="shared" ref="{letter}{first}:{letter}{last}" si="{index}">{formula}</f>'
                element = head if int(row) == first else f'<f t="shared" si="{index}"/>'
        return f'<c r="{column}{row}"{style}{kind}>{element}{f"<v>{text}</v>" if text else ""}</c>'

    return _FORMULA.sub(cell, xml)


def save(path: Path, make: Callable[[Workbook], Cached], shared: Sequence[Shared] = ()) -> None:
    """Make one workbook, put its stale results in, and store it with fixed dates: the same bytes every time."""
    book = Workbook()
    book.remove(book.active)
    book.properties.creator, book.properties.created = "Recargos examples", MADE
    book.calculation.fullCalcOnLoad = False
    cached = make(book)
    raw = io.BytesIO()
    book.save(raw)
    path.parent.mkdir(parents=True, exist_ok=True)
    stamp = MADE.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for info in source.infolist():
            data = source.read(info)
            if found := re.fullmatch(r"xl/worksheets/sheet(\d+)\.xml", info.filename):
                name = book.sheetnames[int(found[1]) - 1]
                columns = [each for each in shared if each[0] == name]
                data = _finish(data.decode(), cached.get(name, {}), columns).encode()
            elif info.filename == "docProps/core.xml":
                data = re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>" + stamp, data)
            target.writestr(zipfile.ZipInfo(info.filename, MADE.timetuple()[:6]), data, zipfile.ZIP_DEFLATED)
