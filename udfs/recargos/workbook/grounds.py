"""Which cells keep their old value, and why: the rule that nothing is guessed and nothing is silently wrong.

A *ground* is a set of cells with one reason. A cell of a ground keeps its value and is named. Most grounds spread: what rests on a
cell that may be wrong may be wrong too, so it keeps its value as well, as "stale".

A volatile or external cell that nothing in this run can have changed does not spread: it counts as the value that Excel left and
that the sheet shows, and what rests on it is computed on that value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recargos.law import T
from recargos.workbook.cells import address
from recargos.workbook.formulas import VOLATILE, Cell, Formulas, Regions, Template
from recargos.workbook.result import CellStatus

if TYPE_CHECKING:
    from recargos.workbook.engine import Calculation


@dataclass(frozen=True)
class Ground:
    """Cells that keep their old value for one reason."""

    cells: Regions
    status: CellStatus
    kind: str
    reason: Callable[[Cell], T]
    spreads: bool = True
    rests_on: T | None = None
    """How a cell that rests on these is told so; None = from :attr:`reason` of the first of them."""


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


def from_formulas(formulas: Formulas, scope: Scope, has_value: Callable[[Cell], bool]) -> list[Ground]:
    """Grounds that lie in the formulas themselves. `has_value` tells whether the file holds a value for a cell."""
    grounds: list[Ground] = []
    tables = formulas.data_tables
    if tables:
        grounds.append(Ground(tables, "unsupported", "data_table", _say(T(
            "A what-if data table, which only Excel computes.", "Una tabla de datos (análisis de hipótesis), que sólo Excel calcula.",
        ))))  # fmt: skip
    unreadable = formulas.unreadable - tables
    if unreadable:
        grounds.append(Ground(unreadable, "unsupported", "unreadable_formula", _problem(formulas)))
    external = formulas.external - tables - unreadable
    volatile = formulas.volatile - external - tables - unreadable
    for kind, cells in (("external", external), ("volatile", volatile)):
        if not cells:
            continue
        reason = _EXTERNAL if kind == "external" else _volatile(formulas)
        unsure = _unsure(formulas, scope, cells, has_value)
        for spreads, part in ((True, unsure), (False, cells - unsure)):
            if part:
                grounds.append(Ground(part, "stale", kind, reason, spreads))
    return grounds


def from_engine(calculation: Calculation, taken: Regions) -> list[Ground]:
    """Grounds that the engine names: circular references, functions it does not do as Excel does. `taken` are other grounds' cells."""
    grounds: list[Ground] = []
    circular = Regions(calculation.circular) - taken
    if circular:
        grounds.append(Ground(circular, "stale", "circular", _say(T(
            "A circular reference: the formula depends on itself, directly or through others.",
            "Una referencia circular: la fórmula depende de sí misma, directamente o a través de otras.",
        ))))  # fmt: skip
    unsupported = calculation.unsupported - taken - circular
    if unsupported:
        grounds.append(Ground(unsupported, "unsupported", "unsupported", lambda cell: _both(calculation.reason(cell))))
    return grounds


def _unsure(formulas: Formulas, scope: Scope, cells: Regions, has_value: Callable[[Cell], bool]) -> Regions:
    """Those of `cells` whose value in the file cannot be relied on: empty, or their inputs may have changed in this run."""
    dynamic = formulas.where(lambda template: template.dynamic) & cells
    unsure = dynamic | (cells & scope.affected)
    if scope.everything:
        unsure = unsure | (formulas.where(lambda template: bool(template.uses)) & cells)
    return unsure | Regions(cell for cell in cells - unsure if not has_value(cell))


def resting(formulas: Formulas, grounds: Sequence[Ground], scope: Regions, name: Callable[[Cell], str]) -> list[Ground]:
    """What rests on cells of the grounds that spread, each with the ground it rests on first."""
    taken = Regions()
    for ground in grounds:
        taken = taken | ground.cells
    found: list[Ground] = []
    for ground in grounds:
        if not ground.spreads or not ground.cells:
            continue
        cells = (formulas.dependents(ground.cells) & scope) - taken
        if cells:
            first = next(iter(ground.cells))
            found.append(Ground(cells, "stale", "stale_input", _say(ground.rests_on or _rests(ground, first, name(first))), False))
            taken = taken | cells
    return found


def _rests(ground: Ground, first: Cell, where: str) -> T:
    why = ground.reason(first)
    more = len(ground.cells) - 1
    en = f" and {more} more" if more else ""
    es = f" y {more} más" if more else ""
    return T(
        f"It rests on {where}{en}, whose value could not be renewed: {why.en}",
        f"Se apoya en {where}{es}, cuyo valor no se pudo renovar: {why.es}",
    )


def blamed(formulas: Formulas, differing: Regions, agreeing: Iterable[int]) -> tuple[Regions, frozenset[str]]:
    """What to distrust when the engine does not reproduce what Excel left in `differing`: cells, and the functions to blame.

    Only the first to differ are looked at, not what rests on them. A function is to blame unless some formula with it (a template of
    `agreeing`, by id) agrees throughout; if none is left the formula itself is, in every cell into which it was filled.
    """
    roots = differing - formulas.dependents(differing)
    roots = roots or differing
    innocent: set[str] = set()
    trusted = set(agreeing)
    guilty: dict[int, Template] = {}
    for run in formulas.runs:
        if id(run.template) in trusted:
            innocent |= run.template.functions
        elif roots.within(run.sheet, run.column, run.first, run.last):
            guilty[id(run.template)] = run.template
    functions = frozenset(name for template in guilty.values() for name in template.functions) - innocent
    functions -= {name for name in functions if name.startswith("PR_")}
    cells = formulas.where(lambda template: id(template) in guilty or bool(functions & template.functions))
    return cells | differing, functions


def cell_name(formulas: Formulas, cell: Cell) -> str:
    """ "Sheet!B7"."""
    return f"{formulas.context.sheets[cell.sheet]}!{address(cell.row, cell.column)}"


def _say(text: T) -> Callable[[Cell], T]:
    return lambda cell: text


def _both(text: str) -> T:
    text = text[:1].upper() + text[1:].rstrip(".") + "."
    return T(text, text)


def _problem(formulas: Formulas) -> Callable[[Cell], T]:
    def reason(cell: Cell) -> T:
        run = formulas.filled_by(cell)
        problem = run.template.problem if run is not None else ""
        return T(f"The formula could not be understood: {problem}.", f"No se pudo entender la fórmula: {problem}.")

    return reason


def _volatile(formulas: Formulas) -> Callable[[Cell], T]:
    def reason(cell: Cell) -> T:
        functions = ", ".join(sorted(formulas.functions(cell) & VOLATILE))
        return T(
            f"{functions} gives a new value at every calculation: the value is the one that Excel left.",
            f"{functions} da un valor nuevo en cada cálculo: el valor es el que dejó Excel.",
        )

    return reason


_EXTERNAL = _say(
    T(
        "It refers to another workbook, which is not opened: the value is the one that Excel left.",
        "Se refiere a otro libro, que no se abre: el valor es el que dejó Excel.",
    )
)
