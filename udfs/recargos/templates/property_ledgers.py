"""Personal property tax: payments, late returns and deficiencies, each tied to an account."""

from __future__ import annotations

from recargos.law import T
from recargos.templates.model import Column, Table, entry
from recargos.templates.property_accounts import ACCOUNT
from recargos.templates.words import AMOUNTS, CONDUCT, DATES, FACTS, WHO, computed, money, note, of_key, status, tick

NONE, NEGLIGENCE, FRAUD = T("None", "Ninguna"), T("Negligence", "Negligencia"), T("Fraud", "Fraude")


def _account_of(column: str) -> str:
    """A figure of the account that the row names; there is one such account, or the row is not computed."""
    return of_key(f"{{PropertyTax.{column}}}", "{PropertyTax.account}", "{account}")


def _due() -> Column:
    return computed(
        "account_due",
        T("Payment due", "Vence el pago"),
        "date",
        _account_of("due_on"),
        width=12,
        help=T("Of the account, from Inputs.", "De la cuenta, en Datos."),
    )


def _ref() -> Column:
    return entry(
        "account",
        ACCOUNT,
        WHO,
        17,
        kind="id",
        required=True,
        choices_name="PropertyTax_account",
        total="label",
        help=T("An account of the Inputs sheet.", "Una cuenta de la hoja Datos."),
    )


_HERE = "SUMPRODUCT(--({PropertyTax.account}={account}))"
_UNREADY = (
    (f"{_HERE}=0", T("Account not in Inputs", "Cuenta no está en Datos")),
    (f"{_HERE}>1", T("Account twice in Inputs", "Cuenta repetida en Datos")),
    (
        'SUMPRODUCT(--({PropertyTax.account}={account}),--({PropertyTax.status}="OK"))=0',
        T("Account incomplete", "Cuenta incompleta"),
    ),
)
_EARLIER = of_key("{Payments.amount}", "{Payments.account}", "{account}", "{Payments.paid_on}<{paid_on}")
_TIMELY = of_key("{Payments.applied}", "{Payments.account}", "{account}", "{Payments.paid_on}<={account_due}")

PAYMENTS = Table(
    "Payments",
    T("Payments", "Pagos"),
    T("Payments ledger", "Registro de pagos"),
    (
        _ref(),
        entry(
            "paid_on",
            T("Paid on", "Pagado el"),
            DATES,
            13,
            kind="date",
            required=True,
            help=T("Day of payment.", "Día del pago."),
        ),
        entry(
            "amount",
            T("Amount", "Cantidad"),
            AMOUNTS,
            14,
            kind="money",
            required=True,
            total="sum",
            help=T(
                "What the payment put toward tax, interest and surcharge; it reduces the tax first.",
                "Lo pagado a contribución, intereses y recargo; reduce primero la contribución.",
            ),
        ),
        entry(
            "receipt",
            T("Receipt", "Recibo"),
            FACTS,
            18,
            kind="id",
            help=T("Receipt or confirmation number.", "Número de recibo o confirmación."),
        ),
        status(20),
        _due(),
        computed(
            "runs_from",
            T("Runs from", "Corre desde"),
            "date",
            _account_of("starts_on"),
            width=12,
            help=T(
                "Payment due, or the day an extension expired.",
                "Vencimiento del pago, o el día en que venció una prórroga.",
            ),
        ),
        money(
            "applied",
            T("Applied to tax", "Aplicado a la contribución"),
            f"IF({{paid_on}}>AsOf,0,MAX(0,MIN({{amount}},{_account_of('tax')}-{_EARLIER})))",
            width=15,
        ),
        computed(
            "days",
            T("Days late", "Días de atraso"),
            "days",
            "PR_DAYS_LATE({runs_from},{paid_on})",
            "PR_DAYS_LATE",
            9,
        ),
        money(
            "interest",
            T("Interest", "Interés"),
            "PR_INTEREST({applied},{days},DayBasis,{account_due})",
            "PR_INTEREST",
            13,
        ),
        computed(
            "rate",
            T("Step", "Escalón"),
            "rate",
            "PR_SURCHARGE_RATE({days},{account_due})",
            "PR_SURCHARGE_RATE",
            9,
        ),
        money(
            "surcharge",
            T("Surcharge", "Recargo"),
            "PR_SURCHARGE({applied},{days},{account_due})",
            "PR_SURCHARGE",
            13,
        ),
        tick(),
    ),
    T(
        "One row for each payment, timely ones too. Each late dollar takes interest and surcharge for its own delay.",
        "Una fila por pago, también los hechos a tiempo. Cada dólar tardío lleva interés y recargo por su propia demora.",
    ),
    rows=40,
    row_share=2,
    unready=_UNREADY,
)

