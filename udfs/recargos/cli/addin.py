"""`recargos addin`: build the add-ins, install and remove them, and find out why one does not work."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from recargos.law import T

FAILED = 3

_host = click.option(
    "--host",
    type=click.Choice(["excel", "calc"]),
    default="excel",
    show_default=True,
    help="Which spreadsheet program.",
)
_dry_run = click.option("--dry-run", is_flag=True, help="Only say what would be done, on any system.")
_json = click.option("--json", "as_json", is_flag=True, help="As JSON on standard output.")
_lang = click.option(
    "--lang",
    type=click.Choice(["en", "es"]),
    default="en",
    show_default=True,
    envvar="RECARGOS_LANG",
    help="Language of the texts.",
)


@click.group("addin")
def addin_group() -> None:
    """Build, install or diagnose the add-ins for Excel and LibreOffice Calc."""


@addin_group.command("build")
@_host
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when the built files are not up to date.")
@_dry_run
@_json
def build_command(host: str, check: bool, dry_run: bool, as_json: bool) -> None:
    """Make the add-in from the sources in this checkout. Needs no Office."""
    from recargos import shipped

    folder = shipped.path(f"addin/{host}")
    if host == "calc":
        _build_calc(folder, check or dry_run, as_json)
        return
    try:
        from recargos.addin import excel_build

        changed = excel_build.drift(folder)
        if not (check or dry_run):
            excel_build.build(folder)
    except ModuleNotFoundError as missing:
        _fail(
            T(
                f"Building needs {missing.name}: pip install pyOpenVBA==6.5.0 xlwings",
                f"Construir requiere {missing.name}: pip install pyOpenVBA==6.5.0 xlwings",
            ),
            "en",
            as_json,
        )
    except (OSError, ValueError) as problem:
        _fail(T(str(problem), str(problem)), "en", as_json)
    _report_build(folder / excel_build.NAME, changed, check, dry_run, as_json)


def _build_calc(folder: Path, only_look: bool, as_json: bool) -> None:
    import tempfile

    from recargos.addin import calc_build

    with tempfile.TemporaryDirectory() as place:
        made = {path.relative_to(place).as_posix(): path.read_bytes() for path in calc_build.build_calc(Path(place))}
    changed = [
        name for name, data in made.items() if not (folder / name).exists() or (folder / name).read_bytes() != data
    ]
    if not only_look:
        calc_build.build_calc(folder)
    _report_build(folder / calc_build.OXT, changed, only_look, only_look, as_json)


def _report_build(target: Path, changed: list[str], check: bool, dry_run: bool, as_json: bool) -> None:
    if as_json:
        click.echo(
            json.dumps({"file": str(target), "changed": changed, "written": not (check or dry_run)}, ensure_ascii=False)
        )
    else:
        for name in changed:
            click.echo(name)
        verb = "would change" if check or dry_run else "changed"
        click.echo(f"{target}: {len(changed)} {verb}" if changed else f"{target}: up to date", err=True)
    if check and changed:
        sys.exit(1)


@addin_group.command("install")
@_host
@click.option(
    "--trust/--no-trust",
    default=True,
    show_default=True,
    help="Make the add-in's own folder a trusted location of Excel.",
)
@_dry_run
@_lang
@_json
def install_command(host: str, trust: bool, dry_run: bool, lang: str, as_json: bool) -> None:
    """Install for this user: no administrator's rights. Excel must be closed."""
    if host == "calc":
        from recargos.addin.calc_install import install_calc

        _calc(lambda: install_calc(dry_run), as_json)
        return
    from recargos import shipped
    from recargos.addin import excel_install as excel
    from recargos.addin.machine import this_machine

    machine = this_machine()
    _excel(
        lambda: excel.install_plan(machine, shipped.path(f"addin/excel/{excel.NAME}"), trust=trust),
        machine,
        dry_run,
        T(
            "Installed. Start Excel: there is a Recargos tab. Try =PR_VERSION() in a cell.",
            "Instalado. Inicie Excel: hay una pestaña Recargos. Pruebe =PR_VERSION() en una celda.",
        ),
        lang,
        as_json,
    )


