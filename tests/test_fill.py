"""Client data read, never guessed: encodings, headings, kinds, bad rows, limits."""

from __future__ import annotations

import csv
import json
import zipfile
from datetime import date, datetime
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner

from recargos.cli import cli
from recargos.fill import values
from recargos.fill.data import ErrorCell, decoded, sniffed
from recargos.fill.headings import plain, unique
from recargos.fill.mapping import load_map
from recargos.fill.problem import BadValue, FillError
from recargos.fill.run import Options, fill
from recargos.templates.build import path_of
from recargos.templates.table_sheet import FIRST

ROOT = Path(__file__).parents[1]
LATE = ROOT / "workbook_templates" / path_of("late-filing", "en")
CHECKS = ROOT / "workbook_templates" / path_of("returned-checks", "es")


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def rows_of(path: Path, sheet: str = "Inputs", columns: int = 20) -> list[list[object]]:
    """Rows of the table in use."""
    values_ = openpyxl.load_workbook(path, data_only=True)[sheet].iter_rows(
        min_row=FIRST, max_col=columns, values_only=True
    )
    out: list[list[object]] = []
    for row in values_:
        if row[0] in (None, "Total"):
            break
        out.append(list(row))
    return out


# ------------------------------------------------------------------------------------------------------------ values


@pytest.mark.parametrize(
    ("given", "cell"),
    [
        ("25", "<v>25</v>"),
        ("-25.00", "<v>-25</v>"),
        ("$1,234.50", "<v>1234.5</v>"),
        ("(250.00)", "<v>-250</v>"),
        ("−3", "<v>-3</v>"),
        (" 7 ", "<v>7</v>"),
        ("0.10", "<v>0.1</v>"),
        ("1000000.005", "<v>1000000.005</v>"),
        ("", ""),
        (None, ""),
        (12.5, "<v>12.5</v>"),
        (3, "<v>3</v>"),
        ("0", "<v>0</v>"),
        ("123456789012345", "<v>123456789012345</v>"),
    ],
)
def test_numbers_are_exact(given, cell):
    assert values.number(given) == cell


@pytest.mark.parametrize(
    "given",
    [
        "1.234,56",
        "12,50",
        "=1+1",
        "#REF!",
        "abc",
        "12 000",
        "1e5",
        "25%",
        "--3",
        "(3",
        True,
        date(2026, 1, 1),
        ErrorCell("#N/A"),
        "1234567890123456",
        float("nan"),
        float("inf"),
    ],
)
def test_what_is_no_number_is_refused(given):
    with pytest.raises(BadValue):
        values.number(given)


@pytest.mark.parametrize(
    ("given", "cell"), [("25%", "<v>0.25</v>"), ("0.25", "<v>0.25</v>"), (0.5, "<v>0.5</v>"), ("-5 %", "<v>-0.05</v>")]
)
def test_rates(given, cell):
    assert values.rate(given) == cell


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("007", "007"),
        ("=1+1", "=1+1"),
        ("+1", "+1"),
        ("-1", "-1"),
        ("@x", "@x"),
        ("#REF!", "#REF!"),
        ("a & <b>", "a &amp; &lt;b&gt;"),
        (12345.0, "12345"),
        (7, "7"),
        (True, "TRUE"),
        (datetime(2026, 1, 2, 3, 4), "2026-01-02"),
        ("a\x01b", "a_x0001_b"),
        ("_x0041_", "_x005F_x0041_"),
        ("a\r\nb", "a\nb"),
        ("Ñandú", "Ñandú"),
    ],
)
def test_text_stays_text(given, text):
    cell = values.text(given)
    assert cell.startswith(' t="inlineStr"><is><t')
    assert cell.endswith(f">{text}</t></is>")


def test_text_that_no_cell_holds_is_refused():
    assert values.text("x" * 32_767)
    with pytest.raises(BadValue):
        values.text("x" * 32_768)
    with pytest.raises(BadValue):
        values.text(ErrorCell("#REF!"))


