"""`recargos calc`: one call, or a CSV of calls, through the same reading of cells as every host."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, TextIO

import click

from recargos.cells import OMITTED, call, caller, explain
from recargos.law import CellError, Function, Step
from recargos.money import Figure
from recargos.statutes import FUNCTIONS

_ERRORS = {error.value: error for error in CellError}


def typed(text: str, kind: str) -> Any:
    """A word of the command line, or a field of a CSV file, as the cell that holds it.

    Nothing is a blank cell, a plain number is a number, an error's name is that error; the rest stays text and is read
    by the same grammar as text in a cell.
    """
    if text == "":
        return None
    if text in _ERRORS:
        return _ERRORS[text]
    if kind in ("text", "any") and text.upper() in ("TRUE", "FALSE"):
        return text.upper() == "TRUE"
    if kind in ("money", "rate", "days", "flag", "any"):
        try:
            return float(text) if _plain(text) else text
        except ValueError:
            return text
    return text


def _plain(text: str) -> bool:
    """Digits, at most one point and a minus in front: up to 15 digits a float reads back exactly; more stay text."""
    digits = text.removeprefix("-").replace(".", "", 1)
    return digits.isascii() and digits.isdigit() and len(digits.lstrip("0")) <= 15


def printable(value: Any, function: Function) -> str:
    """A result as text: money with two decimals, dates as ISO, TRUE and FALSE as in a cell."""
    if isinstance(value, CellError):
        return value.value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return f"{value:.2f}" if function.result == "money" else f"{value:g}"
    return str(value)


def jsonable(value: Any) -> Any:
    """A value as JSON: dates as ISO text, errors as their names, exact numbers as numbers."""
    if isinstance(value, (bool, int, float, str)) or value is None:
        return value.value if isinstance(value, CellError) else value
    if isinstance(value, (list, tuple)):
        return [jsonable(item) for item in value]
    if isinstance(value, date):
        return value.isoformat()
    return float(value)


def _steps(steps: list[Step], language: str) -> list[dict[str, Any]]:
    return [
        {
            "rule": step.rule,
            "label": step.label(language),
            "value": jsonable(step.value),
            "unit": step.unit,
            "citation": step.citation.in_(language),
        }
        for step in steps
    ]


def _function(name: str) -> Function:
    function = FUNCTIONS.get(name.strip().lstrip("=").upper())
    if function is None:
        from difflib import get_close_matches

        near = get_close_matches(name.upper(), FUNCTIONS, n=3, cutoff=0.4)
        hint = f" Did you mean {', '.join(near)}?" if near else ""
        raise click.BadParameter(f"{name} is not a function of the catalogue.{hint}", param_hint="NAME")
    return function


@click.command("calc", context_settings={"ignore_unknown_options": True})
@click.argument("name")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--csv", "csv_file", metavar="FILE|-", help="One call per row of a CSV; the row comes back with its result."
)
@click.option("--explain", "explained", is_flag=True, help="Show every step with its citation.")
@click.option("--lang", type=click.Choice(["es", "en"]), default="en", show_default=True, help="Language of the steps.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def calc_command(
    name: str, arguments: tuple[str, ...], csv_file: str | None, explained: bool, lang: str, as_json: bool
) -> None:
    """Compute NAME with ARGUMENTS, as a cell would: recargos calc PR_LATE_FILE 8000 47 5000 1200

    An omitted argument in the middle is written as two quotes (""); a list (payments, holidays) with semicolons.
    With --csv an error value is a result like any other, not a failure.
    """
    function = _function(name)
    if csv_file is not None:
        if arguments or explained:
            raise click.UsageError("--csv takes its arguments from the file and explains nothing")
        _calc_csv(function, csv_file, as_json)
        return
    if not function.required <= len(arguments) <= len(function.arguments):
        raise click.UsageError(f"{function.name} takes {function.signature}")
    cells = [_cell(text, function, n) for n, text in enumerate(arguments)]
    value = call(function, cells)
    error = value.value if isinstance(value, CellError) else None
    steps = explain(function, cells) if (explained or as_json) and not function.explains else []
    if as_json:
        click.echo(
            json.dumps(
                {
                    "function": function.name,
                    "arguments": [jsonable(None if cell is OMITTED else cell) for cell in cells],
                    "value": None if error else jsonable(value),
                    "error": error,
                    "steps": _steps(steps, lang),
                },
                ensure_ascii=False,
                indent=2,
            )
        )
    elif isinstance(value, list):
        _print_table(function, value, lang)
    else:
        if explained:
            _print_table(
                function, [[s.label(lang), s.value, s.citation.in_(lang)] for s in steps], lang, explained=True
            )
        click.echo(printable(value, function))
    if error and not as_json:
        reasons = [s.label(lang) for s in explain(function, cells) if isinstance(s.value, CellError)]
        if reasons:
            click.echo(f"{function.name}: {reasons[-1]}", err=True)
    raise SystemExit(1 if error else 0)


def _cell(text: str, function: Function, position: int) -> Any:
    argument = function.arguments[position]
    if argument.whole_range and ";" in text:
        return [[typed(part.strip(), argument.kind)] for part in text.split(";")]
    if text == "" and argument.optional:
        return OMITTED
    return typed(text, argument.kind)


def _print_table(function: Function, rows: list[list[Any]], lang: str, explained: bool = False) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    headings = [t.in_(lang) for t in function.columns]
    if explained:
        headings = {"en": ["Step", "Value", "Citation"], "es": ["Paso", "Valor", "Cita"]}[lang]
    table = Table(*headings, show_lines=explained or bool(function.explains))
    for row in rows:
        table.add_row(*[Text("" if value is None else _figure(value)) for value in row])
    # A pipe gets the whole lines; only a terminal folds them.
    Console(width=None if sys.stdout.isatty() else 200).print(table)


def _step(step: Step) -> Any:
    """A step's value in its unit: rates as a percentage."""
    if step.unit == "rate" and isinstance(step.value, Decimal):
        return f"{Figure(step.value):%}"
    return step.value


