"""Personal property tax: the table of accounts, in which payments, filings and deficiencies come together."""

from __future__ import annotations

from recargos.law import T
from recargos.templates.model import Table, entry
from recargos.templates.words import (
    AMOUNTS,
    DATES,
    INPUTS,
    WHO,
    client,
    computed,
    money,
    note,
    of_key,
    period,
    status,
    tick,
)

ACCOUNT = T("CRIM account", "Cuenta CRIM")
NO_AS_OF = T("Missing: as-of date", "Falta: fecha de cómputo")

ACCOUNTS = Table(
    "PropertyTax",
    INPUTS,
    T("Personal property tax: accounts", "Contribución sobre la propiedad mueble: cuentas"),
    (
        client(24),
        entry(
            "account",
            ACCOUNT,
            WHO,
            16,
            kind="id",
            required=True,
            help=T(
                "Account or return number, once each: payments, filings and deficiencies refer to it.",
                "Número de cuenta o planilla, una vez cada uno: pagos, radicaciones y deficiencias lo citan.",
            ),
        ),
        period(T("Tax year of the return, e.g. 2026.", "Año contributivo de la planilla, p. ej. 2026."), 9),
        entry(
            "due_on",
            T("Payment due", "Vence el pago"),
            DATES,
            11.5,
            kind="date",
            required=True,
            help=T(
                "Date prescribed for payment, as postponed; the law of that day applies.",
                "Fecha prescrita para el pago, según pospuesta; aplica la ley de ese día.",
            ),
        ),
        entry(
            "expired_on",
            T("Extension expired", "Venció la prórroga"),
            DATES,
            11.5,
            kind="date",
            help=T(
                "Only if an extension to pay ran out: interest then runs from that day instead.",
                "Solo si venció una prórroga para pagar: el interés corre entonces desde ese día.",
            ),
        ),
        entry("tax", T("Tax", "Contribución"), AMOUNTS, 13, "PR_PAYOFF.tax", required=True, total="sum"),
        entry(
            "extension_interest",
            T("Extension interest", "Intereses de prórroga"),
            AMOUNTS,
            11.5,
            "PR_EXTENSION_INTEREST.extension_interest",
            total="sum",
            help=T(
                "Unpaid interest of the extension itself (21 LPRA § 5211); not computed here.",
                "Intereses no pagados de la prórroga misma (21 LPRA § 5211); no se computan aquí.",
            ),
        ),
        note(16),
        status(),
        computed(
            "starts_on", T("Runs from", "Corre desde"), "date", 'IF({expired_on}="",{due_on},{expired_on})', width=11.5
        ),
        money(
            "paid",
            T("Paid on tax", "Pagado a la contribución"),
            of_key("{Payments.applied}", "{Payments.account}", "{account}"),
            width=13,
        ),
        money("balance", T("Balance", "Balance"), "ROUND({tax}-{paid},2)", width=13),
        computed("days", T("Days late", "Días de atraso"), "days", "PR_DAYS_LATE({starts_on},AsOf)", "PR_DAYS_LATE", 8),
        money(
            "interest",
            T("Interest on balance", "Interés del balance"),
            'IF({balance}<=0,0,IF({expired_on}="",PR_INTEREST({balance},{days},DayBasis,{due_on}),PR_EXTENSION_INTEREST({balance},{extension_interest},{expired_on},AsOf,DayBasis)))',
            "PR_INTEREST",
            12,
        ),
        money(
            "surcharge",
            T("Surcharge on balance", "Recargo del balance"),
            "IF({balance}<=0,0,PR_SURCHARGE({balance},{days},{due_on}))",
            "PR_SURCHARGE",
            12,
        ),
        money(
            "paid_interest",
            T("Interest on payments", "Interés de pagos"),
            of_key("{Payments.interest}", "{Payments.account}", "{account}"),
            "PR_INTEREST",
            12,
        ),
        money(
            "paid_surcharge",
            T("Surcharge on payments", "Recargo de pagos"),
            of_key("{Payments.surcharge}", "{Payments.account}", "{account}"),
            "PR_SURCHARGE",
            12,
        ),
        money(
            "late_filing",
            T("Late filing", "Radicación tardía"),
            of_key("{PropertyFiling.addition}", "{PropertyFiling.account}", "{account}"),
            "PR_PROPERTY_LATE_FILE",
            12,
        ),
        money(
            "deficiency",
            T("Deficiency and additions", "Deficiencia y adiciones"),
            of_key("{Deficiencies.due}", "{Deficiencies.account}", "{account}"),
            "PR_DEFICIENCY_INTEREST",
            13,
        ),
        money(
            "due",
            T("Total due", "Total adeudado"),
            "{balance}+N({extension_interest})+{interest}+{surcharge}+{paid_interest}+{paid_surcharge}+{late_filing}+{deficiency}",
            width=14,
        ),
        money(
            "per_diem",
            T("Per diem", "Por día"),
            'IF({balance}<=0,0,ROUND(({balance}+IF({expired_on}="",0,N({extension_interest})))*{law:property_tax.interest}/DayBasis,2))',
            width=9,
        ),
        tick(),
    ),
    T(
        "One row for each account. Payments, late filing and deficiencies have their own sheets and come together here.",
        "Una fila por cuenta. Pagos, radicación tardía y deficiencias tienen sus hojas y se reúnen aquí.",
    ),
    rows=25,
    unready=(('AsOf=""', NO_AS_OF),),
)
