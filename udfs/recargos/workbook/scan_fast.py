"""The quick scan: one regular expression over the bytes, for sheets as Excel, openpyxl, XlsxWriter and we write them.

It proves itself: when it has not seen every `<f` of the part, or meets any spelling that it does not know,
it raises :class:`~.cells.Slow` and the general scan does the work.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from recargos.workbook.cells import (
    CLOSED,
    EMPTY,
    MAX_COLUMN,
    MAX_ROW,
    MISSING,
    TEXT,
    Areas,
    Block,
    Cells,
    Filled,
    Slow,
    area,
    column_number,
)
from recargos.workbook.cellvalue import RICH, TYPES, plain_text
from recargos.workbook.formulas import normal

Kind = Literal["normal", "shared", "array", "dataTable"]

_NAMESPACES = (
    b'"http://schemas.openxmlformats.org/spreadsheetml/2006/main"',
    b'"http://purl.oclc.org/ooxml/spreadsheetml/main"',
)
_ROOT = re.compile(rb"<worksheet( [^<>]*)>")
_FORMULA = re.compile(
    rb'<c r="([A-Z]{1,3})([1-9][0-9]{0,6})"([^<>]*)><f'
    rb"(?:>([^<]*)</f><v>([^<]*)</v></c>"  # nearly all of them; the rest is for the others
    rb"|([^<>]*)>(?:([^<]*)</f>)?(?:<v(?: [^<>]*)?>([^<]*)</v>|(<v ?/>))?(</c>))"
)
_ANY_CELL = re.compile(
    rb'<c r="([A-Z]{1,3})([1-9][0-9]{0,6})"([^<>/]*)(?:(/>)|>(?:<v(?: [^<>]*)?>([^<]*)</v>|(<v ?/>))?(</c>))?'
)
_PLAIN_ATTRIBUTES = re.compile(rb'(?: [A-Za-z_:][\w:.-]*="[^"&<>]*")*')
_PART_OF_NUMBER = re.compile(rb"[0-9.][\0\1]|[\0\1][0-9.\0\1]")
_T = re.compile(rb' t="([^"]*)"')
_SI = re.compile(rb' si="([0-9]+)"')
_FORMULA_REF = re.compile(rb' ref="([^"]*)"')


def scan(xml: bytes) -> Cells:
    """Scan a part in UTF-8."""
    begin, end = _check_spelling(xml)
    cells = Cells()
    blocks = _Blocks(cells)
    add_row, add_column, add_start = cells.rows.append, cells.columns.append, cells.starts.append
    add_from, add_to, add_kind = cells.froms.append, cells.tos.append, cells.kinds.append
    numbers, types = _Numbers(), _Types()
    keys, lasts = blocks.keys, blocks.lasts
    for match in _FORMULA.finditer(xml, begin, end):
        letters, digits, attributes, text = match.group(1, 2, 3, 4)
        row = int(digits)
        column = numbers[letters]
        add_row(row)
        add_column(column)
        add_start(match.start())
        add_kind(types[attributes])
        if text is None:
            span = _special(match, cells, blocks, column, row)
            add_from(span[0])
            add_to(span[1])
            continue
        start, stop = match.span(5)
        add_from(start)
        add_to(stop)
        if lasts.get(column) == row - 1 and keys[column] == text.replace(digits, b"\0"):
            lasts[column] = row  # the formula of the row above, but for the row number: the block goes on
        else:
            blocks.start(column, row, digits, text)
    if len(cells.rows) != xml.count(b"<f", begin, end):
        raise Slow
    if len(cells.rows) and (max(cells.rows) > MAX_ROW or max(cells.columns) > MAX_COLUMN):
        raise Slow
    blocks.finish()
    if cells.filled:
        _add_children(xml, cells, end)
    cells.finish()
    return cells


class _Numbers(dict[bytes, int]):
    """Column letters to numbers."""

    def __missing__(self, letters: bytes) -> int:
        number = self[letters] = column_number(letters.decode())
        return number


class _Types(dict[bytes, int]):
    """A cell's attributes to its type; :class:`Slow` when they are spelt in an unusual way."""

    def __missing__(self, attributes: bytes) -> int:
        if not _PLAIN_ATTRIBUTES.fullmatch(attributes):
            raise Slow
        name = _T.search(attributes)
        kind = TYPES.get(name[1] if name else b"n")
        if kind is None:
            raise Slow
        kind |= RICH if b' vm="' in attributes else 0
        self[attributes] = kind
        return kind


