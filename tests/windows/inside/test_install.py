"""Installing, diagnosing and removing with Windows' real registry and file names."""

from __future__ import annotations

import dataclasses
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from recargos.addin import doctor, doctor_addin, doctor_office, excel_install
from recargos.addin.finding import OK, PROBLEM
from recargos.addin.machine import HKCU, Machine, WindowsRegistry, this_machine

OPTIONS = excel_install.options_key("16.0")


@pytest.fixture
def machine(tmp_path: Path) -> Any:
    here = dataclasses.replace(
        this_machine(),
        environment={"APPDATA": str(tmp_path / "Datos é"), "USERPROFILE": str(tmp_path)},
        excel_runs=lambda: False,
    )
    assert isinstance(here.registry, WindowsRegistry)
    registry = here.registry
    for name, value in (("OPEN", '"C:\\firm\\first.xlam"'), ("OPEN1", '/R "C:\\firm\\second.xll"')):
        registry.put(HKCU, OPTIONS, name, value)
    yield here
    for name in registry.values(HKCU, OPTIONS):
        registry.drop(HKCU, OPTIONS, name)
    for name in registry.keys(HKCU, excel_install.locations_key("16.0")):
        registry.drop_key(HKCU, rf"{excel_install.locations_key('16.0')}\{name}")


def source() -> Path:
    return Path(os.environ["RECARGOS_ROOT"]) / "addin/excel/recargos.xlam"


def test_install_doctor_uninstall(machine: Machine) -> None:
    excel_install.check_can_change(machine)
    excel_install.carry_out(excel_install.install_plan(machine, source()))
    target = Path(str(excel_install.addin_path(machine)))
    assert target.read_bytes() == source().read_bytes()
    assert excel_install.open_entries(machine, "16.0") == [
        '"C:\\firm\\first.xlam"',
        '/R "C:\\firm\\second.xll"',
        f'"{target}"',
    ]
    name = excel_install.trusted_location(machine, "16.0", str(target.parent))
    assert machine.registry.values(HKCU, rf"{excel_install.locations_key('16.0')}\{name}")["AllowSubfolders"] == 0
    config = doctor_addin.read_config(Path(str(excel_install.config_path(machine))))
    assert config == {"INTERPRETER_WIN": sys.executable, "UDF MODULES": "recargos.excel"}

    excel_install.carry_out(excel_install.install_plan(machine, source()))
    assert len(excel_install.open_entries(machine, "16.0")) == 3, "twice is once"

    found = {finding.what: finding for finding in doctor.examine(machine)}
    assert {what: f.status for what, f in found.items() if f.status != OK} == {"office": PROBLEM}, found

    excel_install.carry_out(excel_install.uninstall_plan(machine))
    assert not target.exists()
    assert excel_install.open_entries(machine, "16.0") == ['"C:\\firm\\first.xlam"', '/R "C:\\firm\\second.xll"']
    assert excel_install.trusted_location(machine, "16.0", str(target.parent)) == ""


def test_bits_are_read_from_the_program() -> None:
    assert doctor_office.program_bits(sys.executable) == 64
    folder = Path(sys.executable).parent
    assert doctor_office.program_bits(str(next(folder.glob("xlwings32-*.dll")))) == 32
    assert doctor_office.program_bits(os.devnull) == 0


def test_values_of_every_type_come_back(machine: Machine) -> None:
    for name, value in (("Recargos text", "é"), ("Recargos number", 7), ("Recargos bytes", b"\0\1")):
        machine.registry.put(HKCU, OPTIONS, name, value)
        assert machine.registry.values(HKCU, OPTIONS)[name] == value
        machine.registry.drop(HKCU, OPTIONS, name)
        machine.registry.drop(HKCU, OPTIONS, name)
    assert machine.registry.values(HKCU, r"Software\Recargos\no such key") == {}
    machine.registry.drop_key(HKCU, r"Software\Recargos\no such key")
