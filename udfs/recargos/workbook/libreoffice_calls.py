"""PR_ calls in LibreOffice: compared with the core, searched for what gives notice, and told with their arguments.

Calc hands over TRUE as 1 and a blank as 0, which the core refuses in places; a cell in which that matters is not taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

from recargos.cells import call as call_cells
from recargos.cells import caller, to_serial
from recargos.law import OMITTED, CellError, T
from recargos.statutes import FUNCTIONS
from recargos.workbook.engine import Call as PrCall
from recargos.workbook.engine import Notice
from recargos.workbook.formulas import Cell, Formulas, Regions, Run
from recargos.workbook.syntax import Bool, Call, Error, Node, Number, Omitted, Ref, Text, Unary, children, walk

if TYPE_CHECKING:
    from datetime import date

    from recargos.workbook.libreoffice_translate import Translation
    from recargos.workbook.libreoffice_values import SheetValues
    from recargos.workbook.sheet import Value

NOTICES = 1_000_000
"""More are counted, not kept."""


class PrCalls:
    """The PR_ calls of a workbook that LibreOffice has computed."""

    def __init__(
        self,
        formulas: Formulas,
        computed: Sequence[tuple[Run, Translation]],
        sheets: Mapping[int, SheetValues],
        constants: Regions,
        take_not: Callable[[Run, str], None],
        condition: Callable[[Run, Node], Callable[[int], bool | None]],
        *,
        date1904: bool,
    ) -> None:
        self.formulas = formulas
        self.computed = computed
        self.sheets = sheets
        self.constants = constants
        self.take_not = take_not
        self.condition = condition
        self.date1904 = date1904
        self.notices: list[Notice] = []
        self.notices_left_off = 0
        self.unseen = 0
        """Calls with computed arguments: their values are Calc's own affair."""
        self.chosen = 0
        """Calls of which it is not known whether the cell's value rests on them."""

    def check(self) -> None:
        """Compare PR_ calls with plain arguments with the core, and gather what gives notice.

        Calc hands over TRUE as 1 and a blank as 0, which the core refuses in places: such a cell is not taken.
        """
        for run, translation in self.computed:
            whole = _whole_call(run.template.tree)
            for call in translation.calls:
                if not all(_plain(argument) for argument in call.arguments):
                    self.unseen += run.last - run.first + 1
                    continue
                self._check_call(run, call, call is whole)

    def _check_call(self, run: Run, call: Call, whole: bool) -> None:
        function = FUNCTIONS[call.name]
        told: list[tuple[str, str, T]] = []
        one = caller(function, date1904=self.date1904, notice=lambda *notice: told.append(notice))
        nodes = list(call.arguments)
        while nodes and isinstance(nodes[-1], Omitted):
            nodes.pop()
        branches = _branches(run.template.tree, call)
        taken = [(self.condition(run, node), wanted) for node, wanted in branches or ()]
        arguments = zip(*[self._arguments(run, node) for node in nodes], strict=True) if nodes else repeat(())
        for row, given in zip(range(run.first, run.last + 1), arguments, strict=False):
            if self.constants and Cell(run.sheet, row, run.column) in self.constants:
                continue
            if branches is None or taken:
                rests = [holds(row) is wanted if holds(row) is not None else None for holds, wanted in taken]
                if branches is None or (None in rests and False not in rests):
                    self.chosen += 1
                    continue
                if False in rests:
                    continue
            result = call_cells(function, given, date1904=self.date1904) if run.kind == "array" else one(*given)
            if told:
                self._tell(Cell(run.sheet, row, run.column), call.name, told)
            if whole:
                self._compare(run, row, result)

    def _tell(self, cell: Cell, function: str, told: list[tuple[str, str, T]]) -> None:
        for kind, argument, reason in told:
            if len(self.notices) < NOTICES:
                self.notices.append(Notice(cell, function, kind, argument, reason))
            else:
                self.notices_left_off += 1
        told.clear()

    def _compare(self, run: Run, row: int, result: Any) -> None:
        values = self.sheets[run.sheet]
        rows = result if isinstance(result, list) else [[result]]
        top, left, bottom, right = run.area or (row, run.column, row, run.column)
        for down, cells in enumerate(rows[: bottom - top + 1]):
            for across, cell in enumerate(cells[: right - left + 1]):
                place = (top + down, left + across)
                got, expected = values(*place), self._shown(cell)
                if got == expected:
                    if type(got) is not type(expected) and isinstance(expected, bool):
                        values.changed[place] = expected  # 1 is TRUE in a table of steps
                    continue
                reason = f"LibreOffice gives {got}, the function {expected}: TRUE reaches it as 1, and a blank as 0"
                self.take_not(run if run.area else run._replace(first=row, last=row), reason)
                return

    def _shown(self, value: Any) -> Value:
        if value is None or isinstance(value, (str, bool, CellError)):
            return "" if value is None else value
        return float(value) if isinstance(value, (int, float)) else float(self._serial(value))

    def _serial(self, day: date) -> int:
        return to_serial(day, self.date1904)

    def _arguments(self, run: Run, node: Node) -> Iterable[Any]:
        """The values of a plain argument in every row of a run."""
        if not isinstance(node, Ref):
            return repeat(_literal(node), run.last - run.first + 1)
        if node.single and not node.row_fixed:
            first = run.template.at(run.first, run.column)(node)
            return self._sheet(run, node).column(first.column, first.row, first.row + run.last - run.first)
        if node.row_fixed and node.last_row_fixed:
            return repeat(self._argument(run, node, run.first), run.last - run.first + 1)
        return (self._argument(run, node, row) for row in range(run.first, run.last + 1))

    def _sheet(self, run: Run, ref: Ref) -> SheetValues:
        sheet = run.sheet if ref.prefix is None else self.formulas.context.sheet(ref.prefix.sheet)
        assert sheet is not None
        return self.sheets[sheet]

    def _argument(self, run: Run, node: Node, row: int) -> Any:
        """The value of a plain argument in a row of a run."""
        if not isinstance(node, Ref):
            return _literal(node)
        moved = run.template.at(row, run.column)(node)
        values = self._sheet(run, node)
        if moved.single:
            return values.content(moved.row, moved.column)
        last = min(moved.last_row, max(len(values.rows), moved.row))
        last_column = min(moved.last_column, max(values.width, moved.column))
        return [
            [values.content(r, c) for c in range(moved.column, last_column + 1)] for r in range(moved.row, last + 1)
        ]

    def resolve(self, cells: Iterable[Cell]) -> dict[Cell, list[PrCall]]:
        by_run = {id(run): translation for run, translation in self.computed}
        found: dict[Cell, list[PrCall]] = {}
        for cell in cells:
            run = self.formulas.run(cell)
            translation = by_run.get(id(run))
            if run is None or translation is None or cell in self.constants:
                continue
            calls = []
            for call in translation.calls:
                if all(_plain(argument) for argument in call.arguments):
                    arguments = [self._argument(run, argument, cell.row) for argument in call.arguments]
                    while arguments and arguments[-1] is OMITTED:
                        arguments.pop()
                    calls.append(PrCall(call.name, tuple(arguments)))
            if calls:
                found[cell] = calls
        return found


