"""The first sheet: what the workbook is for, the workpaper header, colours, tick-marks, stamp."""

from __future__ import annotations

from openpyxl.worksheet.worksheet import Worksheet

from recargos.law import T
from recargos.templates import words as w
from recargos.templates.book import HEADLINES, Book, Picture, put, tell, widths
from recargos.templates.look import LEFT

_ENGAGEMENT: tuple[tuple[str, str, str, T, T], ...] = (
    (
        "client",
        "WP_Client",
        "text",
        T("Client or engagement", "Cliente o encargo"),
        T("Whom the workpaper is for.", "Para quién es el papel de trabajo."),
    ),
    (
        "period",
        "WP_Period",
        "id",
        T("Period", "Período"),
        T("Tax year or period under review.", "Año contributivo o período revisado."),
    ),
    (
        "reference",
        "WP_Ref",
        "id",
        T("Workpaper ref.", "Ref. del papel"),
        T("Index of the workpaper in the file.", "Índice del papel en el expediente."),
    ),
    (
        "source",
        "WP_Source",
        "text",
        T("Source", "Fuente"),
        T(
            "Where the figures come from: ledger, return, notice.",
            "De dónde salen las cifras: mayor, planilla, notificación.",
        ),
    ),
    (
        "prepared_by",
        "WP_PreparedBy",
        "text",
        T("Prepared by", "Preparado por"),
        T("Initials of the preparer.", "Iniciales de quien prepara."),
    ),
    (
        "prepared_on",
        "WP_PreparedOn",
        "date",
        T("Prepared on", "Preparado el"),
        T("Date of preparation.", "Fecha de preparación."),
    ),
    (
        "reviewed_by",
        "WP_ReviewedBy",
        "text",
        T("Reviewed by", "Revisado por"),
        T("Initials of the reviewer.", "Iniciales de quien revisa."),
    ),
    (
        "reviewed_on",
        "WP_ReviewedOn",
        "date",
        T("Reviewed on", "Revisado el"),
        T("Date of review.", "Fecha de revisión."),
    ),
)
TICKS: tuple[tuple[str, T], ...] = (
    ("✓", T("Agreed to the source document", "Cotejado con el documento fuente")),
    ("Σ", T("Footed and cross-footed", "Sumado vertical y horizontalmente")),
    ("R", T("Recomputed", "Recomputado")),
    ("P", T("Agreed to proof of payment or filing", "Cotejado con evidencia de pago o radicación")),
    ("N", T("Agreed to the agency's notice", "Cotejado con la notificación de la agencia")),
    ("?", T("Open question, see the note", "Asunto pendiente, vea la nota")),
)
_AS_OF = T("As-of date", "Fecha de cómputo")
_BASIS = T("Days of a year for interest", "Días del año para intereses")


def write(book: Book) -> Worksheet:
    """Write the About sheet."""
    sheet = book.sheet(w.ABOUT)
    look = book.look
    widths(sheet, 26, 34, 3, 24, 34, 3)
    put(sheet, 1, 1, book.firm.name or "Recargos", look.firm)
    put(sheet, 2, 1, book(book.template.title), look.title)
    sheet.row_dimensions[2].height = 24
    put(sheet, 3, 1, book(book.template.purpose), look.text)
    put(sheet, 4, 1, book.firm.address, look.muted)
    for column in range(1, 6):
        sheet.cell(HEADLINES, column).border = look.rule
    if book.firm.logo:
        sheet.add_image(Picture(book.firm.logo, book.firm.logo_size, 56), "E1")
    left = _engagement(book, sheet, HEADLINES + 2)
    right = _legends(book, sheet, HEADLINES + 2)
    row = _texts(book, sheet, max(left, right) + 1)
    book.protect(sheet)
    book.page(sheet, 5, row, landscape=False)
    return sheet


def _heading(book: Book, sheet: Worksheet, row: int, column: int, text: T) -> None:
    put(sheet, row, column, book(text), book.look.heading)
    for cell in (sheet.cell(row, column), sheet.cell(row, column + 1)):
        cell.border = book.look.line


def _engagement(book: Book, sheet: Worksheet, row: int) -> int:
    _heading(book, sheet, row, 1, T("Workpaper", "Papel de trabajo"))
    for key, name, kind, label, prompt in _ENGAGEMENT:
        row += 1
        put(sheet, row, 1, book(label), book.look.text)
        book.entry(sheet, row, 2, kind, book.firm.header.get(key), name, prompt, label).alignment = LEFT
    row += 2
    _heading(book, sheet, row, 1, T("Computation", "Cómputo"))
    row += 1
    put(sheet, row, 1, book(_AS_OF), book.look.strong)
    book.entry(
        sheet,
        row,
        2,
        "date",
        book.firm.as_of,
        "AsOf",
        T(
            "Day to which open items are computed. You choose it: the workbook never uses today's date by itself.",
            "Día hasta el que se computa lo pendiente. Usted la escoge: el libro nunca usa la fecha de hoy por sí solo.",
        ),
        _AS_OF,
    ).alignment = LEFT
    if book.template.basis:
        row += 1
        put(sheet, row, 1, book(_BASIS), book.look.text)
        cell = book.entry(
            sheet,
            row,
            2,
            "days",
            book.firm.basis or 365,
            "DayBasis",
            T(
                "365, 366 or 360; no Puerto Rico source states one.",
                "365, 366 o 360; ninguna fuente de Puerto Rico lo fija.",
            ),
            _BASIS,
        )
        cell.alignment = LEFT
        validation = sheet.data_validations.dataValidation[-1]
        validation.type, validation.operator, validation.formula1, validation.formula2 = (
            "list",
            None,
            '"365,366,360"',
            None,
        )
        tell(
            validation,
            book(_BASIS),
            book(
                T(
                    "365, 366 or 360; no Puerto Rico source states one.",
                    "365, 366 o 360; ninguna fuente de Puerto Rico lo fija.",
                )
            ),
            book.language,
        )
    row += 1
    put(sheet, row, 1, book(T("Checks", "Verificaciones")), book.look.text)
    put(sheet, row, 2, "=WP_Checks", book.look.strong)
    return row + 1


