"""What each engine does with formulas whose answers Excel has given, and with real workbooks: writes docs/engines.md.

    python benchmarks/engines.py [--engine formualizer --engine libreoffice] [-o docs/engines.md]

Reads the shared formulas and workbooks beside the checkout. Rerun it before an engine's pin moves.
"""

from __future__ import annotations

import argparse
import collections
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "udfs"), str(ROOT / "tests")]

from recargos.workbook.book import Book  # noqa: E402
from recargos.workbook.engine import Engine, EngineError, load  # noqa: E402
from recargos.workbook.overrides.table import TABLE  # noqa: E402
from recargos.workbook.package import Package  # noqa: E402
from recargos.workbook.recalc import Options, recalc  # noqa: E402
from recargos.workbook.syntax import column_number  # noqa: E402
from support.answers import CELLS, answers  # noqa: E402
from support.raw import SHARED, workbook  # noqa: E402
from test_engine_answers import given_book, right  # noqa: E402

Answer = tuple[str, str]
"""Verdict (right, named, WRONG) and what was got, or why it is named."""


def asked(engine: Engine, data: bytes, where: Iterable[tuple[int, int, int]], wanted: Iterable[Any]) -> list[Answer]:
    """The engine's answers in cells (sheet, row, column)."""
    package = Package(Path("formulas.xlsx"), data)
    book = Book.of(package)
    calculation = engine.calculate(package, book.formulas)
    constant = book.formulas.volatile | book.formulas.external | book.formulas.unreadable
    found: list[Answer] = []
    for cell, (expected, tolerance) in zip(where, wanted, strict=True):
        if cell in constant:
            found.append(("named", "volatile: keeps the value that Excel left"))
        elif cell in calculation.unsupported or cell in calculation.circular:
            found.append(("named", calculation.reason(cell)))  # type: ignore[arg-type]
        else:
            value = calculation.values[cell[0]](cell[1], cell[2])
            value = 0.0 if value is None else value
            verdict = "right" if right(value, expected, tolerance) else "WRONG"
            found.append((verdict if expected is not None else "not judged", f"{value}"))
    return found


def known() -> list[dict[str, Any]]:
    """The formulas with Excel's answers."""
    entries: list[dict[str, Any]] = json.loads((SHARED / "formulas.json").read_text("utf-8"))["formulas"]
    return entries


def shared_formulas(engine: Engine, array: bool) -> list[Answer]:
    """formulas.json, entered plainly or as array formulas."""
    entries = known()
    data = given_book([entry["formula"] for entry in entries], array)
    column = column_number("T")
    cells = [(3, 10 + index, column) for index in range(len(entries))]
    return asked(engine, data, cells, [(entry["excel"], entry["tol"]) for entry in entries])


def own_formulas(engine: Engine) -> list[Answer]:
    """The formulas of tests/support/answers.py."""
    listed = answers()
    data = workbook(CELLS | {f"J{10 + 2 * i}": formula for i, (formula, _) in enumerate(listed)})
    cells = [(0, 10 + 2 * index, column_number("J")) for index in range(len(listed))]
    return asked(engine, data, cells, [(answer, 1e-12) for _, answer in listed])


def real_workbooks(engine: Engine) -> tuple[collections.Counter[str], list[str]]:
    """`recalc --all` of the shared workbooks: what became of their formula cells; the differences without a reason."""
    counts: collections.Counter[str] = collections.Counter()
    unexplained: list[str] = []
    for entry in json.loads((SHARED / "workbooks" / "manifest.json").read_text("utf-8")):
        if entry["expect"] != "no_loss":
            continue
        options = Options(everything=True, report_cells=10**9)
        result = recalc(SHARED / "workbooks" / entry["file"], None, engine, options=options)
        counts["workbooks"] += 1
        if result.status in ("failed", "refused"):
            unexplained.append(f"{entry['file']}: {result.reason.en if result.reason else result.status}")
            continue
        counts["the value that Excel left"] += result.counts.same
        for cell in result.cells:
            if cell.status != "changed":
                counts[f"{cell.status}: {cell.kind.replace('_', ' ')}"] += 1
            elif cell.old is None:
                counts["had no value, has one now"] += 1
            else:
                unexplained.append(f"{entry['file']} {cell.sheet}!{cell.cell}: {cell.old!r} became {cell.new!r}")
    return counts, unexplained


def shown(formula: str) -> str:
    """A formula in a table cell."""
    return "`" + formula.replace("|", "\\|") + "`"