@pytest.mark.parametrize(
    ("pattern", "given", "day"),
    [
        ("", "2025-03-04", date(2025, 3, 4)),
        ("", datetime(2025, 3, 4, 17), date(2025, 3, 4)),
        ("", 45720, date(2025, 3, 4)),
        ("mm/dd/yyyy", "3/4/2025", date(2025, 3, 4)),
        ("dd/mm/yyyy", "03/04/2025", date(2025, 4, 3)),
        ("dd-mmm-yyyy", "4-mar-2025", date(2025, 3, 4)),
        ("dd-mmm-yy", "15-ago-25", date(2025, 8, 15)),
        ("m/d/yy", "12/31/69", date(2069, 12, 31)),
        ("m/d/yy", "1/1/70", date(1970, 1, 1)),
        ("yyyymmdd", "20250304", date(2025, 3, 4)),
    ],
)
def test_dates(pattern, given, day):
    assert values.date_of(pattern)(given) == f"<v>{(day - date(1899, 12, 30)).days}</v>"


def test_dates_of_the_1904_system():
    assert values.date_of("", True)("2025-03-04") == f"<v>{(date(2025, 3, 4) - date(1904, 1, 1)).days}</v>"


@pytest.mark.parametrize(
    ("pattern", "given"),
    [
        ("", "03/04/2025"),
        ("", "2025-02-30"),
        ("mm/dd/yyyy", "13/01/2025"),
        ("mm/dd/yyyy", "2025-03-04"),
        ("", "1899-12-31"),
        ("", True),
        ("", "45720"),
        ("", ErrorCell("#N/A")),
    ],
)
def test_a_date_is_never_guessed(pattern, given):
    with pytest.raises(BadValue):
        values.date_of(pattern)(given)


@pytest.mark.parametrize("pattern", ["", "yyyy", "mm/yyyy", "mm/mm/yyyy", "dd/mm/mmm/yyyy", "hello"])
def test_a_wrong_date_format_is_refused(pattern):
    if pattern:
        with pytest.raises(FillError):
            values.date_parser(pattern)


@pytest.mark.parametrize(
    ("given", "cell"),
    [
        ("yes", "Sí"),
        ("SI", "Sí"),
        ("Sí", "Sí"),
        ("N", "No"),
        ("0", "No"),
        (True, "Sí"),
        ("false", "No"),
        (1, "Sí"),
    ],
)
def test_flags_become_the_columns_words(given, cell):
    assert values.flag_of(("Sí", "No"))(given) == values.text(cell)
    assert values.flag_of(None)(given) == f' t="b"><v>{int(cell == "Sí")}</v>'


def test_flags_and_choices_refuse_what_they_do_not_know():
    assert values.flag_of(None)("") == ""
    with pytest.raises(BadValue):
        values.flag_of(("Yes", "No"))("maybe")
    choose = values.choice_of(["Negligencia", "Fraude"], {"Negligence": "Negligencia"})
    assert choose("NEGLIGENCE") == choose("negligencia") == values.text("Negligencia")
    with pytest.raises(BadValue):
        choose("other")


# ------------------------------------------------------------------------------------------------ headings and files


def test_headings_are_compared_without_case_accents_and_spaces():
    assert plain(" Núm. de  CONTRIBUYENTE ") == plain("num de contribuyente")
    assert unique(["A", "", "B"], ["A1", "B1", "C1"], "x", "x") == {"a": 0, "b": 2}
    with pytest.raises(FillError, match=r"A1 and C1"):
        unique(["Importe", "x", "IMPORTE "], ["A1", "B1", "C1"], "The file", "El archivo")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "mac_roman", "cp850"])
def test_encodings_are_found(encoding):
    text = "Cliente;Contribución\n" + "Peña Muñoz & Compañía «Güícharo»;1\n"
    found, codec = decoded(text.encode(encoding), "", "x.csv")
    assert found == text
    assert codec == encoding


def test_a_stated_encoding_is_kept_to():
    with pytest.raises(FillError, match="not in the encoding ascii"):
        decoded("ñ".encode(), "ascii", "x.csv")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_found(delimiter):
    assert (
        sniffed(
            delimiter.join(["client", "tax", "due on"])
            + "\n"
            + delimiter.join(['"Rivera, Inc."', "1", "2026-01-01"])
            + "\n"
        )
        == delimiter
    )


def test_a_duplicate_heading_is_refused_with_its_cells(tmp_path):
    source = write(tmp_path / "c.csv", "Client,Tax,tax \nA,1,2\n")
    with pytest.raises(FillError, match=r"B1 and C1"):
        fill(LATE, source, tmp_path / "o.xlsx")


