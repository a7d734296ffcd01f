"""Dates: serial numbers of both systems, texts that are dates, business days."""

from __future__ import annotations

import math
import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from recargos.workbook.overrides.values import DOUBT, NUM, VALUE, Failed, cells, doubt, lifted, number, text, whole

Value = Any
_LAST = 2_958_465
_MONTHS = {
    name: index
    for index, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}
_LONG = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTHS |= {name: index for index, name in enumerate(_LONG, 1)}
_TIME = re.compile(r"([0-9]{1,4}):([0-9]{1,2})(?::([0-9]{1,2}(?:\.[0-9]+)?))?(?:\s*([AaPp])[Mm]?)?")
_YMD = re.compile(r"([0-9]{4})([-/])([0-9]{1,2})\2([0-9]{1,2})")
_MDY = re.compile(r"([0-9]{1,2})([-/])([0-9]{1,2})\2([0-9]{4}|[0-9]{2})")
_DMY = re.compile(r"([0-9]{1,2})[- ]([A-Za-z]+)[- ]([0-9]{4}|[0-9]{2})")
_LONG_MDY = re.compile(r"([A-Za-z]+) ([0-9]{1,2}), ([0-9]{4})")

_system = 0
"""Days between the workbook's date system and that of 1900; set for each run by :func:`use_1904`."""


def use_1904(on: bool) -> None:
    """Choose the date system of the workbook that is computed next."""
    global _system
    _system = 1462 if on else 0


def in_1904() -> bool:
    """Whether the workbook counts from 1904."""
    return bool(_system)


def from_ymd(year: int, month: int, day: int) -> float:
    """The serial of a day. 1900 counts a 29 February that never was, as Excel does."""
    serial = date(year, month, day).toordinal() - date(1899, 12, 30).toordinal() - _system
    if not _system and serial < 61:
        serial -= 1
    if serial < 0:
        raise Failed(VALUE)
    return float(serial)


def to_ymd(value: Value) -> tuple[int, int, int]:
    """Year, month and day of a serial; 60 is 1900-02-29 and 0 is 1900-01-00."""
    serial = math.floor(number(value))
    if not 0 <= serial + _system <= _LAST or serial < 0:
        raise Failed(NUM)
    if not _system:
        if serial == 60:
            return 1900, 2, 29
        if serial == 0:
            return 1900, 1, 0
        if serial < 60:
            serial += 1
    day = date(1899, 12, 30) + timedelta(days=serial + _system)
    return day.year, day.month, day.day


def day_of(value: Value) -> date:
    """A serial as a real day; the days before 1900-03-01 are left to Excel."""
    serial = math.floor(number(value))
    if serial < 0 or serial + _system > _LAST:
        raise Failed(NUM)
    if serial + _system < 61:
        raise doubt()
    return date(1899, 12, 30) + timedelta(days=serial + _system)


def serial_of(day: date) -> float:
    """The serial of a real day."""
    serial = (day - date(1899, 12, 30)).days - _system
    if serial < 0:
        raise Failed(NUM)
    if serial + _system < 61:
        raise doubt()
    return float(serial)


def read_date_text(stripped: str) -> float:
    """A date, a time or both, as US Excel reads them; a date without a year depends on today and is left to Excel."""
    moment = _TIME.fullmatch(stripped)
    if moment is not None:
        return _time(moment)
    clock = re.search(r"\s([0-9]{1,4}:[0-9:.]+(?:\s*[AaPp][Mm]?)?)$", stripped)
    if clock is not None and (moment := _TIME.fullmatch(clock[1])) is not None:
        return _date(stripped[: clock.start()].rstrip()) + _time(moment)
    return _date(stripped)


def _time(match: re.Match[str]) -> float:
    hours, minutes, seconds = int(match[1]), int(match[2]), float(match[3] or 0)
    if match[4]:
        if not 0 <= hours <= 12 or minutes > 59 or seconds >= 60:
            raise Failed(VALUE)
        hours = hours % 12 + (12 if match[4].lower() == "p" else 0)
    if minutes > 59 or seconds >= 60 or hours > 9999:
        raise doubt()
    return (hours * 3600 + minutes * 60 + seconds) / 86400


