"""Personal property tax (CRIM): 21 LPRA § 5221. Accounts, payments ledger, late filing, deficiencies."""

from __future__ import annotations

from recargos.law import T
from recargos.templates.model import Check, Column, Line, Section, Table, Template, entry
from recargos.templates.words import AMOUNTS, CONDUCT, DATES, FACTS, INPUTS, WHO, client, computed, money, note, period, status, tick

_ACCOUNT = T("CRIM account", "Cuenta CRIM")
NONE, NEGLIGENCE, FRAUD = T("None", "Ninguna"), T("Negligence", "Negligencia"), T("Fraud", "Fraude")
_ROW = "MATCH({account},{PropertyTax.account},0)"


def _account_of(column: str) -> str:
    """A figure of the account that the row names."""
    return f"INDEX({{PropertyTax.{column}}},{_ROW})"


def _ref() -> Column:
    return entry("account", _ACCOUNT, WHO, 17, kind="id", required=True, choices_name="PropertyTax_account", total="label",
                 help=T("An account of the Inputs sheet.", "Una cuenta de la hoja Datos."))


_NO_ACCOUNT = (f"ISNA({_ROW})", T("Account not in Inputs", "Cuenta no está en Datos"))
_ACCOUNT_OPEN = (f'{_account_of("status")}<>"OK"', T("Account incomplete", "Cuenta incompleta"))
_NO_AS_OF = T("Missing: as-of date", "Falta: fecha de cómputo")

_ACCOUNTS = Table(
    "PropertyTax",
    INPUTS,
    T("Personal property tax: accounts", "Contribución sobre la propiedad mueble: cuentas"),
    (
        client(24),
        entry("account", _ACCOUNT, WHO, 16, kind="id", required=True,
              help=T("Account or return number, once each: payments, filings and deficiencies refer to it.",
                     "Número de cuenta o planilla, una vez cada uno: pagos, radicaciones y deficiencias lo citan.")),
        period(T("Tax year of the return, e.g. 2026.", "Año contributivo de la planilla, p. ej. 2026."), 9),
        entry("due_on", T("Payment due", "Vence el pago"), DATES, 11.5, kind="date", required=True,
              help=T("Date prescribed for payment, as postponed; the law of that day applies.", "Fecha prescrita para el pago, según pospuesta; aplica la ley de ese día.")),
        entry("expired_on", T("Extension expired", "Venció la prórroga"), DATES, 11.5, kind="date",
              help=T("Only if an extension to pay ran out: interest then runs from that day instead.", "Solo si venció una prórroga para pagar: el interés corre entonces desde ese día.")),
        entry("tax", T("Tax", "Contribución"), AMOUNTS, 13, "PR_PAYOFF.tax", required=True, total="sum"),
        entry("extension_interest", T("Extension interest", "Intereses de prórroga"), AMOUNTS, 11.5, "PR_EXTENSION_INTEREST.extension_interest", total="sum",
              help=T("Unpaid interest of the extension itself (21 LPRA § 5211); not computed here.", "Intereses no pagados de la prórroga misma (21 LPRA § 5211); no se computan aquí.")),
        note(16),
        status(),
        computed("starts_on", T("Runs from", "Corre desde"), "date", 'IF({expired_on}="",{due_on},{expired_on})', width=11.5),
        money("paid", T("Paid on tax", "Pagado a la contribución"), "SUMIFS({Payments.applied},{Payments.account},{account})", width=13),
        money("balance", T("Balance", "Balance"), "{tax}-{paid}", width=13),
        computed("days", T("Days late", "Días de atraso"), "days", "PR_DAYS_LATE({starts_on},AsOf)", "PR_DAYS_LATE", 8),
        money("interest", T("Interest, balance", "Interés, balance"),
              'IF({balance}<=0,0,IF({expired_on}="",PR_INTEREST({balance},{days},DayBasis,{due_on}),PR_EXTENSION_INTEREST({balance},{extension_interest},{expired_on},AsOf,DayBasis)))',
              "PR_INTEREST", 12),
        money("surcharge", T("Surcharge, balance", "Recargo, balance"), "IF({balance}<=0,0,PR_SURCHARGE({balance},{days},{due_on}))", "PR_SURCHARGE", 12),
        money("paid_interest", T("Interest, payments", "Interés, pagos"), "SUMIFS({Payments.interest},{Payments.account},{account})", "PR_INTEREST", 12),
        money("paid_surcharge", T("Surcharge, payments", "Recargo, pagos"), "SUMIFS({Payments.surcharge},{Payments.account},{account})", "PR_SURCHARGE", 12),
        money("late_filing", T("Late filing", "Radicación tardía"), "SUMIFS({PropertyFiling.addition},{PropertyFiling.account},{account})", "PR_PROPERTY_LATE_FILE", 12),
        money("deficiency", T("Deficiency and additions", "Deficiencia y adiciones"), "SUMIFS({Deficiencies.due},{Deficiencies.account},{account})", "PR_DEFICIENCY_INTEREST", 13),
        money("due", T("Total due", "Total adeudado"),
              "{balance}+N({extension_interest})+{interest}+{surcharge}+{paid_interest}+{paid_surcharge}+{late_filing}+{deficiency}", width=14),
        money("per_diem", T("Per diem", "Por día"), 'IF({balance}<=0,0,ROUND(({balance}+IF({expired_on}="",0,N({extension_interest})))*PR_LAW("property_tax.interest")/DayBasis,2))', width=9),
        tick(),
    ),
    T("One row for each account. Payments, late filing and deficiencies have their own sheets and come together here.",
      "Una fila por cuenta. Pagos, radicación tardía y deficiencias tienen sus hojas y se reúnen aquí."),
    rows=25,
    unready=(('AsOf=""', _NO_AS_OF),),
)

