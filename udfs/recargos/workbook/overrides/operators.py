"""Excel's operators, exact: texts that are numbers, comparison at 15 digits, errors passed on."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from recargos.workbook.overrides.values import (
    DIV,
    DOUBT,
    NUM,
    VALUE,
    Failed,
    cells,
    compare,
    doubt,
    equal,
    lifted,
    logical,
    number,
    text,
)

Value = Any


def _divide(left: Value, right: Value) -> float:
    over, under = number(left), number(right)
    if under == 0:
        raise Failed(DIV)
    return over / under


def power(left: Value, right: Value) -> float:
    """`^`: 0^0 is #NUM!, a root of a negative number is left to Excel."""
    base, exponent = number(left), number(right)
    if base == 0 and exponent == 0:
        raise Failed(NUM)
    if base == 0 and exponent < 0:
        raise Failed(DIV)
    if base < 0 and exponent != math.floor(exponent):
        raise doubt() if abs(1 / exponent - round(1 / exponent)) < 1e-9 and round(1 / exponent) % 2 else Failed(NUM)
    return float(base**exponent)


def snapped(result: float, left: float, right: float) -> float:
    """The last addition or subtraction of a formula: a rest in the last bits of its operands is 0."""
    if result and abs(result) < 2.0**-48 * max(abs(left), abs(right)):
        if abs(result) > 2.0**-50 * max(abs(left), abs(right)):
            raise doubt()
        return 0.0
    return result


def _last_sum(left: Value, right: Value) -> float:
    a, b = number(left), number(right)
    return snapped(a + b, a, b)


def _last_difference(left: Value, right: Value) -> float:
    a, b = number(left), number(right)
    return snapped(a - b, a, b)


def _number_or_blank(value: Value) -> Value:
    """A number argument: what is blank stays blank for the function to decide."""
    return None if value is None else number(value)


def _strict(value: Value) -> float:
    """A number argument of the former Analysis ToolPak, which refuses yes/no."""
    if type(value) is bool:
        raise Failed(VALUE)
    return number(value)


def _rate(value: Value) -> float:
    rate = number(value)
    if rate <= -1 or value is None:
        raise doubt()
    return rate


def _positive(value: Value) -> float:
    amount = number(value)
    if amount <= 0:
        raise doubt()
    return amount


def _whole(value: Value) -> float:
    amount = number(value)
    if amount != int(amount):
        raise doubt()
    return amount


def _place(value: Value) -> float:
    place = number(value)
    if place < 0:
        raise Failed(VALUE)
    return place


def _criterion(value: Value) -> Value:
    """An error as a criterion looks for errors: left to Excel."""
    return DOUBT if type(value) is dict else value


def _flows(value: Value) -> Value:
    """A range of numbers only: how blanks and texts among payments count is left to Excel."""
    for cell in cells(value):
        if type(cell) is dict:
            return cell
        if type(cell) not in (float, int):
            return DOUBT
    return value


def single(value: Value) -> Value:
    """The top left value of an array: what a formula that does not spill shows."""
    if type(value) is list:
        return value[0][0] if value and value[0] else VALUE
    return value


def fitted(value: Value, height: Value, width: Value) -> Value:
    """An array cut or filled with #N/A to the cells of an array formula."""
    from recargos.workbook.overrides.values import NA, rows

    table = rows(value)
    tall, broad = int(height), int(width)
    if len(table) == 1:
        table = table * tall
    out = []
    for index in range(tall):
        row = table[index] if index < len(table) else [NA] * broad
        row = row * broad if len(row) == 1 else row
        out.append([row[i] if i < len(row) else NA for i in range(broad)])
    return out


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "R.ADD": lifted(lambda a, b: number(a) + number(b)),
    "R.SUB": lifted(lambda a, b: number(a) - number(b)),
    "R.MUL": lifted(lambda a, b: number(a) * number(b)),
    "R.DIV": lifted(_divide),
    "R.POW": lifted(power),
    "R.LASTADD": lifted(_last_sum),
    "R.LASTSUB": lifted(_last_difference),
    "R.NEG": lifted(lambda a: -number(a) + 0.0),
    "R.PCT": lifted(lambda a: number(a) / 100),
    "R.EQ": lifted(equal),
    "R.NE": lifted(lambda a, b: not equal(a, b)),
    "R.LT": lifted(lambda a, b: compare(a, b) < 0),
    "R.GT": lifted(lambda a, b: compare(a, b) > 0),
    "R.LE": lifted(lambda a, b: compare(a, b) <= 0),
    "R.GE": lifted(lambda a, b: compare(a, b) >= 0),
    "R.CAT": lifted(lambda *parts: "".join([text(p) for p in parts])),
    "R.ASNUM": lifted(number),
    "R.ASSTRICT": lifted(_strict),
    "R.ASTEXT": lifted(text),
    "R.ASBOOL": lifted(logical),
    "R.ASRATE": lifted(_rate),
    "R.ASPOSITIVE": lifted(_positive),
    "R.ASWHOLE": lifted(_whole),
    "R.ASPLACE": lifted(_place),
    "R.ASFLOWS": _flows,
    "R.CRITERION": _criterion,
    "R.SINGLE": single,
    "R.FIT": fitted,
}
