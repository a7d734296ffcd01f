"""Functions translated in a way of their own: those that choose, know the answer beforehand, or pass over cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from recargos.workbook.overrides.shape import Spread, spread
from recargos.workbook.overrides.table import TABLE
from recargos.workbook.syntax import Binary, Bool, Call, Error, Node, Number, Omitted, Ref

if TYPE_CHECKING:
    from recargos.workbook.overrides.translate import Translating


class Unsupported(Exception):
    """The formula is not computed: why."""


def _only_in_array_formulas(work: Translating, node: Call, decides: Node, arr: bool) -> None:
    """SUMPRODUCT makes most functions compute with arrays, but not these: they take one cell of a range there."""
    if arr and work.run.kind != "array" and spread(decides) == Spread(by_range=True):
        raise Unsupported(f"Excel computes {node.name} over a range only in an array formula")


def _choose_if(work: Translating, node: Call, arr: bool) -> Node:
    if not 2 <= len(node.arguments) <= 3:
        raise Unsupported("IF has a number of arguments that Excel does not take")
    condition = node.arguments[0]
    _only_in_array_formulas(work, node, condition, arr)
    if arr and spread(condition).any:
        work.conditional += 1
        branches = [work.value(a, True) for a in node.arguments[1:]]
        work.conditional -= 1
        return work.ours("R.IF", work.value(condition, True), *branches)
    test = work.argument(condition, "b", arr, TABLE["NOT"]) if not isinstance(condition, Omitted) else Bool(False)
    work.conditional += 1
    branches = [work.value(a, arr) for a in node.arguments[1:]]
    work.conditional -= 1
    return Call("IF", (test, *branches), "IF")


def _choose(work: Translating, node: Call, arr: bool) -> Node:
    if len(node.arguments) < 2 or spread(node.arguments[0]).any:
        raise Unsupported("CHOOSE is not computed element by element")
    index = work.numeric(node.arguments[0], False)
    work.conditional += 1
    values = [work.value(a, arr) for a in node.arguments[1:]]
    work.conditional -= 1
    return Call("CHOOSE", (index, *values), "CHOOSE")


def _ifs(work: Translating, node: Call, arr: bool) -> Node:
    if len(node.arguments) % 2 or not node.arguments:
        raise Unsupported("IFS has a number of arguments that Excel does not take")
    tree: Node = Error("#N/A")
    for at in range(len(node.arguments) - 2, -1, -2):
        tree = Call("IF", (node.arguments[at], node.arguments[at + 1], tree), "IF")
    return work.value(tree, arr)


def _switch(work: Translating, node: Call, arr: bool) -> Node:
    wanted, rest = node.arguments[0] if node.arguments else Omitted(), node.arguments[1:]
    if len(rest) < 2:
        raise Unsupported("SWITCH has a number of arguments that Excel does not take")
    tree: Node = rest[-1] if len(rest) % 2 else Error("#N/A")
    pairs = rest[:-1] if len(rest) % 2 else rest
    for at in range(len(pairs) - 2, -1, -2):
        tree = Call("IF", (Binary("=", wanted, pairs[at]), pairs[at + 1], tree), "IF")
    return work.value(tree, arr)


def _iferror(work: Translating, node: Call, arr: bool) -> Node:
    if len(node.arguments) != 2:
        raise Unsupported(f"{node.name} has a number of arguments that Excel does not take")
    _only_in_array_formulas(work, node, node.arguments[0], arr)
    work.conditional += 1
    arguments = [work.value(a, arr) for a in node.arguments]
    work.conditional -= 1
    if work.exact or arr:
        return work.ours(f"R.{node.name}", *arguments)
    return Call(node.name, tuple(arguments), node.name)


def _row(work: Translating, node: Call, _: bool) -> Node:
    """ROW and ROWS (COLUMN and COLUMNS) are known before anything is computed."""
    if len(node.arguments) > 1:
        raise Unsupported(f"{node.name} has a number of arguments that Excel does not take")
    ref = node.arguments[0] if node.arguments else None
    if ref is None and node.name in ("ROW", "COLUMN"):
        row, column = work.template.place.row, work.template.place.column
        ref = Ref(None, row, column, row, column, False, False, False, False)
    if not isinstance(ref, Ref):
        raise Unsupported(f"{node.name} of something that is not a reference")
    down, across = node.name.startswith("ROW"), not node.name.startswith("ROW")
    if across:
        work.bound = True
    right = work.run.column - work.template.place.column
    first = (ref.row, ref.row_fixed) if down else (ref.column + (0 if ref.column_fixed else right), True)
    last = (
        (ref.last_row, ref.last_row_fixed)
        if down
        else (ref.last_column + (0 if ref.last_column_fixed else right), True)
    )
    if node.name in ("ROW", "COLUMN"):
        if first != last:
            raise Unsupported(f"{node.name} of a range gives an array")
        return Number(str(first[0]) if first[1] else f"\0{first[0] - work.template.place.row}\0")
    distance = last[0] - first[0] + 1
    if first[1] == last[1]:
        return Number(str(distance))
    if first[1] and not last[1]:
        return Number(f"\0{distance - work.template.place.row}\0")
    raise Unsupported(f"{node.name} of a range that ends at a fixed row")


def _constant(_work: Translating, node: Call, _arr: bool) -> Node:
    return Bool(node.name == "TRUE")


def _single(work: Translating, node: Call, _: bool) -> Node:
    return work.implicit(node.arguments[0]) if len(node.arguments) == 1 else work.value(Omitted())


def _guard_subtotal(work: Translating, node: Call) -> None:
    """SUBTOTAL and AGGREGATE pass over hidden rows and each other's cells; the engine does not know what is hidden."""
    skip = 1 if node.name == "SUBTOTAL" else 2
    code = node.arguments[0]
    if not isinstance(code, Number) or float(code.text) != int(float(code.text)):
        raise Unsupported(f"{node.name} with a computed function number")
    if node.name == "AGGREGATE" and not (
        isinstance(node.arguments[1], Number) and float(node.arguments[1].text) in (4, 6)
    ):
        raise Unsupported("AGGREGATE with an option other than 4 or 6")
    others = work.formulas.using("SUBTOTAL") | work.formulas.using("AGGREGATE")
    for ref in node.arguments[skip:]:
        if not isinstance(ref, Ref):
            raise Unsupported(f"{node.name} of something that is not a range")
        sheet = work.run.sheet if ref.prefix is None else work.formulas.context.sheet(ref.prefix.sheet)
        if sheet is None or work.translator.hidden_rows(sheet):
            raise Unsupported(f"{node.name} on a sheet with hidden rows")
        template, run = work.run.template, work.run
        ends = [template.at(row, run.column)(ref) for row in (run.first, run.last)]
        top, bottom = min(end.row for end in ends), max(end.last_row for end in ends)
        for column in range(ends[0].column, min(ends[0].last_column, ends[0].column + 200) + 1):
            if others.within(sheet, column, top, bottom):
                raise Unsupported(f"{node.name} of cells with {node.name}")


def _guard_aggregate(work: Translating, node: Call) -> None:
    _guard_subtotal(work, node)
    if isinstance(node.arguments[0], Number) and float(node.arguments[0].text) > 13:
        raise Unsupported("AGGREGATE with a function number above 13")


Special = Callable[["Translating", Call, bool], Node]
SPECIAL: dict[str, Special] = {
    "IF": _choose_if, "CHOOSE": _choose, "IFS": _ifs, "SWITCH": _switch, "IFERROR": _iferror, "IFNA": _iferror,
    "ROW": _row, "ROWS": _row, "COLUMN": _row, "COLUMNS": _row, "TRUE": _constant, "FALSE": _constant,
    "SINGLE": _single,
}  # fmt: skip
GUARDS: dict[str, Callable[[Translating, Call], None]] = {"SUBTOTAL": _guard_subtotal, "AGGREGATE": _guard_aggregate}
