"""The quick scan: one regular expression over the bytes, for sheets as Excel, openpyxl, XlsxWriter and we write them.

It proves itself: when it has not seen every `<f` of the part, or meets any spelling that it does not know,
it raises :class:`~.cells.Slow` and the general scan does the work.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from recargos.workbook.cells import CLOSED, EMPTY, MAX_COLUMN, MAX_ROW, MISSING, TEXT, Cells, Filled, Run, Slow, area, column_number
from recargos.workbook.cellvalue import TYPES, unescaped

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
_T = re.compile(rb' t="([^"]*)"')
_SI = re.compile(rb' si="([0-9]+)"')
_FORMULA_REF = re.compile(rb' ref="([^"]*)"')


def scan(xml: bytes) -> Cells:
    """Scan a part in UTF-8."""
    _check_spelling(xml)
    cells = Cells()
    rows, columns, starts, froms, tos = cells.rows, cells.columns, cells.starts, cells.froms, cells.tos
    kinds, stored, runs = cells.kinds, cells.stored, cells.runs
    numbers: dict[bytes, int] = {}
    types: dict[bytes, int] = {}
    shapes: dict[bytes, tuple[str, int, str]] = {}
    open_runs: dict[bytes, list[object]] = {}
    found = 0
    for match in _FORMULA.finditer(xml):
        letters, digits, attributes, f_attributes, text, value, empty, _ = match.groups()
        found += 1
        row = int(digits)
        column = numbers.get(letters) or _number(letters, numbers)
        kind = types.get(attributes)
        if kind is None:
            kind = types[attributes] = _type(attributes)
        rows.append(row)
        columns.append(column)
        starts.append(match.start())
        if value is not None:
            begin, end = match.span(6)
            stored.append(TEXT)
        elif empty is not None:
            begin, end = match.span(7)
            stored.append(EMPTY)
        else:
            begin = end = match.start(8)
            stored.append(MISSING)
        froms.append(begin)
        tos.append(end)
        kinds.append(kind)
        if f_attributes:
            shape = shapes.get(f_attributes)
            if shape is None:
                shape = _shape(f_attributes, text)
                if not shape[2]:
                    shapes[f_attributes] = shape
            if (text is None) != f_attributes.endswith(b"/"):
                raise Slow
            if shape[0] and (text or shape[0] != "shared"):
                formula = unescaped((text or b"").decode()).strip()
                runs.append(Run(column, row, row, formula, *shape, b' cm="' in attributes))
                if shape[0] != "shared":
                    _fill(cells, row, column, shape, b' cm="' in attributes)
                continue
            key = text.replace(digits, b"\0") if text else f_attributes
        else:
            if text is None:
                raise Slow
            key = text.replace(digits, b"\0")
        run = open_runs.get(letters)
        if run is not None and run[0] == key and run[2] == row - 1 and run[3] == f_attributes:
            run[2] = row
        else:
            if run is not None:
                runs.append(_closed(numbers[letters], run, shapes))
            open_runs[letters] = [key, row, row, f_attributes]
    runs.extend(_closed(numbers[letters], run, shapes) for letters, run in open_runs.items())
    if found != sum(1 for _ in _ANY_F.finditer(xml)):
        raise Slow
    if found and (max(rows) > MAX_ROW or max(columns) > MAX_COLUMN):
        raise Slow
    if cells.filled:
        _add_children(xml, cells)
    cells.finish()
    return cells


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


def _shape(f_attributes: bytes, text: bytes | None) -> tuple[str, int, str]:
    """`t`, `si` and `ref` of a formula."""
    if not _PLAIN_ATTRIBUTES.fullmatch(f_attributes.removesuffix(b"/")):
        raise Slow
    t, si, ref = _T.search(f_attributes), _SI.search(f_attributes), _FORMULA_REF.search(f_attributes)
    kind = t[1].decode() if t else ""
    if kind == "normal":
        kind = ""
    if kind not in ("", "shared", "array", "dataTable"):
        raise Slow
    return kind, int(si[1]) if si and kind == "shared" else -1, ref[1].decode() if ref and kind else ""


def _closed(column: int, run: list[object], shapes: dict[bytes, tuple[str, int, str]]) -> Run:
    key, first, last, f_attributes = run
    shape = shapes[f_attributes] if f_attributes else ("", -1, "")  # type: ignore[index]
    template = "" if key is f_attributes else unescaped(key.decode()).strip()  # type: ignore[attr-defined]
    return Run(column, first, last, template, *shape)  # type: ignore[arg-type]


def _fill(cells: Cells, row: int, column: int, shape: tuple[str, int, str], dynamic: bool) -> None:
    first_row, first_column, last_row, last_column = area(shape[2]) if shape[2] else (row, column, row, column)
    if (first_row, first_column) != (row, column) and shape[0] == "array":
        raise Slow
    if (first_row, first_column) != (last_row, last_column):
        cells.filled.append(Filled(first_row, first_column, last_row, last_column, shape[0] == "dataTable", dynamic))


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