def _date(stripped: str) -> float:
    if match := _YMD.fullmatch(stripped):
        return _serial(int(match[1]), int(match[3]), int(match[4]))
    if match := _MDY.fullmatch(stripped):
        return _serial(_year(match[4]), int(match[1]), int(match[3]))
    if (match := _DMY.fullmatch(stripped)) and match[2].lower() in _MONTHS:
        return _serial(_year(match[3]), _MONTHS[match[2].lower()], int(match[1]))
    if (match := _LONG_MDY.fullmatch(stripped)) and match[1].lower() in _MONTHS:
        return _serial(int(match[3]), _MONTHS[match[1].lower()], int(match[2]))
    if re.search(r"[/:.\-]|[^\x00-\x7f]", stripped) or any(
        word.lower() in _MONTHS for word in re.findall(r"[A-Za-z]+", stripped)
    ):
        raise doubt()  # may be a date or fraction in one of Excel's many other spellings
    if re.fullmatch(r"[0-9]+ [0-9]+", stripped) or re.search(r"[$%()+,]|[0-9][eE][+-]?[0-9]|\s[aApP][mM]?$", stripped):
        raise doubt()
    raise Failed(VALUE)


def _year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) == 4 else year + (2000 if year < 30 else 1900)


def _serial(year: int, month: int, day: int) -> float:
    if (year, month, day) == (1900, 2, 29) and not _system:
        return 60.0
    if not 1900 <= year <= 9999 or not 1 <= month <= 12 or not 1 <= day <= monthrange(year, month)[1]:
        raise Failed(VALUE) if 1 <= month <= 12 and 1900 <= year <= 9999 else doubt()
    return from_ymd(year, month, day)


# ------------------------------------------------------------------------------------------------------ functions


def _date_function(year: Value, month: Value, day: Value) -> float:
    y, m, d = whole(year), whole(month), whole(day)
    if not (-32768 < y < 32768 and -32768 < m < 32768 and -32768 < d < 32768):
        raise doubt()
    if y < 0 or y > 9999:
        raise Failed(NUM)
    if y < (1904 if _system else 1900):
        y += 1904 if _system else 1900
    months = y * 12 + m - 1
    y, m = divmod(months, 12)
    m += 1
    if not _system and (y < 1900 or (y, m) in ((1900, 1), (1900, 2)) or (y == 1900 and m == 3 and d < 1)):
        serial = _before_march_1900(y, m, d)
    else:
        if not 1 <= y <= 9999:
            raise Failed(NUM)
        serial = date(y, m, 1).toordinal() - date(1899, 12, 30).toordinal() - _system + d - 1
        if not _system and serial < 61:
            raise doubt()
    if not 0 <= serial <= _LAST - _system:
        raise Failed(NUM)
    return float(serial)


def _before_march_1900(y: int, m: int, d: int) -> int:
    if y < 1900:
        raise Failed(NUM)
    first = {1: 1, 2: 32, 3: 61}[m]
    serial = first + d - 1
    if serial > 366:
        raise doubt()
    return serial


def _months_later(start: Value, months: Value) -> tuple[int, int, int]:
    day = day_of(start)
    total = day.year * 12 + day.month - 1 + whole(months)
    year, month = divmod(total, 12)
    if not 1900 <= year <= 9999:
        raise Failed(NUM)
    return year, month + 1, day.day


def _edate(start: Value, months: Value) -> float:
    year, month, day = _months_later(start, months)
    return serial_of(date(year, month, min(day, monthrange(year, month)[1])))


def _eomonth(start: Value, months: Value) -> float:
    year, month, _ = _months_later(start, months)
    return serial_of(date(year, month, monthrange(year, month)[1]))


def _seconds(value: Value) -> int:
    fraction = number(value)
    if fraction < 0 or fraction + _system >= _LAST + 1:
        raise Failed(NUM)
    exact = (fraction - math.floor(fraction)) * 86400
    if abs(exact - round(exact)) > 1e-3 and abs(exact % 1 - 0.5) < 0.01:
        raise doubt()
    return round(exact) % 86400


def _time_function(hours: Value, minutes: Value, seconds: Value) -> float:
    h, m, s = whole(hours), whole(minutes), whole(seconds)
    if not all(-32768 < part < 32768 for part in (h, m, s)):
        raise Failed(NUM)
    total = h * 3600 + m * 60 + s
    if h < 0 or m < 0 or s < 0:
        if total < 0:
            raise Failed(NUM)
        raise doubt()
    return total % 86400 / 86400


def _weekday(value: Value, kind: Value = 1.0) -> float:
    serial = math.floor(number(value)) + _system
    which = whole(kind)
    if serial < 0 or serial > _LAST:
        raise Failed(NUM)
    sunday = (serial - 1) % 7  # 0 = Sunday
    if which in (1, 17):
        return float(sunday + 1)
    if which in (2, 11):
        return float((sunday - 1) % 7 + 1)
    if which == 3:
        return float((sunday - 1) % 7)
    if 12 <= which <= 16:
        return float((sunday - (which - 10)) % 7 + 1)
    raise Failed(NUM)


