"""The doctor's look at the add-in: its file, xlwings and its DLL, its settings, and whether Excel opens it."""

from __future__ import annotations

import re
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from recargos.addin.doctor_office import office_bits
from recargos.addin.excel_install import (
    NAME,
    OFFICE,
    UDF_MODULES,
    addin_path,
    config_path,
    excel_versions,
    is_ours,
    open_entries,
)
from recargos.addin.finding import NOTE, OK, PROBLEM, Finding
from recargos.addin.machine import CONFIG_ENCODING, HKCU, Machine
from recargos.law import T


def installed_xlwings() -> str:
    """Version of xlwings beside this Recargos; "" when there is none."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("xlwings")
    except PackageNotFoundError:
        return ""


def bound_version(package: Path) -> str:
    """The xlwings version to which an add-in file belongs; "" when the file does not say."""
    try:
        with zipfile.ZipFile(package) as archive:
            found = re.search(rb"<cp:keywords>xlwings ([0-9A-Za-z.]+)</cp:keywords>", archive.read("docProps/core.xml"))
    except (OSError, KeyError, zipfile.BadZipFile):
        return ""
    return found[1].decode("ascii") if found else ""


def versions(machine: Machine) -> Iterator[Finding]:
    """Whether the add-in's file is there, is ours, and fits xlwings."""
    have, target = installed_xlwings(), Path(addin_path(machine))
    if not have:
        yield Finding(
            "xlwings",
            PROBLEM,
            T("xlwings is not installed in this Python.", "xlwings no está instalado en este Python."),
            T("Run: pip install recargos[excel]", "Ejecute: pip install recargos[excel]"),
        )
        return
    if not target.exists():
        yield Finding(
            "addin",
            PROBLEM,
            T(f"The add-in is not at {target}.", f"El complemento no está en {target}."),
            T("Run: recargos addin install", "Ejecute: recargos addin install"),
        )
        return
    bound = bound_version(target)
    if bound != have:
        yield Finding(
            "versions",
            PROBLEM,
            T(
                f"The add-in belongs to xlwings {bound or '?'}, but {have} is installed: Excel would look for a DLL "
                "that is not there.",
                f"El complemento corresponde a xlwings {bound or '?'}, pero está instalado {have}: Excel buscaría "
                "una DLL que no está.",
            ),
            T(
                "Run: pip install --upgrade recargos[excel], then recargos addin install",
                "Ejecute: pip install --upgrade recargos[excel] y luego recargos addin install",
            ),
        )
        return
    yield Finding(
        "versions", OK, T(f"Add-in and xlwings fit together: {have}", f"El complemento y xlwings corresponden: {have}")
    )
    if _came_from_the_internet(target):
        yield Finding(
            "blocked",
            PROBLEM,
            T(
                "Windows marks the add-in file as coming from the Internet; Excel blocks its macros.",
                "Windows marca el archivo del complemento como venido de Internet; Excel bloquea sus macros.",
            ),
            T(
                "Right-click the file, Properties, Unblock; or run recargos addin install again.",
                "Botón derecho sobre el archivo, Propiedades, Desbloquear; o ejecute otra vez recargos addin install.",
            ),
        )


def _came_from_the_internet(path: Path) -> bool:
    try:
        with open(f"{path}:Zone.Identifier", "rb") as stream:  # noqa: PTH123 - an NTFS stream is no path
            return b"ZoneId=3" in stream.read(1000) or b"ZoneId=4" in stream.read(1000)
    except OSError:
        return False


def dll_places(machine: Machine, name: str) -> list[Path]:
    """Where the add-in looks for the DLL: beside the interpreter, and above it, where a virtual environment has "
    "it."""
    beside = Path(machine.python).parent
    return [beside / name, beside.parent / name]


def dll(machine: Machine) -> Iterator[Finding]:
    """Whether xlwings' DLL lies where the add-in looks for it."""
    version = installed_xlwings()
    if not version:
        return
    name = f"xlwings{office_bits(machine) or 64}-{version}.dll"
    places = dll_places(machine, name)
    if any(place.exists() for place in places):
        yield Finding("dll", OK, T(f"{name} lies beside Python", f"{name} está junto a Python"))
        return
    yield Finding(
        "dll",
        PROBLEM,
        T(
            f"{name} is missing from {places[0].parent} and {places[1].parent}. pip puts it there; where it "
            "vanishes again, an antivirus has taken it.",
            f"Falta {name} en {places[0].parent} y {places[1].parent}. pip la pone allí; si desaparece otra vez, un "
            "antivirus se la llevó.",
        ),
        T(
            "Look into the antivirus' quarantine and allow the file, then: pip install --force-reinstall --no-deps "
            "xlwings",
            "Busque en la cuarentena del antivirus y permita el archivo; luego: pip install --force-reinstall "
            "--no-deps xlwings",
        ),
    )


