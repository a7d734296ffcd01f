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
from openpyxl.worksheet.formula import ArrayFormula

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
from support.answers import CELLS, answers

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


PLACE = 15
"""The column of formulas placed below the cells of :data:`support.answers.CELLS`."""


def placed(
    engine: LibreOfficeEngine, folder: Path, formulas: list[str], more: dict[str, Any] | None = None, *,
    array: bool = False,
) -> tuple[Formulas, Calculation, list[int]]:  # fmt: skip
    """What the engine makes of formulas, and their rows; `more`: cells besides, in columns that CELLS leaves free."""
    made = openpyxl.Workbook()
    sheet = made.worksheets[0]
    for where, value in ({name: stored(value) for name, value in CELLS.items()} | (more or {})).items():
        sheet[where] = value
        if isinstance(value, str) and not value.startswith("="):
            sheet[where].data_type = "s"
    rows = [10 + 2 * number for number in range(len(formulas))]
    for row, text in zip(rows, formulas, strict=True):
        cell = sheet.cell(row, PLACE)
        cell.value = ArrayFormula(cell.coordinate, stored(text)) if array else stored(text)
    made.save(folder / "placed.xlsx")
    found, calculation = calculated(engine, folder / "placed.xlsx")
    return found, calculation, rows


def stored(value: Any) -> Any:
    """A formula as Excel's files spell it."""
    return "=" + known.stored(value[1:]) if isinstance(value, str) and value.startswith("=") else value


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
    assert len(right) > 2.5 * len(refused), "refusing everything would be no engine"


def test_the_shared_formulas_are_right_or_refused(engine: LibreOfficeEngine, tmp_path: Path) -> None:
    if not known.SHARED.exists():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{known.SHARED} is missing")
        pytest.skip(f"{known.SHARED} is missing")
    right, refused, wrong = judged(engine, known.shared(), tmp_path / "shared.xlsx")
    assert wrong == []
    assert len(right) > 4 * len(refused)


def test_the_answers_of_the_first_engine_are_right_or_refused(engine: LibreOfficeEngine, tmp_path: Path) -> None:
    listed = [(text, excel) for text, excel in answers() if excel is not None]
    found, calculation, rows = placed(engine, tmp_path, [text for text, _ in listed])
    wrong, right = [], 0
    for (text, excel), row in zip(listed, rows, strict=True):
        cell = Cell(0, row, PLACE)
        if cell in found.volatile or cell in calculation.unsupported:
            continue
        got = calculation.values[0](row, PLACE)
        value = 0.0 if got is None else got
        expected = CellError(excel) if isinstance(excel, str) and excel in {e.value for e in CellError} else excel
        if known.agrees(value, Known("", text, expected, 1e-12)) and (expected != 0 or value == 0):
            right += 1
        else:
            wrong.append(f"{text}: {value!r}, Excel {excel!r}")
    assert wrong == []
    assert right > 0.6 * len(listed)


@pytest.mark.parametrize("entered", ["plain", "array"])
def test_array_arithmetic_must_be_entered_as_such(engine: LibreOfficeEngine, tmp_path: Path, entered: str) -> None:
    formulas = {
        "=SUM((A1:A4>0)*A1:A4)": 17, "=SUM(IF(A1:A4>4,A1:A4,0))": 14, "=COUNT(A1:A2*1)": 2, "=SUM(ABS(A1:A4))": 17,
        "=SUM(IFERROR(A1:A4*2,0))": 34, "=MATCH(1,(A1:A4=9)*(G1:G4=30),0)": 3, "=MAX(ROUND(A1:A4,0))": 9,
        "=SUM(SUMIF(B1:B5,B1:B2,A1:A5))": 7, "=SUM(LEN(B1:B3))": 6, "=SUMPRODUCT(IF(A1:A4>4,1,0))": 2,
    }  # fmt: skip
    _, calculation, rows = placed(engine, tmp_path, list(formulas), array=entered == "array")
    got = [calculation.values[0](row, PLACE) for row in rows]
    refused = [Cell(0, row, PLACE) in calculation.unsupported for row in rows]
    if entered == "plain":
        assert refused == [True] * len(formulas)
        assert all("array" in calculation.reason(Cell(0, row, PLACE)) or "range" in calculation.reason(
            Cell(0, row, PLACE)) for row in rows)  # fmt: skip
    else:
        assert [g for g, no in zip(got, refused, strict=True) if not no] == [
            v for v, no in zip(formulas.values(), refused, strict=True) if not no
        ]
        assert sum(refused) <= 2


def test_plain_formulas_that_compute_over_arrays_anyway(engine: LibreOfficeEngine, tmp_path: Path) -> None:
    formulas = {"=SUMPRODUCT((A1:A4>4)*A1:A4)": 14, "=LOOKUP(2,1/(B1:B5=\"r9\"),A1:A5)": 9, "=SUM({1,2}*2)": 6,
                "=SUM(IF(A1>4,A1:A2,A3))": 7, "=SUM(INDEX(A1:B5,0,1))": 24, "=COUNT(A1:A3,A5)": 4}  # fmt: skip
    _, calculation, rows = placed(engine, tmp_path, list(formulas))
    assert not any(Cell(0, row, PLACE) in calculation.unsupported for row in rows)
    assert [calculation.values[0](row, PLACE) for row in rows] == list(formulas.values())


