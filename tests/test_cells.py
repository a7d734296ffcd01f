"""The table "What a cell may hold", every row by every kind, for scalars and for ranges.

The case file `cases/cells.toml` holds what every host can type into a sheet; here are the kinds that only Python hands
over (Decimal from currency cells, datetime, NaN, the 1904 system, omitted arguments), the whole table in one place, and the
notices of a bulk run. The expectations are FUNCTIONS.md's, not the adapter's.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import date, datetime, timedelta, timezone
from decimal import ROUND_FLOOR, Context, Decimal, Inexact, localcontext
from typing import Any

import pytest

from recargos.cells import OMITTED, call, caller, explain, from_serial, to_serial
from recargos.law import CellError, Refusal, T
from recargos.statutes import FUNCTIONS

NUM, VALUE, NA = CellError.NUM, CellError.VALUE, CellError.NA
ERRORS = list(CellError)
DAY = date(2026, 5, 15)
SERIAL = 46157  # of DAY, counted by hand: 2026-01-01 is 46023
SERIAL_1904 = SERIAL - 1462

# A probe per kind: a function, the arguments before the probed one, and how what was read shows in the result.
# PR_FRAUD returns its amount; PR_DAYS_LATE counts from 2026-05-01; PR_RETIREMENT_DEBT on 1,000.00 for a year adds 1,000 × rate.
PROBES: dict[str, tuple[str, list[Any], list[Any]]] = {
    "money": ("PR_FRAUD", [], []),
    "days": ("PR_SURCHARGE_RATE", [], []),
    "rate": ("PR_RETIREMENT_DEBT", [1000], [365]),
    "date": ("PR_DAYS_LATE", [date(2026, 5, 1)], []),
    "optional date": ("PR_SURCHARGE_RATE", [31], []),
    "flag": ("PR_RETIREMENT_OFFENSE", [], []),
    "text": ("PR_LAW", [], []),
}
NONE, MISDEMEANOR = "none", "misdemeanor"
NO_KEY = NA

# kind -> cell -> what the probe shows
TABLE: dict[str, list[tuple[Any, Any]]] = {
    "money": [
        *((error, error) for error in ERRORS),
        (None, 0.0),
        (0, 0.0),
        (1234.5, 1234.5),
        (1234, 1234.0),
        (0.1 + 0.2, 0.3),
        (1.005, 1.01),
        (2.675, 2.68),
        (8.325, 8.33),
        (1e-300, 0.0),
        (999_999_999_999_999, 999_999_999_999_999.0),
        (999_999_999_999_999.0, 999_999_999_999_999.0),
        (999_999_999_999_999.5, NUM),  # shown as 1E+15
        (1e15, NUM),
        (10**15, NUM),
        (10**40, NUM),
        (-0.01, NUM),
        (-1, NUM),
        (-1e-9, NUM),
        (float("nan"), NUM),
        (float("inf"), NUM),
        (float("-inf"), NUM),
        (Decimal("1234.5678"), 1234.57),
        (Decimal("0.005"), 0.01),
        (Decimal("-0.01"), NUM),
        (Decimal("1E+15"), NUM),
        (Decimal("NaN"), NUM),
        (Decimal("Infinity"), NUM),
        ("1,234.56", 1234.56),
        ("$1,234.56", 1234.56),
        ("  $ 1,234.56  ", 1234.56),
        ("\u00a0$\u00a01,234.56\u00a0", 1234.56),
        ("\t1234.56\n", 1234.56),
        ("(250.00)", NUM),
        ("-250.00", NUM),
        ("\u2212250.00", NUM),
        ("$-250.00", (NUM, VALUE)),
        ("-$250.00", NUM),
        ("1.234,56", VALUE),
        ("12,50", VALUE),
        ("1,5", VALUE),
        ("0,25", VALUE),
        ("1,2345", VALUE),
        ("1'234.56", VALUE),
        ("1 234.56", VALUE),
        ("1\u00a0234.56", VALUE),
        ("1\u202f234.56", VALUE),
        ("25%", VALUE),
        ("1e3", VALUE),
        ("1E+3", VALUE),
        ("nan", VALUE),
        ("inf", VALUE),
        ("٣", VALUE),
        ("１２", VALUE),
        ("²", VALUE),
        ("0b1", VALUE),
        ("1_000", VALUE),
        ("+5", (5.0, VALUE)),
        ("--5", VALUE),
        ("", VALUE),
        (" ", VALUE),
        ("-", VALUE),
        ("()", VALUE),
        ("$", VALUE),
        (",", VALUE),
        (".", VALUE),
        ("abc", VALUE),
        ("TRUE", VALUE),
        ("#REF!", VALUE),
        ("#N/A", VALUE),
        ("2026-05-15", VALUE),
        ("123456789012345", 123456789012345.0),
        ("$1,234,567,890,123.45", 1234567890123.45),
        ("000000000000000001.50", 1.5),
        ("1,234,567,890,123.456", NUM),
        ("1234567890123456", NUM),
        ("9" * 400, NUM),
        (True, VALUE),
        (False, VALUE),
        (DAY, VALUE),
        (datetime(2026, 5, 15, 12), VALUE),
    ],
    "days": [
        *((error, error) for error in ERRORS),
        (None, 0.0),
        (30, 0.0),
        (31, 0.05),
        (31.0, 0.05),
        (30.999, 0.0),
        (60.999, 0.05),
        (-0.999, 0.0),
        (-31, 0.0),
        (91.5, 0.15),
        (Decimal("31.9"), 0.05),
        (29.999999999999996447286321199499070644378662109375, 0.0),
        (30.9999999999999964, 0.05),  # shown as 31
        ("31", 0.05),
        ("31.9", 0.05),
        (" 31 ", 0.05),
        ("-31", 0.0),
        ("\u221231", 0.0),
        ("1,000", 0.15),
        ("31 días", VALUE),
        ("31,5", VALUE),
        ("", VALUE),
        ("treinta", VALUE),
        ("31%", VALUE),
        (1e15, NUM),
        (-1e15, NUM),
        (10**20, NUM),
        (float("nan"), NUM),
        (float("inf"), NUM),
        (True, VALUE),
        (False, VALUE),
        (DAY, VALUE),
        (datetime(2026, 5, 15, 12), VALUE),
    ],
    "rate": [
        *((error, error) for error in ERRORS),
        (None, VALUE),  # RS-11: a blank rate is refused, there is no default
        (OMITTED, VALUE),
        (0, 1000.0),
        (0.1, 1100.0),
        (Decimal("0.0725"), 1072.5),
        (1, 2000.0),
        ("0.1", 1100.0),
        ("10%", 1100.0),
        ("10 %", 1100.0),
        ("7.25%", 1072.5),
        (" 10% ", 1100.0),
        ("12,50%", VALUE),
        ("7,25 %", VALUE),
        ("10%%", VALUE),
        ("%", VALUE),
        ("10 per cent", VALUE),
        ("", VALUE),
        (-0.1, NUM),
        ("-10%", NUM),
        (float("nan"), NUM),
        (1e15, NUM),
        (True, VALUE),
        (False, VALUE),
        (DAY, VALUE),
        (datetime(2026, 5, 15, 12), VALUE),
    ],
    "date": [
        *((error, error) for error in ERRORS),
        (None, VALUE),
        (OMITTED, VALUE),
        (DAY, 14),
        (datetime(2026, 5, 15), 14),
        (datetime(2026, 5, 15, 23, 59, 59), 14),
        (datetime(2026, 5, 15, 23, 59, tzinfo=timezone(timedelta(hours=-4))), 14),
        (SERIAL, 14),
        (float(SERIAL), 14),
        (SERIAL + 0.999988, 14),
        (Decimal(SERIAL), 14),
        (61, 0),
        (date(1900, 3, 1), 0),
        ("1900-03-01", 0),
        (date(1900, 2, 28), NUM),
        (datetime(1900, 2, 28, 23), NUM),
        ("1900-02-28", NUM),
        (60, NUM),
        (60.5, NUM),
        (59, NUM),
        (1, NUM),
        (0, NUM),
        (-1, NUM),
        (-46157, NUM),
        (2_958_465, (date(9999, 12, 31) - date(2026, 5, 1)).days),
        (2_958_465.5, (date(9999, 12, 31) - date(2026, 5, 1)).days),
        (2_958_466, NUM),
        (1e300, NUM),
        (10**400, NUM),
        (float("nan"), NUM),
        (float("inf"), NUM),
        ("2026-05-15", 14),
        ("2026-05-32", VALUE),
        ("2025-02-29", VALUE),
        ("0000-01-01", VALUE),
        ("2026-5-15", VALUE),
        ("20260515", VALUE),
        ("2026-W20-5", VALUE),
        ("2026-135", VALUE),
        ("2026-05-15T00:00:00", VALUE),
        ("2026-05-15 00:00", VALUE),
        ("2026-05-15Z", VALUE),
        ("+2026-05-15", VALUE),
        ("-2026-05-15", VALUE),
        ("05/15/2026", VALUE),
        ("15/05/2026", VALUE),
        ("5-15-26", VALUE),
        ("15-may-2026", VALUE),
        ("may 15, 2026", VALUE),
        ("٢٠٢٦-٠٥-١٥", VALUE),
        ("46157", VALUE),
        ("", VALUE),
        ("hoy", VALUE),
        (True, VALUE),
        (False, VALUE),
    ],
    "optional date": [
        *((error, error) for error in ERRORS),
        (None, 0.05),
        (OMITTED, 0.05),
        (DAY, 0.05),
        (date(2013, 11, 25), NA),
        (datetime(2013, 11, 25, 23, 59), NA),
        (datetime(2013, 11, 26), 0.05),
        (41_603, NA),  # 2013-11-25
        (41_604, 0.05),
        ("2013-11-25", NA),
        ("2013-11-26", 0.05),
        ("11/26/2013", VALUE),
        ("", VALUE),
        (60, NUM),
        (True, VALUE),
    ],
    "flag": [
        *((error, error) for error in ERRORS),
        (None, MISDEMEANOR),
        (OMITTED, MISDEMEANOR),
        (True, NONE),
        (False, MISDEMEANOR),
        (1, NONE),
        (1.0, NONE),
        (Decimal(1), NONE),
        (0, MISDEMEANOR),
        (0.0, MISDEMEANOR),
        (-0.0, MISDEMEANOR),
        (2, VALUE),
        (-1, VALUE),
        (0.5, VALUE),
        (float("nan"), VALUE),
        ("yes", NONE),
        ("Yes", NONE),
        ("sí", NONE),
        ("Sí", NONE),
        ("SÍ", NONE),
        ("si\u0301", NONE),  # the accent as a mark of its own, as a Mac types it
        ("true", NONE),
        ("TRUE", NONE),
        ("no", MISDEMEANOR),
        ("NO", MISDEMEANOR),
        ("false", MISDEMEANOR),
        ("y", VALUE),
        ("1", VALUE),
        ("verdad", VALUE),
        ("", VALUE),
        ("oui", VALUE),
        (DAY, VALUE),
        (datetime(2026, 5, 15, 12), VALUE),
    ],
    "text": [
        *((error, error) for error in ERRORS),
        (None, NO_KEY),
        ("withholding.fine.max", 500.0),
        ("withholding.fine.min", 100.0),
        ("", NO_KEY),
        (500, NO_KEY),
        (500.5, NO_KEY),
        (True, NO_KEY),
        (DAY, NO_KEY),
        (datetime(2026, 5, 15, 12), NO_KEY),
    ],
}
ROWS = [(kind, cell, shown) for kind, rows in TABLE.items() for cell, shown in rows]


def name(value: Any) -> str:
    return repr(value)[:40].encode("ascii", "backslashreplace").decode()


def probe(kind: str, cell: Any) -> list[Any]:
    _, before, after = PROBES[kind]
    return [*before, cell, *after]


def alike(got: Any, wanted: Any) -> bool:
    if isinstance(wanted, tuple):  # FUNCTIONS.md leaves it open, but one of these it must be
        return any(alike(got, one) for one in wanted)
    if isinstance(wanted, CellError):
        return got is wanted
    return type(got) is type(wanted) and got == wanted and repr(got) == repr(wanted)


@pytest.mark.parametrize(("kind", "cell", "shown"), ROWS, ids=lambda value: name(value))
def test_scalar(kind: str, cell: Any, shown: Any) -> None:
    got = call(FUNCTIONS[PROBES[kind][0]], probe(kind, cell))
    assert alike(got, shown), f"{got!r} instead of {shown!r}"


@pytest.mark.parametrize("kind", TABLE)
@pytest.mark.parametrize("across", [False, True], ids=["column", "row"])
def test_range(kind: str, across: bool) -> None:
    cells = [cell for cell, _ in TABLE[kind] if cell is not OMITTED]
    shown = [shown for cell, shown in TABLE[kind] if cell is not OMITTED]
    rows = [cells] if across else [[cell] for cell in cells]
    got = call(FUNCTIONS[PROBES[kind][0]], probe(kind, rows))
    assert isinstance(got, list)
    flat = got[0] if across else [row[0] for row in got]
    assert len(flat) == len(shown)
    wrong = [(cell, g, w) for cell, g, w in zip(cells, flat, shown, strict=True) if not alike(g, w)]
    assert wrong == []


@pytest.mark.parametrize("kind", TABLE)
def test_prepared_caller_reads_the_same(kind: str) -> None:
    one = caller(FUNCTIONS[PROBES[kind][0]])
    wrong = [
        (cell, one(*probe(kind, cell)), shown)
        for cell, shown in TABLE[kind]
        if not alike(one(*probe(kind, cell)), shown)
    ]
    assert wrong == []


@pytest.mark.parametrize("cell", [-0.0, "-0", "(0.00)", Decimal("-0"), "\u22120"], ids=name)
def test_minus_zero_is_zero(cell: Any) -> None:
    """-0.0 would be written into a sheet as -0."""
    for function in ("PR_FRAUD", "PR_INTEREST", "PR_PAYOFF"):
        rest = {"PR_FRAUD": [], "PR_INTEREST": [10], "PR_PAYOFF": [DAY, None, None, DAY]}[function]
        assert repr(call(FUNCTIONS[function], [cell, *rest])) == "0.0"


def test_results_are_what_a_cell_can_hold() -> None:
    for function, arguments, kind in [
        ("PR_FRAUD", [10], float),
        ("PR_SURCHARGE_RATE", [31], float),
        ("PR_DAYS_LATE", [DAY, DAY], int),
        ("PR_BOND_DUE", [DAY], date),
        ("PR_RETIREMENT_PRIORITY", [31], bool),
        ("PR_RETIREMENT_OFFENSE", [], str),
        ("PR_VERSION", [], str),
        ("PR_LAW_REVIEWED", [], date),
        ("PR_FRAUD", ["x"], CellError),
    ]:
        assert type(call(FUNCTIONS[function], arguments)) is kind, function
    for line in call(FUNCTIONS["PR_LEDGER"], [100, DAY, DAY, 40, date(2026, 9, 1)]):
        assert [type(cell) for cell in line] == [date, float, int, float, float]
    for row in call(FUNCTIONS["PR_EXPLAIN"], ["PR_LATE_FILE", 8000, 47, 5000, 1200]):
        assert len(row) == 3
        assert not any(isinstance(cell, Decimal) or cell is None for cell in row)


# ------------------------------------------------------------------------------------------------- serial days, 1904


@pytest.mark.parametrize(
    ("serial", "date1904", "day"),
    [
        (61, False, date(1900, 3, 1)),
        (36526, False, date(2000, 1, 1)),
        (45351, False, date(2024, 2, 29)),
        (SERIAL, False, DAY),
        (SERIAL + 0.75, False, DAY),
        (2_958_465, False, date(9999, 12, 31)),
        (SERIAL_1904, True, DAY),
        (35064, True, date(2000, 1, 1)),
        (61, True, date(1904, 3, 2)),
        (2_957_003, True, date(9999, 12, 31)),
    ],
)
def test_serial_days(serial: float, date1904: bool, day: date) -> None:
    assert from_serial(serial, date1904) == day
    assert to_serial(day, date1904) == int(serial)


@pytest.mark.parametrize("serial", [60, 60.99, 59, 1, 0, -1, -1400, 2_958_466, 1e12, -1e12])
@pytest.mark.parametrize("date1904", [False, True])
def test_serials_that_are_no_day(serial: float, date1904: bool) -> None:
    """FUNCTIONS.md: serial < 61 is #NUM!, in both systems; a 0 from a formula on a blank must not become 1904-01-01."""
    with pytest.raises(Refusal) as refused:
        from_serial(serial, date1904)
    assert refused.value.error is NUM