def start(machine: Machine) -> Iterator[Finding]:
    """Whether the interpreter loads every function."""
    # Ends at once: xlwings' event loop, never run, can keep an ordinary exit waiting.
    program = "import os, xlwings.com_server, recargos.excel; print('ready', flush=True); os._exit(0)"
    command = [machine.python, "-P", "-c", program]
    try:
        # Into a file: what the interpreter starts in turn may keep a pipe open for good.
        with tempfile.TemporaryFile() as output:
            subprocess.run(command, stdout=output, stderr=output, timeout=120, check=False, stdin=subprocess.DEVNULL)
            output.seek(0)
            said = output.read().decode("utf-8", "replace").strip().splitlines()
    except (OSError, subprocess.TimeoutExpired) as problem:
        said = [str(problem)]
    ready = "ready" in said
    if ready:
        yield Finding("start", OK, T("Python loads every function", "Python carga todas las funciones"))
        return
    why = said[-1] if said else "?"
    yield Finding(
        "start",
        PROBLEM,
        T(f"Python cannot load the functions: {why}", f"Python no puede cargar las funciones: {why}"),
        T(
            "Run: pip install --force-reinstall recargos[excel]",
            "Ejecute: pip install --force-reinstall recargos[excel]",
        ),
    )


# ----------------------------------------------------------------------------------------------------- registration


def registered(machine: Machine) -> Iterator[Finding]:
    """Whether Excel is told to open it, and has not switched it off."""
    target = str(addin_path(machine))
    for version in excel_versions(machine):
        ours = [entry.strip('"') for entry in open_entries(machine, version) if is_ours(entry)]
        if not ours:
            yield Finding(
                "registered",
                PROBLEM,
                T(
                    f"Excel {version} is not told to open the add-in.",
                    f"A Excel {version} no se le ha dicho que abra el complemento.",
                ),
                T("Close Excel and run: recargos addin install", "Cierre Excel y ejecute: recargos addin install"),
            )
        elif ours[0].lower() != target.lower():
            yield Finding(
                "registered",
                PROBLEM,
                T(f"Excel {version} opens another copy: {ours[0]}", f"Excel {version} abre otra copia: {ours[0]}"),
                T("Close Excel and run: recargos addin install", "Cierre Excel y ejecute: recargos addin install"),
            )
        else:
            yield Finding("registered", OK, T(f"Excel {version} opens {target}", f"Excel {version} abre {target}"))
        disabled = machine.registry.values(HKCU, rf"{OFFICE}\{version}\Excel\Resiliency\DisabledItems")
        if any(isinstance(data, bytes) and NAME.encode("utf-16-le") in data.lower() for data in disabled.values()):
            yield Finding(
                "disabled",
                PROBLEM,
                T(
                    "Excel switched the add-in off after it closed unexpectedly.",
                    "Excel desactivó el complemento después de cerrarse inesperadamente.",
                ),
                T(
                    "In Excel: File, Options, Add-ins, Manage: Disabled Items, Go, Enable.",
                    "En Excel: Archivo, Opciones, Complementos, Administrar: Elementos deshabilitados, Ir, Habilitar.",
                ),
            )


def read_config(path: Path) -> dict[str, str]:
    """The add-in's settings; empty when the file is not there."""
    try:
        text = path.read_bytes().decode(CONFIG_ENCODING, "replace")
    except OSError:
        return {}
    return {key.upper(): value for key, value in re.findall(r'^"([^"\r\n]*)","([^"\r\n]*)"', text, re.M)}


def config(machine: Machine) -> Iterator[Finding]:
    """Whether the add-in knows which Python to start."""
    path = Path(config_path(machine))
    settings = read_config(path)
    interpreter = settings.get("INTERPRETER_WIN", "")
    again = T("Run: recargos addin install", "Ejecute: recargos addin install")
    if not interpreter:
        yield Finding(
            "config",
            PROBLEM,
            T(f"{path} does not say which Python to start.", f"{path} no dice qué Python iniciar."),
            again,
        )
    elif not Path(interpreter).exists():
        yield Finding(
            "config",
            PROBLEM,
            T(f"The Python in {path} is gone: {interpreter}", f"El Python de {path} ya no está: {interpreter}"),
            again,
        )
    elif interpreter.lower() != machine.python.lower():
        yield Finding(
            "config",
            NOTE,
            T(
                f"Excel starts {interpreter}, this command runs in {machine.python}.",
                f"Excel inicia {interpreter}, este comando corre en {machine.python}.",
            ),
            T(
                "To use this one in Excel run: recargos addin install",
                "Para usar este en Excel ejecute: recargos addin install",
            ),
        )
    elif settings.get("UDF MODULES") != UDF_MODULES:
        yield Finding(
            "config",
            PROBLEM,
            T(f"{path} names other functions than {UDF_MODULES}.", f"{path} nombra otras funciones que {UDF_MODULES}."),
            again,
        )
    else:
        yield Finding("config", OK, T(f"Excel starts {interpreter}", f"Excel inicia {interpreter}"))
