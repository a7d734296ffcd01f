"""Returned checks register: 13 LPRA § 352a-1."""

from __future__ import annotations

from recargos.law import T
from recargos.templates.model import Check, Line, Section, Table, Template, entry
from recargos.templates.words import (
    AMOUNTS,
    CONDUCT,
    FACTS,
    INPUTS,
    client,
    computed,
    money,
    note,
    status,
    taxpayer,
    tick,
)

_WAITS = T("Not yet imposable", "Aún no se impone")
_CHECKS = Table(
    "ReturnedChecks",
    INPUTS,
    T("Returned checks register", "Registro de cheques devueltos"),
    (
        client(),
        taxpayer(),
        entry(
            "check_number",
            T("Check number", "Número de cheque"),
            FACTS,
            10,
            kind="id",
            required=True,
            help=T(
                "Number of the check or money order; one row for each, they are never added together.",
                "Número del cheque o giro; una fila por cada uno, nunca se suman.",
            ),
        ),
        entry(
            "tax_paid",
            T("Tax paid", "Contribución pagada"),
            FACTS,
            16,
            kind="text",
            help=T(
                "Tax, contribution or license fee that the check paid.",
                "Contribución, derecho o impuesto que pagaba el cheque.",
            ),
        ),
        entry(
            "returned_on",
            T("Returned on", "Devuelto el"),
            FACTS,
            12,
            kind="date",
            required=True,
            help=T(
                "Day the bank returned it; the law of that day applies.",
                "Día en que el banco lo devolvió; aplica la ley de ese día.",
            ),
        ),
        entry(
            "amount",
            T("Check amount", "Importe del cheque"),
            AMOUNTS,
            13,
            "PR_RETURNED_CHECK.amount",
            required=True,
            total="sum",
        ),
        entry(
            "original_tax",
            T("Original tax", "Impuesto original"),
            AMOUNTS,
            13,
            "PR_RETURNED_CHECK.original_tax",
            total="sum",
        ),
        entry(
            "redeposited",
            T("Redeposited", "Redepositado"),
            CONDUCT,
            11.5,
            kind="flag",
            help=T(
                "No while the check has not been deposited again: the penalty is not yet imposable. Blank counts as yes.",
                "No mientras no se haya vuelto a depositar: la penalidad aún no se impone. En blanco cuenta como sí.",
            ),
        ),
        entry("condoned", T("Condoned", "Condonado"), CONDUCT, 11, "PR_RETURNED_CHECK.condoned"),
        note(20),
        status(17),
        computed(
            "base",
            T("Basis", "Base"),
            "money",
            "IF(N({original_tax})>0,{original_tax},{amount})",
            width=13,
            total="sum",
        ),
        computed(
            "rate",
            T("Rate", "Tasa"),
            "rate",
            "PR_RETURNED_CHECK_RATE({amount},{original_tax},{returned_on})",
            "PR_RETURNED_CHECK_RATE",
            8,
        ),
        money(
            "penalty",
            T("Penalty", "Penalidad"),
            "PR_RETURNED_CHECK({amount},{original_tax},{condoned},{returned_on})",
            "PR_RETURNED_CHECK",
        ),
        money("lost_discount", T("Lost discount", "Descuento perdido"), "MAX(0,{base}-{amount})"),
        money("due", T("Total due", "Total adeudado"), "{amount}+{lost_discount}+{penalty}"),
        computed(
            "remark", T("Remark", "Observación"), "text", 'IF({base}={law:returned_check.limit},{t:limit},"")', width=19
        ),
        tick(),
    ),
    T(
        "One row for each check or money order that came back. The penalty is collected with the tax, in addition to any interest and surcharge.",
        "Una fila por cada cheque o giro devuelto. La penalidad se cobra con la contribución, además de los intereses y recargos que procedan.",
    ),
    unready=(("{redeposited}={t:no}", _WAITS),),
    waits=(_WAITS,),
)

