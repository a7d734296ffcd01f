"""What a workbook says of the law and the software it was made from."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import date

from recargos.cells import call
from recargos.statutes import FUNCTIONS, STATUTES


@dataclass(frozen=True)
class Stamp:
    """Version of the software, day the law was last reviewed, and a hash of every number, rule and signature."""

    version: str
    law_reviewed: date
    law_hash: str

    def line(self, language: str) -> str:
        """`Recargos 0.1.0 · law reviewed 2026-11-30 · 1a2b3c4d`."""
        word = {"es": "ley revisada", "en": "law reviewed"}[language]
        return f"Recargos {self.version} · {word} {self.law_reviewed} · {self.law_hash[:8]}"


def law_hash() -> str:
    """SHA-256 over the law that the catalogue computes: the same law has the same hash in every workbook."""
    law = {
        "numbers": {
            p.key: [[v.since.isoformat(), str(v.value), v.where, v.words] for v in p.versions]
            for statute in STATUTES
            for p in statute.parameters.values()
        },
        "rules": {r.id: [r.where, *r.label] for statute in STATUTES for r in statute.rules.values()},
        "functions": {f.name: [f.signature, f.result] for f in FUNCTIONS.values()},
    }
    return hashlib.sha256(json.dumps(law, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def current() -> Stamp:
    """The stamp of this installation."""
    version, reviewed = call(FUNCTIONS["PR_VERSION"], []), call(FUNCTIONS["PR_LAW_REVIEWED"], [])
    assert isinstance(reviewed, date)
    return Stamp(str(version), reviewed, law_hash())
