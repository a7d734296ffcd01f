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
    from recargos.cli.recalc import INTERRUPTED, execute
    from recargos.workbook.report import render, write

    messages = Console(stderr=True, highlight=False)
    clients, results = folder / "clients", folder / "recalculated"
    _make(folder, clients, results)
    run = execute(plan([clients], out=results), Setup(), messages, language)
    reports = [folder / "report.html", folder / "report.json"]
    for path in reports:
        write(run, path, language)
    if as_json:
        sys.stdout.buffer.write(render(run, ".json", language))
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
    from rich.table import Table
    from rich.text import Text

    from recargos.workbook.report import shown
    from recargos.workbook.report.run import result_unit
    from recargos.workbook.report.words import CELL, STATUS, WORDS, verdict

    def word(name: str) -> str:
        return WORDS[name].in_(language)

    table = Table(header_style="bold", title_justify="left", row_styles=["", ""])
    for name, right in (
        ("cell", False),
        ("function", False),
        ("before", True),
        ("after", True),
        ("status", False),
        ("why", False),
    ):
        table.add_column(
            word(name),
            justify="right" if right else "left",
            no_wrap=name in ("function", "before", "after"),
            overflow="fold",
        )
    for file in run.files:
        table.add_section()
        table.add_row(
            Text(shown.path(file.path.relative_to(clients)), "bold"),
            "",
            "",
            "",
            Text(STATUS[file.status].in_(language)),
            Text(shown.clean(file.reason.in_(language)) if file.reason else ""),
        )
        changed = [cell for cell in file.cells if cell.status == "changed"]
        others = [cell for cell in file.cells if cell.status != "changed"]
        for cell in [*changed[:SHOWN], *others[:SHOWN]]:
            unit = result_unit(cell.function)
            before, after = (
                shown.value(value, unit, language, date1904=file.date1904) for value in (cell.old, cell.new)
            )
            table.add_row(
                Text(f"  {shown.clean(cell.sheet)}!{cell.cell}"),
                cell.function,
                Text(before, "dim"),
                Text(after, "bold"),
                Text(CELL[cell.status].in_(language), "" if cell.status == "changed" else "yellow"),
                Text(shown.clean(cell.reason.in_(language))),
            )
        more = max(file.counts.changed - SHOWN, 0) + max(len(others) - SHOWN, 0)
        if more:
            table.add_row(Text(f"  … {more:,}", "dim"))
    console.print(table)
    console.print()
    console.print(Text(verdict(run, language), "bold"), soft_wrap=True)
    places = [
        (T("The clients' workbooks, as they were:", "Los libros de los clientes, como estaban:"), clients),
        (T("The same workbooks, recalculated:", "Los mismos libros, recalculados:"), results),
        (T("The report, with every step:", "El informe, con cada paso:"), report),
    ]
    for text, path in places:
        console.print(Text(f"{text.in_(language)} {path}"), soft_wrap=True)
