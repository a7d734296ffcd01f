"""Looking up, matching criteria, adding up what matches. Approximate matches only in data that is sorted as Excel wants it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from recargos.workbook.overrides.texts import has_wildcard, wildcard
from recargos.workbook.overrides.values import (
    DIV,
    DOUBT,
    NA,
    NUM,
    REF,
    VALUE,
    Failed,
    cells,
    compare,
    doubt,
    equal,
    is_doubt,
    logical,
    number,
    over,
    parsed,
    rows,
    whole,
)

Value = Any


def _guarded(
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
            if is_doubt(argument) or (type(argument) is list and any(is_doubt(c) for c in cells(argument))):
                return DOUBT
        try:
            return function(*arguments)
        except Failed as failed:
            return failed.result
        except (OverflowError, ValueError, ZeroDivisionError):
            return NUM

    return run


# -------------------------------------------------------------------------------------------------------- searching


def _kind(value: Value) -> str:
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
    kind = _kind(wanted)
    if kind == "text" and wild and has_wildcard(wanted):
        pattern = re.compile(wildcard(wanted), re.IGNORECASE | re.DOTALL)
        return next((i for i in order if type(values[i]) is str and pattern.fullmatch(values[i])), -1)
    return next((i for i in order if _kind(values[i]) == kind and equal(values[i], wanted)), -1)


def _nearest(wanted: Value, values: Sequence[Value], descending: bool = False) -> int:
    """Position of the last value not beyond `wanted` in sorted data; -1 when all are beyond."""
    if wanted is None:
        raise doubt()
    kind = _kind(wanted)
    alike = [(i, v) for i, v in enumerate(values) if _kind(v) == kind]
    if not alike:
        return -1
    sign = -1 if descending else 1
    signs = [compare(v, wanted) * sign for _, v in alike]
    ordered = all(compare(a[1], b[1]) * sign <= 0 for a, b in zip(alike, alike[1:], strict=False))
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
        if any(_kind(v) != _kind(wanted) for v in values):
            raise doubt()
        at = _nearest(wanted, values, descending=True)
        if at >= 0:  # the first of equals
            at = next(i for i, v in enumerate(values) if _kind(v) == _kind(values[at]) and compare(v, values[at]) == 0)
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
    kind = _kind(wanted)
    if any(v is not None and _kind(v) != kind for v in values):
        raise doubt()
    best = -1
    for index in range(len(values)) if way > 0 else range(len(values) - 1, -1, -1):
        value = values[index]
        if (
            _kind(value) == kind
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


# --------------------------------------------------------------------------------------------------------- criteria

_CRITERION = re.compile(r"(<=|>=|<>|<|>|=)?(.*)", re.DOTALL)


def criterion(value: Value) -> Callable[[Value], bool]:
    """The test that a criterion stands for."""
    if type(value) is bool:
        return lambda cell: cell is value
    if value is None:
        value = 0.0
    if type(value) in (float, int):
        return _number_test("=", float(value))
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
        return lambda cell: False
    if type(wanted) is float:
        return _number_test(operator, wanted)
    return _text_test(operator, operand)


def _number_test(operator: str, wanted: float) -> Callable[[Value], bool]:
    def same(cell: Value) -> bool:
        if type(cell) is str:
            try:
                return compare(parsed(cell), wanted) == 0  # "100" and 100 match each other
            except Failed:
                return False
        return _kind(cell) == "number" and compare(cell, wanted) == 0

    if operator in ("", "="):
        return same
    if operator == "<>":
        return lambda cell: not same(cell)
    tests = {"<": lambda c: c < 0, "<=": lambda c: c <= 0, ">": lambda c: c > 0, ">=": lambda c: c >= 0}
    test = tests[operator]
    return lambda cell: _kind(cell) == "number" and test(compare(cell, wanted))


def _text_test(operator: str, operand: str) -> Callable[[Value], bool]:
    if operator in ("", "=", "<>"):
        pattern = re.compile(wildcard(operand), re.IGNORECASE | re.DOTALL)

        def same(cell: Value) -> bool:
            return type(cell) is str and pattern.fullmatch(cell) is not None

        return same if operator != "<>" else lambda cell: not same(cell)
    if has_wildcard(operand):
        raise doubt()
    tests = {"<": lambda c: c < 0, "<=": lambda c: c <= 0, ">": lambda c: c > 0, ">=": lambda c: c >= 0}
    test = tests[operator]
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
        value = values[at] if at < len(values) else None
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
    """The arguments as they are, or the doubt among them: what an aggregate that passes over errors must not pass over."""
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
    """The arguments as they are, or the doubt among them: what an aggregate that passes over errors must not pass over."""
    for argument in arguments:
        for cell in cells(argument):
            if is_doubt(cell):
                return cell
    return arguments[0]


def _xor(*arguments: Value) -> Value:
    odd, any_found = False, False
    for argument in arguments:
        alone = type(argument) is not list
        for cell in cells(argument):
            if type(cell) is dict:
                return cell
            if type(cell) is str or cell is None:
                if alone:
                    return DOUBT if cell is None else VALUE
                continue
            any_found = True
            odd ^= cell != 0
    return odd if any_found else VALUE


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "MATCH": _guarded(_match, whole_at=(1,)),
    "VLOOKUP": _guarded(_vlookup, whole_at=(1,)),
    "HLOOKUP": _guarded(_hlookup, whole_at=(1,)),
    "LOOKUP": _guarded(_lookup, whole_at=(1, 2)),
    "XMATCH": _guarded(_xmatch, whole_at=(1,)),
    "XLOOKUP": _guarded(_xlookup, whole_at=(1, 2, 3)),
    "COUNTIF": _guarded(_countif, whole_at=(0,), criteria=True),
    "SUMIF": _guarded(_sumif, whole_at=(0, 2), criteria=True),
    "AVERAGEIF": _guarded(_averageif, whole_at=(0, 2), criteria=True),
    "SUMIFS": _guarded(_ifs(sum), whole_at=(0, 1, 3, 5, 7, 9, 11, 13), criteria=True),
    "AVERAGEIFS": _guarded(_ifs(_mean), whole_at=(0, 1, 3, 5, 7, 9, 11, 13), criteria=True),
    "MAXIFS": _guarded(_ifs(lambda n: max(n, default=0.0)), whole_at=(0, 1, 3, 5, 7, 9, 11, 13), criteria=True),
    "MINIFS": _guarded(_ifs(lambda n: min(n, default=0.0)), whole_at=(0, 1, 3, 5, 7, 9, 11, 13), criteria=True),
    "COUNTIFS": _guarded(_countifs, whole_at=(0, 2, 4, 6, 8, 10, 12), criteria=True),
    "LARGE": _guarded(_ranked(True), whole_at=(0,)),
    "SMALL": _guarded(_ranked(False), whole_at=(0,)),
    "XOR": _xor,
    "RANK": _guarded(_rank, whole_at=(1,)),
    "RANK.EQ": _guarded(_rank, whole_at=(1,)),
    "SUMPRODUCT": sumproduct,
    "COUNT": _count,
    "COUNTA": _counta,
    "R.RANGE": lambda value: [[value, None]],  # of 1 × 1 the engine would make a single value again
    "R.SAFE": _poisoned,
}
