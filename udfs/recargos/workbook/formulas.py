"""The formulas of a workbook: which cells hold a PR_ call, and what depends on what.

A workbook of 100,000 rows has a handful of *different* formulas. So a formula is analysed once, as a template in
which references are relative to the own cell, and cells are kept as runs of rows of one column that share a template.
Every question (which cells are affected, volatile, external, resting on a distrusted function) is answered on runs.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from recargos.workbook.context import Context
from recargos.workbook.regions import Cell, Regions
from recargos.workbook.resolve import Place, resolve
from recargos.workbook.syntax import (
    MAX_COLUMN,
    MAX_ROW,
    Binary,
    Call,
    FormulaError,
    Name,
    Node,
    Ref,
    column_number,
    parse,
    reference_text,
    walk,
    written,
)

if TYPE_CHECKING:
    from recargos.workbook.cells import Block
    from recargos.workbook.columns import Columns
    from recargos.workbook.package import Package

__all__ = ["VOLATILE", "Cell", "Context", "Formulas", "Regions", "Run", "Template", "Use"]

VOLATILE = frozenset({"TODAY", "NOW", "RAND", "RANDBETWEEN", "RANDARRAY", "OFFSET", "INDIRECT", "CELL", "INFO"})
"""Functions that give a new value at every calculation, or whose precedents only Excel knows: never refreshed."""
DYNAMIC = frozenset({"OFFSET", "INDIRECT", "CELL", "INFO"})
"""Those of :data:`VOLATILE` that may read any cell."""
_PR_TEXT = re.compile(r"PR_[A-Z_]+\s*\(", re.IGNORECASE)
_STEPS = 3_000_000
_WIDE = 64


class Use(NamedTuple):
    """Cells that a formula reads. Relative rows and columns are distances from the formula's own cell."""

    sheet: int
    row: int
    row_relative: bool
    last_row: int
    last_row_relative: bool
    column: int
    column_relative: bool
    last_column: int
    last_column_relative: bool

    def columns(self, own: int) -> tuple[int, int]:
        """First and last column, for a formula in column `own`."""
        a = self.column + own if self.column_relative else self.column
        b = self.last_column + own if self.last_column_relative else self.last_column
        return (a, b) if a <= b else (b, a)

    def rows(self, own: int) -> tuple[int, int]:
        """First and last row, for a formula in row `own`."""
        a = self.row + own if self.row_relative else self.row
        b = self.last_row + own if self.last_row_relative else self.last_row
        return (a, b) if a <= b else (b, a)

    def readers(self, first: int, last: int) -> list[tuple[int, int]]:
        """Rows of formulas that read any of the rows `first` … `last`, unbounded by where such formulas are."""
        found = []
        ends = ((self.row, self.row_relative), (self.last_row, self.last_row_relative))
        # A range with one fixed end turns over where the other end passes it: take both orders.
        mixed = self.row_relative != self.last_row_relative
        for (low, low_relative), (high, high_relative) in (ends, ends[::-1]) if mixed else (ends,):
            a, b = 1, MAX_ROW
            if low_relative:
                b = min(b, last - low)
            elif low > last:
                continue
            if high_relative:
                a = max(a, first - high)
            elif high < first:
                continue
            if a <= b:
                found.append((a, b))
        return found


