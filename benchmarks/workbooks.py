"""The workbook that the benchmark works on: rows × (4 PR_ + 3 native formulas) and a row of totals.

The results of PR_ formulas and of what rests on them are stale (0); native formulas hold their true result, as a
spreadsheet program would have left them. The same rows always give the same workbook.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

PR_FORMULAS = (
    "PR_LATE_FILE(B{r},C{r},D{r},E{r})",
    "PR_INTEREST(B{r},C{r})",
    "PR_SURCHARGE(B{r},C{r})",
    "PR_RETURNED_CHECK(B{r})",
)
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
HEADINGS = (
    "client",
    "tax",
    "days",
    "paid",
    "credits",
    "late file",
    "interest",
    "surcharge",
    "check",
    "sum",
    "share",
    "tier",
)
TYPES = f"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>\
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>"""
RELATIONSHIPS = f"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" Type="{OFFICE}/relationships/{{kind}}" Target="{{target}}"/></Relationships>"""
WORKBOOK = f"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}/relationships"><sheets><sheet name="Clients" sheetId="1" r:id="rId1"/></sheets></workbook>"""


def half_up(cents: int, numerator: int, denominator: int) -> Decimal:
    """`cents` × numerator ÷ denominator, rounded to the cent as Excel's ROUND does."""
    return (Decimal(cents) * numerator / denominator / 100).quantize(Decimal("0.01"), ROUND_HALF_UP)


def sheet(rows: int, rename: Callable[[str], str]) -> Iterator[str]:
    """The worksheet part, row by row. `rename` spells a PR_ formula as the program that reads it wants it."""
    yield f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="{MAIN}"><dimension ref="A1:L{rows + 2}"/><sheetData><row r="1">'
    for letter, heading in zip("ABCDEFGHIJKL", HEADINGS, strict=True):
        yield f'<c r="{letter}1" t="inlineStr"><is><t>{heading}</t></is></c>'
    yield "</row>"
    formulas = [(letter, rename(formula)) for letter, formula in zip("FGHI", PR_FORMULAS, strict=True)]
    for n in range(rows):
        r = n + 2
        cents, days = 100 + n * 7919 % 5_000_000, n * 31 % 150
        paid, credits = cents * (n % 3) // 4, 5_000 if n % 5 == 0 else 0
        inputs = f'<c r="A{r}"><v>{100_000 + n}</v></c><c r="B{r}"><v>{cents / 100!r}</v></c><c r="C{r}"><v>{days}</v></c><c r="D{r}"><v>{paid / 100!r}</v></c>'
        calls = "".join(f'<c r="{letter}{r}"><f>{formula.format(r=r)}</f><v>0</v></c>' for letter, formula in formulas)
        tier = "late" if days > 30 else "ok"
        yield (
            f'<row r="{r}">{inputs}<c r="E{r}"><v>{credits / 100!r}</v></c>{calls}<c r="J{r}"><f>SUM(F{r}:I{r})</f><v>0</v></c>'
            f'<c r="K{r}"><f>ROUND(B{r}*0.05,2)</f><v>{float(half_up(cents, 5, 100))!r}</v></c>'
            f'<c r="L{r}" t="str"><f>IF(C{r}&gt;30,"late","ok")</f><v>{tier}</v></c></row>'
        )
    last = rows + 1
    yield (
        f'<row r="{rows + 2}">'
        + "".join(f'<c r="{c}{rows + 2}"><f>SUM({c}2:{c}{last})</f><v>0</v></c>' for c in "FGHIJ")
        + "</row></sheetData></worksheet>"
    )


def make(path: Path, rows: int, rename: Callable[[str], str] = str) -> None:
    """Write the workbook to `path`."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("_rels/.rels", RELATIONSHIPS.format(kind="officeDocument", target="xl/workbook.xml"))
        archive.writestr("xl/workbook.xml", WORKBOOK)
        archive.writestr(
            "xl/_rels/workbook.xml.rels", RELATIONSHIPS.format(kind="worksheet", target="worksheets/sheet1.xml")
        )
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as part:
            for piece in sheet(rows, rename):
                part.write(piece.encode())
