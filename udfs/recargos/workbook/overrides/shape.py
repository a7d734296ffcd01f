"""What can be said of an expression before it is computed: whether it has several values, and of which kind."""

from __future__ import annotations

from typing import NamedTuple

from recargos.statutes import FUNCTIONS as PR_FUNCTIONS
from recargos.workbook.overrides.table import SINGLE, TABLE
from recargos.workbook.syntax import Array, Binary, Bool, Call, Node, Number, Omitted, Postfix, Ref, Text, Unary

ARITHMETIC = {"+": "R.ADD", "-": "R.SUB", "*": "R.MUL", "/": "R.DIV", "^": "R.POW"}
"""Our function for each operator."""
COMPARISON = {"=": "R.EQ", "<>": "R.NE", "<": "R.LT", ">": "R.GT", "<=": "R.LE", ">=": "R.GE"}
CHOOSING = ("IF", "CHOOSE", "IFS", "SWITCH")
"""Functions that hand one of their arguments through."""


class Spread(NamedTuple):
    """Why an expression where one value is wanted has several."""

    by_range: bool = False
    by_array: bool = False

    def __or__(self, other: object) -> Spread:
        assert isinstance(other, Spread)
        return Spread(self.by_range or other.by_range, self.by_array or other.by_array)

    @property
    def any(self) -> bool:
        """Whether it has several at all."""
        return self.by_range or self.by_array


def spread(node: Node) -> Spread:
    """Whether an expression has several values where one is wanted."""
    if isinstance(node, Ref):
        return Spread(by_range=not node.single)
    if isinstance(node, Array):
        return Spread(by_array=len(node.rows) > 1 or len(node.rows[0]) > 1)
    if isinstance(node, (Unary, Postfix)):
        if node.operator == "@":
            return Spread()
        return spread(node.operand)
    if isinstance(node, Binary):
        if node.operator in " :,":
            return Spread(by_range=True)
        return spread(node.left) | spread(node.right)
    if not isinstance(node, Call):
        return Spread()
    found = Spread()
    if node.name in PR_FUNCTIONS:
        function = PR_FUNCTIONS[node.name]
        for index, argument in enumerate(node.arguments):
            if not (index < len(function.arguments) and function.arguments[index].whole_range) and spread(argument).any:
                found = Spread(by_array=True)
        return found | Spread(by_array=function.result == "table")
    if node.name == "SINGLE" or node.name in ("ROW", "COLUMN", "ROWS", "COLUMNS"):
        return found
    if node.name in CHOOSING or node.name in ("IFERROR", "IFNA"):
        for argument in node.arguments:
            found = found | spread(argument)
        return found
    signature = TABLE.get(node.name)
    if signature is None:
        return found
    if signature.result == "array":
        return Spread(by_array=True)
    if node.name == "INDEX":
        found = Spread(by_range=whole_line(node))
    for index, argument in enumerate(node.arguments):
        if signature.kind(index) in SINGLE:
            found = found | spread(argument)
    return found


def whole_line(node: Call) -> bool:
    """INDEX with row or column 0 (or none for a range of several rows and columns) gives a whole line."""
    indexes = node.arguments[1:]
    if any(isinstance(i, Omitted) or (isinstance(i, Number) and float(i.text) == 0) for i in indexes):
        return True
    area = node.arguments[0]
    if len(indexes) == 1 and isinstance(area, Ref):
        return area.row != area.last_row and area.column != area.last_column
    return len(indexes) == 1 and not isinstance(area, (Ref, Array))


def type_of(node: Node) -> str:
    """n, t or b where an expression can give nothing else (but an error); else v."""
    if isinstance(node, (Number, Postfix, Omitted)):
        return "n"
    if isinstance(node, Text):
        return "t"
    if isinstance(node, Bool):
        return "b"
    if isinstance(node, Unary):
        return type_of(node.operand) if node.operator in "+@" else "n"
    if isinstance(node, Binary):
        return (
            "n"
            if node.operator in ARITHMETIC
            else "b"
            if node.operator in COMPARISON
            else "t"
            if node.operator == "&"
            else "v"
        )
    if isinstance(node, Call):
        if node.name in PR_FUNCTIONS:
            return {"money": "n", "rate": "n", "days": "n", "date": "n"}.get(PR_FUNCTIONS[node.name].result, "v")
        if node.name == "IF" and len(node.arguments) == 3:
            types = {type_of(a) for a in node.arguments[1:]}
            return types.pop() if len(types) == 1 else "v"
        if node.name in ("ROW", "COLUMN", "ROWS", "COLUMNS"):
            return "n"
        if node.name in ("TRUE", "FALSE"):
            return "b"
        signature = TABLE.get(node.name)
        return signature.result if signature is not None and signature.result in "ntb" else "v"
    return "v"
