"""The Checks sheet: figures that must agree before anyone signs."""

from __future__ import annotations

from openpyxl.worksheet.worksheet import Worksheet

from recargos.law import T
from recargos.templates import words as w
from recargos.templates.book import HEADLINES, Book, highlight, put, widths
from recargos.templates.formulas import column_name, quoted
from recargos.templates.look import align, number_format
from recargos.templates.model import Check, Table

REVIEW = T("REVIEW", "REVISAR")
HEADINGS = (
    T("No.", "Núm."),
    T("Check", "Verificación"),
    T("Expected", "Esperado"),
    T("Found", "Hallado"),
    T("Difference", "Diferencia"),
    T("Result", "Resultado"),
)


def of_table(table: Table, book: Book) -> list[Check]:
    """What is checked of every table: complete rows, errors, totals."""
    name, where = table.name, f" ({book(table.sheet)})"
    status = f"{{{name}.status}}"
    waiting = "".join(f"-COUNTIF({status},{quoted(book(text))})" for text in table.waits)
    missing, unknown = quoted(book(w.MISSING).strip() + "*"), quoted(book(w.UNKNOWN).strip() + "*")
    checks = [
        Check(
            T(f"Rows in use are complete{where}", f"Las filas en uso están completas{where}"),
            f'COUNTIF({status},"?*"){waiting}',
            f'COUNTIF({status},"OK")',
            "days",
        ),
        Check(
            T(f"Rows that lack a required figure{where}", f"Filas a las que falta un dato requerido{where}"),
            "0",
            f"COUNTIF({status},{missing})",
            "days",
        ),
        Check(
            T(f"Rows with a word that is not on its list{where}", f"Filas con una palabra fuera de su lista{where}"),
            "0",
            f"COUNTIF({status},{unknown})",
            "days",
        ),
        Check(T(f"Cells in error{where}", f"Celdas con error{where}"), "0", f"SUMPRODUCT(--ISERROR({name}[]))", "days"),
    ]
    summed = [column for column in table.columns if column.total == "sum"]
    if summed:
        checks.append(
            Check(
                T(
                    f"Totals row = sum of all rows; a filter that hides rows shows here{where}",
                    f"Fila de totales = suma de todas las filas; un filtro que oculte filas se ve aquí{where}",
                ),
                "+".join(f"SUM({{{name}.{column.key}}})" for column in summed),
                "+".join(f"{name}[[#Totals],[{column_name(book(column.title))}]]" for column in summed),
            )
        )
    return checks


def write(book: Book) -> Worksheet:
    """Write the Checks sheet and define ChecksFailed."""
    sheet = book.sheet(w.CHECKS)
    look, f = book.look, book.formulas
    widths(sheet, 6, 84, 17, 17, 14, 12)
    book.head(sheet, f"{book(w.CHECKS)}: {book(book.template.title)}", 6, "=WP_Basis")
    checks = [
        Check(T("The as-of date is given", "La fecha de cómputo está anotada"), "1", "COUNT(AsOf)", "days"),
        Check(
            T(
                "Law date of the installed functions = law date of this workbook",
                "Fecha de ley de las funciones instaladas = fecha de ley de este libro",
            ),
            "LawReviewed",
            "PR_LAW_REVIEWED()",
            "date",
        ),
        *book.template.checks,
        *(check for table in book.tables for check in of_table(table, book)),
    ]
    head = HEADLINES + 2
    for column, text in enumerate(HEADINGS, 1):
        cell = put(sheet, head, column, book(text), look.white)
        cell.fill, cell.alignment, cell.border = look.fill_primary, look.head, look.box
    for number, check in enumerate(checks, 1):
        row = head + number
        tolerance = f"0.005*ROWS({check.per_row}[])" if check.per_row else "0.005"
        values = (
            number,
            book(check.label),
            "=" + f.of(check.expected),
            "=" + f.of(check.found),
            f"=D{row}-C{row}",
            f'=IF(ISERROR(E{row}),"{book(REVIEW)}",IF(ABS(E{row})<={tolerance},"OK","{book(REVIEW)}"))',
        )
        for column, value in enumerate(values, 1):
            cell = put(sheet, row, column, value, look.text)
            cell.border = look.box
            if 3 <= column <= 5:
                cell.number_format = number_format(
                    "money" if column == 5 and check.kind == "money" else "days" if column == 5 else check.kind,
                    book.language,
                )
            cell.alignment = look.head if column in (1, 6) else align("text" if column == 2 else "money")
    last = head + len(checks)
    for word, style in (("OK", look.good), (book(REVIEW), look.bad)):
        highlight(sheet, f"F{head + 1}:F{last}", f'F{head + 1}="{word}"', style)
    row = last + 2
    put(sheet, row, 2, book(T("Checks to review", "Verificaciones por revisar")), look.strong)
    put(sheet, row, 3, f'=COUNTIF(F{head + 1}:F{last},"{book(REVIEW)}")', look.strong)
    book.name_cell("ChecksFailed", sheet, row, 3)
    sheet.freeze_panes = sheet.cell(head + 1, 1).coordinate
    book.protect(sheet)
    book.page(sheet, 6, row, landscape=True, titles=f"{head}:{head}")
    return sheet
