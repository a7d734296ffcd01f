"""The patchable cells of a sheet by column, so that a whole stretch of one formula is compared in one go."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import islice
from operator import gt

from recargos.workbook.cellvalue import Value, same
from recargos.workbook.sheet import Sheet

Get = Callable[[int, int], Value]


class Columns:
    """Indexes into a :class:`~.sheet.Sheet` by column, ascending by row."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self._indexes: dict[int, array[int]] = {}
        self._rows: dict[int, array[int]] = {}
        indexes: dict[int, array[int]] = {}
        for index, column in enumerate(sheet.columns):
            if column in indexes:
                indexes[column].append(index)
            else:
                indexes[column] = array("I", (index,))
        for column, found in indexes.items():
            rows = array("i", map(sheet.rows.__getitem__, found))
            if any(map(gt, rows, islice(rows, 1, None))):
                found = array("I", sorted(found, key=sheet.rows.__getitem__))
                rows = array("i", map(sheet.rows.__getitem__, found))
            self._indexes[column] = found
            self._rows[column] = rows

    def at(self, column: int, first: int, last: int) -> array[int]:
        """Indexes of the cells of a column from row `first` to row `last`."""
        rows = self._rows.get(column)
        if rows is None:
            return array("I")
        return self._indexes[column][bisect_left(rows, first) : bisect_right(rows, last)]

    def index(self, row: int, column: int) -> int | None:
        """Index of one cell."""
        found = self.at(column, row, row)
        return found[0] if found else None

    def differing(self, column: int, first: int, last: int, get: Get) -> list[tuple[int, Value]]:
        """(index, new value) of the cells whose cached value is not what `get` gives.

        A formula that yields an empty cell shows 0.
        """
        indexes = self.at(column, first, last)
        news: list[Value] = [get(row, column) for row in map(self.sheet.rows.__getitem__, indexes)]
        found: list[tuple[int, Value]] = []
        olds = self.sheet.numbers(indexes)
        if olds is not None:
            for index, old, new in zip(indexes, olds, news, strict=True):
                if old != new or new is True or new is False:
                    value = 0.0 if new is None else new
                    if not same(old, value):
                        found.append((index, value))
            return found
        for index, new in zip(indexes, news, strict=True):
            value = 0.0 if new is None else new
            if not same(self.sheet.value(index), value):
                found.append((index, value))
        return found

    def total(self, column: int, first: int, last: int) -> tuple[int, float]:
        """How many cells there are, and the sum of their numbers."""
        indexes = self.at(column, first, last)
        numbers = self.sheet.numbers(indexes)
        if numbers is None:
            numbers = [value for value in map(self.sheet.value, indexes) if isinstance(value, float)]
        return len(indexes), sum(numbers)
