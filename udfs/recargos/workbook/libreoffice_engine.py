"""The second engine: LibreOffice Calc with our add-in, the referee of the first.

A prepared copy of the workbook is loaded (:mod:`.prepare`), names and tables written out, PR_ calls under the add-in's
full names, and recalculated on loading. The copy has no number formats, so that a TRUE can be told from a 1 by the
format that its formula gives a cell. It lies in a private folder that is removed with the instance.

What LibreOffice cannot compile, or does otherwise than Excel, is refused; what it answers with an error that Excel does
not have is not taken. Our own functions are checked against the core, for Calc hands over TRUE as 1.
"""

from __future__ import annotations

import atexit
import json
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from recargos.law import CellError
from recargos.office import Instance, OfficeError, find
from recargos.statutes import FUNCTIONS
from recargos.workbook.engine import Calculation, EngineError
from recargos.workbook.formulas import Cell, Formulas, Regions, Run
from recargos.workbook.libreoffice_calls import PrCalls
from recargos.workbook.libreoffice_digits import LastDigits
from recargos.workbook.libreoffice_functions import CRITERIA, ERRORS_ALIKE, LOGICAL, SPEAKING
from recargos.workbook.libreoffice_translate import (
    Translation,
    Translator,
    is_logical,
    is_number,
    names_used,
    truth_text,
)
from recargos.workbook.libreoffice_values import ERRORS, NAME, SheetValues
from recargos.workbook.prepare import Edit, compiled, engine_copy, own_cells
from recargos.workbook.syntax import Call, Node, Ref, column_letters

if TYPE_CHECKING:
    from recargos.workbook.package import Package

_CIRCULAR = (522, 523)
_VAGUE = (CellError.VALUE, CellError.NUM)
_ODD_NUMBER = re.compile(r"\d[eE][-+]\d|0\.0000\d{5}")


class LibreOfficeEngine:
    """Computes workbooks in a LibreOffice of its own, started with the first. One at a time; :meth:`close` ends it."""

    name = "libreoffice"

    def __init__(self, *, timeout: float = 900.0) -> None:
        """`timeout`: seconds for one workbook; then LibreOffice is ended."""
        self.timeout = timeout
        try:
            self.version = find().version
        except OfficeError as missing:
            raise EngineError(str(missing)) from None
        self._instance: Instance | None = None
        self._names: dict[str, str] = {}
        self._spelled: dict[str, str | None] = {}

    def refuses(self, formulas: Formulas) -> dict[Cell, str]:
        """Formula cells that this LibreOffice cannot compile or is known to compute otherwise than Excel."""
        translator = self._translator(formulas)
        found: dict[Cell, str] = {}
        for run in formulas.runs:
            reason = translator.translate(run).refusal
            if reason:
                found.update(dict.fromkeys(own_cells(run), reason))
        return found

    def calculate(self, package: Package, formulas: Formulas, *, keep: Regions | None = None) -> Calculation:
        """Compute every formula but those of `keep`, volatile ones, external ones and those it refuses."""
        translator = self._translator(formulas, package.date1904)
        translator.filtered = bool(formulas.using("SUBTOTAL")) and _filtered(package)
        return _Run(package, formulas, keep or Regions(), translator).calculate(self)

    def ask(self, request: str, **arguments: Any) -> dict[str, Any]:
        """One request to LibreOffice, started when it is not running."""
        if self._instance is None:
            try:
                self._instance = Instance(timeout=self.timeout)
                self.version = self._instance.version
            except OfficeError as failed:
                raise EngineError(str(failed)) from None
            atexit.register(self.close)
        try:
            return self._instance.ask(request, **arguments)
        except OfficeError as failed:
            # Whatever it was, the next workbook starts with a fresh one.
            self.close()
            raise EngineError(str(failed)) from None

    def close(self) -> None:
        """End LibreOffice. The next workbook would start it again."""
        instance, self._instance = self._instance, None
        if instance is not None:
            instance.close()
            atexit.unregister(self.close)

    @property
    def folder(self) -> Path:
        """Private folder of the running instance."""
        assert self._instance is not None
        return self._instance.folder

    def _translator(self, formulas: Formulas, date1904: bool = False) -> Translator:
        if not self._names:
            self.ask("open", path=None)
            self._names = self.ask("programmatic", names=list(FUNCTIONS))["names"]
            if set(self._names) != set(FUNCTIONS):
                missing = ", ".join(sorted(set(FUNCTIONS) - set(self._names)))
                raise EngineError(f"The Calc add-in does not work in this LibreOffice: {missing} is missing.")
        used = names_used(formulas)
        new = [name for name in used if name not in self._spelled]
        if new:
            self.ask("open", path=None)
            self._spelled.update(self.ask("spelled", names=new)["spelled"])
        return Translator(self._names, self._spelled, self.version, date1904=date1904)


