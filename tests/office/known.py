"""Formulas whose answers by Excel are known, laid out in a workbook."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import openpyxl
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.table import Table

from recargos.law import CellError

SHARED = Path(__file__).parents[2].parent / "shared" / "formulas.json"
OURS = Path(__file__).with_name("formulas.toml")
_FUTURE = [
    "AGGREGATE",
    "BASE",
    "CEILING.MATH",
    "CHOOSECOLS",
    "BYROW",
    "CONCAT",
    "DAYS",
    "FILTER",
    "FLOOR.MATH",
    "IFNA",
    "IFS",
    "ISOWEEKNUM",
    "LAMBDA",
    "LET",
    "MAXIFS",
    "MINIFS",
    "NUMBERVALUE",
    "SEQUENCE",
    "SWITCH",
    "TEXTJOIN",
    "UNICHAR",
    "XLOOKUP",
    "XMATCH",
    "XOR",
]
_CALLED = re.compile(r"(?<![A-Z.])(" + "|".join(map(re.escape, _FUTURE)) + r")\(")
ARRAYS = ("sumproduct/array", "arr")
"""Groups that Excel stores as array formulas."""


class Known(NamedTuple):
    """A formula and Excel's answer; errors as CellError."""

    group: str
    text: str
    excel: Any
    tolerance: float
    sheet: str = "F"


def ours() -> list[Known]:
    """The formulas of this project."""
    found = []
    for entry in tomllib.loads(OURS.read_text(encoding="utf-8"))["formula"]:
        excel = entry["excel"]
        loose = entry["group"] == "fin" or "YEARFRAC" in entry["text"]
        found.append(
            Known(
                entry["group"],
                entry["text"],
                CellError(excel["error"]) if isinstance(excel, dict) else excel,
                1e-6 if loose else 1e-9,
            )
        )
    return found


def shared() -> list[Known]:
    """The formulas beside the checkout."""
    found = []
    for entry in json.loads(SHARED.read_text(encoding="utf-8"))["formulas"]:
        excel = entry["excel"]
        if isinstance(excel, str) and excel in {e.value for e in CellError}:
            excel = CellError(excel)
        sheet = "Idioms" if entry["group"] == "array idioms" else "F"
        found.append(Known(entry["group"], entry["formula"].removeprefix("="), excel, entry["tol"], sheet))
    return found


def stored(text: str) -> str:
    """A formula as Excel's files spell it."""
    text = _CALLED.sub(lambda m: f"_xlfn.{'_xlws.' if m[1] == 'FILTER' else ''}{m[1]}(", text)
    if "_xlfn.LET(" in text:
        text = re.sub(r"\b([ab])\b", r"_xlpm.\1", text)
    return text.replace("LAMBDA(r,MAX(r))", "LAMBDA(_xlpm.r,MAX(_xlpm.r))")


IN = {
    "A": [100, 200, 300.5, -50, None, "text", True, "12.5", 0, 1.005],
    "B": ["Apple", "apple", "Banana", "Cherry", "Elder", "App*le", "~x", "Apple Pie", "100"],
    "C": [45322, 45351, 45651, 44927],
    "D": [10, 20, 30, 40],
    "E": [11, 19, 32],
    "F": ["=10", "=1/0", "=20"],
    "G": ["x", "y", "x", "z"],
}
TABLE = [("Acme", 1000, 15), ("Beta", 2500.5, 45), ("Gamma", 125.75, 60), ("Delta", 2999.5, 60), ("Eps", 125.5, 120)]
IDIOMS = {"A": [5, 2, 9, 1, 7], "B": ["r5", "r2", "r9", "r1", "r7"], "D": [45292, 45330, 45310, 45400, 45420]}


def workbook(formulas: list[Known], path: Path) -> list[tuple[int, int, int]]:
    """Write the workbook; returns (sheet, row, column) of each formula."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for title, columns in (("In", IN), ("Idioms", IDIOMS), ("F", {})):
        sheet = book.create_sheet(title)
        for letter, values in columns.items():
            for row, value in enumerate(values, 1):
                sheet[f"{letter}{row}"] = value
    table = book.create_sheet("Tbl")
    table.append(["Client", "Tax", "Days", "Penalty"])
    for row, line in enumerate(TABLE, 2):
        table.append([*line, f"=B{row}*0.1"])
    table["A7"], table["B7"], table["D7"] = "Total", "=SUBTOTAL(109,Table1[Tax])", "=SUBTOTAL(109,Table1[Penalty])"
    excel_table = Table(displayName="Table1", ref="A1:D7", totalsRowCount=1)
    table.add_table(excel_table)
    book.create_sheet("My Sheet")["A1"] = 42
    book.defined_names["Rate"] = DefinedName("Rate", attr_text="0.05")
    book.defined_names["TaxCol"] = DefinedName("TaxCol", attr_text="Tbl!$B$2:$B$6")
    places = []
    for row, known in enumerate(formulas, 11):
        sheet = book[known.sheet]
        text = "=" + stored(known.text)
        cell = sheet.cell(row, 6)
        cell.value = ArrayFormula(cell.coordinate, text) if known.group in ARRAYS else text
        places.append((book.sheetnames.index(known.sheet), row, 6))
    book.save(path)
    return places


def agrees(got: Any, known: Known) -> bool:
    """Whether a value is Excel's answer, in kind too."""
    excel = known.excel
    if isinstance(excel, (bool, CellError, str)):
        return type(got) is type(excel) and bool(got == excel)
    if isinstance(got, bool) or not isinstance(got, (int, float)):
        return False
    return bool(abs(got - excel) <= known.tolerance * max(1.0, abs(excel)))
