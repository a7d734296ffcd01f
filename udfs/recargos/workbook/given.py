"""PR_ columns that rest on input cells alone, computed before the engine: it is given their values as constants.

The engine would call a function once a cell, at several times the price. What is not certain to come out the same is
left to it: a formula that is more than one call, a range, a result that is not a number, and every row with an
argument that :mod:`.inputs` does not read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from recargos.cells import exactly
from recargos.down import Columns as Down
from recargos.down import Told
from recargos.statutes import FUNCTIONS
from recargos.workbook.inputs import OTHER, Inputs
from recargos.workbook.patching import numbers
from recargos.workbook.regions import Regions
from recargos.workbook.sheet import Sheet
from recargos.workbook.syntax import Call, Node, Ref

if TYPE_CHECKING:
    from recargos.workbook.formulas import Formulas, Run
    from recargos.workbook.overrides.translate import Translation
    from recargos.workbook.package import Package

Literal = Callable[[Node], Any]
LONG = 50
"""A column of fewer rows is not worth the looking."""


class Given(NamedTuple):
    """Values of a run, from its first row on; None in rows that are left to the engine."""

    run: Run
    function: str
    values: list[float | None]
    told: Mapping[int, tuple[Told, ...]]
    """What a bulk run must list, by row of the sheet."""
    whole: bool
    """Whether no row is left to the engine."""
    texts: list[bytes]
    """The values as a sheet holds them; empty for None."""

    def stretches(self) -> list[tuple[int, int]]:
        """First and last row of the stretches that are given."""
        found = []
        row = self.run.first
        for given, group in groupby(value is not None for value in self.values):
            rows = sum(1 for _ in group)
            if given:
                found.append((row, row + rows - 1))
            row += rows
        return found


def given(
    package: Package,
    formulas: Formulas,
    translated: Iterable[tuple[Run, Translation]],
    constants: Regions,
    literal: Literal,
) -> list[Given]:
    """Compute what can be. `constants` stay as they are; `literal` is the value of an argument that is no reference."""
    return _Giving(package, formulas, constants, literal).of(translated)


class _Giving:
    def __init__(self, package: Package, formulas: Formulas, constants: Regions, literal: Literal) -> None:
        self.package = package
        self.formulas = formulas
        self.constants = constants
        self.computed = formulas.all
        self.literal = literal
        self._inputs: dict[int, Inputs | None] = {}
        self.down = Down(date1904=package.date1904)
        self.done: list[Given] = []
        self._known: dict[tuple[int, int], Given] = {}
        """By sheet and column: a PR_ column of which every row is given, for others to rest on."""
        self._literals: dict[tuple[str, int], Sequence[Any]] = {}

    def of(self, translated: Iterable[tuple[Run, Translation]]) -> list[Given]:
        waiting = [(run, translation) for run, translation in translated if self._suits(run, translation)]
        with exactly():
            while waiting:
                later = [each for each in waiting if not self._compute(*each)]
                if len(later) == len(waiting):
                    break
                waiting = later  # one column may rest on another
        return self.done

    def _suits(self, run: Run, translation: Translation) -> bool:
        """Whether the whole formula is one call with a numeric result, down a long column."""
        if run.last - run.first + 1 < LONG or run.kind not in ("normal", "shared") or run.area is not None:
            return False
        if len(translation.calls) != 1 or self.constants.within(run.sheet, run.column, run.first, run.last):
            return False
        (call,), tree = translation.calls, translation.tree
        if call.ident or not call.arguments or not isinstance(tree, Call) or tree.name != call.name:
            return False
        function = FUNCTIONS[call.function]
        return function.result in ("money", "rate", "days") and not any(a.whole_range for a in function.arguments)

    def _place(self, run: Run, node: Node) -> tuple[int, int] | None:
        """Sheet and column of a single reference."""
        if not isinstance(node, Ref) or not node.single:
            return None
        sheet = run.sheet if node.prefix is None else self.formulas.context.sheet(node.prefix.sheet)
        column = node.column if node.column_fixed else node.column + run.column - run.template.place.column
        return None if sheet is None or column < 1 else (sheet, column)

    def _compute(self, run: Run, translation: Translation) -> bool:
        """Compute a column; False where its arguments are not known (yet)."""
        (call,) = translation.calls
        function = FUNCTIONS[call.function]
        columns = []
        for argument in call.arguments:
            column = self._column(run, argument)
            if column is None:
                return False
            columns.append(column)
        odd = {at for column in columns if OTHER in column for at, value in enumerate(column) if value is OTHER}
        if odd:
            columns = [[value for at, value in enumerate(column) if at not in odd] for column in columns]
        answers = self.down.compute(function, columns)
        values: list[float | None] = answers.values
        if set(map(type, values)) != {float}:
            values = [float(v) if type(v) in (float, int) else None for v in answers.values]
        places = [row for row in range(run.first, run.last + 1) if row - run.first not in odd]
        told = {places[at]: what for at, what in answers.told.items() if values[at] is not None}
        if odd:
            by_row = dict(zip(places, values, strict=True))
            values = [by_row.get(row) for row in range(run.first, run.last + 1)]
        found = [value for value in values if value is not None]
        texts = numbers(found) if found else []
        if texts:
            if len(texts) < len(values):
                made = iter(texts)
                texts = [b"" if value is None else next(made) for value in values]
            self.done.append(done := Given(run, call.function, values, told, None not in values, texts))
            if done.whole:
                self._known[run.sheet, run.column] = done
        return True

    def _column(self, run: Run, node: Node) -> Sequence[Any] | None:
        """The values of an argument down a run; None where they are not known before the engine computes."""
        rows = run.last - run.first + 1
        if not isinstance(node, Ref):
            key = (repr(node), rows)
            if key not in self._literals:
                self._literals[key] = [self.literal(node)] * rows
            return self._literals[key]
        place = self._place(run, node)
        if place is None:
            return None
        sheet, column = place
        first = node.row if node.row_fixed else node.row + run.first - run.template.place.row
        last = node.row if node.row_fixed else first + rows - 1
        if first < 1:
            return None
        known = self._known.get((sheet, column))
        if known is not None and known.run.first <= first and last <= known.run.last:
            values = known.values[first - known.run.first : last - known.run.first + 1]
            return values * rows if node.row_fixed else values
        if self.computed.within(sheet, column, first, last):
            return None
        inputs = self._inputs_of(sheet)
        held = inputs.read(column, first, last) if inputs is not None else None
        return held if held is None or not node.row_fixed else list(held) * rows

    def _inputs_of(self, sheet: int) -> Inputs | None:
        if sheet not in self._inputs:
            columns, part = self.formulas.columns.get(sheet), self.package.sheets[sheet]
            if columns is not None:
                self._inputs[sheet] = Inputs(columns.sheet)
            else:  # no formulas on it
                worksheet = part.kind == "worksheet"
                self._inputs[sheet] = Inputs(Sheet.scan(self.package.read(part.part))) if worksheet else None
        return self._inputs[sheet]
