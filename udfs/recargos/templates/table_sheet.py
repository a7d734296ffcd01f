"""The sheet of a table: header, bands, headings, rows, totals, validation, conditional formats."""

from __future__ import annotations

from copy import copy
from itertools import groupby
from typing import Any

from openpyxl.utils import get_column_letter as letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import TableFormula
from openpyxl.worksheet.worksheet import Worksheet

from recargos.law import T
from recargos.statutes import FUNCTIONS
from recargos.templates import words as w
from recargos.templates.book import HEADLINES, LEGAL, LETTER, Book, highlight, make_table, put, tell, validation_for
from recargos.templates.formulas import quoted
from recargos.templates.look import OPEN, SHRINK, align, dollars_format, number_format
from recargos.templates.model import Column, Table

BAND, HEADINGS, FIRST = HEADLINES + 2, HEADLINES + 3, HEADLINES + 4
"""Rows of the group bands, the headings and the first client."""
_WIDE = 175
"""Widths that add up to more than this print on legal paper."""


def status_formula(table: Table, book: Book) -> str:
    """What is missing in a row, in the order of its columns; OK when nothing is."""
    f = book.formulas
    used = ",".join(f"{{{c.key}}}" for c in table.required)
    text = f'IF(COUNTA({used})=0,"",'
    conditions = [(f'{{{c.key}}}=""', book(w.MISSING) + book(c.title)) for c in table.required]
    # A word that is not on its list (pasted, or typed before the list was there) would compare as "no": stop instead.
    for column in table.columns:
        words = (w.YES, w.NO) if column.kind == "flag" and not column.computed else column.choices
        if words:
            unknown = ",".join(f"{{{column.key}}}<>{quoted(book(word))}" for word in words)
            conditions.append((f'AND({{{column.key}}}<>"",{unknown})', book(w.UNKNOWN) + book(column.title)))
    conditions += [(condition, book(text)) for condition, text in table.unready]
    for condition, shown in conditions:
        text += f"IF({condition},{quoted(shown)},"
    return f.of(text + f'"{w.OK}"' + ")" * (len(conditions) + 1), table.name)


def cell_formula(table: Table, column: Column, book: Book) -> str:
    """A computed column's formula, without the equals sign."""
    return status_formula(table, book) if column.key == "status" else book.formulas.of(column.formula, table.name)


def write(book: Book, table: Table, rows: int) -> Worksheet:
    """Write the table's sheet with `rows` empty rows."""
    sheet = book.sheet(table.sheet, book.look.palette.accent)
    columns = len(table.columns)
    last, totals = FIRST + rows - 1, FIRST + rows
    book.rows[table.name] = rows
    book.head(sheet, book(table.title), columns, "=WP_Basis")
    put(sheet, HEADLINES + 1, 1, book(table.intro), book.look.italic)
    _headings(book, sheet, table)
    defaults = book.firm.column_defaults.get(book.template.name, {})
    for position, column in enumerate(table.columns, 1):
        sheet.column_dimensions[letter(position)].width = column.width
        _column(book, sheet, table, column, position, last, defaults.get(column.key, column.default))
    _totals(book, sheet, table, totals)
    _excel_table(book, sheet, table, last, totals)
    _conditional_formats(book, sheet, table, last)
    sheet.freeze_panes = sheet.cell(FIRST, 2).coordinate
    wide = sum(c.width for c in table.columns) > _WIDE
    book.page(
        sheet,
        columns,
        totals,
        landscape=True,
        paper=LEGAL if wide else LETTER,
        titles=f"{HEADLINES + 2}:{HEADLINES + 3}",
    )
    return sheet


def _headings(book: Book, sheet: Worksheet, table: Table) -> None:
    look, position = book.look, 1
    for group, members in groupby(table.columns, key=lambda c: c.group):
        width = len(list(members))
        for place in range(position, position + width):
            cell = put(sheet, BAND, place, book(group) if place == position else None, look.strong)
            cell.fill = look.fill_band
            cell.alignment = look.across
        position += width
    for position, column in enumerate(table.columns, 1):
        cell = put(sheet, HEADINGS, position, book(column.title), look.white)
        cell.fill = look.fill_computed if column.computed else look.fill_primary
        cell.alignment, cell.border = look.head, look.box
    sheet.row_dimensions[HEADINGS].height = 42


