"""The .ods twins of the templates: there, fresh, and with the figures of the workbooks that they were made from."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from recargos.addin.calc_templates import full_names
from recargos.calc import ERRORS, METHODS
from recargos.office import Instance
from recargos.workbook import shared_strings
from recargos.workbook.package import Package
from recargos.workbook.sheet import Sheet, same

FOLDER = Path(__file__).parents[2] / "workbook_templates"
TEMPLATES = sorted(FOLDER.glob("??/*.xlsx"))
FULL = re.compile(r"ORG\.RECARGOS\.CALC\.FUNCTIONS\.(\w+)\(")
CALC_NAMES = {method.calc_name.rpartition(".")[2] for method in METHODS.values()}


def twin(source: Path) -> Path:
    return FOLDER / "ods" / source.parent.name / f"{source.stem}.ods"


def test_every_template_has_its_twin() -> None:
    assert TEMPLATES
    assert {twin(t) for t in TEMPLATES} == set(FOLDER.rglob("*.ods"))


@pytest.mark.parametrize("source", TEMPLATES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_a_twin_has_the_formulas_and_figures_of_its_template(source: Path, calc: Instance, tmp_path: Path) -> None:
    """Run `python -m recargos.addin.calc_templates` when this fails after a change of the templates."""
    package = Package.open(source)
    calc.ask("open", path=str(twin(source)))
    formulas = calc.ask("all_formulas")["formulas"]
    names = [sheet.name for sheet in package.sheets if sheet.kind == "worksheet"]
    assert list(formulas) == names
    calc.ask("values", sheets=names, path=str(tmp_path / "values.json"))
    read = json.loads((tmp_path / "values.json").read_text(encoding="utf-8"))
    checked = 0
    for part in package.sheets:
        sheet = Sheet.scan(package.read(part.part), strings=shared_strings.of(package))
        held = {(row, column): text for column, row, text in formulas[part.name]}
        errors = {(row, column): code for row, column, code in read[part.name]["errors"]}
        for index in range(len(sheet)):
            row, column, value = sheet.rows[index], sheet.columns[index], sheet.value(index)
            place = (row - 1, column - 1)
            assert place in held, f"{part.name} R{row}C{column} lost its formula"
            got: Any = ERRORS.get(errors[place]) if place in errors else read[part.name]["rows"][row - 1][column - 1]
            if isinstance(value, bool):
                value = float(value)
            assert same(0.0 if value is None else value, got), (
                f"{part.name} R{row}C{column} {held[place]}: {got!r}, not {value!r}"
            )
            checked += 1
        assert len(held) == len(sheet), f"{part.name} has other formulas than its template"
        for text in held.values():
            assert set(FULL.findall(text)) <= CALC_NAMES
            assert not re.search(r"\bpr_\w+\(", text), "a function that LibreOffice did not know"
    assert checked > 100


def test_full_names() -> None:
    assert full_names('IF(A1="PR_LATE_FILE(",PR_LATE_FILE(A1,2),_xll.pr_fraud(3))') == (
        f'IF(A1="PR_LATE_FILE(",{METHODS["PR_LATE_FILE"].calc_name}(A1,2),{METHODS["PR_FRAUD"].calc_name}(3))'
    )
    assert full_names("T[[#This Row],[PR_LATE_FILE]]+PR_X(1)") == "T[[#This Row],[PR_LATE_FILE]]+PR_X(1)"
    assert full_names("not ( a formula") == "not ( a formula"
