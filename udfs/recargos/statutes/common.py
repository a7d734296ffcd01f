"""What every statute shares: how days are counted, 1 LPRA § 72, and the arguments that recur.

The first day is excluded and the last included, unless the last is a holiday; then it is excluded too and the term runs to
the next day that is not one. Whether a Saturday counts as a holiday was litigated and is not settled here, so holidays,
weekends among them where the office is closed, are an input.

>>> days_late(date(2026, 5, 15), date(2026, 6, 10))
26
>>> last_day(date(2026, 12, 10), 15, [date(2026, 12, 25), date(2026, 12, 26)])
datetime.date(2026, 12, 27)
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Optional

from recargos.law import SILENT, Argument, Citation, Function, Rule, Statute, T, Trace, out_of_range
from recargos.money import cents, simple_interest

LAW = Statute(
    "common",
    T("Counting days", "Cómputo de días"),
    Citation("1 LPRA § 72", T("", "")),
    in_force=date(1900, 3, 1),
    in_force_source=T("the first day that a cell can hold", "el primer día que una celda puede contener"),
    later=T(
        "Whether a Saturday is a holiday was litigated: list the days on which the office is closed.",
        "Si el sábado es feriado se ha litigado: liste los días en que la oficina cierra.",
    ),
)

EXCLUDE_FIRST = LAW.rule(
    "DAYS-1",
    "",
    en="Days counted by excluding the first and including the last",
    es="Días contados excluyendo el primero e incluyendo el último",
)
HOLIDAY = LAW.rule(
    "DAYS-2",
    "",
    en="The last day {last} is a listed holiday and is excluded too: the term runs to {moved}",
    es="El último día, {last}, es feriado y se excluye: el término corre hasta el {moved}",
)

DAY_BASIS = T(
    "no source states the days of a year for interest on Puerto Rico taxes; actual days over 365 is the default because the "
    "one public claim that could be reconstructed fits only that; 366 and 360 can be chosen",
    "ninguna fuente fija los días del año para los intereses de contribuciones de Puerto Rico; se usan los días reales sobre "
    "365 porque la única reclamación pública que se pudo reconstruir solo cuadra así; puede escogerse 366 o 360",
)
YEARS = (365, 366, 360)

AS_OF = Argument(
    "as_of",
    "date",
    T(
        "Date whose law applies; omitted: the newest in the catalogue",
        "Fecha cuya ley aplica; omitida: la más reciente del catálogo",
    ),
    date(2026, 5, 15),
    optional=True,
)
BASIS = Argument(
    "basis",
    "days",
    T(
        "Actual days are divided by 365 (default), 366 or 360; not 30/360",
        "Los días reales se dividen entre 365 (si se omite), 366 o 360; no 30/360",
    ),
    365,
    optional=True,
)
HOLIDAYS = Argument(
    "holidays",
    "date",
    T("Range of days on which the office is closed", "Rango de días en que la oficina cierra"),
    date(2026, 12, 25),
    optional=True,
    whole_range=True,
)
DAYS = Argument("days", "days", T("Days late; see PR_DAYS_LATE", "Días de atraso; vea PR_DAYS_LATE"), 47)


Holidays = Optional[Iterable[Optional[date]]]
"""Days on which the office is closed; blanks among them are skipped."""


def days_late(due_on: date, done_on: date, trace: Trace = SILENT) -> int:
    """Days from the due date to the day it was done, never below 0. 1 LPRA § 72."""
    days = max((done_on - due_on).days, 0)
    if trace.explains:
        trace.step(EXCLUDE_FIRST, days, "days")
    return days


def last_day(start: date, days: int, holidays: Holidays = None, trace: Trace = SILENT) -> date:
    """Last day of a term of calendar days that starts after `start`, moved past listed holidays. 1 LPRA § 72."""
    last = start + timedelta(days=days)
    closed = {day for day in holidays or () if day is not None}
    moved = last
    while moved in closed:
        moved += timedelta(days=1)
    if moved != last and trace.explains:
        trace.step(HOLIDAY, moved, "date", last=last, moved=moved)
    return moved


def year_of(basis: Optional[int]) -> int:
    """Days that count as a year: 365 unless 366 or 360 was asked for. 0 (a blank) is the default; others are `#NUM!`."""
    if not basis:
        return YEARS[0]
    if basis not in YEARS:
        raise out_of_range("the basis is 365, 366 or 360", "la base es 365, 366 o 360")
    return basis


def interest(
    amount: Decimal,
    rate: Decimal,
    days: int,
    basis: Optional[int],
    rule: Rule,
    trace: Trace,
    rounded: bool = True,
    **words: Any,
) -> Decimal:
    """Simple interest, told to `trace` as a step of `rule` together with the contested day basis.

    To the cent, unless it is only a part (`rounded` False) of an amount that is rounded as a whole.
    """
    year = year_of(basis)
    accrued = simple_interest(amount, rate, max(days, 0), year)
    due = cents(accrued)
    if trace.explains:
        trace.step(rule, due, rate=rate, days=max(days, 0), basis=year, amount=amount, **words)
        trace.contested(rule)
    return due if rounded else accrued


FUNCTIONS = (
    Function(
        "PR_DAYS_LATE",
        days_late,
        (
            Argument("due_on", "date", T("Due date", "Fecha de vencimiento"), date(2026, 5, 15)),
            Argument(
                "done_on", "date", T("Date it was paid or filed", "Fecha en que se pagó o radicó"), date(2026, 7, 1)
            ),
        ),
        "days",
        T(
            "Days late: the first day excluded, the last included, never below 0",
            "Días de atraso: se excluye el primer día y se incluye el último, nunca menos de 0",
        ),
        LAW,
        ("DAYS-1",),
    ),
)
