"""The patchable cells of a sheet by column, so that a whole stretch of one formula is compared in one go."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import chain, compress, pairwise
from operator import gt, ne
from typing import TYPE_CHECKING, NamedTuple, cast

from recargos.workbook.cellvalue import Value, same
from recargos.workbook.sheet import Sheet

if TYPE_CHECKING:
    from recargos.workbook.engine import Values

_NONE = array("I")


class _Piece(NamedTuple):
    """Cells of a column, ascending by row: ranges where every row has one, else arrays."""

    rows: Sequence[int]
    indexes: Sequence[int]

    def between(self, first: int, last: int) -> Sequence[int]:
        """Indexes of the cells from row `first` to row `last`."""
        return self.indexes[bisect_left(self.rows, first) : bisect_right(self.rows, last)]


class Columns:
    """Indexes into a :class:`~.sheet.Sheet` by column, ascending by row."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self._pieces: dict[int, list[_Piece]] = {}
        at = 0
        for band in sheet.bands:
            self._add(at, band.at)
            rows, at, width = range(band.first_row, band.last_row + 1), band.end(), len(band.columns)
            for offset, column in enumerate(band.columns):
                indexes = range(band.at + offset, at, width)
                self._pieces.setdefault(column, []).append(_Piece(rows, indexes))
        self._add(at, len(sheet))
        for column, pieces in self._pieces.items():
            if any(one.rows[-1] > two.rows[0] for one, two in pairwise(pieces)):
                whole = array("I", chain.from_iterable(piece.indexes for piece in pieces))
                self._pieces[column] = [self._sorted(whole)]
        self._held: dict[tuple[int, int, int], Sequence[Value]] = {}
        self._foreseen: dict[tuple[int, int, int], Stretch] = {}
        self._firsts = {column: [piece.rows[0] for piece in pieces] for column, pieces in self._pieces.items()}

    def _add(self, first: int, last: int) -> None:
        """Add the cells with the indexes from `first` to before `last`, of which nothing is known."""
        indexes: dict[int, array[int]] = {}
        for index, column in enumerate(self.sheet.columns[first:last], first):
            if column in indexes:
                indexes[column].append(index)
            else:
                indexes[column] = array("I", (index,))
        for column, found in indexes.items():
            self._pieces.setdefault(column, []).append(self._sorted(found))

    def _sorted(self, indexes: array[int]) -> _Piece:
        row = self.sheet.rows.__getitem__
        rows = array("i", map(row, indexes))
        if any(map(gt, rows, rows[1:])):
            indexes = array("I", sorted(indexes, key=row))
            rows = array("i", map(row, indexes))
        return _Piece(rows, indexes)

    def at(self, column: int, first: int, last: int) -> Sequence[int]:
        """Indexes of the cells of a column from row `first` to row `last`: a range where the sheet is regular."""
        pieces = self._pieces.get(column)
        if pieces is None:
            return _NONE
        firsts = self._firsts[column]
        low, high = max(bisect_right(firsts, first) - 1, 0), bisect_right(firsts, last)
        found = [indexes for piece in pieces[low:high] if (indexes := piece.between(first, last))]
        return found[0] if len(found) == 1 else array("I", chain.from_iterable(found))

    def index(self, row: int, column: int) -> int | None:
        """Index of one cell."""
        pieces = self._pieces.get(column)
        number = bisect_right(self._firsts[column], row) - 1 if pieces is not None else -1
        if pieces is None or number < 0:
            return None
        rows, indexes = pieces[number]
        at = bisect_left(rows, row)
        return indexes[at] if at < len(rows) and rows[at] == row else None

    def recall(self, column: int, first: int, last: int) -> None:
        """Read what the file holds for some cells ahead of :meth:`compare`."""
        self._held[column, first, last] = self.sheet.values(self.at(column, first, last))

    def foresee(self, column: int, first: int, last: int, values: Sequence[Value], texts: Sequence[bytes]) -> None:
        """Compare some cells ahead with the values that an engine will give for them, one a row, and their texts."""
        indexes = self.at(column, first, last)
        if len(indexes) == last - first + 1:
            olds, plain = self.sheet.values(indexes), self.sheet.plain(indexes)
            self._foreseen[column, first, last] = _compared(indexes, olds, values, texts if plain else ())

    def compare(self, column: int, first: int, last: int, get: Values) -> Stretch:
        """The cells of a column from row `first` to row `last` with what `get` gives for them."""
        foreseen = self._foreseen.pop((column, first, last), None)
        if foreseen is not None:
            return foreseen
        indexes = self.at(column, first, last)
        news: Sequence[Value]
        if len(indexes) == last - first + 1:
            news = get.down(column, first, last)
        else:
            news = [get(row, column) for row in map(self.sheet.rows.__getitem__, indexes)]
        olds = self._held.pop((column, first, last), None) or self.sheet.values(indexes)
        return _compared(indexes, olds, news)

    def total(self, column: int, first: int, last: int) -> float:
        """The sum of the numbers that a stretch of a column holds."""
        values = self.sheet.values(self.at(column, first, last))
        return _sum(values, set(map(type, values)))


class Stretch(NamedTuple):
    """Cells of one column compared. A formula that yields an empty cell shows 0."""

    cells: int
    before: float
    """Sum of the numbers that the file holds."""
    after: float
    """Sum of the numbers that the engine gives."""
    indexes: Sequence[int]
    """Of the cells whose value is another, ascending by row."""
    values: Sequence[Value]
    """Their new values."""
    texts: Sequence[bytes] = ()
    """These as the file will hold them, where that is known ahead."""


def _compared(
    indexes: Sequence[int], olds: Sequence[Value], news: Sequence[Value], texts: Sequence[bytes] = ()
) -> Stretch:
    held, given = set(map(type, olds)), set(map(type, news))
    before, after = _sum(olds, held), _sum(news, given)
    flags = _differing(olds, news, held | given)
    if not all(flags):
        indexes, news, texts = list(compress(indexes, flags)), list(compress(news, flags)), list(compress(texts, flags))
    if type(None) in given:
        news = [0.0 if new is None else new for new in news]
    return Stretch(len(flags), before, after, indexes, news, texts)


def _differing(olds: Sequence[Value], news: Sequence[Value], types: set[type]) -> list[bool]:
    """By cell whether its new value is another to Excel: in short where all of them are numbers, or all texts."""
    if types == {str}:
        return list(map(ne, olds, news))
    pairs = zip(olds, news, strict=True)
    if types == {float}:
        numbers = cast("Iterable[tuple[float, float]]", pairs)
        return [old != new and (abs(new - old) > 1e-9 * abs(old) or not same(old, new)) for old, new in numbers]
    return [
        (old != new or type(old) is not type(new) or new is None) and not same(old, 0.0 if new is None else new)
        for old, new in pairs
    ]


def _sum(values: Sequence[Value], types: set[type]) -> float:
    """The sum of the numbers among values that are of these `types`."""
    if types == {float}:
        return sum(cast("Sequence[float]", values))
    return sum(value for value in values if type(value) is float)