@addin_group.command("uninstall")
@_host
@_dry_run
@_lang
@_json
def uninstall_command(host: str, dry_run: bool, lang: str, as_json: bool) -> None:
    """Take everything back that install did."""
    if host == "calc":
        from recargos.addin.calc_install import uninstall_calc

        _calc(lambda: uninstall_calc(dry_run), as_json)
        return
    from recargos.addin import excel_install as excel
    from recargos.addin.machine import this_machine

    machine = this_machine()
    _excel(
        lambda: excel.uninstall_plan(machine),
        machine,
        dry_run,
        T(
            "Removed. Workbooks keep their PR_ formulas and last values.",
            "Eliminado. Los libros conservan sus fórmulas PR_ y sus últimos valores.",
        ),
        lang,
        as_json,
    )


@addin_group.command("doctor")
@click.argument("workbooks", nargs=-1, type=click.Path(path_type=Path), metavar="[WORKBOOK]…")
@_host
@_lang
@_json
def doctor_command(workbooks: tuple[Path, ...], host: str, lang: str, as_json: bool) -> None:
    """Say in plain words why the add-in does not work, and what to do. Exit 1 when a problem was found.

    With WORKBOOKs also look for formulas that point to the add-in of another machine.
    """
    from recargos.addin.doctor import examine
    from recargos.addin.finding import NOTE, OK, PROBLEM, Finding
    from recargos.addin.machine import this_machine

    if host == "calc":
        from recargos.addin.calc_install import doctor_calc

        findings = []
        for line in doctor_calc():
            status, _, words = line.partition(": ")
            known = status if status in (OK, NOTE, PROBLEM) else NOTE
            findings.append(Finding("calc", known, T(words or line, words or line)))
    else:
        findings = examine(this_machine(), workbooks)
    if as_json:
        items = [
            {"what": f.what, "status": f.status, "words": f.words.in_(lang), "remedy": f.remedy.in_(lang)}
            for f in findings
        ]
        click.echo(json.dumps({"host": host, "findings": items}, ensure_ascii=False, indent=2))
    else:
        for finding in findings:
            sign, what, words, remedy = finding.row(lang)
            click.echo(f"{sign:8} {what}: {words}")
            if remedy:
                click.echo(f"         → {remedy}")
    if any(finding.status == PROBLEM for finding in findings):
        sys.exit(1)


def _excel(plan: Callable[[], Sequence[Any]], machine: Any, dry_run: bool, done: T, lang: str, as_json: bool) -> None:
    from recargos.addin.excel_install import Refused, carry_out, check_can_change

    try:
        if not dry_run:
            check_can_change(machine)
        steps = list(plan())
        if not dry_run:
            carry_out(steps)
    except Refused as refused:
        _fail(refused.reason, lang, as_json)
    except OSError as problem:
        _fail(T(str(problem), str(problem)), lang, as_json)
    lines = [step.what.in_(lang) for step in steps]
    if as_json:
        click.echo(json.dumps({"host": "excel", "dry_run": dry_run, "steps": lines}, ensure_ascii=False, indent=2))
        return
    would = T("Would ", "Se haría: ").in_(lang) if dry_run else ""
    for line in lines:
        click.echo(f"{would}{line}")
    if not dry_run:
        click.echo(done.in_(lang), err=True)


def _calc(act: Callable[[], list[str]], as_json: bool) -> None:
    from recargos.addin.calc_install import CalcAddinError

    try:
        lines = act()
    except (CalcAddinError, OSError) as problem:
        _fail(T(str(problem), str(problem)), "en", as_json)
    if as_json:
        click.echo(json.dumps({"host": "calc", "steps": lines}, ensure_ascii=False, indent=2))
    else:
        for line in lines:
            click.echo(line)


def _fail(reason: T, lang: str, as_json: bool) -> NoReturn:
    if as_json:
        click.echo(json.dumps({"error": reason.in_(lang)}, ensure_ascii=False))
    click.echo(reason.in_(lang), err=True)
    sys.exit(FAILED)
