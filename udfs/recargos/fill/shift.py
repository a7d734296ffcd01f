"""Rows inserted at the end of a table: every reference to the sheet moved, or stretched where it covers the table's rows.

The rule is Excel's for rows inserted before the totals row. What ended with the table's last row, and began at its first
or above, covers the new rows too; what lies below moves down.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from recargos.workbook.syntax import MAX_ROW, FormulaError, Token, column_letters, column_number, tokens

_CELL = re.compile(r"(\$?)([A-Za-z]{1,3})(\$?)([0-9]+)")
_ROWS = re.compile(r"(\$?)([0-9]+):(\$?)([0-9]+)")


def escape(text: str) -> str:
    """Text of an XML element."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@dataclass(frozen=True)
class Shift:
    """`added` rows after row `last` of `sheet`, where a table of columns `left` to `right` has its data rows from `first` on."""

    sheet: str
    first: int
    last: int
    added: int
    left: int
    right: int

    def row(self, row: int) -> int:
        """Where a row goes."""
        return row + self.added if row > self.last else row

    def rows(self, top: int, bottom: int, left: int, right: int, *, stretch: bool) -> tuple[int, int]:
        """Where the rows of a range go. `stretch` = it covers the table's last row in a way that new rows belong to it."""
        if bottom == self.last and stretch and left <= self.right and right >= self.left:
            return top, bottom + self.added
        return self.row(top), self.row(bottom)

    # ---------------------------------------------------------------------------------------------------- areas
    def area(self, text: str, *, grow: bool = True) -> str:
        """One area such as `C9:C48`, of a conditional format, a validation, a merge (which does not grow)."""
        first, colon, second = text.partition(":")
        one, other = _CELL.fullmatch(first), _CELL.fullmatch(second or first)
        if one is None or other is None:
            return text
        top, bottom = int(one[4]), int(other[4])
        new_top, new_bottom = self.rows(top, bottom, column_number(one[2]), column_number(other[2]), stretch=grow)
        if (new_top, new_bottom) == (top, bottom):
            return text
        start = f"{one[1]}{one[2]}{one[3]}{new_top}"
        return start if not colon and new_top == new_bottom else f"{start}:{other[1]}{other[2]}{other[3]}{new_bottom}"

    def areas(self, text: str, *, grow: bool = True) -> str:
        """Several, with spaces between."""
        return " ".join(self.area(area, grow=grow) for area in text.split())

    # ------------------------------------------------------------------------------------------------- formulas
    def formula(self, text: str, home: bool, own_row: int = 0) -> str:
        """A formula's references moved; `home` = it stands on the sheet itself, `own_row` = in which row of the table.

        A running total in the table (`C$9:C48` in row 48) ends with its own row and does not grow.
        """
        try:
            pieces = tokens(text)
        except FormulaError:
            return text
        out: list[str] = []
        here, at = home, 0
        while at < len(pieces):
            token = pieces[at]
            if token.kind == "prefix":
                here = self._is_here(token.text)
                out.append(token.text)
            elif token.kind == "cell":
                end = at + 2 if _joins(pieces, at) else at
                out.append(
                    self._range([p.text for p in pieces[at : end + 1]], own_row)
                    if here
                    else "".join(p.text for p in pieces[at : end + 1])
                )
                at, here = end, home
            elif token.kind == "rows":
                out.append(self._whole_rows(token.text) if here else token.text)
                here = home
            else:
                out.append(token.text)
                if token.kind != "space":
                    here = home
            at += 1
        return "".join(out)

    def _is_here(self, prefix: str) -> bool:
        name = prefix[:-1]
        if name.startswith("'"):
            name = name[1:-1].replace("''", "'")
        return name.casefold() == self.sheet.casefold()

    def _range(self, parts: list[str], own_row: int) -> str:
        one, other = _CELL.fullmatch(parts[0]), _CELL.fullmatch(parts[-1])
        assert one is not None
        assert other is not None
        top, bottom = int(one[4]), int(other[4])
        running = bool(own_row) and bottom == own_row and not other[3]
        stretch = len(parts) > 1 and top <= self.first and not running
        new_top, new_bottom = self.rows(top, bottom, column_number(one[2]), column_number(other[2]), stretch=stretch)
        start = f"{one[1]}{one[2]}{one[3]}{new_top}"
        return start if len(parts) == 1 else f"{start}:{other[1]}{other[2]}{other[3]}{new_bottom}"

    def _whole_rows(self, text: str) -> str:
        match = _ROWS.fullmatch(text)
        assert match is not None
        top, bottom = int(match[2]), int(match[4])
        new_top, new_bottom = self.rows(top, bottom, self.left, self.right, stretch=top <= self.first)
        return f"{match[1]}{new_top}:{match[3]}{new_bottom}"

    def stored(self, raw: bytes, home: bool, own_row: int = 0) -> bytes:
        """A formula as XML holds it; the same bytes when nothing in it moves."""
        text = unescape(raw.decode("utf-8"))
        moved = self.formula(text, home, own_row)
        return raw if moved == text else escape(moved).encode()


def _joins(pieces: list[Token], at: int) -> bool:
    return at + 2 < len(pieces) and pieces[at + 1].text == ":" and pieces[at + 2].kind == "cell"


# ------------------------------------------------------------------------------------- formulas filled down or across


def relative(text: str, row: int, column: int, to_column: int | None = None) -> list[str | tuple[str, int]]:
    """A formula of row `row` as pieces to fill into other rows: text, or (column letters, distance from the row).

    With `to_column` its relative columns move as well: what a shared formula means in another column.
    """
    pieces: list[str | tuple[str, int]] = []
    across = 0 if to_column is None else to_column - column

    def put(piece: str | tuple[str, int]) -> None:
        if isinstance(piece, str) and pieces and isinstance(pieces[-1], str):
            pieces[-1] += piece
        else:
            pieces.append(piece)

    try:
        found = tokens(text)
    except FormulaError:
        return [text]
    for token in found:
        if token.kind == "cell":
            match = _CELL.fullmatch(token.text)
            assert match is not None
            letters = match[2] if match[1] or not across else column_letters(column_number(match[2]) + across)
            if match[3]:
                put(f"{match[1]}{letters}${match[4]}")
            else:
                put((match[1] + letters, int(match[4]) - row))
        elif token.kind == "rows" and "$" not in token.text:
            top, _, bottom = token.text.partition(":")
            put(("", int(top) - row))
            put(":")
            put(("", int(bottom) - row))
        else:
            put(token.text)
    return pieces


def at_row(pieces: list[str | tuple[str, int]], row: int) -> str:
    """The formula in `row`. Rows wrap around at the sheet's end, as Excel has it."""
    return "".join(p if isinstance(p, str) else f"{p[0]}{(row + p[1] - 1) % MAX_ROW + 1}" for p in pieces)
