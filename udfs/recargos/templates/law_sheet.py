"""The Law sheet, generated from the catalogue: statutes, numbers with the words that set them, functions, open readings."""

from __future__ import annotations

import re
from decimal import Decimal

from openpyxl.worksheet.worksheet import Worksheet

from recargos.law import Function, Parameter, Statute, T
from recargos.statutes import FUNCTIONS, STATUTES
from recargos.templates import words as w
from recargos.templates.book import HEADLINES, Book, put, widths
from recargos.templates.formulas import law_name
from recargos.templates.look import dollars_format

WIDTHS = (38, 62, 14, 14, 58)
_LAWS = "https://casetext.com/statute/laws-of-puerto-rico/"
LINKS: dict[str, str] = {
    "returned_check": _LAWS + "title-thirteen-taxation-and-finance/subtitle-2-taxation-in-general/"
    "chapter-42-alternate-methods-for-collection-of-taxes/352a-1-penalties",
    "late_filing": _LAWS + "title-thirteen-taxation-and-finance/subtitle-17-internal-revenue-code-of-2011/"
    "part-vii-administrative-provisions-procedures-interests-penalties-and-additions-to-taxes/"
    "chapter-1063-interest-penalties-and-additions-to-taxes/33081-penalty-for-failure-to-file-tax-returns-or-statements",
    "property_tax": "https://www.codexpr.ai/ley/1991-83",
    "common": "https://courtgpt.ai/laws/puerto_rico/title-one/chapter-7/72",
}
"""A public text of a statute, by its key, where one was read; third parties keep them, so the citation stands beside."""
_UNITS = {
    "rate": T("rate", "tasa"),
    "dollars": T("dollars", "dólares"),
    "days": T("days", "días"),
    "months": T("months", "meses"),
    "years": T("years", "años"),
    "day of the month": T("day of the month", "día del mes"),
}


def used_functions(book: Book) -> list[Function]:
    """The catalogue functions that the workbook's formulas call, in the catalogue's order."""
    texts = [c.formula for table in book.tables for c in table.columns]
    texts += [line.formula for section in book.template.sections for line in section.lines]
    texts += [line.function for section in book.template.sections for line in section.lines]
    called = {name for text in texts for name in re.findall(r"PR_[A-Z_]+", text)}
    return [f for f in FUNCTIONS.values() if f.name in called and f.statute is not None]


def plan(book: Book) -> None:
    """Decide which row carries what, so that other sheets can link to it."""
    row = HEADLINES + 2
    for statute in _statutes(book):
        book.law_rows[statute.key] = row
        row += 4
        for number, parameter in enumerate(statute.parameters.values(), 1):
            book.law_rows[parameter.key] = row + number
        row += 1 + len(statute.parameters) + 1 if statute.parameters else 0
        functions = _functions(book, statute)
        if functions:
            row += 1
            for function in functions:
                book.law_rows[function.name] = row
                row += 1
            row += 1
        contested = _contested(statute, book)
        row += 1 + len(contested) + 1 if contested else 0


def write(book: Book) -> Worksheet:
    """Write the sheet in the rows of :func:`plan`."""
    sheet = book.sheet(w.LAW, book.look.palette.computed_head)
    widths(sheet, *WIDTHS)
    book.head(
        sheet,
        f"{book(w.LAW)}: {book(book.template.title)}",
        5,
        book(
            T(
                "Generated from the catalogue; each number stands beside the words that set it, in the language of the text that was read.",
                "Generada del catálogo; cada número está junto a las palabras que lo fijan, en el idioma del texto que se leyó.",
            )
        ),
    )
    row = HEADLINES + 2
    for statute in _statutes(book):
        row = _statute(book, sheet, statute, row)
    book.protect(sheet)
    book.page(sheet, 5, row - 1, landscape=True, titles="1:5")
    return sheet


def _statutes(book: Book) -> list[Statute]:
    return [statute for statute in STATUTES if statute.key in book.template.statutes]


def _functions(book: Book, statute: Statute) -> list[Function]:
    return [f for f in used_functions(book) if f.statute is statute]


def _contested(statute: Statute, book: Book) -> list[tuple[str, str, str]]:
    """Readings that are disputed, each once: two rules may share one."""
    seen: dict[str, tuple[str, str, str]] = {}
    for rule in statute.rules.values():
        if rule.contested is not None:
            text = book(rule.contested)
            if "{" not in text and text not in seen:
                seen[text] = (rule.id, text, rule.citation(book.language))
    return list(seen.values())


