"""What a run found: for machines (JSON, version 1), for a terminal, and as one page to read, print and file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from recargos.workbook.report.as_json import as_json
from recargos.workbook.report.as_json import pieces as json_pieces
from recargos.workbook.report.as_text import print_text
from recargos.workbook.report.run import Run

__all__ = ["FORMATS", "Run", "as_json", "load", "print_text", "render", "stream", "write"]

FORMATS = (".json", ".html")


def load(*suffixes: str) -> None:
    """Import what reports of these kinds need ("" for a terminal): for a time in which there is nothing else to do."""
    from recargos import statutes  # noqa: F401

    if "" in suffixes:
        import rich.table  # noqa: F401
    if ".html" in suffixes:
        from recargos.workbook.report import as_html  # noqa: F401


def render(run: Run, suffix: str, language: str) -> bytes:
    """The report as the bytes of a `.json` or `.html` file."""
    return b"".join(stream(run, suffix, language))


def stream(run: Run, suffix: str, language: str) -> Iterator[bytes]:
    """The same piece by piece: a workbook may have a million cells to list."""
    if suffix == ".json":
        pieces = json_pieces(run, language)
    else:
        from recargos.workbook.report.as_html import as_html

        pieces = iter((as_html(run, language),))
    while batch := "".join(islice(pieces, 1000)):
        yield batch.encode("utf-8", "replace")


def write(run: Run, path: Path, language: str) -> None:
    """Write the report to `path` in one step; its suffix is one of :data:`FORMATS`. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(stream(run, path.suffix.lower(), language))
        os.chmod(temporary, 0o666 & ~_umask())  # noqa: PTH101 - mkstemp makes it private, a report is for the firm
        os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
