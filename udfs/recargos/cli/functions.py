"""`recargos functions`: the catalogue as a table or as JSON."""

from __future__ import annotations

import json
from typing import Any

import click

from recargos.law import Function
from recargos.statutes import FUNCTIONS


def described(function: Function, language: str) -> dict[str, Any]:
    """One function as data: what hosts and programs need to offer it."""
    return {
        "name": function.name,
        "signature": function.signature,
        "help": function.help.in_(language),
        "result": function.result,
        "arguments": [
            {
                "name": argument.name,
                "kind": argument.kind,
                "optional": argument.optional,
                "whole_range": argument.whole_range,
                "help": argument.help.in_(language),
                "example": str(argument.example) if argument.kind == "date" else argument.example,
            }
            for argument in function.arguments
        ],
        "statute": function.statute.key if function.statute else None,
        "citation": function.citation(language),
        "rules": list(function.rules),
    }


@click.command("functions")
@click.argument("words", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--lang", type=click.Choice(["es", "en"]), default="en", show_default=True, help="Language of the texts.")
def functions_command(words: tuple[str, ...], as_json: bool, lang: str) -> None:
    """List every function, or those whose name or help holds all WORDS."""
    found = [
        function
        for function in FUNCTIONS.values()
        if all(word.lower() in f"{function.signature} {function.help.in_(lang)}".lower() for word in words)
    ]
    if as_json:
        click.echo(json.dumps([described(function, lang) for function in found], ensure_ascii=False, indent=2))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    titles = {"en": ("Function", "Gives", "What", "Citation"), "es": ("Función", "Da", "Qué", "Cita")}[lang]
    table = Table(*titles, show_lines=True)
    for function in found:
        row = (function.signature, function.result, function.help.in_(lang), function.citation(lang))
        table.add_row(*map(Text, row))  # as text: brackets mean "may be left out", not markup
    Console().print(table)
