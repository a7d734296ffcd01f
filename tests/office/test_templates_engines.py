"""Every template with two hundred invented clients: LibreOffice computes each cell as the default engine did."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recargos.templates.catalogue import TEMPLATES
from recargos.workbook.libreoffice_engine import LibreOfficeEngine
from recargos.workbook.recalc import Options, recalc
from test_templates_golden import ROWS, filled


@pytest.fixture(scope="module")
def libreoffice() -> Iterator[LibreOfficeEngine]:
    engine = LibreOfficeEngine(timeout=300)
    yield engine
    engine.close()


@pytest.mark.parametrize("name", TEMPLATES)
def test_both_engines_agree_on_every_cell(name: str, libreoffice: LibreOfficeEngine, tmp_path: Path) -> None:
    path, tables = filled(name, tmp_path, ROWS)
    outcome = recalc(path, None, libreoffice, options=Options(everything=True, explain_cells=0))
    assert outcome.reason is None, outcome.reason
    differing = [
        (c.sheet, c.cell, c.status, c.old, c.new, c.reason.en)
        for c in outcome.cells
        if c.status not in ("flagged", "changed") or not close(c.old, c.new)
    ]
    assert differing == []
    counts = outcome.counts
    assert (counts.stale, counts.unsupported) == (0, 0)
    assert counts.same > ROWS * len(tables)


def close(one: object, other: object) -> bool:
    """Equal; or sums, and differences of sums, that differ only in the order of adding."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 1e-7
    return one == other
