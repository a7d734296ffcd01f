"""Functions that give arrays."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from typing import Any

from recargos.workbook.overrides.values import (
    DOUBT,
    NUM,
    VALUE,
    Failed,
    compare,
    doubt,
    is_doubt,
    logical,
    number,
    rows,
    whole,
)

Value = Any
_LIMIT = 1_048_576


def _guarded(function: Callable[..., Value]) -> Callable[..., Value]:
    def run(*arguments: Value) -> Value:
        for argument in arguments:
            for row in rows(argument):
                for cell in row:
                    if is_doubt(cell):
                        return DOUBT
        try:
            return function(*arguments)
        except Failed as failed:
            return failed.result
        except (OverflowError, ValueError):
            return NUM

    return run


def _one(value: Value) -> Value:
    """An argument that must be a single value."""
    if type(value) is list:
        raise doubt()
    return value


def _sequence(height: Value, width: Value = 1.0, start: Value = 1.0, step: Value = 1.0) -> Value:
    tall, broad, first, by = whole(_one(height)), whole(_one(width)), number(_one(start)), number(_one(step))
    if tall < 1 or broad < 1 or tall * broad > _LIMIT:
        raise doubt()
    return [[first + by * (row * broad + column) for column in range(broad)] for row in range(tall)]


def _filter(area: Value, include: Value, empty: Value = DOUBT) -> Value:
    table, flags = rows(area), rows(include)
    if len(flags[0]) == 1 and len(flags) == len(table):
        chosen = [row for row, (flag,) in zip(table, flags, strict=True) if _flag(flag)]
    elif len(flags) == 1 and len(flags[0]) == len(table[0]):
        places = [i for i, flag in enumerate(flags[0]) if _flag(flag)]
        chosen = [[row[i] for i in places] for row in table] if places else []
    else:
        raise Failed(VALUE)
    if not chosen:
        return empty  # without one Excel shows #CALC!, which no older reader knows
    return [[0.0 if cell is None else cell for cell in row] for row in chosen]


def _flag(value: Value) -> bool:
    if type(value) is str:
        raise Failed(VALUE)
    return logical(value)


def _sort(area: Value, by: Value = 1.0, way: Value = 1.0, across: Value = False) -> Value:
    table = rows(area)
    key, direction, columns = whole(_one(by)), number(_one(way)), logical(_one(across))
    if columns:
        table = [list(column) for column in zip(*table, strict=True)]
    if not 1 <= key <= len(table[0]) or direction not in (1, -1):
        raise Failed(VALUE)
    filled = [row for row in table if row[key - 1] is not None]
    for row in filled:
        if type(row[key - 1]) is dict:
            raise doubt()

    def order(one: list[Value], other: list[Value]) -> int:
        return compare(one[key - 1], other[key - 1]) * int(direction)

    filled.sort(key=cmp_to_key(order))
    ordered = filled + [row for row in table if row[key - 1] is None]
    result = [[0.0 if cell is None else cell for cell in row] for row in ordered]
    return [list(row) for row in zip(*result, strict=True)] if columns else result


def _unique(area: Value, across: Value = False, once: Value = False) -> Value:
    if logical(_one(across)) or logical(_one(once)):
        raise doubt()
    seen, found = set(), []
    for row in rows(area):
        if any(type(cell) is dict for cell in row):
            raise doubt()
        key = tuple((type(cell).__name__, cell.casefold() if type(cell) is str else cell) for cell in row)
        if key not in seen:
            seen.add(key)
            found.append([0.0 if cell is None else cell for cell in row])
    return found


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "SEQUENCE": _guarded(_sequence),
    "FILTER": _guarded(_filter),
    "SORT": _guarded(_sort),
    "UNIQUE": _guarded(_unique),
}
