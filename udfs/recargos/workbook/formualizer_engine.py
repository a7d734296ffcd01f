"""The default engine: formualizer 0.13.0 (Rust, embedded), never bare.

A prepared copy of the workbook is computed (:mod:`.prepare`), with names and tables written out, functions that the
engine does otherwise than Excel replaced or refused (:mod:`.overrides`), and the PR_ functions from the catalogue.
"""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from recargos.cells import exactly
from recargos.law import OMITTED, CellError, T
from recargos.workbook.engine import Calculation, Call, EngineError, Notice
from recargos.workbook.formulas import Cell, Formulas, Regions, Run
from recargos.workbook.given import LONG, Given, given
from recargos.workbook.overrides.calls import Registry
from recargos.workbook.overrides.translate import Translation, Translator
from recargos.workbook.prepare import Edit, compiled, engine_copy, own_cells
from recargos.workbook.syntax import MAX_COLUMN, MAX_ROW, Bool, Node, Number, Omitted, Ref, Text, Unary, column_letters

if TYPE_CHECKING:
    from recargos.workbook.package import Package
    from recargos.workbook.sheet import Value

VERSION = "0.13.0"

ERRORS = {
    "Null": CellError.NULL, "Div": CellError.DIV0, "Value": CellError.VALUE, "Ref": CellError.REF,
    "Name": CellError.NAME, "Num": CellError.NUM, "Na": CellError.NA,
}  # fmt: skip
_INFINITE = (float("inf"), float("-inf"))
_ROUNDS = 8
_NUMBER_TEXT = re.compile(r"\s*[-+($]?\s*[$.0-9]")
_WORK = 5_000_000
"""Cells times the cells of their ranges beyond which criteria are not tested in Python."""
_HIDDEN_ROW = re.compile(
    rb"<(?:\w+:)?(?:row|sheetFormatPr)\b[^>]*\s(?:hidden|zeroHeight)\s*=\s*[\"'](?:1|true)|[^\x00]\x00h\x00i\x00d\x00d\x00e\x00n"
)
_NOT_COMPUTED = {
    "NImpl": "it is not certain what Excel gives here",
    "Name": "the engine does not know a name of this formula",
    "Circ": "the formula refers to itself, directly or through others",
    "Spill": "the result does not fit into the cells beside it",
    "Calc": "the engine could not compute this array",
    "Error": "the engine could not read this formula",
    "NaN": "the result is not a number",
    "Cancelled": "the engine gave up",
}


_ANOTHER_SIZE = "the result of this formula has another size than the cells it fills"

LOAD_LIMITS = {"max_input_bytes": 1 << 32, "max_part_bytes": 1 << 31, "max_expanded_bytes": 1 << 32}
"""What the engine takes: its copy is ours and not compressed, and the client's file had its own limits before."""


class FormualizerEngine:
    """Computes workbooks in this process. One instance serves any number of workbooks, one at a time."""

    name = "formualizer"

    def __init__(self) -> None:
        from importlib.metadata import version

        self.version = version("formualizer")

    def refuses(self, formulas: Formulas) -> dict[Cell, str]:
        """Formula cells that this engine is known not to compute as Excel does, with the reason, before any work."""
        translator = Translator(formulas)
        found: dict[Cell, str] = {}
        for run in formulas.runs:
            reason = translator.translate(run).refusal
            if reason:
                for cell in own_cells(run):
                    found[cell] = reason
        return found

    def calculate(self, package: Package, formulas: Formulas, *, keep: Regions | None = None) -> Calculation:
        """Compute every formula but those of `keep`, volatile ones, external ones and those it refuses."""
        return _Run(package, formulas, keep or Regions()).calculate(self.version)


class _Translated(NamedTuple):
    run: Run
    translation: Translation


