"""Installs the Excel add-in for one user of Windows: no administrator, every step can be shown first and undone.

1. the .xlam goes to `%APPDATA%\\Recargos`,
2. that folder becomes a trusted location of Excel (not its subfolders),
3. Excel's list of add-ins to open (`OPEN`, `OPEN1` …) gets the file,
4. `%USERPROFILE%\\.recargos\\recargos.conf` tells the add-in which Python to start.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath

from recargos.addin.machine import CONFIG_ENCODING, HKCU, Machine
from recargos.law import T

NAME = "recargos.xlam"
FOLDER = "Recargos"
OFFICE = r"Software\Microsoft\Office"
VERSIONS = ("16.0", "15.0")
"""Of Excel's settings: 16.0 is 2016 to 365, 15.0 is 2013."""
UDF_MODULES = "recargos.excel"


class Refused(Exception):
    """The machine cannot be installed on: one clear sentence in both languages."""

    def __init__(self, reason: T) -> None:
        super().__init__(reason.en)
        self.reason = reason


@dataclass(frozen=True)
class Action:
    """One step: what it would do, and doing it."""

    what: T
    do: Callable[[], None]


def addin_path(machine: Machine) -> Path | PureWindowsPath:
    """Where the add-in goes."""
    folder = machine.folder("APPDATA", FOLDER)
    return folder / NAME if folder else PureWindowsPath("%APPDATA%") / FOLDER / NAME


def config_path(machine: Machine) -> Path | PureWindowsPath:
    """Where the add-in looks for its settings: `boot.bas` and `machine.bas` know this path too."""
    folder = machine.folder("USERPROFILE", ".recargos")
    return (folder or PureWindowsPath("%USERPROFILE%") / ".recargos") / "recargos.conf"


def config_text(machine: Machine) -> str:
    """Settings in xlwings' form, a line of "KEY","VALUE" each.

    :raises Refused: when the interpreter's path has letters that VBA cannot read on this machine.
    """
    try:
        machine.python.encode(CONFIG_ENCODING)
    except UnicodeEncodeError:
        raise Refused(
            T(
                f"Excel's VBA cannot read the path {machine.python} in this machine's code page. Install Python in "
                "a folder with plain letters, such as C:\\Python.",
                f"El VBA de Excel no puede leer la ruta {machine.python} con la página de códigos de este equipo. "
                "Instale Python en una carpeta con letras simples, como C:\\Python.",
            )
        ) from None
    settings = {"INTERPRETER_WIN": machine.python, "UDF MODULES": UDF_MODULES}
    return "".join(f'"{key}","{value}"\r\n' for key, value in settings.items())


def excel_versions(machine: Machine) -> list[str]:
    """Settings keys of the Excels that this user has; the newest when none has been opened yet."""
    found = [
        v
        for v in VERSIONS
        if machine.registry.keys(HKCU, rf"{OFFICE}\{v}\Excel")
        or machine.registry.values(HKCU, rf"{OFFICE}\{v}\Excel\Options")
    ]
    return found or [VERSIONS[0]]


# ------------------------------------------------------------------------------------------------- Excel's OPEN list


def open_entries(machine: Machine, version: str) -> list[str]:
    """Excel's list of add-ins to open, in order. It ends at the first number that is missing, and so does Excel."""
    values = machine.registry.values(HKCU, options_key(version))
    entries: list[str] = []
    for name in _open_names():
        value = values.get(name)
        if not isinstance(value, str):
            return entries
        entries.append(value)
    raise AssertionError("names do not end")


def options_key(version: str) -> str:
    """Key that holds Excel's OPEN values."""
    return rf"{OFFICE}\{version}\Excel\Options"


def _open_names() -> Iterator[str]:
    yield "OPEN"
    number = 1
    while True:
        yield f"OPEN{number}"
        number += 1


def is_ours(entry: str) -> bool:
    """An OPEN value or link that names our add-in, wherever it lies."""
    return PureWindowsPath(entry.strip().strip('"')).name.lower() == NAME


def _write_entries(machine: Machine, version: str, entries: list[str]) -> None:
    before = len(open_entries(machine, version))
    names = _open_names()
    for entry in entries:
        machine.registry.put(HKCU, options_key(version), next(names), entry)
    for _ in range(len(entries), before):
        machine.registry.drop(HKCU, options_key(version), next(names))


# ------------------------------------------------------------------------------------------------- trusted location


def locations_key(version: str) -> str:
    """Key of Excel's trusted locations."""
    return rf"{OFFICE}\{version}\Excel\Security\Trusted Locations"


def trusted_location(machine: Machine, version: str, folder: str) -> str:
    """Name of the trusted location of `folder`, or ""."""
    for name in machine.registry.keys(HKCU, locations_key(version)):
        path = machine.registry.values(HKCU, rf"{locations_key(version)}\{name}").get("Path")
        if isinstance(path, str) and path.rstrip("\\/").lower() == folder.rstrip("\\/").lower():
            return name
    return ""


