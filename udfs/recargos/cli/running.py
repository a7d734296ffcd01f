"""A plan of workbooks carried out on a terminal: a progress bar, Ctrl-C, processes or a cluster."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rich.console import Console

    from recargos.batch import Plan, Setup
    from recargos.batch.process import Ready, WorkerProcess
    from recargos.workbook.report import Run
    from recargos.workbook.result import FileResult

INTERRUPTED = 130
"""What shells expect of a command that Ctrl-C ended."""
_STOPPING = {
    "en": "Stopping after the workbooks under way. Ctrl-C again ends them at once; they stay as they were.",
    "es": "Deteniendo: se terminan los libros en curso. Otro Ctrl-C los corta ya; quedan como estaban.",
}


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C outside of the work itself ends the command as shells expect."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo("Stopped.", err=True)
        sys.exit(INTERRUPTED)


class Work:
    """The work of a command. Its first worker starts at once: it loads the engine while the command looks around.

    From then on Ctrl-C stops after the files under way, and a second one ends these too.
    """

    def __init__(
        self, engines: Sequence[str], timeout: float, language: str, *, jobs: int | None = None, dask: str | None = None
    ) -> None:
        self.stop = threading.Event()
        self._asked = 0
        self._language = language
        self._jobs = jobs or _cores()
        self._dask = dask
        # LibreOffice keeps the time itself, and cleans up
        self._timeout = timeout + (10.0 if "libreoffice" in engines else 0.0)
        self._ready: Ready = ("recargos.batch.work:ready", (list(engines), timeout))
        self._started: list[WorkerProcess] = []
        self._executor: Executor | None = None
        self._messages: Console | None = None

    def __enter__(self) -> Work:
        self._leave = contextlib.ExitStack()
        self._leave.enter_context(_on_interrupt(self._interrupted))
        if self._dask is None:
            from recargos.batch.process import WorkerDied, WorkerProcess

            with contextlib.suppress(WorkerDied):  # the executor will try again, and tell
                self._started.append(WorkerProcess(self._ready))
        return self

    def __exit__(self, *_: object) -> None:
        self._leave.close()
        if self._executor is not None:
            self._executor.shutdown(wait=not self.stop.is_set(), cancel_futures=True)
        else:
            for worker in self._started:
                worker.end()
                worker.let_go()
                worker.wait()

    @property
    def messages(self) -> Console:
        """Standard error."""
        from rich.console import Console

        self._messages = self._messages or Console(stderr=True, highlight=False)
        return self._messages

    def carry_out(self, todo: Plan, setup: Setup, *, check: bool = False, reports: Sequence[str] = ()) -> Run:
        """Do the jobs of a plan, with a progress bar where a terminal watches. Then Ctrl-C is as it was before.

        `reports`: what will be made of the run, suffixes of files or "" for a terminal.
        """
        from recargos.batch.files import Job
        from recargos.batch.loop import interrupted, run
        from recargos.batch.work import failed
        from recargos.workbook.report import Run, load

        result = Run([], check=check, everything=setup.options.everything)
        started = time.monotonic()
        results: dict[int, FileResult] = {}
        if todo.jobs:
            executor = self._executor = self._made()
            try:
                with self._leave, _progress(self.messages, len(todo.jobs)) as advance:
                    for index, file in run(
                        todo.jobs, setup, executor, stop=self.stop, meanwhile=lambda: load(*reports)
                    ):
                        results[index] = file
                        advance(file.path)
            except KeyboardInterrupt:  # the second Ctrl-C
                self.stop.set()
                if hasattr(executor, "kill"):
                    executor.kill()
            if self._dask is None:
                executor.shutdown(wait=False, cancel_futures=True)  # the workers end while the report is written
        result.files = [failed(Job(path), kind, reason) for path, kind, reason in todo.problems]
        result.files += [results.get(index) or interrupted(job) for index, job in enumerate(todo.jobs)]
        result.interrupted = self.stop.is_set()
        result.seconds = time.monotonic() - started
        return result

    def _made(self) -> Executor:
        from recargos import batch

        if self._dask is None:
            return batch.LocalProcesses(self._jobs, timeout=self._timeout, ready=self._ready, started=self._started)
        try:
            return batch.Dask(self._dask)
        except ImportError:
            raise click.UsageError("--dask needs the package distributed: pip install 'recargos[cluster]'.") from None
        except (OSError, ValueError) as error:
            raise click.UsageError(f"The Dask cluster at {self._dask} cannot be reached: {error}.") from None

    def _interrupted(self, _number: int, _frame: object) -> None:
        self._asked += 1
        if self._asked > (1 if self._executor is not None else 2):  # before the work begins there is nothing to end
            raise KeyboardInterrupt
        if self.stop.is_set():
            return
        self.stop.set()
        if self._messages is None:  # no time to import what prints more nicely: that may be under way just now
            click.echo(_STOPPING[self._language], err=True)
        else:
            self._messages.print(_STOPPING[self._language], soft_wrap=True)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _on_interrupt(handle: Callable[[int, object], None]) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _progress(messages: Console, total: int) -> Iterator[Callable[[Path], None]]:
    if not messages.is_terminal or total < 2:
        yield lambda _path: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from recargos.workbook.report import shown

    with Progress(
        TextColumn("{task.fields[name]}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=messages,
        transient=True,
    ) as bar:
        task = bar.add_task("", total=total, name="")

        def advance(path: Path) -> None:
            bar.update(task, advance=1, name=shown.clean(path.name, 40))

        yield advance
