"""LibreOffice on this machine: where it is, and one private instance that works for us and then is gone.

A private instance has its own profile, no macros, no link updates, American English as its locale (a German machine
computes other results), recalculates every file that it loads, and lives in its own process group that a deadline ends.
It is driven by `office_worker.py`, which runs in the Python that has LibreOffice's `uno` module.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recargos import shipped

SOFFICE = "RECARGOS_SOFFICE"
"""Environment: the soffice to use, where it is not in a usual place."""
PYTHON = "RECARGOS_UNO_PYTHON"
"""Environment: the Python that has `uno`, where it is neither LibreOffice's own nor the system's."""
_LEAKING = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "URE_BOOTSTRAP", "VIRTUAL_ENV")
"""What of our environment would reach into LibreOffice's own Python."""
START = 90.0
"""Seconds for a new profile to be set up."""
_QUIET = ("--headless", "--invisible", "--nologo", "--nodefault", "--norestore", "--nofirststartwizard")


class OfficeError(Exception):
    """LibreOffice is missing, did not start, died or took too long. `str(e)` is one clear sentence."""


class OfficeMissing(OfficeError):
    """No LibreOffice, or none that Python can drive."""


@dataclass(frozen=True)
class Office:
    """An installed LibreOffice."""

    soffice: Path
    program: Path
    """Folder of its programs, where unopkg lies too."""

    @property
    def unopkg(self) -> Path:
        """Its extension manager."""
        for name in ("unopkg.com", "unopkg.exe") if os.name == "nt" else ("unopkg",):
            if (self.program / name).exists():
                return self.program / name
        raise OfficeMissing(f"LibreOffice in {self.program} comes without unopkg, its extension manager.")

    @property
    def version(self) -> str:
        """Such as 25.2.3.2."""
        try:
            text = run([str(self.soffice), "--version"], timeout=60).stdout
        except subprocess.TimeoutExpired:
            raise OfficeError(f"{self.soffice} did not say its version within a minute.") from None
        words = text.split()
        return words[1] if len(words) > 1 and words[0] == "LibreOffice" else "unknown"


def environment() -> dict[str, str]:
    """Our environment without what would change LibreOffice's Python or its language."""
    clean = {name: value for name, value in os.environ.items() if name not in _LEAKING}
    if os.name == "posix":
        # An embedded Python takes its home from the first python3 on the path: not from an activated environment's.
        clean["PATH"] = os.pathsep.join(("/usr/bin", "/bin", clean.get("PATH", "")))
    return {**clean, "LC_ALL": "C.UTF-8"}


def run(command: list[str], *, timeout: float) -> subprocess.CompletedProcess[str]:
    """Run a LibreOffice command to its end, its output as text."""
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=timeout,
        env=environment(),
        stdin=subprocess.DEVNULL,
        check=False,
    )


def _usual_places() -> Iterator[Path]:
    system = platform.system()
    if system == "Windows":
        with contextlib.suppress(OSError):
            import winreg

            for hive in (winreg.HKEY_LOCAL_MACHINE, winreg.HKEY_CURRENT_USER):  # type: ignore[attr-defined,unused-ignore]
                with contextlib.suppress(OSError):
                    yield Path(winreg.QueryValue(hive, r"SOFTWARE\LibreOffice\UNO\InstallPath")) / "soffice.exe"  # type: ignore[attr-defined,unused-ignore]
        for variable in ("ProgramW6432", "ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"):
            if folder := os.environ.get(variable):
                yield Path(folder) / "LibreOffice" / "program" / "soffice.exe"
    elif system == "Darwin":
        for root in (Path("/Applications"), Path.home() / "Applications"):
            yield root / "LibreOffice.app" / "Contents" / "MacOS" / "soffice"
    else:
        yield from (Path("/usr/lib/libreoffice/program/soffice"), Path("/usr/lib64/libreoffice/program/soffice"))
        yield from sorted(Path("/opt").glob("libreoffice*/program/soffice"), reverse=True)


def find() -> Office:
    """The LibreOffice of this machine: named by the environment, on the path, or where its installer puts it.

    :raises OfficeMissing: with what to do about it.
    """
    candidates: list[Path] = []
    named = os.environ.get(SOFFICE)
    if named:
        candidates.append(Path(named))
    else:
        candidates += [Path(found) for name in ("soffice", "libreoffice") if (found := shutil.which(name))]
        candidates += _usual_places()
    for candidate in candidates:
        if candidate.is_file():
            return Office(candidate, candidate.resolve().parent)
    if named:
        raise OfficeMissing(f"{SOFFICE} names {named}, and there is no such program.")
    raise OfficeMissing(
        "LibreOffice was not found. Install LibreOffice Calc with its Python support, "
        f"or name its soffice in {SOFFICE}."
    )


def uno_python(office: Office) -> Path:
    """A Python that can `import uno`: LibreOffice's own, else the system's.

    :raises OfficeMissing: with what to install.
    """
    named = os.environ.get(PYTHON)
    own = [office.program / "python.exe", office.program.parent / "Resources" / "python", office.program / "python"]
    system = [Path("/usr/bin/python3"), Path(sys.executable)]
    for candidate in [Path(named)] if named else [*own, *system]:
        if candidate.is_file():
            with contextlib.suppress(subprocess.TimeoutExpired, OSError):
                if run([str(candidate), "-c", "import uno"], timeout=60).returncode == 0:
                    return candidate
    raise OfficeMissing(
        "LibreOffice is here, but no Python that can drive it: install its Python support "
        f"(on Debian the package python3-uno), or name one in {PYTHON}."
    )


