"""What the ribbon asks Python: answers as rows that COM can carry."""

from __future__ import annotations

import json
import types
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recargos import __version__
from recargos.statutes import FUNCTIONS, LAW_REVIEWED
from support import com

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def windows() -> Iterator[types.SimpleNamespace]:
    with com.windows() as namespace:
        yield namespace


@pytest.fixture
def ask(windows: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """As `AskPython` in VBA: plain arguments, an answer that went over the boundary."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "udfs"))

    def question(name: str, *arguments: Any) -> Any:
        answer = windows.server.XLPython().CallUDF("recargos.addin.ribbon", name, arguments, com.Book(), None)
        return com.shown(com.to_variant(answer))

    return question


@pytest.mark.parametrize(
    ("formula", "language", "table", "explanation"),
    [
        ("=PR_FRAUD(A1)", "en", "", '=PR_EXPLAIN("PR_FRAUD",A1)'),
        ("=PR_FRAUD(A1)", "es", "", '=PR_EXPLICAR("PR_FRAUD",A1)'),
        ("=ROUND(pr_late_file(B2,47,,1200)*2,2)+1", "en", "", '=PR_EXPLAIN("PR_LATE_FILE",B2,47,,1200)'),
        ("=@PR_FRAUD([@Tax])", "en", "Clients", '=PR_EXPLAIN("PR_FRAUD",Clients[@Tax])'),
        (
            "=PR_LATE_FILE([@Tax],Other[@[Days late]])",
            "en",
            "T1",
            '=PR_EXPLAIN("PR_LATE_FILE",T1[@Tax],Other[@[Days late]])',
        ),
        (r"='C:\a b\recargos.xlam'!PR_FRAUD($A$1)", "en", "", '=PR_EXPLAIN("PR_FRAUD",$A$1)'),
        ('=IF(A1="PR_FRAUD(",PR_INTEREST(1,2),0)', "en", "", '=PR_EXPLAIN("PR_INTEREST",1,2)'),
        ('=PR_CITE("a""b")', "en", "", '=PR_EXPLAIN("PR_CITE","a""b")'),
        ("=SUM(A1:A9)", "en", "", ""),
        ("=PR_UNKNOWN(1)", "en", "", ""),
        ('=PR_EXPLAIN("PR_FRAUD",A1)', "en", "", ""),
        ("=PR_FRAUD((A1", "en", "", ""),
        ("25.01", "en", "", ""),
        ("", "en", "", ""),
    ],
)
def test_explain_call(ask: Any, formula: str, language: str, table: str, explanation: str) -> None:
    assert ask("explain_call", formula, language, table) == explanation


def test_self_test_covers_every_function_of_a_statute(ask: Any) -> None:
    rows = ask("self_test", "en")
    assert len(rows) > 400
    assert {row[0] for row in rows} >= {name for name, f in FUNCTIONS.items() if f.statute and f.result != "table"}
    assert all(row[1].startswith(f"={row[0]}(") for row in rows)


def test_templates(ask: Any, tmp_path: Path) -> None:
    english, spanish = ask("templates", "en"), ask("templates", "es")
    assert [row[0] for row in english] == [row[0] for row in spanish]
    assert len(english) >= 5
    assert english != spanish
    path = tmp_path / "made.xlsx"
    ask("make_template", english[0][0], str(path), "es")
    assert zipfile.is_zipfile(path)
    with pytest.raises(RuntimeError, match="made"):
        ask("make_template", english[0][0], str(path), "es")


def test_a_template_that_there_is_not(ask: Any, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        ask("make_template", "no-such", str(tmp_path / "x.xlsx"), "en")


def test_check_of_a_workbook_that_is_right(ask: Any) -> None:
    rows = ask("check_workbook", str(ROOT / "workbook_templates/en/late-filing.xlsx"), "en")
    assert rows[0][:2] == ["Sheet", "Cell"]
    assert not [row for row in rows[1:] if row[5] == "changed"], rows[:5]


def test_check_names_a_wrong_value(ask: Any, tmp_path: Path) -> None:
    import openpyxl

    path = tmp_path / "wrong.xlsx"
    book = openpyxl.Workbook()
    book.active["A1"] = "=PR_RETURNED_CHECK(500.2)"
    book.save(path)
    rows = ask("check_workbook", str(path), "es")
    assert rows[0][0] == "Hoja"
    assert [row[1] for row in rows if row[2] == "PR_RETURNED_CHECK" and row[4] == 25.01] == ["A1"]


def test_a_file_that_is_refused_is_told(ask: Any, tmp_path: Path) -> None:
    (tmp_path / "page.xlsx").write_text("<html></html>", encoding="utf-8")
    rows = ask("check_workbook", str(tmp_path / "page.xlsx"), "en")
    assert rows[1][5] == "refused"
    assert rows[1][6]


def test_internet_addresses_are_explained(ask: Any) -> None:
    with pytest.raises(ValueError, match="OneDrive"):
        ask("check_workbook", "https://firm-my.sharepoint.com/personal/a/Documents/x.xlsx", "en")


def test_about(ask: Any, windows: Any) -> None:
    text = ask("about", "es", windows.xlwings.__version__, r"C:\x\recargos.xlam")
    assert __version__ in text
    assert str(LAW_REVIEWED) in text
    assert "otra vez" not in text
    assert "otra vez" in ask("about", "es", "0.1", r"C:\x\recargos.xlam")


def test_diagnosis_is_a_table(ask: Any) -> None:
    rows = ask("diagnose", "en")
    assert rows[0] == ["Result", "What", "In plain words", "What to do"]
    assert all(len(row) == 4 for row in rows)
    assert json.dumps(rows)