def _special(match: re.Match[bytes], cells: Cells, blocks: _Blocks, column: int, row: int) -> tuple[int, int]:
    """A formula cell of another spelling than nearly all: the span that a new value replaces."""
    f_attributes, text, value, empty = match.group(6, 7, 8, 9)
    if f_attributes:
        blocks.special(column, row, f_attributes, text, b' cm="' in match[3])
    elif text is None:
        raise Slow
    else:
        blocks.start(column, row, match[2], text)
    if value is not None:
        return match.span(8)
    if empty is not None:
        cells.stored[match.start()] = EMPTY
        return match.span(9)
    cells.stored[match.start()] = MISSING
    return match.start(10), match.start(10)


class _Blocks:
    """Formulas gathered into blocks while they are read."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells
        self.keys: dict[int, bytes | None] = {}
        """By column the open block's text, NUL for the row number, SOH for the row above; None if it may not go on."""
        self.lasts: dict[int, int] = {}
        """By column the last row of the open block."""
        self.firsts: dict[int, tuple[int, str]] = {}
        self.shapes: dict[bytes, tuple[Kind, int, str]] = {}
        self.masters: dict[int, tuple[str, tuple[int, int]]] = {}
        self.orphans: list[tuple[int, int]] = []
        self.children: dict[int, tuple[int, int]] = {}
        """By column the open block of a shared formula's children: its place in the list, and `si`."""

    def start(self, column: int, row: int, digits: bytes, text: bytes) -> None:
        """A formula that does not carry on the block above it, or does so only with the row above in it."""
        key: bytes | None = text.replace(digits, b"\0")
        assert key is not None
        if row > 1 and b"%d" % (row - 1) in key:
            key = key.replace(b"%d" % (row - 1), b"\1")
            if self.lasts.get(column) == row - 1 and self.keys[column] == key:
                self.lasts[column] = row
                return
        formula = plain_text(text).strip()
        self.close(column)
        self.keys[column] = key if _fills_down(key, row, column) else None
        self.lasts[column] = row
        self.firsts[column] = (row, formula)

    def close(self, column: int) -> None:
        """End the open block of a column."""
        if column in self.firsts:
            row, text = self.firsts.pop(column)
            self.cells.blocks.append(Block(column, row, self.lasts.pop(column), text, "normal", (row, column)))

    def special(self, column: int, row: int, f_attributes: bytes, text: bytes | None, dynamic: bool) -> None:
        """A formula with attributes: shared, array, data table, or one that is always calculated."""
        shape = self.shapes.get(f_attributes)
        if shape is None:
            shape = _shape(f_attributes)
            if not shape[2]:
                self.shapes[f_attributes] = shape
        if (text is None) != f_attributes.endswith(b"/"):
            raise Slow
        kind, si, ref = shape
        formula, origin = plain_text(text or b"").strip(), (row, column)
        blocks = self.cells.blocks
        if kind == "shared" and formula:
            self.masters[si] = formula, origin
        elif kind == "shared":
            formula, origin = self.masters.get(si) or ("", origin)
            at, open_si = self.children.get(column, (-1, -1))
            if open_si == si and blocks[at].last_row == row - 1 and blocks[at].origin == origin:
                blocks[at] = blocks[at]._replace(last_row=row)
                return
            if formula:
                self.children[column] = len(blocks), si
            else:
                self.orphans.append((len(blocks), si))
        filled = area(ref) if ref else None
        blocks.append(Block(column, row, row, formula, kind, origin, filled, dynamic))
        if filled and filled[:2] != filled[2:]:
            if filled[:2] != (row, column) and kind == "array":
                raise Slow
            self.cells.filled.append(Filled(*filled, kind == "dataTable", dynamic))

    def finish(self) -> None:
        """Close what is open; give children that stand before their master its text."""
        for index, si in self.orphans:
            if si in self.masters:
                text, origin = self.masters[si]
                self.cells.blocks[index] = self.cells.blocks[index]._replace(text=text, origin=origin)
        for column in list(self.firsts):
            self.close(column)


