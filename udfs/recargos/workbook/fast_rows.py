"""Rows alike: what one row of a sheet teaches reads the rows below it, each with one match.

Most large sheets have the same formulas in every row. From a row that the quick scan has just read cell by cell, and
whose formulas all go on those above, an expression is made in which only the number of the row and the values are open.
It reads row after row as long as each is the next one by its number; any other row is read cell by cell again.

What such an expression passes over holds exactly the formulas that it names: between them only tags may stand that do
not begin with `<f`, `<!` or `<?`. So the proof of the quick scan (no `<f` unseen) holds, and its spelling is known.
Each part of an expression is literal or possessive, so a match costs no more than reading the row.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from itertools import chain, islice, takewhile
from operator import attrgetter, lt
from typing import NamedTuple

from recargos.workbook.cells import MISSING, TEXT, Cells, column_number
from recargos.workbook.fast_blocks import Blocks
from recargos.workbook.fast_spelling import FORMULA, Types

_TAG = re.compile(rb"(<[^<>]*>)([^<]*)")
_INPUT = re.compile(rb'<c r="([A-Z]{1,3})([1-9][0-9]{0,6})"([^<>]*>)')
_NUMBERS = re.compile(rb"([\0\1])")
_NUMERIC = re.compile(rb'(?:(?! t=)[^<>])*+(?: t="n")?>')
"""The rest of the tag of a cell that may hold a number."""
_MOST_INPUTS = 16
"""Input cells of a row of which the place is kept: they take 8 bytes each."""
_ANY_TAGS = rb"[^<]*+(?>(?:<[^<f!?][^<]*+){0,4000}"
"""Opens a group that goes back to the last tag, the formula's own cell, and never again."""
_NAMES = {b"\0": b"row", b"\1": b"above"}
_INPUT_VALUE = b"\2"
"""In the expression of a gap, in front of the letters of the column whose value comes next."""
_MARKS = re.compile(b"(\0|\2[A-Z]+\2)")
_AT_ONCE = 1024
"""Rows matched before they are taken over."""
_COST = 400
"""Of so many bytes of a sheet one may be spent on expressions: to compile a byte costs what it costs to scan 80."""
_LONGEST = 1 << 15
_matched = attrgetter("lastindex")  # an expression ends in "|", so that it finds nothing where it does not match


class _Place(NamedTuple):
    """A formula cell of a row."""

    column: int
    key: bytes
    """Of a formula with a text of its own, as :class:`~.fast_blocks.Blocks` keeps it."""
    si: int
    """Of a shared formula's child."""
    kind: int
    stored: int
    value: int
    """The group whose span a new value replaces."""
    attributes: int
    """The group of the cell's attributes where they differ from row to row; else 0."""
    back: int
    """Bytes from the cell's start to the first of these groups, but for the row numbers in them."""
    numbers: int
    """How many row numbers."""


