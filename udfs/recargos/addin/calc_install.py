"""Installs the Calc add-in into LibreOffice, removes it, and says what stands in its way.

LibreOffice's own extension manager, unopkg, does the work. For one person it goes into the person's profile; as root it
goes to everybody (`--shared`), since LibreOffice refuses a profile of root's.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from recargos import __version__, shipped
from recargos.addin.calc_build import IDENTIFIER, OLDEST, OXT
from recargos.office import Instance, Office, OfficeError, OfficeMissing, find, run

FOR_XLSX = (25, 2)
"""From this LibreOffice on PR_ functions work in .xlsx files, both ways; before it only in .ods files."""
TIMEOUT = 180.0


class CalcAddinError(Exception):
    """The add-in could not be installed or removed. `str(e)` says why, and what to do."""


def _shared() -> list[str]:
    return ["--shared"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []


def _manager(office: Office, *arguments: str) -> list[str]:
    # A profile of one's own, for tests and for people who keep several.
    profile = os.environ.get("RECARGOS_OFFICE_PROFILE")
    return [str(office.unopkg), *arguments, *_shared(), *([f"-env:UserInstallation={profile}"] if profile else [])]


def _do(command: list[str], what: str) -> str:
    try:
        done = run(command, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        raise CalcAddinError(f"{what}: unopkg was not done within {TIMEOUT:.0f} seconds.") from None
    except OSError as failed:
        raise CalcAddinError(f"{what}: {failed}") from None
    said = "\n".join(
        line for line in (done.stdout + done.stderr).splitlines() if line.strip() and "javaldx" not in line
    )
    if done.returncode or re.search(r"^ERROR:", said, re.MULTILINE):
        hint = " Close LibreOffice and try again." if "lock" in said.lower() or "running" in said.lower() else ""
        raise CalcAddinError(f"{what}: {said or f'unopkg ended with {done.returncode}'}.{hint}")
    return said


def _office() -> Office:
    try:
        return find()
    except OfficeMissing as missing:
        raise CalcAddinError(str(missing)) from None


def installed_version(office: Office) -> str | None:
    """Version of the add-in that LibreOffice has, or None."""
    said = _do(_manager(office, "list"), "Looking for the add-in")
    found = re.search(rf"Identifier: {re.escape(IDENTIFIER)}\s+Version: (\S+)", said)
    return found[1] if found else None


def install_calc(dry_run: bool = False) -> list[str]:
    """Install or replace the add-in. Returns what was done, a sentence a line.

    :raises CalcAddinError: when there is no LibreOffice, or its extension manager refuses.
    """
    office = _office()
    command = _manager(office, "add", "--force", "--suppress-license", str(shipped.path(f"addin/calc/{OXT}")))
    if dry_run:
        return [f"LibreOffice {_version_text(office)} is in {office.program}.", f"Would run: {_shown(command)}"]
    _do(command, "The add-in could not be installed")
    if installed_version(office) is None:
        raise CalcAddinError("unopkg said yes, but the add-in is not in its list.")
    who = "for everybody on this machine" if _shared() else "for you"
    return [
        f"Recargos {__version__} is installed in LibreOffice {_version_text(office)} {who}.",
        *_limits(office),
        "Restart LibreOffice if it is open. Then try =PR_VERSION() in a cell.",
    ]


def uninstall_calc(dry_run: bool = False) -> list[str]:
    """Remove the add-in. Returns what was done, a sentence a line.

    :raises CalcAddinError: when there is no LibreOffice, or its extension manager refuses.
    """
    office = _office()
    command = _manager(office, "remove", IDENTIFIER)
    if dry_run:
        return [f"Would run: {_shown(command)}"]
    if installed_version(office) is None:
        return ["Recargos is not installed in LibreOffice; nothing to remove."]
    _do(command, "The add-in could not be removed")
    return ["Recargos was removed from LibreOffice. Restart LibreOffice if it is open."]


def doctor_calc() -> list[str]:
    """What stands in the way of PR_ functions in Calc. Each finding starts with "ok", "note" or "problem"."""
    try:
        office = find()
    except OfficeMissing as missing:
        return [f"problem: {missing}"]
    findings = [f"ok: LibreOffice {_version_text(office)} is in {office.program}."]
    findings += [f"note: {limit}" for limit in _limits(office)]
    try:
        version = installed_version(office)
    except (CalcAddinError, OfficeError) as failed:
        version = None
        findings.append(f"problem: {failed}")
    if version is None:
        findings.append("note: the add-in is not installed; run `recargos addin install --host calc`.")
    elif version != __version__:
        findings.append(
            f"problem: LibreOffice has version {version} of the add-in, this is {__version__}; install it again."
        )
    else:
        findings.append(f"ok: version {version} of the add-in is installed.")
    return [*findings, _trial()]


def _trial() -> str:
    """A known value through a LibreOffice of our own: it tells whether its Python can run the add-in at all."""
    try:
        with Instance(timeout=60) as office:
            office.ask("open", path=None)
            office.ask("type", cells=[[0, 0, 0, "formula", "=PR_LATE_FILE(8000;47;5000;1200)"]])
            value = office.ask("peek", cells=[[0, 0, 0]])["values"][0]
    except OfficeMissing as missing:
        return f"note: not tried in Calc: {missing}"
    except OfficeError as failed:
        return f"problem: {failed}"
    if value == 270.0:
        return "ok: =PR_LATE_FILE(8000;47;5000;1200) gives 270.00 in Calc."
    return (
        f"problem: =PR_LATE_FILE(8000;47;5000;1200) gives {value} in Calc, not 270.00. Is LibreOffice's Python support "
        "installed (on Debian the package python3-uno)?"
    )


def _version_text(office: Office) -> str:
    try:
        return office.version
    except OfficeError:
        return "(version unknown)"


def _limits(office: Office) -> list[str]:
    numbers = tuple(int(n) for n in re.findall(r"\d+", _version_text(office))[:2])
    if not numbers:
        return []
    if numbers < tuple(int(n) for n in OLDEST.split(".")):
        return [f"This LibreOffice is older than {OLDEST}, the oldest on which the add-in was tried."]
    if numbers < FOR_XLSX:
        return [
            "This LibreOffice computes PR_ functions in .ods files. In .xlsx files they need LibreOffice 25.2 or "
            "newer: this one opens them as #NAME?, and saves its own as something that Excel does not know."
        ]
    return []


def _shown(command: list[str]) -> str:
    return " ".join(f'"{word}"' if " " in word else word for word in command)


def oxt() -> Path:
    """The add-in's file, for people who install it by hand (Tools, Extensions)."""
    return shipped.path(f"addin/calc/{OXT}")
