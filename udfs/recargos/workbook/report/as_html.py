"""The report as one self-contained page: no script, no network, every word of a client's file escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recargos.law import Function
from recargos.workbook.listed import ListedCells
from recargos.workbook.report import chart, shown
from recargos.workbook.report.run import Run, law_reviewed, of_status, result_unit, to_look_at
from recargos.workbook.report.words import CELL, CHECKED, MEANING, STATUS, WORDS, verdict
from recargos.workbook.result import CellResult, FileResult

ROWS = 2000
"""Cells that need a person which the page lists of each workbook; the JSON lists all."""


@dataclass(frozen=True)
class Explained:
    """One PR_ call in words: its arguments, and the steps from them to the result."""

    signature: str
    steps: list[tuple[str, str, str, str]]
    """Rule, label, value, citation."""


@dataclass
class Law:
    """A statute that the run used. Remarks that carry no amount are said here once, not under each cell."""

    title: str
    citation: str
    later: str
    remarks: dict[tuple[str, str], str]
    """Rule and text → citation."""


def as_html(run: Run, language: str) -> str:
    """The page, in "es" or "en"."""
    import platform

    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from recargos import __version__
    from recargos.statutes import FUNCTIONS

    def word(name: str, **fields: object) -> str:
        return WORDS[name].in_(language).format(**fields)

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown.harmless,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    names, _ = shown.short_names([file.path for file in run.files])
    used = sorted(
        {call for file in run.done for call in _functions(file)} & FUNCTIONS.keys(), key=list(FUNCTIONS).index
    )
    statutes = list(dict.fromkeys(statute for name in used if (statute := FUNCTIONS[name].statute) is not None))
    law = {s.key: Law(s.title.in_(language), s.citation.text(language), s.later.in_(language), {}) for s in statutes}
    counts = run.counts
    attention = counts.flagged + counts.stale + counts.unsupported
    return environment.get_template("page.html.j2").render(
        run=run,
        language=language,
        word=word,
        names=names,
        files=[(number, file, file.status not in ("refused", "failed")) for number, file in enumerate(run.files, 1)],
        verdict=verdict(run, language),
        mood="bad" if run.not_done else "look" if attention or (run.check and counts.changed) else "good",
        status=lambda file: (CHECKED if run.check and file.status in CHECKED else STATUS)[file.status].in_(language),
        cell_word=lambda status: CELL[status].in_(language),
        meanings=[
            (status, CELL[status].in_(language), text.in_(language))
            for status, text in MEANING.items()
            if getattr(counts, status)
        ],
        clean=shown.clean,
        path=shown.path,
        to_look_at=to_look_at,
        most=ROWS,
        unlisted=unlisted,
        without_steps=lambda cells: any(result_unit(cell.function) and not cell.calls for cell in cells),
        changes=lambda file: of_status(file.cells, "changed"),
        value=_valuer(language),
        difference=lambda cell: shown.difference(cell.old, cell.new, result_unit(cell.function)),
        explained=lambda file, cell: explanations(file, cell, language, law),
        called=lambda file, cell: calls(file, cell, language),
        chart=chart.svg(run.totals, language),
        law=law,  # its remarks are gathered while the cells above it are rendered
        engines=sorted({engine for file in run.done for engine in (file.engine, file.verified_by) if engine}),
        recargos=__version__,
        python=platform.python_version(),
        law_reviewed=law_reviewed().isoformat(),
    )


def unlisted(file: FileResult) -> int:
    """How many changed cells the result leaves out. A flagged cell may have changed too."""
    changed = len(of_status(file.cells, "changed"))
    if changed == file.counts.changed:
        return 0
    seen = changed + sum(cell.old != cell.new for cell in of_status(file.cells, "flagged"))
    return max(file.counts.changed - seen, 0)


def _functions(file: FileResult) -> Iterable[str]:
    yield from file.totals
    if isinstance(file.cells, ListedCells):
        yield from file.cells.functions()
        return
    for cell in file.cells:
        yield cell.function
        for call in cell.calls:
            yield call.function


def _valuer(language: str) -> Callable[[FileResult, CellResult, Any], str]:
    def value(file: FileResult, cell: CellResult, what: Any) -> str:
        return shown.value(what, result_unit(cell.function), language, date1904=file.date1904)

    return value


def explanations(file: FileResult, cell: CellResult, language: str, law: Mapping[str, Law]) -> list[Explained]:
    """The cell's PR_ calls, each worked out from the values that its arguments had; remarks go to `law`."""
    from recargos.cells import explain
    from recargos.statutes import FUNCTIONS

    result = []
    for call in cell.calls:
        function = FUNCTIONS.get(call.function)
        if function is None or function.explains:
            continue
        steps: list[tuple[str, str, str, str]] = []
        for step in explain(function, call.arguments, date1904=file.date1904):
            label = shown.clean(step.label(language), 1000)
            if step.value is not None:
                value = shown.value(step.value, step.unit, language)
                if step.rule or not steps or steps[-1][2] != value:  # the result, where no step has just given it
                    steps.append((step.rule, label, value, step.citation.in_(language)))
            elif step.rule and function.statute is not None and function.statute.key in law:
                law[function.statute.key].remarks[step.rule, label] = step.citation.in_(language)
        result.append(Explained(_called(function, call.arguments, language, file.date1904), steps))
    return result


def calls(file: FileResult, cell: CellResult, language: str) -> list[str]:
    """The cell's PR_ calls with the values that their arguments had."""
    from recargos.statutes import FUNCTIONS

    return [
        _called(FUNCTIONS[call.function], call.arguments, language, file.date1904)
        for call in cell.calls
        if call.function in FUNCTIONS
    ]


def _called(function: Function, arguments: tuple[Any, ...], language: str, date1904: bool) -> str:
    given = ", ".join(
        f"{argument.name} = {shown.value(value, argument.kind, language, date1904=date1904)}"
        for argument, value in zip(function.arguments, arguments, strict=False)
    )
    return f"{function.name}({given})"