class _Template(NamedTuple):
    expression: re.Pattern[bytes]
    places: tuple[_Place, ...]
    columns: tuple[int, ...]
    inputs: tuple[tuple[int, int], ...]
    """Of input cells with a number: column, and the group whose span is the value."""
    above: int
    """The group that holds the number of the row above; 0 without one."""

    def agreeing(self, found: Sequence[re.Match[bytes]], row: int) -> int:
        """How many of the first matches are the rows below `row`, one after the other."""
        wanted = [b"%d" % number for number in range(row + 1, row + 1 + len(found))]
        numbers = [match[1] for match in found]
        if self.above:
            above = self.above
            wanted += [b"%d" % row, *wanted[:-1]]
            numbers += [match[above] for match in found]
        if numbers == wanted:
            return len(found)
        return min(at % len(found) for at, number in enumerate(numbers) if number != wanted[at])

    def add(self, found: Sequence[re.Match[bytes]], row: int, cells: Cells, types: Types) -> None:
        """Add the cells of the rows below `row`."""
        count, width, digits = len(found), len(self.places), len(b"%d" % (row + 1))
        spans = array("I", list(chain.from_iterable(chain.from_iterable([match.regs for match in found]))))
        step = 2 * self.expression.groups + 2
        rows = array("i", (0,)) * (count * width)
        starts = array("I", (0,)) * (count * width)
        froms, tos = starts[:], starts[:]
        kinds = bytearray(bytes(place.kind for place in self.places) * count)
        numbers = array("i", range(row + 1, row + 1 + count))
        for offset, place in enumerate(self.places):
            rows[offset::width] = numbers
            froms[offset::width] = first = spans[2 * place.value :: step]
            tos[offset::width] = spans[2 * place.value + 1 :: step]
            if place.attributes:
                first = spans[2 * place.attributes :: step]
                kinds[offset::width] = bytes([types[match[place.attributes]] for match in found])
            back = place.back + place.numbers * digits
            starts[offset::width] = first = array("I", [at - back for at in first])
            if place.stored != TEXT:
                cells.stored.update(dict.fromkeys(first, place.stored))
        for column, group in self.inputs:
            cells.add_inputs(column, row + 1, spans[2 * group :: step], spans[2 * group + 1 :: step])
        cells.rows += rows
        cells.columns += array("H", self.columns) * count
        cells.starts += starts
        cells.froms += froms
        cells.tos += tos
        cells.kinds.frombytes(kinds)


