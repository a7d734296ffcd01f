"""The report for a terminal: a line a workbook, then what needs a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recargos.workbook.report import shown
from recargos.workbook.report.run import Run, result_unit, to_look_at
from recargos.workbook.report.words import CELL, CHECKED, STATUS, WORDS, verdict
from recargos.workbook.result import FileResult

if TYPE_CHECKING:
    from rich.console import Console

LISTED = 20
"""Cells a file that a terminal shows; the files of `--report` list all."""
COLOURS = {"flagged": "yellow", "stale": "magenta", "unsupported": "magenta", "refused": "red", "failed": "red"}
COLUMN = 13
"""Width of a column of numbers with its heading, about."""


def print_text(run: Run, console: Console, language: str, *, listed: int = LISTED) -> None:
    """Print the run. Client text is shown as it is, never read as markup."""
    from rich.text import Text

    names, folder = shown.short_names([file.path for file in run.files])
    if folder:
        console.print(Text(folder, "dim"), soft_wrap=True)
    named = [(file, names[file.path]) for file in run.files]
    _print_files(run, named, console, language)
    for file, name in named:
        cells = to_look_at(file.cells)
        if not (cells or file.reason or file.warnings):
            continue
        console.print()
        console.print(Text(name, "bold"), soft_wrap=True)
        if file.reason:
            said = f"  {STATUS[file.status].in_(language)}: {shown.clean(file.reason.in_(language))}"
            console.print(Text(said, "red"), soft_wrap=True)
        for warning in file.warnings:
            console.print(Text(f"  {shown.clean(warning.in_(language))}"), soft_wrap=True)
        for cell in cells[:listed]:
            value = shown.value(cell.new, result_unit(cell.function), language, date1904=file.date1904)
            line = Text(f"  {shown.clean(cell.sheet)}!{cell.cell}  ")
            line.append(CELL[cell.status].in_(language), COLOURS[cell.status])
            line.append(f"  {shown.clean(cell.function)}  {value}  " if cell.function else f"  {value}  ")
            line.append(shown.clean(cell.reason.in_(language)))
            console.print(line, soft_wrap=True)
        if len(cells) > listed:
            more = WORDS["listed_more"].in_(language).format(count=len(cells) - listed)
            console.print(Text(f"  {more}"), soft_wrap=True)
    if run.files:
        console.print()
    console.print(Text(verdict(run, language), "bold"), soft_wrap=True)
    if run.interrupted:
        console.print(Text(WORDS["stopped"].in_(language), "red"))


def _print_files(run: Run, named: Sequence[tuple[FileResult, str]], console: Console, language: str) -> None:
    """A table where the terminal is wide enough for it, else a line for each workbook."""
    from rich.table import Table
    from rich.text import Text

    # A column in which every workbook has 0 says nothing.
    columns = ["changed", "same", *(name for name in ("flagged", "stale", "unsupported") if getattr(run.counts, name))]
    columns += ["agreement"] if any(file.agreement.checked for file in run.files) else []
    headings = {name: WORDS["differ" if run.check and name == "changed" else name].in_(language) for name in columns}
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column(WORDS["workbook"].in_(language), overflow="fold")
    table.add_column(WORDS["status"].in_(language), no_wrap=True)
    for heading in headings.values():
        table.add_column(heading, justify="right", overflow="fold")
    lines = []
    for file, name in named:
        status = (CHECKED if run.check and file.status in CHECKED else STATUS)[file.status].in_(language)
        styled = Text(status, COLOURS.get(file.status, ""))
        numbers = (
            [] if file.status in ("refused", "failed") else [_number(file, column, language) for column in columns]
        )
        table.add_row(Text(name), styled, *numbers)
        told = [(heading.lower(), number) for heading, number in zip(headings.values(), numbers, strict=False)]
        said = [f"{heading} {number}" for heading, number in told if number not in ("0", "—")]
        lines.append(Text(f"{name}  ") + styled + Text(f": {', '.join(said)}" if said else ""))
    widest = max((len(name) for _, name in named), default=0)
    if not lines:
        return
    if widest + COLUMN * (len(columns) + 1) <= console.width:
        console.print(table)
        return
    for line in lines:
        console.print(line, soft_wrap=True)


def _number(file: FileResult, column: str, language: str) -> str:
    if column != "agreement":
        return f"{getattr(file.counts, column):,}"
    known = file.agreement
    return (
        WORDS["agreement_of"].in_(language).format(equal=known.equal, checked=known.checked) if known.checked else "—"
    )
