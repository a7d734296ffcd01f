"""What a run found: for machines (JSON, version 1), for a terminal, and as one page to read, print and file."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from recargos.workbook.report.as_json import as_json
from recargos.workbook.report.as_text import print_text
from recargos.workbook.report.run import Run

__all__ = ["FORMATS", "Run", "as_json", "print_text", "render", "write"]

FORMATS = (".json", ".html")


def render(run: Run, suffix: str, language: str) -> bytes:
    """The report as the bytes of a `.json` or `.html` file."""
    if suffix == ".json":
        return (json.dumps(as_json(run, language), indent=1, allow_nan=False) + "\n").encode()
    from recargos.workbook.report.as_html import as_html

    return as_html(run, language).encode("utf-8", "replace")


def write(run: Run, path: Path, language: str) -> None:
    """Write the report to `path` in one step; its suffix is one of :data:`FORMATS`. Raises OSError."""
    data = render(run, path.suffix.lower(), language)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o666 & ~_umask())  # noqa: PTH101 - mkstemp makes it private, a report is for the firm
        os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
