"""PR_ columns that are computed before the engine come out as the engine would have had them, in every cell and notice."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from recargos.workbook import given
from recargos.workbook.engine import load
from recargos.workbook.formualizer_engine import _Run as FormualizerRun
from recargos.workbook.inputs import OTHER, Inputs
from recargos.workbook.recalc import recalc
from recargos.workbook.sheet import Sheet
from support.engine import compute
from support.raw import workbook

ROWS = 120


def book(change=lambda contents: None, **more):
    contents: dict[str, object] = {"A1": "tax", "B1": "days", "C1": "paid", "H1": 30.0}
    for n in range(ROWS):
        r = n + 2
        contents |= {f"A{r}": 100.07 * n, f"B{r}": float(n), f"C{r}": 12.5 * (n % 3)}
        contents |= {
            f"D{r}": (f"=PR_LATE_FILE(A{r},B{r},C{r})", 0.0),
            f"E{r}": (f"=PR_SURCHARGE(D{r},$H$1+1)", 0.0),
            f"F{r}": (f"=PR_LATE_FILE_RATE($H$1)+PR_RETURNED_CHECK(A{r})", 0.0),
            f"G{r}": (f"=PR_RETURNED_CHECK(D{r})", 0.0),
            f"I{r}": (f"=SUM(D{r}:G{r})", 0.0),
            f"J{r}": (f"=PR_LATE_FILE(A{r},$H$1,,C{r})", 0.0),
            f"K{r}": (f"=PR_WITHHOLDING_PENALTY_MIN(A{r},TRUE)", 0.0),
        }
    change(contents)
    return workbook(contents, **more)


def both_ways(monkeypatch, data: bytes):
    """Every value and notice, with and without; and how many cells were given."""
    answers, counts = [], []
    whole = given.given

    def counted(*arguments):
        found = whole(*arguments)
        counts.append(sum(value is not None for each in found for value in each.values))
        return found

    monkeypatch.setattr("recargos.workbook.formualizer_engine.given", counted)
    for long in (given.LONG, 10**9):
        monkeypatch.setattr(given, "LONG", long)
        computed = compute(data)
        values = {}
        for run in computed.formulas.runs:
            for row in range(run.first, run.last + 1):
                values[run.column, row] = repr(computed.calculation.values[run.sheet](row, run.column))
        calls = computed.calculation.calls(list(computed.formulas.pr))
        answers.append((values, computed.notices(), sorted(computed.calculation.notices), calls))
    assert counts[1] == 0
    return answers, counts[0]


def odd_rows(contents):
    contents |= {
        "A5": "12,50", "A6": -5.0, "B7": "abc", "B8": '<c r="@" t="e"><v>#REF!</v></c>', "A9": '<c r="@" t="b"><v>1</v></c>',
        "A10": '<c r="@" t="str"><v>7</v></c>', "A11": '<c r="@" s="0"/>', "A12": '<c r="@"></c>', "A13": 1e15, "A14": 1e300,
        "A16": '<c r="@" t="n"><v>9.5</v></c>', "A17": '<c r="@"><v>1_000</v></c>', "A18": '<c r="@"><v>nan</v></c>',
        "A19": '<c r="@"><v>1e400</v></c>', "B20": 30.999999999999996, "B21": -0.0,
    }  # fmt: skip
    for gone in ("A3", "C4", "B15"):
        del contents[gone]


def texts_beside(contents):
    """Native formulas with texts and blanks as results, and cells that hold something else so far than a number."""
    for n in range(ROWS):
        r = n + 2
        contents |= {f"L{r}": (f'=IF(B{r}>30,"late","ok")', "late" if n > 30 else "ok"), f"M{r}": (f"=A{r}*2", 1.0)}
        if n % 7 == 0:
            contents[f"D{r}"] = (f"=PR_LATE_FILE(A{r},B{r},C{r})", "never")
        if n % 11 == 0:
            contents[f"J{r}"] = (f"=PR_LATE_FILE(A{r},$H$1,,C{r})", None)


@pytest.mark.parametrize("change", [lambda contents: None, odd_rows], ids=["plain", "odd"])
def test_given_or_not_the_answers_are_the_same(monkeypatch, change):
    (with_, without), cells = both_ways(monkeypatch, book(change))
    assert with_ == without
    # D, J and K, and G where D is whole
    assert cells == 4 * ROWS if change is not odd_rows else 3 * ROWS - 40 < cells < 3 * ROWS


def test_an_argument_that_a_formula_fills_waits_for_the_engine(monkeypatch):
    def change(contents):
        contents["B40"] = ("=1+1", 2.0)

    (with_, without), cells = both_ways(monkeypatch, book(change))
    assert with_ == without
    assert cells == 2 * ROWS  # J and K


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (rb'<c r="A7"><v>', rb'<c  r="A7"><v>'),
        (rb'<c r="A7"><v>', rb"<c r='A7'><v>"),
        (rb'<c r="A7"><v>', rb'<c s="0" r="A7"><v>'),
        (rb'<c r="A7"><v>([^<]*)</v></c>', rb'<c r="A7"><v>\1</v></c><c r="A7"><v>3</v></c>'),
        (rb'<c r="A7"><v>([^<]*)</v></c>', rb"<c><v>\1</v></c>"),
    ],
    ids=["space", "quotes", "order", "twice", "no address"],
)
def test_inputs_in_another_spelling_are_never_taken_for_blank(old, new):
    xml = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    for row in range(1, 12):
        xml += b'<row r="%d"><c r="A%d"><v>%d</v></c><c r="B%d"><f>A%d</f><v>1</v></c></row>' % (
            row,
            row,
            row,
            row,
            row,
        )
    xml += b"</sheetData></worksheet>"
    assert Inputs(Sheet.scan(xml)).read(1, 1, 11) == [float(n) for n in range(1, 12)]
    xml, times = re.subn(old, new, xml)
    assert times == 1
    found = Inputs(Sheet.scan(xml)).read(1, 1, 11)
    assert found is None or found[6] is OTHER


def test_a_sheet_without_formulas_is_read_too(monkeypatch, tmp_path: Path):
    from openpyxl import Workbook

    made = Workbook()
    sheet, data = made.active, made.create_sheet("Data")
    for row in range(1, ROWS):
        data.cell(row, 1, 100.5 * row)
        sheet.cell(row, 1, f"=PR_RETURNED_CHECK(Data!A{row})")
    made.save(tmp_path / "two.xlsx")
    (with_, without), cells = both_ways(monkeypatch, (tmp_path / "two.xlsx").read_bytes())
    assert with_ == without
    assert cells == ROWS - 1


@pytest.mark.parametrize("change", [lambda contents: None, odd_rows, texts_beside], ids=["plain", "odd", "texts"])
def test_given_or_not_the_file_and_the_report_are_the_same(monkeypatch, tmp_path: Path, change):
    """And whether the engine computes beside us or by itself, whether new amounts were written down ahead or not."""
    source = tmp_path / "client.xlsx"
    source.write_bytes(book(change))
    results, files = [], []
    for number, long in enumerate((given.LONG, 10**9)):
        monkeypatch.setattr(given, "LONG", long)
        target = tmp_path / f"{number}.xlsx"
        result = recalc(source, target, load("formualizer"))
        assert result.counts.changed > 4 * ROWS
        result.seconds.clear()
        results.append(replace(result, target=None))
        files.append(target.read_bytes())
    assert results[0] == results[1]
    assert files[0] == files[1]
    again = recalc(tmp_path / "0.xlsx", None, load("formualizer"))
    assert again.status == "unchanged"


def long_book() -> bytes:
    """So long that the engine's own operators compute what is not given: it needs no function of ours."""
    contents: dict[str, object] = {"A1": "tax", "B1": "days"}
    for n in range(620):
        r = n + 2
        contents |= {
            f"A{r}": 100.07 * n, f"B{r}": float(n % 150), f"C{r}": (f"=PR_LATE_FILE(A{r},B{r})", 0.0 if n % 9 else "late"),
            f"D{r}": (f"=PR_RETURNED_CHECK(C{r})", 5.0), f"E{r}": (f"=SUM(C{r}:D{r})", 0.0),
            f"F{r}": (f'=IF(B{r}>30,"late","ok")', "late" if n % 150 > 30 else "ok"), f"G{r}": (f"=A{r}*2", 200.14 * n),
        }  # fmt: skip
    contents |= {"C622": ("=SUM(C2:C621)", 0.0), "D622": ("=SUM(D2:D621)", 0.0)}
    return workbook(contents)


def test_what_is_done_beside_the_engine_changes_nothing(monkeypatch, tmp_path: Path):
    source = tmp_path / "client.xlsx"
    source.write_bytes(long_book())
    beside = []
    ahead = FormualizerRun._evaluate_and_look_ahead
    monkeypatch.setattr(FormualizerRun, "_evaluate_and_look_ahead", lambda run: (beside.append(run), ahead(run)))
    files = []
    for native in (True, False):
        if not native:
            monkeypatch.setattr(FormualizerRun, "_native", lambda _run: False)
        target = tmp_path / f"{native}.xlsx"
        result = recalc(source, target, load("formualizer"))
        assert len(beside) == 1
        assert result.counts.changed + result.counts.same == 3 * 620 + 2 < result.counts.changed + 20
        files.append((target.read_bytes(), replace(result, target=None, seconds={})))
    assert files[0] == files[1]
