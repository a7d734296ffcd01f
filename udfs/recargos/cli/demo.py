"""`recargos demo`: a client folder, recalculated, and what changed in it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from recargos.law import T

if TYPE_CHECKING:
    from rich.console import Console

    from recargos.workbook.report import Run
    from recargos.workbook.result import FileResult

MARK = ".recargos-demo"
"""Stands in a folder that this command made, and may therefore make anew."""
SHOWN = 5
"""Changed cells shown of each workbook."""


@click.command("demo")
@click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("recargos-demo"),
    show_default=True,
    help="Where to make it.",
)
@click.option(
    "--lang",
    "language",
    type=click.Choice(["en", "es"]),
    default="en",
    show_default=True,
    envvar="RECARGOS_LANG",
    help="Language of the tables and the report.",
)
@click.option("--json", "as_json", is_flag=True, help="The report as JSON on standard output.")
def demo_command(folder: Path, language: str, as_json: bool) -> None:
    """Make a folder of invented clients' workbooks, recalculate it, and show what changed."""
    from rich.console import Console

    from recargos.batch import Setup, plan
    from recargos.cli.running import INTERRUPTED, Work
    from recargos.workbook.report import stream, write

    clients, results = folder / "clients", folder / "recalculated"
    _make(folder, clients, results)
    setup = Setup()
    with Work([setup.engine], setup.timeout, language) as work:
        run = work.carry_out(plan([clients], out=results), setup, reports=["", ".html"])
    reports = [folder / "report.html", folder / "report.json"]
    for path in reports:
        write(run, path, language)
    if as_json:
        sys.stdout.buffer.writelines(stream(run, ".json", language))
    else:
        _show(run, Console(highlight=False), language, clients, results, reports[0])
    failed = [file for file in run.files if file.status == "failed"]  # the folder holds one file to be refused
    sys.exit(INTERRUPTED if run.interrupted else 3 if failed else 0)


def _make(folder: Path, clients: Path, results: Path) -> None:
    from recargos import shipped

    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise click.UsageError(f"{folder} is not empty and was not made by this command; choose another --dir.")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()
    for old in (clients, results):
        shutil.rmtree(old, ignore_errors=True)
    shutil.copytree(shipped.path("examples/clients"), clients)


def _show(run: Run, console: Console, language: str, clients: Path, results: Path, report: Path) -> None:
    from rich.text import Text

    from recargos.workbook.report import shown
    from recargos.workbook.report.words import STATUS, verdict

    for file in run.files:
        heading = Text(shown.path(file.path.relative_to(clients)), "bold")
        heading.append(f"  {STATUS[file.status].in_(language)}", "not bold dim")
        console.print(heading, soft_wrap=True)
        if file.reason:
            console.print(Text("  " + shown.clean(file.reason.in_(language)), "red"))
        else:
            _show_cells(file, console, language)
        console.print()
    console.print(Text(verdict(run, language), "bold"), soft_wrap=True)
    places = [
        (T("The clients' workbooks, as they were:", "Los libros de los clientes, como estaban:"), clients),
        (T("The same workbooks, recalculated:", "Los mismos libros, recalculados:"), results),
        (T("The report, with every step:", "El informe, con cada paso:"), report),
    ]
    for text, path in places:
        console.print(Text(f"{text.in_(language)} {path}"), soft_wrap=True)


def _show_cells(file: FileResult, console: Console, language: str) -> None:
    """A few cells before and after, and all that need a person with the reason."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from recargos.workbook.report import shown
    from recargos.workbook.report.run import of_status, result_unit, to_look_at
    from recargos.workbook.report.words import WORDS

    changed = of_status(file.cells, "changed")
    telling = sorted(changed, key=lambda cell: cell.old is None)[:SHOWN]  # a wrong old value tells more than a blank
    look = to_look_at(file.cells)
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for name in ("cell", "function", "before", "after"):
        table.add_column(
            WORDS[name].in_(language), justify="right" if name in ("before", "after") else "left", overflow="fold"
        )
    for cell in [*telling, *look]:
        unit = result_unit(cell.function)
        before, after = (shown.value(value, unit, language, date1904=file.date1904) for value in (cell.old, cell.new))
        style = "" if cell.status == "changed" else "yellow"
        where = Text(f"{shown.clean(cell.sheet)}!{cell.cell}")
        table.add_row(where, cell.function, Text(before, "dim"), Text(after, f"bold {style}"))
    console.print(Padding(table, (0, 0, 0, 2)))
    more = file.counts.changed - sum(cell.old != cell.new for cell in [*telling, *look])
    if more > 0:
        console.print(Text("  " + WORDS["and_more"].in_(language).format(count=more), "dim"))
    for cell in look:
        why = shown.clean(cell.reason.in_(language))
        console.print(Text(f"  ! {cell.cell}: {why}", "yellow"), soft_wrap=True)
