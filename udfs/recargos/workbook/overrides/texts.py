"""Functions of texts. Each works element by element over ranges."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from recargos.workbook.overrides.formats import format_value
from recargos.workbook.overrides.values import (
    DOUBT,
    VALUE,
    Failed,
    cells,
    doubt,
    lifted,
    logical,
    number,
    parsed,
    text,
    whole,
)

Value = Any
_LIMIT = 32767


def _count(value: Value) -> int:
    n = number(value)
    if n < 0:
        raise Failed(VALUE) if n <= -1 else doubt()
    return int(n)


def _len(value: Value) -> float:
    return float(_units(text(value)))


def _units(string: str) -> int:
    """Excel counts UTF-16 units."""
    return len(string) + sum(1 for c in string if ord(c) > 0xFFFF)


def _simple(string: str) -> str:
    """A text that can be cut at any place."""
    if any(ord(c) > 0xFFFF for c in string):
        raise doubt()
    return string


def _left(value: Value, count: Value = 1.0) -> str:
    return _simple(text(value))[: _count(count)]


def _right(value: Value, count: Value = 1.0) -> str:
    string, n = _simple(text(value)), _count(count)
    return string[-n:] if n else ""


def _mid(value: Value, start: Value, count: Value) -> str:
    string, first, n = _simple(text(value)), int(number(start)), _count(count)
    if first < 1:
        raise Failed(VALUE)
    return string[first - 1 : first - 1 + n]


def _proper(value: Value) -> str:
    string = text(value)
    out, inside = [], False
    for letter in string:
        out.append(letter.lower() if inside else letter.upper())
        inside = letter.isalpha()
    return "".join(out)


def _trim(value: Value) -> str:
    return re.sub(" +", " ", text(value).strip(" "))


def _clean(value: Value) -> str:
    return "".join(c for c in text(value) if ord(c) >= 32)


def _find(needle: Value, haystack: Value, start: Value = 1.0) -> float:
    return _position(text(haystack), start, lambda string, at: string.find(text(needle), at))


def _search(needle: Value, haystack: Value, start: Value = 1.0) -> float:
    pattern = re.compile(wildcard(text(needle)), re.IGNORECASE | re.DOTALL)

    def look(string: str, at: int) -> int:
        match = pattern.search(string, at)
        return match.start() if match else -1

    return _position(text(haystack), start, look)


def _position(string: str, start: Value, look: Callable[[str, int], int]) -> float:
    at = int(number(start))
    if at < 1 or at > len(_simple(string)) + 1:
        raise Failed(VALUE)
    found = look(string, at - 1)
    if found < 0:
        raise Failed(VALUE)
    return float(found + 1)


def wildcard(pattern: str) -> str:
    """A regular expression for `*`, `?` and `~`."""
    out, at = [], 0
    while at < len(pattern):
        letter = pattern[at]
        if letter == "~" and at + 1 < len(pattern) and pattern[at + 1] in "*?~":
            at += 1
            out.append(re.escape(pattern[at]))
        elif letter == "*":
            out.append(".*")
        elif letter == "?":
            out.append(".")
        else:
            out.append(re.escape(letter))
        at += 1
    return "".join(out)


def has_wildcard(pattern: str) -> bool:
    """Whether a criterion is more than a plain text."""
    return any(c in pattern for c in "*?~")


def _substitute(value: Value, old: Value, new: Value, instance: Value = None) -> str:
    string, before, after = text(value), text(old), text(new)
    if instance is None:
        return string.replace(before, after) if before else string
    n = int(number(instance))
    if n < 1:
        raise Failed(VALUE)
    if not before:
        return string
    at = -1
    for _ in range(n):
        at = string.find(before, at + 1 if at < 0 else at + len(before))
        if at < 0:
            return string
    return string[:at] + after + string[at + len(before) :]


def _replace(value: Value, start: Value, count: Value, new: Value) -> str:
    string, first, n = _simple(text(value)), int(number(start)), _count(count)
    if first < 1:
        raise Failed(VALUE)
    return string[: first - 1] + text(new) + string[first - 1 + n :]


def _rept(value: Value, count: Value) -> str:
    string, n = text(value), _count(count)
    if len(string) * n > _LIMIT:
        raise Failed(VALUE)
    return string * n


def _money(value: Value, decimals: Value = 2.0) -> str:
    places = whole(decimals)
    amount = _rounded(number(value), places)
    shown = f"{abs(amount):,.{max(places, 0)}f}"
    return f"(${shown})" if amount < 0 else f"${shown}"


def _fixed(value: Value, decimals: Value = 2.0, no_commas: Value = False) -> str:
    places = whole(decimals)
    amount = _rounded(number(value), places)
    return f"{amount:{'' if logical(no_commas) else ','}.{max(places, 0)}f}"


def _rounded(value: float, places: int) -> Decimal:
    if abs(places) > 30 or abs(value) >= 1e15:
        raise doubt()
    amount = Decimal(f"{value:.15g}").quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return abs(amount) if amount == 0 else amount


def _value(value: Value) -> float:
    if type(value) is bool:
        raise Failed(VALUE)
    return parsed(value) if type(value) is str else number(value)


def _char(value: Value) -> str:
    code = int(number(value))
    if not 1 <= code <= 255:
        raise Failed(VALUE)
    if 128 <= code < 160:
        return bytes([code]).decode("cp1252", "replace")
    return chr(code)


def _code(value: Value) -> float:
    string = text(value)
    if not string:
        raise Failed(VALUE)
    try:
        return float(string[0].encode("cp1252")[0])
    except UnicodeEncodeError:
        return 63.0


def _unichar(value: Value) -> str:
    code = int(number(value))
    if not 1 <= code <= 0x10FFFF or 0xD800 <= code < 0xE000:
        raise Failed(VALUE)
    return chr(code)


def _unicode(value: Value) -> float:
    string = text(value)
    if not string:
        raise Failed(VALUE)
    return float(ord(string[0]))


def _concat(*values: Value) -> Value:
    return _join("", True, values, keep_blank=True)


def _textjoin(delimiter: Value, skip: Value, *values: Value) -> Value:
    if type(delimiter) is list or type(skip) is list:
        return DOUBT
    try:
        return _join(text(delimiter), logical(skip), values, keep_blank=False)
    except Failed as failed:
        return failed.result


def _join(delimiter: str, skip: bool, values: tuple[Value, ...], keep_blank: bool) -> Value:
    parts: list[str] = []
    for value in values:
        for cell in cells(value):
            if type(cell) is dict:
                return cell
            try:
                part = text(cell)
            except Failed as failed:
                return failed.result
            if part or not skip or keep_blank:
                parts.append(part)
    joined = delimiter.join(parts)
    return joined if len(joined) <= _LIMIT else VALUE


def _hyperlink(link: Value, shown: Value = None) -> Value:
    return text(link) if shown is None else shown


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "LEN": lifted(_len),
    "LEFT": lifted(_left),
    "RIGHT": lifted(_right),
    "MID": lifted(_mid),
    "UPPER": lifted(lambda v: text(v).upper()),
    "LOWER": lifted(lambda v: text(v).lower()),
    "PROPER": lifted(_proper),
    "TRIM": lifted(_trim),
    "CLEAN": lifted(_clean),
    "CONCATENATE": lifted(lambda *parts: "".join([text(p) for p in parts])),
    "CONCAT": _concat,
    "TEXTJOIN": _textjoin,
    "FIND": lifted(_find),
    "SEARCH": lifted(_search),
    "SUBSTITUTE": lifted(_substitute),
    "REPLACE": lifted(_replace),
    "REPT": lifted(_rept),
    "EXACT": lifted(lambda a, b: text(a) == text(b)),
    "TEXT": lifted(format_value),
    "VALUE": lifted(_value),
    "DOLLAR": lifted(_money),
    "FIXED": lifted(_fixed),
    "CHAR": lifted(_char),
    "CODE": lifted(_code),
    "UNICHAR": lifted(_unichar),
    "UNICODE": lifted(_unicode),
    "HYPERLINK": lifted(_hyperlink),
}