class Template:
    """A formula analysed once for all cells into which it was filled."""

    __slots__ = (
        "dynamic",
        "external",
        "functions",
        "place",
        "pr_calls",
        "problem",
        "text",
        "tree",
        "unknown",
        "uses",
        "volatile",
    )

    def __init__(self, text: str, place: Place, context: Context) -> None:
        self.text = text
        """As stored in the cell `place`."""
        self.place = place
        self.tree: Node | None = None
        """Names and tables written out; references as seen from `place`."""
        self.problem = ""
        """Why the formula cannot be understood; then it is taken to depend on everything."""
        self.uses: tuple[Use, ...] = ()
        self.functions: frozenset[str] = frozenset()
        self.pr_calls: tuple[Call, ...] = ()
        self.volatile = self.dynamic = self.external = False
        self.unknown: tuple[str, ...] = ()
        try:
            tree, self.unknown, _ = resolve(parse(text), place, context)
        except (FormulaError, RecursionError) as error:
            self.problem = str(error) or "the formula is nested too deeply"
            self.dynamic = True
            self.external = "[" in text and bool(re.search(r"\[[^\]]+\][^!\[\]]*!", text)) and not _PR_TEXT.search(text)
            self.functions = frozenset(m.upper().rstrip(" (") for m in _PR_TEXT.findall(text))
            return
        self.tree = tree
        self._look(context)

    @property
    def pr(self) -> bool:
        """Whether a PR_ function is called, directly or through a name."""
        return any(name.startswith("PR_") for name in self.functions)

    def _look(self, context: Context) -> None:
        functions, calls, uses = set(), [], []
        assert self.tree is not None
        for node in walk(self.tree):
            if isinstance(node, Call):
                functions.add(node.name)
                if node.name.startswith("PR_"):
                    calls.append(node)
                elif node.prefix is not None and node.prefix.book:
                    self.external = True
                if node.name in ("SUMIF", "AVERAGEIF") and len(node.arguments) == 3:
                    uses += _stretched(node, self.place, context)
            elif isinstance(node, Name) and node.prefix is not None and node.prefix.book:
                self.external = True
            elif isinstance(node, Ref):
                if node.prefix is not None and node.prefix.book:
                    self.external = True
                else:
                    uses += _uses(node, self.place, context)
            elif isinstance(node, Binary) and node.operator == ":":
                uses += _between(node, self.place, context)
        self.functions = frozenset(functions)
        self.pr_calls = tuple(calls)
        self.uses = tuple(dict.fromkeys(uses))
        self.volatile = bool(functions & VOLATILE)
        self.dynamic = bool(functions & DYNAMIC)

    def at(self, row: int, column: int) -> Callable[[Ref], Ref]:
        """How references read in another cell of the run."""
        down, right = row - self.place.row, column - self.place.column

        def moved(ref: Ref) -> Ref:
            return ref._replace(
                row=ref.row if ref.row_fixed else ref.row + down,
                last_row=ref.last_row if ref.last_row_fixed else ref.last_row + down,
                column=ref.column if ref.column_fixed else ref.column + right,
                last_column=ref.last_column if ref.last_column_fixed else ref.last_column + right,
            )

        return moved


class Run(NamedTuple):
    """Cells of one column, row after row, with the same template."""

    sheet: int
    column: int
    first: int
    last: int
    template: Template
    kind: str
    area: tuple[int, int, int, int] | None
    """First row, first column, last row, last column that an array formula or data table fills."""
    dynamic_array: bool

    def spans(self) -> Iterator[tuple[int, int, int]]:
        """(column, first row, last row) of the cells, or of the area that the array fills."""
        if self.area is None:
            yield self.column, self.first, self.last
            return
        top, left, bottom, right = self.area
        for column in range(left, right + 1):
            yield column, top, bottom


