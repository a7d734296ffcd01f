"""The default engine on prepared copies: every stored form of a call, every spelling of a sheet, notices, constants."""

from __future__ import annotations

import random

import pytest

from recargos.cells import OMITTED, call
from recargos.law import CellError
from recargos.statutes import FUNCTIONS
from recargos.workbook.engine import EngineError
from recargos.workbook.formualizer_engine import LOAD_LIMITS, VERSION, FormualizerEngine
from recargos.workbook.overrides import translate
from recargos.workbook.package import Limits
from support.engine import at, compute, names
from support.raw import MAIN, R, cells, parts, sheet_xml, workbook, zipped

SURCHARGE = call(FUNCTIONS["PR_SURCHARGE"], [1000.0, 45.0])
AMOUNTS = {"A2": 1000, "B2": 45}


def test_the_engine_is_the_one_that_was_checked() -> None:
    assert FormualizerEngine().version == VERSION, "rerun docs/engines.md's script before moving the pin"


@pytest.mark.parametrize(
    "formula",
    [
        "=PR_SURCHARGE(A2,B2)",
        "=pr_surcharge(a2,$B$2)",
        "=[1]!PR_SURCHARGE(A2,B2)",
        "=_xll.PR_SURCHARGE(A2,B2)",
        "=_xldudf_RECARGOS_PR_SURCHARGE(A2,B2)",
        "=_xlfn.SINGLE(PR_SURCHARGE(A2,B2))",
        "=@PR_SURCHARGE(A2,B2)",
        r"='C:\Users\x y\recargos.xlam'!PR_SURCHARGE(A2,B2)",
        "=PR_SURCHARGE(A2,B2,)",
        '=IF(A2="",0,PR_SURCHARGE(A2,B2))',
        "=PR_SURCHARGE(A2*1,B2+0)",
        "=Extra",
        "=_xlfn.LET(_xlpm.t,A2,PR_SURCHARGE(_xlpm.t,B2))",
        "=PR_SURCHARGE(S!A2,'S'!B2)",
    ],
)
def test_every_stored_form_of_a_call_is_computed(formula: str) -> None:
    book = compute(
        AMOUNTS | {"C2": formula}, names='<definedName name="Extra">PR_SURCHARGE(S!$A$2,S!$B$2)</definedName>'
    )
    assert book.reason("C2") == ""
    assert book["C2"] == SURCHARGE == 50.0


def test_a_call_in_an_array_formula_spills() -> None:
    array = '<c r="@" cm="1"><f t="array" ref="C2:C3">PR_SURCHARGE(A2:A3,B2:B3)</f><v>9</v></c>'
    book = compute(AMOUNTS | {"A3": 2000, "B3": 20, "C2": array, "C3": 7, "D3": "=C3+1"})
    assert [book[c] for c in ("C2", "C3", "D3")] == [50.0, 0.0, 1.0]


def test_a_spilled_range_is_the_cells_in_the_file() -> None:
    array = '<c r="@" cm="1"><f t="array" ref="C2:C3">A2:A3*2</f><v>9</v></c>'
    contents = AMOUNTS | {"A3": 2000, "C2": array, "C3": '<c r="@"><f ca="1"/><v>8</v></c>'}
    book = compute(contents | {"D2": "=SUM(C2#)", "D3": "=SUM(_xlfn.ANCHORARRAY(C2))+C3", "D4": "=SUM(A2#)"})
    assert [book[c] for c in ("C3", "D2", "D3", "D4")] == [4000.0, 6000.0, 10000.0, None]
    assert len(book.formulas.unreadable) == 0


def test_cells_that_an_array_fills_need_not_be_in_the_file() -> None:
    refused = '<c r="@" cm="1"><f t="array" ref="C2:C9">NOSUCH(A2:A3)</f><v>9</v></c>'
    assert compute(AMOUNTS | {"C2": refused, "D2": "=C2+1"})["D2"] == 10.0


def test_a_call_that_does_not_spill_shows_its_first_value() -> None:
    book = compute(
        AMOUNTS
        | {
            "A3": 2000,
            "B3": 100,
            "C2": "=PR_SURCHARGE(A2:A3,B2:B3)",
            "C3": "=SUM(PR_SURCHARGE(A2:A3,B2:B3))",
            "D3": "=C2",
        }
    )
    assert [book[c] for c in ("C2", "C3", "D3")] == [50.0, 350.0, 50.0]


def test_shared_formulas_without_text() -> None:
    rows = (
        '<row r="2"><c r="A2"><v>1000</v></c><c r="B2"><v>45</v></c><c r="C2"><f t="shared" ref="C2:C3" si="0">PR_SURCHARGE(A2,B2)'
        '+LEN("A2")</f></c></row>'
        '<row r="3"><c r="A3"><v>2000</v></c><c r="B3"><v>100</v></c><c r="C3"><f t="shared" si="0"/></c></row>'
    )
    book = compute(rows)
    assert [book["C2"], book["C3"]] == [52.0, 302.0]


def test_omitted_arguments_are_not_zero() -> None:
    dates = {"A1": 45000, "B1": 45100}
    book = compute(
        dates
        | {
            "C1": "=PR_DEFICIENCY_INTEREST(1000,A1,B1,,366)",
            "C2": "=PR_DEFICIENCY_INTEREST(1000,A1,B1,0,366)",
            "C3": "=IF(1,PR_DEFICIENCY_INTEREST(1000,A1,B1,,366))",
            "C4": "=PR_DEFICIENCY_INTEREST(1000,A1,B1,Z9,366)",
        }
    )
    known = call(FUNCTIONS["PR_DEFICIENCY_INTEREST"], [1000.0, 45000.0, 45100.0, OMITTED, 366.0])
    assert isinstance(known, float)
    assert book["C1"] == book["C3"] == book["C4"] == known
    assert book["C2"] is CellError.NUM


def test_dates_of_both_systems() -> None:
    for system, serial in (("", 45000), ('<workbookPr date1904="1"/>', 45000 - 1462)):
        book = compute(
            {
                "A1": serial,
                "B1": "=PR_BOND_RELEASE(A1)-A1",
                "C1": "=YEAR(A1)",
                "D1": "=DATE(2023,3,15)-A1",
                "E1": '="2023-03-15"-A1',
            },
            properties=system,
        )
        assert [book[c] for c in ("B1", "C1", "D1", "E1")] == [
            call(FUNCTIONS["PR_BOND_RELEASE"], [45000.0]).toordinal() - 738594,
            2023,
            0,
            0,
        ]


def test_errors_come_in_and_go_out_as_errors() -> None:
    book = compute(
        {
            "A1": "=1/0",
            "A2": "=NA()",
            "B1": "=PR_SURCHARGE(A1,40)",
            "B2": "=PR_SURCHARGE(A2,40)",
            "B3": "=PR_SURCHARGE(-5,40)",
            "B4": "=IFERROR(B3,7)",
        }
    )
    assert [book[c] for c in ("B1", "B2", "B3", "B4")] == [CellError.DIV0, CellError.NA, CellError.NUM, 7.0]


def test_text_that_looks_like_an_error_is_text() -> None:
    book = compute({"A1": "#REF!", "B1": '=A1&"x"', "B2": "=ISERROR(A1)", "B3": "=PR_CITE(A1)"})
    assert book["B1"] == "#REF!x"
    assert book["B2"] is False


# ----------------------------------------------------------------------------------------------- spellings of a part


