"""The formulas of a workbook: which cells hold a PR_ call, and what depends on what.

A workbook of 100,000 rows has a handful of *different* formulas. So a formula is analysed once, as a template in
which the own row is replaced, and cells are kept as runs of rows of one column that share a template. Every
question (which cells are affected, volatile, external, resting on a distrusted function) is answered on runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Cell(NamedTuple):
    """Address of a cell: index of the sheet in `Package.sheets`, row and column from 1."""

    sheet: int
    row: int
    column: int


class Regions:
    """A set of cells, kept as intervals of rows by sheet and column."""

    def __init__(self, cells: Iterable[Cell] = ()) -> None: ...
    def add(self, sheet: int, column: int, first: int, last: int) -> None:
        """Add rows `first` to `last` of a column."""
    def __contains__(self, cell: object) -> bool: ...
    def __iter__(self) -> Iterator[Cell]:
        """Every cell, by sheet, column, row."""
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __or__(self, other: Regions) -> Regions: ...
    def __and__(self, other: Regions) -> Regions: ...
    def __sub__(self, other: Regions) -> Regions: ...
    def rows(self, sheet: int, column: int) -> list[tuple[int, int]]:
        """Intervals of rows of one column, in order."""


class SheetInfo(NamedTuple):
    """A sheet in `Package.sheets` order (chart and dialog sheets included, so that indexes agree)."""

    name: str


class Table(NamedTuple):
    """An Excel table (ListObject)."""

    name: str
    sheet: int
    first_row: int
    first_column: int
    last_row: int
    last_column: int
    header_rows: int
    totals_rows: int
    columns: tuple[str, ...]


class Name(NamedTuple):
    """A defined name; `sheet` is None for a name of the whole workbook."""

    name: str
    sheet: int | None
    text: str


class FunctionUse(NamedTuple):
    """A function in a formula, upper case and without prefix (`_xlfn.`, `_xll.`, `[1]!`)."""

    name: str


class Formulas:
    """All formulas of a workbook. Filled by :meth:`add` cell by cell (in the order of the sheet's XML), then asked."""

    def __init__(self, sheets: Iterable[SheetInfo], *, tables: Iterable[Table] = (), names: Iterable[Name] = ()) -> None: ...

    def add(self, sheet: int, row: int, column: int, text: str, *, kind: str = "", si: int = -1, ref: str = "") -> None:
        """Add a formula cell as its `<f>` has it: unescaped text without "=", `t`, `si` and `ref`.

        A child of a shared formula has no text; its master comes first in the sheet (Excel writes it so), or
        :meth:`finish` resolves it. `kind` is "", "normal", "shared", "array" or "dataTable".
        """

    def finish(self) -> None:
        """Call once after the last :meth:`add`."""

    def text(self, cell: Cell) -> str | None:
        """The formula of a cell, without "=", shared children written out. None where there is no formula."""

    def functions(self, cell: Cell) -> frozenset[str]:
        """Names of the functions that the cell calls, directly or through a defined name."""

    def using(self, function: str) -> Regions:
        """Formula cells that call `function`, directly or through a defined name."""

    @property
    def all(self) -> Regions:
        """Every formula cell, and the cells into which array formulas spill."""

    @property
    def pr(self) -> Regions:
        """Cells with a PR_ call in any stored form, directly or through a defined name."""

    @property
    def volatile(self) -> Regions:
        """Cells with TODAY, NOW, RAND, RANDBETWEEN, RANDARRAY, OFFSET, INDIRECT, CELL, INFO."""

    @property
    def external(self) -> Regions:
        """Cells that refer to another workbook (add-in links to our own functions don't count)."""

    @property
    def data_tables(self) -> Regions:
        """Cells of what-if data tables: only Excel computes them."""

    def dependents(self, seeds: Regions, *, stop: Regions | None = None) -> Regions:
        """Formula cells that depend on `seeds`, however far down, without the seeds themselves.

        Through cells, ranges, whole columns, names, tables, other sheets, spills. Conservative: a formula whose
        references cannot be known before it runs (INDIRECT, OFFSET) is in :attr:`volatile`, and counts as dependent on
        everything. The search doesn't go on beyond cells of `stop`.
        """