def _figure(value: Any) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, date, str)):
        return value.value if isinstance(value, CellError) else str(value)
    number = float(value)
    return f"{number:,.2f}" if number >= 1 or number == 0 else f"{number:g}"


# ---------------------------------------------------------------------------------------------------------------- CSV


def _calc_csv(function: Function, source: str, as_json: bool) -> None:
    """One call per row. A first row that names the function's arguments is a heading and says which column is which."""
    try:
        if source == "-":
            _stream(function, io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", newline=""), as_json)
        else:
            with Path(source).open(encoding="utf-8-sig", newline="") as file:
                _stream(function, file, as_json)
    except OSError as problem:
        click.echo(f"recargos: {source} cannot be read: {problem.strerror}", err=True)
        raise SystemExit(3) from None
    except UnicodeDecodeError:
        click.echo(f"recargos: {source} is not UTF-8 text; save it as “CSV UTF-8”", err=True)
        raise SystemExit(3) from None
    except csv.Error as problem:
        click.echo(f"recargos: {source} is not a CSV file: {problem}", err=True)
        raise SystemExit(3) from None


def _stream(function: Function, file: TextIO, as_json: bool) -> None:
    rows = csv.reader(file)
    first = next(rows, None)
    if first is None:
        return
    columns, heading = _columns(function, first)
    out = csv.writer(sys.stdout, lineterminator="\n")
    if heading and not as_json:
        out.writerow([*first, function.name])
    compute = caller(function)
    kinds = [function.arguments[position].kind for position, _ in columns]
    indexes = [index for _, index in columns]
    positions = [position for position, _ in columns]
    gaps = positions != list(range(len(positions)))
    known: dict[tuple[str, str], Any] = {}
    batch: list[list[str]] = []
    for row in rows if heading else _again(first, rows):
        if not row:
            continue
        cells = []
        for index, kind in zip(indexes, kinds, strict=True):
            text = row[index] if index < len(row) else ""
            key = (text, kind)
            cell = known.get(key, OMITTED)
            if cell is OMITTED:
                cell = typed(text, kind)
                if len(known) < 100_000:
                    known[key] = cell
            cells.append(cell)
        if gaps:
            spread = [OMITTED] * (max(positions) + 1)
            for position, cell in zip(positions, cells, strict=True):
                spread[position] = cell
            cells = spread
        value = compute(*cells)
        if as_json:
            click.echo(json.dumps({"arguments": row, "value": jsonable(value)}, ensure_ascii=False))
            continue
        if isinstance(value, list):
            value = json.dumps(jsonable(value), ensure_ascii=False)
        batch.append([*row, value if isinstance(value, str) and type(value) is str else printable(value, function)])
        if len(batch) >= 5000:
            out.writerows(batch)
            batch.clear()
    out.writerows(batch)


def _again(first: list[str], rows: Iterator[list[str]]) -> Iterator[list[str]]:
    yield first
    yield from rows


def _columns(function: Function, first: list[str]) -> tuple[list[tuple[int, int]], bool]:
    """(argument, column) pairs, and whether the first row is a heading. Else columns stand in argument order."""
    names = [argument.name for argument in function.arguments]
    by_name = {text.strip().lower().replace(" ", "_"): index for index, text in enumerate(first)}
    named = [(position, by_name[name]) for position, name in enumerate(names) if name in by_name]
    if not named:
        width = min(len(first), len(names))
        if width < function.required:
            raise click.UsageError(f"{function.name} takes {function.signature}; the file has {len(first)} columns")
        return [(n, n) for n in range(width)], False
    missing = [a.name for a in function.arguments if not a.optional and a.name not in by_name]
    if missing:
        raise click.UsageError(f"the heading lacks {', '.join(missing)}; {function.name} takes {function.signature}")
    return named, True
