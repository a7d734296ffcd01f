"""Functions of many numbers. Texts and yes/no in ranges are passed over, as Excel does; errors are not."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from recargos.workbook.overrides.values import DIV, DOUBT, NUM, Failed, cells, is_doubt, lifted, number

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


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "PRODUCT": _aggregate(lambda numbers: math.prod(numbers) if numbers else 0.0),
    "SUMSQ": _aggregate(lambda numbers: math.fsum(x * x for x in numbers)),
    "MEDIAN": _aggregate(_median),
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
