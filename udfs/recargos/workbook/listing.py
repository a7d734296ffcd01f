"""The cells that the report lists, each with its old and new value, its status and the reason."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, repeat
from typing import TYPE_CHECKING

from recargos.law import T
from recargos.workbook.book import Book
from recargos.workbook.cellvalue import Value
from recargos.workbook.changes import Changes
from recargos.workbook.columns import Columns
from recargos.workbook.formulas import Cell
from recargos.workbook.grounds import Ground, Scope, union
from recargos.workbook.listed import Group, ListedCells
from recargos.workbook.noticed import Noticed, Stretch
from recargos.workbook.result import Counts

if TYPE_CHECKING:
    from recargos.workbook.engine import Calculation

_RECALCULATED = T("Recalculated.", "Recalculada.")


class Listing:
    """Gathers the cells of one workbook."""

    def __init__(self, book: Book, scope: Scope, changes: Mapping[int, Changes], noticed: Noticed) -> None:
        self.book, self.scope, self.changes, self.noticed = book, scope, changes, noticed
        self.cells = ListedCells()
        self._labels: dict[frozenset[str], str] = {}

    def grounds(self, grounds: Iterable[Ground], counts: Counts) -> None:
        """Every cell that keeps its value, with its notices."""
        for ground in grounds:
            listed = ground.cells & self.scope.cells
            if ground.status == "unsupported":
                counts.unsupported += len(listed)
            else:
                counts.stale += len(listed)
            for sheet, column, first, last in listed.intervals():
                rows = range(first, last + 1)
                for label, part in self._labelled(sheet, column, rows):
                    group = self.cells.group(Group(sheet, self._name(sheet), label, ground.status, ground.kind))
                    olds = [self.book.value(Cell(sheet, row, column)) for row in rows[part]]
                    reasons = (self.cells.reason(self._reason(ground, Cell(sheet, row, column))) for row in rows[part])
                    self.cells.add(column, rows[part], repeat(group, len(olds)), reasons, olds, olds)

    def _reason(self, ground: Ground, cell: Cell) -> T:
        reason, said = ground.reason(cell), self.noticed.of(*cell)
        return reason if said is None else T(f"{reason.en} {said.reason.en}", f"{reason.es} {said.reason.es}")

    def flagged(self, grounds: Iterable[Ground]) -> None:
        """Every other cell that has a notice, written or not."""
        for stretch in self.noticed.within(self.scope.cells - union(grounds)):
            columns = self.book.columns.get(stretch.sheet)
            if columns is None:
                continue
            indexes = _indexes(columns, stretch.column, stretch.rows)
            if None in indexes:  # what the file has no place for cannot be shown
                there = [at for at, index in enumerate(indexes) if index is not None]
                rows, said = ([of[at] for at in there] for of in (stretch.rows, stretch.said))
                stretch = stretch._replace(rows=rows, said=said)
            self._flag(stretch, [index for index in indexes if index is not None])

    def _flag(self, stretch: Stretch, indexes: list[int]) -> None:
        sheet, column, rows, said = stretch
        if not indexes:
            return
        scanned = self.book.columns[sheet].sheet
        olds = scanned.values(indexes)
        news = self._fresh(sheet, indexes, olds)
        every = {place: self.noticed.said[place] for place in set(said)}
        reasons = {place: self.cells.reason(each.reason) for place, each in every.items()}
        for label, part in self._labelled(sheet, column, rows):
            groups = {
                place: self.cells.group(Group(sheet, self._name(sheet), label, "flagged", each.kind))
                for place, each in every.items()
            }
            self.cells.add(
                column,
                rows[part],
                map(groups.__getitem__, said[part]),
                map(reasons.__getitem__, said[part]),
                olds[part],
                news[part],
            )

    def _fresh(self, sheet: int, indexes: Sequence[int], olds: Sequence[Value]) -> list[Value]:
        """The values that some cells have now."""
        changes = self.changes.get(sheet)
        if changes is None:
            return list(olds)
        news = changes.values(indexes)
        return [old if new is None else new for old, new in zip(olds, news, strict=True)]

    def changed(self, room: int) -> None:
        """The first `room` of the other cells that change."""
        for sheet, found in self.changes.items():
            scanned = self.book.columns[sheet].sheet
            for index, new in found:
                if room <= 0:
                    return
                row, column = scanned.rows[index], scanned.columns[index]
                if self.noticed.of(sheet, row, column) is None:
                    room -= 1
                    label = self._label(self.book.formulas.functions(Cell(sheet, row, column)))
                    group = self.cells.group(Group(sheet, self._name(sheet), label, "changed", ""))
                    why = self.cells.reason(_RECALCULATED)
                    self.cells.add(column, (row,), (group,), (why,), (scanned.value(index),), (new,))

    def finish(self, calculation: Calculation, explain: int) -> ListedCells:
        """All of them in the order of the sheets, the first `explain` PR_ cells with the values of their arguments."""
        self.cells.sort()
        pr = ((at, Cell(*place)) for at, place in enumerate(self.cells.places()) if place in self.scope.pr)
        wanted = list(islice(pr, explain))
        calls = calculation.calls([cell for _, cell in wanted]) if wanted else {}
        self.cells.explain({at: tuple(calls[cell]) for at, cell in wanted if cell in calls})
        return self.cells

    def _name(self, sheet: int) -> str:
        return self.book.package.sheets[sheet].name

    def _labelled(self, sheet: int, column: int, rows: Sequence[int]) -> Iterator[tuple[str, slice]]:
        """The rows of a column in parts of one formula each, with what the report calls it."""
        at = 0
        while at < len(rows):
            run = self.book.formulas.filled_by(Cell(sheet, rows[at], column))
            label = self._label(run.template.functions if run is not None else frozenset())
            end = at + 1
            if run is not None and run.area is None and run.template.text:
                end = max(bisect_right(rows, run.last, at), end)
            yield label, slice(at, end)
            at = end

    def _label(self, functions: frozenset[str]) -> str:
        label = self._labels.get(functions)
        if label is None:
            named = sorted(name for name in functions if name.startswith("PR_")) or sorted(functions)
            label = self._labels[functions] = ", ".join(named)
        return label


def _indexes(columns: Columns, column: int, rows: Sequence[int]) -> Sequence[int | None]:
    """The indexes of some cells of a column."""
    found = columns.at(column, rows[0], rows[-1])
    if len(found) < 4 * len(rows):
        wanted = set(rows)
        there = [index for index in found if columns.sheet.rows[index] in wanted]
        if len(there) == len(rows):
            return there
    return [columns.index(row, column) for row in rows]
