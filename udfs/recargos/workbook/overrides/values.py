"""What a value is to Excel: text to number and back, comparison at 15 digits, element by element over ranges.

The engine hands over float, int, str, bool, None (blank), a dict for an error, and lists of rows for a range. Where
Excel's answer is not known for certain, a function answers :data:`DOUBT`, which no other function of ours swallows:
the cell is then reported as unsupported and keeps its value.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

Value = Any
"""float | int | str | bool | None | dict (an error) | list[list[Value]]"""


def error(kind: str) -> dict[str, str]:
    """An error as the engine has it."""
    return {"type": "Error", "kind": kind}


VALUE, DIV, NUM, NA, REF, NULL = (error(kind) for kind in ("Value", "Div", "Num", "Na", "Ref", "Null"))
DOUBT = error("NImpl")
"""The answer where Excel's is not known: takes precedence over everything."""


class Failed(Exception):
    """A function's result is an error value."""

    def __init__(self, result: dict[str, str]) -> None:
        super().__init__(result["kind"])
        self.result = result


def doubt() -> Failed:
    """Raise it where Excel's answer is not certain."""
    return Failed(DOUBT)


def is_doubt(value: Value) -> bool:
    """Whether a value is :data:`DOUBT`."""
    return type(value) is dict and value["kind"] not in _KNOWN


_KNOWN = {"Value", "Div", "Num", "Na", "Ref", "Null", "Name"}

# ------------------------------------------------------------------------------------------------ element by element


def lifted(function: Callable[..., Value], *, errors: bool = False) -> Callable[..., Value]:
    """A function of single values that takes ranges too, element by element as Excel does.

    `errors`: the function wants to see errors; otherwise the first one is the result.
    """

    def one(*values: Value) -> Value:
        for value in values:
            if type(value) is dict and (not errors or value["kind"] not in _KNOWN):
                return value
        try:
            result = function(*values)
        except Failed as failed:
            return failed.result
        except (OverflowError, ZeroDivisionError, ValueError):
            return NUM
        if type(result) is float and (result != result or result in (math.inf, -math.inf)):
            return NUM
        return result

    def spread(*arguments: Value) -> Value:
        for argument in arguments:
            if type(argument) is list:
                return over(one, arguments)
        return one(*arguments)

    return spread


def over(one: Callable[..., Value], arguments: tuple[Value, ...]) -> list[list[Value]]:
    """`one` for each element; single rows and columns repeat, beyond the end of a range is #N/A."""
    lists = [a for a in arguments if type(a) is list]
    height = max(len(a) for a in lists)
    width = max(len(a[0]) for a in lists)
    columns: list[list[Value]] = []
    for argument in arguments:
        if type(argument) is not list:
            columns.append([argument] * (height * width))
            continue
        rows = argument * height if len(argument) == 1 else argument
        flat: list[Value] = []
        for index in range(height):
            row = rows[index] if index < len(rows) else [NA] * len(rows[0])
            flat += row * width if len(row) == 1 else row + [NA] * (width - len(row))
        columns.append(flat)
    results = list(map(one, *columns))
    return [results[start : start + width] for start in range(0, height * width, width)]


def cells(value: Value) -> Iterator[Value]:
    """Every value of a range, row by row; a single value is itself."""
    if type(value) is list:
        for row in value:
            yield from row
    else:
        yield value


def rows(value: Value) -> list[list[Value]]:
    """A range as rows; a single value is 1 × 1."""
    return value if type(value) is list else [[value]]


# ------------------------------------------------------------------------------------------------------- numbers


def number(value: Value) -> float:
    """A value where a number is wanted."""
    kind = type(value)
    if kind is float:
        return value  # type: ignore[no-any-return]
    if value is None:
        return 0.0
    if kind is bool or kind is int:
        return float(value)
    if kind is dict:
        raise Failed(value)
    if kind is str:
        return parsed(value)
    raise doubt()


def whole(value: Value) -> int:
    """A number cut to a whole one."""
    return math.trunc(number(value))


_PLAIN = re.compile(r"[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,3})?|\.[0-9]+(?:[eE][+-]?[0-9]{1,3})?")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]*)?")
_MONEY = re.compile(
    r"(?P<open>\()?\s*(?P<sign>[+-]?)\s*\$?\s*(?P<inner>[+-]?)(?P<digits>[0-9.,]+(?:[eE][+-]?[0-9]{1,3})?)\s*(?P<percent>%?)\s*(?P<close>\))?\s*(?P<after>%?)"
)


def parsed(text: str) -> float:
    """The number that Excel (US English) reads in a text: `1,234.5`, `$5`, `(5)`, `10%`, `2024-01-31`, `12:30 PM`."""
    stripped = text.strip(" ")
    if _PLAIN.fullmatch(stripped):
        value = float(stripped)
        if math.isinf(value) or len(re.sub(r"\D", "", stripped.split("e")[0].split("E")[0]).lstrip("0")) > 15:
            raise Failed(VALUE) if math.isinf(value) else doubt()
        return value
    if not stripped:
        raise Failed(VALUE)
    match = _MONEY.fullmatch(stripped)
    if match is not None:
        amount = _money(match)
        if amount is not None:
            return amount
        raise Failed(VALUE) if not re.search(r"[0-9]", stripped) else doubt()
    if re.search(r"[0-9]", stripped) is None:
        # Without a digit only a month with a year of its own could be a date, and that has digits.
        if any(c.isnumeric() or unicodedata.category(c) == "Sc" for c in stripped if not c.isascii()):
            raise doubt()  # other scripts' digits, other currencies; accented letters are just letters
        raise Failed(VALUE)
    from recargos.workbook.overrides.dates import read_date_text

    return read_date_text(stripped)


