"""What the ribbon of the Excel add-in asks Python: one question a function, rows of plain cells as the answer.

`actions.bas` calls these through `CallUDF`, like the functions of a sheet. Errors are raised: the ribbon shows them.
"""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import xlwings as xw

from recargos import __version__
from recargos.law import T
from recargos.statutes import FUNCTIONS, LAW_REVIEWED

SECONDS = 600
"""Longest that a check or a template may take before Excel gets an answer."""


def question(function: Callable[..., Any]) -> Callable[..., Any]:
    """Registers a question: arguments come as they are, the answer goes out as rows."""

    def ask(*arguments: Any) -> list[list[Any]]:
        answer = function(*arguments)
        return answer if isinstance(answer, list) else [[answer]]

    names = list(function.__annotations__)
    names.remove("return")
    ask.__name__, ask.__doc__, ask.__annotations__ = function.__name__, function.__doc__, {}
    ask.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    registered: Any = xw.ret("raw")(ask)
    for name in names:
        registered = xw.arg(name, "raw")(registered)
    decorated: Callable[..., Any] = xw.func(registered)
    return decorated


def explain_call(formula: str, language: str, table: str) -> str:
    """The formula that explains the first PR_ call in `formula`; "" when there is none.

    `table` is the name of the table in which the cell stands: outside of it, `[@Tax]` must say whose column it is.
    """
    from recargos.workbook.syntax import Call, FormulaError, Node, Structured, Text, mapped, parse, walk, written

    if not formula.startswith("="):
        return ""
    try:
        tree = parse(formula[1:])
    except FormulaError:
        return ""

    def named(node: Node) -> Node:
        if isinstance(node, Structured) and not node.table:
            return node._replace(table=table)
        return mapped(node, named)

    for node in walk(tree):
        if isinstance(node, Call) and node.name in FUNCTIONS and not FUNCTIONS[node.name].explains:
            explainer = "PR_EXPLICAR" if language == "es" else "PR_EXPLAIN"
            arguments = (Text(node.name), *(named(argument) for argument in node.arguments))
            return "=" + written(Call(explainer, arguments, explainer))
    return ""


def self_test(_language: str) -> list[list[Any]]:
    """Known values: function, formula, expected. Those cases that one cell can hold and Excel's grammar can write."""
    from recargos.addin.excel_vba import formula_text
    from recargos.shipped import path

    rows: list[list[Any]] = []
    for file in sorted(path("tests/cases").glob("*.toml")):
        for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]:
            arguments, expected = case["arguments"], case["gives"]
            function = FUNCTIONS[case["function"]]
            required = function.required
            kinds = [argument.kind for argument in function.arguments]
            if isinstance(expected, list) or any(map(_needs_a_cell, arguments, kinds)):
                continue
            if len(arguments) < required or any(isinstance(argument, dict) for argument in arguments[:required]):
                continue  # Excel does not take such a formula
            given = ["" if isinstance(a, dict) else formula_text(a) for a in arguments]
            rows.append([case["function"], f"={case['function']}({','.join(given)})", _known(expected)])
    return rows


def _needs_a_cell(argument: Any, kind: str) -> bool:
    """What a formula's text does not hold as a cell does: blanks, errors, ranges, dates where no date belongs, 16 "
    "digits."""
    if isinstance(argument, dict):
        return "omitted" not in argument
    if isinstance(argument, (int, float)) and not isinstance(argument, bool):
        return len(repr(argument).replace(".", "").lstrip("-0")) > 15 and "e" not in repr(argument)
    if isinstance(argument, date):
        return isinstance(argument, datetime) or kind not in ("date", "any")
    return isinstance(argument, list) or (isinstance(argument, str) and not argument.isascii())


def _known(expected: Any) -> Any:
    if isinstance(expected, dict):
        return expected["error"]
    if isinstance(expected, date):
        from recargos.cells import to_serial

        return float(to_serial(expected))
    return float(expected) if isinstance(expected, int) and not isinstance(expected, bool) else expected


