"""Make the client workbooks and client data of this folder: `python examples/make_examples.py [FOLDER]`.

Every client, account and amount is invented. The workbooks are as messy as real ones: blanks, a broken reference, money
typed as text, a negative amount, last year's rule still in the cached results. The same script gives the same bytes.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from layout import DAY, MONEY, QUIET, RATE, Cached, Shared, fill, put, save, sheet, total
from openpyxl import Workbook
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.table import Table, TableColumn, TableFormula, TableStyleInfo

HERE = Path(__file__).parent


# fmt: off
def returned_checks(book: Workbook) -> Cached:
    """Spanish. Every kind of bad input that a cell can hold."""
    ws = sheet(book, "Cheques", "Registro de cheques devueltos 2026",
               "13 LPRA § 352a-1 · un renglón por cheque, nunca sobre la suma",
               [("Cliente", 30), ("Cheque", 9), ("Importe", 13), ("Contribución original", 14), ("Condonado", 11),
                ("Tasa", 8), ("Penalidad", 13), ("Nota", 44)])
    data: list[tuple[Any, ...]] = [
        ("Panadería La Ceiba, Inc.",    "1041", 500.20,     None,   None),
        ("Colmado El Batey",            "0088", 85,         None,   None),
        ("Ferretería Guamá",            "2210", 10_000,     None,   None),
        ("Taller Yaurel & Hijos",       "0317", 10_000.01,  None,   None),
        ("Distribuidora Jácana, Corp.", "5502", 9_880,      10_400, None),
        ("Farmacia Brisas del Sur",     "1177", 2_000,      None,   "sí"),
        ("Agro Toa Vaca",               "0903", "$1,234.56", None,  None),
        ("Café Altura Fría",            "0412", "1.234,56", None,   None),
        ("Imprenta Ocho Puntos",        "0077", None,       None,   None),
        ("Joyería Piedra Lisa",         "0650", "#REF!",    None,   None),
        ("Lavandería Espuma",           "0221", -250,       None,   None),
        ("Gomera El Cruce",             "0019", "'#REF!",   None,   None),
    ]
    notes = ["", "", "Exactamente $10,000.00: la ley dice 5 %, la página de Hacienda 10 %",
             "Un centavo más: 10 % del total", "Pagaba con descuento: la base es la contribución original",
             "Causa razonable, carta del 3 de marzo", "Importe pegado como texto", "¿Punto o coma?",
             "Falta el importe", "Se borró la hoja del banco", "¿Reverso?", "Texto copiado de un correo"]
    last = fill(ws, data, ["=PR_RETURNED_CHECK_RATE(C{r},D{r})", "=PR_RETURNED_CHECK(C{r},D{r},E{r})"],
                ["", "", MONEY, MONEY, "", RATE, MONEY])
    for r, note in enumerate(notes, 6):
        ws.cell(r, 8, note or None).font = QUIET
    total(ws, last + 1, {c: f'=SUMIF({c}6:{c}{last},">0")' for c in "CG"})
    return {"Cheques": {"F6": 0.05, "G6": 25.01, "F7": 0.05, "G7": 4.25, "F8": 0.05, "G8": 500, "F9": 0.05, "G9": 500,
                        "F10": 0.05, "G10": 494, "G11": 100, "C18": 32465.21, "G18": 1623.26}}


def late_returns(book: Workbook) -> Cached:
    """English. An Excel table with structured references and a totals row; its data are clean."""
    headings: list[tuple[str, float]] = [
        ("Client", 30), ("Return", 9), ("Due", 12), ("Filed", 12), ("Tax", 13), ("Paid on time", 13), ("Credits", 13),
        ("Reasonable cause", 12), ("Days late", 9), ("Addition", 13)]
    ws = sheet(book, "Returns", "Late returns, tax year 2024",
               "13 LPRA § 33081 (Act 1-2011, Section 6030.11) · filed in 2025", headings)
    due = date(2025, 4, 15)
    data = [
        ("Marisol Arroyo Del Valle",     "482",   due, date(2025, 6, 1),   8_000,    5_000, 1_200, None),
        ("Héctor Quiñones Pabón",        "482",   due, date(2025, 5, 15),  3_150.75, None,  900,   None),
        ("Héctor Quiñones Pabón (2023)", "482",   due, date(2025, 5, 16),  3_150.75, None,  900,   None),
        ("Clínica Dental Vistamar, PSC", "480.2", due, date(2025, 6, 14),  12_480.5, 6_000, None,  None),
        ("O'Neill & Ríos, LLP",          "480.1", due, date(2025, 6, 15),  12_480.5, 6_000, None,  None),
        ("Finca Los Guamos",             "480.2", due, date(2025, 4, 10),  4_400,    4_400, None,  None),
        ("Ana Luz Betances Rolón",       "482",   due, date(2025, 5, 29),  950,      None,  1_000, None),
        ("Transporte Yagrumo, Inc.",     "480.2", due, date(2025, 7, 1),   22_000,   None,  3_500, True),
    ]

    def this(*columns: str) -> str:
        return ",".join(f"Returns[[#This Row],[{column}]]" for column in columns)

    days = f"PR_DAYS_LATE({this('Due', 'Filed')})"
    addition = f"PR_LATE_FILE({this('Tax', 'Days late', 'Paid on time', 'Credits', 'Reasonable cause')})"
    last = fill(ws, data, [f"={days}", f"={addition}"], ["", "", DAY, DAY, MONEY, MONEY, MONEY, "", "0", MONEY])
    table = Table(displayName="Returns", ref=f"A5:J{last + 1}", totalsRowCount=1, headerRowCount=1)
    table.tableStyleInfo = TableStyleInfo(name="TableStyleMedium2", showRowStripes=True)
    table.tableColumns = [TableColumn(id=i, name=name) for i, (name, _) in enumerate(headings, 1)]
    table.tableColumns[0].totalsRowLabel = "Total"
    table.tableColumns[8].calculatedColumnFormula = TableFormula(attr_text=days)
    table.tableColumns[9].calculatedColumnFormula = TableFormula(attr_text=addition)
    table.tableColumns[9].totalsRowFunction = "sum"
    ws.add_table(table)
    total(ws, last + 1, {"J": "=SUBTOTAL(109,Returns[Addition])"})
    return {"Returns": {"I6": 46, "J6": 180, "I7": 30, "J7": 112.54, "I8": 30, "J8": 112.54, "I9": 60, "J9": 972.08,
                        "I10": 60, "J10": 972.08, "I11": 0, "J11": 0, "J14": 2349.24}}


def property_tax(book: Workbook) -> Cached:
    """Spanish. Shared-formula columns, totals across sheets with odd names, an array formula, a hidden row."""
    ws = sheet(book, "Cuentas 2025", "Contribución sobre propiedad mueble 2025",
               "21 LPRA § 5221 · intereses al 10 % anual, base 365",
               [("Contribuyente", 30), ("Contribución", 13), ("Vencía", 12), ("Pagado", 12), ("Días", 7),
                ("Intereses", 12), ("Recargo", 12), ("Planilla tardía", 12), ("Total", 13)])
    due = date(2025, 5, 15)
    data = [
        ("Panadería La Ceiba, Inc.",    3_000,       due,              date(2025, 6, 14)),
        ("Colmado El Batey",            3_000,       due,              date(2025, 6, 15)),
        ("Ferretería Guamá",            7_250.40,    due,              date(2025, 7, 14)),
        ("Taller Yaurel & Hijos",       7_250.40,    due,              date(2025, 7, 15)),
        ("Distribuidora Jácana, Corp.", 18_600,      due,              date(2025, 8, 13)),
        ("Farmacia Brisas del Sur",     18_600,      due,              date(2025, 8, 14)),
        ("Agro Toa Vaca",               21_682.73,   date(2020, 8, 7), date(2020, 12, 1)),
        ("Café Altura Fría",            "4,120.00 ", due,              date(2025, 5, 15)),
        ("Imprenta Ocho Puntos",        960,         due,              None),
        ("Joyería Piedra Lisa",         None,        due,              date(2025, 9, 1)),
    ]
    last = fill(ws, data, ["=PR_DAYS_LATE(C{r},D{r})", "=PR_INTEREST(B{r},E{r})", "=PR_SURCHARGE(B{r},E{r})",
                           "=PR_PROPERTY_LATE_FILE(B{r},E{r})", "=ROUND(SUM(B{r},F{r}:H{r}),2)"],
                ["", MONEY, DAY, DAY, "0", MONEY, MONEY, MONEY, MONEY])
    ws.row_dimensions[9].hidden = True
    total(ws, last + 1, {c: f'=SUMIF({c}6:{c}{last},">0")' for c in "FGH"})

    pay = sheet(book, "Pagos", "Saldo al 15 de septiembre de 2026",
                "Contribución de $10,000.00 que vencía el 15 de mayo de 2026, pagada a plazos",
                [("Fecha", 14), ("Pago", 14), ("Días", 10), ("Intereses", 14), ("Recargo", 14)])
    payments = [(date(2026, 6, 10), 3_000), (date(2026, 7, 10), 4_000), (date(2026, 9, 15), 3_000)]
    for r, (day, amount) in enumerate(payments, 6):
        put(pay.cell(r, 1), day, DAY)
        put(pay.cell(r, 2), amount, MONEY)
    facts: list[tuple[str, Any, str]] = [("Contribución", 10_000, MONEY), ("Vencía", date(2026, 5, 15), DAY),
                                         ("Al", date(2026, 9, 15), DAY)]
    for r, (label, value, form) in enumerate(facts, 10):
        pay.cell(r, 1, label)
        put(pay.cell(r, 2), value, form)
    pay["A13"] = "Se debe"
    put(pay["B13"], "=PR_PAYOFF(B10,B11,A6:A8,B6:B8,B12)", MONEY)
    for r in range(15, 19):
        for c, form in enumerate([DAY, MONEY, "0", MONEY, MONEY], 1):
            put(pay.cell(r, c), 0, form)
            pay.cell(r, c).fill, pay.cell(r, c).font = PatternFill(), Font()
    pay["A15"] = ArrayFormula("A15:E18", "=PR_LEDGER(B10,B11,A6:A8,B6:B8,B12)")

    summary = sheet(book, "Resumen & firma", "Resumen", "Para la firma del socio", [("Renglón", 34), ("Importe", 16)])
    lines = [("Intereses", f"='Cuentas 2025'!F{last + 1}"), ("Recargos", f"='Cuentas 2025'!G{last + 1}"),
             ("Planillas tardías", f"='Cuentas 2025'!H{last + 1}"), ("Plan de pagos", "=Pagos!B13"),
             ("Total a facturar", "=SUM(B6:B9)")]
    for r, (label, formula) in enumerate(lines, 6):
        summary.cell(r, 1, label)
        put(summary.cell(r, 2), formula, MONEY)
    # Last year's workbook added the tiers of the surcharge up (5 + 10 + 15 %) and counted years of 360 days.
    return {
        "Cuentas 2025": {
            "E6": 30, "F6": 25, "G6": 0, "H6": 150, "E7": 31, "F7": 25.83, "G7": 150, "H7": 300,
            "E8": 60, "F8": 120.84, "G8": 362.52, "E9": 61, "F9": 122.85, "G9": 1087.56, "E10": 90, "F10": 465,
            "G10": 2790, "E11": 91, "F11": 470.17, "G11": 5580, "E12": 116, "F12": 698.67, "G12": 6504.82,
            "H12": 4336.55, "E13": 0, "F13": 0, "G13": 0, "F16": 1928.36, "G16": 16474.9, "H16": 4786.55},
        "Resumen & firma": {"B6": 1928.36, "B7": 16474.9, "B8": 4786.55, "B9": 10833.84, "B10": 34023.65}}


def withholding(book: Workbook) -> Cached:
    """English. A rate outside the law's range, dates over a list of holidays on another sheet."""
    ws = sheet(book, "Q2 1992", "Payroll withholding, second quarter of 1992",
               "Act 57-1990 · shortfall, range of the penalty, bond",
               [("Employer", 30), ("Required", 13), ("Deposited on time", 13), ("Repeat", 9), ("Rate asked", 9),
                ("Bond mailed", 12), ("Shortfall", 13), ("Least", 12), ("Most", 12), ("At the rate asked", 13),
                ("Bond", 13), ("Bond due", 12)])
    mailed = date(1992, 6, 26)
    data = [
        ("Textiles del Caonillas, Inc.", 6_400,     6_000,     True,  0.30,  mailed),
        ("Mueblería Ausubo",             3_000,     2_000,     True,  0.25,  mailed),
        ("Hospital Santa Rosalía",       48_750.36, 28_750.36, False, 0.5,   date(1992, 8, 14)),
        ("Colegio Las Américas",         2_200.04,  1_000,     "yes", "25%", date(1992, 7, 2)),
        ("Cantera Río Cañas",            9_100,     9_100,     False, 0.25,  None),
        ("Ingenio La Constancia",        15_000,    9_500,     False, 0.60,  date(1992, 7, 10)),
    ]
    last = fill(ws, data, ["=PR_WITHHOLDING_SHORTFALL(B{r},C{r})", "=PR_WITHHOLDING_PENALTY_MIN(G{r},D{r})",
                           "=PR_WITHHOLDING_PENALTY_MAX(G{r},D{r})", "=PR_WITHHOLDING_PENALTY(G{r},E{r},D{r})",
                           "=PR_WITHHOLDING_BOND(G{r})", '=IF(F{r}="","",PR_BOND_DUE(F{r},Holidays!$A$6:$A$9))'],
                ["", MONEY, MONEY, "", RATE, DAY, MONEY, MONEY, MONEY, MONEY, MONEY, DAY])
    total(ws, last + 1, {c: f"=SUM({c}6:{c}{last})" for c in "GHIK"})
    days = sheet(book, "Holidays", "Holidays", "They move the last day of a term", [("Date", 14), ("Holiday", 30)])
    holidays = [(date(1992, 5, 25), "Memorial Day"), (date(1992, 7, 4), "Independence Day"),
                (date(1992, 7, 25), "Constitution Day"), (date(1992, 9, 7), "Labor Day")]
    for r, (day, name) in enumerate(holidays, 6):
        put(days.cell(r, 1), day, DAY)
        days.cell(r, 2, name)
    return {"Q2 1992": {"G6": 400, "H6": 100, "I6": 200, "J6": 120, "K6": 440,
                        "G7": 1000, "H7": 250, "I7": 500, "J7": 250, "K7": 1100}}


