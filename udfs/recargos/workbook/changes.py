"""New values of a sheet's cells: half a million of them without an object for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, repeat
from operator import is_not
from typing import overload

from recargos.workbook.cellvalue import Value


class Changes(Sequence[tuple[int, Value]]):
    """(index, new value), ascending by index, of the cells of a :class:`~.sheet.Sheet` that change."""

    def __init__(self, cells: int) -> None:
        self._values: list[Value] = [None] * cells
        """By index of the cell; None where it keeps its value, for no cell changes into nothing."""
        self._length: int | None = None

    def add(self, indexes: Sequence[int], values: Sequence[Value]) -> None:
        """Add cells, ascending by index or not. None of the values is None."""
        self._length = None
        if isinstance(indexes, range):
            self._values[indexes.start : indexes.stop : indexes.step] = values
            return
        for index, value in zip(indexes, values, strict=True):
            self._values[index] = value

    def values(self, indexes: Iterable[int]) -> Iterator[Value]:
        """The new values of some cells; None for one that keeps its value."""
        return map(self._values.__getitem__, indexes)

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
