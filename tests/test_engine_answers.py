"""Formulas with Excel's answers: each right, or named as not computed. Never silently wrong."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from recargos.law import CellError
from recargos.workbook import overrides
from recargos.workbook.overrides.functions import FUNCTIONS
from recargos.workbook.overrides.table import TABLE
from support.answers import CELLS, answers
from support.engine import Computed, compute
from support.raw import MAIN, SHARED, R, cells, parts, sheet_xml, zipped

ANSWERS = answers()
FORMULAS = SHARED / "formulas.json"


def right(value: Any, expected: Any, tolerance: float = 1e-12) -> bool:
    if isinstance(value, CellError):
        return isinstance(expected, str) and value.value == expected
    if isinstance(value, bool) or isinstance(expected, bool):
        return value is expected
    if isinstance(value, (int, float)) and isinstance(expected, (int, float)):
        return math.isclose(value, expected, rel_tol=tolerance, abs_tol=1e-300 if tolerance < 1e-11 else tolerance)
    return bool(value == expected) and type(value) is type(expected)


@pytest.fixture(scope="module")
def book() -> Computed:
    """All formulas in one workbook, each below the cells and far from the next."""
    return compute(CELLS | {f"J{10 + 2 * i}": formula for i, (formula, _) in enumerate(ANSWERS)})


@pytest.mark.parametrize("index", range(len(ANSWERS)), ids=[formula for formula, _ in ANSWERS])
def test_the_answer_is_right_or_named(book: Computed, index: int) -> None:
    (_, expected), where = ANSWERS[index], f"J{10 + 2 * index}"
    value = book[where]
    if expected is None:
        assert value is None
        assert book.reason(where), "a refusal says why"
    else:
        assert book.reason(where) == ""
        assert right(value, expected), value


def test_every_function_of_the_table_is_asked_for() -> None:
    asked = " ".join(formula for formula, _ in ANSWERS).upper()
    missing = {name for name in TABLE if f"{name}(" not in asked}
    assert missing <= KNOWN_ELSEWHERE, missing - KNOWN_ELSEWHERE


KNOWN_ELSEWHERE = {
    # plain mathematics, or a second name of a function that is asked for
    "COS", "TAN", "ASIN", "ACOS", "ATAN", "ATAN2", "RADIANS", "EXP", "LOG10", "ISTEXT", "ISNONTEXT", "ISLOGICAL", "ISERR", "NA",
    "LOWER", "CLEAN", "UNICHAR", "MINUTE", "SECOND", "TIMEVALUE", "MIN", "STDEVP", "STDEV.P", "VAR", "VAR.S", "VARP", "SMALL",
    "AVERAGEIF", "COUNTIFS", "MINIFS", "RANK.EQ", "TRANSPOSE", "CHOOSEROWS",
}  # fmt: skip


def test_what_is_ours_exists_and_what_exists_is_used() -> None:
    ours = {name for name, signature in TABLE.items() if signature.who != "+"} - {"TRANSPOSE"}
    assert {f"R.{name}" for name in ours} <= set(FUNCTIONS)
    source = "".join(path.read_text("utf-8") for path in Path(overrides.__file__).parent.glob("[st]*.py"))
    helpers = {name for name in FUNCTIONS if name.removeprefix("R.") not in ours}
    assert {name for name in helpers if f'"{name}"' not in source} <= {f"R.{n}" for n in ("IFERROR", "IFNA")}


# ------------------------------------------------------------------------------------------------- formulas.json


def given_book(formulas: list[str], array: bool) -> bytes:
    """The workbook that formulas.json describes, with its formulas in column T of the sheet of the idioms."""
    inputs = json.loads(FORMULAS.read_text("utf-8"))["inputs"]
    inside: dict[str, object] = dict(inputs["In"]["cells"]) | {c: f"={f}" for c, f in inputs["In"]["formulas"].items()}
    rows = inputs["Table1"]["rows"]
    table: dict[str, object] = dict(zip(("A1", "B1", "C1", "D1"), ("Client", "Tax", "Days", "Penalty"), strict=True))
    for number, row in enumerate(rows, 2):
        table |= dict(zip((f"A{number}", f"B{number}", f"C{number}"), row, strict=True))
        table[f"D{number}"] = "=Table1[[#This Row],[Tax]]*0.1"
    table |= {"A7": "Total", "B7": "=SUBTOTAL(109,Table1[Tax])", "D7": "=SUBTOTAL(109,Table1[Penalty])"}
    idioms: dict[str, object] = {
        f"{column}{row}": value for column in "ABD" for row, value in enumerate(inputs["idioms_sheet"][column], 1)
    }
    for index, formula in enumerate(formulas):
        where = f"T{10 + index}"
        text = formula[1:].replace("&", "&amp;").replace("<", "&lt;")
        idioms[where] = f'<c r="@"><f t="array" ref="{where}">{text}</f></c>' if array else formula
    names = '<definedName name="Rate">0.05</definedName><definedName name="TaxCol">Tbl!$B$2:$B$6</definedName>'
    xml = (
        f'<table xmlns="{MAIN}" id="1" name="Table1" displayName="Table1" ref="A1:D7" totalsRowCount="1"><tableColumns count="4">'
        '<tableColumn id="1" name="Client"/><tableColumn id="2" name="Tax"/><tableColumn id="3" name="Days"/>'
        '<tableColumn id="4" name="Penalty"/></tableColumns></table>'
    )
    link = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="r1" Type="{R}/table" Target="../tables/table1.xml"/></Relationships>'
    )
    sheets: Mapping[str, dict[str, object]] = {"In": inside, "Tbl": table, "My Sheet": {"A1": 42}, "S": idioms}
    extra = {"xl/tables/table1.xml": xml, "xl/worksheets/_rels/sheet2.xml.rels": link}
    return zipped(
        parts([(name, sheet_xml(cells(content))) for name, content in sheets.items()], names=names, extra=extra)
    )


@pytest.mark.skipif(
    not FORMULAS.exists() and os.environ.get("CI") != "true", reason="formulas.json is not beside this checkout"
)
@pytest.mark.parametrize(("array", "least"), [(False, 176), (True, 179)])
def test_formulas_with_known_answers(array: bool, least: int) -> None:
    known = json.loads(FORMULAS.read_text("utf-8"))["formulas"]
    book = compute(given_book([entry["formula"] for entry in known], array))
    wrong, named = [], []
    for index, entry in enumerate(known):
        value = book[f"3!T{10 + index}"]
        if value is None:
            named.append(entry["formula"])
        elif not right(value, entry["excel"], entry["tol"]):
            wrong.append((entry["formula"], value, entry["excel"]))
    assert wrong == []
    assert len(known) - len(named) >= least, named
