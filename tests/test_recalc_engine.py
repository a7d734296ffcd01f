"""The whole chain with the default engine: figures of the law in a file's cells, arrays, dates, rows that are wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recargos.law import CellError
from recargos.workbook.engine import load
from recargos.workbook.recalc import FileResult, Options, recalc
from support.raw import workbook
from test_recalc_policy import held, listed, reason

ENGINE = load("formualizer")


@pytest.fixture
def run(tmp_path: Path):
    def go(contents: dict[str, object], everything: bool = False, **more: Any) -> tuple[FileResult, dict[str, object]]:
        path = tmp_path / "client.xlsx"
        path.write_bytes(workbook(contents, **more))
        result = recalc(path, path, ENGINE, options=Options(everything=everything))
        again = recalc(path, path, ENGINE, options=Options(everything=everything))
        assert again.status == "unchanged"
        return result, held(path)

    return go


def test_figures_of_the_law(run):
    result, found = run(
        {
            "A1": ("=PR_LATE_FILE(8000,47,5000,1200)", 0.0), "A2": ("=PR_RETURNED_CHECK(B2)", 0.0), "B2": 500.2,
            "A3": ("=PR_RETURNED_CHECK(10000)", 0.0), "A4": ("=PR_RETURNED_CHECK(10000.01)", 0.0),
            "A5": ("=SUM(A1:A4)", 0.0), "A6": ("=PR_WITHHOLDING_PENALTY_MIN(400,TRUE)", 0.0),
        }
    )  # fmt: skip
    assert found == {"A1": 270.0, "A2": 25.01, "A3": 500.0, "A4": 1000.0, "A5": 1795.01, "A6": 300.0}
    assert result.counts.changed == 6
    assert result.totals["PR_RETURNED_CHECK"].after == 1525.01


def test_rows_that_are_wrong_show_true_errors_and_are_listed(run):
    result, found = run(
        {
            "A1": ("=PR_SURCHARGE(B1,C1)", 1.0),
            "A2": ("=PR_SURCHARGE(B2,C2)", 1.0), "B2": "12,50", "C2": 40.0,
            "A3": ("=PR_SURCHARGE(B3,C3)", 1.0), "B3": '<c r="@" t="e"><v>#REF!</v></c>', "C3": 5.0,
            "A4": ("=PR_SURCHARGE(B4,61)", 1.0), "B4": -5.0,
            "A5": ("=PR_SURCHARGE(100,61)", 1.0), "A6": ("=SUM(A1:A5)", 4.0),
            "A7": ("=IFERROR(A2,0)", 1.0), "A8": ("=PR_SURCHARGE(B8,61)", 1.0), "B8": "#REF!",
        }
    )  # fmt: skip
    assert found == {
        "A1": 0.0, "A2": CellError.VALUE, "A3": CellError.REF, "A4": CellError.NUM, "A5": 10.0, "A6": CellError.VALUE, "A7": 0.0,
        "A8": CellError.VALUE,
    }  # fmt: skip
    flagged = {cell: kind for cell, (status, kind) in listed(result).items() if status == "flagged"}
    assert flagged == {"A1": "blank", "A2": "unreadable", "A3": "error", "A4": "unreadable", "A8": "unreadable"}
    assert "12,50" in reason(result, "A2")


LEDGER = {"B1": 1000.0, "B2": 45000.0, "B3": 45010.0, "B4": 45100.0, "C3": 100.0, "C4": 200.0, "B5": 45200.0}


def ledger(last_row: int, dynamic: bool = True) -> dict[str, object]:
    formula = "PR_LEDGER(B1,B2,B3:B4,C3:C4,B5)"
    array = f'<c r="@"{" cm=" + chr(34) + "1" + chr(34) if dynamic else ""}><f t="array" ref="E1:I{last_row}">{formula}</f><v>1</v></c>'
    rest = {f"{column}{row}": 0.0 for column in "EFGHI" for row in range(1, last_row + 1)}
    return {**LEDGER, **rest, "E1": array}


@pytest.mark.parametrize("dynamic", [True, False])
def test_an_array_that_fits_is_filled(run, dynamic):
    result, found = run(ledger(3, dynamic))
    assert [found[f"{column}3"] for column in "EFGHI"] == [45200.0, 700.0, 200.0, 38.36, 105.0]
    assert not [cell for cell in result.cells if cell.status != "changed"]


@pytest.mark.parametrize("rows", [1, 2, 4])
def test_an_array_of_another_size_is_left_to_excel(run, rows):
    result, found = run(ledger(rows))
    assert set(found.values()) == {0.0, 1.0}
    assert {cell.status for cell in result.cells} <= {"stale", "unsupported"}
    assert len(result.cells) == 5 * rows
    assert "size" in reason(result, "E1")


def test_what_stands_behind_an_array_is_not_taken_for_growth(run):
    beside = {"J1": '<c r="@" cm="1"><f t="array" ref="J1:J3">E1:E3+1</f><v>1</v></c>', "J2": 0.0, "J3": 0.0}
    result, found = run({**ledger(3), "E4": 7.0, "F4": ("=E4", 7.0), "G4": "note", **beside})
    assert found["E3"] == found["J3"] - 1 == 45200.0
    assert not [cell for cell in result.cells if cell.status != "changed"]


def test_both_date_systems_and_times_of_day(run):
    for properties, shift in (("", 0), ('<workbookPr date1904="1"/>', 1462)):
        _, found = run(
            {
                "B1": 45000.0 - shift, "C1": 45031.75 - shift, "A1": ("=PR_DAYS_LATE(B1,C1)", 0.0),
                "A2": ("=PR_CRIM_REMITTANCE_DUE(B1)", 0.0), "A3": ("=A2-B1", 0.0),
            },
            properties=properties,
        )  # fmt: skip
        assert found["A1"] == 31.0
        assert found["A2"] == found["A3"] + 45000.0 - shift


def test_the_day_that_never_was_is_no_date(run):
    _, found = run({"B1": 60.0, "B2": 61.0, "A1": ("=PR_DAYS_LATE(B1,B2)", 0.0)})
    assert found["A1"] == CellError.NUM


def test_all_computes_a_workbook_that_was_never_calculated(run):
    result, found = run({"A1": "=B1*2", "A2": '="n"&A1', "A3": "=A1>3", "A4": "=PR_SURCHARGE(A1,61)", "B1": 50.0}, True)
    assert found == {"A1": 100.0, "A2": "n100", "A3": True, "A4": 10.0}
    assert result.counts.changed == 4