class RowsAlike:
    """Learns from the rows of a sheet that is being scanned, and reads on where they repeat."""

    def __init__(self, xml: bytes, end: int, cells: Cells, blocks: Blocks, types: Types) -> None:
        self.xml, self.end, self.cells, self.blocks, self.types = xml, end, cells, blocks, types
        self.read: list[tuple[int, int]] = []
        """From where to where rows were read with an expression."""
        self.cells_read = 0
        self._budget = len(xml) // _COST
        self._template: _Template | None = None
        self._known: dict[bytes, _Template] = {}
        self._cell = 0
        """Index of the first cell of the row that is being read."""
        self._above = -1
        """Where the last formula cell above this row ends; -1 where there is none."""
        self._attributes: dict[int, bytes] = {}
        self._differing: set[int] = set()
        """Columns of which the cells' attributes have been seen to differ."""
        self._gaps: tuple[tuple[int, ...], list[bytes]] | None = None
        self._any_tags = False
        """What stands between the formulas differs from row to row."""

    def follow(self, row: int, position: int) -> int:
        """Read on below `row`, whose last formula cell ends at `position`: where that ends, 0 if no row is alike."""
        old, after = self._template, 0
        new = self._learn(row) if self._above >= 0 and self._budget > 0 else None
        if new is not None:
            self._template, after = new, self._read_on(new, row, position)
        if old is not None and old is not new and not after and (after := self._read_on(old, row, position)):
            self._template = old
        self._cell, self._above = len(self.cells.rows), after or position
        return after

    def _read_on(self, template: _Template, row: int, position: int) -> int:
        limit = 10 ** len(str(row)) - 1  # spans are reckoned from row numbers of one length
        if row == limit or not all(self._goes_on(place, row) for place in template.places):
            return 0
        cells, begin, first, index = self.cells, position, row + 1, len(self.cells.rows)
        matches = takewhile(_matched, template.expression.finditer(self.xml, position, self.end))
        wanted = count = 1
        while count == wanted and row < limit:
            wanted = min(_AT_ONCE, limit - row)
            found = list(islice(matches, wanted))
            count = template.agreeing(found, row) if found else 0
            if count:
                template.add(found[:count], row, cells, self.types)
                row += count
                position = found[count - 1].end()
        if row < first:
            return 0
        for place in template.places:
            self.blocks.go_on(place.column, row, shared=place.si >= 0)
        cells.add_band(index, first, row, template.columns)
        self.read.append((begin, position))
        self.cells_read += (row + 1 - first) * len(template.places)
        return position

    def _goes_on(self, place: _Place, row: int) -> bool:
        """Whether the block of a column ends at `row` and holds the formula of `place`."""
        blocks = self.blocks
        if place.si < 0:
            return blocks.lasts.get(place.column) == row and blocks.keys[place.column] == place.key
        at, si = blocks.children.get(place.column, (-1, -1))
        if at < 0 or si != place.si:
            return False
        block = blocks.cells.blocks[at]
        return block.last_row == row and block.origin == blocks.masters[si][1]

    # ----------------------------------------------------------------------------------------------------- learning
    def _learn(self, row: int) -> _Template | None:
        """The template of `row`, just read, if each of its formulas goes on the one above."""
        cells, blocks = self.cells, self.blocks
        columns = cells.columns[self._cell :]
        for column in columns:
            first = blocks.firsts[column][0] if blocks.lasts.get(column) == row else row
            at, _ = blocks.children.get(column, (-1, -1))
            if at >= 0 and cells.blocks[at].last_row == row:
                first = cells.blocks[at].first_row
            if first == row:
                return None
        if not columns or not all(map(lt, columns, columns[1:])):
            return None
        length = cells.tos[-1] - self._above
        self._budget -= length // 64
        if length > _LONGEST:
            return None
        matches = [FORMULA.match(self.xml, start) for start in cells.starts[self._cell :]]
        found = [match for match in matches if match is not None]
        self._compare(found, columns)
        gaps = self._gaps[1] if self._gaps and not self._any_tags else None
        expression = _Expression(self, found, columns, row, gaps)
        if len(expression.places) < len(columns):
            return None
        pattern = b"".join(expression.pieces) + b"|"
        if pattern not in self._known and len(pattern) <= _LONGEST:
            self._budget -= len(pattern)
            places, above = tuple(expression.places), expression.names.get(b"above", 0)
            inputs = tuple(expression.inputs)
            self._known[pattern] = _Template(re.compile(pattern), places, tuple(columns), inputs, above)
        return self._known.get(pattern)

    def _compare(self, found: Sequence[re.Match[bytes]], columns: Sequence[int]) -> None:
        """Note in what this row differs from those that were learnt before, so that it is left open from now on."""
        for match, column in zip(found, columns, strict=True):
            if self._attributes.setdefault(column, match[3]) != match[3]:
                self._differing.add(column)
        ends = [self._above, *(match.end() for match in found)]
        gaps = [_literal(self.xml[end : match.start()], match[2]) for end, match in zip(ends, found, strict=False)]
        known = [gap for gap in gaps if gap is not None]
        if len(known) < len(gaps) or (self._gaps and self._gaps[0] == tuple(columns) and self._gaps[1] != known):
            self._any_tags = True
        self._gaps = tuple(columns), known

    def differing(self, column: int) -> bool:
        """Whether the attributes of a column's cells are left open."""
        return column in self._differing


