"""A workbook in the making: the things that all of its sheets share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openpyxl import Workbook
from openpyxl.drawing.image import Image
from openpyxl.formatting.rule import FormulaRule
from openpyxl.packaging.custom import StringProperty
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.table import Table, TableStyleInfo
from openpyxl.worksheet.worksheet import Worksheet

from recargos.law import T
from recargos.templates import words as w
from recargos.templates.formulas import Formulas
from recargos.templates.look import OPEN, Look, differential, number_format
from recargos.templates.stamp import Stamp

if TYPE_CHECKING:
    from recargos.templates import model
    from recargos.templates.firm import Firm

LETTER, LEGAL = 1, 5
HEADLINES = 5
"""Rows of the workpaper header on every sheet."""


class Picture(Image):
    """A PNG whose size is known, so that no imaging library is needed."""

    def __init__(self, data: bytes, size: tuple[int, int], height: int) -> None:
        self.data = data
        self.ref = None
        self.format = "png"
        self.width, self.height = round(size[0] * height / max(size[1], 1)), height
        self.anchor = "A1"

    def _data(self) -> bytes:
        return self.data


class Book:
    """The workbook, its language, firm and names."""

    def __init__(
        self, template: model.Template, tables: tuple[model.Table, ...], language: str, firm: Firm, stamp: Stamp
    ) -> None:
        self.template = template
        self.tables = tables
        self.language = language
        self.firm = firm
        self.stamp = stamp
        self.look = Look(firm.palette)
        workbook: Any = Workbook()
        workbook.remove(workbook.active)
        self.workbook: Any = workbook
        titles = {(table.name, column.key): self(column.title) for table in tables for column in table.columns}
        self.formulas = Formulas(
            {table.name: table for table in tables}, titles, {"yes": w.YES, "no": w.NO, **template.words}, language
        )
        self.rows: dict[str, int] = {}
        """Data rows of each table."""
        self.law_rows: dict[str, int] = {}
        """Row of the Law sheet that carries a function or statute, for links."""
        self.inputs: dict[str, list[str]] = {}
        """Cells that people fill in outside of tables, by sheet."""

    def __call__(self, text: T) -> str:
        return text.in_(self.language)

    def sheet(self, title: T, tab: str = "") -> Worksheet:
        """A new sheet at the end."""
        sheet: Worksheet = self.workbook.create_sheet(self(title))
        sheet.sheet_view.showGridLines = False
        sheet.sheet_view.zoomScale = 90
        sheet.sheet_properties.tabColor = tab or self.look.palette.primary
        return sheet

    def head(self, sheet: Worksheet, title: str, columns: int, note: str = "") -> None:
        """The workpaper header: firm, title, client and period, who prepared and reviewed."""
        look = self.look
        put(sheet, 1, 1, self.firm.name or "Recargos", look.firm)
        put(sheet, 2, 1, title, look.title)
        sheet.row_dimensions[2].height = 24
        put(sheet, 3, 1, "=WP_Line1", look.text)
        put(sheet, 4, 1, "=WP_Line2", look.text)
        put(sheet, 5, 1, note, look.italic)
        for column in range(1, columns + 1):
            sheet.cell(5, column).border = look.rule

    def page(
        self, sheet: Worksheet, columns: int, last_row: int, *, landscape: bool, paper: int = LETTER, titles: str = ""
    ) -> None:
        """Print set-up: one page wide, header rows repeated, footer with version and law date."""
        sheet.page_setup.orientation = "landscape" if landscape else "portrait"
        sheet.page_setup.paperSize = paper
        sheet.page_setup.fitToWidth = 1
        sheet.page_setup.fitToHeight = 0
        sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
        sheet.page_margins.left = sheet.page_margins.right = 0.4
        sheet.page_margins.top, sheet.page_margins.bottom = 0.5, 0.65
        sheet.page_margins.header = sheet.page_margins.footer = 0.3
        sheet.print_options.horizontalCentered = True
        sheet.print_area = f"A1:{get_column_letter(columns)}{last_row}"
        if titles:
            sheet.print_title_rows = titles
        page = {"es": "Página &P de &N", "en": "Page &P of &N"}[self.language]
        footer: Any = sheet.oddFooter
        footer.left.text = (self.firm.footer.replace("&", "&&") + "  ·  " if self.firm.footer else "") + "&A"
        footer.center.text = page
        footer.right.text = self.stamp.line(self.language)
        for part in (footer.left, footer.center, footer.right):
            part.size = 8

    def protect(self, sheet: Worksheet) -> None:
        """Protect a sheet against slips; no password, so that the firm can lift it. Entries stay open."""
        protection = sheet.protection
        protection.sheet = True
        protection.formatColumns = protection.formatRows = False
        protection.sort = protection.autoFilter = False

    def name(self, name: str, reference: str) -> None:
        """Define a workbook name."""
        self.workbook.defined_names[name] = DefinedName(name, attr_text=reference)

    def name_cell(self, name: str, sheet: Worksheet, row: int, column: int) -> None:
        """Name one cell."""
        self.name(name, f"{quoted_sheet(sheet.title)}!${get_column_letter(column)}${row}")

    def entry(
        self, sheet: Worksheet, row: int, column: int, kind: str, value: object, name: str, prompt: T, title: T
    ) -> Any:
        """A named cell that people fill in, with a prompt."""
        look = self.look
        cell = put(sheet, row, column, value, look.input)
        cell.fill, cell.border = look.fill_input, look.box
        cell.number_format = number_format(kind, self.language)
        cell.protection = OPEN
        self.name_cell(name, sheet, row, column)
        validation = validation_for(kind, self.language)
        tell(validation, self(title), self(prompt), self.language)
        validation.add(cell.coordinate)
        sheet.add_data_validation(validation)
        return cell

    def stamp_properties(self) -> None:
        """Document properties: what made the workbook, from which law."""
        properties = self.workbook.properties
        properties.title = self(self.template.title)
        properties.creator = properties.lastModifiedBy = self.firm.name or "Recargos"
        properties.subject = self(self.template.purpose)
        properties.keywords = self.stamp.line(self.language)
        properties.language = {"es": "es-PR", "en": "en-US"}[self.language]
        for name, value in (
            ("recargos.template", self.template.name),
            ("recargos.language", self.language),
            ("recargos.version", self.stamp.version),
            ("recargos.law_reviewed", self.stamp.law_reviewed.isoformat()),
            ("recargos.law_hash", self.stamp.law_hash),
        ):
            self.workbook.custom_doc_props.append(StringProperty(name=name, value=value))


def widths(sheet: Worksheet, *sizes: float) -> None:
    """Widths of the first columns."""
    for number, size in enumerate(sizes, 1):
        sheet.column_dimensions[get_column_letter(number)].width = size


def make_table(sheet: Worksheet, name: str, area: str, totals: bool = False) -> Any:
    """An Excel table over `area`, its columns made but not yet named."""
    table: Any = Table(name=name, displayName=name, ref=area, totalsRowCount=1 if totals else None)
    table.tableStyleInfo = TableStyleInfo(name="TableStyleLight1", showRowStripes=False)
    table._initialise_columns()
    sheet.add_table(table)
    return table


def highlight(sheet: Worksheet, area: str, formula: str, style: tuple[Any, Any]) -> None:
    """A conditional format: the style where the formula is true, and no later one then."""
    rule: Any = FormulaRule
    sheet.conditional_formatting.add(area, rule([formula], font=differential(style[0]), fill=style[1], stopIfTrue=True))


def quoted_sheet(title: str) -> str:
    """A sheet's name in a reference."""
    return "'" + title.replace("'", "''") + "'"


