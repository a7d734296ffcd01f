"""Many workbooks: which are found, where results go, and what one bad file costs the others (nothing)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from recargos.batch import Dask, Job, LocalProcesses, Misused, Setup, plan, run
from recargos.batch.process import WorkerProcess
from recargos.batch.work import work
from recargos.workbook.result import FileResult

links = pytest.mark.skipif(sys.platform == "win32", reason="making a link needs rights on Windows")


# ------------------------------------------------------------------------------------------------------------- files
@pytest.fixture
def clients(tmp_path: Path) -> Path:
    folder = tmp_path / "clients"
    for name in (
        "b.xlsx", "a.XLSM", "old.xls", "sheet.ods", "notes.txt", "data.csv", "~$b.xlsx", ".~lock.b.xlsx#", "._b.xlsx",
        ".DS_Store", ".hidden/x.xlsx", "2025/a.xlsx", "2026/a.xlsx", "2026/deep/z.xltx",
    ):  # fmt: skip
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    return folder


def sources(jobs: list[Job], folder: Path) -> list[str]:
    return [job.source.relative_to(folder).as_posix() for job in jobs]


def test_a_folder_is_walked(clients: Path) -> None:
    found = plan([clients])
    assert sources(found.jobs, clients) == [
        "a.XLSM", "b.xlsx", "old.xls", "sheet.ods", "2025/a.xlsx", "2026/a.xlsx", "2026/deep/z.xltx",
    ]  # fmt: skip
    assert all(job.target is None for job in found.jobs)
    assert not found.problems


def test_a_file_that_is_named_is_tried_whatever_it_is_called(clients: Path) -> None:
    assert sources(plan([clients / "notes.txt", clients / "~$b.xlsx"]).jobs, clients) == ["notes.txt", "~$b.xlsx"]


def test_missing_paths_are_told_and_the_rest_goes_on(clients: Path) -> None:
    found = plan([clients / "nowhere", clients / "b.xlsx"])
    assert [(path.name, kind) for path, kind, _ in found.problems] == [("nowhere", "missing")]
    assert sources(found.jobs, clients) == ["b.xlsx"]


def test_a_file_named_twice_is_done_once(clients: Path) -> None:
    assert (
        sources(plan([clients / "b.xlsx", clients, clients / "2025" / ".." / "b.xlsx"]).jobs, clients).count("b.xlsx")
        == 1
    )


def test_out_keeps_the_structure(clients: Path, tmp_path: Path) -> None:
    out = tmp_path / "done"
    targets = [job.target.relative_to(out).as_posix() for job in plan([clients], out=out).jobs if job.target]
    assert targets == sources(plan([clients]).jobs, clients)


def test_several_folders_get_a_folder_each(clients: Path, tmp_path: Path) -> None:
    (tmp_path / "more/2025").mkdir(parents=True)
    (tmp_path / "more/2025/a.xlsx").touch()
    out = tmp_path / "done"
    jobs = plan([clients / "2025", clients / "2026", tmp_path / "more/2025"], out=out).jobs
    assert [job.target.relative_to(out).as_posix() for job in jobs if job.target] == [
        "2025/a.xlsx", "2026/a.xlsx", "2026/deep/z.xltx", "2025 (2)/a.xlsx",
    ]  # fmt: skip


def test_files_of_one_name_do_not_overwrite_each_other(clients: Path, tmp_path: Path) -> None:
    (clients / "A.xlsx").touch()
    out = tmp_path / "done"
    jobs = plan([clients / "2025/a.xlsx", clients / "2026/a.xlsx", clients / "A.xlsx"], out=out).jobs
    assert [job.target and job.target.name for job in jobs] == ["a.xlsx", "a (2).xlsx", "A (3).xlsx"]


def test_in_place_targets_are_the_sources(clients: Path) -> None:
    assert all(job.target == job.source for job in plan([clients], in_place=True).jobs)


def test_no_result_lands_on_an_input(clients: Path) -> None:
    with pytest.raises(Misused, match="would overwrite the input"):
        plan([clients], out=clients)
    with pytest.raises(Misused, match="would overwrite the input"):
        plan([clients / "2025/a.xlsx", clients / "b.xlsx"], out=clients / "2025")


def test_results_inside_the_folder_are_not_inputs_of_the_next_run(clients: Path) -> None:
    out = clients / "done"
    before = len(plan([clients], out=out).jobs)
    for job in plan([clients], out=out).jobs:
        assert job.target
        job.target.parent.mkdir(parents=True, exist_ok=True)
        job.target.touch()
    assert len(plan([clients], out=out).jobs) == before


@links
def test_links_and_loops_are_safe(clients: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "o.xlsx").touch()
    (clients / "loop").symlink_to(clients)
    (clients / "away").symlink_to(outside)
    (clients / "twin.xlsx").symlink_to(clients / "b.xlsx")
    (clients / "linked.xlsx").symlink_to(outside / "o.xlsx")
    (clients / "broken.xlsx").symlink_to(tmp_path / "gone.xlsx")
    found = plan([clients])
    names = sources(found.jobs, clients)
    assert names.count("b.xlsx") + names.count("twin.xlsx") == 1
    assert "linked.xlsx" in names
    assert not any(name.startswith(("loop", "away", "broken")) for name in names)
    assert len([note for note in found.notes if "not followed" in note.en]) == 2
    replaced = plan([clients], in_place=True)
    assert not any(job.source.is_symlink() for job in replaced.jobs)
    assert not any(job.source.name == "o.xlsx" for job in replaced.jobs)
    named = plan([clients / "linked.xlsx"], in_place=True)
    assert [job.target for job in named.jobs] == [(outside / "o.xlsx").resolve()]


def test_a_folder_that_cannot_be_read_is_told(clients: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scan = os.scandir

    def scandir(path: Path) -> object:
        if Path(path).name == "2025":
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = plan([clients])
    assert [(path.name, kind) for path, kind, _ in found.problems] == [("2025", "unreadable_folder")]
    assert "Permission denied" in found.problems[0][2].en
    assert "2026/a.xlsx" in sources(found.jobs, clients)


# -------------------------------------------------------------------------------------------------------------- work
def act(job: Job, setup: Setup) -> FileResult:
    """Stands in for the recalculation in the workers: does what the file's name says."""
    name = job.source.stem
    if name == "crash":
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
    if name == "exit":
        os._exit(7)
    if name == "hang":
        time.sleep(600)
    if name == "memory":
        raise MemoryError
    if name == "bug":
        raise ZeroDivisionError("division by zero")
    if name == "noise":
        print("from Python", flush=True)
        os.write(1, b"from a library" * 100)
        assert not sys.stdin.read()
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(5)"])  # holds on to what it inherits
    if name == "unpicklable":
        raise RuntimeError(threading.Lock())
    if name == "pid":
        return FileResult(Path(str(os.getpid())), "unchanged")
    if name.startswith("slow"):
        time.sleep(0.3)
    return FileResult(job.source, "unchanged")


