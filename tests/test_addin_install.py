"""Installing and removing the Excel add-in, on a Windows that the test makes up: a registry in memory, folders of its own."""

from __future__ import annotations

import json
from pathlib import Path, PureWindowsPath

import pytest
from click.testing import CliRunner

from recargos.addin import doctor_addin
from recargos.addin import excel_install as excel
from recargos.addin.machine import HKCU, Machine, NoRegistry
from recargos.cli.addin import addin_group
from support.registry import MemoryRegistry

ADDIN = Path(__file__).parents[1] / "addin/excel/recargos.xlam"
OPTIONS = excel.options_key("16.0")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(
        windows=True,
        registry=MemoryRegistry(),
        environment={"APPDATA": str(tmp_path / "AppData"), "USERPROFILE": str(tmp_path / "Ana")},
        python=str(tmp_path / "Python" / "python.exe"),
    )


def install(machine: Machine, *, trust: bool = True) -> None:
    excel.carry_out(excel.install_plan(machine, ADDIN, trust=trust))


def entries(machine: Machine) -> dict[str, object]:
    return {name: value for name, value in machine.registry.values(HKCU, OPTIONS).items() if name.startswith("OPEN")}


def test_a_first_installation(machine: Machine) -> None:
    install(machine)
    target = Path(str(excel.addin_path(machine)))
    assert target.read_bytes() == ADDIN.read_bytes()
    assert entries(machine) == {"OPEN": f'"{target}"'}
    assert excel.trusted_location(machine, "16.0", str(target.parent))
    config = Path(str(excel.config_path(machine)))
    assert config.read_bytes() == f'"INTERPRETER_WIN","{machine.python}"\r\n"UDF MODULES","recargos.excel"\r\n'.encode(
        "cp1252"
    )
    assert config == Path(machine.environment["USERPROFILE"]) / ".recargos/recargos.conf"


def test_other_addins_keep_their_places(machine: Machine) -> None:
    first, second = '"C:\\firm\\one.xlam"', '/R "C:\\firm\\two.xll"'
    machine.registry.put(HKCU, OPTIONS, "OPEN", first)
    machine.registry.put(HKCU, OPTIONS, "OPEN1", second)
    machine.registry.put(HKCU, OPTIONS, "Font", "Arial,10")
    install(machine)
    assert entries(machine) == {"OPEN": first, "OPEN1": second, "OPEN2": f'"{excel.addin_path(machine)}"'}
    excel.carry_out(excel.uninstall_plan(machine))
    assert entries(machine) == {"OPEN": first, "OPEN1": second}
    assert machine.registry.values(HKCU, OPTIONS)["Font"] == "Arial,10"


def test_no_gap_is_left_in_excels_list(machine: Machine) -> None:
    """Excel stops at the first missing number: what stands behind ours must move up."""
    install(machine)
    machine.registry.put(HKCU, OPTIONS, "OPEN1", '"C:\\firm\\late.xlam"')
    excel.carry_out(excel.uninstall_plan(machine))
    assert entries(machine) == {"OPEN": '"C:\\firm\\late.xlam"'}


def test_an_older_copy_elsewhere_is_replaced(machine: Machine) -> None:
    machine.registry.put(HKCU, OPTIONS, "OPEN", '"D:\\old\\Recargos.XLAM"')
    install(machine)
    assert entries(machine) == {"OPEN": f'"{excel.addin_path(machine)}"'}


def test_twice_is_once(machine: Machine) -> None:
    install(machine)
    before = {key: dict(values) for key, values in machine.registry.data.items()}  # type: ignore[attr-defined]
    install(machine)
    assert machine.registry.data == before  # type: ignore[attr-defined]


def test_nothing_is_left_behind(machine: Machine) -> None:
    install(machine)
    excel.carry_out(excel.uninstall_plan(machine))
    assert entries(machine) == {}
    assert machine.registry.keys(HKCU, excel.locations_key("16.0")) == []
    assert not Path(str(excel.addin_path(machine))).parent.exists()
    assert not Path(str(excel.config_path(machine))).parent.exists()


def test_a_persons_own_file_in_the_folder_stays(machine: Machine) -> None:
    install(machine)
    mine = Path(str(excel.addin_path(machine))).parent / "notes.txt"
    mine.write_text("mine", encoding="utf-8")
    excel.carry_out(excel.uninstall_plan(machine))
    assert mine.read_text(encoding="utf-8") == "mine"


def test_without_trust(machine: Machine) -> None:
    install(machine, trust=False)
    assert machine.registry.keys(HKCU, excel.locations_key("16.0")) == []
    assert entries(machine)


