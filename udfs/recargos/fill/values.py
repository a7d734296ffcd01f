"""One value of client data turned into a cell, by the kind of its column.

The result is what stands in the XML between the cell's address and its end: `"" , "<v>25</v>"` or `' t="inlineStr"'…`.
Text stays text, zeros and all; a number is written as it was read, exactly; a formula in the data is text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from recargos.cells import read_date, read_flag, to_serial
from recargos.cells import read_rate as _rate
from recargos.fill.data import ErrorCell
from recargos.fill.headings import plain
from recargos.fill.problem import BadValue, FillError
from recargos.law import Refusal

Cell = str
"""Type attribute and contents of a cell; "" for a blank."""
Cast = Callable[[Any], Cell]

_PLAIN = re.compile(r"-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,3})?")
_AMOUNT = re.compile(r"([-(]?)\$?((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]*)?|\.[0-9]+)(\)?)(%?)")
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]|_(?=x[0-9A-Fa-f]{4}_)")
_LONGEST = 32_767


def number(value: Any, percent: bool = False) -> Cell:
    """An amount, negative ones too: `1,234.50`, `(250.00)`, `-25`; a rate also `25%`."""
    if type(value) is str:
        if _PLAIN.fullmatch(value):
            return f"<v>{_short(value)}</v>"
        return f"<v>{_amount(value, percent)}</v>" if value.strip() else ""
    if value is None:
        return ""
    if isinstance(value, ErrorCell):
        raise _error(value)
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        raise BadValue(f"“{value}” is not a number", f"«{value}» no es un número")
    if value != value or not -(10.0**15) < value < 10.0**15:
        raise BadValue(f"{value} has more than 15 digits", f"{value} tiene más de 15 dígitos")
    return f"<v>{_short(repr(value))}</v>"


def rate(value: Any) -> Cell:
    """A share: `0.25` or `25%`."""
    return number(value, percent=True)


def _short(digits: str) -> str:
    return digits.rstrip("0").rstrip(".") if "." in digits and "e" not in digits else digits


def _amount(text: str, percent: bool) -> str:
    try:
        if "-" not in text and "(" not in text and "−" not in text:
            return _short(f"{_rate(text) if percent else _rate_without_percent(text):f}")
        positive = re.sub(r"^\s*[-−(]\s*|\s*\)\s*$", "", text)
        match = _AMOUNT.fullmatch(re.sub(r"\s", "", text.replace("−", "-")))
        if match is None or (match[1] == "(") != (match[3] == ")") or (match[4] and not percent):
            raise _unreadable(text)
        return "-" + _short(f"{_rate(positive.replace('(', '')):f}")
    except Refusal as refusal:
        raise BadValue(*refusal.reason) from None


def _rate_without_percent(text: str) -> Decimal:
    if "%" in text:
        raise _unreadable(text)
    return _rate(text)


def _unreadable(text: object) -> BadValue:
    return BadValue(f"“{text}” is not an amount", f"«{text}» no es una cantidad")


def _error(value: object) -> BadValue:
    return BadValue(f"the data holds the error {value}", f"el dato contiene el error {value}")


def remembered(cast: Cast) -> Cast:
    """`cast` that reads each text once: columns of dates, flags and choices repeat themselves."""
    known: dict[str, Cell] = {}

    def quick(value: Any) -> Cell:
        if type(value) is not str:
            return cast(value)
        cell = known.get(value)
        if cell is None:
            cell = cast(value)
            if len(known) < 50_000:
                known[value] = cell
        return cell

    return quick


def whole(value: Any) -> Cell:
    """Whole days or a count."""
    cell = number(value)
    if cell and "." in cell:
        raise BadValue(f"“{value}” is not a whole number", f"«{value}» no es un número entero")
    return cell


def text(value: Any) -> Cell:
    """Text as it is: `007` keeps its zeros, `=1+1` and `#REF!` are letters."""
    kind = type(value)
    if kind is not str:
        if value is None:
            return ""
        if isinstance(value, ErrorCell):
            raise _error(value)
        if kind is bool:
            value = "TRUE" if value else "FALSE"
        elif isinstance(value, (datetime, date)):
            value = value.isoformat()[:10]
        elif isinstance(value, (int, float)):
            value = f"{value:.15g}"
        else:
            value = str(value)
    if not value:
        return ""
    if len(value) > _LONGEST:
        raise BadValue(
            f"the text has {len(value):,} characters; a cell holds {_LONGEST:,}",
            f"el texto tiene {len(value):,} caracteres; una celda admite {_LONGEST:,}",
        )
    if "&" in value or "<" in value or ">" in value:
        value = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if "\r" in value:
        value = value.replace("\r\n", "\n").replace("\r", "\n")
    if not value.isprintable() or "_x" in value:
        # As Excel stores what XML cannot hold; and an underscore that would read as such an escape.
        value = _ILLEGAL.sub(lambda m: f"_x{ord(m[0]):04X}_", value)
    if value.isalnum():
        return f' t="inlineStr"><is><t>{value}</t></is>'
    return f' t="inlineStr"><is><t xml:space="preserve">{value}</t></is>'


def flag_of(words: tuple[str, str] | None) -> Cast:
    """Yes or no: as one of the column's two words where it has them, else TRUE or FALSE."""

    def flag(value: Any) -> Cell:
        if value is None or (type(value) is str and not value.strip()):
            return ""
        if isinstance(value, ErrorCell):
            raise _error(value)
        if words and type(value) is str and plain(value) in (plain(words[0]), plain(words[1])):
            answer = plain(value) == plain(words[0])
        else:
            try:
                answer = read_flag(
                    {"y": "yes", "s": "sí", "n": "no", "1": True, "0": False}.get(str(value).strip().lower(), value)
                )
            except Refusal as refusal:
                raise BadValue(*refusal.reason) from None
        if words:
            return text(words[0] if answer else words[1])
        return f' t="b"><v>{int(answer)}</v>'

    return remembered(flag)


