"""The templates as a firm gets them: reproducible, whole, explained, protected and able to grow."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from datetime import date
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner
from openpyxl.utils import range_boundaries

from recargos.cli import cli
from recargos.statutes import FUNCTIONS, PARAMETERS
from recargos.templates import words as w
from recargos.templates.build import EDITIONS, build, path_of
from recargos.templates.catalogue import TEMPLATES
from recargos.templates.firm import FirmError, load, read
from recargos.templates.table_sheet import FIRST, HEADINGS

ROOT = Path(__file__).parents[1]
SHIPPED = ROOT / "workbook_templates"
FILES = [
    pytest.param(SHIPPED / path_of(name, language), name, language, id=f"{language}-{name}")
    for language, name in EDITIONS
]


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert {i.date_time for i in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        return {name: package.read(name) for name in package.namelist()}


# ------------------------------------------------------------------------------------------------------------ drift


@pytest.mark.parametrize(("path", "name", "language"), FILES)
def test_shipped_file_is_what_the_catalogue_builds(path, name, language):
    """If this fails: `recargos template --all`, look at the workbooks, commit them."""
    built, shipped = members(build(TEMPLATES[name], language)), members(path.read_bytes())
    assert list(built) == list(shipped)
    assert [part for part in built if built[part] != shipped[part]] == []


def test_nothing_else_is_shipped():
    assert {p.relative_to(SHIPPED).as_posix() for p in SHIPPED.rglob("*.xlsx")} == {
        path_of(name, language) for language, name in EDITIONS
    }


# --------------------------------------------------------------------------------------------------- what is in them


@pytest.mark.parametrize(("path", "name", "language"), FILES)
def test_every_formula_has_its_value_and_excel_is_not_asked_to_recalculate(path, name, language):
    with zipfile.ZipFile(path) as package:
        workbook = package.read("xl/workbook.xml").decode()
        assert 'fullCalcOnLoad="1"' not in workbook
        assert 'calcId="191029"' in workbook
        count = 0
        for part in package.namelist():
            if not part.startswith("xl/worksheets/sheet"):
                continue
            for attributes, inner in re.findall(r"<c ([^>]*)>(.*?)</c>", package.read(part).decode(), re.DOTALL):
                if "<f" in inner:
                    count += 1
                    value = re.search(r"<v(?:>(.*?)</v>|\s*/>)", inner, re.DOTALL)
                    assert value is not None, (part, attributes)
                    assert value[1] or 't="str"' in attributes, (part, attributes, inner)
                    assert 't="e"' not in attributes, (part, attributes, inner)
                    assert "[@" not in inner
                    assert not re.search(r"\b(TODAY|NOW|RAND|OFFSET|INDIRECT)\(", inner)
    assert count > 300


@pytest.mark.parametrize(("path", "name", "language"), FILES)
def test_sheets_tables_and_print_set_up(path, name, language):
    template = TEMPLATES[name]
    book = openpyxl.load_workbook(path)
    named = {title.in_(language) for title in (w.ABOUT, w.SUMMARY, w.CHECKS, w.LAW, w.AUDIT, w.LISTS)}
    named |= {table.sheet.in_(language) for table in template.tables}
    named |= {w.HOLIDAYS.in_(language)} if template.holidays else set()
    assert set(book.sheetnames) == named
    for sheet in book:
        assert sheet.page_setup.fitToWidth == 1
        assert sheet.page_setup.fitToHeight == 0
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert sheet.oddFooter.right.text.startswith("Recargos ")
    for table in template.tables:
        sheet = book[table.sheet.in_(language)]
        excel = sheet.tables[table.name]
        _, top, right, bottom = range_boundaries(excel.ref)
        assert (top, bottom - top - 1, right) == (HEADINGS, table.rows, len(table.columns))
        assert excel.autoFilter.ref.endswith(str(bottom - 1))
        assert sheet.freeze_panes == f"B{FIRST}"
        assert sheet.print_title_rows
        for column, excel_column in zip(table.columns, excel.tableColumns, strict=True):
            cell = sheet.cell(HEADINGS, excel_column.id)
            assert cell.value == excel_column.name == column.title.in_(language)
            body, total = sheet.cell(FIRST, excel_column.id), sheet.cell(bottom, excel_column.id)
            if column.computed:
                assert excel_column.calculatedColumnFormula.attr_text == body.value.removeprefix("=")
                assert "[#This Row]" in body.value
                assert body.protection.locked
            else:
                assert body.value is None
                assert not body.protection.locked
                assert body.fill.fgColor.rgb.endswith("FFF9DB")
                assert body.font.color.rgb.endswith("0000C0")
            if column.total == "sum":
                assert total.value.startswith(f"=SUBTOTAL(109,{table.name}[")
        # A built-in date or currency format would follow the reader's region.
        used = {cell.number_format for row in sheet.iter_rows(min_row=FIRST) for cell in row}
        assert all(code in ("General", "@") or code.startswith(("[$-", "[$$-", "#,##0", "0.00%_)")) for code in used), (
            used
        )


@pytest.mark.parametrize(("path", "name", "language"), FILES)
def test_prompts_and_refusals_are_switched_on(path, name, language):
    template = TEMPLATES[name]
    book = openpyxl.load_workbook(path)
    for table in template.tables:
        sheet = book[table.sheet.in_(language)]
        rules = {str(v.sqref).split(":")[0]: v for v in sheet.data_validations.dataValidation}
        assert len(rules) == len(table.columns)
        for number, column in enumerate(table.columns, 1):
            rule = rules[sheet.cell(FIRST, number).coordinate]
            if column.prompt(language):
                assert rule.showInputMessage
                assert len(rule.prompt) <= 255
                assert len(rule.promptTitle) <= 32
            if column.computed:
                # Typing over a formula is refused, and still the table can grow: a protected sheet would stop that.
                assert (rule.type, rule.formula1, rule.showErrorMessage, rule.allow_blank) == (
                    "custom",
                    "FALSE",
                    True,
                    False,
                )
            elif column.kind in ("money", "date", "flag", "rate", "choice", "days"):
                assert rule.type
                assert rule.showErrorMessage
                assert rule.error
    for title in (w.ABOUT, w.SUMMARY, w.CHECKS, w.LAW, w.LISTS):
        assert book[title.in_(language)].protection.sheet
        assert book[title.in_(language)].protection.password is None


@pytest.mark.parametrize(("path", "name", "language"), FILES)
def test_law_sheet_holds_every_number_with_its_words_and_links(path, name, language):
    template = TEMPLATES[name]
    book = openpyxl.load_workbook(path)
    sheet = book[w.LAW.in_(language)]
    rows = {row[0].value: row for row in sheet.iter_rows(min_row=1) if row[0].value}
    numbers = [p for p in PARAMETERS.values() if p.statute.key in template.statutes]
    assert numbers
    for parameter in numbers:
        row = rows[parameter.key]
        assert row[1].value == f"“{parameter.version().words}”"
        assert row[2].value == pytest.approx(float(parameter.version().value))
        assert row[4].value == parameter.citation(language)
        assert (
            book.defined_names["Law_" + parameter.key.replace(".", "_")].attr_text == f"'{sheet.title}'!$C${row[0].row}"
        )
    called = {
        function
        for s in book
        for line in s.iter_rows()
        for cell in line
        if isinstance(cell.value, str) and cell.value.startswith("=")
        for function in re.findall(r"PR_[A-Z_]+", cell.value)
    }
    assert {f for f in called if FUNCTIONS[f].statute} <= set(rows)
    assert all(function in FUNCTIONS for function in called)
    links = [
        cell.hyperlink.location or cell.hyperlink.target or ""
        for line in book[w.SUMMARY.in_(language)].iter_rows()
        for cell in line
        if cell.hyperlink
    ]
    assert links
    for link in links:
        target = re.fullmatch(rf"#?'{sheet.title}'!A(\d+)", link)
        assert target
        assert sheet.cell(int(target[1]), 1).value in {*FUNCTIONS, *PARAMETERS}


@pytest.mark.parametrize(("path", "name", "language"), FILES)
def test_stamps(path, name, language):
    book = openpyxl.load_workbook(path)
    properties = {p.name: p.value for p in book.custom_doc_props.props}
    assert properties["recargos.template"] == name
    assert properties["recargos.language"] == language
    assert re.fullmatch(r"[0-9a-f]{64}", properties["recargos.law_hash"])
    sheet, cell = re.fullmatch(r"'(.+)'!(.+)", book.defined_names["LawHash"].attr_text).groups()
    assert book[sheet][cell].value == properties["recargos.law_hash"]
    for wanted in (
        "AsOf",
        "WP_Client",
        "WP_Period",
        "WP_PreparedBy",
        "WP_ReviewedBy",
        "WP_Source",
        "ChecksFailed",
        "TotalDue",
    ):
        assert wanted in book.defined_names


def test_both_languages_have_the_same_shape():
    for template in TEMPLATES.values():
        english, spanish = (
            openpyxl.load_workbook(SHIPPED / path_of(template.name, language)) for language in ("en", "es")
        )
        assert [s.dimensions for s in english] == [s.dimensions for s in spanish]
        for table in template.tables:
            titles = [[c.title.in_(language) for c in table.columns] for language in ("en", "es")]
            assert all(len(set(map(str.casefold, t))) == len(t) for t in titles)
            # Anything else would need escapes in structured references, and more brackets.
            assert all(re.fullmatch(r"[\w ]+", title) for t in titles for title in t)


def test_a_withholding_penalty_needs_a_notice_that_was_not_complied_with():
    """PW-2: the gate stands in the workbook, for no function knows of the notice."""
    table = TEMPLATES["withholding"].tables[0]
    assert "{notified}={t:yes}" in table.column("applies").formula
    assert all("{applies}={t:yes}" in table.column(key).formula for key in ("low", "high", "penalty", "bond"))


# ------------------------------------------------------------------------------------------------------------- firms


def png(width: int, height: int) -> bytes:
    """A small valid picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\x14\x53\x2d" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