def _trust(machine: Machine, version: str, folder: str) -> None:
    name = trusted_location(machine, version, folder)
    if not name:
        taken = {key.lower() for key in machine.registry.keys(HKCU, locations_key(version))}
        name = next(f"Location{number}" for number in range(20, 10000) if f"location{number}" not in taken)
    key = rf"{locations_key(version)}\{name}"
    machine.registry.put(HKCU, key, "Path", folder)
    machine.registry.put(HKCU, key, "AllowSubfolders", 0)
    machine.registry.put(HKCU, key, "Description", "Recargos")


# ----------------------------------------------------------------------------------------------------- the two plans


def install_plan(machine: Machine, source: Path, *, trust: bool = True) -> list[Action]:
    """What installing does, step by step."""
    target, config, text = addin_path(machine), config_path(machine), config_text(machine)
    plan = [
        Action(
            T(f"copy the add-in to {target}", f"copiar el complemento a {target}"), lambda: _copy(source, Path(target))
        ),
        Action(
            T(
                f"write the settings {config}: interpreter {machine.python}, functions {UDF_MODULES}",
                f"escribir los ajustes {config}: intérprete {machine.python}, funciones {UDF_MODULES}",
            ),
            lambda: _write(Path(config), text),
        ),
    ]
    for version in excel_versions(machine):
        if trust:
            plan.append(_trust_action(machine, version, str(target.parent)))
        plan.append(_open_action(machine, version, str(target)))
    return plan


def _trust_action(machine: Machine, version: str, folder: str) -> Action:
    return Action(
        T(
            f"make {folder} a trusted location of Excel {version} (this folder alone)",
            f"hacer de {folder} una ubicación de confianza de Excel {version} (solo esta carpeta)",
        ),
        lambda: _trust(machine, version, folder),
    )


def _open_action(machine: Machine, version: str, target: str) -> Action:
    def register() -> None:
        others = [entry for entry in open_entries(machine, version) if not is_ours(entry)]
        _write_entries(machine, version, [*others, f'"{target}"'])
        machine.registry.drop(HKCU, rf"{OFFICE}\{version}\Excel\Add-in Manager", target)

    return Action(
        T(
            f"tell Excel {version} to open it: HKEY_CURRENT_USER\\{options_key(version)}\\OPEN",
            f"decirle a Excel {version} que lo abra: HKEY_CURRENT_USER\\{options_key(version)}\\OPEN",
        ),
        register,
    )


def uninstall_plan(machine: Machine) -> list[Action]:
    """What uninstalling does: the same steps back. Other add-ins keep their places in Excel's list."""
    target, config = addin_path(machine), config_path(machine)
    plan: list[Action] = []
    for version in VERSIONS if machine.windows else excel_versions(machine):
        entries = open_entries(machine, version)
        if not machine.windows or any(is_ours(entry) for entry in entries):
            plan.append(_close_action(machine, version))
        name = trusted_location(machine, version, str(target.parent))
        if not machine.windows or name:
            plan.append(_distrust_action(machine, version, name, str(target.parent)))
    for path in (target, config):
        if not machine.windows or Path(path).exists():
            plan.append(Action(T(f"remove {path}", f"eliminar {path}"), lambda path=path: _remove(Path(path))))  # type: ignore[misc]
    return plan


def _close_action(machine: Machine, version: str) -> Action:
    return Action(
        T(
            f"take it off the list of add-ins that Excel {version} opens",
            f"quitarlo de la lista de complementos que abre Excel {version}",
        ),
        lambda: _write_entries(machine, version, [e for e in open_entries(machine, version) if not is_ours(e)]),
    )


def _distrust_action(machine: Machine, version: str, name: str, folder: str) -> Action:
    return Action(
        T(
            f"{folder} is no longer a trusted location of Excel {version}",
            f"{folder} deja de ser una ubicación de confianza de Excel {version}",
        ),
        lambda: machine.registry.drop_key(HKCU, rf"{locations_key(version)}\{name}"),
    )


def check_can_change(machine: Machine) -> None:
    """:raises Refused: where nothing may be changed now."""
    if not machine.windows:
        raise Refused(
            T(
                "The Excel add-in needs Windows. On a Mac or on the web use xlwings Lite, on Linux LibreOffice "
                "Calc; --dry-run shows what would be done.",
                "El complemento de Excel requiere Windows. En Mac o en la web use xlwings Lite, en Linux "
                "LibreOffice Calc; --dry-run muestra lo que se haría.",
            )
        )
    if machine.excel_runs():
        raise Refused(
            T(
                "Excel is open and would write its own list of add-ins over this one when it closes. Close Excel "
                "and try again.",
                "Excel está abierto y al cerrarse escribiría su propia lista de complementos encima de esta. Cierre "
                "Excel e intente otra vez.",
            )
        )


def carry_out(plan: list[Action]) -> None:
    """Do every step, in order.

    :raises Refused: with the step that failed and why.
    """
    for action in plan:
        try:
            action.do()
        except OSError as problem:
            raise Refused(
                T(
                    f"Could not {action.what.en}: {problem.strerror or problem}",
                    f"No se pudo {action.what.es}: {problem.strerror or problem}",
                )
            ) from problem


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(CONFIG_ENCODING))


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
    if path.parent.exists() and not any(path.parent.iterdir()):
        path.parent.rmdir()