FILING = Table(
    "PropertyFiling",
    T("Late filing", "Radicación tardía"),
    T("Late filing of the return", "Radicación tardía de la planilla"),
    (
        _ref(),
        entry(
            "filing_due",
            T("Filing due date", "Vence para radicar"),
            DATES,
            13,
            kind="date",
            required=True,
            help=T("Last day to file, as extended.", "Último día para radicar, con su prórroga."),
        ),
        entry(
            "filed_on",
            T("Filed on", "Radicada el"),
            DATES,
            13,
            kind="date",
            help=T(
                "Blank while not filed: days run to the as-of date.",
                "En blanco mientras no se radique: los días corren hasta la fecha de cómputo.",
            ),
        ),
        entry(
            "discount",
            T("All paid but the discount", "Todo pagado menos el descuento"),
            CONDUCT,
            14,
            kind="flag",
            help=T(
                "Yes if all the tax less the 5 % discount was paid with the extension: the addition falls on that 5 %.",
                "Sí si con la prórroga se pagó toda la contribución menos el descuento de 5 %: la adición recae sobre ese 5 %.",
            ),
        ),
        entry(
            "reasonable_cause",
            T("Reasonable cause", "Causa razonable"),
            CONDUCT,
            12,
            "PR_PROPERTY_LATE_FILE.reasonable_cause",
        ),
        note(22),
        status(20),
        _due(),
        money("account_tax", T("Tax", "Contribución"), _account_of("tax"), total=""),
        computed(
            "days",
            T("Days late", "Días de atraso"),
            "days",
            'PR_DAYS_LATE({filing_due},IF({filed_on}="",AsOf,{filed_on}))',
            "PR_DAYS_LATE",
            9,
        ),
        money(
            "base",
            T("Unpaid at due date", "No pagado al vencimiento"),
            f"IF({{discount}}={{t:yes}},{{account_tax}}*{{law:property_tax.late_file.discount}},"
            f"MAX(0,{{account_tax}}-{_TIMELY}))",
            "PR_PROPERTY_LATE_FILE",
            14,
        ),
        computed(
            "rate",
            T("Rate", "Tasa"),
            "rate",
            "PR_PROPERTY_LATE_FILE_RATE({days},{account_due})",
            "PR_PROPERTY_LATE_FILE_RATE",
            9,
        ),
        money(
            "addition",
            T("Addition", "Adición"),
            "IF({discount}={t:yes},PR_DISCOUNT_LATE_FILE({account_tax},{days},{reasonable_cause},{account_due}),"
            "PR_PROPERTY_LATE_FILE({base},{days},{reasonable_cause},{account_due}))",
            "PR_PROPERTY_LATE_FILE",
            14,
        ),
        tick(),
    ),
    T(
        "One row for each return filed late or not yet filed. The addition falls on the tax unpaid at its due date.",
        "Una fila por planilla radicada tarde o aún sin radicar. La adición recae sobre la contribución no pagada a su vencimiento.",
    ),
    rows=20,
    unready=_UNREADY,
)

