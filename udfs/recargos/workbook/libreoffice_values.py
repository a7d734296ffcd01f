"""What LibreOffice computed for a sheet, as Excel would hold it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recargos.law import CellError
from recargos.workbook.libreoffice_translate import numeric_text

if TYPE_CHECKING:
    from recargos.workbook.sheet import Value

ERRORS = {
    503: CellError.NUM,
    519: CellError.VALUE,
    521: CellError.NULL,
    524: CellError.REF,
    532: CellError.DIV0,
    32767: CellError.NA,
}
"""Calc's error codes that mean the same in Excel."""
NAME = 525


class SheetValues:
    """What LibreOffice computed for a sheet."""

    def __init__(
        self, rows: list[list[Any]], errors: Sequence[Sequence[int]], logical: Sequence[Sequence[int]],
        empty: Sequence[Sequence[int]],
    ) -> None:  # fmt: skip
        self.rows = rows
        self.width = len(rows[0]) if rows else 0
        self.errors = {(row + 1, column + 1): code for row, column, code in errors}
        self._columns: dict[int, list[Value]] = {}
        self._error_columns: dict[int, list[int]] | None = None
        self.changed: dict[tuple[int, int], Value] = {}
        self._logical = _by_column(logical)
        self._empty = _by_column(empty)

    def __call__(self, row: int, column: int) -> Value:
        if self.changed and (row, column) in self.changed:
            return self.changed[row, column]
        code = self.errors.get((row, column))
        if code is not None:
            return ERRORS.get(code, CellError.NAME if code == NAME else CellError.VALUE)
        if row > len(self.rows) or column > self.width:
            return None
        value: Value = self.rows[row - 1][column - 1]
        if type(value) is float and value in (0.0, 1.0) and self._within(self._logical, row, column):
            return bool(value)
        return value

    def down(self, column: int, first: int, last: int) -> list[Value]:
        """The rows `first` … `last` of a column."""
        return [self(row, column) for row in range(first, last + 1)]

    def column(self, column: int, first: int, last: int) -> list[Value]:
        """:meth:`content` of the rows `first` … `last`."""
        if column not in self._columns:
            plain: list[Value] = [row[column - 1] for row in self.rows] if column <= self.width else []
            odd = {row for row, at in self.errors if at == column} | {row for row, at in self.changed if at == column}
            for spans in (self._logical.get(column, ()), self._empty.get(column, ())):
                for a, b in spans:
                    odd.update(range(a, min(b, len(plain)) + 1))
            for row in odd:
                if row <= len(plain):
                    plain[row - 1] = self.content(row, column)
            self._columns[column] = plain
        held = self._columns[column]
        return held[first - 1 : last] + [None] * (last - max(len(held), first - 1))

    def content(self, row: int, column: int) -> Value:
        """The value, None where the cell is blank."""
        if row > len(self.rows) or column > self.width:
            return None
        value = self(row, column)
        return None if value == "" and self._within(self._empty, row, column) else value

    def logical_cells(self) -> Iterator[tuple[int, int, int]]:
        """(column, first row, last row) of cells that hold TRUE or FALSE."""
        for column, spans in self._logical.items():
            for first, last in spans:
                held = [
                    row for row in range(first, min(last, len(self.rows)) + 1) if isinstance(self(row, column), bool)
                ]
                for row in held:
                    yield column, row, row

    def blank(self, column: int, first: int, last: int) -> bool:
        """Whether a cell of these rows is blank, without even a formula."""
        return any(a <= last and b >= first for a, b in self._empty.get(column, ()))

    def numeric_texts(self) -> Iterator[tuple[int, int, str]]:
        """Cells with a number, or TRUE or FALSE, written as text."""
        for row, cells in enumerate(self.rows, 1):
            for column, value in enumerate(cells, 1):
                if type(value) is str and value and numeric_text(value):
                    yield row, column, value

    def error_rows(self, column: int, first: int, last: int) -> list[int]:
        """Rows of a column that hold an error."""
        if self._error_columns is None:
            self._error_columns = {}
            for row, at in sorted(self.errors):
                self._error_columns.setdefault(at, []).append(row)
        rows = self._error_columns.get(column, [])
        return rows[bisect_left(rows, first) : bisect_right(rows, last)]

    @staticmethod
    def _within(areas: Mapping[int, list[tuple[int, int]]], row: int, column: int) -> bool:
        return any(first <= row <= last for first, last in areas.get(column, ()))


def _by_column(areas: Iterable[Sequence[int]]) -> dict[int, list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {}
    for first, left, last, right in areas:
        for column in range(left, right + 1):
            found.setdefault(column + 1, []).append((first + 1, last + 1))
    return {column: _joined(sorted(spans)) for column, spans in found.items()}


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for first, last in spans:
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined
