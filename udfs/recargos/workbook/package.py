"""The zip package of a workbook: opened safely, rewritten without loss.

A workbook from a client is hostile until proven otherwise, and somebody's only copy. So it is opened under limits,
refused by kind with one clear sentence, and saved by copying every untouched member byte for byte.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from urllib.parse import unquote

from recargos.law import T
from recargos.workbook import kinds, saving
from recargos.workbook.archive import Archive
from recargos.workbook.packing import Content, Packed, unreadable
from recargos.workbook.refusal import DEFAULT_LIMITS, Limits, Refused, doctype, not_well_formed, refused

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = ["CalculationSettings", "Limits", "Package", "Refused", "Relationship", "SheetPart", "refused"]

State = Literal["visible", "hidden", "veryHidden"]
Kind = Literal["worksheet", "chartsheet", "dialogsheet", "macrosheet"]

_SHEET_KINDS: dict[str, Kind] = {
    "worksheet": "worksheet",
    "chartsheet": "chartsheet",
    "dialogsheet": "dialogsheet",
    "xlMacrosheet": "macrosheet",
    "xlIntlMacrosheet": "macrosheet",
}
_XML = re.compile(r"\.(xml|rels|vml)$", re.IGNORECASE)


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
    """Name of its member; "" for a module sheet of Excel 95, which has none."""
    state: State
    kind: Kind


class CalculationSettings(NamedTuple):
    """How Excel was told to calculate this workbook (`calcPr`)."""

    manual: bool
    iterate: bool
    as_displayed: bool
    """Precision as displayed: Excel rounds every value to its number format."""
    on_load: bool
    """Excel recalculates everything when it opens the file."""
    engine: int
    """`calcId`: the calculation engine that last saved it; Excel recalculates what an older one saved."""


class Package:
    """An opened workbook. Nothing here changes the file until :meth:`save`."""

    def __init__(self, path: Path, data: bytes, limits: Limits = DEFAULT_LIMITS) -> None:
        self.path = path
        self.data = data
        """The whole file."""
        self.limits = limits
        self.warnings: list[T] = []
        self._stat: os.stat_result | None = None
        self._verified: set[str] = set()
        if data[:4] not in (b"PK\x03\x04", b"PK\x05\x06") and b"PK\x05\x06" not in data[-66_000:]:
            raise kinds.not_a_zip(data)
        self.archive = Archive(data, limits)
        self._parts = {name.casefold(): name for name in self.archive.members}
        self.members: tuple[str, ...] = tuple(self.archive.members)
        """Names in the order of the central directory."""
        mimetype = self.read("mimetype") if "mimetype" in self.archive.members else b""
        other = kinds.other_archive(self.archive.members.keys(), mimetype)
        if other is not None:
            raise other
        self._read_content_types()
        self.workbook_part = self._find_workbook()
        self._read_workbook()
        self.signed = any(name.casefold().startswith("_xmlsignatures/") for name in self.members)
        if self.signed:
            self.warnings.append(
                T(
                    "The workbook carries a digital signature, which any change would break.",
                    "El libro lleva una firma digital, que cualquier cambio invalidaría.",
                )
            )

    @classmethod
    def open(cls, path: Path | str, limits: Limits = DEFAULT_LIMITS) -> Package:
        """Read and check `path`. Raises :class:`Refused`, never anything else, for a file that cannot be done."""
        path = Path(path)
        if path.name.startswith("~$") or (path.name.startswith(".~lock.") and path.name.endswith("#")):
            raise refused(
                "owner_file",
                "This is a lock file that a program keeps while a workbook is open, not a workbook.",
                "Este es un archivo de bloqueo que un programa mantiene mientras un libro está abierto, no un libro.",
            )
        try:
            with path.open("rb") as file:
                then = os.fstat(file.fileno())
                if then.st_size > limits.file_bytes:
                    raise refused(
                        "too_large",
                        f"The file has {then.st_size:,} bytes, more than the limit of {limits.file_bytes:,}.",
                        f"El archivo tiene {then.st_size:,} bytes, más que el límite de {limits.file_bytes:,}.",
                    )
                data = file.read(limits.file_bytes + 1)
        except FileNotFoundError:
            raise refused("not_found", "There is no such file.", "No existe ese archivo.") from None
        except IsADirectoryError:
            raise refused(
                "not_a_file", "This is a folder, not a workbook.", "Esto es una carpeta, no un libro."
            ) from None
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise refused(
                "unreadable", f"The file cannot be read ({why}).", f"No se puede leer el archivo ({why})."
            ) from error
        package = cls(path, data, limits)
        package._stat = then
        return package

    # ------------------------------------------------------------------------------------------------- reading
    def has(self, part: str) -> bool:
        """Whether there is such a member; names of parts are compared without case, as the standard says."""
        return part.lstrip("/").casefold() in self._parts

    def member(self, part: str) -> str:
        """The name of a part as the archive spells it."""
        name = self._parts.get(part.lstrip("/").casefold())
        if name is None:
            raise refused(
                "corrupt", f"The part {part} is missing from the file.", f"Falta la parte {part} en el archivo."
            )
        return name

    def read(self, part: str) -> bytes:
        """The inflated bytes of a member; :class:`Refused` ("bad_crc", "zip_bomb") when they are not as promised."""
        name = self.member(part)
        raw = self.archive.read(self.archive.members[name])
        self._verified.add(name)
        return raw

    def verify(self) -> None:
        """Unpack and check every member that nobody has read yet. Worksheets are checked when they are read."""
        sheets = {self.member(sheet.part) for sheet in self.sheets if sheet.kind == "worksheet"}
        for name in self.members:
            if name not in self._verified and name not in sheets and not name.endswith("/"):
                raw = self.read(name)
                if _XML.search(name):
                    refuse_doctype(raw, name)

    def xml(self, part: str) -> Element:
        """A part as an element tree, parsed without entities. For small parts; a sheet is never parsed into a tree."""
        from xml.etree.ElementTree import ParseError

        import defusedxml.ElementTree as ElementTree
        from defusedxml.common import DefusedXmlException

        raw = self.read(part)
        try:
            root: Element = ElementTree.fromstring(raw, forbid_dtd=True)
        except DefusedXmlException:
            raise doctype(part) from None
        except (ParseError, ValueError, LookupError) as error:
            raise not_well_formed(part, error) from None
        return root

    def relationships(self, part: str) -> dict[str, Relationship]:
        """The relationships of `part` by id; empty where it has none. `""` is the package itself."""
        folder, _, name = part.rpartition("/")
        rels = f"{folder}/_rels/{name}.rels" if folder else f"_rels/{name}.rels"
        found: dict[str, Relationship] = {}
        if not self.has(rels):
            return found
        for node in self.xml(rels):
            if local(node.tag) != "Relationship":
                continue
            external = node.get("TargetMode") == "External"
            target = node.get("Target", "")
            if not external:
                target = posixpath.normpath(
                    posixpath.join("/", folder, unquote(target.replace("\\", "/").split("#")[0]))
                ).lstrip("/")
            key = node.get("Id", "")
            found[key] = Relationship(key, node.get("Type", "").rpartition("/")[2], target, external)
        return found

    def _read_content_types(self) -> None:
        self._types: dict[str, str] = {}
        self._defaults: dict[str, str] = {}
        for node in self.xml("[Content_Types].xml"):
            kind = node.get("ContentType", "")
            if local(node.tag) == "Override":
                self._types[node.get("PartName", "").replace("\\", "/").lstrip("/").casefold()] = kind
            elif local(node.tag) == "Default":
                self._defaults[node.get("Extension", "").casefold()] = kind

    def content_type(self, part: str) -> str:
        """The content type of a part, "" when it is not declared."""
        return self._types.get(part.casefold()) or self._defaults.get(part.rpartition(".")[2].casefold(), "")

    def _find_workbook(self) -> str:
        mains = [r.target for r in self.relationships("").values() if r.type == "officeDocument" and not r.external]
        if not mains:
            mains = [
                name
                for name in self.members
                if "spreadsheetml" in self.content_type(name) and ".main+xml" in self.content_type(name)
            ]
        for part in mains:
            other = kinds.other_document(self.content_type(part))
            if other is not None:
                raise other
            if self.has(part):
                return self.member(part)
        raise kinds.no_workbook("its main part is missing", "falta su parte principal")

    def _read_workbook(self) -> None:
        root = self.xml(self.workbook_part)
        if local(root.tag) != "workbook":
            raise kinds.no_workbook("its main part is something else", "su parte principal es otra cosa")
        relationships = self.relationships(self.workbook_part)
        sheets: list[SheetPart] = []
        self.date1904 = False
        self.settings = CalculationSettings(False, False, False, False, 0)
        for node in root:
            tag = local(node.tag)
            if tag == "workbookPr":
                self.date1904 = flag(node.get("date1904"))
            elif tag == "calcPr":
                self.settings = CalculationSettings(
                    node.get("calcMode", "auto") == "manual",
                    flag(node.get("iterate")),
                    not flag(node.get("fullPrecision", "1")),
                    flag(node.get("fullCalcOnLoad")),
                    int(node.get("calcId", "0")) if node.get("calcId", "0").isdigit() else 0,
                )
            elif tag == "sheets":
                sheets.extend(self._sheet(child, relationships) for child in node if local(child.tag) == "sheet")
        if not sheets:
            raise kinds.no_workbook("it lists no sheets", "no enumera hojas")
        parts = [sheet.part for sheet in sheets if sheet.part]
        if len(set(parts)) != len(parts):
            raise refused(
                "corrupt",
                "Two sheets of the workbook share one part, so the file is damaged.",
                "Dos hojas del libro comparten una misma parte, así que el archivo está dañado.",
            )
        self.sheets: tuple[SheetPart, ...] = tuple(sheets)

    def _sheet(self, node: Element, relationships: Mapping[str, Relationship]) -> SheetPart:
        name = node.get("name", "")
        key = next((value for attribute, value in node.attrib.items() if attribute.endswith("}id")), "")
        if not key:  # a Visual Basic module of Excel 95, still listed among the sheets
            return SheetPart(name, "", "veryHidden", "macrosheet")
        relationship = relationships.get(key)
        if (
            relationship is None
            or relationship.external
            or relationship.type not in _SHEET_KINDS
            or not self.has(relationship.target)
        ):
            raise refused(
                "corrupt",
                f"The part of the sheet “{name}” is missing from the file.",
                f"Falta en el archivo la parte de la hoja «{name}».",
            )
        state: Any = node.get("state", "visible")
        if state not in ("visible", "hidden", "veryHidden"):
            state = "visible"
        return SheetPart(name, self.member(relationship.target), state, _SHEET_KINDS[relationship.type])

    @property
    def calculated_by_excel(self) -> bool:
        """Whether Excel itself wrote the sheets, and calculated when it did: then values and inputs belong together.

        A program that changes an input writes the sheet (or the shared strings) anew, and its zip writer leaves other
        marks.
        """
        parts = [sheet.part for sheet in self.sheets if sheet.kind == "worksheet"]
        parts += [
            r.target
            for r in self.relationships(self.workbook_part).values()
            if r.type == "sharedStrings" and not r.external
        ]
        return not self.settings.manual and all(
            self.archive.members[self.member(part)].by_excel for part in parts if self.has(part)
        )

    # -------------------------------------------------------------------------------------------------- saving
    def rewritten(self, changed: Mapping[str, Content], level: int | None = None) -> bytes:
        """The package with the members of `changed` replaced and every other byte of every other member as it was.

        New contents come whole or in pieces, which are taken once.
        """
        return self.archive.rewritten({self.member(part): raw for part, raw in changed.items()}, level)

    def save(self, changed: Mapping[str, Content], target: Path | str, level: int | None = None) -> bytes:
        """Write :meth:`rewritten` to `target` in one step, the old file or the new, never half of either; return it.

        Refuses to change a signed package, and to overwrite a file that somebody changed after it was read.
        """
        target = Path(target)
        if changed and self.signed:
            raise refused(
                "signed",
                "The workbook carries a digital signature, which the change would break. Remove the signature first.",
                "El libro lleva una firma digital, que el cambio invalidaría. Quite primero la firma.",
            )
        self.verify()
        written: dict[str, Packed] = {}
        data = self.archive.rewritten({self.member(part): content for part, content in changed.items()}, level, written)
        if changed:
            self._check_rewritten(data, written)
        same = self._stat is not None and target.exists() and os.path.samestat(target.stat(), self._stat)
        saving.replace(target, data, self._stat if same else None)
        return data

    def _check_rewritten(self, data: bytes, written: Mapping[str, Packed]) -> None:
        """Read the new package with the same strict eyes: same members, and in each the bytes that it should have.

        Those of the changed ones have been unpacked and compared already, while they were written.
        """
        again = Archive(data, self.limits)
        good = tuple(again.members) == self.members
        for name, member in again.members.items() if good else ():
            old, new = self.archive.members[name], written.get(name)
            if new is not None:
                should: bytes | memoryview = new.data
                good = good and (member.crc, member.size) == (new.crc, new.size)
            else:
                should = memoryview(self.data)[old.data : old.data + old.packed]
            good = good and memoryview(data)[member.data : member.data + member.packed] == should
        if not good:
            raise unreadable()


def local(tag: object) -> str:
    """The name of an element without its namespace; "" for a comment."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def flag(value: str | None) -> bool:
    """An XML boolean."""
    return value in ("1", "true", "on")


def refuse_doctype(raw: bytes, part: str) -> None:
    """Refuse a part whose prolog holds a DOCTYPE, in UTF-8 or UTF-16. What stands behind the first element is data."""
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<"):
        raw = raw.replace(b"\0", b"")
    if b"<!DOCTYPE" in raw[: _root_at(raw)]:
        raise doctype(part)


def _root_at(raw: bytes) -> int:
    root = re.search(rb"<[A-Za-z_\x80-\xff]", raw)
    return root.start() if root else len(raw)
