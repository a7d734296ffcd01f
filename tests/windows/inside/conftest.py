"""Under Windows Python: where the shared test support lies, and one COM server for the session."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = os.environ["RECARGOS_ROOT"]
sys.path[:0] = [os.path.join(ROOT, "tests"), os.path.dirname(os.path.abspath(__file__))]


@pytest.fixture(scope="session")
def excel() -> Iterator[SimpleNamespace]:
    """The stand-in's workbook, and a live server behind `.python`."""
    import excel_standin
    import server

    application = excel_standin.Application()
    book = excel_standin.Workbook(application, r"C:\work\recargos.xlam")
    space = SimpleNamespace(application=application, book=book, sheet=book.sheets.all[0], python=start(server))

    def call(name: str, *arguments: Any, date1904: bool = False) -> Any:
        """As `boot.bas` calls: values, the add-in's workbook, no caller."""
        return space.python.CallUDF("recargos.excel", name, (*arguments, date1904), book.com, None)

    space.call = call
    yield space  # `wine.stop` ends the process


def start(server: Any) -> Any:
    """Wine's very first start of a server now and then fails; Excel users would press F9, so once more."""
    try:
        return server.activate()
    except server.StartFailed:
        return server.activate()