def _statute(book: Book, sheet: Worksheet, statute: Statute, row: int) -> int:
    look = book.look
    cell = put(sheet, row, 1, book(statute.title), look.heading)
    for column in range(1, 6):
        sheet.cell(row, column).border = look.rule
    facts = (
        (T("Citation", "Cita"), statute.citation.text(book.language)),
        (T("In the catalogue from", "En el catálogo desde"), f"{statute.in_force}: {book(statute.in_force_source)}"),
        (T("Later history", "Historia posterior"), book(statute.later)),
    )
    for label, text in facts:
        row += 1
        put(sheet, row, 1, book(label), look.muted)
        cell = _wrapped(book, sheet, row, 2, 5, text)
        if label is facts[0][0] and statute.key in LINKS:
            cell.hyperlink, cell.font = LINKS[statute.key], look.link
    row += 1
    if statute.parameters:
        _heads(
            book,
            sheet,
            row,
            (
                T("Number", "Número"),
                T("Words", "Palabras"),
                T("Value", "Valor"),
                T("Unit", "Unidad"),
                T("Citation", "Cita"),
            ),
        )
        for parameter in statute.parameters.values():
            row += 1
            _parameter(book, sheet, parameter, row)
        row += 2
    functions = _functions(book, statute)
    if functions:
        _heads(
            book,
            sheet,
            row,
            (
                T("Function", "Función"),
                T("What it computes", "Qué computa"),
                T("Rules", "Normas"),
                T("", ""),
                T("Citation", "Cita"),
            ),
        )
        for function in functions:
            row += 1
            put(sheet, row, 1, function.name, look.strong)
            put(sheet, row, 2, book(function.help), look.text)
            put(sheet, row, 3, ", ".join(function.rules), look.text)
            put(sheet, row, 5, function.citation(book.language), look.text)
            sheet.merge_cells(start_row=row, start_column=3, end_row=row, end_column=4)
            _finish(
                book,
                sheet,
                row,
                (function.name, 38),
                (book(function.help), 62),
                (", ".join(function.rules), 28),
                (function.citation(book.language), 58),
            )
        row += 2
    contested = _contested(statute, book)
    if contested:
        _heads(
            book,
            sheet,
            row,
            (
                T("Disputed reading", "Lectura disputada"),
                T("Readings", "Lecturas"),
                T("", ""),
                T("", ""),
                T("Citation", "Cita"),
            ),
        )
        for rule, text, citation in contested:
            row += 1
            put(sheet, row, 1, rule, look.strong)
            put(sheet, row, 2, text, look.text)
            put(sheet, row, 5, citation, look.text)
            sheet.merge_cells(start_row=row, start_column=2, end_row=row, end_column=4)
            _finish(book, sheet, row, (text, 90), (citation, 58))
        row += 2
    return row


def _parameter(book: Book, sheet: Worksheet, parameter: Parameter, row: int) -> None:
    version = parameter.version()
    put(sheet, row, 1, parameter.key, book.look.text)
    put(sheet, row, 2, f"“{version.words}”", book.look.italic)
    book.name_cell(law_name(parameter.key), sheet, row, 3)
    cell = put(
        sheet, row, 3, float(version.value) if isinstance(version.value, Decimal) else version.value, book.look.strong
    )
    cell.number_format = {"rate": "0.00%", "dollars": dollars_format(book.language)}.get(parameter.unit, "#,##0")
    put(sheet, row, 4, book(_UNITS.get(parameter.unit, T(parameter.unit, parameter.unit))), book.look.text)
    citation = parameter.citation(book.language)
    link = put(sheet, row, 5, citation, book.look.text)
    if parameter.statute.key in LINKS:
        link.hyperlink, link.font = LINKS[parameter.statute.key], book.look.link
    _finish(book, sheet, row, (parameter.key, 38), (version.words, 72), (citation, 58))


def _heads(book: Book, sheet: Worksheet, row: int, texts: tuple[T, ...]) -> None:
    for column, text in enumerate(texts, 1):
        cell = put(sheet, row, column, book(text), book.look.white)
        cell.fill = book.look.fill_computed


def _wrapped(book: Book, sheet: Worksheet, row: int, first: int, last: int, text: str):  # type: ignore[no-untyped-def]
    sheet.merge_cells(start_row=row, start_column=first, end_row=row, end_column=last)
    cell = put(sheet, row, first, text, book.look.text)
    cell.alignment = book.look.wrap
    sheet.row_dimensions[row].height = 14 * (1 + len(text) // 140)
    return cell


def _finish(book: Book, sheet: Worksheet, row: int, *texts: tuple[str, int]) -> None:
    """Borders, and a height that shows every line of the texts in cells of the given widths."""
    for column in range(1, 6):
        cell = sheet.cell(row, column)
        cell.border = book.look.line
        cell.alignment = book.look.wrap
    sheet.row_dimensions[row].height = 13.5 * max(-(-len(text) // width) for text, width in texts) + 1