_PAYMENTS = Table(
    "Payments",
    T("Payments", "Pagos"),
    T("Payments ledger", "Registro de pagos"),
    (
        _ref(),
        entry("paid_on", T("Paid on", "Pagado el"), DATES, 13, kind="date", required=True, help=T("Day of payment.", "Día del pago.")),
        entry("amount", T("Amount", "Cantidad"), AMOUNTS, 14, kind="money", required=True, total="sum",
              help=T("What the payment put toward tax, interest and surcharge; it reduces the tax first.", "Lo pagado a contribución, intereses y recargo; reduce primero la contribución.")),
        entry("receipt", T("Receipt", "Recibo"), FACTS, 18, kind="id", help=T("Receipt or confirmation number.", "Número de recibo o confirmación.")),
        status(24),
        money("applied", T("Applied to tax", "Aplicado a la contribución"),
              f'IF({{paid_on}}>AsOf,0,MAX(0,MIN({{amount}},{_account_of("tax")}-SUMIFS({{Payments.amount}},{{Payments.account}},{{account}},{{Payments.paid_on}},"<"&{{paid_on}}))))', width=15),
        computed("days", T("Days late", "Días de atraso"), "days", f'PR_DAYS_LATE({_account_of("starts_on")},{{paid_on}})', "PR_DAYS_LATE", 9),
        money("interest", T("Interest", "Interés"), f'PR_INTEREST({{applied}},{{days}},DayBasis,{_account_of("due_on")})', "PR_INTEREST", 13),
        computed("rate", T("Step", "Escalón"), "rate", f'PR_SURCHARGE_RATE({{days}},{_account_of("due_on")})', "PR_SURCHARGE_RATE", 9),
        money("surcharge", T("Surcharge", "Recargo"), f'PR_SURCHARGE({{applied}},{{days}},{_account_of("due_on")})', "PR_SURCHARGE", 13),
        tick(),
    ),
    T("One row for each payment, timely ones too. Each late dollar takes interest and surcharge for its own delay.",
      "Una fila por pago, también los hechos a tiempo. Cada dólar tardío lleva interés y recargo por su propia demora."),
    rows=40,
    row_share=2,
    unready=(_NO_ACCOUNT, _ACCOUNT_OPEN),
)

