"""The listed cells of a report, and what was noticed about them: packed by the million, read one by one."""

from __future__ import annotations

import io
import json
import pickle
import random
import sys
from itertools import repeat
from pathlib import Path

import pytest

from recargos.law import CellError, T
from recargos.workbook.cellvalue import Value
from recargos.workbook.changes import Changes
from recargos.workbook.engine import Notice
from recargos.workbook.formulas import Cell, Regions
from recargos.workbook.listed import Group, ListedCells
from recargos.workbook.listing import Listing
from recargos.workbook.noticed import MOST, Noticed
from recargos.workbook.recalc import recalc
from recargos.workbook.report import Run, as_json, render, stream
from recargos.workbook.report.as_html import unlisted
from recargos.workbook.report.run import of_status, to_look_at
from recargos.workbook.result import Call, CellResult, CellStatus, Counts, FileResult, Options
from support.fake_engine import FakeEngine
from support.raw import workbook

WHY = T("because", "porque")
VALUES: list[Value] = [1.5, -0.0, 0.0, True, False, 1, None, "", "1", "text", CellError.NA, "#N/A", 1 << 70]


def table(*values: Value, status: CellStatus = "flagged") -> ListedCells:
    cells = ListedCells()
    group, reason = cells.group(Group(0, "Año", "PR_FRAUD", status, "blank")), cells.reason(WHY)
    rows = range(1, len(values) + 1)
    cells.add(28, rows, repeat(group, len(rows)), repeat(reason, len(rows)), values, values)
    return cells


def mixed() -> ListedCells:
    """Two sheets, added in another order than theirs."""
    cells = ListedCells()
    for sheet, column, row, status in (
        (1, 1, 5, "changed"),
        (0, 2, 3, "flagged"),
        (0, 1, 3, "stale"),
        (0, 9, 1, "changed"),
    ):
        group = cells.group(Group(sheet, f"S{sheet}", "PR_FRAUD", status, ""))  # type: ignore[arg-type]
        cells.add(column, (row,), (group,), (cells.reason(WHY),), (1.0,), (2.0,))
    cells.sort()
    return cells


@pytest.mark.parametrize("values", [VALUES, VALUES[::-1], [2.5, 3.5]])
def test_every_kind_of_value_comes_back_as_it_was(values: list[Value]) -> None:
    cells = pickle.loads(pickle.dumps(table(*values)))
    assert [repr(cell.old) for cell in cells] == [repr(value) for value in values]
    assert [type(cell.new) for cell in cells] == [type(value) for value in values]
    assert cells[0] == CellResult("Año", "AB1", "PR_FRAUD", values[0], values[0], "flagged", WHY, "blank")
    assert cells[-1].cell == f"AB{len(values)}"


def test_cells_are_in_the_order_of_the_sheets() -> None:
    cells = mixed()
    assert [(cell.sheet, cell.cell) for cell in cells] == [("S0", "I1"), ("S0", "A3"), ("S0", "B3"), ("S1", "A5")]
    assert list(cells.places()) == [(0, 1, 9), (0, 3, 1), (0, 3, 2), (1, 5, 1)]
    assert [cell.cell for cell in cells[1:3]] == ["A3", "B3"]
    assert cells == list(pickle.loads(pickle.dumps(cells)))
    assert cells != mixed()[:3]
    with pytest.raises(IndexError):
        cells[4]


def test_cells_are_found_by_status() -> None:
    cells = mixed()
    assert [cell.cell for cell in to_look_at(cells)] == ["A3", "B3"]
    assert [cell.cell for cell in of_status(cells, "changed")] == ["I1", "A5"]
    assert to_look_at(list(cells)) == list(to_look_at(cells))
    assert len(to_look_at(table(1.0))) == 1


def test_calls_stay_with_their_cell() -> None:
    cells = mixed()
    cells.explain({1: (Call("PR_INTEREST", (1.0,)),)})
    again = pickle.loads(pickle.dumps(cells))
    assert [bool(cell.calls) for cell in again] == [False, True, False, False]
    assert again.functions() == {"PR_FRAUD", "PR_INTEREST"}
    assert to_look_at(again)[0].calls[0].function == "PR_INTEREST"


