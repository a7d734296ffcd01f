"""What a scan of a worksheet part finds: formulas as runs down a column, cells as parallel arrays."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, compress, count, islice
from operator import ge, gt, itemgetter
from typing import Literal, NamedTuple

from recargos.workbook.refusal import Refused, refused

# How the value of a cell is stored, and so what its span covers.
TEXT = 0  # the text between <v> and </v>
EMPTY = 1  # the whole of <v/>
MISSING = 2  # nothing, where <v> would stand
CLOSED = 3  # the "/>" of a cell without contents
MIXED = 4  # everything that holds a value: <is>, for one

MAX_ROW, MAX_COLUMN = 1 << 20, 1 << 14
MOST_FILLED = 8 << 20
"""Cells that the array formulas of a sheet may fill: eight whole columns. A small file can claim any number."""
MOST_WIDTH = 2 << 20
_FEWEST = 32
"""Rows that a band must have to be worth its own objects."""
_REF = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})(?::\$?([A-Z]{1,3})\$?([0-9]{1,7}))?$", re.IGNORECASE)


class Slow(Exception):
    """The quick scan does not apply to this part."""


class Block(NamedTuple):
    """The same formula filled down one column: what there is to understand about a sheet, without a copy per cell.

    `text` stands in the cell `origin`, without the equals sign and with XML's escapes undone; in the cells of the block
    its relative references are moved as Excel moves them when filling from `origin`. A shared formula's children that
    hold no text of their own are such blocks too. Where nothing repeats, each block is one cell.
    """

    column: int
    first_row: int
    last_row: int
    text: str
    """Empty for a data table, a cell that only an array formula elsewhere fills, a child whose master is missing."""
    kind: Literal["normal", "shared", "array", "dataTable"]
    origin: tuple[int, int]
    """Row and column of the cell that the text was written for."""
    ref: tuple[int, int, int, int] | None = None
    """First row, first column, last row, last column that an array formula or a data table fills."""
    dynamic: bool = False
    """A dynamic array (`cm`): it spills, as opposed to a Ctrl+Shift+Enter array."""


@dataclass(frozen=True, slots=True)
class Filled:
    """An array formula of more than one cell, or a data table: the cells it fills stand and fall together."""

    row: int
    column: int
    last_row: int
    last_column: int
    data_table: bool
    dynamic: bool
    """A dynamic array (`cm`), which spills; else one entered with Ctrl+Shift+Enter, whose size is fixed."""
    complete: bool = True
    """Whether each of its cells stands in the file, so that it can hold a value."""

    def size(self) -> int:
        """How many cells."""
        return (self.last_row - self.row + 1) * self.width()

    def width(self) -> int:
        """How many columns."""
        return self.last_column - self.column + 1

    def __contains__(self, cell: tuple[int, int]) -> bool:
        return self.row <= cell[0] <= self.last_row and self.column <= cell[1] <= self.last_column


class Band(NamedTuple):
    """Rows one below the other with cells in the same columns: a grid in the arrays of :class:`Cells`."""

    at: int
    """Index of its first cell; the others follow, row by row."""
    first_row: int
    last_row: int
    columns: tuple[int, ...]
    """Ascending."""

    def end(self) -> int:
        """Index behind its last cell."""
        return self.at + (self.last_row - self.first_row + 1) * len(self.columns)


class InputBand(NamedTuple):
    """Input cells of a column one below the other, each the only one of its address in its row, with a plain `<v>`."""

    first_row: int
    froms: array[int]
    """Where the value begins, and in `tos` where it ends."""
    tos: array[int]

    def end(self) -> int:
        """The row below its last one."""
        return self.first_row + len(self.froms)


@dataclass(slots=True)
class Cells:
    """The patchable cells in the order of the XML: arrays instead of objects, for a sheet may have millions."""

    rows: array[int] = field(default_factory=lambda: array("i"))
    columns: array[int] = field(default_factory=lambda: array("H"))
    starts: array[int] = field(default_factory=lambda: array("I"))
    """Where the cell's start tag begins."""
    froms: array[int] = field(default_factory=lambda: array("I"))
    tos: array[int] = field(default_factory=lambda: array("I"))
    """Span that a new value replaces."""
    kinds: array[int] = field(default_factory=lambda: array("B"))
    """`t` of the cell, as :mod:`.cellvalue` numbers it."""
    stored: dict[int, int] = field(default_factory=dict)
    """By the cell's start: EMPTY, MISSING, CLOSED or MIXED; all others are TEXT."""
    texts: dict[int, str] = field(default_factory=dict)
    """Text of a value by the cell's start, where the general scan read it: it may hold CDATA or comments."""
    blocks: list[Block] = field(default_factory=list)
    filled: list[Filled] = field(default_factory=list)
    bands: list[Band] = field(default_factory=list)
    """Where cells are known to form a grid; ascending by index, and none need be known."""
    inputs: dict[int, list[InputBand]] = field(default_factory=dict)
    """By column: cells without a formula whose place is known, and none need be."""

    def append(self, row: int, column: int, start: int, span: tuple[int, int], kind: int, stored: int) -> None:
        """Add a cell."""
        self.rows.append(row)
        self.columns.append(column)
        self.starts.append(start)
        self.froms.append(span[0])
        self.tos.append(span[1])
        self.kinds.append(kind)
        if stored != TEXT:
            self.stored[start] = stored

    def add_band(self, index: int, first_row: int, last_row: int, columns: tuple[int, ...]) -> None:
        """Note that the cells from `index` to the last one form a grid, which rows just above it may belong to."""
        width, like = len(columns), array("H", columns)
        before = self.bands[-1] if self.bands else None
        least = before.end() if before is not None else 0
        while index - width >= least and self.columns[index - width : index] == like:
            if self.rows[index - width : index].count(first_row - 1) < width:
                break
            index, first_row = index - width, first_row - 1
        if before is not None and (before.end(), before.last_row, before.columns) == (index, first_row - 1, columns):
            self.bands[-1] = before._replace(last_row=last_row)
        else:
            self.bands.append(Band(index, first_row, last_row, columns))

    def add_inputs(self, column: int, first_row: int, froms: array[int], tos: array[int]) -> None:
        """Note input cells, which may go on the last ones of their column."""
        bands = self.inputs.setdefault(column, [])
        if bands and bands[-1].end() == first_row:
            bands[-1].froms.extend(froms)
            bands[-1].tos.extend(tos)
        else:
            bands.append(InputBand(first_row, froms, tos))

    def outline(self) -> tuple[Sequence[int], Sequence[int]]:
        """Rows and columns of the cells, of each band only the first and the last: where they ascend, all do."""
        if not self.bands:
            return self.rows, self.columns
        ends = [0, *chain.from_iterable((band.at + 1, band.end() - 1) for band in self.bands), len(self.rows)]
        loose = [slice(first, last) for first, last in zip(ends[::2], ends[1::2], strict=True)]
        rows, columns = array("i"), array("H")
        for part in loose:
            rows += self.rows[part]
            columns += self.columns[part]
        return rows, columns

    def finish(self) -> None:
        """Bring the cells into the order of the XML; refuse a part that holds one twice, or arrays without measure."""
        size, width = sum(map(Filled.size, self.filled)), sum(map(Filled.width, self.filled))
        if size > MOST_FILLED or width > MOST_WIDTH:
            raise refused(
                "unusual",
                "Array formulas of a sheet fill more cells than this program takes on.",
                "Las fórmulas matriciales de una hoja llenan más celdas de las que este programa admite.",
            )
        self.bands = [band for band in self.bands if band.last_row - band.first_row >= _FEWEST - 1]
        starts = self.starts
        if (self.filled or not self.bands) and any(map(gt, starts, islice(starts, 1, None))):
            self.bands = []
            order = sorted(range(len(starts)), key=starts.__getitem__)
            for name in ("rows", "columns", "starts", "froms", "tos", "kinds"):
                old = getattr(self, name)
                setattr(self, name, array(old.typecode, (old[i] for i in order)))
        rows, columns = self.outline()
        if any(map(gt, rows, islice(rows, 1, None))) or _disordered(rows, columns):
            places = set(zip(self.rows, self.columns, strict=True))
            if len(places) < len(starts):
                raise refused(
                    "corrupt",
                    "A sheet holds the same cell twice, so the file is damaged.",
                    "Una hoja contiene dos veces la misma celda, así que el archivo está dañado.",
                )