class _Run:
    """One workbook on its way through the engine."""

    def __init__(self, package: Package, formulas: Formulas, keep: Regions) -> None:
        self.package = package
        self.formulas = formulas
        self.constants = keep | formulas.volatile | formulas.external | formulas.data_tables
        self._hidden: dict[int, bool] = {}
        self.registry = Registry(date1904=package.date1904)
        self.translator = Translator(formulas, self._hidden_rows)
        self.unsupported = Regions()
        self.reasons: dict[Cell, str] = {}
        self.seconds: dict[str, float] = {}
        self.computed: list[_Translated] = []
        self.exact: dict[int, set[int]] = {}
        """Rows computed exactly, by position in `computed`."""
        self.edits: dict[int, list[Edit]] = {}
        self.given: dict[tuple[int, int, int], Given] = {}
        """Columns that were computed without the engine, by sheet, column, first row of the run."""
        self.book: Any = None
        self.sheets: dict[int, _Columns] = {}
        self.last_rows: dict[int, int] = {}
        self._number_texts: dict[tuple[int, ...], bool] = {}

    def calculate(self, version: str) -> Calculation:
        collects = gc.isenabled()
        gc.disable()  # millions of plain values come and go: the collector would walk through them again and again
        try:
            return self._calculate(version)
        finally:
            if collects:
                gc.enable()

    def _calculate(self, version: str) -> Calculation:
        clock = _Clock(self.seconds)
        self._translate()
        clock.lap("translate")
        self._give()
        clock.lap("PR_ columns")
        self._edit()
        data = engine_copy(self.package, self.edits, self.last_rows, self.formulas.columns)
        clock.lap("prepare")
        self._load(data)
        del data
        beyond = self._beyond()
        clock.lap("load")
        if self._native():
            self._evaluate_and_look_ahead()
        else:
            self._evaluate()
        clock.lap("evaluate")
        self._read()
        for _ in range(_ROUNDS):
            if not self._recomputed():
                break
        else:
            self._give_up()
        circular = self._failed()
        self._grown(beyond)
        clock.lap("extract")
        return Calculation(
            engine=FormualizerEngine.name,
            version=version,
            values=self.sheets,
            unsupported=self.unsupported,
            reasons=self.reasons,
            circular=circular,
            notices=_Notices(self._noticed),
            notices_left_off=self.registry.left_off,
            seconds=self.seconds,
            resolve=self._calls,
            release=self._release,
        )

    # ---------------------------------------------------------------------------------------------- before
    def _translate(self) -> None:
        for run in self.formulas.runs:
            translation = self.translator.translate(run)
            edits = self.edits.setdefault(run.sheet, [])
            if translation.refusal:
                for cell in own_cells(run):
                    self.reasons[cell] = translation.refusal
                for column, first, last in run.spans():
                    self.unsupported.add(run.sheet, column, first, last)
            if translation.refusal or self._constants(run) == [(run.first, run.last)]:
                edits.append(Edit(run.column, run.first, run.last))
                edits.extend(_children(run, keep=True))
            else:
                self.computed.append(_Translated(run, translation))

    def _give(self) -> None:
        """Compute the columns of PR_ calls that need no engine."""
        found = given(self.package, self.formulas, self.computed, self.constants, _literal)
        self.given = {(each.run.sheet, each.run.column, each.run.first): each for each in found}

    def _given(self, run: Run) -> Given | None:
        return self.given.get((run.sheet, run.column, run.first))

    def _edit(self) -> None:
        """What the engine's copy has instead of the formulas in the file."""
        for run, translation in self.computed:
            edits = self.edits[run.sheet]
            settled = Regions()
            for first, last in self._constants(run):
                settled.add(0, run.column, first, last)
                edits.append(Edit(run.column, first, last))
            edits.extend(_children(run, keep=False))
            known = self._given(run)
            for first, last in known.stretches() if known is not None else ():
                settled.add(0, run.column, first, last)
                values = known.texts[first - run.first : last - run.first + 1]  # type: ignore[union-attr]
                edits.append(Edit(run.column, first, last, values=values))
            if translation.changed or run.kind != "normal":
                writer = compiled(translation.tree, run.template, run.column, self.registry.idents(run, translation))
                area = _reference(run) if run.area is not None else ""
                rest = Regions()
                rest.add(0, run.column, run.first, run.last)
                rest = rest - settled
                edits.extend(Edit(run.column, first, last, writer, area=area) for _, _, first, last in rest.intervals())

    def _hidden_rows(self, sheet: int) -> bool:
        part = self.package.sheets[sheet]
        if part.kind != "worksheet":
            return True
        if sheet not in self._hidden:
            self._hidden[sheet] = bool(_HIDDEN_ROW.search(self.package.read(part.part)))
        return self._hidden[sheet]

    def _constants(self, run: Run) -> list[tuple[int, int]]:
        return self.constants.within(run.sheet, run.column, run.first, run.last)

    def _load(self, data: bytes) -> None:
        import formualizer

        config = formualizer.EvaluationConfig()
        config.enable_parallel = False  # else every Python call waits for the interpreter's lock
        config.cycle_detection = "runtime"
        if self.package.date1904:
            config.date_system = "1904"
        try:
            self.book = formualizer.Workbook.from_bytes(
                data, config=formualizer.WorkbookConfig(eval_config=config), load_limits=LOAD_LIMITS
            )
        except Exception as error:
            raise EngineError(f"the engine cannot read this workbook: {error}") from error
        self.book.set_temporal_egress("serial")
        self.registry.install(self.book, {name for t in self.computed for name in t.translation.registered})

    # ----------------------------------------------------------------------------------------------- after
    def _evaluate(self) -> None:
        try:
            with exactly():
                self.book.evaluate_all()
        except Exception as error:
            raise EngineError(f"the engine failed on this workbook: {error}") from error

    def _native(self) -> bool:
        """Whether the engine will call no function of ours, and so computes without the interpreter's lock."""
        return all(not t.registered or ((known := self._given(run)) and known.whole) for run, t in self.computed)

    def _evaluate_and_look_ahead(self) -> None:
        """Let the engine compute beside us, and read meanwhile what its values will be compared with."""
        with ThreadPoolExecutor(1) as beside:
            computing = beside.submit(self._evaluate)
            for run, _ in self.computed:
                columns, known = self.formulas.columns.get(run.sheet), self._given(run)
                if columns is None or run.area is not None or run.last - run.first < LONG:
                    continue
                if known is not None and known.whole:
                    columns.foresee(run.column, run.first, run.last, known.values, known.texts)
                else:
                    columns.recall(run.column, run.first, run.last)
            computing.result()

    def _beyond(self) -> list[tuple[Run, list[Any]]]:
        """What stands right behind each dynamic array: where it grows, it grows into these cells."""
        arrays = [run for run, _ in self.computed if run.dynamic_array and run.area is not None]
        self.filled = self.formulas.all if arrays else Regions()
        return [(run, self._edge(run)) for run in arrays]

    def _edge(self, run: Run) -> list[Any]:
        assert run.area is not None
        top, left, bottom, right = run.area
        columns = _Columns(self.book, self.package.sheets[run.sheet].name)
        edge: list[Any] = []
        places: list[tuple[int, int]] = []
        if bottom < MAX_ROW:
            edge += columns.block(bottom + 1, left, bottom + 1, right)[0]
            places += [(bottom + 1, column) for column in range(left, right + 1)]
        if right < MAX_COLUMN:
            edge += [row[0] for row in columns.block(top, right + 1, bottom, right + 1)]
            places += [(row, right + 1) for row in range(top, bottom + 1)]
        computed = [Cell(run.sheet, *place) in self.filled for place in places]  # by other formulas: no room to grow
        return [None if other else value for value, other in zip(edge, computed, strict=True)]

    def _grown(self, beyond: list[tuple[Run, list[Any]]]) -> None:
        """A dynamic array that fills more cells than the file gives it is not taken: only Excel can make room."""
        for run, before in beyond:
            if self._edge(run) != before:
                for column, first, last in run.spans():
                    self.unsupported.add(run.sheet, column, first, last)
                    for row in range(first, last + 1):
                        self.reasons[Cell(run.sheet, row, column)] = _ANOTHER_SIZE

    def _read(self) -> None:
        """Take the values of formula cells out of the engine."""
        self.sheets.clear()
        for sheet, spans in self._spans().items():
            columns = self.sheets[sheet] = _Columns(self.book, self.package.sheets[sheet].name)
            for column, (first, last) in spans.items():
                known = [each for each in self.given.values() if each.run[:2] == (sheet, column) and each.whole]
                if known:  # the engine was given these
                    run, values = known[0].run, known[0].values
                    columns.columns[column] = (
                        first,
                        [
                            *(columns.rows(column, first, run.first - 1)),
                            *values,
                            *(columns.rows(column, run.last + 1, last)),
                        ],
                    )
                else:
                    columns.read(column, first, last)

    def _recomputed(self) -> bool:
        """Compute again, exactly, the cells whose native operators were given something they do not understand.

        Their results may be what others were given, so it goes on until nothing is found any more.
        """
        found = False
        for at, (run, translation) in enumerate(self.computed):
            rows = self._doubtful(run, translation) - self.exact.get(at, set())
            if not rows:
                continue
            found = True
            self.exact.setdefault(at, set()).update(rows)
            exact = self.translator.translate(run, strict=True)
            if exact.refusal:
                for row in rows:
                    self.unsupported.add(run.sheet, run.column, row, row)
                    self.reasons[Cell(run.sheet, row, run.column)] = exact.refusal
                continue
            self.registry.forget(run, rows)
            self.registry.install(self.book, set(exact.registered))
            writer = compiled(exact.tree, run.template, run.column, self.registry.idents(run, exact))
            name = self.package.sheets[run.sheet].name
            for row in rows:
                self.book.set_formula(name, row, run.column, "=" + writer(row))
        if found:
            self._evaluate()
            self._read()
        return found

    def _doubtful(self, run: Run, translation: Translation) -> set[int]:
        rows: set[int] = set()
        for check in translation.checks:
            if check.kind == "x":
                if self._has_number_texts(run, check.ref):
                    every = range(run.first, run.last + 1)
                    criteria = self._argument(run, check.other) if check.other is not None else [0.0] * len(every)
                    sought = {row for row, v in zip(every, criteria, strict=True) if _like_number(v)}
                    if len(sought) > 1 and self._too_much(len(sought), check.ref):
                        self._unsupport(run, sought, "the range of criteria holds numbers that are stored as texts")
                    else:
                        rows |= sought
                continue
            values = self._argument(run, check.ref)
            if check.kind == "k":
                rows.update(run.first + i for i, v in enumerate(values) if v is None)
            elif check.kind == "near":
                assert check.other is not None
                others = self._argument(run, check.other)
                rows.update(run.first + i for i, (a, b) in enumerate(zip(values, others, strict=True)) if _near(a, b))
            elif check.kind == "e":
                rows.update(run.first + i for i, v in enumerate(values) if type(v) is dict)
            elif check.kind == "n" and not {str, bool}.isdisjoint(map(type, values)):
                rows.update(run.first + i for i, v in enumerate(values) if type(v) is str or type(v) is bool)
        if translation.last_sum:
            values = self.sheets[run.sheet].slice(run.column, run.first, run.last)
            rows.update(run.first + i for i, v in enumerate(values) if type(v) is float and v != 0 and -1e-3 < v < 1e-3)
        return {row for row in rows if Cell(run.sheet, row, run.column) not in self.constants}

    def _has_number_texts(self, run: Run, ref: Ref) -> bool:
        """Whether a range of criteria holds texts that Excel takes for numbers and the engine does not."""
        sheet = run.sheet if ref.prefix is None else self.formulas.context.sheet(ref.prefix.sheet)
        assert sheet is not None
        right = run.column - run.template.place.column
        first = ref.column if ref.column_fixed else ref.column + right
        last = ref.last_column if ref.last_column_fixed else ref.last_column + right
        down, up = run.first - run.template.place.row, run.last - run.template.place.row
        top = max(ref.row if ref.row_fixed else ref.row + down, 1)
        bottom = min(ref.last_row if ref.last_row_fixed else ref.last_row + up, self.last_rows.get(sheet, 0))
        key = (sheet, first, last, top, bottom)
        if key not in self._number_texts:
            columns = _Columns(self.book, self.package.sheets[sheet].name)
            found = top <= bottom and any(
                type(v) is str and _NUMBER_TEXT.match(v) is not None
                for row in columns.block(top, first, bottom, last)
                for v in row
            )
            self._number_texts[key] = found
        return self._number_texts[key]

    def _too_much(self, cells: int, ref: Ref) -> bool:
        height = min(ref.last_row, max(self.last_rows.values(), default=0)) - ref.row + 1
        return cells * max(height, 1) * (ref.last_column - ref.column + 1) > _WORK

    def _unsupport(self, run: Run, rows: Iterable[int], reason: str) -> None:
        for row in rows:
            self.unsupported.add(run.sheet, run.column, row, row)
            self.reasons[Cell(run.sheet, row, run.column)] = reason

    def _constant_rows(self, run: Run) -> set[int]:
        return {row for a, b in self._constants(run) for row in range(a, b + 1)}

    def _give_up(self) -> None:
        for at, rows in self.exact.items():
            run = self.computed[at].run
            for row in rows:
                self.unsupported.add(run.sheet, run.column, row, row)
                self.reasons[Cell(run.sheet, row, run.column)] = "the formulas did not come to rest"

    def _failed(self) -> list[Cell]:
        """Find the cells that the engine did not compute; returns those in circles."""
        circular: list[Cell] = []
        for run, _ in self.computed:
            for column, first, last in run.spans():
                values = self.sheets[run.sheet].slice(column, first, last)
                if set(map(type, values)) == {float} and all(map(isfinite, values)):
                    continue
                for offset, value in enumerate(values):
                    kind = (
                        value["kind"] if type(value) is dict else "NaN" if value != value or value in _INFINITE else ""
                    )
                    if kind in _NOT_COMPUTED:
                        cell = Cell(run.sheet, first + offset, column)
                        if cell in self.constants:
                            continue
                        self.unsupported.add(run.sheet, column, cell.row, cell.row)
                        self.reasons.setdefault(cell, _NOT_COMPUTED[kind])
                        if kind == "Circ":
                            circular.append(cell)
        return circular

    def _spans(self) -> dict[int, dict[int, tuple[int, int]]]:
        spans: dict[int, dict[int, tuple[int, int]]] = {}
        for run in self.formulas.runs:
            columns = spans.setdefault(run.sheet, {})
            for column, first, last in run.spans():
                low, high = columns.get(column, (first, last))
                columns[column] = (min(low, first), max(high, last))
        return spans

    def _noticed(self) -> Iterator[tuple[Cell, str, Sequence[tuple[str, str, T]]]]:
        registry = self.registry
        for number, said in registry.by_ident.items():
            run, call, row = registry.where(number)
            yield Cell(run.sheet, row, run.column), call.function, said
        for each in self.given.values():
            for row, notices in each.told.items():
                yield Cell(each.run.sheet, row, each.run.column), each.function, notices
        if not registry.by_arguments:
            return
        for run, translation in self.computed:
            known = self._given(run)
            for call in translation.calls:
                if call.ident or not registry.by_arguments.get(call.name):
                    continue
                for offset, arguments in enumerate(zip(*[self._argument(run, a) for a in call.arguments], strict=True)):
                    if known is not None and known.values[offset] is not None:
                        continue
                    told = registry.told_of(call.name, arguments)
                    if told is not None and Cell(run.sheet, run.first + offset, run.column) not in self.constants:
                        yield Cell(run.sheet, run.first + offset, run.column), call.function, told

    def _argument(self, run: Run, node: Node, first: int = 0, last: int = 0) -> Sequence[Any]:
        """The values that a plain argument has in the rows of a run (or from `first` to `last`)."""
        first, last = first or run.first, last or run.last
        if not isinstance(node, Ref):
            return [_literal(node)] * (last - first + 1)
        sheet = run.sheet if node.prefix is None else self.formulas.context.sheet(node.prefix.sheet)
        assert sheet is not None
        right = run.column - run.template.place.column
        column = node.column if node.column_fixed else node.column + right
        last_column = node.last_column if node.last_column_fixed else node.last_column + right
        columns = self.sheets.get(sheet) or self.sheets.setdefault(
            sheet, _Columns(self.book, self.package.sheets[sheet].name)
        )
        if not node.single:
            rows = columns.block(node.row, column, node.last_row, last_column)
            return [tuple(tuple(row) for row in rows)] * (last - first + 1)
        if node.row_fixed:
            return [columns.one(column, node.row)] * (last - first + 1)
        down = node.row - run.template.place.row
        return columns.slice(column, first + down, last + down)

    def _calls(self, cells: Iterable[Cell]) -> dict[Cell, list[Call]]:
        by_run = {id(t.run): t.translation for t in self.computed}
        found: dict[Cell, list[Call]] = {}
        for cell in cells:
            run = self.formulas.run(cell)
            translation = by_run.get(id(run)) if run is not None else None
            if run is None or translation is None or cell in self.constants:
                continue
            calls: list[Call] = []
            if any(call.ident for call in translation.calls):
                writer = compiled(translation.tree, run.template, run.column, self.registry.idents(run, translation))
                with self.registry.recording() as recorded, exactly():
                    name = self.package.sheets[cell.sheet].name
                    self.book.set_formula(name, cell.row, cell.column, "=" + writer(cell.row))
                    self.book.evaluate_cell(name, cell.row, cell.column)
                calls += recorded
            for call in translation.calls:
                if not call.ident:
                    values = [self._argument(run, a, cell.row, cell.row)[0] for a in call.arguments]
                    calls.append(Call(call.function, tuple(_argument_out(v) for v in call.complete(values))))
            if calls:
                found[cell] = calls
        return found

    def _release(self) -> None:
        self.book = None


