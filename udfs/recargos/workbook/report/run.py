"""A finished run, and what it amounts to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property

from recargos.workbook.listed import ListedCells
from recargos.workbook.result import CellResult, CellStatus, Counts, FileResult, Total


@dataclass
class Run:
    """Everything that a report tells."""

    files: list[FileResult]
    check: bool = False
    """Nothing was written."""
    everything: bool = False
    """`--all`."""
    started: datetime = field(default_factory=lambda: datetime.now().astimezone())
    seconds: float = 0.0
    interrupted: bool = False

    @cached_property
    def counts(self) -> Counts:
        """Cells of all files together."""
        each = [file.counts for file in self.files]
        return Counts(
            sum(c.changed for c in each),
            sum(c.same for c in each),
            sum(c.stale for c in each),
            sum(c.flagged for c in each),
            sum(c.unsupported for c in each),
        )

    @cached_property
    def not_done(self) -> list[FileResult]:
        """Files that were refused or failed."""
        return [file for file in self.files if file.status in ("refused", "failed")]

    @cached_property
    def done(self) -> list[FileResult]:
        """Files that were read and computed."""
        return [file for file in self.files if file.status not in ("refused", "failed")]

    @cached_property
    def totals(self) -> dict[str, Total]:
        """Sums by PR_ function over all files."""
        result: dict[str, Total] = {}
        for file in self.done:
            for name, each in file.totals.items():
                total = result.setdefault(name, Total())
                total.cells += each.cells
                total.before += each.before
                total.after += each.after
        return result

    @property
    def exit_code(self) -> int:
        """3 a file refused or failed; 1 a cell flagged, stale or unsupported (`check`: or different); else 0."""
        if self.not_done:
            return 3
        counts = self.counts
        return int(bool(counts.flagged or counts.stale or counts.unsupported or (self.check and counts.changed)))


def to_look_at(cells: Sequence[CellResult]) -> Sequence[CellResult]:
    """The cells that need a person: all but those that simply changed."""
    return of_status(cells, "flagged", "stale", "unsupported")


def of_status(cells: Sequence[CellResult], *statuses: CellStatus) -> Sequence[CellResult]:
    """Those with one of some statuses, in their order."""
    if isinstance(cells, ListedCells):
        return cells.only(*statuses)
    return [cell for cell in cells if cell.status in statuses]


def law_reviewed() -> date:
    """The day on which the law in the catalogue was last reviewed."""
    from recargos.cells import call
    from recargos.statutes import FUNCTIONS

    day = call(FUNCTIONS["PR_LAW_REVIEWED"], [])
    assert isinstance(day, date)
    return day


def result_unit(function: str) -> str:
    """What a PR_ function yields: money, days, date …; "" for anything else."""
    from recargos.statutes import FUNCTIONS

    return FUNCTIONS[function].result if function in FUNCTIONS else ""
