"""Workbooks computed by the default engine, for tests that ask what it answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recargos.workbook.book import Book
from recargos.workbook.engine import Calculation
from recargos.workbook.formualizer_engine import FormualizerEngine
from recargos.workbook.formulas import Cell, Formulas, Regions
from recargos.workbook.package import Package
from recargos.workbook.syntax import column_number
from support.raw import workbook


@dataclass
class Computed:
    """A workbook with what the engine made of it."""

    book: Book
    calculation: Calculation

    @property
    def formulas(self) -> Formulas:
        return self.book.formulas

    def __getitem__(self, where: str) -> Any:
        """The value of a cell ("B7" of the first sheet, "2!B7" of the third); None where it was not computed."""
        cell = at(where)
        if cell in self.calculation.unsupported or cell in self.formulas.volatile | self.formulas.external:
            return None
        value = self.calculation.values[cell.sheet](cell.row, cell.column)
        return 0.0 if value is None else value

    def reason(self, where: str) -> str:
        """Why a cell was not computed; "" when it was."""
        cell = at(where)
        return self.calculation.reason(cell) if cell in self.calculation.unsupported else ""

    def notices(self) -> list[tuple[str, str, str, str]]:
        """(cell, function, kind, argument)."""
        found = sorted(self.calculation.notices, key=lambda notice: notice.cell)
        return [(name(n.cell), n.function, n.kind, n.argument) for n in found]


def at(where: str) -> Cell:
    """The cell of an address."""
    sheet, _, address = where.rpartition("!")
    match = re.fullmatch(r"([A-Z]+)([0-9]+)", address)
    assert match
    return Cell(int(sheet or 0), int(match[2]), column_number(match[1]))


def name(cell: Cell) -> str:
    """An address as :func:`at` reads it."""
    letters, number = "", cell.column
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{cell.sheet}!{letters}{cell.row}" if cell.sheet else f"{letters}{cell.row}"


def names(regions: Regions) -> list[str]:
    """The addresses of a set of cells."""
    return [name(cell) for cell in regions]


def compute(contents: Mapping[str, object] | str | bytes, *, keep: Iterable[str] = (), **more: Any) -> Computed:
    """A workbook of one sheet by its cells (or a whole package as bytes), computed."""
    data = contents if isinstance(contents, bytes) else workbook(contents, **more)
    package = Package(Path("test.xlsx"), data)
    book = Book.of(package)
    return Computed(book, FormualizerEngine().calculate(package, book.formulas, keep=Regions(map(at, keep))))
