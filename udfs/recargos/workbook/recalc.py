"""One workbook recalculated: understood, computed, checked against itself, patched and saved.

The result says all there is to say about the file; :mod:`.report` turns it into JSON (version 1) and pages.
"""

from __future__ import annotations

import gc
import hashlib
import logging
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from recargos.law import T
from recargos.statutes import FUNCTIONS
from recargos.workbook import grounds as on_grounds
from recargos.workbook import saving
from recargos.workbook.book import Book
from recargos.workbook.changes import Changes
from recargos.workbook.engine import Calculation, EngineError
from recargos.workbook.formulas import Regions, Run
from recargos.workbook.grounds import Ground, Scope, union
from recargos.workbook.listing import Listing
from recargos.workbook.noticed import Noticed
from recargos.workbook.package import Package
from recargos.workbook.refusal import Refused
from recargos.workbook.remarks import remarks, unvalued
from recargos.workbook.result import Agreement, CellResult, Counts, Difference, FileResult, Options, Total
from recargos.workbook.selfcheck import SelfCheck
from recargos.workbook.syntax import Call as CallNode

if TYPE_CHECKING:
    from recargos.workbook.engine import Engine

__all__ = ["Agreement", "CellResult", "Counts", "Difference", "FileResult", "Options", "Total", "recalc"]

log = logging.getLogger("recargos")

DEFAULT = Options()
_SAVING = {"locked", "read_only", "disk_full", "disk_error", "cannot_write", "changed_meanwhile"}
"""Kinds of refusal that are the place's fault, not the file's."""


def recalc(
    path: Path, target: Path | None, engine: Engine, *, verify: Engine | None = None, options: Options = DEFAULT
) -> FileResult:
    """Recalculate `path` into `target` (the same path to replace it). `target` None = write nothing (`check`).

    Never raises for anything that is wrong with the file, the disk or the engine: `status` and `reason` say it.
    """
    result = FileResult(Path(path), "failed", engine=f"{engine.name} {engine.version}")
    if verify is not None:
        result.verified_by = f"{verify.name} {verify.version}"
    collects = gc.isenabled()
    gc.disable()  # millions of plain values and not one cycle: the collector would walk through them again and again
    try:
        _Run(result, Path(target) if target is not None else None, engine, verify, options).go()
    except Refused as refusal:
        _stop(result, "failed" if refusal.kind in _SAVING else "refused", refusal.kind, refusal.reason)
    except EngineError as error:
        _stop(result, "failed", "engine", T(str(error), str(error)))
    except MemoryError:
        reason = T("There was not enough memory for this workbook.", "No alcanzó la memoria para este libro.")
        _stop(result, "failed", "no_memory", reason)
    except Exception as error:  # the promise of this function: a batch goes on
        log.debug("a defect", exc_info=True)
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        reason = T(
            f"A defect in the software: {what}. The file is as it was.",
            f"Un defecto del programa: {what}. El archivo está como estaba.",
        )
        _stop(result, "failed", "defect", reason)
    finally:
        if collects:
            gc.enable()
    return result


def _stop(result: FileResult, status: Literal["refused", "failed"], kind: str, reason: T) -> None:
    """A file that was not done: nothing was written, and nothing is said of its cells."""
    result.status, result.kind, result.reason, result.target = status, kind, reason, None
    result.counts, result.cells, result.totals = Counts(), [], {}