def _money(match: re.Match[str]) -> float | None:
    digits = match["digits"]
    if "," in digits and not _THOUSANDS.fullmatch(digits):
        return None
    plain = digits.replace(",", "")
    if not _PLAIN.fullmatch(plain) or len(re.sub(r"\D", "", plain).lstrip("0")) > 15:
        return None
    signs = match["sign"] + match["inner"]
    if bool(match["open"]) != bool(match["close"]) or (match["open"] and signs) or len(signs) > 1:
        return None
    percents = len(match["percent"]) + len(match["after"])
    if percents > 1 or (match["after"] and not match["close"]):
        return None
    value = float(plain) / 100.0**percents
    return -value if match["open"] or signs == "-" else value


def fifteen(value: float) -> float:
    """A number at the 15 significant digits that Excel compares and shows."""
    return float(f"{value:.14e}")


# ---------------------------------------------------------------------------------------------------------- text


def text(value: Value) -> str:
    """A value where a text is wanted."""
    kind = type(value)
    if kind is str:
        return value  # type: ignore[no-any-return]
    if value is None:
        return ""
    if kind is bool:
        return "TRUE" if value else "FALSE"
    if kind is dict:
        raise Failed(value)
    if kind is list:
        raise doubt()
    return general(float(value))


def general(value: float) -> str:
    """A number as text: 15 significant digits, no exponent from 1E-5 up to 1E20."""
    if value == 0:
        return "0"
    mantissa, _, exponent = f"{abs(value):.14e}".partition("e")
    digits = (mantissa[0] + mantissa[2:]).rstrip("0")
    power = int(exponent)
    sign = "-" if value < 0 else ""
    if 0 <= power < 20:
        if len(digits) <= power + 1:
            return sign + digits + "0" * (power + 1 - len(digits))
        return f"{sign}{digits[: power + 1]}.{digits[power + 1 :]}"
    if -5 <= power < 0 and len(digits) - power <= 19:
        return f"{sign}0.{'0' * (-power - 1)}{digits}"
    if len(digits) <= 10 and (power >= 20 or power < -18):
        shown = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
        return f"{sign}{shown}E{'+' if power > 0 else '-'}{abs(power):02d}"
    raise doubt()  # sources disagree on where small numbers change to an exponent


def logical(value: Value) -> bool:
    """A value where a yes/no is wanted."""
    kind = type(value)
    if kind is bool:
        return value  # type: ignore[no-any-return]
    if value is None:
        return False
    if kind is float or kind is int:
        return bool(value)
    if kind is dict:
        raise Failed(value)
    if kind is str:
        folded = value.upper()
        if folded in ("TRUE", "FALSE"):
            return bool(folded == "TRUE")
        raise Failed(VALUE)
    raise doubt()


# ---------------------------------------------------------------------------------------------------- comparison

_PLAIN_TEXT = re.compile(r"[A-Za-z0-9 ]*")


def compare(left: Value, right: Value) -> int:
    """-1, 0 or 1. Numbers before texts before yes/no; numbers at 15 digits, texts without regard to case."""
    if left is None:
        left = _blank_as(right)
    if right is None:
        right = _blank_as(left)
    left_rank, right_rank = _rank(left), _rank(right)
    if left_rank != right_rank:
        return -1 if left_rank < right_rank else 1
    if left_rank == 1:
        one, other = left.casefold(), right.casefold()
        if one == other:
            return 0
        if _PLAIN_TEXT.fullmatch(left) and _PLAIN_TEXT.fullmatch(right):
            return -1 if one < other else 1
        return _collated(one, other)
    if left == right:
        return 0
    if left_rank == 0:
        one, other = fifteen(float(left)), fifteen(float(right))
        if one == other:
            return 0
        return -1 if one < other else 1
    return -1 if left < right else 1


def equal(left: Value, right: Value) -> bool:
    """Whether Excel's `=` holds."""
    if type(left) is str and type(right) is str:
        return left.casefold() == right.casefold()
    return compare(left, right) == 0


def _collated(one: str, other: str) -> int:
    """Order of texts with marks or accents: decided only where they first differ in plain letters or digits."""
    for a, b in zip(one, other, strict=False):
        if a != b:
            if _PLAIN_TEXT.fullmatch(a + b):
                if "-" in one or "-" in other or "'" in one or "'" in other:
                    break  # Excel passes over hyphens and apostrophes at first
                return -1 if a < b else 1
            break
    else:
        return -1 if len(one) < len(other) else 1
    raise doubt()


def _rank(value: Value) -> int:
    kind = type(value)
    if kind is str:
        return 1
    if kind is bool:
        return 2
    if kind is dict:
        raise Failed(value)
    if kind is list:
        raise doubt()
    return 0


def _blank_as(other: Value) -> Value:
    if type(other) is str:
        return ""
    if type(other) is bool:
        return False
    return 0.0


EPOCH = date(1899, 12, 30).toordinal()
