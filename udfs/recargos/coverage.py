"""Proof that every rule of the law is carried by a function and shown true by a case.

A case of `tests/cases` proves a rule when its function gives the expected value **and** the explanation of that very
call contains a step of the rule. Nothing is taken on the word of a list.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from recargos import shipped
from recargos.cells import OMITTED, call, explain
from recargos.law import CellError, Rule
from recargos.statutes import FUNCTIONS, RULES

RULES_OF_THE_TABLE = (
    tuple(f"RC-{n}" for n in range(1, 13))
    + tuple(f"LF-{n}" for n in range(1, 13))
    + tuple(f"PW-{n}" for n in range(1, 17))
    + tuple(f"RS-{n}" for n in range(1, 15))
    + tuple(f"PP-{n}" for n in (1, 2, 3, 4, "4b", *range(5, 20)))
)
"""The 74 rows of the rule table, which no rewriting of a statute file may lose."""


@dataclass(frozen=True)
class Case:
    """One known answer."""

    statute: str
    function: str
    arguments: tuple[Any, ...]
    gives: Any
    rules: tuple[str, ...]
    why: str

    @property
    def formula(self) -> str:
        """The call as it would be typed."""
        return f"{self.function}({', '.join(_typed(argument) for argument in self.arguments)})"

    @property
    def holds(self) -> bool:
        """Whether the function gives what the case expects, exactly."""
        return same(call(FUNCTIONS[self.function], self.arguments), self.gives)

    @property
    def explained(self) -> set[str]:
        """Ids of the rules that the call's explanation shows."""
        function = FUNCTIONS[self.function]
        return set() if function.explains else {step.rule for step in explain(function, self.arguments)}


@dataclass
class Covered:
    """One rule: what carries it and which cases prove it."""

    id: str
    rule: Rule | None
    functions: list[str] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    broken: list[Case] = field(default_factory=list)

    @property
    def proved(self) -> bool:
        """Carried by a function, proved by a case, contradicted by none."""
        return self.rule is not None and bool(self.functions) and bool(self.cases) and not self.broken

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "rule": self.id,
            "label": {"en": self.rule.reading("en"), "es": self.rule.reading("es")} if self.rule else None,
            "citation": self.rule.citation("es") if self.rule else None,
            "functions": self.functions,
            "cases": [case.formula for case in self.cases],
            "broken": [case.formula for case in self.broken],
            "proved": self.proved,
        }


def cases() -> list[Case]:
    """Every known answer that the program ships with."""
    found = []
    for file in sorted(shipped.path("tests/cases").glob("*.toml")):
        for entry in tomllib.loads(file.read_text(encoding="utf-8")).get("case", []):
            found.append(
                Case(
                    file.stem,
                    entry["function"],
                    tuple(cell(argument) for argument in entry.get("arguments", ())),
                    cell(entry["gives"]),
                    tuple(entry.get("rules", ())),
                    entry.get("why", ""),
                )
            )
    return found


def cell(value: Any) -> Any:
    """A TOML value as the cell it describes: `{blank=true}`, `{omitted=true}`, `{error="#N/A"}`, or itself."""
    if isinstance(value, dict):
        if value.get("blank"):
            return None
        if value.get("omitted"):
            return OMITTED
        return CellError(value["error"])
    if isinstance(value, list):
        return [cell(item) for item in value]
    return value


def same(got: Any, expected: Any) -> bool:
    """Equal as cells are: to the cent, an error only to the same error, TRUE never to 1."""
    if isinstance(expected, list):
        return isinstance(got, list) and len(got) == len(expected) and all(map(same, got, expected))
    if isinstance(expected, (CellError, bool, str)) or isinstance(got, (CellError, bool, str)):
        return type(got) is type(expected) and bool(got == expected)
    return bool(got == expected)


def coverage() -> list[Covered]:
    """Each of the 74 rules with the functions that carry it and the cases that prove it."""
    rows = {id_: Covered(id_, RULES.get(id_)) for id_ in RULES_OF_THE_TABLE}
    for function in FUNCTIONS.values():
        for id_ in function.rules:
            if id_ in rows:
                rows[id_].functions.append(function.name)
    for case in cases():
        claimed = [id_ for id_ in case.rules if id_ in rows]
        if not claimed:
            continue
        holds, explained = case.holds, case.explained
        for id_ in claimed:
            if holds and id_ in explained:
                rows[id_].cases.append(case)
            elif not holds or not isinstance(case.gives, CellError):
                rows[id_].broken.append(case)  # an error is refused before any rule speaks, so it proves none
    return list(rows.values())


def print_coverage(rows: list[Covered], language: str) -> None:
    """The table for people."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("Rule", "What it says", "Carried by", "Proved by", title=f"{len(rows)} rules of five statutes")
    for row in rows:
        said = f"{row.rule.reading(language)} — {row.rule.citation(language)}" if row.rule else "not in the law"
        proof = f"{row.cases[0].formula} ({len(row.cases)} cases)" if row.cases else "no case"
        if row.broken:
            proof = f"contradicted or not explained by {row.broken[0].formula}"
        table.add_row(
            row.id, Text(said), ", ".join(row.functions) or "nothing", Text(proof), style="" if row.proved else "red"
        )
    console = Console()
    console.print(table)
    proved = sum(row.proved for row in rows)
    console.print(f"{proved} of {len(rows)} rules are carried and proved.")


def _typed(value: Any) -> str:
    if value is None or value is OMITTED:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, list):
        return (
            "{"
            + ";".join(
                ",".join(_typed(item) for item in row) if isinstance(row, list) else _typed(row) for row in value
            )
            + "}"
        )
    if isinstance(value, date):
        return f"DATE({value.year},{value.month},{value.day})"
    return f'"{value}"' if type(value) is str else str(value)
