"""Net 3: the tests in `inside`, run by real Windows Python with pywin32, xlwings, its DLL and its COM server, under Wine."""

from __future__ import annotations

import os
import re
import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import benchmark
import wine

INSIDE = Path(__file__).parent / "inside"
FILES = sorted(file.stem for file in INSIDE.glob("test_*.py"))
TESTS = [
    (file, name)
    for file in FILES
    for name in re.findall(r"^def (test_\w+)", (INSIDE / f"{file}.py").read_text(encoding="utf-8"), re.M)
]


@pytest.fixture(scope="session", autouse=True)
def windows() -> None:
    """Windows Python in the cache, installed when it is not there. With CI=true nothing is skipped."""
    try:
        wine.install()
    except wine.WineMissing as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(missing))


_done: dict[str, dict[str, list[tuple[str, str]]]] = {}


def outcomes(file: str) -> dict[str, list[tuple[str, str]]]:
    """Per test function of a file: id and failure ("" when it passed) of each of its cases. Each file has its own Wine."""
    if file not in _done:
        report = wine.CACHE / f"{file}.xml"
        report.unlink(missing_ok=True)
        output = wine.python(
            [
                "-m", "pytest", wine.windows_path(INSIDE / f"{file}.py"), "-c", "NUL", "-q",
                "--rootdir", wine.windows_path(INSIDE), "--confcutdir", wine.windows_path(INSIDE),
                "-p", "no:cacheprovider", "--import-mode=importlib", "--tb=short", f"--junitxml={wine.windows_path(report)}",
            ],
            timeout=150,
        )  # fmt: skip
        assert report.exists(), output
        found: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for case in ElementTree.parse(report).getroot().iter("testcase"):
            trouble = [
                f"{child.tag}: {child.get('message')}\n{child.text}"
                for child in case
                if child.tag in ("failure", "error", "skipped")
            ]
            found[str(case.get("name")).split("[")[0]].append((str(case.get("name")), "".join(trouble)))
        _done[file] = found
    return _done[file]


@pytest.mark.windows
@pytest.mark.parametrize(("file", "name"), TESTS)
def test_under_windows(file: str, name: str) -> None:
    cases = outcomes(file).get(name, [])
    failed = [f"{id_}\n{trouble[:1500]}" for id_, trouble in cases if trouble]
    assert not failed, f"{len(failed)} of {len(cases)} failed\n" + "\n".join(failed[:5])
    assert cases, f"{name} did not run"


@pytest.mark.windows
def test_every_case_ran() -> None:
    """Hundreds of calls, not a handful: a collection that went wrong is no success."""
    assert sum(len(cases) for file in FILES for cases in outcomes(file).values()) > 850


@pytest.mark.windows
def test_one_call_for_a_column_beats_a_call_for_each_cell() -> None:
    """At least 50 times cheaper a value (some 400 were measured). Both are taken in one process, in turns."""
    assert benchmark.ratios()["a call a cell, value"] >= 50
