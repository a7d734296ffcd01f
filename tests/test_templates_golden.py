"""Two hundred invented clients in every template: every computed cell equals the core."""

from __future__ import annotations

import csv
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from recargos.fill.run import Options, fill
from recargos.templates.build import build
from recargos.templates.catalogue import TEMPLATES
from recargos.templates.table_sheet import FIRST
from template_data import AS_OF, CLIENTS, expected

ROWS = 200


def write_csv(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def filled(
    name: str, folder: Path, count: int = ROWS, language: str = "en"
) -> tuple[Path, dict[str, list[dict[str, Any]]]]:
    """The template filled table by table, the main one last: the others refer to it only through formulas."""
    tables = CLIENTS[name](count)
    path = folder / "0.xlsx"
    path.write_bytes(build(TEMPLATES[name], language, rows=10))
    for n, (table, rows) in enumerate(tables.items(), 1):
        settings = {"AsOf": AS_OF.isoformat(), "WP_Client": "Invented & Co"} if n == len(tables) else {}
        target = folder / f"{n}.xlsx"
        outcome = fill(path, write_csv(folder / f"{n}.csv", rows), target, Options(table=table, settings=settings))
        assert not outcome.rejected
        assert outcome.added == len(rows)
        path = target
    return path, tables


def plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.date()
    return None if value == "" else value


def same(shown: Any, wanted: Any) -> bool:
    shown, wanted = plain(shown), plain(wanted)
    if isinstance(wanted, (int, float)) and isinstance(shown, (int, float)) and not isinstance(wanted, bool):
        return abs(shown - wanted) < 1e-6
    return bool(shown == wanted)


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_computed_cell_equals_the_core(name, tmp_path):
    path, tables = filled(name, tmp_path)
    wanted = expected(name, tables)
    book = openpyxl.load_workbook(path, data_only=True)
    formulas = openpyxl.load_workbook(path)
    wrong = []
    for table in TEMPLATES[name].tables:
        sheet = book[table.sheet.en]
        place = {column.key: n for n, column in enumerate(table.columns, 1)}
        checked = {column.key for column in table.columns if column.computed}
        assert set(wanted[table.name][0]) == checked | ({"status"} & checked)
        for offset, (given, line) in enumerate(zip(tables[table.name], wanted[table.name], strict=True)):
            for key, value in {**given, **line}.items():
                cell = sheet.cell(FIRST + offset, place[key])
                if not same(cell.value, value):
                    wrong.append((sheet.title, cell.coordinate, key, cell.value, value))
            assert str(formulas[sheet.title].cell(FIRST + offset, place["status"]).value).startswith("=IF(COUNTA(")
    assert not wrong, wrong[:10]
    _checks_pass(book, name)


def _checks_pass(book: Any, name: str) -> None:
    """Every check of a sound workbook is OK, but for what the data has on purpose."""
    sheet = book["Checks"]
    failed = [row[1] for row in sheet.iter_rows(min_row=8, values_only=True) if row[5] == "REVIEW"]
    # Payments after the as-of date would be overpayments only if invented so; deposits never exceed what was required.
    assert failed == [], failed


def test_dates_are_dates(tmp_path):
    path, tables = filled("late-filing", tmp_path, 3)
    sheet = openpyxl.load_workbook(path, data_only=True)["Inputs"]
    assert isinstance(sheet.cell(FIRST, 4).value, datetime)
    assert sheet.cell(FIRST, 4).value.date() == tables["LateFiling"][0]["due_on"]
    assert isinstance(tables["LateFiling"][0]["due_on"], date)


def test_accounts_that_differ_in_zeros_alone_are_kept_apart(tmp_path):
    """SUMIFS and COUNTIF would take "007" for "7"."""
    path = tmp_path / "0.xlsx"
    path.write_bytes(build(TEMPLATES["property-tax"], "en", rows=5))
    account = {"client": "A", "due_on": "2026-05-15", "tax": 100}
    tables = {
        "PropertyTax": [
            {"account": "007", **account},
            {"account": "7", **account},
            {"account": "8", **account},
            {"account": "8", **account},
        ],
        "Payments": [{"account": key, "paid_on": "2026-05-15", "amount": 10} for key in ("007", "7", "7", "8", "9")],
    }
    for n, (table, rows) in enumerate(tables.items(), 1):
        target = tmp_path / f"{n}.xlsx"
        fill(
            path, write_csv(tmp_path / f"{n}.csv", rows), target, Options(table=table, settings={"AsOf": "2026-05-15"})
        )
        path = target
    book = openpyxl.load_workbook(path, data_only=True)
    keys = [column.key for column in TEMPLATES["property-tax"].tables[0].columns]
    paid = [book["Inputs"].cell(FIRST + n, keys.index("paid") + 1).value for n in range(4)]
    assert paid == [10, 20, 0, 0]
    keys = [column.key for column in TEMPLATES["property-tax"].tables[1].columns]
    status = [book["Payments"].cell(FIRST + n, keys.index("status") + 1).value for n in range(5)]
    assert status == ["OK", "OK", "OK", "Account twice in Inputs", "Account not in Inputs"]
    assert book["About"]["B20"].value == "1 to review"