class Formulas:
    """All formulas of a workbook: filled with :meth:`add` block by block, then asked."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.columns: dict[int, Columns] = {}
        """The scanned sheets that hold formulas, for an engine that works on their bytes; dropped after it."""
        self.runs: list[Run] = []
        self._columns: dict[tuple[int, int], list[int]] = {}
        self._firsts: dict[tuple[int, int], list[int]] = {}
        self._templates: dict[tuple[int, str, str], Template] = {}
        self._areas: list[int] = []
        self._index: _Index | None = None

    @classmethod
    def of(cls, package: Package) -> Formulas:
        """For a workbook; sheets are added as they are scanned."""
        return cls(Context.of(package))

    def add(self, sheet: int, block: Block) -> None:
        """Add a block of formula cells of the sheet with index `sheet`."""
        if not block.text and block.kind != "dataTable" and (block.kind == "array" or self._filled(sheet, block)):
            return  # a cell that an array formula fills belongs to that formula
        row, column = block.origin
        place = Place(sheet, row, column)
        template = self._template("" if block.kind == "dataTable" else block.text, place)
        numbers = self._columns.setdefault((sheet, block.column), [])
        if numbers and block.ref is None:
            above = self.runs[numbers[-1]]
            if above.template is template and above.last + 1 == block.first_row and above.area is None:
                self.runs[numbers[-1]] = above._replace(last=block.last_row)
                self._index = None
                return
        number = len(self.runs)
        numbers.append(number)
        self.runs.append(
            Run(sheet, block.column, block.first_row, block.last_row, template, block.kind, block.ref, block.dynamic)
        )
        if block.ref is not None and block.kind in ("array", "dataTable"):
            self._areas.append(number)
        self._firsts.clear()
        self._index = None

    def _filled(self, sheet: int, block: Block) -> bool:
        """Whether an array formula or data table before it fills a cell whose formula has no text."""
        areas = (self.runs[n].area for n in self._areas if self.runs[n].sheet == sheet)
        return any(
            a and a[0] <= block.first_row and block.last_row <= a[2] and a[1] <= block.column <= a[3] for a in areas
        )

    def _template(self, text: str, place: Place) -> Template:
        key = (place.sheet, normal(text, place.row, place.column), "")
        if "[" in text:
            table = self.context.table_at(*place)
            key = (key[0], key[1], table.name if table else "")
        template = self._templates.get(key)
        if template is None or (
            "[" in text
            and "#" in text
            and place.row != template.place.row
            and _edge(self.context, place, template.place)
        ):
            template = Template(text, place, self.context)
            self._templates[key] = template
        return template

    # ------------------------------------------------------------------------------------------------ one cell
    def run(self, cell: Cell) -> Run | None:
        """The run that holds a cell with a formula of its own."""
        key = (cell.sheet, cell.column)
        numbers = self._columns.get(key)
        if not numbers:
            return None
        firsts = self._firsts.get(key)
        if firsts is None:
            numbers.sort(key=lambda n: self.runs[n].first)
            firsts = self._firsts[key] = [self.runs[n].first for n in numbers]
        at = bisect_right(firsts, cell.row) - 1
        run = self.runs[numbers[at]] if at >= 0 else None
        return run if run is not None and run.last >= cell.row else None

    def filled_by(self, cell: Cell) -> Run | None:
        """The run of the cell itself, or of the array formula or data table that fills it."""
        run = self.run(cell)
        if run is not None and (run.template.text or run.area is not None):
            return run
        for number in self._areas:
            candidate = self.runs[number]
            area = candidate.area
            if (
                candidate.sheet == cell.sheet
                and area
                and area[0] <= cell.row <= area[2]
                and area[1] <= cell.column <= area[3]
            ):
                return candidate
        return run

    def text(self, cell: Cell) -> str | None:
        """The formula of a cell, without "=", shared children written out. None where there is no formula."""
        run = self.run(cell)
        if run is None or not run.template.text:
            return None
        template = run.template
        if (cell.row, cell.column) == template.place[1:]:
            return template.text
        moved = template.at(cell.row, cell.column)
        try:
            return written(parse(template.text), lambda ref: reference_text(moved(ref)))
        except FormulaError:
            return template.text

    def functions(self, cell: Cell) -> frozenset[str]:
        """Names of the functions that the cell calls, directly or through a defined name."""
        run = self.filled_by(cell)
        return run.template.functions if run is not None else frozenset()

    # ------------------------------------------------------------------------------------------- sets of cells
    def where(self, wanted: Callable[[Template], bool]) -> Regions:
        """The formula cells whose template is `wanted`, with the cells that their arrays fill."""
        answers: dict[int, bool] = {}
        found = Regions()
        for run in self.runs:
            key = id(run.template)
            if key not in answers:
                answers[key] = wanted(run.template)
            if answers[key]:
                for column, first, last in _cells(run):
                    found.add(run.sheet, column, first, last)
        return found

    def using(self, function: str) -> Regions:
        """Formula cells that call `function`, directly or through a defined name."""
        return self.where(lambda template: function in template.functions)

    @property
    def all(self) -> Regions:
        """Every formula cell, and the cells into which array formulas and data tables spill."""
        return self.where(lambda _: True)

    @property
    def pr(self) -> Regions:
        """Cells with a PR_ call in any stored form, directly or through a defined name."""
        return self.where(lambda template: template.pr)

    @property
    def volatile(self) -> Regions:
        """Cells with a function of :data:`VOLATILE`."""
        return self.where(lambda template: template.volatile)

    @property
    def external(self) -> Regions:
        """Cells that refer to another workbook (add-in links to our own functions don't count)."""
        return self.where(lambda template: template.external)

    @property
    def unreadable(self) -> Regions:
        """Cells whose formula could not be understood; each template's `problem` says why."""
        found = Regions()
        for run in self.runs:
            if run.template.problem and run.kind != "dataTable":
                for column, first, last in _cells(run):
                    found.add(run.sheet, column, first, last)
        return found

    @property
    def data_tables(self) -> Regions:
        """Cells of what-if data tables: only Excel computes them."""
        found = Regions()
        for run in self.runs:
            if run.kind == "dataTable":
                for column, first, last in _cells(run):
                    found.add(run.sheet, column, first, last)
        return found

    def dependents(self, seeds: Regions, *, stop: Regions | None = None) -> Regions:
        """Formula cells that depend on `seeds`, however far down; a seed only if it depends on another or itself.

        Through cells, ranges, whole columns, names, tables, other sheets, spills. Conservative: a formula whose
        precedents cannot be known before it runs (OFFSET, INDIRECT, a data table, a formula that cannot be read)
        counts as dependent on any seed. The search does not go on beyond cells of `stop`.
        """
        if not seeds:
            return Regions()
        if self._index is None:
            self._index = _Index(self)
        return self._index.dependents(seeds, stop)


def normal(text: str, row: int, column: int) -> str:
    """The formula with relative references as distances: one text for every cell into which a formula is filled."""

    def cell(match: re.Match[str]) -> str:
        column_fixed, letters, row_fixed, digits = match.groups()
        if letters is None:
            return match[0]
        letters = _numbers.get(letters) or _number(letters)
        across = f"${letters}" if column_fixed else f"\1{letters - column}\2"
        return f"{across}${digits}" if row_fixed else f"{across}\3{int(digits) - row}\2"

    def line(match: re.Match[str]) -> str:
        if match[2]:
            return ":".join(
                f"${c}" if fixed else f"\1{_number(c) - column}\2"
                for fixed, c in ((match[1], match[2]), (match[3], match[4]))
            )
        if match[6]:
            return ":".join(
                f"${r}" if fixed else f"\3{int(r) - row}\2" for fixed, r in ((match[5], match[6]), (match[7], match[8]))
            )
        return match[0]

    return _CELLS.sub(cell, _LINES.sub(line, text) if _ANY_LINE.search(text) else text)


_numbers: dict[str, int] = {}


def _number(letters: str) -> int:
    number = _numbers.get(letters)
    if number is None:
        number = _numbers[letters] = column_number(letters)
    return number


# Texts, quoted sheet names and brackets are matched first, so that nothing in them is taken for a reference.
_OPAQUE = r"""\"(?:[^"]|"")*"|'(?:[^']|'')*'!|\[(?:[^\[\]]|\[[^\]]*\])*\]"""
_CELLS = re.compile(_OPAQUE + r"|(?<![\w.\\$\1\3])(\$?)([A-Za-z]{1,3})(\$?)([0-9]{1,7})(?![\w.(!\\])")
_LINES = re.compile(
    _OPAQUE + r"|(?<![\w.\\$])(\$?)([A-Za-z]{1,3}):(\$?)([A-Za-z]{1,3})(?![\w.(!\\$])"
    r"|(?<![\w.\\$:])(\$?)([0-9]{1,7}):(\$?)([0-9]{1,7})(?![\w.(!\\$])"
)
_ANY_LINE = re.compile(r"[A-Za-z]:\$?[A-Za-z]|[0-9]:\$?[0-9]")


def _edge(context: Context, one: Place, other: Place) -> bool:
    """Whether two cells lie differently in the table that holds them: `[#This Row]` reads otherwise there."""
    table = context.table_at(*one)
    if table is None:
        return True
    top, bottom = table.first_row + table.header_rows, table.last_row - table.totals_rows
    return (top <= one.row <= bottom) != (top <= other.row <= bottom)


def _cells(run: Run) -> Iterator[tuple[int, int, int]]:
    """(column, first row, last row) of a run and of what its array fills."""
    if run.area is None or run.kind not in ("array", "dataTable"):
        yield run.column, run.first, run.last
        return
    top, left, bottom, right = run.area
    for column in range(left, right + 1):
        yield column, top, bottom
    if not (left <= run.column <= right and top <= run.first and run.last <= bottom):
        yield run.column, run.first, run.last


# ----------------------------------------------------------------------------------------------- what a formula reads


def _uses(ref: Ref, place: Place, context: Context) -> list[Use]:
    sheets = [place.sheet]
    if ref.prefix is not None:
        first, last = context.sheet(ref.prefix.sheet), context.sheet(ref.prefix.last or ref.prefix.sheet)
        if first is None or last is None:
            return []
        sheets = list(range(min(first, last), max(first, last) + 1))
    row, column = place.row, place.column
    return [
        Use(
            sheet,
            ref.row if ref.row_fixed else ref.row - row, not ref.row_fixed,
            ref.last_row if ref.last_row_fixed else ref.last_row - row, not ref.last_row_fixed,
            ref.column if ref.column_fixed else ref.column - column, not ref.column_fixed,
            ref.last_column if ref.last_column_fixed else ref.last_column - column, not ref.last_column_fixed,
        )
        for sheet in sheets
    ]  # fmt: skip


def _stretched(call: Call, place: Place, context: Context) -> list[Use]:
    """SUMIF(range, criterion, sum_range) reads as many cells of sum_range as range has, whatever its own size."""
    area, _, summed = call.arguments
    if not (isinstance(area, Ref) and isinstance(summed, Ref)):
        return []
    last_row = min(summed.row + area.last_row - area.row, MAX_ROW)
    last_column = min(summed.column + area.last_column - area.column, MAX_COLUMN)
    return _uses(
        summed._replace(
            last_row=last_row,
            last_column=last_column,
            last_row_fixed=summed.row_fixed,
            last_column_fixed=summed.column_fixed,
        ),
        place,
        context,
    )


def _between(node: Binary, place: Place, context: Context) -> list[Use]:
    """`A1:INDEX(B:B,n)` may read anything between the references it names."""
    refs = [n for n in walk(node) if isinstance(n, Ref)]
    found: list[Use] = []
    for sheet in {ref.prefix for ref in refs}:
        mine = [ref for ref in refs if ref.prefix == sheet]
        left, right = min(ref.column for ref in mine), max(ref.last_column for ref in mine)
        top, bottom = min(ref.row for ref in mine), max(ref.last_row for ref in mine)
        relative = any(not (ref.row_fixed and ref.last_row_fixed) for ref in mine)
        # Relative and fixed ends mixed: the widest reading is every row of the columns.
        rows = (1, MAX_ROW) if relative else (top, bottom)
        found += _uses(Ref(sheet, rows[0], left, rows[1], right, True, True, True, True), place, context)
        if any(not (ref.column_fixed and ref.last_column_fixed) for ref in mine):
            found += _uses(Ref(sheet, rows[0], left, rows[1], right, True, False, True, False), place, context)
    return found


class _Index:
    """Who reads a column: runs by the rows they read."""

    def __init__(self, formulas: Formulas) -> None:
        self.runs = formulas.runs
        self.spans: dict[tuple[int, int], list[tuple[int, int, int, Use]]] = {}
        self.points: dict[tuple[int, int], dict[int, list[tuple[int, Use]]]] = {}
        self.wide: dict[int, list[tuple[int, int, int, int, int, Use]]] = {}
        self.anywhere: list[int] = []
        self.covers = formulas
        for number, run in enumerate(self.runs):
            if run.template.dynamic or run.kind == "dataTable" or run.template.problem:
                self.anywhere.append(number)
            for use in run.template.uses:
                self._enter(number, run, use)

    def _enter(self, number: int, run: Run, use: Use) -> None:
        left, right = use.columns(run.column)
        ends = (*use.rows(run.first), *use.rows(run.last))
        low, high = min(ends), max(ends)
        if right - left > _WIDE:
            self.wide.setdefault(use.sheet, []).append((left, right, low, high, number, use))
            return
        for column in range(left, right + 1):
            if low == high:
                self.points.setdefault((use.sheet, column), {}).setdefault(low, []).append((number, use))
            else:
                self.spans.setdefault((use.sheet, column), []).append((low, high, number, use))

    def dependents(self, seeds: Regions, stop: Regions | None) -> Regions:
        found = Regions()
        seen = Regions()
        queue: list[tuple[int, int, int, int]] = []
        steps = 0

        def reach(number: int, first: int, last: int) -> None:
            """Rows of a run were found to depend."""
            run = self.runs[number]
            for column, a, b in _cells(run) if run.area is not None else ((run.column, first, last),):
                for new in found.add(run.sheet, column, a, b):
                    spans = [new]
                    if stop is not None:
                        only = Regions()
                        only.add(run.sheet, column, *new)
                        spans = (only - stop).rows(run.sheet, column)
                    queue.extend((run.sheet, column, *span) for span in spans if seen.add(run.sheet, column, *span))

        for sheet, column, first, last in seeds.intervals():
            seen.add(sheet, column, first, last)
            queue.append((sheet, column, first, last))
        for number in self.anywhere:
            reach(number, self.runs[number].first, self.runs[number].last)
        while queue:
            sheet, column, first, last = queue.pop()
            for number, use in self._readers(sheet, column, first, last):
                steps += 1
                if steps > _STEPS:
                    return self.covers.all  # beyond all measure: everything is taken to depend
                run = self.runs[number]
                for low, high in use.readers(first, last):
                    low, high = max(low, run.first), min(high, run.last)
                    if low > high:
                        continue
                    if run.sheet == sheet and use.columns(run.column) == (run.column, run.column) == (column, column):
                        low, high = _carried(run, use, low, high)
                    reach(number, low, high)
        return found

    def _readers(self, sheet: int, column: int, first: int, last: int) -> Iterable[tuple[int, Use]]:
        points = self.points.get((sheet, column))
        if points:
            if last - first < len(points):
                for row in range(first, last + 1):
                    yield from points.get(row, ())
            else:
                for row, entries in points.items():
                    if first <= row <= last:
                        yield from entries
        for low, high, number, use in self.spans.get((sheet, column), ()):
            if low <= last and high >= first:
                yield number, use
        for left, right, low, high, number, use in self.wide.get(sheet, ()):
            if left <= column <= right and low <= last and high >= first:
                yield number, use


def _carried(run: Run, use: Use, low: int, high: int) -> tuple[int, int]:
    """A column that reads its own neighbour row (a running balance) carries on to its end at once."""
    if use.row_relative and use.last_row_relative and use.row == use.last_row and high - low + 1 >= abs(use.row) > 0:
        return (low, run.last) if use.row < 0 else (run.first, high)
    return low, high
