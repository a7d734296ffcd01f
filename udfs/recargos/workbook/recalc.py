"""One workbook recalculated: understood, computed, checked against itself, patched and saved.

The result says all there is to say about the file; :mod:`.report` turns it into JSON (version 1) and pages.
"""

from __future__ import annotations

import hashlib
import logging
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from recargos.law import T
from recargos.statutes import FUNCTIONS
from recargos.workbook import saving, shared_strings
from recargos.workbook.cells import address
from recargos.workbook.cellvalue import Value, same
from recargos.workbook.columns import Columns
from recargos.workbook.engine import Calculation, EngineError, Notice
from recargos.workbook.formulas import Cell, Formulas, Regions, Run
from recargos.workbook.grounds import Ground, Scope, blamed, cell_name, from_engine, from_formulas, resting
from recargos.workbook.package import Package
from recargos.workbook.refusal import Refused
from recargos.workbook.result import Agreement, CellResult, Counts, Difference, FileResult, Options, Total
from recargos.workbook.sheet import Sheet
from recargos.workbook.syntax import Call as CallNode

if TYPE_CHECKING:
    from recargos.workbook.engine import Engine

__all__ = ["Agreement", "CellResult", "Counts", "Difference", "FileResult", "Options", "Total", "recalc"]

log = logging.getLogger("recargos")

_SAVING = {"locked", "read_only", "disk_full", "disk_error", "cannot_write", "changed_meanwhile"}
"""Kinds of refusal that are the place's fault, not the file's."""


def recalc(
    path: Path, target: Path | None, engine: Engine, *, verify: Engine | None = None, options: Options = Options()
) -> FileResult:
    """Recalculate `path` into `target` (the same path to replace it). `target` None = write nothing (`check`).

    Never raises for anything that is wrong with the file, the disk or the engine: `status` and `reason` say it.
    """
    result = FileResult(Path(path), "failed", engine=f"{engine.name} {engine.version}")
    if verify is not None:
        result.verified_by = f"{verify.name} {verify.version}"
    try:
        _Run(result, Path(target) if target is not None else None, engine, verify, options).go()
    except Refused as refusal:
        result.status = "failed" if refusal.kind in _SAVING else "refused"
        result.kind, result.reason = refusal.kind, refusal.reason
    except EngineError as error:
        result.kind, result.reason = "engine", T(str(error), str(error))
    except MemoryError:
        result.kind = "no_memory"
        result.reason = T("There was not enough memory for this workbook.", "No alcanzó la memoria para este libro.")
    except Exception as error:  # the promise of this function: a batch goes on
        log.debug("a defect", exc_info=True)
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        result.kind = "defect"
        result.reason = T(
            f"A defect in the software: {what}. The file is as it was.",
            f"Un defecto del programa: {what}. El archivo está como estaba.",
        )
    if result.status in ("refused", "failed"):
        result.target = None
        result.counts = Counts()
        result.cells, result.totals = [], {}
    return result


