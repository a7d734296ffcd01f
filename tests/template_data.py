"""Invented clients for every template, and what each computed column must hold: natives by hand, PR_ values from the core."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from recargos.cells import call
from recargos.law import CellError
from recargos.statutes import FUNCTIONS

AS_OF = date(2026, 11, 30)
Row = dict[str, Any]
NAMES = (
    "Panadería La Ceiba",
    "Ferretería Ñuñez & Hijos",
    "Colmado El Güícharo",
    "O'Neill Realty",
    "Taller «Los Pinos»",
    "Farmacia 3 de Mayo",
)


def pr(name: str, *arguments: Any) -> Any:
    """A catalogue function as a cell shows it: yes/no arguments come as the words of the sheet."""
    value = call(FUNCTIONS[name], arguments)
    return value.value if isinstance(value, CellError) else value


class Maker:
    """Random but reproducible values, edges among them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def money(self, *edges: float, top: float = 60_000, zero: float = 0.0) -> float:
        if self.random.random() < zero:
            return 0.0
        if edges and self.random.random() < 0.3:
            return self.random.choice(edges)
        return round(self.random.uniform(0.01, top), 2)

    def day(self, first: date, last: date) -> date:
        return first + timedelta(self.random.randrange((last - first).days + 1))

    def after(self, start: date, *edges: int, blank: float = 0.0) -> date | None:
        if self.random.random() < blank:
            return None
        return start + timedelta(
            self.random.choice(edges) if self.random.random() < 0.5 else self.random.randrange(0, 200)
        )

    def flag(self, share: float = 0.2) -> str | None:
        return None if self.random.random() < 0.3 else ("Yes" if self.random.random() < share else "No")

    def maybe(self, value: Any, share: float = 0.5) -> Any:
        return value if self.random.random() < share else None

    def client(self, n: int) -> str:
        return f"{self.random.choice(NAMES)} {n}"


def returned_checks(count: int) -> dict[str, list[Row]]:
    m = Maker(1)
    rows: list[Row] = []
    for n in range(count):
        amount = m.money(500, 500.2, 9999.99, 10000, 10000.01, top=20_000)
        rows.append(
            {
                "client": m.client(n),
                "id": f"{n:09}",
                "check_number": f"{n:05}",
                "tax_paid": "IVU",
                "returned_on": m.day(date(2025, 1, 1), AS_OF),
                "amount": amount,
                "original_tax": m.maybe(round(amount / 0.95, 2), 0.2),
                "redeposited": m.flag(0.9),
                "condoned": m.flag(),
                "note": m.maybe("=1+1", 0.1),
            }
        )
    return {"ReturnedChecks": rows}


def late_filing(count: int) -> dict[str, list[Row]]:
    m = Maker(2)
    rows: list[Row] = []
    for n in range(count):
        due = m.day(date(2025, 1, 15), date(2026, 11, 30))
        tax = m.money(top=50_000)
        rows.append(
            {
                "client": m.client(n),
                "id": f"{n:09}",
                "period": "2025",
                "due_on": due,
                "filed_on": m.after(due, 0, 1, 30, 31, 60, 61, blank=0.2),
                "tax": tax,
                "paid_on_time": m.maybe(round(tax * m.random.random(), 2)),
                "credits": m.maybe(m.money(top=3000), 0.3),
                "reasonable_cause": m.flag(0.1),
                "willful": m.flag(0.1),
                "intent_to_evade": m.flag(0.3),
                "note": None,
            }
        )
    return {"LateFiling": rows}


