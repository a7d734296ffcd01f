"""The report for machines, version 1. Its schema is `docs/report.schema.json`; `docs/report.md` explains it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any

from recargos.law import CellError, T
from recargos.workbook.cellvalue import Value
from recargos.workbook.report.run import Run, law_reviewed
from recargos.workbook.result import CellResult, Difference, FileResult

VERSION = 1


def as_json(run: Run, language: str) -> dict[str, Any]:
    """The whole report as JSON's types; reasons are in `language`."""
    return _head(run) | {
        "files": [
            _file(file, language) | {"cells": [_cell(cell, language) for cell in file.cells]} for file in run.files
        ]
    }


def pieces(run: Run, language: str) -> Iterator[str]:
    """The same as the text of a file, bit by bit: a workbook may have a million cells to list, here one a line."""
    yield json.dumps(_head(run), indent=1, allow_nan=False).removesuffix("\n}") + ',\n "files": ['
    for number, file in enumerate(run.files):
        yield ",\n  {" if number else "\n  {"
        for place, (name, value) in enumerate(_file(file, language).items()):
            yield f"{',' if place else ''}\n   {json.dumps(name)}: "
            if name == "cells":
                yield from _lines(file.cells, language)
            else:
                yield json.dumps(value, indent=1, allow_nan=False).replace("\n", "\n   ")
        yield "\n  }"
    yield "\n ]\n}\n" if run.files else "]\n}\n"


def _lines(cells: Iterable[CellResult], language: str) -> Iterator[str]:
    """What :func:`_cell` says, in a third of the time: what many cells have in common is put into words once."""
    encode = json.JSONEncoder(allow_nan=False).encode

    @lru_cache(1000)
    def common(sheet: str, function: str, status: str, reason: T, kind: str) -> tuple[str, str, str]:
        said, why = encode(reason.in_(language)), encode(kind or None)
        return (
            f'{{"sheet": {encode(sheet)}, "cell": "',
            f'", "function": {encode(function)}, "old": ',
            f', "status": "{status}", "reason": {said}, "kind": {why}}}',
        )

    def text(value: Value) -> str:
        return repr(value) if type(value) is float and isfinite(value) else encode(_value(value))

    gap = "[\n    "
    for sheet, cell, function, old, new, status, reason, kind, _ in cells:
        before, between, after = common(sheet, function, status, reason, kind)
        yield f'{gap}{before}{cell}{between}{text(old)}, "new": {text(new)}{after}'
        gap = ",\n    "
    yield "[]" if gap[0] == "[" else "\n   ]"


def _head(run: Run) -> dict[str, Any]:
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
        "cells": [],  # filled in by those who want them
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