class _Computed(NamedTuple):
    run: Run
    translation: Translation


class _Run:
    """One workbook on its way through LibreOffice."""

    def __init__(self, package: Package, formulas: Formulas, keep: Regions, translator: Translator) -> None:
        self.package = package
        self.formulas = formulas
        self.translator = translator
        self.constants = keep | formulas.volatile | formulas.external | formulas.data_tables
        self.unsupported = Regions()
        self.reasons: dict[Cell, str] = {}
        self.computed: list[_Computed] = []
        self.edits: dict[int, list[Edit]] = {}
        self.sheets: dict[int, SheetValues] = {}
        self.circular: list[Cell] = []

    def calculate(self, engine: LibreOfficeEngine) -> Calculation:
        seconds: dict[str, float] = {}
        started = time.perf_counter()

        def lap(stage: str) -> None:
            nonlocal started
            now = time.perf_counter()
            seconds[stage], started = now - started, now

        self._translate()
        data = engine_copy(self.package, self.edits, {})
        engine.ask("open", path=None)  # ends the workbook before, and starts LibreOffice where it is not running
        path = engine.folder / "workbook.xlsx"
        path.write_bytes(data)
        del data
        lap("prepare")
        engine.ask("open", path=str(path))
        lap("evaluate")
        self._read(engine)
        self._sizes(engine)
        engine.ask("open", path=None)
        self._judge()
        lap("extract")
        ours = PrCalls(
            self.formulas, self.computed, self.sheets, self.constants, self._take_not, self.last_digits.condition,
            date1904=self.package.date1904,
        )  # fmt: skip
        ours.check()
        lap("notices")
        warnings = []
        if ours.unseen:
            warnings.append(
                f"{ours.unseen:,} calls with computed arguments were not searched for blank or unreadable cells; "
                "the engine formualizer does that."
            )
        if ours.chosen:
            warnings.append(
                f"{ours.chosen:,} calls stand in a branch of IF, IFERROR, CHOOSE or the like that may not be taken; "
                "what they have to say of blank or unreadable cells is not listed. The engine formualizer lists it."
            )
        return Calculation(
            engine=engine.name, version=engine.version, values=self.sheets, unsupported=self.unsupported,
            reasons=self.reasons, circular=self.circular, notices=ours.notices, notices_left_off=ours.notices_left_off,
            seconds=seconds, warnings=warnings, resolve=ours.resolve,
        )  # fmt: skip

    # ---------------------------------------------------------------------------------------------- before
    def _translate(self) -> None:
        for run in self.formulas.runs:
            edits = self.edits.setdefault(run.sheet, [])
            translation = self.translator.translate(run)
            if run.area is not None and run.kind != "array":
                translation = translation._replace(refusal="a data table is computed by Excel alone")
            constant = self.constants.within(run.sheet, run.column, run.first, run.last)
            if translation.refusal and constant != [(run.first, run.last)]:
                self.reasons.update(dict.fromkeys(own_cells(run), translation.refusal))
                for column, first, last in run.spans():
                    self.unsupported.add(run.sheet, column, first, last)
            if translation.refusal or constant == [(run.first, run.last)]:
                edits.append(Edit(run.column, run.first, run.last))
                edits.extend(_children(run, keep=True))
                continue
            self.computed.append(_Computed(run, translation))
            edits.extend(Edit(run.column, first, last) for first, last in constant)
            edits.extend(_children(run, keep=False))
            writer = compiled(translation.tree, run.template, run.column)
            area = _reference(run) if run.area is not None else ""
            edits.extend(
                Edit(run.column, first, last, writer, area=area)
                for first, last in _without(run.first, run.last, constant)
            )

    # ----------------------------------------------------------------------------------------------- after
    def _read(self, engine: LibreOfficeEngine) -> None:
        indexes = [index for index, sheet in enumerate(self.package.sheets) if sheet.kind == "worksheet"]
        path = engine.folder / "values.json"
        names = [self.package.sheets[index].name for index in indexes]
        engine.ask("values", sheets=names, path=str(path))
        read = json.loads(path.read_text(encoding="utf-8"))
        for index, name in zip(indexes, names, strict=True):
            self.sheets[index] = SheetValues(**read[name])

    def _sizes(self, engine: LibreOfficeEngine) -> None:
        """Calc does not spill: a dynamic array has the size that it had in the file. Ask how large it wants to be."""
        arrays = [c.run for c in self.computed if c.run.dynamic_array and c.run.area is not None]
        if not arrays:
            return
        places = [[self.package.sheets[run.sheet].name, run.column - 1, run.first - 1] for run in arrays]
        sizes = engine.ask("sizes", cells=places)["sizes"]
        for run, size in zip(arrays, sizes, strict=True):
            assert run.area is not None
            top, left, bottom, right = run.area
            height, width = size or (0, 0)
            if not size or height > bottom - top + 1 or width > right - left + 1:
                self._take_not(run, "the result of this formula has another size than the cells it fills")
                continue
            values = self.sheets[run.sheet]
            for row in range(top, bottom + 1):
                for column in range(left, right + 1):
                    if row - top >= height or column - left >= width:
                        values.changed[row, column] = None

    def _take_not(self, run: Run, reason: str) -> None:
        for column, first, last in run.spans():
            self.unsupported.add(run.sheet, column, first, last)
        self.reasons.update(dict.fromkeys(own_cells(run), reason))

    def _judge(self) -> None:
        """Find the cells whose value is not to be taken, and say which numbers are TRUE or FALSE."""
        logical, numeric, truth = Regions(), Regions(), Regions()
        self._held: dict[tuple[int, int], set[int]] = {}
        for index, values in self.sheets.items():
            for column, first, last in values.logical_cells():
                logical.add(index, column, first, last)
            for row, column, value in values.numeric_texts():
                (truth if truth_text(value) else numeric).add(index, column, row, row)
        digits = numeric | truth
        self.last_digits = LastDigits(self.formulas, self.sheets, date1904=self.package.date1904)
        for run, translation in self.computed:
            tree = run.template.tree
            assert tree is not None
            if not self._loaded(run):
                continue
            self._errors(run)
            self._types(run, tree)
            for refs, cells, reason in (
                (translation.sensitive.no_logical, logical, "LibreOffice counts a TRUE among the cells as 1"),
                (translation.sensitive.no_truth_text, truth, "LibreOffice computes with the text TRUE"),
                (translation.sensitive.no_numeric_text, digits, "LibreOffice compares digits in text wrongly"),
            ):  # fmt: skip
                if any(self._reads(run, ref, cells) for ref in refs):
                    self._take_not(run, reason)
            for row, reason in self.last_digits.doubtful(run):
                self._take_not(run._replace(first=row, last=row), reason)

    def _reads(self, run: Run, ref: Ref, cells: Regions) -> bool:
        """Whether any cell of a run reads one of `cells` through a reference."""
        sheet = run.sheet if ref.prefix is None else self.formulas.context.sheet(ref.prefix.sheet)
        assert sheet is not None
        first, last = run.template.at(run.first, run.column)(ref), run.template.at(run.last, run.column)(ref)
        return any(
            cells.within(sheet, column, first.row, last.last_row)
            for column in self._columns(cells, sheet)
            if first.column <= column <= last.last_column
        )

    def _columns(self, cells: Regions, sheet: int) -> set[int]:
        """The columns of a sheet in which some of `cells` lie."""
        key = (id(cells), sheet)
        if key not in self._held:
            self._held[key] = {column for at, column, _, _ in cells.intervals() if at == sheet}
        return self._held[key]

    def _loaded(self, run: Run) -> bool:
        """Whether LibreOffice took the formulas in at all: a part that it cannot parse it passes over in silence."""
        values = self.sheets[run.sheet]
        if run.last > len(values.rows) or run.column > values.width or values.blank(run.column, run.first, run.last):
            self._take_not(run, "LibreOffice did not load this cell")
            return False
        return True

    def _errors(self, run: Run) -> None:
        """Errors of Calc that Excel has not, or that Excel names otherwise."""
        values = self.sheets[run.sheet]
        criteria = bool(CRITERIA & run.template.functions)
        alike = all(n in ERRORS_ALIKE or n in FUNCTIONS or n == "SINGLE" for n in run.template.functions)
        for column, first, last in run.spans():
            for row in values.error_rows(column, first, last):
                cell, code = Cell(run.sheet, row, column), values.errors[row, column]
                if cell in self.constants or (
                    code in ERRORS and not criteria and (alike or ERRORS[code] not in _VAGUE)
                ):
                    continue
                self.unsupported.add(run.sheet, column, row, row)
                if code in _CIRCULAR:
                    self.circular.append(cell)
                    reason = "the formula refers to itself, directly or through others"
                elif code == NAME:
                    reason = "LibreOffice does not know a name of this formula"
                elif code in ERRORS:
                    reason = "LibreOffice gives an error here that Excel may name otherwise"
                else:
                    reason = f"LibreOffice answers Err:{code}, an error that Excel does not have"
                self.reasons.setdefault(cell, reason)

    def _types(self, run: Run, tree: Node) -> None:
        """What a formula must give is TRUE or FALSE, or never is; where it may be either, Calc's format tells."""
        values = self.sheets[run.sheet]
        sure = True if is_logical(tree) and not isinstance(tree, Call) else None
        if isinstance(tree, Call) and tree.name in LOGICAL:
            sure = True
        elif is_number(tree):
            sure = False
        speaks = "&" in run.template.text or bool(SPEAKING & run.template.functions)
        for column, first, last in run.spans() if sure is not None or speaks else ():
            for row in range(first, last + 1):
                value = values(row, column)
                if sure is False and isinstance(value, bool):
                    values.changed[row, column] = float(value)
                elif sure and isinstance(value, float) and value in (0.0, 1.0):
                    values.changed[row, column] = bool(value)
                elif speaks and isinstance(value, str) and _ODD_NUMBER.search(value):
                    self._take_not(run._replace(first=row, last=row) if run.area is None else run, (
                        "LibreOffice writes very large and very small numbers otherwise than Excel"
                    ))  # fmt: skip


def _filtered(package: Package) -> bool:
    """Whether a sheet or a table of it has a filter that is set."""
    for sheet in package.sheets:
        if sheet.kind != "worksheet":
            continue
        links = package.relationships(sheet.part).values()
        tables = [link.target for link in links if link.type == "table" and not link.external]
        if any(b"filterColumn" in package.read(part) for part in [sheet.part, *tables] if package.has(part)):
            return True
    return False


def _children(run: Run, *, keep: bool) -> Iterator[Edit]:
    """The cells that an array fills, besides its own: emptied so that it can fill them again, or kept as constants."""
    for column, top, bottom in run.spans():
        spans = ((top, run.first - 1), (run.last + 1, bottom)) if column == run.column else ((top, bottom),)
        for first, last in spans:
            if first <= last:
                yield Edit(column, first, last, value=keep, required=False)


def _reference(run: Run) -> str:
    assert run.area is not None
    top, left, bottom, right = run.area
    return f"{column_letters(left)}{top}:{column_letters(right)}{bottom}"


def _without(first: int, last: int, gone: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The rows `first` … `last` that are in none of the intervals `gone`, which come in order."""
    for a, b in gone:
        if first < a:
            yield first, a - 1
        first = b + 1
    if first <= last:
        yield first, last
