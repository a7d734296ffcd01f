"""Fill 100,000 rows × 8 columns (5 read, 3 computed): `recargos fill`, recalculated, against openpyxl doing the same write-only.

    python benchmarks/fill.py [ROWS]

Both read the same CSV and turn text into numbers and dates; both write the same cells, styles and formulas. Ours ends with
every value computed, openpyxl's with none: the ratio is what the whole costs. Alternating runs, processor time, the median.
"""

from __future__ import annotations

import csv
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import openpyxl
from openpyxl.cell import WriteOnlyCell
from openpyxl.worksheet.table import Table, TableFormula

from recargos.fill.run import fill

HEADINGS = ("Client", "ID", "Amount", "Returned on", "Condoned", "Rate", "Penalty", "Total")
FORMULAS = (
    "=PR_RETURNED_CHECK_RATE(Reg[[#This Row],[Amount]])",
    "=PR_RETURNED_CHECK(Reg[[#This Row],[Amount]],,Reg[[#This Row],[Condoned]])",
    "=Reg[[#This Row],[Amount]]+Reg[[#This Row],[Penalty]]",
)
FORMATS = ("General", "@", "#,##0.00", "mm/dd/yyyy", "General", "0.00%", "#,##0.00", "#,##0.00")
RUNS = 3


def make_data(path: Path, rows: int) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(HEADINGS[:5])
        day = date(2024, 1, 1)
        for n in range(rows):
            writer.writerow(
                [
                    f"Client {n % 977}",
                    f"{n:09}",
                    f"{(n * 7919) % 2_000_000 / 100:.2f}",
                    day + timedelta(n % 900),
                    "yes" if n % 50 == 0 else "no",
                ]
            )


def make_template(path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(HEADINGS)
    for column, code in enumerate(FORMATS, 1):
        sheet.cell(2, column).number_format = code
    for column, formula in enumerate(FORMULAS, 6):
        sheet.cell(2, column).value = formula
    table = Table(displayName="Reg", ref="A1:H2")
    table._initialise_columns()
    for column, heading in zip(table.tableColumns, HEADINGS, strict=True):
        column.name = heading
    for column, formula in zip(table.tableColumns[5:], FORMULAS, strict=True):
        column.calculatedColumnFormula = TableFormula(attr_text=formula[1:])
    sheet.add_table(table)
    book.save(path)


def with_openpyxl(data: Path, out: Path) -> None:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(HEADINGS)

    def cell(value: object, code: str) -> WriteOnlyCell:
        made = WriteOnlyCell(sheet, value)
        made.number_format = code
        return made

    with data.open(newline="", encoding="utf-8") as file:
        for client, number, amount, returned, condoned in list(csv.reader(file))[1:]:
            values = (client, number, float(amount), date.fromisoformat(returned), condoned == "yes", *FORMULAS)
            sheet.append(
                [cell(value, code) if code != "General" else value for value, code in zip(values, FORMATS, strict=True)]
            )
    book.save(out)


def timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data, template = folder / "clients.csv", folder / "template.xlsx"
        make_data(data, rows)
        make_template(template)
        ours: list[float] = []
        theirs: list[float] = []
        for run in range(RUNS):
            out = folder / f"ours-{run}.xlsx"
            ours.append(timed(lambda out=out: fill(template, data, out)))  # type: ignore[misc]
            theirs.append(timed(lambda run=run: with_openpyxl(data, folder / f"theirs-{run}.xlsx")))  # type: ignore[misc]
        a, b = statistics.median(ours), statistics.median(theirs)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{rows:,} rows × {len(HEADINGS)} columns")
        print(f"recargos fill, recalculated   {a:6.2f} s  {[round(t, 2) for t in ours]}")
        print(f"openpyxl write-only, no value {b:6.2f} s  {[round(t, 2) for t in theirs]}")
        print(f"ratio {a / b:.2f}; peak memory of both {peak} MB")


if __name__ == "__main__":
    main()
