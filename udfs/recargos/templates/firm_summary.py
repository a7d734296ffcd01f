"""Firm summary: every open matter of every client on one line, whatever its statute."""

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

_REGIMES: dict[str, tuple[T, str]] = {
    "check": (T("Returned check", "Cheque devuelto"), "PR_RETURNED_CHECK"),
    "filing": (T("Late filing", "Radicación tardía"), "PR_LATE_FILE"),
    "property": (T("Personal property", "Propiedad mueble"), "PR_SURCHARGE"),
    "payroll": (T("Withholding", "Retención"), "PR_WITHHOLDING_PENALTY_MIN"),
    "retirement": (T("Retirement", "Retiro"), "PR_RETIREMENT_DEBT"),
}


def _by_regime(other: str = "0", **formulas: str) -> str:
    """One formula out of those given for regimes; `other` for the rest."""
    text = other
    for key, formula in reversed(formulas.items()):
        text = f"IF({{regime}}={{t:{key}}},{formula},{text})"
    return text


_LOW = _by_regime(
    check="PR_RETURNED_CHECK({base},0,{relief})",
    filing="PR_LATE_FILE({amount},{days},{reduced_by},0,{relief},{due_on})",
    property="PR_SURCHARGE({base},{days},{due_on})",
    payroll="PR_WITHHOLDING_PENALTY_MIN({base},{relief})",
)
_PERIOD = "{law:late_filing.period}"
_MATTERS = Table(
    "Matters",
    INPUTS,
    T("Firm summary: open matters", "Resumen de la firma: asuntos abiertos"),
    (
        client(),
        taxpayer(),
        period(T("Tax year or period.", "Año o período contributivo.")),
        entry(
            "regime",
            T("Matter", "Asunto"),
            FACTS,
            17,
            kind="choice",
            choices=tuple(title for title, _ in _REGIMES.values()),
            required=True,
            help=T("Which rule governs the row.", "Qué norma rige la fila."),
        ),
        entry(
            "reference",
            T("Reference", "Referencia"),
            FACTS,
            12,
            kind="id",
            help=T(
                "Account, check or workpaper that has the detail.",
                "Cuenta, cheque o papel de trabajo que tiene el detalle.",
            ),
        ),
        entry(
            "due_on",
            T("Due date", "Vencimiento"),
            DATES,
            12,
            kind="date",
            help=T(
                "Date due to file or pay; for retirement the day of withholding.",
                "Fecha para radicar o pagar; para retiro, el día de la retención.",
            ),
        ),
        entry(
            "done_on",
            T("Done on", "Cumplido el"),
            DATES,
            12,
            kind="date",
            help=T(
                "Blank while open: days run to the as-of date.",
                "En blanco mientras esté abierto: los días corren hasta la fecha de cómputo.",
            ),
        ),
        entry(
            "amount",
            T("Amount", "Cantidad"),
            AMOUNTS,
            13,
            kind="money",
            required=True,
            total="sum",
            help=T(
                "Tax, check, required deposit or contribution, by the matter.",
                "Contribución, cheque, depósito requerido o aportación, según el asunto.",
            ),
        ),
        entry(
            "reduced_by",
            T("Paid on time and credits", "Pagado a tiempo y créditos"),
            AMOUNTS,
            13,
            kind="money",
            total="sum",
            help=T(
                "Timely payments, deposits and credits that reduce the basis.",
                "Pagos, depósitos y créditos a tiempo que reducen la base.",
            ),
        ),
        entry("rate", T("Board rate", "Tasa de la Junta"), AMOUNTS, 9, "PR_RETIREMENT_DEBT.rate"),
        entry(
            "relief",
            T("Relief or repeat", "Relevo o reincidencia"),
            CONDUCT,
            11.5,
            kind="flag",
            help=T(
                "Returned check: condoned. Late filing: reasonable cause. Withholding: repeat offense.",
                "Cheque: condonado. Radicación: causa razonable. Retención: reincidencia.",
            ),
        ),
        entry(
            "partner",
            T("Responsible", "Responsable"),
            CONDUCT,
            11,
            kind="text",
            help=T("Who follows the matter up.", "Quién da seguimiento al asunto."),
        ),
        note(14),
        status(),
        computed(
            "days",
            T("Days late", "Días de atraso"),
            "days",
            'IF({due_on}="",0,PR_DAYS_LATE({due_on},IF({done_on}="",AsOf,{done_on})))',
            "PR_DAYS_LATE",
            8,
        ),
        computed("base", T("Basis", "Base"), "money", "MAX(0,{amount}-N({reduced_by}))", width=13, total="sum"),
        money(
            "interest",
            T("Interest", "Intereses"),
            _by_regime(
                property="PR_INTEREST({base},{days},DayBasis,{due_on})",
                retirement="ROUND(PR_RETIREMENT_DEBT({base},{rate},{days},DayBasis)-{base},2)",
            ),
            "PR_INTEREST",
            12,
        ),
        money("low", T("Lowest addition", "Adición mínima"), _LOW, "PR_LATE_FILE", 13),
        money(
            "high",
            T("Highest addition", "Adición máxima"),
            "IF({regime}={t:payroll},PR_WITHHOLDING_PENALTY_MAX({base},{relief}),{low})",
            "PR_WITHHOLDING_PENALTY_MAX",
            13,
        ),
        money("exposure", T("Exposure", "Exposición"), "{interest}+{high}", width=14),
        computed(
            "next_on",
            T("Next date", "Próxima fecha"),
            "date",
            'IF({done_on}<>"","",'
            + _by_regime(
                '""',
                filing=f'IF({{days}}>2*{_PERIOD},"",{{due_on}}+{_PERIOD}*MAX(1,ROUNDUP({{days}}/{_PERIOD},0)))',
                property=f'IF({{days}}>{{law:property_tax.surcharge.third_after}},"",{{due_on}}+{_PERIOD}*MAX(1,ROUNDUP({{days}}/{_PERIOD},0)))',
                retirement="PR_RETIREMENT_CERTIFICATE_DUE({due_on},HolidayDates)",
            )
            + ")",
            width=12,
            deadline=True,
            help=T(
                "Last day before the addition rises, or to remit.",
                "Último día antes de que suba la adición, o para remitir.",
            ),
        ),
        tick(),
    ),
    T(
        "One row for each matter; the detailed workpaper of each has its own template. Property rows take interest and surcharge on one unpaid amount.",
        "Una fila por asunto; el papel detallado de cada uno tiene su plantilla. Las filas de propiedad llevan interés y recargo sobre una cantidad no pagada.",
    ),
    unready=(
        ('AsOf=""', T("Missing: as-of date", "Falta: fecha de cómputo")),
        (
            'AND({due_on}="",OR({regime}={t:filing},{regime}={t:property},{regime}={t:retirement}))',
            T("Missing: Due date", "Falta: Vencimiento"),
        ),
        ('AND({rate}="",{regime}={t:retirement})', T("Missing: Board rate", "Falta: Tasa de la Junta")),
    ),
)


