"""What matches a criterion, counted and added up; what is counted and ranked in ranges."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from recargos.workbook.overrides.dates import in_1904
from recargos.workbook.overrides.lookups import guarded, kind_of
from recargos.workbook.overrides.texts import has_wildcard, wildcard
from recargos.workbook.overrides.values import (
    DIV,
    DOUBT,
    NA,
    NUM,
    VALUE,
    Failed,
    cells,
    compare,
    doubt,
    is_doubt,
    number,
    parsed,
    rows,
)

Value = Any
_ORDER: dict[str, Callable[[int], bool]] = {
    "<": lambda order: order < 0,
    "<=": lambda order: order <= 0,
    ">": lambda order: order > 0,
    ">=": lambda order: order >= 0,
}


# --------------------------------------------------------------------------------------------------------- criteria

_CRITERION = re.compile(r"(<=|>=|<>|<|>|=)?(.*)", re.DOTALL)


def criterion(value: Value) -> Callable[[Value], bool]:
    """The test that a criterion stands for."""
    if type(value) is bool:
        return lambda cell: cell is value
    if value is None:
        value = 0.0
    if type(value) in (float, int):
        return _number_test("=", number(value))
    if type(value) is dict:
        return lambda cell: type(cell) is dict and cell["kind"] == value["kind"]
    match = _CRITERION.fullmatch(value)
    assert match is not None
    operator, operand = match[1] or "", match[2]
    if operand.upper() in ("TRUE", "FALSE"):
        flag = operand.upper() == "TRUE"
        if operator in ("", "="):
            return lambda cell: cell is flag
        if operator == "<>":
            return lambda cell: cell is not flag
        raise doubt()
    if operand.startswith("#"):
        raise doubt()
    try:
        wanted: Value = parsed(operand) if operand else None
    except Failed as failed:
        if failed.result is DOUBT:
            raise
        wanted = operand
    if operand == "":
        if operator == "":
            return lambda cell: cell is None or cell == ""
        if operator == "=":
            return lambda cell: cell is None
        if operator == "<>":
            return lambda cell: cell is not None
        return lambda _: False
    if type(wanted) is float:
        return _number_test(operator, wanted)
    return _text_test(operator, operand)


@lru_cache(maxsize=100_000)
def _number_in(text: str, _system: bool) -> float | None:
    """The number that a text is taken for. A date's depends on the date system."""
    try:
        return parsed(text)
    except Failed:
        return None


def _number_test(operator: str, wanted: float) -> Callable[[Value], bool]:
    slack, system = abs(wanted) * 1e-13, in_1904()

    def same(cell: Value) -> bool:
        kind = type(cell)
        if kind is str:
            cell = _number_in(cell, system)  # "100" and 100 match each other
            if cell is None:
                return False
        elif kind is not float and kind is not int:
            return False
        return bool(cell == wanted or (abs(cell - wanted) <= slack and compare(cell, wanted) == 0))

    if operator in ("", "="):
        return same
    if operator == "<>":
        return lambda cell: not same(cell)
    test = _ORDER[operator]
    return lambda cell: kind_of(cell) == "number" and test(compare(cell, wanted))


def _text_test(operator: str, operand: str) -> Callable[[Value], bool]:
    if operator in ("", "=", "<>"):
        pattern = re.compile(wildcard(operand), re.IGNORECASE | re.DOTALL)

        def same(cell: Value) -> bool:
            return type(cell) is str and pattern.fullmatch(cell) is not None

        return same if operator != "<>" else lambda cell: not same(cell)
    if has_wildcard(operand):
        raise doubt()
    test = _ORDER[operator]
    return lambda cell: type(cell) is str and test(compare(cell, operand))


def _countif(area: Value, wanted: Value) -> float:
    test = criterion(wanted)
    return float(sum(1 for cell in cells(area) if test(cell)))


def _chosen(pairs: Sequence[Value], count: int) -> list[int]:
    positions = list(range(count))
    for at in range(0, len(pairs), 2):
        values, test = list(cells(pairs[at])), criterion(pairs[at + 1])
        if len(values) != count:
            raise Failed(VALUE)
        positions = [i for i in positions if test(values[i])]
    return positions


def _numbers(values: Sequence[Value], positions: Sequence[int]) -> list[float]:
    found = []
    for at in positions:
        value: Value = values[at] if at < len(values) else None
        if type(value) is dict:
            raise Failed(value)
        if type(value) in (float, int):
            found.append(float(value))
    return found


_SAME = object()


def _sumif(area: Value, wanted: Value, summed: Value = _SAME) -> float:
    values = list(cells(area if summed is _SAME else summed))
    count = len(list(cells(area)))
    if len(values) != count:
        raise doubt()
    return sum(_numbers(values, _chosen((area, wanted), count)))


def _averageif(area: Value, wanted: Value, summed: Value = _SAME) -> float:
    values = list(cells(area if summed is _SAME else summed))
    count = len(list(cells(area)))
    if len(values) != count:
        raise doubt()
    return _mean(_numbers(values, _chosen((area, wanted), count)))


def _mean(numbers: list[float]) -> float:
    if not numbers:
        raise Failed(DIV)
    return sum(numbers) / len(numbers)