def test_any_number_of_flagged_cells_is_carried_in_little_room() -> None:
    many = 150_000
    cells = table(*repeat(0.0, many))
    cells.sort()
    assert len(pickle.dumps(cells)) < 50 * many
    file = FileResult(Path("a.xlsx"), "recalculated", counts=Counts(flagged=many), cells=cells)
    run = Run([file])
    assert max(map(len, stream(run, ".json", "en"))) < 1_000_000
    assert len(render(Run([FileResult(Path("a.xlsx"), "recalculated", cells=cells)]), ".html", "en")) < 2_000_000
    assert to_look_at(cells) is cells
    assert cells[many - 1].cell == f"AB{many}"


def test_changed_cells_that_are_not_listed_are_counted() -> None:
    file = FileResult(Path("a.xlsx"), "recalculated", counts=Counts(changed=7), cells=mixed())
    assert unlisted(file) == 4  # two changed, and a flagged one that changed too
    file.counts.changed = 2
    assert unlisted(file) == 0


def test_the_json_stream_says_what_the_whole_says() -> None:
    odd = table(*VALUES, float("inf"), 'a "quoted" \n \ud800 text', CellError.NUM, 1e300, 5e-324)
    files = [
        FileResult(Path("a.xlsx"), "recalculated", cells=mixed(), warnings=[T('"\n', '"\n')]),
        FileResult(Path("o.xlsx"), "recalculated", cells=odd),
        FileResult(Path("l.xlsx"), "recalculated", cells=[each._replace(sheet='"\\', kind="") for each in odd]),
        FileResult(Path("b.xlsx"), "unchanged"),
        FileResult(Path("c.xlsx"), "refused", reason=WHY, kind="csv"),
    ]
    for run in (Run(files), Run(files[:1]), Run([])):
        assert json.loads(b"".join(stream(run, ".json", "en"))) == json.loads(json.dumps(as_json(run, "en")))
    lines = io.BytesIO(render(Run(files), ".json", "en")).readlines()
    assert sum(b'"S0"' in line for line in lines) == 3


# ------------------------------------------------------------------------------------------------------------ notices
def notice(sheet: int, row: int, column: int, kind: str = "blank", argument: str = "amount") -> Notice:
    return Notice(Cell(sheet, row, column), "PR_FRAUD", kind, argument, T(f"{kind} here", f"{kind} aquí"))


def scope(*intervals: tuple[int, int, int, int]) -> Regions:
    regions = Regions()
    for interval in intervals:
        regions.add(*interval)
    return regions


def test_notices_come_by_column_whatever_their_order() -> None:
    found = [
        notice(1, 2, 3),
        notice(0, 9, 3),
        notice(0, 2, 3, "capped", ""),
        notice(0, 2, 16384),
        notice(0, 1 << 20, 3),
    ]
    noticed = Noticed(found, scope((0, 3, 1, 1 << 20), (0, 16384, 1, 9), (1, 3, 1, 9)))
    assert len(noticed) == 5
    everything = noticed.within(scope((0, 3, 1, 1 << 20), (0, 16384, 1, 9), (1, 3, 1, 9)))
    assert [(each.sheet, each.column, list(each.rows)) for each in everything] == [
        (0, 3, [2, 9, 1 << 20]), (0, 16384, [2]), (1, 3, [2]),
    ]  # fmt: skip
    said = noticed.of(0, 2, 3)
    assert said is not None
    assert (said.kind, said.reason.en) == ("capped", "Capped here.")
    assert noticed.of(0, 3, 3) is None
    assert noticed.of(2, 2, 3) is None