def retirement(book: Workbook) -> Cached:
    """Spanish. Deadlines and debts; the Board's rate is missing for one municipality, a date for an office."""
    ws = sheet(book, "Remesas", "Remesas al Sistema de Retiro",
               "3 LPRA § 781a · regla anterior a PayGo; confirmar que aplica",
               [("Municipio o agencia", 30), ("Aportación", 13), ("Retenida el", 12), ("Notificada el", 12),
                ("Días", 7), ("Tasa de la Junta", 10), ("Certificación vence", 13), ("Estado vence", 12),
                ("Prioridad", 10), ("Deuda", 14)])
    data = [
        ("Municipio de Valle Escondido",    41_200.18,  date(2012, 1, 31), date(2012, 3, 5), 30, 0.08),
        ("Municipio de Sierra Nublada",     41_200.18,  date(2012, 1, 31), date(2012, 3, 5), 31, 0.08),
        ("Autoridad de Puentes (ficticia)", 118_904.55, date(2012, 2, 29), date(2012, 4, 2), 64, "8%"),
        ("Municipio de Boca Serena",        7_730,      date(2012, 2, 29), date(2012, 4, 2), 45, None),
        ("Oficina de Archivos (ficticia)",  15_060.9,   date(2012, 3, 30), None,             12, 0.08),
    ]
    last = fill(ws, data, ["=PR_RETIREMENT_CERTIFICATE_DUE(C{r})", "=PR_RETIREMENT_STATEMENT_DUE(D{r})",
                           "=PR_RETIREMENT_PRIORITY(E{r})", "=PR_RETIREMENT_DEBT(B{r},F{r},E{r})"],
                ["", MONEY, DAY, DAY, "0", RATE, DAY, DAY, "", MONEY])
    total(ws, last + 1, {"J": f'=SUMIF(J6:J{last},">0")'})
    return {"Remesas": {"I6": False, "I7": False, "J6": 41471.09, "J7": 41480.12, "J11": 82951.21}}


