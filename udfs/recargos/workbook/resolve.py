"""Formulas with every name and table written out, so that only cells, functions and constants are left."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from recargos.workbook.context import Context, Table
from recargos.workbook.syntax import (
    MAX_COLUMN,
    MAX_ROW,
    Apply,
    Call,
    Error,
    FormulaError,
    Name,
    Node,
    Prefix,
    Ref,
    Structured,
    mapped,
    parse,
    walk,
)

_MAX_NAMES = 40
"""Names within names: Excel allows 64 levels of nesting in a formula."""
_LAMBDA = re.compile(r"\s*(_xlfn\.)?LAMBDA\s*\(", re.IGNORECASE)
_ITEM = re.compile(r"\[((?:[^\[\]']|'.)*)\]", re.DOTALL)


class Place(NamedTuple):
    """The cell that a text was written for."""

    sheet: int
    row: int
    column: int


class Resolved(NamedTuple):
    """A formula in the terms of cells."""

    tree: Node
    unknown: tuple[str, ...]
    """Names that the workbook doesn't define."""
    through_names: bool
    """Whether a defined name that holds more than a reference or a constant was written out."""


def resolve(tree: Node, place: Place, context: Context) -> Resolved:
    """Write out names and structured references. Raises :class:`FormulaError` where a table or column is missing."""
    resolver = _Resolver(place, context)
    return Resolved(resolver.node(tree, frozenset()), tuple(resolver.unknown), resolver.through_names)


class _Resolver:
    def __init__(self, place: Place, context: Context) -> None:
        self.place = place
        self.context = context
        self.unknown: list[str] = []
        self.through_names = False
        self.open: list[str] = []

    def node(self, node: Node, bound: frozenset[str]) -> Node:
        if isinstance(node, Ref):
            return self.own_sheet(node)
        if isinstance(node, Structured):
            return self.structured(node)
        if isinstance(node, Name):
            return self.name(node, bound)
        if isinstance(node, Call) and node.name in ("LET", "LAMBDA"):
            return self.binding(node, bound)
        if isinstance(node, Call) and node.prefix is None and not node.name.startswith("PR_"):
            called = self.context.name(node.stored, self.place.sheet)
            if called is not None and node.stored.casefold() not in bound and _LAMBDA.match(called.text):
                # A LAMBDA kept under a name and called like a function.
                callee = self.name(Name(None, node.stored), bound)
                return Apply(callee, tuple(self.node(a, bound) for a in node.arguments))
        return mapped(node, lambda child: self.node(child, bound))

    def binding(self, node: Call, bound: frozenset[str]) -> Node:
        """LET and LAMBDA name their own variables, which hide the workbook's names."""
        arguments: list[Node] = []
        last = len(node.arguments) - 1
        for index, argument in enumerate(node.arguments):
            variable = isinstance(argument, Name) and index < last and (node.name == "LAMBDA" or index % 2 == 0)
            if variable:
                assert isinstance(argument, Name)
                bound = bound | {argument.name.casefold()}
                arguments.append(argument)
            else:
                arguments.append(self.node(argument, bound))
        return node._replace(arguments=tuple(arguments))

    def own_sheet(self, ref: Ref) -> Ref:
        """References to the own sheet carry no prefix, the others the sheet's name as the workbook spells it."""
        prefix = ref.prefix
        if prefix is None or prefix.book or prefix.last:
            return ref
        sheet = self.context.sheet(prefix.sheet)
        if sheet is None:
            raise FormulaError(f"there is no sheet {prefix.sheet}")
        return ref._replace(prefix=None if sheet == self.place.sheet else Prefix(self.context.sheets[sheet]))

    def name(self, node: Name, bound: frozenset[str]) -> Node:
        key = node.name.casefold()
        if node.prefix is None and (key in bound or key.startswith("_xlpm.")):
            return node
        sheet = self.place.sheet
        if node.prefix is not None:
            if node.prefix.book:
                return node
            named = self.context.sheet(node.prefix.sheet)
            if named is None:
                raise FormulaError(f"there is no sheet {node.prefix.sheet}")
            sheet = named
        defined = self.context.name(node.name, sheet)
        if defined is None:
            if node.prefix is None and self.context.table(node.name) is not None:
                return self.structured(Structured(node.name, ""))
            self.unknown.append(node.name)
            return node
        if key in self.open or len(self.open) > _MAX_NAMES:
            raise FormulaError(f"the name {node.name} refers to itself")
        self.open.append(key)
        try:
            tree = parse(defined.text)
            if not isinstance(tree, (Ref, Error)) and any(
                isinstance(n, (Ref, Name, Call, Apply, Structured)) for n in walk(tree)
            ):
                self.through_names = True
            return self.node(_moved(tree, self.place), frozenset())
        finally:
            self.open.pop()

    def structured(self, node: Structured) -> Node:
        table = self.context.table(node.table) if node.table else self.context.table_at(*self.place)
        if table is None:
            raise FormulaError(f"there is no table {node.table}" if node.table else "the cell is in no table")
        this_row, items, columns = _spec(node.spec)
        wanted = [_column(table, name) for name in columns]
        left = table.first_column + min(wanted, default=0)
        right = table.first_column + max(wanted) if wanted else table.last_column
        prefix = None if table.sheet == self.place.sheet else Prefix(self.context.sheets[table.sheet])
        top, bottom = table.first_row + table.header_rows, table.last_row - table.totals_rows
        if this_row:
            if not top <= self.place.row <= bottom:
                return Error("#VALUE!")
            return Ref(prefix, self.place.row, left, self.place.row, right, False, True, False, True)
        rows: list[int] = []
        if not items or "#data" in items:
            rows += [top, bottom]
        if "#all" in items:
            rows += [table.first_row, table.last_row]
        if "#headers" in items and table.header_rows:
            rows += [table.first_row, table.first_row + table.header_rows - 1]
        if "#totals" in items and table.totals_rows:
            rows += [table.last_row - table.totals_rows + 1, table.last_row]
        if not rows:
            return Error("#REF!")
        return Ref(prefix, min(rows), left, max(rows), right, True, True, True, True)


