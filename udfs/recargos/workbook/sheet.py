"""One worksheet part: its formula cells found, and their cached values patched, in the bytes.

Nothing is ever parsed and written again: a patch replaces the text of `<v>` and the attributes `t` and `vm`
of cells whose value changes, and every other byte stays. Rows and columns count from 1.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from recargos.workbook import patching, scan_fast, scan_general
from recargos.workbook.cells import (
    CLOSED,
    EMPTY,
    MIXED,
    TEXT,
    Band,
    Block,
    Cells,
    Filled,
    InputBand,
    Slow,
    address,
    taken,
)
from recargos.workbook.cellvalue import (
    NUMBER,
    RICH,
    SHARED,
    STRING,
    Value,
    decoded,
    plain_text,
    same,
    type_name,
)
from recargos.workbook.changes import Changes
from recargos.workbook.refusal import refused

__all__ = ["Block", "Filled", "Sheet", "Value", "address", "same"]

Strings = Callable[[], Sequence[str]]
"""Gives the shared strings, read only when a formula cell refers to one."""

_DECLARED = re.compile(rb"""^(?:\xef\xbb\xbf)?<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_WHOLE = 16 << 20
"""Up to here the quick scan is followed by a parser that looks at the whole part: it costs a second for 80 MB."""
_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be", b"<\0": "utf-16-le", b"\0<": "utf-16-be"}


class Sheet:
    """A scanned worksheet part: by index the cells whose cached values can be patched.

    These are the cells with a formula and those that an array formula or a data table fills.
    """

    def __init__(self, xml: bytes, cells: Cells, codec: str, fast: bool, strings: Strings, date1904: bool) -> None:
        self.xml = xml
        """The part in UTF-8."""
        self.fast = fast
        """Whether the quick scan was used; the general one gives the same result."""
        self.rows = cells.rows
        self.columns = cells.columns
        self.blocks: Sequence[Block] = cells.blocks
        self.filled: Sequence[Filled] = cells.filled
        self.bands: Sequence[Band] = cells.bands
        self._cells = cells
        self._codec = codec
        self._strings = strings
        self._date1904 = date1904

    @classmethod
    def scan(
        cls, raw: bytes, *, part: str = "the sheet", strings: Strings = list, date1904: bool = False, fast: bool = True
    ) -> Sheet:
        """Scan a part. :class:`Refused` when it is malformed, declares a DOCTYPE or holds cells that cannot be."""
        xml, codec = _as_utf8(raw, part)
        if fast:
            with contextlib.suppress(Slow, UnicodeDecodeError):
                cells = scan_fast.scan(xml)
                if len(xml) <= _WHOLE:
                    scan_general.check(xml, part)
                return cls(xml, cells, codec, True, strings, date1904)
        return cls(xml, scan_general.scan(xml, part), codec, False, strings, date1904)

    def __len__(self) -> int:
        return len(self.rows)

    def values(self, indexes: Sequence[int]) -> list[Value]:
        """The cached values of some cells: where all are plain numbers and texts, the common case, read in one go."""
        cells, xml = self._cells, self.xml
        kinds = set(taken(cells.kinds, indexes))
        plain = not cells.stored or cells.stored.keys().isdisjoint(taken(cells.starts, indexes))
        if plain and (kinds == {NUMBER} or (kinds == {STRING} and not cells.texts)):
            spans = map(slice, taken(cells.froms, indexes), taken(cells.tos, indexes))
            read = _Numbers() if kinds == {NUMBER} else _Texts()
            with contextlib.suppress(ValueError):
                return list(map(read.__getitem__, map(xml.__getitem__, spans)))
        return list(map(self.value, indexes))

    def inputs(self, column: int) -> Sequence[InputBand]:
        """The cells of a column without a formula, numbers by their type, whose place the quick scan has noted."""
        return self._cells.inputs.get(column, ())

    def spans(self, firsts: Sequence[int], lasts: Sequence[int]) -> tuple[Sequence[int], list[int]]:
        """Where cells begin and where cells end, tags included; for a sheet that was scanned the fast way."""
        cells, find = self._cells, self.xml.find
        stops = [find(b"</c>", at) + 4 for at in taken(cells.tos, lasts)]
        if cells.stored:
            for at, last in enumerate(lasts):
                if cells.stored.get(cells.starts[last]) == CLOSED:
                    stops[at] = cells.tos[last]
        return taken(cells.starts, firsts), stops

    def touching(self, left: Sequence[int], right: Sequence[int]) -> bool:
        """Whether each of some cells ends, right behind its value, where another begins."""
        cells, after = self._cells, len(b"</v></c>")
        return not cells.stored and [at + after for at in taken(cells.tos, left)] == list(taken(cells.starts, right))

    def value(self, index: int) -> Value:
        """The cached value of a patchable cell."""
        cells = self._cells
        kind, stored = cells.kinds[index] & ~RICH, cells.stored.get(cells.starts[index], TEXT)
        if stored in (TEXT, MIXED):
            text = cells.texts.get(cells.starts[index])
            if text is None:
                raw = self.xml[cells.froms[index] : cells.tos[index]]
                if kind == NUMBER:
                    try:
                        return float(raw)
                    except ValueError:
                        pass
                text = plain_text(raw, "replace")
            return decoded(kind, text, self._strings() if kind == SHARED else (), self._date1904)
        return "" if stored == EMPTY and type_name(kind) == b"str" else None

    def plain(self, indexes: Sequence[int]) -> bool:
        """Whether some cells all hold a number, so far, between the tags of a `<v>`."""
        cells = self._cells
        return not cells.stored and set(taken(cells.kinds, indexes)) == {NUMBER}

    def texts(self, indexes: Sequence[int], values: Sequence[Value]) -> list[bytes]:
        """The texts of new values ahead of :meth:`patches`; empty where more than the text of a cell changes."""
        return patching.texts(self._cells, indexes, values)

    def patched(self, changes: Iterable[tuple[int, Value]]) -> bytes:
        """The part with new cached values, in its own encoding: (index, value) in ascending order of index."""
        if not isinstance(changes, Changes):
            pairs = list(changes)
            changes = Changes(len(self))
            changes.add([index for index, _ in pairs], [value for _, value in pairs])
        return b"".join(self.patches(changes))

    def patches(self, changes: Changes) -> Iterator[bytes]:
        """The same in pieces, made as they are asked for."""
        pieces = patching.patched(self.xml, self._cells, changes)
        if self._codec == "utf-8":
            return pieces
        return iter((_from_utf8(b"".join(pieces), self._codec),))


