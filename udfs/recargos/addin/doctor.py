"""Why the Excel add-in does not work, in plain words: every known cause looked for, each with what to do.

Nothing is changed. The findings come from the registry, the files and the interpreter; what only a running Excel knows
is left to the ribbon's own diagnosis.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath

from recargos.addin.excel_install import (
    NAME,
    OFFICE,
    UDF_MODULES,
    addin_path,
    config_path,
    excel_versions,
    is_ours,
    locations_key,
    open_entries,
)
from recargos.addin.machine import CONFIG_ENCODING, HKCU, HKLM, Machine
from recargos.addin.machine import this_machine as this_machine
from recargos.law import T

OK, NOTE, PROBLEM = "ok", "note", "problem"
_SIGNS = {OK: T("ok", "bien"), NOTE: T("note", "nota"), PROBLEM: T("PROBLEM", "PROBLEMA")}
_MACHINES = {0x8664: 64, 0x014C: 32, 0xAA64: 64}


@dataclass(frozen=True)
class Finding:
    """One thing looked at."""

    what: str
    """Short, stable key: `office`, `python`, `dll` …"""
    status: str
    words: T
    remedy: T = T("", "")

    def row(self, language: str) -> list[str]:
        """Result, key, explanation, remedy."""
        return [_SIGNS[self.status].in_(language), self.what, self.words.in_(language), self.remedy.in_(language)]


def examine(machine: Machine, workbooks: tuple[Path, ...] = ()) -> list[Finding]:
    """Everything there is to say about the machine, and about workbooks that show #NAME? or a link to the add-in."""
    findings: list[Finding] = []
    if machine.windows:
        for look in _LOOKS:
            findings += look(machine)
    else:
        findings.append(
            Finding(
                "system",
                NOTE,
                T("This is not Windows: the Excel add-in cannot run here.", "Esto no es Windows: el complemento de Excel no puede correr aquí."),
                T("Use LibreOffice Calc, xlwings Lite, or recargos recalc.", "Use LibreOffice Calc, xlwings Lite o recargos recalc."),
            )
        )
    for workbook in workbooks:
        findings += _links(machine, workbook)
    return findings


# ----------------------------------------------------------------------------------------------------------- Office


def excel_program(machine: Machine) -> str:
    """Path of EXCEL.EXE as Windows knows it; "" when it knows none."""
    for hive in (HKCU, HKLM):
        found = machine.registry.values(hive, r"SOFTWARE\Microsoft\Windows\CurrentVersion\App Paths\excel.exe").get("")
        if isinstance(found, str) and found:
            return found.strip('"')
    return ""


