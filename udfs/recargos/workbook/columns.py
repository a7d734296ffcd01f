"""The patchable cells of a sheet by column, so that a whole stretch of one formula is compared in one go."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator

from recargos.workbook.cellvalue import NUMBER, Value, same
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
            if any(map(int.__gt__, rows, rows[1:])):
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

    def differing(self, column: int, first: int, last: int, get: Get) -> Iterator[tuple[int, Value]]:
        """(index, new value) of the cells whose cached value is not what `get` gives.

        A formula that yields an empty cell shows 0.
        """
        sheet = self.sheet
        rows, kind, text, value = sheet.rows, sheet.kind, sheet.text, sheet.value
        for index in self.at(column, first, last):
            new = get(rows[index], column)
            if new is None:
                new = 0.0
            if type(new) is float and kind(index) == NUMBER:
                raw = text(index)
                if raw is not None:
                    try:
                        if float(raw) == new:
                            continue
                    except ValueError:
                        pass
            if not same(value(index), new):
                yield index, new