def _fills_down(key: bytes, row: int, column: int) -> bool:
    """Whether the rows of `key` are all relative references: then the same key means the same formula filled down."""
    if _PART_OF_NUMBER.search(key):
        return False
    one, two = (
        normal(plain_text(key.replace(b"\0", b"%d" % r).replace(b"\1", b"%d" % (r - 1))), r, column)
        for r in (row + 1, row + 2)
    )
    return one == two


def _check_spelling(xml: bytes) -> tuple[int, int]:
    """Where the rows begin and end. Raises :class:`Slow` unless the part is spelt as the expressions above expect."""
    begin = xml.find(b"<sheetData")
    root = _ROOT.search(xml, 0, max(begin, 0))
    if root is None:
        raise Slow
    end = xml.rfind(b"</sheetData>")
    if end < 0:  # no rows: <sheetData/>
        end = xml.find(b">", begin)
        if xml[end - 1 : end] != b"/":
            raise Slow
    # One `xmlns` on the root and no other before the rows end: then `<c` and `<f` are what they seem to be.
    if not any(b" xmlns=" + name in root[1] for name in _NAMESPACES) or xml.count(b"xmlns=", 0, end) != 1:
        raise Slow
    if xml.find(b"<!", 0, end) >= 0 or xml.find(b"<?", 2, end) >= 0 or xml.find(b"AlternateContent>", begin, end) >= 0:
        raise Slow
    if b"'" in root[1] or xml.find(b"<sheetData", begin + 1, end) >= 0 or xml.find(b"</sheetData>", 0, end) >= 0:
        raise Slow
    return begin, end


def _shape(f_attributes: bytes) -> tuple[Kind, int, str]:
    """`t`, `si` and the `ref` of an array or data table."""
    if not _PLAIN_ATTRIBUTES.fullmatch(f_attributes.removesuffix(b"/").rstrip()):
        raise Slow
    t, si, ref = _T.search(f_attributes), _SI.search(f_attributes), _FORMULA_REF.search(f_attributes)
    kind: Kind
    match t[1].decode() if t else "normal":
        case "shared" if si:
            return "shared", int(si[1]), ""
        case "array" | "dataTable" as kind:
            return kind, -1, ref[1].decode() if ref else ""
        case "normal":
            return "normal", -1, ""
    raise Slow


def _add_children(xml: bytes, cells: Cells, end: int) -> None:
    """Add the cells without a formula that an array formula or a data table fills."""
    known = set(zip(cells.rows, cells.columns, strict=True))
    numbers, types = _Numbers(), _Types()
    coming = sorted(enumerate(cells.filled), key=lambda each: each[1].row, reverse=True)
    missing = [filled.size() for filled in cells.filled]
    areas = Areas()
    row = 0
    first = _row_at(xml, coming[-1][1].row)
    for match in _ANY_CELL.finditer(xml, first, end):
        here = int(match[2])
        if here != row:
            row = here
            areas.advance(row)
            while coming and coming[-1][1].row <= row:
                areas.add(*coming.pop())
            if not areas and not coming:
                break
        column = numbers[match[1]]
        number = areas.at(column) if areas else None
        if number is None:
            continue
        missing[number] -= 1
        if (row, column) not in known:
            known.add((row, column))
            cells.append(row, column, match.start(), *_child(match, types[match[3].rstrip()]))
    cells.filled = [replace(filled, complete=missing[number] == 0) for number, filled in enumerate(cells.filled)]


def _child(match: re.Match[bytes], kind: int) -> tuple[tuple[int, int], int, int]:
    """Span, type and way of storing of a cell without a formula."""
    if match[4]:
        return match.span(4), kind, CLOSED
    if match[5] is not None:
        return match.span(5), kind, TEXT
    if match[6]:
        return match.span(6), kind, EMPTY
    if match[7]:
        return (match.start(7), match.start(7)), kind, MISSING
    raise Slow


def _row_at(xml: bytes, number: int) -> int:
    found = re.search(rb'<row [^<>]*\br="%d"' % number, xml)
    if found is None:
        raise Slow
    return found.start()
