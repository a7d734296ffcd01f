"""Late filing: 13 LPRA § 33081 (Código de Rentas Internas de 2011, Sección 6030.11).

A return filed late adds 5 % of the net tax for the first thirty days and 10 % more for every further thirty days or
fraction, never more than 25 % in all. The net tax is the tax of the return less what was paid by the payment date and the
credits that were or could be claimed.

>>> from decimal import Decimal as D
>>> late_file(D(8000), 47, paid_on_time=D(5000), credits=D(1200))
Decimal('270.00')
>>> [str(late_file_rate(days)) for days in (0, 1, 30, 31, 60, 61, 400)]
['0', '0.05', '0.05', '0.15', '0.15', '0.25', '0.25']
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Optional

from recargos.law import SILENT, Argument, Citation, Function, Statute, T, Trace
from recargos.money import ZERO, ceil_div, cents
from recargos.statutes.common import AS_OF, DAYS

LAW = Statute(
    "late_filing",
    T("Late filing", "Planilla radicada tarde"),
    Citation("13 LPRA § 33081", T("Act 1-2011, Section 6030.11", "Ley 1-2011, Sección 6030.11")),
    in_force=date(2011, 1, 1),
    in_force_source=T(
        "Act 1 of January 31, 2011, retroactive to January 1, 2011",
        "Ley 1 de 31 de enero de 2011, retroactiva al 1 de enero de 2011",
    ),
    later=T(
        "Text as enacted in 2011; amended by Act 52-2022, and that amendment has not been reviewed.",
        "Texto según aprobado en 2011; enmendado por la Ley 52-2022, y esa enmienda no se ha revisado.",
    ),
)

FIRST = LAW.rate(
    "first_period",
    "0.05",
    "(a)",
    "five percent (5%) of his/her taxes added … if the omission is not for more than thirty (30) days",
)
FURTHER = LAW.rate(
    "further_period",
    "0.10",
    "(a)",
    "an additional ten percent (10%) for any additional period or fraction of an additional period of thirty (30) days",
)
CAP = LAW.rate("cap", "0.25", "(a)", "not to exceed twenty-five percent (25%) in total")
PERIOD = LAW.days("period", 30, "(a)", "thirty (30) days")

LF_1 = LAW.rule(
    "LF-1",
    "(a)",
    en="Filed {days} days after the filing date, as extended (an extension to file does not move the payment date)",
    es="Radicada {days} días después de la fecha para radicar, con su prórroga (la prórroga para radicar no mueve la fecha de pago)",
)
LF_2 = LAW.rule(
    "LF-2",
    "(a)",
    en="First {period} days or part of them: {rate:%}",
    es="Primeros {period} días o parte de ellos: {rate:%}",
)
LF_3 = LAW.rule(
    "LF-3",
    "(a)",
    en="{rate:%} more for each further {period} days or fraction: {further} of them",
    es="{rate:%} adicional por cada {period} días o fracción adicionales: {further}",
)
LF_4 = LAW.rule("LF-4", "(a)", en="Never more than {cap:%} in total", es="Nunca más de {cap:%} en total")
LF_5 = LAW.rule(
    "LF-5",
    "(b)",
    en="Tax of {tax:$} less {paid:$} paid by the date for payment (later payments do not count)",
    es="Contribución de {tax:$} menos {paid:$} pagado a la fecha de pago (los pagos posteriores no cuentan)",
)
LF_6 = LAW.rule(
    "LF-6",
    "(b)",
    en="Less {credits:$} of credits that were or could be claimed in the return: net tax, never below 0",
    es="Menos {credits:$} de créditos reclamados o que podían reclamarse en la planilla: contribución neta, nunca menos de 0",
)
LF_7 = LAW.rule(
    "LF-7",
    "(a)",
    en="Reasonable cause and no willful carelessness, which the taxpayer must prove: nothing is due",
    es="Causa razonable y no descuido voluntario, que prueba el contribuyente: nada se debe",
)
LF_8 = LAW.rule(
    "LF-8", "(a)", en="In addition to any other penalty of the Code", es="Además de cualquier otra penalidad del Código"
)
LF_9 = LAW.rule(
    "LF-9",
    "(a)",
    en="Still due when the tax was paid before the omission was discovered: only the manner of collection changes",
    es="Se debe aunque la contribución se pagara antes de descubrirse la omisión: solo cambia la forma de cobro",
)
LF_10 = LAW.rule(
    "LF-10",
    "(c)",
    en="Willfully not filed: a misdemeanor (2011 text)",
    es="Dejar de rendir voluntariamente: delito menos grave (texto de 2011)",
)
LF_11 = LAW.rule(
    "LF-11",
    "(d)",
    en="Willfully not filed, with intent to evade or defeat the tax: a third-degree felony (2011 text)",
    es="Dejar de rendir voluntariamente, con intención de evadir o derrotar la contribución: delito grave de tercer grado (texto de 2011)",
)
LF_12 = LAW.rule(
    "LF-12",
    "",
    en="A return not yet filed is counted to a date that you choose, never to today by itself (the statute is silent)",
    es="Una planilla aún sin radicar se cuenta hasta la fecha que usted escoja, nunca hasta hoy por sí sola (la ley no lo dispone)",
)


def late_file_rate(days: int, as_of: Optional[date] = None, trace: Trace = SILENT) -> Decimal:
    """The share of the net tax that is added after `days` days: 0, 0.05, 0.15 or 0.25. LF-2, LF-3, LF-4."""
    law = LAW.at(as_of)
    if trace.explains:
        trace.step(LF_1, days, "days", days=max(days, 0))
    if days <= 0:
        return ZERO
    period = law[PERIOD]
    rate: Decimal = law[FIRST]
    if trace.explains:
        trace.step(LF_2, rate, "rate", period=period, rate=rate)
    if days > period:
        further = ceil_div(days - period, period)
        rate += further * law[FURTHER]
        if trace.explains:
            trace.step(LF_3, rate, "rate", rate=law[FURTHER], period=period, further=further)
    if rate >= law[CAP]:
        if rate > law[CAP]:
            trace.capped(LF_4, cap=law[CAP])
        rate = law[CAP]
        if trace.explains:
            trace.step(LF_4, rate, "rate", cap=rate)
    return rate


def late_file_base(
    tax: Decimal,
    paid_on_time: Optional[Decimal] = None,
    credits: Optional[Decimal] = None,
    trace: Trace = SILENT,
) -> Decimal:
    """The net tax on which the addition falls, never below 0. LF-5, LF-6."""
    return cents(_net(tax, paid_on_time or ZERO, credits or ZERO, trace))


def _net(tax: Decimal, paid: Decimal, credits: Decimal, trace: Trace) -> Decimal:
    unpaid = tax - paid if tax > paid else ZERO
    net = unpaid - credits if unpaid > credits else ZERO
    if trace.explains:
        trace.step(LF_5, unpaid, tax=tax, paid=paid)
        trace.step(LF_6, net, credits=credits)
    return net


def late_file(
    tax: Decimal,
    days: int,
    paid_on_time: Optional[Decimal] = None,
    credits: Optional[Decimal] = None,
    reasonable_cause: Optional[bool] = None,
    as_of: Optional[date] = None,
    trace: Trace = SILENT,
) -> Decimal:
    """The addition for a return filed `days` days late, in dollars to the cent. LF-1 to LF-9."""
    LAW.at(as_of)
    if reasonable_cause:
        if trace.explains:
            trace.step(LF_7, ZERO)
        return ZERO
    net = _net(tax, paid_on_time or ZERO, credits or ZERO, trace)
    rate = late_file_rate(days, as_of, trace)
    if trace.explains:
        trace.note(LF_8, LF_9, LF_12)
    return cents(net * rate)


def late_file_offense(
    willful: Optional[bool] = None, intent_to_evade: Optional[bool] = None, trace: Trace = SILENT
) -> str:
    """What a failure to file is beyond its addition: none, misdemeanor or third-degree felony. LF-10, LF-11."""
    if willful and intent_to_evade:
        if trace.explains:
            trace.step(LF_11, "third-degree felony", "text")
        return "third-degree felony"
    if willful:
        if trace.explains:
            trace.step(LF_10, "misdemeanor", "text")
        return "misdemeanor"
    if trace.explains:
        trace.note(LF_10, LF_11)
    return "none"


_PAID = Argument(
    "paid_on_time", "money", T("Paid by the date for payment", "Pagado a la fecha de pago"), 5000, optional=True
)
_CREDITS = Argument(
    "credits",
    "money",
    T("Credits claimed or claimable in the return", "Créditos reclamados o reclamables en la planilla"),
    1200,
    optional=True,
)
_TAX = Argument("tax", "money", T("Tax determined in the return", "Contribución determinada en la planilla"), 8000)

FUNCTIONS = (
    Function(
        "PR_LATE_FILE",
        late_file,
        (
            _TAX,
            DAYS,
            _PAID,
            _CREDITS,
            Argument(
                "reasonable_cause",
                "flag",
                T("TRUE if reasonable cause was proved", "TRUE si se probó causa razonable"),
                False,
                optional=True,
            ),
            AS_OF,
        ),
        "money",
        T(
            "Addition for filing late: 5 % of the net tax up to 30 days, 10 % more for each further 30 days or fraction, at most 25 %",
            "Adición por radicar tarde: 5 % de la contribución neta hasta 30 días, 10 % más por cada 30 días o fracción, máximo 25 %",
        ),
        LAW,
        ("LF-1", "LF-2", "LF-3", "LF-4", "LF-5", "LF-6", "LF-7", "LF-8", "LF-9", "LF-12"),
        "(a)",
    ),
    Function(
        "PR_LATE_FILE_BASE",
        late_file_base,
        (_TAX, _PAID, _CREDITS),
        "money",
        T(
            "Net tax on which the late-filing addition falls, never below 0",
            "Contribución neta sobre la que recae la adición, nunca menos de 0",
        ),
        LAW,
        ("LF-5", "LF-6"),
        "(b)",
    ),
    Function(
        "PR_LATE_FILE_RATE",
        late_file_rate,
        (DAYS, AS_OF),
        "rate",
        T(
            "Rate of the late-filing addition: 0, 0.05, 0.15 or 0.25",
            "Tasa de la adición por radicar tarde: 0, 0.05, 0.15 o 0.25",
        ),
        LAW,
        ("LF-2", "LF-3", "LF-4"),
        "(a)",
    ),
    Function(
        "PR_LATE_FILE_OFFENSE",
        late_file_offense,
        (
            Argument(
                "willful",
                "flag",
                T("TRUE if willfully not filed", "TRUE si se dejó de rendir voluntariamente"),
                True,
                optional=True,
            ),
            Argument(
                "intent_to_evade",
                "flag",
                T("TRUE if with intent to evade the tax", "TRUE si hubo intención de evadir"),
                False,
                optional=True,
            ),
        ),
        "text",
        T("Offense: none, misdemeanor or third-degree felony", "Delito: none, misdemeanor o third-degree felony"),
        LAW,
        ("LF-10", "LF-11"),
        "(c), (d)",
    ),
)