TEMPLATE = Template(
    "returned-checks",
    T("Returned checks register", "Registro de cheques devueltos"),
    T(
        "Penalty for each check or money order that was returned unpaid after paying a Puerto Rico tax, license fee or contribution.",
        "Penalidad por cada cheque o giro devuelto que se emitió en pago de una contribución, derecho o impuesto de Puerto Rico.",
    ),
    (
        T(
            "Fill in the workpaper header and the as-of date on this sheet.",
            "Complete el encabezado y la fecha de cómputo en esta hoja.",
        ),
        T(
            "Enter one row for each check on Inputs, or run: recargos fill",
            "Anote una fila por cheque en Datos, o ejecute: recargos fill",
        ),
        T(
            "Clear every item of the Checks sheet, then review the Summary and sign.",
            "Atienda cada partida de Verificaciones, revise el Resumen y firme.",
        ),
    ),
    (_CHECKS,),
    (
        Section(
            T("Amounts", "Cantidades"),
            (
                Line(T("Checks returned", "Cheques devueltos"), "SUM({ReturnedChecks.amount})", "money", chart=True),
                Line(
                    T("Discounts lost", "Descuentos perdidos"),
                    "SUM({ReturnedChecks.lost_discount})",
                    "money",
                    "PR_RETURNED_CHECK",
                    chart=True,
                ),
                Line(
                    T("Penalties", "Penalidades"),
                    "SUM({ReturnedChecks.penalty})",
                    "money",
                    "PR_RETURNED_CHECK",
                    chart=True,
                ),
                Line(
                    T("Total due", "Total adeudado"), "SUM({ReturnedChecks.due})", "money", strong=True, name="TotalDue"
                ),
            ),
        ),
        Section(
            T("Checks by rate", "Cheques por tasa"),
            (
                Line(
                    T("Checks at 5 %", "Cheques al 5 %"),
                    'COUNTIFS({ReturnedChecks.base},">0",{ReturnedChecks.base},"<="&{law:returned_check.limit})',
                    "days",
                    "PR_RETURNED_CHECK_RATE",
                ),
                Line(
                    T("Checks at 10 %", "Cheques al 10 %"),
                    'COUNTIFS({ReturnedChecks.base},">"&{law:returned_check.limit})',
                    "days",
                    "PR_RETURNED_CHECK_RATE",
                ),
                Line(
                    T("Not yet imposable (not redeposited)", "Aún no se imponen (sin redepositar)"),
                    "COUNTIF({ReturnedChecks.status},{t:not_imposable})",
                    "days",
                ),
                Line(
                    T("Exactly 10,000.00 (see the note)", "Exactamente 10,000.00 (vea la nota)"),
                    "COUNTIFS({ReturnedChecks.base},{law:returned_check.limit})",
                    "days",
                ),
            ),
        ),
    ),
    (
        Check(
            T(
                "Total due = amounts + discounts + penalties of the rows that are computed",
                "Total adeudado = importes + descuentos + penalidades de las filas computadas",
            ),
            'SUMIFS({ReturnedChecks.amount},{ReturnedChecks.status},"OK")+SUM({ReturnedChecks.lost_discount})+SUM({ReturnedChecks.penalty})',
            "SUM({ReturnedChecks.due})",
        ),
        Check(
            T(
                "Computed checks without a penalty = condoned checks",
                "Cheques computados sin penalidad = cheques condonados",
            ),
            'COUNTIFS({ReturnedChecks.status},"OK",{ReturnedChecks.condoned},{t:yes})',
            'COUNTIFS({ReturnedChecks.penalty},0,{ReturnedChecks.amount},">0")',
            "days",
        ),
        Check(
            T("Penalties below the 25-dollar minimum", "Penalidades por debajo del mínimo de 25 dólares"),
            "0",
            'COUNTIFS({ReturnedChecks.penalty},">0",{ReturnedChecks.penalty},"<"&{law:returned_check.minimum})',
            "days",
        ),
    ),
    ("returned_check",),
    notes=(
        T(
            "At exactly 10,000.00 the statute gives 5 % (500.00); the page of the Treasury applies 10 % (1,000.00). The statute is computed and the row is marked.",
            "En exactamente 10,000.00 la ley dispone 5 % (500.00); la página de Hacienda aplica 10 % (1,000.00). Se computa la ley y la fila se marca.",
        ),
        T(
            "When the check paid a discounted tax the original tax is the basis, also for the 10,000-dollar line; the lost discount becomes due.",
            "Si el cheque pagó un impuesto con descuento, la base es el impuesto original, también para la línea de 10,000; el descuento perdido se adeuda.",
        ),
        T(
            "A returned check means a tax not received: interest and surcharge may run as well; they are not in this workbook.",
            "Un cheque devuelto es una contribución no recibida: pueden correr intereses y recargos; no están en este libro.",
        ),
    ),
    words={
        "limit": T("Exactly 10,000.00", "Exactamente 10,000.00"),
        "not_imposable": _WAITS,
    },
)