def results(names: list[str], executor: Executor, **more: object) -> dict[str, FileResult]:
    jobs = [Job(Path(f"{name}.xlsx")) for name in names]
    with executor:
        done = dict(run(jobs, Setup(), executor, do=act, **more))  # type: ignore[arg-type]
    assert sorted(done) == list(range(len(names)))
    return {names[index]: result for index, result in done.items()}


@pytest.mark.parametrize("bad", ["crash", "exit"])
def test_a_worker_that_dies_costs_only_its_file(bad: str) -> None:
    done = results(["a", bad, "b", "slow1", "slow2", "c"], LocalProcesses(2))
    assert (done[bad].status, done[bad].kind) == ("failed", "crashed")
    assert [name for name, result in done.items() if result.status == "failed"] == [bad]


def test_a_file_without_end_is_stopped_and_the_rest_goes_on() -> None:
    done = results(["hang", "a", "b", "c"], LocalProcesses(1, timeout=1.5))
    assert (done["hang"].status, done["hang"].kind) == ("failed", "timeout")
    assert [done[name].status for name in "abc"] == ["unchanged"] * 3


@pytest.mark.parametrize(("bad", "kind"), [("memory", "no_memory"), ("bug", "defect")])
def test_what_a_worker_raises_is_one_failed_file(bad: str, kind: str) -> None:
    done = results(["a", bad, "b"], LocalProcesses(1))
    assert (done[bad].status, done[bad].kind) == ("failed", kind)
    assert done[bad].reason is not None
    assert done["b"].status == "unchanged"


@pytest.mark.parametrize("noise", ["noise", "unpicklable"])
def test_what_a_worker_says_does_not_disturb_its_answers(noise: str) -> None:
    done = results(["a", noise, "b", "crash", "c"], LocalProcesses(1))
    assert [done[name].status for name in ("a", "b", "c")] == ["unchanged"] * 3
    assert (done["crash"].kind, done["unpicklable"].kind if noise == "unpicklable" else "") in (
        ("crashed", "defect"), ("crashed", ""),
    )  # fmt: skip


def test_a_started_worker_is_the_first_to_be_used() -> None:
    started = WorkerProcess(("time:sleep", (0.0,)))
    with LocalProcesses(1, started=[started]) as executor:
        assert executor.submit(os.getpid).result() == started.pid


def test_a_worker_that_cannot_be_made_ready_still_works() -> None:
    with LocalProcesses(1, ready=("recargos.nowhere:nothing", ())) as executor:
        assert executor.submit(abs, -3).result() == 3


