"""Net 1: every function through the whole of real xlwings; only the COM boundary is stubbed."""

from __future__ import annotations

import datetime as dt
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recargos import cells
from recargos.law import CellError
from recargos.statutes import FUNCTIONS, LAW_REVIEWED
from support import com
from support.cases import CASES, Case, agrees, each

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def windows() -> Iterator[types.SimpleNamespace]:
    with com.windows() as namespace:
        yield namespace


def crossing(value: Any) -> Any:
    """A cell's value as pywin32 gives it to Python."""
    if value is cells.OMITTED:
        return com.MISSING
    if isinstance(value, CellError):
        return com.SCODES[value.value]
    if isinstance(value, dt.datetime):
        return com.pytime(*value.timetuple()[:6])
    if isinstance(value, dt.date):
        return com.pytime(value.year, value.month, value.day)
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return value


def result(variant: Any) -> Any:
    """What came back, with the names of errors as errors."""
    if isinstance(variant, list):
        return [result(item) for item in variant]
    value = com.shown(variant)
    return CellError(value) if isinstance(value, str) and value in com.SCODES else value


def given(case: Case) -> list[Any]:
    arguments = [each(argument, crossing) for argument in case.arguments]
    return arguments + [com.MISSING] * (len(FUNCTIONS[case.function].arguments) - len(arguments))


def test_xlwings_is_left_as_it_was() -> None:
    """The stub does not leak into other tests of this process. First in the file, before the fixture lives."""
    import sys

    with com.windows():
        pass
    import xlwings

    assert xlwings.func.__module__ == "xlwings"
    assert "pythoncom" not in sys.modules


def test_every_function_is_registered(windows: Any) -> None:
    registered = {name for name in dir(windows.excel) if hasattr(getattr(windows.excel, name), "__xlfunc__")}
    assert registered == set(FUNCTIONS)
    assert len(registered) == 43


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_known_value(windows: Any, case: Case) -> None:
    shown = result(windows.call(case.function, *given(case)))
    assert agrees(shown, case.gives), f"{case.function}{case.arguments} shows {shown!r}, not {case.gives!r}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_known_value_of_ranges(windows: Any, case: Case) -> None:
    """The same with every argument a reference to cells."""
    arguments = [value if value == com.MISSING else com.Range(value) for value in given(case)]
    shown = result(windows.call(case.function, *arguments))
    assert agrees(shown, case.gives), f"{case.function}{case.arguments} shows {shown!r}, not {case.gives!r}"


KINDS: dict[str, tuple[Any, Any]] = {
    # what the cell holds: as COM gives it, as `cells` reads it
    "number": (47.0, 47.0),
    "zero": (0.0, 0.0),
    "negative": (-1.0, -1.0),
    "fraction": (0.1 + 0.2, 0.1 + 0.2),
    "big": (1e15, 1e15),
    "currency": (com.currency("1234.56"), com.currency("1234.56")),
    "text": ("abc", "abc"),
    "amount as text": ("$1,234.56", "$1,234.56"),
    "empty text": ("", ""),
    "date as text": ("2026-05-15", "2026-05-15"),
    "text that reads as an error": ("#N/A", "#N/A"),
    "true": (True, True),
    "date": (com.pytime(2026, 5, 15), dt.date(2026, 5, 15)),
    "date and time": (com.pytime(2026, 5, 15, 18, 30, 1), dt.date(2026, 5, 15)),
    "blank": (None, None),
    **{
        name: (com.SCODES[name], CellError(name))
        for name in ("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A")
    },
    "#SPILL!": (com.SCODES["#SPILL!"], CellError.VALUE),
    "#CALC!": (com.SCODES["#CALC!"], CellError.VALUE),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [name for name in FUNCTIONS if FUNCTIONS[name].arguments])
def test_every_kind_of_cell_in_every_argument(windows: Any, name: str, kind: str) -> None:
    function, (crossed, read) = FUNCTIONS[name], KINDS[kind]
    for position in range(len(function.arguments)):
        raw = [a.example if a.example is not None else cells.OMITTED for a in function.arguments]
        core = [float(v) if isinstance(v, int) and not isinstance(v, bool) else v for v in raw]
        core[position] = read
        sent = [crossing(value) for value in raw]
        for form in (crossed, com.Range(crossed)):
            sent[position] = form
            shown = result(windows.call(name, *sent))
            expected = cells.call(function, core)
            assert agrees(shown, expected), (
                f"{name}, {function.arguments[position].name} = {kind}: {shown!r}, not {expected!r}"
            )