def property_tax(count: int) -> dict[str, list[Row]]:
    m = Maker(3)
    accounts: list[Row] = []
    payments: list[Row] = []
    filings: list[Row] = []
    deficiencies: list[Row] = []
    for n in range(count):
        due = m.day(date(2025, 1, 15), date(2026, 8, 15))
        account = f"{n:07}"
        tax = m.money(10_000, 21_682.73)
        expired = m.maybe(due + timedelta(90), 0.15)
        accounts.append(
            {
                "client": m.client(n),
                "account": account,
                "period": str(due.year),
                "due_on": due,
                "expired_on": expired,
                "tax": tax,
                "extension_interest": round(tax * 0.025, 2) if expired else None,
                "note": None,
            }
        )
        left, day = tax, due - timedelta(5)
        for _ in range(m.random.choice((0, 0, 1, 2))):
            day += timedelta(m.random.choice((5, 30, 31, 60, 61, 90, 91)))
            paid = round(left * m.random.choice((0.3, 0.5, 1.0)), 2)
            if paid:
                payments.append({"account": account, "paid_on": day, "amount": paid, "receipt": f"R{n}"})
            left = round(left - paid, 2)
        if n % 4 == 0:
            filings.append(
                {
                    "account": account,
                    "filing_due": due,
                    "filed_on": m.after(due, 0, 30, 31, 120, 121, blank=0.2),
                    "discount": m.flag(0.2),
                    "reasonable_cause": m.flag(0.1),
                    "note": None,
                }
            )
        if n % 5 == 0:
            assessed = m.after(due, 30, 90) or due
            notified = m.maybe(assessed + timedelta(10), 0.7)
            deficiencies.append(
                {
                    "account": account,
                    "deficiency": m.money(5000, top=9000),
                    "assessed_on": assessed,
                    "waiver_on": m.maybe(assessed - timedelta(40), 0.3),
                    "notified_on": notified,
                    "paid_on": m.after(notified, 10, 11, 45, blank=0.4) if notified else None,
                    "conduct": m.random.choice((None, "None", "Negligence", "Fraud")),
                }
            )
    return {"PropertyTax": accounts, "Payments": payments, "PropertyFiling": filings, "Deficiencies": deficiencies}


def withholding(count: int) -> dict[str, list[Row]]:
    m = Maker(4)
    rows: list[Row] = []
    bonds: list[Row] = []
    for n in range(count):
        required = m.money(400, 600, 1000, 1200.04, top=30_000)
        rows.append(
            {
                "client": m.client(n),
                "id": f"{n:09}",
                "period": "1991-Q1",
                "last_day": m.maybe(m.day(date(1991, 1, 15), date(1993, 1, 1)), 0.8),
                "required": required,
                "deposited": m.random.choice((0, required, round(required * m.random.random(), 2))),
                "notified": m.flag(0.8),
                "complied": m.flag(0.2),
                "repeat": m.flag(0.4),
                "rate": m.maybe(m.random.choice((0.25, 0.3, 0.5)), 0.4),
                "note": None,
            }
        )
        if n % 6 == 0:
            mailed = m.day(date(2026, 6, 1), date(2026, 11, 20))
            posted = m.after(mailed, 30, 31, blank=0.3)
            bonds.append(
                {
                    "client": rows[-1]["client"],
                    "id": f"{n:09}",
                    "mailed_on": mailed,
                    "posted_on": posted,
                    "disapproved_on": posted + timedelta(m.random.choice((10, 15, 16)))
                    if posted and m.random.random() < 0.3
                    else None,
                    "note": None,
                }
            )
    return {"Withholding": rows, "Bonds": bonds}


def retirement(count: int) -> dict[str, list[Row]]:
    m = Maker(5)
    rows: list[Row] = []
    for n in range(count):
        withheld = m.day(date(2026, 1, 15), date(2026, 11, 15))
        notified = m.after(withheld, 40, blank=0.4)
        rows.append(
            {
                "client": m.client(n),
                "id": f"{n:06}",
                "employer": m.random.choice(("Municipality", "Agency or corporation")),
                "period": "2026",
                "withheld_on": withheld,
                "remitted_on": m.after(withheld, 30, 31, blank=0.5),
                "notified_on": notified,
                "stated_on": m.after(notified, 15, 16, blank=0.4) if notified else None,
                "certified_on": m.after(withheld, 45, blank=0.5),
                "amount": m.money(),
                "rate": m.random.choice((0.06, 0.0525, 0.1)),
                "knowing": m.flag(0.1),
                "note": None,
            }
        )
    return {"Retirement": rows}


def firm_summary(count: int) -> dict[str, list[Row]]:
    m = Maker(6)
    rows: list[Row] = []
    for n in range(count):
        due = m.day(date(2026, 1, 15), AS_OF)
        amount = m.money(10_000, 400)
        rows.append(
            {
                "client": m.client(n),
                "id": f"{n:09}",
                "regime": m.random.choice(
                    ("Returned check", "Late filing", "Personal property", "Withholding", "Retirement")
                ),
                "period": "2025",
                "reference": f"WP-{n}",
                "due_on": due,
                "done_on": m.after(due, 0, 30, 31, 61, 91, blank=0.4),
                "amount": amount,
                "reduced_by": m.maybe(round(amount * m.random.random(), 2), 0.4),
                "relief": m.flag(),
                "rate": 0.06,
                "partner": "AR",
                "note": None,
            }
        )
    return {"Matters": rows}


