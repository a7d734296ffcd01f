"""A function down a whole column: what :func:`recargos.cells.prepared` gives row by row, ordinary rows in one go.

Ordinary is a row whose arguments are read without remark and whose rule gives a number. All other rows are computed one
at a time, so that there is one answer to every row, whichever way it was found.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from recargos.cells import Reader, prepared, reader
from recargos.law import Argument, Function, T, Watch

Told = tuple[str, str, T]
"""Kind (blank, error, unreadable, capped), argument, reason."""

_STRETCH = 1024
"""Rows that go the long way together when one of them is not ordinary."""


class Answers(NamedTuple):
    """What came of a column."""

    values: list[Any]
    """A row each, as `cells.prepared` gives them."""
    told: dict[int, tuple[Told, ...]]
    """By row, from 0: what a bulk run must list."""


class Columns:
    """Functions down columns of the same rows. A column that several of them read is read once.

    To be used within :func:`recargos.cells.exactly`.
    """

    def __init__(self, *, date1904: bool = False) -> None:
        self.date1904 = date1904
        self._read: dict[tuple[object, ...], list[list[Any] | None]] = {}
        self._held: list[Sequence[Any]] = []
        self._same: dict[tuple[Told, ...], tuple[Told, ...]] = {}

    def compute(self, function: Function, columns: Sequence[Sequence[Any]]) -> Answers:
        """`function` with a column of scalars for each of its first arguments, all of the same length. Never raises."""
        told: dict[int, tuple[Told, ...]] = {}
        values: list[Any] = []
        pairs = zip(function.arguments, columns, strict=False)
        read = [self._stretches(argument, column) for argument, column in pairs]
        fits = function.required <= len(columns) <= len(function.arguments) and not function.explains
        for number, stretches in enumerate(zip(*read, strict=True)):
            start = number * _STRETCH
            done = _ordinary(function, stretches) if fits and None not in stretches else None
            if done is None:
                done = self._singly(function, [column[start : start + _STRETCH] for column in columns])
            values += done.values
            for row, what in done.told.items():
                told[start + row] = self._same.setdefault(what, what)
        return Answers(values, told)

    def _stretches(self, argument: Argument, column: Sequence[Any]) -> list[list[Any] | None]:
        """The column as the argument reads it; None for a stretch in which some cell calls for a remark."""
        key = (id(column), argument.kind, argument.optional, argument.blank_refused, argument.whole_range)
        stretches = self._read.get(key)
        if stretches is None:
            read = reader(argument, self.date1904, _remark)
            stretches = [_read(read, column[at : at + _STRETCH]) for at in range(0, len(column), _STRETCH)]
            self._read[key] = stretches
            self._held.append(column)  # while it lives, nothing else has its id
        return stretches

    def _singly(self, function: Function, columns: Sequence[Sequence[Any]]) -> Answers:
        told: list[Told] = []

        def notice(kind: str, argument: str, reason: T) -> None:
            told.append((kind, argument, reason))

        one = prepared(function, date1904=self.date1904, notice=notice)
        answers = Answers([], {})
        for row, arguments in enumerate(zip(*columns, strict=True)):
            answers.values.append(one(*arguments))
            if told:
                answers.told[row] = tuple(told)
                told.clear()
        return answers


class _Remarked(Exception):
    """A cell was read with a remark."""


def _remark(_kind: str, _argument: str, _reason: T) -> None:
    raise _Remarked


def _read(read: Reader, cells: Sequence[Any]) -> list[Any] | None:
    try:
        return list(map(read, cells))
    except Exception:  # whatever it is, it is met again, and told, when the row is computed by itself
        return None


def _ordinary(function: Function, columns: Sequence[Any]) -> Answers | None:
    """The rows computed in one go; None when one of them is not ordinary."""
    compute, trace = function.compute, Watch()
    noticed = trace.noticed
    answers = Answers([], {})
    add, told = answers.values.append, answers.told
    try:
        for arguments in zip(*columns, strict=True):
            add(compute(*arguments, trace=trace))
            if noticed:
                told[len(answers.values) - 1] = tuple(noticed)
                noticed.clear()
    except Exception:
        return None
    if function.result in ("money", "rate"):
        return Answers(list(map(float, answers.values)), told) if set(map(type, answers.values)) == {Decimal} else None
    return answers if function.result == "days" and set(map(type, answers.values)) == {int} else None