def test_a_heading_twice_in_the_table_is_refused_with_its_cells(tmp_path):
    path = tmp_path / "t.xlsx"
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Client", "Tax", "TAX "])
    sheet.append([None, None, None])
    sheet.add_table(openpyxl.worksheet.table.Table(displayName="T_1", ref="A1:C2"))
    book.save(path)
    with pytest.raises(FillError, match=r"Sheet!B1 and Sheet!C1"):
        fill(path, write(tmp_path / "c.csv", "Client,Tax\nA,1\n"), tmp_path / "o.xlsx")


def test_two_headings_for_one_column_are_refused(tmp_path):
    with pytest.raises(FillError, match="both mean"):
        fill(LATE, write(tmp_path / "c.csv", "Client,Cliente,Tax\nA,B,1\n"), tmp_path / "o.xlsx")


# ------------------------------------------------------------------------------------------------------- whole fills

GOOD = "client,id,due_on,filed_on,tax,paid_on_time,credits,note\n"


def test_bad_rows_go_to_a_file_of_their_own_and_nowhere_else(tmp_path):
    source = write(
        tmp_path / "c.csv",
        GOOD
        + (
            "Good & Co,0012,2026-04-15,2026-06-01,8000,5000,1200,=1+1\n"
            "Wrong date,1,15/04/2026,,1,,,\n"
            'Text amount,2,2026-04-15,,"12,50",,,\n'
            ",3,2026-04-15,,1,,,\n"
            "Formula,4,2026-04-15,,=1+1,,,\n"
            "Too few,5,2026-04-15\n"
            "\n"
            "Minus,0000123,2026-04-15,2026-06-01,-25.00,,,#REF!\n"
        ),
    )
    out = tmp_path / "out.xlsx"
    outcome = fill(LATE, source, out, Options(settings={"AsOf": "2026-11-30"}))
    assert (outcome.read, outcome.blank, outcome.added, len(outcome.rejected)) == (7, 1, 2, 5)
    assert [r[0] for r in outcome.rejected] == [3, 4, 5, 6, 7]
    rows = rows_of(out)
    assert [row[:7] for row in rows] == [
        ["Good & Co", "0012", None, datetime(2026, 4, 15), datetime(2026, 6, 1), 8000, 5000],
        ["Minus", "0000123", None, datetime(2026, 4, 15), datetime(2026, 6, 1), -25, None],
    ]
    assert rows[0][11] == "=1+1"
    assert rows[1][11] == "#REF!"
    assert rows[0][16] == 270
    assert rows[1][16] == "#NUM!"
    raw = zipfile.ZipFile(out).read("xl/worksheets/sheet2.xml").decode()
    assert "<f>=1+1" not in raw
    assert ">=1+1</t>" in raw
    assert [c.kind for c in outcome.files[0].recalculated.cells if c.status == "flagged"]
    with outcome.rejected_path.open(encoding="utf-8-sig", newline="") as file:
        rejected = list(csv.DictReader(file))
    assert [r["row"] for r in rejected] == ["3", "4", "5", "6", "7"]
    assert rejected[0]["column"] == "Filing due date"
    assert "--date-format" in rejected[0]["reason"]
    assert rejected[1]["tax"] == "12,50"
    assert {p.name for p in tmp_path.iterdir()} == {"c.csv", "out.xlsx", "out-rejected.csv"}


def test_strict_stops_and_writes_nothing(tmp_path):
    source = write(tmp_path / "c.csv", GOOD + "A,1,2026-04-15,,1,,,\nB,2,bad,,1,,,\n")
    with pytest.raises(FillError, match=r"Row 3.*Filing due date"):
        fill(LATE, source, tmp_path / "o.xlsx", Options(strict=True))
    assert {p.name for p in tmp_path.iterdir()} == {"c.csv"}


def test_strict_writes_none_of_several_workbooks(tmp_path):
    source = write(tmp_path / "c.csv", GOOD + "A,1,2026-04-15,,1,,,\nB,2,bad,,1,,,\n")
    with pytest.raises(FillError, match=r"Row 3"):
        fill(LATE, source, tmp_path / "o.xlsx", Options(strict=True, split=1))
    assert {p.name for p in tmp_path.iterdir()} == {"c.csv"}