def put(sheet: Worksheet, row: int, column: int, value: Any = None, font: Any = None) -> Any:
    """Write a cell and give it back."""
    cell: Any = sheet.cell(row, column)
    if value is not None and value != "":
        cell.value = value
    if font is not None:
        cell.font = font
    return cell


def validation_for(
    kind: str, language: str, low: float | None = None, high: float | None = None, choices: str = ""
) -> DataValidation:
    """What a cell of this kind accepts. Text of any sort is let through where the kind is text."""
    if choices:
        return DataValidation(type="list", formula1=choices, allow_blank=True)
    if kind == "flag":
        return DataValidation(type="list", formula1=f'"{w.YES.in_(language)},{w.NO.in_(language)}"', allow_blank=True)
    if kind == "date":
        # Serial 61 is March 1, 1900: below it Excel and the calendar disagree.
        return DataValidation(type="date", operator="greaterThanOrEqual", formula1="61", allow_blank=True)
    if kind == "money":
        return DataValidation(
            type="decimal", operator="between", formula1="0", formula2="999999999999.99", allow_blank=True
        )
    if kind in ("days", "count"):
        return DataValidation(type="whole", operator="between", formula1="0", formula2="100000", allow_blank=True)
    if kind == "rate":
        return DataValidation(
            type="decimal",
            operator="between",
            formula1=f"{0 if low is None else low:g}",
            formula2=f"{1 if high is None else high:g}",
            allow_blank=True,
        )
    return DataValidation(allow_blank=True)


_REFUSED = {
    "date": T("Enter a date: month/day/year.", "Anote una fecha: mes/día/año."),
    "decimal": T(
        "Enter a number in the range that the prompt states; no text, not negative.",
        "Anote un número en el margen que indica la ayuda; sin texto, no negativo.",
    ),
    "whole": T("Enter a whole number.", "Anote un número entero."),
    "list": T("Choose an entry of the list.", "Escoja una opción de la lista."),
    "custom": T(
        "This cell is computed. Change the yellow cells of its row.",
        "Esta celda se computa. Cambie las celdas amarillas de su fila.",
    ),
}


def tell(validation: DataValidation, title: str, prompt: str, language: str) -> None:
    """Give a validation its prompt and its refusal, and switch both on: they are off unless told."""
    validation.promptTitle = title[:32]
    validation.prompt = prompt[:255]
    validation.showInputMessage = bool(prompt)
    refused = _REFUSED.get(validation.type or "")
    if refused is not None:
        validation.showErrorMessage = True
        validation.errorStyle = "stop"
        validation.errorTitle = title[:32]
        validation.error = refused.in_(language)[:225]
