"""Retirement system remittances: 3 LPRA § 781a. Deadlines, priority, debt, offenses."""

from __future__ import annotations

from recargos.law import T
from recargos.templates.model import Check, Line, Section, Table, Template, entry
from recargos.templates.words import (
    AMOUNTS,
    CONDUCT,
    DATES,
    FACTS,
    INPUTS,
    client,
    computed,
    money,
    note,
    period,
    status,
    taxpayer,
    tick,
)

MUNICIPALITY, AGENCY = T("Municipality", "Municipio"), T("Agency or corporation", "Agencia o corporación")

_REMITTANCES = Table(
    "Retirement",
    INPUTS,
    T("Retirement remittances", "Remesas al Sistema de Retiro"),
    (
        client(),
        taxpayer(T("Employer ID", "Número patronal")),
        period(T("Payroll period of the remittance.", "Período de nómina de la remesa.")),
        entry(
            "employer",
            T("Employer", "Patrono"),
            FACTS,
            21,
            kind="choice",
            choices=(MUNICIPALITY, AGENCY),
            required=True,
            help=T(
                "A municipality's debt is certified to the CRIM; an agency's or public corporation's to the Secretary of the Treasury.",
                "La deuda de un municipio se certifica al CRIM; la de una agencia o corporación pública, al Secretario de Hacienda.",
            ),
        ),
        entry(
            "withheld_on",
            T("Withheld on", "Retenido el"),
            DATES,
            12,
            "PR_RETIREMENT_CERTIFICATE_DUE.withheld_on",
            required=True,
        ),
        entry(
            "remitted_on",
            T("Remitted on", "Remitido el"),
            DATES,
            12,
            kind="date",
            help=T(
                "Blank while not remitted: days run to the as-of date.",
                "En blanco mientras no se remita: los días corren hasta la fecha de cómputo.",
            ),
        ),
        entry(
            "notified_on",
            T("Notice received", "Notificación recibida"),
            DATES,
            12,
            "PR_RETIREMENT_STATEMENT_DUE.notified_on",
            help=T(
                "Receipt of the Administrator's notice by certified mail.",
                "Recibo de la notificación del Administrador por correo certificado.",
            ),
        ),
        entry(
            "stated_on",
            T("Sworn statement on", "Certificación jurada el"),
            DATES,
            12,
            kind="date",
            help=T(
                "Day the director certified under oath and notified; blank if not yet.",
                "Día en que el director certificó bajo juramento y notificó; en blanco si aún no.",
            ),
        ),
        entry(
            "certified_on",
            T("Debt certified on", "Deuda certificada el"),
            DATES,
            12,
            "PR_CRIM_REMITTANCE_DUE.certified_on",
        ),
        entry(
            "amount",
            T("Not remitted", "No remitido"),
            AMOUNTS,
            13,
            "PR_RETIREMENT_DEBT.amount",
            required=True,
            total="sum",
        ),
        entry("rate", T("Board rate", "Tasa de la Junta"), AMOUNTS, 9, "PR_RETIREMENT_DEBT.rate"),
        entry(
            "knowing",
            T("Knowing without cause", "A sabiendas sin causa"),
            CONDUCT,
            10,
            "PR_RETIREMENT_OFFENSE.knowing_without_cause",
        ),
        note(14),
        status(),
        computed(
            "remit_by",
            T("Remit by", "Remitir hasta"),
            "date",
            "PR_RETIREMENT_CERTIFICATE_DUE({withheld_on},HolidayDates)",
            "PR_RETIREMENT_CERTIFICATE_DUE",
            12,
            deadline=True,
            done="remitted_on",
        ),
        computed(
            "days",
            T("Days in arrears", "Días de mora"),
            "days",
            'PR_DAYS_LATE({withheld_on},IF({remitted_on}="",AsOf,{remitted_on}))',
            "PR_DAYS_LATE",
            9,
            help=T(
                "Days from withholding to remittance, or to the as-of date.",
                "Días desde la retención hasta la remesa, o hasta la fecha de cómputo.",
            ),
        ),
        computed(
            "priority",
            T("Priority", "Prioridad"),
            "flag",
            "IF(PR_RETIREMENT_PRIORITY({days}),{t:yes},{t:no})",
            "PR_RETIREMENT_PRIORITY",
            9,
        ),
        money(
            "debt",
            T("Debt with interest", "Deuda con intereses"),
            "PR_RETIREMENT_DEBT({amount},{rate},{days},DayBasis)",
            "PR_RETIREMENT_DEBT",
        ),
        computed(
            "statement_by",
            T("Statement by", "Certificación hasta"),
            "date",
            'IF({notified_on}="","",PR_RETIREMENT_STATEMENT_DUE({notified_on},HolidayDates))',
            "PR_RETIREMENT_STATEMENT_DUE",
            12,
            deadline=True,
            done="stated_on",
        ),
        computed(
            "crim_on",
            T("CRIM pays by", "CRIM paga hasta"),
            "date",
            'IF(OR({certified_on}="",{employer}<>{t:municipality}),"",PR_CRIM_REMITTANCE_DUE({certified_on}))',
            "PR_CRIM_REMITTANCE_DUE",
            12,
        ),
        computed(
            "offense",
            T("Offense", "Delito"),
            "text",
            'IF(OR({notified_on}="",AND({stated_on}="",AsOf<={statement_by},NOT({knowing}={t:yes}))),"",'
            '{shown:PR_RETIREMENT_OFFENSE(AND({stated_on}<>"",{stated_on}<={statement_by}),{knowing})})',
            "PR_RETIREMENT_OFFENSE",
            18,
        ),
        tick(),
    ),
    T(
        "One row for each withholding that was remitted late or not at all. The debt cannot be cancelled; its interest rate is the Board's and has no default.",
        "Una fila por retención remitida tarde o no remitida. La deuda no puede cancelarse; su tasa de interés la fija la Junta y no hay supletoria.",
    ),
    unready=(
        ('AsOf=""', T("Missing: as-of date", "Falta: fecha de cómputo")),
        ('{rate}=""', T("Missing: Board rate", "Falta: Tasa de la Junta")),
    ),
)

