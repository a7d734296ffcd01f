"""The quick scan: one regular expression over the bytes, for sheets as Excel, openpyxl, XlsxWriter and we write them.

It proves itself: when it has not seen every `<f` of the part, or meets any spelling that it does not know,
it raises :class:`~.cells.Slow` and the general scan does the work.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from recargos.workbook.cells import CLOSED, EMPTY, MAX_COLUMN, MAX_ROW, MISSING, TEXT, Block, Cells, Filled, Slow, area, column_number
from recargos.workbook.cellvalue import TYPES, unescaped
from recargos.workbook.formulas import normal

Kind = Literal["normal", "shared", "array", "dataTable"]

_NAMESPACES = (
    b'"http://schemas.openxmlformats.org/spreadsheetml/2006/main"',
    b'"http://purl.oclc.org/ooxml/spreadsheetml/main"',
)
_ROOT = re.compile(rb"<worksheet( [^<>]*)>")
_FORMULA = re.compile(
    rb'<c r="([A-Z]{1,3})([1-9][0-9]{0,6})"([^<>]*)><f([^<>]*)>(?:([^<]*)</f>)?(?:<v(?: [^<>]*)?>([^<]*)</v>|(<v ?/>))?(</c>)'
)
_ANY_CELL = re.compile(rb'<c r="([A-Z]{1,3})([1-9][0-9]{0,6})"([^<>/]*)(?:(/>)|>(?:<v(?: [^<>]*)?>([^<]*)</v>|(<v ?/>))?(</c>))?')
_ANY_F = re.compile(rb"<f[\s/>]")
_PLAIN_ATTRIBUTES = re.compile(rb'(?: [A-Za-z_:][\w:.-]*="[^"&<>]*")*')
_PART_OF_NUMBER = re.compile(rb"[0-9.][\0\1]|[\0\1][0-9.\0\1]")
_T = re.compile(rb' t="([^"]*)"')
_SI = re.compile(rb' si="([0-9]+)"')
_FORMULA_REF = re.compile(rb' ref="([^"]*)"')


def scan(xml: bytes) -> Cells:
    """Scan a part in UTF-8."""
    _check_spelling(xml)
    cells = Cells()
    blocks = _Blocks(cells)
    add_row, add_column, add_start = cells.rows.append, cells.columns.append, cells.starts.append
    add_from, add_to, add_kind, add_stored = cells.froms.append, cells.tos.append, cells.kinds.append, cells.stored.append
    numbers: dict[bytes, int] = {}
    types: dict[bytes, int] = {}
    keys, lasts = blocks.keys, blocks.lasts
    found = 0
    for match in _FORMULA.finditer(xml):
        letters, digits, attributes, f_attributes, text, value, empty, _ = match.groups()
        found += 1
        row = int(digits)
        column = numbers.get(letters) or _number(letters, numbers)
        kind = types.get(attributes)
        if kind is None:
            kind = types[attributes] = _type(attributes)
        add_row(row)
        add_column(column)
        add_start(match.start())
        if value is not None:
            begin, end = match.span(6)
            add_stored(TEXT)
        elif empty is not None:
            begin, end = match.span(7)
            add_stored(EMPTY)
        else:
            begin = end = match.start(8)
            add_stored(MISSING)
        add_from(begin)
        add_to(end)
        add_kind(kind)
        if not f_attributes and text is not None:
            # The formula of the row above, but for the row number: the block goes on. This is the inner loop.
            if lasts.get(column) == row - 1 and keys[column] == text.replace(digits, b"\0"):
                lasts[column] = row
                continue
            blocks.start(column, row, digits, text)
        else:
            blocks.special(column, row, f_attributes, text, b' cm="' in attributes)
    if found != sum(1 for _ in _ANY_F.finditer(xml)):
        raise Slow
    if found and (max(cells.rows) > MAX_ROW or max(cells.columns) > MAX_COLUMN):
        raise Slow
    blocks.finish()
    if cells.filled:
        _add_children(xml, cells)
    cells.finish()
    return cells


class _Blocks:
    """Formulas gathered into blocks while they are read."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells
        self.keys: dict[int, bytes | None] = {}
        """By column the open block's text, NUL for the row number, SOH for the row above; None when it may not go on."""
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
        formula = unescaped(text.decode())
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
        formula, origin = unescaped((text or b"").decode()).strip(), (row, column)
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
    """Whether the rows of `key` are all relative references, so that the same key means the same formula filled down."""
    if _PART_OF_NUMBER.search(key):
        return False
    one, two = (
        normal(unescaped(key.replace(b"\0", b"%d" % r).replace(b"\1", b"%d" % (r - 1)).decode()), r, column) for r in (row + 1, row + 2)
    )
    return one == two


