"""Looking up. Approximate matches only in data that is sorted as Excel wants it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from recargos.workbook.overrides.texts import has_wildcard, wildcard
from recargos.workbook.overrides.values import (
    DOUBT,
    NA,
    NUM,
    REF,
    VALUE,
    Failed,
    compare,
    doubt,
    equal,
    is_doubt,
    logical,
    number,
    over,
    rows,
    whole,
)

Value = Any


def guarded(
    function: Callable[..., Value], *, whole_at: tuple[int, ...], criteria: bool = False
) -> Callable[..., Value]:
    """`function` with the ranges at `whole_at` taken whole, element by element over the others.

    `criteria`: an error among the others is a criterion that looks for errors, and is left to Excel.
    """

    def run(*arguments: Value) -> Value:
        spread = [i for i, a in enumerate(arguments) if type(a) is list and i not in whole_at]
        if not spread:
            return one(*arguments)
        fixed = {i: a for i, a in enumerate(arguments) if i in whole_at}

        def at(*values: Value) -> Value:
            full = list(arguments)
            for position, value in zip(loose, values, strict=True):
                full[position] = value
            for position, value in fixed.items():
                full[position] = value
            return one(*full)

        loose = [i for i in range(len(arguments)) if i not in whole_at]
        return over(at, tuple(arguments[i] for i in loose))

    def one(*arguments: Value) -> Value:
        for index, argument in enumerate(arguments):
            if index not in whole_at and type(argument) is dict:
                return DOUBT if criteria else argument
            if is_doubt(argument) or (type(argument) is list and any(map(_has_doubt, argument))):
                return DOUBT
        try:
            return function(*arguments)
        except Failed as failed:
            return failed.result
        except (OverflowError, ValueError, ZeroDivisionError):
            return NUM

    return run


def _has_doubt(row: list[Value]) -> bool:
    # Tables are large and errors in them rare: look for any error first, at the speed of C.
    return dict in map(type, row) and any(map(is_doubt, row))


# -------------------------------------------------------------------------------------------------------- searching


def kind_of(value: Value) -> str:
    """number, text, yes/no, or "" for a blank or an error."""
    kind = type(value)
    if kind in (float, int):
        return "number"
    return {str: "text", bool: "yes/no"}.get(kind, "")


def _exactly(wanted: Value, values: Sequence[Value], wild: bool, backwards: bool = False) -> int:
    if wanted is None:
        if any(v is None or v in (0.0, "") for v in values):
            raise doubt()  # sources disagree on whether a blank key is 0
        return -1
    order = range(len(values) - 1, -1, -1) if backwards else range(len(values))
    kind = kind_of(wanted)
    if kind == "text" and wild and has_wildcard(wanted):
        pattern = re.compile(wildcard(wanted), re.IGNORECASE | re.DOTALL)
        return next((i for i in order if type(values[i]) is str and pattern.fullmatch(values[i])), -1)
    return next((i for i in order if kind_of(values[i]) == kind and equal(values[i], wanted)), -1)


def _nearest(wanted: Value, values: Sequence[Value], descending: bool = False) -> int:
    """Position of the last value not beyond `wanted` in sorted data; -1 when all are beyond."""
    if wanted is None:
        raise doubt()
    kind = kind_of(wanted)
    alike = [(i, v) for i, v in enumerate(values) if kind_of(v) == kind]
    if not alike:
        return -1
    sign = -1 if descending else 1
    signs = [compare(v, wanted) * sign for _, v in alike]
    ordered = all(compare(a[1], b[1]) * sign <= 0 for a, b in pairwise(alike))
    if not ordered:
        # A binary search through unsorted data has one sure end: when nothing is beyond, it is the last value.
        if all(s < 0 for s in signs) and not descending and kind == "number":
            return alike[-1][0]
        raise doubt()
    found = [i for (i, _), s in zip(alike, signs, strict=True) if s <= 0]
    return found[-1] if found else -1


def _vector(value: Value) -> list[Value]:
    table = rows(value)
    if len(table) == 1:
        return table[0]
    if len(table[0]) == 1:
        return [row[0] for row in table]
    raise doubt()


def _match(wanted: Value, area: Value, kind: Value = 1.0) -> float:
    how = number(kind)
    values = _vector(area)
    if how == 0:
        at = _exactly(wanted, values, True)
    elif how < 0:
        if any(kind_of(v) != kind_of(wanted) for v in values):
            raise doubt()
        at = _nearest(wanted, values, descending=True)
        if at >= 0:  # the first of equals
            at = next(
                i for i, v in enumerate(values) if kind_of(v) == kind_of(values[at]) and compare(v, values[at]) == 0
            )
    else:
        at = _nearest(wanted, values)
    if at < 0:
        raise Failed(NA)
    return float(at + 1)


def _vlookup(wanted: Value, area: Value, column: Value, approximate: Value = True) -> Value:
    table = rows(area)
    at = int(number(column))
    if at < 1:
        raise Failed(VALUE)
    if at > len(table[0]):
        raise Failed(REF)
    first = [row[0] for row in table]
    found = _nearest(wanted, first) if logical(approximate) else _exactly(wanted, first, True)
    if found < 0:
        raise Failed(NA)
    return _shown(table[found][at - 1])


def _hlookup(wanted: Value, area: Value, row: Value, approximate: Value = True) -> Value:
    table = rows(area)
    return _vlookup(wanted, [list(column) for column in zip(*table, strict=True)], row, approximate)


def _lookup(wanted: Value, area: Value, results: Value = None) -> Value:
    table = rows(area)
    if results is None:
        wide = len(table[0]) > len(table)
        searched = table[0] if wide else [row[0] for row in table]
        given = table[-1] if wide else [row[-1] for row in table]
    else:
        searched, given = _vector(area), _vector(results)
    at = _nearest(wanted, searched)
    if at < 0:
        raise Failed(NA)
    if at >= len(given):
        raise doubt()
    return _shown(given[at])


def _shown(value: Value) -> Value:
    return 0.0 if value is None else value


def _find(wanted: Value, values: Sequence[Value], mode: Value, search: Value) -> int:
    how, way = whole(mode), whole(search)
    if how not in (0, -1, 1, 2) or way not in (1, -1) or wanted is None:
        raise doubt()
    if how == 2:
        return _exactly(wanted, values, True, way < 0)
    at = _exactly(wanted, values, False, way < 0)
    if at >= 0 or how == 0:
        return at
    kind = kind_of(wanted)
    if any(v is not None and kind_of(v) != kind for v in values):
        raise doubt()
    best = -1
    for index in range(len(values)) if way > 0 else range(len(values) - 1, -1, -1):
        value = values[index]
        if (
            kind_of(value) == kind
            and compare(value, wanted) * how > 0
            and (best < 0 or compare(value, values[best]) * how < 0)
        ):
            best = index
    return best


def _xmatch(wanted: Value, area: Value, mode: Value = 0.0, search: Value = 1.0) -> float:
    at = _find(wanted, _vector(area), mode, search)
    if at < 0:
        raise Failed(NA)
    return float(at + 1)


def _xlookup(
    wanted: Value, area: Value, results: Value, missing: Value = NA, mode: Value = 0.0, search: Value = 1.0
) -> Value:
    table, given = rows(area), rows(results)
    down = len(table[0]) == 1
    if not down and len(table) != 1:
        raise Failed(VALUE)
    if (len(table) != len(given)) if down else (len(table[0]) != len(given[0])):
        raise Failed(VALUE)
    at = _find(wanted, _vector(area), mode, search)
    if at < 0:
        return missing
    found = [[_shown(v) for v in given[at]]] if down else [[_shown(row[at])] for row in given]
    return found[0][0] if len(found) == len(found[0]) == 1 else found


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "MATCH": guarded(_match, whole_at=(1,)),
    "VLOOKUP": guarded(_vlookup, whole_at=(1,)),
    "HLOOKUP": guarded(_hlookup, whole_at=(1,)),
    "LOOKUP": guarded(_lookup, whole_at=(1, 2)),
    "XMATCH": guarded(_xmatch, whole_at=(1,)),
    "XLOOKUP": guarded(_xlookup, whole_at=(1, 2, 3)),
}
