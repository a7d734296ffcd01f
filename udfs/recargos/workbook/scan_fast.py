"""The quick scan: one regular expression over the bytes, for sheets as Excel, openpyxl, XlsxWriter and we write them.

It proves itself: when it has not seen every `<f` of the part, or meets any spelling that it does not know,
it raises :class:`~.cells.Slow` and the general scan does the work.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from recargos.workbook.cells import CLOSED, EMPTY, MAX_COLUMN, MAX_ROW, MISSING, TEXT, Areas, Cells, Slow
from recargos.workbook.fast_blocks import Blocks
from recargos.workbook.fast_rows import RowsAlike
from recargos.workbook.fast_spelling import FORMULA, Numbers, Types
from recargos.workbook.refusal import Refused

_NAMESPACES = (
    b'"http://schemas.openxmlformats.org/spreadsheetml/2006/main"',
    b'"http://purl.oclc.org/ooxml/spreadsheetml/main"',
)
_ROOT = re.compile(rb"<worksheet( [^<>]*)>")
_ANY_CELL = re.compile(
    rb'<c r="([A-Z]{1,3})([1-9][0-9]{0,6})"([^<>/]*)(?:(/>)|>(?:<v(?: [^<>]*)?>([^<]*)</v>|(<v ?/>))?(</c>))?'
)


def scan(xml: bytes) -> Cells:
    """Scan a part in UTF-8."""
    begin, end = _rows(xml)
    cells = Cells()
    blocks = Blocks(cells)
    types = Types()
    alike = RowsAlike(xml, end, cells, blocks, types)
    position = begin
    try:
        while position:
            position = _cell_by_cell(xml, position, end, alike)
    except Refused:
        _check_spelling(xml, begin, end, ())  # what is refused may be nothing but a comment
        raise
    count = _check_spelling(xml, begin, end, alike.read)
    if len(cells.rows) != count + alike.cells_read:
        raise Slow
    if len(cells.rows):
        rows, columns = cells.outline()
        if max(rows) > MAX_ROW or max(columns) > MAX_COLUMN:
            raise Slow
    blocks.finish()
    if cells.filled:
        _add_children(xml, cells, end)
    cells.finish()
    return cells


def _cell_by_cell(xml: bytes, position: int, end: int, alike: RowsAlike) -> int:
    """Read cells until the rows below are alike: where those end. 0 when everything is read."""
    cells, blocks, types = alike.cells, alike.blocks, alike.types
    add_row, add_column, add_start = cells.rows.append, cells.columns.append, cells.starts.append
    add_from, add_to, add_kind = cells.froms.append, cells.tos.append, cells.kinds.append
    numbers = Numbers()
    keys, lasts = blocks.keys, blocks.lasts
    row_digits, row, before = b"", 0, None
    for match in FORMULA.finditer(xml, position, end):
        letters, digits, attributes, text = match.group(1, 2, 3, 4)
        if digits != row_digits:
            if before is not None and (after := alike.follow(row, before.end())):
                return after
            row_digits, row = digits, int(digits)
        before = match
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
    return 0


def _special(match: re.Match[bytes], cells: Cells, blocks: Blocks, column: int, row: int) -> tuple[int, int]:
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


def _rows(xml: bytes) -> tuple[int, int]:
    """Where the rows begin and end. Raises :class:`Slow` unless the root is spelt as the expressions expect."""
    begin = xml.find(b"<sheetData")
    root = _ROOT.search(xml, 0, max(begin, 0))
    if root is None:
        raise Slow
    end = xml.rfind(b"</sheetData>")
    if end < 0:  # no rows: <sheetData/>
        end = xml.find(b">", begin)
        if xml[end - 1 : end] != b"/":
            raise Slow
    if not any(b" xmlns=" + name in root[1] for name in _NAMESPACES) or b"'" in root[1]:
        raise Slow
    return begin, end


def _check_spelling(xml: bytes, begin: int, end: int, read: Sequence[tuple[int, int]]) -> int:
    """How many `<f` stand outside what the row expressions `read`. :class:`Slow` unless the part is spelt as expected.

    With one `xmlns` on the root and no other before the rows end, `<c` and `<f` are what they seem to be.
    """
    if xml.count(b"xmlns=", 0, end) != 1 or xml.find(b"AlternateContent>", begin, end) >= 0:
        raise Slow
    again = xml.find(b"sheetData", begin + 10, end) >= 0  # in a text it does no harm
    if again and (xml.find(b"<sheetData", begin + 1, end) >= 0 or xml.find(b"</sheetData>", begin, end) >= 0):
        raise Slow
    if xml.find(b"</sheetData>", 0, begin) >= 0:
        raise Slow
    count, at = 0, 0
    for first, last in (*read, (end, end)):
        if xml.find(b"<!", at, first) >= 0 or xml.find(b"<?", max(at, 2), first) >= 0:
            raise Slow
        count += xml.count(b"<f", max(at, begin), first)
        at = last
    return count


def _add_children(xml: bytes, cells: Cells, end: int) -> None:
    """Add the cells without a formula that an array formula or a data table fills."""
    known = set(zip(cells.rows, cells.columns, strict=True))
    numbers, types = Numbers(), Types()
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
