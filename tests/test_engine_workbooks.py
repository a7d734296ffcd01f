"""Real workbooks computed whole: what differs from the value that Excel left has a reason, or is not written."""

from __future__ import annotations

import pytest

from recargos.workbook.engine import load
from recargos.workbook.recalc import Options, recalc
from support.raw import CORPUS, corpus, needs_corpus

ENGINE = load("formualizer")


@needs_corpus
@pytest.mark.parametrize("name", corpus("no_loss"))
def test_no_difference_from_excel_is_unexplained(name: str) -> None:
    result = recalc(CORPUS / name, None, ENGINE, options=Options(everything=True, report_cells=10**6))
    assert result.status in ("recalculated", "unchanged"), result.reason
    assert [(c.sheet, c.cell, c.old, c.new) for c in result.cells if c.status == "changed" and c.old is not None] == []
    assert all(c.reason.en for c in result.cells if c.status != "changed")