def test_every_day_of_a_century_and_back() -> None:
    for date1904 in (False, True):
        day = date(1950, 1, 1)
        while day < date(2050, 1, 1):
            assert from_serial(to_serial(day, date1904), date1904) == day
            day += timedelta(days=37)


def test_calls_in_a_1904_workbook() -> None:
    due, paid = SERIAL_1904, SERIAL_1904 + 116
    assert call(FUNCTIONS["PR_DAYS_LATE"], [due, paid], date1904=True) == 116
    assert call(FUNCTIONS["PR_DAYS_LATE"], [DAY, paid], date1904=True) == 116, "real dates know no system"
    assert call(FUNCTIONS["PR_DAYS_LATE"], ["2026-05-15", paid], date1904=True) == 116
    assert call(FUNCTIONS["PR_BOND_DUE"], [due], date1904=True) == DAY + timedelta(days=30)
    assert call(FUNCTIONS["PR_BOND_DUE"], [due, [[due + 30]]], date1904=True) == DAY + timedelta(days=31)
    assert call(FUNCTIONS["PR_SURCHARGE_RATE"], [31, to_serial(date(2013, 11, 25), True)], date1904=True) is NA
    assert caller(FUNCTIONS["PR_DAYS_LATE"], date1904=True)(due, paid) == 116
    explained = explain(FUNCTIONS["PR_DAYS_LATE"], [due, paid], date1904=True)
    assert any(step.value == 116 for step in explained)
    table = call(FUNCTIONS["PR_EXPLAIN"], ["PR_DAYS_LATE", due, paid], date1904=True)
    assert any(row[1] == 116 for row in table)
    assert call(FUNCTIONS["PR_PAYOFF"], [100, due, [[due]], [[40]], due], date1904=True) == 60.0