def _weeknum(value: Value, kind: Value = 1.0) -> float:
    day, which = day_of(value), whole(kind)
    if which == 21:
        return float(day.isocalendar()[1])
    first = {1: 6, 17: 6, 2: 0, 11: 0, 12: 1, 13: 2, 14: 3, 15: 4, 16: 5}.get(which)
    if first is None:
        raise Failed(NUM)
    new_year = date(day.year, 1, 1)
    return float(((day - new_year).days + (new_year.weekday() - first) % 7) // 7 + 1)


def _days(end: Value, start: Value) -> float:
    a, b = math.floor(number(end)), math.floor(number(start))
    if not (0 <= a <= _LAST and 0 <= b <= _LAST):
        raise Failed(NUM)
    return float(a - b)


def _days360(start: Value, end: Value, european: Value = False) -> float:
    a, b = day_of(start), day_of(end)
    one, other = a.day, b.day
    if european:
        one, other = min(one, 30), min(other, 30)
    else:
        if one == monthrange(a.year, a.month)[1]:
            one = 30
        if other == 31:
            if one < 30:
                # Excel takes the first of the next month.
                return float((b.year - a.year) * 360 + (b.month + 1 - a.month) * 30 + 1 - one)
            other = 30
    return float((b.year - a.year) * 360 + (b.month - a.month) * 30 + other - one)


def _datedif(start: Value, end: Value, unit: Value) -> float:
    a, b = day_of(start), day_of(end)
    which = text(unit).upper()
    if which not in ("D", "M", "Y", "YD", "YM", "MD") or a > b:
        raise Failed(NUM)
    if which == "D":
        return float((b - a).days)
    months = (b.year - a.year) * 12 + b.month - a.month - (b.day < a.day)
    if which in ("M", "Y", "YM"):
        return float({"M": months, "Y": months // 12, "YM": months % 12}[which])
    if which == "MD" or (a.month == 2 and a.day == 29):
        raise doubt()  # Microsoft itself warns of MD, and a leap day has no anniversary
    anniversary = date(b.year - ((b.month, b.day) < (a.month, a.day)), a.month, a.day)
    if anniversary.year != a.year and _leap_between(a, anniversary, b):
        raise doubt()
    return float((b - anniversary).days)


def _leap_between(a: date, anniversary: date, b: date) -> bool:
    """Whether Excel, which counts YD in the start's year, meets a 29 February that the span lacks, or the reverse."""
    try:
        counted = (date(a.year + (b.month, b.day).__lt__((a.month, a.day)), b.month, b.day) - a).days
    except ValueError:
        return True
    return counted != (b - anniversary).days


def _yearfrac(start: Value, end: Value, basis: Value = 0.0) -> float:
    which = whole(basis)
    if which not in (0, 1, 2, 3, 4):
        raise Failed(NUM)
    a, b = sorted((day_of(start), day_of(end)))
    if which == 0:
        one, other = a.day, b.day
        last_a, last_b = monthrange(a.year, a.month)[1], monthrange(b.year, b.month)[1]
        if a.month == 2 and a.day == last_a and b.month == 2 and b.day == last_b:
            one = other = 30
        elif a.month == 2 and a.day == last_a:
            one = 30
            other = 30 if other == 31 else other
        else:
            if other == 31 and one >= 30:
                other = 30
            one = min(one, 30)
        return ((b.year - a.year) * 360 + (b.month - a.month) * 30 + other - one) / 360
    days = (b - a).days
    if which == 2:
        return days / 360
    if which == 3:
        return days / 365
    if which == 4:
        return ((b.year - a.year) * 360 + (b.month - a.month) * 30 + min(b.day, 30) - min(a.day, 30)) / 360
    years = range(a.year, b.year + 1)
    if (b.year, b.month, b.day) <= (a.year + 1, a.month, a.day):
        leap = _has_leap_day(a, b) or (a.year == b.year and monthrange(a.year, 2)[1] == 29)
        return days / (366 if leap else 365)
    return days / (sum(366 if monthrange(y, 2)[1] == 29 else 365 for y in years) / len(years))


def _has_leap_day(a: date, b: date) -> bool:
    return any(monthrange(y, 2)[1] == 29 and a <= date(y, 2, 29) <= b for y in range(a.year, b.year + 1))


_WEEKENDS = {1: (5, 6), 2: (6, 0), 3: (0, 1), 4: (1, 2), 5: (2, 3), 6: (3, 4), 7: (4, 5)} | {
    11 + i: ((6 + i) % 7,) for i in range(7)
}


def _weekend(value: Value) -> frozenset[int]:
    if value is None:
        return frozenset(_WEEKENDS[1])
    if type(value) is str:
        if not re.fullmatch("[01]{7}", value):
            raise Failed(VALUE)
        if value == "1111111":
            raise doubt()
        return frozenset(index for index, mark in enumerate(value) if mark == "1")
    days = _WEEKENDS.get(whole(value))
    if days is None:
        raise Failed(NUM)
    return frozenset(days)


def _holidays(value: Value) -> frozenset[date]:
    found = set()
    for cell in cells(value):
        if cell is None or cell == "":
            continue
        if type(cell) is bool:
            raise Failed(VALUE)
        found.add(day_of(cell))
    return frozenset(found)


def _networkdays(start: Value, end: Value, holidays: Value = None, weekend: Value = None) -> float:
    a, b = day_of(start), day_of(end)
    off, free = _weekend(weekend), _holidays(holidays)
    sign = 1 if a <= b else -1
    a, b = min(a, b), max(a, b)
    weeks, rest = divmod((b - a).days + 1, 7)
    count = weeks * (7 - len(off)) + sum((a + timedelta(days=i)).weekday() not in off for i in range(rest))
    count -= sum(1 for day in free if a <= day <= b and day.weekday() not in off)
    return float(sign * count)


def _workday(start: Value, days: Value, holidays: Value = None, weekend: Value = None) -> float:
    day, left = day_of(start), whole(days)
    if left != number(days) and left <= 0:
        raise doubt()
    off, free = _weekend(weekend), _holidays(holidays)
    if abs(left) > 2_000_000:
        raise Failed(NUM)
    step = 1 if left > 0 else -1
    left = abs(left)
    working = 7 - len(off)
    if left > 3 * 7 and not free:
        weeks = (left - 1) // working - 1
        day += timedelta(days=7 * weeks * step)
        left -= weeks * working
    while left:
        try:
            day += timedelta(days=step)
        except OverflowError:
            raise Failed(NUM) from None
        if day.weekday() not in off and day not in free:
            left -= 1
    return serial_of(day)


def _single(function: Callable[..., float], position: int) -> Callable[..., Value]:
    """`function` for single values, with the range of holidays at `position` taken whole."""

    def run(*arguments: Value) -> Value:
        values = list(arguments)
        for index, value in enumerate(values):
            if index != position and type(value) is list:
                if len(value) == 1 and len(value[0]) == 1:
                    values[index] = value = value[0][0]
                else:
                    return VALUE
            if type(value) is dict:
                return value
            if type(value) is bool:
                return VALUE if index < 2 else DOUBT
        try:
            for cell in cells(values[position] if position < len(values) else None):
                if type(cell) is dict:
                    return cell
            return function(*values)
        except Failed as failed:
            return failed.result
        except (OverflowError, ValueError):
            return NUM

    return run


def _reordered(function: Callable[..., float]) -> Callable[..., float]:
    def run(start: Value, days: Value, weekend: Value = 1.0, holidays: Value = None) -> float:
        if weekend is None:
            raise doubt()  # a blank cell instead of a weekend
        return function(start, days, holidays, weekend)

    return run


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "DATE": lifted(_date_function),
    "DAY": lifted(lambda v: float(to_ymd(v)[2])),
    "MONTH": lifted(lambda v: float(to_ymd(v)[1])),
    "YEAR": lifted(lambda v: float(to_ymd(v)[0])),
    "HOUR": lifted(lambda v: float(_seconds(v) // 3600)),
    "MINUTE": lifted(lambda v: float(_seconds(v) // 60 % 60)),
    "SECOND": lifted(lambda v: float(_seconds(v) % 60)),
    "TIME": lifted(_time_function),
    "WEEKDAY": lifted(_weekday),
    "WEEKNUM": lifted(_weeknum),
    "ISOWEEKNUM": lifted(lambda v: float(day_of(v).isocalendar()[1])),
    "EDATE": lifted(_edate),
    "EOMONTH": lifted(_eomonth),
    "DAYS": lifted(_days),
    "DAYS360": lifted(_days360),
    "DATEDIF": lifted(_datedif),
    "YEARFRAC": lifted(_yearfrac),
    "DATEVALUE": lifted(lambda v: float(math.floor(read_date_text(text(v).strip(" "))))),
    "TIMEVALUE": lifted(lambda v: read_date_text(text(v).strip(" ")) % 1),
    "NETWORKDAYS": _single(_networkdays, 2),
    "WORKDAY": _single(_workday, 2),
    "NETWORKDAYS.INTL": _single(_reordered(_networkdays), 3),
    "WORKDAY.INTL": _single(_reordered(_workday), 3),
}
