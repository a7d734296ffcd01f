"""`recargos recalc` and `recargos check` as a person or a script meets them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from recargos.cli import cli
from support import raw

ROOT = Path(__file__).parents[1]
CLIENTS = ROOT / "examples/clients"
SCHEMA = json.loads((ROOT / "docs/report.schema.json").read_text(encoding="utf-8"))
CLEAN = CLIENTS / "Planillas/Late returns 2024.xlsx"
MESSY = CLIENTS / "Cheques/Cheques devueltos 2026.xlsx"
REFUSED = CLIENTS / "CRIM/estado-de-cuenta.xlsx"


def recargos(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words], env={"COLUMNS": "200"})


def snapshot(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def clients(tmp_path: Path) -> Path:
    """A copy of two workbooks and a file that is none."""
    folder = tmp_path / "clients"
    for source in (CLEAN, MESSY, REFUSED):
        target = folder / source.relative_to(CLIENTS)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    return folder


# ------------------------------------------------------------------------------------------------------------- usage
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((CLEAN,), "--out DIR leaves your workbooks as they are"),
        ((CLEAN, "--out", "x", "--in-place"), "Choose one of"),
        ((), "PATH"),
        ((CLEAN, "--out", CLEAN), "is a file"),
        (("", "--in-place"), "a path is empty"),
        ((CLIENTS, "--out", CLIENTS), "would overwrite the input"),
        ((CLEAN, "--out", "x", "--engine", "abacus"), "formualizer"),
        ((CLEAN, "--out", "x", "--verify", "formualizer"), "another engine"),
        ((CLEAN, "--out", "x", "--report", "r.pdf"), ".json or .html"),
        ((CLEAN, "--out", "x", "--jobs", "0"), "jobs"),
        ((CLEAN, "--out", "x", "--limit", "speed=3"), "file_bytes="),
        ((CLEAN, "--out", "x", "--limit", "members=-1"), "members=-1"),
        ((CLEAN, "--out", "x", "--timeout", "0"), "timeout"),
    ],
)
def test_a_wrong_command_line_is_explained(
    words: tuple[object, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = recargos("recalc", *words)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert not result.stdout
    assert not snapshot(tmp_path)


def test_a_report_does_not_overwrite_an_input(tmp_path: Path) -> None:
    page = tmp_path / "statement.html"
    page.write_text("<table></table>")
    result = recargos("check", page, "--report", page)
    assert result.exit_code == 2
    assert page.read_text() == "<table></table>"


def test_the_engines_on_offer_are_those_there_are() -> None:
    from recargos.cli import recalc
    from recargos.workbook import engine

    assert recalc.ENGINES == engine.ENGINES


def test_dask_without_its_package_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = recargos("check", CLEAN, "--dask", "tcp://127.0.0.1:1")
    assert result.exit_code == 2
    assert "recargos[cluster]" in result.stderr


# ------------------------------------------------------------------------------------------------------------- codes
def test_done_is_0_and_again_changes_nothing(tmp_path: Path) -> None:
    first = recargos("recalc", CLEAN, "--out", tmp_path / "1")
    assert first.exit_code == 0, first.output
    result = tmp_path / "1" / CLEAN.name
    assert result.read_bytes() != CLEAN.read_bytes()
    again = recargos("recalc", result, "--out", tmp_path / "2")
    assert again.exit_code == 0
    assert "Nothing had to change" in again.stdout
    assert (tmp_path / "2" / CLEAN.name).read_bytes() == result.read_bytes()
    assert recargos("check", result).exit_code == 0


def test_flagged_is_1(tmp_path: Path) -> None:
    result = recargos("recalc", MESSY, "--out", tmp_path)
    assert result.exit_code == 1
    assert "Cheques!G13" in result.stdout
    assert (tmp_path / MESSY.name).exists()


def test_refused_is_3_and_the_batch_goes_on(clients: Path, tmp_path: Path) -> None:
    before = snapshot(clients)
    result = recargos("recalc", clients, "--out", tmp_path / "out")
    assert result.exit_code == 3
    assert sorted(snapshot(tmp_path / "out")) == [below(MESSY), below(CLEAN)]
    assert "CSV" in result.stdout
    assert snapshot(clients) == before


def below(path: Path) -> str:
    return path.relative_to(CLIENTS).as_posix()


def test_a_missing_file_is_3_and_the_batch_goes_on(tmp_path: Path) -> None:
    result = recargos("recalc", tmp_path / "gone.xlsx", CLEAN, "--out", tmp_path / "out")
    assert result.exit_code == 3
    assert "no such file" in result.stdout
    assert (tmp_path / "out" / CLEAN.name).exists()


def test_check_writes_nothing_and_is_1_on_a_difference(clients: Path) -> None:
    before = snapshot(clients)
    result = recargos("check", clients / below(CLEAN))
    assert result.exit_code == 1
    assert "would change" in result.stdout
    assert snapshot(clients) == before


def test_in_place_replaces_only_what_changes(clients: Path) -> None:
    before = snapshot(clients)
    assert recargos("recalc", clients, "--in-place").exit_code == 3
    after = snapshot(clients)
    assert after.keys() == before.keys()
    assert {name for name in before if before[name] != after[name]} == {below(MESSY), below(CLEAN)}
    recargos("recalc", clients, "--in-place")
    assert snapshot(clients) == after


def test_only_cached_values_change(tmp_path: Path) -> None:
    recargos("recalc", CLEAN, "--out", tmp_path)
    with zipfile.ZipFile(CLEAN) as old, zipfile.ZipFile(tmp_path / CLEAN.name) as new:
        assert old.namelist() == new.namelist()
        assert [n for n in old.namelist() if old.read(n) != new.read(n)] == ["xl/worksheets/sheet1.xml"]


# ----------------------------------------------------------------------------------------------------------- reports
def test_json_is_all_of_standard_output(clients: Path, tmp_path: Path) -> None:
    result = recargos("recalc", clients, "--out", tmp_path / "out", "--json", "--lang", "es")
    data = json.loads(result.stdout)
    jsonschema.validate(data, SCHEMA)
    by_name = {Path(file["path"]).name: file for file in data["files"]}
    assert by_name[REFUSED.name]["status"] == "refused"
    assert "CSV" in by_name[REFUSED.name]["reason"]
    clean = by_name[CLEAN.name]
    assert (clean["status"], clean["engine"].split()[0]) == ("recalculated", "formualizer")
    cells = {cell["cell"]: cell for cell in clean["cells"]}
    assert (cells["J6"]["old"], cells["J6"]["new"], cells["J6"]["status"]) == (180, 270, "changed")
    assert cells["J6"]["function"] == "PR_LATE_FILE"
    assert clean["sha256"]["before"] != clean["sha256"]["after"]
    messy = {cell["cell"]: cell for cell in by_name[MESSY.name]["cells"] if cell["status"] == "flagged"}
    assert messy["G13"]["kind"] == "unreadable"
    assert "1.234,56" in messy["G13"]["reason"]


def test_reports_are_written_in_one_run(clients: Path, tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    recargos("recalc", clients, "--out", tmp_path / "out", "--report", folder / "r.json", "--report", folder / "r.html")
    jsonschema.validate(json.loads((folder / "r.json").read_text(encoding="utf-8")), SCHEMA)
    page = (folder / "r.html").read_text(encoding="utf-8")
    assert "PR_LATE_FILE(tax = 8,000.00, days = 47, paid_on_time = 5,000.00, credits = 1,200.00" in page
    assert "<svg" in page


def test_report_cells_bounds_only_the_changed_ones(tmp_path: Path) -> None:
    result = recargos("recalc", MESSY, "--out", tmp_path, "--json", "--report-cells", 2)
    (file,) = json.loads(result.stdout)["files"]
    by_status = [cell["status"] for cell in file["cells"]]
    assert by_status.count("changed") == 2 < file["counts"]["changed"]
    assert by_status.count("flagged") == file["counts"]["flagged"] > 2


def test_a_report_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "folder.html").mkdir()
    result = recargos("recalc", CLEAN, "--out", tmp_path / "out", "--report", tmp_path / "folder.html")
    assert result.exit_code == 3
    assert "could not be written" in result.stderr
    assert (tmp_path / "out" / CLEAN.name).exists()


def test_a_limit_is_obeyed(tmp_path: Path) -> None:
    result = recargos("recalc", CLEAN, "--out", tmp_path, "--limit", "file_bytes=100", "--json")
    (file,) = json.loads(result.stdout)["files"]
    assert (result.exit_code, file["status"], file["kind"]) == (3, "refused", "too_large")


def test_processes_do_not_change_the_report(clients: Path, tmp_path: Path) -> None:
    reports = []
    for jobs in (1, 3):
        data = json.loads(recargos("check", clients, "--json", "--jobs", jobs).stdout)
        for file in data["files"]:
            del file["seconds"]
        reports.append(data["files"])
    assert reports[0] == reports[1]


# ----------------------------------------------------------------------------------------------------- real workbooks
@raw.needs_corpus
def test_a_folder_of_real_workbooks_goes_through(tmp_path: Path) -> None:
    done, refused = set(raw.corpus("no_loss")), set(raw.corpus("refuse_clearly"))
    before = snapshot(raw.CORPUS)
    result = recargos("recalc", raw.CORPUS, "--out", tmp_path, "--json")
    data = json.loads(result.stdout)
    jsonschema.validate(data, SCHEMA)
    assert result.exit_code == 3
    by_name = {Path(file["path"]).name: file for file in data["files"]}
    assert by_name.keys() == done | refused
    assert {name for name, file in by_name.items() if file["status"] == "refused"} == refused
    assert all(by_name[name]["reason"].endswith(".") and len(by_name[name]["reason"]) > 30 for name in refused)
    assert not [file["reason"] for file in data["files"] if file["status"] == "failed"]
    assert {path.name for path in tmp_path.iterdir()} == done
    assert snapshot(raw.CORPUS) == before


# ----------------------------------------------------------------------------------------------------- second engine
def test_a_second_engine_agrees_on_every_example(tmp_path: Path) -> None:
    if shutil.which("soffice") is None and os.environ.get("CI") != "true":
        pytest.skip("LibreOffice is not installed")
    options = ("--json", "--jobs", 1)
    alone = json.loads(recargos("recalc", CLIENTS, "--out", tmp_path / "1", *options).stdout)
    result = recargos("recalc", CLIENTS, "--out", tmp_path / "2", "--verify", "libreoffice", *options)
    verified = json.loads(result.stdout)
    jsonschema.validate(verified, SCHEMA)
    done = [file for file in verified["files"] if file["status"] == "recalculated"]
    assert len(done) == 5, [file["reason"] for file in verified["files"]]
    assert {file["verified_by"].split()[0] for file in done} == {"libreoffice"}
    assert [file["cells"] for file in alone["files"]] == [file["cells"] for file in verified["files"]]
    assert snapshot(tmp_path / "1") == snapshot(tmp_path / "2")


def test_a_cluster_comes_to_the_same(clients: Path) -> None:
    if os.environ.get("CI") != "true":  # in CI a missing piece fails
        pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
    import distributed

    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0") as local:
        remote = json.loads(recargos("check", clients, "--json", "--dask", local.scheduler_address).stdout)
    here = json.loads(recargos("check", clients, "--json").stdout)
    assert [file["cells"] for file in remote["files"]] == [file["cells"] for file in here["files"]]
    assert len(remote["files"]) == 3


# ------------------------------------------------------------------------------------------------------------ ctrl-c
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_stops_cleanly_and_says_what_was_done(tmp_path: Path) -> None:
    folder, out = tmp_path / "many", tmp_path / "out"
    folder.mkdir()
    for number in range(400):
        (folder / f"{number:03}.xlsx").write_bytes(CLEAN.read_bytes())
    command = [sys.executable, "-m", "recargos", "recalc", str(folder), "--out", str(out), "--jobs", "1", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ)) as process:
        deadline = time.monotonic() + 60
        while not any(out.glob("*.xlsx")) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        said, complaints = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in complaints
    assert b"Stopping" in complaints
    data = json.loads(said)
    jsonschema.validate(data, SCHEMA)
    assert data["interrupted"]
    done = {Path(file["path"]).name for file in data["files"] if file["status"] == "recalculated"}
    assert {path.name for path in out.iterdir()} == done
    assert 1 <= len(done) < 400
    assert {file["kind"] for file in data["files"] if file["status"] == "failed"} == {"interrupted"}


def worker_started(pid: int) -> bool:
    """Whether the command has a worker: from then on Ctrl-C is its own business."""
    children = [child for task in Path(f"/proc/{pid}/task").glob("*/children") for child in task.read_text().split()]
    lines = [Path(f"/proc/{child}/cmdline").read_bytes() for child in children if Path(f"/proc/{child}").exists()]
    return any(b"worker.py" in line for line in lines)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for the worker in /proc")
def test_a_second_ctrl_c_ends_the_work_at_once(tmp_path: Path) -> None:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        from workbooks import make
    finally:
        sys.path.pop(0)
    big, out = tmp_path / "big.xlsx", tmp_path / "out"
    make(big, 60_000)
    before = big.read_bytes()
    command = [sys.executable, "-m", "recargos", "recalc", str(big), "--out", str(out), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as process:
        assert process.stderr is not None
        while process.poll() is None and not worker_started(process.pid):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        told = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        said, complaints = process.communicate(timeout=60)
    assert b"Stopping" in told
    assert process.returncode == 130, (told, complaints)
    assert b"Traceback" not in complaints
    (file,) = json.loads(said)["files"]
    assert (file["status"], file["kind"]) == ("failed", "interrupted")
    assert not snapshot(tmp_path / "out")
    assert big.read_bytes() == before