def test_existing_files_are_kept_unless_forced(tmp_path):
    source = write(tmp_path / "c.csv", GOOD + "A,1,2026-04-15,,1,,,\nB,2,2026-04-15,,1,,,\n")
    for name in ("o.xlsx", "o-rejected.csv"):
        write(tmp_path / name, "mine")
        with pytest.raises(FillError, match="exists already"):
            fill(LATE, source, tmp_path / "o.xlsx")
        assert (tmp_path / name).read_text() == "mine"
        (tmp_path / name).unlink()
    write(tmp_path / "o-02.xlsx", "mine")
    with pytest.raises(FillError, match="exists already"):
        fill(LATE, source, tmp_path / "o.xlsx", Options(split=1))
    assert not (tmp_path / "o-01.xlsx").exists()
    write(tmp_path / "o-rejected.csv", "of an earlier run")
    fill(LATE, source, tmp_path / "o.xlsx", Options(force=True))
    assert not (tmp_path / "o-rejected.csv").exists()


def test_excel_data_with_real_types(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["B2"], sheet["C2"], sheet["D2"], sheet["E2"], sheet["F2"] = (
        "Cliente",
        "Núm. de contribuyente",
        "vence para radicar",
        "CONTRIBUCIÓN",
        "Nota",
    )
    sheet["B3"], sheet["C3"], sheet["D3"], sheet["E3"], sheet["F3"] = (
        "A",
        660123456,
        datetime(2026, 4, 15, 9),
        100.1,
        "=x",
    )
    sheet["F3"].data_type = "s"
    sheet["B4"], sheet["C4"], sheet["D4"], sheet["E4"] = "B", "0007", "2026-04-15", "#N/A"
    sheet["B5"], sheet["C5"], sheet["D5"], sheet["E5"] = "C", "0007", "2026-04-15", 7
    sheet["E4"].data_type = "e"
    book.save(tmp_path / "d.xlsx")
    outcome = fill(LATE, tmp_path / "d.xlsx", tmp_path / "o.xlsx")
    assert [r[0] for r in outcome.rejected] == [4]
    assert "error #N/A" in outcome.rejected[0][3].en
    assert [row[:6] for row in rows_of(tmp_path / "o.xlsx")] == [
        ["A", "660123456", None, datetime(2026, 4, 15), None, 100.1],
        ["C", "0007", None, datetime(2026, 4, 15), None, 7],
    ]
    assert rows_of(tmp_path / "o.xlsx")[0][11] == "=x"


def test_either_languages_headings_and_words_fit_either_template(tmp_path):
    source = write(
        tmp_path / "c.csv",
        "Client,Check number,Returned on,Check amount,Condoned\nA,001,2026-01-05,10000.01,yes\nB,002,2026-01-05,500.20,\n",
    )
    fill(CHECKS, source, tmp_path / "o.xlsx", Options(settings={"AsOf": "2026-11-30"}))
    rows = rows_of(tmp_path / "o.xlsx", "Datos")
    assert [row[8] for row in rows] == ["Sí", None]
    assert [row[13] for row in rows] == [0, 25.01]


def test_map_names_columns_defaults_and_dates(tmp_path):
    source = write(tmp_path / "c.csv", "Who;Owed;Deadline;Ref\nA;1,000.00;04/15/2026;7\n")
    mapped = load_map(
        write(
            tmp_path / "m.toml",
            'date_format = "mm/dd/yyyy"\n[columns]\nWho = "Client"\nOwed = "tax"\nDeadline = "Filing due date"\nRef = ""\n[defaults]\nPeriod = "2025"\n"Filed on" = 2026-06-01\n',
        )
    )
    outcome = fill(LATE, source, tmp_path / "o.xlsx", Options(mapped))
    assert outcome.ignored == ["Ref"]
    assert rows_of(tmp_path / "o.xlsx")[0][:6] == ["A", None, "2025", datetime(2026, 4, 15), datetime(2026, 6, 1), 1000]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colums = 1", "unknown key colums; did you mean columns?"),
        ("columns = 1", "columns has the wrong form"),
        ("[columns]\nA = 1", "must be a heading in quotes"),
        ("[", "not a valid TOML"),
    ],
)
def test_a_wrong_map_is_refused(tmp_path, text, message):
    with pytest.raises(FillError) as caught:
        load_map(write(tmp_path / "m.toml", text))
    assert message in str(caught.value)


