"""One thing that the doctor looked at, and its way of showing it."""

from __future__ import annotations

from dataclasses import dataclass

from recargos.law import T

OK, NOTE, PROBLEM = "ok", "note", "problem"
_SIGNS = {OK: T("ok", "bien"), NOTE: T("note", "nota"), PROBLEM: T("PROBLEM", "PROBLEMA")}
_NOTHING = T("", "")


@dataclass(frozen=True)
class Finding:
    """What was looked at, how it stands, and what to do."""

    what: str
    """Short, stable key: `office`, `python`, `dll` …"""
    status: str
    words: T
    remedy: T = _NOTHING

    def row(self, language: str) -> list[str]:
        """Result, key, explanation, remedy."""
        return [_SIGNS[self.status].in_(language), self.what, self.words.in_(language), self.remedy.in_(language)]
