"""Which cells are written and which are kept and named: never silently wrong. The engine is a stand-in told what to say."""

from __future__ import annotations

import errno
import gc
import os
from pathlib import Path
from typing import Any

import pytest

from recargos.law import CellError
from recargos.workbook import saving
from recargos.workbook.package import Limits, Package
from recargos.workbook.recalc import FileResult, Options, recalc
from recargos.workbook.sheet import Sheet, address
from support.fake_engine import FakeEngine
from support.raw import cells, parts, sheet_xml, workbook, zipped

PR = "=PR_SURCHARGE(B1,C1)"
ALL = Options(everything=True)


@pytest.fixture
def book(tmp_path: Path):
    def make(contents: dict[str, object], **more: Any) -> Path:
        path = tmp_path / "client.xlsx"
        path.write_bytes(workbook(contents, **more))
        return path

    return make


def held(path: Path, sheet: int = 0) -> dict[str, object]:
    """The values of the formula cells of a file."""
    package = Package.open(path)
    found = Sheet.scan(package.read(package.sheets[sheet].part))
    return {address(found.rows[i], found.columns[i]): found.value(i) for i in range(len(found))}


def listed(result: FileResult) -> dict[str, tuple[str, str]]:
    return {cell.cell: (cell.status, cell.kind) for cell in result.cells}


def reason(result: FileResult, cell: str) -> str:
    found = next(each for each in result.cells if each.cell == cell)
    assert found.reason.es != found.reason.en or found.kind == "unsupported"
    return found.reason.en


# ------------------------------------------------------------------------------------------------------------- scope
def test_only_pr_cells_and_what_rests_on_them_are_written(book):
    path = book({"A1": (PR, 1.0), "A2": ("=A1*2", 2.0), "A3": ("=B1+1", 3.0), "A4": "=B1+2", "B1": 2.0})
    result = recalc(path, path, FakeEngine({"A1": 5.0, "A2": 10.0, "A3": 3.0, "A4": 4.0}))
    assert result.status == "recalculated"
    assert held(path) == {"A1": 5.0, "A2": 10.0, "A3": 3.0, "A4": None}
    assert listed(result) == {"A1": ("changed", ""), "A2": ("changed", "")}
    assert (result.counts.changed, result.counts.same) == (2, 0)
    assert (result.agreement.checked, result.agreement.equal) == (1, 1)
    assert any("--all" in warning.en for warning in result.warnings)


def test_all_writes_every_formula(book):
    path = book({"A1": (PR, 1.0), "A3": ("=B1+1", 3.0), "A4": "=B1+2"})
    result = recalc(path, path, FakeEngine({"A1": 5.0, "A3": 30.0, "A4": 4.0}), options=ALL)
    assert held(path) == {"A1": 5.0, "A3": 30.0, "A4": 4.0}
    assert result.counts.changed == 3
    assert not any("--all" in warning.en for warning in result.warnings)


def test_check_says_the_same_and_writes_nothing(book):
    path = book({"A1": (PR, 1.0)})
    before = path.read_bytes(), path.stat().st_mtime_ns
    result = recalc(path, None, FakeEngine({"A1": 5.0}))
    assert (result.status, result.counts.changed, result.target) == ("recalculated", 1, None)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_what_is_right_already_is_not_written_again(book):
    path = book({"A1": (PR, 0.1 + 0.2)})
    before = path.stat()
    result = recalc(path, path, FakeEngine({"A1": 0.3}))
    assert (result.status, result.counts.same, result.target) == ("unchanged", 1, None)
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


def test_its_own_output_stays_as_it_is(book, tmp_path):
    path = book({"A1": (PR, 1.0), "A2": ("=A1", "x")})
    engine = FakeEngine({"A1": 5.25, "A2": "t & u"})
    one, two = tmp_path / "1.xlsx", tmp_path / "2.xlsx"
    assert recalc(path, one, engine).status == "recalculated"
    again = recalc(one, two, engine)
    assert again.status == "unchanged"
    assert one.read_bytes() == two.read_bytes()
    assert again.sha256_before == again.sha256_after


