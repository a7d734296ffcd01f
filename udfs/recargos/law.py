"""The words that the statutes are written in.

A statute file reads like the statute: each number is a dated :class:`Parameter` beside the words that set it,
each provision a :class:`Rule` with its label in both languages, and each function takes a :class:`Trace` to which it
tells the steps it took. Everything that a host needs to offer a function stands in its :class:`Function` entry.

Standard library only, Python 3.9 syntax: LibreOffice runs this file in its own Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any, Callable, NamedTuple, Optional, Union

from recargos.money import Figure

LANGUAGES = ("es", "en")


class T(NamedTuple):
    """One text in the two languages. `str.format` fields are filled in by :meth:`Step.label`."""

    en: str
    es: str

    def in_(self, language: str) -> str:
        """The text in `language`, "es" or "en"."""
        return self.es if language == "es" else self.en


class CellError(str, Enum):
    """A true Excel error value, as opposed to text that happens to look like one."""

    NULL = "#NULL!"
    DIV0 = "#DIV/0!"
    VALUE = "#VALUE!"
    REF = "#REF!"
    NAME = "#NAME?"
    NUM = "#NUM!"
    NA = "#N/A"

    def __str__(self) -> str:
        return self.value


class Refusal(Exception):
    """A call that the law or the grammar of cells does not allow: which error the cell shows, and why."""

    def __init__(self, error: CellError, reason: T) -> None:
        super().__init__(reason.en)
        self.error = error
        self.reason = reason


def out_of_range(en: str, es: str) -> Refusal:
    """`#NUM!`: a number outside what the statute knows."""
    return Refusal(CellError.NUM, T(en, es))


def not_available(en: str, es: str) -> Refusal:
    """`#N/A`: a date before the law in the catalogue, or a key that is not in it."""
    return Refusal(CellError.NA, T(en, es))


class _Omitted:
    """The argument was not given at all, as opposed to a blank cell (None)."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "OMITTED"

    def __bool__(self) -> bool:
        return False


OMITTED = _Omitted()


# --------------------------------------------------------------------------------------------------- the law itself


class Citation(NamedTuple):
    """Where the words stand. Spanish is the law's language, so the Puerto Rican citation comes first."""

    lpra: str
    """Compiled laws or act as cited in both languages, e.g. ``13 LPRA § 33081``."""
    act: T
    """The act and its section, e.g. ``Ley 1-2011, Sección 6030.11``."""

    def text(self, language: str, where: str = "") -> str:
        """The whole citation, with the subdivision `where` behind the section: `13 LPRA § 33081(a) (Act 1-2011 …)`."""
        if not self.lpra:
            return self.act.in_(language) + (f", {where}" if where else "")
        section = f"{self.lpra}{where}" if where.startswith("(") or not where else f"{self.lpra}, {where}"
        return f"{section} ({self.act.in_(language)})" if self.act.in_(language) else section


Number = Union[Decimal, int]


class Version(NamedTuple):
    """A number from the day on which it came into force, and the words that set it."""

    since: date
    value: Number
    where: str
    words: str


class Parameter:
    """One number of the law, dated: its versions, oldest first."""

    __slots__ = ("key", "statute", "unit", "versions")

    def __init__(self, statute: Statute, key: str, unit: str, versions: tuple[Version, ...]) -> None:
        self.statute = statute
        self.key = f"{statute.key}.{key}"
        self.unit = unit
        self.versions = versions

    def __repr__(self) -> str:
        return f"<{self.key} = {self.versions[-1].value} {self.unit}>"

    def version(self, as_of: Optional[date] = None) -> Version:
        """The version in force on `as_of` (the newest when omitted). Refuses a date before the first with `#N/A`."""
        if as_of is None:
            return self.versions[-1]
        for version in reversed(self.versions):
            if version.since <= as_of:
                return version
        raise not_available(
            f"{self.key}: the catalogue knows this rule from {self.versions[0].since} on, not on {as_of}",
            f"{self.key}: el catálogo conoce esta regla desde {self.versions[0].since}, no al {as_of}",
        )

    def shown(self, as_of: Optional[date] = None) -> str:
        """The number as people read it: 5%, 10,000 dollars, 30 days."""
        value = self.version(as_of).value
        if self.unit == "rate":
            return f"{Figure(value):%}"
        if self.unit == "day of the month":
            return f"day {value} of the month"
        return f"{value:,} {self.unit[:-1] if value == 1 else self.unit}"

    def citation(self, language: str, as_of: Optional[date] = None) -> str:
        """Citation of the words that set the number."""
        return self.statute.citation.text(language, self.version(as_of).where)


_FIELD = re.compile(r"\{(\w+)[^}]*\}")


