"""Functions of many numbers. Texts and yes/no in ranges are passed over, as Excel does; errors are not."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

from recargos.workbook.overrides.lookups import guarded
from recargos.workbook.overrides.values import DIV, DOUBT, NA, NUM, Failed, cells, doubt, is_doubt, lifted, number

Value = Any


def _aggregate(function: Callable[[list[float]], float]) -> Callable[..., Value]:
    """`function` of all numbers in its arguments. A text written into the formula has been made a number before."""

    def run(*arguments: Value) -> Value:
        numbers: list[float] = []
        failed: Value = None
        for argument in arguments:
            for cell in cells(argument):
                if type(cell) is dict:
                    if is_doubt(cell):
                        return DOUBT
                    failed = failed or cell
                elif type(cell) in (float, int):
                    numbers.append(float(cell))
        if failed is not None:
            return failed
        try:
            result = function(numbers)
        except Failed as failure:
            return failure.result
        except OverflowError:
            return NUM
        return result if math.isfinite(result) else NUM

    return run


def _median(numbers: list[float]) -> float:
    if not numbers:
        raise Failed(NUM)
    ordered = sorted(numbers)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def _variance(sample: bool) -> Callable[[list[float]], float]:
    def function(numbers: list[float]) -> float:
        count = len(numbers) - sample
        if count < 1:
            raise Failed(DIV)
        mean = math.fsum(numbers) / len(numbers)
        return math.fsum((x - mean) ** 2 for x in numbers) / count

    return function


def _deviation(sample: bool) -> Callable[[list[float]], float]:
    variance = _variance(sample)
    return lambda numbers: math.sqrt(variance(numbers))


def _mode(numbers: list[float]) -> float:
    """The first of the most frequent numbers."""
    counts = Counter(numbers)
    most = max(counts.values(), default=0)
    if most < 2:
        raise Failed(NA)
    return next(value for value in numbers if counts[value] == most)


def _mean_deviation(numbers: list[float]) -> float:
    if not numbers:
        raise Failed(NUM)
    mean = math.fsum(numbers) / len(numbers)
    return math.fsum(abs(x - mean) for x in numbers) / len(numbers)


def _squared_deviation(numbers: list[float]) -> float:
    if not numbers:
        raise doubt()
    mean = math.fsum(numbers) / len(numbers)
    return math.fsum((x - mean) ** 2 for x in numbers)


def _share(quarters: bool) -> Callable[..., float]:
    def function(area: Value, share: Value) -> float:
        ordered = []
        for cell in cells(area):
            if type(cell) is dict:
                raise Failed(cell)
            if type(cell) in (float, int):
                ordered.append(float(cell))
        ordered.sort()
        k = number(share)
        k = math.trunc(k) / 4 if quarters else k
        if not ordered or not 0 <= k <= 1:
            raise Failed(NUM)
        at = k * (len(ordered) - 1)
        low = math.floor(at)
        if low + 1 >= len(ordered):
            return ordered[-1]
        return ordered[low] + (at - low) * (ordered[low + 1] - ordered[low])

    return function


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "PRODUCT": _aggregate(lambda numbers: math.prod(numbers) if numbers else 0.0),
    "SUMSQ": _aggregate(lambda numbers: math.fsum(x * x for x in numbers)),
    "MEDIAN": _aggregate(_median),
    "MODE": _aggregate(_mode),
    "MODE.SNGL": _aggregate(_mode),
    "AVEDEV": _aggregate(_mean_deviation),
    "DEVSQ": _aggregate(_squared_deviation),
    "PERCENTILE": guarded(_share(False), whole_at=(0,)),
    "PERCENTILE.INC": guarded(_share(False), whole_at=(0,)),
    "QUARTILE": guarded(_share(True), whole_at=(0,)),
    "QUARTILE.INC": guarded(_share(True), whole_at=(0,)),
    "STDEV": _aggregate(_deviation(True)),
    "STDEV.S": _aggregate(_deviation(True)),
    "STDEVP": _aggregate(_deviation(False)),
    "STDEV.P": _aggregate(_deviation(False)),
    "VAR": _aggregate(_variance(True)),
    "VAR.S": _aggregate(_variance(True)),
    "VARP": _aggregate(_variance(False)),
    "VAR.P": _aggregate(_variance(False)),
    "DEGREES": lifted(lambda v: math.degrees(number(v))),
    "RADIANS": lifted(lambda v: math.radians(number(v))),
}