# ---------------------------------------------------------------------------------------------- a private instance

_ITEM = (
    '<item oor:path="/org.openoffice.{path}"><prop oor:name="{name}" oor:op="fuse">'
    "<value>{value}</value></prop></item>\n"
)
SETTINGS: Mapping[tuple[str, str], str] = {
    ("Office.Calc/Formula/Load", "OOXMLRecalcMode"): "0",  # always: the default trusts what the file holds
    ("Office.Calc/Formula/Load", "ODFRecalcMode"): "0",
    ("Office.Calc/Content/Update", "Link"): "2",  # never
    ("Office.Common/Security/Scripting", "MacroSecurityLevel"): "3",
    ("Office.Common/Security/Scripting", "DisableMacrosExecution"): "true",
    ("Office.Common/Security/Scripting", "DisableActiveContent"): "true",
    ("Office.Common/Misc", "FirstRun"): "false",
    ("Setup/L10N", "ooSetupSystemLocale"): "en-US",
    ("Setup/L10N", "ooLocale"): "en-US",
    ("Office.Jobs/Jobs/org.openoffice.Office.Jobs:Job['UpdateCheck']/Arguments", "AutoCheckEnabled"): "false",
}


def write_profile(folder: Path, settings: Mapping[tuple[str, str], str]) -> None:
    """A profile that holds `settings` and nothing else."""
    user = folder / "user"
    user.mkdir(parents=True)
    items = "".join(_ITEM.format(path=path, name=name, value=value) for (path, name), value in settings.items())
    (user / "registrymodifications.xcu").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<oor:items xmlns:oor="http://openoffice.org/2001/registry" '
        'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n'
        f"{items}</oor:items>\n",
        encoding="utf-8",
    )


class Instance:
    """A running LibreOffice of our own, with the add-in. Use it as a context manager, or :meth:`close` it."""

    def __init__(
        self,
        *,
        timeout: float = 120.0,
        settings: Mapping[tuple[str, str], str] | None = None,
        addin: bool = True,
        profile: Path | None = None,
    ) -> None:
        """`timeout`: seconds that one request may take. `addin`: whether to bring PR_ functions along.

        `profile`: an existing profile to use as it is, instead of a new one that is gone afterwards.
        """
        self.office = find()
        python = uno_python(self.office)
        self.timeout = timeout
        self._dead = ""
        self.folder = Path(tempfile.mkdtemp(prefix="recargos-office-"))
        try:
            if profile is None:
                profile = self.folder / "profile"
                write_profile(profile, {**SETTINGS, **(settings or {})})
            # Unpacked as if it came with LibreOffice: nothing to install, no question of who is root.
            extensions = self.folder / "extensions"
            extensions.mkdir()
            if addin:
                with zipfile.ZipFile(shipped.path("addin/calc/recargos.oxt")) as archive:
                    archive.extractall(extensions / "recargos.oxt")
            command = [
                str(self.office.soffice),
                f"-env:UserInstallation={profile.as_uri()}",
                f"-env:BUNDLED_EXTENSIONS={extensions.as_uri()}",
                *_QUIET,
            ]
            worker = Path(__file__).with_name("office_worker.py")
            with (self.folder / "log.txt").open("w") as log:
                self._process = subprocess.Popen(
                    [str(python), str(worker), str(self.folder), json.dumps(command)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                    encoding="utf-8",
                    env=environment(),
                    start_new_session=True,
                    cwd=self.folder,
                )
            self.group = self._process.pid
            self.version = str(self._answer(START)["version"])
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Instance:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, request: str, **arguments: Any) -> dict[str, Any]:
        """One request to the worker. :class:`OfficeError` when LibreOffice cannot, dies or is not done in time."""
        if self._dead:
            raise OfficeError(self._dead)
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"request": request, **arguments}) + "\n")
            self._process.stdin.flush()
        except OSError:
            self._end("LibreOffice has died.")
            raise OfficeError(self._dead) from None
        return self._answer(self.timeout)

    def _answer(self, timeout: float) -> dict[str, Any]:
        late = threading.Event()

        def end() -> None:
            late.set()
            self._kill()

        timer = threading.Timer(timeout, end)
        timer.daemon = True
        timer.start()
        try:
            assert self._process.stdout is not None
            line = self._process.stdout.readline()
        finally:
            timer.cancel()
        if not line.endswith("\n"):
            why = f"LibreOffice was not done within {timeout:.0f} seconds and was ended." if late.is_set() else (
                "LibreOffice died while it worked on the file."
            )  # fmt: skip
            self._end(why)
            raise OfficeError(why)
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise OfficeError(str(answer["error"]))
        return answer

    def _kill(self) -> None:
        process = getattr(self, "_process", None)
        if process is None:
            return
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        elif process.poll() is None:  # Windows: the whole tree
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)

    def _end(self, why: str) -> None:
        self._dead = why
        self.close()

    def close(self) -> None:
        """End it, and remove every trace. Safe to call twice."""
        self._dead = self._dead or "LibreOffice was closed."
        process = getattr(self, "_process", None)
        if process is not None and process.poll() is None and process.stdin is not None:
            with contextlib.suppress(OSError, subprocess.TimeoutExpired, ValueError):
                process.stdin.close()  # the worker then ends LibreOffice and itself
                process.wait(10)
        self._kill()
        if process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)
