"""The case files under `cases/`: the law as data, read by the test net of every host."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from recargos.cells import OMITTED
from recargos.law import CellError

CASES = Path(__file__).parent / "cases"
STATUTES = ("returned_check", "late_filing", "property_tax", "withholding", "retirement")


@dataclass(frozen=True)
class Case:
    """One call and what it gives. `{blank=true}` is None, `{omitted=true}` OMITTED, `{error="#N/A"}` a CellError."""

    id: str
    rules: tuple[str, ...]
    function: str
    arguments: tuple[Any, ...]
    gives: Any
    why: str

    @property
    def ranges(self) -> bool:
        """Whether an argument is a range (its explanation is then that of several calls)."""
        return any(isinstance(argument, list) for argument in self.arguments)


def value(raw: Any) -> Any:
    """A TOML value as a cell holds it."""
    if isinstance(raw, list):
        return [value(item) for item in raw]
    if isinstance(raw, dict):
        match raw:
            case {"blank": True, **rest} if not rest:
                return None
            case {"omitted": True, **rest} if not rest:
                return OMITTED
            case {"error": str(code), **rest} if not rest:
                return CellError(code)
        raise ValueError(f"not a cell: {raw}")
    return raw


def rows(raw: Any) -> Any:
    """A range as rows: a flat list in a case file is one row."""
    if isinstance(raw, list) and raw and not isinstance(raw[0], list):
        return [raw]
    return raw


def load(*names: str) -> list[Case]:
    """The cases of the files named, all files without a name."""
    files = [CASES / f"{name}.toml" for name in names] or sorted(CASES.glob("*.toml"))
    cases = []
    for file in files:
        with file.open("rb") as stream:
            for number, case in enumerate(tomllib.load(stream)["case"], 1):
                cases.append(
                    Case(
                        id=f"{file.stem}-{number}-{case['function']}",
                        rules=tuple(case["rules"]),
                        function=case["function"],
                        arguments=tuple(rows(value(argument)) for argument in case["arguments"]),
                        gives=rows(value(case["gives"])),
                        why=case["why"],
                    )
                )
    return cases


def same(got: Any, expected: Any) -> bool:
    """Equal in value and in kind: True is not 1, a date is not its serial, text is not an error. Numbers to the last bit."""
    if isinstance(expected, list):
        return (
            isinstance(got, list | tuple)
            and len(got) == len(expected)
            and all(same(g, e) for g, e in zip(got, expected, strict=True))
        )
    if isinstance(expected, CellError) or isinstance(got, CellError):
        return isinstance(got, CellError) and isinstance(expected, CellError) and got is expected
    if isinstance(expected, bool) or isinstance(got, bool):
        return got is expected
    if isinstance(expected, int | float):
        return isinstance(got, int | float) and got == expected
    if isinstance(expected, date):
        return isinstance(got, date) and not isinstance(got, datetime) and got == expected
    return type(got) is type(expected) and bool(got == expected)
