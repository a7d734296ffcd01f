"""Late-filing worksheet: 13 LPRA § 33081 (Code § 6030.11)."""

from __future__ import annotations

from recargos.law import T
from recargos.statutes import late_filing as law
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
    period,
    status,
    taxpayer,
    tick,
)

_PERIOD: int = law.LAW.at()[law.PERIOD]
STEPS = tuple(law.late_file_rate(days) for days in (1, _PERIOD + 1, 2 * _PERIOD + 1))
"""The rates that a late return can reach, from the law."""


def _at(rate: object) -> str:
    """Additions of the rows at one rate."""
    return f"SUMIFS({{LateFiling.addition}},{{LateFiling.rate}},{rate})"


def _band(step: int, days: T) -> T:
    """A line such as `At 15 %: 31 to 60 days`."""
    percent, spans = f"{STEPS[step] * 100:.0f} %", (_PERIOD, _PERIOD + 1, 2 * _PERIOD)
    return T(f"At {percent}: {days.en.format(*spans)}", f"Al {percent}: {days.es.format(*spans)}")


_RETURNS = Table(
    "LateFiling",
    INPUTS,
    T("Late-filing worksheet", "Hoja de radicación tardía"),
    (
        client(),
        taxpayer(),
        period(T("Tax year or period of the return, e.g. 2025.", "Año o período de la planilla, p. ej. 2025.")),
        entry(
            "due_on",
            T("Filing due date", "Vence para radicar"),
            DATES,
            12,
            kind="date",
            required=True,
            help=T(
                "Last day to file, as extended. The extension to file does not move the payment date.",
                "Último día para radicar, con su prórroga. La prórroga para radicar no mueve la fecha de pago.",
            ),
        ),
        entry(
            "filed_on",
            T("Filed on", "Radicada el"),
            DATES,
            12,
            kind="date",
            help=T(
                "Blank while not filed: the days then run to the as-of date.",
                "En blanco mientras no se radique: los días corren hasta la fecha de cómputo.",
            ),
        ),
        entry("tax", T("Tax", "Contribución"), AMOUNTS, 13, "PR_LATE_FILE.tax", required=True, total="sum"),
        entry(
            "paid_on_time", T("Paid on time", "Pagado a tiempo"), AMOUNTS, 13, "PR_LATE_FILE.paid_on_time", total="sum"
        ),
        entry("credits", T("Credits", "Créditos"), AMOUNTS, 12, "PR_LATE_FILE.credits", total="sum"),
        entry(
            "reasonable_cause", T("Reasonable cause", "Causa razonable"), CONDUCT, 10.5, "PR_LATE_FILE.reasonable_cause"
        ),
        entry("willful", T("Willful", "Voluntaria"), CONDUCT, 10, "PR_LATE_FILE_OFFENSE.willful"),
        entry(
            "intent_to_evade",
            T("Intent to evade", "Intención de evadir"),
            CONDUCT,
            10.5,
            "PR_LATE_FILE_OFFENSE.intent_to_evade",
        ),
        note(18),
        status(),
        computed(
            "days",
            T("Days late", "Días de atraso"),
            "days",
            'PR_DAYS_LATE({due_on},IF({filed_on}="",AsOf,{filed_on}))',
            "PR_DAYS_LATE",
            8,
        ),
        computed(
            "base",
            T("Net tax", "Contribución neta"),
            "money",
            "PR_LATE_FILE_BASE({tax},{paid_on_time},{credits})",
            "PR_LATE_FILE_BASE",
            13,
            total="sum",
        ),
        computed("rate", T("Rate", "Tasa"), "rate", "PR_LATE_FILE_RATE({days},{due_on})", "PR_LATE_FILE_RATE", 8),
        money(
            "addition",
            T("Addition", "Adición"),
            "PR_LATE_FILE({tax},{days},{paid_on_time},{credits},{reasonable_cause},{due_on})",
            "PR_LATE_FILE",
        ),
        computed(
            "next_on",
            T("Rises after", "Aumenta después de"),
            "date",
            'IF(OR({filed_on}<>"",{rate}>={law:late_filing.cap},{base}=0),"",'
            "{due_on}+{law:late_filing.period}*MAX(1,ROUNDUP({days}/{law:late_filing.period},0)))",
            width=12,
            deadline=True,
            help=T(
                "While the return is not filed: the last day before the addition rises to the next step.",
                "Mientras no se radique: el último día antes de que la adición suba al próximo escalón.",
            ),
        ),
        computed(
            "offense",
            T("Offense", "Delito"),
            "text",
            "{shown:PR_LATE_FILE_OFFENSE({willful},{intent_to_evade})}",
            "PR_LATE_FILE_OFFENSE",
            21,
        ),
        tick(),
    ),
    T(
        "One row for each return. The addition falls on the net tax: less what was paid by the payment date and the credits that were or could be claimed.",
        "Una fila por planilla. La adición recae sobre la contribución neta: menos lo pagado a la fecha de pago y los créditos reclamados o reclamables.",
    ),
    unready=(('AND({filed_on}="",AsOf="")', T("Missing: as-of date", "Falta: fecha de cómputo")),),
)