def program_bits(path: str) -> int:
    """32 or 64, read from the program file itself; 0 when it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            head = file.read(4096)
    except OSError:
        return 0
    at = int.from_bytes(head[60:64], "little")
    if head[:2] != b"MZ" or head[at : at + 4] != b"PE\0\0":
        return 0
    return _MACHINES.get(int.from_bytes(head[at + 4 : at + 6], "little"), 0)


def office_bits(machine: Machine) -> int:
    """Bits of Excel: from the program, else from what Office wrote about itself; 0 when unknown."""
    bits = program_bits(excel_program(machine))
    if bits:
        return bits
    platform = machine.registry.values(HKLM, r"SOFTWARE\Microsoft\Office\ClickToRun\Configuration").get("Platform")
    if platform is None:
        for version in excel_versions(machine):
            platform = platform or machine.registry.values(HKLM, rf"SOFTWARE\Microsoft\Office\{version}\Outlook").get("Bitness")
    return {"x64": 64, "x86": 32}.get(str(platform), 0)


def _office(machine: Machine) -> Iterator[Finding]:
    program = excel_program(machine)
    if not program:
        yield Finding(
            "office",
            PROBLEM,
            T("Windows knows no Excel on this machine.", "Windows no conoce ningún Excel en este equipo."),
            T("Install desktop Excel (2016 or newer; Microsoft 365 for results that spill).", "Instale Excel de escritorio (2016 o posterior; Microsoft 365 para resultados que se desbordan)."),
        )
        return
    if "\\windowsapps\\" in program.lower():
        yield Finding(
            "office",
            PROBLEM,
            T("Excel comes from the Microsoft Store. It keeps a registry of its own, so it does not see add-ins registered by other programs.", "Excel viene de Microsoft Store. Tiene un registro propio y no ve los complementos que registran otros programas."),
            T(f"In Excel: File, Options, Add-ins, Go, Browse, and choose {addin_path(machine)}. Or install Office from office.com.", f"En Excel: Archivo, Opciones, Complementos, Ir, Examinar, y escoja {addin_path(machine)}. O instale Office desde office.com."),
        )
        return
    bits = office_bits(machine)
    yield Finding("office", OK, T(f"Excel, {bits or '?'} bits: {program}", f"Excel, {bits or '?'} bits: {program}"))


def _python(machine: Machine) -> Iterator[Finding]:
    if "\\windowsapps\\" in machine.python.lower():
        yield Finding(
            "python",
            PROBLEM,
            T("Python comes from the Microsoft Store. Excel cannot load files from its folder.", "Python viene de Microsoft Store. Excel no puede cargar archivos de su carpeta."),
            T("Install Python from python.org, install recargos[excel] into it and run recargos addin install there.", "Instale Python desde python.org, instale en él recargos[excel] y ejecute allí recargos addin install."),
        )
        return
    yield Finding("python", OK, T(f"Python, {machine.python_bits} bits: {machine.python}", f"Python, {machine.python_bits} bits: {machine.python}"))
    bits = office_bits(machine)
    if bits and bits != machine.python_bits:
        yield Finding(
            "bits",
            NOTE,
            T(
                f"Excel has {bits} bits, Python {machine.python_bits}. That works: they run as two processes, and Excel loads the xlwings DLL of its own {bits} bits.",
                f"Excel es de {bits} bits y Python de {machine.python_bits}. Eso funciona: corren en dos procesos, y Excel carga la DLL de xlwings de sus propios {bits} bits.",
            ),
        )


# ------------------------------------------------------------------------------------------- xlwings and the add-in


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


def _versions(machine: Machine) -> Iterator[Finding]:
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
            T(f"The add-in belongs to xlwings {bound or '?'}, but {have} is installed: Excel would look for a DLL that is not there.", f"El complemento corresponde a xlwings {bound or '?'}, pero está instalado {have}: Excel buscaría una DLL que no está."),
            T("Run: pip install --upgrade recargos[excel], then recargos addin install", "Ejecute: pip install --upgrade recargos[excel] y luego recargos addin install"),
        )
        return
    yield Finding("versions", OK, T(f"Add-in and xlwings fit together: {have}", f"El complemento y xlwings corresponden: {have}"))
    if _came_from_the_internet(target):
        yield Finding(
            "blocked",
            PROBLEM,
            T("Windows marks the add-in file as coming from the Internet; Excel blocks its macros.", "Windows marca el archivo del complemento como venido de Internet; Excel bloquea sus macros."),
            T("Right-click the file, Properties, Unblock; or run recargos addin install again.", "Botón derecho sobre el archivo, Propiedades, Desbloquear; o ejecute otra vez recargos addin install."),
        )


def _came_from_the_internet(path: Path) -> bool:
    try:
        with open(f"{path}:Zone.Identifier", "rb") as stream:  # noqa: PTH123 - an NTFS stream is no path
            return b"ZoneId=3" in stream.read(1000) or b"ZoneId=4" in stream.read(1000)
    except OSError:
        return False


def dll_places(machine: Machine, name: str) -> list[Path]:
    """Where the add-in looks for the DLL: beside the interpreter, and above it, where a virtual environment has it."""
    beside = Path(machine.python).parent
    return [beside / name, beside.parent / name]


def _dll(machine: Machine) -> Iterator[Finding]:
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
        T(f"{name} is missing from {places[0].parent} and {places[1].parent}. pip puts it there; where it vanishes again, an antivirus has taken it.", f"Falta {name} en {places[0].parent} y {places[1].parent}. pip la pone allí; si desaparece otra vez, un antivirus se la llevó."),
        T("Look into the antivirus' quarantine and allow the file, then: pip install --force-reinstall --no-deps xlwings", "Busque en la cuarentena del antivirus y permita el archivo; luego: pip install --force-reinstall --no-deps xlwings"),
    )


def _imports(machine: Machine) -> Iterator[Finding]:
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
        T("Run: pip install --force-reinstall recargos[excel]", "Ejecute: pip install --force-reinstall recargos[excel]"),
    )


# ----------------------------------------------------------------------------------------------------- registration


def _registered(machine: Machine) -> Iterator[Finding]:
    target = str(addin_path(machine))
    for version in excel_versions(machine):
        ours = [entry.strip('"') for entry in open_entries(machine, version) if is_ours(entry)]
        if not ours:
            yield Finding(
                "registered",
                PROBLEM,
                T(f"Excel {version} is not told to open the add-in.", f"A Excel {version} no se le ha dicho que abra el complemento."),
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
                T("Excel switched the add-in off after it closed unexpectedly.", "Excel desactivó el complemento después de cerrarse inesperadamente."),
                T("In Excel: File, Options, Add-ins, Manage: Disabled Items, Go, Enable.", "En Excel: Archivo, Opciones, Complementos, Administrar: Elementos deshabilitados, Ir, Habilitar."),
            )


def read_config(path: Path) -> dict[str, str]:
    """The add-in's settings; empty when the file is not there."""
    try:
        text = path.read_bytes().decode(CONFIG_ENCODING, "replace")
    except OSError:
        return {}
    return {key.upper(): value for key, value in re.findall(r'^"([^"\r\n]*)","([^"\r\n]*)"', text, re.M)}