DEFICIENCIES = Table(
    "Deficiencies",
    T("Deficiencies", "Deficiencias"),
    T("Deficiencies, negligence and fraud", "Deficiencias, negligencia y fraude"),
    (
        _ref(),
        entry(
            "deficiency",
            T("Deficiency", "Deficiencia"),
            AMOUNTS,
            13,
            "PR_DEFICIENCY_INTEREST.deficiency",
            required=True,
            total="sum",
        ),
        entry(
            "assessed_on", T("Assessed on", "Tasada el"), DATES, 12, "PR_DEFICIENCY_INTEREST.assessed_on", required=True
        ),
        entry("waiver_on", T("Waiver filed on", "Renuncia radicada el"), DATES, 12, "PR_DEFICIENCY_INTEREST.waiver_on"),
        entry(
            "notified_on",
            T("Notice and demand", "Notificación y requerimiento"),
            DATES,
            13,
            "PR_NOTICE_INTEREST.notified_on",
        ),
        entry(
            "paid_on",
            T("Paid on", "Pagada el"),
            DATES,
            12,
            kind="date",
            help=T(
                "Blank while unpaid: days run to the as-of date.",
                "En blanco mientras no se pague: los días corren hasta la fecha de cómputo.",
            ),
        ),
        entry(
            "conduct",
            T("Conduct", "Conducta"),
            CONDUCT,
            12,
            kind="choice",
            choices=(NONE, NEGLIGENCE, FRAUD),
            help=T(
                "Negligence: 10 % of the whole deficiency. Fraud: 100 %, instead of it.",
                "Negligencia: 10 % de toda la deficiencia. Fraude: 100 %, en su lugar.",
            ),
        ),
        status(20),
        _due(),
        money(
            "interest",
            T("Interest to assessment", "Interés hasta la tasación"),
            "PR_DEFICIENCY_INTEREST({deficiency},{account_due},{assessed_on},{waiver_on},DayBasis)",
            "PR_DEFICIENCY_INTEREST",
        ),
        money(
            "penalty",
            T("Negligence or fraud", "Negligencia o fraude"),
            "IF({conduct}={t:negligence},PR_NEGLIGENCE({deficiency},{assessed_on}),IF({conduct}={t:fraud},PR_FRAUD({deficiency},{assessed_on}),0))",
            "PR_NEGLIGENCE",
        ),
        money("demanded", T("Demanded", "Requerido"), "{deficiency}+{interest}+{penalty}"),
        computed(
            "days",
            T("Days after notice", "Días tras la notificación"),
            "days",
            'IF({notified_on}="",0,PR_DAYS_LATE({notified_on},IF({paid_on}="",AsOf,{paid_on})))',
            "PR_DAYS_LATE",
            11,
        ),
        money(
            "notice_interest",
            T("Interest after notice", "Interés tras la notificación"),
            'IF({notified_on}="",0,PR_NOTICE_INTEREST({demanded},{notified_on},IF({paid_on}="",AsOf,{paid_on}),DayBasis))',
            "PR_NOTICE_INTEREST",
        ),
        money(
            "surcharge",
            T("Surcharge after notice", "Recargo tras la notificación"),
            "IF({notice_interest}=0,0,PR_SURCHARGE({demanded},{days},{assessed_on}))",
            "PR_SURCHARGE",
        ),
        money(
            "due",
            T("Total due", "Total adeudado"),
            'IF(AND({paid_on}<>"",{paid_on}<=AsOf),{notice_interest}+{surcharge},{demanded}+{notice_interest}+{surcharge})',
            width=14,
        ),
        tick(),
    ),
    T(
        "One row for each deficiency. No surcharge goes with interest to assessment; it goes with interest after an unmet notice. Once paid, only what the notice added remains.",
        "Una fila por deficiencia. El interés hasta la tasación no lleva recargo; sí el que sigue a una notificación incumplida. Una vez pagada, queda solo lo que añadió la notificación.",
    ),
    rows=20,
    unready=_UNREADY,
)
