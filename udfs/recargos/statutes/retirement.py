"""Retirement system remittances: 3 LPRA § 781a (Ley 447-1951, Artículo 4-109).

A head of an agency, public corporation or municipality who does not remit contributions is notified and has fifteen days to
certify why; debts over thirty days old have priority; what is not remitted within thirty days of withholding is certified
as a debt with interest at a rate that the Board sets, for which the statute gives no default.

>>> from decimal import Decimal as D
>>> statement_due(date(2026, 3, 2)), crim_remittance_due(date(2026, 3, 16))
(datetime.date(2026, 3, 17), datetime.date(2026, 4, 15))
>>> priority(30), priority(31)
(False, True)
>>> debt(D(10000), D("0.06"), 90)
Decimal('10147.95')
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Optional

from recargos.law import SILENT, Argument, Citation, Function, Statute, T, Trace
from recargos.money import cents
from recargos.statutes.common import BASIS, HOLIDAYS, Holidays, interest, last_day

LAW = Statute(
    "retirement",
    T("Retirement system remittances", "Remesas al Sistema de Retiro"),
    Citation("3 LPRA § 781a", T("Act 447-1951, Article 4-109", "Ley 447-1951, Artículo 4-109")),
    in_force=date(2013, 6, 25),
    in_force_source=T(
        "text as amended by Act 32 of June 25, 2013", "texto según enmendado por la Ley 32 de 25 de junio de 2013"
    ),
    later=T(
        "Pre-PayGo rule: Act 106-2017 replaced the funding system; confirm that it applies.",
        "Regla anterior a PayGo: la Ley 106-2017 sustituyó el sistema de financiamiento; confirme su aplicabilidad.",
    ),
)

STATEMENT = LAW.days("statement_days", 15, "(b)", "within 15 days of the official notice by the Administrator")
MISDEMEANOR_MONTHS = LAW.count(
    "misdemeanor.prison_months", "months", 6, "(e)", "imprisonment for a term of six (6) months"
)
MISDEMEANOR_FINE = LAW.dollars("misdemeanor.fine", "5000", "(e)", "by a fine of five thousand dollars ($5,000) or both")
FELONY_YEARS = LAW.count("felony.prison_years", "years", 6, "(f)", "imprisonment for a fixed term of six (6) years")
FELONY_FINE = LAW.dollars("felony.fine", "10000", "(f)", "a fine of ten thousand dollars ($10,000) or both")
PRIORITY = LAW.days("priority_days", 30, "(g)", "in arrears for over thirty (30) days, shall have priority")
CERTIFICATE = LAW.days("certificate_days", 30, "(g)", "within thirty (30) days following the withholding thereof")
CRIM_DAY = LAW.count("crim_day", "day of the month", 15, "(g)", "on or before the fifteenth (15) day of each month")

RS_1 = LAW.rule(
    "RS-1",
    "(a)",
    en="The term starts with the Administrator's notice by certified mail, return receipt requested",
    es="El término empieza con la notificación del Administrador por correo certificado con acuse de recibo",
    contested=T(
        "counted from receipt of the notice (give that date), or from its mailing",
        "contado desde el recibo de la notificación (provea esa fecha), o desde su envío",
    ),
)
RS_2 = LAW.rule(
    "RS-2",
    "(b)",
    en="Sworn statement within {days} calendar days of the notice: {last}",
    es="Certificación fehaciente dentro de {days} días calendario de la notificación: {last}",
)
RS_3 = LAW.rule(
    "RS-3",
    "(c)",
    en="Without resources: notify the Office of Management and Budget and the legislative Treasury Commissions too",
    es="Sin recursos: notifique además a la Oficina de Gerencia y Presupuesto y a las comisiones legislativas de Hacienda",
)
RS_4 = LAW.rule(
    "RS-4",
    "(d)",
    en="Disputed amount: notify the Commission to Resolve Controversies; its inquiry does not interrupt the terms of § 782",
    es="Cantidad en disputa: notifique a la Comisión para Resolver Controversias; su investigación no interrumpe los términos de § 782",
)
RS_5 = LAW.rule(
    "RS-5",
    "(e)",
    en="Certification and notice not met: misdemeanor, {months} months of prison or a fine of {fine:,} dollars from the director's own pocket, or both",
    es="Sin certificar ni notificar: delito menos grave, {months} meses de reclusión o multa de {fine:,} dólares de su propio peculio, o ambas",
)
RS_6 = LAW.rule(
    "RS-6",
    "(f)",
    en="Knowingly, willfully and without just cause not remitted after notice: felony, {years} years of prison or a fine of {fine:,} dollars from the director's own pocket, or both",
    es="A sabiendas, voluntariamente y sin justa causa no remitido tras la notificación: delito grave, {years} años de reclusión o multa de {fine:,} dólares de su propio peculio, o ambas",
)
RS_7 = LAW.rule(
    "RS-7",
    "(g)",
    en="{days} days in arrears: priority over other debts only when over {limit}",
    es="{days} días de mora: prioridad sobre otras deudas solo si exceden {limit}",
)
RS_8 = LAW.rule(
    "RS-8",
    "(g)",
    en="Not remitted within {days} days of withholding: the Administrator issues a certificate of debt to the CRIM; last day {last}",
    es="No remitido dentro de {days} días de la retención: el Administrador expide certificación de deuda al CRIM; último día {last}",
)
RS_9 = LAW.rule(
    "RS-9",
    "(g)",
    en="The CRIM pays on or before the {day}th of a month: {on}",
    es="El CRIM paga en o antes del día {day} de cada mes: {on}",
    contested=T(
        "a certificate of the 15th is paid the same day (computed, by the text), or the next month",
        "la certificación del día 15 se paga ese día (así se computa, por el texto), o el mes siguiente",
    ),
)
RS_10 = LAW.rule(
    "RS-10",
    "(g)",
    en="No advance from the CRIM without a certificate that the municipality is up to date",
    es="Sin certificación de estar al día el municipio no recibe anticipos del CRIM",
)
RS_11 = LAW.rule(
    "RS-11",
    "(g)",
    en="Interest at the Board's rate of {rate:%} on {amount:$}, {days} days over {basis}; there is no default rate",
    es="Intereses a la tasa de la Junta de {rate:%} sobre {amount:$}, {days} días sobre {basis}; no hay tasa supletoria",
    contested=T(
        "simple interest (computed) or compounded is not said; “the return that such money would have realized” leans to the actual return",
        "no se dice si simple (así se computa) o compuesto; la referencia al rendimiento que el dinero hubiera producido apunta al rendimiento real",
    ),
)
RS_12 = LAW.rule(
    "RS-12",
    "(g), (h)",
    en="The debt may not be cancelled by the Administrator or the Board: no abatement is taken",
    es="La deuda no puede ser cancelada por el Administrador ni la Junta: no se admite rebaja",
)
RS_13 = LAW.rule(
    "RS-13",
    "(h)",
    en="Agencies and public corporations: same days, but only contributions withheld are certified, the certificate goes to the Secretary of the Treasury and the rule of the 15th does not apply",
    es="Agencias y corporaciones públicas: los mismos días, pero solo se certifican aportaciones retenidas, la certificación va al Secretario de Hacienda y no aplica la regla del día 15",
)
RS_14 = LAW.rule(
    "RS-14",
    "",
    en="The System may set the debt off against its payments to the Department of the Treasury",
    es="El Sistema puede compensar la deuda contra sus pagos al Departamento de Hacienda",
)


def statement_due(notified_on: date, holidays: Holidays = None, trace: Trace = SILENT) -> date:
    """Last day for the director's sworn statement. RS-1 to RS-4."""
    days = LAW.at()[STATEMENT]
    if trace.explains:
        trace.note(RS_1)
        trace.contested(RS_1)
    last = last_day(notified_on, days, holidays, trace)
    if trace.explains:
        trace.step(RS_2, last, "date", days=days, last=last)
        trace.note(RS_3, RS_4)
    return last


