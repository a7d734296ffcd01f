"""The product against the independent oracle, to the cent: every day from 0 to 400 by every boundary amount ± 1 cent."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from case_files import load
from oracle import ORACLE
from recargos.cells import OMITTED, call, caller
from recargos.law import CellError
from recargos.statutes import FUNCTIONS

# Where some rule turns: the minimum and the limit of checks, the floors of withholding, sizes of the law's examples, halves of
# a cent (0.10 at 5 %, 2.00 at 0.25 %, 18.25 at a day's interest), and the most cents that fifteen digits hold.
TURNS = [
    0,
    5,
    10,
    40,
    200,
    1825,
    1830,
    2500,
    30000,
    50000,
    50010,
    60000,
    100000,
    120000,
    999999,
    1000000,
    1040000,
    2168273,
    99999999,
    10**11,
    10**14,
]
AMOUNTS = sorted({cents for turn in TURNS for cents in (turn - 1, turn, turn + 1) if cents >= 0} | {10**15 - 1})
FEW = [0, 1, 10, 1825, 50000, 999999, 1000001, 2168273]
DAYS = [*range(-2, 401), 730, 1461, 3653]
BASES = [OMITTED, None, 0, 365.0, 366.0, 360.0]


def dollars(cents: int) -> float:
    return cents / 100


def shown(answer: Any) -> Any:
    """An answer of the oracle as a cell shows it. Ints are cents here."""
    return float(answer) if isinstance(answer, Fraction) else answer


def differences(name: str, calls: Iterable[tuple[Sequence[Any], Sequence[Any]]], *, money: bool = True) -> list[Any]:
    """Calls (cells, the same for the oracle) on which the two disagree, the first twenty."""
    product, reading = caller(FUNCTIONS[name]), ORACLE[name]
    wrong: list[Any] = []
    count = 0
    for cells, clean in calls:
        count += 1
        got = product(*cells)
        try:
            wanted = reading(*clean)
            wanted = wanted / 100 if money else shown(wanted)
        except oracle.Refused as refused:
            wanted = CellError(str(refused))
        if got != wanted or type(got) is not type(wanted):
            wrong.append((cells, got, wanted))
            if len(wrong) == 20:
                break
    assert count > 1
    return wrong


def amounts_by_days(
    amounts: Sequence[int] = AMOUNTS, days: Sequence[int] = DAYS
) -> Iterable[tuple[list[Any], list[Any]]]:
    for cents, late in itertools.product(amounts, days):
        yield [dollars(cents), float(late)], [cents, late]


@pytest.mark.parametrize(
    "name", ["PR_LATE_FILE", "PR_SURCHARGE", "PR_PROPERTY_LATE_FILE", "PR_DISCOUNT_LATE_FILE", "PR_INTEREST"]
)
def test_every_day_by_every_amount(name: str) -> None:
    assert differences(name, amounts_by_days()) == []


@pytest.mark.parametrize("basis", BASES, ids=str)
def test_interest_on_every_basis(basis: Any) -> None:
    clean = None if basis in (OMITTED, None) else int(basis)
    calls = (([*cells, basis], [*plain, clean]) for cells, plain in amounts_by_days(FEW))
    assert differences("PR_INTEREST", calls) == []


@pytest.mark.parametrize("basis", [1.0, 30.0, 359.0, 361.0, 364.0, 367.0, -365.0, 36500.0])
def test_no_other_basis(basis: float) -> None:
    for name, before in [
        ("PR_INTEREST", [100.0, 10.0]),
        ("PR_RETIREMENT_DEBT", [100.0, 0.05, 10.0]),
        ("PR_EXTENSION_INTEREST", [100.0, 1.0, date(2026, 1, 1), date(2026, 3, 1)]),
        ("PR_DEFICIENCY_INTEREST", [100.0, date(2026, 1, 1), date(2026, 3, 1), None]),
        ("PR_NOTICE_INTEREST", [100.0, date(2026, 1, 1), date(2026, 3, 1)]),
        ("PR_NOTICE_INTEREST", [100.0, date(2026, 1, 1), date(2026, 1, 2)]),
        ("PR_PAYOFF", [100.0, date(2026, 1, 1), None, None, date(2026, 3, 1)]),
        ("PR_PAYOFF", [100.0, date(2026, 1, 1), None, None, date(2026, 1, 1)]),
    ]:
        assert call(FUNCTIONS[name], [*before, basis]) is CellError.NUM, name


@pytest.mark.parametrize("name", ["PR_LATE_FILE_RATE", "PR_SURCHARGE_RATE", "PR_PROPERTY_LATE_FILE_RATE"])
def test_rate_of_every_day(name: str) -> None:
    assert differences(name, (([float(day)], [day]) for day in DAYS), money=False) == []


def test_priority_of_every_day() -> None:
    assert differences("PR_RETIREMENT_PRIORITY", (([float(day)], [day]) for day in DAYS), money=False) == []


def test_late_file_base_and_addition() -> None:
    parts = [0, 1, 10, 50000, 999999, 1000000]
    calls = [
        ([dollars(tax), float(days), dollars(paid), dollars(credit)], [tax, days, paid, credit])
        for tax, paid, credit in itertools.product(FEW, parts, parts)
        for days in (0, 1, 30, 31, 60, 61, 90, 91)
    ]
    assert differences("PR_LATE_FILE", calls) == []
    bases = [([c[0], c[2], c[3]], [p[0], p[2], p[3]]) for c, p in calls]
    assert differences("PR_LATE_FILE_BASE", bases) == []


@pytest.mark.parametrize("name", ["PR_LATE_FILE", "PR_PROPERTY_LATE_FILE", "PR_DISCOUNT_LATE_FILE"])
def test_reasonable_cause(name: str) -> None:
    extra = [OMITTED, OMITTED] if name == "PR_LATE_FILE" else []
    clean = [0, 0] if extra else []
    calls = (
        ([*cells, *extra, flag], [*plain, *clean, flag])
        for cells, plain in amounts_by_days(FEW, [0, 1, 31, 61, 400])
        for flag in (True, False)
    )
    assert differences(name, calls) == []


def test_returned_checks() -> None:
    originals = [0, 1, 50000, 50010, 999999, 1000000, 1000001, 1040000]
    calls = [
        ([dollars(amount), dollars(original), flag], [amount, original, flag])
        for amount, original, flag in itertools.product(AMOUNTS, originals, (False, True))
    ]
    assert differences("PR_RETURNED_CHECK", calls) == []
    rates = [(cells[:2], plain[:2]) for cells, plain in calls if not plain[2]]
    assert differences("PR_RETURNED_CHECK_RATE", rates, money=False) == []


def test_every_cent_around_the_minimum_and_the_limit() -> None:
    around = [*range(49_900, 51_000), *range(999_000, 1_001_000)]
    assert differences("PR_RETURNED_CHECK", (([dollars(cents)], [cents]) for cents in around)) == []


@pytest.mark.parametrize("name", ["PR_NEGLIGENCE", "PR_FRAUD", "PR_WITHHOLDING_BOND"])
def test_of_an_amount(name: str) -> None:
    amounts = [*AMOUNTS, *range(1000)]
    assert differences(name, (([dollars(cents)], [cents]) for cents in amounts)) == []


def test_withholding() -> None:
    amounts = [*AMOUNTS, *range(59_900, 60_100), *range(119_900, 120_100)]
    for name in ("PR_WITHHOLDING_PENALTY_MIN", "PR_WITHHOLDING_PENALTY_MAX"):
        calls = (([dollars(cents), flag], [cents, flag]) for cents in amounts for flag in (False, True))
        assert differences(name, calls) == []
    rates = [Fraction(n, 1000) for n in (0, 249, 250, 251, 333, 375, 499, 500, 501, 1000)]
    assert (
        differences(
            "PR_WITHHOLDING_PENALTY",
            (
                ([dollars(cents), float(rate), flag], [cents, rate, flag])
                for cents, rate, flag in itertools.product(amounts, rates, (False, True))
            ),
        )
        == []
    )
    pairs = itertools.product(AMOUNTS, AMOUNTS)
    assert differences("PR_WITHHOLDING_SHORTFALL", (([dollars(a), dollars(b)], [a, b]) for a, b in pairs)) == []


@pytest.mark.parametrize("rate", ["0", "0.01", "0.0425", "0.05", "0.1", "1.5"])
def test_retirement_debt(rate: str) -> None:
    share = Fraction(rate)
    calls = (
        (
            [cells[0], float(rate), cells[1], basis],
            [plain[0], share, plain[1], None if basis is OMITTED else int(basis)],
        )
        for cells, plain in amounts_by_days(FEW)
        for basis in (OMITTED, 360.0)
    )
    assert differences("PR_RETIREMENT_DEBT", calls) == []


# -------------------------------------------------------------------------------------------------------------- dates

DUE = date(2023, 12, 15)  # the days that follow run over the Feb 29 of 2024
HOLIDAYS = [date(2024, 1, 1), date(2024, 2, 29), date(2024, 3, 1), date(2024, 3, 2), date(2024, 12, 25)]


def after(days: int) -> date:
    return DUE + timedelta(days=days)


def test_extension_interest() -> None:
    calls = (
        ([dollars(tax), dollars(interest), DUE, after(days)], [tax, interest, DUE, after(days)])
        for tax, interest, days in itertools.product(FEW, [0, 1, 25000], DAYS)
    )
    assert differences("PR_EXTENSION_INTEREST", calls) == []


def test_deficiency_interest() -> None:
    waivers = [None, *(after(days) for days in (-40, -30, -29, 0, 1, 100, 369, 370, 371, 400))]
    calls = (
        ([dollars(cents), DUE, after(days), waiver], [cents, DUE, after(days), waiver])
        for cents, days, waiver in itertools.product([1000000, 2168273], DAYS, waivers)
    )
    assert differences("PR_DEFICIENCY_INTEREST", calls) == []


def test_notice_interest() -> None:
    calls = (
        ([dollars(cents), DUE, after(days), basis], [cents, DUE, after(days), basis])
        for cents, days, basis in itertools.product(FEW, DAYS, (None, 360, 366))
    )
    assert differences("PR_NOTICE_INTEREST", calls) == []


@pytest.mark.parametrize(
    "name",
    [
        "PR_WITHHOLDING_REFERRAL_DUE",
        "PR_BOND_DUE",
        "PR_BOND_REVIEW_DUE",
        "PR_RETIREMENT_STATEMENT_DUE",
        "PR_RETIREMENT_CERTIFICATE_DUE",
    ],
)
def test_end_of_every_term(name: str) -> None:
    starts = [date(2023, 11, 1) + timedelta(days=n) for n in range(500)]
    calls = (
        (
            [start, listed if listed is OMITTED else [[day] for day in listed]],
            [start, [] if listed is OMITTED else listed],
        )
        for start in starts
        for listed in (OMITTED, HOLIDAYS)
    )
    assert differences(name, calls, money=False) == []


@pytest.mark.parametrize("name", ["PR_BOND_RELEASE", "PR_CRIM_REMITTANCE_DUE"])
def test_every_day_of_long_years(name: str) -> None:
    starts = itertools.chain(
        (date(2019, 12, 1) + timedelta(days=n) for n in range(2200)),
        (date(2095, 12, 1) + timedelta(days=n) for n in range(2200)),
    )
    assert differences(name, (([day], [day]) for day in starts), money=False) == []


def test_days_late() -> None:
    calls = (([DUE, after(days)], [DUE, after(days)]) for days in range(-400, 3000))
    assert differences("PR_DAYS_LATE", calls, money=False) == []


def test_bond_status_of_every_day() -> None:
    events = [None, *(after(n) for n in (0, 1, 14, 15, 16, 29, 30, 31, 32, 33, 45, 46, 47, 60))]
    listed = [after(30), after(31), after(46)]
    calls = (
        (
            [after(day), DUE, posted, disapproved, [[d] for d in holidays]],
            [after(day), DUE, posted, disapproved, holidays],
        )
        for day in range(0, 70)
        for posted, disapproved in itertools.product(events, events)
        for holidays in ([], listed)
        if posted is None or disapproved is None or posted <= disapproved
    )
    assert differences("PR_BOND_STATUS", calls, money=False) == []


FLAGS = [(a, b) for a in (False, True) for b in (False, True)]


@pytest.mark.parametrize("name", ["PR_LATE_FILE_OFFENSE", "PR_RETIREMENT_OFFENSE"])
def test_offenses(name: str) -> None:
    assert differences(name, ((pair, pair) for pair in FLAGS), money=False) == []


# ---------------------------------------------------------------------------------------- the day from which law is known


@pytest.mark.parametrize(
    ("name", "cells", "statute"),
    [
        ("PR_RETURNED_CHECK", [100.0, OMITTED, OMITTED], "returned check"),
        ("PR_RETURNED_CHECK_RATE", [100.0, OMITTED], "returned check"),
        ("PR_LATE_FILE", [100.0, 31.0, OMITTED, OMITTED, OMITTED], "late filing"),
        ("PR_LATE_FILE_RATE", [31.0], "late filing"),
        ("PR_INTEREST", [100.0, 31.0, OMITTED], "property tax"),
        ("PR_SURCHARGE", [100.0, 31.0], "property tax"),
        ("PR_SURCHARGE_RATE", [31.0], "property tax"),
        ("PR_PROPERTY_LATE_FILE", [100.0, 31.0, OMITTED], "property tax"),
        ("PR_PROPERTY_LATE_FILE_RATE", [31.0], "property tax"),
        ("PR_DISCOUNT_LATE_FILE", [100.0, 31.0, OMITTED], "property tax"),
        ("PR_NEGLIGENCE", [100.0], "property tax"),
        ("PR_FRAUD", [100.0], "property tax"),
    ],
)
def test_law_before_the_text_at_hand(name: str, cells: list[Any], statute: str) -> None:
    first = oracle.KNOWN_FROM[statute]
    function = FUNCTIONS[name]
    today = call(function, cells)
    assert not isinstance(today, CellError)
    assert call(function, [*cells, first - timedelta(days=1)]) is CellError.NA
    for later in (first, first + timedelta(days=1), date(2026, 11, 30), date(9999, 12, 31)):
        assert call(function, [*cells, later]) == today
    assert call(function, [*cells, None]) == today, "a blank date is omitted"
    # Days, amounts and causes that owe nothing do not hide the refusal.
    zero = [0.0 if isinstance(cell, float) else cell for cell in cells]
    assert call(function, [*zero, date(1950, 1, 1)]) is CellError.NA
    if name in ("PR_LATE_FILE", "PR_PROPERTY_LATE_FILE", "PR_DISCOUNT_LATE_FILE", "PR_RETURNED_CHECK"):
        assert call(function, [*cells[:-1], True, date(1950, 1, 1)]) is CellError.NA


def test_statutes_start_where_the_oracle_says() -> None:
    starts = {
        function.statute.key.replace("_", " "): function.statute.in_force
        for function in FUNCTIONS.values()
        if function.statute
    }
    for statute, first in oracle.KNOWN_FROM.items():
        assert starts[statute] == first


def test_payoff_and_ledger_before_the_text_at_hand() -> None:
    known = oracle.KNOWN_FROM["property tax"]
    for name in ("PR_PAYOFF", "PR_LEDGER"):
        assert call(FUNCTIONS[name], [100.0, date(2013, 1, 1), None, None, known - timedelta(days=1)]) is CellError.NA
        assert call(FUNCTIONS[name], [100.0, date(2013, 1, 1), None, None, known]) != CellError.NA


# ------------------------------------------------------------------------------------------------------------ payments

CENTS = st.integers(0, 3_000_000)
PAYMENTS = st.lists(st.tuples(st.integers(-40, 500).map(after), CENTS.filter(bool)), max_size=7)


@given(CENTS, PAYMENTS, st.integers(-5, 500).map(after), st.sampled_from([None, 360, 365, 366]))
@settings(max_examples=400, deadline=None)
def test_payoff_and_ledger(tax: int, payments: list[tuple[date, int]], as_of: date, basis: int | None) -> None:
    dates = [[day] for day, _ in payments] or None
    amounts = [[dollars(amount)] for _, amount in payments] or None
    cells = [dollars(tax), DUE, dates, amounts, as_of, basis]
    ledger = call(FUNCTIONS["PR_LEDGER"], cells)
    wanted = oracle.ledger(tax, DUE, payments, as_of, basis)
    assert ledger == [[x.day, x.tax / 100, x.days, x.interest / 100, x.surcharge / 100] for x in wanted]
    assert call(FUNCTIONS["PR_PAYOFF"], cells) == oracle.payoff(tax, DUE, payments, as_of, basis) / 100


def test_payoff_reads_tax_and_payments_to_the_cent() -> None:
    def owed(tax: float, paid: float) -> Any:
        return call(FUNCTIONS["PR_PAYOFF"], [tax, DUE, after(31), paid, after(40)])

    for tax, paid in itertools.product((100.0, 99.996, 100.004), (50.0, 49.995, 50.004)):
        assert owed(tax, paid) == oracle.payoff(10000, DUE, [(after(31), 5000)], after(40)) / 100
    assert owed(100.005, 50.005) == oracle.payoff(10001, DUE, [(after(31), 5001)], after(40)) / 100
    ledger = call(FUNCTIONS["PR_LEDGER"], [100.005, DUE, after(31), 50.004, after(40)])
    assert [line[1] for line in ledger] == [50.0, 50.01]


# -------------------------------------------------------------------------------------------------- parts of a cent

PARTS = st.integers(0, 10**9).map(lambda n: Fraction(n, 10_000))  # dollars with four places


@given(
    PARTS,
    st.integers(-10, 500),
    st.sampled_from(["PR_INTEREST", "PR_SURCHARGE", "PR_LATE_FILE", "PR_PROPERTY_LATE_FILE", "PR_DISCOUNT_LATE_FILE"]),
)
@settings(max_examples=600, deadline=None)
def test_parts_of_a_cent_by_days(amount: Fraction, days: int, name: str) -> None:
    assert call(FUNCTIONS[name], [float(amount), float(days)]) == ORACLE[name](amount * 100, days) / 100


@given(
    PARTS,
    st.sampled_from(
        [
            "PR_RETURNED_CHECK",
            "PR_NEGLIGENCE",
            "PR_FRAUD",
            "PR_WITHHOLDING_BOND",
            "PR_WITHHOLDING_PENALTY_MIN",
            "PR_WITHHOLDING_PENALTY_MAX",
            "PR_LATE_FILE_BASE",
        ]
    ),
)
@settings(max_examples=600, deadline=None)
def test_parts_of_a_cent(amount: Fraction, name: str) -> None:
    assert call(FUNCTIONS[name], [float(amount)]) == ORACLE[name](amount * 100) / 100


@given(PARTS, PARTS, st.integers(0, 400))
@settings(max_examples=500, deadline=None)
def test_parts_of_a_cent_in_two_amounts(first: Fraction, second: Fraction, days: int) -> None:
    cells = [float(first), float(second)]
    for name in ("PR_WITHHOLDING_SHORTFALL", "PR_LATE_FILE_BASE"):
        assert call(FUNCTIONS[name], cells) == ORACLE[name](first * 100, second * 100) / 100
    paid_on = after(days)
    got = call(FUNCTIONS["PR_EXTENSION_INTEREST"], [*cells, DUE, paid_on])
    assert got == oracle.extension_interest(first * 100, second * 100, DUE, paid_on) / 100


@given(PARTS, st.integers(0, 3000), st.integers(0, 400))
@settings(max_examples=500, deadline=None)
def test_retirement_debt_is_rounded_once(amount: Fraction, rate: int, days: int) -> None:
    share = Fraction(rate, 10_000)
    got = call(FUNCTIONS["PR_RETIREMENT_DEBT"], [float(amount), float(share), float(days)])
    assert got == oracle.retirement_debt(amount * 100, share, days) / 100


# ----------------------------------------------------------------------------------------- the cases, by the oracle


def clean(function: str, arguments: Sequence[Any]) -> list[Any] | None:
    """Arguments of a case for the oracle, None when it holds cells that only the adapter can read."""
    table = FUNCTIONS[function].arguments
    found: list[Any] = []
    for argument, value in zip(table, arguments, strict=False):
        match argument.kind, value:
            case "money", int() | float() if not isinstance(value, bool):
                found.append(Fraction(f"{value:.15g}") * 100)
            case "money", None if not argument.optional:
                found.append(0)
            case "rate", float():
                found.append(Fraction(f"{value:.15g}"))
            case "days", int() | float() if not isinstance(value, bool) and abs(value) < 10**15:
                found.append(int(float(f"{value:.15g}")))
            case "date", date() if type(value) is date and not argument.whole_range:
                found.append(value)
            case "flag", bool():
                found.append(value)
            case _:
                return None
    return found


def test_the_oracle_agrees_with_the_cases() -> None:
    checked = 0
    for case in load():
        if case.function not in ORACLE or case.function in ("PR_PAYOFF", "PR_LEDGER"):
            continue
        arguments = clean(case.function, case.arguments)
        if arguments is None:
            continue
        try:
            answer = ORACLE[case.function](*arguments)
        except oracle.Refused as refused:
            answer = CellError(str(refused))
        if FUNCTIONS[case.function].result == "money" and not isinstance(answer, CellError):
            answer = answer / 100
        assert shown(answer) == case.gives, case.id
        checked += 1
    assert checked > 300


def test_the_oracle_reads_every_function_that_computes() -> None:
    assert set(ORACLE) == {function.name for function in FUNCTIONS.values() if function.statute is not None}
