"""What Calc does around a call: dates, spills, ranges with errors, files, the function wizard."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from office.sheet import Typist
from recargos import cells
from recargos.calc import ERRORS, METHODS
from recargos.cells import to_serial
from recargos.law import CellError
from recargos.office import Instance
from recargos.statutes import FUNCTIONS

LATE = "=PR_LATE_FILE(8000;47;5000;1200)"


def peek(office: Instance, *places: str) -> list[Any]:
    """Values of cells of the first sheet by address, errors as CellError or Err:502."""
    answer = office.ask("peek", cells=[[0, *place(name)] for name in places])["values"]
    return [
        ERRORS.get(v["error"], f"Err:{v['error']}") if isinstance(v, dict) else v  # type: ignore[call-overload]
        for v in answer
    ]


def place(name: str) -> tuple[int, int]:
    match = re.fullmatch(r"([A-Z])(\d+)", name)
    assert match
    return ord(match[1]) - 65, int(match[2]) - 1


def typed(office: Instance, **cells_: Any) -> None:
    """Type formulas, numbers and text into a new workbook."""
    office.ask("open", path=None)
    office.ask("type", cells=[_typed(name, value) for name, value in cells_.items()])


def _typed(name: str, value: Any) -> list[Any]:
    column, row = place(name)
    if isinstance(value, tuple):
        return [0, column, row, "array", *value]
    kind = "value" if not isinstance(value, str) else "formula" if value.startswith("=") else "text"
    return [0, column, row, kind, value]


# ------------------------------------------------------------------------------------------------ values in and out


def test_literals_omissions_and_nesting(calc: Instance) -> None:
    typed(
        calc,
        A1=LATE,
        A2="=PR_RETURNED_CHECK(10000.01;;)",
        A3='=PR_DAYS_LATE(DATE(2026;5;15);"2026-07-01")',
        A4="=SUM(PR_LATE_FILE(8000;47;5000;1200);A1)",
        A5='=IF(ISERROR(PR_LATE_FILE(-1;47));"refused";0)',
        A6="=PR_RETIREMENT_PRIORITY(30)+10*PR_RETIREMENT_PRIORITY(31)",
        A7='=IF(PR_RETIREMENT_PRIORITY(30);"yes";"no")',
        A8="=pr_late_file(8000;47;5000;1200)",
        A9="=PR_LATE_FILE(8000)",
        B1="=PR_WITHHOLDING_PENALTY_MIN(400;TRUE())",
    )
    assert peek(calc, *(f"A{n}" for n in range(1, 10)), "B1") == [
        270.0, 1000.0, 47.0, 540.0, "refused", 10.0, "no", 270.0, CellError.VALUE, 300.0
    ]  # fmt: skip


def test_true_errors_are_errors_to_calc(calc: Instance) -> None:
    typed(
        calc,
        A1="=PR_LATE_FILE(-1;47)", B1="=ISERROR(A1)",
        A2='=PR_LAW("no.such.key")', B2="=ISNA(A2)",
        A3='=PR_FRAUD("12,50")', B3="=ERROR.TYPE(A3)",
    )  # fmt: skip
    assert peek(calc, "A1", "A2", "A3", "B1", "B2", "B3") == [
        CellError.NUM, CellError.NA, CellError.VALUE, 1.0, 1.0, 3.0
    ]  # fmt: skip


def test_one_error_cell_in_a_range(calc: Instance) -> None:
    """Calc does not call for it (Err:504 everywhere); IFERROR around the range keeps the other rows."""
    column = {f"A{n}": value for n, value in enumerate([100.0, "=1/0", 700.0], 1)}
    typed(
        calc, **column, C1=("=PR_RETURNED_CHECK(A1:A3)", 1, 3), E1=('=PR_RETURNED_CHECK(IFERROR(A1:A3;"error"))', 1, 3)
    )
    assert peek(calc, "C1", "C2", "C3") == ["Err:504"] * 3
    assert peek(calc, "E1", "E2", "E3") == [25.0, CellError.VALUE, 35.0]


def test_tables_spill_as_array_formulas(calc: Instance) -> None:
    paid = [[date(2026, 6, 10)], [date(2026, 7, 10)], [date(2026, 9, 15)]]
    amounts = [[3000.0], [4000.0], [3000.0]]
    arguments = [10000.0, date(2026, 5, 15), paid, amounts, date(2026, 9, 15)]
    ledger = cells.call(FUNCTIONS["PR_LEDGER"], arguments)
    steps = ["PR_LATE_FILE", 8000.0, 47.0, 5000.0, 1200.0]
    explained = cells.call(FUNCTIONS["PR_EXPLICAR"], steps)
    typist = Typist(calc)
    typist.call("PR_LEDGER", arguments, len(ledger), len(ledger[0]))
    typist.call("PR_EXPLICAR", steps, len(explained), 3)
    got = typist.results()
    assert got[0] == [[float(to_serial(v)) if isinstance(v, date) else v for v in row] for row in ledger]
    assert got[1] == [["" if v is None else v if isinstance(v, str) else float(v) for v in row] for row in explained]
    assert sum(row[-2] for row in got[0]) == pytest.approx(183.84)


@pytest.mark.parametrize(
    ("zero", "shift"), [((1899, 12, 30), 0), ((1904, 1, 1), 1462), ((1900, 1, 1), 2)], ids=["usual", "1904", "StarCalc"]
)
def test_dates_count_from_the_documents_own_day_zero(calc: Instance, zero: tuple[int, int, int], shift: int) -> None:
    mailed, due = to_serial(date(2026, 5, 15)) - shift, cells.call(FUNCTIONS["PR_BOND_DUE"], [date(2026, 5, 15)])
    old = to_serial(date(1990, 1, 1)) - shift
    typed(
        calc, A1=mailed, A2="=PR_BOND_DUE(A1)", A3="=PR_DAYS_LATE(A1;A1+47)", A4=old,
        A5="=PR_LATE_FILE(8000;47;5000;1200;;A4)", A6='=PR_DAYS_LATE(A1;"2026-07-01")',
        B1=('=PR_EXPLAIN("PR_DAYS_LATE";A1;"2026-07-01")', 3, 3),
    )  # fmt: skip
    calc.ask("null_date", year=zero[0], month=zero[1], day=zero[2])
    assert peek(calc, "A2", "A3", "A5", "A6") == [to_serial(due) - shift, 47.0, CellError.NA, 47.0]
    assert 47.0 in peek(calc, "C1", "C2", "C3")


# ------------------------------------------------------------------------------------------------------------ files


def test_ods_round_trip_keeps_formulas_and_values(calc: Instance, tmp_path: Path) -> None:
    path = tmp_path / "round.ods"
    typed(
        calc, A1=LATE, A2="=PR_LATE_FILE(-1;47)", A3="=PR_VERSION()", B1=('=PR_EXPLAIN("PR_LATE_FILE";8000;47)', 3, 4)
    )
    before = peek(calc, "A1", "A2", "A3", "B1", "C2", "D4")
    formulas = calc.ask("formulas", cells=[[0, 0, 0], [0, 1, 0]])["formulas"]
    calc.ask("store", path=str(path))
    with zipfile.ZipFile(path) as archive:
        assert METHODS["PR_LATE_FILE"].calc_name in archive.read("content.xml").decode()
    calc.ask("open", path=str(path))
    assert peek(calc, "A1", "A2", "A3", "B1", "C2", "D4") == before
    assert calc.ask("formulas", cells=[[0, 0, 0], [0, 1, 0]])["formulas"] == formulas


def test_an_ods_without_the_addin_keeps_the_formula(calc: Instance, tmp_path: Path) -> None:
    """A colleague without the add-in sees an error, not a figure, and saves the formula whole."""
    path, again = tmp_path / "a.ods", tmp_path / "b.ods"
    typed(calc, A1=LATE)
    calc.ask("store", path=str(path))
    with Instance(addin=False) as bare:
        bare.ask("open", path=str(path))
        assert peek(bare, "A1") == [CellError.NAME]
        bare.ask("store", path=str(again))
    calc.ask("open", path=str(again))
    assert peek(calc, "A1") == [270.0]


def test_xlsx(calc: Instance, tmp_path: Path, for_xlsx: bool) -> None:
    """From 25.2 on PR_ functions work in .xlsx both ways; before, only under their full names, which the engine uses."""
    source, saved = tmp_path / "in.xlsx", tmp_path / "out.xlsx"
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["A1"] = "=PR_LATE_FILE(8000,47,5000,1200)"
    sheet["A2"] = f"={METHODS['PR_LATE_FILE'].calc_name}(8000,47,5000,1200)"
    book.save(source)
    calc.ask("open", path=str(source))
    assert peek(calc, "A1", "A2") == [270.0 if for_xlsx else CellError.NAME, 270.0]
    calc.ask("store", path=str(saved))
    with zipfile.ZipFile(saved) as archive:
        xml = archive.read("xl/worksheets/sheet1.xml").decode()
    assert (">PR_LATE_FILE(8000,47,5000,1200)<" in xml) == for_xlsx


# ----------------------------------------------------------------------------------------------------------- people


def test_the_function_wizard_speaks_both_languages(calc: Instance) -> None:
    calc.ask("open", path=None)
    for language in ("es", "en"):
        shown = calc.ask("wizard", prefix="PR_", language=language)
        assert set(shown["shown"]) == set(FUNCTIONS)
        for name, function in FUNCTIONS.items():
            texts = shown["texts"][METHODS[name].name]
            assert texts["name"] == name
            assert texts["description"].startswith(function.help.in_(language))
            for argument, calc_name in zip(function.arguments, METHODS[name].arguments, strict=True):
                assert texts["arguments"][calc_name].startswith(argument.help.in_(language))
            # The wizard lists the arguments in order, the hidden one left out.
            arguments = shown["shown"][name]["arguments"]
            assert [a[0] for a in arguments] == [a.name for a in function.arguments]


@pytest.mark.skipif(
    shutil.which("pdftotext") is None and os.environ.get("CI") != "true", reason="poppler-utils is not installed"
)
def test_a_sheet_on_paper_shows_the_results(calc: Instance, tmp_path: Path) -> None:
    path = tmp_path / "page.pdf"
    typed(
        calc, A1="Late filing", B1=LATE, A2="Refused", B2="=PR_LATE_FILE(-1;47)", A3="Reviewed", B3="=PR_LAW_REVIEWED()"
    )
    calc.ask("type", cells=[[0, 1, 0, "format", "#,##0.00"], [0, 1, 2, "format", "YYYY-MM-DD"]])
    calc.ask("store", path=str(path))
    text = subprocess.run(["pdftotext", "-layout", str(path), "-"], capture_output=True, text=True, check=True).stdout
    reviewed = cells.call(FUNCTIONS["PR_LAW_REVIEWED"], []).isoformat()
    assert {"270.00", "#NUM!", reviewed} <= set(text.split())


def test_a_range_gives_what_its_cells_give(calc: Instance) -> None:
    amounts = [round(0.01 + n * 137.77, 2) for n in range(200)]
    typist = Typist(calc)
    typist.call("PR_RETURNED_CHECK", [[[amount] for amount in amounts]], len(amounts), 1)
    for amount in amounts:
        typist.call("PR_RETURNED_CHECK", [amount], 1, 1)
    together, *one_by_one = typist.results()
    assert (
        [row[0] for row in together] == one_by_one == [cells.call(FUNCTIONS["PR_RETURNED_CHECK"], [a]) for a in amounts]
    )
