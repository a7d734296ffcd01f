"""What a cell may hold: the one table by which every host reads arguments and shows results.

| in          | money, days, rate               | date                           | flag      | text     |
|-------------|---------------------------------|--------------------------------|-----------|----------|
| error value | the same error comes out        | same                           | same      | same     |
| blank cell  | 0                               | #VALUE! required, else omitted | FALSE     | ""       |
| number      | read at 15 significant digits   | serial day, from 61 on         | 0/1       | its text |
| text        | one US/PR grammar; rates `25%`  | ISO 2025-03-04 only            | yes/sí/no | itself   |
| TRUE/FALSE  | #VALUE!                         | #VALUE!                        | itself    | its text |
| date        | #VALUE!                         | itself, time dropped           | #VALUE!   | ISO text |

Negative money or more than 15 digits is #NUM!. A range in an argument works element by element; sizes match or are
1 × 1, else #VALUE!. Nothing here raises: what cannot be computed is an error value, and a defect is #VALUE! and a log
line.

Standard library only, Python 3.9 syntax: LibreOffice and Pyodide run this file.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime, timedelta
from decimal import Context, Decimal, getcontext, localcontext, setcontext
from functools import lru_cache
from typing import Any, Callable, Optional

from recargos.law import OMITTED as OMITTED
from recargos.law import SILENT, Argument, CellError, Explanation, Function, Refusal, Step, T, Watch
from recargos.money import DIGITS, EXACT, LIMIT, ZERO, exact, whole

log = logging.getLogger("recargos")

Notice = Callable[[str, str, T], None]
"""Told of what a bulk run must list: kind (blank, error, unreadable, capped), argument, reason."""

_DAY_ZERO = date(1899, 12, 30)
_SHIFT_1904 = 1462
"""Days between the two date systems of workbooks."""
_FIRST_SERIAL = 61
"""1900-03-01. Before it serials are off by one, and serial 60 is a day that never was."""
_LAST_SERIAL = 2958465
_FIFTEEN = Context(prec=DIGITS)
_SHORT = 999999999999999.5
"""From here on a float shows as 16 digits."""
_AMOUNT = re.compile(r"([-(]?)\$?((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]*)?|\.[0-9]+)(\)?)(%?)")
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_FLAGS = {"true": True, "false": False, "yes": True, "no": False, "sí": True, "si": True}


class _ErrorIn(Exception):
    """An input cell already held an error: it passes through unchanged."""

    def __init__(self, error: CellError) -> None:
        super().__init__(error.value)
        self.error = error


def to_serial(day: date, date1904: bool = False) -> int:
    """The serial number under which a workbook stores `day`."""
    return (day - _DAY_ZERO).days - (_SHIFT_1904 if date1904 else 0)


def from_serial(serial: float, date1904: bool = False) -> date:
    """The day that a workbook's serial number stands for; a time of day is dropped.

    :raises Refusal: `#NUM!` below serial 61 or after 9999-12-31.
    """
    number = serial + _SHIFT_1904 if date1904 else serial
    # In both systems: 0 is what a formula on a blank cell leaves, and must not become a date.
    if serial < _FIRST_SERIAL or not _FIRST_SERIAL <= number < _LAST_SERIAL + 1:
        raise _number(f"{serial:g} is not a date", f"{serial:g} no es una fecha")
    return _DAY_ZERO + timedelta(days=int(number))


def _number(en: str, es: str) -> Refusal:
    return Refusal(CellError.NUM, T(en, es))


def _value(en: str, es: str) -> Refusal:
    return Refusal(CellError.VALUE, T(en, es))


# ----------------------------------------------------------------------------------------- reading, one kind at a time


def _amount_text(text: str, percent: bool) -> Decimal:
    """A number typed as text: `$1,234.56`, `(250.00)`, `-3`; for rates also `25%`."""
    compact = re.sub(r"\s", "", text.replace("−", "-"))
    # A space inside the digits would join two numbers into one: only the outside and the sign may have them.
    match = _AMOUNT.fullmatch(compact)
    inner = re.search(r"[0-9.,]\s+[0-9.,]", text)
    if match is None or inner or (match[1] == "(") != (match[3] == ")") or (match[4] and not percent):
        raise _value(f"“{text}” is not an amount", f"“{text}” no es una cantidad")
    digits = match[2].replace(",", "")
    if len(digits.replace(".", "").lstrip("0")) > DIGITS:
        raise _number(f"“{text}” has more than 15 digits", f"“{text}” tiene más de 15 dígitos")
    number = Decimal(digits)
    if match[1]:
        number = -number
    return number / 100 if match[4] else number


def _decimal(value: Any, percent: bool = False) -> Decimal:
    """Any number that a cell may hold, exact at 15 digits. The general path behind the fast ones."""
    kind = type(value)
    if value is None:
        return ZERO
    if isinstance(value, CellError):
        raise _ErrorIn(value)
    if isinstance(value, bool):
        raise _value("TRUE or FALSE is not a number", "VERDADERO o FALSO no es un número")
    if isinstance(value, str):
        return _amount_text(value, percent)
    if isinstance(value, date):
        raise _value("a date is not an amount", "una fecha no es una cantidad")
    if kind is float or isinstance(value, float):
        if not -_SHORT < value < _SHORT:  # a NaN is not within either
            raise _number("the number has more than 15 digits", "el número tiene más de 15 dígitos")
        number = exact(value)
    elif isinstance(value, (int, Decimal)):
        number = Decimal(value)
        if not number.is_finite():
            raise _number("not a finite number", "no es un número finito")
        number = _FIFTEEN.plus(number) if abs(number) < LIMIT else number
    else:
        raise _value(f"a {kind.__name__} is not a number", f"un {kind.__name__} no es un número")
    if abs(number) >= LIMIT:
        raise _number("the number has more than 15 digits", "el número tiene más de 15 dígitos")
    return number


@lru_cache(maxsize=1 << 17)
def _dollars(value: float) -> Decimal:
    """An ordinary amount. Kept, because a row hands the same one to several functions, and engines go by columns."""
    return exact(value)


def read_money(value: Any) -> Decimal:
    """Dollars: exact, not negative."""
    if type(value) is float and 0.0 < value < _SHORT:
        return _dollars(value)
    number = _decimal(value)
    if number < 0:
        raise _number("the amount is negative", "la cantidad es negativa")
    return abs(number)  # a float's -0.0 is 0


def read_rate(value: Any) -> Decimal:
    """A share: 0.25, or the text `25%`."""
    number = _decimal(value, percent=True)
    if number < 0:
        raise _number("the rate is negative", "la tasa es negativa")
    return abs(number)


def read_days(value: Any) -> int:
    """Whole days; a fraction is cut off, as spreadsheet functions do."""
    if type(value) is float and -1e9 < value < 1e9:
        return int(exact(value))
    return whole(_decimal(value))


def read_flag(value: Any) -> bool:
    """Yes or no."""
    if value is None:
        return False
    if isinstance(value, bool):
        return value
    if isinstance(value, CellError):
        raise _ErrorIn(value)
    if isinstance(value, (int, float, Decimal)):
        if value in (0, 1):
            return bool(value)
        raise _value("a yes/no takes 1 or 0", "un sí/no admite 1 o 0")
    if isinstance(value, str):
        flag = _FLAGS.get(unicodedata.normalize("NFC", value.strip()).lower())
        if flag is not None:
            return flag
        raise _value(f"“{value}” is neither yes nor no", f"“{value}” no es ni sí ni no")
    raise _value("a date is neither yes nor no", "una fecha no es ni sí ni no")


def read_text(value: Any) -> str:
    """Text as the cell shows it."""
    if value is None:
        return ""
    if isinstance(value, CellError):
        raise _ErrorIn(value)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, date):
        return value.isoformat()[:10]
    if not isinstance(value, (int, float, Decimal)):
        raise _value("not a text", "no es un texto")
    return f"{float(value):.15g}"


def read_date(value: Any, date1904: bool = False) -> date:
    """A day; a time of day is dropped. Text only as ISO 2025-03-04, never a guess."""
    if isinstance(value, datetime):
        return _checked(value.date())
    if isinstance(value, date):
        return _checked(value)
    if isinstance(value, CellError):
        raise _ErrorIn(value)
    if value is None:
        raise _value("the date is blank", "la fecha está en blanco")
    if isinstance(value, bool):
        raise _value("TRUE or FALSE is not a date", "VERDADERO o FALSO no es una fecha")
    if isinstance(value, str):
        if not _ISO_DATE.fullmatch(value.strip()):
            raise _value(f"“{value}” is not a date such as 2025-03-04", f"“{value}” no es una fecha como 2025-03-04")
        try:
            return _checked(date.fromisoformat(value.strip()))
        except ValueError:
            raise _value(f"there is no day {value}", f"no existe el día {value}") from None
    if isinstance(value, (int, float, Decimal)):
        serial = float(value)
        if not -_LAST_SERIAL <= serial < _LAST_SERIAL + 1:  # a NaN is not within either
            raise _number(f"{value} is not a date", f"{value} no es una fecha")
        return from_serial(serial, date1904)
    raise _value("not a date", "no es una fecha")


def _checked(day: date) -> date:
    if to_serial(day) < _FIRST_SERIAL:
        raise _number(f"{day} is before 1900-03-01", f"{day} es anterior a 1900-03-01")
    return day


Reader = Callable[[Any], Any]


def reader(argument: Argument, date1904: bool, notice: Optional[Notice]) -> Reader:
    """How one argument reads one cell, its blanks and omissions included."""
    read: Reader
    if argument.kind == "any":
        return lambda value: value
    if argument.kind == "date":

        def read(value: Any) -> Any:
            return read_date(value, date1904)

    else:
        read = {"money": read_money, "rate": read_rate, "days": read_days, "flag": read_flag, "text": read_text}[
            argument.kind
        ]
    if argument.whole_range:
        return _list_reader(read)
    name, optional = argument.name, argument.optional
    blank_omits = argument.kind == "date" and optional
    refused = argument.blank_refused or (argument.kind == "date" and not optional)
    plain = read

    def careful(value: Any) -> Any:
        if value is None or value is OMITTED:
            if (value is OMITTED and optional) or (value is None and blank_omits):
                return None
            if value is OMITTED or refused:
                if notice and value is None:
                    notice("blank", name, T(f"{name} is blank", f"{name} está en blanco"))
                raise _value(f"{name} is missing", f"falta {name}")
            if notice and not optional:
                notice(
                    "blank", name, T(f"{name} is blank and was read as 0", f"{name} está en blanco y se leyó como 0")
                )
        return plain(value)

    if argument.kind == "money":

        def fast_money(value: Any) -> Any:
            if type(value) is float:
                if 0.0 < value < _SHORT:
                    return _dollars(value)
                if value == 0.0:
                    return ZERO
            return careful(value)

        return fast_money
    if argument.kind == "days":

        def fast_days(value: Any) -> Any:
            if type(value) is float and -1e9 < value < 1e9 and value.is_integer():
                return int(value)
            return careful(value)

        return fast_days
    return careful


def _list_reader(read: Reader) -> Reader:
    """A whole range as one list; blanks stay None so that pairs of columns keep step."""

    def read_list(value: Any) -> Optional[list[Any]]:
        if value is OMITTED:
            return None
        cells = [cell for row in value for cell in row] if isinstance(value, (list, tuple)) else [value]
        return [None if cell is None or cell is OMITTED else read(cell) for cell in cells]

    return read_list


# ---------------------------------------------------------------------------------------------------- showing results


def _shown(value: Any) -> Any:
    """A result as a cell holds it."""
    if isinstance(value, Decimal):
        return float(value)
    if value is None:
        return ""
    return value


def _shown_table(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [[_shown(value) for value in row] for row in rows]


# ------------------------------------------------------------------------------------------------------------ calling


def caller(function: Function, *, date1904: bool = False, notice: Optional[Notice] = None) -> Callable[..., Any]:
    """`function` prepared once for many calls, each with one scalar (or whole range) per argument.

    The result is a float, int, bool, str, date, :class:`CellError`, or a list of rows for a table. Never raises.
    `notice` hears of blanks in required arguments, errors, unreadable cells and capped results.
    """
    one = prepared(function, date1904=date1904, notice=notice)

    def guarded(*raw: Any) -> Any:
        before = getcontext()
        setcontext(EXACT)  # a host's other functions may have changed the thread's precision or rounding
        try:
            return one(*raw)
        finally:
            setcontext(before)

    return guarded


def exactly() -> AbstractContextManager[Context]:
    """The decimal context under which the law is computed, whatever a host's other functions did to the thread's."""
    return localcontext(EXACT)


def prepared(function: Function, *, date1904: bool = False, notice: Optional[Notice] = None) -> Callable[..., Any]:
    """Like :func:`caller`, for a host that makes its calls within :func:`exactly`: entered once, not at every call."""
    if function.explains:
        return _explainer(function, date1904)
    readers = [reader(argument, date1904, notice) for argument in function.arguments]
    compute, required, most = function.compute, function.required, len(function.arguments)
    money = function.result in ("money", "rate")
    show = _shown_table if function.result == "table" else _shown
    watch = Watch() if notice else None
    trace = watch or SILENT

    def one(*raw: Any) -> Any:
        if watch and watch.noticed:  # left over from a call that was refused after its ceiling
            watch.noticed.clear()
        try:
            if not required <= len(raw) <= most:
                raise _value(
                    f"{function.name} takes {function.signature}", f"{function.name} admite {function.signature}"
                )
            result = compute(*[read(value) for read, value in zip(readers, raw)], trace=trace)
            if watch and watch.noticed:
                _tell(watch, notice)
            return float(result) if money else show(result)
        except _ErrorIn as passed:
            if notice:
                notice(
                    "error",
                    _at_fault(function, raw, date1904),
                    T(f"an input holds {passed.error}", f"un dato contiene {passed.error}"),
                )
            return passed.error
        except Refusal as refusal:
            if notice:
                notice("unreadable", _at_fault(function, raw, date1904), refusal.reason)
            return refusal.error
        except OverflowError:
            return CellError.NUM
        except Exception:
            log.exception("%s failed on %r", function.name, raw)
            return CellError.VALUE

    return one


def _tell(watch: Watch, notice: Optional[Notice]) -> None:
    for kind, argument, reason in watch.noticed:
        if notice:
            notice(kind, argument, reason)
    watch.noticed.clear()


def _at_fault(function: Function, raw: Sequence[Any], date1904: bool) -> str:
    """The first argument that cannot be read, or "" when the rule itself refused."""
    for argument, value in zip(function.arguments, raw):
        try:
            reader(argument, date1904, None)(value)
        except (Refusal, _ErrorIn):
            return argument.name
    return ""


def call(
    function: Function, arguments: Sequence[Any], *, date1904: bool = False, notice: Optional[Notice] = None
) -> Any:
    """Call `function` as a cell does: scalars, or ranges as rows of cells, which work element by element.

    Returns a scalar, or a list of rows where an argument was a range of more than one cell or the result is a table.
    Never raises.
    """
    with exactly():
        return _spread(function, arguments, prepared(function, date1904=date1904, notice=notice))


def _spread(function: Function, arguments: Sequence[Any], one: Callable[..., Any]) -> Any:
    """One call, spread over the cells of its ranges."""
    shape = (1, 1)
    spread: list[Any] = []
    for position, value in enumerate(arguments):
        elementwise = position < len(function.arguments) and not function.arguments[position].whole_range
        rows: Any = value if elementwise and isinstance(value, (list, tuple)) else None
        if rows is not None and not isinstance(rows[0] if rows else None, (list, tuple)):
            rows = [rows]
        spread.append(rows)
        size = (len(rows), len(rows[0])) if rows is not None else (1, 1)
        if size != (1, 1):
            if 0 in size or shape not in ((1, 1), size) or any(len(row) != size[1] for row in rows or ()):
                return CellError.VALUE
            shape = size
    if shape == (1, 1):
        return one(*[rows[0][0] if rows is not None else value for rows, value in zip(spread, arguments)])
    if function.result == "table":
        return CellError.VALUE  # a table cannot spill inside a range of tables
    height, width = shape
    columns: list[Sequence[Any]] = []
    for rows, value in zip(spread, arguments):
        if rows is None or (len(rows), len(rows[0])) == (1, 1):
            columns.append([rows[0][0] if rows is not None else value] * (height * width))
        else:
            columns.append([cell for row in rows for cell in row])
    flat = list(map(one, *columns))
    return [flat[start : start + width] for start in range(0, height * width, width)]


# --------------------------------------------------------------------------------------------------------- explaining


def explain(function: Function, arguments: Sequence[Any], *, date1904: bool = False) -> list[Step]:
    """Every step of one call, its result last but for the law's later history. Never raises: an error is a step too."""
    with exactly():
        return _explained(function, arguments, date1904)


