"""Sets of cells as intervals of rows: what stays small when a workbook has 100,000 rows of the same formula."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple, cast


class Cell(NamedTuple):
    """Address of a cell: index of the sheet in `Package.sheets`, row and column from 1."""

    sheet: int
    row: int
    column: int


Interval = tuple[int, int]


class Regions:
    """A set of cells, kept as intervals of rows by sheet and column."""

    __slots__ = ("_columns",)

    def __init__(self, cells: Iterable[Cell] = ()) -> None:
        self._columns: dict[tuple[int, int], list[Interval]] = {}
        for sheet, row, column in cells:
            self.add(sheet, column, row, row)

    def add(self, sheet: int, column: int, first: int, last: int) -> list[Interval]:
        """Add rows `first` to `last` of a column. Returns the intervals that were not in the set before."""
        spans = self._columns.setdefault((sheet, column), [])
        if not spans or first > spans[-1][1] + 1:  # the common case: cells come in order
            spans.append((first, last))
            return [(first, last)]
        at = bisect_right(spans, first, key=_first) - 1
        if at >= 0 and spans[at][1] >= last:
            return []
        start = at if at >= 0 and spans[at][1] >= first - 1 else at + 1
        new: list[Interval] = []
        low, high, need = first, last, first
        end = start
        while end < len(spans) and spans[end][0] <= last + 1:
            a, b = spans[end]
            if need < a:
                new.append((need, min(a - 1, last)))
            need = max(need, b + 1)
            low, high = min(low, a), max(high, b)
            end += 1
        if need <= last:
            new.append((need, last))
        spans[start:end] = [(low, high)]
        return new

    def rows(self, sheet: int, column: int) -> list[Interval]:
        """Intervals of rows of one column, in order."""
        return self._columns.get((sheet, column), [])

    def within(self, sheet: int, column: int, first: int, last: int) -> list[Interval]:
        """The intervals of :meth:`rows` cut to `first` … `last`."""
        spans = self._columns.get((sheet, column))
        if not spans:
            return []
        at = max(bisect_right(spans, first, key=_first) - 1, 0)
        found = []
        while at < len(spans) and spans[at][0] <= last:
            a, b = max(spans[at][0], first), min(spans[at][1], last)
            if a <= b:
                found.append((a, b))
            at += 1
        return found

    def intervals(self) -> Iterator[tuple[int, int, int, int]]:
        """(sheet, column, first row, last row), by sheet, column, row."""
        for (sheet, column), spans in sorted(self._columns.items()):
            for first, last in spans:
                yield sheet, column, first, last

    def sheets(self) -> set[int]:
        """The sheets that have a cell in the set."""
        return {sheet for (sheet, _), spans in self._columns.items() if spans}

    def copy(self) -> Regions:
        """A set that can be added to without changing this one."""
        result = Regions()
        result._columns = {key: list(spans) for key, spans in self._columns.items()}
        return result

    def __contains__(self, cell: object) -> bool:
        sheet, row, column = cast("Cell", cell)
        spans = self._columns.get((sheet, column))
        if not spans:
            return False
        at = bisect_right(spans, row, key=_first) - 1
        return at >= 0 and spans[at][1] >= row

    def __iter__(self) -> Iterator[Cell]:
        for sheet, column, first, last in self.intervals():
            for row in range(first, last + 1):
                yield Cell(sheet, row, column)

    def __len__(self) -> int:
        return sum(last - first + 1 for spans in self._columns.values() for first, last in spans)

    def __bool__(self) -> bool:
        return any(self._columns.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Regions) and _filled(self) == _filled(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Regions of {len(self)} cells>"

    def __or__(self, other: Regions) -> Regions:
        result = self.copy()
        for sheet, column, first, last in other.intervals():
            result.add(sheet, column, first, last)
        return result

    def __and__(self, other: Regions) -> Regions:
        result = Regions()
        for (sheet, column), spans in self._columns.items():
            for first, last in spans:
                for a, b in other.within(sheet, column, first, last):
                    result.add(sheet, column, a, b)
        return result

    def __sub__(self, other: Regions) -> Regions:
        result = Regions()
        for (sheet, column), spans in self._columns.items():
            for first, last in spans:
                at = first
                for a, b in other.within(sheet, column, first, last):
                    if at < a:
                        result.add(sheet, column, at, a - 1)
                    at = b + 1
                if at <= last:
                    result.add(sheet, column, at, last)
        return result


def _first(span: Interval) -> int:
    return span[0]


def _filled(regions: Regions) -> dict[tuple[int, int], list[Interval]]:
    return {key: spans for key, spans in regions._columns.items() if spans}
