"""A template built into a workbook: every sheet in its order, then finished to reproducible bytes with true values."""

from __future__ import annotations

import dataclasses

from recargos.law import T
from recargos.templates import checks, finish, front, law_sheet, lists, summary, table_sheet
from recargos.templates.book import Book
from recargos.templates.catalogue import TEMPLATES
from recargos.templates.firm import Firm
from recargos.templates.model import Column, Table, Template
from recargos.templates.stamp import Stamp, current

EXCEL_ROWS = 1_048_576
LANGUAGES = ("en", "es")
EDITIONS = tuple((language, name) for language in LANGUAGES for name in TEMPLATES)
"""Language and name of every workbook that the distribution carries."""


def path_of(name: str, language: str) -> str:
    """Where a workbook lies in `workbook_templates/`."""
    return f"{language}/{name}.xlsx"


def with_firm(template: Template, firm: Firm) -> tuple[Table, ...]:
    """The template's tables, the firm's own columns at the end of the first one's entries."""
    extra = tuple(
        Column(f"firm_{n}", c.title, c.kind, c.width, T("Firm", "Firma"), help=c.help, default=c.default)  # type: ignore[arg-type]
        for n, c in enumerate((c for c in firm.columns if c.template == template.name), 1)
    )
    if not extra:
        return template.tables
    first, *others = template.tables
    return (dataclasses.replace(first, columns=(*first.columns, *extra)), *others)


def raw(
    template: Template, language: str, rows: int | None = None, firm: Firm | None = None, stamp: Stamp | None = None
) -> bytes:
    """The workbook as openpyxl writes it, without cached values."""
    firm = firm or Firm()
    tables = with_firm(template, firm)
    book = Book(template, tables, language, firm, stamp or current())
    law_sheet.plan(book)
    front.write(book)
    for table in tables:
        share = table.rows if rows is None else max(1, round(rows * table.row_share))
        table_sheet.write(book, table, share)
    summary.write(book)
    checks.write(book)
    law_sheet.write(book)
    if template.holidays:
        lists.holidays(book)
    lists.audit(book)
    lists.lists(book)
    for table in tables:
        for column in table.columns:
            if column.choices_name and column.kind != "tick":
                _choices(book, column.choices_name)
    book.stamp_properties()
    return finish.write(book.workbook)


def build(template: Template, language: str, rows: int | None = None, firm: Firm | None = None) -> bytes:
    """The finished workbook: true cached values, nothing left to compute when it is opened."""
    return finish.computed(raw(template, language, rows, firm))


def _choices(book: Book, name: str) -> None:
    """A name such as `PropertyTax.account`, as `PropertyTax_account`: a column that offers its entries to another table."""
    table, _, key = name.partition("_")
    if name not in book.workbook.defined_names:
        book.name(name, book.formulas.of(f"{{{table}.{key}}}"))
