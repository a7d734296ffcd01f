"""The bytes of a worksheet part taken apart: what stands before the rows, the rows, what stands behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from recargos.fill.problem import FillError
from recargos.workbook.syntax import column_number


class Patterns(NamedTuple):
    """Regular expressions for one spelling of SpreadsheetML: with a namespace prefix or without."""

    data: re.Pattern[bytes]
    row: re.Pattern[bytes]
    cell: re.Pattern[bytes]
    formula: re.Pattern[bytes]
    value: re.Pattern[bytes]


@lru_cache
def patterns(prefix: bytes) -> Patterns:
    """The expressions for names that start with `prefix` (`b""` or `b"x:"`)."""
    p = re.escape(prefix)

    def element(name: bytes) -> bytes:
        return rb"<" + p + name + rb"(\s[^>]*?)?(?:/>|>(.*?)</" + p + name + rb"\s*>)"

    return Patterns(
        re.compile(rb"<" + p + rb"sheetData(?:\s[^>]*?)?(?:/>|>(.*)</" + p + rb"sheetData\s*>)", re.DOTALL),
        *(re.compile(element(name), re.DOTALL) for name in (b"row", b"c", b"f", b"v")),
    )


_ROOT = re.compile(rb"<((?:[\w.-]+:)?)worksheet[\s>]")
_ROW_NUMBER = re.compile(rb"""\sr\s*=\s*["']([0-9]+)["']""")
_ADDRESS = re.compile(rb"""\sr\s*=\s*["']([A-Z]+)([0-9]+)["']""")
_STYLE = re.compile(rb"""\ss\s*=\s*["']([0-9]+)["']""")


@dataclass
class Markup:
    """A worksheet part."""

    prefix: bytes
    head: bytes
    """Up to and with the start tag of sheetData."""
    rows: list[tuple[int, bytes]]
    """Number and bytes of each row that the part holds."""
    tail: bytes
    """From the end tag of sheetData on."""

    @property
    def patterns(self) -> Patterns:
        """Expressions for this part's spelling."""
        return patterns(self.prefix)

    def joined(self) -> bytes:
        """The part again."""
        return b"".join((self.head, *(row for _, row in self.rows), self.tail))


def taken_apart(raw: bytes, name: str) -> Markup:
    """Read a part. Refuses spellings that no spreadsheet program writes, rather than risk a cell."""
    root = _ROOT.search(raw[:20_000])
    if root is None or raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise _unusual(name)
    prefix = root[1]
    match = patterns(prefix).data.search(raw)
    if match is None:
        raise _unusual(name)
    inner = match[1] if match[1] is not None else b""
    if b"<!" in inner:
        raise _unusual(name)
    if match[1] is None:
        opening = b"<" + prefix + b"sheetData>"
        return Markup(prefix, raw[: match.start()] + opening, [], b"</" + prefix + b"sheetData>" + raw[match.end() :])
    rows = []
    rest = 0
    for row in patterns(prefix).row.finditer(inner):
        number = _ROW_NUMBER.search(row[1] or b"")
        if number is None or inner[rest : row.start()].strip():
            raise _unusual(name)
        rest = row.end()
        rows.append((int(number[1]), row[0]))
    if inner[rest:].strip():
        raise _unusual(name)
    return Markup(prefix, raw[: match.start(1)], rows, raw[match.end(1) :])


def _unusual(name: str) -> FillError:
    return FillError(
        f"The sheet “{name}” is written in an unusual way; open and save the workbook in Excel or LibreOffice, then fill it.",
        f"La hoja «{name}» está escrita de forma inusual; abra y guarde el libro en Excel o LibreOffice y vuelva a llenarlo.",
    )


class CellMarkup(NamedTuple):
    """One cell of a row."""

    column: int
    attributes: bytes
    """As written, the address included."""
    inner: bytes
    raw: bytes

    @property
    def style(self) -> int:
        """Index of the cell's style."""
        match = _STYLE.search(self.attributes)
        return int(match[1]) if match else 0


def cells(row: bytes, p: Patterns, name: str) -> Iterator[CellMarkup]:
    """The cells of a row."""
    opened = row.find(b">")
    for match in p.cell.finditer(row, opened + 1):
        place = _ADDRESS.search(match[1] or b"")
        if place is None:
            raise _unusual(name)
        yield CellMarkup(column_number(place[1].decode()), match[1], match[2] or b"", match[0])


def row_tag(row: bytes) -> bytes:
    """The attributes of a row's start tag."""
    end = row.find(b">")
    tag = row[:end].rstrip(b"/")
    return tag[tag.find(b" ") :] if b" " in tag else b""


def without(attributes: bytes, *names: bytes) -> bytes:
    """Attributes without some of them."""
    for name in names:
        attributes = re.sub(rb"\s" + name + rb"""\s*=\s*(?:"[^"]*"|'[^']*')""", b"", attributes)
    return attributes
