"""`recargos fill`: client data into the table of a template or of a firm's own workbook."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

_SHOWN = 10
"""Rejected rows that are printed; all are in the file."""


@click.command("fill")
@click.argument("template", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("data", type=click.Path(dir_okay=False, path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Workbook to write.")
@click.option(
    "--map", "map_file", type=click.Path(dir_okay=False, path_type=Path), help="Which heading is which (TOML)."
)
@click.option(
    "--date-format",
    default="",
    help="How the data writes dates: mm/dd/yyyy, dd/mm/yyyy … Without it only 2025-03-04 is read.",
)
@click.option("--strict", is_flag=True, help="Stop at the first row that cannot be taken; write nothing.")
@click.option("--split", type=click.IntRange(min=1), default=None, help="Write several workbooks of so many rows each.")
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="Set a named cell too: AsOf=2026-11-30, WP_Client=…"
)
@click.option("--table", default="", help="Table to fill, when the workbook has several.")
@click.option("--sheet", default="", help="Sheet of an xlsx with the data; the first otherwise.")
@click.option("--encoding", default="", help="Encoding of a CSV; found out otherwise.")
@click.option("--delimiter", default="", help="Delimiter of a CSV; found out otherwise.")
@click.option("--force", is_flag=True, help="Replace existing files.")
@click.option(
    "--lang", type=click.Choice(["es", "en"]), default="en", show_default=True, help="Language of the messages."
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def fill_command(
    template: Path,
    data: Path,
    output: Path,
    map_file: Path | None,
    date_format: str,
    strict: bool,
    split: int | None,
    settings: tuple[str, ...],
    table: str,
    sheet: str,
    encoding: str,
    delimiter: str,
    force: bool,
    lang: str,
    as_json: bool,
) -> None:
    """Fill the table of the workbook TEMPLATE with the rows of DATA (CSV or xlsx).

    TEMPLATE is one of `recargos template` or any workbook with an Excel table whose headings match; case, accents and
    spaces don't matter. Rows that cannot be taken go, with the reason, to OUTPUT-rejected.csv.
    """
    from recargos.fill.mapping import Mapped, load_map
    from recargos.fill.problem import FillError
    from recargos.fill.run import Options, fill
    from recargos.law import T
    from recargos.workbook.refusal import Refused

    def tell(text: T) -> None:
        click.echo(text.in_(lang), err=True)

    if delimiter == "\\t":
        delimiter = "\t"
    for setting in settings:
        if "=" not in setting:
            raise click.UsageError(f"--set {setting}: write NAME=VALUE")
    named = dict(setting.split("=", 1) for setting in settings)
    if len(delimiter) > 1:
        raise click.UsageError("--delimiter is one character")
    if output.exists() and not force:
        raise click.UsageError(f"{output} exists already; --force replaces it")
    if output.suffix.lower() != template.suffix.lower():
        raise click.UsageError(f"--output ends in {template.suffix}, as the template does")
    try:
        options = Options(
            load_map(map_file) if map_file else Mapped(),
            date_format,
            strict,
            split or 0,
            table,
            encoding,
            delimiter,
            sheet,
            named,
            force,
        )
        outcome = fill(template, data, output, options, tell)
    except FillError as error:
        _failed(error.reason, lang, as_json)
    except Refused as refused:
        _failed(refused.reason, lang, as_json)
    except OSError as error:
        _failed(T(str(error), str(error)), lang, as_json)
    if as_json:
        click.echo(json.dumps(_as_json(outcome), ensure_ascii=False, indent=2))
    else:
        _print(outcome, lang, tell)
    flagged = any(
        f.recalculated.counts.flagged or f.recalculated.counts.stale or f.recalculated.counts.unsupported
        for f in outcome.files
    )
    raise SystemExit(1 if outcome.rejected or flagged else 0)


def _failed(reason: Any, lang: str, as_json: bool) -> Any:
    click.echo(reason.in_(lang), err=True)
    if as_json:
        click.echo(json.dumps({"version": 1, "status": "failed", "reason": reason._asdict()}, ensure_ascii=False))
    raise SystemExit(3)


def _print(outcome: Any, lang: str, tell: Any) -> None:
    from recargos.law import T

    if outcome.ignored:
        names = ", ".join(outcome.ignored)
        tell(T(f"not in the table, left out: {names}", f"no están en la tabla, se omiten: {names}"))
    if outcome.computed:
        names = ", ".join(outcome.computed)
        tell(T(f"computed by the workbook, left out: {names}", f"las computa el libro, se omiten: {names}"))
    if outcome.unfilled:
        names = ", ".join(outcome.unfilled)
        tell(T(f"columns without data: {names}", f"columnas sin datos: {names}"))
    for line, _, heading, reason in outcome.rejected[:_SHOWN]:
        where = f" “{heading}”" if heading else ""
        tell(T(f"row {line}{where}: {reason.en}", f"fila {line}{where}: {reason.es}"))
    if outcome.rejected:
        tell(
            T(
                f"{len(outcome.rejected):,} of {outcome.read:,} rows rejected: {outcome.rejected_path}",
                f"{len(outcome.rejected):,} de {outcome.read:,} filas rechazadas: {outcome.rejected_path}",
            )
        )
    for filled in outcome.files:
        counts = filled.recalculated.counts
        tell(
            T(
                f"{outcome.table}: {filled.rows:,} rows added, {counts.changed + counts.same:,} formulas computed",
                f"{outcome.table}: {filled.rows:,} filas añadidas, {counts.changed + counts.same:,} fórmulas computadas",
            )
        )
        for kind, count in (("flagged", counts.flagged), ("stale", counts.stale), ("unsupported", counts.unsupported)):
            if count:
                cells = [c for c in filled.recalculated.cells if c.status == kind]
                first = f"{cells[0].sheet}!{cells[0].cell}: {cells[0].reason.in_(lang)}" if cells else ""
                tell(T(f"{count:,} cells {kind}; {first}", f"{count:,} celdas por revisar ({kind}); {first}"))
        click.echo(str(filled.path))


def _as_json(outcome: Any) -> dict[str, Any]:
    return {
        "version": 1,
        "status": "filled",
        "told": outcome.told,
        "sheet": outcome.sheet,
        "table": outcome.table,
        "matched": [{"data": heading, "table": title} for heading, title in outcome.matched],
        "ignored": outcome.ignored,
        "computed": outcome.computed,
        "unfilled": outcome.unfilled,
        "rows": {
            "read": outcome.read,
            "blank": outcome.blank,
            "added": outcome.added,
            "rejected": len(outcome.rejected),
        },
        "rejected": [
            {"row": line, "column": heading, "reason": reason._asdict()}
            for line, _, heading, reason in outcome.rejected
        ],
        "rejected_file": str(outcome.rejected_path) if outcome.rejected_path else None,
        "files": [
            {
                "path": str(f.path),
                "rows": f.rows,
                "counts": {
                    name: getattr(f.recalculated.counts, name)
                    for name in ("changed", "same", "stale", "flagged", "unsupported")
                },
                "flagged": [
                    {"sheet": c.sheet, "cell": c.cell, "status": c.status, "reason": c.reason._asdict()}
                    for c in f.recalculated.cells
                    if c.status != "changed"
                ],
            }
            for f in outcome.files
        ],
    }