def test_what_is_missing_or_does_not_fit_is_said_before_any_work(tmp_path):
    with pytest.raises(FillError, match="no column for “Tax”"):
        fill(LATE, write(tmp_path / "a.csv", "Client,Filing due date\nA,2026-01-01\n"), tmp_path / "o.xlsx")
    with pytest.raises(FillError, match="No heading of the data"):
        fill(LATE, write(tmp_path / "b.csv", "x,y\n1,2\n"), tmp_path / "o.xlsx")
    with pytest.raises(FillError, match="has no headings"):
        fill(LATE, write(tmp_path / "c.csv", "\n\n"), tmp_path / "o.xlsx")
    with pytest.raises(FillError, match=r"old \.xls"):
        fill(
            LATE,
            tmp_path / "d.csv" if (tmp_path / "d.csv").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1xx") else LATE,
            tmp_path / "o.xlsx",
        )
    with pytest.raises(FillError, match="no named cell"):
        fill(
            LATE,
            write(tmp_path / "e.csv", GOOD + "A,1,2026-04-15,,1,,,\n"),
            tmp_path / "o.xlsx",
            Options(settings={"Nope": "1"}),
        )
    assert not (tmp_path / "o.xlsx").exists()


def test_computed_and_unknown_columns_of_the_data_are_left_out_by_name(tmp_path):
    source = write(tmp_path / "c.csv", "Client,Filing due date,Tax,Addition,Colour\nA,2026-04-15,1,999,red\n")
    outcome = fill(LATE, source, tmp_path / "o.xlsx")
    assert (outcome.computed, outcome.ignored) == (["Addition"], ["Colour"])
    assert "Credits" in outcome.unfilled


def test_split_writes_several_workbooks(tmp_path):
    source = write(tmp_path / "c.csv", GOOD + "".join(f"C{n},{n},2026-04-15,2026-05-01,100,,,\n" for n in range(7)))
    outcome = fill(LATE, source, tmp_path / "o.xlsx", Options(split=3))
    assert [(f.path.name, f.rows) for f in outcome.files] == [("o-01.xlsx", 3), ("o-02.xlsx", 3), ("o-03.xlsx", 1)]
    assert [row[0] for row in rows_of(tmp_path / "o-02.xlsx")] == ["C3", "C4", "C5"]


def test_excels_row_limit_is_a_sentence_before_any_work(tmp_path, monkeypatch):
    import recargos.fill.run as run

    monkeypatch.setattr(run, "MAX_ROW", FIRST + 2)
    source = write(tmp_path / "c.csv", GOOD + "".join(f"C{n},{n},2026-04-15,,100,,,\n" for n in range(7)))
    with pytest.raises(FillError, match=r"has 7 rows; the sheet “Inputs” has room for 2 more.*--split"):
        fill(LATE, source, tmp_path / "o.xlsx")
    assert not (tmp_path / "o.xlsx").exists()


def test_filling_twice_goes_on_below(tmp_path):
    first, second = tmp_path / "1.xlsx", tmp_path / "2.xlsx"
    fill(
        LATE,
        write(tmp_path / "a.csv", GOOD + "".join(f"A{n},{n},2026-04-15,2026-05-01,100,,,\n" for n in range(45))),
        first,
    )
    fill(first, write(tmp_path / "b.csv", GOOD + "B,9,2026-04-15,2026-05-01,100,,,\n"), second)
    rows = rows_of(second)
    assert [row[0] for row in rows] == [*(f"A{n}" for n in range(45)), "B"]
    assert all(row[16] == 5 for row in rows)
    book = openpyxl.load_workbook(second, data_only=True)
    assert book["Inputs"].cell(FIRST + 46, 17).value == pytest.approx(46 * 5)
    assert book["Summary"]["B10"].value == pytest.approx(46 * 5)
    assert book["Inputs"].print_area == f"'Inputs'!$A$1:$T${FIRST + 46}"