def test_every_type_of_result(book):
    path = book({f"A{n}": (PR, old) for n, old in enumerate([1.0, "x", True, "#N/A", 2.0, "y", 3.0], 1)})
    new = [True, 1.0, "t", 2.0, CellError.VALUE, CellError.NUM, None]
    recalc(path, path, FakeEngine({f"A{n}": value for n, value in enumerate(new, 1)}))
    assert list(held(path).values()) == [*new[:-1], 0.0]


def test_the_list_of_changes_is_as_long_as_asked(book):
    path = book({f"A{n}": (PR, 0.0) for n in range(1, 51)})
    engine = FakeEngine({f"A{n}": 1.0 for n in range(1, 51)}, notices=[("A7", "PR_SURCHARGE", "blank", "amount")])
    result = recalc(path, None, engine, options=Options(report_cells=10))
    assert result.counts.changed == 50
    assert [c.cell for c in result.cells] == ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A11"]
    assert listed(result)["A7"] == ("flagged", "blank")


# -------------------------------------------------------------------------------------------------------- self-check
def test_a_function_that_disagrees_is_named_and_what_rests_on_it_is_kept(book):
    path = book(
        {"A1": ("=ODDFYIELD(D1)", 7.0), "A2": ("=PR_SURCHARGE(B2,A1)", 1.0), "A3": ("=A2+1", 2.0), "A4": (PR, 1.0)}
    )
    result = recalc(path, path, FakeEngine({"A1": 7.5, "A2": 5.0, "A3": 6.0, "A4": 4.0}))
    assert held(path) == {"A1": 7.0, "A2": 1.0, "A3": 2.0, "A4": 4.0}
    assert listed(result) == {"A2": ("stale", "stale_input"), "A3": ("stale", "stale_input"), "A4": ("changed", "")}
    assert "ODDFYIELD" in reason(result, "A2")
    assert "S!A1" in reason(result, "A2")
    difference = result.agreement.differs[0]
    assert (difference.cell, difference.function, difference.cached, difference.computed) == (
        "A1",
        "ODDFYIELD",
        7.0,
        7.5,
    )
    assert result.counts.stale == 2


def test_a_blamed_function_is_not_trusted_elsewhere_either(book):
    path = book({"A1": ("=ODDFYIELD(D1)", 7.0), "A2": ("=ODDFYIELD(B2)+PR_SURCHARGE(B2,1)", 1.0)})
    result = recalc(path, path, FakeEngine({"A1": 7.5, "A2": 5.0}))
    assert held(path)["A2"] == 1.0
    assert listed(result) == {"A2": ("stale", "disagrees")}


def test_a_function_that_agrees_elsewhere_is_not_to_blame(book):
    path = book({"A1": ("=SUM(D1:D3)", 7.0), "A2": ("=SUM(E1:E9)", 9.0), "A3": ("=SUM(B2)+PR_SURCHARGE(B2,1)", 1.0)})
    result = recalc(path, path, FakeEngine({"A1": 7.5, "A3": 5.0}))
    assert held(path)["A3"] == 5.0
    assert len(result.agreement.differs) == 1


def test_noise_in_the_last_digits_is_no_disagreement(book):
    path = book({"A1": ("=SUM(D1:D3)", 1234567.89), "A2": ("=PR_SURCHARGE(A1,1)", 1.0), "A3": ("=D1-D2", 1.1e-13)})
    result = recalc(path, path, FakeEngine({"A1": 1234567.8900000004, "A2": 5.0, "A3": 0.0}))
    assert held(path) == {"A1": 1234567.89, "A2": 5.0, "A3": 1.1e-13}
    assert result.agreement.equal == 2


def test_placeholders_that_excel_is_asked_to_compute_prove_nothing(book):
    path = book(
        {"A1": ("=SUM(D1:D3)", 0.0), "A2": ("=PR_SURCHARGE(A1,1)", 0.0)},
        calculation='<calcPr calcId="124519" fullCalcOnLoad="1"/>',
    )
    result = recalc(path, path, FakeEngine({"A1": 70.0, "A2": 5.0}))
    assert held(path) == {"A1": 0.0, "A2": 5.0}
    assert any("#NAME?" in warning.en for warning in result.warnings)
    assert recalc(path, path, FakeEngine({"A1": 70.0, "A2": 5.0}), options=ALL).counts.changed == 1
    assert held(path)["A1"] == 70.0