# ------------------------------------------------------------------------------------------------------------- ranges


def test_sizes_match_or_are_one() -> None:
    surcharge = FUNCTIONS["PR_SURCHARGE"]
    column, row = [[100], [200]], [[100, 200]]
    assert call(surcharge, [column, 31]) == [[5.0], [10.0]]
    assert call(surcharge, [row, 31]) == [[5.0, 10.0]]
    assert call(surcharge, [column, [[31]]]) == [[5.0], [10.0]]
    assert call(surcharge, [[[100]], [[31], [61]]]) == [[5.0], [10.0]]
    assert call(surcharge, [column, [[31], [61]]]) == [[5.0], [20.0]]
    assert call(surcharge, [[[100, 200], [300, 400]], [[31, 61], [91, 0]]]) == [[5.0, 20.0], [45.0, 0.0]]
    for wrong in ([[31, 61]], [[31], [61], [91]], [[31, 61], [31, 61]], []):
        assert call(surcharge, [column, wrong]) is VALUE
    assert call(surcharge, [[[100], [200, 300]], 31]) is VALUE, "ragged"
    assert call(surcharge, [((100,), (200,)), 31]) == [[5.0], [10.0]], "rows as tuples, as COM hands them over"


def test_every_cell_of_a_range_stands_alone() -> None:
    cells = [[500.2, None, "$500.20"], ["12,50", -1, CellError.REF], [True, DAY, 10000.01]]
    assert call(FUNCTIONS["PR_RETURNED_CHECK"], [cells]) == [
        [25.01, 0.0, 25.01],
        [VALUE, NUM, CellError.REF],
        [VALUE, VALUE, 1000.0],
    ]


