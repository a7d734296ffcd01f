"""Payroll withholding: Ley 57-1990 (Ley 91-1954, Sección 145A).

An employer who was notified and still does not deposit the tax withheld from wages owes a penalty of 25 to 50 % of the
shortfall, never under 300 dollars for a repeat offender, posts a bond of the shortfall and one year's interest, and may be
fined or imprisoned. The percentage within the range is the Secretary's to choose, so the range is given, not a point.

>>> from decimal import Decimal as D
>>> penalty_min(D(400), repeat=True), penalty_max(D(400), repeat=True)
(Decimal('300.00'), Decimal('300.00'))
>>> penalty_min(D("1200.04"), repeat=True), penalty_max(D("1200.04"), repeat=True)
(Decimal('300.01'), Decimal('600.02'))
>>> bond(D(20000))
Decimal('22000.00')
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Optional

from recargos.law import SILENT, Argument, Citation, Function, Rule, Statute, T, Trace, out_of_range
from recargos.money import ZERO, cents
from recargos.statutes.common import HOLIDAYS, Holidays, last_day

LAW = Statute(
    "withholding",
    T("Payroll withholding", "Retención sobre salarios"),
    Citation(
        "",
        T("Act 57-1990, Article 2 (Act 91-1954, Section 145A)", "Ley 57-1990, Artículo 2 (Ley 91-1954, Sección 145A)"),
    ),
    in_force=date(1990, 12, 31),
    in_force_source=T(
        "in force on approval in 1990; the day is not in the text, so the catalogue starts at the end of that year",
        "en vigor desde su aprobación en 1990; el día no consta en el texto, por lo que el catálogo empieza al final de ese año",
    ),
    later=T(
        "Historic: the Income Tax Act of 1954 was replaced by later codes; for current periods see 13 LPRA § 33115 (Code of 2011, Section 6041.05), which differs.",
        "Histórica: la Ley de Contribuciones sobre Ingresos de 1954 fue sustituida por códigos posteriores; para períodos actuales vea 13 LPRA § 33115 (Código de 2011, Sección 6041.05), que difiere.",
    ),
)

REFERRAL = LAW.days(
    "referral.days", 60, "(a)", "dentro de los próximos sesenta (60) días siguientes al último día hábil"
)
FINE_MIN = LAW.dollars("fine.min", "100", "(b)(1)", "multa no menor de cien (100) dólares")
FINE_MAX = LAW.dollars("fine.max", "500", "(b)(1)", "ni mayor de quinientos (500) dólares")
PRISON_MIN = LAW.count("prison.min_months", "months", 1, "(b)(1)", "reclusión por un término mínimo de un (1) mes")
PRISON_MAX = LAW.count("prison.max_months", "months", 6, "(b)(1)", "máximo de seis (6) meses")
LOW = LAW.rate("penalty.min", "0.25", "(b)(2)", "una penalidad no menor del veinticinco por ciento ( 25% )")
HIGH = LAW.rate(
    "penalty.max", "0.50", "(b)(2)", "ni mayor del cincuenta por ciento ( 50% ) de la insuficiencia determinada"
)
REPEAT_FLOOR = LAW.dollars("penalty.repeat_floor", "300", "(b)(2)", "nunca será menor de trescientos (300) dólares")
BOND_RATE = LAW.rate("bond.interest", "0.10", "(e)(1)", "al tipo del diez (10) por ciento anual")
BOND_YEARS = LAW.count(
    "bond.years",
    "years",
    1,
    "(e)(1)",
    "por el período de un año adicional a partir de la fecha de la determinación de la fianza",
)
POSTING = LAW.days(
    "bond.posting_days",
    30,
    "(e)(2)",
    "un término que no excederá de treinta (30) días contados a partir de la fecha de depósito en el correo de la notificación",
)
REVIEW = LAW.days(
    "bond.review_days", 15, "(e)(2)", "un término de quince (15) días contados a partir de la fecha de la prestación"
)
RELEASE = LAW.count(
    "bond.release_years",
    "years",
    4,
    "(e)(3)",
    "después de un término no menor de cuatro(4) años a partir de la fecha en que la misma sea prestada",
)

PW_1 = LAW.rule(
    "PW-1",
    "(a)",
    en="List to the Secretary of Justice within {days} days after the last business day for the deposit: {last} (a duty of the Secretary)",
    es="Listado al Secretario de Justicia dentro de {days} días desde el último día hábil para depositar: {last} (deber del Secretario)",
)
PW_2 = LAW.rule(
    "PW-2",
    "(b)",
    en="Only after a notice of the Secretary was received and not complied with",
    es="Solo tras recibir una notificación del Secretario e incumplirla",
)
PW_3 = LAW.rule(
    "PW-3",
    "(b)(1)",
    en="Apart from this a misdemeanor, at the court's discretion: fine of {fine_min} to {fine_max} dollars, {months_min} to {months_max} months of prison, or both, plus costs",
    es="Aparte de esto, delito menos grave, a discreción del tribunal: multa de {fine_min} a {fine_max} dólares, reclusión de {months_min} a {months_max} meses, o ambas, más costas",
)
PW_4 = LAW.rule(
    "PW-4",
    "(b)(2)",
    en="{rate:%} of the shortfall of {shortfall:$}; the Secretary may set {low:%} to {high:%}",
    es="{rate:%} de la insuficiencia de {shortfall:$}; el Secretario puede fijar de {low:%} a {high:%}",
)
PW_5 = LAW.rule(
    "PW-5",
    "(b)(2)",
    en="Repeat offense: never less than {floor} dollars, even above the highest percentage",
    es="Reincidencia: nunca menos de {floor} dólares, aun sobre el por ciento máximo",
)
PW_6 = LAW.rule(
    "PW-6",
    "(b)(2)",
    en="Shortfall: what had to be deposited, less what was deposited on or before the prescribed date",
    es="Insuficiencia: lo que debió depositarse menos lo depositado en o antes de la fecha prescrita",
)
PW_7 = LAW.rule(
    "PW-7",
    "(e)(1)",
    en="Bond: the shortfall of {shortfall:$} and {years} year of interest at {rate:%}; the penalty is not part of it",
    es="Fianza: la insuficiencia de {shortfall:$} y {years} año de intereses al {rate:%}; la penalidad no forma parte",
    contested=T(
        "one further year of interest from the determination (computed), or interest already accrued besides",
        "un año adicional de intereses desde la determinación (así se computa), o además los intereses ya acumulados",
    ),
)
PW_8 = LAW.rule(
    "PW-8",
    "(e)(2)",
    en="Bond to be posted within {days} days of mailing (not of receipt), or sooner if the Secretary says so: {last}",
    es="Fianza a prestarse dentro de {days} días del depósito en el correo (no del recibo), o antes si el Secretario lo fija: {last}",
)
PW_9 = LAW.rule(
    "PW-9",
    "(e)(2)",
    en="Disapproval to be notified within {days} days of posting: {last}",
    es="Desaprobación a notificarse dentro de {days} días de la prestación: {last}",
)
PW_10 = LAW.rule(
    "PW-10",
    "(e)(2)",
    en="No disapproval notified in time: the bond is taken as approved",
    es="Sin desaprobación notificada a tiempo: la fianza se entiende aprobada",
)
PW_11 = LAW.rule(
    "PW-11",
    "(e)(2)",
    en="Bond not posted in the term, or not approved: its amount is assessed and collected",
    es="Fianza no prestada en término, o no aprobada: su monto se tasa y cobra",
)
PW_12 = LAW.rule(
    "PW-12",
    "(e)(3)",
    en="The bond does not serve for Sections 272 and 273 or any other that requires one",
    es="La fianza no sirve para las Secciones 272 y 273 ni otras que exijan una",
)
PW_13 = LAW.rule(
    "PW-13",
    "(e)(3)",
    en="May be withdrawn after {years} years from posting, with full compliance throughout: from {on}",
    es="Puede retirarse después de {years} años de prestada, con cumplimiento en todo momento: desde el {on}",
    contested=T(
        "the day after the anniversary (computed, the safer: “después de”), or the anniversary itself",
        "el día después del aniversario (así se computa, lo más seguro: «después de»), o el aniversario mismo",
    ),
)
PW_14 = LAW.rule(
    "PW-14",
    "(e)(4)",
    en="May be executed at any time on a failure to deposit",
    es="Puede ejecutarse en cualquier momento por falta de depósito",
)
PW_15 = LAW.rule(
    "PW-15",
    "(f)",
    en="Any individual, and officers, agents, employees and partners with the duty, public ones too, are persons here and under Section 145(e)",
    es="Cualquier individuo, y los oficiales, agentes, empleados y socios obligados, también públicos, son personas aquí y bajo la Sección 145(e)",
)
PW_16 = LAW.rule(
    "PW-16",
    "",
    en="For periods under the Income Tax Act of 1954; later codes replaced it",
    es="Para períodos bajo la Ley de Contribuciones sobre Ingresos de 1954; códigos posteriores la sustituyeron",
)


def shortfall(required: Decimal, deposited_on_time: Decimal, trace: Trace = SILENT) -> Decimal:
    """What should have been deposited and was not, by the prescribed date. PW-6."""
    due = max(cents(required - deposited_on_time), cents(ZERO))
    if trace.explains:
        trace.step(PW_6, due)
        trace.note(PW_2, PW_16)
    return due


def _penalty(amount: Decimal, rate: Decimal, repeat: Optional[bool], trace: Trace) -> Decimal:
    law = LAW.at()
    due = cents(amount * rate)
    if trace.explains:
        trace.step(PW_4, due, rate=rate, shortfall=amount, low=law[LOW], high=law[HIGH])
    if repeat and amount:
        due = max(due, cents(law[REPEAT_FLOOR]))
        if trace.explains:
            trace.step(PW_5, due, floor=law[REPEAT_FLOOR])
    if trace.explains:
        trace.step(
            PW_3, fine_min=law[FINE_MIN], fine_max=law[FINE_MAX], months_min=law[PRISON_MIN], months_max=law[PRISON_MAX]
        )
        trace.note(PW_2, PW_15, PW_16)
    return due


def penalty(amount: Decimal, rate: Decimal, repeat: Optional[bool] = None, trace: Trace = SILENT) -> Decimal:
    """The penalty at a percentage that the Secretary has set. `#NUM!` outside 25 to 50 %. PW-4, PW-5."""
    law = LAW.at()
    if not law[LOW] <= rate <= law[HIGH]:
        raise out_of_range(
            f"the rate lies between {law[LOW]:.0%} and {law[HIGH]:.0%}",
            f"la tasa está entre {law[LOW]:.0%} y {law[HIGH]:.0%}",
        )
    return _penalty(amount, rate, repeat, trace)


def penalty_min(amount: Decimal, repeat: Optional[bool] = None, trace: Trace = SILENT) -> Decimal:
    """The lowest penalty that can be imposed. PW-4, PW-5."""
    return _penalty(amount, LAW.at()[LOW], repeat, trace)


def penalty_max(amount: Decimal, repeat: Optional[bool] = None, trace: Trace = SILENT) -> Decimal:
    """The highest percentage penalty; a repeat offender's floor of 300 dollars can exceed it. PW-4, PW-5."""
    return _penalty(amount, LAW.at()[HIGH], repeat, trace)


