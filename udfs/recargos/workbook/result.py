"""What there is to say about one recalculated workbook; :mod:`.report` turns it into JSON (version 1) and pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from recargos.law import T
from recargos.workbook.cellvalue import Value
from recargos.workbook.refusal import DEFAULT_LIMITS, Limits

FileStatus = Literal["recalculated", "unchanged", "refused", "failed"]
CellStatus = Literal["changed", "stale", "flagged", "unsupported"]


class Call(NamedTuple):
    """One PR_ call of a cell with the values that its arguments had: what `cells.explain` needs."""

    function: str
    arguments: tuple[Any, ...]


class CellResult(NamedTuple):
    """One cell that the report lists."""

    sheet: str
    cell: str
    """Address in the sheet, "C7"."""
    function: str
    """The PR_ function of the formula; else the function that the status is about; else ""."""
    old: Value
    new: Value
    """The value that was written; for a stale or unsupported cell the value that was *kept*, the same as `old`."""
    status: CellStatus
    reason: T
    kind: str = ""
    """Why, for machines: blank, error, unreadable, capped; volatile, external, circular, disagrees, stale_input …"""
    calls: tuple[Call, ...] = ()
    """The cell's PR_ calls with their argument values, for the page's steps: the first `explain_cells` listed cells."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An untouched formula for which the engine does not reproduce what Excel cached."""

    sheet: str
    cell: str
    function: str
    """The formula's functions that may be to blame, comma-separated."""
    cached: Value
    computed: Value
    reason: T


@dataclass(slots=True)
class Agreement:
    """How well the engine knows this workbook: untouched formulas, computed and compared with what Excel cached."""

    checked: int = 0
    equal: int = 0
    differs: list[Difference] = field(default_factory=list)


@dataclass(slots=True)
class Counts:
    """Formula cells in scope by what became of them. A flagged cell is also counted as changed or same."""

    changed: int = 0
    same: int = 0
    stale: int = 0
    flagged: int = 0
    unsupported: int = 0


@dataclass(slots=True)
class Total:
    """Sum of the cells whose whole formula is one call of a money function: what the page's chart shows."""

    cells: int = 0
    before: float = 0.0
    """Sum of the cached numbers; errors, texts and blanks count as nothing."""
    after: float = 0.0


@dataclass(slots=True)
class FileResult:
    """Everything about one workbook."""

    path: Path
    status: FileStatus
    """recalculated: at least one value is new (for `check`: would be). unchanged: none is."""
    target: Path | None = None
    """Where the result was written; None when nothing was (`check`, or refused or failed)."""
    reason: T | None = None
    """For refused and failed: the sentence."""
    kind: str = ""
    """For refused and failed: the slug of :class:`~.package.Refused`."""
    engine: str = ""
    """Name and version."""
    verified_by: str = ""
    """The second engine's name and version, with `--verify`."""
    agreement: Agreement = field(default_factory=Agreement)
    counts: Counts = field(default_factory=Counts)
    cells: Sequence[CellResult] = field(default_factory=list)
    """Changed cells up to `report_cells`, all the others always."""
    warnings: list[T] = field(default_factory=list)
    """About the whole workbook: iterative calculation, precision as displayed, manual mode, a signature …"""
    totals: dict[str, Total] = field(default_factory=dict)
    """By PR_ function."""
    date1904: bool = False
    sha256_before: str = ""
    sha256_after: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    """By step: open, understand, compute, compare, report, patch and save; "engine: …" are parts of compute."""


@dataclass(frozen=True)
class Options:
    """How to recalculate."""

    everything: bool = False
    """`--all`: every formula, not only PR_ cells and what rests on them."""
    inputs_changed: bool = False
    """With `everything`: inputs were changed by a program that left old values in formulas, as `fill` does. Otherwise a
    value that Excel itself calculated and wrote is taken as right, and an engine that differs from it as wrong."""
    report_cells: int = 1000
    explain_cells: int = 200
    """How many cells get their `calls`: each costs an engine round trip."""
    limits: Limits = DEFAULT_LIMITS
