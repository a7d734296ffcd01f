"""The words of an explanation: the figures in them are those of the call, in both languages."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from recargos.cells import call, explain
from recargos.law import Step
from recargos.money import Figure
from recargos.statutes import FUNCTIONS


def steps(function: str, *arguments: Any) -> list[Step]:
    return explain(FUNCTIONS[function], arguments)


def of(rule: str, function: str, *arguments: Any) -> list[Step]:
    return [step for step in steps(function, *arguments) if step.rule == rule]


@pytest.mark.parametrize(
    ("number", "spec", "shown"),
    [
        ("0.125", "$", "0.13"),
        ("0.135", "$", "0.14"),
        ("2.5", "$", "2.50"),
        ("1234567.895", "$", "1,234,567.90"),
        ("0", "$", "0.00"),
        ("-1580.96", "$", "-1,580.96"),
        ("0.04125", "%", "4.125%"),
        ("0.05", "%", "5%"),
        ("0.10", "%", "10%"),
        ("1", "%", "100%"),
        ("0", "%", "0%"),
        ("0.3333333333", "%", "33.33333333%"),
        ("10000", ",", "10,000"),
    ],
)
def test_figures_in_words(number: str, spec: str, shown: str) -> None:
    assert format(Figure(number), spec) == shown


def test_late_filing_can_be_followed_line_by_line() -> None:
    lines = [(step.rule, step.value) for step in steps("PR_LATE_FILE", 8000, 47, 5000, 1200) if step.value is not None]
    assert lines == [
        ("LF-5", Decimal(3000)),
        ("LF-6", Decimal(1800)),
        ("LF-1", 47),
        ("LF-2", Decimal("0.05")),
        ("LF-3", Decimal("0.15")),
        ("", Decimal("270.00")),
    ]
    for language, figures in {
        "en": ["8,000.00", "5,000.00", "1,200.00", "47 days", "30 days", "5%", "10%"],
        "es": ["8,000.00", "5,000.00", "1,200.00", "47 días", "30 días", "5%", "10%"],
    }.items():
        text = "\n".join(step.label(language) for step in steps("PR_LATE_FILE", 8000, 47, 5000, 1200))
        assert [figure for figure in figures if figure not in text] == []


@pytest.mark.parametrize(
    ("days", "rules"),
    [
        (0, ["LF-1"]),
        (1, ["LF-1", "LF-2"]),
        (30, ["LF-1", "LF-2"]),
        (31, ["LF-1", "LF-2", "LF-3"]),
        (60, ["LF-1", "LF-2", "LF-3"]),
        (61, ["LF-1", "LF-2", "LF-3", "LF-4"]),
        (91, ["LF-1", "LF-2", "LF-3", "LF-4"]),
    ],
)
def test_late_filing_tells_only_the_steps_it_took(days: int, rules: list[str]) -> None:
    assert [step.rule for step in steps("PR_LATE_FILE_RATE", days) if step.rule] == rules


@pytest.mark.parametrize(
    ("rule", "function", "arguments", "figures"),
    [
        ("LF-1", "PR_LATE_FILE_RATE", (-3,), ["0 "]),
        ("LF-3", "PR_LATE_FILE_RATE", (45,), ["10%", "30 ", "1"]),
        ("LF-3", "PR_LATE_FILE_RATE", (61,), ["10%", "30 ", "2"]),
        ("LF-4", "PR_LATE_FILE_RATE", (200,), ["25%"]),
        ("RC-2", "PR_RETURNED_CHECK", (500.2,), ["10,000", "5%", "25 "]),
        ("RC-3", "PR_RETURNED_CHECK", (25000,), ["10,000", "10%"]),
        ("PP-1", "PR_INTEREST", (1234.565, 47), ["10%", "1,234.57", "47 ", "365"]),
        ("PP-1", "PR_INTEREST", (1234.5, -4, 360), ["10%", "1,234.50", "0 ", "360"]),
        ("PP-2", "PR_EXTENSION_INTEREST", (10000, 250, date(2026, 8, 13), date(2026, 9, 12)), ["10,250.00", "30 ", "365"]),
        ("PP-3", "PR_DEFICIENCY_INTEREST", (8000, date(2023, 5, 15), date(2024, 3, 2)), ["8,000.00", "292 "]),
        ("PP-4", "PR_DEFICIENCY_INTEREST", (8000, date(2023, 5, 15), date(2024, 3, 2), date(2024, 1, 2)), ["30", "2024-02-01"]),
        ("PP-5", "PR_NOTICE_INTEREST", (5000, date(2026, 3, 2), date(2026, 3, 13)), ["10 ", "10%", "5,000.00", "11 "]),
        ("PP-5", "PR_NOTICE_INTEREST", (5000, date(2026, 3, 2), date(2026, 3, 12)), ["10 "]),
        ("PP-7", "PR_SURCHARGE_RATE", (-3,), ["0 ", "30 "]),
        ("PP-7", "PR_SURCHARGE_RATE", (30,), ["30 "]),
        ("PP-8", "PR_SURCHARGE_RATE", (47,), ["47 ", "30 ", "60", "5%"]),
        ("PP-9", "PR_SURCHARGE_RATE", (77,), ["77 ", "60 ", "90", "10%"]),
        ("PP-10", "PR_SURCHARGE_RATE", (123,), ["123 ", "90", "15%"]),
        ("PP-11", "PR_SURCHARGE", (4000, 56), ["4,000.00"]),
        ("PP-13", "PR_PROPERTY_LATE_FILE_RATE", (-1,), ["0 ", "0%", "30 ", "25%"]),
        ("PP-13", "PR_PROPERTY_LATE_FILE_RATE", (91,), ["91 ", "20%", "4 ", "30 ", "25%"]),
        ("PP-13", "PR_PROPERTY_LATE_FILE_RATE", (400,), ["400 ", "25%", "14 "]),
        ("PP-14", "PR_PROPERTY_LATE_FILE", (4000, 56), ["4,000.00"]),
        ("PP-15", "PR_DISCOUNT_LATE_FILE", (100.1, 31), ["5%", "5.01"]),
        ("PP-16", "PR_NEGLIGENCE", (1234.55,), ["10%", "1,234.55"]),
        ("PP-17", "PR_FRAUD", (1234.55,), ["100%", "1,234.55"]),
        ("PW-1", "PR_WITHHOLDING_REFERRAL_DUE", (date(1993, 1, 15),), ["60 ", "1993-03-16"]),
        ("PW-3", "PR_WITHHOLDING_PENALTY_MIN", (1000,), ["100 ", "500 ", "1 ", "6 "]),
        ("PW-4", "PR_WITHHOLDING_PENALTY", (1000, 0.33335), ["33.335%", "1,000.00", "25%", "50%"]),
        ("PW-5", "PR_WITHHOLDING_PENALTY_MIN", (400, True), ["300 "]),
        ("PW-7", "PR_WITHHOLDING_BOND", (20000,), ["20,000.00", "1 ", "10%"]),
        ("PW-8", "PR_BOND_DUE", (date(1993, 3, 1),), ["30 ", "1993-03-31"]),
        ("PW-9", "PR_BOND_REVIEW_DUE", (date(1993, 3, 20),), ["15 ", "1993-04-04"]),
        ("PW-13", "PR_BOND_RELEASE", (date(1993, 3, 20),), ["4 ", "1997-03-21"]),
        ("RS-2", "PR_RETIREMENT_STATEMENT_DUE", (date(2026, 3, 10),), ["15 ", "2026-03-25"]),
        ("RS-5", "PR_RETIREMENT_OFFENSE", (), ["6 ", "5,000 "]),
        ("RS-6", "PR_RETIREMENT_OFFENSE", (False, True), ["6 ", "10,000 "]),
        ("RS-7", "PR_RETIREMENT_PRIORITY", (31,), ["31 ", "30"]),
        ("RS-7", "PR_RETIREMENT_PRIORITY", (-4,), ["0 ", "30"]),
        ("RS-8", "PR_RETIREMENT_CERTIFICATE_DUE", (date(2026, 4, 1),), ["30 ", "2026-05-01"]),
        ("RS-9", "PR_CRIM_REMITTANCE_DUE", (date(2026, 5, 16),), ["15", "2026-06-15"]),
        ("RS-11", "PR_RETIREMENT_DEBT", (10000, 0.04125, 31, 366), ["4.125%", "10,000.00", "31 ", "366"]),
        ("PAYOFF-2", "PR_PAYOFF", (10000, date(2026, 5, 15), date(2026, 6, 10), 4000, date(2026, 6, 10)), ["10,000.00", "71.23", "0.00", "4,000.00"]),
    ],
)  # fmt: skip
def test_figures_of_the_call(rule: str, function: str, arguments: tuple[Any, ...], figures: list[str]) -> None:
    step = of(rule, function, *arguments)[0]
    for language in ("en", "es"):
        label = step.label(language)
        for figure in figures:
            assert f" {figure}" in f" {label} ".replace("(", " ").replace("º", " ").replace("th ", " "), (label, figure)


def test_a_holiday_is_told_when_it_moved_the_day() -> None:
    def holiday(*arguments: Any) -> list[Step]:
        return of("DAYS-2", "PR_BOND_DUE", *arguments)

    assert holiday(date(2026, 11, 25)) == []
    assert holiday(date(2026, 11, 25), [[date(2026, 12, 24)]]) == []
    (moved,) = holiday(date(2026, 11, 25), [[date(2026, 12, 25)]])
    assert moved.value == date(2026, 12, 26)
    assert "2026-12-25" in moved.label("es")
    assert "2026-12-26" in moved.label("es")


def test_the_status_of_a_bond_is_told_by_its_own_provision() -> None:
    mailed, posted, held = date(2026, 3, 2), date(2026, 4, 1), "PR_BOND_STATUS"
    assert of("PW-10", held, date(2026, 4, 16), mailed, posted) == [], "under review is not approved"
    assert of("PW-10", held, date(2026, 4, 17), mailed, posted)[0].value == "approved by silence"
    disapproved = steps(held, date(2026, 4, 16), mailed, posted, date(2026, 4, 10))
    assert "PW-10" not in {step.rule for step in disapproved}, "a disapproved bond is not approved"
    assert [step.value for step in disapproved if step.rule == "PW-11"] == ["assess"]


def test_a_remark_stands_once_in_a_ledger() -> None:
    payments = [[date(2026, 6, day)] for day in (20, 21, 22, 23)]
    table = call(FUNCTIONS["PR_EXPLAIN"], ["PR_PAYOFF", 100, date(2026, 5, 15), payments, [[10]] * 4, date(2026, 9, 1)])
    remarks = [label for label, value, _ in table if value == ""]
    assert len(remarks) == len(set(remarks))


def test_the_silence_of_the_statute_is_told() -> None:
    """A rule of the product is not printed under the statute's citation as if it were the statute's."""
    for rule, function, arguments in [
        ("RC-12", "PR_RETURNED_CHECK", (500,)),
        ("LF-12", "PR_LATE_FILE", (500, 47)),
        ("PAYOFF-1", "PR_PAYOFF", (500, date(2026, 5, 15), None, None, date(2026, 5, 15))),
    ]:
        step = of(rule, function, *arguments)[0]
        assert "silent" in step.label("en")
        assert "la ley no lo dispone" in step.label("es")
