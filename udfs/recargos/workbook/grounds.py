"""Which cells keep their old value, and why: the rule that nothing is guessed and nothing is silently wrong.

A *ground* is a set of cells with one reason. A cell of a ground keeps its value and is named. Most grounds spread: what
rests on a cell that may be wrong may be wrong too, so it keeps its value as well, as "stale".

A volatile or external cell that nothing in this run can have changed does not spread: it counts as the value that Excel
left and that the sheet shows, and what rests on it is computed on that value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recargos.law import T
from recargos.workbook.cellvalue import Value, same, shown
from recargos.workbook.formulas import VOLATILE, Cell, Formulas, Regions
from recargos.workbook.result import CellStatus

if TYPE_CHECKING:
    from recargos.workbook.book import Book
    from recargos.workbook.engine import Calculation

Reason = Callable[[Cell], T]


@dataclass(frozen=True)
class Ground:
    """Cells that keep their old value for one reason."""

    cells: Regions
    status: CellStatus
    kind: str
    reason: Reason
    spreads: bool = True


@dataclass(frozen=True)
class Scope:
    """Which cells this run is about."""

    cells: Regions
    pr: Regions
    affected: Regions
    """PR_ cells and what depends on them."""
    everything: bool

    @classmethod
    def of(cls, formulas: Formulas, everything: bool) -> Scope:
        """For a workbook."""
        pr = formulas.pr
        affected = pr | formulas.dependents(pr)
        return cls(formulas.all if everything else affected, pr, affected, everything)


def union(grounds: Iterable[Ground]) -> Regions:
    """The cells of some grounds."""
    cells = Regions()
    for ground in grounds:
        cells = cells | ground.cells
    return cells


def from_formulas(book: Book, scope: Scope) -> list[Ground]:
    """Grounds that lie in the formulas themselves."""
    formulas = book.formulas
    tables = formulas.data_tables
    unreadable = formulas.unreadable - tables
    external = formulas.external - tables - unreadable
    volatile = formulas.volatile - external - tables - unreadable
    grounds = [
        Ground(tables, "unsupported", "data_table", _say(_DATA_TABLE)),
        Ground(unreadable, "unsupported", "unreadable_formula", _problem(formulas)),
    ]
    for kind, cells, reason in (("external", external, _say(_EXTERNAL)), ("volatile", volatile, _volatile(formulas))):
        unsure = _unsure(book, scope, cells)
        grounds += [Ground(unsure, "stale", kind, reason), Ground(cells - unsure, "stale", kind, reason, False)]
    return [ground for ground in grounds if ground.cells]


def _unsure(book: Book, scope: Scope, cells: Regions) -> Regions:
    """Those of `cells` whose value is not to be relied on: there is none, or its inputs may have changed meanwhile."""
    formulas = book.formulas
    unsure = (formulas.where(lambda template: template.dynamic) | scope.affected) & cells
    if scope.everything:
        unsure = unsure | (formulas.where(lambda template: bool(template.uses)) & cells)
    return unsure | Regions(cell for cell in cells - unsure if book.value(cell) is None)


def from_engine(book: Book, calculation: Calculation, taken: Regions) -> list[Ground]:
    """Grounds that the engine names, for cells not yet `taken`."""
    circular = Regions(calculation.circular) - taken
    unsupported = calculation.unsupported - taken - circular
    spilled = _spilled(book, calculation) - taken - circular - unsupported
    grounds = [
        Ground(circular, "stale", "circular", _say(_CIRCULAR)),
        Ground(unsupported, "unsupported", "unsupported", lambda cell: _sentence(calculation.reason(cell))),
        Ground(spilled, "stale", "spill", _say(_SPILL)),
    ]
    return [ground for ground in grounds if ground.cells]


def _spilled(book: Book, calculation: Calculation) -> Regions:
    """The areas of array formulas that the engine fills otherwise than the file does."""
    found = Regions()
    for index, columns in book.columns.items():
        get = calculation.values.get(index)
        for filled in columns.sheet.filled:
            if filled.data_table or get is None:
                continue
            across = range(filled.column, filled.last_column + 1)
            down = range(filled.row, filled.last_row + 1)
            if not filled.complete or any(get(row, column) is None for column in across for row in down):
                for column in across:
                    found.add(index, column, filled.row, filled.last_row)
    return found


def from_disagreement(formulas: Formulas, cells: Regions, functions: frozenset[str]) -> Ground:
    """What the self-check distrusts: see :meth:`~.selfcheck.SelfCheck.blamed`."""

    def reason(cell: Cell) -> T:
        named = ", ".join(sorted(functions & formulas.functions(cell)))
        return T(
            f"In this workbook the engine computes {named or 'this formula'} otherwise than Excel did.",
            f"En este libro el motor calcula {named or 'esta fórmula'} de otra manera que Excel.",
        )

    return Ground(cells, "stale", "disagrees", reason)


def from_verification(
    formulas: Formulas, cells: Regions, one: Calculation, two: Calculation, names: tuple[str, str]
) -> list[Ground]:
    """Cells of `cells` on which two engines differ beyond the 15th digit, and those that the second cannot compute."""
    unable = two.unsupported | Regions(two.circular)
    unable = cells & (unable | formulas.dependents(unable))
    differing: dict[Cell, tuple[Value, Value]] = {}
    for sheet, column, first, last in (cells - unable).intervals():
        get_one, get_two = one.values.get(sheet), two.values.get(sheet)
        for row in range(first, last + 1):
            a = get_one(row, column) if get_one is not None else None
            b = get_two(row, column) if get_two is not None else None
            if not same(0.0 if a is None else a, 0.0 if b is None else b):
                differing[Cell(sheet, row, column)] = (a, b)

    def reason(cell: Cell) -> T:
        a, b = map(shown, differing[cell])
        return T(
            f"The engines differ: {names[0]} gives {a}, {names[1]} {b}.",
            f"Los motores difieren: {names[0]} da {a}, {names[1]} {b}.",
        )

    not_verified = T(
        f"{names[1]} cannot compute it, so it is not verified.",
        f"{names[1]} no puede calcularla, así que no está verificada.",
    )
    grounds = [
        Ground(Regions(differing), "stale", "engines_differ", reason),
        Ground(unable, "stale", "not_verified", _say(not_verified)),
    ]
    return [ground for ground in grounds if ground.cells]


def resting(book: Book, grounds: list[Ground], cells: Regions) -> list[Ground]:
    """Those of `cells` that rest on a ground that spreads, each told of the first ground it rests on."""
    taken = union(grounds)
    found: list[Ground] = []
    for ground in grounds:
        if ground.spreads:
            stale = (book.formulas.dependents(ground.cells) & cells) - taken
            if stale:
                found.append(Ground(stale, "stale", "stale_input", _say(_rests(book, ground)), False))
                taken = taken | stale
    return found


def _rests(book: Book, ground: Ground) -> T:
    first = next(iter(ground.cells))
    where, why, more = book.name(first), ground.reason(first), len(ground.cells) - 1
    return T(
        f"It rests on {where}{f' and {more:,} more' if more else ''}, which could not be renewed: {why.en}",
        f"Se apoya en {where}{f' y {more:,} más' if more else ''}, que no se pudo renovar: {why.es}",
    )


def _say(text: T) -> Reason:
    return lambda _: text


def _sentence(text: str) -> T:
    text = text[:1].upper() + text[1:].rstrip(".") + "."
    return T(text, text)


def _problem(formulas: Formulas) -> Reason:
    def reason(cell: Cell) -> T:
        run = formulas.filled_by(cell)
        problem = run.template.problem if run is not None else ""
        return T(f"The formula could not be understood: {problem}.", f"No se pudo entender la fórmula: {problem}.")

    return reason


def _volatile(formulas: Formulas) -> Reason:
    def reason(cell: Cell) -> T:
        functions = ", ".join(sorted(formulas.functions(cell) & VOLATILE))
        return T(
            f"{functions} gives a new value at every calculation: the value is the one that Excel left.",
            f"{functions} da un valor nuevo en cada cálculo: el valor es el que dejó Excel.",
        )

    return reason


_DATA_TABLE = T(
    "A what-if data table, which only Excel computes.",
    "Una tabla de datos (análisis de hipótesis), que sólo Excel calcula.",
)
_EXTERNAL = T(
    "It refers to another workbook, which is not opened: the value is the one that Excel left.",
    "Se refiere a otro libro, que no se abre: el valor es el que dejó Excel.",
)
_CIRCULAR = T(
    "A circular reference: the formula depends on itself, directly or through others.",
    "Una referencia circular: la fórmula depende de sí misma, directamente o a través de otras.",
)
_SPILL = T(
    "The array has another size than the file gives it: only Excel can make room for it.",
    "La matriz tiene otro tamaño que el que le da el archivo: sólo Excel puede hacerle sitio.",
)