class Rule(NamedTuple):
    """One provision of a statute: a row of the project's rule table (RC-2, LF-3 …)."""

    id: str
    statute: Statute
    where: str
    label: T
    contested: Optional[T] = None
    """Where readings differ: the other reading, and which one is computed."""

    def reading(self, language: str) -> str:
        """The label before any call has filled its fields: `Up to ‹limit› dollars`."""
        return _FIELD.sub(r"‹\1›", self.label.in_(language))

    def citation(self, language: str) -> str:
        """Citation down to the subdivision."""
        return self.statute.citation.text(language, self.where)


@dataclass(eq=False)
class Statute:
    """A statute: its citation, its numbers, its rules, and what became of it later."""

    key: str
    title: T
    citation: Citation
    in_force: date
    """First day from which the catalogue knows the words: not earlier law, even where there was some."""
    in_force_source: T
    later: T
    """Later history, printed with every citation."""
    parameters: dict[str, Parameter] = field(default_factory=dict)
    rules: dict[str, Rule] = field(default_factory=dict)
    _views: dict[Optional[date], Mapping[Parameter, Any]] = field(default_factory=dict, repr=False)

    # -- numbers
    def _parameter(self, key: str, unit: str, value: Number, where: str, words: str) -> Parameter:
        parameter = Parameter(self, key, unit, (Version(self.in_force, value, where, words),))
        if parameter.key in self.parameters:
            raise ValueError(f"{parameter.key} stands twice in the law")
        self.parameters[parameter.key] = parameter
        return parameter

    def rate(self, key: str, value: str, where: str, words: str) -> Parameter:
        """A share: "0.05" is 5 %."""
        return self._parameter(key, "rate", Decimal(value), where, words)

    def dollars(self, key: str, value: str, where: str, words: str) -> Parameter:
        """An amount of money."""
        return self._parameter(key, "dollars", Decimal(value), where, words)

    def count(self, key: str, unit: str, value: int, where: str, words: str) -> Parameter:
        """A whole number of `unit`: days, months, years, or a day of the month."""
        return self._parameter(key, unit, value, where, words)

    def days(self, key: str, value: int, where: str, words: str) -> Parameter:
        """A whole number of days."""
        return self.count(key, "days", value, where, words)

    def at(self, as_of: Optional[date] = None) -> Mapping[Parameter, Any]:
        """Every number as it stood on `as_of`; the newest when omitted. `#N/A` before :attr:`in_force`."""
        view = self._views.get(as_of)
        if view is None:
            if as_of is not None and as_of < self.in_force:
                raise not_available(
                    f"the catalogue knows {self.citation.text('en')} from {self.in_force} on, not on {as_of}",
                    f"el catálogo conoce {self.citation.text('es')} desde {self.in_force}, no al {as_of}",
                )
            view = {p: p.version(as_of).value for p in self.parameters.values()}
            if len(self._views) < 1000:
                self._views[as_of] = view
        return view

    # -- provisions
    def rule(
        self,
        id: str,
        where: str,
        *,
        en: str,
        es: str,
        contested: Optional[T] = None,
    ) -> Rule:
        """A provision, with the label under which its step is shown."""
        if id in self.rules:
            raise ValueError(f"{id} stands twice in the law")
        rule = Rule(id, self, where, T(en, es), contested)
        self.rules[id] = rule
        return rule


# ------------------------------------------------------------------------------------------------------ explanations


class Step(NamedTuple):
    """One line of an explanation."""

    rule: str
    text: T
    value: Any
    unit: str
    """money, rate, days, date, flag, text, or "" for a remark without a value."""
    citation: T

    def label(self, language: str) -> str:
        """What the step did, in `language`."""
        return self.text.in_(language)


class Trace:
    """Listens to a computation. This one ignores everything: the bulk case, where telling must cost nothing.

    So a function tells its steps only `if trace.explains`, while a ceiling or a blank is always told.
    """

    __slots__ = ()
    explains = False

    def step(self, rule: Rule, value: Any = None, unit: str = "money", **words: Any) -> None:
        """A provision was applied and gave `value`."""

    def note(self, *rules: Rule) -> None:
        """Provisions that say something about the result without changing it."""

    def contested(self, rule: Rule) -> None:
        """The result rests on one of several readings."""

    def capped(self, rule: Rule, **words: Any) -> None:
        """A ceiling of the statute cut the result."""

    def blank(self, argument: str) -> None:
        """Part of an argument was left blank and counted as 0."""


SILENT = Trace()


