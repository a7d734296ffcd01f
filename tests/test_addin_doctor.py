"""The doctor: every cause that it knows is made up here, and found, with a remedy in both languages."""

from __future__ import annotations

import dataclasses
import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from recargos.addin import doctor, doctor_addin, doctor_office
from recargos.addin import excel_install as excel
from recargos.addin.finding import NOTE, OK, PROBLEM, Finding
from recargos.addin.machine import HKCU, HKLM, Machine
from recargos.cli.addin import addin_group
from support.registry import MemoryRegistry

ADDIN = Path(__file__).parents[1] / "addin/excel/recargos.xlam"
APP = r"SOFTWARE\Microsoft\Windows\CurrentVersion\App Paths\excel.exe"
VERSION = doctor_addin.installed_xlwings()


def program(path: Path, machine: int) -> str:
    """A Windows program of which only the head matters."""
    head = bytearray(512)
    head[:2], head[60:64], head[128:132], head[132:134] = (
        b"MZ",
        (128).to_bytes(4, "little"),
        b"PE\0\0",
        machine.to_bytes(2, "little"),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(head))
    return str(path)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine on which all is well."""
    python = program(tmp_path / "Python/python.exe", 0x8664)
    for bits in (32, 64):
        program(tmp_path / f"Python/xlwings{bits}-{VERSION}.dll", 0x8664)
    registry = MemoryRegistry()
    registry.put(HKLM, APP, "", program(tmp_path / "Office/EXCEL.EXE", 0x8664))
    here = Machine(
        windows=True,
        registry=registry,
        environment={"APPDATA": str(tmp_path / "AppData"), "USERPROFILE": str(tmp_path)},
        python=python,
    )
    excel.carry_out(excel.install_plan(here, ADDIN))
    monkeypatch.setattr(doctor, "LOOKS", tuple(look for look in doctor.LOOKS if look is not doctor_addin.start))
    return here


def troubles(machine: Machine, *workbooks: Path) -> dict[str, Finding]:
    found = {f.what: f for f in doctor.examine(machine, workbooks) if f.status != OK}
    for finding in found.values():
        assert finding.words.en
        assert finding.words.es
        assert finding.words.en != finding.words.es
        if finding.status == PROBLEM:
            assert finding.remedy.en, "a problem without a remedy is of no use"
            assert finding.remedy.es
    return found


def test_all_is_well(machine: Machine) -> None:
    assert troubles(machine) == {}
    assert {f.what for f in doctor.examine(machine)} == {
        "office",
        "python",
        "versions",
        "dll",
        "config",
        "registered",
        "policy",
        "onedrive",
    }


def test_no_office(machine: Machine) -> None:
    machine.registry.drop(HKLM, APP, "")
    assert "knows no Excel" in troubles(machine)["office"].words.en


def test_office_from_the_store(machine: Machine) -> None:
    machine.registry.put(HKLM, APP, "", r"C:\Program Files\WindowsApps\Microsoft.Office.Desktop_16\EXCEL.EXE")
    found = troubles(machine)["office"]
    assert "Microsoft Store" in found.words.en
    assert str(excel.addin_path(machine)) in found.remedy.en


def test_python_from_the_store(machine: Machine) -> None:
    here = dataclasses.replace(machine, python=r"C:\Users\ana\AppData\Local\Microsoft\WindowsApps\python.exe")
    assert "Microsoft Store" in troubles(here)["python"].words.en


@pytest.mark.parametrize(("office", "bits"), [(0x014C, 32), (0x8664, 64), (0xAA64, 64)])
def test_bits_of_office(machine: Machine, tmp_path: Path, office: int, bits: int) -> None:
    """Different bits are no problem as long as the DLL of Excel's bits is there: they are two processes."""
    program(tmp_path / "Office/EXCEL.EXE", office)
    assert doctor_office.office_bits(machine) == bits
    found = troubles(machine)
    assert set(found) == ({"bits"} if bits == 32 else set())
    if bits == 32:
        assert found["bits"].status == NOTE
        (tmp_path / f"Python/xlwings32-{VERSION}.dll").unlink()
        assert "xlwings32" in troubles(machine)["dll"].words.en


