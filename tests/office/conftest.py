"""What these tests need: LibreOffice Calc and a Python that drives it. With CI=true their absence is a failure."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))  # case_files.py, and this folder as the package `office`

from recargos.office import Instance, OfficeMissing, find, uno_python


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        item.add_marker(pytest.mark.office)


@pytest.fixture(scope="session", autouse=True)
def _libreoffice() -> None:
    try:
        uno_python(find())
    except OfficeMissing as missing:
        if os.environ.get("CI") == "true":
            pytest.fail(str(missing))
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def calc() -> Iterator[Instance]:
    """A LibreOffice of our own with the add-in."""
    with Instance(timeout=120) as office:
        yield office


@pytest.fixture(scope="session")
def for_xlsx() -> bool:
    """Whether this LibreOffice knows PR_ functions in .xlsx files."""
    with Instance(timeout=120, addin=False) as office:
        return tuple(int(n) for n in office.version.split(".")[:2]) >= (25, 2)
