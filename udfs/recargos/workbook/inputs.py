"""The numbers that input cells hold, read from a worksheet's bytes a column at a time.

Only what can be read in one way is read: a cell in the plain spelling with a plain number, or one that holds nothing.
All else (texts, dates, shared strings, errors, cells that stand twice) is :data:`OTHER`, and left to the engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import chain, groupby
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple, cast

from recargos.workbook.cells import column_letters

if TYPE_CHECKING:
    from recargos.workbook.sheet import Sheet

_PLAIN = re.compile(rb'(?: (?!t=)[A-Za-z_:][\w:.-]*="[^"&<>]*")*(?: t="n")?(?: (?!t=)[A-Za-z_:][\w:.-]*="[^"&<>]*")*')


class _Other:
    """What a cell holds that is not read here."""

    def __repr__(self) -> str:
        return "OTHER"


OTHER = _Other()
Held = float | None | _Other


class Inputs:
    """The input cells of a scanned sheet."""

    def __init__(self, sheet: Sheet) -> None:
        self._xml = sheet.xml
        self._fast = sheet.fast
        self._columns: dict[int, _Column] = {}
        self._read: dict[tuple[int, int, int], Sequence[Held]] = {}

    @cached_property
    def _plain(self) -> bool:
        """Whether every cell of the sheet begins in the plain spelling, so that a cell not found holds nothing."""
        xml = self._xml
        begin, end = xml.find(b"<sheetData"), xml.rfind(b"</sheetData>")
        return (
            self._fast
            and xml.find(b":c ", begin, end) < 0
            and xml.count(b"<c", begin, end) == xml.count(b'<c r="', begin, end)
        )

    def expect(self, columns: Iterable[int]) -> None:
        """Columns that are going to be read: those that lie side by side are read in one go."""
        if not self._fast:
            return
        wanted = sorted(set(columns) - self._columns.keys())
        for _, group in groupby(enumerate(wanted), lambda each: each[1] - each[0]):
            side_by_side = [column for _, column in group]
            if len(side_by_side) > 1:
                self._columns |= _together(self._xml, side_by_side)

    def read(self, column: int, first: int, last: int) -> Sequence[Held] | None:
        """What the rows `first` … `last` of a column hold; None where the sheet's spelling does not tell.

        The same rows are given as the same object.
        """
        key = (column, first, last)
        found = self._read.get(key)
        if found is None:
            held = self._columns.get(column)
            if held is None or not held.covers(first, last):
                if not self._plain:
                    return None
                held = self._columns[column] = held or _Column(0, [], _others([self._xml], column))
            found = self._read[key] = held.rows(first, last)
        return found


class _Column(NamedTuple):
    first: int
    numbers: list[float]
    """From row `first` on, without a gap: nearly always all there is to read."""
    others: dict[int, Held]

    def covers(self, first: int, last: int) -> bool:
        """Whether there are numbers in all of these rows."""
        return self.first <= first and last < self.first + len(self.numbers)

    def rows(self, first: int, last: int) -> Sequence[Held]:
        if self.covers(first, last):
            return self.numbers[first - self.first : last - self.first + 1]
        held = self.others | dict(enumerate(self.numbers, self.first)) if self.numbers else self.others
        return [held.get(row) for row in range(first, last + 1)]


def _together(xml: bytes, columns: Sequence[int]) -> dict[int, _Column]:
    """Columns side by side where each row has a number in all of them, without a gap; what is above and below, apart.

    Empty when they are not so regular.
    """
    opening = [b'<c r="%b' % column_letters(column).encode() for column in columns]
    cells = [b'%b%b"([^<>]*+)><v>([-+.0-9Ee]++)</v></c>' % (opening[0], b"([1-9][0-9]*+)")]
    cells += [b'%b\\1"([^<>]*+)><v>([-+.0-9Ee]++)</v></c>' % start for start in opening[1:]]
    found: Sequence[tuple[bytes, ...]] = re.findall(b"".join(cells), xml)
    if not found:
        return {}
    digits, *rest = zip(*found, strict=True)
    first, last = int(digits[0]), int(digits[-1])
    if list(map(int, digits)) != list(range(first, last + 1)):
        return {}
    begin, end = xml.index(b'%b%d"' % (opening[0], first)), xml.rindex(b'%b%d"' % (opening[0], last))
    end = xml.index(b"</row>", end)
    read: dict[int, _Column] = {}
    for column, start, attributes, texts in zip(columns, opening, rest[::2], rest[1::2], strict=True):
        try:
            numbers = list(map(float, texts))
        except ValueError:
            return {}
        others = _others([xml[:begin], xml[end:]], column)
        alone = xml.count(start, begin, end) == len(found) and not any(first <= row <= last for row in others)
        if not (alone and all(map(_PLAIN.fullmatch, set(attributes))) and all(map(isfinite, numbers))):
            return {}
        read[column] = _Column(first, numbers, others)
    return read


def _others(parts: Iterable[bytes], column: int) -> dict[int, Held]:
    """The cells of a column one by one."""
    letters = column_letters(column).encode()
    expression = re.compile(rb'<c r="%b([1-9][0-9]*)"([^<>]*)>(?:<v>([-+.0-9Ee]+)</v></c>)?' % letters)
    held: dict[int, Held] = {}
    for digits, attributes, text in chain.from_iterable(map(expression.findall, parts)):
        row, value = int(digits), cast("Held", OTHER)
        if row not in held:  # else it stands twice
            if text and _plainly(attributes):
                value = _number(text)
            elif attributes.endswith(b"/") and _plainly(attributes[:-1].rstrip()):
                value = None
        held[row] = value
    return held


@lru_cache(maxsize=1000)
def _plainly(attributes: bytes) -> bool:
    return _PLAIN.fullmatch(attributes) is not None


def _number(text: bytes) -> Held:
    try:
        number = float(text)
    except ValueError:
        return OTHER
    return number if isfinite(number) else OTHER
