"""Formulas of a quick scan gathered into blocks, while they are read."""

from __future__ import annotations

import re
from typing import Literal

from recargos.workbook.cells import Block, Cells, Filled, Slow, area
from recargos.workbook.cellvalue import plain_text
from recargos.workbook.fast_spelling import PLAIN_ATTRIBUTES, T
from recargos.workbook.formulas import normal

Kind = Literal["normal", "shared", "array", "dataTable"]

_PART_OF_NUMBER = re.compile(rb"[0-9.][\0\1]|[\0\1][0-9.\0\1]")
_SI = re.compile(rb' si="([0-9]+)"')
_FORMULA_REF = re.compile(rb' ref="([^"]*)"')


class Blocks:
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
        """A formula that may not carry on the block above it, or does so only with the row above in it."""
        key = text.replace(digits, b"\0")
        if self.lasts.get(column) == row - 1 and self.keys[column] == key:
            self.lasts[column] = row
            return
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

    def go_on(self, column: int, row: int, *, shared: bool) -> None:
        """The open block of a column, of a formula's own text or of a `shared` one's children, ends at `row`."""
        if shared:
            at, _ = self.children[column]
            self.cells.blocks[at] = self.cells.blocks[at]._replace(last_row=row)
        else:
            self.lasts[column] = row

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


def _shape(f_attributes: bytes) -> tuple[Kind, int, str]:
    """`t`, `si` and the `ref` of an array or data table."""
    if not PLAIN_ATTRIBUTES.fullmatch(f_attributes.removesuffix(b"/").rstrip()):
        raise Slow
    t, si, ref = T.search(f_attributes), _SI.search(f_attributes), _FORMULA_REF.search(f_attributes)
    kind: Kind
    match t[1].decode() if t else "normal":
        case "shared" if si:
            return "shared", int(si[1]), ""
        case "array" | "dataTable" as kind:
            return kind, -1, ref[1].decode() if ref else ""
        case "normal":
            return "normal", -1, ""
    raise Slow