def bond(amount: Decimal, trace: Trace = SILENT) -> Decimal:
    """Amount of the bond: the shortfall and one year's interest, whatever the length of the year. PW-7."""
    law = LAW.at()
    due = cents(amount * (1 + law[BOND_RATE] * law[BOND_YEARS]))
    if trace.explains:
        trace.step(PW_7, due, shortfall=amount, years=law[BOND_YEARS], rate=law[BOND_RATE])
        trace.contested(PW_7)
        trace.note(PW_2, PW_12, PW_14, PW_16)
    return due


def _term(start: date, days: int, holidays: Holidays, rule: Rule, trace: Trace) -> date:
    """Last day of a term, told as a step of `rule`."""
    last = last_day(start, days, holidays, trace)
    if trace.explains:
        trace.step(rule, last, "date", days=days, last=last)
    return last


def referral_due(last_business_day: date, holidays: Holidays = None, trace: Trace = SILENT) -> date:
    """Until when the Secretary sends the list to the Secretary of Justice. PW-1."""
    due = _term(last_business_day, LAW.at()[REFERRAL], holidays, PW_1, trace)
    if trace.explains:
        trace.note(PW_16)
    return due


def bond_due(mailed_on: date, holidays: Holidays = None, trace: Trace = SILENT) -> date:
    """Latest day to post the bond. PW-8."""
    due = _term(mailed_on, LAW.at()[POSTING], holidays, PW_8, trace)
    if trace.explains:
        trace.note(PW_16)
    return due