def test_all_does_not_overrule_what_excel_itself_calculated(book):
    contents = {"A1": ("=TRICKY(D1)", 7.0), "A2": (PR, 1.0), "A3": ("=A1+1", 8.0), "A4": "=D1"}
    engine = FakeEngine({"A1": 7.5, "A2": 5.0, "A3": 8.5, "A4": 4.0})
    path = book(contents, by_excel=True)
    result = recalc(path, path, engine, options=ALL)
    assert held(path) == {"A1": 7.0, "A2": 5.0, "A3": 8.0, "A4": 4.0}
    assert listed(result) == {
        "A1": ("stale", "disagrees"),
        "A2": ("changed", ""),
        "A3": ("stale", "disagrees"),
        "A4": ("changed", ""),
    }
    path = book(contents, by_excel=True)
    recalc(path, path, engine, options=Options(everything=True, inputs_changed=True))
    assert held(path) == {"A1": 7.5, "A2": 5.0, "A3": 8.5, "A4": 4.0}
    path = book(contents)
    recalc(path, path, engine, options=ALL)
    assert held(path) == {"A1": 7.5, "A2": 5.0, "A3": 8.5, "A4": 4.0}


# ------------------------------------------------------------------------------------------ what engines cannot do
def test_what_the_engine_cannot_compute_keeps_its_value_and_is_named(book):
    path = book({"A1": ("=CUBEVALUE(D1)", 7.0), "A2": ("=PR_SURCHARGE(B2,A1)", 1.0), "A3": (PR, 1.0)})
    engine = FakeEngine(
        {"A1": CellError.NAME, "A2": CellError.NAME, "A3": 4.0}, unsupported={"A1": "CUBEVALUE is not known"}
    )
    result = recalc(path, path, engine)
    assert held(path) == {"A1": 7.0, "A2": 1.0, "A3": 4.0}
    assert listed(result) == {"A2": ("stale", "stale_input"), "A3": ("changed", "")}
    assert "CUBEVALUE is not known" in reason(result, "A2")
    everything = recalc(path, None, engine, options=ALL)
    assert listed(everything)["A1"] == ("unsupported", "unsupported")
    assert everything.counts.unsupported == 1


def test_today_is_not_renewed_and_what_rests_on_it_uses_the_day_shown(book):
    path = book(
        {
            "A1": ("=TODAY()", 45000.0),
            "A2": ("=PR_SURCHARGE(B2,A1-B1)", 1.0),
            "A3": ("=PR_DAYS_LATE(B1,TODAY())", 3.0),
            "A4": ("=A3", 3.0),
        }
    )
    result = recalc(path, path, FakeEngine({"A1": 46000.0, "A2": 5.0, "A3": 9.0, "A4": 9.0}))
    assert held(path) == {"A1": 45000.0, "A2": 5.0, "A3": 3.0, "A4": 3.0}
    assert listed(result) == {"A2": ("changed", ""), "A3": ("stale", "volatile"), "A4": ("stale", "stale_input")}
    assert "TODAY" in reason(result, "A3")
    assert any("S!A1" in warning.en and "TODAY" in warning.en for warning in result.warnings)


def test_today_without_a_value_says_nothing(book):
    path = book({"A1": "=TODAY()", "A2": ("=PR_SURCHARGE(B2,A1-B1)", 1.0)})
    result = recalc(path, path, FakeEngine({"A1": 46000.0, "A2": 5.0}))
    assert held(path) == {"A1": None, "A2": 1.0}
    assert listed(result) == {"A2": ("stale", "stale_input")}


