"""Cells found and patched in the bytes, for every legal spelling of SpreadsheetML."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recargos.law import CellError
from recargos.workbook.cells import address, area, column_letters, column_number
from recargos.workbook.cellvalue import NUMBER, decoded, encoded, number, same
from recargos.workbook.formulas import normal
from recargos.workbook.package import Package, Refused
from recargos.workbook.sheet import Sheet, Value
from support.raw import CORPUS, MAIN, corpus, needs_corpus, sheet_xml, without_values

X = f'xmlns:x="{MAIN}"'


def one(cell: str) -> str:
    return sheet_xml(f'<row r="1">{cell}</row>')


def scan(xml: str | bytes, fast: bool = True, **more: object) -> Sheet:
    return Sheet.scan(xml.encode(errors="surrogateescape") if isinstance(xml, str) else xml, fast=fast, **more)  # type: ignore[arg-type]


def values(sheet: Sheet) -> list[Value]:
    return [sheet.value(index) for index in range(len(sheet))]


def texts(sheet: Sheet) -> dict[tuple[int, int], str]:
    """Formulas by cell, blocks written out by their normal form."""
    found = {}
    for block in sheet.blocks:
        for row in range(block.first_row, block.last_row + 1):
            found[row, block.column] = f"{block.kind} {normal(block.text, *block.origin)} {block.ref}"
    return found


# ------------------------------------------------------------------------------------------------------- spellings
# cell as it is · its value · the new value · the cell as it then is
SPELLINGS = {
    "plain": ('<c r="A1"><f>B1</f><v>1</v></c>', 1.0, 2.5, '<c r="A1"><f>B1</f><v>2.5</v></c>'),
    "style": ('<c r="A1" s="3"><f>B1</f><v>1</v></c>', 1.0, 2.0, '<c r="A1" s="3"><f>B1</f><v>2</v></c>'),
    "number to text": ('<c r="A1" s="3"><f>B1</f><v>1</v></c>', 1.0, "a<b", '<c r="A1" s="3" t="str"><f>B1</f><v>a&lt;b</v></c>'),
    "text to number": ('<c r="A1" t="str" s="3"><f>B1</f><v>x</v></c>', "x", 0.1, '<c r="A1" s="3"><f>B1</f><v>0.1</v></c>'),
    "text to text": ('<c r="A1" t="str"><f>B1</f><v>x</v></c>', "x", "y&z", '<c r="A1" t="str"><f>B1</f><v>y&amp;z</v></c>'),
    "text with edges": ('<c r="A1" t="str"><f>B1</f><v>x</v></c>', "x", " y", '<c r="A1" t="str"><f>B1</f><v xml:space="preserve"> y</v></c>'),
    "edges kept": ('<c r="A1" t="str"><f>B1</f><v xml:space="preserve"> x</v></c>', " x", " y", '<c r="A1" t="str"><f>B1</f><v xml:space="preserve"> y</v></c>'),
    "error to number": ('<c r="A1" t="e"><f>B1</f><v>#N/A</v></c>', CellError.NA, 3.0, '<c r="A1"><f>B1</f><v>3</v></c>'),
    "number to error": ('<c r="A1"><f>B1</f><v>1</v></c>', 1.0, CellError.NUM, '<c r="A1" t="e"><f>B1</f><v>#NUM!</v></c>'),
    "error text stays text": ('<c r="A1"><f>B1</f><v>1</v></c>', 1.0, "#REF!", '<c r="A1" t="str"><f>B1</f><v>#REF!</v></c>'),
    "true": ('<c r="A1" t="b"><f>B1</f><v>1</v></c>', True, False, '<c r="A1" t="b"><f>B1</f><v>0</v></c>'),
    "true to number": ('<c r="A1" t="b"><f>B1</f><v>1</v></c>', True, 1.0, '<c r="A1"><f>B1</f><v>1</v></c>'),
    "explicit number": ('<c r="A1" t="n"><f>B1</f><v>1</v></c>', 1.0, "s", '<c r="A1" t="str"><f>B1</f><v>s</v></c>'),
    "no value": ('<c r="A1" s="1"><f>B1</f></c>', None, 2.0, '<c r="A1" s="1"><f>B1</f><v>2</v></c>'),
    "empty value": ('<c r="A1"><f>B1</f><v></v></c>', None, 2.0, '<c r="A1"><f>B1</f><v>2</v></c>'),
    "empty text": ('<c r="A1" t="str"><f>B1</f><v></v></c>', "", 2.0, '<c r="A1"><f>B1</f><v>2</v></c>'),
    "closed value": ('<c r="A1"><f>B1</f><v/></c>', None, 2.0, '<c r="A1"><f>B1</f><v>2</v></c>'),
    "closed value spaced": ('<c r="A1"><f>B1</f><v /></c>', None, "t", '<c r="A1" t="str"><f>B1</f><v>t</v></c>'),
    "seventeen digits": ('<c r="A1"><f>B1</f><v>0.30000000000000004</v></c>', 0.30000000000000004, 0.5, '<c r="A1"><f>B1</f><v>0.5</v></c>'),
    "exponent": ('<c r="A1"><f>B1</f><v>1E-3</v></c>', 0.001, 1e-7, '<c r="A1"><f>B1</f><v>1E-07</v></c>'),
    "cm and vm": ('<c r="A1" t="e" cm="1" vm="2"><f t="array" ref="A1">B1</f><v>#VALUE!</v></c>', CellError.VALUE, 2.0, '<c r="A1" cm="1"><f t="array" ref="A1">B1</f><v>2</v></c>'),
    "rich number": ('<c r="A1" vm="2" s="1"><f>B1</f><v>1</v></c>', 1.0, 2.0, '<c r="A1" s="1"><f>B1</f><v>2</v></c>'),
    "rich text": ('<c r="A1" t="str" vm="2"><f>B1</f><v>a</v></c>', "a", "b", '<c r="A1" t="str"><f>B1</f><v>b</v></c>'),
    "always calculated": ('<c r="A1"><f ca="1">B1</f><v>1</v></c>', 1.0, 2.0, '<c r="A1"><f ca="1">B1</f><v>2</v></c>'),
    "entities": ('<c r="A1" t="str"><f>IF(B1&lt;2,"a&amp;b","")</f><v>a&amp;b &#8364;&#x20AC;</v></c>', "a&b €€", "é", '<c r="A1" t="str"><f>IF(B1&lt;2,"a&amp;b","")</f><v>é</v></c>'),
    "escaped control": ('<c r="A1" t="str"><f>B1</f><v>a_x000D_b_x005F_x000D_</v></c>', "a\rb_x000D_", "\x01_x0001_", '<c r="A1" t="str"><f>B1</f><v>_x0001__x005F_x0001_</v></c>'),
    "ISO date": ('<c r="A1" t="d"><f>B1</f><v>2021-01-01T12:00:00</v></c>', 44197.5, 2.0, '<c r="A1"><f>B1</f><v>2</v></c>'),
    # From here on only the general scan helps.
    "attributes in another order": ('<c s="1" r="A1"><f>B1</f><v>1</v></c>', 1.0, "t", '<c s="1" r="A1" t="str"><f>B1</f><v>t</v></c>'),
    "single quotes": ("<c r='A1' t='str'><f>B1</f><v>x</v></c>", "x", True, "<c r='A1' t='b'><f>B1</f><v>1</v></c>"),
    "space everywhere": ('<c  r = "A1"\n t\t=\t"e" >\n<f >B1</f >\n<v >#N/A</v >\n</c >', CellError.NA, 2.0, '<c  r = "A1" >\n<f >B1</f >\n<v >2</v >\n</c >'),
    "no r": ("<c><f>B1</f><v>1</v></c>", 1.0, 2.0, "<c><f>B1</f><v>2</v></c>"),
    "CDATA": ('<c r="A1" t="str"><f><![CDATA[IF(B1<2,1)]]></f><v><![CDATA[a<b]]></v></c>', "a<b", "c<d", '<c r="A1" t="str"><f><![CDATA[IF(B1<2,1)]]></f><v>c&lt;d</v></c>'),
    "comments": ('<c r="A1"><!-- <f>C1</f> --><f>B1</f><v>1<!-- 7 -->2</v></c>', 12.0, 2.0, '<c r="A1"><!-- <f>C1</f> --><f>B1</f><v>2</v></c>'),
    "inline string": ('<c r="A1" t="inlineStr"><f>B1</f><is><t>x</t><rPh sb="0" eb="1"><t>ph</t></rPh></is></c>', "x", 2.0, '<c r="A1"><f>B1</f><v>2</v></c>'),
    "rich inline string": ('<c r="A1" t="inlineStr"><f>B1</f><is><r><t>x</t></r><r><t xml:space="preserve"> y</t></r></is></c>', "x y", "z", '<c r="A1" t="str"><f>B1</f><v>z</v></c>'),
    "greater-than in an attribute": ('<c r="A1" foo="a>b" t="str"><f>B1</f><v>x</v></c>', "x", 1.0, '<c r="A1" foo="a>b"><f>B1</f><v>1</v></c>'),
    "extension behind": ('<c r="A1"><f>B1</f><v>1</v><extLst><ext uri="x"/></extLst></c>', 1.0, 2.0, '<c r="A1"><f>B1</f><v>2</v><extLst><ext uri="x"/></extLst></c>'),
    "extension and no value": ('<c r="A1"><f>B1</f><extLst/></c>', None, 2.0, '<c r="A1"><f>B1</f><v>2</v><extLst/></c>'),
    "lower-case address": ('<c r="a1"><f>B1</f><v>1</v></c>', 1.0, 2.0, '<c r="a1"><f>B1</f><v>2</v></c>'),
    "character reference in an attribute": ('<c r="A1" t="s&#116;r"><f>B1</f><v>1</v></c>', "1", 2.0, '<c r="A1"><f>B1</f><v>2</v></c>'),
    "value before formula": ('<c r="A1"><v>1</v><f>B1</f></c>', 1.0, 2.0, '<c r="A1"><v>2</v><f>B1</f></c>'),
}  # fmt: skip


@pytest.mark.parametrize("name", SPELLINGS)
@pytest.mark.parametrize("fast", [True, False])
def test_each_spelling_is_read_and_patched(name, fast):
    old, value, new, wanted = SPELLINGS[name]
    sheet = scan(one(old), fast)
    assert (sheet.rows[0], sheet.columns[0]) == (1, 1)
    assert len(sheet) == 1
    assert same(sheet.value(0), value)
    assert type(sheet.value(0)) is type(value)
    patched = sheet.patched([(0, new)])
    assert patched.decode() == one(wanted)
    assert without_values(patched) == without_values(one(old).encode())
    again = scan(patched, fast)
    assert same(again.value(0), new)
    assert again.patched([]) == patched


def test_the_quick_scan_takes_what_it_should_and_leaves_the_rest():
    quick = [name for name in SPELLINGS if scan(one(SPELLINGS[name][0])).fast]
    assert quick == list(SPELLINGS)[: list(SPELLINGS).index("attributes in another order")]


@pytest.mark.parametrize("fast", [True, False])
def test_prefixes(fast):
    old = (
        f'<x:worksheet {X}><x:sheetData><x:row r="1"><x:c r="A1" t="e"><x:f>B1</x:f><x:v>#N/A</x:v></x:c>'
        '<x:c r="B1"><x:f>1+1</x:f></x:c><x:c r="C1"/></x:row></x:sheetData></x:worksheet>'
    )
    sheet = scan(old, fast)
    assert not sheet.fast
    assert values(sheet) == [CellError.NA, None]
    new = sheet.patched([(0, 1.0), (1, "t")]).decode()
    assert new == old.replace(' t="e"', "").replace("#N/A", "1").replace(
        '<x:c r="B1"><x:f>1+1</x:f>', '<x:c r="B1" t="str"><x:f>1+1</x:f><x:v>t</x:v>'
    )


def test_a_default_namespace_set_back_inside():
    old = f'<x:worksheet {X}><x:sheetData><row xmlns="{MAIN}"><c><f>1</f><v>1</v></c></row></x:sheetData></x:worksheet>'
    sheet = scan(old)
    assert values(sheet) == [1.0]
    assert sheet.patched([(0, 2.0)]).decode() == old.replace("<v>1", "<v>2")


def test_strict_workbooks_and_foreign_f_elements():
    strict = sheet_xml('<row r="1"><c r="A1"><f>B1</f><v>1</v></c></row>').replace(
        MAIN, "http://purl.oclc.org/ooxml/spreadsheetml/main"
    )
    assert scan(strict).fast
    tail = '<conditionalFormatting><cfRule><formula>A1</formula></cfRule></conditionalFormatting><extLst><ext xmlns:xm="urn:xm"><xm:f>B2</xm:f></ext></extLst>'
    sheet = scan(sheet_xml('<row r="1"><c r="A1"><f>B1</f><v>1</v></c></row>', tail=tail))
    assert sheet.fast
    assert len(sheet) == 1


ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "iso-8859-1", "us-ascii", "windows-1252"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings_come_back_byte_for_byte(encoding):
    name = "utf-8" if encoding.startswith("utf-8") else "utf-16" if encoding.startswith("utf-16") else encoding
    text = sheet_xml('<row r="1"><c r="A1" t="str"><f>"n"&amp;B1</f><v>n</v></c><c r="B1"><v>7</v></c></row>')
    if encoding not in ("us-ascii",):
        text = text.replace(">n<", ">ñ<")
    raw = text.replace('encoding="UTF-8"', f'encoding="{name}"').encode(encoding)
    sheet = scan(raw)
    assert sheet.value(0) == ("ñ" if "ñ" in text else "n")
    assert sheet.patched([]) == raw
    new = sheet.patched([(0, "€ → ñ")])
    again = scan(new)
    assert again.value(0) == "€ → ñ"
    assert without_values(new) == without_values(raw)


def test_an_encoding_that_is_not_true_is_refused():
    for raw in (
        one(SPELLINGS["plain"][0]).replace("UTF-8", "martian").encode(),
        one(SPELLINGS["plain"][0]).encode("utf-16")[:-1],
    ):
        with pytest.raises(Refused):
            scan(raw)


# -------------------------------------------------------------------------------------------- shared, arrays, tables
ROWS = sheet_xml(
    '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f t="shared" ref="B1:B3" si="0">A1*2</f><v>2</v></c></row>'
    '<row r="2"><c r="A2"><v>2</v></c><c r="B2"><f t="shared" si="0"/><v>4</v></c></row>'
    '<row r="3"><c r="A3"><v>3</v></c><c r="B3"><f t="shared" si="0"/></c></row>'
    '<row r="5"><c r="A5" cm="1"><f t="array" ref="A5:B6">A1:A2*{1,2}</f><v>1</v></c><c r="B5"><v>2</v></c></row>'
    '<row r="6"><c r="A6"><f ca="1"/><v>2</v></c><c r="B6" s="1"/></row>'
    '<row r="8"><c r="C8"><f t="dataTable" ref="C8:C9" dt2D="0" dtr="0" r1="A1"/><v>5</v></c></row>'
    '<row r="9"><c r="C9" t="str"><v>six</v></c></row>'
)


@pytest.mark.parametrize("fast", [True, False])
def test_shared_formulas_arrays_and_data_tables(fast):
    sheet = scan(ROWS, fast)
    assert sheet.fast is fast
    places = list(zip(sheet.rows, sheet.columns, strict=True))
    assert places == [(1, 2), (2, 2), (3, 2), (5, 1), (5, 2), (6, 1), (6, 2), (8, 3), (9, 3)]
    assert values(sheet) == [2.0, 4.0, None, 1.0, 2.0, 2.0, None, 5.0, "six"]
    found = texts(sheet)
    assert found[1, 2] == found[2, 2] == found[3, 2]
    assert [
        (f.row, f.column, f.last_row, f.last_column, f.data_table, f.dynamic, f.complete) for f in sheet.filled
    ] == [
        (5, 1, 6, 2, False, True, True),
        (8, 3, 9, 3, True, False, True),
    ]
    new = sheet.patched([(2, 6.0), (4, "t"), (6, 9.5), (8, 7.0)]).decode()
    wanted = (
        ROWS.replace('si="0"/></c></row><row r="5">', 'si="0"/><v>6</v></c></row><row r="5">')
        .replace('<c r="B5"><v>2</v>', '<c r="B5" t="str"><v>t</v>')
        .replace('<c r="B6" s="1"/>', '<c r="B6" s="1"><v>9.5</v></c>')
        .replace('<c r="C9" t="str"><v>six</v>', '<c r="C9"><v>7</v>')
    )
    assert new == wanted
    assert without_values(new.encode()) == without_values(ROWS.encode())


@pytest.mark.parametrize("fast", [True, False])
def test_an_array_whose_cells_are_not_all_in_the_file_is_known(fast):
    sheet = scan(sheet_xml('<row r="1"><c r="A1"><f t="array" ref="A1:A3">B1:B3</f><v>1</v></c></row>'), fast)
    assert [filled.complete for filled in sheet.filled] == [False]


def test_shared_children_before_their_master_and_without_one():
    rows = (
        '<row r="1"><c r="A1"><f t="shared" si="4"/><v>1</v></c></row>'
        '<row r="2"><c r="A2"><f t="shared" ref="A1:A2" si="4">B2+1</f><v>1</v></c></row>'
        '<row r="3"><c r="A3"><f t="shared" si="9"/><v>1</v></c></row>'
    )
    for fast in (True, False):
        by_cell = {(b.first_row, b.column): (b.text, b.origin) for b in scan(sheet_xml(rows), fast).blocks}
        assert by_cell[1, 1] == ("B2+1", (2, 1))
        assert by_cell[3, 1] == ("", (3, 1))


def test_blocks_are_what_was_filled_down_and_nothing_else():
    formulas = {
        1: "B1*2",
        2: "B2*2",
        3: "B3*2",
        4: "B4*3",
        5: "B5*5",
        6: "B6*6",
        7: "B6+B7",
        8: "B7+B8",
        9: "$B$9",
        10: "$B$10",
    }
    rows = "".join(f'<row r="{r}"><c r="A{r}"><f>{f}</f><v>0</v></c></row>' for r, f in formulas.items())
    blocks = sorted((b.first_row, b.last_row, b.text) for b in scan(sheet_xml(rows)).blocks)
    assert blocks == [
        (1, 1, "B1*2"),  # at row 2 the constant 2 looks like the row
        (2, 2, "B2*2"),
        (3, 3, "B3*2"),
        (4, 4, "B4*3"),
        (5, 5, "B5*5"),
        (6, 6, "B6*6"),
        (7, 8, "B6+B7"),
        (9, 9, "$B$9"),
        (10, 10, "$B$10"),
    ]
    long = "".join(f'<row r="{r}"><c r="A{r}"><f>B{r}+SUM(C{r}:D{r})</f><v>0</v></c></row>' for r in range(1, 3000))
    assert [(b.first_row, b.last_row) for b in scan(sheet_xml(long)).blocks] == [(1, 2999)]


@given(
    st.lists(
        st.sampled_from(["B{r}", "B{s}", "$B{r}", "B${r}", "B{r}*{r}", "1{r}", "C1{r}", "B{r}0", '"B{r}"', "X{r}.{r}"]),
        min_size=1,
        max_size=4,
    ),
    st.integers(1, 120),
    st.integers(1, 12),
)
def test_blocks_say_the_same_as_cell_by_cell(pieces, first, count):
    text = "+".join(pieces)
    rows = range(first, first + count)
    xml = sheet_xml(
        "".join(f'<row r="{r}"><c r="A{r}"><f>{text.format(r=r, s=max(r - 1, 1))}</f><v>0</v></c></row>' for r in rows)
    )
    assert texts(scan(xml)) == texts(scan(xml, fast=False))


# ---------------------------------------------------------------------------------------------------------- damaged
BAD = {
    "not closed behind the rows": sheet_xml('<row r="1"><c r="A1"><f>B1</f><v>1</v></c></row>', tail="<mergeCells>"),
    "no UTF-8": one('<c r="A1" t="str"><f>"\udcff"</f><v>1</v></c>'),
    "not closed": one("<c r='A1'><f>B1</f>")[:-20],
    "doctype": one(SPELLINGS["plain"][0]).replace("<worksheet", '<!DOCTYPE worksheet [<!ENTITY x "y">]><worksheet'),
    "no such cell": one('<c r="AAAA1"><f>B1</f><v>1</v></c>'),
    "no such row": one('<c r="A9999999"><f>B1</f><v>1</v></c>'),
    "row zero": one('<c r="A0"><f>B1</f><v>1</v></c>'),
    "twice the same cell": one(SPELLINGS["plain"][0] * 2),
    "two formulas": one("<c r='A1'><f>B1</f><f>B2</f><v>1</v></c>"),
    "two values": one("<c r='A1'><f>B1</f><v>1</v><v>2</v></c>"),
    "unknown type": one('<c r="A1" t="martian"><f>B1</f><v>1</v></c>'),
    "unknown formula": one('<c r="A1"><f t="martian">B1</f><v>1</v></c>'),
    "array that covers no cell": one('<c r="A1"><f t="array" ref="A1:ZZZZ9">B1</f><v>1</v></c>'),
    "cells elsewhere": one('<mc:AlternateContent xmlns:mc="urn:mc"><c r="A1"><f>B1</f></c></mc:AlternateContent>'),
}  # fmt: skip


@pytest.mark.parametrize("fast", [True, False])
def test_arrays_without_measure_are_refused(fast):
    """A small file can claim that an array fills every cell there is."""
    huge = '<c r="A{0}"><f t="array" ref="A{0}:XFD1048576">B1</f><v>1</v></c>'
    with pytest.raises(Refused) as caught:
        scan(one(huge.format(1)), fast)
    assert caught.value.kind == "unusual"
    wide = "".join(f'<row r="{n}"><c r="A{n}"><f t="array" ref="A{n}:XFD{n}">B1</f></c></row>' for n in range(1, 200))
    with pytest.raises(Refused):
        scan(sheet_xml(wide), fast)


@pytest.mark.parametrize("fast", [True, False])
def test_many_small_arrays_are_found_in_one_pass(fast):
    rows = "".join(
        f'<row r="{n}"><c r="A{n}" cm="1"><f t="array" ref="A{n}:C{n}">B1</f><v>1</v></c><c r="B{n}"><v>2</v></c>'
        f'<c r="C{n}"/><c r="D{n}"><v>4</v></c><c r="E{n}"><f t="array" ref="E{n}:E{n + 1}">B1</f><v>5</v></c></row>'
        f'<row r="{n + 1}"><c r="D{n + 1}"><v>4</v></c><c r="E{n + 1}"><v>6</v></c></row>'
        for n in range(1, 4001, 2)
    )
    sheet = scan(sheet_xml(rows), fast)
    assert sheet.fast is fast
    assert len(sheet) == 5 * 2000
    assert all(filled.complete for filled in sheet.filled)


@pytest.mark.parametrize("fast", [True, False])
def test_line_ends_are_read_as_xml_means_them(fast):
    sheet = scan(one('<c r="A1" t="str"><f>A2&amp;\r\n"x"</f><v>a\r\nb\rc</v></c>'), fast)
    assert sheet.value(0) == "a\nb\nc"
    assert sheet.blocks[0].text == 'A2&\n"x"'


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("fast", [True, False])
def test_damaged_sheets_are_refused(name, fast):
    with pytest.raises(Refused) as caught:
        scan(BAD[name], fast)
    assert caught.value.kind in ("corrupt", "doctype", "unusual")
    assert caught.value.reason.en != caught.value.reason.es


# ------------------------------------------------------------------------------------------------------ both scans
@needs_corpus
@pytest.mark.parametrize("name", corpus("no_loss"))
def test_both_scans_agree_on_real_sheets(name):
    package = Package.open(CORPUS / name)
    for part in package.sheets:
        if part.kind != "worksheet":
            continue
        raw = package.read(part.part)
        one, two = Sheet.scan(raw), Sheet.scan(raw, fast=False)
        assert (one.rows, one.columns, one.filled) == (two.rows, two.columns, two.filled)
        assert values(one) == values(two)
        assert texts(one) == texts(two)
        assert one.patched([]) == raw
        new: list[tuple[int, Value]] = [
            (i, (1.5, "a<b ", True, CellError.NA)[i % 4]) for i in range(0, len(one), 1 + len(one) // 500)
        ]
        patched = one.patched(new)
        assert patched == two.patched(new)
        assert without_values(patched) == without_values(raw)
        again = Sheet.scan(patched)
        assert [again.value(i) for i, _ in new] == [value for _, value in new]


VALUES = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.sampled_from(list(CellError)),
    st.text(max_size=12),
)
CELL = st.sampled_from([old for old, *_ in SPELLINGS.values() if ' r="A1"' in old])


@settings(max_examples=150)
@given(st.lists(st.tuples(CELL, VALUES), min_size=1, max_size=6))
def test_any_mixture_of_spellings_takes_any_value(mixture):
    xml = sheet_xml(
        "".join(
            f'<row r="{n}">' + old.replace('r="A1"', f'r="A{n}"').replace('ref="A1"', f'ref="A{n}"') + "</row>"
            for n, (old, _) in enumerate(mixture, 1)
        )
    ).encode()
    sheet = Sheet.scan(xml)
    new = [value for _, value in mixture]
    patched = sheet.patched(list(enumerate(new)))
    again = Sheet.scan(patched, fast=False)
    for read, wrote in zip(values(again), new, strict=True):
        if isinstance(wrote, str) and not isinstance(wrote, CellError):
            wrote = wrote.encode("utf-8", "replace").decode()
        assert same(read, wrote)
    assert without_values(patched) == without_values(xml)
    assert scan(patched).patched([]) == patched


# ----------------------------------------------------------------------------------------------------------- values
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_the_shortest_that_come_back(value):
    text = number(value)
    assert float(text) == value
    assert re.fullmatch(rb"-?[0-9]+(\.[0-9]+)?(E[-+]?[0-9]+)?", text)
    assert encoded(value) == (NUMBER, text)


@given(st.text())
def test_texts_come_back(text):
    kind, raw = encoded(text)
    from recargos.workbook.cellvalue import unescaped

    wanted = text.encode("utf-8", "replace").decode()
    assert decoded(kind, unescaped(raw.decode()), ()) == wanted
    assert not re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]", raw)


def test_what_is_the_same_to_excel():
    for old, new in [
        (1.0, 1.0),
        (0.30000000000000004, 0.3),
        (1e15, 1e15 + 0.1),
        ("a", "a"),
        (True, True),
        (CellError.NA, CellError.NA),
        (0.0, -0.0),
        (None, None),
    ]:
        assert same(old, new)
    for old, new in [
        (1.0, True),
        (1.0, "1"),
        ("#N/A", CellError.NA),
        (None, 0.0),
        (None, ""),
        ("a", "A"),
        (1.00000000000001, 1.0),
        (CellError.NA, CellError.REF),
        (False, 0.0),
    ]:
        assert not same(old, new)
        assert not same(new, old)


def test_infinite_results_are_an_error_and_never_engine_words():
    assert encoded(float("inf")) == encoded(CellError.NUM) == encoded(float("nan"))


def test_shared_strings_are_read_when_needed():
    asked = []

    def strings() -> list[str]:
        asked.append(1)
        return ["zero", "uno"]

    plain = scan(one(SPELLINGS["plain"][0]), strings=strings)
    assert plain.value(0) == 1.0
    assert not asked
    sheet = scan(one('<c r="A1" t="s"><f>B1</f><v>1</v></c>'), strings=strings)
    assert sheet.value(0) == "uno"
    assert sheet.patched([(0, "dos")]).decode() == one('<c r="A1" t="str"><f>B1</f><v>dos</v></c>')


def test_dates_of_strict_workbooks_in_both_systems():
    for date1904, serial in ((False, 44197.5), (True, 42735.5)):
        sheet = scan(one('<c r="A1" t="d"><f>B1</f><v>2021-01-01T12:00:00</v></c>'), date1904=date1904)
        assert sheet.value(0) == serial
    assert scan(one('<c r="A1" t="d"><f>B1</f><v>18:00:00</v></c>')).value(0) == 0.75


def test_addresses():
    assert [column_letters(n) for n in (1, 26, 27, 702, 703, 16384)] == ["A", "Z", "AA", "ZZ", "AAA", "XFD"]
    assert all(column_number(column_letters(n)) == n for n in range(1, 16385))
    assert address(7, 28) == "AB7"
    assert area("$B$2:C9") == area("C9:B2") == (2, 2, 9, 3)


def test_the_part_is_named_in_a_refusal():
    with pytest.raises(Refused) as caught:
        Sheet.scan(BAD["doctype"].encode(), part="xl/worksheets/sheet7.xml")
    assert "sheet7.xml" in str(caught.value)


def test_rows_in_descending_order_do_not_fill_an_array_from_above():
    """A cell above an array formula is none of its cells, though the file names it after the formula."""
    rows = '<row r="3"><c r="A3"><f t="array" ref="A3:A4">B3:B4</f><v>1</v></c></row><row r="2"><c r="A2"><v>7</v></c></row>'
    for fast in (True, False):
        sheet = scan(sheet_xml(rows), fast)
        (filled,) = sheet.filled
        assert (filled.complete, list(zip(sheet.rows, sheet.columns, strict=True))) == (False, [(3, 1)])
