"""Rows read with one expression, by whole bands: the same as cell by cell, whatever stands between them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recargos.law import CellError
from recargos.workbook import cells as on_cells
from recargos.workbook import fast_rows, patching, scan_fast
from recargos.workbook.cells import Cells, Slow
from recargos.workbook.cellvalue import same
from recargos.workbook.changes import Changes
from recargos.workbook.columns import Columns
from recargos.workbook.formulas import normal
from recargos.workbook.refusal import Refused
from recargos.workbook.sheet import Sheet, Value
from support.raw import sheet_xml


@pytest.fixture(autouse=True, scope="module")
def small_sheets() -> Iterator[None]:
    """Let sheets of a few rows be worth what only large ones are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_rows, "_COST", 1)
        patch.setattr(fast_rows, "_AT_ONCE", 3)
        patch.setattr(on_cells, "_FEWEST", 2)
        patch.setattr(patching, "_AT_ONCE", 3)
        yield


# Cells of a row; {r} is its number, {p} that of the row above.
FORMULAS = (
    '<c r="{c}{r}"><f>A{r}*2</f><v>{r}</v></c>',
    '<c r="{c}{r}" s="3"><f>SUM(A{r}:$B{r})+C$7</f><v>0.5</v></c>',
    '<c r="{c}{r}"><f>A{p}+A{r}</f><v>1</v></c>',
    '<c r="{c}{r}" t="str"><f>IF(A{r}&gt;9,"r{r}","")</f><v>a &amp; b</v></c>',
    '<c r="{c}{r}" t="str"><f>IF(A{r}&gt;30,"late",10)</f><v></v></c>',
    '<c r="{c}{r}"><f>A{r}</f></c>',
    '<c r="{c}{r}"><f>A{r}</f><v/></c>',
    '<c r="{c}{r}"><f>A{r}</f><v /></c>',
    '<c r="{c}{r}" t="str"><f>A{r}</f><v xml:space="preserve"> x </v></c>',
    '<c r="{c}{r}"><f t="shared" si="0"/><v>{r}</v></c>',
    '<c r="{c}{r}" t="e"><f t="shared" si="1"/><v>#N/A</v></c>',
    '<c r="{c}{r}"><f t="shared" si="{r}" ref="{c}{r}">A{r}</f><v>1</v></c>',
    '<c r="{c}{r}"><f ca="1">NOW()</f><v>1</v></c>',
    '<c r="{c}{r}" cm="1"><f t="array" ref="{c}{r}">A{r}</f><v>1</v></c>',
)
INPUTS = (
    '<c r="{c}{r}"><v>7</v></c>',
    '<c r="{c}{r}" s="2"/>',
    '<c r="{c}{r}" s="2" t="s"><v>0</v></c>',
    '<c r="{c}{r}" t="inlineStr"><is><t>é</t></is></c>',
    '<c r="{c}{r}" t="inlineStr"><is><r><rPr><b/></rPr><t xml:space="preserve"> x</t></r></is></c>',
    '<c r="{c}{r}" t="str"><v>&lt;f&gt;</v></c>',
    "",
)
MASTERS = '<c r="Y{r}"><f t="shared" ref="A1:Z9999" si="0">A{r}+1</f><v>1</v></c><c r="Z{r}"><f t="shared" ref="A1:Z9999" si="1">$A{r}</f><v>1</v></c>'
ODD = (
    '<c r="{c}{r}"><f>A{r}*3</f><v>1</v></c>',
    '<c r="{c}{r}"><f>A1*{r}</f><v>1</v></c>',
    '<c r="{c}{p}"><f>A{r}*2</f><v>1</v></c>',  # a cell of the row above
    '<c r="{c}{n}"><f>A{n}*2</f><v>1</v></c>',
    '<c r="{c}{r}" s="9"><f>A{r}*2</f><v>1</v></c>',
    '<c r="{c}{r}" t="e"><f>A{r}*2</f><v>#N/A</v></c>',
    '<c r="{c}{r}" t="martian"><f>A{r}*2</f><v>1</v></c>',
    '<c  r="{c}{r}"><f>A{r}*2</f><v>1</v></c>',
    "<c r='{c}{r}'><f>A{r}*2</f><v>1</v></c>",
    "<c><f>A{r}*2</f><v>1</v></c>",
    '<c r="{c}{r}"><f>A{r}*2</f><v>1<!-- 2 --></v></c>',
    '<c r="{c}{r}"><f><![CDATA[A{r}]]></f><v>1</v></c>',
    '<!-- <c r="{c}{r}"><f>A{r}*2</f><v>1</v></c> -->',
    '<?x <c r="{c}{r}"><f>A{r}*2</f><v>1</v></c> ?>',
    '<c r="{c}{r}"><f>A{r}*2</f><v>1</v></c><c r="{c}{r}"><f>A{r}*2</f><v>1</v></c>',
    '<c r="{c}{r}"><f t="array" ref="{c}{r}:{c}{n}">A{r}</f><v>1</v></c>',
    '<c r="{c}{r}"><v>1</v><f>A{r}*2</f></c>',
    '<c r="{c}{r}"><f>A{r}*2</f><v>1</v><extLst/></c>',
    '<x><f>1</f></x>',
    '<c r="{c}{r}"><<f>A{r}*2</f><v>1</v></c>',
    '<c r="{c}{r}"><x xmlns="urn:x"/></c>',
    '</row><row r="{r}">',
    '</row><row r="{p}">',
    '</row><row>',
    "</row>",
    "\n  ",
    MASTERS,
)  # fmt: skip