def bond_review_due(posted_on: date, holidays: Holidays = None, trace: Trace = SILENT) -> date:
    """Latest day for the Secretary to notify a disapproval. PW-9, PW-10."""
    due = _term(posted_on, LAW.at()[REVIEW], holidays, PW_9, trace)
    if trace.explains:
        trace.note(PW_10, PW_16)
    return due


def bond_release(posted_on: date, trace: Trace = SILENT) -> date:
    """First day on which the bond may be withdrawn: the day after its fourth anniversary. PW-13."""
    years = LAW.at()[RELEASE]
    try:
        anniversary = posted_on.replace(year=posted_on.year + years)
    except ValueError:  # February 29 without an anniversary: the four years are full at the end of February
        if posted_on.year + years > date.max.year:
            raise OverflowError from None
        anniversary = posted_on.replace(year=posted_on.year + years, day=28)
    on = anniversary + timedelta(days=1)
    if trace.explains:
        trace.step(PW_13, on, "date", years=years, on=on)
        trace.contested(PW_13)
        trace.note(PW_14, PW_16)
    return on


def bond_status(
    as_of: date,
    mailed_on: date,
    posted_on: Optional[date] = None,
    disapproved_on: Optional[date] = None,
    holidays: Holidays = None,
    trace: Trace = SILENT,
) -> str:
    """How the bond stands on `as_of`: pending, late, under review, approved by silence or assess. PW-8 to PW-11.

    What is dated after `as_of` has not happened yet.
    """
    law = LAW.at(as_of)
    due = _term(mailed_on, law[POSTING], holidays, PW_8, trace)
    if trace.explains:
        trace.note(PW_16)
    if posted_on is None or posted_on > as_of:
        return "pending" if as_of <= due else _stands("assess", PW_11, trace)
    if posted_on > due:
        return _stands("late", PW_11, trace)
    review_due = _term(posted_on, law[REVIEW], holidays, PW_9, trace)
    if disapproved_on is not None and disapproved_on <= min(as_of, review_due):
        return _stands("assess", PW_11, trace)
    return "under review" if as_of <= review_due else _stands("approved by silence", PW_10, trace)