@pytest.mark.parametrize("formula", ["=OFFSET(B1,1,0)", '=INDIRECT("B"&C1)', '=CELL("row",B1)'])
def test_what_may_read_any_cell_is_kept_with_all_that_rests_on_it(book, formula):
    path = book({"A1": (formula, 7.0), "A2": ("=PR_SURCHARGE(B2,A1)", 1.0)})
    result = recalc(path, path, FakeEngine({"A1": 9.0, "A2": 5.0}))
    assert held(path) == {"A1": 7.0, "A2": 1.0}
    assert listed(result)["A2"] == ("stale", "stale_input")
    assert listed(result)["A1"] == ("stale", "volatile")


def test_other_workbooks_are_not_opened(book):
    path = book(
        {"A1": ("=[1]Tax!B2", 7.0), "A2": ("=PR_SURCHARGE(B2,A1)", 1.0), "A3": ("=PR_SURCHARGE([1]Tax!B2,5)", 2.0)}
    )
    result = recalc(path, path, FakeEngine({"A1": 0.0, "A2": 5.0, "A3": 0.0}))
    assert held(path) == {"A1": 7.0, "A2": 5.0, "A3": 2.0}
    assert listed(result) == {"A2": ("changed", ""), "A3": ("stale", "external")}
    assert any("other workbooks" in warning.en for warning in result.warnings)


def test_circular_references_are_named_by_cell(book):
    path = book({"A1": ("=PR_SURCHARGE(A2,1)", 1.0), "A2": ("=A1+1", 2.0), "A3": ("=A2", 2.0)})
    result = recalc(path, path, FakeEngine({"A1": 5.0, "A2": 5.0, "A3": 5.0}, circular=["A1", "A2"]))
    assert result.status == "unchanged"
    assert listed(result) == {"A1": ("stale", "circular"), "A2": ("stale", "circular"), "A3": ("stale", "stale_input")}
    assert held(path) == {"A1": 1.0, "A2": 2.0, "A3": 2.0}


def test_data_tables_are_left_to_excel(book):
    table = '<c r="@"><f t="dataTable" ref="B2:B3" dt2D="0" dtr="0" r1="A1"/><v>5</v></c>'
    path = book({"A1": 1.0, "B1": ("=PR_SURCHARGE(A1,1)", 1.0), "B2": table, "B3": 6.0})
    result = recalc(path, path, FakeEngine({"B1": 4.0, "B2": 0.0, "B3": 0.0}))
    assert held(path) == {"B1": 4.0, "B2": 5.0, "B3": 6.0}
    assert listed(result) == {
        "B1": ("changed", ""),
        "B2": ("unsupported", "data_table"),
        "B3": ("unsupported", "data_table"),
    }


def test_an_array_that_would_change_its_size_is_left_alone(book):
    array = '<c r="@" cm="1"><f t="array" ref="A1:A3">PR_LEDGER(B1:B3)</f><v>1</v></c>'
    contents = {"A1": array, "A2": 2.0, "A3": 3.0, "C1": ("=SUM(A1:A3)", 6.0)}
    path = book(contents)
    result = recalc(path, path, FakeEngine({"A1": 10.0, "A2": 20.0, "A3": None, "C1": 30.0}))
    assert held(path) == {"A1": 1.0, "A2": 2.0, "A3": 3.0, "C1": 6.0}
    assert listed(result) == {f"A{n}": ("stale", "spill") for n in (1, 2, 3)} | {"C1": ("stale", "stale_input")}
    path = book(contents)
    result = recalc(path, path, FakeEngine({"A1": 10.0, "A2": 20.0, "A3": 30.0, "C1": 60.0}))
    assert held(path) == {"A1": 10.0, "A2": 20.0, "A3": 30.0, "C1": 60.0}


def test_settings_that_are_not_imitated_are_reported(book):
    path = book({"A1": (PR, 1.0)}, calculation='<calcPr calcMode="manual" iterate="1" fullPrecision="0"/>')
    words = " ".join(warning.en + warning.es for warning in recalc(path, None, FakeEngine()).warnings)
    assert all(word in words for word in ("Iterative", "Precision as displayed", "by hand", "iterativo", "a mano"))


