"""What a reader of the report must know about the workbook as a whole, before its cells."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from recargos.law import T
from recargos.workbook.book import Book
from recargos.workbook.formulas import Regions

_ITERATES = T(
    "Iterative calculation is on. It is not imitated: circular references keep the values that Excel left.",
    "El cálculo iterativo está activado. No se imita: las referencias circulares conservan los valores que dejó Excel.",
)
_AS_DISPLAYED = T(
    "Precision as displayed is on: Excel rounds each value to its number format, which is not imitated here.",
    "La precisión según pantalla está activada: Excel redondea cada valor a su formato, lo que aquí no se imita.",
)
_MANUAL = T(
    "The workbook calculates by hand (manual mode): values that Excel left may be older than their inputs.",
    "El libro calcula a mano (modo manual): los valores que dejó Excel pueden ser más viejos que sus datos.",
)
_ON_LOAD = T(
    "The workbook asks Excel to recalculate it on opening. Where the add-in is missing Excel will then show #NAME?.",
    "El libro pide a Excel que lo recalcule al abrirlo. Donde falte el complemento, Excel mostrará #NAME?.",
)


def remarks(book: Book) -> Iterator[T]:
    """The settings and kinds of formula that this program does not imitate, named."""
    settings, formulas = book.package.settings, book.formulas
    if settings.iterate:
        yield _ITERATES
    if settings.as_displayed:
        yield _AS_DISPLAYED
    if settings.manual:
        yield _MANUAL
    if settings.on_load and formulas.runs:
        yield _ON_LOAD
    if volatile := formulas.volatile:
        some = _some(book, volatile)
        yield T(
            f"Cells with TODAY, NOW, OFFSET or the like ({len(volatile):,}) were not renewed: {some}.",
            f"Las celdas con TODAY, NOW, OFFSET o similares ({len(volatile):,}) no se renovaron: {some}.",
        )
    if external := formulas.external:
        some = _some(book, external)
        yield T(
            f"Cells that refer to other workbooks ({len(external):,}) were not renewed: {some}.",
            f"Las celdas que se refieren a otros libros ({len(external):,}) no se renovaron: {some}.",
        )


def unvalued(count: int) -> T:
    """Formulas outside the scope that hold no value."""
    return T(
        f"Other formulas that hold no value yet: {count:,}. With --all they are computed too.",
        f"Otras fórmulas que aún no tienen valor: {count:,}. Con --all también se calculan.",
    )


def _some(book: Book, cells: Regions) -> str:
    return ", ".join(map(book.name, islice(cells, 5))) + (" …" if len(cells) > 5 else "")
