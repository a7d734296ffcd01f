"""Cells of LibreOffice in which the last binary digits decide.

LibreOffice makes every sum and difference 0 that is tiny beside its operands, and takes for equal, in `=`, lookups and
criteria, what is nearly so. Excel makes 0 only of the last sum of a formula, and compares 15 digits. Money rarely meets
the difference; where it does the cell is not taken. Each formula is followed here with the values of its cells, as far
as it consists of operators, our own functions and plain ones of Excel; what cannot be followed is not judged, but for
comparisons of computed values, which are then refused.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from recargos.cells import caller, to_serial
from recargos.law import OMITTED, CellError
from recargos.statutes import FUNCTIONS as PR_FUNCTIONS
from recargos.workbook.libreoffice_close import (
    DIFFERENT,
    PLAIN,
    SINGLE,
    TINY,
    TOTALS,
    Doubtful,
    Follow,
    Unknown,
    as_number,
    both,
    distinct,
    failed_with,
    first_of,
    followed,
    in_brackets,
    is_bound,
    is_few,
    is_zero,
    may_have_digits,
    never_known,
    order_wanted,
    snapped,
    summed,
    values_of,
)
from recargos.workbook.libreoffice_functions import CHOOSING, COMPARING, SUMMING
from recargos.workbook.overrides.functions import FUNCTIONS
from recargos.workbook.overrides.operators import power
from recargos.workbook.overrides.values import Failed, compare
from recargos.workbook.syntax import (
    Binary,
    Bool,
    Call,
    Node,
    Number,
    Omitted,
    Postfix,
    Ref,
    Text,
    Unary,
    walk,
)

if TYPE_CHECKING:
    from recargos.workbook.formulas import Formulas, Run
    from recargos.workbook.libreoffice_values import SheetValues

_CELLS = 3_000_000
"""Cells of ranges, times rows of a run, that are looked at."""
_COMPARISON: Mapping[str, Callable[[int], bool]] = {
    "=": lambda order: order == 0, "<>": lambda order: order != 0, "<": lambda order: order < 0,
    ">": lambda order: order > 0, "<=": lambda order: order <= 0, ">=": lambda order: order >= 0,
}  # fmt: skip
_CRITERION = re.compile(r"[<>=]*\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*")


class LastDigits:
    """Follows the formulas of a workbook that LibreOffice has computed."""

    def __init__(self, formulas: Formulas, sheets: Mapping[int, SheetValues], *, date1904: bool) -> None:
        self.formulas = formulas
        self.sheets = sheets
        self.date1904 = date1904
        self.sorted: dict[tuple[int, Ref], list[float]] = {}

    def condition(self, run: Run, node: Node) -> Callable[[int], bool | None]:
        """Row → whether a condition in the formulas of a run holds; None where that cannot be told."""
        follow = _Following(self, run).node(node)

        def holds(row: int) -> bool | None:
            try:
                return bool(as_number(follow(row)))
            except (Doubtful, Unknown):
                return None

        return holds

    def doubtful(self, run: Run) -> Iterator[tuple[int, str]]:
        """Rows of a run whose value must not be taken, and why."""
        tree = run.template.tree
        if tree is None or run.area is not None or not any(map(_delicate, walk(tree))):
            return
        follow = _Following(self, run).node(tree, not in_brackets(run.template.text))
        for row in range(run.first, run.last + 1):
            try:
                follow(row)
            except Doubtful as reason:
                yield row, str(reason)
            except Unknown:
                continue


def _delicate(node: Node) -> bool:
    if isinstance(node, Binary):
        return node.operator in "+-^" or node.operator in _COMPARISON
    return isinstance(node, Call) and (node.name in COMPARING or node.name in SUMMING or node.name in PLAIN)


class _Following:
    """One run."""

    def __init__(self, digits: LastDigits, run: Run) -> None:
        self.digits = digits
        self.run = run
        self.rows = run.last - run.first + 1

    # ------------------------------------------------------------------------------------------------- nodes
    def node(self, node: Node, last: bool = False, settled: bool = False) -> Follow:
        """`last`: nothing is computed after it. `settled`: what is made of it is the same for 0 and for a tiny rest."""
        if isinstance(node, Number):
            value = float(node.text)
            return lambda _: value
        if isinstance(node, (Text, Bool)):
            constant = node.value
            return lambda _: constant
        if isinstance(node, Omitted):
            return lambda _: None
        if isinstance(node, Ref):
            return self.ref(node)
        if isinstance(node, Unary):
            of = self.node(node.operand, settled=settled)
            return (lambda row: -as_number(of(row))) if node.operator == "-" else of
        if isinstance(node, Postfix) and node.operator == "%":
            percent = self.node(node.operand)
            return lambda row: as_number(percent(row)) / 100
        if isinstance(node, Binary):
            return self.binary(node, last, settled)
        if isinstance(node, Call):
            return self.call(node, settled)
        return never_known

    def ref(self, ref: Ref) -> Follow:
        sheet = self.sheet(ref)
        if sheet is None or not ref.single:
            return never_known
        first = self.run.template.at(self.run.first, self.run.column)(ref)
        values, top = self.digits.sheets[sheet], self.run.first
        held = values.column(first.column, first.row, first.row + (0 if ref.row_fixed else self.rows - 1))

        def value(row: int) -> Any:
            found = held[0 if ref.row_fixed else row - top]
            if isinstance(found, CellError):
                raise Unknown
            return found

        return value

    def binary(self, node: Binary, last: bool, settled: bool) -> Follow:
        operator = node.operator
        bounds = [operator in _COMPARISON and is_bound(other) for other in (node.right, node.left)]
        left, right = self.node(node.left, settled=bounds[0]), self.node(node.right, settled=bounds[1])
        if operator in _COMPARISON:
            holds = _COMPARISON[operator]
            hidden = any(
                may_have_digits(side) and not followed(side) and not (is_zero(other) and isinstance(side, Call))
                for side, other in ((node.left, node.right), (node.right, node.left))
            )

            def compared(row: int) -> bool:
                if hidden:
                    raise Doubtful("LibreOffice takes for equal what differs in its last digits")
                a, b = both(left, right, row)
                distinct(a, b)
                try:
                    return holds(compare(a, b))
                except Failed as failed:
                    raise failed_with(failed.result) from None

            return compared
        if operator not in ("+", "-", "*", "/", "^"):

            def other(row: int) -> Any:
                both(left, right, row)
                raise Unknown

            return other

        def computed(row: int) -> float:
            a, b = map(as_number, both(left, right, row))
            try:
                if operator == "*":
                    return a * b
                if operator == "/":
                    return a / b
                if operator == "^":
                    return power(a, b)
            except Failed as failed:
                raise failed_with(failed.result) from None
            except (ZeroDivisionError, OverflowError):
                raise Unknown from None
            result = a + b if operator == "+" else a - b
            if settled and abs(result) < TINY:
                return result
            return snapped(result, max(abs(a), abs(b)), last)

        return computed

    # ------------------------------------------------------------------------------------------------- calls
    def call(self, node: Call, settled: bool) -> Follow:
        name = node.name
        if name == SINGLE and len(node.arguments) == 1:
            return self.node(node.arguments[0])
        if name in PR_FUNCTIONS:
            return self.pr(node)
        arguments = [self.node(a) for a in node.arguments]
        if (name == "ABS" and settled) or (name == "ROUND" and len(arguments) == 2 and is_few(node.arguments[1])):
            arguments[0] = self.node(node.arguments[0], settled=True)
        if name == "IF" and len(arguments) > 1:
            return self.choice(arguments)
        if name in ("IFERROR", "IFNA") and len(arguments) == 2:
            return lambda row: first_of(arguments, row)
        if name in TOTALS:
            return self.total(node, settled)
        if name in PLAIN and all(not isinstance(a, Omitted) for a in node.arguments):
            function = FUNCTIONS[f"R.{name}"]

            def plain(row: int) -> Any:
                given = [as_number(v) for v in values_of(arguments, row)]
                try:
                    result = function(*given)
                except Failed as failed:
                    raise failed_with(failed.result) from None
                except (ArithmeticError, ValueError, TypeError):
                    raise Unknown from None
                if isinstance(result, dict):
                    raise failed_with(result)
                return result

            return plain
        searches = list(self.searches(node)) if name in COMPARING else []
        sums = self.conditional_sum(node) if name in SUMMING and not settled else None

        def unknown(row: int) -> Any:
            for key, near in searches:
                try:
                    wanted = key(row)
                except Unknown:
                    continue
                near(row, wanted)
            if sums is not None:
                sums(row)
            if name not in CHOOSING:
                values_of(arguments, row)
            raise Unknown

        return unknown

    def pr(self, node: Call) -> Follow:
        function = PR_FUNCTIONS[node.name]
        one = caller(function, date1904=self.digits.date1904)
        arguments = [(lambda _: OMITTED) if isinstance(a, Omitted) else self.node(a) for a in node.arguments]

        def value(row: int) -> Any:
            result = one(*values_of(arguments, row))
            if isinstance(result, (CellError, list)):
                raise Unknown
            if result is None or isinstance(result, (bool, str)):
                return result
            return float(result if isinstance(result, (int, float)) else to_serial(result, self.digits.date1904))

        return value

    @staticmethod
    def choice(arguments: list[Follow]) -> Follow:
        def value(row: int) -> Any:
            condition = arguments[0](row)
            chosen = 1 if as_number(condition) else 2
            return arguments[chosen](row) if chosen < len(arguments) else False

        return value

    def total(self, node: Call, settled: bool) -> Follow:
        """SUM and the like, of cells and numbers."""
        parts = [(self.cells(a) if isinstance(a, Ref) else None, self.node(a)) for a in node.arguments]

        def value(row: int) -> float:
            found: list[float] = []
            for cells, of in parts:
                if cells is not None:
                    found += cells(row)
                else:
                    found.append(as_number(of(row)))
            if node.name in ("MIN", "MAX"):
                return (min if node.name == "MIN" else max)(found, default=0.0)
            if not found:
                raise Unknown
            result = math.fsum(found)
            if not (settled and abs(result) < TINY):
                result = summed(found)
            return result / len(found) if node.name == "AVERAGE" else result

        return value

    def conditional_sum(self, node: Call) -> Callable[[int], None] | None:
        """What a function adds under conditions: where amounts cancel out, LibreOffice may find 0 and Excel a rest."""
        at = {"SUMIFS": 0, "SUMIF": 2 if len(node.arguments) > 2 else 0, "SUBTOTAL": 1, "AVERAGEIFS": 0}.get(node.name)
        if at is None or at >= len(node.arguments):
            return None
        area = node.arguments[at]
        cells = self.cells(area) if isinstance(area, Ref) else None
        if cells is None:
            return None
        whole = node == self.run.template.tree
        values = self.digits.sheets[self.run.sheet]

        def check(row: int) -> None:
            found = cells(row)
            if not found or min(found) >= 0 or max(found) <= 0 or all(v == int(v) for v in found):
                return
            result = values(row, self.run.column)
            if not whole or not isinstance(result, float) or abs(result) < DIFFERENT * sum(map(abs, found)):
                raise Doubtful("amounts may cancel out, and then LibreOffice finds 0 where Excel finds a rest")

        return check

    def searches(self, node: Call) -> Iterator[tuple[Follow, Callable[[int, Any], None]]]:
        """(what is looked for, where) of a function that compares."""
        name, arguments = node.name, node.arguments
        if name in ("COUNTIF", "SUMIF", "AVERAGEIF"):
            pairs = [(1, 0)]
        elif name.endswith("IFS"):
            start = 0 if name == "COUNTIFS" else 1
            pairs = [(n + 1, n) for n in range(start, len(arguments) - 1, 2)]
        else:
            pairs = [(0, 1)]
        for key, area in pairs:
            if max(key, area) < len(arguments) and isinstance(arguments[area], Ref):
                where = arguments[area]
                assert isinstance(where, Ref)
                if name in ("VLOOKUP", "HLOOKUP", "LOOKUP") and not where.single:
                    down = name == "VLOOKUP" or where.column == where.last_column
                    where = (
                        where._replace(last_column=where.column, last_column_fixed=where.column_fixed)
                        if down
                        else where._replace(last_row=where.row, last_row_fixed=where.row_fixed)
                    )
                yield self.node(arguments[key]), self.nearly(where)
                order = order_wanted(node)
                if order:
                    yield self.node(Omitted()), self.in_order(where, order)
                    yield self.node(arguments[key]), _no_text

    def nearly(self, area: Ref) -> Callable[[int, Any], None]:
        """Whether a number is in a range but for its last digits."""
        cells = self.cells(area)
        fixed = all(area[5:])

        def check(row: int, wanted: Any) -> None:
            criterion = _CRITERION.fullmatch(wanted) if isinstance(wanted, str) else None
            if criterion:
                wanted = float(criterion[1])
            if cells is None or type(wanted) not in (float, int) or not math.isfinite(wanted):
                return
            if fixed:
                key = (self.sheet(area) or 0, area)
                held = self.digits.sorted.get(key)
                if held is None:
                    held = self.digits.sorted[key] = sorted(cells(row))
            else:
                held = sorted(cells(row))
            width = abs(wanted) * DIFFERENT
            at = bisect_left(held, wanted - width)
            while at < len(held) and held[at] <= wanted + width:
                if held[at] != wanted:
                    raise Doubtful("LibreOffice finds what differs from the number in its last digits")
                at += 1

        return check

    def in_order(self, area: Ref, order: int) -> Callable[[int, Any], None]:
        """Whether a range stands in the order that the search takes for granted: 1 ascending, -1 descending."""
        cells = self.cells(area)
        known: dict[str, bool] = {}

        def check(row: int, _: Any) -> None:
            if cells is None:
                raise Doubtful("the search takes an order for granted, in too many cells to see whether it is there")
            if not (all(area[5:]) and known):
                held = cells(row)[::order]
                known["sorted"] = all(a <= b for a, b in pairwise(held))
            if not known["sorted"]:
                raise Doubtful("the cells do not stand in the order that the search takes for granted")

        return check

    # ------------------------------------------------------------------------------------------------- cells
    def cells(self, area: Ref) -> Callable[[int], list[float]] | None:
        """The numbers of a range, or None where there are too many to look at."""
        sheet = self.sheet(area)
        if sheet is None:
            return None
        values = self.digits.sheets[sheet]
        place = self.run.template.at(self.run.first, self.run.column)(area)
        height = min(place.last_row, len(values.rows)) - place.row + 1
        width = min(place.last_column, values.width) - place.column + 1
        fixed = all(area[5:])
        if max(height, 0) * max(width, 0) * (1 if fixed else self.rows) > _CELLS:
            return None
        held: list[list[float]] = []

        def read(row: int) -> list[float]:
            if fixed and held:
                return held[0]
            moved = self.run.template.at(row, self.run.column)(area)
            found = []
            for column in range(moved.column, min(moved.last_column, values.width) + 1):
                for value in values.column(column, moved.row, min(moved.last_row, max(len(values.rows), moved.row))):
                    if type(value) is float or type(value) is int:
                        found.append(value)
            if fixed:
                held.append(found)
            return found

        return read

    def sheet(self, ref: Ref) -> int | None:
        if ref.prefix is None:
            return self.run.sheet
        if ref.prefix.book or ref.prefix.last:
            return None
        sheet = self.digits.formulas.context.sheet(ref.prefix.sheet)
        return sheet if sheet in self.digits.sheets else None


def _no_text(_: int, wanted: Any) -> None:
    if isinstance(wanted, str):
        raise Doubtful("LibreOffice may put texts in another order than Excel")