class _Notices:
    """The notices, made when they are asked for: there may be a million of them."""

    def __init__(self, noticed: Callable[[], Iterator[tuple[Cell, str, Sequence[tuple[str, str, T]]]]]) -> None:
        self._noticed = noticed

    def __iter__(self) -> Iterator[Notice]:
        for cell, function, told in self._noticed():
            for kind, argument, reason in told:
                yield Notice(cell, function, kind, argument, reason)


class _Columns:
    """Values of a sheet's columns as the engine has them; reads more when asked."""

    def __init__(self, book: Any, name: str) -> None:
        self.book = book
        self.name = name
        self.columns: dict[int, tuple[int, list[Any]]] = {}

    def __call__(self, row: int, column: int) -> Value:
        first, values = self.columns[column]
        value = values[row - first]
        if type(value) is dict:
            return ERRORS.get(value["kind"], CellError.VALUE)
        return value  # type: ignore[no-any-return]

    def down(self, column: int, first: int, last: int) -> Sequence[Value]:
        low, values = self.columns[column]
        found = values[first - low : last - low + 1]
        if dict not in set(map(type, found)):
            return found
        return [ERRORS.get(v["kind"], CellError.VALUE) if type(v) is dict else v for v in found]

    def read(self, column: int, first: int, last: int) -> None:
        self.columns[column] = (first, self.rows(column, first, last))

    def rows(self, column: int, first: int, last: int) -> list[Any]:
        return [row[0] for row in self.block(first, column, last, column)] if first <= last else []

    def block(self, first: int, column: int, last: int, last_column: int) -> list[list[Any]]:
        import formualizer

        address = formualizer.RangeAddress(self.name, first, column, last, last_column)
        return self.book.sheet(self.name).get_values(address)  # type: ignore[no-any-return]

    def slice(self, column: int, first: int, last: int) -> list[Any]:
        held = self.columns.get(column)
        if held is None or first < held[0] or last >= held[0] + len(held[1]):
            low = min(first, held[0]) if held else first
            high = max(last, held[0] + len(held[1]) - 1) if held else last
            self.read(column, low, high)
            held = self.columns[column]
        return held[1][first - held[0] : last - held[0] + 1]

    def one(self, column: int, row: int) -> Any:
        return self.slice(column, row, row)[0]


