"""Saving in one step: the old file whole or the new one, permissions and links kept, locks respected."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path

import pytest

from recargos.workbook import saving
from recargos.workbook.package import Package, Refused
from support.raw import GOOD_SHEET, workbook

posix = pytest.mark.skipif(sys.platform == "win32", reason="permission bits, links and flock are POSIX")
NEW = {"xl/worksheets/sheet1.xml": GOOD_SHEET.replace("<v>2</v>", "<v>3</v>").encode()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "Año 2025 – clientes.xlsx"
    path.write_bytes(workbook({"A1": ("=1+1", 2.0)}))
    return path


def refusal(path: Path, target: Path | None = None) -> Refused:
    """Saving is refused, and the folder is as it was."""
    before = {p.name: p.read_bytes() for p in path.parent.iterdir() if p.is_file()}
    package = Package.open(path)
    with pytest.raises(Refused) as caught:
        package.save(NEW, target or path)
    assert {p.name: p.read_bytes() for p in path.parent.iterdir() if p.is_file()} == before
    assert caught.value.reason.en.endswith(".")
    assert caught.value.reason.es != caught.value.reason.en
    return caught.value


def test_saved_in_place_and_nothing_else_in_the_folder(path):
    data = Package.open(path).save(NEW, path)
    assert path.read_bytes() == data
    assert list(path.parent.iterdir()) == [path]
    assert b"<v>3</v>" in Package.open(path).read("xl/worksheets/sheet1.xml")


def test_saved_elsewhere_and_folders_made(path):
    old = path.read_bytes()
    target = path.parent / "out" / "2025" / "x.xlsx"
    Package.open(path).save(NEW, target)
    assert path.read_bytes() == old
    assert b"<v>3</v>" in Package.open(target).read("xl/worksheets/sheet1.xml")
    assert list(target.parent.iterdir()) == [target]


@posix
def test_permission_bits_stay(path):
    path.chmod(0o640)
    Package.open(path).save(NEW, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@posix
def test_a_new_file_obeys_the_umask(path):
    target = path.with_name("new.xlsx")
    old = os.umask(0o027)
    try:
        Package.open(path).save(NEW, target)
    finally:
        os.umask(old)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@posix
def test_a_symbolic_link_stays_one(path):
    link = path.parent / "elsewhere" / "link.xlsx"
    link.parent.mkdir()
    link.symlink_to(path)
    Package.open(link).save(NEW, link)
    assert link.is_symlink()
    assert b"<v>3</v>" in Package.open(path).read("xl/worksheets/sheet1.xml")


@pytest.mark.parametrize("lock", ["~${}", ".~lock.{}#"])
def test_a_workbook_open_elsewhere_is_left_alone(path, lock):
    path.with_name(lock.format(path.name)).write_bytes(b"x")
    refused = refusal(path)
    assert refused.kind == "locked"
    assert lock.format(path.name) in str(refused)


def test_a_write_protected_file_is_left_alone(path):
    path.chmod(0o444)
    assert refusal(path).kind == "read_only"


@pytest.mark.parametrize(
    ("number", "kind"),
    [(errno.ENOSPC, "disk_full"), (errno.EROFS, "read_only"), (errno.EACCES, "read_only"), (errno.EIO, "cannot_write")],
)
@pytest.mark.parametrize("step", ["open", "fsync", "replace"])
def test_a_disk_that_fails_costs_nothing(path, monkeypatch, number, kind, step):
    def fails(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    package = Package.open(path)
    old = path.read_bytes()
    monkeypatch.setattr(saving.os, step, fails)
    with pytest.raises(Refused) as caught:
        package.save(NEW, path)
    monkeypatch.undo()
    assert caught.value.kind == kind
    assert path.read_bytes() == old
    assert list(path.parent.iterdir()) == [path]


def test_a_disk_that_gives_back_something_else_costs_nothing(path, monkeypatch):
    package = Package.open(path)
    old = path.read_bytes()
    monkeypatch.setattr(Path, "read_bytes", lambda self: b"something else")
    with pytest.raises(Refused) as caught:
        package.save(NEW, path)
    monkeypatch.undo()
    assert caught.value.kind == "disk_error"
    assert path.read_bytes() == old
    assert list(path.parent.iterdir()) == [path]


def test_a_newer_version_by_someone_else_is_not_overwritten(path):
    package = Package.open(path)
    newer = workbook({"A1": ("=1+1", 2.0), "A2": 5.0})
    path.write_bytes(newer)
    with pytest.raises(Refused) as caught:
        package.save(NEW, path)
    assert caught.value.kind == "changed_meanwhile"
    assert path.read_bytes() == newer


def leftover(path: Path) -> Path:
    """What a killed run may leave behind: its temporary file, half written."""
    names: list[str] = []
    original = os.replace
    try:
        os.replace = lambda source, target: names.append(Path(source).name)  # type: ignore[assignment]
        Package.open(path).save(NEW, path.with_name("probe.xlsx"))
    finally:
        os.replace = original
    found = path.with_name(names[0])
    found.unlink(missing_ok=True)
    return found


def test_what_a_killed_run_left_is_used_up_by_the_next(path):
    target = path.with_name("probe.xlsx")
    rest = leftover(path)
    rest.write_bytes(b"half" * 100_000)
    Package.open(path).save(NEW, target)
    assert sorted(path.parent.iterdir()) == sorted([path, target])
    assert Package.open(target).read("xl/worksheets/sheet1.xml") == NEW["xl/worksheets/sheet1.xml"]


@posix
def test_two_at_once_do_not_write_the_same_file(path):
    import fcntl

    target = path.with_name("probe.xlsx")
    rest = leftover(path)
    with rest.open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(Refused) as caught:
            Package.open(path).save(NEW, target)
    assert caught.value.kind == "locked"
    assert not target.exists()


@posix
def test_a_trap_laid_under_the_temporary_name_is_not_followed(path):
    victim = path.with_name("victim.txt")
    victim.write_text("precious")
    leftover(path).symlink_to(victim)
    with pytest.raises(Refused):
        Package.open(path).save(NEW, path.with_name("probe.xlsx"))
    assert victim.read_text() == "precious"


def test_a_signed_workbook_is_not_changed(path):
    path.write_bytes(workbook({"A1": ("=1+1", 2.0)}, extra={"_xmlsignatures/sig1.xml": "<Signature/>"}))
    package = Package.open(path)
    assert "signature" in package.warnings[0].en
    assert refusal(path).kind == "signed"
    package.save({}, path.with_name("copy.xlsx"))
    assert path.with_name("copy.xlsx").read_bytes() == path.read_bytes()


def test_a_damaged_member_that_nobody_read_is_found_before_saving(path):
    data = bytearray(workbook({"A1": ("=1+1", 2.0)}, extra={"xl/theme/theme1.xml": "<a/>"}))
    member = Package(path, bytes(data)).archive.members["xl/theme/theme1.xml"]
    data[member.record + 16] ^= 1
    data[member.start + 14] ^= 1
    path.write_bytes(bytes(data))
    assert refusal(path).kind == "bad_crc"