def test_a_row_with_data_in_other_columns_is_not_used_as_blank(tmp_path):
    first, second = tmp_path / "1.xlsx", tmp_path / "2.xlsx"
    fill(LATE, write(tmp_path / "a.csv", GOOD + "A,1,2026-04-15,2026-05-01,100,,,\n"), first)
    book = openpyxl.load_workbook(first)  # stands in for the firm's typing
    book["Inputs"].cell(FIRST + 4, 12).value = "a note of the preparer"
    book.save(first)
    source = write(tmp_path / "b.csv", "client,due_on,filed_on,tax\nB,2026-04-15,2026-05-01,100\n")
    fill(first, source, second)
    sheet = openpyxl.load_workbook(second, data_only=True)["Inputs"]
    assert [sheet.cell(FIRST + n, 1).value for n in range(7)] == ["A", None, None, None, None, "B", None]
    assert sheet.cell(FIRST + 4, 12).value == "a note of the preparer"


def test_a_prefixed_spelling_is_filled_too(tmp_path):
    """ClosedXML and others write `<x:row>`."""
    import re

    source = tmp_path / "x.xlsx"
    with zipfile.ZipFile(LATE) as before, zipfile.ZipFile(source, "w") as after:
        for name in before.namelist():
            raw = before.read(name)
            if name == "xl/worksheets/sheet2.xml":
                raw = re.sub(rb"<(/?)(?=[a-zA-Z])", rb"<\1x:", raw).replace(b"xmlns=", b"xmlns:x=", 1)
            after.writestr(name, raw)
    out = tmp_path / "o.xlsx"
    fill(
        source,
        write(tmp_path / "a.csv", GOOD + "".join(f"A{n},{n},2026-04-15,2026-05-01,100,,,\n" for n in range(45))),
        out,
    )
    assert len(rows_of(out)) == 45
    assert rows_of(out)[44][16] == 5


@pytest.mark.parametrize(
    ("data", "name", "table"),
    [
        ("returned-checks", "returned-checks", ""),
        ("late-filing", "late-filing", ""),
        ("firm-summary", "firm-summary", ""),
        ("retirement", "retirement", ""),
        ("withholding", "withholding", ""),
        ("withholding-bonds", "withholding", "Bonds"),
        ("property-tax", "property-tax", ""),
        ("property-tax-payments", "property-tax", ""),
        ("property-tax-late-filing", "property-tax", ""),
        ("property-tax-deficiencies", "property-tax", ""),
    ],
)
def test_examples_fit_their_templates(data, name, table, tmp_path):
    source = ROOT / "examples" / "firm" / "clients" / f"{data}.csv"
    outcome = fill(ROOT / "workbook_templates" / path_of(name, "en"), source, tmp_path / "o.xlsx", Options(table=table))
    assert (outcome.rejected, outcome.ignored, outcome.computed) == ([], [], [])
    assert outcome.added == outcome.read > 2
    assert outcome.files[0].recalculated.counts.unsupported == 0


# ----------------------------------------------------------------------------------------------------------- command


def test_command(tmp_path):
    runner = CliRunner()
    source = write(
        tmp_path / "c.csv",
        "Cliente;Vence para radicar;Contribución;Radicada el\nPeña;2026-04-15;100;2026-05-01\nMala;x;1;\n",
        "cp1252",
    )
    out = tmp_path / "o.xlsx"
    done = runner.invoke(cli, ["fill", str(LATE), str(source), "-o", str(out), "--json", "--set", "AsOf=2026-11-30"])
    assert done.exit_code == 1, done.output
    answer = json.loads(done.stdout)
    assert answer["rows"] == {"read": 2, "blank": 0, "added": 1, "rejected": 1}
    assert answer["rejected"][0]["row"] == 3
    assert answer["files"][0]["path"] == str(out)
    assert "delimiter semicolon" in answer["told"]
    assert "encoding cp1252" in done.stderr
    again = runner.invoke(cli, ["fill", str(LATE), str(source), "-o", str(out)])
    assert again.exit_code == 2
    spanish = runner.invoke(
        cli, ["fill", str(LATE), str(source), "-o", str(tmp_path / "p.xlsx"), "--strict", "--lang", "es"]
    )
    assert spanish.exit_code == 3
    assert "No se escribió nada" in spanish.stderr
    missing = runner.invoke(cli, ["fill", str(tmp_path / "no.xlsx"), str(source), "-o", str(tmp_path / "q.xlsx")])
    assert missing.exit_code == 3
    assert "Traceback" not in missing.output