def _config(machine: Machine) -> Iterator[Finding]:
    path = Path(config_path(machine))
    settings = read_config(path)
    interpreter = settings.get("INTERPRETER_WIN", "")
    again = T("Run: recargos addin install", "Ejecute: recargos addin install")
    if not interpreter:
        yield Finding("config", PROBLEM, T(f"{path} does not say which Python to start.", f"{path} no dice qué Python iniciar."), again)
    elif not Path(interpreter).exists():
        yield Finding("config", PROBLEM, T(f"The Python in {path} is gone: {interpreter}", f"El Python de {path} ya no está: {interpreter}"), again)
    elif interpreter.lower() != machine.python.lower():
        yield Finding(
            "config",
            NOTE,
            T(f"Excel starts {interpreter}, this command runs in {machine.python}.", f"Excel inicia {interpreter}, este comando corre en {machine.python}."),
            T("To use this one in Excel run: recargos addin install", "Para usar este en Excel ejecute: recargos addin install"),
        )
    elif settings.get("UDF MODULES") != UDF_MODULES:
        yield Finding("config", PROBLEM, T(f"{path} names other functions than {UDF_MODULES}.", f"{path} nombra otras funciones que {UDF_MODULES}."), again)
    else:
        yield Finding("config", OK, T(f"Excel starts {interpreter}", f"Excel inicia {interpreter}"))


# ------------------------------------------------------------------------------------------------ policies, OneDrive