def test_several_notices_of_a_cell_are_one_cell() -> None:
    found = [notice(0, 1, 1, "error", "days"), notice(0, 2, 1), notice(0, 1, 1, "blank", "amount")]
    noticed = Noticed(found, scope((0, 1, 1, 2)))
    said = noticed.of(0, 1, 1)
    assert len(noticed) == 2
    assert said is not None
    assert (said.kind, said.reason.en) == ("error", "days: error here. amount: blank here.")


def test_notices_outside_of_the_scope_do_not_count() -> None:
    noticed = Noticed([notice(0, row, 1) for row in range(1, 10)], scope((0, 1, 3, 4), (0, 1, 8, 20)))
    assert [list(each.rows) for each in noticed.within(scope((0, 1, 1, 100)))] == [[3, 4, 8, 9]]
    assert [list(each.rows) for each in noticed.within(scope((0, 1, 4, 8), (0, 1, 100, 200), (5, 1, 1, 9)))] == [[4, 8]]
    assert len(noticed) == 4
    assert len(Noticed([], scope((0, 1, 1, 9)))) == 0


def test_what_was_said_is_kept_once() -> None:
    rows = MOST + 5
    noticed = Noticed((notice(0, row, 1) for row in range(1, rows + 1)), scope((0, 1, 1, rows)))
    stretch, rest = noticed.within(scope((0, 1, 1, rows)))
    assert (len(stretch.rows), list(rest.rows)) == (MOST, list(range(MOST + 1, MOST + 6)))
    assert len(noticed.said) == 1
    assert sys.getsizeof(stretch.rows) + sys.getsizeof(stretch.said) < 10 * rows


# ------------------------------------------------------------------------------------------------------------ listing
@pytest.mark.parametrize("every", [1, 2, 3, 7, 150])
def test_flagged_cells_are_listed_with_what_was_written(tmp_path: Path, every: int) -> None:
    rows = range(1, 301)
    path = tmp_path / "a.xlsx"
    path.write_bytes(
        workbook({f"{column}{row}": ("=PR_SURCHARGE(B1,1)", float(row)) for row in rows for column in "AC"})
    )
    values = {f"{column}{row}": float(row if row % 3 else -row) for row in rows for column in "AC"}
    noticed = [
        (f"{column}{row}", "PR_SURCHARGE", "blank", f"day {row % 5}") for column in "CA" for row in rows[::every]
    ]
    noticed.append(("Z9", "PR_SURCHARGE", "blank", "days"))  # no such cell
    options = Options(report_cells=10, explain_cells=0)
    result = recalc(path, None, FakeEngine(values, notices=noticed), options=options)  # type: ignore[arg-type]
    flagged = {cell.cell: cell for cell in result.cells if cell.status == "flagged"}
    assert list(flagged) == [f"{column}{row}" for row in rows[::every] for column in "AC"]
    assert all(cell.old == float(name[1:]) and cell.new == values[name] for name, cell in flagged.items())
    assert all(f"day {int(name[1:]) % 5}:" in cell.reason.en for name, cell in flagged.items())
    assert result.counts.flagged == len(flagged)
    changed = [cell.cell for cell in result.cells if cell.status == "changed"]
    assert changed == [name for name, value in values.items() if value < 0 and name not in flagged][:10]


@pytest.mark.parametrize("seed", range(20))
def test_new_values_are_found_among_the_changes(seed: int) -> None:
    pick = random.Random(seed)
    changes = [(index, float(-index)) for index in range(2000) if pick.random() < pick.choice((0.02, 0.9))]
    indexes = sorted(pick.sample(range(2000), pick.choice((1, 30, 1500))))
    if seed % 2:
        pick.shuffle(indexes)  # the rows of a file may be out of order
    listing = Listing.__new__(Listing)
    listing.changes = {0: Changes(2000)}
    listing.changes[0].add([index for index, _ in changes], [value for _, value in changes])
    olds = [float(index) for index in indexes]
    known = dict(changes)
    assert listing._fresh(0, indexes, olds) == [known.get(index, float(index)) for index in indexes]
    assert listing._fresh(1, indexes, olds) == olds
