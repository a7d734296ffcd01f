"""The general scan: expat reads the part, whatever its spelling, and tells where each piece stands in the bytes.

Prefixes, single quotes, CDATA, comments, missing `r`, inline strings: all legal SpreadsheetML. Slower than
:mod:`.scan_fast` by an order of magnitude, and the same result.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NoReturn
from xml.parsers import expat

from recargos.workbook.cells import (
    CLOSED,
    EMPTY,
    MAX_COLUMN,
    MAX_ROW,
    MISSING,
    MIXED,
    TEXT,
    Areas,
    Block,
    Cells,
    Filled,
    area,
    bad_address,
    column_number,
)
from recargos.workbook.cellvalue import INLINE, NUMBER, RICH, TYPES
from recargos.workbook.refusal import doctype, not_well_formed, refused

_MAIN = ("http://schemas.openxmlformats.org/spreadsheetml/2006/main ", "http://purl.oclc.org/ooxml/spreadsheetml/main ")
_ADDRESS = re.compile(r"([A-Za-z]{1,3})([1-9][0-9]{0,6})")
_START_TAG = re.compile(rb"""<[^<>"']*(?:(?:"[^"]*"|'[^']*')[^<>"']*)*>""")
_PATH = ("worksheet", "sheetData", "row", "c")
_CELL = len(_PATH)


def scan(xml: bytes, part: str) -> Cells:
    """Scan a part in UTF-8. :class:`~.refusal.Refused` when it is malformed, declares a DOCTYPE, or hides its cells."""
    return _Scan(xml, part).cells


def check(xml: bytes, part: str) -> None:
    """Refuse a part in UTF-8 that is not well-formed."""
    try:
        expat.ParserCreate("utf-8").Parse(xml, True)
    except expat.ExpatError as error:
        raise not_well_formed(part, error) from None


class _Scan:
    def __init__(self, xml: bytes, part: str) -> None:
        self.xml, self.part = xml, part
        self.cells = Cells()
        self.depth = self.level = 0
        self.row = self.column = 0
        self.areas = Areas()
        self.counts: list[int] = []
        """By array formula how many of its cells were met."""
        self.masters: dict[str, tuple[str, tuple[int, int]]] = {}
        self.orphans: list[tuple[int, str]] = []
        self.collect = False
        self.phonetic = 0
        self.chars: list[str] = []
        parser = self.parser = expat.ParserCreate("utf-8", " ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        parser.EntityDeclHandler = self._refuse_doctype
        try:
            parser.Parse(xml, True)
        except expat.ExpatError as error:
            raise not_well_formed(part, error) from None
        cells = self.cells
        for index, key in self.orphans:  # children that stand before their master
            if key in self.masters:
                text, origin = self.masters[key]
                cells.blocks[index] = cells.blocks[index]._replace(text=text, origin=origin)
        counted = zip(cells.filled, self.counts, strict=True)
        cells.filled = [replace(filled, complete=count == filled.size()) for filled, count in counted]
        cells.finish()

    def _refuse_doctype(self, *_: object) -> NoReturn:
        raise doctype(self.part)

    # ------------------------------------------------------------------------------------------------ elements
    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        tag = name.rpartition(" ")[2] if name.startswith(_MAIN) else ""
        if self.depth == self.level + 1:
            if self.level < _CELL and tag == _PATH[self.level]:
                self.level += 1
                if tag == "row":
                    self._start_row(attributes)
                elif tag == "c":
                    self._start_cell(attributes)
                return
            if self.level == _CELL and tag in ("f", "v", "is"):
                self.level += 1
                self._start_content(tag, attributes)
                return
        if self.level == _CELL + 1 and self.content == "is":
            if tag == "rPh":
                self.phonetic += 1
            self.collect = tag == "t" and not self.phonetic
        elif tag in ("c", "f") and "sheetData" in _PATH[: self.level]:
            raise refused(
                "unusual",
                f"The part {self.part} keeps cells inside other elements, which this program does not read.",
                f"La parte {self.part} guarda celdas dentro de otros elementos, que este programa no lee.",
            )

    def _end(self, name: str) -> None:
        if self.depth == self.level:
            if self.level == _CELL + 1:
                self._end_content()
            elif self.level == _CELL:
                self._end_cell()
            self.level -= 1
        elif self.level == _CELL + 1 and self.content == "is":
            self.collect = False
            if name.endswith(" rPh"):
                self.phonetic -= 1
        self.depth -= 1

    def _characters(self, text: str) -> None:
        if self.collect:
            self.chars.append(text)

    # --------------------------------------------------------------------------------------------------- cells
    def _start_row(self, attributes: dict[str, str]) -> None:
        number = attributes.get("r")
        if number is None:
            self.row += 1
        elif number.isascii() and number.isdigit() and 1 <= int(number) <= MAX_ROW:
            self.row = int(number)
        else:
            raise bad_address(number)
        self.column = 0
        self.areas.advance(self.row)

    def _start_cell(self, attributes: dict[str, str]) -> None:
        where = attributes.get("r")
        if where is None:
            self.column += 1
            self.at = self.row, self.column
        else:
            match = _ADDRESS.fullmatch(where)
            if match is None:
                raise bad_address(where)
            self.at = int(match[2]), column_number(match[1])
            self.row, self.column = self.at
        if self.at[0] > MAX_ROW or self.at[1] > MAX_COLUMN:
            raise bad_address(where or f"R{self.at[0]}C{self.at[1]}")
        kind = TYPES.get(attributes.get("t", "n").encode())
        if kind is None:
            raise refused(
                "unusual",
                f"A cell of the part {self.part} has the unknown type “{attributes['t'][:20]}”.",
                f"Una celda de la parte {self.part} tiene el tipo desconocido «{attributes['t'][:20]}».",
            )
        self.kind = kind
        self.rich = RICH if "vm" in attributes else 0
        self.dynamic = "cm" in attributes
        self.start = self.parser.CurrentByteIndex
        self.formula: dict[str, str] | None = None
        self.formula_text = ""
        self.insert, self.closed = self._tag(self.start)
        self.spans: list[tuple[str, int, int, str]] = []
        self.empty_v = False

    def _start_content(self, tag: str, attributes: dict[str, str]) -> None:
        self.content = tag
        self.content_at = self.parser.CurrentByteIndex
        self.content_from, self.content_empty = self._tag(self.content_at)
        self.chars = []
        self.collect = tag != "is"
        if tag == "f":
            if self.formula is not None:
                raise self._twice()
            self.formula = attributes

    def _end_content(self) -> None:
        text = "".join(self.chars)
        self.collect = False
        here = self.content_from if self.content_empty else self.parser.CurrentByteIndex
        after = here if self.content_empty else self.xml.index(b">", here) + 1
        if self.content == "f":
            self.formula_text = text
            self.insert = after
        elif self.content == "v":
            self.empty_v = self.content_empty
            self.spans.append(
                ("v", *((self.content_at, after) if self.content_empty else (self.content_from, here)), text)
            )
            self.v_element = self.content_at, after
        else:
            self.spans.append(("is", self.content_at, after, text))

    def _end_cell(self) -> None:
        row, column = self.at
        if self.formula is not None:
            self._add_formula(row, column, self.formula)
        inside = self.areas.at(column) if self.areas else None
        if inside is not None:
            self.counts[inside] += 1
        elif self.formula is None:
            return
        span, stored, text = self._value()
        self.cells.append(row, column, self.start, span, self.kind | self.rich, stored)
        if stored in (TEXT, MIXED):
            self.cells.texts[self.start] = text

    def _add_formula(self, row: int, column: int, attributes: dict[str, str]) -> None:
        kind = attributes.get("t", "")
        kind = "" if kind == "normal" else kind
        if kind not in ("", "shared", "array", "dataTable"):
            raise refused(
                "unusual",
                f"A formula of the part {self.part} has the unknown type “{kind[:20]}”.",
                f"Una fórmula de la parte {self.part} tiene el tipo desconocido «{kind[:20]}».",
            )
        ref = attributes.get("ref", "") if kind in ("array", "dataTable") else ""
        filled = area(ref) if ref else None
        text, origin = self.formula_text.strip(), (row, column)
        if kind == "shared":
            key = attributes.get("si", "")
            if text:
                self.masters[key] = text, origin
            else:
                text, origin = self.masters.get(key) or ("", origin)
                if not text:
                    self.orphans.append((len(self.cells.blocks), key))
        self.cells.blocks.append(Block(column, row, row, text, kind or "normal", origin, filled, self.dynamic))  # type: ignore[arg-type]
        if filled:
            a, b, c, d = filled
            if (a, b) != (c, d):
                filled_area = Filled(a, b, c, d, kind == "dataTable", self.dynamic)
                self.areas.add(len(self.cells.filled), filled_area)
                self.counts.append(0)
                self.cells.filled.append(filled_area)

    def _value(self) -> tuple[tuple[int, int], int, str]:
        """The span that a new value replaces, how the value is stored in it, and its text."""
        if self.closed:
            return (self.insert - 2, self.insert), CLOSED, ""
        if not self.spans:
            return (self.insert, self.insert), MISSING, ""
        tags = [tag for tag, *_ in self.spans]
        if tags == ["v"]:
            _, begin, end, text = self.spans[0]
            if self.kind == INLINE and not self.empty_v:
                return self.v_element, MIXED, text
            return (begin, end), EMPTY if self.empty_v else TEXT, text
        if len(set(tags)) < len(tags):
            raise self._twice()
        begin = min(self.v_element[0] if tag == "v" else at for tag, at, *_ in self.spans)
        end = max(self.v_element[1] if tag == "v" else at for tag, _, at, _ in self.spans)
        if begin < self.insert and self.formula is not None:
            raise self._twice()
        wanted = "is" if self.kind == INLINE or "v" not in tags else "v"
        if wanted == "is" and self.kind == NUMBER:
            self.kind = INLINE
        return (begin, end), MIXED, next(text for tag, _, _, text in self.spans if tag == wanted)

    def _tag(self, at: int) -> tuple[int, bool]:
        """Where the start tag at `at` ends, and whether it closes itself."""
        match = _START_TAG.match(self.xml, at)
        if match is None:
            raise not_well_formed(self.part, "a tag does not end")
        return match.end(), self.xml[match.end() - 2 : match.end() - 1] == b"/"

    def _twice(self) -> Exception:
        return refused(
            "corrupt",
            f"A cell of the part {self.part} has two formulas or two values, so the file is damaged.",
            f"Una celda de la parte {self.part} tiene dos fórmulas o dos valores, así que el archivo está dañado.",
        )
