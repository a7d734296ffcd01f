"""The report: JSON that fits its schema, a page that is safe, whole and prints, and a text for terminals."""

from __future__ import annotations

import html
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
from rich.console import Console

from recargos.law import CellError, T
from recargos.workbook.engine import Call
from recargos.workbook.report import Run, as_json, print_text, render, shown, write
from recargos.workbook.result import Agreement, CellResult, Counts, Difference, FileResult, Total

SCHEMA = json.loads((Path(__file__).parents[1] / "docs/report.schema.json").read_text(encoding="utf-8"))
HOSTILE = "</td><script>alert(1)</script><img src=x onerror=alert(2)> {{ 7*7 }} \x1b[31m\u202egnp.exe [red]x[/red]"


def done(**fields: object) -> FileResult:
    """A workbook with one cell of every status."""
    given: dict[str, object] = {
        "path": Path("clients/a/Late.xlsx"),
        "status": "recalculated",
        "target": Path("out/a/Late.xlsx"),
        "engine": "formualizer 0.13.0",
        "agreement": Agreement(5, 4, [Difference("S", "B2", "SUMPRODUCT", 1.0, 2.0, T("differs", "difiere"))]),
        "counts": Counts(changed=7, same=2, stale=1, flagged=1, unsupported=1),
        "cells": [
            CellResult(
                "Returns", "J6", "PR_LATE_FILE", 180.0, 270.0, "changed", T("recomputed", "recalculada"),
                calls=(Call("PR_LATE_FILE", (8000.0, 47.0, 5000.0, 1200.0)),),
            ),
            CellResult("Returns", "J7", "PR_LATE_FILE", None, CellError.VALUE, "flagged", T("no amount", "sin importe"), "unreadable"),
            CellResult("Sum", "A1", "", 3.5, 3.5, "stale", T("rests on TODAY", "descansa en TODAY"), "volatile"),
            CellResult("Sum", "A2", "LAMBDA", "x", "x", "unsupported", T("no LAMBDA", "sin LAMBDA"), "unsupported"),
        ],
        "warnings": [T("manual mode", "modo manual")],
        "totals": {"PR_LATE_FILE": Total(2, 180.0, 270.0)},
        "sha256_before": "a" * 64,
        "sha256_after": "b" * 64,
    }  # fmt: skip
    return FileResult(**{**given, **fields})  # type: ignore[arg-type]


def refused() -> FileResult:
    return FileResult(Path("clients/b.xlsx"), "refused", reason=T("It is a CSV file.", "Es un CSV."), kind="csv")


def clean_file(changed: int = 0) -> FileResult:
    return FileResult(
        Path("clients/c.xlsx"), "recalculated" if changed else "unchanged", counts=Counts(changed=changed, same=4)
    )


# ------------------------------------------------------------------------------------------------------------- JSON
def test_json_fits_its_schema() -> None:
    data = json.loads(render(Run([done(), refused(), clean_file()]), ".json", "en"))
    jsonschema.validate(data, SCHEMA, format_checker=jsonschema.FormatChecker())
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_json_holds_what_version_1_promises() -> None:
    data = as_json(Run([done(), refused()]), "en")
    assert data["version"] == 1
    assert {"recargos", "law_reviewed", "files"} <= data.keys()
    first, second = data["files"]
    assert first["path"] == str(Path("clients/a/Late.xlsx"))
    assert first["agreement"]["checked"] == 5
    assert first["agreement"]["differs"][0]["cell"] == "B2"
    assert first["counts"] == {"changed": 7, "same": 2, "stale": 1, "flagged": 1, "unsupported": 1}
    cell = first["cells"][0]
    assert {key: cell[key] for key in ("sheet", "cell", "function", "old", "new", "status", "reason")} == {
        "sheet": "Returns", "cell": "J6", "function": "PR_LATE_FILE", "old": 180.0, "new": 270.0, "status": "changed",
        "reason": "recomputed",
    }  # fmt: skip
    assert first["cells"][1]["new"] == "#VALUE!"
    assert (second["status"], second["reason"]) == ("refused", "It is a CSV file.")