def _explained(function: Function, arguments: Sequence[Any], date1904: bool) -> list[Step]:
    if function.explains:
        return _explained_by_name(function, arguments, date1904)
    trace = Explanation()
    citation = T(function.citation("en"), function.citation("es"))
    try:
        if not function.required <= len(arguments) <= len(function.arguments):
            raise _value(f"the function takes {function.signature}", f"la función admite {function.signature}")
        values = []
        for argument, value in zip(function.arguments, arguments):
            if isinstance(value, (list, tuple)) and not argument.whole_range:
                if len(value) == 1 and isinstance(value[0], (list, tuple)) and len(value[0]) == 1:
                    value = value[0][0]
                else:
                    raise _value(
                        "explain one call at a time, not a range", "explique una llamada a la vez, no un rango"
                    )
            values.append(reader(argument, date1904, None)(value))
        result = function.compute(*values, trace=trace)
        if function.result != "table":
            unit = function.result
            trace.steps.append(Step("", T(f"{function.name}", f"{function.name}"), result, unit, citation))
    except _ErrorIn as passed:
        text = T(f"an input cell holds {passed.error}", f"una celda de entrada contiene {passed.error}")
        trace.steps.append(Step("", text, passed.error, "text", citation))
    except Refusal as refusal:
        trace.steps.append(Step("", refusal.reason, refusal.error, "text", citation))
    except OverflowError:
        text = T("the date is beyond the year 9999", "la fecha pasa del año 9999")
        trace.steps.append(Step("", text, CellError.NUM, "text", citation))
    except Exception:
        log.exception("explaining %s failed on %r", function.name, arguments)
        text = T("a defect of the software; see the log", "un defecto del programa; vea el registro")
        trace.steps.append(Step("", text, CellError.VALUE, "text", citation))
    if function.statute is not None:
        trace.remark("", function.statute.later, citation)
    return trace.steps