def choice_of(words: Sequence[str], translations: Mapping[str, str]) -> Cast:
    """One of the listed words, spelled as in the list; or its translation."""
    known = {plain(word): text(listed) for word, listed in translations.items()}
    known |= {plain(word): text(word) for word in words}

    def choice(value: Any) -> Cell:
        if value is None or (type(value) is str and not value.strip()):
            return ""
        if isinstance(value, ErrorCell):
            raise _error(value)
        cell = known.get(plain(str(value)))
        if cell is None:
            raise BadValue(f"“{value}” is not one of {', '.join(words)}", f"«{value}» no es una de {', '.join(words)}")
        return cell

    return remembered(choice)


def date_of(pattern: str = "", date1904: bool = False) -> Cast:
    """A day: a real date, or text as ISO 2025-03-04, or in the stated `pattern`; never a guess."""
    parse = date_parser(pattern) if pattern else None

    def day(value: Any) -> Cell:
        if value is None or (type(value) is str and not value.strip()):
            return ""
        if isinstance(value, ErrorCell):
            raise _error(value)
        try:
            if parse is not None and type(value) is str:
                value = parse(value.strip())
            elif type(value) is str and not _ISO.fullmatch(value.strip()):
                raise BadValue(
                    f"“{value}” is not a date such as 2025-03-04; state its order with --date-format mm/dd/yyyy or dd/mm/yyyy",
                    f"«{value}» no es una fecha como 2025-03-04; indique su orden con --date-format mm/dd/yyyy o dd/mm/yyyy",
                )
            return f"<v>{to_serial(read_date(value), date1904)}</v>"
        except Refusal as refusal:
            raise BadValue(*refusal.reason) from None

    return remembered(day)


_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TOKENS = {
    "yyyy": r"(?P<y>[0-9]{4})",
    "yy": r"(?P<y>[0-9]{2})",
    "mmm": r"(?P<b>[^\W\d]{3,4})\.?",
    "mm": r"(?P<m>[0-9]{1,2})",
    "m": r"(?P<m>[0-9]{1,2})",
    "dd": r"(?P<d>[0-9]{1,2})",
    "d": r"(?P<d>[0-9]{1,2})",
}
_MONTHS = {
    name: n
    for names in ("jan feb mar apr may jun jul aug sep oct nov dec", "ene feb mar abr may jun jul ago sep oct nov dic")
    for n, name in enumerate(names.split(), 1)
} | {"sept": 9}


def date_parser(pattern: str) -> Callable[[str], date]:
    """A reader for dates written as `pattern`: yyyy or yy, mm or mmm, dd and what stands between. Two-digit years are 1970 to 2069."""
    pieces = re.split(r"(yyyy|yy|mmm|mm|m|dd|d)", pattern.strip().lower().replace("aaaa", "yyyy").replace("aa", "yy"))
    try:
        regex = re.compile("".join(_TOKENS.get(piece) or re.escape(piece) for piece in pieces))
        complete = {"y", "d"} <= set(regex.groupindex) and ("m" in regex.groupindex) != ("b" in regex.groupindex)
    except re.error:
        complete = False
    if not complete:
        raise FillError(
            f"“{pattern}” is not a date format such as mm/dd/yyyy.",
            f"«{pattern}» no es un formato de fecha como mm/dd/yyyy.",
        )

    def parse(written: str) -> date:
        match = regex.fullmatch(written)
        if match is None:
            raise BadValue(f"“{written}” is not a date as {pattern}", f"«{written}» no es una fecha como {pattern}")
        parts: Mapping[str, str] = match.groupdict()
        year = int(parts["y"])
        if year < 100:
            year += 1900 if year >= 70 else 2000
        month = int(parts["m"]) if "m" in parts else _MONTHS.get(parts["b"].lower(), 0)
        try:
            return date(year, month, int(parts["d"]))
        except ValueError:
            raise BadValue(f"there is no day {written}", f"no existe el día {written}") from None

    return parse


def for_format(code: str, date1904: bool = False) -> Cast:
    """How a lone cell with this number format reads a text."""
    from recargos.fill.target import by_format

    kind = by_format(code)
    if kind == "date":
        return date_of("", date1904)
    if kind in ("number", "rate"):
        return rate if kind == "rate" else number
    return text if kind == "text" else _number_or_text


def _number_or_text(value: Any) -> Cell:
    try:
        return number(value)
    except BadValue:
        return text(value)
