"""A file replaced in one step: the old one whole until the new one is, on the disk and read back.

The new bytes go into a temporary file beside the target, are flushed to the disk, read back and compared; only then one
`os.replace` puts them in place. A kill, a full disk or a cut cable leaves the old file, and at most the temporary one.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from recargos.workbook.refusal import Refused, refused


def lock_file(target: Path) -> Path | None:
    """The lock file of a program that has `target` open: Excel's `~$name.xlsx`, LibreOffice's `.~lock.name.xlsx#`."""
    for name in (f"~${target.name}", f".~lock.{target.name}#"):
        lock = target.with_name(name)
        if lock.exists():
            return lock
    return None


def check_writable(target: Path) -> None:
    """Refuse, before any work, a target that is open elsewhere, write-protected, or in a read-only folder."""
    target = _real(target)
    lock = lock_file(target)
    if lock is not None:
        raise refused(
            "locked",
            f"The workbook is open in another program (its lock file {lock.name} is there). "
            "Close it, or delete a lock file left by a crash.",
            f"El libro está abierto en otro programa (existe su archivo de bloqueo {lock.name}). "
            "Ciérrelo, o borre el bloqueo si quedó de una caída.",
        )
    if target.exists() and not target.is_file():
        raise refused(
            "cannot_write", f"{target.name} is not a regular file.", f"{target.name} no es un archivo normal."
        )
    if target.exists() and not target.stat().st_mode & 0o222:
        raise refused(
            "read_only",
            f"{target.name} is write-protected. Nothing was changed.",
            f"{target.name} está protegido contra escritura. No se cambió nada.",
        )
    folder = target.parent
    if folder.exists() and not os.access(folder, os.W_OK | os.X_OK):
        raise _read_only_folder(folder)


def replace(target: Path, data: bytes, unless_changed: os.stat_result | None = None) -> None:
    """Put `data` at `target`, keeping its permission bits. Raises :class:`Refused` with the old file whole.

    `unless_changed` is the target as it was when it was read: somebody's newer version is not overwritten.
    """
    target = _real(target)
    check_writable(target)
    mark = hashlib.sha256(os.fsencode(target.name)).hexdigest()[:16]
    # Always the same name for a target, so that one left behind by a kill is used up by the next run.
    temporary = target.with_name(f".recargos-{mark}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _locked(temporary, target) as file:
            try:
                file.truncate(0)
                file.write(data)
                file.flush()
                _keep_permissions(target, temporary)
                os.fsync(file.fileno())
                if temporary.read_bytes() != data:
                    raise refused(
                        "disk_error",
                        "The disk did not give back what was written to it. Nothing was changed.",
                        "El disco no devolvió lo que se escribió en él. No se cambió nada.",
                    )
                check_writable(target)
                if unless_changed is not None and _touched(target, unless_changed):
                    raise refused(
                        "changed_meanwhile",
                        f"{target.name} was changed by another program in the meantime. It was left as it is.",
                        f"Otro programa cambió {target.name} entretanto. Se dejó como está.",
                    )
                if os.name == "nt":
                    file.close()  # Windows does not rename an open file
                os.replace(temporary, target)  # noqa: PTH105 - the word that names the guarantee
            except BaseException:
                file.close() if os.name == "nt" else None
                with contextlib.suppress(OSError):
                    temporary.unlink()
                raise
        _flush_folder(target.parent)
    except OSError as error:
        raise _in_words(error, target) from error


def _touched(target: Path, then: os.stat_result) -> bool:
    try:
        now = target.stat()
    except FileNotFoundError:
        return False
    return (now.st_mtime_ns, now.st_size, now.st_ino) != (then.st_mtime_ns, then.st_size, then.st_ino)


def _real(target: Path) -> Path:
    """The file behind a symbolic link, so that the link stays."""
    return Path(os.path.realpath(target)) if target.is_symlink() else target


@contextlib.contextmanager
def _locked(temporary: Path, target: Path) -> Iterator[BinaryIO]:
    """The temporary file, open and locked against a second recargos. The system drops the lock of a killed process."""
    flags = os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(temporary, flags, 0o666), "r+b") as file:
        _lock(file.fileno(), target)
        try:
            ours = os.path.samestat(temporary.stat(), os.fstat(file.fileno()))
        except FileNotFoundError:
            ours = False
        if not ours:  # the other run finished between our open and our lock: this file is its target by now
            raise _busy(target)
        yield file


def _lock(handle: int, target: Path) -> None:
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
            raise _busy(target) from None
        if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS):
            raise  # a network drive without locks is no reason not to save


def _keep_permissions(target: Path, temporary: Path) -> None:
    try:
        old = target.stat()
    except FileNotFoundError:
        return
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):
            os.chown(temporary, old.st_uid, old.st_gid)
    with contextlib.suppress(OSError):
        temporary.chmod(stat.S_IMODE(old.st_mode))
    if hasattr(os, "listxattr"):  # access lists and labels, where the file system has them
        with contextlib.suppress(OSError):
            for name in os.listxattr(target):
                with contextlib.suppress(OSError):
                    os.setxattr(temporary, name, os.getxattr(target, name))


def _flush_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):  # some network drives cannot; the file itself is flushed already
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _busy(target: Path) -> Refused:
    return refused(
        "locked",
        f"Another recargos is saving {target.name} at this moment.",
        f"Otro recargos está guardando {target.name} en este momento.",
    )


def _read_only_folder(folder: Path) -> Refused:
    return refused(
        "read_only",
        f"The folder {folder.name or folder} may not be written to. Nothing was changed.",
        f"No se puede escribir en la carpeta {folder.name or folder}. No se cambió nada.",
    )


def _in_words(error: OSError, target: Path) -> Refused:
    if error.errno in (errno.ENOSPC, errno.EDQUOT) if hasattr(errno, "EDQUOT") else error.errno == errno.ENOSPC:
        return refused("disk_full", "The disk is full. Nothing was changed.", "El disco está lleno. No se cambió nada.")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return _read_only_folder(target.parent)
    why = error.strerror or type(error).__name__
    return refused(
        "cannot_write",
        f"{target.name} could not be saved ({why}). Nothing was changed.",
        f"No se pudo guardar {target.name} ({why}). No se cambió nada.",
    )
