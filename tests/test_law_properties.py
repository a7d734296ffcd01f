"""What must hold for every input: more days or more money never owe less, ceilings hold, a range is its cells, nothing raises."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recargos.cells import OMITTED, call, caller, explain
from recargos.law import CellError, Function
from recargos.statutes import FUNCTIONS

CENTS = st.integers(0, 10**11)
DOLLARS = CENTS.map(lambda cents: cents / 100)
DAYS = st.integers(-50, 2000)
DATES = st.dates(date(2014, 1, 1), date(2060, 1, 1))
BY_DAYS = ["PR_LATE_FILE", "PR_INTEREST", "PR_SURCHARGE", "PR_PROPERTY_LATE_FILE", "PR_DISCOUNT_LATE_FILE"]
BY_AMOUNT = [
    "PR_RETURNED_CHECK",
    "PR_NEGLIGENCE",
    "PR_FRAUD",
    "PR_WITHHOLDING_PENALTY_MIN",
    "PR_WITHHOLDING_PENALTY_MAX",
    "PR_WITHHOLDING_BOND",
    "PR_LATE_FILE_BASE",
]


def run(name: str, *arguments: Any) -> Any:
    return call(FUNCTIONS[name], arguments)


# -------------------------------------------------------------------------------------------------- never less for more


@pytest.mark.parametrize("name", BY_DAYS)
@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_monotone_in_days_and_amount(name: str, data: st.DataObject) -> None:
    small, large = sorted((data.draw(DOLLARS), data.draw(DOLLARS)))
    few, many = sorted((data.draw(DAYS), data.draw(DAYS)))
    assert run(name, small, few) <= run(name, small, many)
    assert run(name, small, few) <= run(name, large, few)
    if few <= 0:
        assert run(name, large, few) == 0.0


@pytest.mark.parametrize("name", BY_AMOUNT)
@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_monotone_in_amount(name: str, data: st.DataObject) -> None:
    near = st.integers(990_000, 1_010_000).map(lambda cents: cents / 100)
    small, large = sorted((data.draw(DOLLARS | near), data.draw(DOLLARS | near)))
    assert run(name, small) <= run(name, large)


@given(DOLLARS, DOLLARS, DOLLARS, DOLLARS, DAYS)
@settings(max_examples=300, deadline=None)
def test_payments_and_credits_never_raise_the_addition(
    tax: float, paid: float, more: float, credit: float, days: int
) -> None:
    less, much = sorted((paid, more))
    assert run("PR_LATE_FILE", tax, days, much, credit) <= run("PR_LATE_FILE", tax, days, less, credit)
    assert run("PR_LATE_FILE", tax, days, less, credit) <= run("PR_LATE_FILE", tax, days)
    assert run("PR_LATE_FILE", tax, days, less, credit) == run("PR_LATE_FILE", tax, days, credit, less)
    assert run("PR_WITHHOLDING_SHORTFALL", tax, much) <= run("PR_WITHHOLDING_SHORTFALL", tax, less)


@given(DATES, st.integers(0, 800), st.integers(0, 800), DOLLARS)
@settings(max_examples=300, deadline=None)
def test_monotone_in_dates(start: date, one: int, two: int, amount: float) -> None:
    early, late = (start + timedelta(days=n) for n in sorted((one, two)))
    for name in ("PR_NOTICE_INTEREST", "PR_DEFICIENCY_INTEREST"):
        assert run(name, amount, start, early) <= run(name, amount, start, late)
    assert run("PR_EXTENSION_INTEREST", amount, 0, start, early) <= run("PR_EXTENSION_INTEREST", amount, 0, start, late)
    assert run("PR_DEFICIENCY_INTEREST", amount, start, late, early) <= run(
        "PR_DEFICIENCY_INTEREST", amount, start, late
    )
    assert run("PR_PAYOFF", amount, start, None, None, early) <= run("PR_PAYOFF", amount, start, None, None, late)
    assert run("PR_DAYS_LATE", start, early) <= run("PR_DAYS_LATE", start, late)


# ------------------------------------------------------------------------------------------------------------ ceilings

HALF_A_CENT = 0.0051


@given(DOLLARS, DAYS)
@settings(max_examples=300, deadline=None)
def test_ceilings(amount: float, days: int) -> None:
    slack = HALF_A_CENT + amount * 1e-12
    assert 0 <= run("PR_LATE_FILE", amount, days) <= 0.25 * amount + slack
    assert 0 <= run("PR_PROPERTY_LATE_FILE", amount, days) <= 0.25 * amount + slack
    assert 0 <= run("PR_SURCHARGE", amount, days) <= 0.15 * amount + slack
    assert 0 <= run("PR_DISCOUNT_LATE_FILE", amount, days) <= 0.25 * 0.05 * amount + slack
    assert run("PR_LATE_FILE_RATE", days) in (0.0, 0.05, 0.15, 0.25)
    assert run("PR_SURCHARGE_RATE", days) in (0.0, 0.05, 0.10, 0.15)
    assert run("PR_PROPERTY_LATE_FILE_RATE", days) in (0.0, 0.05, 0.10, 0.15, 0.20, 0.25)


@given(DOLLARS.filter(bool), st.sampled_from([0.25, 0.3, 0.375, 0.4999, 0.5]), st.booleans())
@settings(max_examples=300, deadline=None)
def test_penalty_lies_in_its_range(shortfall: float, rate: float, repeat: bool) -> None:
    low, high = (
        run("PR_WITHHOLDING_PENALTY_MIN", shortfall, repeat),
        run("PR_WITHHOLDING_PENALTY_MAX", shortfall, repeat),
    )
    assert low <= run("PR_WITHHOLDING_PENALTY", shortfall, rate, repeat) <= high
    if repeat:
        assert low >= 300


@given(DOLLARS.filter(bool))
@settings(max_examples=200, deadline=None)
def test_a_check_costs_at_least_the_minimum_and_never_more_than_a_tenth(amount: float) -> None:
    penalty = run("PR_RETURNED_CHECK", amount)
    assert penalty >= 25
    assert penalty == 25 or penalty <= amount / 10 + HALF_A_CENT


# ----------------------------------------------------------------------------------------------------------- the payoff

PAYMENTS = st.lists(st.tuples(DATES, st.integers(1, 5_000_00).map(lambda cents: cents / 100)), max_size=6)


@given(st.integers(0, 20_000_00), DATES, PAYMENTS, DATES, st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_payoff(cents: int, due: date, payments: list[tuple[date, float]], as_of: date, shuffler: Any) -> None:
    tax = cents / 100

    def asked(pairs: list[tuple[date, float]], name: str = "PR_PAYOFF") -> Any:
        dates, amounts = [[day] for day, _ in pairs] or None, [[amount] for _, amount in pairs] or None
        return run(name, tax, due, dates, amounts, as_of)

    owed = asked(payments)
    # Each line is rounded by itself, so two payments of one day can share a cent in the order in which they are listed.
    days = sorted({day for day, _ in payments})
    shuffler.shuffle(days)
    mixed = [pair for day in days for pair in payments if pair[0] == day]
    assert asked(mixed) == owed, "the order in which days are listed is nothing"
    happened = [pair for pair in payments if pair[0] <= as_of]
    assert asked(happened) == owed, "what comes after the day asked for has not happened"
    lines = asked(payments, "PR_LEDGER")
    assert round(sum(line[1] for line in lines) * 100) == cents, "the lines share out the tax"
    charges = sum(round((line[3] + line[4]) * 100) for line in lines)
    assert round(owed * 100) == cents + charges - sum(round(amount * 100) for _, amount in happened)
    assert [line[0] for line in lines[:-1]] == sorted(day for day, _ in happened)
    assert lines[-1][0] == as_of
    for day, part, late, interest, surcharge in lines:
        assert late == run("PR_DAYS_LATE", due, day)
        assert interest == run("PR_INTEREST", part, late)
        assert surcharge == run("PR_SURCHARGE", part, late)
    if payments:
        assert owed <= asked([])


# ---------------------------------------------------------------------------------------------- a range is its cells

CELLS: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from(list(CellError)),
    st.integers(-5, 200),
    st.integers(-(10**17), 10**17),
    st.floats(allow_nan=True, allow_infinity=True),
    st.decimals(allow_nan=True, allow_infinity=True),
    DOLLARS,
    DATES,
    st.datetimes(datetime(1890, 1, 1), datetime(2100, 1, 1)),
    st.text(max_size=8),
    st.sampled_from(
        ["$1,234.56", "12,50", "25%", "-1", "sí", "2026-05-15", "#REF!", "", " ", "withholding.fine.max", "PR_FRAUD"]
    ),
)
COMPUTING = [function for function in FUNCTIONS.values() if not function.explains]
KINDS: dict[str, tuple[type, ...]] = {
    "money": (float,),
    "rate": (float,),
    "days": (int,),
    "date": (date,),
    "flag": (bool,),
    "text": (str,),
    "any": (float, int, str),
}


def well_formed(function: Function, value: Any) -> bool:
    """Of the function's own kind, or a true error."""
    if isinstance(value, CellError):
        return True
    if function.result == "table":
        return isinstance(value, list) and all(isinstance(row, list) for row in value)
    if function.result == "days" and isinstance(value, bool):
        return False
    if function.result == "date" and isinstance(value, datetime):
        return False
    if isinstance(value, float) and not (-1e18 < value < 1e18):
        return False
    return isinstance(value, KINDS[function.result])


