"""The cells that the report lists, each with its old and new value, its status and the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from recargos.law import T
from recargos.workbook.book import Book
from recargos.workbook.cells import address
from recargos.workbook.cellvalue import Value
from recargos.workbook.formulas import Cell
from recargos.workbook.grounds import Ground, Scope
from recargos.workbook.result import CellResult, CellStatus, Counts

if TYPE_CHECKING:
    from recargos.workbook.engine import Calculation, Notice

Changes = Mapping[int, Sequence[tuple[int, Value]]]
"""By sheet: (index, new value), ascending by index."""

_RECALCULATED = T("Recalculated.", "Recalculada.")


class Listing:
    """Gathers the cells of one workbook."""

    def __init__(self, book: Book, scope: Scope, changes: Changes) -> None:
        self.book, self.scope, self.changes = book, scope, changes
        self.results: list[CellResult] = []
        self.cells: list[Cell] = []
        self._labels: dict[frozenset[str], str] = {}
        self._told: dict[tuple[tuple[object, ...], ...], T] = {}

    def grounds(self, grounds: Iterable[Ground], notices: dict[Cell, list[Notice]], counts: Counts) -> None:
        """Every cell that keeps its value, with its notices, which are taken out of `notices`."""
        for ground in grounds:
            listed = ground.cells & self.scope.cells
            if ground.status == "unsupported":
                counts.unsupported += len(listed)
            else:
                counts.stale += len(listed)
            for cell in listed:
                reason = ground.reason(cell)
                if cell in notices:
                    more = told(notices.pop(cell))
                    reason = T(f"{reason.en} {more.en}", f"{reason.es} {more.es}")
                old = self.book.value(cell)
                self._add(cell, ground.status, ground.kind, reason, old, old)

    def flagged(self, notices: Mapping[Cell, Sequence[Notice]]) -> None:
        """Every cell that has a notice, written or not."""
        indexes = {cell: self.book.columns[cell.sheet].index(cell.row, cell.column) for cell in notices}
        fresh: dict[int, dict[int, Value]] = {}
        for sheet, found in self.changes.items():
            wanted = {index for cell, index in indexes.items() if cell.sheet == sheet}
            fresh[sheet] = {index: new for index, new in found if index in wanted}
        for cell, all_of in notices.items():
            key = tuple(notice[1:] for notice in all_of)
            reason = self._told.get(key)
            if reason is None:
                reason = self._told[key] = told(all_of)
            index = indexes[cell]
            if index is not None:
                old = self.book.columns[cell.sheet].sheet.value(index)
                new = fresh.get(cell.sheet, {}).get(index, old)
                self._add(cell, "flagged", all_of[0].kind, reason, old, new)

    def changed(self, room: int, notices: Mapping[Cell, object]) -> None:
        """The first `room` of the other cells that change."""
        for sheet, found in self.changes.items():
            scanned = self.book.columns[sheet].sheet
            for index, new in found:
                if room <= 0:
                    return
                cell = Cell(sheet, scanned.rows[index], scanned.columns[index])
                if cell not in notices:
                    room -= 1
                    self._add(cell, "changed", "", _RECALCULATED, scanned.value(index), new)

    def finish(self, calculation: Calculation, explain: int) -> list[CellResult]:
        """All of them in the order of the sheets, the first `explain` PR_ cells with the values of their arguments."""
        order = sorted(range(len(self.cells)), key=self.cells.__getitem__)
        results = [self.results[at] for at in order]
        pr = ((place, self.cells[at]) for place, at in enumerate(order) if self.cells[at] in self.scope.pr)
        wanted = list(islice(pr, explain))
        calls = calculation.calls([cell for _, cell in wanted]) if wanted else {}
        for place, cell in wanted:
            if cell in calls:
                results[place] = replace(results[place], calls=tuple(calls[cell]))
        return results

    def _add(self, cell: Cell, status: CellStatus, kind: str, reason: T, old: Value, new: Value) -> None:
        functions = self.book.formulas.functions(cell)
        label = self._labels.get(functions)
        if label is None:
            named = sorted(name for name in functions if name.startswith("PR_")) or sorted(functions)
            label = self._labels[functions] = ", ".join(named)
        where = address(cell.row, cell.column)
        self.results.append(CellResult(self.book.sheet_name(cell), where, label, old, new, status, reason, kind))
        self.cells.append(cell)


def told(notices: Sequence[Notice]) -> T:
    """What was noticed about a cell, each with the argument that it is about."""
    blank = {notice.argument for notice in notices if notice.kind == "blank"}
    kept = [notice for notice in notices if notice.kind == "blank" or notice.argument not in blank]

    def words(language: str) -> str:
        texts = [(notice.argument, notice.reason.in_(language).rstrip(".")) for notice in kept]
        return " ".join(
            f"{text[:1].upper()}{text[1:]}."
            if not argument
            else (f"{text}." if text.startswith(argument) else f"{argument}: {text}.")
            for argument, text in texts
        )

    return T(words("en"), words("es"))
