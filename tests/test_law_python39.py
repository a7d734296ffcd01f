"""The law and the cells run in the older Python that LibreOffice bundles, with nothing but the standard library."""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import recargos
from recargos.cells import OMITTED
from recargos.coverage import cases
from recargos.law import CellError

PROGRAM = """
import json, sys
from datetime import date
from recargos.cells import OMITTED, call
from recargos.law import CellError
from recargos.statutes import FUNCTIONS
def cell(v):
    if isinstance(v, dict):
        return {"date": lambda x: date.fromisoformat(x), "error": CellError, "omitted": lambda x: OMITTED}[next(iter(v))](next(iter(v.values())))
    return [cell(x) for x in v] if isinstance(v, list) else v
wrong = []
cases = json.load(sys.stdin)
for name, arguments, gives in cases:
    got = call(FUNCTIONS[name], [cell(a) for a in arguments])
    if got != cell(gives):
        wrong.append((name, arguments, str(got)))
print(len(cases), wrong)
"""


def plain(value: Any) -> Any:
    if value is OMITTED:
        return {"omitted": True}
    if isinstance(value, CellError):
        return {"error": value.value}
    if isinstance(value, date):
        return {"date": value.isoformat()[:10]}
    return [plain(item) for item in value] if isinstance(value, list) else value


def old_python() -> str | None:
    for version in ("3.9", "3.10"):
        kept = sorted(Path.home().glob(f".pyenv/versions/{version}*/bin/python3"))
        for program in (shutil.which(f"python{version}"), *map(str, kept)):
            if program and subprocess.run([program, "-c", ""], capture_output=True, check=False).returncode == 0:
                return program
    return None


@pytest.mark.skipif(old_python() is None, reason="no Python 3.9 or 3.10 on this machine")
def test_every_case_holds_in_an_old_python_without_packages() -> None:
    given = [[case.function, [plain(a) for a in case.arguments], plain(case.gives)] for case in cases()]
    program = old_python()
    assert program
    result = subprocess.run(
        [program, "-S", "-c", PROGRAM],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(Path(recargos.__file__).parents[1]), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert result.stdout.strip() == f"{len(given)} []", result.stderr