def _column(book: Book, sheet: Worksheet, table: Table, column: Column, position: int, last: int, default: Any) -> None:
    look, language = book.look, book.language
    formula = "=" + cell_formula(table, column, book) if column.computed else None
    shape, alignment = number_format(column.kind, language), SHRINK if column.key == "status" else align(column.kind)
    if formula is None and isinstance(default, bool):
        default = book(w.YES if default else w.NO)
    first = put(sheet, FIRST, position, formula if formula is not None else default)
    first.border, first.alignment, first.number_format = look.box, alignment, shape
    if formula is not None:
        first.font = look.text
    else:
        first.fill, first.font, first.protection = look.fill_input, look.input, OPEN
    for row in range(FIRST + 1, last + 1):
        cell = put(sheet, row, position, first.value)
        cell._style = copy(first._style)  # setting each part of a style anew takes ten times as long
    validation = _validation(book, column)
    validation.add(f"{letter(position)}{FIRST}:{letter(position)}{last}")
    sheet.add_data_validation(validation)


def _validation(book: Book, column: Column) -> DataValidation:
    if column.computed:
        # A table on a protected sheet cannot grow, so the sheet stays open and each computed cell refuses typing.
        validation = DataValidation(type="custom", formula1="FALSE", allow_blank=False)
    else:
        choices = column.choices_name
        if column.choices:
            choices = '"' + ",".join(book(choice) for choice in column.choices) + '"'
        validation = validation_for(column.kind, book.language, column.low, column.high, choices)
    prompt = column.prompt(book.language)
    if column.computed and column.source:
        prompt += " " + FUNCTIONS[column.source].citation(book.language)
    if column.required:
        prompt += book(T(" Required.", " Requerido."))
    tell(validation, book(column.title), prompt, book.language)
    if column.kind == "tick":
        validation.showErrorMessage = False  # several marks in one cell, or a firm's own, are welcome
    return validation


def _totals(book: Book, sheet: Worksheet, table: Table, row: int) -> None:
    for position, column in enumerate(table.columns, 1):
        cell = put(sheet, row, position, None, book.look.strong)
        cell.border, cell.alignment, cell.fill = book.look.sum, align(column.kind), book.look.fill_band
        if column.total == "label":
            cell.value = "Total"
        elif column.total == "sum":
            cell.value = f"=SUBTOTAL(109,{book.formulas.of(f'{{{table.name}.{column.key}}}')})"
            cell.number_format = dollars_format(book.language)
    sheet.row_dimensions[row].height = 18


def _excel_table(book: Book, sheet: Worksheet, table: Table, last: int, totals: int) -> None:
    end = letter(len(table.columns))
    excel = make_table(sheet, table.name, f"A{HEADINGS}:{end}{totals}", totals=True)
    excel.autoFilter.ref = f"A{HEADINGS}:{end}{last}"  # the totals row does not take part in a filter
    for number, (column, excel_column) in enumerate(zip(table.columns, excel.tableColumns, strict=True), 1):
        excel_column.id, excel_column.name = number, book(column.title)
        if column.computed:
            excel_column.calculatedColumnFormula = TableFormula(attr_text=cell_formula(table, column, book))
        if column.total == "sum":
            excel_column.totalsRowFunction = "sum"
        elif column.total == "label":
            excel_column.totalsRowLabel = "Total"


def _conditional_formats(book: Book, sheet: Worksheet, table: Table, last: int) -> None:
    look = book.look
    place = {column.key: letter(position) for position, column in enumerate(table.columns, 1)}
    used = "COUNTA(" + ",".join(f"${place[c.key]}{FIRST}" for c in table.required) + ")>0"
    end = letter(len(table.columns))

    def rule(area: str, formula: str, style: tuple[Any, Any]) -> None:
        highlight(sheet, area, formula, style)

    rule(f"A{FIRST}:{end}{last}", f"ISERROR(A{FIRST})", look.bad)
    for column in table.required:
        cells = f"{place[column.key]}{FIRST}:{place[column.key]}{last}"
        rule(cells, f'AND({used},{place[column.key]}{FIRST}="")', look.bad)
    if "status" in place:
        cell = f"{place['status']}{FIRST}"
        rule(f"{cell}:{place['status']}{last}", f'{cell}="{w.OK}"', look.good)
        rule(f"{cell}:{place['status']}{last}", f'{cell}<>""', look.bad)
    for column in table.columns:
        cell = f"{place[column.key]}{FIRST}"
        cells = f"{cell}:{place[column.key]}{last}"
        if column.deadline:
            still_open = f',{place[column.done]}{FIRST}=""' if column.done else ""
            rule(cells, f"AND(ISNUMBER({cell}),ISNUMBER(AsOf),{cell}<AsOf{still_open})", look.bad)
        elif column.computed and column.kind == "days":
            rule(cells, f"AND(ISNUMBER({cell}),{cell}>0)", look.warn)
