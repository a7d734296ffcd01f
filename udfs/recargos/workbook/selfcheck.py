"""The self-check: formulas that no PR_ cell feeds must come out as Excel left them. A workbook is its own oracle."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recargos.law import T
from recargos.workbook.book import Book
from recargos.workbook.cells import address
from recargos.workbook.cellvalue import Value, shown
from recargos.workbook.formulas import Cell, Regions, Template
from recargos.workbook.grounds import Scope
from recargos.workbook.result import Agreement, Difference

if TYPE_CHECKING:
    from recargos.workbook.engine import Calculation


@dataclass
class SelfCheck:
    """What came of it."""

    agreement: Agreement = field(default_factory=Agreement)
    checked: Regions = field(default_factory=Regions)
    """The untouched formula cells that hold a value."""
    differing: Regions = field(default_factory=Regions)
    unvalued: int = 0
    """Untouched formula cells that hold no value, so that there is nothing to compare with."""
    agreeing: set[int] = field(default_factory=set)
    """Templates, by id, that came out as they were in every cell."""

    @classmethod
    def of(cls, book: Book, calculation: Calculation, scope: Scope) -> SelfCheck:
        """Compare all but what the engine takes as constants and what rests on cells that it could not compute."""
        formulas = book.formulas
        constant = formulas.volatile | formulas.external | formulas.data_tables | formulas.unreadable
        unable = calculation.unsupported | Regions(calculation.circular)
        untouched = formulas.all - scope.affected - constant - unable - formulas.dependents(unable)
        check = cls()
        broken: set[int] = set()
        for run in formulas.runs:
            columns, get = book.columns[run.sheet], calculation.values.get(run.sheet)
            if get is None:
                continue
            for column, low, high in run.spans():
                for first, last in untouched.within(run.sheet, column, low, high):
                    empty, differing = [], []
                    found = columns.compare(column, first, last, get)
                    for index, new in zip(found.indexes, found.values, strict=True):
                        old, row = columns.sheet.value(index), columns.sheet.rows[index]
                        if old is None:
                            empty.append(row)
                        elif not close(old, new):
                            differing.append(row)
                            check._add(book, Cell(run.sheet, row, column), old, new)
                    check._count(run.sheet, column, first, last, empty)
                    (broken if differing else check.agreeing).add(id(run.template))
        check.agreeing -= broken
        check.agreement.checked = len(check.checked)
        check.agreement.equal = len(check.checked) - len(check.agreement.differs)
        return check

    def _add(self, book: Book, cell: Cell, old: Value, new: Value) -> None:
        self.differing.add(cell.sheet, cell.column, cell.row, cell.row)
        reason = T(
            f"The engine gives {shown(new)} where Excel left {shown(old)}.",
            f"El motor da {shown(new)} donde Excel dejó {shown(old)}.",
        )
        functions = ", ".join(sorted(book.formulas.functions(cell)))
        where = address(cell.row, cell.column)
        self.agreement.differs.append(Difference(book.sheet_name(cell), where, functions, old, new, reason))

    def _count(self, sheet: int, column: int, first: int, last: int, empty: list[int]) -> None:
        self.unvalued += len(empty)
        for row in empty:
            if row > first:
                self.checked.add(sheet, column, first, row - 1)
            first = row + 1
        if first <= last:
            self.checked.add(sheet, column, first, last)

    def blamed(self, book: Book) -> tuple[Regions, frozenset[str]]:
        """What to distrust because of the cells that differ: cells, and the functions to blame.

        Only the first to differ are looked at, not what rests on them. A function is to blame unless some formula with
        it agrees throughout; where none is left the formula itself is, in every cell into which it was filled.
        """
        formulas = book.formulas
        roots = self.differing - formulas.dependents(self.differing) or self.differing
        innocent: set[str] = set()
        guilty: dict[int, Template] = {}
        for run in formulas.runs:
            if id(run.template) in self.agreeing:
                innocent |= run.template.functions
            elif any(roots.within(run.sheet, column, low, high) for column, low, high in run.spans()):
                guilty[id(run.template)] = run.template
        functions = frozenset(name for template in guilty.values() for name in template.functions) - innocent
        functions = frozenset(name for name in functions if not name.startswith("PR_"))
        cells = formulas.where(lambda template: id(template) in guilty or bool(functions & template.functions))
        return cells | self.differing, functions


def close(old: Value, new: Value) -> bool:
    """Equal but for the noise of binary sums: engines add in different orders."""
    if not (isinstance(old, float) and isinstance(new, float)):
        return False
    small, large = sorted((abs(old), abs(new)))
    return math.isclose(old, new, rel_tol=1e-11) or (small < 1e-15 and large < 1e-9)
