"""xlwings Lite (Excel on Windows, Mac and the web): the catalogue as custom functions, in Pyodide.

`addin/lite/main.py` is all that a person puts into the Lite editor. There a blank cell is None (or JavaScript's
null), an error is its name, a whole number an int, and a range a list of rows.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from datetime import date, datetime
from typing import Any

from recargos import cells
from recargos.law import CellError, Function
from recargos.statutes import FUNCTIONS

ERRORS = {error.value: error for error in CellError}
Decorator = Callable[..., Any]


def incoming(value: Any) -> Any:
    """One argument as `cells` reads it. A range of one cell is that cell."""
    if isinstance(value, (list, tuple)):
        rows = [row if isinstance(row, (list, tuple)) else [row] for row in value]
        read = [[_cell(cell) for cell in row] for row in rows]
        return read[0][0] if len(read) == 1 and len(read[0]) == 1 else read
    return _cell(value)


def _cell(value: Any) -> Any:
    if value is None or type(value).__name__ == "JsNull":
        return None
    if isinstance(value, str):
        return ERRORS.get(value, value)  # an error cell arrives as its name, and no cell of money reads like one
    if isinstance(value, datetime):
        return datetime(value.year, value.month, value.day)
    return value


def outgoing(result: Any) -> Any:
    """A result as Lite shows it: the names of errors become true errors there."""
    if isinstance(result, list):
        return [[outgoing(cell) for cell in row] for row in result]
    if isinstance(result, CellError):
        return result.value
    if isinstance(result, date):
        return datetime(result.year, result.month, result.day)
    return result


def custom_function(function: Function) -> Callable[..., Any]:
    """The function with the signature that Lite offers in the formula bar."""

    def run(*given: Any, **named: Any) -> Any:
        bound = signature.bind(*given, **named)
        values = [bound.arguments.get(argument.name, cells.OMITTED) for argument in function.arguments]
        read = [value if value is cells.OMITTED else incoming(value) for value in values]
        # Lite gives an omitted argument as None: for an optional one that is the same as leaving it out.
        for position, argument in enumerate(function.arguments):
            if argument.optional and read[position] is None:
                read[position] = cells.OMITTED
        return outgoing(cells.call(function, read))

    parameter = inspect.Parameter
    signature = inspect.Signature(
        [
            parameter(a.name, parameter.POSITIONAL_OR_KEYWORD, default=None if a.optional else parameter.empty)
            for a in function.arguments
        ]
    )
    run.__name__ = run.__qualname__ = function.name
    run.__doc__ = f"{function.help.en}\n\n{function.help.es}"
    run.__annotations__ = {}
    run.__signature__ = signature  # type: ignore[attr-defined]
    return run


def register(func: Decorator, namespace: dict[str, Any], functions: Iterable[Function] = FUNCTIONS.values()) -> None:
    """Put every function under its own name into `namespace`, through the host's decorator `func`."""
    for function in functions:
        namespace[function.name] = func(custom_function(function))