def priority(days: int, trace: Trace = SILENT) -> bool:
    """Whether the debt has priority over the debtor's other debts: over 30 days in arrears. RS-7, RS-13."""
    limit = LAW.at()[PRIORITY]
    first = days > limit
    if trace.explains:
        trace.step(RS_7, first, "flag", days=max(days, 0), limit=limit)
        trace.note(RS_13)
    return bool(first)


def certificate_due(withheld_on: date, holidays: Holidays = None, trace: Trace = SILENT) -> date:
    """Last day to remit before a certificate of debt is issued. RS-8, RS-10, RS-13."""
    days = LAW.at()[CERTIFICATE]
    last = last_day(withheld_on, days, holidays, trace)
    if trace.explains:
        trace.step(RS_8, last, "date", days=days, last=last)
        trace.note(RS_10, RS_13)
    return last


def crim_remittance_due(certified_on: date, trace: Trace = SILENT) -> date:
    """The 15th on which the CRIM pays a certified debt of a municipality. RS-9."""
    day = LAW.at()[CRIM_DAY]
    on = certified_on.replace(day=day)
    if certified_on > on:
        if on.year == date.max.year and on.month == 12:
            raise OverflowError
        on = on.replace(year=on.year + on.month // 12, month=on.month % 12 + 1)
    if trace.explains:
        trace.step(RS_9, on, "date", day=day, on=on)
        trace.contested(RS_9)
        trace.note(RS_10, RS_13)
    return on


def debt(amount: Decimal, rate: Decimal, days: int, basis: Optional[int] = None, trace: Trace = SILENT) -> Decimal:
    """The certified debt: what was not remitted and interest at the Board's rate. RS-11 to RS-14."""
    accrued = interest(amount, rate, days, basis, RS_11, trace, rounded=False)
    owed = cents(amount + accrued)
    if trace.explains:
        trace.note(RS_12, RS_13, RS_14)
    return owed


def offense(
    certified: Optional[bool] = None, knowing_without_cause: Optional[bool] = None, trace: Trace = SILENT
) -> str:
    """What the director answers for: none, misdemeanor or felony. RS-5, RS-6."""
    law = LAW.at()
    if knowing_without_cause:
        if trace.explains:
            trace.step(RS_6, "felony", "text", years=law[FELONY_YEARS], fine=law[FELONY_FINE])
        return "felony"
    if not certified:
        if trace.explains:
            trace.step(RS_5, "misdemeanor", "text", months=law[MISDEMEANOR_MONTHS], fine=law[MISDEMEANOR_FINE])
        return "misdemeanor"
    if trace.explains:
        trace.step(RS_5, months=law[MISDEMEANOR_MONTHS], fine=law[MISDEMEANOR_FINE])
        trace.step(RS_6, years=law[FELONY_YEARS], fine=law[FELONY_FINE])
    return "none"


FUNCTIONS = (
    Function(
        "PR_RETIREMENT_STATEMENT_DUE",
        statement_due,
        (
            Argument(
                "notified_on",
                "date",
                T("Date of the Administrator's notice", "Fecha de la notificación del Administrador"),
                date(2026, 3, 2),
            ),
            HOLIDAYS,
        ),
        "date",
        T(
            "Last day for the sworn statement: 15 days after the notice",
            "Último día para la certificación fehaciente: 15 días de la notificación",
        ),
        LAW,
        ("RS-1", "RS-2", "RS-3", "RS-4"),
        "(b)",
    ),
    Function(
        "PR_RETIREMENT_PRIORITY",
        priority,
        (Argument("days", "days", T("Days in arrears", "Días de mora"), 31),),
        "flag",
        T(
            "TRUE if the debt has priority: over 30 days in arrears",
            "TRUE si la deuda tiene prioridad: más de 30 días de mora",
        ),
        LAW,
        ("RS-7", "RS-13"),
        "(g)",
    ),
    Function(
        "PR_RETIREMENT_CERTIFICATE_DUE",
        certificate_due,
        (
            Argument("withheld_on", "date", T("Date of the withholding", "Fecha de la retención"), date(2026, 3, 2)),
            HOLIDAYS,
        ),
        "date",
        T(
            "Last day to remit before a certificate of debt: 30 days after withholding",
            "Último día para remitir antes de la certificación de deuda: 30 días de la retención",
        ),
        LAW,
        ("RS-8", "RS-10", "RS-13"),
        "(g)",
    ),
    Function(
        "PR_CRIM_REMITTANCE_DUE",
        crim_remittance_due,
        (
            Argument(
                "certified_on",
                "date",
                T("Date of the certificate of debt", "Fecha de la certificación de deuda"),
                date(2026, 4, 10),
            ),
        ),
        "date",
        T(
            "The 15th on which the CRIM pays a certified municipal debt",
            "El día 15 en que el CRIM paga una deuda municipal certificada",
        ),
        LAW,
        ("RS-9", "RS-10", "RS-13"),
        "(g)",
    ),
    Function(
        "PR_RETIREMENT_DEBT",
        debt,
        (
            Argument("amount", "money", T("Contributions not remitted", "Aportaciones no remitidas"), 10000),
            Argument(
                "rate",
                "rate",
                T(
                    "Yearly rate set by the Board; there is no default",
                    "Tasa anual fijada por la Junta; no hay supletoria",
                ),
                0.06,
                blank_refused=True,
            ),
            Argument(
                "days", "days", T("Days since it should have been remitted", "Días desde que debió remitirse"), 90
            ),
            BASIS,
        ),
        "money",
        T(
            "Certified debt: the amount and simple interest at the Board's rate",
            "Deuda certificada: la cantidad e interés simple a la tasa de la Junta",
        ),
        LAW,
        ("RS-11", "RS-12", "RS-13", "RS-14"),
        "(g)",
    ),
    Function(
        "PR_RETIREMENT_OFFENSE",
        offense,
        (
            Argument(
                "certified",
                "flag",
                T(
                    "TRUE if the director certified and notified in time",
                    "TRUE si el director certificó y notificó a tiempo",
                ),
                True,
                optional=True,
            ),
            Argument(
                "knowing_without_cause",
                "flag",
                T(
                    "TRUE if knowingly, willfully and without just cause not remitted after notice",
                    "TRUE si a sabiendas, voluntariamente y sin justa causa no remitió tras la notificación",
                ),
                False,
                optional=True,
            ),
        ),
        "text",
        T("Offense of the director: none, misdemeanor or felony", "Delito del director: none, misdemeanor o felony"),
        LAW,
        ("RS-5", "RS-6"),
        "(e), (f)",
    ),
)
