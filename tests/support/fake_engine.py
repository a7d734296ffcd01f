"""An engine that answers what a test tells it, to prove the policy around engines without one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from recargos.law import T
from recargos.workbook.cells import area
from recargos.workbook.engine import Calculation, EngineError, Notice
from recargos.workbook.formulas import Cell, Formulas, Regions
from recargos.workbook.package import Package
from recargos.workbook.sheet import Sheet, Value


def place(where: str, sheet: int = 0) -> Cell:
    """The cell "B7" of a sheet."""
    row, column, _, _ = area(where)
    return Cell(sheet, row, column)


class FakeEngine:
    """Gives `values`, and for every other cell the value that the file holds."""

    name = "fake"
    version = "1"

    def __init__(
        self,
        values: Mapping[str, Value] | None = None,
        *,
        unsupported: Mapping[str, str] | None = None,
        circular: Sequence[str] = (),
        notices: Sequence[tuple[str, str, str, str]] = (),
        fails: str = "",
        during: Callable[[], None] | None = None,
        sheet: int = 0,
    ) -> None:
        self.given = {place(where, sheet): value for where, value in (values or {}).items()}
        self.unsupported = {place(where, sheet): why for where, why in (unsupported or {}).items()}
        self.circular = [place(where, sheet) for where in circular]
        self.notices = [Notice(place(w, sheet), f, k, a, T(f"{k} in {a}", f"{k} en {a}")) for w, f, k, a in notices]
        self.fails, self.during = fails, during

    def refuses(self, formulas: Formulas) -> dict[Cell, str]:
        return {}

    def calculate(self, package: Package, formulas: Formulas, *, keep: Regions | None = None) -> Calculation:
        if self.fails:
            raise EngineError(self.fails)
        if self.during is not None:
            self.during()
        values = {i: _Values(i, package, self.given) for i, s in enumerate(package.sheets) if s.kind == "worksheet"}
        return Calculation(
            engine=self.name, version=self.version, values=values, unsupported=Regions(self.unsupported),
            reasons=self.unsupported, circular=self.circular, notices=self.notices,
        )  # fmt: skip


class _Values:
    def __init__(self, index: int, package: Package, given: Mapping[Cell, Value]) -> None:
        sheet = Sheet.scan(package.read(package.sheets[index].part))
        places = zip(sheet.rows, sheet.columns, strict=True)
        self.held = {where: sheet.value(at) for at, where in enumerate(places)}
        self.index, self.given = index, given

    def __call__(self, row: int, column: int) -> Value:
        cell = Cell(self.index, row, column)
        return self.given[cell] if cell in self.given else self.held.get((row, column))

    def down(self, column: int, first: int, last: int) -> list[Value]:
        return [self(row, column) for row in range(first, last + 1)]
