"""A plan of workbooks carried out on a terminal: a progress bar, Ctrl-C, processes or a cluster."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from recargos.law import T

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rich.console import Console

    from recargos.batch import Plan, Setup
    from recargos.workbook.report import Run
    from recargos.workbook.result import FileResult

INTERRUPTED = 130
"""What shells expect of a command that Ctrl-C ended."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C outside of the work itself ends the command as shells expect."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo("Stopped.", err=True)
        sys.exit(INTERRUPTED)


def execute(
    todo: Plan,
    setup: Setup,
    messages: Console,
    language: str,
    *,
    jobs: int | None = None,
    dask: str | None = None,
    check: bool = False,
) -> Run:
    """Carry a plan out: a progress bar where a terminal watches; Ctrl-C stops after the files under way."""
    from recargos.batch.files import Job
    from recargos.batch.run import failed, interrupted, run
    from recargos.workbook.report import Run

    result = Run([], check=check, everything=setup.options.everything)
    started = time.monotonic()
    results: dict[int, FileResult] = {}
    stop = threading.Event()
    if todo.jobs:
        executor = _executor(setup, min(jobs or _cores(), len(todo.jobs)), dask)
        try:
            with _stopping(stop, messages, language), _progress(messages, len(todo.jobs)) as advance:
                for index, file in run(todo.jobs, setup, executor, stop=stop):
                    results[index] = file
                    advance(file.path)
        except KeyboardInterrupt:  # the second Ctrl-C
            stop.set()
            if hasattr(executor, "kill"):
                executor.kill()
        finally:
            executor.shutdown(wait=not stop.is_set(), cancel_futures=True)
    result.files = [failed(Job(path), kind, reason) for path, kind, reason in todo.problems]
    result.files += [results.get(index) or interrupted(job) for index, job in enumerate(todo.jobs)]
    result.interrupted = stop.is_set()
    result.seconds = time.monotonic() - started
    return result


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _executor(setup: Setup, jobs: int, dask: str | None) -> Executor:
    from recargos import batch

    if dask is None:
        grace = (
            10.0 if "libreoffice" in (setup.engine, setup.verify) else 0.0
        )  # it keeps the time itself, and cleans up
        return batch.LocalProcesses(jobs, timeout=setup.timeout + grace)
    try:
        return batch.Dask(dask)
    except ImportError:
        raise click.UsageError("--dask needs the package distributed: pip install 'recargos[cluster]'.") from None
    except (OSError, ValueError) as error:
        raise click.UsageError(f"The Dask cluster at {dask} cannot be reached: {error}.") from None


@contextmanager
def _stopping(stop: threading.Event, messages: Console, language: str) -> Iterator[None]:
    """The first Ctrl-C lets the files under way finish, the second ends the work at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(_number: int, _frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        messages.print(
            T(
                "Stopping after the workbooks under way. Ctrl-C again ends them at once; they stay as they were.",
                "Deteniendo: se terminan los libros en curso. Otro Ctrl-C los corta ya; quedan como estaban.",
            ).in_(language),
            soft_wrap=True,
        )

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
