"""`recargos template`: make a workbook template, for one firm or for all."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command("template")
@click.argument("name", required=False)
@click.option(
    "--lang", type=click.Choice(["es", "en"]), default="en", show_default=True, help="Language of the workbook."
)
@click.option(
    "--rows", type=click.IntRange(1, 1_000_000), help="Empty rows of the main table; the others in proportion."
)
@click.option(
    "--firm",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The firm's name, logo, colours, header and columns (TOML).",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write; with --all the folder.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@click.option(
    "--all", "everything", is_flag=True, help="Every template in every language, as the distribution carries them."
)
@click.option("--list", "listing", is_flag=True, help="List the templates.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def template_command(
    name: str | None,
    lang: str,
    rows: int | None,
    firm: Path | None,
    output: Path | None,
    force: bool,
    everything: bool,
    listing: bool,
    as_json: bool,
) -> None:
    """Make the workbook template NAME.

    Without NAME, --list shows the templates and --all writes every one.
    """
    from recargos.templates.catalogue import TEMPLATES

    name = name.replace("_", "-").lower() if name else name
    if listing:
        _list(as_json)
        return
    if everything == bool(name):
        raise click.UsageError("give the name of one template, or --all, or --list")
    if name and name not in TEMPLATES:
        import difflib

        near = difflib.get_close_matches(name, TEMPLATES, 1, 0)
        raise click.UsageError(f"there is no template “{name}”; did you mean {near[0]}? (recargos template --list)")
    from recargos.templates.build import EDITIONS, EXCEL_ROWS, build, path_of
    from recargos.templates.firm import Firm, FirmError, load
    from recargos.templates.table_sheet import FIRST
    from recargos.workbook.refusal import Refused
    from recargos.workbook.saving import replace

    if rows is not None and rows + FIRST > EXCEL_ROWS:
        raise click.UsageError(
            f"a sheet has {EXCEL_ROWS:,} rows; at most {EXCEL_ROWS - FIRST:,} of them can be clients"
        )
    try:
        style = load(firm) if firm else Firm()
    except FirmError as error:
        raise click.UsageError(str(error)) from None
    folder = output or Path("workbook_templates")
    jobs = (
        [(TEMPLATES[n], language, folder / path_of(n, language)) for language, n in EDITIONS]
        if everything
        else [(TEMPLATES[name or ""], lang, output or Path(f"{name}.{lang}.xlsx"))]
    )
    if not everything and jobs[0][2].exists() and not force:
        raise click.UsageError(f"{jobs[0][2]} exists already; --force replaces it")
    written = []
    for template, language, target in jobs:
        data = build(template, language, rows, style)
        try:
            replace(target, data)
        except (Refused, OSError) as error:
            click.echo(f"{target}: {error}", err=True)
            raise SystemExit(3) from None
        written.append({"template": template.name, "language": language, "path": str(target), "bytes": len(data)})
        if not as_json:
            click.echo(str(target))
    if as_json:
        click.echo(json.dumps({"written": written}, ensure_ascii=False, indent=2))


def _list(as_json: bool) -> None:
    from recargos.templates.catalogue import TEMPLATES

    if as_json:
        click.echo(
            json.dumps(
                {
                    "templates": [
                        {
                            "name": t.name,
                            "title": t.title._asdict(),
                            "purpose": t.purpose._asdict(),
                            "tables": [
                                {
                                    "name": table.name,
                                    "sheet": table.sheet._asdict(),
                                    "columns": [
                                        {
                                            "key": c.key,
                                            "title": c.title._asdict(),
                                            "kind": c.kind,
                                            "required": c.required,
                                            "computed": c.computed,
                                        }
                                        for c in table.columns
                                    ],
                                }
                                for table in t.tables
                            ],
                        }
                        for t in TEMPLATES.values()
                    ]
                },
                ensure_ascii=False,
                indent=2,
            )
        )
        return
    for t in TEMPLATES.values():
        click.echo(f"{t.name:<17} {t.title.en} · {t.title.es}")