def _ifs(total: Callable[[list[float]], float]) -> Callable[..., float]:
    def function(summed: Value, *pairs: Value) -> float:
        values = list(cells(summed))
        return total(_numbers(values, _chosen(pairs, len(values))))

    return function


def _countifs(*pairs: Value) -> float:
    return float(len(_chosen(pairs, len(list(cells(pairs[0]))))))


# ------------------------------------------------------------------------------------------------------ aggregates


def sumproduct(*arrays: Value) -> Value:
    """Texts and yes/no count as 0, sizes must match."""
    tables = [rows(array) for array in arrays]
    shape = (len(tables[0]), len(tables[0][0]))
    if shape == (1, 1) and any(type(array) is str for array in arrays):
        return DOUBT  # a single text is #VALUE! to Excel, in a range of several cells it is 0
    flat = [list(cells(table)) for table in tables]
    for table in flat:
        for cell in table:
            if is_doubt(cell):
                return DOUBT
    if any((len(table), len(table[0])) != shape for table in tables):
        return VALUE
    for table in flat:
        for cell in table:
            if type(cell) is dict:
                return cell
    total = 0.0
    for values in zip(*flat, strict=True):
        product = 1.0
        for value in values:
            product *= value if type(value) in (float, int) else 0.0
        total += product
    return total


def _ranked(largest: bool) -> Callable[..., float]:
    def function(area: Value, place: Value) -> float:
        found = []
        for cell in cells(area):
            if type(cell) is dict:
                raise Failed(cell)
            if type(cell) in (float, int):
                found.append(float(cell))
        at = number(place)
        if at < 1 or at > len(found):
            raise Failed(NUM)
        if at != int(at):
            raise doubt()
        return sorted(found, reverse=largest)[int(at) - 1]

    return function


def _count(*arguments: Value) -> Value:
    """Numbers. What is written into the formula counts if it is one or a text of one; in a range only numbers do."""
    count = 0
    for argument in arguments:
        if is_doubt(argument):
            return DOUBT
        if type(argument) is list:
            for cell in cells(argument):
                if is_doubt(cell):
                    return DOUBT
                count += type(cell) in (float, int)
        elif type(argument) is str:
            try:
                parsed(argument)
                count += 1
            except Failed as failed:
                if failed.result is DOUBT:
                    return DOUBT
        elif type(argument) is not dict:
            count += 1
    return float(count)


def _counta(*arguments: Value) -> Value:
    count = 0
    for argument in arguments:
        for cell in cells(argument) if type(argument) is list else (0.0 if argument is None else argument,):
            if is_doubt(cell):
                return DOUBT
            count += cell is not None
    return float(count)


def _rank(wanted: Value, area: Value, order: Value = 0.0) -> float:
    value, ascending = number(wanted), number(order) != 0
    found = []
    for cell in cells(area):
        if type(cell) is dict:
            raise Failed(cell)
        if type(cell) in (float, int):
            found.append(float(cell))
    if value not in found:
        if any(compare(value, v) == 0 for v in found):
            raise doubt()
        raise Failed(NA)
    return float(sum(1 for v in found if (v < value if ascending else v > value)) + 1)


def _poisoned(*arguments: Value) -> Value:
    """The arguments as they are, or the doubt among them: an aggregate that passes over errors must see it."""
    for argument in arguments:
        for cell in cells(argument):
            if is_doubt(cell):
                return cell
    return arguments[0]


def _xor(*arguments: Value) -> Value:
    odd, found = False, False
    for argument in arguments:
        for cell in cells(argument):
            if type(cell) is dict:
                return cell
            if type(cell) is not str and cell is not None:
                found = True
                odd ^= cell != 0
    return odd if found else VALUE


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "COUNTIF": guarded(_countif, whole_at=(0,), criteria=True),
    "SUMIF": guarded(_sumif, whole_at=(0, 2), criteria=True),
    "AVERAGEIF": guarded(_averageif, whole_at=(0, 2), criteria=True),
    "SUMIFS": guarded(_ifs(sum), whole_at=(0, 1, 3, 5, 7, 9, 11, 13), criteria=True),
    "AVERAGEIFS": guarded(_ifs(_mean), whole_at=(0, 1, 3, 5, 7, 9, 11, 13), criteria=True),
    "MAXIFS": guarded(_ifs(lambda n: max(n, default=0.0)), whole_at=(0, 1, 3, 5, 7, 9, 11, 13), criteria=True),
    "MINIFS": guarded(_ifs(lambda n: min(n, default=0.0)), whole_at=(0, 1, 3, 5, 7, 9, 11, 13), criteria=True),
    "COUNTIFS": guarded(_countifs, whole_at=(0, 2, 4, 6, 8, 10, 12), criteria=True),
    "LARGE": guarded(_ranked(True), whole_at=(0,)),
    "SMALL": guarded(_ranked(False), whole_at=(0,)),
    "XOR": _xor,
    "RANK": guarded(_rank, whole_at=(1,)),
    "RANK.EQ": guarded(_rank, whole_at=(1,)),
    "SUMPRODUCT": sumproduct,
    "COUNT": _count,
    "COUNTA": _counta,
    "R.RANGE": lambda value: [[value, None]],  # of 1 × 1 the engine would make a single value again
    "R.SAFE": _poisoned,
}
