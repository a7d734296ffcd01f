"""Payroll withholding: Ley 57-1990. Shortfalls, the discretionary range, bonds and their dates."""

from __future__ import annotations

from recargos.law import T
from recargos.statutes import withholding as law
from recargos.templates.model import Check, Line, Section, Table, Template, entry
from recargos.templates.words import (
    AMOUNTS,
    CONDUCT,
    DATES,
    INPUTS,
    client,
    computed,
    money,
    note,
    of_key,
    period,
    status,
    taxpayer,
    tick,
)

_EMPLOYER = T("Employer ID", "Número patronal")
_DEPOSITS = Table(
    "Withholding",
    INPUTS,
    T("Payroll withholding: deposits", "Retención sobre salarios: depósitos"),
    (
        client(),
        taxpayer(_EMPLOYER),
        period(
            T(
                "Payroll period of the deposit. The act is historic: it governed the Income Tax Act of 1954.",
                "Período de nómina del depósito. La ley es histórica: rigió la Ley de Contribuciones sobre Ingresos de 1954.",
            )
        ),
        entry(
            "last_day",
            T("Last business day to deposit", "Último día hábil para depositar"),
            DATES,
            13,
            "PR_WITHHOLDING_REFERRAL_DUE.last_business_day",
        ),
        entry(
            "required",
            T("Required deposit", "Depósito requerido"),
            AMOUNTS,
            13,
            "PR_WITHHOLDING_SHORTFALL.required",
            required=True,
            total="sum",
        ),
        entry(
            "deposited",
            T("Deposited on time", "Depositado a tiempo"),
            AMOUNTS,
            13,
            "PR_WITHHOLDING_SHORTFALL.deposited_on_time",
            required=True,
            total="sum",
        ),
        entry(
            "notified",
            T("Notice received", "Notificación recibida"),
            CONDUCT,
            11.5,
            kind="flag",
            help=T(
                "The penalty needs a notice of the Secretary that was received and not complied with. Blank counts as no.",
                "La penalidad requiere una notificación del Secretario recibida e incumplida. En blanco cuenta como no.",
            ),
        ),
        entry(
            "complied",
            T("Complied after notice", "Cumplió tras notificación"),
            CONDUCT,
            11.5,
            kind="flag",
            help=T(
                "Yes if the employer complied after the notice: no penalty.",
                "Sí si el patrono cumplió tras la notificación: no hay penalidad.",
            ),
        ),
        entry("repeat", T("Repeat offense", "Reincidencia"), CONDUCT, 12, "PR_WITHHOLDING_PENALTY.repeat"),
        entry(
            "rate",
            T("Rate set", "Tasa fijada"),
            CONDUCT,
            9,
            "PR_WITHHOLDING_PENALTY.rate",
            low=float(law.LAW.at()[law.LOW]),
            high=float(law.LAW.at()[law.HIGH]),
            help=T(
                "25 % to 50 %, once the Secretary has set it; blank while only the range is known.",
                "De 25 % a 50 %, cuando el Secretario la fije; en blanco mientras solo se conozca el margen.",
            ),
        ),
        note(16),
        status(),
        money(
            "shortfall",
            T("Shortfall", "Insuficiencia"),
            "PR_WITHHOLDING_SHORTFALL({required},{deposited})",
            "PR_WITHHOLDING_SHORTFALL",
        ),
        computed(
            "applies",
            T("Penalty applies", "Procede penalidad"),
            "flag",
            "IF(AND({shortfall}>0,{notified}={t:yes},{complied}<>{t:yes}),{t:yes},{t:no})",
            width=10,
            help=T(
                "Shortfall, notice received and not complied with.",
                "Insuficiencia, notificación recibida e incumplida.",
            ),
        ),
        money(
            "low",
            T("Lowest penalty", "Penalidad mínima"),
            "IF({applies}={t:yes},PR_WITHHOLDING_PENALTY_MIN({shortfall},{repeat}),0)",
            "PR_WITHHOLDING_PENALTY_MIN",
        ),
        money(
            "high",
            T("Highest penalty", "Penalidad máxima"),
            "IF({applies}={t:yes},PR_WITHHOLDING_PENALTY_MAX({shortfall},{repeat}),0)",
            "PR_WITHHOLDING_PENALTY_MAX",
        ),
        money(
            "penalty",
            T("Penalty at the rate set", "Penalidad a la tasa fijada"),
            'IF({rate}="","",IF({applies}={t:yes},PR_WITHHOLDING_PENALTY({shortfall},{rate},{repeat}),0))',
            "PR_WITHHOLDING_PENALTY",
        ),
        money(
            "bond",
            T("Bond", "Fianza"),
            "IF({applies}={t:yes},PR_WITHHOLDING_BOND({shortfall}),0)",
            "PR_WITHHOLDING_BOND",
        ),
        computed(
            "referral",
            T("Referral to Justice by", "Referido a Justicia hasta"),
            "date",
            'IF(OR({last_day}="",{shortfall}=0),"",PR_WITHHOLDING_REFERRAL_DUE({last_day},HolidayDates))',
            "PR_WITHHOLDING_REFERRAL_DUE",
            12,
        ),
        tick(),
    ),
    T(
        "One row for each deposit. The percentage is the Secretary's to choose within 25 to 50 %: the range is shown, and a point only where the rate was set.",
        "Una fila por depósito. El por ciento lo escoge el Secretario entre 25 y 50 %: se muestra el margen, y un punto solo si la tasa fue fijada.",
    ),
)