def spelt(prefix: str = "", encoding: str = "utf-8") -> bytes:
    xml = sheet_xml(cells(AMOUNTS | {"C2": "=PR_SURCHARGE(A2,B2)", "D2": '=C2&" é"'}))
    if prefix:
        for tag in ("worksheet", "sheetData", "row", "c", "f", "v"):
            xml = xml.replace(f"<{tag}", f"<{prefix}:{tag}").replace(f"</{tag}", f"</{prefix}:{tag}")
        xml = xml.replace(f'xmlns="{MAIN}"', f'xmlns:{prefix}="{MAIN}"')
    if encoding != "utf-8":
        xml = xml.replace("UTF-8", encoding)
    return zipped(parts([("S", xml.encode(encoding))]))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
@pytest.mark.parametrize("prefix", ["", "x"])
def test_namespaces_and_encodings(prefix: str, encoding: str) -> None:
    book = compute(spelt(prefix, encoding))
    assert [book["C2"], book["D2"]] == [50.0, "50 é"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('r="A2"', "r='A2'"),
        ('<c r="A2">', "<c>"),
        ('<row r="2">', '<row spans="1:3" r="2">'),
        ("<f>PR_SURCHARGE(A2,B2)</f>", "<f><![CDATA[PR_SURCHARGE(A2,B2)]]></f>"),
        ("<v>1000</v>", "<!-- a comment --><v>1000</v>"),
        ("<v>1000</v>", "<v>\n1000\n</v>"),
        ("<sheetData>", "<sheetPr/><sheetData>"),
        ("<f>PR_SURCHARGE(A2,B2)</f>", '<f ca="1"> PR_SURCHARGE( A2 , B2 ) </f>'),
        ("<f>PR_SURCHARGE(A2,B2)</f>", '<f>PR_SURCHARGE(A2,B2)&amp;""</f>'),
    ],
)
def test_legal_spellings_of_cells(old: str, new: str) -> None:
    xml = sheet_xml(cells(AMOUNTS | {"C2": "=PR_SURCHARGE(A2,B2)"}))
    assert old in xml
    book = compute(zipped(parts([("S", xml.replace(old, new))])))
    assert book["C2"] in (50.0, "50")


def test_dates_of_strict_workbooks() -> None:
    day = '<c r="@" t="d"><v>2024-01-31T12:00:00</v></c>'
    assert compute({"A1": day, "B1": "=A1+0"})["B1"] == 45322.5
    assert compute({"A1": day, "B1": "=A1+0"}, properties='<workbookPr date1904="1"/>')["B1"] == 43860.5


def test_sheets_with_awkward_names_chart_sheets_and_very_hidden_ones() -> None:
    names_ = ["Año '24 & más", "A1", "R1C1", "x!y", "Hoja (2)", "2024"]
    quoted = ["'" + n.replace("'", "''") + "'" for n in names_]
    sheets = [(n, sheet_xml(cells({"A1": 10 * i + 10}))) for i, n in enumerate(names_)]
    total = "=" + "+".join(f"{q}!A1" for q in quoted) + f"+SUM({quoted[0]}!A:A)"
    sheets.append(("Sum", sheet_xml(cells({"A1": total, "B1": f"=PR_SURCHARGE({quoted[0]}!A1*100,45)"}))))
    book = compute(zipped(parts(sheets, states={"A1": "veryHidden"})))
    assert [book["6!A1"], book["6!B1"]] == [220.0, 50.0]


