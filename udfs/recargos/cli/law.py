"""`recargos law`: every number in the law by its key, and the proof that every rule is carried and tested."""

from __future__ import annotations

import json
from typing import Any

import click

from recargos.law import Parameter
from recargos.statutes import PARAMETERS, STATUTES


def _described(parameter: Parameter, lang: str) -> dict[str, Any]:
    return {
        "key": parameter.key,
        "unit": parameter.unit,
        "versions": [
            {
                "since": version.since.isoformat(),
                "value": float(version.value),
                "words": version.words,
                "citation": parameter.statute.citation.text(lang, version.where),
            }
            for version in parameter.versions
        ],
        "later": parameter.statute.later.in_(lang),
    }


@click.command("law")
@click.argument("key", required=False)
@click.option(
    "--coverage",
    "show_coverage",
    is_flag=True,
    help="List every rule with what carries it and the case that proves it.",
)
@click.option("--lang", type=click.Choice(["es", "en"]), default="en", show_default=True, help="Language of the texts.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def law_command(key: str | None, show_coverage: bool, lang: str, as_json: bool) -> None:
    """Show the numbers in the law: all, one KEY, or all whose key starts with KEY."""
    if show_coverage:
        from recargos.coverage import coverage, print_coverage

        rows = coverage()
        if as_json:
            click.echo(json.dumps([row.as_dict() for row in rows], ensure_ascii=False, indent=2))
        else:
            print_coverage(rows, lang)
        raise SystemExit(0 if all(row.proved for row in rows) else 1)
    wanted = (key or "").strip().lower()
    found = [PARAMETERS[wanted]] if wanted in PARAMETERS else [p for k, p in PARAMETERS.items() if k.startswith(wanted)]
    if not found:
        click.echo(f"recargos: “{key}” is not in the law; `recargos law` lists every key", err=True)
        raise SystemExit(2)
    if as_json:
        click.echo(json.dumps([_described(parameter, lang) for parameter in found], ensure_ascii=False, indent=2))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    for statute in STATUTES:
        own = [parameter for parameter in found if parameter.statute is statute]
        if not own:
            continue
        table = Table(
            "Key",
            "Value",
            "Since",
            "Words of the law",
            title=f"{statute.title.in_(lang)}: {statute.citation.text(lang)}",
        )
        for parameter in own:
            version = parameter.version()
            table.add_row(
                parameter.key, parameter.shown(), str(version.since), Text(f"{version.where} “{version.words}”")
            )
        console.print(table)
        console.print(Text(statute.later.in_(lang)), style="italic")
