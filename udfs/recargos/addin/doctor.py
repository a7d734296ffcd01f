"""Why the Excel add-in does not work, in plain words: every known cause looked for, each with what to do.

Nothing is changed. The findings come from the registry, the files and the interpreter; what only a running Excel knows
is left to the ribbon's own diagnosis.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path, PureWindowsPath

from recargos.addin import doctor_addin, doctor_office
from recargos.addin.excel_install import addin_path, is_ours
from recargos.addin.finding import NOTE, OK, PROBLEM, Finding
from recargos.addin.machine import Machine
from recargos.law import T

Look = Callable[[Machine], Iterator[Finding]]
LOOKS: tuple[Look, ...] = (
    doctor_office.office,
    doctor_office.python,
    doctor_addin.versions,
    doctor_addin.dll,
    doctor_addin.start,
    doctor_addin.config,
    doctor_addin.registered,
    doctor_office.policy,
    doctor_office.onedrive,
)


def examine(machine: Machine, workbooks: tuple[Path, ...] = ()) -> list[Finding]:
    """Everything there is to say about the machine, and about workbooks that show #NAME? or a link to the add-in."""
    findings: list[Finding] = []
    if machine.windows:
        for look in LOOKS:
            findings += look(machine)
    else:
        findings.append(
            Finding(
                "system",
                NOTE,
                T(
                    "This is not Windows: the Excel add-in cannot run here.",
                    "Esto no es Windows: el complemento de Excel no puede correr aquí.",
                ),
                T(
                    "Use LibreOffice Calc, xlwings Lite, or recargos recalc.",
                    "Use LibreOffice Calc, xlwings Lite o recargos recalc.",
                ),
            )
        )
    for workbook in workbooks:
        findings += _links(machine, workbook)
    return findings


_LINK = re.compile(rb'Target="([^"]*)"')


def linked_addins(workbook: Path) -> list[str]:
    """Paths under which a workbook remembers our add-in: formulas then read `'C:\\…\\recargos.xlam'!PR_…`."""
    found = []
    with zipfile.ZipFile(workbook) as archive:
        for member in archive.namelist():
            if member.startswith("xl/externalLinks/_rels/"):
                for target in _LINK.findall(archive.read(member)[:100_000]):
                    path = target.decode("utf-8", "replace").removeprefix("file:///").replace("/", "\\")
                    if is_ours(path):
                        found.append(path)
    return found


def _links(machine: Machine, workbook: Path) -> Iterator[Finding]:
    try:
        links = linked_addins(workbook)
    except (OSError, zipfile.BadZipFile) as problem:
        yield Finding(
            "links", PROBLEM, T(f"{workbook} cannot be read: {problem}", f"No se puede leer {workbook}: {problem}")
        )
        return
    target = PureWindowsPath(str(addin_path(machine)))
    wrong = [path for path in links if PureWindowsPath(path) != target]
    if wrong:
        yield Finding(
            "links",
            PROBLEM,
            T(
                f"{workbook.name} remembers the add-in of another machine: {wrong[0]}. Its formulas show that path "
                "and #NAME?.",
                f"{workbook.name} recuerda el complemento de otro equipo: {wrong[0]}. Sus fórmulas muestran esa "
                "ruta y #NAME?.",
            ),
            T(
                "Open it in Excel and choose Recargos, Repair links; recargos recalc understands such formulas as "
                "they are.",
                "Ábralo en Excel y escoja Recargos, Reparar enlaces; recargos recalc entiende esas fórmulas tal "
                "como están.",
            ),
        )
    else:
        yield Finding(
            "links",
            OK,
            T(
                f"{workbook.name} has no link to another machine's add-in",
                f"{workbook.name} no tiene enlaces al complemento de otro equipo",
            ),
        )
