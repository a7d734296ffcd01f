"""Loans over several periods, and rates that are found step by step."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from recargos.workbook.overrides.values import DOUBT, NUM, Failed, cells, doubt, lifted, number

Value = Any


def _cumulative(interest: bool) -> Callable[..., float]:
    def function(rate: Value, periods: Value, present: Value, start: Value, end: Value, due: Value) -> float:
        r, n, pv, first, last, kind = (number(v) for v in (rate, periods, present, start, end, due))
        if r <= 0 or n <= 0 or pv <= 0 or first < 1 or last < 1 or first > last or last > n or kind not in (0, 1):
            raise Failed(NUM)
        if any(v != int(v) for v in (n, first, last)) or last > 100_000:
            raise doubt()
        growth = (1 + r) ** n
        payment = pv * r * growth / (growth - 1)
        if kind:
            payment /= 1 + r
        balance, paid_interest, paid_principal = pv, 0.0, 0.0
        for period in range(1, int(last) + 1):
            charged = 0.0 if kind and period == 1 else balance * r
            if kind and period > 1:
                charged = balance * r
            principal = payment - charged
            balance -= principal
            if period >= first:
                paid_interest += charged
                paid_principal += principal
        return -(paid_interest if interest else paid_principal)

    return function


def _future(rate: float, periods: float, payment: float, present: float, due: float) -> float:
    if rate == 0:
        return -(present + payment * periods)
    growth = (1 + rate) ** periods
    return float(-(present * growth + payment * (1 + rate * due) * (growth - 1) / rate))


def _payment(rate: float, periods: float, present: float, future: float, due: float) -> float:
    if rate == 0:
        return -(present + future) / periods
    growth = (1 + rate) ** periods
    return float(-(present * growth + future) * rate / ((1 + rate * due) * (growth - 1)))


def _sum(*terms: float) -> float:
    """A sum whose terms don't cancel so far that only the noise of their last bits is left."""
    total = sum(terms)
    if total and abs(total) < 1e-5 * max(map(abs, terms)):
        raise doubt()
    return total


def _terms(*values: Value) -> tuple[float, ...]:
    numbers = tuple(number(v) for v in values)
    if numbers[-1] not in (0, 1):
        raise doubt()
    return numbers


def _pmt(rate: Value, periods: Value, present: Value, future: Value = 0.0, due: Value = 0.0) -> float:
    r, n, pv, fv, kind = _terms(rate, periods, present, future, due)
    if r == 0:
        return -_sum(pv, fv) / n
    growth = (1 + r) ** n
    return float(-_sum(pv * growth, fv) * r / ((1 + r * kind) * (growth - 1)))


def _pv(rate: Value, periods: Value, payment: Value, future: Value = 0.0, due: Value = 0.0) -> float:
    r, n, pmt, fv, kind = _terms(rate, periods, payment, future, due)
    if r == 0:
        return -_sum(fv, pmt * n)
    growth = (1 + r) ** n
    return -_sum(fv / growth, pmt * (1 + r * kind) * (growth - 1) / r / growth)


def _fv(rate: Value, periods: Value, payment: Value, present: Value = 0.0, due: Value = 0.0) -> float:
    r, n, pmt, pv, kind = _terms(rate, periods, payment, present, due)
    if r == 0:
        return -_sum(pv, pmt * n)
    growth = (1 + r) ** n
    return -_sum(pv * growth, pmt * (1 + r * kind) * (growth - 1) / r)


def _nper(rate: Value, payment: Value, present: Value, future: Value = 0.0, due: Value = 0.0) -> float:
    r, pmt, pv, fv, kind = _terms(rate, payment, present, future, due)
    if r == 0:
        if pmt == 0:
            raise Failed(NUM)
        return -_sum(pv, fv) / pmt
    flow = pmt * (1 + r * kind)
    over, under = _sum(flow, -fv * r), _sum(flow, pv * r)
    if under == 0 or over / under <= 0:
        raise Failed(NUM)
    return math.log(over / under) / math.log1p(r)