_BONDS = Table(
    "Bonds",
    T("Bonds", "Fianzas"),
    T("Bonds and their dates", "Fianzas y sus fechas"),
    (
        client(),
        taxpayer(_EMPLOYER, required=True),
        entry(
            "mailed_on",
            T("Notice mailed", "Notificación al correo"),
            DATES,
            13,
            "PR_BOND_STATUS.mailed_on",
            required=True,
        ),
        entry("posted_on", T("Bond posted", "Fianza prestada"), DATES, 13, "PR_BOND_STATUS.posted_on"),
        entry(
            "disapproved_on",
            T("Disapproval notified", "Desaprobación notificada"),
            DATES,
            13,
            "PR_BOND_STATUS.disapproved_on",
        ),
        note(20),
        status(),
        computed(
            "amount",
            T("Amount of the bond", "Monto de la fianza"),
            "money",
            of_key("{Withholding.bond}", "{Withholding.id}", "{id}"),
            "PR_WITHHOLDING_BOND",
            14,
            total="sum",
        ),
        computed(
            "due_on",
            T("To be posted by", "A prestarse hasta"),
            "date",
            "PR_BOND_DUE({mailed_on},HolidayDates)",
            "PR_BOND_DUE",
            13,
            deadline=True,
            done="posted_on",
        ),
        computed(
            "review_on",
            T("Review ends", "Termina la revisión"),
            "date",
            'IF({posted_on}="","",PR_BOND_REVIEW_DUE({posted_on},HolidayDates))',
            "PR_BOND_REVIEW_DUE",
            13,
        ),
        computed(
            "release_on",
            T("Release from", "Retiro desde"),
            "date",
            'IF({posted_on}="","",PR_BOND_RELEASE({posted_on}))',
            "PR_BOND_RELEASE",
            13,
        ),
        computed(
            "standing",
            T("Standing", "Situación"),
            "text",
            "{shown:PR_BOND_STATUS(AsOf,{mailed_on},{posted_on},{disapproved_on},HolidayDates)}",
            "PR_BOND_STATUS",
            20,
        ),
        tick(),
    ),
    T(
        "One row for each employer whose bond was demanded; its amount is that of the employer's shortfalls on Inputs.",
        "Una fila por patrono a quien se requirió fianza; su monto es el de las insuficiencias del patrono en Datos.",
    ),
    rows=20,
    unready=(('AsOf=""', T("Missing: as-of date", "Falta: fecha de cómputo")),),
)

