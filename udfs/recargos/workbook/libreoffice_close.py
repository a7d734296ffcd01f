"""Where the last binary digits decide between LibreOffice and Excel: the rules for numbers and for expressions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from recargos.statutes import FUNCTIONS as PR_FUNCTIONS
from recargos.workbook.libreoffice_functions import CHOOSING, SUMMING
from recargos.workbook.overrides.functions import FUNCTIONS
from recargos.workbook.overrides.table import TABLE
from recargos.workbook.overrides.values import Failed, compare, is_doubt, number
from recargos.workbook.syntax import (
    Array,
    Binary,
    Bool,
    Call,
    FormulaError,
    Node,
    Number,
    Omitted,
    Postfix,
    Ref,
    Unary,
    parse,
)

Follow = Callable[[int], Any]
"""Row → value. Raises :class:`Unknown` and :class:`Doubtful`."""

_SNAPS, _SNAPS_NOT = 2.0**-50, 2.0**-47
"""Beside its operands, a sum so small is 0 to both programs; one greater than this to neither."""
_EQUAL, DIFFERENT = 2.0**-49, 2.0**-44
"""Numbers that LibreOffice certainly takes for equal; certainly not."""
TINY = 1e-9
"""Rounded to cents, or compared with a tolerance, it is as good as 0."""
PLAIN = frozenset(n for n, s in TABLE.items() if s.kinds and set(s.kinds) == {"n"} and f"R.{n}" in FUNCTIONS)
TOTALS = frozenset(["SUM", "AVERAGE", "MIN", "MAX"])
SINGLE = "SINGLE"


class Unknown(Exception):
    """The value cannot be followed here, or is an error."""


class Doubtful(Exception):
    """The last digits decide."""


def order_wanted(node: Call) -> int:
    """The order that a lookup takes for granted, 0 for none."""
    at = {"MATCH": 2, "VLOOKUP": 3, "HLOOKUP": 3}.get(node.name)
    if node.name == "LOOKUP":
        return 1
    if at is None:
        return 0
    kind = node.arguments[at] if len(node.arguments) > at else Bool(True)
    if isinstance(kind, Omitted) or (isinstance(kind, Call) and kind.name == "FALSE"):
        return 0
    if isinstance(kind, Number):
        return 0 if float(kind.text) == 0 else 1
    if isinstance(kind, Bool):
        return 1 if kind.value else 0
    return -1 if isinstance(kind, Unary) and kind.operator == "-" else 1


def in_brackets(text: str) -> bool:
    """Whether a formula stands in brackets as a whole: then no sum of it is the last operation."""
    text = text.strip()
    if not (text.startswith("(") and text.endswith(")")):
        return False
    try:
        return parse(text[1:-1]) == parse(text)
    except FormulaError:
        return False


def never_known(_: int) -> Any:
    raise Unknown


def failed_with(result: dict[str, str]) -> Exception:
    return Doubtful("the last digits decide, and Excel's answer is not certain") if is_doubt(result) else Unknown()


def as_number(value: Any) -> float:
    if type(value) is float:
        return value
    try:
        return number(value)
    except Failed as failed:
        raise failed_with(failed.result) from None


def values_of(parts: list[Follow], row: int) -> list[Any]:
    """The values of all: also behind one that is unknown there may be a doubt."""
    found, unknown = [], False
    for part in parts:
        try:
            found.append(part(row))
        except Unknown:
            unknown = True
    if unknown:
        raise Unknown
    return found


def both(left: Follow, right: Follow, row: int) -> list[Any]:
    return values_of([left, right], row)


def first_of(parts: list[Follow], row: int) -> Any:
    """IFERROR: what is unknown may be an error."""
    try:
        return parts[0](row)
    except Unknown:
        parts[1](row)
        raise


def snapped(result: float, greatest: float, last: bool) -> float:
    if not result or not math.isfinite(result):
        return result
    if abs(result) < _SNAPS * greatest and last:
        return 0.0
    if abs(result) < _SNAPS_NOT * greatest:
        raise Doubtful("LibreOffice takes a tiny difference for 0 where Excel does not")
    return result


def summed(found: list[float]) -> float:
    """A sum, where neither the order nor the last digits decide that it is 0."""
    plainly, exactly = sum(found), math.fsum(found)
    if (plainly or exactly) and max(abs(plainly), abs(exactly)) < DIFFERENT * max(map(abs, found)):
        raise Doubtful("the amounts cancel out but for the last digits, and LibreOffice finds 0 where Excel does not")
    return plainly


def distinct(a: Any, b: Any) -> None:
    """Numbers that one program takes for equal and the other does not."""
    if type(a) is not float or type(b) is not float or a == b:
        return
    distance, greatest = abs(a - b), max(abs(a), abs(b))
    if distance > DIFFERENT * greatest or (distance < _EQUAL * greatest and compare(a, b) == 0):
        return
    raise Doubtful("LibreOffice takes for equal what differs in its last digits")


def may_have_digits(node: Node) -> bool:
    """Whether an expression may have digits beyond the fifteenth of its own."""
    if isinstance(node, (Unary, Postfix)):
        return node.operator == "%" or may_have_digits(node.operand)
    if isinstance(node, Binary):
        return node.operator in ("+", "-", "*", "/", "^")
    return isinstance(node, Call) and (
        node.name in SUMMING or (node.name in CHOOSING and any(map(may_have_digits, node.arguments)))
    )


def is_zero(node: Node) -> bool:
    return isinstance(node, Number) and float(node.text) == 0


def is_bound(node: Node) -> bool:
    """Whether a side of a comparison is a number, which no tiny rest on the other side comes near."""
    if isinstance(node, Unary) and node.operator in "+-":
        return is_bound(node.operand)
    return isinstance(node, Number) and float(node.text) > 2 * TINY


def is_few(node: Node) -> bool:
    """Whether so many decimals show nothing of a tiny rest."""
    if isinstance(node, Unary):
        return isinstance(node.operand, Number)
    return isinstance(node, Number) and float(node.text) < 9


def followed(node: Node) -> bool:
    """Whether :class:`_Following` can follow an expression; texts, days and counts in it have no last digits."""
    if isinstance(node, Ref):
        return node.single
    if isinstance(node, (Unary, Postfix)):
        return followed(node.operand)
    if isinstance(node, Binary):
        return followed(node.left) and followed(node.right)
    if isinstance(node, Call):
        if node.name in TOTALS:
            return all(isinstance(a, Ref) or followed(a) for a in node.arguments)
        return (node.name in PR_FUNCTIONS or node.name in PLAIN or node.name in ("IF", SINGLE)) and all(
            map(followed, node.arguments)
        )
    return not isinstance(node, Array)