def _legends(book: Book, sheet: Worksheet, row: int) -> int:
    look = book.look
    _heading(book, sheet, row, 4, T("Colours", "Colores"))
    colours = (
        (T("Entry", "Dato"), look.fill_input, look.input, T("You fill it in", "Usted lo completa")),
        (
            T("Computed", "Computado"),
            None,
            look.text,
            T("Formula; select it to read its rule", "Fórmula; selecciónela para leer su regla"),
        ),
        (
            T("Review", "Revisar"),
            look.bad[1],
            look.bad[0],
            T("Missing, overdue or in error", "Falta, venció o tiene error"),
        ),
        (T("Late", "Atraso"), look.warn[1], look.warn[0], T("Days late", "Días de atraso")),
    )
    for label, fill, font, meaning in colours:
        row += 1
        cell = put(sheet, row, 4, book(label), font)
        cell.border = look.box
        if fill is not None:
            cell.fill = fill
        put(sheet, row, 5, book(meaning), look.text)
    row += 2
    _heading(book, sheet, row, 4, T("Tick-marks", "Marcas de cotejo"))
    for mark, meaning in TICKS:
        row += 1
        put(sheet, row, 4, mark, look.strong).alignment = look.head
        put(sheet, row, 5, book(meaning), look.text)
    return row + 1


def _texts(book: Book, sheet: Worksheet, row: int) -> int:
    def block(title: T, lines: list[str], row: int) -> int:
        put(sheet, row, 1, book(title), book.look.heading)
        for column in range(1, 6):
            sheet.cell(row, column).border = book.look.line
        for line in lines:
            row += 1
            sheet.merge_cells(start_row=row, start_column=1, end_row=row, end_column=5)
            put(sheet, row, 1, line, book.look.text).alignment = book.look.wrap
            sheet.row_dimensions[row].height = 14 * (1 + len(line) // 132)
        return row + 2

    row = block(
        T("How to use it", "Cómo se usa"), [f"{n}.  {book(step)}" for n, step in enumerate(book.template.steps, 1)], row
    )
    row = block(
        T("What the law leaves open", "Lo que la ley deja abierto"),
        [f"•  {book(note)}" for note in book.template.notes],
        row,
    )
    stamp = book.stamp
    row = block(
        T("Made from", "Hecho con"),
        [
            f"Recargos {stamp.version}  ·  " + book(T("law reviewed", "ley revisada")) + f" {stamp.law_reviewed}",
            book(T("Hash of the law", "Huella de la ley")) + f" (SHA-256): {stamp.law_hash}",
            book(
                T(
                    "A computation, not legal advice. Citations and the law's later history are on the Law sheet.",
                    "Un cómputo, no asesoría legal. Las citas y la historia posterior de la ley están en la hoja Ley.",
                )
            ),
        ],
        row,
    )
    return row - 2


def header_lines(book: Book, sheet: Worksheet, row: int) -> None:
    """Texts that every sheet repeats, written once (on the Lists sheet) and named."""
    two = '"00"'

    def day(name: str) -> str:
        # TEXT(…,"mm/dd/yyyy") depends on the language of Excel; "00" does not.
        return f'TEXT(MONTH({name}),{two})&"/"&TEXT(DAY({name}),{two})&"/"&YEAR({name})'

    def part(label: T, name: str) -> str:
        return f'"{book(label)}: "&IF({name}="","—",{name})'

    def signed(label: T, by: str, on: str) -> str:
        return f'"{book(label)}: "&IF({by}="","—",{by})&IF({on}="",""," "&{day(on)})'

    labels = {name: label for _, name, _, label, _ in _ENGAGEMENT}
    gap = '&"      "&'
    lines = {
        "WP_Line1": part(labels["WP_Client"], "WP_Client")
        + gap
        + part(labels["WP_Period"], "WP_Period")
        + gap
        + part(labels["WP_Source"], "WP_Source"),
        "WP_Line2": signed(labels["WP_PreparedBy"], "WP_PreparedBy", "WP_PreparedOn")
        + gap
        + signed(labels["WP_ReviewedBy"], "WP_ReviewedBy", "WP_ReviewedOn")
        + gap
        + part(labels["WP_Ref"], "WP_Ref"),
        "WP_Basis": f'"{book(_AS_OF)}: "&IF(AsOf="","—",{day("AsOf")})'
        + (gap + f'"{book(T("Day basis", "Base de días"))}: "&DayBasis' if book.template.basis else "")
        + gap
        + f'"{book(T("Checks", "Verificaciones"))}: "&WP_Checks',
        "WP_Checks": f'IF(ChecksFailed=0,"{book(T("all in order", "todo en orden"))}",ChecksFailed&"{book(T(" to review", " por revisar"))}")',
    }
    for offset, (name, formula) in enumerate(lines.items()):
        put(sheet, row + offset, 1, name, book.look.muted)
        put(sheet, row + offset, 2, "=" + formula, book.look.text)
        book.name_cell(name, sheet, row + offset, 2)
