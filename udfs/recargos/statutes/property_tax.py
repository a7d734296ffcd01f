"""Personal property tax (CRIM): 21 LPRA § 5221 (Ley 83-1991, Artículo 6.21).

Tax paid late bears simple interest of 10 % a year, and a surcharge of 5, 10 or 15 % by how long the payment was delayed; the
steps replace each other, they are never added. A return filed late adds 5 % of the unpaid tax per thirty days or fraction,
at most 25 %. Deficiencies have interest, negligence and fraud rules of their own. Real property has another section.

>>> from decimal import Decimal as D
>>> interest_on_tax(D("21682.73"), 116), surcharge(D("21682.73"), 116), property_late_file(D("21682.73"), 116)
(Decimal('689.09'), Decimal('3252.41'), Decimal('4336.55'))
>>> [str(surcharge_rate(days)) for days in (30, 31, 60, 61, 90, 91)]
['0', '0.05', '0.05', '0.10', '0.10', '0.15']
>>> [str(property_late_file_rate(days)) for days in (0, 30, 31, 61, 91, 121)]
['0', '0.05', '0.10', '0.15', '0.20', '0.25']
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Optional

from recargos.law import SILENT, Argument, Citation, Function, Statute, T, Trace
from recargos.money import ZERO, ceil_div, cents
from recargos.statutes.common import AS_OF, BASIS, DAY_BASIS, DAYS, days_late, interest, year_of

LAW = Statute(
    "property_tax",
    T("Personal property tax", "Contribución sobre la propiedad mueble"),
    Citation("21 LPRA § 5221", T("Act 83-1991, Article 6.21", "Ley 83-1991, Artículo 6.21")),
    in_force=date(2013, 11, 26),
    in_force_source=T(
        "the words at hand are those after Act 136 of November 26, 2013; earlier wording has not been read",
        "el texto a mano es el posterior a la Ley 136 de 26 de noviembre de 2013; el anterior no se ha leído",
    ),
    later=T(
        "Act 83-1991 was repealed and carried into the Municipal Code by Act 107-2020; the article that replaced this one has not been reviewed.",
        "La Ley 83-1991 fue derogada e integrada al Código Municipal por la Ley 107-2020; el artículo que la sustituye no se ha revisado.",
    ),
)

# --- (a) and (b): interest
INTEREST = LAW.rate(
    "interest", "0.10", "(a)(1)", "intereses sobre la cantidad no pagada al tipo de diez por ciento (10%) anual"
)
EXTENSION_INTEREST = LAW.rate(
    "extension_interest",
    "0.10",
    "(a)(2)",
    "se cobrarán intereses al diez por ciento (10%) anual sobre el monto no pagado, desde la fecha de la expiración de la prórroga",
)
DEFICIENCY_INTEREST = LAW.rate(
    "deficiency_interest",
    "0.10",
    "(b)(1)",
    "al tipo de diez por ciento (10%) anual, desde la fecha prescrita para el pago de la contribución hasta la fecha en que la deficiencia sea tasada",
)
WAIVER_DAYS = LAW.days(
    "waiver_days", 30, "(b)(1)", "hasta el trigésimo día siguiente a la fecha de la radicación de dicha renuncia"
)
NOTICE_DAYS = LAW.days(
    "notice_days",
    10,
    "(b)(2)",
    "no se pagare totalmente dentro de los diez (10) días siguientes a la fecha de la notificación y requerimiento",
)
NOTICE_INTEREST = LAW.rate(
    "notice_interest",
    "0.10",
    "(b)(2)",
    "intereses sobre el monto no pagado al tipo de diez por ciento (10%) anual, desde la fecha de tal notificación y requerimiento",
)
# --- (c): surcharge
FREE = LAW.days(
    "surcharge.free", 30, "(c)(1)", "Por una demora en el pago de treinta (30) días o menos no habrá recargos"
)
SECOND_FROM = LAW.days("surcharge.second_after", 60, "(c)(2)", "que no exceda de sesenta (60) días")
THIRD_FROM = LAW.days("surcharge.third_after", 90, "(c)(3)", "que no exceda de noventa (90) días")
FIRST_STEP = LAW.rate("surcharge.first", "0.05", "(c)(2)", "cinco por ciento (5%) del monto no pagado")
SECOND_STEP = LAW.rate("surcharge.second", "0.10", "(c)(3)", "diez por ciento (10%) del monto no pagado")
THIRD_STEP = LAW.rate("surcharge.third", "0.15", "(c)(4)", "quince por ciento (15%) del monto no pagado")
# --- (d): late filing
FILING_FIRST = LAW.rate(
    "late_file.first_period",
    "0.05",
    "(d)(1)",
    "Cinco por ciento (5%) sobre el monto no pagado si la omisión es por no más de treinta (30) días",
)
FILING_FURTHER = LAW.rate(
    "late_file.further_period",
    "0.05",
    "(d)(2)",
    "cinco por ciento (5%) adicional sobre el monto no pagado por cada período o fracción de período adicional de treinta (30) días",
)
FILING_CAP = LAW.rate("late_file.cap", "0.25", "(d)(2)", "sin que se exceda de veinticinco por ciento (25%) en total")
FILING_PERIOD = LAW.days("late_file.period", 30, "(d)(2)", "período adicional de treinta (30) días")
DISCOUNT = LAW.rate(
    "late_file.discount",
    "0.05",
    "(d)(3)",
    "menos el descuento de cinco por ciento (5%) dispuesto en la sec. 5205 de este título",
)
# --- (e) and (f): conduct
NEGLIGENCE = LAW.rate("negligence", "0.10", "(e)", "el diez por ciento (10%) del monto total de la misma")
FRAUD = LAW.rate("fraud", "1.00", "(f)", "el cien por ciento (100%) de dicho monto")

PP_1 = LAW.rule(
    "PP-1",
    "(a)(1)",
    en="Interest of {rate:%} a year on {amount:$}, {days} days over {basis}; simple, from the due date to payment",
    es="Interés de {rate:%} anual sobre {amount:$}, {days} días sobre {basis}; simple, desde el vencimiento hasta el pago",
    contested=DAY_BASIS,
)
PP_2 = LAW.rule(
    "PP-2",
    "(a)(2)",
    en="Extension ran out unpaid: {rate:%} a year on {amount:$} (tax and unpaid extension interest), {days} days over {basis}, "
    "from the day it expired, instead of (a)(1)",
    es="Prórroga vencida sin pagar: {rate:%} anual sobre {amount:$} (contribución e intereses de prórroga no pagados), {days} días sobre {basis}, "
    "desde que venció, en lugar de (a)(1)",
    contested=T(
        "whether the extension's own interest belongs to the base (computed: both, as the text joins them) or the tax alone; days over 365 by default",
        "si los intereses de la prórroga forman parte de la base (así se computa, el texto los une) o solo la contribución; días sobre 365 si no se indica",
    ),
)
PP_3 = LAW.rule(
    "PP-3",
    "(b)(1)",
    en="Deficiency: {rate:%} a year on {amount:$}, {days} days over {basis}, from the due date to its assessment",
    es="Deficiencia: {rate:%} anual sobre {amount:$}, {days} días sobre {basis}, desde el vencimiento hasta su tasación",
    contested=DAY_BASIS,
)
PP_4 = LAW.rule(
    "PP-4",
    "(b)(1)",
    en="Waiver filed: interest ends on the {wait}th day after it or on assessment, whichever is earlier: {end}",
    es="Renuncia radicada: el interés termina el {wait}.º día siguiente o al tasarse, lo que sea anterior: {end}",
)
PP_4B = LAW.rule(
    "PP-4b",
    "(b)(1)",
    en="A part already covered by an earlier payment bears interest only to that payment: compute that part by itself",
    es="La parte cubierta por un pago anterior lleva interés solo hasta ese pago: compútela aparte",
)
PP_5 = LAW.rule(
    "PP-5",
    "(b)(2)",
    en="Notified and not paid within {wait} calendar days (a holiday at their end is not considered): {rate:%} a year on {amount:$} (deficiency, interest and additions), {days} days over {basis}, "
    "back from the date of the notice",
    es="Notificada y no pagada en {wait} días calendario (no se considera un feriado al final): {rate:%} anual sobre {amount:$} (deficiencia, intereses y adiciones), {days} días sobre {basis}, "
    "desde la fecha de la notificación",
    contested=DAY_BASIS,
)
PP_5_PAID = PP_5._replace(
    label=T(
        "Paid within {wait} days of the notice: no interest",
        "Pagada dentro de los {wait} días de la notificación: sin intereses",
    ),
    contested=None,
)
PP_6 = LAW.rule(
    "PP-6",
    "(c)",
    en="Surcharge goes with interest under (a) and (b)(2), not with (b)(1)",
    es="El recargo acompaña los intereses de (a) y (b)(2), no los de (b)(1)",
)
PP_7 = LAW.rule(
    "PP-7",
    "(c)(1)",
    en="{days} days late, {limit} or less: no surcharge",
    es="{days} días de demora, {limit} o menos: sin recargo",
)
PP_8 = LAW.rule(
    "PP-8",
    "(c)(2)",
    en="{days} days late, more than {over} and not more than {limit}: {rate:%}, instead of any lower step",
    es="{days} días de demora, más de {over} y no más de {limit}: {rate:%}, en lugar de todo escalón menor",
)
PP_9 = LAW.rule(
    "PP-9",
    "(c)(3)",
    en="{days} days late, more than {over} and not more than {limit}: {rate:%}, instead of any lower step",
    es="{days} días de demora, más de {over} y no más de {limit}: {rate:%}, en lugar de todo escalón menor",
)
PP_10 = LAW.rule(
    "PP-10",
    "(c)(4)",
    en="{days} days late, more than {over}: {rate:%}, the highest step",
    es="{days} días de demora, más de {over}: {rate:%}, el escalón mayor",
)
PP_11 = LAW.rule(
    "PP-11",
    "(c)",
    en="Surcharge on the unpaid tax of {amount:$}",
    es="Recargo sobre la contribución no pagada de {amount:$}",
    contested=T(
        "each late dollar takes the step of its own delay (computed); others read the step of the last day on the whole late balance, or the balance of day 31",
        "cada dólar tardío lleva el escalón de su propia demora (así se computa); otros leen el escalón del último día sobre todo el balance, o el balance del día 31",
    ),
)
PP_12 = LAW.rule(
    "PP-12",
    "(d)",
    en="Reasonable cause outside the taxpayer's control, shown to the CRIM's satisfaction: nothing is due",
    es="Causa razonable fuera del control del contribuyente, demostrada a satisfacción del CRIM: nada se debe",
)
PP_13 = LAW.rule(
    "PP-13",
    "(d)(1)-(2)",
    en="Filed {days} days late: {rate:%} ({periods} periods of {period} days or fraction, at most {cap:%})",
    es="Radicada {days} días tarde: {rate:%} ({periods} períodos de {period} días o fracción, máximo {cap:%})",
)
PP_14 = LAW.rule(
    "PP-14",
    "(d)(1)",
    en="On the unpaid tax of {amount:$}",
    es="Sobre la contribución no pagada de {amount:$}",
    contested=T(
        "unpaid at the date for payment, less timely payments (computed: give that amount), or at the date of filing",
        "no pagada a la fecha de pago, menos pagos a tiempo (así se computa: provea esa cantidad), o a la fecha de radicar",
    ),
)
PP_15 = LAW.rule(
    "PP-15",
    "(d)(3)",
    en="All was paid with the extension but the {discount:%} discount: the rate falls on that unpaid part, {amount:$}",
    es="Se pagó todo con la prórroga menos el descuento de {discount:%}: la tasa recae sobre esa parte no pagada, {amount:$}",
    contested=T(
        "the rate on the unpaid 5 % (computed: “a base de”), or the whole 5 % as the addition; the discount is lost either way",
        "la tasa sobre el 5 % no pagado (así se computa: «a base de»), o el 5 % completo como adición; el descuento se pierde de todos modos",
    ),
)
PP_16 = LAW.rule(
    "PP-16",
    "(e)",
    en="Negligence or intentional disregard of rules in any part, without intent to defraud: {rate:%} of the whole deficiency of {amount:$}",
    es="Negligencia o menosprecio intencional de las reglas en cualquier parte, sin intención de defraudar: {rate:%} de toda la deficiencia de {amount:$}",
    contested=T(
        "the penalty itself bears interest under (b)(1), as if a deficiency (the reading followed; not included here: add PR_DEFICIENCY_INTEREST of this amount), or the interest is only the deficiency's own",
        "la penalidad misma lleva interés bajo (b)(1) como si fuera deficiencia (lectura que se sigue; no incluido aquí: sume PR_DEFICIENCY_INTEREST de esta cantidad), o el interés es solo el de la deficiencia",
    ),
)
PP_17 = LAW.rule(
    "PP-17",
    "(f)",
    en="Fraud: {rate:%} of the assessed deficiency of {amount:$}, instead of the negligence penalty",
    es="Fraude: {rate:%} de la deficiencia tasada de {amount:$}, en lugar de la penalidad por negligencia",
    contested=T(
        "cumulative with the late-filing addition of (d), since the text does not say “instead”",
        "se acumula con la adición de (d), pues el texto no dice «en lugar de»",
    ),
)
PP_18 = LAW.rule(
    "PP-18",
    "",
    en="Personal property under self-assessment only; real property has another section",
    es="Solo propiedad mueble autoimpuesta; la inmueble tiene otra sección",
)
PP_19 = LAW.rule(
    "PP-19",
    "",
    en="The extension and its own interest come from 21 LPRA § 5211 and are given by you (by its 2019 text none is granted where there is negligence or fraud)",
    es="La prórroga y su propio interés surgen de 21 LPRA § 5211 y los provee usted (según su texto de 2019 no se concede si hay negligencia o fraude)",
)


# ------------------------------------------------------------------------------------------------------ (a), (b): interest


def interest_on_tax(
    amount: Decimal, days: int, basis: Optional[int] = None, as_of: Optional[date] = None, trace: Trace = SILENT
) -> Decimal:
    """Interest on declared tax paid `days` days late. PP-1."""
    law = LAW.at(as_of)
    due = interest(amount, law[INTEREST], days, basis, PP_1, trace)
    if trace.explains:
        trace.note(PP_6, PP_18)
    return due


def extension_interest(
    tax: Decimal,
    unpaid_interest: Decimal,
    expired_on: date,
    paid_on: date,
    basis: Optional[int] = None,
    trace: Trace = SILENT,
) -> Decimal:
    """Interest when a payment extension ran out unpaid, in place of (a)(1). PP-2, PP-19."""
    law = LAW.at()
    due = interest(
        tax + unpaid_interest, law[EXTENSION_INTEREST], days_late(expired_on, paid_on, trace), basis, PP_2, trace
    )
    if trace.explains:
        trace.note(PP_19, PP_6, PP_18)
    return due


def deficiency_interest(
    deficiency: Decimal,
    due_on: date,
    assessed_on: date,
    waiver_on: Optional[date] = None,
    basis: Optional[int] = None,
    trace: Trace = SILENT,
) -> Decimal:
    """Interest assessed together with a deficiency; no surcharge goes with it. PP-3, PP-4, PP-4b, PP-6."""
    law = LAW.at()
    end = assessed_on
    if waiver_on is not None:
        end = min(waiver_on + timedelta(days=law[WAIVER_DAYS]), assessed_on)
        if trace.explains:
            trace.step(PP_4, end, "date", wait=law[WAIVER_DAYS], end=end)
    due = interest(deficiency, law[DEFICIENCY_INTEREST], days_late(due_on, end, trace), basis, PP_3, trace)
    if trace.explains:
        trace.note(PP_4B, PP_6, PP_18)
    return due


def notice_interest(
    amount: Decimal, notified_on: date, paid_on: date, basis: Optional[int] = None, trace: Trace = SILENT
) -> Decimal:
    """Interest on what a notice and demand left unpaid after ten days, back from the notice. PP-5, PP-6."""
    law = LAW.at()
    days = days_late(notified_on, paid_on, trace)
    year = year_of(basis)
    if days <= law[NOTICE_DAYS]:
        if trace.explains:
            trace.step(PP_5_PAID, ZERO, wait=law[NOTICE_DAYS])
        return ZERO
    due = interest(amount, law[NOTICE_INTEREST], days, year, PP_5, trace, wait=law[NOTICE_DAYS])
    if trace.explains:
        trace.note(PP_6, PP_18)
    return due


# ------------------------------------------------------------------------------------------------------- (c): surcharge


def surcharge_rate(days: int, as_of: Optional[date] = None, trace: Trace = SILENT) -> Decimal:
    """The step that a delay of `days` days has reached: 0, 0.05, 0.10 or 0.15; steps replace, never add. PP-7 to PP-10."""
    law = LAW.at(as_of)
    free, second, third = law[FREE], law[SECOND_FROM], law[THIRD_FROM]
    rate: Decimal
    if days <= free:
        rate = ZERO
        if trace.explains:
            trace.step(PP_7, rate, "rate", days=max(days, 0), limit=free)
    elif days <= second:
        rate = law[FIRST_STEP]
        if trace.explains:
            trace.step(PP_8, rate, "rate", days=days, over=free, limit=second, rate=rate)
    elif days <= third:
        rate = law[SECOND_STEP]
        if trace.explains:
            trace.step(PP_9, rate, "rate", days=days, over=second, limit=third, rate=rate)
    else:
        rate = law[THIRD_STEP]
        if trace.explains:
            trace.step(PP_10, rate, "rate", days=days, over=third, rate=rate)
    return rate


def surcharge(amount: Decimal, days: int, as_of: Optional[date] = None, trace: Trace = SILENT) -> Decimal:
    """Surcharge on tax paid `days` days late. PP-6 to PP-11."""
    due = cents(amount * surcharge_rate(days, as_of, trace))
    if trace.explains:
        trace.step(PP_11, due, amount=amount)
        trace.contested(PP_11)
        trace.note(PP_6, PP_18)
    return due


# ----------------------------------------------------------------------------------------------------- (d): late filing


def property_late_file_rate(days: int, as_of: Optional[date] = None, trace: Trace = SILENT) -> Decimal:
    """5 % for each 30 days or fraction, at most 25 %. PP-13."""
    law = LAW.at(as_of)
    if days <= 0:
        if trace.explains:
            trace.step(
                PP_13, ZERO, "rate", days=0, rate=ZERO, periods=0, period=law[FILING_PERIOD], cap=law[FILING_CAP]
            )
        return ZERO
    periods = ceil_div(days, law[FILING_PERIOD])
    rate: Decimal = law[FILING_FIRST] + (periods - 1) * law[FILING_FURTHER]
    cap: Decimal = law[FILING_CAP]
    words = {"days": days, "rate": min(rate, cap), "periods": periods, "period": law[FILING_PERIOD], "cap": cap}
    if rate > cap:
        trace.capped(PP_13, **words)
    if trace.explains:
        trace.step(PP_13, min(rate, cap), "rate", **words)
    return min(rate, cap)


def property_late_file(
    unpaid: Decimal,
    days: int,
    reasonable_cause: Optional[bool] = None,
    as_of: Optional[date] = None,
    trace: Trace = SILENT,
) -> Decimal:
    """Addition for a return filed `days` days late, on the unpaid tax. PP-12 to PP-14."""
    LAW.at(as_of)
    if reasonable_cause:
        if trace.explains:
            trace.step(PP_12, ZERO)
        return ZERO
    due = cents(unpaid * property_late_file_rate(days, as_of, trace))
    if trace.explains:
        trace.step(PP_14, due, amount=unpaid)
        trace.contested(PP_14)
        trace.note(PP_18)
    return due


def discount_late_file(
    tax: Decimal,
    days: int,
    reasonable_cause: Optional[bool] = None,
    as_of: Optional[date] = None,
    trace: Trace = SILENT,
) -> Decimal:
    """Addition when all but the 5 % discount was paid with the extension: it falls on that 5 %. PP-12, PP-13, PP-15."""
    law = LAW.at(as_of)
    if reasonable_cause:
        if trace.explains:
            trace.step(PP_12, ZERO)
        return ZERO
    unpaid = tax * law[DISCOUNT]
    due = cents(unpaid * property_late_file_rate(days, as_of, trace))
    if trace.explains:
        trace.step(PP_15, due, discount=law[DISCOUNT], amount=unpaid)
        trace.contested(PP_15)
        trace.note(PP_18)
    return due


# -------------------------------------------------------------------------------------------------- (e) and (f): conduct


def negligence(deficiency: Decimal, as_of: Optional[date] = None, trace: Trace = SILENT) -> Decimal:
    """Penalty when any part of a deficiency is due to negligence, without intent to defraud. PP-16."""
    rate = LAW.at(as_of)[NEGLIGENCE]
    due = cents(deficiency * rate)
    if trace.explains:
        trace.step(PP_16, due, rate=rate, amount=deficiency)
        trace.contested(PP_16)
        trace.note(PP_18)
    return due


def fraud(deficiency: Decimal, as_of: Optional[date] = None, trace: Trace = SILENT) -> Decimal:
    """Penalty when the return was not filed, or filed false, with intent to evade the tax. PP-17."""
    rate = LAW.at(as_of)[FRAUD]
    due = cents(deficiency * rate)
    if trace.explains:
        trace.step(PP_17, due, rate=rate, amount=deficiency)
        trace.contested(PP_17)
        trace.note(PP_18)
    return due


_DEFICIENCY = Argument("deficiency", "money", T("Deficiency determined", "Deficiencia determinada"), 5000)
_CAUSE = Argument(
    "reasonable_cause",
    "flag",
    T(
        "TRUE if reasonable cause outside the taxpayer's control was shown",
        "TRUE si se demostró causa razonable fuera del control del contribuyente",
    ),
    False,
    optional=True,
)

FUNCTIONS = (
    Function(
        "PR_INTEREST",
        interest_on_tax,
        (Argument("amount", "money", T("Unpaid tax", "Contribución no pagada"), 3000), DAYS, BASIS, AS_OF),
        "money",
        T(
            "Interest of 10 % a year on personal property tax paid late",
            "Interés de 10 % anual sobre contribución mueble pagada tarde",
        ),
        LAW,
        ("PP-1", "PP-6", "PP-18"),
        "(a)(1)",
    ),
    Function(
        "PR_SURCHARGE",
        surcharge,
        (Argument("amount", "money", T("Unpaid tax", "Contribución no pagada"), 3000), DAYS, AS_OF),
        "money",
        T(
            "Surcharge on personal property tax paid late: 0, 5, 10 or 15 % by the days of delay",
            "Recargo sobre contribución mueble pagada tarde: 0, 5, 10 o 15 % según los días de demora",
        ),
        LAW,
        ("PP-6", "PP-7", "PP-8", "PP-9", "PP-10", "PP-11", "PP-18"),
        "(c)",
    ),
    Function(
        "PR_SURCHARGE_RATE",
        surcharge_rate,
        (DAYS, AS_OF),
        "rate",
        T("Rate of the surcharge: 0, 0.05, 0.10 or 0.15", "Tasa del recargo: 0, 0.05, 0.10 o 0.15"),
        LAW,
        ("PP-7", "PP-8", "PP-9", "PP-10"),
        "(c)",
    ),
    Function(
        "PR_EXTENSION_INTEREST",
        extension_interest,
        (
            Argument(
                "tax", "money", T("Tax whose payment was extended, unpaid", "Contribución prorrogada no pagada"), 10000
            ),
            Argument(
                "extension_interest",
                "money",
                T("Unpaid interest of the extension itself", "Intereses no pagados de la prórroga misma"),
                83.33,
            ),
            Argument(
                "expired_on",
                "date",
                T("Date the extension expired", "Fecha en que venció la prórroga"),
                date(2026, 8, 15),
            ),
            Argument("paid_on", "date", T("Date it was paid", "Fecha de pago"), date(2026, 10, 1)),
            BASIS,
        ),
        "money",
        T(
            "Interest of 10 % a year after an extension to pay ran out unpaid",
            "Interés de 10 % anual tras vencer sin pagar la prórroga",
        ),
        LAW,
        ("PP-2", "PP-6", "PP-18", "PP-19"),
        "(a)(2)",
    ),
    Function(
        "PR_DEFICIENCY_INTEREST",
        deficiency_interest,
        (
            _DEFICIENCY,
            Argument(
                "due_on",
                "date",
                T("Date prescribed for payment of the tax", "Fecha prescrita para el pago de la contribución"),
                date(2025, 5, 15),
            ),
            Argument(
                "assessed_on",
                "date",
                T("Date the deficiency was assessed", "Fecha en que se tasó la deficiencia"),
                date(2026, 3, 2),
            ),
            Argument(
                "waiver_on",
                "date",
                T("Date a waiver was filed", "Fecha en que se radicó la renuncia"),
                date(2026, 2, 1),
                optional=True,
            ),
            BASIS,
        ),
        "money",
        T("Interest of 10 % a year assessed with a deficiency", "Interés de 10 % anual tasado con la deficiencia"),
        LAW,
        ("PP-3", "PP-4", "PP-4b", "PP-6", "PP-18"),
        "(b)(1)",
    ),
    Function(
        "PR_NOTICE_INTEREST",
        notice_interest,
        (
            Argument(
                "amount",
                "money",
                T("Deficiency, interest and additions left unpaid", "Deficiencia, intereses y adiciones no pagados"),
                5000,
            ),
            Argument(
                "notified_on",
                "date",
                T("Date of the notice and demand", "Fecha de la notificación y requerimiento"),
                date(2026, 3, 2),
            ),
            Argument("paid_on", "date", T("Date it was paid", "Fecha de pago"), date(2026, 3, 13)),
            BASIS,
        ),
        "money",
        T(
            "Interest of 10 % a year from the notice when not paid within 10 days",
            "Interés de 10 % anual desde la notificación si no se paga en 10 días",
        ),
        LAW,
        ("PP-5", "PP-6", "PP-18"),
        "(b)(2)",
    ),
    Function(
        "PR_PROPERTY_LATE_FILE",
        property_late_file,
        (
            Argument(
                "unpaid",
                "money",
                T("Tax unpaid at the date for payment", "Contribución no pagada a la fecha de pago"),
                10000,
            ),
            DAYS,
            _CAUSE,
            AS_OF,
        ),
        "money",
        T(
            "Addition for filing the personal property return late: 5 % for each 30 days or fraction, at most 25 %",
            "Adición por rendir tarde la planilla de propiedad mueble: 5 % por cada 30 días o fracción, máximo 25 %",
        ),
        LAW,
        ("PP-12", "PP-13", "PP-14", "PP-18"),
        "(d)",
    ),
    Function(
        "PR_PROPERTY_LATE_FILE_RATE",
        property_late_file_rate,
        (DAYS, AS_OF),
        "rate",
        T("Rate of that addition: 0 to 0.25 in steps of 0.05", "Tasa de esa adición: 0 a 0.25 en escalones de 0.05"),
        LAW,
        ("PP-13",),
        "(d)",
    ),
    Function(
        "PR_DISCOUNT_LATE_FILE",
        discount_late_file,
        (
            Argument(
                "tax",
                "money",
                T("Whole tax before the 5 % discount", "Contribución completa antes del descuento de 5 %"),
                10000,
            ),
            DAYS,
            _CAUSE,
            AS_OF,
        ),
        "money",
        T(
            "Addition for filing late when all but the 5 % discount was paid with the extension",
            "Adición por rendir tarde si con la prórroga se pagó todo menos el descuento de 5 %",
        ),
        LAW,
        ("PP-12", "PP-13", "PP-15", "PP-18"),
        "(d)(3)",
    ),
    Function(
        "PR_NEGLIGENCE",
        negligence,
        (_DEFICIENCY, AS_OF),
        "money",
        T("Negligence penalty: 10 % of the whole deficiency", "Penalidad por negligencia: 10 % de toda la deficiencia"),
        LAW,
        ("PP-16", "PP-18"),
        "(e)",
    ),
    Function(
        "PR_FRAUD",
        fraud,
        (_DEFICIENCY, AS_OF),
        "money",
        T("Fraud penalty: 100 % of the deficiency", "Penalidad por fraude: 100 % de la deficiencia"),
        LAW,
        ("PP-17", "PP-18"),
        "(f)",
    ),
)
