"""How the quick scan expects a cell with a formula to be spelt: as Excel, openpyxl, XlsxWriter and we write it."""

from __future__ import annotations

import re

from recargos.workbook.cells import Slow, column_number
from recargos.workbook.cellvalue import RICH, TYPES

FORMULA = re.compile(
    rb'<c r="([A-Z]{1,3})([1-9][0-9]{0,6})"([^<>]*)><f'
    rb"(?:>([^<]*)</f><v>([^<]*)</v></c>"  # nearly all of them; the rest is for the others
    rb"|([^<>]*)>(?:([^<]*)</f>)?(?:<v(?: [^<>]*)?>([^<]*)</v>|(<v ?/>))?(</c>))"
)
PLAIN_ATTRIBUTES = re.compile(rb'(?: [A-Za-z_:][\w:.-]*="[^"&<>]*")*')
T = re.compile(rb' t="([^"]*)"')


class Numbers(dict[bytes, int]):
    """Column letters to numbers."""

    def __missing__(self, letters: bytes) -> int:
        number = self[letters] = column_number(letters.decode())
        return number


class Types(dict[bytes, int]):
    """A cell's attributes to its type; :class:`Slow` when they are spelt in an unusual way."""

    def __missing__(self, attributes: bytes) -> int:
        if not PLAIN_ATTRIBUTES.fullmatch(attributes):
            raise Slow
        name = T.search(attributes)
        kind = TYPES.get(name[1] if name else b"n")
        if kind is None:
            raise Slow
        kind |= RICH if b' vm="' in attributes else 0
        self[attributes] = kind
        return kind
