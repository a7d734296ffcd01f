"""The rows of a sheet with other cells spliced in where the scan found the old ones, for an engine's copy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, count, islice
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from recargos.workbook.cells import taken

if TYPE_CHECKING:
    from recargos.workbook.columns import Columns
    from recargos.workbook.prepare import Edit
    from recargos.workbook.sheet import Sheet

FORMULA = re.compile(rb"<f\b[^>]*?(?:/>|>[^<]*</f>)")
_AT_ONCE = 2048
"""Cells spliced at a time: few enough to stay in a processor's cache."""
_MOST = 200
"""Cells of a row that are written as one."""


class _Place(NamedTuple):
    edit: Edit
    indexes: Sequence[int]


def spliced(columns: Columns, edits: Sequence[Edit], begin: int, end: int) -> Iterator[bytes] | None:
    """The bytes from `begin` to `end` with `edits`; None when a cell that must be there was not found."""
    sheet = columns.sheet
    texts: list[bytes | None] = [None] * len(sheet)
    width = bytearray(len(sheet))
    """How many cells, from this one on, its text replaces; 0 for a cell that stays."""
    places = [_Place(edit, columns.at(edit.column, edit.first, edit.last)) for edit in edits]
    if any(len(indexes) != edit.last - edit.first + 1 and edit.required for edit, indexes in places):
        return None
    for group in _side_by_side(sheet, places):
        for index, text in zip(group[0].indexes, _texts(sheet, group), strict=True):
            texts[index] = text
            width[index] = len(group)
    return _pieces(sheet, texts, width, begin, end)


def _texts(sheet: Sheet, group: Sequence[_Place]) -> Iterable[bytes | None]:
    edit, indexes = group[0]
    rows = taken(sheet.rows, indexes)
    if len(group) == 1:
        return edit.cells(rows)
    form = b"".join(each.form() for each, _ in group)
    return [form % row for row in zip(*chain.from_iterable((rows, each.values) for each, _ in group), strict=True)]


def _side_by_side(sheet: Sheet, places: Sequence[_Place]) -> Iterator[list[_Place]]:
    """Columns of numbers whose cells touch in every row, together; every other edit by itself."""
    order = sorted(places, key=lambda place: (place.edit.first, place.edit.last, place.edit.column))
    group: list[_Place] = []
    for place in order:
        if group and not (len(group) < _MOST and _touch(sheet, group[-1], place)):
            yield group
            group = []
        group.append(place)
    if group:
        yield group


def _touch(sheet: Sheet, left: _Place, right: _Place) -> bool:
    """Whether nothing stands between the cells of two columns."""
    one, other = left.indexes, right.indexes
    return (
        bool(left.edit.values and right.edit.values)
        and isinstance(one, range)
        and isinstance(other, range)
        and one.step == other.step
        and (one.start + 1, one.stop + 1) == (other.start, other.stop)
        and sheet.touching(one, other)
    )


def _pieces(sheet: Sheet, texts: Sequence[bytes | None], width: bytearray, begin: int, end: int) -> Iterator[bytes]:
    xml, done = sheet.xml, begin
    coming = compress(count(), width)
    while batch := list(islice(coming, _AT_ONCE)):
        lasts = map(add, batch, map((-1).__add__, map(width.__getitem__, batch)))
        starts, stops = sheet.spans(batch, list(lasts))
        pieces = [b""] * (2 * len(batch))
        pieces[::2] = [xml[a:b] for a, b in zip([done, *stops], starts, strict=False)]
        pieces[1::2] = [
            text or FORMULA.sub(b"", xml[start:stop], count=1)
            for text, start, stop in zip(map(texts.__getitem__, batch), starts, stops, strict=True)
        ]
        yield b"".join(pieces)
        done = stops[-1]
    yield xml[done:end]