@st.composite
def sheets(draw: st.DrawFn) -> str:
    """Rows of one shape, some of them with something odd, across the places where row numbers grow longer."""
    shape = draw(st.lists(st.sampled_from(FORMULAS + INPUTS), min_size=1, max_size=6))
    first = draw(st.sampled_from([1, 2, 5, 6, 7, 94, 95, 994]))
    count = draw(st.integers(4, 14))
    odd = draw(
        st.dictionaries(st.integers(1, count), st.tuples(st.integers(0, 7), st.sampled_from(ODD + INPUTS)), max_size=3)
    )
    gaps = draw(st.lists(st.integers(2, count), max_size=1))
    space = draw(st.sampled_from(["", "", "\n"]))
    if draw(st.booleans()):
        shape = ['<c r="{c}{r}"><v>{r}</v></c>', *shape]
    rows = []
    number = first
    for at in range(count):
        number += 1 + (at in gaps)
        parts = list(shape)
        if at in odd:
            place, what = odd[at]
            parts[place : place + 1] = [what]
        names = {"r": number, "p": number - 1, "n": number + 1}
        written = "".join(part.format(c="BCDEFGHIJ"[offset], **names) for offset, part in enumerate(parts))
        rows.append(f'<row r="{number}" spans="1:9">{MASTERS.format(r=number) if not at else ""}{written}</row>{space}')
    if draw(st.integers(0, 9)) == 0 and 't="array"' not in "".join(rows):  # neither scan is sure of these then
        rows.reverse()
    return sheet_xml("".join(rows))


def outcome(xml: str, fast: bool) -> Sheet | None:
    try:
        return Sheet.scan(xml.encode(), fast=fast)
    except Refused:
        return None


def formulas(sheet: Sheet) -> list[tuple[int, int, str]]:
    """Every formula, blocks written out."""
    return sorted(
        (row, b.column, f"{b.kind} {normal(b.text, *b.origin)} {b.ref} {b.dynamic}")
        for b in sheet.blocks
        for row in range(b.first_row, b.last_row + 1)
    )


def check_the_same(one: Sheet, two: Sheet) -> None:
    for name in ("rows", "columns", "starts", "froms", "tos", "kinds", "stored", "filled"):
        assert getattr(one._cells, name) == getattr(two._cells, name), name
    assert [one.value(at) for at in range(len(one))] == [two.value(at) for at in range(len(two))]
    assert formulas(one) == formulas(two)
    places = list(zip(one.rows, one.columns, strict=True))
    for band in one.bands:
        grid = [(row, column) for row in range(band.first_row, band.last_row + 1) for column in band.columns]
        assert places[band.at : band.end()] == grid
    by_column, low, high = Columns(one), min(one.rows, default=1), max(one.rows, default=1)
    for column in range(1, 28):
        for first, last in ((low, high), (low + 2, high - 1)):
            wanted = [at for at, (row, at_column) in enumerate(places) if at_column == column and first <= row <= last]
            found = by_column.at(column, first, last)
            assert list(found) == sorted(wanted, key=one.rows.__getitem__)
            assert list(map(repr, one.values(found))) == [repr(one.value(at)) for at in found]
    assert all(by_column.index(*place) == at for at, place in enumerate(places))


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sheets())
def test_regular_rows_with_odd_ones_between_them_are_read_as_the_general_scan_reads_them(xml):
    one, two = outcome(xml, True), outcome(xml, False)
    assert (one is None) == (two is None)
    if one is not None and two is not None:
        check_the_same(one, two)


