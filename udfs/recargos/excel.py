"""Excel on Windows through xlwings: every function of the catalogue becomes a UDF, none is written here.

Excel calls the wrapper in `recargos.xlam`, the wrapper calls this module in its own Python process. What pywin32 hands
over is taken raw, for reasons that each cost a silent wrong figure otherwise:

* xlwings reads an error cell as None, which would be a tax of 0. Raw, an error is the integer of its SCODE, which no
  number cell ever is, and stays apart from text that merely reads "#N/A".
* xlwings reads the text "" as None, so a formula that shows nothing would be 0. Raw, it is text, and text is no amount.

Results go out as rows: numbers, text, TRUE/FALSE, real dates, and errors as their names, because pywin32 cannot carry
an error out. The wrapper turns the names into true errors.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from typing import Any

import xlwings as xw

from recargos import cells
from recargos.addin.excel_vba import argument_name, short
from recargos.law import CellError, Function
from recargos.statutes import FUNCTIONS

SCODES = {
    -2146826288: CellError.NULL,
    -2146826281: CellError.DIV0,
    -2146826273: CellError.VALUE,
    -2146826265: CellError.REF,
    -2146826259: CellError.NAME,
    -2146826252: CellError.NUM,
    -2146826246: CellError.NA,
}
"""How pywin32 shows the errors that Excel's own functions know (SCODE of VT_ERROR)."""
OTHER_SCODES = range(-2146826287, -2146826200)
"""Newer errors, #SPILL! and #CALC! among them: an input that cannot be computed is never a 0, so they are #VALUE!."""
CATEGORY = "Puerto Rico Tax"
DATE1904 = "date1904"
"""Last argument of every UDF. The wrapper fills it in: it is not among the arguments that a formula gives."""


def incoming(value: Any) -> Any:
    """One argument as `cells` reads it: a scalar, or rows of cells."""
    if isinstance(value, (tuple, list)):
        rows = value if value and isinstance(value[0], (tuple, list)) else (value,)
        return [[cell if type(cell) is float else _cell(cell) for cell in row] for row in rows]
    return _cell(value)


def _cell(value: Any) -> Any:
    if type(value) is int:
        error = SCODES.get(value)
        if error is None and value in OTHER_SCODES:
            return CellError.VALUE
        return value if error is None else error
    if isinstance(value, datetime):  # pywin32's own subclass, stamped UTC without meaning it
        return datetime(value.year, value.month, value.day)
    return value


def outgoing(result: Any) -> list[list[Any]]:
    """Rows of what COM can carry."""
    rows = result if isinstance(result, list) else [[result]]
    return [[cell if type(cell) is float else _sent(cell) for cell in row] for row in rows]


def _sent(value: Any) -> Any:
    if isinstance(value, CellError):
        return value.value
    if isinstance(value, date):  # pywin32 shifts a naive time by the machine's zone; stamped UTC it leaves it alone
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return value


def udf(function: Function) -> Callable[..., list[list[Any]]]:
    """The function as xlwings registers it: `__signature__` and `__doc__` are what the VBA wrapper is made from."""

    def run(*given: Any) -> list[list[Any]]:
        *arguments, date1904 = given
        values = [value if value is cells.OMITTED else incoming(value) for value in arguments]
        return outgoing(cells.call(function, values, date1904=bool(date1904)))

    parameter, positional = inspect.Parameter, inspect.Parameter.POSITIONAL_OR_KEYWORD
    run.__name__ = run.__qualname__ = function.name
    run.__doc__ = short(function.help.en)
    run.__annotations__ = {}  # xlwings would take hints for converters, and fail at the call
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            parameter(argument_name(a.name), positional, default=cells.OMITTED if a.optional else parameter.empty)
            for a in function.arguments
        ]
        + [parameter(DATE1904, positional, default=False)]
    )
    registered: Any = xw.arg(DATE1904, "raw", vba="IsDate1904", doc="")(run)
    for argument in function.arguments:
        registered = xw.arg(argument_name(argument.name), "raw", doc=short(argument.help.en))(registered)
    decorated: Callable[..., list[list[Any]]] = xw.func(category=CATEGORY)(xw.ret("raw")(registered))
    return decorated


def register(namespace: dict[str, Any], functions: Sequence[Function]) -> None:
    """Put every function under its own name, where xlwings looks for it."""
    for function in functions:
        namespace[function.name] = udf(function)


register(globals(), list(FUNCTIONS.values()))
