"""How values and client text are shown: money as money, dates as dates, nothing that could move the cursor."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path, PurePath
from typing import Any

from recargos.cells import from_serial
from recargos.law import OMITTED, CellError, Refusal, T

_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]")
"""Control characters, marks that turn the direction of writing, and halves of surrogate pairs."""
LONG = 300


def harmless(text: Any) -> Any:
    """What a template puts into the page, without what could move a reader's cursor. Markup of our own passes."""
    return _UNSAFE.sub("�", text) if type(text) is str else text


def clean(text: str, most: int = LONG) -> str:
    """Client text as one harmless line."""
    text = _UNSAFE.sub("�", re.sub(r"[\t\r\n]+", " ", text[: most + 1]))
    return text if len(text) <= most else text[: most - 1] + "…"


def path(value: Path) -> str:
    """A path, whatever bytes the file system has in it."""
    return clean(os.fsencode(value).decode("utf-8", "replace"), 1000)


def short_names(paths: Sequence[Path]) -> tuple[dict[Path, str], str]:
    """Paths without the folder that all of them share, and that folder ("" where there is none)."""
    parents = [each.parent.parts for each in paths]
    common = 0
    while parents and all(len(parts) > common and parts[common] == parents[0][common] for parts in parents):
        common += 1
    folder = path(Path(*parents[0][:common])) if common else ""
    return {each: path(Path(PurePath(*each.parts[common:]))) for each in paths}, folder


BLANK = T("(blank)", "(en blanco)")
TRUTH = {True: T("TRUE", "VERDADERO"), False: T("FALSE", "FALSO")}


def value(what: Any, unit: str, language: str, *, date1904: bool = False) -> str:
    """A cell's value, or a step's, as a person writes it. `unit` is a function's result: money, rate, days, date …"""
    if what is None or what is OMITTED or (what == "" and not isinstance(what, CellError)):
        return BLANK.in_(language) if what is not OMITTED else "—"
    if isinstance(what, bool):
        return TRUTH[what].in_(language)
    if isinstance(what, CellError):
        return what.value
    if isinstance(what, date):
        return what.isoformat()[:10]
    if isinstance(what, (int, float, Decimal)):
        return _number(what, unit, date1904)
    if isinstance(what, (list, tuple)):
        cells = [cell for row in what for cell in (row if isinstance(row, (list, tuple)) else [row])]
        listed = "; ".join(value(cell, unit, language, date1904=date1904) for cell in cells[:12])
        return f"{{{listed}{'; …' if len(cells) > 12 else ''}}}"
    return clean(str(what))


def _number(number: Any, unit: str, date1904: bool) -> str:
    if unit == "money":
        return f"{number:,.2f}"
    if unit == "rate":
        return f"{float(number) * 100:.15g} %"
    if unit == "date":
        try:
            return from_serial(float(number), date1904).isoformat()
        except (Refusal, OverflowError, ValueError):
            return f"{number:.15g}"
    if unit in ("", "any", "table") and abs(number) < 1e15 and number != int(number) and round(number, 2) == number:
        return f"{number:,.2f}"
    return f"{number:,.0f}" if unit != "text" and abs(number) < 1e15 and number == int(number) else f"{number:.15g}"


def difference(old: Any, new: Any, unit: str) -> str:
    """New less old, where both are amounts."""
    numbers = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in (old, new))
    if not numbers or unit in ("date", "text", "flag"):
        return ""
    step = new - old
    if unit == "rate":
        return f"{step * 100:+.6g} %"
    return f"{step:+,.0f}" if unit == "days" else f"{step:+,.2f}"
