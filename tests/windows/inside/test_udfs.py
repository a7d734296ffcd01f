"""Every function through the real DLL, COM server, pywin32 and xlwings: equal to the core, to the cent."""

from __future__ import annotations

import ast
import datetime as dt
import os
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import pywintypes
import server
from excel_standin import CALLS, Range, rows_of

from recargos import cells
from recargos.excel import SCODES
from recargos.law import CellError
from recargos.statutes import FUNCTIONS, LAW_REVIEWED
from support.cases import CASES, Case, agrees, each

_ERRORS = frozenset(error.value for error in CellError)
_SCODE = {error: scode for scode, error in SCODES.items()}


def crossing(value: Any) -> Any:
    """A cell's value as VBA sends it."""
    if value is cells.OMITTED:
        return server.MISSING
    if isinstance(value, CellError):
        return _SCODE[value]  # an error cell, as pywin32 gives VT_ERROR to Python: see test_true_errors_arrive
    if isinstance(value, dt.date):
        return pywintypes.Time(dt.datetime(*value.timetuple()[:6], tzinfo=dt.UTC))
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return value


def shown(value: Any) -> Any:
    """What came back to Excel, with names of errors as errors."""
    if isinstance(value, tuple):
        return [shown(item) for item in value]
    if isinstance(value, dt.datetime):
        assert (value.hour, value.minute, value.second) == (0, 0, 0), "a date moved with the clock's zone"
        return value.date()
    if isinstance(value, str) and value in _ERRORS:
        return CellError(value)
    return value


def padded(function: str, arguments: list[Any]) -> list[Any]:
    return arguments + [server.MISSING] * (len(FUNCTIONS[function].arguments) - len(arguments))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_known_value(excel: Any, case: Case) -> None:
    sent = padded(case.function, [each(argument, crossing) for argument in case.arguments])
    got = shown(excel.call(case.function, *sent))
    assert agrees(got, case.gives), f"{case.function}{case.arguments} shows {got!r}, not {case.gives!r}"


@pytest.mark.parametrize("name", [name for name, f in FUNCTIONS.items() if f.arguments])
def test_range_arguments(excel: Any, name: str) -> None:
    """Range objects, which Python reads back over COM: every argument of every function, of one cell and of two in turns."""
    raw = [a.example if a.example is not None else cells.OMITTED for a in FUNCTIONS[name].arguments]
    sent: list[Any] = []
    core: list[Any] = []
    for position, value in enumerate(raw):
        count = 1 + position % 2
        given = value is not cells.OMITTED
        sent.append(Range(excel.sheet, [[crossing(value)]] * count).com if given else server.MISSING)
        core.append([[float(value) if type(value) is int else value]] * count if given else value)
    assert agrees(shown(excel.call(name, *sent)), cells.call(FUNCTIONS[name], core))


@pytest.mark.parametrize(
    "name",
    [name for name, f in FUNCTIONS.items() if any(not a.whole_range for a in f.arguments) and f.result != "table"],
)
def test_column_of_ten_thousand_rows(excel: Any, name: str) -> None:
    function = FUNCTIONS[name]
    position = next(n for n, a in enumerate(function.arguments) if not a.whole_range)
    day = dt.date(2026, 1, 1)
    column: list[Any] = {
        "date": [day + dt.timedelta(days=n % 400) for n in range(10_000)],
        "text": [("PR_LATE_FILE", "PR_FRAUD", "no such")[n % 3] for n in range(10_000)],
        "flag": [n % 2 == 0 for n in range(10_000)],
    }.get(function.arguments[position].kind, [round(n * 1.37, 2) for n in range(10_000)])
    column[17], column[18], column[19] = CellError.NA, None, "12,50"
    arguments: list[Any] = [a.example for a in function.arguments[: function.required or 1]]
    arguments[position] = rows_of(column)
    expected = cells.call(function, [float(v) if type(v) is int else v for v in arguments])
    sent = padded(name, [each(value, crossing) for value in arguments])
    assert shown(excel.call(name, *sent)) == expected
    assert expected[17] == [CellError.NA]


def test_column_as_a_range_object(excel: Any) -> None:
    column = [float(n) for n in range(10_000)]
    column_range = Range(excel.sheet, rows_of(column))
    got = shown(excel.call("PR_RETURNED_CHECK", column_range.com, server.MISSING, server.MISSING, server.MISSING))
    assert got == cells.call(FUNCTIONS["PR_RETURNED_CHECK"], [rows_of(column)])