PNG = png(40, 10)


def firm_file(folder: Path, text: str) -> Path:
    (folder / "logo.png").write_bytes(PNG)
    path = folder / "firm.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_firms_look_header_columns_and_defaults(tmp_path):
    path = firm_file(
        tmp_path,
        """
[firm]
name = "Rivera & Asociados, CPA"
logo = "logo.png"
footer = "Confidential & privileged"
[colors]
primary = "#003300"
input_fill = "EEFFEE"
[header]
prepared_by = "AR"
prepared_on = 2026-11-30
[defaults]
as_of = 2026-11-15
basis = 360
holidays = [2026-12-25, 2027-01-01]
[defaults.columns.retirement]
rate = 0.0525
[[columns]]
template = "retirement"
title = { en = "Partner", es = "Socio" }
default = "AR"
""",
    )
    book = openpyxl.load_workbook(io.BytesIO(build(TEMPLATES["retirement"], "es", 12, load(path))), data_only=True)
    front, sheet = book["Acerca de"], book["Datos"]
    assert front["A1"].value == "Rivera & Asociados, CPA"
    assert front.oddFooter.left.text == "Confidential && privileged  ·  &A"

    def named(name: str) -> object:
        title, cell = re.fullmatch(r"'(.+)'!(.+)", book.defined_names[name].attr_text).groups()
        return book[title][cell].value

    assert named("WP_PreparedBy") == "AR"
    assert named("AsOf").date() == date(2026, 11, 15)
    assert named("DayBasis") == 360
    assert [book["Feriados"].cell(row, 1).value.date() for row in (8, 9)] == [date(2026, 12, 25), date(2027, 1, 1)]
    headings = [cell.value for cell in sheet[HEADINGS]]
    assert headings[-1] == "Socio"
    assert sheet.cell(FIRST, len(headings)).value == "AR"
    assert sheet.cell(FIRST, headings.index("Tasa de la Junta") + 1).value == pytest.approx(0.0525)
    assert sheet.cell(FIRST, headings.index("Estado de la fila") + 1).value is None  # a default alone is not a client
    assert sheet.cell(HEADINGS, 1).fill.fgColor.rgb.endswith("003300")
    assert sheet.tables["Retirement"].ref.endswith(str(HEADINGS + 12 + 1))
    with zipfile.ZipFile(io.BytesIO(build(TEMPLATES["retirement"], "es", 12, load(path)))) as package:
        assert package.read("xl/media/image1.png") == PNG


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[firm]\nnmae = "x"', "unknown key firm.nmae; did you mean firm.name?"),
        ('[colours]\nprimary = "x"', "unknown key colours; did you mean colors?"),
        ('[colors]\nprimary = "blue"', 'colors.primary must be a colour such as "#1F3864"'),
        ("[defaults]\nbasis = 364", "defaults.basis must be 365, 366 or 360"),
        ('[defaults]\nas_of = "2026-11-30"', "defaults.as_of must be a date"),
        ("[defaults.columns.retirment]\nrate = 1", "unknown key template retirment; did you mean template retirement?"),
        ("[defaults.columns.retirement]\nrates = 1", "did you mean defaults.columns.retirement.rate?"),
        ('[[columns]]\ntemplate = "retirement"', r"columns[1].title is missing"),
        ('[firm]\nlogo = "missing.png"', "firm.logo: missing.png"),
        ('[firm]\nlogo = "firm.toml"', "firm.toml is not a PNG picture"),
        ("[firm", "not a valid TOML file"),
    ],
)
def test_a_wrong_firm_file_is_refused_by_name(tmp_path, text, message):
    with pytest.raises(FirmError, match=re.escape(message)):
        load(firm_file(tmp_path, text))