def test_reasons_follow_the_language() -> None:
    data = as_json(Run([done(), refused()]), "es")
    assert data["files"][0]["cells"][0]["reason"] == "recalculada"
    assert data["files"][1]["reason"] == "Es un CSV."


def test_json_is_valid_whatever_a_cell_holds() -> None:
    cells = [
        CellResult("S", "A1", "", value, value, "stale", T("r", "r"))
        for value in (float("nan"), float("inf"), "\ud800 half a pair", True, 10**20, None)
    ]
    data = json.loads(render(Run([done(cells=cells, path=Path("a\udcff.xlsx"))]), ".json", "en"))
    jsonschema.validate(data, SCHEMA)
    assert [cell["new"] for cell in data["files"][0]["cells"]][:2] == ["#NUM!", "#NUM!"]


# -------------------------------------------------------------------------------------------------------- exit codes
@pytest.mark.parametrize(
    ("files", "recalc", "check"),
    [
        ([clean_file()], 0, 0),
        ([clean_file(changed=3)], 0, 1),
        ([done()], 1, 1),
        ([FileResult(Path("x"), "unchanged", counts=Counts(flagged=1))], 1, 1),
        ([FileResult(Path("x"), "unchanged", counts=Counts(stale=1))], 1, 1),
        ([FileResult(Path("x"), "unchanged", counts=Counts(unsupported=1))], 1, 1),
        ([clean_file(), refused()], 3, 3),
        ([done(), FileResult(Path("x"), "failed")], 3, 3),
        ([], 0, 0),
    ],
)
def test_exit_codes(files: list[FileResult], recalc: int, check: int) -> None:
    assert Run(files).exit_code == recalc
    assert Run(files, check=True).exit_code == check


