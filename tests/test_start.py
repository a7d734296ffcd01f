"""What a command loads before its work begins, and what its worker does: every import is time that each call pays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from recargos.batch import Job, Setup, run
from recargos.batch.work import work
from recargos.workbook.result import FileResult
from support.raw import workbook


def loaded(code: str) -> set[str]:
    """The modules that some code loads in a fresh process."""
    script = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_first_worker_starts_before_much_else_is_loaded() -> None:
    modules = loaded("import recargos.cli.recalc, recargos.batch.process")
    late = {"rich", "formualizer", "lxml", "openpyxl", "jinja2", "urllib.request"}
    assert not late & modules
    assert not {"recargos.law", "recargos.statutes", "recargos.workbook"} & modules


def test_a_worker_loads_no_network_and_no_terminal() -> None:
    modules = loaded("from recargos.batch.work import ready; ready(['formualizer'], 1.0)")
    assert {"recargos.workbook.formualizer_engine", "formualizer"} <= modules
    assert not {"urllib.request", "http.client", "ssl", "rich", "click", "jinja2"} & modules


def test_a_result_is_read_without_an_engine(tmp_path: Path) -> None:
    source, kept = tmp_path / "a.xlsx", tmp_path / "result"
    source.write_bytes(workbook({"A1": ("=PR_SURCHARGE(B1,C1)", 1.0), "A2": ("=PR_NOTHING()", 1.0)}))
    code = (
        "import pickle\nfrom pathlib import Path\nfrom recargos.batch import Job, Setup\n"
        "from recargos.batch.work import work\n"
        f"result = work(Job(Path({str(source)!r})), Setup())\n"
        f"assert result.cells and result.status != 'failed'\nPath({str(kept)!r}).write_bytes(pickle.dumps(result))"
    )
    assert "recargos.workbook.recalc" in loaded(code)
    modules = loaded(f"import pickle\nfrom pathlib import Path\nprint(pickle.loads(Path({str(kept)!r}).read_bytes()))")
    assert "recargos.workbook.result" in modules
    assert not {"recargos.workbook.engine", "recargos.workbook.formulas", "recargos.workbook.package"} & modules


def test_what_is_done_meanwhile_is_done_once_and_with_the_jobs_under_way(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    told: list[str] = []

    def do(job: Job, _setup: Setup) -> FileResult:
        return FileResult(job.source, "unchanged")

    jobs = [Job(tmp_path / f"{number}.xlsx") for number in range(5)]
    with ThreadPoolExecutor(2) as executor:
        done = list(run(jobs, Setup(), executor, do=do, ahead=2, meanwhile=lambda: told.append("now")))
    assert len(done) == 5
    assert told == ["now"]
    assert work(Job(tmp_path / "missing.xlsx"), Setup()).status in ("failed", "refused")
