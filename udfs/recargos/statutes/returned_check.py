"""Returned checks: 13 LPRA § 352a-1 (Ley 46-1978, Artículo 3).

A check or money order that paid a tax and comes back costs 5 % of its amount, at least 25 dollars, up to 10,000 dollars;
above that, 10 % of the whole amount. A check for a discounted tax is measured by the original tax. Each check stands alone.

>>> from decimal import Decimal as D
>>> returned_check(D("500.20"))
Decimal('25.01')
>>> returned_check(D("10000.01"))
Decimal('1000.00')
>>> returned_check(D(9880), original_tax=D(10400))
Decimal('1040.00')
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Optional

from recargos.law import SILENT, Argument, Citation, Function, Statute, T, Trace
from recargos.money import ZERO, cents
from recargos.statutes.common import AS_OF

LAW = Statute(
    "returned_check",
    T("Returned checks", "Cheques devueltos"),
    Citation("13 LPRA § 352a-1", T("Act 46-1978, Section 3", "Ley 46-1978, Artículo 3")),
    in_force=date(1993, 12, 6),
    in_force_source=T("added by Act 102 of December 6, 1993", "añadido por la Ley 102 de 6 de diciembre de 1993"),
    later=T(
        "Added by Act 102-1993; no later amendment was found.",
        "Añadido por la Ley 102-1993; no se encontró enmienda posterior.",
    ),
)

LIMIT = LAW.dollars("limit", "10000", "(1)", "an amount which does not exceed ten thousand (10,000) dollars")
RATE = LAW.rate("rate", "0.05", "(1)", "Five percent (5%) of the amount of said check or money order")
MINIMUM = LAW.dollars("minimum", "25", "(1)", "or twenty-five (25) dollars, whichever is greater")
HIGH_RATE = LAW.rate("high_rate", "0.10", "(2)", "Ten percent (10%) of the amount of the check or money order")

RC_1 = LAW.rule(
    "RC-1",
    "",
    en="Each check or money order returned unpaid that was issued for a tax, contribution or license fee; "
    "electronic payments are not named",
    es="Cada cheque o giro devuelto que se emitió en pago de una contribución, licencia o impuesto; "
    "no se mencionan los pagos electrónicos",
)
RC_2 = LAW.rule(
    "RC-2",
    "(1)",
    en="Up to {limit:,} dollars: {rate:%} of the amount, at least {minimum} dollars",
    es="Hasta {limit:,} dólares: {rate:%} de la cantidad, no menos de {minimum} dólares",
)
RC_3 = LAW.rule(
    "RC-3",
    "(2)",
    en="More than {limit:,} dollars: {rate:%} of the whole amount",
    es="Más de {limit:,} dólares: {rate:%} de la cantidad total",
    contested=T(
        "at exactly 10,000.00 the page of the Department of the Treasury applies 10 % (1,000.00); the statute says 10 % only "
        "in excess of 10,000, and the statute is computed (5 %, 500.00)",
        "en exactamente 10,000.00 la página del Departamento de Hacienda aplica 10 % (1,000.00); la ley dice 10 % solo en "
        "exceso de 10,000, y se computa la ley (5 %, 500.00)",
    ),
)
RC_4 = LAW.rule(
    "RC-4",
    "",
    en="Condoned by the Secretary for reasonable cause: nothing is due (discretionary; keep the decision on file)",
    es="Condonada por el Secretario por causa razonable: nada se debe (discrecional; conserve la decisión)",
)
RC_5 = LAW.rule(
    "RC-5",
    "",
    en="Imposed only after the check was redeposited; assumed done",
    es="Se impone solo después de redepositado el cheque; se presume hecho",
)
RC_6 = LAW.rule(
    "RC-6",
    "",
    en="The check paid a discounted tax: the discount is lost and the original tax is the basis",
    es="El cheque pagó un impuesto con descuento: se pierde el descuento y la base es el impuesto original",
    contested=T(
        "whether the 10,000-dollar line is drawn on the original tax (computed: “on the basis of the original tax”) or on the check",
        "si el límite de 10,000 dólares se mide por el impuesto original (así se computa) o por el cheque",
    ),
)
RC_7 = LAW.rule(
    "RC-7",
    "",
    en="Added to the tax and collected at the same time, in the same way and as part of it",
    es="Se suma al impuesto y se cobra a la misma vez, de la misma manera y como parte de él",
)
RC_8 = LAW.rule(
    "RC-8",
    "",
    en="Still due when the tax was paid before the penalty was imposed",
    es="Se debe aunque el impuesto se pagara antes de imponerse la penalidad",
)
RC_9 = LAW.rule(
    "RC-9",
    "",
    en="In addition to any other addition, interest, surcharge or penalty; the section gives it no interest of its own",
    es="Además de cualquier otra adición, interés, recargo o penalidad; la sección no le fija intereses propios",
)
RC_10 = LAW.rule(
    "RC-10",
    "",
    en="For each check separately; checks are never added together",
    es="Por cada cheque por separado; los cheques nunca se suman",
)
RC_11 = LAW.rule(
    "RC-11",
    "",
    en="No amount, no penalty: the minimum is not charged on nothing",
    es="Sin cantidad no hay penalidad: el mínimo no se cobra sobre nada",
)
RC_12 = LAW.rule(
    "RC-12",
    "",
    en="Rounded half up to the cent, each check by itself (the statute is silent)",
    es="Redondeado al centavo, medio centavo hacia arriba, cada cheque por sí (la ley no lo dispone)",
)


def _basis(amount: Decimal, original_tax: Optional[Decimal], trace: Trace) -> Decimal:
    """RC-6: the original tax where the check paid a discounted one."""
    if not original_tax:
        return amount
    if trace.explains:
        trace.step(RC_6, original_tax)
        trace.contested(RC_6)
    return original_tax


def returned_check(
    amount: Decimal,
    original_tax: Optional[Decimal] = None,
    condoned: Optional[bool] = False,
    as_of: Optional[date] = None,
    trace: Trace = SILENT,
) -> Decimal:
    """The penalty for one returned check, in dollars to the cent. RC-1 to RC-12."""
    law = LAW.at(as_of)
    if trace.explains:
        trace.note(RC_1)
    if not amount:
        if trace.explains:
            trace.step(RC_11, ZERO)
        return ZERO
    if condoned:
        if trace.explains:
            trace.step(RC_4, ZERO)
        return ZERO
    basis = _basis(amount, original_tax, trace)
    if basis > law[LIMIT]:
        due = cents(law[HIGH_RATE] * basis)
        if trace.explains:
            trace.step(RC_3, due, limit=law[LIMIT], rate=law[HIGH_RATE])
    else:
        due = cents(max(law[RATE] * basis, law[MINIMUM]))
        if trace.explains:
            trace.step(RC_2, due, limit=law[LIMIT], rate=law[RATE], minimum=law[MINIMUM])
        if basis == law[LIMIT] and trace.explains:
            trace.contested(RC_3)
    if trace.explains:
        trace.note(RC_5, RC_7, RC_8, RC_9, RC_10, RC_12)
    return due


def returned_check_rate(
    amount: Decimal,
    original_tax: Optional[Decimal] = None,
    as_of: Optional[date] = None,
    trace: Trace = SILENT,
) -> Decimal:
    """The rate that applies to a returned check: 0.05 or 0.10. RC-2, RC-3, RC-6."""
    law = LAW.at(as_of)
    basis = _basis(amount, original_tax, trace)
    if basis > law[LIMIT]:
        rate: Decimal = law[HIGH_RATE]
        if trace.explains:
            trace.step(RC_3, rate, "rate", limit=law[LIMIT], rate=rate)
    else:
        rate = law[RATE]
        if trace.explains:
            trace.step(RC_2, rate, "rate", limit=law[LIMIT], rate=rate, minimum=law[MINIMUM])
        if basis == law[LIMIT] and trace.explains:
            trace.contested(RC_3)
    return rate


_AMOUNT = Argument(
    "amount", "money", T("Amount of the returned check or money order", "Cantidad del cheque o giro devuelto"), 500.20
)
_ORIGINAL = Argument(
    "original_tax",
    "money",
    T(
        "Tax before the discount, when the check paid a discounted tax",
        "Impuesto antes del descuento, si el cheque pagó un impuesto con descuento",
    ),
    10400,
    optional=True,
)

FUNCTIONS = (
    Function(
        "PR_RETURNED_CHECK",
        returned_check,
        (
            _AMOUNT,
            _ORIGINAL,
            Argument(
                "condoned",
                "flag",
                T("TRUE if the Secretary condoned the penalty", "TRUE si el Secretario condonó la penalidad"),
                False,
                optional=True,
            ),
            AS_OF,
        ),
        "money",
        T(
            "Penalty for one returned check: 5 % (at least 25.00) up to 10,000.00, 10 % of the whole above",
            "Penalidad por un cheque devuelto: 5 % (mínimo 25.00) hasta 10,000.00, 10 % del total en exceso",
        ),
        LAW,
        tuple(f"RC-{n}" for n in range(1, 13)),
    ),
    Function(
        "PR_RETURNED_CHECK_RATE",
        returned_check_rate,
        (_AMOUNT, _ORIGINAL, AS_OF),
        "rate",
        T("Rate of the returned check penalty: 0.05 or 0.10", "Tasa de la penalidad por cheque devuelto: 0.05 o 0.10"),
        LAW,
        ("RC-2", "RC-3", "RC-6"),
    ),
)