def _counted(key: str) -> Line:
    title, function = _REGIMES[key]
    return Line(title, f"SUMIFS({{Matters.exposure}},{{Matters.regime}},{{t:{key}}})", "money", function, chart=True)


def _number(key: str) -> Line:
    title, _ = _REGIMES[key]
    return Line(title, f'COUNTIFS({{Matters.regime}},{{t:{key}}},{{Matters.status}},"OK")', "days")


TEMPLATE = Template(
    "firm-summary",
    T("Firm summary", "Resumen de la firma"),
    T(
        "Every open matter of every client under the five statutes, with its exposure and next date, on one page.",
        "Todo asunto abierto de cada cliente bajo los cinco estatutos, con su exposición y próxima fecha, en una página.",
    ),
    (
        T(
            "Fill in the workpaper header, the as-of date and the day basis on this sheet.",
            "Complete el encabezado, la fecha de cómputo y la base de días en esta hoja.",
        ),
        T("Enter each matter on Inputs, or run: recargos fill", "Anote cada asunto en Datos, o ejecute: recargos fill"),
        T(
            "Clear every item of the Checks sheet, then review the Summary and sign.",
            "Atienda cada partida de Verificaciones, revise el Resumen y firme.",
        ),
    ),
    (_MATTERS,),
    (
        Section(
            T("Exposure: interest and the highest addition", "Exposición: intereses y la adición máxima"),
            (
                *(_counted(key) for key in _REGIMES),
                Line(
                    T("All matters", "Todos los asuntos"),
                    "SUM({Matters.exposure})",
                    "money",
                    strong=True,
                    name="TotalDue",
                ),
                Line(
                    T("With the lowest addition", "Con la adición mínima"),
                    "SUM({Matters.interest})+SUM({Matters.low})",
                    "money",
                ),
            ),
        ),
        Section(
            T("Matters", "Asuntos"),
            (
                *(_number(key) for key in _REGIMES),
                Line(
                    T("Open (not yet done)", "Abiertos (sin cumplir)"),
                    'COUNTIFS({Matters.status},"OK",{Matters.done_on},"")',
                    "days",
                ),
                Line(
                    T("Open with a date already past", "Abiertos con fecha ya vencida"),
                    'COUNTIFS({Matters.next_on},"<"&AsOf)',
                    "days",
                ),
            ),
        ),
    ),
    (
        Check(
            T("Exposure by matter adds up to the total", "La exposición por asunto suma el total"),
            "+".join(f"SUMIFS({{Matters.exposure}},{{Matters.regime}},{{t:{key}}})" for key in _REGIMES),
            "SUM({Matters.exposure})",
        ),
        Check(
            T("Exposure = interest + highest addition", "Exposición = intereses + adición máxima"),
            "SUM({Matters.interest})+SUM({Matters.high})",
            "SUM({Matters.exposure})",
        ),
    ),
    ("returned_check", "late_filing", "property_tax", "withholding", "retirement", "common"),
    notes=(
        T(
            "A summary, not the computation of record: payments ledgers, extensions, deficiencies and bonds are in the workpaper of each statute.",
            "Un resumen, no el cómputo oficial: registros de pagos, prórrogas, deficiencias y fianzas están en el papel de cada estatuto.",
        ),
        T(
            "A penalty within a range is shown at its lowest and its highest; the highest counts as exposure.",
            "Una penalidad dentro de un margen se muestra mínima y máxima; la máxima cuenta como exposición.",
        ),
        T(
            "Retirement rates are the Board's; there is no default.",
            "Las tasas de retiro las fija la Junta; no hay supletoria.",
        ),
    ),
    holidays=True,
    basis=True,
    words={key: title for key, (title, _) in _REGIMES.items()},
)
