"""Real workbooks through the whole chain with the default engine: nothing lost, nothing wrong, nothing unnamed."""

from __future__ import annotations

import io
import math
import zipfile
from typing import Any

import openpyxl
import pytest
from python_calamine import CalamineWorkbook

from recargos.workbook.engine import load
from recargos.workbook.package import Package
from recargos.workbook.recalc import Options, recalc
from support.raw import CORPUS, corpus, needs_corpus, without_values
from test_package import raw_members

pytestmark = needs_corpus
ENGINE = load("formualizer")


def values(data: bytes) -> dict[str, list[list[Any]]]:
    """Every cell as python-calamine reads it."""
    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    return {name: book.get_sheet_by_name(name).to_python(skip_empty_area=False) for name in book.sheet_names}


@pytest.mark.parametrize("everything", [False, True], ids=["recalc", "all"])
@pytest.mark.parametrize("name", corpus("no_loss"))
def test_nothing_is_lost_and_nothing_differs_unexplained(name, everything, tmp_path):
    path, target = CORPUS / name, tmp_path / name
    old = path.read_bytes()
    result = recalc(path, target, ENGINE, options=Options(everything=everything, report_cells=10**9))
    assert result.status in ("recalculated", "unchanged"), result.reason
    new = target.read_bytes()
    assert path.read_bytes() == old

    # Every member but changed sheets byte for byte; changed sheets but for cached values.
    before, after = raw_members(old), raw_members(new)
    assert list(before) == list(after)
    sheets = {sheet.part for sheet in Package.open(path).sheets if sheet.kind == "worksheet"}
    changed = [member for member in before if before[member] != after[member]]
    assert {member.replace("\\", "/") for member in changed} <= sheets
    with zipfile.ZipFile(io.BytesIO(old)) as one, zipfile.ZipFile(io.BytesIO(new)) as two:
        assert two.testzip() is None
        for member in one.namelist():
            if member.replace("\\", "/") in sheets and one.read(member) != two.read(member):
                assert without_values(one.read(member)) == without_values(two.read(member))
    assert bool(changed) == bool(result.counts.changed)

    # A value that is new has a reason: the cell was never calculated, or rests on a PR_ function (there is none here).
    unexplained = [cell for cell in result.cells if cell.status == "changed" and cell.old is not None]
    assert not unexplained
    assert all(
        cell.reason.en and cell.new == cell.old for cell in result.cells if cell.status in ("stale", "unsupported")
    )

    if changed:
        openpyxl.load_workbook(io.BytesIO(new), data_only=True)
        shown = values(new)
        for cell in result.cells:
            if cell.status == "changed":
                row, column = openpyxl.utils.cell.coordinate_to_tuple(cell.cell)
                assert shown[cell.sheet][row - 1][column - 1] == cell.new

    # Its own output stays as it is.
    again = recalc(target, tmp_path / "again.xlsx", ENGINE, options=Options(everything=everything))
    assert again.counts.changed == 0
    assert (tmp_path / "again.xlsx").read_bytes() == new


@pytest.mark.parametrize("name", corpus("refuse_clearly"))
def test_what_cannot_be_done_is_refused_and_left_alone(name, tmp_path):
    result = recalc(CORPUS / name, tmp_path / name, ENGINE)
    assert result.status == "refused"
    assert result.kind
    assert result.reason is not None
    assert not list(tmp_path.iterdir())


def test_how_well_the_engine_knows_these_workbooks():
    """The figure that the docs give. Where it rises, raise it; it must not fall unseen."""
    checked = equal = 0
    for name in corpus("no_loss"):
        agreement = recalc(CORPUS / name, None, ENGINE).agreement
        checked += agreement.checked
        equal += agreement.equal
    assert checked >= 6600
    assert math.floor(1000 * equal / checked) / 10 >= 99.8
