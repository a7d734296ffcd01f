"""PR_ functions as the engine calls them: arguments and results translated, notices kept with what they were about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from typing import Any, NamedTuple

from recargos.cells import call as call_cells
from recargos.cells import prepared, to_serial
from recargos.law import OMITTED, CellError, Function, T
from recargos.statutes import FUNCTIONS
from recargos.workbook.engine import Call
from recargos.workbook.formulas import Run
from recargos.workbook.overrides.dates import use_1904
from recargos.workbook.syntax import Node

IN = {
    "Null": CellError.NULL, "Div": CellError.DIV0, "Value": CellError.VALUE, "Ref": CellError.REF,
    "Name": CellError.NAME, "Num": CellError.NUM, "Na": CellError.NA,
}  # fmt: skip
OUT = {error: {"type": "Error", "kind": kind} for kind, error in IN.items()}
_SHIFT = 21
"""Bits of an identification that hold the row."""
_FLAGGED = 1_000_000
"""Calls whose notices are kept; further ones are counted."""

Told = tuple[str, str, T]


class PrCall(NamedTuple):
    """A PR_ call in a translated formula."""

    function: str
    """Name in the catalogue."""
    name: str
    """Name under which the engine calls it: one for each pattern of omitted arguments."""
    arguments: tuple[Node, ...]
    """As the formula has them, omitted ones included."""
    ident: int
    """Placeholder of its identification argument; 0 = the call has none, it is found by its arguments."""

    def complete(self, values: list[Any]) -> list[Any]:
        """The arguments with omitted ones behind cut off."""
        while values and values[-1] is OMITTED:
            values.pop()
        return values


def variant(function: str, arguments: tuple[Node, ...], omitted: tuple[int, ...], ident: bool) -> str:
    """Name of the engine's function for a pattern of omitted arguments: the engine would hand them over as 0."""
    if not omitted and not ident:
        return function
    return f"{function}.{'I' if ident else 'A'}{len(arguments)}" + "".join(f".{position}" for position in omitted)