def _check_spelling(xml: bytes) -> None:
    """Raise :class:`Slow` unless the part is spelt as the expressions above expect."""
    begin = xml.find(b"<sheetData")
    end = xml.rfind(b"</sheetData>")
    root = _ROOT.search(xml, 0, max(begin, 0))
    if root is None:
        raise Slow
    # One `xmlns` on the root and no other anywhere: then `<c` and `<f` are what they seem to be.
    if not any(b" xmlns=" + name in root[1] for name in _NAMESPACES) or xml.count(b" xmlns=") != 1:
        raise Slow
    if xml.find(b"<!") >= 0 or xml.find(b"<?", 2) >= 0 or xml.find(b":AlternateContent", begin, max(end, begin)) >= 0:
        raise Slow
    if xml.find(b"'", root.start(), root.end()) >= 0 or xml.count(b"<sheetData") != 1:
        raise Slow


def _number(letters: bytes, numbers: dict[bytes, int]) -> int:
    number = numbers[letters] = column_number(letters.decode())
    return number


def _type(attributes: bytes) -> int:
    """The type of a cell by its attributes; :class:`Slow` when they are spelt in an unusual way."""
    if not _PLAIN_ATTRIBUTES.fullmatch(attributes):
        raise Slow
    name = _T.search(attributes)
    kind = TYPES.get(name[1] if name else b"n")
    if kind is None:
        raise Slow
    return kind


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


def _add_children(xml: bytes, cells: Cells) -> None:
    """Add the cells without a formula that an array formula or a data table fills."""
    known = set(zip(cells.rows, cells.columns, strict=True))
    numbers: dict[bytes, int] = {}
    done: list[Filled] = []
    for filled in sorted(cells.filled, key=lambda f: (f.row, f.column)):
        missing = (filled.last_row - filled.row + 1) * (filled.last_column - filled.column + 1)
        for letters, digits, match in _rows(xml, filled.row, filled.last_row):
            place = (int(digits), numbers.get(letters) or _number(letters, numbers))
            if place not in filled:
                continue
            missing -= 1
            if place in known:
                continue
            known.add(place)
            if match[4]:
                span, stored = match.span(4), CLOSED
            elif match[5] is not None:
                span, stored = match.span(5), TEXT
            elif match[6]:
                span, stored = match.span(6), EMPTY
            elif match[7]:
                span, stored = (match.start(7), match.start(7)), MISSING
            else:
                raise Slow
            cells.append(*place, match.start(), span, _type(match[3].rstrip()), stored)
        done.append(Filled(filled.row, filled.column, filled.last_row, filled.last_column, filled.data_table, filled.dynamic, missing == 0))
    cells.filled = done


def _rows(xml: bytes, first: int, last: int) -> Iterator[tuple[bytes, bytes, re.Match[bytes]]]:
    """The cells of the rows from `first` to `last`."""
    begin = re.search(rb'<row [^<>]*\br="%d"' % first, xml)
    if begin is None:
        raise Slow
    for match in _ANY_CELL.finditer(xml, begin.start()):
        if int(match[2]) > last:
            return
        yield match[1], match[2], match
