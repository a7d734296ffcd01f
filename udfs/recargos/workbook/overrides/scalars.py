"""Functions of single values: arithmetic, rounding, tests. Each works element by element over ranges."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_UP, ROUND_UP, Context, Decimal
from typing import Any

from recargos.workbook.overrides.operators import power
from recargos.workbook.overrides.values import DIV, NA, NUM, Failed, doubt, lifted, logical, number, whole

Value = Any
_WIDE = Context(prec=400)


def _exact(value: Value) -> Decimal:
    """A number as Excel shows it: 15 significant digits."""
    return Decimal(f"{number(value):.15g}")


def _rounding(mode: str) -> Callable[..., Value]:
    def function(value: Value, digits: Value = 0.0) -> float:
        places = whole(digits)
        if abs(places) > 300:
            raise doubt()
        x = number(value)
        if abs(x) >= 1e15 and places >= 0:
            return x
        unit = Decimal(1).scaleb(-places)
        result = _exact(x).quantize(unit, mode, _WIDE)
        if mode != ROUND_HALF_UP and float(_exact(x)) != x and result != Decimal(x).quantize(unit, mode, _WIDE):
            raise doubt()  # 56.99999999999999 is 57 at 15 digits: cut to 56 or 57?
        return float(result) + 0.0

    return lifted(function)


def _multiple(value: Value, step: Value, mode: str) -> float:
    x, s = _exact(value), _exact(step)
    quotient = x / s
    nearest = quotient.quantize(Decimal(1), ROUND_HALF_UP, _WIDE)
    if nearest != quotient and abs(quotient - nearest) < Decimal("1e-9") * max(abs(nearest), Decimal(1)):
        raise doubt()  # 30 steps of 1/15, or a little more: the last bits decide
    return float((x / s).quantize(Decimal(1), mode, _WIDE) * s) + 0.0


def _ceiling(value: Value, step: Value) -> float:
    x, s = number(value), number(step)
    if x == 0 or s == 0:
        return 0.0
    if x > 0 > s:
        raise Failed(NUM)
    # Both negative: away from zero. A negative number with a positive step: up, towards zero.
    return _multiple(x, s, ROUND_UP if s < 0 else ROUND_CEILING)


def _floor(value: Value, step: Value) -> float:
    x, s = number(value), number(step)
    if x == 0:
        return 0.0
    if s == 0:
        raise Failed(DIV)
    if x > 0 > s:
        raise Failed(NUM)
    return _multiple(x, s, ROUND_DOWN if s < 0 else ROUND_FLOOR)


def _ceiling_math(value: Value, step: Value = 1.0, mode: Value = 0.0) -> float:
    x, s = number(value), abs(number(step))
    if x == 0 or s == 0:
        return 0.0
    return _multiple(x, s, ROUND_UP if x < 0 and number(mode) else ROUND_CEILING)


def _floor_math(value: Value, step: Value = 1.0, mode: Value = 0.0) -> float:
    x, s = number(value), abs(number(step))
    if x == 0 or s == 0:
        return 0.0
    return _multiple(x, s, ROUND_DOWN if x < 0 and number(mode) else ROUND_FLOOR)


def _mround(value: Value, step: Value) -> float:
    x, s = number(value), number(step)
    if s == 0 or x == 0:
        return 0.0
    if (x < 0) != (s < 0):
        raise Failed(NUM)
    quotient = x / s
    if abs(quotient - math.floor(quotient) - 0.5) < 1e-9 and s != math.floor(s):
        raise doubt()  # Microsoft documents that halves of decimal multiples go either way
    return _multiple(x, s, ROUND_HALF_UP)


def _mod(value: Value, divisor: Value) -> float:
    n, d = number(value), number(divisor)
    if d == 0:
        raise Failed(DIV)
    if abs(n / d) >= 2**40:
        raise doubt()
    quotient = n / d
    if (n != math.floor(n) or d != math.floor(d)) and abs(quotient - round(quotient)) < 1e-9 * max(1.0, abs(quotient)):
        raise doubt()  # 1 divided by 0.1 leaves 0 or 0.1, as the last bits will have it
    return n - d * math.floor(quotient)


def _circular(function: Callable[[float], float]) -> Callable[..., Value]:
    def run(value: Value) -> float:
        angle = number(value)
        if abs(angle) >= 2**27:
            raise Failed(NUM)
        return function(angle)

    return lifted(run)


def _log(value: Value, base: Value = 10.0) -> float:
    x, b = number(value), number(base)
    if x <= 0 or b <= 0:
        raise Failed(NUM)
    if b == 1:
        raise Failed(DIV)
    return math.log10(x) if b == 10 else math.log(x) / math.log(b)


def _even(value: Value) -> float:
    x = number(value)
    return math.copysign(math.ceil(abs(x) / 2) * 2, x) + 0.0


def _odd(value: Value) -> float:
    x = number(value)
    half = math.ceil((abs(x) - 1) / 2)
    return math.copysign(max(half, 0) * 2 + 1, x)


def _quotient(value: Value, divisor: Value) -> float:
    n, d = number(value), number(divisor)
    if d == 0:
        raise Failed(DIV)
    return float(math.trunc(n / d))


def _square_root(value: Value) -> float:
    x = number(value)
    if x < 0:
        raise Failed(NUM)
    return math.sqrt(x)


def _natural_log(value: Value) -> float:
    x = number(value)
    if x <= 0:
        raise Failed(NUM)
    return math.log(x)


def _is(test: Callable[[Value], bool]) -> Callable[..., Value]:
    return lifted(test, errors=True)


def _parity(odd: int) -> Callable[..., Value]:
    return lifted(lambda v: math.floor(abs(number(v))) % 2 == odd)


def _iferror(value: Value, other: Value) -> Value:
    return other if type(value) is dict else value


def _ifna(value: Value, other: Value) -> Value:
    return other if type(value) is dict and value["kind"] == "Na" else value


def _if(condition: Value, yes: Value = True, no: Value = False) -> Value:
    if type(condition) is dict:
        return condition
    return yes if logical(condition) else no


def _n(value: Value) -> Value:
    if type(value) is dict:
        return value
    return float(value) if isinstance(value, (int, float)) else 0.0


def _t(value: Value) -> Value:
    return value if type(value) in (str, dict) else ""


def _vdb(
    cost: Value, salvage: Value, life: Value, start: Value, end: Value, factor: Value = 2.0, no_switch: Value = False
) -> float:
    """Declining balance over whole periods, going over to straight line where that is more."""
    value, rest, periods, first, last, rate = (number(v) for v in (cost, salvage, life, start, end, factor))
    if value < 0 or rest < 0 or periods <= 0 or first < 0 or last < first or last > periods or rate <= 0:
        raise Failed(NUM)
    if first != int(first) or last != int(last) or last > 100_000 or rest > value:
        raise doubt()
    total, book, straight = 0.0, value, False
    for period in range(int(last)):
        declining = min(book * rate / periods, max(book - rest, 0.0))
        left = (book - rest) / (periods - period) if periods > period else 0.0
        straight = straight or (not logical(no_switch) and left > declining)
        amount = left if straight else declining
        book -= amount
        if period >= first:
            total += amount
    return total


def _factorial(value: Value) -> float:
    n = math.trunc(number(value))
    if number(value) < 0 or n > 170:
        raise Failed(NUM)
    return float(math.factorial(n))


def _combinations(value: Value, chosen: Value) -> float:
    n, k = math.trunc(number(value)), math.trunc(number(chosen))
    if number(value) < 0 or number(chosen) < 0 or n < k:
        raise Failed(NUM)
    if n > 1000:
        raise doubt()
    return float(math.comb(n, k))


def _precise(mode: str) -> Callable[..., Value]:
    def function(value: Value, step: Value = 1.0) -> float:
        x, s = number(value), abs(number(step))
        return 0.0 if x == 0 or s == 0 else _multiple(x, s, mode)

    return lifted(function)


_ERROR_NUMBERS = {"Null": 1, "Div": 2, "Value": 3, "Ref": 4, "Name": 5, "Num": 6, "Na": 7}


def _error_type(value: Value) -> Value:
    if type(value) is dict:
        return float(_ERROR_NUMBERS[value["kind"]])
    raise Failed(NA)


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "ABS": lifted(lambda v: abs(number(v))),
    "SIGN": lifted(lambda v: float((number(v) > 0) - (number(v) < 0))),
    "INT": lifted(lambda v: float(math.floor(number(v)))),
    "TRUNC": _rounding(ROUND_DOWN),
    "ROUND": _rounding(ROUND_HALF_UP),
    "ROUNDUP": _rounding(ROUND_UP),
    "ROUNDDOWN": _rounding(ROUND_DOWN),
    "MROUND": lifted(_mround),
    "CEILING": lifted(_ceiling),
    "FLOOR": lifted(_floor),
    "CEILING.MATH": lifted(_ceiling_math),
    "FLOOR.MATH": lifted(_floor_math),
    "MOD": lifted(_mod),
    "QUOTIENT": lifted(_quotient),
    "POWER": lifted(power),
    "SQRT": lifted(_square_root),
    "EXP": lifted(lambda v: math.exp(number(v))),
    "LN": lifted(_natural_log),
    "LOG10": lifted(lambda v: _log(v)),
    "LOG": lifted(_log),
    "SIN": _circular(math.sin),
    "COS": _circular(math.cos),
    "TAN": _circular(math.tan),
    "CEILING.PRECISE": _precise(ROUND_CEILING),
    "ISO.CEILING": _precise(ROUND_CEILING),
    "FLOOR.PRECISE": _precise(ROUND_FLOOR),
    "SINH": lifted(lambda v: math.sinh(number(v))),
    "COSH": lifted(lambda v: math.cosh(number(v))),
    "TANH": lifted(lambda v: math.tanh(number(v))),
    "ASINH": lifted(lambda v: math.asinh(number(v))),
    "ACOSH": lifted(lambda v: math.acosh(number(v))),
    "ATANH": lifted(lambda v: math.atanh(number(v))),
    "FACT": lifted(_factorial),
    "COMBIN": lifted(_combinations),
    "EVEN": lifted(_even),
    "ODD": lifted(_odd),
    "NOT": lifted(lambda v: not logical(v)),
    "ISBLANK": _is(lambda v: v is None),
    "ISNUMBER": _is(lambda v: type(v) in (float, int)),
    "ISTEXT": _is(lambda v: type(v) is str),
    "ISNONTEXT": _is(lambda v: type(v) is not str),
    "ISLOGICAL": _is(lambda v: type(v) is bool),
    "ISERROR": _is(lambda v: type(v) is dict),
    "ISERR": _is(lambda v: type(v) is dict and v["kind"] != "Na"),
    "ISNA": _is(lambda v: type(v) is dict and v["kind"] == "Na"),
    "ISEVEN": _parity(0),
    "ISODD": _parity(1),
    "N": lifted(_n, errors=True),
    "T": lifted(_t, errors=True),
    "ERROR.TYPE": lifted(_error_type, errors=True),
    "VDB": lifted(_vdb),
    "IFERROR": lifted(_iferror, errors=True),
    "IFNA": lifted(_ifna, errors=True),
    "R.IF": lifted(_if, errors=True),
}