# ------------------------------------------------------------------------------------------------------ second engine
def test_what_two_engines_see_differently_is_not_written(book):
    path = book({"A1": (PR, 1.0), "A2": (PR, 1.0), "A3": ("=A2*2", 2.0), "A4": (PR, 1.0)})
    one = FakeEngine({"A1": 5.0, "A2": 7.0, "A3": 14.0, "A4": 8.0})
    two = FakeEngine({"A1": 5.000000000000001, "A2": 7.01, "A3": 14.02, "A4": 8.0}, unsupported={"A4": "not there"})
    result = recalc(path, path, one, verify=two)
    assert held(path) == {"A1": 5.0, "A2": 1.0, "A3": 2.0, "A4": 1.0}
    assert listed(result) == {
        "A1": ("changed", ""),
        "A2": ("stale", "engines_differ"),
        "A3": ("stale", "engines_differ"),
        "A4": ("stale", "not_verified"),
    }
    assert "7.01" in reason(result, "A2")
    assert result.verified_by == "fake 1"


def test_a_second_engine_that_fails_fails_the_file(book):
    path = book({"A1": (PR, 1.0)})
    before = path.read_bytes()
    result = recalc(path, path, FakeEngine({"A1": 5.0}), verify=FakeEngine(fails="It is not installed."))
    assert (result.status, result.kind, str(result.reason.en)) == ("failed", "engine", "It is not installed.")
    assert path.read_bytes() == before


# ------------------------------------------------------------------------------------------------------ flagged rows
def test_flagged_rows_are_listed_with_address_and_reason(book):
    path = book({"A1": (PR, 1.0), "A2": (PR, "#VALUE!"), "A3": (PR, 3.0)})
    engine = FakeEngine(
        {"A1": CellError.VALUE},
        notices=[
            ("A1", "PR_SURCHARGE", "blank", "amount"),
            ("A1", "PR_SURCHARGE", "error", "days"),
            ("A3", "PR_SURCHARGE", "capped", ""),
        ],
    )
    result = recalc(path, path, engine)
    assert listed(result) == {"A1": ("flagged", "blank"), "A3": ("flagged", "capped")}
    first = result.cells[0]
    assert (first.function, first.old, first.new) == ("PR_SURCHARGE", 1.0, CellError.VALUE)
    assert "amount" in first.reason.en
    assert "days" in first.reason.es
    assert (result.counts.flagged, result.counts.changed, result.counts.same) == (2, 1, 2)


def test_a_flag_on_a_kept_cell_is_told_with_it(book):
    path = book({"A1": ("=PR_SURCHARGE(B1,TODAY())", 1.0)})
    result = recalc(path, None, FakeEngine(notices=[("A1", "PR_SURCHARGE", "blank", "amount")]))
    assert listed(result) == {"A1": ("stale", "volatile")}
    assert "amount" in reason(result, "A1")
    assert result.counts.flagged == 1


def test_sums_by_function(book):
    path = book(
        {
            "A1": (PR, 1.0),
            "A2": (PR, 2.5),
            "A3": ("=PR_SURCHARGE(B1,1)+1", 9.0),
            "A4": ("=PR_DAYS_LATE(B1,B2)", 7.0),
            "A5": (PR, "#N/A"),
        }
    )
    result = recalc(path, None, FakeEngine({"A1": 5.0, "A5": 0.5}))
    assert list(result.totals) == ["PR_SURCHARGE"]
    total = result.totals["PR_SURCHARGE"]
    assert (total.cells, total.before, total.after) == (3, 3.5, 8.0)


# ------------------------------------------------------------------------------------------------------------ sheets
def test_every_sheet_hidden_or_not_and_any_name(tmp_path):
    sheets = [("Año & 'más'", {"A1": (PR, 1.0)}), ("Oculta", {"A1": ("='Año & ''más'''!A1*2", 2.0)})]
    path = tmp_path / "x.xlsx"
    members = parts([(name, sheet_xml(cells(c))) for name, c in sheets], states={"Oculta": "veryHidden"})
    path.write_bytes(zipped(members))

    class Both(FakeEngine):
        def calculate(self, package, formulas, *, keep=None):
            calculation = super().calculate(package, formulas, keep=keep)
            calculation.values[1].given = {(1, 1, 1): 10.0}
            return calculation

    result = recalc(path, path, Both({"A1": 5.0}))
    assert (held(path, 0), held(path, 1)) == ({"A1": 5.0}, {"A1": 10.0})
    assert [(c.sheet, c.cell) for c in result.cells] == [("Año & 'más'", "A1"), ("Oculta", "A1")]