def _moved(tree: Node, place: Place) -> Node:
    """A name's relative references, which are stored as seen from A1, as seen from `place`. They wrap at the edges."""

    def moved(node: Node) -> Node:
        if not isinstance(node, Ref):
            return mapped(node, moved)
        rows = [
            r if fixed else (r + place.row - 2) % MAX_ROW + 1
            for r, fixed in ((node.row, node.row_fixed), (node.last_row, node.last_row_fixed))
        ]
        columns = [
            c if fixed else (c + place.column - 2) % MAX_COLUMN + 1
            for c, fixed in ((node.column, node.column_fixed), (node.last_column, node.last_column_fixed))
        ]
        if rows[0] > rows[1] or columns[0] > columns[1]:
            raise FormulaError("a relative name wraps around the edge of the sheet")
        return node._replace(row=rows[0], last_row=rows[1], column=columns[0], last_column=columns[1])

    return moved(tree)


def _spec(spec: str) -> tuple[bool, set[str], list[str]]:
    """What stands between the outer brackets: this row or not, the items (`#headers` …), the columns."""
    text = spec.strip()
    this_row = text.startswith("@")
    if this_row:
        text = text[1:].strip()
    if text and not text.startswith("["):
        text = f"[{text}]"
    items: set[str] = set()
    columns: list[str] = []
    for raw in _ITEM.findall(text):
        item = re.sub(r"'(.)", r"\1", raw, flags=re.DOTALL)
        if raw.lower() in ("#all", "#data", "#headers", "#totals"):
            items.add(raw.lower())
        elif raw.lower() == "#this row" or raw == "@":
            this_row = True
        else:
            columns.append(item)
    return this_row, items, columns


def _column(table: Table, name: str) -> int:
    wanted = name.strip().casefold()
    names: Sequence[str] = [column.strip().casefold() for column in table.columns]
    if wanted not in names:
        raise FormulaError(f"the table {table.name} has no column {name}")
    return names.index(wanted)
