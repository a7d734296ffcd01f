"""Under Windows Python: where the shared test support lies, and one COM server for the session."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

sys.path[:0] = [str(Path(os.environ["RECARGOS_ROOT"], "tests")), str(Path(__file__).parent)]


@pytest.fixture(scope="session")
def excel() -> SimpleNamespace:
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
    return space  # `wine.stop` ends the process


def start(server: Any) -> Any:
    """Wine's very first start of a server now and then fails; Excel users would press F9, so once more."""
    try:
        return server.activate()
    except server.StartFailed:
        return server.activate()
