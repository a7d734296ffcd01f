"""One worksheet part: its formula cells found, and their cached values patched, in the bytes.

Nothing is ever parsed and written again: a patch replaces the text of `<v>` and the attributes `t` and `vm`
of cells whose value changes, and every other byte stays. Rows and columns count from 1.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Union

from recargos.law import CellError

Value = Union[float, int, bool, str, None, CellError]
"""What a cell shows. Dates are their serials; None is a cell without a value."""


@dataclass(frozen=True, slots=True)
class Block:
    """The same formula filled down one column: what there is to understand about a sheet, without a copy per cell.

    `text` stands in the cell `origin`, without the equals sign and with XML's escapes undone; in the cells of the block its
    relative references are moved as Excel moves them when filling from `origin`. A shared formula's children that hold no text
    of their own are such blocks too. Where nothing repeats, each block is one cell.
    """

    column: int
    first_row: int
    last_row: int
    text: str
    """Empty for a data table, and for a child whose master is missing."""
    kind: Literal["normal", "shared", "array", "dataTable"]
    origin: tuple[int, int]
    """Row and column of the cell that the text was written for."""
    ref: tuple[int, int, int, int] | None = None
    """First row, first column, last row, last column that an array formula or a data table fills."""
    dynamic: bool = False
    """A dynamic array (`cm`): it spills, as opposed to a Ctrl+Shift+Enter array."""


class Sheet:
    """A scanned worksheet part: blocks to understand, and by index the cells whose cached values can be patched.

    The patchable cells are those with a formula and those that an array formula or data table fills.
    """

    blocks: Sequence[Block]
    rows: array[int]
    """Row of each patchable cell."""
    columns: array[int]
    fast: bool
    """Whether the quick scan was used; the general one gives the same result."""
    notes: Sequence[str]
    """Oddities of the part that a reader of the report should know."""

    @classmethod
    def scan(cls, xml: bytes, strings: Sequence[str] = ()) -> Sheet:
        """Scan a part. `strings` are the shared strings, for `t="s"`. :class:`~.package.Refused` when it is not well-formed."""
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def value(self, index: int) -> Value:
        """The cached value of a patchable cell."""
        raise NotImplementedError

    def patched(self, changes: Iterable[tuple[int, Value]]) -> bytes:
        """The part with new cached values: (index, value) in ascending order of index."""
        raise NotImplementedError
