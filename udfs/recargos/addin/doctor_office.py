"""The doctor's look at Office and Python: which, of how many bits, under which policies, in OneDrive or not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from recargos.addin.excel_install import OFFICE, addin_path, excel_versions, locations_key
from recargos.addin.finding import NOTE, OK, PROBLEM, Finding
from recargos.addin.machine import HKCU, HKLM, Machine
from recargos.law import T

_MACHINES = {0x8664: 64, 0x014C: 32, 0xAA64: 64}


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
            platform = platform or machine.registry.values(HKLM, rf"SOFTWARE\Microsoft\Office\{version}\Outlook").get(
                "Bitness"
            )
    return {"x64": 64, "x86": 32}.get(str(platform), 0)


def office(machine: Machine) -> Iterator[Finding]:
    """Which Excel, from where."""
    program = excel_program(machine)
    if not program:
        yield Finding(
            "office",
            PROBLEM,
            T("Windows knows no Excel on this machine.", "Windows no conoce ningún Excel en este equipo."),
            T(
                "Install desktop Excel (2016 or newer; Microsoft 365 for results that spill).",
                "Instale Excel de escritorio (2016 o posterior; Microsoft 365 para resultados que se desbordan).",
            ),
        )
        return
    if "\\windowsapps\\" in program.lower():
        yield Finding(
            "office",
            PROBLEM,
            T(
                "Excel comes from the Microsoft Store. It keeps a registry of its own, so it does not see add-ins "
                "registered by other programs.",
                "Excel viene de Microsoft Store. Tiene un registro propio y no ve los complementos que registran "
                "otros programas.",
            ),
            T(
                f"In Excel: File, Options, Add-ins, Go, Browse, and choose {addin_path(machine)}. Or install Office "
                "from office.com.",
                f"En Excel: Archivo, Opciones, Complementos, Ir, Examinar, y escoja {addin_path(machine)}. O "
                "instale Office desde office.com.",
            ),
        )
        return
    bits = office_bits(machine)
    yield Finding("office", OK, T(f"Excel, {bits or '?'} bits: {program}", f"Excel, {bits or '?'} bits: {program}"))


def python(machine: Machine) -> Iterator[Finding]:
    """Which Python, and how its bits and Excel's go together."""
    if "\\windowsapps\\" in machine.python.lower():
        yield Finding(
            "python",
            PROBLEM,
            T(
                "Python comes from the Microsoft Store. Excel cannot load files from its folder.",
                "Python viene de Microsoft Store. Excel no puede cargar archivos de su carpeta.",
            ),
            T(
                "Install Python from python.org, install recargos[excel] into it and run recargos addin install there.",
                "Instale Python desde python.org, instale en él recargos[excel] y ejecute allí recargos addin install.",
            ),
        )
        return
    yield Finding(
        "python",
        OK,
        T(
            f"Python, {machine.python_bits} bits: {machine.python}",
            f"Python, {machine.python_bits} bits: {machine.python}",
        ),
    )
    bits = office_bits(machine)
    if bits and bits != machine.python_bits:
        yield Finding(
            "bits",
            NOTE,
            T(
                f"Excel has {bits} bits, Python {machine.python_bits}. That works: they run as two processes, and "
                f"Excel loads the xlwings DLL of its own {bits} bits.",
                f"Excel es de {bits} bits y Python de {machine.python_bits}. Eso funciona: corren en dos procesos, "
                f"y Excel carga la DLL de xlwings de sus propios {bits} bits.",
            ),
        )


def policy(machine: Machine) -> Iterator[Finding]:
    """What forbids macros or add-ins."""
    found = False
    for version in excel_versions(machine):
        for hive, root in (
            (HKLM, r"Software\Policies\Microsoft\Office"),
            (HKCU, r"Software\Policies\Microsoft\Office"),
            (HKCU, OFFICE),
        ):
            values = machine.registry.values(hive, rf"{root}\{version}\Excel\Security")
            by_policy = "Policies" in root
            for name, bad, words in _POLICIES:
                if values.get(name) in bad:
                    found = True
                    yield Finding(
                        "policy",
                        PROBLEM,
                        words,
                        T(
                            "This is your firm's policy: ask its administrator to allow the add-in.",
                            "Es una política de su firma: pida a su administrador que permita el complemento.",
                        )
                        if by_policy
                        else T(
                            "In Excel: File, Options, Trust Center, Trust Center Settings.",
                            "En Excel: Archivo, Opciones, Centro de confianza, Configuración del Centro de confianza.",
                        ),
                    )
            if (
                machine.registry.values(hive, f"{root}\\{locations_key(version)[len(OFFICE) + 1 :]}").get(
                    "AllLocationsDisabled"
                )
                == 1
            ):
                found = True
                yield Finding(
                    "policy",
                    NOTE,
                    T(
                        "Trusted locations are switched off, so Excel may ask before it runs the add-in.",
                        "Las ubicaciones de confianza están desactivadas; Excel puede preguntar antes de correr el "
                        "complemento.",
                    ),
                    T("Answer Enable, or ask the administrator.", "Conteste Habilitar, o pregunte al administrador."),
                )
    if not found:
        yield Finding(
            "policy",
            OK,
            T("No policy forbids macros of add-ins", "Ninguna política prohíbe las macros de complementos"),
        )


_POLICIES = (
    (
        "VBAWarnings",
        (4,),
        T(
            "Excel is set to disable all macros, those of add-ins too.",
            "Excel está configurado para deshabilitar todas las macros, también las de complementos.",
        ),
    ),
    (
        "VBAWarnings",
        (3,),
        T(
            "Excel is set to run signed macros only; this add-in is not signed.",
            "Excel está configurado para correr solo macros firmadas; este complemento no está firmado.",
        ),
    ),
    (
        "DisableAllAddins",
        (1,),
        T("Excel is set to load no add-ins.", "Excel está configurado para no cargar complementos."),
    ),
    (
        "RequireAddinSig",
        (1,),
        T(
            "Excel is set to load signed add-ins only; this one is not signed.",
            "Excel está configurado para cargar solo complementos firmados; este no lo está.",
        ),
    ),
)


def onedrive(machine: Machine) -> Iterator[Finding]:
    """Whether a file lies where it may be in the cloud only."""
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
            T(
                f"{place} lies in OneDrive, which may keep it in the cloud only or show Excel an internet address.",
                f"{place} está en OneDrive, que puede tenerlo solo en la nube o mostrarle a Excel una dirección de "
                "Internet.",
            ),
            T("Install Python in a folder outside of OneDrive.", "Instale Python en una carpeta fuera de OneDrive."),
        )
    if not inside:
        yield Finding(
            "onedrive",
            OK,
            T("Neither the add-in nor Python lies in OneDrive", "Ni el complemento ni Python están en OneDrive"),
        )
