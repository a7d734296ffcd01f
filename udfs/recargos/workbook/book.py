"""A workbook understood: its package, its formulas, and its sheets with their patchable cells by column."""

from __future__ import annotations

from dataclasses import dataclass

from recargos.workbook import shared_strings
from recargos.workbook.cells import address
from recargos.workbook.cellvalue import Value
from recargos.workbook.columns import Columns
from recargos.workbook.formulas import Cell, Formulas
from recargos.workbook.package import Package
from recargos.workbook.refusal import refused
from recargos.workbook.sheet import Sheet


@dataclass
class Book:
    """What all the later steps look at. Sheets without formulas are not in `columns`."""

    package: Package
    formulas: Formulas
    columns: dict[int, Columns]
    """By index of the sheet in `Package.sheets`."""

    @classmethod
    def of(cls, package: Package) -> Book:
        """Scan every sheet of a package. :class:`~.refusal.Refused` for a sheet that cannot be read."""
        formulas = Formulas.of(package)
        strings = shared_strings.of(package)
        columns = formulas.columns
        for index, part in enumerate(package.sheets):
            if part.kind != "worksheet":
                continue
            raw = package.read(part.part)
            sheet = Sheet.scan(raw, part=part.part, strings=strings, date1904=package.date1904)
            if len(sheet):
                columns[index] = Columns(sheet)
                for block in sheet.blocks:
                    formulas.add(index, block)
        book = cls(package, formulas, dict(columns))
        if book._grid() > package.limits.grid:
            raise refused(
                "too_large",
                "The formulas are spread over more rows and columns than this program takes on.",
                "Las fórmulas están repartidas en más filas y columnas de las que este programa admite.",
            )
        return book

    def _grid(self) -> int:
        """Cells between the first and the last formula of each column."""
        ends: dict[tuple[int, int], tuple[int, int]] = {}
        for run in self.formulas.runs:
            for column, first, last in run.spans():
                low, high = ends.get((run.sheet, column), (first, last))
                ends[run.sheet, column] = min(low, first), max(high, last)
        return sum(high - low + 1 for low, high in ends.values())

    def value(self, cell: Cell) -> Value:
        """The value that the file holds for a formula cell; None where it holds none."""
        columns = self.columns.get(cell.sheet)
        index = columns.index(cell.row, cell.column) if columns is not None else None
        return None if columns is None or index is None else columns.sheet.value(index)

    def sheet_name(self, cell: Cell) -> str:
        """Name of the cell's sheet."""
        return self.package.sheets[cell.sheet].name

    def name(self, cell: Cell) -> str:
        """ "Sheet!B7"."""
        return f"{self.sheet_name(cell)}!{address(cell.row, cell.column)}"
