"""The shared strings of a workbook, read when a formula cell refers to one: some writers store results that way."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NoReturn
from xml.parsers import expat

from recargos.workbook.refusal import doctype, not_well_formed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recargos.workbook.package import Package


def of(package: Package) -> Callable[[], Sequence[str]]:
    """A function that reads the shared strings of a package at its first call."""

    @cache
    def strings() -> Sequence[str]:
        for relationship in package.relationships(package.workbook_part).values():
            if relationship.type == "sharedStrings" and not relationship.external and package.has(relationship.target):
                return parsed(package.read(relationship.target), relationship.target)
        return ()

    return strings


def parsed(xml: bytes, part: str) -> list[str]:
    """The texts of a shared strings part, phonetic guides left out."""
    strings: list[str] = []
    chars: list[str] = []
    path: list[str] = []

    def start(name: str, _: dict[str, str]) -> None:
        path.append(name.rpartition(" ")[2])
        if path[-1] == "si":
            chars.clear()

    def end(_: str) -> None:
        if path.pop() == "si":
            strings.append("".join(chars))

    def text(data: str) -> None:
        if path[-1] == "t" and "rPh" not in path:
            chars.append(data)

    def refuse(*_: object) -> NoReturn:
        raise doctype(part)

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(xml, True)
    except expat.ExpatError as error:
        raise not_well_formed(part, error) from None
    return strings
