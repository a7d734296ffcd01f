"""Installing the add-in as a person does, and removing it; and what the doctor says."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from recargos import __version__, office
from recargos.addin.calc_install import (
    CalcAddinError,
    doctor_calc,
    install_calc,
    installed_version,
    uninstall_calc,
)
from recargos.office import Instance, find

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh profile, so that nobody's own is touched. Root installs for everybody, and takes it away again."""
    folder = tmp_path / "profile"
    office.write_profile(folder, office.SETTINGS)
    monkeypatch.setenv("RECARGOS_OFFICE_PROFILE", folder.as_uri())
    return folder


def late_file(profile: Path) -> object:
    """What Calc makes of a call, without any add-in but those installed."""
    with Instance(addin=False, profile=profile) as calc:
        calc.ask("open", path=None)
        calc.ask("type", cells=[[0, 0, 0, "formula", "=PR_LATE_FILE(8000;47;5000;1200)"]])
        return calc.ask("peek", cells=[[0, 0, 0]])["values"][0]


@pytest.mark.skipif("RECARGOS_UNO_PYTHON" in os.environ, reason="soffice and unopkg are of different installations")
def test_install_compute_uninstall(profile: Path) -> None:
    assert installed_version(find()) is None
    assert any("Would run" in line for line in install_calc(dry_run=True))
    assert installed_version(find()) is None, "a dry run changes nothing"
    try:
        said = install_calc()
        assert f"Recargos {__version__} is installed" in said[0]
        assert ("everybody" in said[0]) == ROOT
        assert installed_version(find()) == __version__
        assert late_file(profile) == 270.0
        assert install_calc()[0] == said[0], "again is fine"
        findings = doctor_calc()
        assert not [f for f in findings if f.startswith("problem")]
        assert any("gives 270.00" in f for f in findings)
        assert any("Would run" in line for line in uninstall_calc(dry_run=True))
        assert installed_version(find()) == __version__
    finally:
        uninstall_calc()
    assert installed_version(find()) is None
    assert late_file(profile) == {"error": 525}, "#NAME? once it is gone"
    assert "nothing to remove" in uninstall_calc()[0]


def test_no_libreoffice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(office.SOFFICE, str(tmp_path / "soffice"))
    with pytest.raises(CalcAddinError, match="no such program"):
        install_calc()
    assert doctor_calc()[0].startswith("problem: RECARGOS_SOFFICE names")


def test_no_unopkg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    alone = tmp_path / "soffice"
    shutil.copy(find().soffice, alone)
    monkeypatch.setenv(office.SOFFICE, str(alone))
    with pytest.raises(office.OfficeMissing, match="unopkg"):
        find().unopkg  # noqa: B018


def test_an_endless_answer_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The deadline ends the whole process group, and says so."""
    with Instance(addin=False) as calc:
        group = calc.group
        calc.timeout = 2
        with pytest.raises(office.OfficeError, match="not done within 2 seconds"):
            calc.ask("sleep", seconds=60)
        with pytest.raises(office.OfficeError, match="not done within 2 seconds"):
            calc.ask("open", path=None)
    assert not calc.folder.exists()
    assert not [pid for pid in alive() if group_of(pid) == group]


@pytest.mark.skipif(not Path("/proc").exists(), reason="asks /proc which processes are left")
def test_nothing_is_left_when_we_are_killed() -> None:
    program = (
        "import os, signal; from recargos.office import Instance; office = Instance(addin=False); "
        "print(office.group, office.folder, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    group, folder = done.stdout.split()
    deadline = time.monotonic() + 30
    while (left := [p for p in alive() if group_of(p) == int(group)]) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not left
    assert not Path(folder).exists()


def group_of(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None


def alive() -> list[int]:
    """Processes that run; one that ended but was not yet fetched by its parent does not."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state = stat.read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state not in "ZX":
            found.append(int(stat.parent.name))
    return found
