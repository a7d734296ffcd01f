"""`recargos functions`, `calc` and `law` as an accountant or a script runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from click.testing import CliRunner, Result

from recargos.cli import cli
from recargos.statutes import FUNCTIONS


def run(*words: str, input: str | None = None) -> Result:
    return CliRunner().invoke(cli, list(words), input=input)


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("PR_LATE_FILE 8000 47 5000 1200", "270.00"),
        ("PR_RETURNED_CHECK 500.20", "25.01"),
        ("PR_RETURNED_CHECK 10000", "500.00"),
        ("PR_RETURNED_CHECK 10000.01", "1000.00"),
        ("PR_WITHHOLDING_PENALTY_MIN 400 TRUE", "300.00"),
        ("pr_surcharge $12,000.00 91", "1800.00"),
        ("PR_BOND_DUE 1993-03-01", "1993-03-31"),
        ("PR_BOND_DUE 1993-03-01 1993-03-31;1993-04-01", "1993-04-02"),
        ("PR_RETIREMENT_PRIORITY 31", "TRUE"),
        ("PR_LAW withholding.fine.max", "500"),
        ("PR_LATE_FILE_RATE 31", "0.15"),
    ],
)
def test_one_call_prints_its_figure(words: str, shown: str) -> None:
    result = run("calc", *words.split(" "))
    assert (result.exit_code, result.stdout.strip()) == (0, shown)


def test_json_holds_the_call_its_value_and_its_steps() -> None:
    answer = json.loads(run("calc", "PR_LATE_FILE", "8000", "47", "5000", "1200", "--json").stdout)
    assert set(answer) == {"function", "arguments", "value", "error", "steps"}
    assert answer["value"] == 270.0
    assert answer["error"] is None
    assert {"LF-2", "LF-3", "LF-5", "LF-6"} <= {step["rule"] for step in answer["steps"]}
    assert all(step["citation"] for step in answer["steps"])


def test_an_error_value_is_named_and_explained_on_stderr() -> None:
    result = run("calc", "PR_RETURNED_CHECK", "-5")
    assert (result.exit_code, result.stdout.strip()) == (1, "#NUM!")
    assert "negative" in result.stderr


def test_an_omitted_argument_is_two_quotes() -> None:
    assert run("calc", "PR_LATE_FILE", "1000", "31", "", "", "", "2010-12-31").stdout.strip() == "#N/A"


@pytest.mark.parametrize("words", [["PR_LATE_FLIE", "1"], ["PR_LATE_FILE"], ["PR_VERSION", "1"]])
def test_a_wrong_call_is_a_usage_error_in_a_sentence(words: list[str]) -> None:
    result = run("calc", *words)
    assert result.exit_code == 2
    assert "PR_" in result.stderr
    assert "Traceback" not in result.output


def test_explain_shows_the_steps_in_spanish() -> None:
    shown = run("calc", "PR_SURCHARGE", "3000", "123", "--explain", "--lang", "es").stdout
    assert "(c)(4)" in shown
    assert "disputada" in shown


CSV_CASES: list[tuple[str, str]] = [
    ("amount,days\n100,40\n,3\nx,4\n12000,91\n", "amount,days,PR_SURCHARGE\n100,40,5.00\n,3,0.00\nx,4,#VALUE!\n12000,91,1800.00\n"),
    ("100,40\n", "100,40,5.00\n"),
    ("days,client,amount\n91,0042,\"$1,000.00\"\n", "days,client,amount,PR_SURCHARGE\n91,0042,\"$1,000.00\",150.00\n"),
    ("amount,days,as_of\n100,40,2000-01-01\n", "amount,days,as_of,PR_SURCHARGE\n100,40,2000-01-01,#N/A\n"),
    ("", ""),
    ("amount,days\n\"1.234,56\",40\n1234567890123456.00,31\n-1,31\n#REF!,31\n", "amount,days,PR_SURCHARGE\n\"1.234,56\",40,#VALUE!\n1234567890123456.00,31,#NUM!\n-1,31,#NUM!\n#REF!,31,#REF!\n"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "back"), CSV_CASES)
def test_each_csv_row_comes_back_with_its_result(given: str, back: str) -> None:
    result = run("calc", "PR_SURCHARGE", "--csv", "-", input=given)
    assert (result.exit_code, result.stdout) == (0, back)


def test_a_csv_without_the_needed_columns_is_refused(tmp_path: Any) -> None:
    file = tmp_path / "clients.csv"
    file.write_text("amount,name\n1,x\n")
    result = run("calc", "PR_SURCHARGE", "--csv", str(file))
    assert result.exit_code == 2
    assert "days" in result.stderr
    assert run("calc", "PR_SURCHARGE", "--csv", str(tmp_path / "none.csv")).exit_code == 3
    file.write_bytes(b"amount,days\n\xff\xfe,1\n")
    assert run("calc", "PR_SURCHARGE", "--csv", str(file)).exit_code == 3


def test_functions_lists_the_whole_catalogue() -> None:
    listed = json.loads(run("functions", "--json").stdout)
    assert [entry["name"] for entry in listed] == list(FUNCTIONS)
    assert all(argument["help"] for entry in listed for argument in entry["arguments"])
    shown = run("functions", "late").stdout
    assert "PR_LATE_FILE" in shown
    assert "[days" not in shown
    assert "[as_of]" in shown


def test_law_shows_a_number_with_the_words_that_set_it() -> None:
    (entry,) = json.loads(run("law", "property_tax.surcharge.third", "--json", "--lang", "es").stdout)
    assert entry["versions"][0]["value"] == 0.15
    assert entry["versions"][0]["words"].startswith("quince por ciento")
    assert run("law", "no.such").exit_code == 2


def test_every_rule_of_the_table_is_carried_and_proved() -> None:
    result = run("law", "--coverage", "--json")
    rows = json.loads(result.stdout)
    assert len(rows) == 74
    assert [row["rule"] for row in rows if not row["proved"]] == []
    assert result.exit_code == 0


def test_the_program_starts_without_heavy_libraries() -> None:
    code = "import sys; from recargos.cli import main; main(['calc', 'PR_VERSION'])"
    heavy = f"import atexit, sys; atexit.register(lambda: print(sorted({{'openpyxl', 'formualizer', 'lxml', 'jinja2'}} & set(sys.modules)))); {code}"
    result = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "[]"