class Explanation(Trace):
    """Keeps every step, for PR_EXPLAIN, the report and `calc --explain`."""

    __slots__ = ("steps",)
    explains = True

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def step(self, rule: Rule, value: Any = None, unit: str = "money", **words: Any) -> None:
        text = _both(rule.label, words)
        self.steps.append(Step(rule.id, text, value, unit if value is not None else "", _cite(rule)))

    def note(self, *rules: Rule) -> None:
        for rule in rules:
            self._once(Step(rule.id, rule.label, None, "", _cite(rule)))

    def contested(self, rule: Rule) -> None:
        if rule.contested is not None:
            text = T(f"Contested: {rule.contested.en}", f"Lectura disputada: {rule.contested.es}")
            self._once(Step(rule.id, text, None, "", _cite(rule)))

    def _once(self, remark: Step) -> None:
        """A remark that holds for several lines of a ledger is made once."""
        if remark not in self.steps:
            self.steps.append(remark)

    def remark(self, id: str, text: T, citation: T) -> None:
        """A line that no single provision carries, such as the later history."""
        self.steps.append(Step(id, text, None, "", citation))


class Watch(Trace):
    """Remembers only what a bulk run lists about a row: kind, argument, reason."""

    __slots__ = ("_said", "noticed")

    def __init__(self) -> None:
        self.noticed: list[tuple[str, str, T]] = []
        self._said: dict[tuple[Any, ...], T] = {}

    def capped(self, rule: Rule, **words: Any) -> None:
        key = (rule.id, *words.items())
        said = self._said.get(key)
        if said is None:  # most rows of a run hit the same ceiling: one sentence serves them all
            said = T(*(f"{rule.id}: {text}" for text in _both(rule.label, words)))
            if len(self._said) < 1000:
                self._said[key] = said
        self.noticed.append(("capped", "", said))

    def blank(self, argument: str) -> None:
        reason = T(
            f"{argument} is blank in a pair and was read as 0", f"{argument} está en blanco en un par y se leyó como 0"
        )
        self.noticed.append(("blank", argument, reason))


def _both(label: T, words: Mapping[str, Any]) -> T:
    return T(_filled(label.en, "en", words), _filled(label.es, "es", words))


def _filled(label: str, language: str, words: Mapping[str, Any]) -> str:
    """`label` with its fields; a text among them in the same language."""
    if not words:
        return label
    shown = {name: Figure(word) if isinstance(word, Decimal) else word for name, word in words.items()}
    return label.format(**{name: word.in_(language) if isinstance(word, T) else word for name, word in shown.items()})


def _cite(rule: Rule) -> T:
    return T(rule.citation("en"), rule.citation("es"))


# --------------------------------------------------------------------------------------------------------- functions

KINDS = ("money", "days", "date", "rate", "flag", "text", "any")


class Argument(NamedTuple):
    """One argument of a function, with all that any host shows of it."""

    name: str
    kind: str
    """One of :data:`KINDS`: decides what a cell may hold (see `cells.py`)."""
    help: T
    example: Any
    optional: bool = False
    whole_range: bool = False
    """Takes a range as one list (payments, holidays) instead of element by element."""
    blank_refused: bool = False
    """A blank is not read as 0 but refused: the statute leaves the number to someone who must supply it."""


class Function(NamedTuple):
    """One function of the catalogue, written once: every host, template, page and command comes from this entry."""

    name: str
    compute: Callable[..., Any]
    """Called with one value per argument (None where an optional one is omitted) and `trace=`."""
    arguments: tuple[Argument, ...]
    result: str
    """money, days, date, rate, flag, text, any, or table (spills; one row or more)."""
    help: T
    statute: Optional[Statute]
    rules: tuple[str, ...] = ()
    """Ids of the rules that the function carries."""
    where: str = ""
    """Subdivision of the statute that the function computes."""
    columns: tuple[T, ...] = ()
    """Headings of a table result."""
    explains: str = ""
    """Language of an explanation: `compute` then only finds the function that is to be explained, by its name."""

    @property
    def required(self) -> int:
        """How many arguments must be given."""
        return sum(not a.optional for a in self.arguments)

    @property
    def signature(self) -> str:
        """`PR_LATE_FILE(tax, days, [paid_on_time])`."""
        return f"{self.name}({', '.join(f'[{a.name}]' if a.optional else a.name for a in self.arguments)})"

    def citation(self, language: str) -> str:
        """Where the function's rule stands."""
        return self.statute.citation.text(language, self.where) if self.statute else ""


def catalogue(functions: Iterable[Function]) -> dict[str, Function]:
    """The functions by name, in the order given. Refuses a name used twice."""
    table: dict[str, Function] = {}
    for function in functions:
        if function.name in table:
            raise ValueError(f"{function.name} stands twice in the catalogue")
        table[function.name] = function
    return table