def test_tables_across_sheets() -> None:
    table = (
        f'<table xmlns="{MAIN}" id="1" name="T" displayName="Deudas" ref="A1:C4" totalsRowCount="1"><tableColumns count="3">'
        '<tableColumn id="1" name="Tax"/><tableColumn id="2" name="Días ~1"/><tableColumn id="3" name="Due_x000a_now"/></tableColumns></table>'
    )
    link = f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="{R}/table" Target="../tables/table1.xml"/></Relationships>'
    data = cells(
        {"A1": "Tax", "B1": "Días ~1", "C1": "Due\nnow", "A2": 1000, "B2": 45, "A3": 2000, "B3": 100}
        | {
            "C2": "=PR_SURCHARGE(Deudas[[#This Row],[Tax]],Deudas[[#This Row],[Días ~1]])",
            "C3": "=PR_SURCHARGE([@Tax],[@[Días ~1]])",
        }
        | {"C4": "=SUBTOTAL(109,[Due\nnow])"}
    )
    other = cells(
        {
            "A2": "=SUM(Deudas[Due\nnow])",
            "A3": "=deudas[[#totals],[due\nnow]]",
            "A4": "=COUNTA(Deudas[#Headers])",
            "A5": "=Deudas[@Tax]",
        }
    )
    book = compute(
        zipped(
            parts(
                [("Data", sheet_xml(data)), ("Out", sheet_xml(other))],
                extra={"xl/tables/table1.xml": table, "xl/worksheets/_rels/sheet1.xml.rels": link},
            )
        )
    )
    assert [book[c] for c in ("C2", "C3", "C4", "1!A2", "1!A3", "1!A4")] == [50.0, 300.0, 350.0, 350.0, 350.0, 3.0]
    assert book["1!A5"] is CellError.VALUE


# ------------------------------------------------------------------------------------------------------- constants


def test_what_only_excel_knows_keeps_the_value_that_excel_left() -> None:
    book = compute(
        {"A1": ("=TODAY()", 45000), "A2": ("=[3]Other!A1", 250), "A3": ("=NOSUCH(1)", 40), "A4": ("=RAND()", 0.5)}
        | {"B1": "=PR_SURCHARGE(A2,A3)", "B2": "=A1+1", "B3": "=A4*2"}
    )
    assert [book[c] for c in ("A1", "A2", "A3", "A4")] == [None] * 4
    assert "NOSUCH" in book.reason("A3")
    assert [book[c] for c in ("B1", "B2", "B3")] == [12.5, 45001.0, 1.0]


def test_cells_that_are_to_be_kept_are_constants() -> None:
    book = compute({"A1": ("=1+1", 7), "B1": "=A1*2"}, keep=["A1"])
    assert book["B1"] == 14.0


def test_data_tables_are_left_alone() -> None:
    table = '<c r="@"><f t="dataTable" ref="B2:B3" dt2D="0" dtr="0" r1="A1"/><v>5</v></c>'
    book = compute({"A1": 1, "B2": table, "B3": 6, "C2": "=B2+B3"})
    assert book["C2"] == 11.0
    assert names(book.formulas.data_tables) == ["B2", "B3"]


def test_circles_are_named() -> None:
    book = compute({"A1": "=B1+1", "B1": "=A1*2", "C1": "=ROWS(C$1:C1)", "D1": "=D1", "E1": "=1+1"})
    assert {c for c in ("A1", "B1", "C1", "D1", "E1") if book[c] is None} == {"A1", "B1", "D1"}
    assert names(sorted(book.calculation.circular)) == ["A1", "B1", "D1"]  # type: ignore[arg-type]
    assert book["C1"] == 1.0


def test_a_workbook_that_the_engine_cannot_read_is_an_engine_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recargos.workbook.formualizer_engine.engine_copy", lambda *a: b"PK")
    with pytest.raises(EngineError, match="cannot read"):
        compute({"A1": "=1"})


def test_refusals_are_known_before_any_work() -> None:
    book = compute({"A1": "=1+1", "A2": "=NOSUCH(1)", "A3": '=GETPIVOTDATA("x",A1)'})
    refused = FormualizerEngine().refuses(book.formulas)
    assert names(book.calculation.unsupported) == ["A2", "A3"]
    assert set(refused) == {at("A2"), at("A3")}


# --------------------------------------------------------------------------------------------------------- notices