@pytest.mark.parametrize(
    "name",
    [name for name, f in FUNCTIONS.items() if any(not a.whole_range for a in f.arguments) and f.result != "table"],
)
def test_column_of_ten_thousand_rows(windows: Any, name: str) -> None:
    """One call over a column equals the core, cell by cell."""
    function = FUNCTIONS[name]
    position = next(n for n, a in enumerate(function.arguments) if not a.whole_range)
    kind = function.arguments[position].kind
    day = dt.date(2026, 1, 1)
    column: list[Any] = {
        "date": [day + dt.timedelta(days=n % 400) for n in range(10_000)],
        "text": [("PR_LATE_FILE", "PR_FRAUD", "no such")[n % 3] for n in range(10_000)],
        "flag": [n % 2 == 0 for n in range(10_000)],
    }.get(kind, [round(n * 1.37, 2) for n in range(10_000)])
    column[17], column[18], column[19] = CellError.NA, None, "12,50"
    arguments: list[Any] = [a.example for a in function.arguments[: function.required or 1]]
    arguments[position] = [[cell] for cell in column]
    sent = [crossing(v) if not isinstance(v, list) else com.Range(each(v, crossing)) for v in arguments]
    sent += [com.MISSING] * (len(function.arguments) - len(sent))
    shown = result(windows.call(name, *sent))
    assert shown == cells.call(function, [float(v) if type(v) is int else v for v in arguments])
    assert shown[17] == [CellError.NA]


def test_kinds_of_results_in_excel(windows: Any) -> None:
    call, missing = windows.call, com.MISSING
    assert call("PR_LATE_FILE", 8000.0, 47.0, 5000.0, 1200.0, missing, missing) == com.Variant(com.R8, 270.0)
    assert call("PR_DAYS_LATE", com.pytime(2026, 5, 15), com.pytime(2026, 7, 1)) == com.Variant(com.I4, 47)
    assert call("PR_RETIREMENT_PRIORITY", 31.0) == com.Variant(com.BOOL, True)
    assert call("PR_LATE_FILE_OFFENSE", True, missing).vt == com.BSTR
    assert call("PR_LAW_REVIEWED") == com.Variant(com.DATE, dt.datetime.combine(LAW_REVIEWED, dt.time()))
    assert call("PR_CRIM_REMITTANCE_DUE", com.pytime(2026, 4, 10)).vt == com.DATE


def test_a_broken_lookup_never_becomes_no_tax(windows: Any) -> None:
    """xlwings' own reading of #N/A is None: a tax of nothing. Ours is #N/A, in every money argument of every function."""
    tried = 0
    for function in FUNCTIONS.values():
        for position, argument in enumerate(function.arguments):
            if function.explains:
                continue
            sent = [crossing(a.example) for a in function.arguments]
            for broken in (com.SCODES["#N/A"], com.Range(((com.SCODES["#N/A"],), (5.0,)))):
                sent[position] = broken
                shown = windows.call(function.name, *sent)
                first = result(shown)[0][0] if isinstance(shown, list) else result(shown)
                # A table cannot spill inside a range of tables: there the whole call is #VALUE!.
                whole = function.result == "table" and isinstance(broken, com.Range)
                assert first is CellError.NA or (whole and first is CellError.VALUE), (
                    f"{function.name}, {argument.name}"
                )
                tried += 1
    assert tried > 200


def test_empty_text_is_no_zero(windows: Any) -> None:
    """xlwings' own reading of "" is None, as of a blank: a formula that shows nothing would owe nothing."""
    assert windows.call("PR_FRAUD", "", com.MISSING).value == "#VALUE!"
    assert windows.call("PR_FRAUD", None, com.MISSING) == com.Variant(com.R8, 0.0)


def test_1904_workbook(windows: Any) -> None:
    """Plain numbers are days of the caller's own date system; real dates are dates in both."""
    serial = float(cells.to_serial(dt.date(2026, 5, 15), date1904=True))
    late = float(cells.to_serial(dt.date(2026, 7, 1), date1904=True))
    assert windows.call("PR_DAYS_LATE", serial, com.pytime(2026, 7, 1), date1904=True).value == 47
    assert windows.call("PR_DAYS_LATE", serial, late, date1904=True).value == 47
    assert windows.call("PR_DAYS_LATE", serial, com.pytime(2026, 7, 1)).value == 47 + 1462
    assert com.shown(windows.call("PR_CRIM_REMITTANCE_DUE", serial - 35, date1904=True)) == dt.date(2026, 4, 15)


