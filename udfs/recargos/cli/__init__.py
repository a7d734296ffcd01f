"""The command `recargos`: one file per command, each loaded only when it is called."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import click

from recargos import __version__

# command -> where it lives, and the line that `recargos --help` shows without loading it
COMMANDS = {
    "functions": ("recargos.cli.functions:functions_command", "List every function with its arguments and citation."),
    "calc": ("recargos.cli.calc:calc_command", "Compute one function, or a whole CSV of calls."),
    "law": ("recargos.cli.law:law_command", "Show any number in the law, and prove that every rule is covered."),
    "template": ("recargos.cli.template:template_command", "Make a workbook template."),
    "fill": ("recargos.cli.fill:fill_command", "Fill a template or workbook table from client data."),
    "recalc": (
        "recargos.cli.recalc:recalc_command",
        "Recalculate workbooks without Excel; nothing else in them changes.",
    ),
    "check": ("recargos.cli.recalc:check_command", "Like recalc, but only say what differs."),
    "addin": ("recargos.cli.addin:addin_group", "Build, install or diagnose the add-ins for Excel and Calc."),
    "demo": ("recargos.cli.demo:demo_command", "Make a client folder, recalculate it and show what changed."),
}


class LazyGroup(click.Group):
    """Loads a command's file on first use, so that `calc` starts without openpyxl or an engine."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="recargos")
def cli() -> None:
    """Puerto Rico's tax surcharges, interest and penalties, for spreadsheets.

    Data goes to standard output, messages to standard error. Exit codes: 0 done, 1 something is flagged or differs,
    2 usage, 3 a file was refused or failed.
    """


def main(arguments: list[str] | None = None) -> Any:
    """Entry point: whatever happens ends in a sentence and an exit code, never in a traceback."""
    for stream in (sys.stdout, sys.stderr):
        # Windows consoles and pipes default to a code page without the section sign.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        cli.main(args=arguments, prog_name="recargos")
    except BrokenPipeError:  # `recargos law | head`
        sys.stderr.close()
        raise SystemExit(0) from None
    except Exception as problem:
        import logging

        logging.getLogger("recargos").debug("unexpected", exc_info=True)
        click.echo(f"recargos: {type(problem).__name__}: {problem}. This is a defect; please report it.", err=True)
        raise SystemExit(3) from None
