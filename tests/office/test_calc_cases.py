"""Every case of the law, typed into a real sheet: Calc gives what the core gives, errors as errors."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest

from case_files import Case, load, same
from office.sheet import Typist, serial
from recargos import __version__, cells
from recargos.cells import OMITTED, to_serial
from recargos.law import Argument, CellError, Function
from recargos.office import Instance
from recargos.statutes import FUNCTIONS, LAW_REVIEWED

CASES = load()


def flat(value: Any) -> list[Any]:
    return [item for row in value for item in row] if isinstance(value, list) else [value]


def handed(case: Case) -> Case | None:
    """The case as Calc hands it over where that is not as Excel does, else None.

    TRUE is 1, a date its serial; and a cell with 0 cannot be told from a blank one, which matters where 0 is no date and
    no text, or where a blank is refused.
    """

    def hand(value: Any, argument: Argument | None, alone: bool = True) -> Any:
        if isinstance(value, list):
            return [[hand(item, argument, alone=False) for item in row] for row in value]
        kind = argument.kind if argument else "any"
        if isinstance(value, bool) and kind != "flag":
            value = float(value)
        if isinstance(value, date) and kind != "date":
            value = serial(value)
        no_zero = kind in ("date", "text") or (argument is not None and argument.blank_refused)
        if alone and no_zero and isinstance(value, int | float) and value == 0:
            return None
        return value

    of = of_arguments(FUNCTIONS[case.function], case.arguments)
    arguments = tuple(hand(a, argument) for a, argument in zip(case.arguments, of, strict=True))
    if all(same(a, b) for a, b in zip(arguments, case.arguments, strict=True)):
        return None
    return Case(
        case.id, case.rules, case.function, arguments, cells.call(FUNCTIONS[case.function], arguments), case.why
    )


def of_arguments(function: Function, given: tuple[Any, ...]) -> list[Argument | None]:
    """The argument behind each value; for PR_EXPLAIN those of the function that it explains."""
    known: list[Argument | None] = list(function.arguments)
    if function.explains and given and isinstance(given[0], str) and given[0] in FUNCTIONS:
        known = [function.arguments[0], *FUNCTIONS[given[0]].arguments]
    return [known[n] if n < len(known) else None for n in range(len(given))]


def as_calc(value: Any) -> Any:
    """A result of the core as a cell of Calc holds it."""
    if isinstance(value, list):
        return [[as_calc(item) for item in row] for row in value]
    if isinstance(value, datetime):
        raise TypeError("no function gives a time of day")
    if isinstance(value, date):
        return float(to_serial(value))
    if isinstance(value, (CellError, str)):
        return value
    return "" if value is None else float(value)


def calls_nothing(case: Case) -> bool:
    """Whether Calc shows Err:504 without calling: an error cell in a range."""
    return any(isinstance(cell, CellError) for a in case.arguments if isinstance(a, list) for cell in flat(a))


def size(value: Any) -> tuple[int, int]:
    return (len(value), len(value[0])) if isinstance(value, list) else (1, 1)


@pytest.fixture(scope="module")
def results(calc: Instance) -> dict[str, Any]:
    typist = Typist(calc)
    for case in CASES:
        typist.call(case.function, case.arguments, *size((handed(case) or case).gives))
    return dict(zip((case.id for case in CASES), typist.results(), strict=True))


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])
def test_calc_gives_what_the_core_gives(case: Case, results: dict[str, Any]) -> None:
    got = results[case.id]
    if calls_nothing(case):
        assert set(map(str, flat(got))) == {"Err:504"}
        return
    expected = as_calc((handed(case) or case).gives)
    assert same(got, expected), f"{case.why}: {got!r}, not {expected!r}"


def test_every_function_has_a_case_that_was_typed() -> None:
    without_arguments = {name for name, function in FUNCTIONS.items() if not function.arguments}
    assert {case.function for case in CASES} | without_arguments == set(FUNCTIONS)


def test_functions_without_arguments(calc: Instance) -> None:
    typist = Typist(calc)
    typist.call("PR_VERSION", [], 1, 1)
    typist.call("PR_LAW_REVIEWED", [], 1, 1)
    assert typist.results() == [__version__, float(to_serial(LAW_REVIEWED))]


def test_no_error_ever_becomes_a_figure(results: dict[str, Any]) -> None:
    """A case that gives an error shows one, except where Calc hands over TRUE as 1 or a date as its serial."""
    for case in CASES:
        if isinstance(case.gives, CellError) and handed(case) is None:
            assert isinstance(results[case.id], (CellError, str)), case.id


def test_omitted_and_blank_differ_where_the_law_says_so(calc: Instance) -> None:
    typist = Typist(calc)
    typist.call("PR_RETIREMENT_DEBT", [100.0, None, 5.0], 1, 1)
    typist.call("PR_RETIREMENT_DEBT", [100.0, OMITTED, 5.0], 1, 1)
    typist.call("PR_LATE_FILE", [None, 5.0], 1, 1)
    assert typist.results() == [CellError.VALUE, CellError.VALUE, 0.0]
