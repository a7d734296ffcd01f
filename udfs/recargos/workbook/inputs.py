"""The numbers that input cells hold, read from a worksheet's bytes a column at a time.

Only what can be read in one way is read: a cell in the plain spelling with a plain number, or one that holds nothing.
All else (texts, dates, shared strings, errors, cells that stand twice) is :data:`OTHER`, and left to the engine.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from math import isfinite
from typing import TYPE_CHECKING, cast

from recargos.workbook.cells import column_letters

if TYPE_CHECKING:
    from recargos.workbook.sheet import Sheet

_PLAIN = re.compile(rb'(?: (?!t=)[A-Za-z_:][\w:.-]*="[^"&<>]*")*(?: t="n")?(?: (?!t=)[A-Za-z_:][\w:.-]*="[^"&<>]*")*')


_DIGITS = re.compile(rb"[-+.0-9Ee]++")


class _Other:
    """What a cell holds that is not read here."""

    def __repr__(self) -> str:
        return "OTHER"


OTHER = _Other()
Held = float | None | _Other


class Inputs:
    """The input cells of a scanned sheet."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._columns: dict[int, dict[int, Held]] = {}
        self._read: dict[tuple[int, int, int], Sequence[Held] | None] = {}

    @cached_property
    def _plain(self) -> bool:
        """Whether every cell of the sheet begins in the plain spelling, so that a cell not found holds nothing."""
        xml = self._sheet.xml
        begin, end = xml.find(b"<sheetData"), xml.rfind(b"</sheetData>")
        return (
            self._sheet.fast
            and xml.find(b":c ", begin, end) < 0
            and xml.count(b"<c", begin, end) == xml.count(b'<c r="', begin, end)
        )

    def read(self, column: int, first: int, last: int) -> Sequence[Held] | None:
        """What the rows `first` … `last` of a column hold; None where the sheet's spelling does not tell.

        The same rows are given as the same object.
        """
        key = (column, first, last)
        if key not in self._read:
            found = self._noted(*key)
            self._read[key] = self._cells(*key) if found is None else found
        return self._read[key]

    def _noted(self, column: int, first: int, last: int) -> Sequence[Held] | None:
        """Read by where the scan has noted the cells; None where it has not, or they are not numbers."""
        bands = self._sheet.inputs(column)
        if sum(len(band.froms) for band in bands) < (last - first + 1) / 2:
            return None
        xml, held, row, at = self._sheet.xml, list[Held](), first, 0
        for band in bands:
            if band.first_row > row:
                held += _hole(xml[at : band.froms[0]], column, row, min(band.first_row - 1, last))
            cut = slice(max(row - band.first_row, 0), max(last - band.first_row + 1, 0))
            numbers = _numbers([xml[a:b] for a, b in zip(band.froms[cut], band.tos[cut], strict=True)])
            if numbers is None:
                return None
            held += numbers
            row, at = first + len(held), band.tos[-1]
        held += _hole(xml[at:], column, row, last)
        return held if len(held) == last - first + 1 else None

    def _cells(self, column: int, first: int, last: int) -> Sequence[Held] | None:
        if not self._plain:
            return None
        if column not in self._columns:
            self._columns[column] = _column(self._sheet.xml, column)
        return list(map(self._columns[column].get, range(first, last + 1)))


def _hole(xml: bytes, column: int, first: int, last: int) -> Sequence[Held]:
    """Some rows of which this part of the sheet should tell. What it does not hold may stand elsewhere."""
    if first > last:
        return []
    found = _column(xml, column)
    return [found.get(row, OTHER) for row in range(first, last + 1)]


def _numbers(texts: Sequence[bytes]) -> Sequence[float] | None:
    """The numbers that all of the texts are; None where one is not."""
    if not texts:
        return []
    if not all(texts) or _DIGITS.fullmatch(b"".join(texts)) is None:
        return None
    with suppress(ValueError):
        numbers = list(map(float, texts))
        if all(map(isfinite, numbers)):
            return numbers
    return None


def _column(xml: bytes, column: int) -> dict[int, Held]:
    """The cells of a column one by one, by row."""
    letters = column_letters(column).encode()
    expression = re.compile(rb'<c r="%b([1-9][0-9]*)"([^<>]*)>(?:<v>([-+.0-9Ee]+)</v></c>)?' % letters)
    held: dict[int, Held] = {}
    for digits, attributes, text in expression.findall(xml):
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