TEMPLATE = Template(
    "withholding",
    T("Payroll withholding worksheet", "Hoja de retención sobre salarios"),
    T(
        "Shortfalls of payroll withholding deposits under Act 57-1990: the range of the penalty, the bond and its dates.",
        "Insuficiencias de depósitos de retención sobre salarios bajo la Ley 57-1990: margen de la penalidad, fianza y sus fechas.",
    ),
    (
        T(
            "Fill in the workpaper header and the as-of date on this sheet, and the office's holidays on Holidays.",
            "Complete el encabezado y la fecha de cómputo en esta hoja, y los feriados en Feriados.",
        ),
        T(
            "Enter each deposit on Inputs and each bond on Bonds, or run: recargos fill",
            "Anote cada depósito en Datos y cada fianza en Fianzas, o ejecute: recargos fill",
        ),
        T(
            "Clear every item of the Checks sheet, then review the Summary and sign.",
            "Atienda cada partida de Verificaciones, revise el Resumen y firme.",
        ),
    ),
    (_DEPOSITS, _BONDS),
    (
        Section(
            T("Amounts", "Cantidades"),
            (
                Line(T("Required deposits", "Depósitos requeridos"), "SUM({Withholding.required})", "money"),
                Line(
                    T("Shortfall", "Insuficiencia"),
                    "SUM({Withholding.shortfall})",
                    "money",
                    "PR_WITHHOLDING_SHORTFALL",
                    chart=True,
                ),
                Line(
                    T("Lowest penalty", "Penalidad mínima"),
                    "SUM({Withholding.low})",
                    "money",
                    "PR_WITHHOLDING_PENALTY_MIN",
                    chart=True,
                ),
                Line(
                    T("Highest penalty", "Penalidad máxima"),
                    "SUM({Withholding.high})",
                    "money",
                    "PR_WITHHOLDING_PENALTY_MAX",
                    chart=True,
                    strong=True,
                    name="TotalDue",
                ),
                Line(
                    T("Penalty at the rates set", "Penalidad a las tasas fijadas"),
                    "SUM({Withholding.penalty})",
                    "money",
                    "PR_WITHHOLDING_PENALTY",
                ),
                Line(T("Bonds", "Fianzas"), "SUM({Withholding.bond})", "money", "PR_WITHHOLDING_BOND"),
            ),
        ),
        Section(
            T(
                "Apart from the penalty, at the court's discretion (never part of a total)",
                "Aparte de la penalidad, a discreción del tribunal (nunca parte de un total)",
            ),
            (
                Line(T("Fine, from", "Multa, desde"), "{law:withholding.fine.min}", "money", "withholding.fine.min"),
                Line(T("Fine, to", "Multa, hasta"), "{law:withholding.fine.max}", "money", "withholding.fine.max"),
                Line(
                    T("Prison, months from", "Reclusión, meses desde"),
                    "{law:withholding.prison.min_months}",
                    "days",
                    "withholding.prison.min_months",
                ),
                Line(
                    T("Prison, months to", "Reclusión, meses hasta"),
                    "{law:withholding.prison.max_months}",
                    "days",
                    "withholding.prison.max_months",
                ),
            ),
        ),
        Section(
            T("Deposits and bonds", "Depósitos y fianzas"),
            (
                Line(
                    T("Deposits to which the penalty applies", "Depósitos en que procede penalidad"),
                    "COUNTIF({Withholding.applies},{t:yes})",
                    "days",
                ),
                Line(T("Repeat offenses", "Reincidencias"), "COUNTIF({Withholding.repeat},{t:yes})", "days"),
                Line(
                    T("Bonds to be assessed", "Fianzas a tasar"),
                    "COUNTIF({Bonds.standing},{t:assess})",
                    "days",
                    "PR_BOND_STATUS",
                ),
                Line(
                    T("Bonds approved by silence", "Fianzas aprobadas por silencio"),
                    "COUNTIF({Bonds.standing},{t:silence})",
                    "days",
                    "PR_BOND_STATUS",
                ),
            ),
        ),
    ),
    (
        Check(
            T(
                "Required = deposited on time + shortfall (an excess deposit shows as a difference)",
                "Requerido = depositado a tiempo + insuficiencia (un depósito en exceso se ve aquí)",
            ),
            'SUMIFS({Withholding.required},{Withholding.status},"OK")',
            'SUMIFS({Withholding.deposited},{Withholding.status},"OK")+SUM({Withholding.shortfall})',
        ),
        Check(
            T("Rows whose lowest penalty exceeds the highest", "Filas cuya penalidad mínima excede la máxima"),
            "0",
            "IF(SUM({Withholding.low})>SUM({Withholding.high}),1,0)",
            "days",
        ),
        Check(
            T(
                "Bonds = 1.10 × shortfalls to which the penalty applies",
                "Fianzas = 1.10 × insuficiencias en que procede penalidad",
            ),
            "SUMIFS({Withholding.shortfall},{Withholding.applies},{t:yes})*(1+{law:withholding.bond.interest})",
            "SUM({Withholding.bond})",
            per_row="Withholding",
        ),
    ),
    ("withholding", "common"),
    notes=(
        T(
            "Historic law: later codes replaced it, and 13 LPRA § 33115 (Code of 2011, Section 6041.05) differs. Use it for periods under the Income Tax Act of 1954 only.",
            "Ley histórica: códigos posteriores la sustituyeron y 13 LPRA § 33115 (Código de 2011, Sección 6041.05) difiere. Úsela solo para períodos bajo la ley de 1954.",
        ),
        T(
            "Without a notice that was received and not complied with, nothing is due under this section.",
            "Sin una notificación recibida e incumplida nada se debe bajo esta sección.",
        ),
        T(
            "The floor of 300 dollars is for repeat offenses and stands above the 50 % ceiling.",
            "El mínimo de 300 dólares es para reincidencias y prevalece sobre el máximo de 50 %.",
        ),
    ),
    holidays=True,
    words={"assess": T("Assess", "Tasar"), "silence": T("Approved by silence", "Aprobada por silencio")},
)
