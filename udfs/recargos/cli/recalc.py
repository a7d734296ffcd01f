"""`recargos recalc` and `recargos check`: workbooks recalculated, or only compared, in any number."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from recargos.cli.running import INTERRUPTED, Work, interruptible

ENGINES = ("formualizer", "libreoffice")


def _limits(_context: click.Context, _parameter: click.Parameter, values: Sequence[str]) -> dict[str, int]:
    if not values:
        return {}
    import dataclasses

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
@click.option("--out", type=_PATH, metavar="DIR", help="Write the results here, the folders' structure kept.")
@click.option("--in-place", is_flag=True, help="Replace each workbook by its result, in one step.")
@_shared
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


@interruptible()
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
    if verify == engine:
        raise click.UsageError(f"--verify needs another engine than --engine {engine}.")
    engines = [name for name in (engine, verify) if name is not None]
    with Work(engines, timeout, language, jobs=jobs, dask=dask) as work:
        from rich.console import Console

        from recargos.batch import Misused, Setup, plan
        from recargos.workbook.refusal import Limits
        from recargos.workbook.report import print_text, stream, write
        from recargos.workbook.result import Options

        try:
            todo = plan(paths, out=out, in_place=in_place)
        except Misused as misused:
            raise click.UsageError(misused.reason.in_(language)) from None
        inputs = {job.source.resolve() for job in todo.jobs}
        for path in reports:
            if path.resolve() in inputs:
                raise click.UsageError(f"--report {path} would overwrite an input.")
        for note in todo.notes:
            work.messages.print(note.in_(language), markup=False, soft_wrap=True)
        setup = Setup(
            engine, verify, timeout, Options(everything=everything, report_cells=report_cells, limits=Limits(**limits))
        )
        run = work.carry_out(
            todo, setup, check=check, reports=[".json" if as_json else "", *(path.suffix.lower() for path in reports)]
        )
        code = run.exit_code
        if as_json:
            sys.stdout.buffer.writelines(stream(run, ".json", language))
            sys.stdout.flush()
        else:
            print_text(run, Console(highlight=False), language)
        for path in reports:
            try:
                write(run, path, language)
            except OSError as error:
                sentence = {
                    "en": f"The report {path} could not be written: {error.strerror}.",
                    "es": f"No se pudo escribir el informe {path}: {error.strerror}.",
                }[language]
                work.messages.print(sentence, markup=False, soft_wrap=True)
                code = 3
    sys.exit(INTERRUPTED if run.interrupted else code)