class _Clock:
    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds = seconds
        self.then = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.seconds[name] = now - self.then
        self.then = now


def _like_number(criterion: Any) -> bool:
    """Whether a criterion looks for a number: to Excel it then matches texts of that number too."""
    if type(criterion) is str:
        return _NUMBER_TEXT.match(criterion.lstrip("<>=")) is not None
    return criterion is None or type(criterion) is float


def _near(one: Any, other: Any) -> bool:
    """Whether two numbers differ in their last bits only: to Excel they may be equal."""
    if one == other or type(one) is not float or type(other) is not float:
        return False
    return abs(one - other) <= 1e-13 * abs(one)


def _literal(node: Node) -> Any:
    if isinstance(node, Unary):
        value = _literal(node.operand)
        return -value if node.operator == "-" else value
    if isinstance(node, Number):
        return float(node.text)
    if isinstance(node, (Text, Bool)):
        return node.value
    assert isinstance(node, Omitted)
    return OMITTED


def _argument_out(value: Any) -> Any:
    if type(value) is dict:
        return ERRORS.get(value["kind"], CellError.VALUE)
    if isinstance(value, (list, tuple)):
        return tuple(_argument_out(v) for v in value)
    return value


def _children(run: Run, keep: bool) -> Iterator[Edit]:
    """The cells that an array fills, besides its own: emptied so that it can fill them again, or kept as constants."""
    if run.area is None:
        return
    top, left, bottom, right = run.area
    for column in range(left, right + 1):
        for first, last in ((top, run.first - 1), (run.last + 1, bottom)) if column == run.column else ((top, bottom),):
            if first <= last:
                yield Edit(column, first, last, value=keep, required=False)


def _reference(run: Run) -> str:
    assert run.area is not None
    top, left, bottom, right = run.area
    return f"{column_letters(left)}{top}:{column_letters(right)}{bottom}"
