"""The newer LibreOffice that Debian offers as a backport, in a root of its own: the system's own stays as it is.

    python tests/office/newer.py FOLDER      make it there (as root, once, about a minute), and say how to use it

The mirror is the one that apt already uses. What is mounted is mounted for the one process that needs it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

RELEASE = "bookworm"
PACKAGES = ("libreoffice-calc", "python3-uno", "fonts-dejavu-core")
DONE = "made"


def offered() -> bool:
    """Whether this system is the Debian whose backports have it, and we may make a root."""
    release = Path("/etc/os-release")
    codename = re.search(r"^VERSION_CODENAME=(\w+)", release.read_text(), re.MULTILINE) if release.exists() else None
    return bool(codename and codename[1] == RELEASE and hasattr(os, "geteuid") and os.geteuid() == 0)


def mirror() -> str:
    """Where apt gets this release from."""
    for source in (
        *Path("/etc/apt/sources.list.d").glob("*.sources"),
        *Path("/etc/apt/sources.list.d").glob("*.list"),
        Path("/etc/apt/sources.list"),
    ):
        text = source.read_text() if source.exists() else ""
        found = re.search(rf"^URIs:\s*(\S+)(?:\n.*?)*?^Suites:.*\b{RELEASE}\b", text, re.MULTILINE) or re.search(
            rf"^deb(?:\s+\[[^\]]*\])?\s+(\S+)\s+{RELEASE}\s", text, re.MULTILINE
        )
        if found:
            return found[1]
    raise RuntimeError(f"apt has no source for {RELEASE}")


def run(*command: str) -> None:
    subprocess.run(
        command,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        timeout=600,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    )


def make(root: Path) -> None:
    """Make the root, unless it is there."""
    if (root / DONE).exists():
        return
    if not shutil.which("debootstrap"):
        run("apt-get", "-o", "DPkg::Lock::Timeout=600", "-qq", "update")
        run(
            "apt-get", "-o", "DPkg::Lock::Timeout=600", "-qq", "install", "-y", "--no-install-recommends", "debootstrap"
        )
    where = mirror()
    shutil.rmtree(root, ignore_errors=True)
    root.parent.mkdir(parents=True, exist_ok=True)
    run("debootstrap", "--variant=minbase", RELEASE, str(root), where)
    (root / "etc/apt/sources.list").write_text(f"deb {where} {RELEASE} main\ndeb {where} {RELEASE}-backports main\n")
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    for setting in Path("/etc/apt/apt.conf.d").iterdir():
        if "Invoke" not in setting.read_text(errors="replace"):
            shutil.copy(setting, root / "etc/apt/apt.conf.d")
    inside(root, "apt-get -qq update && apt-get -qq install -y --no-install-recommends -t "
           f"{RELEASE}-backports {' '.join(PACKAGES)}")  # fmt: skip
    shutil.rmtree(root / "var/cache/apt", ignore_errors=True)
    (root / DONE).touch()


def inside(root: Path, command: str) -> None:
    """Run a shell command in the root, with /proc and /dev, mounted for it alone."""
    mounts = f"mount -t proc proc {root}/proc && mount --rbind /dev {root}/dev"
    run("unshare", "--mount", "sh", "-c", f"{mounts} && exec chroot {root} sh -c '{command}'")


def python(root: Path, *shared: Path) -> Path:
    """A program that is the root's Python, sees /tmp and the folders `shared`, and drives the root's LibreOffice."""
    binds = "".join(
        f"mkdir -p {root}{folder} && mount --rbind {folder} {root}{folder} && " for folder in (Path("/tmp"), *shared)
    )
    script = f'mount -t proc proc {root}/proc && mount --rbind /dev {root}/dev && {binds} exec chroot {root} /usr/bin/python3 "$@"'
    program = root.with_suffix(".python")
    program.write_text(f"#!/bin/sh\nexec unshare --mount sh -c '{script}' sh \"$@\"\n")
    program.chmod(0o755)
    return program


if __name__ == "__main__":
    folder = Path(sys.argv[1]).resolve()
    make(folder)
    print(f"RECARGOS_UNO_PYTHON={python(folder, Path(__file__).resolve().parents[2])}")
