"""Array arithmetic in a formula that was entered plainly.

Excel takes one cell of a range there (in the formula's own row or column), or spilled when the formula was entered;
what LibreOffice does depends on the function. Such a formula is refused, as the first engine does.
"""

from __future__ import annotations

from recargos.statutes import FUNCTIONS
from recargos.workbook.overrides.shape import CHOOSING, spread
from recargos.workbook.overrides.table import TABLE
from recargos.workbook.syntax import Array, Binary, Call, Node, Postfix, Ref, Unary, mapped


class Refused(Exception):
    """LibreOffice may not compute the formula. `str(e)` says why."""


_RANGES = frozenset(["AVERAGEA", "COLUMNS", "ISREF", "MAXA", "MIRR", "ROWS", "TYPE"])
"""Take ranges, besides those that the table of the first engine tells so."""
_ARRAYS = frozenset(["MMULT", "SINGLE"])
_REASON = "array arithmetic in a formula that was not entered as an array formula"


def plainly_entered(tree: Node) -> None:
    """Raise :class:`Refused` where an ordinary formula computes with arrays."""
    _Plain().node(_disguised(tree), False)


def several(node: Node) -> bool:
    """Whether an expression may have several values."""
    return spread(_disguised(node)).any


def _disguised(node: Node) -> Node:
    """The tree with functions of whose arguments nothing is known as CHOOSE, which has as many values as they have."""
    changed = mapped(node, _disguised)
    if isinstance(changed, Call) and changed.name not in TABLE and changed.name not in FUNCTIONS:
        known = changed.name in CHOOSING or changed.name in _RANGES or changed.name in _ARRAYS
        return changed if known else changed._replace(name="CHOOSE")
    return changed


class _Plain:
    def node(self, node: Node, within: bool) -> None:
        """`within`: a function stands above that computes with arrays however the formula was entered."""
        if isinstance(node, Call):
            for position, argument in enumerate(node.arguments):
                self.argument(node, position, argument, within)
        elif isinstance(node, Binary):
            both = spread(node)
            if not within and both.by_range and both.by_array:
                raise Refused("Excel would take one row of a range here and a whole array there")
            self.node(node.left, within)
            self.node(node.right, within)
        elif isinstance(node, (Unary, Postfix)):
            self.node(node.operand, within or node.operator == "@")

    def argument(self, node: Call, position: int, argument: Node, within: bool) -> None:
        of, reason = spread(argument), f"{node.name} with a range where one value is wanted"
        if node.name in FUNCTIONS:
            function = FUNCTIONS[node.name]
            if not within and of.by_range and not _handed(argument):
                raise Refused(_REASON)
            whole = position < len(function.arguments) and function.arguments[position].whole_range
            self.node(argument, within or whole)
            return
        signature = TABLE.get(node.name)
        kind = signature.kind(position) if signature else "r" if node.name in _RANGES else ""
        arrays = within or kind == "a" or node.name in _ARRAYS
        if within and node.name in CHOOSING and of.any:
            raise Refused(f"{_REASON}: not even here does Excel compute {node.stored} over an array")
        if not arrays:
            if of.by_range and kind == "c":
                raise Refused(reason)
            if of.by_range and (of.by_array or (kind in ("r", "f") and not _handed(argument))):
                raise Refused(_REASON)
        self.node(argument, arrays)


def _handed(node: Node) -> bool:
    """Whether an expression hands a range through without computing with it."""
    if isinstance(node, Binary):
        return node.operator in (" ", ":", ",")
    if isinstance(node, Call) and node.name == "INDEX":
        return _handed(node.arguments[0]) and not any(spread(a).any for a in node.arguments[1:])
    if isinstance(node, Call) and node.name == "IF":
        return not spread(node.arguments[0]).any and all(_handed(a) or not spread(a).any for a in node.arguments[1:])
    return isinstance(node, (Ref, Array))