class _Run:
    """One workbook on its way."""

    def __init__(
        self, result: FileResult, target: Path | None, engine: Engine, verify: Engine | None, options: Options
    ) -> None:
        self.result, self.target, self.options = result, target, options
        self.engine, self.verify = engine, verify

    def go(self) -> None:
        """Do all the steps."""
        result = self.result
        with self._timed("open"):
            package = self._open()
        with self._timed("understand"):
            book = self.book = Book.of(package)
            scope = self.scope = Scope.of(book.formulas, self.options.everything)
            result.warnings += remarks(book)
        with self._timed("compute"):
            calculation = self.engine.calculate(package, book.formulas)
            second = self.verify.calculate(package, book.formulas) if self.verify is not None else None
            gc.disable()  # an engine may have switched it on again
            book.formulas.columns.clear()
            result.warnings += [T(text, text) for text in calculation.warnings]
            result.seconds |= {f"engine: {step}": seconds for step, seconds in calculation.seconds.items()}
        with self._timed("compare"):
            check = SelfCheck.of(book, calculation, scope)
            result.agreement = check.agreement
            if check.unvalued and not scope.everything:
                result.warnings.append(unvalued(check.unvalued))
            grounds = self._judge(calculation, second, check)
            changes = self._compare(calculation)
        with self._timed("report"):
            self._list(calculation, grounds, changes)
            calculation.close()
        with self._timed("patch and save"):
            self._save(
                package,
                {
                    package.sheets[index].part: book.columns.pop(index).sheet.patches(found)
                    for index, found in changes.items()
                },
            )
        result.status = "recalculated" if result.counts.changed else "unchanged"

    @contextmanager
    def _timed(self, step: str) -> Iterator[None]:
        then = time.perf_counter()
        try:
            yield
        finally:
            self.result.seconds[step] = time.perf_counter() - then

    def _open(self) -> Package:
        result = self.result
        if self.target is not None:
            saving.check_writable(self.target)
        package = Package.open(result.path, self.options.limits)
        package.verify()
        result.date1904 = package.date1904
        result.sha256_before = result.sha256_after = hashlib.sha256(package.data).hexdigest()
        result.warnings += package.warnings
        return package

    def _trusted(self) -> bool:
        """Whether what the file holds for formulas that no PR_ cell feeds is right.

        With `--all`, for which inputs may have changed, only if Excel itself calculated it. Other writers leave
        placeholders and ask Excel to calculate on load: a value that disagrees with a placeholder proves nothing.
        """
        package, options = self.book.package, self.options
        if package.settings.on_load:
            return False
        return not options.everything or (package.calculated_by_excel and not options.inputs_changed)

    # ------------------------------------------------------------------------------------------------ compare
    def _judge(self, calculation: Calculation, second: Calculation | None, check: SelfCheck) -> list[Ground]:
        """Gather every ground for keeping an old value; what is left may be written."""
        book, scope = self.book, self.scope
        settled = check.checked & scope.cells if self._trusted() else Regions()
        grounds = on_grounds.from_formulas(book, scope)
        grounds += on_grounds.from_engine(book, calculation, union(grounds))
        if check.differing and self._trusted():
            cells, functions = check.blamed(book)
            cells = cells - (settled - check.differing) - union(grounds)
            grounds.append(on_grounds.from_disagreement(book.formulas, cells, functions))
        if second is not None and self.verify is not None:
            cells, names = scope.cells - union(grounds), (self.engine.name, self.verify.name)
            grounds += on_grounds.from_verification(book.formulas, cells, calculation, second, names)
        grounds += on_grounds.resting(book, grounds, scope.cells - settled)
        kept = union(grounds)
        self.writable = scope.cells - kept - settled
        self.result.counts.same = len(settled - kept)
        return grounds

    def _compare(self, calculation: Calculation) -> dict[int, Changes]:
        """New values of the cells that are written, by sheet; counts and sums on the way."""
        changes: dict[int, Changes] = {}
        counts = self.result.counts
        for run in self.book.formulas.runs:
            columns, get = self.book.columns[run.sheet], calculation.values.get(run.sheet)
            total = self._total(run)
            for column, low, high in run.spans():
                written = self.writable.within(run.sheet, column, low, high) if get is not None else []
                if total is not None and written != [(low, high)]:  # else what is compared is the whole
                    total.before += (before := columns.total(column, low, high))
                    total.after += before
                for first, last in written:
                    stretch = columns.compare(column, first, last, get)  # type: ignore[arg-type]
                    if stretch.indexes:
                        counts.changed += len(stretch.indexes)
                        found = changes.setdefault(run.sheet, Changes(len(columns.sheet)))
                        found.add(stretch.indexes, stretch.values, stretch.texts)
                    if total is not None:
                        if (first, last) == (low, high):
                            total.before += stretch.before
                            total.after += stretch.before
                        total.after += stretch.after - stretch.before
        counts.same += len(self.writable) - counts.changed
        return changes

    def _total(self, run: Run) -> Total | None:
        """The sum to which a run belongs: that of the money function of which its whole formula is one call."""
        tree = run.template.tree
        if not isinstance(tree, CallNode) or tree.name not in FUNCTIONS or FUNCTIONS[tree.name].result != "money":
            return None
        if run.area is not None:
            return None
        total = self.result.totals.setdefault(tree.name, Total())
        total.cells += run.last - run.first + 1
        return total

    # ------------------------------------------------------------------------------------------ report and save
    def _list(self, calculation: Calculation, grounds: list[Ground], changes: Mapping[int, Changes]) -> None:
        result = self.result
        noticed = Noticed(calculation.notices, self.scope.cells)
        result.counts.flagged = len(noticed) + calculation.notices_left_off
        listing = Listing(self.book, self.scope, changes, noticed)
        listing.grounds(grounds, result.counts)
        listing.flagged(grounds)
        listing.changed(self.options.report_cells)
        result.cells = listing.finish(calculation, self.options.explain_cells)

    def _save(self, package: Package, changed: Mapping[str, Iterator[bytes]]) -> None:
        result, target = self.result, self.target
        if target is None:
            for pieces in changed.values():
                deque(pieces, 0)  # a check finds what a recalculation would stumble over
            return
        if not changed and target.exists() and target.samefile(result.path):
            return
        data = package.save(changed, target)
        result.target = target
        result.sha256_after = hashlib.sha256(data).hexdigest()
