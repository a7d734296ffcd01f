"""The report for machines, version 1. Its schema is `docs/report.schema.json`; `docs/report.md` explains it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from recargos.law import CellError
from recargos.workbook.report.run import Run, law_reviewed
from recargos.workbook.result import CellResult, Difference, FileResult

VERSION = 1


def as_json(run: Run, language: str) -> dict[str, Any]:
    """The whole report as JSON's types; reasons are in `language`."""
    from recargos import __version__

    return {
        "version": VERSION,
        "recargos": __version__,
        "law_reviewed": law_reviewed().isoformat(),
        "command": "check" if run.check else "recalc",
        "all": run.everything,
        "interrupted": run.interrupted,
        "started": run.started.isoformat(timespec="seconds"),
        "seconds": round(run.seconds, 3),
        "files": [_file(file, language) for file in run.files],
    }


def _file(file: FileResult, language: str) -> dict[str, Any]:
    return {
        "path": _path(file.path),
        "status": file.status,
        "reason": file.reason.in_(language) if file.reason else None,
        "kind": file.kind or None,
        "engine": file.engine or None,
        "verified_by": file.verified_by or None,
        "output": _path(file.target) if file.target else None,
        "agreement": {
            "checked": file.agreement.checked,
            "equal": file.agreement.equal,
            "differs": [_difference(each, language) for each in file.agreement.differs],
        },
        "counts": {name: getattr(file.counts, name) for name in ("changed", "same", "stale", "flagged", "unsupported")},
        "cells": [_cell(cell, language) for cell in file.cells],
        "totals": {
            name: {"cells": total.cells, "before": round(total.before, 2), "after": round(total.after, 2)}
            for name, total in file.totals.items()
        },
        "warnings": [warning.in_(language) for warning in file.warnings],
        "sha256": {"before": file.sha256_before or None, "after": file.sha256_after or None},
        "seconds": {step: round(seconds, 4) for step, seconds in file.seconds.items()},
    }


def _cell(cell: CellResult, language: str) -> dict[str, Any]:
    return {
        "sheet": cell.sheet,
        "cell": cell.cell,
        "function": cell.function,
        "old": _value(cell.old),
        "new": _value(cell.new),
        "status": cell.status,
        "reason": cell.reason.in_(language),
        "kind": cell.kind or None,
    }


def _difference(difference: Difference, language: str) -> dict[str, Any]:
    return {
        "sheet": difference.sheet,
        "cell": difference.cell,
        "function": difference.function,
        "cached": _value(difference.cached),
        "computed": _value(difference.computed),
        "reason": difference.reason.in_(language),
    }


def _value(value: Any) -> Any:
    """A cell's value. An error is its text; so is a number that JSON has no word for."""
    if isinstance(value, CellError):
        return value.value
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return CellError.NUM.value
    return value


def _path(path: Path) -> str:
    return os.fsencode(path).decode("utf-8", "replace")
