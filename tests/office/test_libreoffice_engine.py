"""LibreOffice as an engine: never silently wrong, exact, ended in time, and of one mind with the first engine."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from office import known
from office.known import Known
from recargos.law import CellError
from recargos.workbook import shared_strings
from recargos.workbook.engine import Calculation, EngineError, load
from recargos.workbook.formulas import Cell, Formulas
from recargos.workbook.libreoffice_engine import LibreOfficeEngine
from recargos.workbook.libreoffice_functions import COMPARED
from recargos.workbook.package import Package
from recargos.workbook.sheet import Sheet, address, same
from recargos.workbook.syntax import Call, parse, walk

EXAMPLES = [p for p in sorted((Path(__file__).parents[2] / "examples").rglob("*.xlsx")) if zipfile.is_zipfile(p)]
TEMPLATES = sorted((Path(__file__).parents[2] / "workbook_templates").rglob("*.xlsx"))


@pytest.fixture(scope="module")
def engine() -> Iterator[LibreOfficeEngine]:
    made = LibreOfficeEngine(timeout=120)
    yield made
    made.close()


def understood(path: Path) -> tuple[Package, Formulas]:
    package = Package.open(path)
    formulas = Formulas.of(package)
    for index, part in enumerate(package.sheets):
        if part.kind == "worksheet":
            sheet = Sheet.scan(package.read(part.part), strings=shared_strings.of(package), date1904=package.date1904)
            for block in sheet.blocks:
                formulas.add(index, block)
    return package, formulas


def calculated(engine: LibreOfficeEngine, path: Path) -> tuple[Formulas, Calculation]:
    package, formulas = understood(path)
    return formulas, engine.calculate(package, formulas)


def book(path: Path, rows: list[list[Any]], *, epoch: bool = False) -> Path:
    """A workbook with one sheet."""
    made = openpyxl.Workbook()
    if epoch:
        made.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    for row in rows:
        made.worksheets[0].append(row)
    made.save(path)
    return path


# --------------------------------------------------------------------------------------------------- as Excel does


def judged(engine: LibreOfficeEngine, formulas: list[Known], path: Path) -> tuple[list[Known], list[Known], list[str]]:
    """(right, refused, wrong)."""
    places = known.workbook(formulas, path)
    found, calculation = calculated(engine, path)
    right, refused, wrong = [], [], []
    for place, formula in zip(places, formulas, strict=True):
        cell = Cell(*place)
        if cell in found.volatile or cell in calculation.unsupported:
            refused.append(formula)
            assert cell in found.volatile or calculation.reason(cell)
            continue
        got = calculation.values[cell.sheet](cell.row, cell.column)
        if known.agrees(got, formula):
            right.append(formula)
        else:
            wrong.append(f"={formula.text}: {got!r}, Excel {formula.excel!r}")
    return right, refused, wrong


def test_known_formulas_are_right_or_refused(engine: LibreOfficeEngine, tmp_path: Path) -> None:
    formulas = known.ours()
    right, refused, wrong = judged(engine, formulas, tmp_path / "ours.xlsx")
    assert wrong == []
    assert len(right) > 3 * len(refused), "refusing everything would be no engine"


def test_the_shared_formulas_are_right_or_refused(engine: LibreOfficeEngine, tmp_path: Path) -> None:
    if not known.SHARED.exists():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{known.SHARED} is missing")
        pytest.skip(f"{known.SHARED} is missing")
    right, refused, wrong = judged(engine, known.shared(), tmp_path / "shared.xlsx")
    assert wrong == []
    assert len(right) > 4 * len(refused)


def test_every_compared_function_has_a_formula_here() -> None:
    asked: set[str] = set()
    for formula in known.ours():
        asked |= {node.name for node in walk(parse(formula.text)) if isinstance(node, Call)}
    if known.SHARED.exists():
        for formula in known.shared():
            asked |= {node.name for node in walk(parse(formula.text)) if isinstance(node, Call)}
    assert COMPARED - asked - {"SINGLE"} == set()


# ---------------------------------------------------------------------------------------------------- our functions


def test_every_stored_form_of_a_call(engine: LibreOfficeEngine, tmp_path: Path) -> None:
    forms = [
        "PR_LATE_FILE(A1,B1,C1,D1)",
        "pr_late_file(A1,B1,C1,D1)",
        "_xll.PR_LATE_FILE(A1,B1,C1,D1)",
        "_xlfn.SINGLE(PR_LATE_FILE(A1,B1,C1,D1))",
        "_xldudf_RECARGOS_PR_LATE_FILE(A1,B1,C1,D1)",
        "'C:\\a\\recargos.xlam'!PR_LATE_FILE(A1,B1,C1,D1)",
        "1+PR_LATE_FILE(A1,B1,C1,D1)-1",
    ]
    path = book(
        tmp_path / "forms.xlsx",
        [[8000, 47, 5000, 1200, f"={form}"] if n == 0 else [None] * 4 + [f"={form}"] for n, form in enumerate(forms)],
    )
    _, calculation = calculated(engine, path)
    assert [calculation.values[0](row, 5) for row in range(1, len(forms) + 1)] == [270.0] * len(forms)
    assert not calculation.unsupported


def test_what_calc_reads_otherwise_is_not_taken(engine: LibreOfficeEngine, tmp_path: Path) -> None:
    path = book(tmp_path / "types.xlsx", [
        [True, None, 5000, "=PR_FRAUD(A1)"], [None, None, None, "=PR_RETIREMENT_DEBT(C1,B1,5)"],
        [None, None, None, "=PR_RETIREMENT_DEBT(C1,B1,5)+1"], [None, None, 0, "=PR_RETIREMENT_DEBT(C1,C4,5)"],
        [None, None, None, "=PR_LATE_FILE(B1,5)"],
    ])  # fmt: skip
    _, calculation = calculated(engine, path)
    assert Cell(0, 1, 4) in calculation.unsupported, "TRUE is no amount"
    assert calculation.values[0](2, 4) is CellError.VALUE, "a blank rate is refused"
    assert calculation.values[0](3, 4) is CellError.VALUE
    assert Cell(0, 4, 4) in calculation.unsupported, "a rate of 0 is a rate, which Calc cannot tell from a blank"
    assert calculation.values[0](5, 4) == 0.0
    assert [(n.cell, n.kind) for n in calculation.notices if n.cell.row == 5] == [(Cell(0, 5, 4), "blank")]


def test_dates_of_a_1904_workbook(engine: LibreOfficeEngine, tmp_path: Path) -> None:
    path = book(
        tmp_path / "1904.xlsx",
        [[date(2026, 5, 15), "=PR_BOND_DUE(A1)", "=YEAR(A1)", "=PR_BOND_DUE(A1)-A1", "=DATE(2026,5,15)"]],
        epoch=True,
    )
    _, calculation = calculated(engine, path)
    values = calculation.values[0]
    serial = (date(2026, 5, 15) - date(1904, 1, 1)).days
    assert [values(1, column) for column in range(2, 6)] == [serial + 31 - 1, 2026.0, 30.0, serial]


def test_tables_and_dynamic_sizes(engine: LibreOfficeEngine, tmp_path: Path) -> None:
    path = tmp_path / "spill.xlsx"
    made = openpyxl.Workbook()
    sheet = made.worksheets[0]
    text = '=PR_EXPLAIN("PR_RETIREMENT_PRIORITY",31)'
    sheet["A1"] = openpyxl.worksheet.formula.ArrayFormula("A1:C3", text)
    made.save(path)
    _, calculation = calculated(engine, path)
    assert isinstance(calculation.values[0](1, 1), str)
    assert True in [calculation.values[0](row, 2) for row in (1, 2, 3)]


def test_hidden_and_filtered_rows(engine: LibreOfficeEngine, tmp_path: Path) -> None:
    made = openpyxl.Workbook()
    sheet = made.worksheets[0]
    for row in range(1, 6):
        sheet.cell(row, 1).value = row
    sheet.row_dimensions[3].hidden = True
    sheet["B1"], sheet["C1"] = "=SUBTOTAL(109,A1:A5)", "=SUBTOTAL(9,A1:A5)"
    made.save(tmp_path / "hidden.xlsx")
    _, calculation = calculated(engine, tmp_path / "hidden.xlsx")
    assert [calculation.values[0](1, column) for column in (2, 3)] == [12.0, 15.0]
    sheet.auto_filter.ref = "A1:A5"
    sheet.auto_filter.add_filter_column(0, ["1", "2"])
    made.save(tmp_path / "filtered.xlsx")
    _, calculation = calculated(engine, tmp_path / "filtered.xlsx")
    assert {cell.column for cell in calculation.unsupported} == {2, 3}


# ------------------------------------------------------------------------------------------------------- robustness


def test_errors_circles_and_unknown_names(engine: LibreOfficeEngine, tmp_path: Path) -> None:
    path = book(
        tmp_path / "bad.xlsx",
        [["=A1+1", "=NOSUCH(1)", "=IFERROR(NOSUCH(1),7)", "=1/0", "=NA()", "=nosuchname+1", "=SQRT(-1)"]],
    )
    _, calculation = calculated(engine, path)
    assert list(calculation.circular) == [Cell(0, 1, 1)]
    assert {c.column for c in calculation.unsupported} == {1, 2, 3, 6, 7}
    assert calculation.values[0](1, 4) is CellError.DIV0
    assert calculation.values[0](1, 5) is CellError.NA


def test_kept_cells_are_constants(engine: LibreOfficeEngine, tmp_path: Path) -> None:
    path = book(tmp_path / "keep.xlsx", [[1, "=A1+1", "=B1*10", "=TODAY()"]])
    package, formulas = understood(path)
    from recargos.workbook.formulas import Regions

    calculation = engine.calculate(package, formulas, keep=Regions([Cell(0, 1, 2)]))
    assert calculation.values[0](1, 3) == 0.0, "B1 holds no cached value, so it is blank"
    assert calculation.values[0](1, 4) in (None, ""), "volatile functions are not renewed"


def test_a_workbook_that_takes_too_long(tmp_path: Path) -> None:
    made = LibreOfficeEngine(timeout=120)
    try:
        path = book(tmp_path / "a.xlsx", [["=1+1"]])
        assert calculated(made, path)[1].values[0](1, 1) == 2.0
        assert made._instance is not None
        made._instance.timeout = 0.01
        with pytest.raises(EngineError, match="not done within"):
            calculated(made, path)
        assert calculated(made, path)[1].values[0](1, 1) == 2.0, "the next one starts afresh"
    finally:
        made.close()


def test_no_libreoffice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECARGOS_SOFFICE", "/nowhere/soffice")
    with pytest.raises(EngineError, match="no such program"):
        load("libreoffice")


# ------------------------------------------------------------------------------------------- two engines, one result


def compared(engine: LibreOfficeEngine, path: Path) -> tuple[int, list[str]]:
    """Formulas that both engines computed, and where they differ beyond the 15th digit."""
    package, formulas = understood(path)
    one, two = load("formualizer").calculate(package, formulas), engine.calculate(package, formulas)
    unable = one.unsupported | two.unsupported | formulas.volatile | formulas.external | formulas.data_tables
    both = formulas.all - unable - formulas.dependents(unable)
    differing = []
    for cell in both:
        a, b = (c.values[cell.sheet](cell.row, cell.column) for c in (one, two))
        a, b = 0.0 if a is None else a, 0.0 if b is None else b
        if not same(a, b):
            name = package.sheets[cell.sheet].name
            differing.append(
                f"{name}!{address(cell.row, cell.column)} ={formulas.text(cell)}: {a!r}, LibreOffice {b!r}"
            )
    return len(both), differing


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_the_engines_agree_on_every_template(engine: LibreOfficeEngine, path: Path) -> None:
    count, differing = compared(engine, path)
    assert differing == []
    assert count > 100
    package, formulas = understood(path)
    assert not engine.calculate(package, formulas).unsupported


def test_there_are_templates() -> None:
    assert len(TEMPLATES) >= 10


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_the_engines_agree_on_every_example(engine: LibreOfficeEngine, path: Path) -> None:
    assert compared(engine, path)[1] == []