CLIENTS: dict[str, Callable[[int], dict[str, list[Row]]]] = {
    "returned-checks": returned_checks,
    "late-filing": late_filing,
    "property-tax": property_tax,
    "withholding": withholding,
    "retirement": retirement,
    "firm-summary": firm_summary,
}


# ------------------------------------------------------------------------------------------ what must stand in the rows


def cent(value: float) -> float:
    return round(value + 1e-9, 2)


def yes(word: Any) -> bool:
    return word == "Yes"


def expected(template: str, tables: dict[str, list[Row]]) -> dict[str, list[Row]]:
    """Computed columns by table and row."""
    return {
        "returned-checks": _returned_checks,
        "late-filing": _late_filing,
        "property-tax": _property_tax,
        "withholding": _withholding,
        "retirement": _retirement,
        "firm-summary": _firm_summary,
    }[template](tables)


def _returned_checks(tables: dict[str, list[Row]]) -> dict[str, list[Row]]:
    out = []
    for r in tables["ReturnedChecks"]:
        if r["redeposited"] == "No":
            out.append(
                {
                    "status": "Not yet imposable",
                    **dict.fromkeys(("base", "rate", "penalty", "lost_discount", "due", "remark")),
                }
            )
            continue
        base = r["original_tax"] or r["amount"]
        penalty = pr("PR_RETURNED_CHECK", r["amount"], r["original_tax"], r["condoned"], r["returned_on"])
        lost = max(0.0, base - r["amount"])
        out.append(
            {
                "status": "OK",
                "base": base,
                "rate": pr("PR_RETURNED_CHECK_RATE", r["amount"], r["original_tax"], r["returned_on"]),
                "penalty": penalty,
                "lost_discount": lost,
                "due": r["amount"] + lost + penalty,
                "remark": "Exactly 10,000.00" if base == 10_000 else None,
            }
        )
    return {"ReturnedChecks": out}