def rows(first: int, last: int, *parts: str) -> str:
    """Rows of one shape."""
    return "".join(
        f'<row r="{r}">{"".join(part.format(c="BCDEFGHIJ"[at], r=r, p=r - 1, n=r + 1) for at, part in enumerate(parts))}</row>'
        for r in range(first, last + 1)
    )


def read_at_once(xml: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Cells, int]:
    """The cells of a quick scan, and how many of them were read by rows."""
    kept = []

    class Kept(fast_rows.RowsAlike):
        def __init__(self, *of: object) -> None:
            super().__init__(*of)  # type: ignore[arg-type]
            kept.append(self)

    monkeypatch.setattr(scan_fast, "RowsAlike", Kept)
    cells = scan_fast.scan(xml.encode())
    return cells, kept[0].cells_read


SHARED = (MASTERS, FORMULAS[9], INPUTS[0], FORMULAS[10])
REGULAR = {
    "own texts": rows(1, 40, FORMULAS[0], INPUTS[0], FORMULAS[1]),
    "the row above": rows(2, 40, FORMULAS[2], INPUTS[1], INPUTS[2]),
    "shared": rows(1, 1, *SHARED) + rows(2, 40, "", *SHARED[1:]),
    "without values": rows(1, 40, FORMULAS[5], FORMULAS[6], FORMULAS[7]),
    "texts": rows(1, 40, FORMULAS[4], FORMULAS[8], INPUTS[4]),
    "lines": rows(1, 40, FORMULAS[0], INPUTS[3], FORMULAS[1]).replace("><c", ">\n  <c").replace("</row>", "\n</row>\n"),
    "other inputs in each": "".join(rows(r, r, INPUTS[r % 7], FORMULAS[0], INPUTS[r % 5]) for r in range(1, 41)),
    "other types in each": "".join(rows(r, r, INPUTS[0], ('<c r="{c}{r}">', '<c r="{c}{r}" t="e">')[r % 2] + FORMULAS[0][14:], FORMULAS[1]) for r in range(1, 41)),
}  # fmt: skip


@pytest.mark.parametrize("name", REGULAR)
def test_most_rows_of_a_regular_sheet_are_read_at_once(name, monkeypatch):
    xml = sheet_xml(REGULAR[name])
    cells, at_once = read_at_once(xml, monkeypatch)
    assert at_once > 0.6 * len(cells.rows)
    one, two = outcome(xml, True), outcome(xml, False)
    assert one is not None
    assert two is not None
    assert one.fast
    assert one.bands
    check_the_same(one, two)


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("odd", ODD)
def test_one_odd_row_does_not_hide_in_the_others(odd, place):
    shape = [FORMULAS[0], FORMULAS[1]]
    row = [*shape]
    row[place : place + 1] = [odd]
    xml = sheet_xml(rows(11, 24, *shape) + rows(25, 25, *row) + rows(26, 40, *shape))
    one, two = outcome(xml, True), outcome(xml, False)
    assert (one is None) == (two is None)
    if one is not None and two is not None:
        check_the_same(one, two)


ELSEWHERE = {
    "first learnt where row numbers grow": rows(9, 40, FORMULAS[2], FORMULAS[0]),
    "another master of the same number": rows(1, 1, *SHARED) + rows(2, 20, "", *SHARED[1:])
    + rows(21, 21, "", *SHARED[1:]).replace("</row>", MASTERS.format(r=21).replace("+1", "+2") + "</row>") + rows(22, 40, "", *SHARED[1:]),
    "a row skipped": rows(11, 20, *FORMULAS[:3]) + rows(22, 40, *FORMULAS[:3]),
    "rows out of order": rows(11, 20, *FORMULAS[:3]) + rows(31, 40, *FORMULAS[:3]) + rows(21, 30, *FORMULAS[:3]),
}  # fmt: skip