def test_too_few_and_too_many_arguments() -> None:
    for function in FUNCTIONS.values():
        if function.explains:
            continue
        if function.required:
            assert call(function, []) is VALUE
        assert call(function, [1] * (len(function.arguments) + 1)) is VALUE


def test_lists_are_read_whole() -> None:
    bond = FUNCTIONS["PR_BOND_DUE"]
    start, last = date(2026, 11, 25), date(2026, 12, 25)
    for holidays in (
        last,
        [[last]],
        [[last, None]],
        [[None], [last]],
        ((last,),),
        [["2026-12-25"]],
        [[to_serial(last)]],
        [[datetime(2026, 12, 25, 9)]],
    ):
        assert call(bond, [start, holidays]) == date(2026, 12, 26), holidays
    for nothing in (OMITTED, None, [[None]], [[None, None]]):
        assert call(bond, [start, nothing]) == last
    assert call(bond, [start, [["Christmas"]]]) is VALUE
    assert call(bond, [start, [[True]]]) is VALUE
    assert call(bond, [start, [[5]]]) is NUM
    assert call(bond, [start, [[last], [CellError.DIV0]]]) is CellError.DIV0
    assert call(bond, [[[start], [date(2026, 3, 2)]], [[last], [date(2026, 12, 26)]]]) == [
        [date(2026, 12, 27)],
        [date(2026, 4, 1)],
    ]