def test_what_the_last_digits_decide_is_refused(engine: LibreOfficeEngine, tmp_path: Path) -> None:
    doubtful = [
        "=(0.5-0.4-0.1)", "=1*(0.5-0.4-0.1)", "=(I1-I2)*1", "=SUM(0.5,-0.4,-0.1)", "=IF(I1-I2,1,2)", "=ROUNDUP(I1-I2,2)", "=IF(I1-I2>0,1,2)",
        "=MATCH(0.3,I1:I1,0)", "=COUNTIF(I1:I2,0.3)", "=COUNTIF(I1:I2,\">0.3\")", "=VLOOKUP(0.3,I1:I2,1,FALSE)",
        "=SUMIF(I1:I2,I2)", "=43.1-43.2+1=0.9", "=VLOOKUP(9,A1:G5,7,FALSE)*1.1=33", "=MATCH(7,A1:A5,1)", "=ABS(I1-I2)>0",
        "=VLOOKUP(6,A1:B5,2)", "=(-8)^(1/3)", "=ROUNDDOWN(0.57*100,0)", "=1.23456789012345678+1", "=RATE(48,-200,8000)",
        "=IRR({-100,110})", "=SUMIF(H1:H3,\"<>\")",
    ]  # fmt: skip
    certain = {"=I1=I2": True, "=(A1-A2)*1.1": 3.3, "=A1-A2>2": True, "=I1*10-3": 0, "=SUM(A1:A5)=24": True,
               "=MATCH(25,G1:G5,1)": 2, "=MATCH(30,G1:G5,0)": 3, "=ABS(I1-I2)<0.01": True, "=ROUND(I1-I2,2)*1": 0, "=ROUND(SUM(H1:H3),2)=0": True,
               "=IF(ABS(ROUND(I2,2)-I1)>=0.005,1,2)": 2, "=SUMIF(A1:A5,\">4\")=21": True}  # fmt: skip
    more = {"I1": "=0.1+0.2", "I2": 0.3, "H1": 0.1, "H2": 0.2, "H3": -0.3}
    _, calculation, rows = placed(engine, tmp_path, [*doubtful, *certain], more)
    refused = [text for text, row in zip([*doubtful, *certain], rows, strict=True)
               if Cell(0, row, PLACE) in calculation.unsupported]  # fmt: skip
    assert [text for text in doubtful if text not in refused] == []
    assert set(refused) - set(doubtful) <= {'=SUMIF(A1:A5,">4")=21'}, "what is certain is computed"
    for (text, value), row in zip(certain.items(), rows[len(doubtful) :], strict=True):
        assert text in refused or calculation.values[0](row, PLACE) == pytest.approx(value, abs=1e-15)


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


def test_results_are_values_like_any_other(engine: LibreOfficeEngine, tmp_path: Path) -> None:
    """LibreOffice compares the texts of add-ins by their place in memory, and does not look up a matrix of one cell."""
    offense, amount = "PR_LATE_FILE_OFFENSE(C4,C4)", "PR_LATE_FILE(8000,47,5000,1200)"
    felony = "third-degree felony"
    formulas: dict[str, Any] = {
        f'=I1="{felony}"': True, f'={offense}="{felony}"': True, f'=MATCH("{felony}",I1:I2,0)': 1,
        f"=MATCH({offense},I1:I2,0)": 1, f"=MATCH({offense},I2:I3,0)": 1, f"=VLOOKUP({offense},I1:I2,1,FALSE)": felony,
        f"=COUNTIF(I1:I3,{offense})": 3, f"=EXACT(I1,{offense})": True, "=MATCH(I2,I1:I1,0)": 1,
        f"=MATCH({amount},I4:I5,0)": 2, f"=VLOOKUP({amount},I4:J5,2,FALSE)": "here", f"=COUNTIF(I4:I5,{amount})": 1,
        f"=IF({amount}=270,1,2)": 1, f"=CHOOSE({amount}/270,5,6)": 5, f"=LEN({offense})": len(felony),
        "=IF(PR_RETIREMENT_PRIORITY(31),1,2)": 1, '=VLOOKUP("Act 1-2011",K1:K1,1,FALSE)': CellError.NA,
    }  # fmt: skip
    more = {"I1": f"={offense}", "I2": felony, "I3": f"=IF(A1>0,{offense})", "I4": 1, "I5": f"={amount}", "J5": "here"}
    _, calculation, rows = placed(engine, tmp_path, list(formulas), more)
    got = {text: calculation.values[0](row, PLACE) for text, row in zip(formulas, rows, strict=True)}
    assert not calculation.unsupported, calculation.reasons
    assert got == formulas


def test_notices_of_calls_that_are_not_made(engine: LibreOfficeEngine, tmp_path: Path) -> None:
    call = "PR_LATE_FILE(I1,5)"  # I1 is blank
    formulas = [
        f"=IF(A1>4,1,{call})", f"=IF(A1>4,{call},1)", f"=IF(A1>4,IF(A2>4,{call},0),1)", f"=1+IF(A2<4,{call},0)",
        f"={call}+1", f"=IFERROR(1,{call})", f"=IFERROR({call},1)", f"=CHOOSE(1,5,{call})",
        f"=IF(VLOOKUP(5,A1:B5,2,0)=\"r5\",{call},1)",
    ]  # fmt: skip
    _, calculation, rows = placed(engine, tmp_path, formulas)
    told = [any(n.cell.row == row for n in calculation.notices) for row in rows]
    assert told == [False, True, False, True, True, False, True, False, False]
    assert any("3 calls stand in a branch" in warning for warning in calculation.warnings)


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
    sheet["A1"] = ArrayFormula("A1:C3", text)
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