def _late_filing(tables: dict[str, list[Row]]) -> dict[str, list[Row]]:
    out = []
    for r in tables["LateFiling"]:
        days = pr("PR_DAYS_LATE", r["due_on"], r["filed_on"] or AS_OF)
        base = pr("PR_LATE_FILE_BASE", r["tax"], r["paid_on_time"], r["credits"])
        rate = pr("PR_LATE_FILE_RATE", days, r["due_on"])
        rises = (
            None if r["filed_on"] or rate >= 0.25 or base == 0 else r["due_on"] + timedelta(30 * max(1, -(-days // 30)))
        )
        offense = pr("PR_LATE_FILE_OFFENSE", r["willful"], r["intent_to_evade"])
        out.append(
            {
                "status": "OK",
                "days": days,
                "base": base,
                "rate": rate,
                "addition": pr(
                    "PR_LATE_FILE", r["tax"], days, r["paid_on_time"], r["credits"], r["reasonable_cause"], r["due_on"]
                ),
                "next_on": rises,
                "offense": {"none": "None", "misdemeanor": "Misdemeanor", "third-degree felony": "Third-degree felony"}[
                    offense
                ],
            }
        )
    return {"LateFiling": out}


def _property_tax(tables: dict[str, list[Row]]) -> dict[str, list[Row]]:
    accounts = {r["account"]: r for r in tables["PropertyTax"]}
    start = {key: r["expired_on"] or r["due_on"] for key, r in accounts.items()}
    payments: list[Row] = []
    paid: dict[str, float] = defaultdict(float)
    totals: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for r in tables["Payments"]:
        account = accounts[r["account"]]
        before = sum(
            p["amount"] for p in tables["Payments"] if p["account"] == r["account"] and p["paid_on"] < r["paid_on"]
        )
        applied = 0.0 if r["paid_on"] > AS_OF else max(0.0, min(r["amount"], account["tax"] - before))
        days = pr("PR_DAYS_LATE", start[r["account"]], r["paid_on"])
        line = {
            "status": "OK",
            "account_due": account["due_on"],
            "runs_from": start[r["account"]],
            "applied": applied,
            "days": days,
            "interest": pr("PR_INTEREST", applied, days, 365, account["due_on"]),
            "rate": pr("PR_SURCHARGE_RATE", days, account["due_on"]),
            "surcharge": pr("PR_SURCHARGE", applied, days, account["due_on"]),
        }
        payments.append(line)
        for key in ("applied", "interest", "surcharge"):
            totals[r["account"]][key] += line[key]
        if r["paid_on"] <= account["due_on"]:
            paid[r["account"]] += applied
    filings = []
    for r in tables["PropertyFiling"]:
        account = accounts[r["account"]]
        days = pr("PR_DAYS_LATE", r["filing_due"], r["filed_on"] or AS_OF)
        if yes(r["discount"]):
            base = account["tax"] * 0.05
            addition = pr("PR_DISCOUNT_LATE_FILE", account["tax"], days, r["reasonable_cause"], account["due_on"])
        else:
            base = max(0.0, account["tax"] - paid[r["account"]])
            addition = pr("PR_PROPERTY_LATE_FILE", base, days, r["reasonable_cause"], account["due_on"])
        filings.append(
            {
                "status": "OK",
                "account_due": account["due_on"],
                "account_tax": account["tax"],
                "days": days,
                "base": base,
                "rate": pr("PR_PROPERTY_LATE_FILE_RATE", days, account["due_on"]),
                "addition": addition,
            }
        )
        totals[r["account"]]["late_filing"] += addition
    deficiencies = []
    for r in tables["Deficiencies"]:
        account = accounts[r["account"]]
        interest = pr(
            "PR_DEFICIENCY_INTEREST", r["deficiency"], account["due_on"], r["assessed_on"], r["waiver_on"], 365
        )
        penalty = {"Negligence": "PR_NEGLIGENCE", "Fraud": "PR_FRAUD"}.get(r["conduct"] or "")
        fine = pr(penalty, r["deficiency"], r["assessed_on"]) if penalty else 0
        demanded = r["deficiency"] + interest + fine
        until = r["paid_on"] or AS_OF
        days = pr("PR_DAYS_LATE", r["notified_on"], until) if r["notified_on"] else 0
        notice = pr("PR_NOTICE_INTEREST", demanded, r["notified_on"], until, 365) if r["notified_on"] else 0
        surcharge = pr("PR_SURCHARGE", demanded, days, r["assessed_on"]) if notice else 0
        due = notice + surcharge + (0 if r["paid_on"] and r["paid_on"] <= AS_OF else demanded)
        deficiencies.append(
            {
                "account_due": account["due_on"],
                "status": "OK",
                "interest": interest,
                "penalty": fine,
                "demanded": demanded,
                "days": days,
                "notice_interest": notice,
                "surcharge": surcharge,
                "due": due,
            }
        )
        totals[r["account"]]["deficiency"] += due
    lines = []
    for key, r in accounts.items():
        t = totals[key]
        balance = round(r["tax"] - t["applied"], 2)
        days = pr("PR_DAYS_LATE", start[key], AS_OF)
        if balance <= 1e-9:
            interest = surcharge = 0
        else:
            surcharge = pr("PR_SURCHARGE", balance, days, r["due_on"])
            interest = (
                pr("PR_EXTENSION_INTEREST", balance, r["extension_interest"], r["expired_on"], AS_OF, 365)
                if r["expired_on"]
                else pr("PR_INTEREST", balance, days, 365, r["due_on"])
            )
        extension = r["extension_interest"] or 0
        lines.append(
            {
                "status": "OK",
                "starts_on": start[key],
                "paid": t["applied"],
                "balance": balance,
                "days": days,
                "interest": interest,
                "surcharge": surcharge,
                "paid_interest": t["interest"],
                "paid_surcharge": t["surcharge"],
                "late_filing": t["late_filing"],
                "deficiency": t["deficiency"],
                "due": balance
                + extension
                + interest
                + surcharge
                + t["interest"]
                + t["surcharge"]
                + t["late_filing"]
                + t["deficiency"],
                "per_diem": 0 if balance <= 1e-9 else cent((balance + extension) * 0.10 / 365),
            }
        )
    return {"PropertyTax": lines, "Payments": payments, "PropertyFiling": filings, "Deficiencies": deficiencies}


def _withholding(tables: dict[str, list[Row]]) -> dict[str, list[Row]]:
    rows = []
    bonds_of: dict[str, float] = defaultdict(float)
    for r in tables["Withholding"]:
        shortfall = pr("PR_WITHHOLDING_SHORTFALL", r["required"], r["deposited"])
        applies = shortfall > 0 and yes(r["notified"]) and not yes(r["complied"])
        line = {
            "status": "OK",
            "shortfall": shortfall,
            "applies": "Yes" if applies else "No",
            "low": pr("PR_WITHHOLDING_PENALTY_MIN", shortfall, r["repeat"]) if applies else 0,
            "high": pr("PR_WITHHOLDING_PENALTY_MAX", shortfall, r["repeat"]) if applies else 0,
            "penalty": None
            if r["rate"] is None
            else pr("PR_WITHHOLDING_PENALTY", shortfall, r["rate"], r["repeat"])
            if applies
            else 0,
            "bond": pr("PR_WITHHOLDING_BOND", shortfall) if applies else 0,
            "referral": pr("PR_WITHHOLDING_REFERRAL_DUE", r["last_day"]) if r["last_day"] and shortfall else None,
        }
        bonds_of[r["id"]] += line["bond"]
        rows.append(line)
    shown = {
        "pending": "Pending",
        "late": "Late",
        "under review": "Under review",
        "approved by silence": "Approved by silence",
        "assess": "Assess",
    }
    bonds = [
        {
            "status": "OK",
            "amount": bonds_of[r["id"]],
            "due_on": pr("PR_BOND_DUE", r["mailed_on"]),
            "review_on": pr("PR_BOND_REVIEW_DUE", r["posted_on"]) if r["posted_on"] else None,
            "release_on": pr("PR_BOND_RELEASE", r["posted_on"]) if r["posted_on"] else None,
            "standing": shown[pr("PR_BOND_STATUS", AS_OF, r["mailed_on"], r["posted_on"], r["disapproved_on"])],
        }
        for r in tables["Bonds"]
    ]
    return {"Withholding": rows, "Bonds": bonds}


def _retirement(tables: dict[str, list[Row]]) -> dict[str, list[Row]]:
    out = []
    for r in tables["Retirement"]:
        days = pr("PR_DAYS_LATE", r["withheld_on"], r["remitted_on"] or AS_OF)
        statement = pr("PR_RETIREMENT_STATEMENT_DUE", r["notified_on"]) if r["notified_on"] else None
        offense = None
        if statement and not (r["stated_on"] is None and statement >= AS_OF and not yes(r["knowing"])):
            in_time = r["stated_on"] is not None and r["stated_on"] <= statement
            offense = {"none": "None", "misdemeanor": "Misdemeanor", "felony": "Felony"}[
                pr("PR_RETIREMENT_OFFENSE", in_time, r["knowing"])
            ]
        out.append(
            {
                "status": "OK",
                "remit_by": pr("PR_RETIREMENT_CERTIFICATE_DUE", r["withheld_on"]),
                "days": days,
                "priority": "Yes" if pr("PR_RETIREMENT_PRIORITY", days) else "No",
                "debt": pr("PR_RETIREMENT_DEBT", r["amount"], r["rate"], days, 365),
                "statement_by": statement,
                "crim_on": pr("PR_CRIM_REMITTANCE_DUE", r["certified_on"])
                if r["certified_on"] and r["employer"] == "Municipality"
                else None,
                "offense": offense,
            }
        )
    return {"Retirement": out}


def _firm_summary(tables: dict[str, list[Row]]) -> dict[str, list[Row]]:
    out = []
    for r in tables["Matters"]:
        days = pr("PR_DAYS_LATE", r["due_on"], r["done_on"] or AS_OF)
        base = max(0, r["amount"] - (r["reduced_by"] or 0))
        regime, relief = r["regime"], r["relief"]
        interest, low, next_on = 0, 0, None
        step = timedelta(30 * max(1, -(-days // 30)))
        if regime == "Returned check":
            low = pr("PR_RETURNED_CHECK", base, 0, relief)
        elif regime == "Late filing":
            low = pr("PR_LATE_FILE", r["amount"], days, r["reduced_by"], 0, relief, r["due_on"])
            next_on = None if days > 60 else r["due_on"] + step
        elif regime == "Personal property":
            interest, low = pr("PR_INTEREST", base, days, 365, r["due_on"]), pr("PR_SURCHARGE", base, days, r["due_on"])
            next_on = None if days > 90 else r["due_on"] + step
        elif regime == "Withholding":
            low = pr("PR_WITHHOLDING_PENALTY_MIN", base, relief)
        else:
            interest = cent(pr("PR_RETIREMENT_DEBT", base, r["rate"], days, 365) - base)
            next_on = pr("PR_RETIREMENT_CERTIFICATE_DUE", r["due_on"])
        high = pr("PR_WITHHOLDING_PENALTY_MAX", base, relief) if regime == "Withholding" else low
        out.append(
            {
                "status": "OK",
                "days": days,
                "base": base,
                "interest": interest,
                "low": low,
                "high": high,
                "exposure": interest + high,
                "next_on": None if r["done_on"] else next_on,
            }
        )
    return {"Matters": out}
