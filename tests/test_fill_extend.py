"""A firm's own workbook whose table must grow: everything that refers to it grows or moves along, nothing else changes."""

from __future__ import annotations

import csv
import zipfile
from datetime import date
from pathlib import Path

import openpyxl
import pytest
from lxml import etree
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font, PatternFill
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table, TableFormula

from recargos.fill.run import Options, fill

HEADINGS = ["Client", "Client ID", "Check amount", "Returned", "Penalty", "Running"]
COUNT = 25


def firms_workbook(path: Path, *, prefix: bool = False) -> Path:
    """Three rows with data, a totals row, notes and a second table below, names, formats, a chart, formulas elsewhere."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Checks & co"
    sheet["A1"] = "Register"
    for column, heading in enumerate(HEADINGS, 1):
        sheet.cell(3, column).value = heading
    for row in (4, 5, 6):
        sheet.cell(row, 1).value = f"Old {row}"
        sheet.cell(row, 2).value = f"00{row}"
        sheet.cell(row, 2).number_format = "@"
        sheet.cell(row, 3).value = 1000 * row
        sheet.cell(row, 3).number_format = "#,##0.00"
        sheet.cell(row, 4).value = date(2026, 1, row)
        sheet.cell(row, 4).number_format = "yyyy-mm-dd"
        sheet.cell(row, 5).value = "=PR_RETURNED_CHECK(Reg[[#This Row],[Check amount]])"
        sheet.cell(row, 6).value = f"=SUM(C$4:C{row})"
        sheet.cell(row, 9).value = f"beside {row}"
    sheet["A7"] = "Total"
    sheet["C7"] = "=SUBTOTAL(109,Reg[Check amount])"
    sheet["E7"] = "=SUBTOTAL(109,Reg[Penalty])"
    sheet["A10"] = "Note below"
    sheet["C10"] = "=SUM(C4:C6)+C7"
    sheet["C11"] = "=C10*2"
    sheet.merge_cells("A12:C12")
    sheet["A12"] = "merged"
    sheet["A10"].comment = Comment("look", "me")
    for column, heading in enumerate(("K", "V"), 1):
        sheet.cell(15, column).value = heading
    sheet["A16"], sheet["B16"] = "x", 1
    table = Table(displayName="Reg", ref="A3:F7", totalsRowCount=1)
    table._initialise_columns()
    table.autoFilter.ref = "A3:F6"
    for column, heading in zip(table.tableColumns, HEADINGS, strict=True):
        column.name = heading
    table.tableColumns[4].calculatedColumnFormula = TableFormula(
        attr_text="PR_RETURNED_CHECK(Reg[[#This Row],[Check amount]])"
    )
    sheet.add_table(table)
    sheet.add_table(Table(displayName="Below", ref="A15:B16"))
    sheet.conditional_formatting.add(
        "C4:C6", FormulaRule(["C4>5000"], fill=PatternFill(bgColor="FFFF00"), font=Font(bold=True))
    )
    sheet.conditional_formatting.add("A10:B10", FormulaRule(["$C$10>1"], font=Font(bold=True)))
    validation = DataValidation(type="decimal", operator="greaterThan", formula1="0", showErrorMessage=True)
    validation.add("C4:C6")
    sheet.add_data_validation(validation)
    sheet.print_area = "A1:F12"
    other = book.create_sheet("Other")
    other["A1"] = "=SUM('Checks & co'!C4:C6)"
    other["A2"] = "='Checks & co'!C7+'Checks & co'!E$7"
    other["A3"] = "=SUM(Reg[Penalty])"
    other["A4"] = "=SUM('Checks & co'!$A$16:$B$16)+SUM(C4:C6)"
    other["A5"] = "='Checks & co'!A5"
    book.defined_names["Amounts"] = DefinedName("Amounts", attr_text="'Checks & co'!$C$4:$C$6")
    book.defined_names["TotalCell"] = DefinedName("TotalCell", attr_text="'Checks & co'!$E$7")
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=3, min_row=4, max_row=6))
    sheet.add_chart(chart, "A20")
    book.save(path)
    return path


def client_file(path: Path, count: int = COUNT) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["CLIENT ", "clientid", "Check  Amount", "returned"])
        for n in range(count):
            writer.writerow([f"New {n}", f"{n:06}", f"{600 + n}.50", "2026-02-03"])
    return path


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    folder = tmp_path_factory.mktemp("grown")
    source, out = firms_workbook(folder / "firm.xlsx"), folder / "out.xlsx"
    outcome = fill(source, client_file(folder / "clients.csv"), out)
    return source, out, outcome


def test_rows_are_added_with_formulas_formats_and_values(grown):
    _, out, outcome = grown
    assert outcome.added == COUNT
    assert not outcome.rejected
    sheet = openpyxl.load_workbook(out, data_only=True)["Checks & co"]
    formulas = openpyxl.load_workbook(out)["Checks & co"]
    last = 6 + COUNT
    assert [sheet.cell(7, c).value for c in range(1, 5)] == ["New 0", "000000", 600.5, sheet["D7"].value]
    assert sheet["D7"].value.date() == date(2026, 2, 3)
    assert sheet.cell(last, 1).value == f"New {COUNT - 1}"
    assert formulas.cell(last, 5).value == "=PR_RETURNED_CHECK(Reg[[#This Row],[Check amount]])"
    assert [formulas.cell(row, 6).value for row in (4, 6, last)] == [
        "=SUM(C$4:C4)",
        "=SUM(C$4:C6)",
        f"=SUM(C$4:C{last})",
    ]
    assert sheet.cell(last, 5).value == pytest.approx(31.23)  # 5 % of 624.50, half up
    assert sheet.cell(last, 6).value == pytest.approx(15_000 + sum(600.5 + n for n in range(COUNT)))
    assert formulas.cell(last, 2).number_format == "@"
    assert formulas.cell(last, 3).number_format == "#,##0.00"
    assert sheet["I5"].value == "beside 5"


def test_what_refers_to_the_table_grows(grown):
    _, out, _ = grown
    book = openpyxl.load_workbook(out)
    sheet, other = book["Checks & co"], book["Other"]
    last, totals = 6 + COUNT, 7 + COUNT
    table = sheet.tables["Reg"]
    assert table.ref == f"A3:F{totals}"
    assert table.autoFilter.ref == f"A3:F{last}"
    assert sheet.tables["Below"].ref == f"A{15 + COUNT}:B{16 + COUNT}"
    assert book.defined_names["Amounts"].attr_text == f"'Checks & co'!$C$4:$C${last}"
    assert book.defined_names["TotalCell"].attr_text == f"'Checks & co'!$E${totals}"
    assert sheet.print_area == f"'Checks & co'!$A$1:$F${12 + COUNT}"
    assert {str(area.sqref) for area in sheet.conditional_formatting} == {f"C4:C{last}", f"A{10 + COUNT}:B{10 + COUNT}"}
    assert sheet.conditional_formatting[f"A{10 + COUNT}:B{10 + COUNT}"][0].formula == [f"$C${10 + COUNT}>1"]
    assert str(sheet.data_validations.dataValidation[0].sqref) == f"C4:C{last}"
    assert [str(m) for m in sheet.merged_cells.ranges] == [f"A{12 + COUNT}:C{12 + COUNT}"]
    assert sheet.cell(10 + COUNT, 3).value == f"=SUM(C4:C{last})+C{totals}"
    assert sheet.cell(11 + COUNT, 3).value == f"=C{10 + COUNT}*2"
    assert sheet.cell(10 + COUNT, 1).comment.text == "look"
    assert [other[f"A{n}"].value for n in range(1, 6)] == [
        f"=SUM('Checks & co'!C4:C{last})",
        f"='Checks & co'!C{totals}+'Checks & co'!E${totals}",
        "=SUM(Reg[Penalty])",
        f"=SUM('Checks & co'!$A${16 + COUNT}:$B${16 + COUNT})+SUM(C4:C6)",
        "='Checks & co'!A5",
    ]
    with zipfile.ZipFile(out) as package:
        chart = package.read("xl/charts/chart1.xml").decode()
        drawing = package.read("xl/drawings/drawing1.xml").decode()
    assert f"'Checks &amp; co'!$C$4:$C${last}" in chart
    assert f"<row>{19 + COUNT}</row>" in drawing.replace("xdr:", "")


def test_every_figure_is_recalculated(grown):
    _, out, outcome = grown
    book = openpyxl.load_workbook(out, data_only=True)
    amounts = [4000, 5000, 6000, *(600.5 + n for n in range(COUNT))]
    assert book["Checks & co"].cell(7 + COUNT, 3).value == pytest.approx(sum(amounts))
    assert book["Other"]["A1"].value == pytest.approx(sum(amounts))
    assert book["Other"]["A3"].value == pytest.approx(book["Checks & co"].cell(7 + COUNT, 5).value)
    assert outcome.files[0].recalculated.counts.unsupported == 0


def test_other_parts_stay_byte_for_byte(grown):
    source, out, _ = grown
    with zipfile.ZipFile(source) as before, zipfile.ZipFile(out) as after:
        assert before.namelist() == after.namelist()
        same = {name for name in before.namelist() if before.read(name) == after.read(name)}
    assert {"xl/styles.xml", "[Content_Types].xml", "xl/theme/theme1.xml", "docProps/core.xml"} <= same


def test_second_fill_appends(grown, tmp_path):
    _, out, _ = grown
    again = tmp_path / "again.xlsx"
    assert fill(out, client_file(tmp_path / "more.csv", 3), again).added == 3
    sheet = openpyxl.load_workbook(again, data_only=True)["Checks & co"]
    assert sheet.cell(7 + COUNT, 1).value == "New 0"
    assert sheet.cell(10 + COUNT, 1).value == "Total"


def test_a_table_beside_that_reaches_further_down_is_refused(tmp_path):
    from recargos.fill.problem import FillError

    path = firms_workbook(tmp_path / "firm.xlsx")
    book = openpyxl.load_workbook(path)
    sheet = book["Checks & co"]
    sheet["K3"], sheet["K4"] = "Side", 1
    sheet.add_table(Table(displayName="Side", ref="K3:K9"))
    book.save(path)
    with pytest.raises(FillError, match="beside Reg"):
        fill(path, client_file(tmp_path / "c.csv"), tmp_path / "out.xlsx", Options())
    assert not (tmp_path / "out.xlsx").exists()


def test_other_readers_open_it_with_the_same_values(grown):
    from python_calamine import CalamineWorkbook

    _, out, _ = grown
    book = openpyxl.load_workbook(out, data_only=True)
    seen = CalamineWorkbook.from_path(str(out))
    for sheet in book:
        rows = seen.get_sheet_by_name(sheet.title).to_python(skip_empty_area=False)
        for row in sheet.iter_rows():
            for cell in row:
                if isinstance(cell.value, (int, float, str)):
                    assert rows[cell.row - 1][cell.column - 1] == cell.value, cell.coordinate
    with zipfile.ZipFile(out) as package:
        for name in package.namelist():
            if name.endswith((".xml", ".rels")):
                etree.fromstring(package.read(name))


def edited(path: Path, **edits: tuple[str, str]) -> Path:
    """The workbook with texts of its parts replaced; a part that is new is added."""
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name).decode("utf-8", "surrogateescape") for name in package.namelist()}
    for name, (old, new) in edits.items():
        part = {
            "sheet": "xl/worksheets/sheet1.xml",
            "types": "[Content_Types].xml",
            "rels": "xl/_rels/workbook.xml.rels",
            "chain": "xl/calcChain.xml",
        }[name]
        if old:
            assert old in parts[part], (part, old)
            parts[part] = parts[part].replace(old, new)
        else:
            parts[part] = new
    with zipfile.ZipFile(path, "w") as package:
        for name, text in parts.items():
            package.writestr(name, text.encode("utf-8", "surrogateescape"))
    return path


def cell_formulas(path: Path, column: str) -> dict[int, str]:
    sheet = openpyxl.load_workbook(path)["Checks & co"]
    return {
        cell.row: cell.value for cell in sheet[column] if isinstance(cell.value, str) and cell.value.startswith("=")
    }


def test_shared_formulas_are_filled_down_and_moved(tmp_path):
    """As Excel stores a filled column: the text once, in the first cell."""
    path = edited(
        firms_workbook(tmp_path / "firm.xlsx"),
        sheet=("<f>SUM(C$4:C4)</f>", '<f t="shared" ref="F4:F6" si="0">C4*2+C$7</f>'),
    )
    for row in (5, 6):
        edited(path, sheet=(f"<f>SUM(C$4:C{row})</f>", '<f t="shared" si="0"/>'))
    edited(path, sheet=("<f>SUM(C4:C6)+C7</f>", '<f t="shared" ref="C10:C11" si="1">C4+C7</f>'))
    edited(path, sheet=("<f>C10*2</f>", '<f t="shared" si="1"/>'))
    out = tmp_path / "out.xlsx"
    fill(path, client_file(tmp_path / "c.csv"), out)
    totals = 7 + COUNT
    assert cell_formulas(out, "F") == {row: f"=C{row}*2+C${totals}" for row in range(4, totals)}
    below = cell_formulas(out, "C")
    assert below[10 + COUNT] == f"=C4+C{totals}"
    assert below[11 + COUNT] == f"=C5+C{8 + COUNT}"
    book = openpyxl.load_workbook(out, data_only=True)["Checks & co"]
    assert book.cell(6 + COUNT, 6).value == pytest.approx(
        book.cell(6 + COUNT, 3).value * 2 + book.cell(totals, 3).value
    )


def test_array_formulas_are_filled_cell_by_cell(tmp_path):
    path = firms_workbook(tmp_path / "firm.xlsx")
    for row in (4, 5, 6):
        edited(path, sheet=(f"<f>SUM(C$4:C{row})</f>", f'<f t="array" ref="F{row}">SUM(C{row}*{{1,2}})</f>'))
    out = tmp_path / "out.xlsx"
    fill(path, client_file(tmp_path / "c.csv"), out)
    sheet = openpyxl.load_workbook(out)["Checks & co"]
    last = sheet.cell(6 + COUNT, 6).value
    assert (last.ref, last.text) == (f"F{6 + COUNT}", f"=SUM(C{6 + COUNT}*{{1,2}})")
    values = openpyxl.load_workbook(out, data_only=True)["Checks & co"]
    assert values.cell(6 + COUNT, 6).value == pytest.approx(values.cell(6 + COUNT, 3).value * 3)


def test_the_calculation_chain_stays_true(tmp_path):
    path = firms_workbook(tmp_path / "firm.xlsx")
    book = openpyxl.load_workbook(path)
    chain = "".join(
        f'<c r="{cell.coordinate}" i="{n}"/>'
        for n, sheet in enumerate(book, 1)
        for row in sheet.iter_rows()
        for cell in row
        if isinstance(cell.value, str) and cell.value.startswith("=")
    )
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml.calcChain+xml"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/calcChain"
    edited(
        path,
        chain=("", f'<calcChain xmlns="{main}">{chain}</calcChain>'),
        types=("</Types>", f'<Override PartName="/xl/calcChain.xml" ContentType="{types}"/></Types>'),
        rels=(
            "</Relationships>",
            f'<Relationship Id="rIdChain" Type="{kind}" Target="calcChain.xml"/></Relationships>',
        ),
    )
    out = tmp_path / "out.xlsx"
    fill(path, client_file(tmp_path / "c.csv"), out)
    with zipfile.ZipFile(out) as package:
        listed = [(c.get("i"), c.get("r")) for c in etree.fromstring(package.read("xl/calcChain.xml"))]
    held = [
        (str(n), cell.coordinate)
        for n, sheet in enumerate(openpyxl.load_workbook(out), 1)
        for row in sheet.iter_rows()
        for cell in row
        if isinstance(cell.value, str) and cell.value.startswith("=")
    ]
    assert len(listed) == len(set(listed))
    assert set(listed) == set(held)
