"""New cached values put into the bytes of a worksheet part. Every byte that does not belong to one of them stays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from math import isfinite
from typing import cast

from recargos.workbook.cells import CLOSED, TEXT, Cells, taken
from recargos.workbook.cellvalue import NUMBER, STRING, Value, encoded, number, type_name
from recargos.workbook.changes import Changes
from recargos.workbook.refusal import not_well_formed

_ATTRIBUTE = re.compile(rb"""\s+([^\s=]+)\s*=\s*("[^"]*"|'[^']*')""")
_TAG = re.compile(rb"""<([^\s<>"'/]+)((?:\s+[^\s=<>"'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)""")
_AT_ONCE = 4096
"""Cells whose new texts are held before they are written: few enough to stay in a processor's cache."""


def patched(xml: bytes, cells: Cells, changes: Changes) -> Iterator[bytes]:
    """The part `xml` with new values, piece by piece."""
    done, known = 0, changes.texts
    for indexes, values in changes.portions(_AT_ONCE):
        begins, ends = taken(cells.froms, indexes), taken(cells.tos, indexes)
        new = list(map(known.__getitem__, indexes)) if known else texts(cells, indexes, values)
        lacking = [at for at, text in enumerate(new) if not text] if known else []
        if lacking:
            made = texts(cells, [indexes[at] for at in lacking], [values[at] for at in lacking])
            for at, text in zip(lacking, made, strict=True):
                new[at] = text
        if not all(new):
            for at, text in enumerate(new):
                if not text:
                    begins[at] = cells.starts[indexes[at]]
                    new[at] = _cell(xml, cells, indexes[at], values[at])
        kept = map(xml.__getitem__, map(slice, chain((done,), ends), begins))
        yield b"".join(chain.from_iterable(zip(kept, new, strict=True)))
        done = ends[-1]
    yield xml[done:]


def numbers(values: Sequence[float]) -> list[bytes]:
    """What :func:`.cellvalue.number` makes of finite numbers, for all at once. Empty when one is not finite."""
    joined = " ".join(map(repr, values)) + " "
    if "n" in joined:
        return []
    found = joined.replace(".0 ", " ").replace("e", "E").encode().split()
    return [b"0" if text == b"-0" else text for text in found] if "-0.0 " in joined else found


def texts(cells: Cells, indexes: Sequence[int], values: Sequence[Value]) -> list[bytes]:
    """The texts of `<v>`, empty for a cell of which more than that changes."""
    kinds, stored = taken(cells.kinds, indexes), cells.stored
    odd = stored.keys() & taken(cells.starts, indexes) if stored else ()
    if not odd and set(kinds) == {NUMBER} and set(map(type, values)) == {float}:
        found = numbers(cast("Sequence[float]", values))
        if found:
            return found
    strings = _Strings()
    found = []
    for index, kind, value in zip(indexes, kinds, values, strict=True):
        if odd and cells.starts[index] in odd:
            text = b""
        elif kind == NUMBER and type(value) is float and isfinite(value):
            text = number(value)
        elif kind == STRING and type(value) is str:
            text = strings[value]
        else:
            text = b""
        found.append(text)
    return found


class _Strings(dict[str, bytes]):
    """Texts as `<v>` holds them; empty for one that needs `xml:space`."""

    def __missing__(self, value: str) -> bytes:
        text = encoded(value)[1]
        text = self[value] = text if text == text.strip() else b""
        return text


def _cell(xml: bytes, cells: Cells, index: int, value: Value) -> bytes:
    """A cell from its start tag to the end of its value, with another value."""
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
        return opened + between + text
    prefix = tag[1].rpartition(b":")[0]
    name = prefix + b":v" if prefix else b"v"
    element = b"<%b%b>%b</%b>" % (name, space, text, name)
    return opened + between + (b">%b</%b>" % (element, tag[1]) if stored == CLOSED else element)


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
