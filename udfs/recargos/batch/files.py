"""Which workbooks a run works on, and where each result goes.

Folders are walked; links and loops are not followed; no result ever lands on a file that is an input of the same run.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from recargos.law import T

WORKBOOKS = frozenset({".xlsx", ".xlsm", ".xltx", ".xltm", ".xlam"})
SPREADSHEETS = WORKBOOKS | {".xls", ".xlsb", ".xlt", ".xla", ".xlw", ".ods", ".ots", ".fods"}
"""What a folder is searched for: the kinds that are refused too, so that none is passed over in silence."""


class Misused(Exception):
    """The command line asks for something that cannot be done as asked; `reason` says what to do instead."""

    def __init__(self, reason: T) -> None:
        super().__init__(reason.en)
        self.reason = reason


@dataclass(frozen=True)
class Job:
    """One workbook to do. `target` None = write nothing."""

    source: Path
    target: Path | None = None


@dataclass
class Plan:
    """What a run will do."""

    jobs: list[Job] = field(default_factory=list)
    problems: list[tuple[Path, str, T]] = field(default_factory=list)
    """Paths that cannot even be tried: path, kind, sentence. They count as failed."""
    notes: list[T] = field(default_factory=list)
    """What was passed over on purpose."""


@dataclass(frozen=True)
class _Found:
    source: Path
    root: Path
    """The folder named on the command line, or the file itself."""


def plan(paths: Sequence[Path], *, out: Path | None = None, in_place: bool = False) -> Plan:
    """Find the workbooks of `paths` and give each its target: under `out`, itself, or none (`check`).

    Under `out` the structure below each folder is kept; several folders get a folder each, named after them.
    Raises :class:`Misused` when a result would overwrite an input.
    """
    result = Plan()
    found: list[_Found] = []
    seen: set[Path] = set()
    for path in paths:
        for item in _items(path, out, result):
            real = Path(os.path.realpath(item.source))
            if real in seen:
                continue
            if in_place and item.source.is_symlink():
                if item.source != path:
                    result.notes.append(
                        T(
                            f"{item.source} is a link and was passed over; name the file itself to replace it.",
                            f"{item.source} es un enlace y se pasó por alto; nombre el archivo para reemplazarlo.",
                        )
                    )
                    continue
                item = _Found(real, real)
            seen.add(real)
            found.append(item)
    if in_place:
        result.jobs = [Job(item.source, item.source) for item in found]
    elif out is None:
        result.jobs = [Job(item.source) for item in found]
    else:
        result.jobs = _targets(found, out, seen)
    return result


def _items(path: Path, out: Path | None, result: Plan) -> Iterator[_Found]:
    if path.is_dir():
        for source in _walk(path, out, result):
            yield _Found(source, path)
    elif path.is_file():
        yield _Found(path, path)
    elif path.exists():
        result.problems.append(
            (path, "not_a_file", T("This is neither a file nor a folder.", "No es un archivo ni una carpeta."))
        )
    else:
        result.problems.append(
            (path, "missing", T("There is no such file or folder.", "No existe ese archivo o carpeta."))
        )


def _walk(folder: Path, out: Path | None, result: Plan) -> Iterator[Path]:
    """Spreadsheets below `folder`, sorted: no hidden ones, no lock files, no linked folders, no results of this run."""
    own = Path(os.path.realpath(out)) if out is not None else None
    pending = [folder]
    while pending:
        here = pending.pop()
        try:
            with os.scandir(here) as entries:
                content = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            sentence = error.strerror or str(error)
            result.problems.append(
                (
                    here,
                    "unreadable_folder",
                    T(f"The folder cannot be read: {sentence}.", f"No se puede leer la carpeta: {sentence}."),
                )
            )
            continue
        folders = []
        for entry in content:
            if entry.name.startswith((".", "~$")):  # hidden, .~lock.…#, ._…, .DS_Store, ~$…
                continue
            path = here / entry.name
            if entry.is_dir(follow_symlinks=False):
                if own is None or Path(os.path.realpath(path)) != own:
                    folders.append(path)
            elif entry.is_symlink() and entry.is_dir():
                result.notes.append(
                    T(
                        f"{path} is a link to a folder and was not followed.",
                        f"{path} es un enlace a una carpeta y no se siguió.",
                    )
                )
            elif path.suffix.lower() in SPREADSHEETS and entry.is_file():
                yield path
        pending += reversed(folders)


def _key(path: Path) -> str:
    """Names that a file system may take for the same one: case and the spelling of accents don't count."""
    return unicodedata.normalize("NFC", str(path)).casefold()


def _numbered(path: Path, taken: Iterable[str]) -> Path:
    """`path`, or `name (2).xlsx`, `name (3).xlsx` … when it is taken."""
    number, result = 2, path
    while _key(result) in taken:
        result = path.with_name(f"{path.stem} ({number}){path.suffix}")
        number += 1
    return result


def _targets(found: Sequence[_Found], out: Path, inputs: set[Path]) -> list[Job]:
    roots = list(dict.fromkeys(item.root for item in found))
    folders = [root for root in roots if root.is_dir()]
    own_folder: dict[Path, Path] = {}
    taken: set[str] = set()
    for root in folders:  # one folder: its content goes straight into `out`; several: a folder each
        name = Path(os.path.realpath(root)).name or "root"
        own_folder[root] = _numbered(out / name, taken) if len(folders) > 1 else out
        taken.add(_key(own_folder[root]))
    jobs: list[Job] = []
    taken = set()
    for item in found:
        base = own_folder.get(item.root)
        target = _numbered(
            base / item.source.relative_to(item.root) if base is not None else out / item.source.name, taken
        )
        taken.add(_key(target))
        if Path(os.path.realpath(target)) in inputs:
            raise Misused(
                T(
                    f"--out {out} would overwrite the input {item.source}. Choose another folder, or --in-place.",
                    f"--out {out} sobrescribiría el original {item.source}. Elija otra carpeta, o --in-place.",
                )
            )
        jobs.append(Job(item.source, target))
    return jobs