_FILING = Table(
    "PropertyFiling",
    T("Late filing", "Radicación tardía"),
    T("Late filing of the return", "Radicación tardía de la planilla"),
    (
        _ref(),
        entry("filing_due", T("Filing due date", "Vence para radicar"), DATES, 13, kind="date", required=True,
              help=T("Last day to file, as extended.", "Último día para radicar, con su prórroga.")),
        entry("filed_on", T("Filed on", "Radicada el"), DATES, 13, kind="date", help=T("Blank while not filed: days run to the as-of date.", "En blanco mientras no se radique: los días corren hasta la fecha de cómputo.")),
        entry("discount", T("All paid but the discount", "Todo pagado menos el descuento"), CONDUCT, 14, kind="flag",
              help=T("Yes if all the tax less the 5 % discount was paid with the extension: the addition falls on that 5 %.",
                     "Sí si con la prórroga se pagó toda la contribución menos el descuento de 5 %: la adición recae sobre ese 5 %.")),
        entry("reasonable_cause", T("Reasonable cause", "Causa razonable"), CONDUCT, 12, "PR_PROPERTY_LATE_FILE.reasonable_cause"),
        note(22),
        status(24),
        computed("days", T("Days late", "Días de atraso"), "days", 'PR_DAYS_LATE({filing_due},IF({filed_on}="",AsOf,{filed_on}))', "PR_DAYS_LATE", 9),
        money("base", T("Unpaid at due date", "No pagado al vencimiento"),
              f'IF({{discount}}={{t:yes}},{_account_of("tax")}*PR_LAW("property_tax.late_file.discount"),'
              f'MAX(0,{_account_of("tax")}-SUMIFS({{Payments.applied}},{{Payments.account}},{{account}},{{Payments.paid_on}},"<="&{_account_of("due_on")})))',
              "PR_PROPERTY_LATE_FILE", 14),
        computed("rate", T("Rate", "Tasa"), "rate", f'PR_PROPERTY_LATE_FILE_RATE({{days}},{_account_of("due_on")})', "PR_PROPERTY_LATE_FILE_RATE", 9),
        money("addition", T("Addition", "Adición"),
              f'IF({{discount}}={{t:yes}},PR_DISCOUNT_LATE_FILE({_account_of("tax")},{{days}},{{reasonable_cause}},{_account_of("due_on")}),'
              f'PR_PROPERTY_LATE_FILE({{base}},{{days}},{{reasonable_cause}},{_account_of("due_on")}))', "PR_PROPERTY_LATE_FILE", 14),
        tick(),
    ),
    T("One row for each return filed late or not yet filed. The addition falls on the tax unpaid at its due date.",
      "Una fila por planilla radicada tarde o aún sin radicar. La adición recae sobre la contribución no pagada a su vencimiento."),
    rows=20,
    unready=(_NO_ACCOUNT, _ACCOUNT_OPEN),
)

_DEFICIENCIES = Table(
    "Deficiencies",
    T("Deficiencies", "Deficiencias"),
    T("Deficiencies, negligence and fraud", "Deficiencias, negligencia y fraude"),
    (
        _ref(),
        entry("deficiency", T("Deficiency", "Deficiencia"), AMOUNTS, 13, "PR_DEFICIENCY_INTEREST.deficiency", required=True, total="sum"),
        entry("assessed_on", T("Assessed on", "Tasada el"), DATES, 12, "PR_DEFICIENCY_INTEREST.assessed_on", required=True),
        entry("waiver_on", T("Waiver filed on", "Renuncia radicada el"), DATES, 12, "PR_DEFICIENCY_INTEREST.waiver_on"),
        entry("notified_on", T("Notice and demand", "Notificación y requerimiento"), DATES, 13, "PR_NOTICE_INTEREST.notified_on"),
        entry("paid_on", T("Paid on", "Pagada el"), DATES, 12, kind="date", help=T("Blank while unpaid: days run to the as-of date.", "En blanco mientras no se pague: los días corren hasta la fecha de cómputo.")),
        entry("conduct", T("Conduct", "Conducta"), CONDUCT, 12, kind="choice", choices=(NONE, NEGLIGENCE, FRAUD),
              help=T("Negligence: 10 % of the whole deficiency. Fraud: 100 %, instead of it.", "Negligencia: 10 % de toda la deficiencia. Fraude: 100 %, en su lugar.")),
        status(24),
        money("interest", T("Interest to assessment", "Interés hasta la tasación"), f'PR_DEFICIENCY_INTEREST({{deficiency}},{_account_of("due_on")},{{assessed_on}},{{waiver_on}},DayBasis)', "PR_DEFICIENCY_INTEREST"),
        money("penalty", T("Negligence or fraud", "Negligencia o fraude"),
              "IF({conduct}={t:negligence},PR_NEGLIGENCE({deficiency},{assessed_on}),IF({conduct}={t:fraud},PR_FRAUD({deficiency},{assessed_on}),0))", "PR_NEGLIGENCE"),
        money("demanded", T("Demanded", "Requerido"), "{deficiency}+{interest}+{penalty}"),
        computed("days", T("Days after notice", "Días tras la notificación"), "days",
                 'IF({notified_on}="",0,PR_DAYS_LATE({notified_on},IF({paid_on}="",AsOf,{paid_on})))', "PR_DAYS_LATE", 11),
        money("notice_interest", T("Interest after notice", "Interés tras la notificación"),
              'IF({notified_on}="",0,PR_NOTICE_INTEREST({demanded},{notified_on},IF({paid_on}="",AsOf,{paid_on}),DayBasis))', "PR_NOTICE_INTEREST"),
        money("surcharge", T("Surcharge after notice", "Recargo tras la notificación"), "IF({notice_interest}=0,0,PR_SURCHARGE({demanded},{days},{assessed_on}))", "PR_SURCHARGE"),
        money("due", T("Total due", "Total adeudado"), 'IF(AND({paid_on}<>"",{paid_on}<=AsOf),{notice_interest}+{surcharge},{demanded}+{notice_interest}+{surcharge})', width=14,
              ),
        tick(),
    ),
    T("One row for each deficiency. No surcharge goes with interest to assessment; it goes with interest after an unmet notice. Once paid, only what the notice added remains.",
      "Una fila por deficiencia. El interés hasta la tasación no lleva recargo; sí el que sigue a una notificación incumplida. Una vez pagada, queda solo lo que añadió la notificación."),
    rows=20,
    unready=(_NO_ACCOUNT, _ACCOUNT_OPEN),
)

