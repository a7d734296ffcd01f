"""What a formula's words mean in one workbook: its sheets, tables and defined names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from recargos.workbook.syntax import MAX_COLUMN, MAX_ROW, column_number

if TYPE_CHECKING:
    from recargos.workbook.package import Package


class Table(NamedTuple):
    """An Excel table (ListObject)."""

    name: str
    sheet: int
    first_row: int
    first_column: int
    last_row: int
    last_column: int
    header_rows: int
    totals_rows: int
    columns: tuple[str, ...]

    def holds(self, row: int, column: int) -> bool:
        """Whether a cell lies in the table, headings and totals included."""
        return self.first_row <= row <= self.last_row and self.first_column <= column <= self.last_column


class DefinedName(NamedTuple):
    """A defined name; `sheet` is None for a name of the whole workbook. `text` is a formula relative to cell A1."""

    name: str
    sheet: int | None
    text: str


@dataclass
class Context:
    """Sheets in the order of `Package.sheets`, tables and names, each found without regard to case."""

    sheets: Sequence[str]
    tables: Sequence[Table] = ()
    names: Sequence[DefinedName] = ()
    _sheets: dict[str, int] = field(init=False, repr=False)
    _tables: dict[str, Table] = field(init=False, repr=False)
    _names: dict[tuple[int | None, str], DefinedName] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._sheets = {name.casefold(): index for index, name in enumerate(self.sheets)}
        self._tables = {table.name.casefold(): table for table in self.tables}
        self._names = {(name.sheet, name.name.casefold()): name for name in self.names}

    def sheet(self, name: str) -> int | None:
        """Index of a sheet."""
        return self._sheets.get(name.casefold())

    def table(self, name: str) -> Table | None:
        """A table by its display name."""
        return self._tables.get(name.casefold())

    def table_at(self, sheet: int, row: int, column: int) -> Table | None:
        """The table that holds a cell."""
        return next((t for t in self.tables if t.sheet == sheet and t.holds(row, column)), None)

    def name(self, name: str, sheet: int) -> DefinedName | None:
        """A defined name as a formula on `sheet` sees it: the sheet's own before the workbook's."""
        key = name.casefold()
        return self._names.get((sheet, key)) or self._names.get((None, key))

    @classmethod
    def of(cls, package: Package) -> Context:
        """Read tables and defined names of a workbook."""
        return cls([sheet.name for sheet in package.sheets], list(_tables(package)), list(_names(package)))


def _local(tag: object) -> str:
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _names(package: Package) -> Iterable[DefinedName]:
    for parent in package.xml(package.workbook_part):
        if _local(parent.tag) != "definedNames":
            continue
        for node in parent:
            scope = node.get("localSheetId")
            if _local(node.tag) == "definedName" and node.get("name"):
                sheet = int(scope) if scope is not None and scope.isdigit() else None
                yield DefinedName(node.get("name", ""), sheet, "".join(node.itertext()).strip().removeprefix("="))


def _tables(package: Package) -> Iterable[Table]:
    for index, sheet in enumerate(package.sheets):
        if sheet.kind != "worksheet":
            continue
        for relationship in package.relationships(sheet.part).values():
            if relationship.type == "table" and not relationship.external and package.has(relationship.target):
                table = _table(package, relationship.target, index)
                if table is not None:
                    yield table


def _table(package: Package, part: str, sheet: int) -> Table | None:
    root = package.xml(part)
    match = re.fullmatch(r"\$?([A-Z]+)\$?(\d+)(?::\$?([A-Z]+)\$?(\d+))?", root.get("ref", ""), re.IGNORECASE)
    name = root.get("displayName") or root.get("name")
    if _local(root.tag) != "table" or match is None or not name:
        return None
    first_row, last_row = int(match[2]), int(match[4] or match[2])
    first_column, last_column = column_number(match[1]), column_number(match[3] or match[1])
    if not (1 <= first_row <= last_row <= MAX_ROW and first_column <= last_column <= MAX_COLUMN):
        return None
    columns = tuple(_plain(n.get("name", "")) for n in root.iter() if _local(n.tag) == "tableColumn")
    return Table(
        name, sheet, first_row, first_column, last_row, last_column,
        _count(root.get("headerRowCount"), 1), _count(root.get("totalsRowCount"), 0), columns,
    )  # fmt: skip


def _count(value: str | None, missing: int) -> int:
    return int(value) if value is not None and value.isdigit() else missing


def _plain(name: str) -> str:
    """A heading as formulas spell it: `_x000a_` is a line break."""
    return re.sub(r"_x([0-9A-Fa-f]{4})_", lambda m: chr(int(m[1], 16)), name)