TEMPLATE = Template(
    "late-filing",
    T("Late-filing worksheet", "Hoja de radicación tardía"),
    T(
        "Addition for returns filed late under Section 6030.11 of the Internal Revenue Code of 2011.",
        "Adición por planillas radicadas tarde bajo la Sección 6030.11 del Código de Rentas Internas de 2011.",
    ),
    (
        T(
            "Fill in the workpaper header and the as-of date on this sheet.",
            "Complete el encabezado y la fecha de cómputo en esta hoja.",
        ),
        T(
            "Enter one row for each return on Inputs, or run: recargos fill",
            "Anote una fila por planilla en Datos, o ejecute: recargos fill",
        ),
        T(
            "Clear every item of the Checks sheet, then review the Summary and sign.",
            "Atienda cada partida de Verificaciones, revise el Resumen y firme.",
        ),
    ),
    (_RETURNS,),
    (
        Section(
            T("Amounts", "Cantidades"),
            (
                Line(T("Tax of the returns", "Contribución de las planillas"), "SUM({LateFiling.tax})", "money"),
                Line(
                    T("Net tax subject to the addition", "Contribución neta sujeta a la adición"),
                    "SUM({LateFiling.base})",
                    "money",
                    "PR_LATE_FILE_BASE",
                ),
                Line(
                    T("Late-filing additions", "Adiciones por radicar tarde"),
                    "SUM({LateFiling.addition})",
                    "money",
                    "PR_LATE_FILE",
                    strong=True,
                    name="TotalDue",
                ),
            ),
        ),
        Section(
            T("Additions by rate", "Adiciones por tasa"),
            (
                Line(
                    _band(0, T("up to {0} days", "hasta {0} días")),
                    _at(STEPS[0]),
                    "money",
                    "PR_LATE_FILE_RATE",
                    chart=True,
                ),
                Line(
                    _band(1, T("{1} to {2} days", "{1} a {2} días")),
                    _at(STEPS[1]),
                    "money",
                    "PR_LATE_FILE_RATE",
                    chart=True,
                ),
                Line(
                    _band(2, T("more than {2} days", "más de {2} días")),
                    _at(STEPS[2]),
                    "money",
                    "PR_LATE_FILE_RATE",
                    chart=True,
                ),
            ),
        ),
        Section(
            T("Returns", "Planillas"),
            (
                Line(T("Filed late", "Radicadas tarde"), 'COUNTIF({LateFiling.days},">0")', "days"),
                Line(
                    T("Not yet filed", "Aún sin radicar"),
                    'COUNTIFS({LateFiling.status},"OK",{LateFiling.filed_on},"")',
                    "days",
                ),
                Line(
                    T("With an offense to consider", "Con delito a considerar"),
                    "COUNTIF({LateFiling.willful},{t:yes})",
                    "days",
                    "PR_LATE_FILE_OFFENSE",
                ),
            ),
        ),
    ),
    (
        Check(
            T("Additions by rate add up to the total", "Las adiciones por tasa suman el total"),
            "+".join(map(_at, STEPS)),
            "SUM({LateFiling.addition})",
        ),
        Check(
            T(
                "Net tax × rate, recomputed, less rows with reasonable cause, = additions (to the cent of each row)",
                "Contribución neta × tasa, recomputada, menos filas con causa razonable, = adiciones (al centavo de cada fila)",
            ),
            "SUMPRODUCT({LateFiling.base},{LateFiling.rate})"
            + "".join(
                f"-SUMIFS({{LateFiling.base}},{{LateFiling.reasonable_cause}},{{t:yes}},{{LateFiling.rate}},{rate})*{rate}"
                for rate in STEPS
            ),
            "SUM({LateFiling.addition})",
            per_row="LateFiling",
        ),
    ),
    ("late_filing", "common"),
    notes=(
        T(
            "Payments made after the payment date do not reduce the net tax; enter only what was paid on or before it.",
            "Los pagos posteriores a la fecha de pago no reducen la contribución neta; anote solo lo pagado en o antes de ella.",
        ),
        T(
            "The text is that of 2011. Act 52-2022 amended the section; that amendment has not been reviewed.",
            "El texto es el de 2011. La Ley 52-2022 enmendó la sección; esa enmienda no se ha revisado.",
        ),
        T(
            "The addition is due even when the tax was paid before the omission was discovered.",
            "La adición se debe aunque la contribución se pagara antes de descubrirse la omisión.",
        ),
    ),
)
