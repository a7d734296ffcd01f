"""The zip package of a workbook: opened safely, rewritten without loss.

A workbook from a client is hostile until proven otherwise, and somebody's only copy. So it is opened under limits,
refused by kind with one clear sentence, and saved by copying every untouched member byte for byte.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from recargos.law import T


class Refused(Exception):
    """A file that is left untouched, and why: `kind` for machines, `reason` for people, in both languages."""

    def __init__(self, kind: str, reason: T) -> None:
        super().__init__(reason.en)
        self.kind = kind
        self.reason = reason


@dataclass(frozen=True)
class Limits:
    """What a package may cost. The defaults fit a sheet of a million rows."""

    file_bytes: int = 512 << 20
    member_bytes: int = 1 << 30
    total_bytes: int = 2 << 30
    ratio: int = 500
    """Inflated size of a member to its size in the file, counted from `ratio_floor` bytes on."""
    ratio_floor: int = 16 << 20
    members: int = 20_000


class Relationship(NamedTuple):
    """One line of a `.rels` part; `target` is a part name unless `external`."""

    id: str
    type: str
    """The last word of the type's address: "worksheet", "externalLink", "table" …"""
    target: str
    external: bool


class SheetPart(NamedTuple):
    """A sheet as the workbook lists it."""

    name: str
    part: str
    state: Literal["visible", "hidden", "veryHidden"]
    kind: Literal["worksheet", "chartsheet", "dialogsheet", "macrosheet"]


class Package:
    """An opened workbook. Nothing here changes the file until :meth:`save`."""

    path: Path
    data: bytes
    """The whole file."""
    members: tuple[str, ...]
    """Names in the order of the central directory."""
    workbook_part: str
    sheets: tuple[SheetPart, ...]
    date1904: bool
    warnings: list[T]

    @classmethod
    def open(cls, path: Path | str, limits: Limits = Limits()) -> Package:
        """Read and check `path`. Raises :class:`Refused`, never anything else, for a file that cannot be done."""
        raise NotImplementedError

    def read(self, part: str) -> bytes:
        """The inflated bytes of a member; :class:`Refused` ("bad_crc", "zip_bomb") when they are not what was promised."""
        raise NotImplementedError

    def relationships(self, part: str) -> dict[str, Relationship]:
        """The relationships of `part` by id; empty where it has none."""
        raise NotImplementedError

    def rewritten(self, changed: Mapping[str, bytes]) -> bytes:
        """The package with the members of `changed` replaced and every other byte of every other member as it was."""
        raise NotImplementedError

    def save(self, changed: Mapping[str, bytes], target: Path | str) -> None:
        """Write :meth:`rewritten` to `target` in one step: the old file or the new one, never half of either."""
        raise NotImplementedError