def test_only_the_own_folder_is_trusted_and_no_place_is_taken(machine: Machine) -> None:
    taken = rf"{excel.locations_key('16.0')}\Location20"
    machine.registry.put(HKCU, taken, "Path", "C:\\firm\\")
    install(machine)
    assert machine.registry.values(HKCU, taken) == {"Path": "C:\\firm\\"}
    name = excel.trusted_location(machine, "16.0", str(Path(str(excel.addin_path(machine))).parent))
    assert machine.registry.values(HKCU, rf"{excel.locations_key('16.0')}\{name}")["AllowSubfolders"] == 0


def test_every_excel_of_the_person(machine: Machine) -> None:
    for version in ("15.0", "16.0"):
        machine.registry.put(HKCU, excel.options_key(version), "Font", "Arial,10")
    install(machine)
    assert (
        excel.open_entries(machine, "15.0") == excel.open_entries(machine, "16.0") == [f'"{excel.addin_path(machine)}"']
    )


def test_nothing_but_the_current_user_is_written(machine: Machine) -> None:
    install(machine)
    excel.carry_out(excel.uninstall_plan(machine))
    assert {hive for hive, _ in machine.registry.data} == {HKCU}  # type: ignore[attr-defined]


def test_excel_must_be_closed(machine: Machine) -> None:
    import dataclasses

    with pytest.raises(excel.Refused, match="Close Excel"):
        excel.check_can_change(dataclasses.replace(machine, excel_runs=lambda: True))
    excel.check_can_change(machine)


def test_a_path_that_vba_cannot_read_is_refused(machine: Machine) -> None:
    import dataclasses

    with pytest.raises(excel.Refused, match="plain letters"):
        excel.install_plan(dataclasses.replace(machine, python=r"C:\Users\漢字\python.exe"), ADDIN)
    assert excel.config_text(dataclasses.replace(machine, python=r"C:\Users\José Núñez\python.exe"))


def test_a_step_that_fails_is_named(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "AppData").write_text("a file where a folder should be", encoding="utf-8")
    with pytest.raises(excel.Refused, match="Could not copy the add-in"):
        install(machine)


@pytest.mark.parametrize(
    ("entry", "ours"),
    [
        ('"C:\\x\\recargos.xlam"', True),
        ("C:\\x\\RECARGOS.XLAM", True),
        ('"C:\\x\\my recargos.xlam"', False),
        ("recargos.xlam.bak", False),
        ('/R "C:\\x\\two.xll"', False),
    ],
)
def test_which_entries_are_ours(entry: str, ours: bool) -> None:
    assert excel.is_ours(entry) is ours


def test_vba_looks_where_the_installer_writes() -> None:
    text = (ADDIN.parent / "machine.bas").read_text(encoding="utf-8")
    path = excel.config_path(Machine(windows=False, registry=NoRegistry(), environment={}, python="x"))
    assert isinstance(path, PureWindowsPath)
    below = str(path).removeprefix("%USERPROFILE%")
    assert f'Environ$("USERPROFILE") & "{below}"' in text


def test_settings_are_read_back(machine: Machine) -> None:
    install(machine)
    assert doctor_addin.read_config(Path(str(excel.config_path(machine)))) == {
        "INTERPRETER_WIN": machine.python,
        "UDF MODULES": "recargos.excel",
    }


# ------------------------------------------------------------------------------------------------------- the command


@pytest.mark.parametrize("command", ["install", "uninstall"])
@pytest.mark.parametrize("language", ["en", "es"])
def test_dry_run_tells_every_step_on_any_system(command: str, language: str) -> None:
    done = CliRunner().invoke(addin_group, [command, "--dry-run", "--lang", language])
    assert done.exit_code == 0, done.output
    assert "recargos.xlam" in done.stdout
    assert "recargos.conf" in done.stdout
    assert "Excel 16.0" in done.stdout
    listed = json.loads(CliRunner().invoke(addin_group, [command, "--dry-run", "--json", "--lang", language]).stdout)
    assert listed["dry_run"] is True
    assert len(listed["steps"]) == 4


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_without_windows_a_sentence_and_an_exit_code(command: str) -> None:
    done = CliRunner().invoke(addin_group, [command])
    assert done.exit_code == 3
    assert "needs Windows" in done.stderr
    assert done.stdout == ""
    told = CliRunner().invoke(addin_group, [command, "--json", "--lang", "es"])
    assert "requiere Windows" in json.loads(told.stdout)["error"]


def test_build_check() -> None:
    done = CliRunner().invoke(addin_group, ["build", "--check", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["changed"] == []


def test_build_without_its_tools_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyopenvba", None)
    done = CliRunner().invoke(addin_group, ["build", "--check"])
    assert done.exit_code == 3
    assert "pip install pyOpenVBA" in done.stderr
