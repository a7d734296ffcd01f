"""Headings compared: case, accents, spaces and punctuation don't matter; two that then read alike are refused."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from recargos.fill.problem import FillError


def plain(heading: str) -> str:
    """`"Núm. de Contribuyente "` → `"numdecontribuyente"`: letters and digits only."""
    spread = unicodedata.normalize("NFKD", heading).casefold()
    return "".join(c for c in spread if c.isalnum())


def unique(headings: Sequence[str], cells: Sequence[str], where_en: str, where_es: str) -> dict[str, int]:
    """Index by plain heading. Refuses two that read alike, naming their cells; headings without letters don't count."""
    found: dict[str, int] = {}
    for index, heading in enumerate(headings):
        key = plain(heading)
        if not key:
            continue
        if key in found:
            other = found[key]
            raise FillError(
                f"{where_en} has the heading “{heading}” twice: {cells[other]} and {cells[index]}. Rename one of them.",
                f"{where_es} tiene el encabezado «{heading}» dos veces: {cells[other]} y {cells[index]}. Cambie uno.",
            )
        found[key] = index
    return found