@pytest.mark.parametrize("function", COMPUTING, ids=lambda function: function.name)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_any_cell_gives_the_kind_of_the_function_or_a_true_error(function: Function, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, len(function.arguments) + 1))
    cells = [data.draw(CELLS) for _ in range(count)]
    result = call(function, cells)
    assert well_formed(function, result), repr(result)
    if function.result in ("money", "rate", "days"):
        assert not isinstance(result, str) or isinstance(result, CellError), "never text in a money cell"
    steps = explain(function, cells)
    assert all(step.label("en") and step.label("es") for step in steps)


@pytest.mark.parametrize(
    "function", [f for f in COMPUTING if f.result != "table" and f.arguments], ids=lambda function: function.name
)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_a_range_is_its_cells(function: Function, data: st.DataObject) -> None:
    height, width = data.draw(st.integers(1, 3)), data.draw(st.integers(2, 3))
    arguments: list[Any] = []
    for argument in function.arguments[: data.draw(st.integers(function.required, len(function.arguments)))]:
        if argument.whole_range or data.draw(st.booleans()):
            arguments.append(data.draw(CELLS))
        else:
            arguments.append([[data.draw(CELLS) for _ in range(width)] for _ in range(height)])
    if not any(isinstance(value, list) for value in arguments):
        return
    one = caller(function)
    wanted = [
        [
            one(*[value[row][column] if isinstance(value, list) else value for value in arguments])
            for column in range(width)
        ]
        for row in range(height)
    ]
    assert call(function, arguments) == wanted


