"""The xlwings Lite host, with a stand-in for its decorator: values as Pyodide hands them over."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from recargos import cells, lite
from recargos.law import CellError
from recargos.statutes import FUNCTIONS
from support.cases import CASES, Case, agrees

ROOT = Path(__file__).parents[1]
HOST: dict[str, Any] = {}
lite.register(lambda function: function, HOST)


def crossing(value: Any) -> Any:
    """A cell as Lite gives it: errors as their names, dates as datetimes, ranges as lists of rows."""
    if isinstance(value, list):
        return [[crossing(cell) for cell in row] for row in value]
    if isinstance(value, CellError):
        return value.value
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return dt.datetime(value.year, value.month, value.day)
    return None if value is cells.OMITTED else value


def shown(value: Any) -> Any:
    if isinstance(value, list):
        return [[shown(cell) for cell in row] for row in value]
    if isinstance(value, dt.datetime):
        return value.date()
    return lite.ERRORS.get(value, value) if isinstance(value, str) else value


def same_in_lite(case: Case) -> bool:
    """Cases that Lite can hold: an omitted argument, a blank optional one and a text "#N/A" are not told apart there."""
    function = FUNCTIONS[case.function]
    for argument, value in zip(function.arguments, case.arguments, strict=False):
        if (value is cells.OMITTED) != argument.optional and (value is cells.OMITTED or value is None):
            return False
        flat = [cell for row in value for cell in row] if isinstance(value, list) else [value]
        if any(type(cell) is str and cell in lite.ERRORS for cell in flat):
            return False
    return True


@pytest.mark.parametrize("case", [case for case in CASES if same_in_lite(case)], ids=lambda case: case.id)
def test_known_value(case: Case) -> None:
    got = shown(HOST[case.function](*[crossing(argument) for argument in case.arguments]))
    assert agrees(got, case.gives), f"{case.function}{case.arguments} shows {got!r}, not {case.gives!r}"


def test_every_function_is_registered() -> None:
    assert set(HOST) == set(FUNCTIONS)
    assert all(HOST[name].__doc__.startswith(function.help.en) for name, function in FUNCTIONS.items())


def test_javascripts_null_is_a_blank() -> None:
    class JsNull:
        pass

    assert HOST["PR_FRAUD"](JsNull()) == 0.0


def test_a_broken_lookup_is_no_zero() -> None:
    assert HOST["PR_FRAUD"]("#N/A") == "#N/A"
    assert HOST["PR_FRAUD"]([["#N/A"], [5]]) == [["#N/A"], [5.0]]


def test_main_needs_nothing_but_the_law_and_its_decorator() -> None:
    """In Pyodide only our own pure wheel is there: no click, openpyxl or real xlwings."""
    program = (
        "import sys, types\n"
        "sys.modules['xlwings'] = types.SimpleNamespace(func=lambda f: f)\n"
        "exec(open('main.py').read())\n"
        "assert PR_RETURNED_CHECK(500.2) == 25.01\n"
        "third = {n.split('.')[0] for n in sys.modules} & {'click', 'openpyxl', 'lxml', 'rich', 'jinja2', 'formualizer'}\n"
        "assert not third, third\n"
    )
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT / 'udfs')!r})\n{program}"]
    done = subprocess.run(command, cwd=ROOT / "addin/lite", capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
