"""The demo and the examples that it and the README run on."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from openpyxl import load_workbook

from recargos.cli import cli

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def content(path: Path) -> object:
    """A file's content without how it was compressed, which depends on the machine's zlib."""
    if not zipfile.is_zipfile(path):
        return path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


# ----------------------------------------------------------------------------------------------------------- examples
def test_the_committed_examples_are_what_the_script_makes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(EXAMPLES / "make_examples.py"), str(tmp_path)], check=True, timeout=120)
    for part in ("clients", "data"):
        assert files(tmp_path / part) == files(EXAMPLES / part)
        for name in files(tmp_path / part):
            assert content(tmp_path / part / name) == content(EXAMPLES / part / name), name


def test_the_examples_touch_every_statute() -> None:
    from recargos.statutes import FUNCTIONS, STATUTES

    text = ""
    for path in (EXAMPLES / "clients").rglob("*.xlsx"):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                text += "".join(archive.read(name).decode() for name in archive.namelist() if "worksheets/" in name)
    used = {function.statute.key for name, function in FUNCTIONS.items() if f"{name}(" in text and function.statute}
    laws = {statute.key for statute in (STATUTES.values() if isinstance(STATUTES, dict) else STATUTES) if statute.rules}
    assert {"returned_check", "late_filing", "property_tax", "withholding", "retirement"} <= used
    assert used <= laws
    assert 't="shared"' in text
    assert 't="array"' in text
    assert "[#This Row]" in text


def test_the_data_files_name_arguments() -> None:
    from recargos.statutes import FUNCTIONS

    names = {argument.name for function in FUNCTIONS.values() for argument in function.arguments}
    for path in (EXAMPLES / "data").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            heading, *records = csv.reader(file)
        assert set(heading) - {"client", "check", "employer", "agency"} <= names, path.name
        assert records
        assert {len(record) for record in records} == {len(heading)}


# --------------------------------------------------------------------------------------------------------------- demo
@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("demo") / "here"
    result = CliRunner().invoke(cli, ["demo", "--dir", str(folder)], env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    return folder, result.stdout


def test_the_demo_shows_what_changed_and_where(demo: tuple[Path, str]) -> None:
    folder, text = demo
    flat = " ".join(text.split())
    for expected in (
        "PR_RETURNED_CHECK",
        "PR_LATE_FILE",
        "PR_SURCHARGE",
        "PR_WITHHOLDING_",
        "PR_RETIREMENT_",
        "Before",
        "After",
    ):
        assert expected in flat, expected
    for place in ("clients", "recalculated", "report.html"):
        assert place in flat
        assert (folder / place).exists()


def test_the_demo_leaves_the_clients_files_alone(demo: tuple[Path, str]) -> None:
    folder, _ = demo
    for name in files(EXAMPLES / "clients"):
        assert (folder / "clients" / name).read_bytes() == (EXAMPLES / "clients" / name).read_bytes()
    refused = "CRIM/estado-de-cuenta.xlsx"
    assert files(folder / "recalculated") == [name for name in files(EXAMPLES / "clients") if name != refused]


def test_the_figures_of_the_demo_are_the_laws(demo: tuple[Path, str]) -> None:
    folder, _ = demo

    def values(name: str, sheet: str) -> dict[str, object]:
        ws = load_workbook(folder / "recalculated" / name, data_only=True)[sheet]
        return {cell.coordinate: cell.value for row in ws.iter_rows() for cell in row}

    checks = values("Cheques/Cheques devueltos 2026.xlsx", "Cheques")
    assert [checks[f"G{row}"] for row in range(6, 18)] == [
        25.01, 25.0, 500.0, 1000.0, 1040.0, 0, 61.73, "#VALUE!", 0, "#REF!", "#NUM!", "#VALUE!",
    ]  # fmt: skip
    assert checks["G18"] == pytest.approx(2651.74)
    returns = values("Planillas/Late returns 2024.xlsx", "Returns")
    assert [returns[f"I{row}"] for row in range(6, 14)] == [47, 30, 31, 60, 61, 0, 44, 77]
    assert [returns[f"J{row}"] for row in range(6, 14)] == [270.0, 112.54, 337.61, 972.08, 1620.13, 0, 0, 0]
    assert returns["J14"] == pytest.approx(3312.36)
    accounts = values("CRIM/Propiedad mueble 2025.xlsx", "Cuentas 2025")
    assert [accounts[f"G{row}"] for row in range(6, 13)] == [0, 150.0, 362.52, 725.04, 1860.0, 2790.0, 3252.41]
    assert (accounts["F12"], accounts["H12"], accounts["I12"]) == (689.09, 4336.55, 29960.78)
    assert values("CRIM/Propiedad mueble 2025.xlsx", "Resumen & firma")["B7"] == accounts["G16"]
    pay = values("CRIM/Propiedad mueble 2025.xlsx", "Pagos")
    assert pay["B13"] == 833.84
    assert [pay[f"D{row}"] for row in (15, 16, 17)] == [21.37, 61.37, 101.10]
    withheld = values("Nóminas/Payroll withholding 1992.xlsx", "Q2 1992")
    assert [(withheld[f"H{row}"], withheld[f"I{row}"]) for row in (6, 7, 9)] == [
        (300.0, 300.0),
        (300.0, 500.0),
        (300.01, 600.02),
    ]
    assert withheld["K8"] == 22000.0
    assert withheld["J11"] == "#NUM!"
    remitted = values("Retiro/Remesas.xlsx", "Remesas")
    assert [remitted[f"I{row}"] for row in (6, 7)] == [False, True]
    assert remitted["J9"] == "#VALUE!"


def test_the_demo_names_what_needs_a_person(demo: tuple[Path, str]) -> None:
    folder, _ = demo
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    by_name = {Path(file["path"]).name: file for file in report["files"]}
    assert by_name["estado-de-cuenta.xlsx"]["status"] == "refused"
    flagged = {
        cell["cell"]: cell["kind"]
        for cell in by_name["Cheques devueltos 2026.xlsx"]["cells"]
        if cell["status"] == "flagged"
    }
    assert {"G13", "G14", "G15", "G16", "G17"} <= flagged.keys()
    assert not by_name["Late returns 2024.xlsx"]["counts"]["stale"]
    assert {file["counts"]["unsupported"] for file in report["files"]} == {0}


def test_the_demo_makes_only_its_own_folder_anew(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/work.xlsx").write_text("precious")
    result = CliRunner().invoke(cli, ["demo", "--dir", str(tmp_path / "mine")])
    assert result.exit_code == 2
    assert files(tmp_path / "mine") == ["work.xlsx"]


def test_the_demo_runs_twice_and_in_spanish(demo: tuple[Path, str]) -> None:
    folder, _ = demo
    result = CliRunner().invoke(cli, ["demo", "--dir", str(folder), "--lang", "es"], env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    assert "Antes" in result.stdout
    assert '<html lang="es">' in (folder / "report.html").read_text(encoding="utf-8")