def _policy(machine: Machine) -> Iterator[Finding]:
    found = False
    for version in excel_versions(machine):
        for hive, root in ((HKLM, r"Software\Policies\Microsoft\Office"), (HKCU, r"Software\Policies\Microsoft\Office"), (HKCU, OFFICE)):
            values = machine.registry.values(hive, rf"{root}\{version}\Excel\Security")
            by_policy = "Policies" in root
            for name, bad, words in _POLICIES:
                if values.get(name) in bad:
                    found = True
                    yield Finding(
                        "policy",
                        PROBLEM,
                        words,
                        T("This is your firm's policy: ask its administrator to allow the add-in.", "Es una política de su firma: pida a su administrador que permita el complemento.")
                        if by_policy
                        else T("In Excel: File, Options, Trust Center, Trust Center Settings.", "En Excel: Archivo, Opciones, Centro de confianza, Configuración del Centro de confianza."),
                    )
            if machine.registry.values(hive, f"{root}\\{locations_key(version)[len(OFFICE) + 1:]}").get("AllLocationsDisabled") == 1:
                found = True
                yield Finding(
                    "policy",
                    NOTE,
                    T("Trusted locations are switched off, so Excel may ask before it runs the add-in.", "Las ubicaciones de confianza están desactivadas; Excel puede preguntar antes de correr el complemento."),
                    T("Answer Enable, or ask the administrator.", "Conteste Habilitar, o pregunte al administrador."),
                )
    if not found:
        yield Finding("policy", OK, T("No policy forbids macros of add-ins", "Ninguna política prohíbe las macros de complementos"))


_POLICIES = (
    ("VBAWarnings", (4,), T("Excel is set to disable all macros, those of add-ins too.", "Excel está configurado para deshabilitar todas las macros, también las de complementos.")),
    ("VBAWarnings", (3,), T("Excel is set to run signed macros only; this add-in is not signed.", "Excel está configurado para correr solo macros firmadas; este complemento no está firmado.")),
    ("DisableAllAddins", (1,), T("Excel is set to load no add-ins.", "Excel está configurado para no cargar complementos.")),
    ("RequireAddinSig", (1,), T("Excel is set to load signed add-ins only; this one is not signed.", "Excel está configurado para cargar solo complementos firmados; este no lo está.")),
)


def _onedrive(machine: Machine) -> Iterator[Finding]:
    roots = [machine.environment.get(name, "") for name in ("OneDrive", "OneDriveConsumer", "OneDriveCommercial")]
    inside = sorted(
        {
            place
            for place in (str(addin_path(machine)), machine.python)
            for root in roots
            if root and place.lower().startswith(root.rstrip("\\/").lower() + "\\")
        }
    )
    for place in inside:
        yield Finding(
            "onedrive",
            PROBLEM,
            T(f"{place} lies in OneDrive, which may keep it in the cloud only or show Excel an internet address.", f"{place} está en OneDrive, que puede tenerlo solo en la nube o mostrarle a Excel una dirección de Internet."),
            T("Install Python in a folder outside of OneDrive.", "Instale Python en una carpeta fuera de OneDrive."),
        )
    if not inside:
        yield Finding("onedrive", OK, T("Neither the add-in nor Python lies in OneDrive", "Ni el complemento ni Python están en OneDrive"))


# ------------------------------------------------------------------------------------------------ links in workbooks

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
        yield Finding("links", PROBLEM, T(f"{workbook} cannot be read: {problem}", f"No se puede leer {workbook}: {problem}"))
        return
    target = PureWindowsPath(str(addin_path(machine)))
    wrong = [path for path in links if PureWindowsPath(path) != target]
    if wrong:
        yield Finding(
            "links",
            PROBLEM,
            T(f"{workbook.name} remembers the add-in of another machine: {wrong[0]}. Its formulas show that path and #NAME?.", f"{workbook.name} recuerda el complemento de otro equipo: {wrong[0]}. Sus fórmulas muestran esa ruta y #NAME?."),
            T("Open it in Excel and choose Recargos, Repair links; recargos recalc understands such formulas as they are.", "Ábralo en Excel y escoja Recargos, Reparar enlaces; recargos recalc entiende esas fórmulas tal como están."),
        )
    else:
        yield Finding("links", OK, T(f"{workbook.name} has no link to another machine's add-in", f"{workbook.name} no tiene enlaces al complemento de otro equipo"))


_LOOKS: tuple[Callable[[Machine], Iterator[Finding]], ...] = (
    _office,
    _python,
    _versions,
    _dll,
    _imports,
    _config,
    _registered,
    _policy,
    _onedrive,
)
