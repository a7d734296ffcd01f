"""Values as a sheet's XML stores them: the attribute `t` and the text of `<v>`."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import datetime, time

from recargos.law import CellError

Value = float | int | bool | str | None | CellError
"""What a cell shows. Dates are their serials; None is a cell without a value."""

NUMBER, STRING, SHARED, BOOLEAN, ERROR, INLINE, DATE = range(7)
RICH = 0x80
"""Added to a cell's type where it has `vm`, which names a rich value or an error of Excel's own."""
TYPES = {b"n": NUMBER, b"str": STRING, b"s": SHARED, b"b": BOOLEAN, b"e": ERROR, b"inlineStr": INLINE, b"d": DATE}
_NAMES = {STRING: b"str", BOOLEAN: b"b", ERROR: b"e"}
_ERRORS = {error.value: error for error in CellError}
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ENTITY = re.compile(r"&(#[0-9]+|#x[0-9A-Fa-f]+|amp|lt|gt|quot|apos);")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_TO_ESCAPE = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")


def unescaped(text: str) -> str:
    """XML text without its entity references."""
    return _ENTITY.sub(_entity, text) if "&" in text else text


def _entity(match: re.Match[str]) -> str:
    name = match[1]
    if name[0] != "#":
        return _ENTITIES[name]
    code = int(name[2:], 16) if name[1] == "x" else int(name[1:])
    return chr(code) if code < 0x110000 else "\ufffd"


def plain_text(raw: bytes, errors: str = "strict") -> str:
    """The text of an element as XML means it."""
    text = raw.decode("utf-8", errors)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return unescaped(text)


def decoded(kind: int, text: str, strings: Sequence[str], date1904: bool = False) -> Value:
    """The value behind `t` and the text of `<v>` or `<is>`. Text that is no number where one should be is that text."""
    if kind == NUMBER:
        if not text or text.isspace():
            return None
        try:
            return float(text)
        except ValueError:
            return text
    if kind == BOOLEAN:
        word = text.strip()
        return word in ("1", "true", "on") if word else None
    if kind == ERROR:
        word = text.strip()
        return _ERRORS.get(word, CellError.VALUE) if word else None
    if kind == SHARED:
        index = text.strip()
        return strings[int(index)] if index.isdigit() and int(index) < len(strings) else None
    if kind == DATE:
        return _serial(text.strip(), date1904)
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def _serial(text: str, date1904: bool) -> Value:
    """ISO 8601, as strict workbooks store dates: `2021-01-01T10:10:10`, `2021-01-01`, `10:10:10`."""
    try:
        if "-" in text:
            moment = datetime.fromisoformat(text).replace(tzinfo=None)
            gap = moment - (datetime(1904, 1, 1) if date1904 else datetime(1899, 12, 30))
            return gap.days + (gap.seconds + gap.microseconds / 1e6) / 86400
        clock = time.fromisoformat(text)
        return (clock.hour * 3600 + clock.minute * 60 + clock.second + clock.microsecond / 1e6) / 86400
    except ValueError:
        return text


def number(value: float) -> bytes:
    """The shortest digits that read back as the same number."""
    text = repr(value)
    if text.endswith(".0"):
        return text[:-2].encode() if value else b"0"
    return text.replace("e", "E").encode() if "e" in text else text.encode()


def encoded(value: Value) -> tuple[int, bytes]:
    """(kind, text of `<v>`) for a value of a formula cell. A formula that yields nothing shows 0, as in Excel."""
    if type(value) is float:
        return (NUMBER, number(value)) if math.isfinite(value) else (ERROR, b"#NUM!")
    if isinstance(value, CellError):
        return ERROR, value.value.encode()
    if isinstance(value, bool):
        return BOOLEAN, b"1" if value else b"0"
    if value is None:
        return NUMBER, b"0"
    if isinstance(value, (int, float)):
        return (
            (NUMBER, str(value).encode()) if isinstance(value, int) and abs(value) < 1 << 53 else encoded(float(value))
        )
    text = value.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate has no place in XML
    text = _TO_ESCAPE.sub(lambda match: f"_x{ord(match[0]):04X}_", text)
    return STRING, text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").encode()


def type_name(kind: int) -> bytes:
    """The `t` that says so; b"" for a number, which needs none."""
    return _NAMES.get(kind, b"")


def same(old: Value, new: Value) -> bool:
    """Whether two values are one to Excel, which shows 15 digits. TRUE is not 1, and "1" is not 1."""
    if isinstance(old, str) or isinstance(new, str):
        return type(old) is type(new) and old == new
    if isinstance(old, bool) or isinstance(new, bool):
        return old is new
    if old is None or new is None:
        return old is new
    return old == new or f"{old:.15g}" == f"{new:.15g}" or _fifteen(old, new)


def _fifteen(old: float, new: float) -> bool:
    """Equal at 15 digits also when the 16th lies on either side of a rounding boundary."""
    return math.isclose(old, new, rel_tol=1e-15, abs_tol=0.0)


def shown(value: Value) -> str:
    """A value as a sentence shows it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return f"{value:.15g}"
    return f"“{value}”" if type(value) is str else str(value)
