"""Net 2: the VBA of the built add-in, run by pyOpenVBA's interpreter, from a formula to real xlwings and back into the cell."""

from __future__ import annotations

import datetime as dt
import re
import types
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import openpyxl
import pytest

from recargos import __version__, cells
from recargos.law import CellError
from recargos.statutes import FUNCTIONS, LAW_REVIEWED
from support import com, vba
from support.cases import CASES, Case, agrees
from support.server_command import server_command

ROOT = Path(__file__).parents[1]
ADDIN = ROOT / "addin/excel/recargos.xlam"


@pytest.fixture(scope="module")
def windows() -> Iterator[types.SimpleNamespace]:
    with com.windows() as namespace:
        yield namespace


@pytest.fixture
def office(windows: Any) -> vba.Office:
    """An Excel of the test's own."""
    return vba.Office(ADDIN, windows)


@pytest.fixture(scope="module")
def shared(windows: Any) -> vba.Office:
    """One Excel for the procedures that only compute, and leave every sheet as it was: loading the VBA is what takes time."""
    return vba.Office(ADDIN, windows)


def column(number: int) -> str:
    return chr(64 + number) if number <= 26 else chr(64 + (number - 1) // 26) + chr(65 + (number - 1) % 26)


def lay(office: vba.Office, case: Case, top: int) -> tuple[str, int]:
    """Type the arguments of a case into cells from row `top` on; the formula, and the first free row."""
    left, bottom, given = 30, top, []
    for argument in case.arguments:
        if argument is cells.OMITTED:
            given.append("")
            continue
        rows = argument if isinstance(argument, list) else [[argument]]
        for i, row in enumerate(rows):
            for j, cell in enumerate(row):
                office.put(f"{column(left + j)}{top + i}", cell)
        last = f"{column(left + len(rows[0]) - 1)}{top + len(rows) - 1}"
        given.append(f"{column(left)}{top}" + (f":{last}" if isinstance(argument, list) else ""))
        left, bottom = left + len(rows[0]), max(bottom, top + len(rows) - 1)
    height = len(case.gives) if isinstance(case.gives, list) else 1
    return f"={case.function}({','.join(given)})", max(bottom, top + height - 1) + 2


def cell_value(cell: Any) -> Any:
    """A cell as openpyxl reads it from the saved file: only a true error is a CellError."""
    if cell.data_type == "e":
        return CellError(cell.value)
    return cell.value.date() if isinstance(cell.value, dt.datetime) else cell.value


def as_file_has_it(expected: Any) -> Any:
    """Dates are serials in an unformatted cell, text of nothing is no value."""
    if isinstance(expected, list):
        return [[as_file_has_it(cell) for cell in row] for row in expected]
    if isinstance(expected, dt.date):
        return cells.to_serial(expected)
    return expected


def test_known_values_in_a_saved_workbook(office: vba.Office, tmp_path: Path) -> None:
    """Sheet → wrapper → CallUDF → cell, for every known case; read back from the file that was saved."""
    places, top = [], 1
    for case in CASES:
        formula, below = lay(office, case, top)
        office.enter(f"A{top}", formula)
        places.append((case, formula, top))
        top = below
    path = tmp_path / "cases.xlsx"
    office.app.save(path, workbook=office.book)
    sheet = openpyxl.load_workbook(path, data_only=True).worksheets[0]
    wrong = []
    for case, formula, row in places:
        rows = case.gives if isinstance(case.gives, list) else [[case.gives]]
        shown = [[cell_value(sheet.cell(row + i, 1 + j)) for j in range(len(rows[0]))] for i in range(len(rows))]
        if not agrees(shown, as_file_has_it(rows)):
            wrong.append(f"{case.id} {formula} {case.arguments}: {shown}, not {case.gives}")
    assert not wrong, "\n".join(wrong[:20])
    assert len(places) > 700


def test_errors_are_errors_in_the_file(office: vba.Office, tmp_path: Path) -> None:
    """In the sheet's XML an error is t="e": SUM stops at it. Text that only looks like one would be skipped."""
    for row, error in enumerate(("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"), start=1):
        office.put(f"B{row}", CellError(error))
        office.enter(f"A{row}", f"=PR_FRAUD(B{row})")
    office.app.save(tmp_path / "errors.xlsx", workbook=office.book)
    with zipfile.ZipFile(tmp_path / "errors.xlsx") as archive:
        root = ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml"))
    kinds = {c.get("r"): c.get("t") for c in root.iter("{http://schemas.openxmlformats.org/spreadsheetml/2006/main}c")}
    assert [kinds[f"A{row}"] for row in range(1, 8)] == ["e"] * 7


def test_dates_and_tables_spill(office: vba.Office) -> None:
    assert vba.plain(office.app.interpreter.run("PR_CRIM_REMITTANCE_DUE", [office_date(2026, 4, 10)])) == dt.date(
        2026, 4, 15
    )
    office.put("C1", dt.date(2026, 6, 10))
    office.put("D1", 3000)
    office.enter("F1", "=PR_LEDGER(10000,DATE(2026,5,15),C1,D1,DATE(2026,9,15))")
    expected = cells.call(
        FUNCTIONS["PR_LEDGER"], [10000, dt.date(2026, 5, 15), dt.date(2026, 6, 10), 3000, dt.date(2026, 9, 15)]
    )
    shown = [[office.value(f"{column(6 + j)}{1 + i}") for j in range(5)] for i in range(len(expected))]
    assert agrees([row[1:] for row in shown], [row[1:] for row in expected])
    assert [row[0] for row in shown] == [cells.to_serial(row[0]) for row in expected]


def office_date(year: int, month: int, day: int) -> Any:
    from pyopenvba.interpreter._values import VBADate

    return VBADate.from_datetime(dt.date(year, month, day))


def test_text_results_stay_text(office: vba.Office) -> None:
    office.enter("A1", "=PR_LATE_FILE_OFFENSE(TRUE)")
    office.enter("A2", '=PR_CITE("PR_LATE_FILE")')
    assert office.value("A1") == "misdemeanor"
    assert isinstance(office.value("A2"), str)
    assert not isinstance(office.value("A2"), vba.Failed)


@pytest.mark.parametrize("text", ["#VALUE", "VALUE!", "# NUM!", "#num!", " #N/A", "", "Error 2042", "#¡VALOR!"])
def test_only_the_names_of_errors_become_errors(shared: vba.Office, text: str) -> None:
    assert vba.plain(shared.app.interpreter.run("TrueError", [text])) == text


@pytest.mark.parametrize(
    "rows", [((1.0, "#NUM!", "abc"),), (("#N/A",), (2.0,), ("#DIV/0!",)), ((True, "#REF!"), ("", "#NULL!"))]
)
def test_errors_element_by_element(shared: vba.Office, rows: Any) -> None:
    shown = vba.plain(
        shared.app.interpreter.run("WithTrueErrors", [vba.to_vba(com.to_variant([list(row) for row in rows]))])
    )
    flat = [cell for row in shown for cell in (row if isinstance(row, list) else [row])]
    expected = [vba.Failed(c) if isinstance(c, str) and c.startswith("#") else c for row in rows for c in row]
    assert flat == expected


def test_one_dimension_too(shared: vba.Office) -> None:
    from pyopenvba.interpreter._values import VBAArray

    array = VBAArray([(0, 2)], items=[5.0, "#NUM!", "x"])
    answer = shared.app.interpreter.run("WithTrueErrors", [array])
    assert [vba.plain(item) for item in answer.items] == [5.0, vba.Failed("#NUM!"), "x"]


# ---------------------------------------------------------------------------------------------- what the wrapper sends


def test_currency_keeps_all_its_decimals(office: vba.Office) -> None:
    """A currency cell's Value is cut to four decimals: 10,000.00004 would fall under the 10,000.00 of the 5 % rate."""
    office.put("B1", 10000.00004)
    office.app.sheet(1).sheet.vba_get("Range", ["B1"]).vba_set("NumberFormat", "$#,##0.00", [], {})
    office.put("B2", 10000.0)
    office.app.sheet(1).sheet.vba_get("Range", ["B2"]).vba_set("NumberFormat", "$#,##0.00", [], {})
    office.enter("A1", "=PR_RETURNED_CHECK_RATE(B1)")
    office.enter("D1", "=PR_RETURNED_CHECK_RATE(B1:B2)")
    assert office.value("A1") == 0.1
    assert [office.value("D1"), office.value("D2")] == [0.1, 0.05]


def test_several_areas_are_refused(office: vba.Office) -> None:
    """Value of (A1,A3) is that of A1 alone."""
    office.put("B1", 100)
    office.put("B3", 200)
    both = office.app.sheet(1).sheet.vba_get("Range", ["B1,B3"])
    assert vba.plain(office.app.interpreter.run("PR_FRAUD", [both])) == vba.Failed("#VALUE!")


def test_whole_columns_end_with_the_sheet(office: vba.Office) -> None:
    office.put("B1", 100)
    office.put("B5", 200)
    office.enter("D1", "=PR_FRAUD(B:B)")
    assert [office.value(f"D{row}") for row in range(1, 7)] == [100.0, 0.0, 0.0, 0.0, 200.0, None]


def test_only_values_cross_and_one_call_does_a_column(office: vba.Office) -> None:
    """The stand-in for the COM boundary refuses live objects; ten thousand rows are one call."""
    for row in range(1, 301):
        office.put(f"B{row}", row * 10)
    before = office.double.python.calls if office.double.python else 0
    office.enter("C1", "=PR_FRAUD(B1:B300)")
    assert office.double.python is not None
    assert office.double.python.calls == before + 1
    assert office.value("C300") == 3000.0


def test_omitted_arguments(office: vba.Office) -> None:
    office.enter("A1", "=PR_LATE_FILE(8000,47,,1200)")
    office.enter("A2", "=PR_LATE_FILE(8000,47)")
    assert office.value("A1") == cells.call(FUNCTIONS["PR_LATE_FILE"], [8000, 47, cells.OMITTED, 1200])
    assert office.value("A2") == cells.call(FUNCTIONS["PR_LATE_FILE"], [8000, 47])


def test_1904_workbook(windows: Any) -> None:
    office = vba.Office(ADDIN, windows, date1904=True)
    serial = cells.to_serial(dt.date(2026, 4, 10), date1904=True)
    office.enter("A1", f"=PR_CRIM_REMITTANCE_DUE({serial})")
    office.put("B1", dt.date(2026, 4, 12))
    office.enter("A2", f"=PR_DAYS_LATE({serial},B1)")
    assert office.value("A1") == cells.to_serial(dt.date(2026, 4, 15))
    assert office.value("A2") == 2.0
    plain = vba.Office(ADDIN, windows)
    plain.put("B1", dt.date(2026, 4, 12))
    plain.enter("A2", f"=PR_DAYS_LATE({serial},B1)")
    assert plain.value("A2") == 1464.0


# ------------------------------------------------------------------------------------------------ when Python is gone


def test_the_server_is_made_once(office: vba.Office) -> None:
    for row in range(1, 20):
        office.enter(f"A{row}", f"=PR_FRAUD({row})")
    assert office.double.started == 1


def test_a_killed_server_is_replaced(office: vba.Office) -> None:
    office.enter("A1", "=PR_FRAUD(1)")
    assert office.double.python is not None
    office.double.python.alive = False
    office.enter("A2", "=PR_FRAUD(2)")
    assert office.value("A2") == 2.0
    assert office.double.started == 2
    assert office.run("Generation") == 1, "another command line: xlwings' DLL would give the dead process again"


def test_a_server_that_cannot_start_gives_errors_quickly_and_says_why(office: vba.Office) -> None:
    """A thousand formulas make one attempt, not a thousand; About tells; Restart Python tries again."""
    office.double.startable = False
    for row in range(1, 101):
        office.enter(f"A{row}", f"=PR_FRAUD({row})")
    assert {office.value(f"A{row}") for row in range(1, 101)} == {vba.Failed("#VALUE!")}
    assert office.double.started == 1
    assert "recargos addin doctor" in office.run("Problem")
    assert "recargos addin doctor" in office.run("AboutText")
    office.double.startable = True
    office.run("RestartPython")
    office.enter("B1", "=PR_FRAUD(7)")
    assert office.value("B1") == 7.0
    assert office.run("Problem") == ""


def test_an_exception_is_value_error_never_text(office: vba.Office, windows: Any) -> None:
    before = windows.excel.PR_FRAUD
    try:
        del windows.excel.PR_FRAUD
        office.enter("A1", "=PR_FRAUD(5)")
        assert office.value("A1") == vba.Failed("#VALUE!")
        assert "PR_FRAUD" in office.run("Problem")
    finally:
        windows.excel.PR_FRAUD = before


@pytest.mark.parametrize("number", [462, -2147023174, -2147023170, -2147417848, -2147418105])
def test_numbers_of_a_lost_server(shared: vba.Office, number: int) -> None:
    from pyopenvba.interpreter._values import VBAInt

    assert shared.run("ServerIsGone", VBAInt(number, "Long")) is True
    assert shared.run("ServerIsGone", VBAInt(-2147352567, "Long")) is False


def test_settings_come_from_the_user_alone(office: vba.Office) -> None:
    """A sheet or a file beside the active workbook could name any program. xlwings' own GetConfig would ask them first."""
    office.double.settings["INTERPRETER_WIN"] = r"C:\Py\python.exe"
    assert office.run("GetConfig", "INTERPRETER_WIN", "pythonw") == r"C:\Py\python.exe"
    assert office.run("GetConfig", "NOTHING", "pythonw") == "pythonw"
    for name, text in office.sources.items():
        for hole in (
            "GetConfigFromSheet",
            "GetDirectoryConfigFilePath",
            "RunPython",
            "Shell",
            "WScript",
            "CreateObject",
        ):
            assert hole not in text, f"{name}: {hole}"


def test_command_line_that_starts_python(windows: Any) -> None:
    """The same whichever workbook is active, and no folder of a workbook on Python's path."""
    office = vba.Office(ADDIN, windows)
    office.double.settings["INTERPRETER_WIN"] = r"C:\My Py\python.exe"
    text = office.sources["xlwings"]
    body = text[text.index("Function XLPyCommand()") : text.index("Private Sub XLPyLoadDLL")]
    assert "ActiveWorkbook" not in body
    office.app.add_module(
        'Option Explicit\n#Const App = "Microsoft Excel"\n' + body.replace("XLPyCommand", "Command_"), name="started"
    )
    assert office.run("Command_") == server_command(r"C:\My Py\python.exe")
    office.double.settings["PYTHONPATH"] = r"C:\firm;D:\more"
    office.run("RestartPython")
    assert office.run("Command_") == server_command(r"C:\My Py\python.exe", r"C:\firm;D:\more", 1)


# ---------------------------------------------------------------------------------------------------------- the ribbon


def test_functions_menu_in_both_languages(shared: vba.Office) -> None:
    for language, heading in (("en", "Late filing"), ("es", "Planilla radicada tarde")):
        shared.double.language = language
        menu = ElementTree.fromstring(shared.run("FunctionsMenu"))
        buttons = list(menu.iter("{http://schemas.microsoft.com/office/2009/07/customui}button"))
        assert [button.get("id") for button in buttons] == list(FUNCTIONS)
        assert heading in [m.get("label") for m in menu]
        assert all(button.get("onAction") == "Recargos_Insert" for button in buttons)
        helps = [button.get("supertip") for button in buttons]
        assert helps == [function.help.in_(language) for function in FUNCTIONS.values()]


def test_inserted_examples_compute(office: vba.Office) -> None:
    menu = ElementTree.fromstring(office.run("FunctionsMenu"))
    for row, button in enumerate(menu.iter("{http://schemas.microsoft.com/office/2009/07/customui}button"), start=1):
        office.app.sheet(1).sheet.vba_get("Range", [f"A{row * 20}"]).vba_get("Select")
        office.run("InsertFormula", button.get("tag"))
        value = office.value(f"A{row * 20}")
        assert value is not None
        assert not isinstance(value, vba.Failed), button.get("tag")


def test_insert_asks_before_it_replaces(office: vba.Office) -> None:
    office.put("A1", 5)
    office.app.sheet(1).sheet.vba_get("Range", ["A1"]).vba_get("Select")
    office.app.answer_dialogs(7)
    office.run("InsertFormula", "PR_FRAUD(9)")
    assert office.value("A1") == 5.0
    office.app.answer_dialogs(6)
    office.run("InsertFormula", "PR_FRAUD(9)")
    assert office.value("A1") == 9.0


@pytest.mark.parametrize(
    ("saved", "of_office", "spanish"),
    [("", 1033, False), ("", 3082, True), ("", 20490, True), ("en", 3082, False), ("es", 1033, True)],
)
def test_language_is_offices_until_one_is_chosen(shared: vba.Office, saved: str, of_office: int, spanish: bool) -> None:
    shared.double.language, shared.double.office_language = saved, of_office
    assert shared.run("InSpanish") is spanish


@pytest.mark.parametrize(("language", "category"), [("en", "Puerto Rico Tax"), ("es", "Contribuciones PR")])
def test_wizard_help(office: vba.Office, language: str, category: str) -> None:
    office.double.language = language
    office.run("RegisterHelp")
    assert set(office.options) == {f"'recargos.xlam'!{name}" for name in FUNCTIONS}
    for function in FUNCTIONS.values():
        told = office.options[f"'recargos.xlam'!{function.name}"]
        assert told["category"] == category
        assert told["description"] == function.help.in_(language)
        assert told["arguments"] == [argument.help.in_(language) for argument in function.arguments]
        assert all(len(text) <= 255 for text in (told["description"], *told["arguments"]))


def test_only_our_functions_show_in_excel(shared: vba.Office) -> None:
    """A public function of a module that is not private would stand in Excel's list, and in every formula's reach."""
    for name, text in shared.sources.items():
        if "Option Private Module" in text or name in ("udfs", "ThisWorkbook", "Sheet1"):
            continue
        assert name == "ribbon"
        assert "Function " not in text.replace("End Function", "").replace("Exit Function", "")
    shown = re.findall(r"^Public Function (\w+)", shared.sources["udfs"], re.M)
    assert set(shown) == set(FUNCTIONS)


def test_every_control_has_a_label_in_both_languages(shared: vba.Office) -> None:
    root = ElementTree.parse(ROOT / "addin/excel/ribbon.xml").getroot()
    labelled = [e.get("id") for e in root.iter() if e.get("getLabel")]
    for language in ("en", "es"):
        shared.double.language = language
        labels = [shared.run("RibbonText", id_, 0) for id_ in labelled]
        assert all(label != id_ for label, id_ in zip(labels, labelled, strict=True)), labels
    callbacks = {value for e in root.iter() for key, value in e.attrib.items() if key.startswith(("on", "get"))}
    for callback in callbacks:
        assert f"Public Sub {callback}(" in shared.sources["ribbon"], callback


def test_intellisense_sheet_follows_the_language(office: vba.Office) -> None:
    office.app.activate_workbook(office.addin)
    for language in ("es", "en"):
        office.double.language = language
        office.run("UseIntelliSense")
        sheet = next(s for s in office.addin.sheets_ if s.name == "_IntelliSense_")
        assert vba.plain(sheet.vba_get("Range", ["A1"]).vba_get("Value")) == "FunctionInfo"
        assert vba.plain(sheet.vba_get("Range", ["B2"]).vba_get("Value")) == FUNCTIONS["PR_RETURNED_CHECK"].help.in_(
            language
        )


@pytest.mark.parametrize(
    ("formula", "calls"),
    [
        ("=PR_FRAUD(1)", True),
        ("=sum(pr_fraud(A1),2)", True),
        ("='C:\\a b\\recargos.xlam'!PR_FRAUD(1)", True),
        ("=_xll.PR_FRAUD(1)", True),
        ('="PR_FRAUD("&A1', False),
        ("=MY_PR_FRAUD(1)", False),
        ("=PR_RATE*2", False),
        ("PR_FRAUD(1)", False),
        ("", False),
    ],
)
def test_which_formulas_are_ours(shared: vba.Office, formula: str, calls: bool) -> None:
    assert shared.run("CallsUs", formula) is calls


def test_explain_cell(office: vba.Office) -> None:
    office.put("B2", 8000)
    office.enter("C2", "=ROUND(PR_LATE_FILE(B2,47,5000,1200),2)")
    office.app.sheet(1).sheet.vba_get("Range", ["C2"]).vba_get("Select")
    for language, function, label, first in (("en", "PR_EXPLAIN", "E", "F"), ("es", "PR_EXPLICAR", "J", "K")):
        office.double.language = language
        office.run("ExplainCell")
        assert office.value(f"{label}2").endswith("C2")
        assert office.app.sheet(1).formula(f"{first}2") == f'={function}("PR_LATE_FILE",B2,47,5000,1200)'
        steps = cells.call(FUNCTIONS[function], ["PR_LATE_FILE", 8000, 47, 5000, 1200])
        assert [office.value(f"{first}{2 + n}") for n in range(len(steps))] == [step[0] for step in steps]


def test_explain_says_when_there_is_nothing_to_explain(office: vba.Office) -> None:
    office.enter("A1", "=SUM(1,2)")
    office.app.sheet(1).sheet.vba_get("Range", ["A1"]).vba_get("Select")
    office.run("ExplainCell")
    assert "calls no PR_ function" in office.app.dialogs[-1][1]


def test_freeze_and_stamp(office: vba.Office) -> None:
    office.app.freeze_clock(dt.datetime(2026, 11, 30, 10, 15))
    office.put("B1", 500.2)
    office.enter("A1", "=PR_RETURNED_CHECK(B1)")
    office.enter("A2", "=A1*2")
    office.enter("A3", "=PR_WITHHOLDING_PENALTY(1000,0.9)")
    office.enter("D1", "=PR_FRAUD(B1:B3)")
    office.app.answer_dialogs(6)
    office.run("FreezeAndStamp")
    sheet = office.app.sheet(1)
    assert (sheet.formula("A1"), office.value("A1")) == ("25.01", 25.01)
    assert sheet.formula("A2") == "=A1*2", "what is not ours stays a formula"
    assert office.value("A3") == vba.Failed("#NUM!"), "a frozen error is still an error"
    assert [office.value(f"D{n}") for n in (1, 2, 3)] == [500.2, 0.0, 0.0]
    audit = next(s for s in office.app.workbook.sheets_ if s.name == "Audit")
    rows = vba.plain(audit.vba_get("Range", ["A1:D6"]).vba_get("Value"))
    assert rows[0][1] == __version__
    assert rows[0][3] == LAW_REVIEWED
    assert rows[1][0] == "A. Contable"
    assert rows[1][1] == dt.date(2026, 11, 30)
    assert rows[1][3] == 3.0
    assert ["Sheet1", "A1", "=PR_RETURNED_CHECK(B1)", 25.01] in rows
    assert ["Sheet1", "D1:D3", "=PR_FRAUD(B1:B3)", 500.2] in rows


def test_freeze_does_nothing_without_a_yes_or_without_python(office: vba.Office) -> None:
    office.enter("A1", "=PR_FRAUD(5)")
    office.app.answer_dialogs(7)
    office.run("FreezeAndStamp")
    assert office.app.sheet(1).formula("A1") == "=PR_FRAUD(5)"
    assert office.double.python is not None
    office.double.python.alive, office.double.startable = False, False
    with pytest.raises(Exception, match="Python did not start"):
        office.run("FreezeAndStamp")
    assert office.app.sheet(1).formula("A1") == "=PR_FRAUD(5)"


def test_self_test(office: vba.Office) -> None:
    wrong = office.run("SelfTest")
    sheet = office.app.sheet(1)
    rows = sheet.rows()
    assert wrong == 0, [row for row in rows if row[4] != "right"]
    assert len(rows) > 400, "the known values that a formula can hold"
    assert {row[4] for row in rows[1:] if row[0]} == {"right"}
    assert {row[0] for row in rows[1:] if row[0]} >= {
        n for n, f in FUNCTIONS.items() if f.statute and f.result != "table"
    }


def test_self_test_sees_a_wrong_value(office: vba.Office, windows: Any) -> None:
    before = windows.excel.PR_RETURNED_CHECK
    wrong = windows.excel.udf(FUNCTIONS["PR_RETURNED_CHECK"]._replace(compute=lambda *_, **__: 1))
    windows.excel.PR_RETURNED_CHECK = wrong
    try:
        assert office.run("SelfTest") > 10
    finally:
        windows.excel.PR_RETURNED_CHECK = before


def test_about(shared: vba.Office) -> None:
    text = shared.run("AboutText")
    assert __version__ in text
    assert str(LAW_REVIEWED) in text
    assert "install again" not in text


def test_tables_are_shown_as_they_are(office: vba.Office) -> None:
    """A reason that starts with "=" lands as text."""
    rows = vba.to_vba(com.to_variant([["Cell", "Reason"], ["A1", "=1+1"], ["A2", 5.0]]))
    office.app.interpreter.run("ShowTable", [rows])
    assert [office.value(a) for a in ("A1", "B2", "B3")] == ["Cell", "=1+1", 5.0]


def test_templates_menu_escapes(shared: vba.Office) -> None:
    rows = vba.to_vba(com.to_variant([["late_filing", 'Late "filing" <A & B>'], ["x", "y"]]))
    menu = ElementTree.fromstring(shared.app.interpreter.run("TemplatesMenu", [rows]))
    assert [b.get("label") for b in menu] == ['Late "filing" <A & B>', "y"]
    assert [b.get("tag") for b in menu] == ["late_filing", "x"]


def test_links_of_another_machine_are_repaired(office: vba.Office) -> None:
    from pyopenvba.apps.excel._model import Workbook
    from pyopenvba.interpreter._objects import MemberSpec
    from pyopenvba.interpreter._values import VBAArray

    mine = str(vba.plain(office.addin.vba_get("FullName")))
    links = [r"C:\Users\luis\AppData\Roaming\Recargos\recargos.xlam", r"C:\firm\other.xlam", mine]
    changed: list[tuple[str, str]] = []
    vba.replace(
        Workbook,
        MemberSpec(
            name="LinkSources",
            kind="method",
            getter=lambda *_: VBAArray([(1, 3)], items=list(links)),
            parameters=("Type",),
        ),
    )
    vba.replace(
        Workbook,
        MemberSpec(
            name="ChangeLink",
            kind="method",
            getter=lambda _b, Name="", NewName="", Type=1: changed.append((Name, NewName)),
            parameters=("Name", "NewName", "Type"),
        ),
    )
    assert office.run("RepairLinks") == 1
    assert changed == [(links[0], mine)]
