"""One worksheet part: its formula cells found, and their cached values patched, in the bytes.

Nothing is ever parsed and written again: a patch replaces the text of `<v>` and the attributes `t` and `vm`
of cells whose value changes, and every other byte stays. Rows and columns count from 1.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Sequence
from math import isfinite

from recargos.workbook import scan_fast, scan_general
from recargos.workbook.cells import CLOSED, EMPTY, MIXED, TEXT, Band, Block, Cells, Filled, Slow, address
from recargos.workbook.cellvalue import (
    NUMBER,
    RICH,
    SHARED,
    STRING,
    Value,
    decoded,
    encoded,
    number,
    plain_text,
    same,
    type_name,
)
from recargos.workbook.refusal import not_well_formed, refused

__all__ = ["Block", "Filled", "Sheet", "Value", "address", "same"]

Strings = Callable[[], Sequence[str]]
"""Gives the shared strings, read only when a formula cell refers to one."""

_ATTRIBUTE = re.compile(rb"""\s+([^\s=]+)\s*=\s*("[^"]*"|'[^']*')""")
_TAG = re.compile(rb"""<([^\s<>"'/]+)((?:\s+[^\s=<>"'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)""")
_DECLARED = re.compile(rb"""^(?:\xef\xbb\xbf)?<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_MANY = 100_000
"""Pieces of bytes to hold before they are joined: each costs some 50 bytes more than it holds."""
_WHOLE = 16 << 20
"""Up to here the quick scan is followed by a parser that looks at the whole part: it costs a second for 80 MB."""
_INSIDE = (NUMBER, STRING)
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

    def numbers(self, indexes: Sequence[int]) -> list[float] | None:
        """The cached values of some cells when all are plain numbers: the common case, read in one go."""
        cells, xml = self._cells, self.xml
        if any(map(cells.kinds.__getitem__, indexes)):
            return None
        if cells.stored and any(start in cells.stored for start in map(cells.starts.__getitem__, indexes)):
            return None
        froms, tos = cells.froms, cells.tos
        try:
            return [float(xml[froms[index] : tos[index]]) for index in indexes]
        except ValueError:
            return None

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

    def patched(self, changes: Iterable[tuple[int, Value]]) -> bytes:
        """The part with new cached values, in its own encoding: (index, value) in ascending order of index."""
        cells, xml = self._cells, self.xml
        starts, froms, tos, kinds, stored = cells.starts, cells.froms, cells.tos, cells.kinds, cells.stored
        pieces: list[bytes] = []
        parts: list[bytes] = []
        done = 0
        put = pieces.append
        for index, value in changes:
            kind, of = kinds[index], type(value)
            if kind not in _INSIDE or (stored and starts[index] in stored):
                text = b""
            elif kind == NUMBER and of is float and isfinite(value):  # type: ignore[arg-type]
                text = b"%a" % value  # what :func:`.cellvalue.number` does, without its calls
                if text.endswith(b".0"):
                    text = text[:-2] if value else b"0"
                elif b"e" in text:
                    text = number(value)  # type: ignore[arg-type]
            elif kind == STRING and of is str:
                text = encoded(value)[1]
                text = text if text == text.strip() else b""
            else:
                text = b""
            if text:  # the type stays: only the text of <v> is another
                put(xml[done : froms[index]])
                put(text)
            else:
                put(xml[done : starts[index]])
                pieces += self._cell(index, value)
            done = tos[index]
            if len(pieces) > _MANY:
                parts.append(b"".join(pieces))
                pieces.clear()
        put(xml[done:])
        parts += pieces
        return _from_utf8(b"".join(parts), self._codec)

    def _cell(self, index: int, value: Value) -> list[bytes]:
        """A cell from its start tag to the end of its value, with another value."""
        cells, xml = self._cells, self.xml
        begin, start = cells.froms[index], cells.starts[index]
        kind, text = encoded(value)
        tag = _TAG.match(xml, start)
        if tag is None or tag.end() > begin:
            raise not_well_formed("the sheet", "a cell's tag does not end")
        opened = b"<" + tag[1] + _attributes(tag[2], type_name(kind))
        between = xml[tag.end() : begin]
        space = b' xml:space="preserve"' if kind != NUMBER and text != text.strip() else b""
        stored = cells.stored.get(start, TEXT)
        if stored == TEXT:
            if space and b"xml:space" not in between[between.rfind(b"<") :]:
                between = between[:-1] + space + b">"
            return [opened, between, text]
        prefix = tag[1].rpartition(b":")[0]
        name = prefix + b":v" if prefix else b"v"
        element = b"<%b%b>%b</%b>" % (name, space, text, name)
        return [opened, between, b">%b</%b>" % (element, tag[1]) if stored == CLOSED else element]


def _attributes(old: bytes, type_: bytes) -> bytes:
    """A cell's attributes with another `t`, and without `vm`: the rich value that it names is no longer shown."""
    new = b""
    done = False
    for match in _ATTRIBUTE.finditer(old):
        if match[1] == b"t":
            done = True
            if not type_:
                continue
            at, to = match.start(2) - match.start() + 1, match.end(2) - match.start() - 1
            new += match[0][:at] + type_ + match[0][to:]
        elif match[1] != b"vm":
            new += match[0]
    return new if done or not type_ else new + b' t="%b"' % type_


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