class Registry:
    """The functions of one run, and the notices that they gave."""

    def __init__(self, date1904: bool) -> None:
        self.date1904 = date1904
        self.by_arguments: dict[str, dict[tuple[Any, ...], tuple[Told, ...]]] = defaultdict(dict)
        """By the engine's function, by its arguments."""
        self.with_flags: dict[str, dict[tuple[Any, ...], tuple[Told, ...]]] = defaultdict(dict)
        """Those with a yes/no among the arguments, by the arguments and their types."""
        self._told: dict[tuple[Told, ...], tuple[Told, ...]] = {}
        self.left_off = 0
        """Calls that gave notice after the memory for notices was full."""
        self.by_ident: dict[int, list[Told]] = {}
        self._pending: list[Told] = []
        self._recorded: list[Call] | None = None
        self._calls: list[tuple[Run, PrCall]] = []
        self._flagged = 0
        self._installed: set[str] = set()

    # ------------------------------------------------------------------------------------- identification
    def idents(self, run: Run, translation: Any) -> Mapping[int, int]:
        """The numbers that stand for the placeholders of a translation in the cells of `run`."""
        numbers = {}
        for call in translation.calls:
            if call.ident:
                self._calls.append((run, call))
                numbers[call.ident] = (len(self._calls) - 1) << _SHIFT
        return numbers

    def where(self, number: int) -> tuple[Run, PrCall, int]:
        """The run, call and row of an identification."""
        run, call = self._calls[number >> _SHIFT]
        return run, call, number & ((1 << _SHIFT) - 1)

    def forget(self, run: Run, rows: set[int]) -> None:
        """Drop what identified calls in these rows said: the cells are computed anew by other formulas."""
        for index, (owner, _) in enumerate(self._calls):
            if owner is run:
                for row in rows:
                    self.by_ident.pop(index << _SHIFT | row, None)

    @contextmanager
    def recording(self) -> Iterator[list[Call]]:
        """Collect the identified calls that are made meanwhile."""
        self._recorded = []
        try:
            yield self._recorded
        finally:
            self._recorded = None

    # ------------------------------------------------------------------------------------------- functions
    def install(self, book: Any, names: set[str]) -> None:
        """Register what the formulas of a workbook call."""
        from recargos.workbook.overrides.functions import FUNCTIONS as OVERRIDES

        use_1904(self.date1904)
        for name in names - self._installed:
            if name.startswith("PR_"):
                book.register_function(name, self._function(name), min_args=0, max_args=None)
            else:
                book.register_function(name, OVERRIDES[name], min_args=0, max_args=None, allow_override_builtin=True)
        self._installed |= names

    def _function(self, name: str) -> Callable[..., Any]:
        base, _, pattern = name.partition(".")
        function = FUNCTIONS[base]
        one = prepared(function, date1904=self.date1904, notice=self._tell)  # the engine evaluates within exactly()
        positions = tuple(int(p) for p in pattern.split(".")[1:])
        ident = pattern.startswith("I")
        pending = self._pending
        slow = self._slow(function, one)

        def plain(*arguments: Any) -> Any:
            for argument in arguments:
                kind = type(argument)
                if kind is dict or kind is list:
                    result = slow(arguments)
                    break
            else:
                result = one(*arguments)
            if pending:
                self._flag(name, arguments)
            return result if type(result) is float else _out(result, self.date1904)

        if not pattern:
            return plain
        length = int(pattern.split(".")[0][1:])

        def spread(*arguments: Any) -> Any:
            given = list(arguments[1:]) if ident else list(arguments)
            for position in positions:
                given.insert(position, OMITTED)
            del given[length:]
            result = slow(tuple(given))
            if ident:
                number = int(arguments[0])
                if self._recorded is not None:
                    trimmed = given[:]
                    while trimmed and trimmed[-1] is OMITTED:
                        trimmed.pop()
                    self._recorded.append(Call(base, tuple(_in(a) for a in trimmed)))
                if self._recorded is None:
                    if not pending:
                        self.by_ident.pop(number, None)
                    elif len(self.by_ident) < _FLAGGED:
                        self.by_ident[number] = list(pending)
                pending.clear()
            elif pending:
                self._flag(name, tuple(given))
            return _out(result, self.date1904)

        return spread

    def _slow(self, function: Function, one: Callable[..., Any]) -> Callable[[tuple[Any, ...]], Any]:
        whole = [argument.whole_range for argument in function.arguments]

        def slow(arguments: tuple[Any, ...]) -> Any:
            values = [_in(argument) for argument in arguments]
            if any(isinstance(v, tuple) and not (i < len(whole) and whole[i]) for i, v in enumerate(values)):
                return call_cells(function, values, date1904=self.date1904, notice=self._tell)
            return one(*values)

        return slow

    def _tell(self, kind: str, argument: str, reason: T) -> None:
        self._pending.append((kind, argument, reason))

    def _flag(self, name: str, arguments: tuple[Any, ...]) -> None:
        told = tuple(self._pending)
        self._pending.clear()
        if self._flagged >= _FLAGGED:
            self.left_off += 1
            return
        self._flagged += 1
        told = self._told.setdefault(told, told)
        try:
            self.by_arguments[name][arguments] = told
        except TypeError:  # an error cell is a dict, a range a list
            arguments = tuple(as_key(a) for a in arguments)
            self.by_arguments[name][arguments] = told
        if bool in map(type, arguments):
            self.with_flags[name][arguments, tuple(map(type, arguments))] = told

    def told_of(self, name: str, arguments: tuple[Any, ...]) -> tuple[Told, ...] | None:
        """What a call with these arguments gave notice of."""
        flagged = self.by_arguments.get(name)
        if not flagged:
            return None
        try:
            told = flagged.get(arguments)
        except TypeError:
            arguments = tuple(as_key(a) for a in arguments)
            told = flagged.get(arguments)
        if told is None or name not in self.with_flags:
            return told
        # To Python 1 and TRUE are one key, to a statute they are not.
        types = tuple(map(type, arguments))
        if bool in types or any((arguments, other) in self.with_flags[name] for other in _with_bools(types)):
            return self.with_flags[name].get((arguments, types))
        return told


def _with_bools(types: tuple[type, ...]) -> Iterator[tuple[type, ...]]:
    """The types that equal arguments may have, some numbers being yes/no."""
    for chosen in range(1, 1 << len(types)):
        yield tuple(bool if chosen >> at & 1 and kind is float else kind for at, kind in enumerate(types))


def as_key(value: Any) -> Any:
    """An engine's value as part of a dictionary's key."""
    if type(value) is dict:
        return IN.get(value["kind"], CellError.VALUE)
    if isinstance(value, (list, tuple)):
        return tuple(as_key(v) for v in value)
    return value


def _in(value: Any) -> Any:
    """An engine's value as :mod:`recargos.cells` takes it."""
    if type(value) is dict:
        return IN.get(value["kind"], CellError.VALUE)
    if isinstance(value, (list, tuple)):
        return tuple(_in(v) for v in value)
    return value


def _out(value: Any, date1904: bool) -> Any:
    """A result of :mod:`recargos.cells` as the engine takes it."""
    if isinstance(value, CellError):
        return OUT[value]
    if isinstance(value, date):
        return float(to_serial(value, date1904))
    if isinstance(value, (list, tuple)):
        return [_out(v, date1904) for v in value]
    if type(value) is int:
        return float(value)
    return value