def _explained_by_name(function: Function, arguments: Sequence[Any], date1904: bool) -> list[Step]:
    """The steps of the call that PR_EXPLAIN's own arguments name; one step with the reason when they name none."""
    nowhere = T("", "")
    try:
        if not arguments or arguments[0] is OMITTED:
            raise _value("which function?", "¿qué función?")
        name = arguments[0][0][0] if isinstance(arguments[0], (list, tuple)) else arguments[0]
        explained = function.compute(read_text(name))
    except _ErrorIn as passed:
        text = T(f"an input cell holds {passed.error}", f"una celda de entrada contiene {passed.error}")
        return [Step("", text, passed.error, "text", nowhere)]
    except Refusal as refusal:
        return [Step("", refusal.reason, refusal.error, "text", nowhere)]
    except OverflowError:
        text = T("that is not the name of a function", "eso no es el nombre de una función")
        return [Step("", text, CellError.NUM, "text", nowhere)]
    given = list(arguments[1:])
    while given and given[-1] is OMITTED:
        given.pop()
    return _explained(explained, given, date1904)


def _explainer(function: Function, date1904: bool) -> Callable[..., Any]:
    """PR_EXPLAIN and PR_EXPLICAR: `compute` finds the function by name, its steps become the table."""
    language = function.explains

    def one(*raw: Any) -> Any:
        steps = _explained_by_name(function, raw, date1904)
        if len(steps) == 1 and isinstance(steps[0].value, CellError) and not steps[0].citation.en:
            return steps[0].value  # no function of that name
        return [[step.label(language), _shown(step.value), step.citation.in_(language)] for step in steps]

    return one
