"""The sheets behind: holidays, lists, and the audit log."""

from __future__ import annotations

from openpyxl.worksheet.worksheet import Worksheet

from recargos.law import T
from recargos.templates import front
from recargos.templates import words as w
from recargos.templates.book import HEADLINES, Book, make_table, put, quoted_sheet, tell, validation_for, widths
from recargos.templates.formulas import SHOWN, WORD, WORDS
from recargos.templates.look import LEFT, number_format

HOLIDAY_ROWS = 40
LOG_ROWS = 15


def _table(
    book: Book, sheet: Worksheet, name: str, row: int, headings: tuple[T, ...], rows: int, column: int = 1
) -> None:
    for position, text in enumerate(headings, column):
        cell = put(sheet, row, position, book(text), book.look.white)
        cell.fill, cell.alignment, cell.border = book.look.fill_primary, book.look.head, book.look.box
    first = sheet.cell(row, column).coordinate
    end = sheet.cell(row + rows, column + len(headings) - 1).coordinate
    table = make_table(sheet, name, f"{first}:{end}")
    for excel_column, text in zip(table.tableColumns, headings, strict=True):
        excel_column.name = book(text)


def holidays(book: Book) -> Worksheet:
    """Days on which the office is closed: the firm's to fill in."""
    sheet = book.sheet(w.HOLIDAYS, book.look.palette.computed_head)
    widths(sheet, 18, 62)
    book.head(
        sheet,
        book(w.HOLIDAYS),
        2,
        book(
            T(
                "When the last day of a term is listed here, it moves to the next day that is not.",
                "Si el último día de un término está aquí, pasa al próximo que no lo esté.",
            )
        ),
    )
    row = HEADLINES + 2
    date_title, what = T("Date", "Fecha"), T("What", "Motivo")
    _table(book, sheet, "Holidays", row, (date_title, what), HOLIDAY_ROWS)
    for offset in range(1, HOLIDAY_ROWS + 1):
        for column, kind in ((1, "date"), (2, "text")):
            cell = put(sheet, row + offset, column, None, book.look.input)
            cell.fill, cell.border, cell.number_format = (
                book.look.fill_input,
                book.look.box,
                number_format(kind, book.language),
            )
        if offset <= len(book.firm.holidays):
            sheet.cell(row + offset, 1).value = book.firm.holidays[offset - 1]
    validation = validation_for("date", book.language)
    tell(
        validation,
        book(date_title),
        book(
            T(
                "A holiday, or a Saturday or Sunday that the office treats as one.",
                "Un feriado, o un sábado o domingo que la oficina trata como tal.",
            )
        ),
        book.language,
    )
    validation.add(f"A{row + 1}:A{row + HOLIDAY_ROWS}")
    sheet.add_data_validation(validation)
    book.name("HolidayDates", f"Holidays[{book(date_title)}]")
    sheet.freeze_panes = sheet.cell(row + 1, 1).coordinate
    book.page(sheet, 2, row + HOLIDAY_ROWS, landscape=False, titles=f"{row}:{row}")
    return sheet


def audit(book: Book) -> Worksheet:
    """What the workbook was made from, and a log of reviews and changes."""
    sheet = book.sheet(w.AUDIT, book.look.palette.computed_head)
    widths(sheet, 30, 24, 60, 24)
    book.head(sheet, f"{book(w.AUDIT)}: {book(book.template.title)}", 4, "=WP_Basis")
    stamp, look = book.stamp, book.look
    row = HEADLINES + 2
    facts: tuple[tuple[T, object, str, str], ...] = (
        (T("Template", "Plantilla"), book.template.name, "id", ""),
        (T("Made with version", "Hecha con la versión"), stamp.version, "id", ""),
        (T("Law reviewed on", "Ley revisada el"), stamp.law_reviewed, "date", "LawReviewed"),
        (T("Hash of the law (SHA-256)", "Huella de la ley (SHA-256)"), stamp.law_hash, "id", "LawHash"),
        (T("Functions at work: version", "Funciones en uso: versión"), "=PR_VERSION()", "id", ""),
        (
            T("Functions at work: law reviewed on", "Funciones en uso: ley revisada el"),
            "=PR_LAW_REVIEWED()",
            "date",
            "",
        ),
    )
    for label, value, kind, name in facts:
        put(sheet, row, 1, book(label), look.text)
        cell = put(sheet, row, 2, value, look.strong)
        cell.number_format = number_format("text" if kind == "id" else kind, book.language)
        cell.alignment = LEFT
        if name:
            book.name_cell(name, sheet, row, 2)
        row += 1
    row += 1
    headings = (
        T("Date", "Fecha"),
        T("By", "Por"),
        T("What was done or changed, and why", "Qué se hizo o cambió, y por qué"),
        T("Reference", "Referencia"),
    )
    _table(book, sheet, "AuditLog", row, headings, LOG_ROWS)
    for offset in range(1, LOG_ROWS + 1):
        for column in range(1, 5):
            cell = put(sheet, row + offset, column, None, look.input)
            cell.fill, cell.border = look.fill_input, look.box
            cell.number_format = number_format("date" if column == 1 else "text", book.language)
    book.page(sheet, 4, row + LOG_ROWS, landscape=True)
    return sheet


def lists(book: Book) -> Worksheet:
    """Words that formulas look up, and the lines that every sheet repeats."""
    sheet = book.sheet(w.LISTS, book.look.palette.grid)
    widths(sheet, 26, 60, 3, 26, 30, 3)
    put(sheet, 1, 1, book(w.LISTS), book.look.title)
    put(
        sheet,
        2,
        1,
        book(
            T(
                "Used by formulas; not a page of the workpaper.",
                "La usan las fórmulas; no es página del papel de trabajo.",
            )
        ),
        book.look.italic,
    )
    row = 4
    _table(book, sheet, WORDS, row, (WORD, SHOWN), len(w.RESULT_WORDS))
    for offset, (word, shown) in enumerate(w.RESULT_WORDS.items(), 1):
        put(sheet, row + offset, 1, word, book.look.text)
        put(sheet, row + offset, 2, book(shown), book.look.text)
    row += len(w.RESULT_WORDS) + 3
    front.header_lines(book, sheet, row)
    for title, name, words in ((T("Tick-marks", "Marcas"), "TickMarks", [mark for mark, _ in front.TICKS]),):
        put(sheet, 4, 4, book(title), book.look.strong)
        for offset, word in enumerate(words, 1):
            put(sheet, 4 + offset, 4, word, book.look.text)
        book.name(name, f"{quoted_sheet(sheet.title)}!$D$5:$D${4 + len(words)}")
    book.protect(sheet)
    book.page(sheet, 5, row + 4, landscape=False)
    return sheet