def _disordered(rows: Sequence[int], columns: Sequence[int]) -> bool:
    """Whether in some row a column does not lie to the right of the one before it."""
    steps = map(ge, columns, islice(columns, 1, None))
    return any(rows[i] == rows[i + 1] for i in compress(count(), steps))


class Areas:
    """The array formulas and data tables that cover the row being read: which of them holds a column?

    In a sound sheet they do not overlap. Where they do, one is found, and the others count as incomplete.
    """

    def __init__(self) -> None:
        self._active: list[tuple[int, int, int, int, int]] = []
        self._row = 0

    def add(self, number: int, filled: Filled) -> None:
        """From now on `filled` is looked for too."""
        insort(self._active, (filled.column, number, filled.last_column, filled.last_row, filled.row))

    def advance(self, row: int) -> None:
        """The rows above `row` are behind us, or should be: those of a file may be out of order."""
        self._row = row
        if any(each[3] < row for each in self._active):
            self._active = [each for each in self._active if each[3] >= row]

    def at(self, column: int) -> int | None:
        """The number of the one that holds `column`."""
        at = bisect_right(self._active, (column, MAX_ROW << 14)) - 1
        if at < 0:
            return None
        _, number, last_column, _, row = self._active[at]
        return number if last_column >= column and row <= self._row else None

    def __bool__(self) -> bool:
        return bool(self._active)


def taken(held: array[int], indexes: Sequence[int]) -> array[int]:
    """The items of `held` at some indexes: a range costs next to nothing."""
    if isinstance(indexes, range):
        return held[indexes.start : indexes.stop : indexes.step]
    if len(indexes) < 2:
        return array(held.typecode, map(held.__getitem__, indexes))
    return array(held.typecode, itemgetter(*indexes)(held))


def column_number(letters: str) -> int:
    """28 for "AB"."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


def column_letters(number: int) -> str:
    """ "AB" for 28."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def address(row: int, column: int) -> str:
    """ "AB7" for row 7, column 28."""
    return f"{column_letters(column)}{row}"


def area(ref: str) -> tuple[int, int, int, int]:
    """First row, first column, last row, last column of "B2:C9" or "B2". :class:`Refused` for anything else."""
    match = _REF.match(ref.strip())
    if match:
        a, b, c, d = match.groups()
        rows = sorted((int(b), int(d or b)))
        columns = sorted((column_number(a), column_number(c or a)))
        if rows[0] >= 1 and rows[1] <= MAX_ROW and columns[1] <= MAX_COLUMN:
            return rows[0], columns[0], rows[1], columns[1]
    raise bad_address(ref)


def bad_address(ref: str) -> Refused:
    """The refusal of an address that no cell has."""
    return refused(
        "corrupt",
        f"A sheet refers to the cell “{ref[:40]}”, which does not exist: the file is damaged.",
        f"Una hoja se refiere a la celda «{ref[:40]}», que no existe: el archivo está dañado.",
    )
