"""Personal property tax (CRIM): 21 LPRA § 5221. The workbook of accounts, payments, late filing and deficiencies."""

from __future__ import annotations

from recargos.law import T
from recargos.templates.model import Check, Line, Section, Template
from recargos.templates.property_accounts import ACCOUNTS
from recargos.templates.property_ledgers import DEFICIENCIES, FILING, FRAUD, NEGLIGENCE, PAYMENTS

_LINES = (
    "balance",
    "extension_interest",
    "interest",
    "surcharge",
    "paid_interest",
    "paid_surcharge",
    "late_filing",
    "deficiency",
)

TEMPLATE = Template(
    "property-tax",
    T("Personal property tax worksheet", "Hoja de contribución sobre la propiedad mueble"),
    T(
        "Interest, surcharge, late filing and deficiencies on personal property tax (CRIM), with a payments ledger.",
        "Intereses, recargos, radicación tardía y deficiencias de la contribución sobre la propiedad mueble (CRIM), con registro de pagos.",
    ),
    (
        T(
            "Fill in the workpaper header, the as-of date and the day basis on this sheet.",
            "Complete el encabezado, la fecha de cómputo y la base de días en esta hoja.",
        ),
        T(
            "Enter each account on Inputs; its payments, late returns and deficiencies on their sheets, by the account's number.",
            "Anote cada cuenta en Datos; sus pagos, planillas tardías y deficiencias en sus hojas, por el número de cuenta.",
        ),
        T(
            "Clear every item of the Checks sheet, then review the Summary and sign.",
            "Atienda cada partida de Verificaciones, revise el Resumen y firme.",
        ),
    ),
    (ACCOUNTS, PAYMENTS, FILING, DEFICIENCIES),
    (
        Section(
            T("Amounts", "Cantidades"),
            (
                Line(T("Tax of the accounts", "Contribución de las cuentas"), "SUM({PropertyTax.tax})", "money"),
                Line(T("Balance of tax", "Balance de contribución"), "SUM({PropertyTax.balance})", "money"),
                Line(
                    T("Interest of extensions", "Intereses de prórrogas"),
                    "SUM({PropertyTax.extension_interest})",
                    "money",
                    "PR_EXTENSION_INTEREST",
                ),
                Line(
                    T("Interest", "Intereses"),
                    "SUM({PropertyTax.interest})+SUM({PropertyTax.paid_interest})",
                    "money",
                    "PR_INTEREST",
                    chart=True,
                ),
                Line(
                    T("Surcharge", "Recargos"),
                    "SUM({PropertyTax.surcharge})+SUM({PropertyTax.paid_surcharge})",
                    "money",
                    "PR_SURCHARGE",
                    chart=True,
                ),
                Line(
                    T("Late filing", "Radicación tardía"),
                    "SUM({PropertyTax.late_filing})",
                    "money",
                    "PR_PROPERTY_LATE_FILE",
                    chart=True,
                ),
                Line(
                    T("Deficiencies and their additions", "Deficiencias y sus adiciones"),
                    "SUM({PropertyTax.deficiency})",
                    "money",
                    "PR_DEFICIENCY_INTEREST",
                    chart=True,
                ),
                Line(T("Total due", "Total adeudado"), "SUM({PropertyTax.due})", "money", strong=True, name="TotalDue"),
                Line(
                    T("Interest for each further day", "Interés por cada día adicional"),
                    "SUM({PropertyTax.per_diem})",
                    "money",
                    "PR_INTEREST",
                ),
            ),
        ),
        Section(
            T("Balance by surcharge step", "Balance por escalón de recargo"),
            (
                Line(
                    T("Up to 30 days: none", "Hasta 30 días: ninguno"),
                    'SUMIFS({PropertyTax.balance},{PropertyTax.days},"<=30")',
                    "money",
                    "PR_SURCHARGE_RATE",
                ),
                Line(
                    T("31 to 60 days: 5 %", "31 a 60 días: 5 %"),
                    'SUMIFS({PropertyTax.balance},{PropertyTax.days},">30",{PropertyTax.days},"<=60")',
                    "money",
                    "PR_SURCHARGE_RATE",
                ),
                Line(
                    T("61 to 90 days: 10 %", "61 a 90 días: 10 %"),
                    'SUMIFS({PropertyTax.balance},{PropertyTax.days},">60",{PropertyTax.days},"<=90")',
                    "money",
                    "PR_SURCHARGE_RATE",
                ),
                Line(
                    T("More than 90 days: 15 %", "Más de 90 días: 15 %"),
                    'SUMIFS({PropertyTax.balance},{PropertyTax.days},">90")',
                    "money",
                    "PR_SURCHARGE_RATE",
                ),
            ),
        ),
    ),
    (
        Check(
            T("Total due = its parts, column by column", "Total adeudado = sus partes, columna por columna"),
            "+".join(f'SUMIFS({{PropertyTax.{key}}},{{PropertyTax.status}},"OK")' for key in _LINES),
            "SUM({PropertyTax.due})",
        ),
        Check(
            T(
                "Payments by the as-of date are all applied (none exceeds its tax)",
                "Los pagos a la fecha de cómputo están aplicados (ninguno excede su contribución)",
            ),
            'SUMIFS({Payments.amount},{Payments.status},"OK",{Payments.paid_on},"<="&AsOf)',
            "SUM({Payments.applied})",
        ),
        Check(
            T(
                "Applied payments in the ledger = in the accounts (an account entered twice shows here)",
                "Pagos aplicados en el registro = en las cuentas (una cuenta repetida se ve aquí)",
            ),
            "SUM({Payments.applied})",
            "SUM({PropertyTax.paid})",
        ),
        Check(
            T(
                "Late-filing additions of the sheet = in the accounts",
                "Adiciones por radicación tardía de la hoja = en las cuentas",
            ),
            "SUM({PropertyFiling.addition})",
            "SUM({PropertyTax.late_filing})",
        ),
        Check(
            T("Deficiencies of the sheet = in the accounts", "Deficiencias de la hoja = en las cuentas"),
            "SUM({Deficiencies.due})",
            "SUM({PropertyTax.deficiency})",
        ),
        Check(
            T("Balance by step adds up to the balance", "El balance por escalón suma el balance"),
            'SUMIFS({PropertyTax.balance},{PropertyTax.days},"<=30")+SUMIFS({PropertyTax.balance},{PropertyTax.days},">30")',
            "SUM({PropertyTax.balance})",
        ),
        Check(
            T(
                "Surcharge of the ledger, recomputed as payment × step",
                "Recargo del registro, recomputado como pago × escalón",
            ),
            "SUMPRODUCT({Payments.applied},{Payments.rate})",
            "SUM({Payments.surcharge})",
            per_row="Payments",
        ),
    ),
    ("property_tax", "common"),
    notes=(
        T(
            "Day basis: no Puerto Rico source states one. 365 is set because it alone fits the public claim that could be reconstructed; 366 and 360 can be chosen.",
            "Base de días: ninguna fuente de Puerto Rico la fija. Se usa 365 por ser la única que cuadra con la reclamación pública reconstruida; puede escogerse 366 o 360.",
        ),
        T(
            "Each late dollar takes the surcharge step of its own delay; other readings exist (see the Law sheet). Steps replace each other, they never add up.",
            "Cada dólar tardío lleva el escalón de su propia demora; hay otras lecturas (vea la hoja Ley). Los escalones se sustituyen, nunca se suman.",
        ),
        T(
            "Payments reduce the tax first, in date order; the statute is silent. The delay of a surcharge is counted from where interest runs.",
            "Los pagos reducen primero la contribución, por fecha; la ley no lo dispone. La demora del recargo se cuenta desde donde corre el interés.",
        ),
        T(
            "After a notice, the surcharge here falls on all that was demanded; the text says only “the amount not paid”.",
            "Tras una notificación, el recargo aquí recae sobre todo lo requerido; el texto solo dice «monto no pagado».",
        ),
        T(
            "Personal property only. The Municipal Code (Act 107-2020) replaced this article; the new one has not been reviewed.",
            "Solo propiedad mueble. El Código Municipal (Ley 107-2020) sustituyó este artículo; el nuevo no se ha revisado.",
        ),
    ),
    basis=True,
    words={"negligence": NEGLIGENCE, "fraud": FRAUD},
)