def test_payments_are_pairs() -> None:
    payoff = FUNCTIONS["PR_PAYOFF"]

    def owed(dates: Any, amounts: Any) -> Any:
        return call(payoff, [1000, DAY, dates, amounts, DAY])

    assert owed([[DAY], [None]], [[100], [None]]) == 900.0
    assert owed([[None], [DAY]], [[None], [100]]) == 900.0
    assert owed([[None]], [[100]]) is VALUE, "a payment without its date"
    assert owed(None, 100) is VALUE
    assert owed([[DAY], [DAY]], [[100]]) is VALUE
    assert owed([[DAY]], None) in (1000.0, VALUE)
    assert owed([[DAY]], [["$100.00"]]) == 900.0
    assert owed([[DAY]], [["12,50"]]) is VALUE
    assert owed([[DAY]], [[-100]]) is NUM
    assert owed([[DAY]], [[True]]) is VALUE
    assert owed([[DAY], [CellError.NA]], [[100], [100]]) is NA
    assert owed([[DAY], [DAY]], [[100], [CellError.NA]]) is NA


def test_dates_beyond_the_calendar() -> None:
    last = date(9999, 12, 31)
    for function in ("PR_BOND_DUE", "PR_BOND_RELEASE", "PR_CRIM_REMITTANCE_DUE", "PR_RETIREMENT_STATEMENT_DUE"):
        assert call(FUNCTIONS[function], [last]) is NUM
    assert call(FUNCTIONS["PR_BOND_RELEASE"], [date(9996, 2, 29)]) is NUM
    steps = explain(FUNCTIONS["PR_BOND_DUE"], [last])
    assert NUM in [step.value for step in steps]