TEMPLATE = Template(
    "retirement",
    T("Retirement remittances worksheet", "Hoja de remesas al Sistema de Retiro"),
    T(
        "Contributions withheld for the Retirement System and not remitted: deadlines, priority, debt and offenses.",
        "Aportaciones retenidas para el Sistema de Retiro y no remitidas: plazos, prioridad, deuda y delitos.",
    ),
    (
        T(
            "Fill in the workpaper header, the as-of date and the day basis on this sheet, and the office's holidays on Holidays.",
            "Complete el encabezado, la fecha de cómputo y la base de días en esta hoja, y los feriados en Feriados.",
        ),
        T(
            "Enter each remittance on Inputs with the rate that the Board set, or run: recargos fill",
            "Anote cada remesa en Datos con la tasa que fijó la Junta, o ejecute: recargos fill",
        ),
        T(
            "Clear every item of the Checks sheet, then review the Summary and sign.",
            "Atienda cada partida de Verificaciones, revise el Resumen y firme.",
        ),
    ),
    (_REMITTANCES,),
    (
        Section(
            T("Amounts", "Cantidades"),
            (
                Line(
                    T("Contributions not remitted in time", "Aportaciones no remitidas a tiempo"),
                    "SUM({Retirement.amount})",
                    "money",
                    chart=True,
                ),
                Line(
                    T("Debt with interest", "Deuda con intereses"),
                    "SUM({Retirement.debt})",
                    "money",
                    "PR_RETIREMENT_DEBT",
                    strong=True,
                    chart=True,
                    name="TotalDue",
                ),
                Line(
                    T("Interest in it", "Intereses incluidos"),
                    'SUM({Retirement.debt})-SUMIFS({Retirement.amount},{Retirement.status},"OK")',
                    "money",
                    "PR_RETIREMENT_DEBT",
                ),
                Line(
                    T("Debt with priority", "Deuda con prioridad"),
                    "SUMIFS({Retirement.debt},{Retirement.priority},{t:yes})",
                    "money",
                    "PR_RETIREMENT_PRIORITY",
                ),
            ),
        ),
        Section(
            T("By employer", "Por patrono"),
            (
                Line(
                    T("Municipalities (certified to the CRIM)", "Municipios (se certifica al CRIM)"),
                    "SUMIFS({Retirement.debt},{Retirement.employer},{t:municipality})",
                    "money",
                    "PR_CRIM_REMITTANCE_DUE",
                ),
                Line(
                    T(
                        "Agencies and corporations (certified to the Treasury)",
                        "Agencias y corporaciones (se certifica a Hacienda)",
                    ),
                    "SUMIFS({Retirement.debt},{Retirement.employer},{t:agency})",
                    "money",
                    "PR_RETIREMENT_CERTIFICATE_DUE",
                ),
            ),
        ),
        Section(
            T("Status", "Situación"),
            (
                Line(
                    T("Remittances open past their last day", "Remesas abiertas pasado su último día"),
                    'COUNTIFS({Retirement.remit_by},"<"&AsOf,{Retirement.remitted_on},"")',
                    "days",
                    "PR_RETIREMENT_CERTIFICATE_DUE",
                ),
                Line(
                    T("Statements past their last day", "Certificaciones pasado su último día"),
                    'COUNTIFS({Retirement.statement_by},"<"&AsOf,{Retirement.stated_on},"")',
                    "days",
                    "PR_RETIREMENT_STATEMENT_DUE",
                ),
                Line(
                    T("Misdemeanors to consider", "Delitos menos graves a considerar"),
                    "COUNTIF({Retirement.offense},{t:misdemeanor})",
                    "days",
                    "PR_RETIREMENT_OFFENSE",
                ),
                Line(
                    T("Felonies to consider", "Delitos graves a considerar"),
                    "COUNTIF({Retirement.offense},{t:felony})",
                    "days",
                    "PR_RETIREMENT_OFFENSE",
                ),
                Line(
                    T(
                        "Fine of a misdemeanor, from the director's own pocket",
                        "Multa por delito menos grave, del peculio del director",
                    ),
                    "{law:retirement.misdemeanor.fine}",
                    "money",
                    "retirement.misdemeanor.fine",
                ),
                Line(
                    T(
                        "Fine of a felony, from the director's own pocket",
                        "Multa por delito grave, del peculio del director",
                    ),
                    "{law:retirement.felony.fine}",
                    "money",
                    "retirement.felony.fine",
                ),
            ),
        ),
    ),
    (
        Check(
            T("Debt of municipalities + agencies = total", "Deuda de municipios + agencias = total"),
            "SUMIFS({Retirement.debt},{Retirement.employer},{t:municipality})+SUMIFS({Retirement.debt},{Retirement.employer},{t:agency})",
            "SUM({Retirement.debt})",
        ),
        Check(
            T(
                "Interest, recomputed: amount × rate × days ÷ basis",
                "Intereses, recomputados: cantidad × tasa × días ÷ base",
            ),
            "SUMPRODUCT({Retirement.amount},{Retirement.rate},{Retirement.days})/DayBasis",
            'SUM({Retirement.debt})-SUMIFS({Retirement.amount},{Retirement.status},"OK")',
            per_row="Retirement",
        ),
        Check(
            T("Rows with priority = rows over 30 days", "Filas con prioridad = filas de más de 30 días"),
            'COUNTIF({Retirement.days},">"&{law:retirement.priority_days})',
            "COUNTIF({Retirement.priority},{t:yes})",
            "days",
        ),
    ),
    ("retirement", "common"),
    notes=(
        T(
            "Rule from before PayGo: Act 106-2017 replaced the funding system. Confirm that this section applies to the period.",
            "Regla anterior a PayGo: la Ley 106-2017 sustituyó el sistema de financiamiento. Confirme que esta sección aplica al período.",
        ),
        T(
            "Interest is the Board's rate, simple, on the days from withholding; the text does not say simple or compounded.",
            "El interés es a la tasa de la Junta, simple, por los días desde la retención; el texto no dice si simple o compuesto.",
        ),
        T(
            "A dispute over the amount does not interrupt the terms of 3 LPRA § 782. Without resources, notify the Office of Management and Budget and the Treasury Commissions too.",
            "La disputa de la cantidad no interrumpe los términos de 3 LPRA § 782. Sin recursos, notifique además a la Oficina de Gerencia y Presupuesto y a las comisiones de Hacienda.",
        ),
    ),
    holidays=True,
    basis=True,
    words={
        "municipality": MUNICIPALITY,
        "agency": AGENCY,
        "misdemeanor": T("Misdemeanor", "Delito menos grave"),
        "felony": T("Felony", "Delito grave"),
    },
)