_LINES = ("balance", "extension_interest", "interest", "surcharge", "paid_interest", "paid_surcharge", "late_filing", "deficiency")

TEMPLATE = Template(
    "property-tax",
    T("Personal property tax worksheet", "Hoja de contribución sobre la propiedad mueble"),
    T("Interest, surcharge, late filing and deficiencies on personal property tax (CRIM), with a payments ledger.",
      "Intereses, recargos, radicación tardía y deficiencias de la contribución sobre la propiedad mueble (CRIM), con registro de pagos."),
    (
        T("Fill in the workpaper header, the as-of date and the day basis on this sheet.", "Complete el encabezado, la fecha de cómputo y la base de días en esta hoja."),
        T("Enter each account on Inputs; its payments, late returns and deficiencies on their sheets, by the account's number.",
          "Anote cada cuenta en Datos; sus pagos, planillas tardías y deficiencias en sus hojas, por el número de cuenta."),
        T("Clear every item of the Checks sheet, then review the Summary and sign.", "Atienda cada partida de Verificaciones, revise el Resumen y firme."),
    ),
    (_ACCOUNTS, _PAYMENTS, _FILING, _DEFICIENCIES),
    (
        Section(T("Amounts", "Cantidades"), (
            Line(T("Tax of the accounts", "Contribución de las cuentas"), "SUM({PropertyTax.tax})", "money"),
            Line(T("Balance of tax", "Balance de contribución"), "SUM({PropertyTax.balance})", "money"),
            Line(T("Interest of extensions", "Intereses de prórrogas"), "SUM({PropertyTax.extension_interest})", "money", "PR_EXTENSION_INTEREST"),
            Line(T("Interest", "Intereses"), "SUM({PropertyTax.interest})+SUM({PropertyTax.paid_interest})", "money", "PR_INTEREST", chart=True),
            Line(T("Surcharge", "Recargos"), "SUM({PropertyTax.surcharge})+SUM({PropertyTax.paid_surcharge})", "money", "PR_SURCHARGE", chart=True),
            Line(T("Late filing", "Radicación tardía"), "SUM({PropertyTax.late_filing})", "money", "PR_PROPERTY_LATE_FILE", chart=True),
            Line(T("Deficiencies and their additions", "Deficiencias y sus adiciones"), "SUM({PropertyTax.deficiency})", "money", "PR_DEFICIENCY_INTEREST", chart=True),
            Line(T("Total due", "Total adeudado"), "SUM({PropertyTax.due})", "money", strong=True, name="TotalDue"),
            Line(T("Interest for each further day", "Interés por cada día adicional"), "SUM({PropertyTax.per_diem})", "money", "PR_INTEREST"),
        )),
        Section(T("Balance by surcharge step", "Balance por escalón de recargo"), (
            Line(T("Up to 30 days: none", "Hasta 30 días: ninguno"), 'SUMIFS({PropertyTax.balance},{PropertyTax.days},"<=30")', "money", "PR_SURCHARGE_RATE"),
            Line(T("31 to 60 days: 5 %", "31 a 60 días: 5 %"), 'SUMIFS({PropertyTax.balance},{PropertyTax.days},">30",{PropertyTax.days},"<=60")', "money", "PR_SURCHARGE_RATE"),
            Line(T("61 to 90 days: 10 %", "61 a 90 días: 10 %"), 'SUMIFS({PropertyTax.balance},{PropertyTax.days},">60",{PropertyTax.days},"<=90")', "money", "PR_SURCHARGE_RATE"),
            Line(T("More than 90 days: 15 %", "Más de 90 días: 15 %"), 'SUMIFS({PropertyTax.balance},{PropertyTax.days},">90")', "money", "PR_SURCHARGE_RATE"),
        )),
    ),
    (
        Check(T("Total due = its parts, column by column", "Total adeudado = sus partes, columna por columna"),
              "+".join(f'SUMIFS({{PropertyTax.{key}}},{{PropertyTax.status}},"OK")' for key in _LINES), "SUM({PropertyTax.due})"),
        Check(T("Payments by the as-of date are all applied (none exceeds its tax)", "Los pagos a la fecha de cómputo están aplicados (ninguno excede su contribución)"),
              'SUMIFS({Payments.amount},{Payments.status},"OK",{Payments.paid_on},"<="&AsOf)', "SUM({Payments.applied})"),
        Check(T("Applied payments in the ledger = in the accounts (an account entered twice shows here)",
                "Pagos aplicados en el registro = en las cuentas (una cuenta repetida se ve aquí)"),
              "SUM({Payments.applied})", "SUM({PropertyTax.paid})"),
        Check(T("Late-filing additions of the sheet = in the accounts", "Adiciones por radicación tardía de la hoja = en las cuentas"),
              "SUM({PropertyFiling.addition})", "SUM({PropertyTax.late_filing})"),
        Check(T("Deficiencies of the sheet = in the accounts", "Deficiencias de la hoja = en las cuentas"), "SUM({Deficiencies.due})", "SUM({PropertyTax.deficiency})"),
        Check(T("Balance by step adds up to the balance", "El balance por escalón suma el balance"),
              'SUMIFS({PropertyTax.balance},{PropertyTax.days},"<=30")+SUMIFS({PropertyTax.balance},{PropertyTax.days},">30")', "SUM({PropertyTax.balance})"),
        Check(T("Surcharge of the ledger, recomputed as payment × step", "Recargo del registro, recomputado como pago × escalón"),
              "SUMPRODUCT({Payments.applied},{Payments.rate})", "SUM({Payments.surcharge})", per_row="Payments"),
    ),
    ("property_tax", "common"),
    notes=(
        T("Day basis: no Puerto Rico source states one. 365 is set because it alone fits the public claim that could be reconstructed; 366 and 360 can be chosen.",
          "Base de días: ninguna fuente de Puerto Rico la fija. Se usa 365 por ser la única que cuadra con la reclamación pública reconstruida; puede escogerse 366 o 360."),
        T("Each late dollar takes the surcharge step of its own delay; other readings exist (see the Law sheet). Steps replace each other, they never add up.",
          "Cada dólar tardío lleva el escalón de su propia demora; hay otras lecturas (vea la hoja Ley). Los escalones se sustituyen, nunca se suman."),
        T("Payments reduce the tax first, in date order; the statute is silent. The delay of a surcharge is counted from where interest runs.",
          "Los pagos reducen primero la contribución, por fecha; la ley no lo dispone. La demora del recargo se cuenta desde donde corre el interés."),
        T("After a notice, the surcharge here falls on all that was demanded; the text says only “the amount not paid”.",
          "Tras una notificación, el recargo aquí recae sobre todo lo requerido; el texto solo dice «monto no pagado»."),
        T("Personal property only. The Municipal Code (Act 107-2020) replaced this article; the new one has not been reviewed.",
          "Solo propiedad mueble. El Código Municipal (Ley 107-2020) sustituyó este artículo; el nuevo no se ha revisado."),
    ),
    basis=True,
    words={"negligence": NEGLIGENCE, "fraud": FRAUD},
)