class _Run:
    """One workbook on its way."""

    def __init__(self, result: FileResult, target: Path | None, engine: Engine, verify: Engine | None, options: Options) -> None:
        self.result, self.target, self.engine, self.verify, self.options = result, target, engine, verify, options
        self.columns: dict[int, Columns] = {}
        self.listed: list[Cell] = []
        """The cells of `result.cells`, one by one."""

    def go(self) -> None:
        """Do all the steps."""
        result = self.result
        with self._timed("open"):
            if self.target is not None:
                saving.check_writable(self.target)
            self.package = package = Package.open(result.path, self.options.limits)
            package.verify()
            result.date1904 = package.date1904
            result.sha256_before = result.sha256_after = hashlib.sha256(package.data).hexdigest()
            result.warnings += package.warnings
        with self._timed("understand"):
            self._understand()
            self._warn()
        with self._timed("compute"):
            self.calculation = self.engine.calculate(package, self.formulas)
            second = self.verify.calculate(package, self.formulas) if self.verify is not None else None
            result.warnings += [T(text, text) for text in self.calculation.warnings]
        with self._timed("compare"):
            self._agree()
            self._judge(second)
            changes = self._compare()
        with self._timed("report"):
            self._report(changes)
            self.calculation.close()
        with self._timed("patch"):
            changed = {self.package.sheets[i].part: self.columns[i].sheet.patched(found) for i, found in changes.items() if found}
            self.columns.clear()
        with self._timed("save"):
            self._save(changed)
        result.status = "recalculated" if result.counts.changed else "unchanged"

    @contextmanager
    def _timed(self, step: str) -> Iterator[None]:
        then = time.perf_counter()
        try:
            yield
        finally:
            self.result.seconds[step] = self.result.seconds.get(step, 0.0) + time.perf_counter() - then

    # --------------------------------------------------------------------------------------------- understand
    def _understand(self) -> None:
        package = self.package
        self.formulas = formulas = Formulas.of(package)
        strings = shared_strings.of(package)
        for index, part in enumerate(package.sheets):
            if part.kind != "worksheet":
                continue
            sheet = Sheet.scan(package.read(part.part), part=part.part, strings=strings, date1904=package.date1904)
            if not len(sheet):
                continue
            self.columns[index] = Columns(sheet)
            for block in sheet.blocks:
                formulas.add(index, block)
        self.scope = Scope.of(formulas, self.options.everything)
        self.trusted = not package.settings.on_load and (
            not self.options.everything or (package.calculated_by_excel and not self.options.inputs_changed)
        )
        """Whether what the file holds for formulas that no PR_ cell feeds is right. Other writers leave placeholders and ask Excel
        to calculate on load; a value that disagrees with such a placeholder proves nothing."""

    def _warn(self) -> None:
        """What a reader must know about the workbook as a whole."""
        settings, warn = self.package.settings, self.result.warnings.append
        if settings.iterate:
            warn(T(
                "Iterative calculation is on. It is not imitated: circular references keep the values that Excel left.",
                "El cálculo iterativo está activado. No se imita: las referencias circulares conservan los valores que dejó Excel.",
            ))  # fmt: skip
        if settings.as_displayed:
            warn(T(
                "Precision as displayed is on: Excel rounds every value to its number format, which is not imitated here.",
                "La precisión según pantalla está activada: Excel redondea cada valor a su formato, lo que aquí no se imita.",
            ))  # fmt: skip
        if settings.on_load:
            warn(T(
                "The workbook asks Excel to recalculate it on opening. Where the add-in is missing Excel will then show #NAME?.",
                "El libro pide a Excel que lo recalcule al abrirlo. Donde falte el complemento, Excel mostrará #NAME?.",
            ))  # fmt: skip
        if settings.manual:
            warn(T(
                "The workbook calculates by hand (manual mode): values that Excel left may be older than their inputs.",
                "El libro calcula a mano (modo manual): los valores que dejó Excel pueden ser más viejos que sus datos.",
            ))  # fmt: skip
        for cells, en, es in (
            (self.formulas.volatile, "use TODAY, NOW, OFFSET or the like and were not renewed", "usan TODAY, NOW, OFFSET o similares y no se renovaron"),
            (self.formulas.external, "refer to other workbooks, which were not opened", "se refieren a otros libros, que no se abrieron"),
        ):  # fmt: skip
            if cells:
                some = ", ".join(cell_name(self.formulas, cell) for cell, _ in zip(cells, range(5)))
                some += " …" if len(cells) > 5 else ""
                warn(T(f"{len(cells):,} cells {en}: {some}", f"{len(cells):,} celdas {es}: {some}"))

    # ------------------------------------------------------------------------------------------------ compare
    def _agree(self) -> None:
        """The self-check: formulas that no PR_ cell feeds must come out as Excel left them."""
        formulas, calculation, agreement = self.formulas, self.calculation, self.result.agreement
        kept = formulas.volatile | formulas.external | formulas.data_tables | formulas.unreadable
        unable = calculation.unsupported | Regions(calculation.circular)
        untouched = formulas.all - self.scope.affected - kept - unable - formulas.dependents(unable)
        self.differing, self.unvalued = Regions(), Regions()
        agreeing: set[int] = set()
        broken: set[int] = set()
        unvalued = 0
        for run in formulas.runs:
            columns, get = self.columns[run.sheet], calculation.values.get(run.sheet)
            for column, low, high in spans(run):
                for first, last in untouched.within(run.sheet, column, low, high) if get is not None else ():
                    agreement.checked += len(columns.at(column, first, last))
                    differing = False
                    for index, new in columns.differing(column, first, last, get):  # type: ignore[arg-type]
                        old = columns.sheet.value(index)
                        if old is None:
                            unvalued += 1
                            self.unvalued.add(run.sheet, column, columns.sheet.rows[index], columns.sheet.rows[index])
                        elif not _close(old, new):
                            differing = True
                            cell = Cell(run.sheet, columns.sheet.rows[index], column)
                            self.differing.add(run.sheet, column, cell.row, cell.row)
                            agreement.differs.append(self._difference(cell, old, new))
                    (broken if differing else agreeing).add(id(run.template))
        agreement.checked -= unvalued
        self.settled = untouched - self.unvalued if self.trusted else Regions()
        agreement.equal = agreement.checked - len(agreement.differs)
        self.agreeing = agreeing - broken
        if unvalued and not self.scope.everything:
            self.result.warnings.append(T(
                f"{unvalued:,} other formulas hold no value yet; --all computes them too.",
                f"{unvalued:,} fórmulas más aún no tienen valor; --all también las calcula.",
            ))  # fmt: skip

    def _difference(self, cell: Cell, old: Value, new: Value) -> Difference:
        functions = ", ".join(sorted(self.formulas.functions(cell)))
        return Difference(
            self.package.sheets[cell.sheet].name, address(cell.row, cell.column), functions, old, new,
            T(f"The engine gives {shown(new)} where Excel left {shown(old)}.", f"El motor da {shown(new)} donde Excel dejó {shown(old)}."),
        )  # fmt: skip

    def _judge(self, second: Calculation | None) -> None:
        """Gather every ground for keeping an old value."""
        formulas, scope = self.formulas, self.scope
        grounds = from_formulas(formulas, scope, self._has_value)
        grounds += from_engine(self.calculation, _union(grounds))
        spilled = self._spilled(_union(grounds))
        if spilled:
            grounds.append(Ground(spilled, "stale", "spill", lambda cell: _SPILL))
        if self.differing and self.trusted:
            cells, functions = blamed(formulas, self.differing, self.agreeing)
            cells = cells - (self.settled - self.differing) - _union(grounds)
            grounds.append(Ground(cells, "stale", "disagrees", lambda cell: self._blame(cell, functions)))
        if second is not None:
            grounds += self._verified(second, grounds)
        self.grounds = [*grounds, *resting(formulas, grounds, scope.cells - self.settled, lambda cell: cell_name(formulas, cell))]
        self.writable = scope.cells - _union(self.grounds) - self.settled

    def _has_value(self, cell: Cell) -> bool:
        columns = self.columns[cell.sheet]
        index = columns.index(cell.row, cell.column)
        return index is not None and columns.sheet.value(index) is not None

    def _blame(self, cell: Cell, functions: frozenset[str]) -> T:
        named = ", ".join(sorted(functions & self.formulas.functions(cell)))
        if named:
            return T(
                f"In this workbook the engine computes {named} otherwise than Excel did.",
                f"En este libro el motor calcula {named} de otra manera que Excel.",
            )
        return T(
            "In this workbook the engine computes this formula otherwise than Excel did.",
            "En este libro el motor calcula esta fórmula de otra manera que Excel.",
        )

    def _spilled(self, taken: Regions) -> Regions:
        """The areas of array formulas that the engine fills otherwise than the file does."""
        found = Regions()
        for index, columns in self.columns.items():
            get = self.calculation.values.get(index)
            for filled in columns.sheet.filled:
                if filled.data_table or get is None or Cell(index, filled.row, filled.column) in taken:
                    continue
                places = [(r, c) for c in range(filled.column, filled.last_column + 1) for r in range(filled.row, filled.last_row + 1)]
                if not filled.complete or any(get(r, c) is None for r, c in places):
                    for column in range(filled.column, filled.last_column + 1):
                        found.add(index, column, filled.row, filled.last_row)
        return found

    def _verified(self, second: Calculation, grounds: list[Ground]) -> list[Ground]:
        """Cells on which the two engines differ beyond the 15th digit, and those that the second cannot compute."""
        scope = self.scope.cells - _union(grounds)
        unable = second.unsupported | Regions(second.circular)
        unable = scope & (unable | self.formulas.dependents(unable))
        differing: dict[Cell, tuple[Value, Value]] = {}
        for sheet, column, first, last in (scope - unable).intervals():
            one, two = self.calculation.values[sheet], second.values[sheet]
            for row in range(first, last + 1):
                a, b = one(row, column), two(row, column)
                a, b = 0.0 if a is None else a, 0.0 if b is None else b
                if not same(a, b):
                    differing[Cell(sheet, row, column)] = (a, b)
        names = f"{self.engine.name}", f"{self.verify.name if self.verify else ''}"

        def reason(cell: Cell) -> T:
            a, b = map(shown, differing[cell])
            return T(f"The engines differ: {names[0]} gives {a}, {names[1]} {b}.", f"Los motores difieren: {names[0]} da {a}, {names[1]} {b}.")

        def unsure(cell: Cell) -> T:
            return T(f"{names[1]} cannot compute it, so it is not verified.", f"{names[1]} no puede calcularla, así que no está verificada.")

        found = [Ground(Regions(differing), "stale", "engines_differ", reason), Ground(unable, "stale", "not_verified", unsure)]
        return [ground for ground in found if ground.cells]

    def _compare(self) -> dict[int, list[tuple[int, Value]]]:
        """New values of the cells that are written, by sheet; counts and sums on the way."""
        changes: dict[int, list[tuple[int, Value]]] = {}
        for run in self.formulas.runs:
            columns, get = self.columns[run.sheet], self.calculation.values.get(run.sheet)
            total = self._total(run)
            for column, low, high in spans(run):
                for first, last in self.writable.within(run.sheet, column, low, high) if get is not None else ():
                    found = columns.differing(column, first, last, get)  # type: ignore[arg-type]
                    changes.setdefault(run.sheet, []).extend(found)
                    if total is not None and found:
                        total.after += sum(_amount(new) - _amount(columns.sheet.value(index)) for index, new in found)
        for found in changes.values():
            found.sort(key=_index)
        counts = self.result.counts
        counts.changed = sum(map(len, changes.values()))
        counts.same = len(self.writable) - counts.changed + len(self.settled & self.scope.cells) - len(self.differing & self.settled)
        return changes

    def _total(self, run: Run) -> Total | None:
        """The sum to which a run belongs: that of the money function of which its whole formula is one call."""
        tree = run.template.tree
        if not isinstance(tree, CallNode) or tree.name not in FUNCTIONS or FUNCTIONS[tree.name].result != "money" or run.area:
            return None
        total = self.result.totals.setdefault(tree.name, Total())
        columns = self.columns[run.sheet]
        count, before = columns.total(run.column, run.first, run.last)
        total.cells += count
        total.before += before
        total.after += before
        return total

    # ------------------------------------------------------------------------------------------------- report
    def _report(self, changes: Mapping[int, list[tuple[int, Value]]]) -> None:
        result, options = self.result, self.options
        notices: dict[Cell, list[Notice]] = {}
        for notice in self.calculation.notices:
            if notice.cell in self.scope.cells:
                notices.setdefault(notice.cell, []).append(notice)
        result.counts.flagged = len(notices) + self.calculation.notices_left_off
        for ground in self.grounds:
            for cell in ground.cells & self.scope.cells:
                if ground.status == "unsupported":
                    result.counts.unsupported += 1
                else:
                    result.counts.stale += 1
                reason = ground.reason(cell)
                for notice in notices.pop(cell, ()):
                    reason = T(f"{reason.en} {notice.reason.en}", f"{reason.es} {notice.reason.es}")
                self._list(cell, ground.status, ground.kind, reason, self._old(cell), self._old(cell))
        fresh = {sheet: dict(found) for sheet, found in changes.items()} if notices else {}
        for cell, all_of in notices.items():
            old = self._old(cell)
            index = self.columns[cell.sheet].index(cell.row, cell.column)
            new = fresh.get(cell.sheet, {}).get(-1 if index is None else index, old)
            reason = _told(all_of)
            self._list(cell, "flagged", all_of[0].kind, reason, old, new)
        room = options.report_cells
        for sheet, found in changes.items():
            rows, columns = self.columns[sheet].sheet.rows, self.columns[sheet].sheet.columns
            for index, new in found[: max(room, 0)]:
                cell = Cell(sheet, rows[index], columns[index])
                if cell not in notices:
                    self._list(cell, "changed", "", _RECALCULATED, self.columns[sheet].sheet.value(index), new)
            room -= len(found)
        order = sorted(range(len(self.listed)), key=self.listed.__getitem__)
        result.cells = [result.cells[i] for i in order]
        wanted = [(at, self.listed[i]) for at, i in enumerate(order) if self.listed[i] in self.scope.pr][: options.explain_cells]
        calls = self.calculation.calls([cell for _, cell in wanted]) if wanted else {}
        for at, cell in wanted:
            if cell in calls:
                result.cells[at] = replace(result.cells[at], calls=tuple(calls[cell]))

    def _old(self, cell: Cell) -> Value:
        columns = self.columns[cell.sheet]
        index = columns.index(cell.row, cell.column)
        return None if index is None else columns.sheet.value(index)

    def _list(self, cell: Cell, status: str, kind: str, reason: T, old: Value, new: Value) -> None:
        functions = self.formulas.functions(cell)
        named = sorted(f for f in functions if f.startswith("PR_")) or sorted(functions)
        self.result.cells.append(CellResult(
            self.package.sheets[cell.sheet].name, address(cell.row, cell.column), ", ".join(named), old, new, status, reason, kind,  # type: ignore[arg-type]
        ))  # fmt: skip
        self.listed.append(cell)

    # --------------------------------------------------------------------------------------------------- save
    def _save(self, changed: Mapping[str, bytes]) -> None:
        result, target = self.result, self.target
        if target is None or (not changed and target.exists() and target.samefile(result.path)):
            return
        data = self.package.save(changed, target)
        result.target = target
        result.sha256_after = hashlib.sha256(data).hexdigest()