def test_example_firm_is_sound():
    assert load(ROOT / "examples" / "firm" / "FIRM.toml").name
    assert read({}, ROOT).name == ""


# ----------------------------------------------------------------------------------------------------------- command


def test_command_writes_lists_and_refuses(tmp_path):
    runner = CliRunner()
    out = tmp_path / "t.xlsx"
    done = runner.invoke(cli, ["template", "late-filing", "--lang", "es", "--rows", "7", "-o", str(out)])
    assert done.exit_code == 0, done.output
    assert openpyxl.load_workbook(out)["Datos"].tables["LateFiling"].ref.endswith(str(HEADINGS + 7 + 1))
    assert runner.invoke(cli, ["template", "late-filing", "-o", str(out)]).exit_code == 2
    near = runner.invoke(cli, ["template", "late-filling"])
    assert near.exit_code == 2
    assert "did you mean late-filing?" in near.output
    assert runner.invoke(cli, ["template"]).exit_code == 2
    listed = runner.invoke(cli, ["template", "--list", "--json"])
    assert listed.exit_code == 0
    assert [t["name"] for t in __import__("json").loads(listed.output)["templates"]] == list(TEMPLATES)
    firm = runner.invoke(
        cli, ["template", "late-filing", "--firm", str(firm_file(tmp_path, "[frim]")), "-o", str(tmp_path / "u.xlsx")]
    )
    assert firm.exit_code == 2
    assert "did you mean firm?" in firm.output


def test_a_deadline_that_was_met_is_not_coloured_as_overdue():
    book = openpyxl.load_workbook(SHIPPED / path_of("retirement", "en"))
    table = TEMPLATES["retirement"].tables[0]
    place = {column.key: openpyxl.utils.get_column_letter(n) for n, column in enumerate(table.columns, 1)}
    formats = book["Inputs"].conditional_formatting
    rules = {str(area.sqref): [rule.formula[0] for rule in area.rules] for area in formats}
    remit, remitted = place["remit_by"], place["remitted_on"]
    last = FIRST + table.rows - 1
    assert rules[f"{remit}{FIRST}:{remit}{last}"] == [
        f'AND(ISNUMBER({remit}{FIRST}),ISNUMBER(AsOf),{remit}{FIRST}<AsOf,{remitted}{FIRST}="")'
    ]
    assert rules[f"A{FIRST}:{place['tick']}{last}"] == [f"ISERROR(A{FIRST})"]
