"""What a template is made of: tables of columns, lines of a summary, checks.

A column that people fill in names the catalogue argument it feeds (`"PR_LATE_FILE.tax"`), and takes from it the kind,
the help and the validation. A column that is computed carries a formula in a small notation, see :mod:`.formulas`.
Every word that a reader sees is a :class:`~recargos.law.T`, so one definition yields both languages.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from recargos.law import Argument, T
from recargos.statutes import FUNCTIONS

Kind = Literal["text", "id", "date", "money", "days", "rate", "flag", "choice", "tick"]
"""Kind of a column. `id` is text that must keep its zeros; `choice` one of listed words; `tick` a workpaper tick-mark."""

_KIND_OF_ARGUMENT: dict[str, Kind] = {
    "money": "money",
    "days": "days",
    "date": "date",
    "rate": "rate",
    "flag": "flag",
    "text": "text",
}


def argument(name: str) -> Argument:
    """The catalogue argument `"PR_LATE_FILE.tax"`."""
    function, _, wanted = name.partition(".")
    return next(a for a in FUNCTIONS[function].arguments if a.name == wanted)


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    key: str
    title: T
    kind: Kind
    width: float
    group: T
    """Heading of the band above neighbouring columns of one group."""
    formula: str = ""
    """Computed when given."""
    source: str = ""
    """For an input the catalogue argument that it feeds, for a computed column the function whose rule it shows."""
    help: T | None = None
    required: bool = False
    choices: tuple[T, ...] = ()
    choices_name: str = ""
    """Defined name of the range that lists the allowed entries."""
    total: Literal["", "sum", "count", "label"] = ""
    deadline: bool = False
    """A date by which something must be done: coloured once the as-of date has passed it."""
    done: str = ""
    """Input column that says when it was done; then the date is no longer overdue."""
    low: float | None = None
    """Smallest and greatest entry, for a rate or a count whose range is law."""
    high: float | None = None
    default: object = None
    aliases: tuple[str, ...] = ()
    """Other headings under which client data brings it, besides its key and its titles."""

    @property
    def computed(self) -> bool:
        """People don't type into it."""
        return bool(self.formula)

    def prompt(self, language: str) -> str:
        """Help shown when a cell of the column is selected."""
        if self.help is not None:
            return self.help.in_(language)
        if "." in self.source:
            return argument(self.source).help.in_(language)
        if self.source:
            return FUNCTIONS[self.source].help.in_(language)
        return ""


def entry(
    key: str, title: T, group: T, width: float, source: str = "", kind: Kind | None = None, **more: object
) -> Column:
    """An input column; its kind comes from the catalogue argument unless given."""
    if kind is None:
        kind = _KIND_OF_ARGUMENT[argument(source).kind]
    return Column(key, title, kind, width, group, source=source, **more)  # type: ignore[arg-type]


def result(
    key: str, title: T, group: T, width: float, kind: Kind, formula: str, source: str = "", **more: object
) -> Column:
    """A computed column."""
    return Column(key, title, kind, width, group, formula=formula, source=source, **more)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Table:
    """An Excel table on a sheet of its own."""

    name: str
    """Name of the table, the same in both languages."""
    sheet: T
    title: T
    columns: tuple[Column, ...]
    intro: T
    rows: int = 40
    """Rows of the shipped template."""
    row_share: float = 1.0
    """Rows of this table for each row asked for with `--rows`."""
    unready: tuple[tuple[str, T], ...] = ()
    """Further conditions under which a complete row is not computed, with the status it then shows."""
    waits: tuple[T, ...] = ()
    """Those of these statuses that are no defect of the row."""

    def column(self, key: str) -> Column:
        """The column `key`."""
        return next(c for c in self.columns if c.key == key)

    @property
    def required(self) -> tuple[Column, ...]:
        """Inputs without which a row is not computed."""
        return tuple(c for c in self.columns if c.required)


@dataclass(frozen=True)
class Line:
    """A line of the Summary sheet: a figure and where its rule stands."""

    label: T
    formula: str
    kind: Kind
    function: str = ""
    """Catalogue function, or number of the law by its key, for the citation."""
    strong: bool = False
    chart: bool = False
    """Stands in the chart."""
    name: str = ""
    """Defined name of the figure's cell."""


@dataclass(frozen=True)
class Section:
    """Lines of the Summary under one heading."""

    title: T
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Check:
    """A line of the Checks sheet: two figures that must agree."""

    label: T
    expected: str
    found: str
    kind: Kind = "money"
    per_row: str = ""
    """Table whose every row may be half a cent off: the figure is recomputed without rounding each row."""


@dataclass(frozen=True)
class Template:
    """One workbook of the set."""

    name: str
    title: T
    purpose: T
    steps: tuple[T, ...]
    tables: tuple[Table, ...]
    sections: tuple[Section, ...]
    checks: tuple[Check, ...]
    statutes: tuple[str, ...]
    """Keys of the statutes that the Law sheet prints."""
    notes: tuple[T, ...] = ()
    """What the statute leaves open and how the workbook reads it."""
    holidays: bool = False
    basis: bool = False
    """Asks for the day basis of interest."""
    words: dict[str, T] = field(default_factory=dict)
    """Words that formulas compare or show, by the name they have there."""
