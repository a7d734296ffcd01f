"""What is owed in all on a personal property tax paid in parts: 21 LPRA § 5221 (a)(1) and (c).

Payments reduce the tax first, in date order (the statute is silent). Each late dollar bears interest for its own days and
takes the surcharge step of its own delay; every line is rounded by itself.

>>> from decimal import Decimal as D
>>> paid_on = [date(2026, 6, 10), date(2026, 7, 10), date(2026, 9, 15)]
>>> paid = [D(3000), D(4000), D(3000)]
>>> for line in ledger(D(10000), date(2026, 5, 15), paid_on, paid, date(2026, 9, 15)):
...     print(line[0], *map(str, line[1:]))
2026-06-10 3000.00 26 21.37 0.00
2026-07-10 4000.00 56 61.37 200.00
2026-09-15 3000.00 123 101.10 450.00
2026-09-15 0.00 123 0.00 0.00
>>> payoff(D(10000), date(2026, 5, 15), paid_on, paid, date(2026, 9, 15))
Decimal('833.84')
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple, Optional

from recargos.law import SILENT, Argument, CellError, Function, Refusal, T, Trace
from recargos.money import ZERO, cents
from recargos.statutes.common import BASIS, year_of
from recargos.statutes.property_tax import LAW, interest_on_tax, surcharge

PAYMENTS = LAW.rule(
    "PAYOFF-1",
    "",
    en="Payments reduce the tax first, in date order (the statute is silent); each line is rounded by itself",
    es="Los pagos reducen primero la contribución, por orden de fecha (la ley no lo dispone); cada línea se redondea por sí",
    contested=T(
        "the statute is silent on the order between tax, interest and surcharge; payments made after the date asked for are left out",
        "la ley no fija el orden entre contribución, intereses y recargo; los pagos posteriores a la fecha solicitada no se incluyen",
    ),
)
BALANCE = LAW.rule(
    "PAYOFF-2",
    "",
    en="Tax of {tax:$}, interest {interest:$} and surcharge {surcharge:$}, less payments of {paid:$}",
    es="Contribución de {tax:$}, interés de {interest:$} y recargo de {surcharge:$}, menos pagos de {paid:$}",
)


class Line(NamedTuple):
    """One line of the ledger."""

    on: date
    tax: Decimal
    """The part of the payment that reduced the tax, or the balance of the tax."""
    days: int
    interest: Decimal
    surcharge: Decimal


Dates = Optional[Sequence[Optional[date]]]
Amounts = Optional[Sequence[Optional[Decimal]]]


def _payments(
    paid_dates: Dates, paid_amounts: Amounts, as_of: date, trace: Trace = SILENT
) -> list[tuple[date, Decimal]]:
    """The payments made by `as_of`, oldest first. A pair of blanks is no payment; a date
    without an amount is a line of 0, an amount without a date is `#VALUE!`."""
    dates, amounts = paid_dates or [], paid_amounts or []
    if len(dates) != len(amounts):
        raise Refusal(
            CellError.VALUE,
            T("as many payment dates as amounts are needed", "se necesitan tantas fechas de pago como cantidades"),
        )
    payments = []
    for on, amount in zip(dates, amounts):
        if on is None and amount:
            raise Refusal(CellError.VALUE, T("a payment has no date", "un pago no tiene fecha"))
        if on is not None and amount is None:
            trace.blank("paid_amounts")
        if on is not None and on <= as_of:
            payments.append((on, amount or ZERO))
    return sorted(payments, key=lambda payment: payment[0])


def _lines(
    tax: Decimal,
    due_on: date,
    payments: Sequence[tuple[date, Decimal]],
    as_of: date,
    basis: Optional[int],
    trace: Trace,
) -> Iterator[Line]:
    balance = cents(tax)
    for on, amount in payments:
        part = min(cents(amount), balance)
        balance -= part
        yield _line(on, part, due_on, as_of, basis, trace)
    yield _line(as_of, balance, due_on, as_of, basis, trace)


def _line(on: date, part: Decimal, due_on: date, as_of: date, basis: Optional[int], trace: Trace) -> Line:
    days = max((on - due_on).days, 0)
    if not part or not days:
        year_of(basis)
        return Line(on, part, days, cents(ZERO), cents(ZERO))
    return Line(on, part, days, interest_on_tax(part, days, basis, as_of, trace), surcharge(part, days, as_of, trace))


def ledger(
    tax: Decimal,
    due_on: date,
    paid_dates: Dates,
    paid_amounts: Amounts,
    as_of: date,
    basis: Optional[int] = None,
    trace: Trace = SILENT,
) -> list[Line]:
    """A line for each payment and one for the balance: date, tax, days late, interest, surcharge. PP-1, PP-11."""
    LAW.at(as_of)
    if trace.explains:
        trace.note(PAYMENTS)
        trace.contested(PAYMENTS)
    return list(_lines(tax, due_on, _payments(paid_dates, paid_amounts, as_of, trace), as_of, basis, trace))


def payoff(
    tax: Decimal,
    due_on: date,
    paid_dates: Dates,
    paid_amounts: Amounts,
    as_of: date,
    basis: Optional[int] = None,
    trace: Trace = SILENT,
) -> Decimal:
    """All that is owed on `as_of`: tax, interest and surcharge less payments; below 0 when overpaid. PP-1, PP-11."""
    payments = _payments(paid_dates, paid_amounts, as_of)
    lines = ledger(tax, due_on, paid_dates, paid_amounts, as_of, basis, trace)
    charged, added = sum((line.interest for line in lines), ZERO), sum((line.surcharge for line in lines), ZERO)
    paid = sum((cents(amount) for _, amount in payments), ZERO)
    owed = cents(tax) + charged + added - paid
    if trace.explains:
        trace.step(BALANCE, owed, tax=tax, interest=charged, surcharge=added, paid=paid)
    return owed


_ARGUMENTS = (
    Argument("tax", "money", T("Tax of the return", "Contribución de la planilla"), 10000),
    Argument("due_on", "date", T("Date prescribed for payment", "Fecha prescrita para el pago"), date(2026, 5, 15)),
    Argument(
        "paid_dates",
        "date",
        T("Range of payment dates", "Rango de fechas de pago"),
        date(2026, 6, 10),
        whole_range=True,
    ),
    Argument(
        "paid_amounts",
        "money",
        T("Range of payments, as many as dates", "Rango de pagos, tantos como fechas"),
        3000,
        whole_range=True,
    ),
    Argument(
        "as_of", "date", T("Date on which the debt is stated", "Fecha a la que se declara la deuda"), date(2026, 9, 15)
    ),
    BASIS,
)

FUNCTIONS = (
    Function(
        "PR_PAYOFF",
        payoff,
        _ARGUMENTS,
        "money",
        T(
            "All that is owed on a date: tax, interest and surcharge less payments; negative if overpaid",
            "Todo lo adeudado a una fecha: contribución, interés y recargo menos pagos; negativo si se pagó de más",
        ),
        LAW,
        ("PP-1", "PP-11"),
        "(a)(1), (c)",
    ),
    Function(
        "PR_LEDGER",
        ledger,
        _ARGUMENTS,
        "table",
        T(
            "A line for each payment and one for the balance: date, tax, days, interest, surcharge",
            "Una línea por pago y una por el balance: fecha, contribución, días, interés, recargo",
        ),
        LAW,
        ("PP-1", "PP-11"),
        "(a)(1), (c)",
        columns=(
            T("Date", "Fecha"),
            T("Tax", "Contribución"),
            T("Days late", "Días de atraso"),
            T("Interest", "Interés"),
            T("Surcharge", "Recargo"),
        ),
    ),
)