# ------------------------------------------------------------------------------------------------------------ notices


def notices(function: str, *cells: Any) -> list[tuple[str, str]]:
    heard: list[tuple[str, str]] = []

    def notice(kind: str, argument: str, reason: T) -> None:
        assert reason.en
        assert reason.es
        assert reason.en != reason.es
        heard.append((kind, argument))

    caller(FUNCTIONS[function], notice=notice)(*cells)
    return heard


@pytest.mark.parametrize(
    ("function", "cells", "heard"),
    [
        ("PR_LATE_FILE", (8000, 47, 5000, 1200), []),
        ("PR_LATE_FILE", (None, 47), [("blank", "tax")]),
        ("PR_LATE_FILE", (8000, None), [("blank", "days")]),
        ("PR_LATE_FILE", (None, None), [("blank", "tax"), ("blank", "days")]),
        ("PR_LATE_FILE", (8000, 47, None, None, None, None), []),
        ("PR_LATE_FILE", (8000, 47, OMITTED), []),
        ("PR_LATE_FILE", (8000, 91), [("capped", "")]),
        ("PR_LATE_FILE", (8000, 61), []),  # exactly 25 %: nothing was cut
        ("PR_LATE_FILE", ("12,50", 47), [("unreadable", "tax")]),
        ("PR_LATE_FILE", (8000, "x"), [("unreadable", "days")]),
        ("PR_LATE_FILE", (8000, 47, "x"), [("unreadable", "paid_on_time")]),
        ("PR_LATE_FILE", (-1, 47), [("unreadable", "tax")]),
        ("PR_LATE_FILE", (True, 47), [("unreadable", "tax")]),
        ("PR_LATE_FILE", (CellError.NA, 47), [("error", "tax")]),
        ("PR_LATE_FILE", (8000, CellError.REF), [("error", "days")]),
        ("PR_PROPERTY_LATE_FILE", (100, 151), [("capped", "")]),
        ("PR_PROPERTY_LATE_FILE", (100, 150), []),
        ("PR_DAYS_LATE", (None, DAY), [("blank", "due_on")]),
        ("PR_DAYS_LATE", (DAY, "05/15/2026"), [("unreadable", "done_on")]),
        ("PR_RETIREMENT_DEBT", (1000, None, 31), [("blank", "rate")]),
        ("PR_PAYOFF", (100, DAY, [[DAY], [CellError.NA]], [[1], [2]], DAY), [("error", "paid_dates")]),
        ("PR_PAYOFF", (100, DAY, [[DAY]], [["x"]], DAY), [("unreadable", "paid_amounts")]),
        ("PR_PAYOFF", (100, DAY, None, None, DAY), []),
        ("PR_PAYOFF", (100, DAY, [[DAY], [None]], [[1], [None]], DAY), []),
        ("PR_PAYOFF", (100, DAY, [[DAY], [DAY]], [[1], [None]], DAY), [("blank", "paid_amounts")]),
        ("PR_LEDGER", (100, DAY, DAY, None, DAY), [("blank", "paid_amounts")]),
    ],
)
def test_notice(function: str, cells: tuple[Any, ...], heard: list[tuple[str, str]]) -> None:
    got = notices(function, *cells)
    assert list(dict.fromkeys(got)) == heard or (
        heard and heard[0][0] == "blank" and set(heard) <= set(got) and {k for k, _ in got} <= {"blank", "unreadable"}
    )


