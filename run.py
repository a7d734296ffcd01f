#!/usr/bin/env python3
"""Set up what a fresh machine needs, then run the main job or all the tests.

    python3 run.py              the main job: a client folder is made, recalculated and shown (Linux, Mac, Windows)
    python3 run.py COMMAND …    any recargos command, such as: python3 run.py recalc FOLDER --out DONE
    python3 run.py test [ENV …] every test, with the system pieces they need (Debian or Ubuntu)

Standard library only; everything is installed into .venv beside this file, pinned by requirements.lock.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
LOCK = HERE / "requirements.lock"

OFFICE = ("libreoffice-calc", "python3-uno", "poppler-utils", "fonts-liberation", "fonts-dejavu-core")
WINE = ("wine", "wine64", "mingw-w64-tools")
SYSTEM_PIECES = {"office": OFFICE, "windows": WINE, "py": OFFICE}
ENVIRONMENTS = ("lint", "py", "office", "windows")


def main(words: list[str]) -> int:
    """Do what the words ask for; returns the exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036 - the reader's Python, not the project's
        print("Recargos needs Python 3.11 or newer; this is " + sys.version.split()[0], file=sys.stderr)
        return 2
    try:
        if words[:1] == ["test"]:
            return test(words[1:])
        make_environment(extra="")
        return subprocess.call([str(PYTHON), "-m", "recargos", *(words or ["demo"])], cwd=HERE if not words else None)
    except subprocess.CalledProcessError as failure:
        print(f"run.py: this step failed: {' '.join(map(str, failure.cmd))}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("run.py: stopped", file=sys.stderr)
        return 130


def test(environments: list[str]) -> int:
    """Run the named tox environments, all of them by default."""
    wanted = environments or list(ENVIRONMENTS)
    apt_install([piece for name in wanted for piece in SYSTEM_PIECES.get(name, ())])
    make_environment(extra="tox")
    return subprocess.call([str(PYTHON), "-m", "tox", "run", "-e", ",".join(wanted)], cwd=HERE)


def make_environment(extra: str) -> None:
    """The project's own virtual environment; made anew only when what it is made from has changed."""
    sources = b"".join(file.read_bytes() for file in (LOCK, HERE / "pyproject.toml") if file.exists())
    state = hashlib.sha256(sources + sys.version.encode()).hexdigest()
    stamp = VENV / f"made-from{'-' + extra if extra else ''}"
    if PYTHON.exists() and stamp.exists() and stamp.read_text() == state:
        return
    print("Setting up .venv (once; about a minute)…", file=sys.stderr)
    if not PYTHON.exists() and subprocess.call([sys.executable, "-m", "venv", str(VENV)]) != 0:
        shutil.rmtree(VENV, ignore_errors=True)
        apt_install(["python3-venv"])
        subprocess.check_call([sys.executable, "-m", "venv", str(VENV)])
    what = [extra] if extra else ["-e", f"{HERE}[excel]" if os.name == "nt" else str(HERE)]
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c", str(LOCK)]
    subprocess.check_call([*pip, *what])
    stamp.write_text(state)


def apt_install(pieces: list[str]) -> None:
    """System packages through apt, only those that are missing."""
    if not pieces or not shutil.which("apt-get"):
        return
    missing = sorted({piece for piece in pieces if not installed(piece)})
    if not missing:
        return
    root = [] if os.geteuid() == 0 else ["sudo"]  # type: ignore[attr-defined,unused-ignore]
    if root and not shutil.which("sudo"):
        print(
            f"run.py: these system packages are needed: {' '.join(missing)}; run as root or with sudo", file=sys.stderr
        )
        raise SystemExit(3)
    print(f"Installing with apt: {' '.join(missing)}", file=sys.stderr)
    apt = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=600", "-qq"]
    subprocess.check_call([*apt, "update"])
    subprocess.check_call([*apt, "install", "-y", "--no-install-recommends", *missing], stdout=subprocess.DEVNULL)


def installed(piece: str) -> bool:
    """Whether a Debian package is installed."""
    state = subprocess.run(["dpkg-query", "-W", "-f", "${Status}", piece], capture_output=True, text=True, check=False)
    return "install ok installed" in state.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