# ---------------------------------------------------------------------------------------------------- what goes wrong
def test_an_engine_that_cannot_do_the_workbook(book):
    path = book({"A1": (PR, 1.0)})
    result = recalc(path, path, FakeEngine(fails="The engine cannot read this workbook."))
    assert (result.status, result.kind, result.target) == ("failed", "engine", None)


@pytest.mark.parametrize("error", [ValueError("x"), RecursionError(), KeyError("k"), AssertionError()])
def test_a_defect_costs_one_file_and_shows_no_traceback(book, error, capsys):
    def defect() -> None:
        raise error

    path = book({"A1": (PR, 1.0)})
    before = path.read_bytes()
    result = recalc(path, path, FakeEngine(during=defect))
    assert (result.status, result.kind) == ("failed", "defect")
    assert type(error).__name__ in result.reason.en
    assert path.read_bytes() == before
    assert capsys.readouterr() == ("", "")


def test_formulas_spread_without_measure_are_refused(book):
    """What an engine holds is the column from its first formula to its last, and a small file can claim all columns."""
    path = book({f"{column}{row}": "=1+1" for column in "ABCDEFGH" for row in (1, 1048576)})
    result = recalc(path, path, FakeEngine(), options=Options(limits=Limits(grid=8 << 19)))
    assert (result.status, result.kind) == ("refused", "too_large")
    assert recalc(path, None, FakeEngine()).status == "unchanged"


def test_no_memory(book):
    def none() -> None:
        raise MemoryError

    path = book({"A1": (PR, 1.0)})
    assert recalc(path, path, FakeEngine(during=none)).kind == "no_memory"


def test_the_collector_is_as_it_was(book):
    path = book({"A1": (PR, 1.0)})
    for engine in (FakeEngine({"A1": 5.0}), FakeEngine(fails="No."), FakeEngine(during=gc.enable)):
        gc.enable()
        recalc(path, None, engine)
        assert gc.isenabled()


def test_a_refused_file_says_nothing_of_cells(tmp_path):
    path = tmp_path / "x.xlsx"
    path.write_bytes(b"a,b\n1,2\n")
    result = recalc(path, path, FakeEngine())
    assert (result.status, result.kind, result.cells, result.target) == ("refused", "csv", [], None)


def test_a_full_disk_fails_the_file_and_leaves_it_whole(book, monkeypatch):
    def full(_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = book({"A1": (PR, 1.0)})
    before = path.read_bytes()
    monkeypatch.setattr(saving.os, "fsync", full)
    result = recalc(path, path, FakeEngine({"A1": 5.0}))
    assert (result.status, result.kind) == ("failed", "disk_full")
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_locked_workbook_is_told_before_any_work(book):
    path = book({"A1": (PR, 1.0)})
    path.with_name("~$client.xlsx").write_bytes(b"x")
    ran: list[int] = []
    result = recalc(path, path, FakeEngine(during=lambda: ran.append(1)))
    assert (result.status, result.kind, ran) == ("failed", "locked", [])
    assert recalc(path, None, FakeEngine()).status == "unchanged"  # reading harms nobody


def test_a_workbook_that_somebody_saves_meanwhile_is_not_overwritten(book):
    path = book({"A1": (PR, 1.0)})
    newer = workbook({"A1": (PR, 2.0), "B9": 1.0})
    result = recalc(path, path, FakeEngine({"A1": 5.0}, during=lambda: path.write_bytes(newer) and None))
    assert (result.status, result.kind) == ("failed", "changed_meanwhile")
    assert path.read_bytes() == newer
