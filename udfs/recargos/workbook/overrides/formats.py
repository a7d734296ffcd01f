"""TEXT: a value by a number format, in US English. What is not understood for certain is left to Excel."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Any

from recargos.workbook.overrides.dates import _seconds, day_of, in_1904, to_ymd
from recargos.workbook.overrides.values import VALUE, Failed, doubt, general, text

Value = Any
_PIECE = re.compile(
    r"""(?P<literal>"[^"]*"|\\.|[$+(): '{}<>=!^&~€£¥-])
    |(?P<skip>_.|\*.)
    |(?P<bracket>\[[^\]]*\])
    |(?P<general>General)
    |(?P<ampm>AM/PM|A/P)
    |(?P<date>[dD]+|[mM]+|[yY]+|[hH]+|[sS]+)
    |(?P<exponent>[eE][+-])
    |(?P<digit>[0#?])
    |(?P<point>\.)
    |(?P<comma>,)
    |(?P<slash>/)
    |(?P<percent>%)
    |(?P<at>@)""",
    re.VERBOSE | re.IGNORECASE,
)
_COLOURS = re.compile(r"\[(black|blue|cyan|green|magenta|red|white|yellow|color ?[0-9]+)\]", re.IGNORECASE)
_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)(-?[0-9.]+)\]")
_CURRENCY = re.compile(r"\[\$([^\]-]*)(?:-(409|80A|500A|en-US))?\]", re.IGNORECASE)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

Piece = tuple[str, str]


def format_value(value: Value, code: Value) -> str:
    """TEXT(value, code)."""
    form = text(code)
    if type(value) is bool:
        return text(value)
    if type(value) is str:
        from recargos.workbook.overrides.values import parsed

        try:
            number: float = parsed(value)
        except Failed as failed:
            if failed.result is not VALUE:
                raise
            return _text_section(value, form)
    else:
        number = 0.0 if value is None else float(value)
    if not form:
        return ""
    return _number(number, form)


def _text_section(value: str, form: str) -> str:
    sections = _sections(form)
    pieces = sections[3] if len(sections) > 3 else next((s for s in sections if any(k == "at" for k, _ in s)), None)
    if pieces is None:
        return value
    return "".join(value if kind == "at" else _literal(piece) for kind, piece in pieces)


@lru_cache(maxsize=500)
def _sections(form: str) -> list[list[Piece]]:
    if re.fullmatch(r"general", form, re.IGNORECASE):
        return [[("general", form)]]
    sections: list[list[Piece]] = [[]]
    at = 0
    while at < len(form):
        if form[at] == ";":
            sections.append([])
            at += 1
            continue
        match = _PIECE.match(form, at)
        if match is None:
            raise doubt()
        sections[-1].append((str(match.lastgroup), match[0]))
        at = match.end()
    if len(sections) > 4:
        raise Failed(VALUE)
    return sections


def _number(number: float, form: str) -> str:
    sections = _sections(form)
    conditions = [_condition(section) for section in sections]
    if any(conditions):
        chosen, sign = _by_condition(number, sections, conditions)
    elif len(sections) == 1 or (len(sections) == 2 and number >= 0) or (len(sections) > 2 and number > 0):
        chosen, sign = sections[0], len(sections) == 1
    elif number < 0:
        chosen, sign = sections[1], False
    else:
        chosen, sign = sections[2], False
    negative = number < 0
    kinds = {kind for kind, _ in chosen}
    if "date" in kinds or "ampm" in kinds or _elapsed(chosen):
        if negative:
            raise doubt() if _elapsed(chosen) or in_1904() else Failed(VALUE)
        if number >= 2_958_466:
            raise Failed(VALUE)
        return _date(number, chosen)
    if "general" in kinds:
        if len(chosen) > 1:
            raise doubt()
        return _general(number)
    if [kind for kind, _ in chosen] == ["at"]:
        return general(number)
    if not kinds & {"digit"}:
        body = "".join(_literal(piece) for kind, piece in chosen if kind not in ("bracket", "skip"))
        if kinds & {"at", "comma", "point", "percent", "exponent", "slash"}:
            raise doubt()
        return ("-" if negative and sign and chosen else "") + body
    body, zero = _digits(abs(number), chosen)
    if negative and not zero and sign:
        return "-" + body
    if negative and zero and len(sections) > 1:
        raise doubt()  # -0.001 in "0;(0)": by the sign or by what is shown?
    return body


def _general(number: float) -> str:
    if abs(number) >= 1e11 or (number and abs(number) < 1e-4):
        raise doubt()
    digits = 11 - len(str(int(abs(number)))) - 1
    shown = Decimal(f"{number:.15g}").quantize(Decimal(1).scaleb(-max(digits, 0)), ROUND_HALF_UP)
    return general(float(shown))


def _condition(section: list[Piece]) -> tuple[str, float] | None:
    for kind, piece in section:
        if kind == "bracket" and (match := _CONDITION.fullmatch(piece)):
            return match[1], float(match[2])
    return None


def _by_condition(
    number: float, sections: list[list[Piece]], conditions: list[tuple[str, float] | None]
) -> tuple[list[Piece], bool]:
    tests = {
        "<": float.__lt__,
        "<=": float.__le__,
        ">": float.__gt__,
        ">=": float.__ge__,
        "=": float.__eq__,
        "<>": float.__ne__,
    }
    for section, condition in zip(sections, conditions, strict=True):
        if condition is None or tests[condition[0]](number, condition[1]):
            if number < 0:
                raise doubt()  # whether the sign is shown depends on which numbers the condition lets through
            return section, True
    raise doubt()


def _literal(piece: str) -> str:
    if piece.startswith('"'):
        return piece[1:-1]
    if piece.startswith("\\"):
        return piece[1:]
    return piece


def _bracket(piece: str) -> str:
    if _COLOURS.fullmatch(piece) or _CONDITION.fullmatch(piece):
        return ""
    if match := _CURRENCY.fullmatch(piece):
        return match[1]
    raise doubt()


def _digits(number: float, pieces: list[Piece]) -> tuple[str, bool]:
    """A number without its sign by its digits' places; and whether what is shown is zero."""
    kinds = [kind for kind, _ in pieces]
    if "at" in kinds:
        raise doubt()
    if "slash" in kinds:
        return _fraction(number, pieces)
    if "exponent" in kinds:
        return _scientific(number, pieces)
    first = kinds.index("digit")
    last = len(kinds) - 1 - kinds[::-1].index("digit")
    point = kinds.index("point") if "point" in kinds else None
    if kinds.count("point") > 1:
        raise doubt()
    end_of_whole = point if point is not None else last + 1
    thousands = any(kinds[i] == "comma" and first < i < end_of_whole and i < last for i in range(len(kinds)))
    whole_last = max((i for i in range(min(end_of_whole, len(kinds))) if kinds[i] == "digit"), default=-1)
    after = max(last, point if point is not None else -1)
    scale = 0
    index = after + 1 if point is not None else whole_last + 1
    while index < len(kinds) and kinds[index] == "comma":
        scale += 1
        index += 1
    if point is not None and whole_last >= 0 and kinds[whole_last + 1 : point].count("comma"):
        scale += kinds[whole_last + 1 : point].count("comma")
        thousands = any(kinds[i] == "comma" and first < i < whole_last for i in range(len(kinds)))
    scaled = Decimal(f"{number:.15g}") * Decimal(100) ** kinds.count("percent") / Decimal(1000) ** scale
    places = sum(1 for i, kind in enumerate(kinds) if kind == "digit" and point is not None and i > point)
    shown = scaled.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    zero = shown == 0
    whole_text, _, decimals = f"{shown:f}".partition(".")
    whole_places = [i for i, kind in enumerate(kinds) if kind == "digit" and i < end_of_whole]
    return _placed(pieces, whole_text.lstrip("0"), decimals, whole_places, thousands), zero


def _placed(pieces: list[Piece], whole_text: str, decimals: str, whole_places: list[int], thousands: bool) -> str:
    minimum = 0
    for position, index in enumerate(whole_places):
        if pieces[index][1] in "0?":
            minimum = len(whole_places) - position
            break
    if any(pieces[i][1] == "?" for i in whole_places) and len(whole_text) < minimum:
        raise doubt()
    digits = whole_text.rjust(minimum, "0")
    interrupted = (
        any(pieces[i][0] not in ("digit", "comma") for i in range(whole_places[0], whole_places[-1]))
        if whole_places
        else False
    )
    if thousands and interrupted:
        raise doubt()
    out: list[str] = []
    used = 0
    remaining = len(digits)
    decimal_at = 0
    decimal_kinds = [p for i, (k, p) in enumerate(pieces) if k == "digit" and i not in set(whole_places)]
    keep = len(decimals)
    while keep and decimal_kinds[keep - 1] == "#" and decimals[keep - 1] == "0":
        keep -= 1
    if any(p == "?" for p in decimal_kinds):
        raise doubt()
    for index, (kind, piece) in enumerate(pieces):
        if kind == "digit" and index in whole_places:
            places_left = len(whole_places) - whole_places.index(index) - 1
            count = (
                remaining - used - places_left
                if whole_places.index(index) == 0
                else int(remaining - used > places_left)
            )
            for _ in range(max(count, 0)):
                out.append(digits[used])
                used += 1
                if thousands and (remaining - used) % 3 == 0 and used < remaining:
                    out.append(",")
        elif kind == "digit":
            if decimal_at < keep:
                out.append(decimals[decimal_at])
            decimal_at += 1
        elif kind == "point":
            out.append(".")
        elif kind == "percent":
            out.append("%")
        elif kind == "bracket":
            out.append(_bracket(piece))
        elif kind == "skip":
            out.append(" " if piece.startswith("_") else "")
        elif kind == "literal":
            out.append(_literal(piece))
        elif kind != "comma":
            raise doubt()
    return "".join(out)


def _scientific(number: float, pieces: list[Piece]) -> tuple[str, bool]:
    shape = "".join(piece for _, piece in pieces)
    match = re.fullmatch(r"0(?:\.(0+))?([eE])([+-])(0+)", shape)
    if match is None:
        raise doubt()
    places = len(match[1] or "")
    if number == 0:
        return f"{0:.{places}f}E{'+' if match[3] == '+' else ''}{0:0{len(match[4])}d}", True
    exact = Decimal(f"{number:.15g}")
    power = exact.adjusted()
    mantissa = exact.scaleb(-power).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    if mantissa >= 10:
        mantissa, power = (mantissa / 10).quantize(Decimal(1).scaleb(-places)), power + 1
    sign = "-" if power < 0 else "+" if match[3] == "+" else ""
    return f"{mantissa:f}E{sign}{abs(power):0{len(match[4])}d}", False


def _fraction(number: float, pieces: list[Piece]) -> tuple[str, bool]:
    shape = "".join(piece for _, piece in pieces)
    match = re.fullmatch(r"# (\?+)/(\?+|[0-9]+)", shape)
    if match is None or number >= 1e9 or len(match[2]) > 2:
        raise doubt()
    whole_part = int(number)
    rest = Decimal(f"{number:.15g}") - whole_part
    if match[2].isdigit():
        raise doubt()
    limit = 10 ** len(match[2]) - 1
    best = min(
        ((abs(rest - Decimal(n) / d), d, n) for d in range(1, limit + 1) for n in (int(rest * d), int(rest * d) + 1)),
        key=lambda t: (t[0], t[1]),
    )
    _, bottom, top = best
    if (
        top == 0
        or top == bottom
        or whole_part == 0
        or len(str(top)) != len(match[1])
        or len(str(bottom)) != len(match[2])
    ):
        raise doubt()  # how the spaces fall
    return f"{whole_part} {top}/{bottom}", False


def _elapsed(pieces: list[Piece]) -> bool:
    return any(kind == "bracket" and re.fullmatch(r"\[(h+|m+|s+)\]", piece, re.IGNORECASE) for kind, piece in pieces)


def _date(number: float, pieces: list[Piece]) -> str:
    year, month, day = to_ymd(number)
    if _elapsed(pieces):
        raise doubt()
    twelve = any(kind == "ampm" for kind, _ in pieces)
    clock = any(kind == "date" and piece[0] in "hHsS" for kind, piece in pieces) or twelve
    seconds = _seconds(number) if clock else 0
    if clock and seconds == 0 and number % 1 > 0.5:
        raise doubt()  # rounds up to midnight
    if (
        clock
        and not any(kind == "date" and piece[0] in "sS" for kind, piece in pieces)
        and abs(number * 86400 - round(number * 86400)) > 1e-3
    ):
        raise doubt()
    hour, minute, second = seconds // 3600, seconds // 60 % 60, seconds % 60
    out: list[str] = []
    for index, (kind, piece) in enumerate(pieces):
        if kind == "date":
            out.append(
                _date_piece(piece.lower(), index, pieces, (year, month, day), (hour, minute, second), twelve, number)
            )
        elif kind == "ampm":
            if piece.upper() != "AM/PM":
                raise doubt()
            out.append("PM" if hour >= 12 else "AM")
        elif kind == "bracket":
            out.append(_bracket(piece))
        elif kind in ("literal", "slash", "comma", "point"):
            following = pieces[index + 1][0] if index + 1 < len(pieces) else ""
            if kind == "point" and following == "digit":
                raise doubt()  # fractions of a second
            out.append(_literal(piece))
        elif kind == "skip":
            out.append(" " if piece.startswith("_") else "")
        else:
            raise doubt()
    return "".join(out)


def _date_piece(
    piece: str,
    index: int,
    pieces: list[Piece],
    ymd: tuple[int, int, int],
    hms: tuple[int, int, int],
    twelve: bool,
    number: float,
) -> str:
    (year, month, day), (hour, minute, second) = ymd, hms
    letter, size = piece[0], len(piece)
    if letter == "y":
        return f"{year:04d}" if size > 2 else f"{year % 100:02d}"
    if letter == "m" and _is_minute(index, pieces):
        if size > 2:
            raise doubt()
        return f"{minute:0{size}d}"
    if letter == "m":
        if size > 5:
            raise doubt()
        return (f"{month}", f"{month:02d}", _MONTHS[month - 1][:3], _MONTHS[month - 1], _MONTHS[month - 1][0])[size - 1]
    if letter == "d":
        if size > 4:
            raise doubt()
        if size < 3:
            return f"{day:0{size}d}"
        name = _DAYS[day_of(number).weekday()]
        return name[:3] if size == 3 else name
    if size > 2:
        raise doubt()
    if letter == "h":
        return f"{(hour % 12 or 12) if twelve else hour:0{size}d}"
    return f"{second:0{size}d}"


def _is_minute(index: int, pieces: list[Piece]) -> bool:
    """`m` is minutes right after hours or right before seconds."""
    dates = [(i, piece[0].lower()) for i, (kind, piece) in enumerate(pieces) if kind == "date"]
    at = next(n for n, (i, _) in enumerate(dates) if i == index)
    before = dates[at - 1][1] if at else ""
    after = dates[at + 1][1] if at + 1 < len(dates) else ""
    return before == "h" or after == "s"