def test_notices_have_their_cell_and_argument() -> None:
    book = compute(
        {"A1": 500, "A2": "doce", "A3": "=NA()", "B5": -3}
        | {f"C{r}": f"=PR_RETURNED_CHECK(A{r})" for r in (1, 2, 3, 4)}
        | {"C5": '=IF(B5="","",PR_RETURNED_CHECK(B5))', "C6": '=IF(B6="","",PR_RETURNED_CHECK(B6))'}
        | {"D4": "=PR_RETURNED_CHECK(A4+0)", "D5": "=PR_LATE_FILE(1000,500)"}
    )
    assert {(c, k, a) for c, _, k, a in book.notices()} == {
        ("C2", "unreadable", "amount"),
        ("C3", "error", "amount"),
        ("C4", "blank", "amount"),
        ("C5", "unreadable", "amount"),
        ("D5", "capped", ""),
    }


def test_a_call_that_was_not_made_gives_no_notice() -> None:
    rows = {f"A{r}": 100 + r for r in range(2, 700) if r % 3}
    guarded = {f"C{r}": f'=IF(A{r}="","",PR_RETURNED_CHECK(A{r}))' for r in range(2, 700)}
    open_ = {f"D{r}": f"=PR_RETURNED_CHECK(A{r})" for r in range(2, 700)}
    book = compute(rows | guarded | open_)
    assert {(c[0], k) for c, _, k, _ in book.notices()} == {("D", "blank")}
    assert len(book.notices()) == sum(1 for r in range(2, 700) if not r % 3)


def test_a_whole_column_of_holidays() -> None:
    book = compute({"A1": 45001, "B1": 45002, "B2": 45005, "C1": "=PR_BOND_DUE(A1,B:B)", "C2": '=PR_BOND_DUE("x",B:B)'})
    assert book["C1"] == compute({"A1": 45001, "B1": 45002, "B2": 45005, "C1": "=PR_BOND_DUE(A1,B1:B2)"})["C1"]
    assert {(c, k) for c, _, k, _ in book.notices()} == {("C2", "unreadable")}
    assert book.calculation.calls([at("C1")])[at("C1")][0].arguments[0] == 45001.0


def test_the_arguments_of_a_call_can_be_asked_for() -> None:
    book = compute(
        AMOUNTS
        | {"C2": "=PR_SURCHARGE(A2,B2)", "C3": "=IF(A2>1,PR_SURCHARGE(A2/2,B2+PR_DAYS_LATE(45000,45010)))", "C4": "=A2"}
        | {
            "D1": 45001,
            "D2": 45002,
            "C5": "=PR_BOND_DUE(D1,D1:D2)",
            "C6": "=PR_DEFICIENCY_INTEREST(A2,D1,D2,,366)",
            "C7": '=IF(A2="","",PR_SURCHARGE(A2,))',
        }
    )
    calls = book.calculation.calls(map(at, ("C2", "C3", "C4", "C5", "C6", "C7")))
    assert calls[at("C2")] == [("PR_SURCHARGE", (1000.0, 45.0))]
    assert set(calls[at("C3")]) == {("PR_SURCHARGE", (500.0, 55.0)), ("PR_DAYS_LATE", (45000.0, 45010.0))}
    assert at("C4") not in calls
    assert calls[at("C5")] == [("PR_BOND_DUE", (45001.0, ((45001.0,), (45002.0,))))]
    assert calls[at("C6")] == [("PR_DEFICIENCY_INTEREST", (1000.0, 45001.0, 45002.0, OMITTED, 366.0))]
    assert calls[at("C7")] == [("PR_SURCHARGE", (1000.0,))]
    book.calculation.close()
    assert book.calculation.calls([at("C2")]) == {}
    assert book["C2"] == 50.0


# --------------------------------------------------------------------------------------- the quick way and the exact one

