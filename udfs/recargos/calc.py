"""LibreOffice Calc: every function of the catalogue as a method of one UNO component, none is written here.

Calc decides a good deal before the component is called, the same in 7.4 and 25.2:

* A blank cell alone is the number 0.0; inside a range it is the text "". TRUE is the number 1.0, a date its serial.
* A cell with an error means no call at all: Calc shows that error. One error cell in a range shows Err:504 (`#VALUE!`)
  for the whole range.
* Dates count from the day that the document says, 1899-12-30 unless it came from a 1904 workbook. So functions that
  take or give dates ask the document, which Calc hands over as a hidden first argument.

A true error goes back as a NaN that carries Calc's error code, TRUE and FALSE as 1 and 0. Standard library only, Python
3.9 syntax: this file runs inside LibreOffice, whose own Python is older on some systems. The UNO side is
`addin/calc/recargos_calc.py`.
"""

# ruff: noqa: UP045, UP035, B905
from __future__ import annotations

import struct
from collections.abc import Sequence
from datetime import date
from typing import Any, Callable, NamedTuple, Optional, cast

from recargos import cells
from recargos.law import OMITTED, Argument, CellError, Function
from recargos.statutes import FUNCTIONS

MODULE = "org.recargos.calc"
INTERFACE = "XFunctions"
SERVICE = f"{MODULE}.Functions"
"""Name of the component; with the method behind it, a function's name in Calc's files."""
HIDDEN = "document"
"""The argument that Calc itself fills in."""

CODES = {
    CellError.NULL: 521,
    CellError.DIV0: 532,
    CellError.VALUE: 519,
    CellError.REF: 524,
    CellError.NAME: 525,
    CellError.NUM: 503,
    CellError.NA: 32767,
}
"""Calc's own error codes."""
ERRORS = {code: error for error, code in CODES.items()}
_QUIET_NAN = 0x7FF8000000000000
_ERROR_BITS = 0xFFFFFFFF


def error_number(error: CellError) -> float:
    """The float that Calc takes as the true error `error`."""
    return cast(float, struct.unpack("<d", struct.pack("<Q", _QUIET_NAN | CODES[error]))[0])


def error_of(number: float) -> CellError:
    """The error that a NaN from Calc carries; `#VALUE!` for those that Excel doesn't have."""
    (bits,) = struct.unpack("<Q", struct.pack("<d", number))
    return ERRORS.get(bits & _ERROR_BITS, CellError.VALUE)


NUMBERS = {error: error_number(error) for error in CODES}


class Method(NamedTuple):
    """A function of the catalogue as Calc knows it."""

    name: str
    """Method of the UNO interface, `prLateFile`."""
    function: Function
    arguments: tuple[str, ...]
    """Names of the arguments, without underscores: UNO's names know none."""
    dated: bool
    """Takes or gives dates, so the document is its hidden first argument."""

    @property
    def calc_name(self) -> str:
        """How a file names it, and how Calc finds it in every version: `ORG.RECARGOS.CALC.FUNCTIONS.PRLATEFILE`."""
        return f"{SERVICE}.{self.name}".upper()


def camel(name: str) -> str:
    """`paid_on_time` becomes `paidOnTime`."""
    first, *rest = name.lower().split("_")
    return first + "".join(word.capitalize() for word in rest)


def _dated(function: Function) -> bool:
    kinds = {argument.kind for argument in function.arguments}
    return "date" in kinds or function.result in ("date", "table") or bool(function.explains)


METHODS: dict[str, Method] = {
    function.name: Method(
        camel(function.name), function, tuple(camel(argument.name) for argument in function.arguments), _dated(function)
    )
    for function in FUNCTIONS.values()
}
"""By the name in formulas, `PR_LATE_FILE`."""


# ------------------------------------------------------------------------------------------------------- day zero

_ZERO_1904 = (1904, 1, 1)
_ZERO_STARCALC = (1900, 1, 1)


class Epoch(NamedTuple):
    """How a document counts its days, beside the usual 1899-12-30."""

    date1904: bool = False
    shift: int = 0
    """Days to add to a serial; only for StarCalc's own day zero, 1900-01-01, which no workbook format knows."""


USUAL = Epoch()


