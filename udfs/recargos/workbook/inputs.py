"""The numbers that input cells hold, read from a worksheet's bytes a column at a time.

Only what can be read in one way is read: a cell in the plain spelling with a plain number, or one that holds nothing.
All else (texts, dates, shared strings, errors, cells that stand twice) is :data:`OTHER`, and left to the engine.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

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

    def read(self, column: int, first: int, last: int) -> Sequence[Held] | None:
        """What the rows `first` … `last` of a column hold; None where the sheet's spelling does not tell.

        The same rows are given as the same object.
        """
        if not self._plain:
            return None
        key = (column, first, last)
        found = self._read.get(key)
        if found is None:
            if column not in self._columns:
                self._columns[column] = _scanned(self._xml, column)
            found = self._read[key] = self._columns[column].rows(first, last)
        return found


class _Column(NamedTuple):
    first: int
    numbers: list[float]
    """From row `first` on, without a gap: nearly always all there is to read."""
    others: dict[int, Held]

    def rows(self, first: int, last: int) -> Sequence[Held]:
        start, stop = first - self.first, last - self.first + 1
        if start >= 0 and stop <= len(self.numbers):
            return self.numbers[start:stop]
        held = self.others | dict(enumerate(self.numbers, self.first)) if self.numbers else self.others
        return [held.get(row) for row in range(first, last + 1)]


def _scanned(xml: bytes, column: int) -> _Column:
    """All cells of a column."""
    letters = column_letters(column).encode()
    expression = rb'<c r="%b([1-9][0-9]*)"([^<>]*)>(?:<v>([-+.0-9Ee]+)</v></c>)?' % letters
    cells = re.findall(expression, xml)
    if not cells:
        return _Column(0, [], {})
    digits, attributes, texts = zip(*cells, strict=True)
    rows = list(map(int, digits))
    plain = {each for each in set(attributes) if _PLAIN.fullmatch(each)}
    blank = {each for each in set(attributes) if each.endswith(b"/") and _PLAIN.fullmatch(each[:-1].rstrip())}
    start, stop = 0, len(rows)
    while start < stop and not texts[start]:  # a heading stands above
        start += 1
    while stop > start and not texts[stop - 1]:  # a total below
        stop -= 1
    numbers: list[float] = []
    if rows == list(range(rows[0], rows[0] + len(rows))) and plain.issuperset(attributes[start:stop]):
        with suppress(ValueError):  # one of them is blank, or no number
            numbers = list(map(float, texts[start:stop]))
    if not all(map(isfinite, numbers)):
        numbers = []
    others: dict[int, Held] = {}
    for at in chain(range(start), range(stop, len(rows))) if numbers else range(len(rows)):
        value: Held = OTHER
        if rows[at] not in others:  # else it stands twice
            if texts[at] and attributes[at] in plain:
                value = _number(texts[at])
            elif attributes[at] in blank:
                value = None
        others[rows[at]] = value
    return _Column(rows[start] if numbers else 0, numbers, others)


def _number(text: bytes) -> Held:
    try:
        number = float(text)
    except ValueError:
        return OTHER
    return number if isfinite(number) else OTHER