_RECALCULATED = T("Recalculated.", "Recalculada.")
_SPILL = T(
    "The array has another size than the file gives it: only Excel can make room for it.",
    "La matriz tiene otro tamaño que el que le da el archivo: sólo Excel puede hacerle sitio.",
)


def shown(value: Value) -> str:
    """A value as a sentence shows it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return f"{value:.15g}"
    return f"“{value}”" if type(value) is str else str(value)


def spans(run: Run) -> Iterator[tuple[int, int, int]]:
    """(column, first row, last row) of a run, or of the area that its array fills."""
    if run.area is None:
        yield run.column, run.first, run.last
        return
    top, left, bottom, right = run.area
    for column in range(left, right + 1):
        yield column, top, bottom


def _union(grounds: list[Ground]) -> Regions:
    union = Regions()
    for ground in grounds:
        union = union | ground.cells
    return union


def _index(change: tuple[int, Value]) -> int:
    return change[0]


def _told(notices: Sequence[Notice]) -> T:
    """What was noticed about a cell, each with the argument that it is about."""
    blank = {notice.argument for notice in notices if notice.kind == "blank"}
    told = [notice for notice in notices if notice.kind == "blank" or notice.argument not in blank]

    def words(language: str) -> str:
        texts = [(notice.argument, notice.reason.in_(language).rstrip(".")) for notice in told]
        return " ".join(
            _sentence(text) if not argument else f"{text}." if text.startswith(argument) else f"{argument}: {text}."
            for argument, text in texts
        )

    return T(words("en"), words("es"))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."


def _amount(value: Value) -> float:
    return value if isinstance(value, float) else 0.0


def _close(old: Value, new: Value) -> bool:
    """Equal but for the noise of binary sums: engines add in different orders."""
    if not (isinstance(old, float) and isinstance(new, float)):
        return False
    small, large = sorted((abs(old), abs(new)))
    return math.isclose(old, new, rel_tol=1e-11) or (small < 1e-15 and large < 1e-9)
