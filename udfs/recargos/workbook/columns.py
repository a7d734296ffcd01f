"""The patchable cells of a sheet by column, so that a whole stretch of one formula is compared in one go."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import islice
from operator import gt
from typing import NamedTuple

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
        rows = self._rows.get(column)
        if rows is None:
            return None
        at = bisect_left(rows, row)
        return self._indexes[column][at] if at < len(rows) and rows[at] == row else None

    def compare(self, column: int, first: int, last: int, get: Get) -> Stretch:
        """The cells of a column from row `first` to row `last` with what `get` gives for them."""
        indexes = self.at(column, first, last)
        news: list[Value] = [get(row, column) for row in map(self.sheet.rows.__getitem__, indexes)]
        olds = self.sheet.numbers(indexes)
        changes: list[tuple[int, Value]] = []
        if olds is not None:
            for index, old, new in zip(indexes, olds, news, strict=True):
                if old == new and new is not True and new is not False:
                    continue
                if type(new) is float and abs(new - old) > 1e-9 * abs(old):
                    changes.append((index, new))
                elif not same(old, value := 0.0 if new is None else new):
                    changes.append((index, value))
            return Stretch(len(indexes), sum(olds), _sum(news), changes)
        held = list(map(self.sheet.value, indexes))
        for index, was, new in zip(indexes, held, news, strict=True):
            if not same(was, value := 0.0 if new is None else new):
                changes.append((index, value))
        return Stretch(len(indexes), _sum(held), _sum(news), changes)

    def total(self, column: int, first: int, last: int) -> float:
        """The sum of the numbers that a stretch of a column holds."""
        indexes = self.at(column, first, last)
        numbers = self.sheet.numbers(indexes)
        return _sum(list(map(self.sheet.value, indexes))) if numbers is None else sum(numbers)


class Stretch(NamedTuple):
    """Cells of one column compared. A formula that yields an empty cell shows 0."""

    cells: int
    before: float
    """Sum of the numbers that the file holds."""
    after: float
    """Sum of the numbers that the engine gives."""
    changes: list[tuple[int, Value]]
    """(index, new value) of the cells whose value is another."""


def _sum(values: list[Value]) -> float:
    return sum(value for value in values if type(value) is float)