def _stands(status: str, rule: Rule, trace: Trace) -> str:
    if trace.explains:
        trace.step(rule, status, "text")
    return status


_SHORTFALL = Argument(
    "shortfall",
    "money",
    T("Shortfall; see PR_WITHHOLDING_SHORTFALL", "Insuficiencia; vea PR_WITHHOLDING_SHORTFALL"),
    1000,
)
_REPEAT = Argument("repeat", "flag", T("TRUE for a repeat offense", "TRUE si hay reincidencia"), True, optional=True)
_MAILED = Argument(
    "mailed_on",
    "date",
    T("Date the notice was mailed", "Fecha de depósito en el correo de la notificación"),
    date(1993, 3, 1),
)
_POSTED = Argument(
    "posted_on", "date", T("Date the bond was posted", "Fecha en que se prestó la fianza"), date(1993, 3, 20)
)

FUNCTIONS = (
    Function(
        "PR_WITHHOLDING_SHORTFALL",
        shortfall,
        (
            Argument(
                "required", "money", T("Tax that had to be deposited", "Contribución que debió depositarse"), 10000
            ),
            Argument(
                "deposited_on_time",
                "money",
                T("Deposited on or before the prescribed date", "Depositado en o antes de la fecha prescrita"),
                9000,
            ),
        ),
        "money",
        T(
            "Shortfall of withheld payroll tax: due less deposited on time, never below 0",
            "Insuficiencia de contribución retenida: debida menos depositada a tiempo, nunca menos de 0",
        ),
        LAW,
        ("PW-2", "PW-6", "PW-16"),
        "(b)(2)",
    ),
    Function(
        "PR_WITHHOLDING_PENALTY",
        penalty,
        (
            _SHORTFALL,
            Argument(
                "rate",
                "rate",
                T("Percentage set by the Secretary, 0.25 to 0.50", "Por ciento fijado por el Secretario, 0.25 a 0.50"),
                0.25,
            ),
            _REPEAT,
        ),
        "money",
        T(
            "Penalty at the percentage set by the Secretary, at least 300.00 on a repeat offense",
            "Penalidad al por ciento fijado por el Secretario, mínimo 300.00 si hay reincidencia",
        ),
        LAW,
        ("PW-2", "PW-3", "PW-4", "PW-5", "PW-15", "PW-16"),
        "(b)(2)",
    ),
    Function(
        "PR_WITHHOLDING_PENALTY_MIN",
        penalty_min,
        (_SHORTFALL, _REPEAT),
        "money",
        T(
            "Lowest penalty: 25 % of the shortfall, at least 300.00 on a repeat offense",
            "Penalidad mínima: 25 % de la insuficiencia, mínimo 300.00 si hay reincidencia",
        ),
        LAW,
        ("PW-2", "PW-3", "PW-4", "PW-5", "PW-15", "PW-16"),
        "(b)(2)",
    ),
    Function(
        "PR_WITHHOLDING_PENALTY_MAX",
        penalty_max,
        (_SHORTFALL, _REPEAT),
        "money",
        T(
            "Highest penalty: 50 % of the shortfall, at least 300.00 on a repeat offense",
            "Penalidad máxima: 50 % de la insuficiencia, mínimo 300.00 si hay reincidencia",
        ),
        LAW,
        ("PW-2", "PW-3", "PW-4", "PW-5", "PW-15", "PW-16"),
        "(b)(2)",
    ),
    Function(
        "PR_WITHHOLDING_BOND",
        bond,
        (_SHORTFALL,),
        "money",
        T(
            "Bond to be posted: the shortfall and one year of interest at 10 %",
            "Fianza a prestarse: la insuficiencia y un año de intereses al 10 %",
        ),
        LAW,
        ("PW-2", "PW-7", "PW-12", "PW-14", "PW-16"),
        "(e)(1)",
    ),
    Function(
        "PR_WITHHOLDING_REFERRAL_DUE",
        referral_due,
        (
            Argument(
                "last_business_day",
                "date",
                T("Last business day for the deposit", "Último día hábil para depositar"),
                date(1993, 1, 15),
            ),
            HOLIDAYS,
        ),
        "date",
        T(
            "Last day for the list to the Secretary of Justice: 60 days",
            "Último día para el listado al Secretario de Justicia: 60 días",
        ),
        LAW,
        ("PW-1", "PW-16"),
        "(a)",
    ),
    Function(
        "PR_BOND_DUE",
        bond_due,
        (_MAILED, HOLIDAYS),
        "date",
        T(
            "Last day to post the bond: 30 days after mailing",
            "Último día para prestar la fianza: 30 días del depósito en el correo",
        ),
        LAW,
        ("PW-8", "PW-16"),
        "(e)(2)",
    ),
    Function(
        "PR_BOND_REVIEW_DUE",
        bond_review_due,
        (_POSTED, HOLIDAYS),
        "date",
        T(
            "Last day for the Secretary to notify a disapproval: 15 days after posting",
            "Último día para que el Secretario notifique la desaprobación: 15 días de prestada",
        ),
        LAW,
        ("PW-9", "PW-10", "PW-16"),
        "(e)(2)",
    ),
    Function(
        "PR_BOND_RELEASE",
        bond_release,
        (_POSTED,),
        "date",
        T(
            "First day on which the bond may be withdrawn: after 4 years of compliance",
            "Primer día para retirar la fianza: después de 4 años de cumplimiento",
        ),
        LAW,
        ("PW-13", "PW-14", "PW-16"),
        "(e)(3)",
    ),
    Function(
        "PR_BOND_STATUS",
        bond_status,
        (
            Argument(
                "as_of",
                "date",
                T("Date on which the status is stated", "Fecha a la que se declara el estado"),
                date(1993, 4, 10),
            ),
            _MAILED,
            _POSTED._replace(optional=True),
            Argument(
                "disapproved_on",
                "date",
                T("Date the disapproval was notified", "Fecha en que se notificó la desaprobación"),
                date(1993, 4, 1),
                optional=True,
            ),
            HOLIDAYS,
        ),
        "text",
        T(
            "Status of the bond: pending, late, under review, approved by silence, assess",
            "Estado de la fianza: pending, late, under review, approved by silence, assess",
        ),
        LAW,
        ("PW-8", "PW-9", "PW-10", "PW-11", "PW-16"),
        "(e)(2)",
    ),
)