FILLED = [
    "A{r}+B{r}",
    "A{r}-B{r}",
    "A{r}*B{r}",
    "A{r}/C{r}",
    "-A{r}",
    "A{r}%",
    "A{r}^2",
    "IF(A{r}>B{r},A{r}-B{r},C{r})",
    'IF(A{r}="","",A{r}*2)',
    "ROUND(A{r}*B{r},2)",
    "SUM(A{r}:D{r})",
    'A{r}&"-"&B{r}',
    "IF(C{r},1,2)",
    "IFERROR(A{r}/B{r},0)",
    "ABS(A{r})",
    "MAX(A{r}:C{r})-MIN(A{r}:C{r})",
    "A{r}+B{r}-A{r}-B{r}",
    "A{r}=B{r}",
    "AND(A{r}>0,B{r}>0)",
    "ISNUMBER(A{r})",
    "ISBLANK(A{r})",
    "LEFT(A{r},2)",
    "COUNTIF(A$2:A$50,B{r})",
    'SUMIF(A$2:A$50,">"&B{r},B$2:B$50)',
    "VLOOKUP(A{r},A$2:D$20,2,FALSE)",
    "MATCH(A{r},A$2:A$20,0)",
    "INDEX(A$2:D$20,2,3)+A{r}",
    'SUMIFS(A$2:A$40,B$2:B$40,">0",C$2:C$40,"<"&A{r})',
    "ROUND(E{p}+A{r},2)",
    "DATE(2024,A{r},1)",
    "YEAR(A{r}+45000)",
    "SQRT(A{r})",
    "COUNT(A{r}:D{r})",
    "AVERAGE(A{r}:D{r})",
    "A{r}+0.1+0.2-0.3",
    'XLOOKUP(A{r},A$2:A$20,B$2:B$20,"no")',
    "LARGE(A$2:A$20,2)+C{r}",
    "MOD(A{r},7)",
    "NOT(C{r})",
    'SUM(A{r},B{r},"3")',
    'TEXT(A{r},"0.00")&"x"',
    "CHOOSE(2,A{r},B{r})",
    'A{r}<>""',
    "PR_LATE_FILE(A{r},B{r})",
    "IF(A{r}>0,PR_LATE_FILE(A{r},30),0)",
    "PR_SURCHARGE(A{r}+1,,)",
]


def test_long_runs_come_out_as_cells_computed_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(5)
    odd = [
        "12.5",
        "$5",
        "(3)",
        "abc",
        "10%",
        "1,234.5",
        "TRUE",
        " 7 ",
        "2024-01-31",
        True,
        False,
        "=1/0",
        None,
        0.1,
        1e-9,
    ]

    def some() -> object:
        return (
            chance.choice(odd) if chance.random() < 0.2 else round(chance.uniform(-100, 100), chance.choice([0, 1, 2]))
        )

    contents: dict[str, object] = {"E1": 1}
    monkeypatch.setattr(translate, "LONG", 100)
    last = 150
    letters = ["".join((a, b)).strip() for a in " A" for b in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    for row in range(2, last):
        for letter in "ABCD":
            if (value := some()) is not None:
                contents[f"{letter}{row}"] = value
        for letter, formula in zip(letters[5:], FILLED, strict=False):
            contents[f"{letter}{row}"] = "=" + formula.format(r=row, p=row - 1)
    data = workbook(contents)
    quick = compute(data)
    monkeypatch.setattr(translate, "LONG", 10**9)
    exact = compute(data)
    assert len(quick.formulas.runs) < 3 * len(FILLED)
    assert quick.calculation.unsupported == exact.calculation.unsupported
    assert quick.notices() == exact.notices()
    for run in exact.formulas.runs:
        for row in range(run.first, run.last + 1):
            one, two = (b.calculation.values[0](row, run.column) for b in (quick, exact))
            assert (type(one), one) == (type(two), two), (run.template.text, row)


def test_the_engine_takes_what_the_package_lets_in() -> None:
    """A workbook of 300,000 rows was refused by the engine's own limit on its input."""
    limits = Limits()
    assert LOAD_LIMITS["max_part_bytes"] >= limits.member_bytes
    assert min(LOAD_LIMITS["max_input_bytes"], LOAD_LIMITS["max_expanded_bytes"]) >= limits.total_bytes
