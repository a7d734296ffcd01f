"""The known cases as the tests of hosts that hand over one cell or many need them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from case_files import Case, load, same
from recargos.statutes import FUNCTIONS

CASES = [
    case
    for case in load()
    # Excel itself refuses a call with too few or too many arguments: such a formula cannot be entered.
    if FUNCTIONS[case.function].required <= len(case.arguments) <= len(FUNCTIONS[case.function].arguments)
]


def each(value: Any, change: Callable[[Any], Any]) -> Any:
    """`change` of a scalar, or of every cell of a range."""
    if isinstance(value, list):
        return tuple(tuple(change(cell) for cell in row) for row in value)
    return change(value)


def agrees(shown: Any, expected: Any) -> bool:
    """:func:`case_files.same`, where a range of one cell may be shown as a scalar, and one row as a flat list."""
    if isinstance(expected, list):
        if not isinstance(shown, list):
            shown = [[shown]]
        elif not shown or not isinstance(shown[0], list):
            shown = [shown]
    return same(shown, expected)


__all__ = ["CASES", "Case", "agrees", "each"]