def test_omitted_is_not_blank(windows: Any) -> None:
    """`original_tax` left out is none; a blank cell there is 0, as FUNCTIONS.md has it for each."""
    omitted = windows.call("PR_RETURNED_CHECK", 10400.0, com.MISSING, com.MISSING, com.MISSING)
    blank = windows.call("PR_RETURNED_CHECK", 10400.0, None, None, None)
    assert result(omitted) == cells.call(FUNCTIONS["PR_RETURNED_CHECK"], [10400.0])
    assert result(blank) == cells.call(FUNCTIONS["PR_RETURNED_CHECK"], [10400.0, None, None, None])


def test_array_constants_and_single_rows(windows: Any) -> None:
    """`{30,31}` comes as one row of VBA, and a result of one row goes back as one."""
    assert [v.value for v in windows.call("PR_SURCHARGE_RATE", (30.0, 31.0), com.MISSING)] == [0.0, 0.05]


def test_a_defect_is_an_error_value_and_a_log_line(windows: Any, caplog: pytest.LogCaptureFixture) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("a defect")

    function = FUNCTIONS["PR_FRAUD"]._replace(name="PR_BROKEN", compute=broken)
    windows.excel.PR_BROKEN = windows.excel.udf(function)
    try:
        assert windows.call("PR_BROKEN", 5.0, com.MISSING).value == "#VALUE!"
    finally:
        del windows.excel.PR_BROKEN
    assert "PR_BROKEN" in caplog.text


def test_explanation_crosses_com(windows: Any) -> None:
    """Every function's explanation has steps, and nothing in them that COM cannot carry."""
    for function in FUNCTIONS.values():
        if function.explains or function.statute is None:
            continue
        for name in ("PR_EXPLAIN", "PR_EXPLICAR"):
            sent = [crossing(a.example) for a in function.arguments]
            sent += [com.MISSING] * (len(FUNCTIONS[name].arguments) - 1 - len(sent))
            rows = windows.call(name, function.name, *sent)
            assert len(rows) >= 2, function.name
            assert all(len(row) == 3 and row[0].vt == com.BSTR for row in rows), function.name


def test_import_udfs_writes_the_wrapper_that_ships(windows: Any) -> None:
    from recargos.addin import excel_vba

    book = com.Book()
    windows.udfs.import_udfs("recargos.excel", book)
    generated = book.VBProject.VBComponents.imported[0]
    assert generated == excel_vba.wrapper(FUNCTIONS.values())
    assert excel_vba.harden(generated) == (ROOT / "addin/excel/udfs.bas").read_text(encoding="utf-8")


def test_wizard_texts(windows: Any) -> None:
    book = com.Book()
    windows.udfs.import_udfs("recargos.excel", book)
    options = book.Application.macro_options
    assert len(options) == len(FUNCTIONS)
    for function in FUNCTIONS.values():
        told = options[f"'recargos.xlsm'!{function.name}"]
        assert told["Category"] == "Puerto Rico Tax"
        assert told["Description"] == function.help.en
        assert [len(text) <= 255 for text in told["ArgumentDescriptions"] or []] == [True] * len(function.arguments)


def test_wrapper_of_another_xlwings_is_refused() -> None:
    from recargos.addin import excel_vba

    changed = excel_vba.wrapper(FUNCTIONS.values()).replace("Err.Description", "Err.Number", 1)
    with pytest.raises(ValueError, match="another wrapper"):
        excel_vba.harden(changed)


def test_nothing_of_the_paid_edition_is_used(windows: Any) -> None:
    import sys

    assert not [name for name in sys.modules if name.startswith("xlwings.pro")]
    assert windows.xlwings.__pro__ is False
    needle = "xlwings" + ".pro"
    for file in [*(ROOT / "udfs").rglob("*.py"), *(ROOT / "addin").rglob("*.py"), *(ROOT / "addin").rglob("*.bas")]:
        assert needle not in file.read_text(encoding="utf-8"), file