def _part(interest: bool) -> Callable[..., float]:
    def function(
        rate: Value, period: Value, periods: Value, present: Value, future: Value = 0.0, due: Value = 0.0
    ) -> float:
        r, at, n, pv, fv, kind = (number(v) for v in (rate, period, periods, present, future, due))
        if at < 1 or at > n:
            raise Failed(NUM)
        if kind not in (0, 1):
            raise doubt()
        payment = _payment(r, n, pv, fv, kind)
        if kind and at == 1:
            charged = 0.0
        else:
            charged = _future(r, at - 1, payment, pv, kind) * r
            if kind:
                charged /= 1 + r
        part = charged if interest else payment - charged
        noise = 1e-15 * abs(pv) * (1 + r) ** (at - 1) * abs(r)
        if noise > 1e-11 * abs(part):
            raise doubt()  # only the noise of a long calculation is left
        return part

    return function


_STEPS = 200


def _root(function: Callable[[float], float], guess: float) -> float:
    """Newton's method to the last bits; what does not come to rest is left to Excel."""
    x = guess
    for _ in range(_STEPS):
        step = max(abs(x), 1e-3) * 1e-6
        slope = (function(x + step) - function(x - step)) / (2 * step)
        if slope == 0:
            break
        following = x - function(x) / slope
        if following <= -1:
            break
        if abs(following - x) <= 1e-14 * max(abs(following), 1e-2):
            if abs(following) < 1e-9:
                raise doubt()
            return following
        x = following
    raise doubt()


def _rate(
    periods: Value, payment: Value, present: Value, future: Value = 0.0, due: Value = 0.0, guess: Value = 0.1
) -> float:
    n, pmt, pv, fv, kind, start = (number(v) for v in (periods, payment, present, future, due, guess))
    if kind not in (0, 1):
        raise doubt()
    return _root(lambda r: _future(r, n, pmt, pv, kind) - fv, start)


def _irr(flows: Value, guess: Value = 0.1) -> float:
    amounts = [number(v) for v in cells(flows)]
    if not any(a > 0 for a in amounts) or not any(a < 0 for a in amounts):
        raise Failed(NUM)
    signs = [a > 0 for a in amounts if a]
    if sum(1 for a, b in pairwise(signs) if a != b) > 1:
        raise doubt()  # more than one rate may fit
    return _root(lambda r: sum(a / (1 + r) ** i for i, a in enumerate(amounts)), number(guess))


def _xnpv(rate: Value, flows: Value, dates: Value) -> Value:
    r, amounts, days = number(rate), list(cells(flows)), list(cells(dates))
    for cell in (*amounts, *days):
        if type(cell) is dict:
            return cell
    if r <= 0 or len(amounts) != len(days) or any(day < days[0] for day in days) or days[0] < 61:
        return DOUBT
    first = math.floor(days[0])
    return sum(amount / (1 + r) ** ((math.floor(day) - first) / 365) for amount, day in zip(amounts, days, strict=True))


def _xnpv_whole(*arguments: Value) -> Value:
    for argument in arguments:
        if type(argument) is dict:
            return argument
    try:
        return _xnpv(*arguments)
    except Failed as failed:
        return failed.result


def _irr_whole(flows: Value, guess: Value = 0.1) -> Value:
    for value in (flows, guess):
        for cell in cells(value):
            if type(cell) is dict:
                return cell
    try:
        return _irr(flows, guess)
    except Failed as failed:
        return failed.result
    except (OverflowError, ZeroDivisionError):
        return DOUBT


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "CUMIPMT": lifted(_cumulative(True)),
    "CUMPRINC": lifted(_cumulative(False)),
    "PMT": lifted(_pmt),
    "PV": lifted(_pv),
    "FV": lifted(_fv),
    "NPER": lifted(_nper),
    "IPMT": lifted(_part(True)),
    "PPMT": lifted(_part(False)),
    "RATE": lifted(_rate),
    "IRR": _irr_whole,
    "XNPV": _xnpv_whole,
}
