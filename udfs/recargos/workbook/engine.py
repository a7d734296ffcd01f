"""One small interface for a formula engine, and what it answers.

An engine computes every formula of a workbook from the package as it is (the original is never changed) and the
formulas that :mod:`recargos.workbook.formulas` found in it. What it may not compute (a function it is known to do
wrongly, a volatile function, an external link) it takes as a constant: the value that Excel left in the cell.
Whose values are written, kept or named is the policy of :mod:`recargos.workbook.recalc`, not of an engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from recargos.law import T
from recargos.workbook.formulas import Cell, Formulas, Regions
from recargos.workbook.package import Package
from recargos.workbook.result import Call
from recargos.workbook.sheet import Value

__all__ = ["ENGINES", "Calculation", "Call", "Engine", "EngineError", "Notice", "Values", "load"]


class EngineError(Exception):
    """The engine could not compute the workbook at all. `str(e)` is one clear sentence for the report."""


class Notice(NamedTuple):
    """A PR_ call worth a line of the report: a blank required input, an error, an unreadable text, a capped value."""

    cell: Cell
    function: str
    kind: str
    """blank, error, unreadable or capped."""
    argument: str
    reason: T


class Values(Protocol):
    """The engine's values of one sheet."""

    def __call__(self, row: int, column: int) -> Value:
        """Value of a cell, 1-based. None for a cell that the engine left empty."""

    def down(self, column: int, first: int, last: int) -> Sequence[Value]:
        """The same for the rows `first` … `last` of a column, in one go."""


@dataclass
class Calculation:
    """What an engine made of a workbook."""

    engine: str
    version: str
    values: Mapping[int, Values]
    """By the index of the sheet in `Package.sheets`; only sheets that hold formulas."""
    unsupported: Regions = field(default_factory=Regions)
    """Formula cells that the engine did not compute, or not as Excel does: their value must not be taken."""
    reasons: Mapping[Cell, str] = field(default_factory=dict)
    """Why a cell of `unsupported` is there, English; see :meth:`reason`."""
    circular: Sequence[Cell] = ()
    notices: Iterable[Notice] = ()
    """In any order; to be read before :meth:`close`."""
    notices_left_off: int = 0
    """How many further notices were left off (a workbook may have hundreds of thousands of blank rows)."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Seconds by stage, for the report's timing and the benchmarks: prepare, load, evaluate, extract."""
    warnings: Sequence[str] = ()
    resolve: Callable[[Iterable[Cell]], dict[Cell, list[Call]]] | None = None
    release: Callable[[], None] | None = None

    def reason(self, cell: Cell) -> str:
        """Why `cell` was not computed."""
        return self.reasons.get(cell, "the engine does not compute this formula as Excel does")

    def calls(self, cells: Iterable[Cell]) -> dict[Cell, list[Call]]:
        """The PR_ calls of these cells with their argument values. Costs an engine round trip a cell: no scanning."""
        return self.resolve(cells) if self.resolve is not None else {}

    def close(self) -> None:
        """Let go of the engine's memory. The values stay, :meth:`calls` is over."""
        if self.release is not None:
            self.release()
        self.release = self.resolve = None


class Engine(Protocol):
    """A formula engine."""

    name: str
    version: str

    def refuses(self, formulas: Formulas) -> dict[Cell, str]:
        """Formula cells that this engine is known not to compute as Excel does, with the reason, before any work."""

    def calculate(self, package: Package, formulas: Formulas, *, keep: Regions | None = None) -> Calculation:
        """Compute every formula. Cells of `keep` are not computed: they count as constants with their cached value.

        The engine adds its own: cells that it refuses, volatile ones and external links (`formulas.volatile`,
        `formulas.external`). Raises :class:`EngineError` when the workbook as a whole cannot be computed.
        """


ENGINES = ("formualizer", "libreoffice")


def load(name: str, *, timeout: float = 900.0) -> Engine:
    """The engine called `name`, ready to calculate; costs its import. `timeout`: seconds for one workbook.

    Raises :class:`EngineError` when it is not installed on this machine.
    """
    if name == "formualizer":
        from recargos.workbook.formualizer_engine import FormualizerEngine

        return FormualizerEngine()
    if name == "libreoffice":
        from recargos.workbook.libreoffice_engine import LibreOfficeEngine

        return LibreOfficeEngine(timeout=timeout)
    raise EngineError(f"There is no engine “{name}”; there are {', '.join(ENGINES)}.")
