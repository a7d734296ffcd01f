"""The few things of a Windows machine that installing and diagnosing need, behind one small interface.

The tests put a machine of their own here, on Linux, and the real registry under Wine.
"""

from __future__ import annotations

import importlib
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

Data = str | int | bytes
HKCU, HKLM = "HKEY_CURRENT_USER", "HKEY_LOCAL_MACHINE"
CONFIG_ENCODING = "mbcs" if sys.platform == "win32" else "cp1252"
"""VBA reads files in the machine's ANSI code page."""


class Registry(Protocol):
    """The registry: keys are paths with backslashes below a hive."""

    def values(self, hive: str, key: str) -> dict[str, Data]:
        """Every value of a key by name; empty when there is no such key."""
        ...

    def keys(self, hive: str, key: str) -> list[str]:
        """Names of the keys directly below; empty when there is no such key."""
        ...

    def put(self, hive: str, key: str, name: str, value: Data) -> None:
        """Write a value, making the key where it is missing."""
        ...

    def drop(self, hive: str, key: str, name: str) -> None:
        """Remove a value; silent when it is not there."""
        ...

    def drop_key(self, hive: str, key: str) -> None:
        """Remove a key that has no keys below; silent when it is not there."""
        ...


class WindowsRegistry:
    """The real one. 64-bit view, so that a 32-bit Python sees what Office wrote."""

    def values(self, hive: str, key: str) -> dict[str, Data]:
        winreg = _winreg()
        found: dict[str, Data] = {}
        try:
            with winreg.OpenKey(_hive(hive), key, 0, winreg.KEY_READ | winreg.KEY_WOW64_64KEY) as opened:
                for number in range(winreg.QueryInfoKey(opened)[1]):
                    name, data, _ = winreg.EnumValue(opened, number)
                    found[name] = data
        except OSError:
            return found
        return found

    def keys(self, hive: str, key: str) -> list[str]:
        winreg = _winreg()
        try:
            with winreg.OpenKey(_hive(hive), key, 0, winreg.KEY_READ | winreg.KEY_WOW64_64KEY) as opened:
                return [winreg.EnumKey(opened, number) for number in range(winreg.QueryInfoKey(opened)[0])]
        except OSError:
            return []

    def put(self, hive: str, key: str, name: str, value: Data) -> None:
        winreg = _winreg()
        kind = (
            winreg.REG_DWORD
            if isinstance(value, int)
            else winreg.REG_SZ
            if isinstance(value, str)
            else winreg.REG_BINARY
        )
        with winreg.CreateKeyEx(_hive(hive), key, 0, winreg.KEY_WRITE | winreg.KEY_WOW64_64KEY) as opened:
            winreg.SetValueEx(opened, name, 0, kind, value)

    def drop(self, hive: str, key: str, name: str) -> None:
        winreg = _winreg()
        try:
            with winreg.OpenKey(_hive(hive), key, 0, winreg.KEY_WRITE | winreg.KEY_WOW64_64KEY) as opened:
                winreg.DeleteValue(opened, name)
        except FileNotFoundError:
            return

    def drop_key(self, hive: str, key: str) -> None:
        winreg = _winreg()
        try:
            winreg.DeleteKeyEx(_hive(hive), key, winreg.KEY_WOW64_64KEY, 0)
        except FileNotFoundError:
            return


def _winreg() -> Any:
    """Windows' own module, which other systems do not have."""
    return importlib.import_module("winreg")


def _hive(name: str) -> int:
    return int(getattr(_winreg(), name))


class NoRegistry:
    """Of a machine that has none: for `--dry-run` on Linux and Mac. Reads nothing, and refuses to write."""

    def values(self, hive: str, key: str) -> dict[str, Data]:  # noqa: ARG002
        return {}

    def keys(self, hive: str, key: str) -> list[str]:  # noqa: ARG002
        return []

    def put(self, hive: str, key: str, name: str, value: Data) -> None:
        raise OSError(f"no registry to write {hive}\\{key}\\{name} = {value!r} to")

    def drop(self, hive: str, key: str, name: str) -> None:
        raise OSError(f"no registry to remove {hive}\\{key}\\{name} from")

    def drop_key(self, hive: str, key: str) -> None:
        raise OSError(f"no registry to remove {hive}\\{key} from")


def excel_runs() -> bool:
    """Whether an Excel of this user is open: it would write its own list of add-ins over ours when it closes."""
    try:
        listed = subprocess.run(
            ["tasklist", "/FI", "IMAGENAME eq EXCEL.EXE", "/FO", "CSV", "/NH"],
            capture_output=True,
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return b"EXCEL.EXE" in listed.stdout.upper()


@dataclass(frozen=True)
class Machine:
    """A machine to install on or to look at."""

    windows: bool
    registry: Registry
    environment: Mapping[str, str]
    python: str
    """Full path of the interpreter that has Recargos."""
    python_bits: int = 64
    architecture: str = "AMD64"
    excel_runs: Callable[[], bool] = field(default=lambda: False)

    def folder(self, variable: str, *below: str) -> Path | None:
        """A folder named by an environment variable; None where the machine has no such variable."""
        root = self.environment.get(variable)
        return Path(root, *below) if root else None


def this_machine() -> Machine:
    """The machine that this runs on."""
    windows = sys.platform == "win32"
    return Machine(
        windows=windows,
        registry=WindowsRegistry() if windows else NoRegistry(),
        environment=dict(os.environ),
        python=sys.executable,
        python_bits=64 if sys.maxsize > 2**32 else 32,
        architecture=platform.machine(),
        excel_runs=excel_runs if windows else lambda: False,
    )