class _Expression:
    """The expression of a row while it is put together. It has fewer `places` than the row where one is of no use."""

    def __init__(
        self, alike: RowsAlike, found: Sequence[re.Match[bytes]], columns: Sequence[int], row: int,
        gaps: Sequence[bytes] | None,
    ) -> None:  # fmt: skip
        self.pieces: list[bytes] = []
        self.names: dict[bytes, int] = {}
        self.places: list[_Place] = []
        self.inputs: list[tuple[int, int]] = []
        self.groups = 0
        self._alike, self._digits = alike, b"%d" % row
        left = 0
        for offset, (match, column) in enumerate(zip(found, columns, strict=True)):
            close = b""
            if gaps is not None:
                self._gap(gaps[offset])
            elif column != left + 1 or not offset:
                self.pieces.append(_ANY_TAGS)
                close = b")"
            left = column
            place = self._cell(match, column, len(alike.cells.rows) - len(found) + offset, close)
            if place is None:
                return
            self.places.append(place)

    def _cell(self, match: re.Match[bytes], column: int, index: int, close: bytes) -> _Place | None:
        alike, cells = self._alike, self._alike.cells
        xml, blocks = alike.xml, alike.blocks
        begin, end = cells.froms[index], cells.tos[index]
        letters, attributes, f_attributes = match.group(1, 3, 6)
        text = 4 if match[4] is not None else 7
        key, si, tail = b"", -1, match.end(3)
        if not f_attributes:
            key = blocks.keys.get(column) or b""
            tail = match.end(text)
        elif match[text] is None:
            si = blocks.children.get(column, (-1, -1))[1]
            if blocks.shapes.get(f_attributes) != ("shared", si, ""):
                return None
        if not key and si < 0:
            return None
        if b"\1" in key and len(b"%d" % (int(self._digits) - 1)) < len(self._digits):
            return None
        self.pieces.append(b'<c r="' + letters)
        self._number(b"\0")
        self.pieces.append(b'"' + close)
        if alike.differing(column):
            opened = self._group(rb"[^<>]*+")
            back, numbers = len(letters) + 7, 1
        else:
            opened = 0
            self.pieces.append(re.escape(attributes))
            numbers = 1 + key.count(b"\0") + key.count(b"\1")
            back = begin - match.start() - numbers * len(self._digits)
        if key:
            self.pieces.append(b"><f>")
            for piece in _NUMBERS.split(key):
                if piece in _NAMES:
                    self._number(piece)
                else:
                    self.pieces.append(re.escape(piece))
        self.pieces.append(re.escape(xml[tail:begin]))
        stored = cells.stored.get(match.start(), TEXT)
        value = self._group(rb"[^<]*+" if stored == TEXT else b"" if stored == MISSING else re.escape(xml[begin:end]))
        self.pieces.append(re.escape(xml[end : match.end()]))
        return _Place(column, key, si, cells.kinds[index], stored, value, opened, back, numbers)

    def _gap(self, gap: bytes) -> None:
        for piece in _MARKS.split(gap):
            if piece == b"\0":
                self._number(piece)
            elif not piece.startswith(_INPUT_VALUE):
                self.pieces.append(piece)
            elif len(self.inputs) < _MOST_INPUTS:
                self.inputs.append((column_number(piece.strip(_INPUT_VALUE).decode()), self._group(b"[^<]*+")))
            else:
                self.pieces.append(b"[^<]*+")

    def _number(self, mark: bytes) -> None:
        name = _NAMES[mark]
        if name in self.names:
            self.pieces.append(b"(?P=%b)" % name)
        else:
            self.names[name] = self._group(b"[1-9][0-9]*+", b"?P<%b>" % name)

    def _group(self, inside: bytes, name: bytes = b"") -> int:
        self.pieces.append(b"(%b%b)" % (name, inside))
        self.groups += 1
        return self.groups


def _literal(gap: bytes, digits: bytes) -> bytes | None:
    """The expression of what stands between two formulas of a row: its tags as they are, its texts and number open."""
    at = max(gap.find(b"<"), 0)
    pieces = [b"[^<]*+"] if at else []
    numeric = b""
    for match in _TAG.finditer(gap):
        tag, text = match.groups()
        if match.start() != at or tag[1:2] in b"f!?" or any(mark in tag for mark in (b"\0", _INPUT_VALUE)):
            return None
        at = match.end()
        cell = _INPUT.fullmatch(tag)
        if cell is not None:
            if cell[2] != digits:
                return None
            pieces += [b'<c r="', cell[1], b'\0"', re.escape(cell[3])]
        elif tag.startswith(b"<row "):
            pieces.append(b"<row [^<>]*+>")
        else:
            pieces.append(re.escape(tag))
        if tag == b"<v>" and numeric:
            pieces += [_INPUT_VALUE, numeric, _INPUT_VALUE]
        elif text or tag == b"<v>" or tag.startswith(b"<t"):
            pieces.append(b"[^<]*+")
        numeric = cell[1] if cell is not None and not text and _NUMERIC.fullmatch(cell[3]) else b""
    return b"".join(pieces) if at == len(gap) else None