@pytest.mark.parametrize("name", ELSEWHERE)
def test_bands_end_where_they_must(name, monkeypatch):
    xml = sheet_xml(ELSEWHERE[name])
    assert read_at_once(xml, monkeypatch)[1]
    one, two = outcome(xml, True), outcome(xml, False)
    assert one is not None
    assert two is not None
    check_the_same(one, two)


@pytest.mark.parametrize("hidden", ["<<f>1</f>", "<x><f>1</f></x>", "<f/>", '<c r="A25"><f a=">">1</f></c>'])
@pytest.mark.parametrize("inputs", [False, True])
def test_a_formula_that_no_expression_names_is_never_passed_over(hidden, inputs, monkeypatch):
    """Also in a part too large to be parsed as a whole, whose damage nobody else would see."""
    shape = [FORMULAS[0], *([INPUTS[0]] if inputs else []), FORMULAS[1]]
    plain = rows(11, 40, *shape)
    xml = sheet_xml(plain.replace('<c r="B25">', hidden + '<c r="B25">'))
    with pytest.raises(Slow):
        read_at_once(xml, monkeypatch)
    assert read_at_once(sheet_xml(plain), monkeypatch)[1]


def test_an_irregular_sheet_is_given_up_on(monkeypatch):
    monkeypatch.setattr(fast_rows, "_COST", 400)
    compiled = []
    monkeypatch.setattr(fast_rows._Expression, "_cell", lambda *of: compiled.append(of))
    text = "".join(rows(r, r, FORMULAS[r % 2], INPUTS[r % 7], FORMULAS[0]) for r in range(1, 2000))
    scan_fast.scan(sheet_xml(text).encode())
    assert len(compiled) < 200


# ------------------------------------------------------------------------------------------------ compare and patch
NEW = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.floats(), st.sampled_from([0.0, -0.0, 1.0, 7.0, 1e22, 1e-7]),
    st.sampled_from(list(CellError)), st.sampled_from(["", "1", "a & b", " x", "#N/A", "é\x01"]),
)  # fmt: skip
OLD = st.sampled_from(["0", "1", "7.0", "1.00000000000001", "nan", "", "x", "1E-7", "-0", " 1 "])


class Given:
    """An engine's values of one column."""

    def __init__(self, values: list[Value]) -> None:
        self.values = values

    def __call__(self, row: int, column: int) -> Value:
        return self.values[row - 1]

    def down(self, column: int, first: int, last: int) -> list[Value]:
        return self.values[first - 1 : last]


@settings(max_examples=300, deadline=None)
@given(st.data(), st.sampled_from(['<c r="B{r}">', '<c r="B{r}" t="str">']), st.booleans())
def test_a_column_is_compared_and_patched_as_its_cells_are_one_by_one(data, tag, mixed):
    count = data.draw(st.integers(3, 12))
    olds = data.draw(st.lists(OLD if mixed else st.sampled_from(["0", "1", "7.5"]), min_size=count, max_size=count))
    kind = data.draw(st.sampled_from([NEW, st.floats(), st.floats(0, 9).map(lambda x: round(x, 1)), st.text("ab ")]))
    news = data.draw(st.lists(kind, min_size=count, max_size=count))
    pieces = "".join(
        f'<row r="{r}">{tag.format(r=r)}<f>A{r}</f><v>{old}</v></c></row>' for r, old in enumerate(olds, 1)
    )
    sheet = Sheet.scan(sheet_xml(pieces).encode())
    values = [0.0 if new is None else new for new in news]
    wanted = [(at, new) for at, new in enumerate(values) if not same(sheet.value(at), new)]
    found = Columns(sheet).compare(2, 1, count, Given(news))
    assert list(map(repr, zip(found.indexes, found.values, strict=True))) == list(map(repr, wanted))
    assert found.cells == count
    assert repr(found.after) == repr(sum(new for new in news if type(new) is float))
    changes = Changes(count)
    changes.add(found.indexes, found.values)
    assert len(changes) == len(wanted)
    assert list(map(repr, changes)) == list(map(repr, wanted))
    # What is written for many is what is written for each alone.
    one_by_one = sheet
    for change in wanted:
        one_by_one = Sheet.scan(one_by_one.patched([change]))
    assert sheet.patched(changes) == one_by_one.xml
