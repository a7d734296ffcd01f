"""The refusal of a whole file, and the limits under which a file is opened."""

from __future__ import annotations

from dataclasses import dataclass

from recargos.law import T


class Refused(Exception):
    """A file that is left untouched, and why: `kind` for machines, `reason` for people, in both languages."""

    def __init__(self, kind: str, reason: T) -> None:
        super().__init__(reason.en)
        self.kind = kind
        self.reason = reason

    def __reduce__(self) -> tuple[type[Refused], tuple[str, T]]:
        return Refused, (self.kind, self.reason)


def refused(kind: str, en: str, es: str) -> Refused:
    """A refusal from its two sentences."""
    return Refused(kind, T(en, es))


@dataclass(frozen=True)
class Limits:
    """What a package may cost. The defaults fit a sheet of a million rows."""

    file_bytes: int = 512 << 20
    """Size of the file."""
    member_bytes: int = 1 << 30
    """Inflated size of one member."""
    total_bytes: int = 2 << 30
    """Inflated size of all members."""
    ratio: int = 500
    """Inflated size of a member to its size in the file; a smaller member than `ratio_floor` may exceed it."""
    ratio_floor: int = 16 << 20
    members: int = 20_000
    grid: int = 64 << 20
    """Cells between the first and the last formula of each column: what an engine has to hold."""


DEFAULT_LIMITS = Limits()


def doctype(part: str) -> Refused:
    """The refusal of a part that declares a document type or entities."""
    return refused(
        "doctype",
        f"The part {part} declares a DOCTYPE or entities, which no spreadsheet program does: it may be an attack.",
        f"La parte {part} declara un DOCTYPE o entidades, cosa que ningún programa hace: puede ser un ataque.",
    )


def not_well_formed(part: str, error: object) -> Refused:
    """The refusal of a part that is not XML."""
    return refused(
        "corrupt",
        f"The part {part} is not well-formed XML ({error}).",
        f"La parte {part} no es XML bien formado ({error}).",
    )
