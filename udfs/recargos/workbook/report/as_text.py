"""The report for a terminal: a line a workbook, then what needs a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recargos.workbook.report import shown
from recargos.workbook.report.run import Run, result_unit, to_look_at
from recargos.workbook.report.words import CELL, CHECKED, STATUS, WORDS, verdict

if TYPE_CHECKING:
    from rich.console import Console

LISTED = 20
"""Cells a file that a terminal shows; the files of `--report` list all."""
COLOURS = {
    "changed": "",
    "flagged": "yellow",
    "stale": "magenta",
    "unsupported": "magenta",
    "refused": "red",
    "failed": "red",
}


def print_text(run: Run, console: Console, language: str, *, listed: int = LISTED) -> None:
    """Print the run. Client text is shown as it is, never read as markup."""
    from rich.table import Table
    from rich.text import Text

    def word(name: str, **fields: object) -> str:
        return WORDS[name].in_(language).format(**fields)

    # A terminal is narrow: a column in which every workbook has 0 says nothing.
    named = ["changed", "same", *(name for name in ("flagged", "stale", "unsupported") if getattr(run.counts, name))]
    agreement = any(file.agreement.checked for file in run.files)
    table = Table(box=None, header_style="bold", pad_edge=False)
    names, folder = shown.short_names([file.path for file in run.files])
    table.add_column(word("workbook"), overflow="fold")
    table.add_column(word("status"), no_wrap=True)
    for name in [*named, *(["agreement"] if agreement else [])]:
        heading = word("differ" if run.check and name == "changed" else name)
        table.add_column(heading, justify="right", overflow="fold")
    for file in run.files:
        status = (CHECKED if run.check and file.status in CHECKED else STATUS)[file.status].in_(language)
        row = [Text(names[file.path]), Text(status, COLOURS.get(file.status, ""))]
        if file.status not in ("refused", "failed"):
            row += [Text(f"{getattr(file.counts, name):,}") for name in named]
            if agreement:
                known = file.agreement
                words = word("agreement_of", equal=known.equal, checked=known.checked) if known.checked else "—"
                row.append(Text(words))
        table.add_row(*row)
    if folder:
        console.print(Text(folder, "dim"), soft_wrap=True)
    if run.files:
        console.print(table)

    for file in run.files:
        cells = to_look_at(file.cells)
        if not (cells or file.reason or file.warnings):
            continue
        console.print()
        console.print(Text(names[file.path], "bold"), soft_wrap=True)
        if file.reason:
            console.print(
                Text(f"  {STATUS[file.status].in_(language)}: {shown.clean(file.reason.in_(language))}", "red"),
                soft_wrap=True,
            )
        for warning in file.warnings:
            console.print(Text(f"  {shown.clean(warning.in_(language))}"), soft_wrap=True)
        for cell in cells[:listed]:
            value = shown.value(cell.new, result_unit(cell.function), language, date1904=file.date1904)
            line = Text(f"  {shown.clean(cell.sheet)}!{cell.cell}  ")
            line.append(CELL[cell.status].in_(language), COLOURS[cell.status])
            line.append(f"  {cell.function or ''}  {value}  ".replace("    ", "  "))
            line.append(shown.clean(cell.reason.in_(language)))
            console.print(line, soft_wrap=True)
        if len(cells) > listed:
            console.print(Text("  " + word("listed_more", count=len(cells) - listed)), soft_wrap=True)
    if run.files:
        console.print()
    console.print(Text(verdict(run, language), "bold"), soft_wrap=True)
    if run.interrupted:
        console.print(Text(word("stopped"), "red"))
