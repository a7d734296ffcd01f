"""`recargos recalc` and `recargos check`: workbooks recalculated, or only compared, in any number."""

from __future__ import annotations

import dataclasses
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from recargos.law import T

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rich.console import Console

    from recargos.batch import Plan, Setup
    from recargos.workbook.report import Run
    from recargos.workbook.result import FileResult

ENGINES = ("formualizer", "libreoffice")
INTERRUPTED = 130
"""What shells expect of a command that Ctrl-C ended."""


def _limits(_context: click.Context, _parameter: click.Parameter, values: Sequence[str]) -> dict[str, int]:
    from recargos.workbook.refusal import Limits

    known = {field.name: field.default for field in dataclasses.fields(Limits)}
    given = {}
    for value in values:
        name, _, number = value.partition("=")
        if name not in known or not number.isdecimal():
            raise click.BadParameter(
                f"{value!r} is not one of " + ", ".join(f"{key}={default}" for key, default in known.items())
            )
        given[name] = int(number)
    return given


def _reports(_context: click.Context, _parameter: click.Parameter, values: Sequence[Path]) -> Sequence[Path]:
    for path in values:
        if path.suffix.lower() not in (".json", ".html"):
            raise click.BadParameter(f"{path} must end in .json or .html")
    return values


def _paths(_context: click.Context, _parameter: click.Parameter, values: Sequence[str]) -> Sequence[Path]:
    if not all(values):  # a script's empty variable must not mean the current folder
        raise click.BadParameter("a path is empty")
    return [Path(value) for value in values]


_PATH = click.Path(path_type=Path)
_OPTIONS = [
    click.argument("paths", nargs=-1, required=True, callback=_paths, metavar="PATH…"),
    click.option("--all", "everything", is_flag=True, help="Every formula, not only PR_ cells and what rests on them."),
    click.option(
        "--engine",
        type=click.Choice(ENGINES),
        default="formualizer",
        show_default=True,
        help="Which formula engine computes.",
    ),
    click.option(
        "--verify",
        type=click.Choice(ENGINES),
        help="A second engine: cells on which the two differ are listed and not written.",
    ),
    click.option(
        "--report",
        "reports",
        multiple=True,
        type=_PATH,
        callback=_reports,
        metavar="FILE",
        help="Write a report: .html for people, .json for machines. Repeatable.",
    ),
    click.option(
        "--report-cells",
        type=click.IntRange(min=0),
        default=1000,
        show_default=True,
        help="Changed cells listed per workbook; all others always are.",
    ),
    click.option("--jobs", type=click.IntRange(min=1), help="Processes at a time.  [default: one per core]"),
    click.option("--dask", metavar="ADDRESS", help="Work on a Dask cluster instead (pip install 'recargos[cluster]')."),
    click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=900.0,
        show_default=True,
        help="Seconds for one workbook.",
    ),
    click.option(
        "--limit",
        "limits",
        multiple=True,
        callback=_limits,
        metavar="NAME=NUMBER",
        help="Change a safety limit, such as file_bytes=1000000000. Repeatable.",
    ),
    click.option(
        "--lang",
        "language",
        type=click.Choice(["en", "es"]),
        default="en",
        show_default=True,
        envvar="RECARGOS_LANG",
        help="Language of the report.",
    ),
    click.option("--json", "as_json", is_flag=True, help="The report as JSON on standard output."),
]


def _shared(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command("recalc")
@_shared
@click.option("--out", type=_PATH, metavar="DIR", help="Write the results here, the folders' structure kept.")
@click.option("--in-place", is_flag=True, help="Replace each workbook by its result, in one step.")
def recalc_command(out: Path | None, in_place: bool, **options: Any) -> None:
    """Recalculate the PR_ figures of workbooks and folders; nothing else in them changes.

    Exit codes: 0 done, 1 a cell is flagged, stale or unsupported, 2 usage, 3 a file was refused or failed.
    """
    if in_place == (out is not None):
        raise click.UsageError(
            "Say where the results go: --out DIR leaves your workbooks as they are, --in-place replaces them. "
            "(`recargos check` only compares and writes nothing.)"
            if not in_place
            else "Choose one of --out and --in-place."
        )
    if out is not None and out.exists() and not out.is_dir():
        raise click.UsageError(f"--out {out} is a file; name a folder.")
    _command(out=out, in_place=in_place, check=False, **options)


@click.command("check")
@_shared
def check_command(**options: Any) -> None:
    """Compare the PR_ figures of workbooks with what they should be. Writes nothing.

    Exit codes: 0 all right, 1 a figure differs or is flagged, stale or unsupported, 2 usage, 3 a file was refused or
    failed.
    """
    _command(out=None, in_place=False, check=True, **options)


def _command(
    *,
    paths: Sequence[Path],
    out: Path | None,
    in_place: bool,
    check: bool,
    engine: str,
    verify: str | None,
    everything: bool,
    reports: Sequence[Path],
    report_cells: int,
    jobs: int | None,
    dask: str | None,
    timeout: float,
    limits: dict[str, int],
    language: str,
    as_json: bool,
) -> None:
    from rich.console import Console

    from recargos.batch import Misused, Setup, plan
    from recargos.workbook.refusal import Limits
    from recargos.workbook.report import print_text, render, write
    from recargos.workbook.result import Options

    if verify == engine:
        raise click.UsageError(f"--verify needs another engine than --engine {engine}.")
    messages = Console(stderr=True, highlight=False)
    try:
        todo = plan(paths, out=out, in_place=in_place)
    except Misused as misused:
        raise click.UsageError(misused.reason.in_(language)) from None
    for note in todo.notes:
        messages.print(note.in_(language), markup=False, soft_wrap=True)
    setup = Setup(
        engine, verify, timeout, Options(everything=everything, report_cells=report_cells, limits=Limits(**limits))
    )
    run = execute(todo, setup, messages, language, jobs=jobs, dask=dask, check=check)
    code = run.exit_code
    if as_json:
        sys.stdout.buffer.write(render(run, ".json", language))
        sys.stdout.flush()
    else:
        print_text(run, Console(highlight=False), language)
    for path in reports:
        try:
            write(run, path, language)
        except OSError as error:
            messages.print(
                T(
                    f"The report {path} could not be written: {error.strerror}.",
                    f"No se pudo escribir el informe {path}: {error.strerror}.",
                ).in_(language),
                markup=False,
                soft_wrap=True,
            )
            code = 3
    sys.exit(INTERRUPTED if run.interrupted else code)


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
