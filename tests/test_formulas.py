"""Formulas read, written, and what rests on what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recargos.workbook.cells import Block
from recargos.workbook.context import Context, DefinedName, Table
from recargos.workbook.formulas import Formulas, Regions, normal
from recargos.workbook.syntax import (
    Binary,
    Call,
    Error,
    FormulaError,
    Name,
    Number,
    Omitted,
    Ref,
    Structured,
    Unary,
    bare,
    parse,
    written,
)
from support.engine import at, names

CONTEXT = Context(
    ["Data", "It's é & x", "Out"],
    [Table("Deudas", 0, 1, 1, 12, 4, 1, 1, ("Cliente", "Tax", "Days late", "Pen#1"))],
    [
        DefinedName("Rate", None, "0.05"),
        DefinedName("Base", None, "Data!$B$2:$B$11"),
        DefinedName("Surcharge", None, "PR_SURCHARGE(Data!$B1,30)"),
        DefinedName("Rate", 2, "Data!$Z$9"),
        DefinedName("Moving", None, "OFFSET(Data!$A$1,0,0,5,1)"),
        DefinedName("Left", None, "!A1"),
    ],
)


def formulas(*cells: tuple[str, str], context: Context = CONTEXT) -> Formulas:
    """Formulas by address; "B2:B9" is filled down from B2."""
    found = Formulas(context)
    for where, text in cells:
        sheet, _, place = where.rpartition("!")
        first, _, last = place.partition(":")
        top, bottom = at(first), at(last or first)
        found.add(
            int(sheet or 0),
            Block(top.column, top.row, bottom.row, text.removeprefix("="), "normal", (top.row, top.column)),
        )
    return found


# ------------------------------------------------------------------------------------------------------- the grammar

SPELLINGS = [
    "PR_X(A2,,B2)", "[1]!PR_X(A1)", "_xll.PR_X(A1)", r"'C:\x y\a.xlam'!PR_X(A1)", "SUM(A1:A3 A2:A5)", "SUM((A1,A2))",
    "Deudas[[#This Row],[Tax]]*2", "[@Tax]", "[@[Days late]]", "@A1:A3", "A1#", "_xlfn.SINGLE(A1)", "-2^2", "{1,2;3,-4}",
    "'It''s é & x'!A1", "Añó!B2:C3", "'Sheet1:Sheet3'!A1", "LAMBDA(x,x+1)(4)", "1e5+1.5E-3", "A:A+1:1+$A1:B$2", '"a""b"&x',
    "#REF!+#N/A", "IF(,1,)", "A1%", "'[1]Sheet1'!A1", "INDEX(A1:A3,1):B3", "TRUE+TRUE()", "R1C1", "Data!Name", "5%%",
    "_xlfn.LET(_xlpm.x,1,_xlpm.x+1)", "(A1,B1) C1", "2^-3^2", "-(1+2)^2", "a-(b-c)", '"x"&(1=2)', "LOG10(A1)", "1-(2-3)-4",
    "Deudas[[Tax]:[Pen'#1]]", "_xlfn._xlws.FILTER(A1:A2,B1:B2)", "SUM(Data!A:A)", "A1:B2:C3", "Deudas[]", "{\"a\",TRUE,#N/A}",
]  # fmt: skip


@pytest.mark.parametrize("text", SPELLINGS)
def test_what_is_read_is_written_again(text: str) -> None:
    assert written(parse(text)) == text


def test_signs_bind_as_in_excel() -> None:
    assert parse("-2^2") == Binary("^", Unary("-", Number("2")), Number("2"))
    assert parse("1-2-3") == Binary("-", Binary("-", Number("1"), Number("2")), Number("3"))
    assert parse("1+2=3") == Binary("=", Binary("+", Number("1"), Number("2")), Number("3"))


def test_references_in_every_spelling() -> None:
    plain = Ref(None, 1, 1, 3, 2, False, False, False, False)
    assert parse("A1:B3") == parse("B3:A1") == parse(" a1:b3 ") == plain
    assert parse("Data!A1:B3") == parse("Data!A1:Data!B3") == parse("'Data'!A1:B3")
    assert parse("$A$1") == Ref(None, 1, 1, 1, 1, True, True, True, True)
    assert parse("B:B") == Ref(None, 1, 2, 1048576, 2, True, False, True, False)
    assert parse("#REF!A1") == Error("#REF!")
    assert isinstance(parse("XFE1"), Name), "a column beyond XFD is a name"
    assert isinstance(parse("LOG10(A1)"), Call)


@pytest.mark.parametrize(
    "text", ["", "1+", "SUM(A1", "A1 +* 2", "{A1}", '"open', "A1)", "F(1 2)", "=1", "(" * 300 + "1" + ")" * 300]
)
def test_what_is_no_formula_is_refused(text: str) -> None:
    with pytest.raises((FormulaError, RecursionError)):
        parse(text)


@given(st.text(alphabet="ABPR_1$:!'\"()[]{},;+-*/^&=<> .#@%xé\\", max_size=40))
def test_reading_never_fails_otherwise(text: str) -> None:
    try:
        tree = parse(text)
    except FormulaError:
        return
    assert parse(written(tree)) == tree


@pytest.mark.parametrize(
    ("stored", "name"),
    [
        ("PR_X", "PR_X"), ("pr_x", "PR_X"), ("_xll.PR_X", "PR_X"), ("_xlfn.XLOOKUP", "XLOOKUP"),
        ("_xlfn._xlws.SORT", "SORT"), ("_xldudf_RECARGOS_PR_LATE_FILE", "PR_LATE_FILE"), ("_xludf.PR_X", "PR_X"),
    ],
)  # fmt: skip
def test_prefixes_of_files_are_no_part_of_a_function(stored: str, name: str) -> None:
    assert bare(stored) == name


def test_an_omitted_argument_is_not_none() -> None:
    assert parse("F(,1,)") == Call("F", (Omitted(), Number("1"), Omitted()), "F")
    assert parse("F()") == Call("F", (), "F")


# ------------------------------------------------------------------------------------------------------- PR_ calls

STORED = [
    "PR_SURCHARGE(A2,B2)",
    "pr_surcharge(A2,B2)",
    "[1]!PR_SURCHARGE(A2,B2)",
    "_xll.PR_SURCHARGE(A2,B2)",
    "_xldudf_RECARGOS_PR_SURCHARGE(A2,B2)",
    "_xlfn.SINGLE(PR_SURCHARGE(A2,B2))",
    "@PR_SURCHARGE(A2,B2)",
    "ROUND(1+PR_SURCHARGE(A2,B2),2)",
    r"'C:\Users\x\AppData\recargos.xlam'!PR_SURCHARGE(A2,B2)",
    'IF(A2="","",PR_SURCHARGE(A2,B2))',
    "Surcharge*2",
    "_xlfn.LET(_xlpm.x,PR_SURCHARGE(A2,B2),_xlpm.x)",
    "SUM({1,2})+Surcharge",
]


@pytest.mark.parametrize("text", STORED)
def test_every_stored_form_of_a_call_is_found(text: str) -> None:
    found = formulas(("C2", text), ("D2", "C2+1"), ("E2", "A2+1"))
    assert names(found.pr) == ["C2"]
    assert names(found.dependents(found.pr)) == ["D2"]
    assert not found.external
    assert "PR_SURCHARGE" in found.functions(at("C2"))


@pytest.mark.parametrize(
    "text", ['"PR_SURCHARGE(A2)"', "XPR_SURCHARGE(A2)", "PR_SURCHARGE", "'PR_SURCHARGE('!A1", "MYPR_X(1)"]
)
def test_what_only_looks_like_a_call_is_none(text: str) -> None:
    found = formulas(("C2", text), context=Context(["Data", "PR_SURCHARGE("]))
    assert not found.pr


def test_a_call_in_a_formula_that_cannot_be_read_still_counts() -> None:
    found = formulas(("C2", "PR_SURCHARGE(A2,B2)+NoTable[Tax]"), ("D2", "C2"))
    assert names(found.pr) == ["C2"]
    assert names(found.unreadable) == ["C2"]
    assert names(found.dependents(found.pr)) == ["C2", "D2"]


# --------------------------------------------------------------------------------------------- what rests on what


@pytest.mark.parametrize(
    "text",
    [
        "C2", "$C$2", "SUM(C:C)", "SUM(2:2)", "SUM(A1:Z9)", "SUM(Data!C2)", "VLOOKUP(1,Data!A1:C9,3)", "SUMIF(A1:A3,1,C1)",
        "A1:INDEX(C:C,9)", "SUM((A1,C2))", "SUM(A2:D2 C1:C5)", "SUM('Data:Out'!C2)", "Deudas[Days late]", "Deudas",
        "Deudas[[#This Row],[Days late]]", "INDIRECT(\"x\"&1)", "OFFSET(A1,1,2)", "Moving", "IF(1,C2)", "C1#+C2",
        "SUM(Deudas[[Tax]:[Pen'#1]])", "_xlfn.LET(_xlpm.a,C2,_xlpm.a)", "NoSuchTable[Tax]",
    ],
)  # fmt: skip
def test_dependence_through(text: str) -> None:
    found = formulas(("C2", "PR_SURCHARGE(A2,B2)"), ("H2", text), ("I2", "1+1"))
    assert names(found.dependents(found.pr)) == ["H2"]


@pytest.mark.parametrize(
    "text", ["C3", "SUM(D:E)", "Out!C2", "Deudas[Tax]", "Rate", '"C2"', "SUM(C3:C9)", "SUMIF(A1:A3,1,D1)"]
)
def test_no_dependence_through(text: str) -> None:
    found = formulas(("C2", "PR_SURCHARGE(A2,B2)"), ("H2", text))
    assert not found.dependents(found.pr)


def test_through_sheets_names_and_back() -> None:
    found = formulas(
        ("0!C2", "PR_SURCHARGE(A2,B2)"),
        ("1!A1", "Data!C2"),
        ("2!B5", "'It''s é & x'!A1*Rate"),
        ("0!Z9", "Out!B5"),
        ("2!C5", "Rate"),
    )
    assert names(found.dependents(found.pr)) == ["Z9", "1!A1", "2!B5", "2!C5"]


def test_only_the_rows_that_rest_on_it() -> None:
    found = formulas(("C5", "PR_SURCHARGE(A5,B5)"), ("D2:D9", "C2*2"), ("E2:E9", "SUM(C$2:C2)"), ("F2:F9", "C3"))
    assert names(found.dependents(found.pr)) == ["D5", "E5", "E6", "E7", "E8", "E9", "F4"]


def test_a_running_balance_carries_on() -> None:
    found = formulas(("C3", "PR_SURCHARGE(A3,B3)"), ("D2:D100000", "D1+C2"), ("E2:E100000", "E3+C2"))
    assert names(found.dependents(found.pr))[:2] == ["D3", "D4"]
    assert found.dependents(found.pr).rows(0, 4) == [(3, 100000)]
    assert found.dependents(found.pr).rows(0, 5) == [(2, 3)]


def test_columns_that_feed_each_other_row_by_row() -> None:
    found = formulas(("B2:B500", "C1"), ("C2:C500", "B2+PR_SURCHARGE(A2,1)"), ("D2:D500", "B2*2"))
    assert found.dependents(found.pr).rows(0, 2) == [(3, 500)]
    assert found.dependents(found.pr).rows(0, 4) == [(3, 500)]


def test_ranges_written_backwards_or_turning_over() -> None:
    found = formulas(("C8", "PR_SURCHARGE(A8,B8)"), ("D2:D20", "SUM(C$10:C2)"))
    assert found.dependents(found.pr).rows(0, 4) == [(2, 8)]


def test_the_search_stops_where_it_is_told() -> None:
    found = formulas(("C2", "PR_SURCHARGE(A2,B2)"), ("D2", "C2"), ("E2", "D2"))
    assert names(found.dependents(found.pr, stop=Regions([at("D2")]))) == ["D2"]


def test_arrays_fill_their_area() -> None:
    found = Formulas(CONTEXT)
    found.add(0, Block(3, 2, 2, "PR_SURCHARGE(A2:A4,B2:B4)", "array", (2, 3), (2, 3, 4, 3), True))
    found.add(0, Block(8, 1, 1, "C4", "normal", (1, 8)))
    assert names(found.pr) == ["C2", "C3", "C4"]
    assert names(found.dependents(found.pr)) == ["H1"]
    found.add(0, Block(6, 1, 1, "A1", "array", (1, 6), (1, 6, 2, 7), False))
    assert names(found.dependents(Regions([at("A1")]))) == ["F1", "F2", "G1", "G2"]


def test_volatile_external_and_data_tables_are_told_apart() -> None:
    found = formulas(
        ("A1", "TODAY()"),
        ("A2", "[2]Sheet1!A1"),
        ("A3", "Moving"),
        ("A4", "[1]!Rates*2"),
        ("A5", "1"),
        ("A6", "'[1]x'!PR_SURCHARGE(1,2)"),
    )
    found.add(0, Block(1, 7, 8, "", "dataTable", (7, 1), (7, 1, 8, 1)))
    assert names(found.volatile) == ["A1", "A3"]
    assert names(found.external) == ["A2", "A4"]
    assert names(found.data_tables) == ["A7", "A8"]
    assert names(found.pr) == ["A6"]


def test_names_are_seen_from_the_cell() -> None:
    context = Context(["S"], [], [DefinedName("Above", None, "S!A1048576"), DefinedName("Here", None, "S!$C1")])
    found = formulas(("D5", "Above+Here"), context=context)
    uses = {(use.columns(4), use.rows(5)) for run in found.runs for use in run.template.uses}
    assert uses == {((4, 4), (4, 4)), ((3, 3), (5, 5))}


def test_a_name_that_refers_to_itself_is_no_endless_loop() -> None:
    context = Context(["S"], [], [DefinedName("A_", None, "B_+1"), DefinedName("B_", None, "A_+1")])
    assert names(formulas(("D5", "A_"), context=context).unreadable) == ["D5"]


@pytest.mark.parametrize(
    ("spec", "rows", "columns"),
    [
        ("[Tax]", (2, 11), (2, 2)), ("[#All]", (1, 12), (1, 4)), ("[[#Headers],[Tax]]", (1, 1), (2, 2)),
        ("[[#Totals],[Tax]:[Pen'#1]]", (12, 12), (2, 4)), ("[[#Headers],[#Data],[Days late]]", (1, 11), (3, 3)),
        ("[ [#This Row], [tax] ]", (5, 5), (2, 2)), ("[@]", (5, 5), (1, 4)), ("[]", (2, 11), (1, 4)),
        ("[[Tax]:[Days late]]", (2, 11), (2, 3)),
    ],
)  # fmt: skip
def test_structured_references(spec: str, rows: tuple[int, int], columns: tuple[int, int]) -> None:
    found = formulas(("H5", "SUM(Deudas" + spec + ")"))
    (use,) = found.runs[0].template.uses
    assert (use.rows(5), use.columns(8)) == (rows, columns)


def test_this_row_outside_the_rows_is_an_error() -> None:
    found = formulas(("H40", "Deudas[[#This Row],[Tax]]"), ("D2:D11", "[@Tax]*2"))
    assert found.runs[0].template.tree == Error("#VALUE!")
    assert found.runs[1].template.uses[0].rows(7) == (7, 7)
    assert isinstance(parse("[@Tax]"), Structured)


def test_shared_formulas_are_written_out() -> None:
    found = formulas(("D2:D9", "SUM($A2:B$3)+'It''s é & x'!A1&\"A1\""))
    assert found.text(at("D4")) == "SUM($A4:B$3)+'It''s é & x'!A3&\"A1\""


@given(st.integers(1, 500), st.integers(1, 60), st.integers(1, 500))
def test_filled_formulas_are_one_template(row: int, column: int, other: int) -> None:
    def text(r: int) -> str:
        return f'IF(B{r}>$C{r},ROUND(A$1*B{r + 1},2),SUM(D{r}:E{r + 3},F:F,{r}:{r}))&"B{5}"'

    assert normal(text(row), row, column) == normal(text(other), other, column)


def test_runs_grow_over_rows_that_are_written_differently() -> None:
    found = formulas(*[(f"C{r}", f"A{r}+B{r}") for r in range(2, 200)])
    assert len(found.runs) == 1


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 6)), max_size=25))
def test_regions_are_sets(spans: list[tuple[int, int]]) -> None:
    regions, plain = Regions(), set()
    for first, size in spans:
        new = regions.add(0, 1, first, first + size)
        fresh = set(range(first, first + size + 1)) - plain
        assert {r for a, b in new for r in range(a, b + 1)} == fresh
        plain |= fresh
    assert [cell.row for cell in regions] == sorted(plain)
    half = Regions(at(f"A{r}") for r in range(1, 40, 2))
    assert {c.row for c in regions & half} == {r for r in plain if r % 2}
    assert {c.row for c in regions - half} == {r for r in plain if not r % 2}
    assert {c.row for c in regions | half} == plain | set(range(1, 40, 2))


@given(
    st.lists(
        st.tuples(st.integers(1, 8), st.integers(1, 4), st.integers(1, 8), st.integers(1, 4), st.integers(0, 3)),
        min_size=1,
        max_size=14,
    )
)
def test_dependence_is_what_following_every_reference_finds(cells: list[tuple[int, int, int, int, int]]) -> None:
    texts: dict[str, tuple[str, set[str]]] = {}
    for row, column, to_row, to_column, size in cells:
        where, first = f"{'ABCD'[column - 1]}{row}", f"{'ABCD'[to_column - 1]}{to_row}"
        last = f"{'ABCD'[to_column - 1]}{to_row + size}"
        texts[where] = (
            f"SUM({first}:{last})",
            {f"{'ABCD'[to_column - 1]}{r}" for r in range(to_row, to_row + size + 1)},
        )
    found = formulas(*((where, text) for where, (text, _) in texts.items()))
    reached: set[str] = set()
    frontier = {"A1"}
    while frontier:
        frontier = {where for where, (_, reads) in texts.items() if reads & frontier and where not in reached}
        reached |= frontier
    assert set(names(found.dependents(Regions([at("A1")])))) == reached