_ALWAYS = {"IFERROR": 1, "IFNA": 1, "IFS": 1, "CHOOSE": 1, "SWITCH": 2}
"""How many of the first arguments of a choosing function are computed in any case."""


def _branches(tree: Node | None, call: Call) -> list[tuple[Node, bool]] | None:
    """The conditions of IF, and what each must be, for a call to be made. None: that hangs on something else."""
    found: list[tuple[Node, bool]] = []
    node = tree
    while node is not None and node is not call:
        below = children(node)
        at = next((n for n, part in enumerate(below) if any(inner is call for inner in walk(part))), None)
        if at is None:
            return None
        if isinstance(node, Call) and node.name == "IF" and at:
            found.append((below[0], at == 1))
        elif isinstance(node, Call) and at >= _ALWAYS.get(node.name, len(below)):
            return None
        node = below[at]
    return found


def _whole_call(tree: Node | None) -> Call | None:
    """The PR_ call that is the whole formula, or None."""
    while isinstance(tree, Call) and tree.name == "SINGLE" and len(tree.arguments) == 1:
        tree = tree.arguments[0]
    if isinstance(tree, Unary) and tree.operator == "@":
        tree = tree.operand
    return tree if isinstance(tree, Call) and tree.name in FUNCTIONS else None


def _plain(node: Node) -> bool:
    """An argument whose value can be read off the sheet."""
    if isinstance(node, Ref):
        return node.prefix is None or not (node.prefix.book or node.prefix.last)
    if isinstance(node, Unary):
        return node.operator in "+-" and isinstance(node.operand, Number)
    return isinstance(node, (Number, Text, Bool, Error, Omitted))


def _literal(node: Node) -> Any:
    if isinstance(node, Number):
        return float(node.text)
    if isinstance(node, (Text, Bool)):
        return node.value
    if isinstance(node, Error):
        return CellError(node.text)
    if isinstance(node, Unary) and isinstance(node.operand, Number):
        return float(node.operand.text) * (-1 if node.operator == "-" else 1)
    return OMITTED