def check_workbook(path: str, language: str) -> list[list[Any]]:
    """`recargos check` of a saved file: its cells that differ or are flagged, with the reason."""
    if "://" in path:
        raise ValueError(
            T(
                "Excel shows this workbook under an internet address (OneDrive or SharePoint). Save a copy on this "
                "computer and check that.",
                "Excel muestra este libro con una dirección de Internet (OneDrive o SharePoint). Guarde una copia "
                "en este equipo y revise esa.",
            ).in_(language)
        )
    report = json.loads(_recargos(["check", path, "--json", "--lang", language], allowed=(0, 1, 3)))
    words = T(
        "Sheet,Cell,Function,In the workbook,Should be,Status,Reason",
        "Hoja,Celda,Función,En el libro,Debe ser,Estado,Razón",
    )
    rows: list[list[Any]] = [list(words.in_(language).split(","))]
    for file in report["files"]:
        if file.get("reason"):
            rows.append(["", "", "", "", "", str(file["status"]), str(file["reason"])])
        for cell in file.get("cells", []):
            rows.append(
                [_plain(cell.get(key)) for key in ("sheet", "cell", "function", "old", "new", "status", "reason")]
            )
    if len(rows) == 1:
        rows.append(["", "", "", "", "", T("nothing differs", "nada difiere").in_(language), ""])
    return rows


def _plain(value: Any) -> Any:
    """A value of the report as COM can carry it."""
    if value is None:
        return ""
    if isinstance(value, (bool, str, float)):
        return value
    return float(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False)


def templates(language: str) -> list[list[str]]:
    """Name and title of every template."""
    listed = json.loads(_recargos(["template", "--list", "--json"]))["templates"]
    return [[item["name"], item["title"][language]] for item in listed]


def make_template(name: str, path: str, language: str) -> str:
    """Make a template at `path`, as `recargos template NAME -o FILE` does."""
    _recargos(["template", name, "-o", path, "--lang", language])
    return path


def about(language: str, bound_to: str, addin: str) -> str:
    """Versions, law date and whether the parts fit together."""
    lines = [
        f"Recargos {__version__}",
        T(f"Law reviewed: {LAW_REVIEWED}", f"Ley revisada: {LAW_REVIEWED}").in_(language),
        f"Python {sys.version.split()[0]}: {sys.executable}",
        f"xlwings {xw.__version__}",
        T(f"Add-in: {addin}", f"Complemento: {addin}").in_(language),
    ]
    if bound_to != xw.__version__:
        lines.append(
            T(
                f"The add-in belongs to xlwings {bound_to}: run recargos addin install again.",
                f"El complemento corresponde a xlwings {bound_to}: ejecute recargos addin install otra vez.",
            ).in_(language)
        )
    return "\n".join(lines)


def diagnose(language: str) -> list[list[str]]:
    """`recargos addin doctor`, as a table."""
    from recargos.addin.doctor import examine
    from recargos.addin.machine import this_machine

    words = T("Result,What,In plain words,What to do", "Resultado,Qué,En palabras sencillas,Qué hacer")
    findings = examine(this_machine())
    return [words.in_(language).split(","), *(finding.row(language) for finding in findings)]


def _recargos(arguments: list[str], allowed: tuple[int, ...] = (0,)) -> str:
    """The command's standard output. Its own process: the ribbon must not wait on, or break, the one that computes "
    "cells."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "recargos", *arguments],
        capture_output=True,
        timeout=SECONDS,
        stdin=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        env={**os.environ, "PYTHONUTF8": "1"},
        cwd=Path(sys.executable).parent,
        check=False,
    )
    if done.returncode not in allowed:
        message = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise RuntimeError(message[-1] if message else f"recargos {arguments[0]}: exit code {done.returncode}")
    return done.stdout.decode("utf-8")


for _asked in (explain_call, self_test, check_workbook, templates, make_template, about, diagnose):
    globals()[_asked.__name__] = question(_asked)