def test_notices_belong_to_their_own_call() -> None:
    heard: list[str] = []
    one = caller(FUNCTIONS["PR_LATE_FILE"], notice=lambda kind, argument, reason: heard.append(kind))
    one(100, 91)
    one(100, "x")
    one(100, 30)
    assert heard == ["capped", "unreadable"]


def test_notice_changes_no_result() -> None:
    for kind, rows in TABLE.items():
        function = FUNCTIONS[PROBES[kind][0]]
        quiet, told = caller(function), caller(function, notice=lambda *heard: None)
        for cell, _ in rows:
            assert repr(quiet(*probe(kind, cell))) == repr(told(*probe(kind, cell)))


# --------------------------------------------------------------------------------------------------- explaining, defects


@pytest.mark.parametrize(("kind", "cell", "shown"), ROWS, ids=lambda value: name(value))
def test_explain_never_raises_and_tells_the_error(kind: str, cell: Any, shown: Any) -> None:
    function = FUNCTIONS[PROBES[kind][0]]
    steps = explain(function, probe(kind, cell))
    result = call(function, probe(kind, cell))
    if isinstance(result, CellError):
        assert [step.value for step in steps if isinstance(step.value, CellError)] == [result]
    else:
        assert not any(isinstance(step.value, CellError) for step in steps)


def test_a_defect_is_an_error_value_and_a_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    def broken(amount: Decimal, trace: Any = None) -> Decimal:
        raise ZeroDivisionError("a defect")

    function = FUNCTIONS["PR_FRAUD"]._replace(compute=broken, arguments=FUNCTIONS["PR_FRAUD"].arguments[:1])
    with caplog.at_level(logging.ERROR, "recargos"):
        assert call(function, [100]) is VALUE
    assert "PR_FRAUD" in caplog.text
    assert call(function, [[[100], [CellError.NA]]]) == [[VALUE], [NA]]
    assert VALUE in [step.value for step in explain(function, [100])]


@pytest.mark.parametrize(
    "strange",
    [object(), b"bytes", {"a": 1}, {1}, 1j, timedelta(1), lambda: 1, Ellipsis],
    ids=lambda value: type(value).__name__,
)
def test_what_no_cell_holds_is_value(strange: Any) -> None:
    for kind in ("money", "days", "rate", "date", "flag"):
        assert call(FUNCTIONS[PROBES[kind][0]], probe(kind, strange)) is VALUE, kind


ABOUT: dict[str, list[Any]] = {
    "nothing": [],
    "blank": [None],
    "omitted": [OMITTED],
    "error": [CellError.NA],
    "unknown": ["PR_X"],
    "number": [5],
    "huge number": [10**400],
    "no number": [float("nan")],
    "flag": [True],
    "date": [DAY],
    "object": [object()],
    "range": [[["PR_FRAUD"]], 100],
    "empty range": [[[]]],
    "too few": ["PR_FRAUD"],
    "range inside": ["PR_FRAUD", [[1], [2]]],
    "itself": ["PR_EXPLAIN", "PR_FRAUD"],
}


def test_a_range_of_one_cell_is_that_cell_in_explanations_too() -> None:
    fraud, explain_ = FUNCTIONS["PR_FRAUD"], FUNCTIONS["PR_EXPLAIN"]
    alone = explain(fraud, [100])
    assert explain(fraud, [[[100]]]) == alone
    assert explain(fraud, [((100,),)]) == alone
    named = call(explain_, ["PR_FRAUD", 100])
    assert call(explain_, [[["PR_FRAUD"]], [[100]]]) == named
    for several in ([[100], [200]], [[100, 200]], [[]]):
        assert VALUE in [step.value for step in explain(fraud, [several])]
        assert VALUE in [row[1] for row in call(explain_, ["PR_FRAUD", several])]


