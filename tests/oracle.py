"""An independent reading of the law, to hold the product against.

Written from the project's rule table (LAW.md) and function catalogue (FUNCTIONS.md) alone, without a look at
`recargos.statutes` or `recargos.cells`, and on purpose in another style: whole cents and fractions instead of decimals,
tables of steps instead of formulas, walking the calendar day by day instead of adding to it. It knows nothing of cells:
arguments come in clean, amounts as cents (an int, or a Fraction where a case has parts of a cent), rates as Fractions.

`ORACLE` maps each function's name to its reading; a refused call raises :class:`Refused` with the cell's error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, NamedTuple

Cents = int | Fraction
DAY = timedelta(days=1)


class Refused(Exception):
    """The call is refused; the text is the error that the cell shows."""


class Line(NamedTuple):
    """A line of the payments ledger."""

    day: date
    tax: int
    days: int
    interest: int
    surcharge: int


# ------------------------------------------------------------------------------------------------ arithmetic, dates


def nearest_cent(amount: Cents) -> int:
    """The whole cent nearest to `amount`, the larger one from the middle. Only for amounts that are not negative."""
    whole, rest = divmod(Fraction(amount), 1)
    return int(whole) + (rest >= Fraction(1, 2))


def owed(*amounts: Cents) -> None:
    """Refuses negative amounts and those with more than fifteen digits before the point."""
    for amount in amounts:
        if amount < 0 or amount >= 10**17:
            raise Refused("#NUM!")


# First day of the text at hand. LAW.md 1.1 to 1.5.
KNOWN_FROM = {
    "returned check": date(1993, 12, 6),
    "late filing": date(2011, 1, 1),
    "property tax": date(2013, 11, 26),
    "withholding": date(1990, 12, 31),
    "retirement": date(2013, 6, 25),
}


def known(statute: str, as_of: date | None) -> None:
    """Refuses a day before the text at hand was law."""
    if as_of is not None and as_of < KNOWN_FROM[statute]:
        raise Refused("#N/A")


def days_between(first: date, last: date) -> int:
    """The first day is left out, the last counts (1 LPRA § 72); nothing is late before it is due."""
    return len(range(first.toordinal(), last.toordinal()))


def end_of_term(start: date, days: int, holidays: Sequence[date] = ()) -> date:
    """The last day of a term; while it is a holiday it is left out too."""
    day = start
    for _ in range(days):
        day += DAY
    while day in set(holidays):
        day += DAY
    return day


def year_of(basis: int | None) -> int:
    """Days that the year is divided into."""
    if not basis:
        return 365
    if basis not in {360, 365, 366}:
        raise Refused("#NUM!")
    return basis


def at_ten_percent(amount: Cents, days: int, basis: int | None = None) -> int:
    """Simple interest of ten a hundred a year."""
    return at_rate(amount, Fraction(1, 10), days, basis)


def at_rate(amount: Cents, rate: Fraction, days: int, basis: int | None = None) -> int:
    year = year_of(basis)
    return nearest_cent(Fraction(amount) * rate * days / year) if days > 0 else 0


# --------------------------------------------------------------------------------------------- LAW.md 2A, 13 LPRA § 352a-1


def _check_base(amount: Cents, original_tax: Cents | None) -> Cents:
    return original_tax if original_tax else amount  # RC-6


def returned_check_rate(amount: Cents, original_tax: Cents | None = None, as_of: date | None = None) -> Fraction:
    owed(amount, original_tax or 0)
    known("returned check", as_of)
    return Fraction(1, 10) if _check_base(amount, original_tax) > 1_000_000 else Fraction(1, 20)  # RC-2, RC-3


def returned_check(
    amount: Cents, original_tax: Cents | None = None, condoned: bool = False, as_of: date | None = None
) -> int:
    owed(amount, original_tax or 0)
    known("returned check", as_of)
    if condoned or amount == 0:  # RC-4, RC-11
        return 0
    base = _check_base(amount, original_tax)
    if base > 1_000_000:
        return nearest_cent(Fraction(base, 10))
    return max(nearest_cent(Fraction(base, 20)), 25_00)


# ---------------------------------------------------------------------------------------------- LAW.md 2B, 13 LPRA § 33081

# (last day of the step, hundredths)
LATE_FILING_STEPS = ((0, 0), (30, 5), (60, 15))  # LF-2, LF-3; from the next day on LF-4


def _step(days: int, steps: Sequence[tuple[int, int]], above: int) -> Fraction:
    for last, hundredths in steps:
        if days <= last:
            return Fraction(hundredths, 100)
    return Fraction(above, 100)


def late_file_rate(days: int, as_of: date | None = None) -> Fraction:
    known("late filing", as_of)
    return _step(days, LATE_FILING_STEPS, 25)


def late_file_base(tax: Cents, paid_on_time: Cents = 0, credits: Cents = 0) -> int:
    owed(tax, paid_on_time, credits)
    left = tax - paid_on_time - credits  # LF-5, LF-6
    return nearest_cent(left) if left > 0 else 0


def late_file(
    tax: Cents,
    days: int,
    paid_on_time: Cents = 0,
    credits: Cents = 0,
    reasonable_cause: bool = False,
    as_of: date | None = None,
) -> int:
    owed(tax, paid_on_time, credits)
    rate = late_file_rate(days, as_of)
    net = tax - paid_on_time - credits
    if reasonable_cause or net <= 0:  # LF-7
        return 0
    return nearest_cent(net * rate)


def late_file_offense(willful: bool = False, intent_to_evade: bool = False) -> str:
    if not willful:
        return "none"
    return "third-degree felony" if intent_to_evade else "misdemeanor"  # LF-11, LF-10


# ---------------------------------------------------------------------------------------------- LAW.md 2C, Ley 57-1990


def withholding_shortfall(required: Cents, deposited_on_time: Cents) -> int:
    owed(required, deposited_on_time)
    return nearest_cent(required - deposited_on_time) if required > deposited_on_time else 0  # PW-6


def withholding_penalty(shortfall: Cents, rate: Fraction, repeat: bool = False) -> int:
    owed(shortfall)
    if not Fraction(25, 100) <= rate <= Fraction(50, 100):  # PW-4
        raise Refused("#NUM!")
    if shortfall == 0:
        return 0
    penalty = nearest_cent(shortfall * rate)
    return 300_00 if repeat and penalty < 300_00 else penalty  # PW-5


def withholding_penalty_min(shortfall: Cents, repeat: bool = False) -> int:
    return withholding_penalty(shortfall, Fraction(1, 4), repeat)


def withholding_penalty_max(shortfall: Cents, repeat: bool = False) -> int:
    return withholding_penalty(shortfall, Fraction(1, 2), repeat)


def withholding_bond(shortfall: Cents) -> int:
    owed(shortfall)
    return nearest_cent(Fraction(shortfall) * 11 / 10)  # PW-7


def withholding_referral_due(last_business_day: date, holidays: Sequence[date] = ()) -> date:
    return end_of_term(last_business_day, 60, holidays)  # PW-1


def bond_due(mailed_on: date, holidays: Sequence[date] = ()) -> date:
    return end_of_term(mailed_on, 30, holidays)  # PW-8


def bond_review_due(posted_on: date, holidays: Sequence[date] = ()) -> date:
    return end_of_term(posted_on, 15, holidays)  # PW-9


def bond_release(posted_on: date) -> date:
    """The first day after four full years. A year from Feb 29 is full with the last day of the fourth February."""
    month, day = posted_on.month, posted_on.day
    while True:
        try:
            return date(posted_on.year + 4, month, day) + DAY
        except ValueError:
            day -= 1


def bond_status(
    as_of: date,
    mailed_on: date,
    posted_on: date | None = None,
    disapproved_on: date | None = None,
    holidays: Sequence[date] = (),
) -> str:
    known("withholding", as_of)
    happened = [d if d and d <= as_of else None for d in (posted_on, disapproved_on)]
    posted, disapproved = happened
    last = bond_due(mailed_on, holidays)
    if posted is None:
        return "assess" if as_of > last else "pending"  # PW-11, PW-8
    if posted > last:
        return "late"
    review = bond_review_due(posted, holidays)
    if disapproved and disapproved <= review:
        return "assess"
    return "under review" if as_of <= review else "approved by silence"  # PW-9, PW-10


# ------------------------------------------------------------------------------------------------ LAW.md 2D, 3 LPRA § 781a


def retirement_statement_due(notified_on: date, holidays: Sequence[date] = ()) -> date:
    return end_of_term(notified_on, 15, holidays)  # RS-2


def retirement_priority(days: int) -> bool:
    return days not in range(-(10**6), 31)  # RS-7


def retirement_certificate_due(withheld_on: date, holidays: Sequence[date] = ()) -> date:
    return end_of_term(withheld_on, 30, holidays)  # RS-8


def crim_remittance_due(certified_on: date) -> date:
    day = certified_on
    while day.day != 15:  # RS-9
        day += DAY
    return day


def retirement_debt(amount: Cents, rate: Fraction | None, days: int, basis: int | None = None) -> int:
    owed(amount)
    if rate is None:
        raise Refused("#VALUE!")  # RS-11
    if rate < 0:
        raise Refused("#NUM!")
    year = year_of(basis)
    return nearest_cent(Fraction(amount) + Fraction(amount) * rate * max(days, 0) / year)


def retirement_offense(certified: bool = False, knowing_without_cause: bool = False) -> str:
    if knowing_without_cause:
        return "felony"  # RS-6
    return "none" if certified else "misdemeanor"  # RS-5


# ----------------------------------------------------------------------------------------------- LAW.md 2E, 21 LPRA § 5221

SURCHARGE_STEPS = ((30, 0), (60, 5), (90, 10))  # PP-7, PP-8, PP-9; above 90 days PP-10
PROPERTY_LATE_FILING_STEPS = ((0, 0), (30, 5), (60, 10), (90, 15), (120, 20))  # PP-13


def interest(amount: Cents, days: int, basis: int | None = None, as_of: date | None = None) -> int:
    owed(amount)
    known("property tax", as_of)
    return at_ten_percent(amount, days, basis)  # PP-1


def surcharge_rate(days: int, as_of: date | None = None) -> Fraction:
    known("property tax", as_of)
    return _step(days, SURCHARGE_STEPS, 15)


def surcharge(amount: Cents, days: int, as_of: date | None = None) -> int:
    owed(amount)
    return nearest_cent(amount * surcharge_rate(days, as_of))


def extension_interest(
    tax: Cents, extension_interest: Cents, expired_on: date, paid_on: date, basis: int | None = None
) -> int:
    owed(tax, extension_interest)
    return at_ten_percent(tax + extension_interest, days_between(expired_on, paid_on), basis)  # PP-2


def deficiency_interest(
    deficiency: Cents, due_on: date, assessed_on: date, waiver_on: date | None = None, basis: int | None = None
) -> int:
    owed(deficiency)
    ends = [assessed_on] + ([end_of_term(waiver_on, 30)] if waiver_on else [])  # PP-3, PP-4
    return at_ten_percent(deficiency, days_between(due_on, min(ends)), basis)


def notice_interest(amount: Cents, notified_on: date, paid_on: date, basis: int | None = None) -> int:
    owed(amount)
    year_of(basis)
    if paid_on <= end_of_term(notified_on, 10):  # PP-5
        return 0
    return at_ten_percent(amount, days_between(notified_on, paid_on), basis)


def property_late_file_rate(days: int, as_of: date | None = None) -> Fraction:
    known("property tax", as_of)
    return _step(days, PROPERTY_LATE_FILING_STEPS, 25)


def property_late_file(unpaid: Cents, days: int, reasonable_cause: bool = False, as_of: date | None = None) -> int:
    owed(unpaid)
    rate = property_late_file_rate(days, as_of)
    return 0 if reasonable_cause else nearest_cent(unpaid * rate)  # PP-12, PP-14


def discount_late_file(tax: Cents, days: int, reasonable_cause: bool = False, as_of: date | None = None) -> int:
    owed(tax)
    rate = property_late_file_rate(days, as_of)
    return 0 if reasonable_cause else nearest_cent(Fraction(tax) / 20 * rate)  # PP-15


def negligence(deficiency: Cents, as_of: date | None = None) -> int:
    owed(deficiency)
    known("property tax", as_of)
    return nearest_cent(Fraction(deficiency) / 10)  # PP-16


def fraud(deficiency: Cents, as_of: date | None = None) -> int:
    owed(deficiency)
    known("property tax", as_of)
    return nearest_cent(deficiency)  # PP-17


def ledger(
    tax: int,
    due_on: date,
    payments: Sequence[tuple[date, int]],
    as_of: date,
    basis: int | None = None,
) -> list[Line]:
    """PP-11, first reading. Whole cents only. A day of the calendar after the other, the tax shrinking as payments come in."""
    owed(tax, *(amount for _, amount in payments))
    known("property tax", as_of)
    year_of(basis)
    lines, left = [], tax
    for day in sorted({d for d, _ in payments if d <= as_of}):
        for paid_on, amount in payments:
            if paid_on == day:
                part = min(left, amount)
                left -= part
                lines.append(_line(day, part, due_on, basis))
    return [*lines, _line(as_of, left, due_on, basis)]


def _line(day: date, tax: int, due_on: date, basis: int | None) -> Line:
    late = days_between(due_on, day)
    return Line(day, tax, late, at_ten_percent(tax, late, basis), surcharge(tax, late))


def payoff(tax: int, due_on: date, payments: Sequence[tuple[date, int]], as_of: date, basis: int | None = None) -> int:
    lines = ledger(tax, due_on, payments, as_of, basis)
    return tax + sum(x.interest + x.surcharge for x in lines) - sum(a for d, a in payments if d <= as_of)


# Every function that computes, by its name in the catalogue.
ORACLE: dict[str, Callable[..., Any]] = {
    "PR_RETURNED_CHECK": returned_check,
    "PR_RETURNED_CHECK_RATE": returned_check_rate,
    "PR_LATE_FILE": late_file,
    "PR_LATE_FILE_BASE": late_file_base,
    "PR_LATE_FILE_RATE": late_file_rate,
    "PR_LATE_FILE_OFFENSE": late_file_offense,
    "PR_INTEREST": interest,
    "PR_SURCHARGE": surcharge,
    "PR_SURCHARGE_RATE": surcharge_rate,
    "PR_EXTENSION_INTEREST": extension_interest,
    "PR_DEFICIENCY_INTEREST": deficiency_interest,
    "PR_NOTICE_INTEREST": notice_interest,
    "PR_PROPERTY_LATE_FILE": property_late_file,
    "PR_PROPERTY_LATE_FILE_RATE": property_late_file_rate,
    "PR_DISCOUNT_LATE_FILE": discount_late_file,
    "PR_NEGLIGENCE": negligence,
    "PR_FRAUD": fraud,
    "PR_PAYOFF": payoff,
    "PR_LEDGER": ledger,
    "PR_WITHHOLDING_SHORTFALL": withholding_shortfall,
    "PR_WITHHOLDING_PENALTY": withholding_penalty,
    "PR_WITHHOLDING_PENALTY_MIN": withholding_penalty_min,
    "PR_WITHHOLDING_PENALTY_MAX": withholding_penalty_max,
    "PR_WITHHOLDING_BOND": withholding_bond,
    "PR_WITHHOLDING_REFERRAL_DUE": withholding_referral_due,
    "PR_BOND_DUE": bond_due,
    "PR_BOND_REVIEW_DUE": bond_review_due,
    "PR_BOND_RELEASE": bond_release,
    "PR_BOND_STATUS": bond_status,
    "PR_RETIREMENT_STATEMENT_DUE": retirement_statement_due,
    "PR_RETIREMENT_PRIORITY": retirement_priority,
    "PR_RETIREMENT_CERTIFICATE_DUE": retirement_certificate_due,
    "PR_CRIM_REMITTANCE_DUE": crim_remittance_due,
    "PR_RETIREMENT_DEBT": retirement_debt,
    "PR_RETIREMENT_OFFENSE": retirement_offense,
    "PR_DAYS_LATE": days_between,
}