@pytest.mark.parametrize("function", COMPUTING, ids=lambda function: function.name)
def test_an_omitted_argument_is_one_not_given(function: Function) -> None:
    examples = [argument.example for argument in function.arguments]
    for count in range(function.required, len(examples) + 1):
        given_, rest = examples[:count], [OMITTED] * (len(examples) - count)
        assert call(function, [*given_, *rest]) == call(function, given_)


@pytest.mark.parametrize("function", COMPUTING, ids=lambda function: function.name)
def test_an_error_cell_comes_out_of_every_argument(function: Function) -> None:
    for position in range(len(function.arguments)):
        for error in CellError:
            cells: list[Any] = [argument.example for argument in function.arguments]
            cells[position] = error
            assert call(function, cells) is error
            if function.arguments[position].whole_range:
                cells[position] = [[None], [error]]
                if function.name not in ("PR_PAYOFF", "PR_LEDGER"):
                    assert call(function, cells) is error


@pytest.mark.parametrize("number", [0.1, 1.005, 1234.56, 500.2])
def test_every_number_type_is_read_alike(number: float) -> None:
    text = str(number)
    for name in ("PR_FRAUD", "PR_RETURNED_CHECK", "PR_NEGLIGENCE"):
        assert run(name, number) == run(name, Decimal(text)) == run(name, text) == run(name, f" ${text} ")