def test_a_table_does_not_spill_inside_a_range() -> None:
    ledger = FUNCTIONS["PR_LEDGER"]
    one = call(ledger, [100, DAY, None, None, DAY])
    assert one == [[DAY, 100.0, 0, 0.0, 0.0]]
    assert call(ledger, [[[100]], DAY, None, None, DAY]) == one
    assert call(ledger, [[[100], [200]], DAY, None, None, DAY]) is VALUE


@pytest.mark.parametrize("arguments", ABOUT.values(), ids=ABOUT)
@pytest.mark.parametrize("function", ["PR_EXPLAIN", "PR_EXPLICAR", "PR_CITE", "PR_CITA"])
def test_functions_about_functions_never_raise(function: str, arguments: list[Any]) -> None:
    result = call(FUNCTIONS[function], arguments)
    assert isinstance(result, CellError | str | list)


def kinds_of(cells: Iterable[Any]) -> set[type]:
    return {type(cell) for cell in cells}


def test_the_table_covers_every_row_by_every_kind() -> None:
    """Errors, blanks, numbers, text, booleans and dates for every kind."""
    for kind, rows in TABLE.items():
        assert {CellError, type(None), str, bool, date} <= kinds_of(cell for cell, _ in rows), kind
        assert {int, float} & kinds_of(cell for cell, _ in rows), kind


@pytest.mark.parametrize(
    "context",
    [
        Context(prec=6),
        Context(prec=6, rounding=ROUND_FLOOR),
        Context(prec=9, traps=[Inexact]),
        Context(prec=28, Emin=-3, Emax=3),
    ],
    ids=["6 digits", "rounding down", "inexact refused", "narrow"],
)
def test_a_hosts_decimal_context_changes_nothing(context: Context) -> None:
    """Other code in the same process may set the thread's precision, rounding and traps."""
    calls: list[tuple[str, list[Any]]] = [
        ("PR_FRAUD", [123456789.01]),
        ("PR_FRAUD", ["$123,456,789.01"]),
        ("PR_FRAUD", [Decimal("123456789.01")]),
        ("PR_RETURNED_CHECK", [123456.75]),
        ("PR_RETURNED_CHECK", [9880.15, 10400.15]),
        ("PR_LATE_FILE", [87654321.09, 47, 5000.01, 1200.02]),
        ("PR_LATE_FILE_BASE", [87654321.09, 5000.01, 1200.02]),
        ("PR_INTEREST", [87654321.09, 123]),
        ("PR_SURCHARGE", [87654321.09, 123]),
        ("PR_EXTENSION_INTEREST", [87654321.09, 250.01, DAY, date(2026, 9, 12)]),
        ("PR_PROPERTY_LATE_FILE", [87654321.09, 123]),
        ("PR_DISCOUNT_LATE_FILE", [87654321.09, 123]),
        ("PR_NEGLIGENCE", [87654321.09]),
        ("PR_WITHHOLDING_SHORTFALL", [87654321.09, 0.01]),
        ("PR_WITHHOLDING_PENALTY", [87654321.09, 0.375]),
        ("PR_WITHHOLDING_BOND", [87654321.09]),
        ("PR_RETIREMENT_DEBT", [87654321.09, "7.25%", 123]),
        ("PR_PAYOFF", [87654321.09, DAY, [[date(2026, 6, 20)]], [[1234567.89]], date(2026, 9, 15)]),
    ]
    wanted = [call(FUNCTIONS[name], arguments) for name, arguments in calls]
    assert not any(isinstance(value, CellError) for value in wanted)
    with localcontext(context):
        got = [call(FUNCTIONS[name], arguments) for name, arguments in calls]
    wrong = [(c, g, w) for c, g, w in zip(calls, got, wanted, strict=True) if g != w]
    assert wrong == []


@pytest.mark.parametrize("number", [1e300, 1.7e308, 1e15, -1e300, 10**400], ids=name)
def test_a_number_too_large_is_called_so(number: float) -> None:
    for function in ("PR_FRAUD", "PR_RETURNED_CHECK"):
        assert call(FUNCTIONS[function], [number]) is NUM
        (error,) = [step for step in explain(FUNCTIONS[function], [number]) if step.value is NUM]
        assert "9999" not in error.label("en"), "an amount is no date"