class _Numbers(dict[bytes, Value]):
    """Texts of `<v>` to numbers: a column that was never calculated holds one of them a hundred thousand times."""

    def __missing__(self, raw: bytes) -> Value:
        value = self[raw] = float(raw)
        return value


class _Texts(dict[bytes, Value]):
    """Texts of `<v>` to what they mean: few differ in a column."""

    def __missing__(self, raw: bytes) -> Value:
        text = self[raw] = decoded(STRING, plain_text(raw, "replace"), ())
        return text


def _as_utf8(raw: bytes, part: str) -> tuple[bytes, str]:
    """A part in UTF-8, and the codec that brings it back, byte for byte."""
    codec = _UTF16.get(raw[:2])
    if codec is None:
        declared = _DECLARED.match(raw[:200])
        codec = declared[1].decode().lower() if declared else "utf-8"
    if codec in ("utf-8", "utf8"):
        return raw, "utf-8"
    try:
        text = raw.decode(codec)
        if text.encode(codec) == raw and "\0" not in text:
            return text.encode("utf-8"), codec
    except (UnicodeError, LookupError):
        pass
    raise refused(
        "unusual",
        f"The part {part} is not written in the encoding “{codec}” that it declares.",
        f"La parte {part} no está escrita en la codificación «{codec}» que declara.",
    )


def _from_utf8(xml: bytes, codec: str) -> bytes:
    return xml if codec == "utf-8" else xml.decode("utf-8").encode(codec, "xmlcharrefreplace")