def test_a_shutdown_without_waiting_lets_the_work_be_done() -> None:
    executor = LocalProcesses(1)
    future = executor.submit(time.sleep, 0.5)
    while not future.running():
        time.sleep(0.01)
    later = [executor.submit(abs, -number) for number in range(3)]
    executor.shutdown(wait=False)
    assert future.result() is None
    assert [each.result() for each in later] == [0, 1, 2]
    executor.shutdown()


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_a_worker_does_not_hear_ctrl_c_from_its_first_moment() -> None:
    started = WorkerProcess()
    os.kill(started.pid, signal.SIGINT)
    with LocalProcesses(1, started=[started]) as executor:
        assert executor.submit(os.getpid).result() == started.pid
        os.kill(started.pid, signal.SIGINT)
        assert executor.submit(os.getpid).result() == started.pid


def test_a_worker_imports_no_terminal() -> None:
    with LocalProcesses(1) as executor:
        assert {"click", "rich"}.isdisjoint(executor.submit(_modules).result())


def _modules() -> list[str]:
    return list(sys.modules)


def test_a_worker_is_kept_for_many_files() -> None:
    with LocalProcesses(1) as executor:
        pids = {str(result.path) for _, result in run([Job(Path("pid.xlsx"))] * 5, Setup(), executor, do=act)}
    assert len(pids) == 1


def test_any_executor_will_do() -> None:
    done = results(["a", "bug", "b"], ThreadPoolExecutor(2))
    assert [done[name].status for name in ("a", "bug", "b")] == ["unchanged", "failed", "unchanged"]


def test_no_more_than_so_many_files_are_handed_out_at_a_time() -> None:
    seen: list[int] = []

    class Counting(ThreadPoolExecutor):
        out = 0

        def submit(self, *args: object, **kwargs: object) -> Future[object]:  # type: ignore[override]
            self.out += 1
            seen.append(self.out)
            future = super().submit(*args, **kwargs)  # type: ignore[arg-type]
            future.add_done_callback(lambda _: setattr(self, "out", self.out - 1))
            return future

    done = results([f"slow{n}" for n in range(7)], Counting(2), ahead=3)
    assert len(done) == 7
    assert max(seen) <= 3


def test_a_stop_finishes_what_is_under_way_and_begins_nothing_more() -> None:
    stop = threading.Event()
    names = [f"slow{n}" for n in range(40)]
    done: dict[int, FileResult] = {}
    with LocalProcesses(2) as executor:
        for index, result in run([Job(Path(name)) for name in names], Setup(), executor, stop=stop, ahead=6, do=act):
            done[index] = result
            stop.set()
    assert sorted(done) == list(range(40))
    finished = [result for result in done.values() if result.status == "unchanged"]
    assert 1 <= len(finished) <= 6
    assert {result.kind for result in done.values() if result.status == "failed"} == {"interrupted"}


def test_killing_ends_what_is_under_way() -> None:
    with LocalProcesses(1) as executor:
        pid = int(str(next(run([Job(Path("pid"))], Setup(), executor, do=act))[1].path))
        threading.Timer(0.5, executor.kill).start()
        ((_, result),) = run([Job(Path("hang"))], Setup(), executor, do=act)
    assert (result.status, result.kind) == ("failed", "interrupted")
    assert not _alive(pid)


def _alive(pid: int) -> bool:
    for _ in range(50):
        try:
            os.kill(pid, 0)
        except (ProcessLookupError, PermissionError):
            return False
        time.sleep(0.1)
    return True


PARENT = """
import sys
from pathlib import Path
from recargos.batch import Job, LocalProcesses, Setup, run
sys.path.insert(0, {tests!r})
import test_batch
if __name__ == "__main__":
    executor = LocalProcesses(1)
    print(next(run([Job(Path("pid"))], Setup(), executor, do=test_batch.act))[1].path, flush=True)
    list(run([Job(Path("hang"))], Setup(), executor, do=test_batch.act))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_no_worker_outlives_a_killed_parent(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT.format(tests=str(Path(__file__).parent)))
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        parent.kill()
    assert not _alive(worker)


def test_an_engine_that_is_not_there_is_a_failed_file(tmp_path: Path) -> None:
    result = work(Job(tmp_path / "a.xlsx"), Setup(engine="abacus"))
    assert (result.status, result.kind) == ("failed", "engine")
    assert result.reason is not None
    assert "abacus" in result.reason.en


# -------------------------------------------------------------------------------------------------------------- dask
@pytest.fixture
def cluster() -> Iterator[str]:
    if os.environ.get("CI") != "true":  # in CI a missing piece fails
        pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
    import distributed

    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0") as local:
        yield local.scheduler_address


def test_a_dask_cluster_does_the_same(cluster: str) -> None:
    done = results(["a", "bug", "b"], Dask(cluster))
    assert [done[name].status for name in ("a", "bug", "b")] == ["unchanged", "failed", "unchanged"]
