"""New values of a sheet's cells: half a million of them without an object for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, count, repeat
from operator import is_not
from typing import TypeVar, overload

from recargos.workbook.cellvalue import Value

T = TypeVar("T")


class Changes(Sequence[tuple[int, Value]]):
    """(index, new value), ascending by index, of the cells of a :class:`~.sheet.Sheet` that change."""

    def __init__(self, cells: int) -> None:
        self._values: list[Value] = [None] * cells
        """By index of the cell; None where it keeps its value, for no cell changes into nothing."""
        self._length: int | None = None
        self.texts: list[bytes] = []
        """By index what :meth:`.sheet.Sheet.texts` gave for some cells ahead, empty for others; or nothing at all."""

    def add(self, indexes: Sequence[int], values: Sequence[Value], texts: Sequence[bytes] = ()) -> None:
        """Add cells, ascending by index or not. None of the values is None."""
        self._length = None
        if texts:
            self.texts = self.texts or [b""] * len(self._values)
            _put(self.texts, indexes, texts)
        _put(self._values, indexes, values)

    def values(self, indexes: Iterable[int]) -> Iterator[Value]:
        """The new values of some cells; None for one that keeps its value."""
        return map(self._values.__getitem__, indexes)

    def portions(self, most: int) -> Iterator[tuple[list[int], list[Value]]]:
        """Indexes and new values of the cells that change, ascending, those of at most so many cells at a time."""
        for first in range(0, len(self._values), most):
            values = self._values[first : first + most]
            flags = list(map(is_not, values, repeat(None)))
            if any(flags):
                yield list(compress(count(first), flags)), list(compress(values, flags))

    def __iter__(self) -> Iterator[tuple[int, Value]]:
        return compress(enumerate(self._values), map(is_not, self._values, repeat(None)))

    def __len__(self) -> int:
        if self._length is None:
            self._length = sum(map(is_not, self._values, repeat(None)))
        return self._length

    @overload
    def __getitem__(self, at: int) -> tuple[int, Value]: ...
    @overload
    def __getitem__(self, at: slice) -> list[tuple[int, Value]]: ...
    def __getitem__(self, at: int | slice) -> tuple[int, Value] | list[tuple[int, Value]]:
        return list(self)[at]


def _put(held: list[T], indexes: Sequence[int], values: Sequence[T]) -> None:
    if isinstance(indexes, range):
        held[indexes.start : indexes.stop : indexes.step] = values
        return
    for index, value in zip(indexes, values, strict=True):
        held[index] = value