@pytest.mark.parametrize(("platform", "bits"), [("x64", 64), ("x86", 32)])
def test_bits_that_office_wrote_down(machine: Machine, tmp_path: Path, platform: str, bits: int) -> None:
    (tmp_path / "Office/EXCEL.EXE").unlink()
    machine.registry.put(HKLM, r"SOFTWARE\Microsoft\Office\ClickToRun\Configuration", "Platform", platform)
    assert doctor_office.office_bits(machine) == bits


def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    for content in (b"", b"MZ", b"#!/bin/sh\n" * 100, b"MZ" + b"\xff" * 600):
        (tmp_path / "x").write_bytes(content)
        assert doctor_office.program_bits(str(tmp_path / "x")) == 0
    assert doctor_office.program_bits(str(tmp_path / "nothing")) == 0


def test_versions_differ(machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program(tmp_path / "Python/xlwings64-0.40.0.dll", 0x8664)
    monkeypatch.setattr(doctor_addin, "installed_xlwings", lambda: "0.40.0")
    found = troubles(machine)
    assert set(found) == {"versions"}
    assert VERSION in found["versions"].words.en
    assert "0.40.0" in found["versions"].words.en


def test_no_xlwings(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_addin, "installed_xlwings", lambda: "")
    assert "pip install" in troubles(machine)["xlwings"].remedy.en


def test_antivirus_took_the_dll(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / f"Python/xlwings64-{VERSION}.dll").unlink()
    assert "antivirus" in troubles(machine)["dll"].words.en


def test_dll_of_a_virtual_environment(machine: Machine, tmp_path: Path) -> None:
    """There it lies one folder above the interpreter."""
    python = program(tmp_path / "Python/Scripts/python.exe", 0x8664)
    found = troubles(dataclasses.replace(machine, python=python))
    assert "dll" not in found


def test_addin_is_gone(machine: Machine) -> None:
    Path(str(excel.addin_path(machine))).unlink()
    assert "recargos addin install" in troubles(machine)["addin"].remedy.en


def test_file_that_is_no_addin(machine: Machine) -> None:
    Path(str(excel.addin_path(machine))).write_bytes(b"not a zip")
    assert "versions" in troubles(machine)


def test_not_registered(machine: Machine) -> None:
    machine.registry.drop(HKCU, excel.options_key("16.0"), "OPEN")
    assert "not told to open" in troubles(machine)["registered"].words.en


def test_another_copy_is_registered(machine: Machine) -> None:
    machine.registry.put(HKCU, excel.options_key("16.0"), "OPEN", '"D:\\old\\recargos.xlam"')
    assert "D:\\old\\recargos.xlam" in troubles(machine)["registered"].words.en


def test_disabled_after_a_crash(machine: Machine) -> None:
    key = r"Software\Microsoft\Office\16.0\Excel\Resiliency\DisabledItems"
    machine.registry.put(HKCU, key, "A1B2", b"\x01\0" + "c:\\x\\recargos.xlam".encode("utf-16-le"))
    assert "Disabled Items" in troubles(machine)["disabled"].remedy.en


def test_settings_are_missing(machine: Machine) -> None:
    Path(str(excel.config_path(machine))).unlink()
    assert "which Python" in troubles(machine)["config"].words.en


def test_interpreter_is_gone(machine: Machine, tmp_path: Path) -> None:
    Path(str(excel.config_path(machine))).write_bytes(
        f'"INTERPRETER_WIN","{tmp_path}/gone/python.exe"\r\n'.encode("cp1252")
    )
    assert "is gone" in troubles(machine)["config"].words.en


def test_excel_starts_another_python(machine: Machine, tmp_path: Path) -> None:
    other = program(tmp_path / "Other/python.exe", 0x8664)
    Path(str(excel.config_path(machine))).write_bytes(f'"INTERPRETER_WIN","{other}"\r\n'.encode("cp1252"))
    assert troubles(machine)["config"].status == NOTE


@pytest.mark.parametrize(
    ("hive", "root", "remedy"),
    [
        (HKLM, r"Software\Policies\Microsoft\Office", "administrator"),
        (HKCU, r"Software\Policies\Microsoft\Office", "administrator"),
        (HKCU, r"Software\Microsoft\Office", "Trust Center"),
    ],
)
@pytest.mark.parametrize(
    ("name", "value"), [("VBAWarnings", 4), ("VBAWarnings", 3), ("DisableAllAddins", 1), ("RequireAddinSig", 1)]
)
def test_macro_policy(machine: Machine, hive: str, root: str, remedy: str, name: str, value: int) -> None:
    machine.registry.put(hive, rf"{root}\16.0\Excel\Security", name, value)
    assert remedy in troubles(machine)["policy"].remedy.en


def test_trusted_locations_switched_off(machine: Machine) -> None:
    machine.registry.put(HKCU, excel.locations_key("16.0"), "AllLocationsDisabled", 1)
    assert troubles(machine)["policy"].status == NOTE
    machine.registry.drop(HKCU, excel.locations_key("16.0"), "AllLocationsDisabled")
    machine.registry.put(
        HKLM, r"Software\Policies\Microsoft\Office\16.0\Excel\Security\Trusted Locations", "AllLocationsDisabled", 1
    )
    assert troubles(machine)["policy"].status == NOTE


def test_ordinary_macro_warnings_are_no_problem(machine: Machine) -> None:
    machine.registry.put(HKCU, r"Software\Microsoft\Office\16.0\Excel\Security", "VBAWarnings", 2)
    assert troubles(machine) == {}


def test_onedrive(machine: Machine) -> None:
    here = dataclasses.replace(
        machine,
        python=r"C:\Users\ana\OneDrive - Firm\py\python.exe",
        environment={**machine.environment, "OneDriveCommercial": r"C:\Users\ana\OneDrive - Firm"},
    )
    assert "OneDrive" in troubles(here)["onedrive"].words.en


def test_a_neighbour_of_onedrive_is_not_in_it(machine: Machine) -> None:
    here = dataclasses.replace(
        machine,
        environment={**machine.environment, "OneDrive": r"C:\Users\ana\One"},
        python=r"C:\Users\ana\OneTwo\python.exe",
    )
    assert "onedrive" not in troubles(here)


def linked(path: Path, target: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr(
            "xl/externalLinks/_rels/externalLink1.xml.rels",
            f'<Relationships><Relationship Id="rId1" Target="{target}" TargetMode="External"/></Relationships>',
        )
    return path


@pytest.mark.parametrize(
    "target",
    ["file:///C:/Users/luis/AppData/Roaming/Recargos/recargos.xlam", r"C:\Users\luis\Recargos.xlam", "recargos.xlam"],
)
def test_links_to_another_machines_addin(machine: Machine, tmp_path: Path, target: str) -> None:
    found = troubles(machine, linked(tmp_path / "client.xlsx", target))["links"]
    assert "another machine" in found.words.en
    assert "Repair links" in found.remedy.en


def test_other_links_are_none_of_our_business(machine: Machine, tmp_path: Path) -> None:
    assert troubles(machine, linked(tmp_path / "client.xlsx", "rates.xlsx")) == {}


def test_a_workbook_that_cannot_be_read(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "broken.xlsx").write_bytes(b"no zip")
    found = {f.what: f for f in doctor.examine(machine, (tmp_path / "broken.xlsx",))}
    assert found["links"].status == PROBLEM


def test_python_that_cannot_load_the_functions(machine: Machine, tmp_path: Path) -> None:
    (finding,) = doctor_addin.start(machine)  # a file that is no program for this system
    assert finding.status == PROBLEM
    failing = tmp_path / "python"
    failing.write_text(
        "#!/bin/sh\necho 'Traceback' >&2\necho \"ModuleNotFoundError: No module named 'win32api'\" >&2\nexit 1\n",
        encoding="utf-8",
    )
    failing.chmod(0o755)
    (finding,) = doctor_addin.start(dataclasses.replace(machine, python=str(failing)))
    assert "win32api" in finding.words.en
    failing.write_text("#!/bin/sh\necho ready\n", encoding="utf-8")
    (finding,) = doctor_addin.start(dataclasses.replace(machine, python=str(failing)))
    assert finding.status == OK


def test_the_command_on_this_system() -> None:
    done = CliRunner().invoke(addin_group, ["doctor"])
    assert done.exit_code == 0
    assert "not Windows" in done.stdout
    told = json.loads(CliRunner().invoke(addin_group, ["doctor", "--json", "--lang", "es"]).stdout)
    assert told["findings"][0]["what"] == "system"
    assert "no es Windows" in told["findings"][0]["words"]


def test_the_command_with_a_workbook(tmp_path: Path) -> None:
    path = linked(tmp_path / "client.xlsx", r"C:\Users\luis\recargos.xlam")
    done = CliRunner().invoke(addin_group, ["doctor", str(path)])
    assert done.exit_code == 1
    assert "→ Open it in Excel" in done.stdout
