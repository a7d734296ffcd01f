"""Exact money: how a cell's number is read, and the one rounding rule.

Where a statute yields an amount it is rounded once, half up, to the cent. The statutes are silent on rounding; half up
per line is what the one public claim that could be reconstructed shows.

>>> exact(0.1 + 0.2), cents(exact(1.005))
(Decimal('0.3'), Decimal('1.01'))

Standard library only, Python 3.9 syntax.
"""

from __future__ import annotations

from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal

ZERO = Decimal(0)
CENT = Decimal("0.01")
DIGITS = 15
"""Significant digits that a spreadsheet shows, and at which a cell's float is read."""
LIMIT = Decimal(10) ** DIGITS
"""Amounts from here on have more than 15 digits before the point."""

_PLAIN = DIGITS + len(".")

# Own contexts: a host may have changed the thread's. 50 digits hold 15 (amount) + 6 (rate) + 7 (days) exactly;
# a quotient by 365 is then never rounded across a half cent.
EXACT = Context(prec=50, rounding=ROUND_HALF_UP)


def exact(number: float) -> Decimal:
    """A binary float as the decimal number that the sheet shows: 15 significant digits."""
    text = float.__repr__(number)  # its shortest form; with 15 digits or fewer it is what the sheet shows
    return Decimal(text if len(text) <= _PLAIN else f"{number:.15g}")


def cents(amount: Decimal) -> Decimal:
    """`amount` rounded half up to the cent: the project's one rounding rule."""
    return EXACT.quantize(amount, CENT)


def simple_interest(amount: Decimal, rate: Decimal, days: int, year: int) -> Decimal:
    """Simple interest for `days` of a year of `year` days, not rounded. Divides last."""
    return EXACT.divide(EXACT.multiply(EXACT.multiply(amount, rate), days), year)


def whole(number: Decimal) -> int:
    """`number` without its fraction, as spreadsheet functions take counts."""
    return int(number.to_integral_value(ROUND_DOWN))


def ceil_div(number: int, by: int) -> int:
    """How many periods of `by`, a started one counted whole: 31 days are 2 periods of 30."""
    return -(-number // by)


class Figure(Decimal):
    """A number in a sentence: `{:$}` is `1,234.50`, rounded as the law rounds; `{:%}` is `4.125%`, every digit."""

    def __format__(self, spec: str, /, context: object = None) -> str:
        if spec == "$":
            return format(cents(Decimal(self)), ",.2f")
        if spec == "%":
            return f"{(Decimal(self) * 100).normalize():f}%"
        return format(Decimal(self), spec)