# ------------------------------------------------------------------------------------------------------------- page
class Page(HTMLParser):
    """Every tag and attribute of a page, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data


def page(run: Run, language: str = "en") -> tuple[str, Page]:
    text = render(run, ".html", language).decode()
    return text, Page(text)


def test_the_page_loads_and_runs_nothing() -> None:
    _, seen = page(Run([done(), refused()]))
    assert not {"script", "link", "img", "iframe", "object", "embed", "form", "base", "input"} & {
        tag for tag, _ in seen.tags
    }
    for tag, attributes in seen.tags:
        assert not any(name.startswith("on") or name == "style" for name in attributes), tag
        for name in ("src", "href", "action", "background"):
            assert (attributes.get(name) or "#").startswith("#"), (tag, attributes)
    assert any("default-src 'none'" in (attributes.get("content") or "") for _, attributes in seen.tags)


def test_hostile_text_stays_text() -> None:
    cells = [
        CellResult(HOSTILE, "A1", HOSTILE, HOSTILE, HOSTILE, status, T(HOSTILE, HOSTILE))
        for status in ("changed", "flagged")
    ]
    file = done(
        path=Path(f"clients/{HOSTILE.replace('/', '_')}.xlsx"),
        cells=cells,
        engine=HOSTILE,
        warnings=[T(HOSTILE, HOSTILE)],
    )
    plain_text, plain = page(
        Run([done(cells=[CellResult("S", "A1", "F", "o", "n", s, T("r", "r")) for s in ("changed", "flagged")])])
    )
    text, seen = page(Run([file, FileResult(file.path, "refused", reason=T(HOSTILE, HOSTILE))]))
    assert "alert(1)" in seen.words
    assert {tag for tag, _ in seen.tags} == {tag for tag, _ in plain.tags}
    assert "49" not in re.sub(r"<style>.*?</style>", "", text, flags=re.S)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", text)
    assert len(plain_text) > 1000


def test_the_page_tells_everything() -> None:
    text, seen = page(Run([done(), refused()]))
    words = " ".join(seen.words.split())
    for expected in (
        "7 cells changed in 1 workbook; 3 cells need a person; 1 file could not be done.",
        "Returns!J6", "180.00", "270.00", "+90.00", "13 LPRA § 33081", "It is a CSV file.", "manual mode", "SUMPRODUCT",
        "rests on TODAY", "no LAMBDA", "5 more changed cells", "a" * 64, "b" * 64, "LF-3", "formualizer 0.13.0",
        "amended by Act 52-2022", "4 of 5",
    ):  # fmt: skip
        assert expected in words, expected
    assert "<svg" in text


def test_the_page_speaks_spanish() -> None:
    text, seen = page(Run([done(), refused()], check=True), "es")
    words = " ".join(seen.words.split())
    assert '<html lang="es">' in text
    for expected in (
        "Informe de verificación",
        "7 celdas cambiarían en 1 libro",
        "Es un CSV.",
        "No se escribió nada",
        "Ley 1-2011",
    ):
        assert expected in words, expected
    assert not re.search(r"\b(Workbook|Changed|Needs a person|Before)\b", words)


def test_steps_end_at_the_value_that_was_written() -> None:
    _, seen = page(Run([done()]))
    steps = seen.words[seen.words.index("PR_LATE_FILE(tax = 8,000.00") :]
    assert "days = 47" in steps
    assert "270.00" in steps[: steps.index("The law used")]


def test_cells_without_steps_are_owned_up_to() -> None:
    cells = [CellResult("S", f"A{row}", "PR_FRAUD", 1.0, 2.0, "changed", T("r", "r")) for row in (1, 2)]
    assert "Steps are shown for the first cells" in page(Run([done(cells=cells)]))[1].words
    assert "Steps are shown for the first cells" not in page(Run([done()]))[1].words


def test_the_chart_is_to_scale() -> None:
    file = done(totals={"PR_LATE_FILE": Total(1, 50.0, 100.0), "PR_RETURNED_CHECK": Total(1, 0.0, 25.0)})
    _, seen = page(Run([file, done(totals={"PR_LATE_FILE": Total(1, 50.0, 100.0)})]))
    bars = [(a["class"], float(a["width"] or 0)) for tag, a in seen.tags if tag == "rect"]
    assert [kind for kind, _ in bars] == ["old", "new", "old", "new"]
    returned, late = bars[:2], bars[2:]
    assert late[0][1] == pytest.approx(late[1][1] / 2, rel=0.01)
    assert returned[0][1] == 0
    assert returned[1][1] == pytest.approx(late[1][1] / 8, rel=0.01)


def test_no_chart_without_money() -> None:
    text, _ = page(Run([done(totals={"PR_DAYS_LATE": Total(3, 1.0, 2.0)})]))
    assert "<svg" not in text


def test_an_empty_run_has_a_page() -> None:
    _, seen = page(Run([]))
    assert "No workbook was found." in seen.words


def test_a_page_stays_a_page() -> None:
    cells = [CellResult("S", f"A{row}", "", 1.0, 1.0, "stale", T("r", "r")) for row in range(1, 3002)]
    run = Run([done(cells=cells)])
    _, seen = page(run)
    assert "1,001 more are listed in the JSON report." in seen.words
    assert "S!A2000" in seen.words
    assert "S!A2001" not in seen.words
    assert len(as_json(run, "en")["files"][0]["cells"]) == 3001


def test_names_lose_only_what_all_share() -> None:
    paths = [Path("/c/x/a/1.xlsx"), Path("/c/x/b/1.xlsx")]
    names, folder = shown.short_names(paths)
    assert list(names.values()) == [str(Path("a/1.xlsx")), str(Path("b/1.xlsx"))]
    assert folder == str(Path("/c/x"))
    assert shown.short_names([Path("only.xlsx")]) == ({Path("only.xlsx"): "only.xlsx"}, "")
    assert shown.short_names([]) == ({}, "")


# ------------------------------------------------------------------------------------------------------------- text
def printed(run: Run, language: str = "en", width: int = 200) -> str:
    out = io.StringIO()
    print_text(run, Console(file=out, width=width, highlight=False), language)
    return out.getvalue()


def test_the_text_names_every_cell_that_needs_a_person() -> None:
    text = printed(Run([done(), refused()]))
    for expected in (
        "Returns!J7",
        "no amount",
        "Sum!A1",
        "rests on TODAY",
        "Sum!A2",
        "It is a CSV file.",
        "manual mode",
        "4 of 5",
    ):
        assert expected in text, expected
    assert "Returns!J6" not in text


def test_a_narrow_terminal_cuts_nothing() -> None:
    long = done(path=Path("clients/a workbook with quite a long name for this width.xlsx"))
    for language, words in (("en", "agreement 4 of 5"), ("es", "concordancia 4 de 5")):
        text = printed(Run([long, refused()]), language, width=60)
        assert "a workbook with quite a long name for this width.xlsx" in text
        assert words in text
        assert "…" not in text


def test_the_text_takes_no_orders_from_a_file() -> None:
    cells = [CellResult(HOSTILE, "A1", "", HOSTILE, HOSTILE, "flagged", T(HOSTILE, HOSTILE))]
    text = printed(Run([done(cells=cells)]))
    assert "[red]x[/red]" in text
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_a_long_list_is_cut_and_says_so() -> None:
    cells = [CellResult("S", f"A{row}", "", 1.0, 1.0, "flagged", T("r", "r")) for row in range(1, 51)]
    text = printed(Run([done(cells=cells)]))
    assert text.count("flagged  ") == 20
    assert "30 more" in text


# ------------------------------------------------------------------------------------------------------------- values
@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (1234.5, "money", "1,234.50"),
        (0.05, "rate", "5 %"),
        (0.125, "rate", "12.5 %"),
        (45658.0, "date", "2025-01-01"),
        (60, "date", "60"),
        (47.0, "days", "47"),
        (True, "flag", "TRUE"),
        (CellError.NA, "money", "#N/A"),
        (None, "money", "(blank)"),
        ("", "text", "(blank)"),
        (0.1 + 0.2, "", "0.3"),
        (1234567.891, "", "1234567.891"),
        (1e20, "", "1e+20"),
        ("a\nb\x07", "text", "a b�"),
        ([[1.0, None]], "money", "{1.00; (blank)}"),
    ],
)
def test_values_are_shown_as_people_write_them(value: object, unit: str, expected: str) -> None:
    assert shown.value(value, unit, "en") == expected


def test_dates_of_the_1904_system() -> None:
    assert shown.value(45658.0 - 1462, "date", "en", date1904=True) == "2025-01-01"


@pytest.mark.parametrize(
    ("old", "new", "unit", "expected"),
    [(1.0, 2.5, "money", "+1.50"), (3, 1, "days", "-2"), (0.05, 0.1, "rate", "+5 %"), (None, 2.0, "money", ""), (1.0, CellError.NUM, "money", ""),
     (True, 2, "", ""), (40000.0, 40001.0, "date", "")],
)  # fmt: skip
def test_differences(old: object, new: object, unit: str, expected: str) -> None:
    assert shown.difference(old, new, unit) == expected


# ------------------------------------------------------------------------------------------------------------- files
def test_written_in_one_step_and_for_the_firm_to_read(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "r.html"
    write(Run([done()]), target, "en")
    first = target.read_text(encoding="utf-8")
    assert html.unescape(first).startswith("<!DOCTYPE html>")
    write(Run([refused()]), target, "en")
    assert [path.name for path in target.parent.iterdir()] == ["r.html"]
    assert target.read_text(encoding="utf-8") != first