def page(engines: list[Engine]) -> str:
    """The page."""
    entries = known()
    plain = {engine.name: shared_formulas(engine, False) for engine in engines}
    array = {engine.name: shared_formulas(engine, True) for engine in engines}
    own = {engine.name: own_formulas(engine) for engine in engines}
    lines = [HEAD.format(versions=", ".join(f"{e.name} {e.version}" for e in engines))]
    lines += ["| formulas | " + " | ".join(e.name for e in engines) + " |", "|---|" + "---|" * len(engines)]
    for title, table in (
        (f"{len(entries)} of `formulas.json`, entered plainly", plain),
        ("the same, entered as array formulas", array),
        (f"{len(answers())} of `tests/support/answers.py`", own),
    ):
        tallies = [collections.Counter(verdict for verdict, _ in table[e.name]) for e in engines]
        lines.append(f"| {title} | " + " | ".join(_tally(tally) for tally in tallies) + " |")
    lines += ["", "## Real workbooks, `recalc --all`", ""]
    for engine in engines:
        counts, unexplained = real_workbooks(engine)
        number = counts.pop("workbooks")
        lines += [
            f"**{engine.name}**, {number} workbooks. Unexplained differences from Excel: **{len(unexplained)}**.",
            "",
        ]
        lines += ["| formula cells | |", "|---|--:|"]
        lines += [f"| {what} | {count:,} |" for what, count in counts.most_common()]
        lines += ["", *(f"* {line}" for line in unexplained)]
    lines += ["", "## Who computes a function, in the formualizer engine", ""]
    lines += [
        f"* by the engine itself: {_functions('+')}",
        f"* by us: {_functions('-')}",
        f"* by us; in long runs of plain numbers by the engine, checked afterwards: {_functions('=')}",
        "* every other function: refused, its cell keeps its value and is named",
    ]
    lines += [
        "",
        "## Every formula of `formulas.json`",
        "",
        "| formula | Excel | " + " | ".join(e.name for e in engines) + " |",
    ]
    lines.append("|---|---|" + "---|" * len(engines))
    for index, entry in enumerate(entries):
        cells = [_verdict(plain[e.name][index], array[e.name][index]) for e in engines]
        lines.append(f"| {shown(entry['formula'])} | {shown(str(entry['excel']))} | " + " | ".join(cells) + " |")
    return "\n".join(lines).rstrip() + "\n"


def _tally(tally: collections.Counter[str]) -> str:
    unjudged = f", {tally['not judged']} with no sure answer" if tally["not judged"] else ""
    return f"{tally['right']} right, {tally['named']} named, **{tally['WRONG']} silently wrong**{unjudged}"


def _verdict(plain: Answer, array: Answer) -> str:
    if plain == array or plain[0] == array[0] == "right":
        return plain[0] if plain[0] == "right" else f"{plain[0]}: {plain[1]}"
    one, other = (verdict if verdict == "right" else f"{verdict}: {why}" for verdict, why in (plain, array))
    return f"plain {one}; as an array {other}"


def _functions(who: str) -> str:
    return ", ".join(f"`{name}`" for name, signature in TABLE.items() if signature.who == who)


HEAD = """# What the engines do

*Written by `benchmarks/engines.py` with {versions}.*

A formula engine is never trusted bare. For the default engine, formualizer, a copy of the workbook is prepared in memory
(`workbook/prepare.py`): names, tables and add-in links are written out, so that only cells, functions and constants are
left. Then every formula is translated once (`workbook/overrides/translate.py`):

* operators and most functions are computed by functions of ours, written from Excel's documentation and compared with two
  other engines over tens of thousands of formulas, because the engine reads no texts as numbers, compares all bits where
  Excel compares 15 digits, does not work element by element inside SUMPRODUCT, and more;
* where a formula is filled down more than 500 rows, plain arithmetic is left to the engine, and what it was given is
  checked afterwards: rows with texts, yes/no or last bits that matter are computed again, exactly;
* a formula that Excel would compute otherwise, or in which Excel's answer is not certain, is **refused**: the cell keeps
  the value that Excel left, is named in the report, and what rests on it is named as stale. Examples: array arithmetic in a
  formula not entered as an array formula, unions, 3-D references, LAMBDA helpers, functions not in the table below,
  dates without a year, numbers whose last bits decide.

What is volatile (TODAY, RAND, OFFSET, INDIRECT …), refers to another workbook or belongs to a what-if table is never
computed: it counts as the value that Excel left.

Besides, every workbook is its own oracle: formulas that no PR_ cell feeds must come out as Excel left them, or whatever
uses the function that does not is named and kept. Per-row SUMIFS, COUNTIF and SUMPRODUCT over a whole column take time
that grows with the square of the rows, in every engine.

"""


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--engine", action="append", choices=("formualizer", "libreoffice"))
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "docs" / "engines.md")
    options = parser.parse_args()
    engines: list[Engine] = []
    for name in options.engine or ("formualizer", "libreoffice"):
        try:
            engines.append(load(name))
        except EngineError as error:
            print(f"{name}: {error}", file=sys.stderr)
    options.output.write_text(page(engines), "utf-8")
    print(options.output)


if __name__ == "__main__":
    main()
