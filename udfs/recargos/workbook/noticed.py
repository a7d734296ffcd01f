"""What an engine noticed about the cells of a workbook, packed by column: a million notices take ten bytes each."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import gt
from typing import TYPE_CHECKING, NamedTuple

from recargos.law import T
from recargos.workbook.formulas import Regions

if TYPE_CHECKING:
    from recargos.workbook.engine import Notice

MOST = 1 << 15
"""Cells of a stretch: their values are handled as lists, which take more room."""


class Said(NamedTuple):
    """All that was noticed about a cell."""

    kind: str
    """Of the first notice."""
    reason: T


class Stretch(NamedTuple):
    """Cells with notices of one column, ascending by row."""

    sheet: int
    column: int
    rows: Sequence[int]
    said: Sequence[int]
    """For each the place in :attr:`Noticed.said` of what was noticed."""


class Noticed:
    """The cells of a scope that have notices."""

    def __init__(self, notices: Iterable[Notice], scope: Regions) -> None:
        self._rows: dict[tuple[int, int], array[int]] = {}
        self._places: dict[tuple[int, int], array[int]] = {}
        """By sheet and column: the rows, and for each the place in `said` of what was noticed."""
        self.said: list[Said] = []
        self._gather(notices)
        for sheet, column in list(self._rows):
            rows, places = self._rows.pop((sheet, column)), self._places.pop((sheet, column))
            for first, last in scope.within(sheet, column, rows[0], rows[-1]):
                cut = slice(bisect_left(rows, first), bisect_right(rows, last))
                self._rows.setdefault((sheet, column), array("I")).extend(rows[cut])
                self._places.setdefault((sheet, column), array("I")).extend(places[cut])

    def _gather(self, notices: Iterable[Notice]) -> None:
        cells, whats = array("Q"), array("I")
        known: dict[tuple[str, str, T], int] = {}
        every: list[Notice] = []
        """One of each."""
        for notice in notices:
            what = notice[2:]
            if what not in known:
                known[what] = len(every)
                every.append(notice)
            sheet, row, column = notice[0]
            cells.append(sheet << 40 | column << 24 | row)
            whats.append(known[what])
        if any(map(gt, cells, islice(cells, 1, None))):
            order = sorted(range(len(cells)), key=cells.__getitem__)
            cells = array("Q", map(cells.__getitem__, order))
            whats = array("I", map(whats.__getitem__, order))
            del order
        together: dict[Sequence[int], int] = {}
        column = -1
        at, end = 0, len(cells)
        while at < end:
            cell, last = cells[at], at + 1
            while last < end and cells[last] == cell:
                last += 1
            key = tuple(whats[at:last])
            place = together.get(key)
            if place is None:
                place = together[key] = len(self.said)
                self.said.append(Said(every[key[0]].kind, told([every[what] for what in key])))
            if cell >> 24 != column:
                column = cell >> 24
                rows = self._rows[column >> 16, column & 0xFFFF] = array("I")
                places = self._places[column >> 16, column & 0xFFFF] = array("I")
            rows.append(cell & 0xFFFFFF)
            places.append(place)
            at = last

    def __len__(self) -> int:
        return sum(map(len, self._rows.values()))

    def of(self, sheet: int, row: int, column: int) -> Said | None:
        """What was noticed about a cell."""
        rows = self._rows.get((sheet, column))
        if rows is None:
            return None
        at = bisect_left(rows, row)
        return self.said[self._places[sheet, column][at]] if at < len(rows) and rows[at] == row else None

    def within(self, cells: Regions) -> Iterator[Stretch]:
        """Those of `cells`, in stretches of at most :data:`MOST`."""
        for (sheet, column), rows in self._rows.items():
            for first, last in cells.within(sheet, column, rows[0], rows[-1]):
                end = bisect_right(rows, last)
                for at in range(bisect_left(rows, first), end, MOST):
                    cut = slice(at, min(at + MOST, end))
                    yield Stretch(sheet, column, rows[cut], self._places[sheet, column][cut])


def told(notices: Sequence[Notice]) -> T:
    """What was noticed about a cell, each with the argument that it is about."""
    blank = {notice.argument for notice in notices if notice.kind == "blank"}
    kept = [notice for notice in notices if notice.kind == "blank" or notice.argument not in blank]

    def words(language: str) -> str:
        texts = [(notice.argument, notice.reason.in_(language).rstrip(".")) for notice in kept]
        return " ".join(
            f"{text[:1].upper()}{text[1:]}."
            if not argument
            else (f"{text}." if text.startswith(argument) else f"{argument}: {text}.")
            for argument, text in texts
        )

    return T(words("en"), words("es"))
