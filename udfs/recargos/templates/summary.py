"""The Summary sheet: figures, where their rule stands, and a chart."""

from __future__ import annotations

from openpyxl.chart import BarChart, Reference
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.worksheet import Worksheet

from recargos.law import T
from recargos.statutes import FUNCTIONS, PARAMETERS
from recargos.templates import words as w
from recargos.templates.book import HEADLINES, Book, put, widths
from recargos.templates.look import align, dollars_format, number_format

ROWS_AND_CHECKS = T("Rows", "Filas")


def write(book: Book) -> Worksheet:
    """Write the Summary sheet; the Law sheet's rows must be known."""
    sheet = book.sheet(w.SUMMARY)
    look = book.look
    widths(sheet, 52, 20, 62)
    book.head(sheet, f"{book(w.SUMMARY)}: {book(book.template.title)}", 3, "=WP_Basis")
    row = HEADLINES + 2
    charted: list[int] = []
    for section in book.template.sections:
        for column, text in enumerate((section.title, T("Figure", "Cifra"), T("Rule", "Norma")), 1):
            cell = put(sheet, row, column, book(text), look.white)
            cell.fill = look.fill_primary
            cell.alignment = align("money" if column == 2 else "text")
        for line in section.lines:
            row += 1
            font = look.strong if line.strong else look.text
            put(sheet, row, 1, book(line.label), font)
            cell = put(sheet, row, 2, "=" + book.formulas.of(line.formula), font)
            cell.number_format = (
                dollars_format(book.language) if line.kind == "money" else number_format(line.kind, book.language)
            )
            cite = put(sheet, row, 3)
            cite.alignment = align("text")
            if line.function:
                source = FUNCTIONS.get(line.function) or PARAMETERS[line.function]
                cite.value = source.citation(book.language)
                if line.function in book.law_rows:
                    cite.hyperlink = Hyperlink(
                        ref=cite.coordinate, location=f"'{book(w.LAW)}'!A{book.law_rows[line.function]}"
                    )
                cite.font = look.link
            for column in (1, 2, 3):
                sheet.cell(row, column).border = look.sum if line.strong and column < 3 else look.line
            if line.name:
                book.name_cell(line.name, sheet, row, 2)
            if line.chart:
                charted.append(row)
        row += 2
    if charted:
        _chart(book, sheet, charted, row)
        row += 16
    book.protect(sheet)
    book.page(sheet, 3, row, landscape=False)
    return sheet


def _chart(book: Book, sheet: Worksheet, rows: list[int], anchor: int) -> None:
    first, last = rows[0], rows[-1]
    chart = BarChart()
    chart.type, chart.style, chart.legend = "bar", 10, None
    chart.title = None
    chart.add_data(Reference(sheet, min_col=2, min_row=first, max_row=last))
    chart.set_categories(Reference(sheet, min_col=1, min_row=first, max_row=last))
    chart.series[0].graphicalProperties = GraphicalProperties(solidFill=book.look.palette.accent)
    chart.gapWidth = 60
    chart.x_axis.scaling.orientation = "maxMin"
    chart.x_axis.delete = chart.y_axis.delete = False
    chart.y_axis.numFmt = "#,##0"
    chart.y_axis.majorGridlines = None
    chart.width, chart.height = 24, 7
    sheet.add_chart(chart, f"A{anchor}")