def test_values_ask_nothing_back(excel: Any) -> None:
    """What our wrapper sends costs Excel no call per value; a Range object costs many. Why CellValues is in the VBA."""
    excel.call("PR_FRAUD", 1.0, server.MISSING)
    CALLS.clear()
    excel.call("PR_FRAUD", tuple((float(n),) for n in range(1000)), server.MISSING)
    with_values = len(CALLS)
    CALLS.clear()
    excel.call("PR_FRAUD", Range(excel.sheet, rows_of([5.0, 6.0])).com, server.MISSING)
    assert with_values <= 3
    assert len(CALLS) > with_values + 3


def test_kinds_of_results(excel: Any) -> None:
    assert type(excel.call("PR_LATE_FILE", 8000.0, 47.0, 5000.0, 1200.0, server.MISSING, server.MISSING)) is float
    assert excel.call("PR_RETIREMENT_PRIORITY", 31.0) is True
    assert shown(excel.call("PR_LAW_REVIEWED")) == LAW_REVIEWED
    assert excel.call("PR_FRAUD", Decimal("1234.56"), server.MISSING) == 1234.56


def test_a_broken_lookup_never_becomes_no_tax(excel: Any) -> None:
    for function in FUNCTIONS.values():
        for position, argument in enumerate(function.arguments):
            if function.explains:
                continue
            sent = [crossing(a.example) for a in function.arguments]
            sent[position] = _SCODE[CellError.NA]
            assert excel.call(function.name, *sent) == "#N/A", f"{function.name}, {argument.name}"


def test_true_errors_arrive(excel: Any) -> None:
    """VT_ERROR, sent raw as VBA sends it, is the integer that `recargos.excel` knows, alone and in arrays."""
    missing = -2147352572
    for error, scode in _SCODE.items():
        assert server.raw_call("PR_FRAUD", scode, missing) == error.value
        assert server.raw_call("PR_FRAUD", ((scode, 5.0), (2.0, scode)), missing) == (
            (error.value, 5.0),
            (2.0, error.value),
        )
    assert server.raw_call("PR_FRAUD", -2146826243, missing) == "#VALUE!", "#SPILL! and what is newer"


def test_import_udfs_writes_what_ships(excel: Any) -> None:
    """xlwings, under Windows, generates the wrapper that our build hardens."""
    from recargos.addin import excel_vba

    python = excel.python
    python.Str(python.Call(python.Module("xlwings"), "import_udfs", python.Tuple("recargos.excel", excel.book.com)))
    (generated,) = excel.book.project.components.imported
    # In an .xlam xlwings would pass ActiveWorkbook: the one line on which the shipped wrapper differs from it on purpose.
    generated = generated.replace("ActiveWorkbook, Application.Caller", "ThisWorkbook, Application.Caller")
    assert generated == excel_vba.wrapper(FUNCTIONS.values())
    shipped = Path(os.environ["RECARGOS_ROOT"], "addin/excel/udfs.bas").read_bytes().decode("utf-8")
    assert excel_vba.harden(generated) == shipped
    assert len(excel.application.options) == len(FUNCTIONS)


def test_ribbon_questions(excel: Any) -> None:
    def ask(name: str, *arguments: Any) -> Any:
        return excel.python.CallUDF("recargos.addin.ribbon", name, arguments, excel.book.com, None)

    assert ask("explain_call", "=PR_FRAUD(A1)", "es", "") == '=PR_EXPLICAR("PR_FRAUD",A1)'
    assert "Recargos" in ask("about", "en", "0.0", "x")
    assert len(ask("self_test", "en")) > 400


def test_nothing_of_the_paid_edition(excel: Any) -> None:
    python = excel.python
    found = python.Str(python.Eval("[n for n in __import__('sys').modules if n.startswith('xlwings.' + 'pro')]"))
    assert found == "[]"


def test_a_workbooks_folder_is_not_on_the_path(excel: Any) -> None:
    """A `recargos.py` beside a client's workbook, or in the current folder, must not be what Excel runs."""
    python = excel.python
    path = ast.literal_eval(python.Str(python.Eval("__import__('sys').path")))
    home = str(Path(sys.executable).parent).lower()
    own = str(Path(os.environ["RECARGOS_ROOT"], "udfs")).lower()
    assert [p for p in path if not (p.lower() == own or p.lower() == home or p.lower().startswith(home + "\\"))] == []
    assert own in [p.lower() for p in path]