def epoch(document: Any) -> Epoch:
    """Ask the document (its `NullDate`). Without one, or where it cannot tell, days count as usual."""
    try:
        zero = document.getPropertyValue("NullDate")
    except Exception:  # whatever UNO raises; a document of another kind
        return USUAL
    day = (zero.Year, zero.Month, zero.Day)
    if day == _ZERO_1904:
        return Epoch(date1904=True)
    return Epoch(shift=2) if day == _ZERO_STARCALC else USUAL


# ------------------------------------------------------------------------------------------------- values in and out


def incoming(argument: Optional[Argument], raw: Any, shift: int = 0) -> Any:
    """One argument as `cells` reads it. None from Calc is an argument left out."""
    if raw is None:
        return OMITTED
    kind = argument.kind if argument else "any"
    if isinstance(raw, tuple):
        rows = raw if raw and isinstance(raw[0], tuple) else (raw,)
        return [[None if value == "" else _cell(value, kind, shift) for value in row] for row in rows]
    if raw == 0.0 and (kind in ("date", "text") or (argument and argument.blank_refused)):
        # A blank cell arrives as 0.0. No date and no text is 0, and where a blank must not pass for 0 neither may this.
        return None
    return _cell(raw, kind, shift)


def _cell(value: Any, kind: str, shift: int) -> Any:
    if isinstance(value, float):
        if value != value:
            return error_of(value)
        return value + shift if shift and kind == "date" else value
    return value


def outgoing(value: Any, days: Epoch = USUAL) -> Any:
    """One result as Calc takes it."""
    if isinstance(value, CellError):
        return NUMBERS[value]
    if isinstance(value, date):
        return float(cells.to_serial(value, days.date1904) - days.shift)
    if isinstance(value, str):
        return value
    # Not even TRUE goes out as itself: inside a sequence of `any` Calc reads a UNO boolean as whatever lies in memory.
    return "" if value is None else float(value)


def _explained(raw: Sequence[Any]) -> tuple[Optional[Argument], ...]:
    """For PR_EXPLAIN: its own first argument, then those of the function that it explains."""
    name = raw[0] if raw and isinstance(raw[0], str) else ""
    function = FUNCTIONS.get(name.strip().lstrip("=").upper())
    own = FUNCTIONS["PR_EXPLAIN"].arguments[0]
    return (own, *(function.arguments if function else ()))


def handler(method: Method) -> Callable[..., tuple[tuple[Any, ...], ...]]:
    """What Calc calls for one function: raw UNO values in, rows of cells out. Never raises."""
    function = method.function
    one: dict[bool, Callable[..., Any]] = {}
    always = function.result in ("date", "table") or bool(function.explains)
    dates = [n for n, argument in enumerate(function.arguments) if argument.kind == "date"]

    def scalar(date1904: bool) -> Callable[..., Any]:
        if date1904 not in one:
            one[date1904] = cells.caller(function, date1904=date1904)
        return one[date1904]

    def run(*raw: Any) -> tuple[tuple[Any, ...], ...]:
        try:
            days = USUAL
            if method.dated:
                document, raw = raw[0], raw[1:]
                # Asking costs as much as the call itself, and most calls leave their only date out.
                if always or any(raw[n] is not None for n in dates):
                    days = epoch(document)
            given = list(raw)
            while given and given[-1] is None:
                given.pop()
            arguments = _explained(given) if function.explains else function.arguments
            known = [arguments[n] if n < len(arguments) else None for n in range(len(given))]
            values = [incoming(argument, value, days.shift) for argument, value in zip(known, given)]
            if any(isinstance(value, list) for value in values):
                result = cells.call(function, values, date1904=days.date1904)
            else:
                result = scalar(days.date1904)(*values)
            rows = result if isinstance(result, list) else [[result]]
            return tuple(tuple(outgoing(value, days) for value in row) for row in rows)
        except Exception:  # a defect shows in the cell as an error, never as a figure
            cells.log.exception("%s failed in Calc", function.name)
            return ((NUMBERS[CellError.VALUE],),)

    return run


HANDLERS: dict[str, Callable[..., tuple[tuple[Any, ...], ...]]] = {
    method.name: handler(method) for method in METHODS.values()
}
"""By the method's name: the component is a loop over this."""