WORKBOOKS: dict[str, tuple[Callable[[Workbook], Cached], Sequence[Shared]]] = {
    "Cheques/Cheques devueltos 2026.xlsx": (returned_checks, ()),
    "Planillas/Late returns 2024.xlsx": (late_returns, ()),
    "CRIM/Propiedad mueble 2025.xlsx":
        (property_tax, [("Cuentas 2025", "F", 6, 15), ("Cuentas 2025", "G", 6, 15)]),
    "Nóminas/Payroll withholding 1992.xlsx": (withholding, ()),
    "Retiro/Remesas.xlsx": (retirement, ()),
}
"""Path under `clients/` → how it is made, and its columns that are stored as one shared formula."""

NOT_A_WORKBOOK = ("CRIM/estado-de-cuenta.xlsx",
                  "Cuenta;Concepto;Importe\r\n0000-11;Patente;1,250.00\r\n0000-12;Mueble;3,000.00\r\n")
"""What a web page called an Excel file: it has to be refused by name."""

DATA: dict[str, list[list[str]]] = {
    "returned_checks.csv": [
        ["client", "check", "amount", "original_tax", "condoned"],
        ["Panadería La Ceiba, Inc.", "1041", "500.20", "", ""],
        ["Colmado El Batey", "0088", "$85.00", "", ""],
        ["Ferretería Guamá", "2210", "10,000.00", "", ""],
        ["Taller Yaurel & Hijos", "0317", "10,000.01", "", ""],
        ["Distribuidora Jácana, Corp.", "5502", "9880", "10400", "no"],
        ["Farmacia Brisas del Sur", "1177", "2000", "", "sí"],
        ["Café Altura Fría", "0412", "1.234,56", "", ""],
        ["=CMD Imports", "0700", "-25.00", "", ""]],
    "late_returns.csv": [
        ["client", "tax", "days", "paid_on_time", "credits", "reasonable_cause"],
        ["Marisol Arroyo Del Valle", "8000", "47", "5000", "1200", ""],
        ["Héctor Quiñones Pabón", "3150.75", "30", "", "900", ""],
        ["O'Neill & Ríos, LLP", "12480.50", "61", "6000", "", ""],
        ["Transporte Yagrumo, Inc.", "22000", "77", "", "3500", "yes"],
        ["Ana Luz Betances Rolón", "950", "258", "", "1000", ""]],
    "property_tax.csv": [
        ["client", "amount", "days"],
        ["Panadería La Ceiba, Inc.", "3000", "30"], ["Colmado El Batey", "3000", "31"],
        ["Ferretería Guamá", "7250.40", "60"], ["Taller Yaurel & Hijos", "7250.40", "61"],
        ["Distribuidora Jácana, Corp.", "18600", "90"], ["Farmacia Brisas del Sur", "18600", "91"],
        ["Agro Toa Vaca", "21682.73", "116"]],
    "withholding.csv": [
        ["employer", "required", "deposited_on_time"],
        ["Textiles del Caonillas, Inc.", "6400", "6000"], ["Mueblería Ausubo", "3000", "2000"],
        ["Hospital Santa Rosalía", "48750.36", "28750.36"]],
    "retirement.csv": [
        ["agency", "amount", "rate", "days"],
        ["Municipio de Valle Escondido", "41200.18", "8%", "30"],
        ["Municipio de Sierra Nublada", "41200.18", "8%", "31"],
        ["Municipio de Boca Serena", "7730", "", "45"]],
}
"""Client data: file under `data/` → headings and records."""
# fmt: on


def main(folder: Path) -> None:
    """Make everything under `folder`: `clients/` with workbooks, `data/` with CSV files."""
    for name, (make, shared) in WORKBOOKS.items():
        save(folder / "clients" / name, make, shared)
    name, text = NOT_A_WORKBOOK
    (folder / "clients" / name).write_text(text, encoding="utf-8", newline="")
    (folder / "data").mkdir(exist_ok=True)
    for name, records in DATA.items():
        with (folder / "data" / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(records)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
