"""The bytes of a zip archive: its directory read strictly, its members replaced one by one, the rest copied as it is.

`zipfile` reads archives well but writes its own: it loses data descriptors, flags, extra fields, alignment, a prefix
and the order of things. Here an archive stays the byte string that it is, and a rewrite touches only the local header
and data of the members that change, the numbers in their directory records, and the offsets behind them.

Strict where two readers could see two different archives (overlaps, local header unlike the directory, double names):
the formula engine has its own zip reader, and must see what we see.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from recargos.workbook.packing import Content, Packed, packed
from recargos.workbook.refusal import Limits, Refused, refused

_RECORD = struct.Struct("<4s6H3I5H2I")
_LOCAL = struct.Struct("<4s5H3I2H")
_END = struct.Struct("<4s4H2IH")
_END64 = struct.Struct("<4sQ2H2I4Q")
_LOCATOR = struct.Struct("<4sIQI")
_FULL16, _FULL32 = 0xFFFF, 0xFFFFFFFF
_ENCRYPTED, _DESCRIPTOR, _UTF8 = 0x0001, 0x0008, 0x0800
_STORED, _DEFLATED = 0, 8
_DAY_ONE = 0x21
FAST, THOROUGH = 2, 4
"""Levels of zlib-ng. On sheets 4 costs a third of the time of zlib's 6, the usual one, and gives files 1 % larger."""


def _corrupt(en: str, es: str) -> Refused:
    return refused(
        "corrupt",
        f"The file is damaged: {en}. Nothing was changed.",
        f"El archivo está dañado: {es}. No se cambió nada.",
    )


@dataclass(slots=True)
class Member:
    """One member of an archive: what the directory says of it, and where its bytes are."""

    name: str
    """Name with forward slashes; some writers use backslashes."""
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    start: int
    """Where its local header begins in the file."""
    record: int
    """Where its directory record begins."""
    record_length: int
    offset_at: int
    """Where in the file the directory keeps `start`: in the record's fixed field or in its zip64 field."""
    offset_wide: bool
    by_excel: bool
    """Whether it bears the marks of Excel's own writer: deflated "super fast", dated 1980-01-01."""
    data: int = 0
    """Where its packed bytes begin."""


class Archive:
    """A zip archive in memory. Raises :class:`~.refusal.Refused` for one that is damaged, ambiguous or too large."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self.data = data
        self._find_end()
        self._read_directory(limits)
        self._check_layout()

    # ------------------------------------------------------------------------------------------------- reading
    def _find_end(self) -> None:
        data = self.data
        low = max(0, len(data) - _END.size - _FULL16)
        at = last = data.rfind(b"PK\x05\x06", low)
        while at >= 0:  # the record whose comment ends exactly at the end of the file, else the last one
            if at + _END.size <= len(data) and at + _END.size + int.from_bytes(
                data[at + 20 : at + 22], "little"
            ) == len(data):
                break
            at = data.rfind(b"PK\x05\x06", low, at)
        at = at if at >= 0 else last
        if at < 0 or at + _END.size > len(data):
            raise _corrupt(
                "the end of the zip archive is missing, so it was probably cut off",
                "falta el final del archivo zip; probablemente se cortó",
            )
        _, disk, cd_disk, here, count, size, offset, _ = _END.unpack_from(data, at)
        self._end = at
        self._end64 = -1
        tail = at
        locator = at - _LOCATOR.size
        if locator >= 0 and data[locator : locator + 4] == b"PK\x06\x07":
            _, _, end64, _ = _LOCATOR.unpack_from(data, locator)
            for spot in (locator - _END64.size, end64):
                if 0 <= spot <= locator - _END64.size and data[spot : spot + 4] == b"PK\x06\x06":
                    break
            else:
                raise _corrupt("its zip64 directory is missing", "falta su directorio zip64")
            _, _, _, _, disk64, cd_disk64, here64, count64, size64, offset64 = _END64.unpack_from(data, spot)
            for short, full, long in ((count, _FULL16, count64), (size, _FULL32, size64), (offset, _FULL32, offset64)):
                if short not in (full, long):
                    raise _corrupt("its two zip directories disagree", "sus dos directorios zip no concuerdan")
            disk, cd_disk, here, count, size, offset = disk64, cd_disk64, here64, count64, size64, offset64
            self._end64, self._locator = spot, locator
            tail = spot
        if disk or cd_disk or here != count:
            raise _corrupt("it is one volume of several", "es un volumen de varios")
        self._directory = tail - size
        self._base = self._directory - offset
        """Bytes before the archive that its offsets do not count (a self-extracting stub, for one)."""
        if self._base < 0 or size < count * _RECORD.size:
            raise _corrupt("its zip directory lies outside the file", "su directorio zip queda fuera del archivo")
        self._count = count
        self._tail = tail

    def _read_directory(self, limits: Limits) -> None:
        data = self.data
        if self._count > limits.members:
            raise refused(
                "zip_bomb",
                f"The file has {self._count:,} parts, more than the limit of {limits.members:,}.",
                f"El archivo tiene {self._count:,} partes, más que el límite de {limits.members:,}.",
            )
        self.members: dict[str, Member] = {}
        folded: set[str] = set()
        total = 0
        at = self._directory
        for _ in range(self._count):
            if at + _RECORD.size > self._tail or data[at : at + 4] != b"PK\x01\x02":
                raise _corrupt("its zip directory is broken", "su directorio zip está roto")
            (_, _, _, flags, method, clock, day, crc, packed, size, n_name, n_extra, n_comment, disk, _, _, start) = (
                _RECORD.unpack_from(data, at)
            )
            length = _RECORD.size + n_name + n_extra + n_comment
            name_at = at + _RECORD.size
            extra_at = name_at + n_name
            offset_at, wide = at + 42, False
            if at + length > self._tail:
                raise _corrupt("its zip directory is broken", "su directorio zip está roto")
            if _FULL32 in (packed, size, start) or disk == _FULL16:
                field = self._zip64(extra_at, extra_at + n_extra)
                spot, end = field if field else (0, 0)
                values: list[int] = []
                for value in (size, packed, start):
                    if value == _FULL32 and field:
                        if spot + 8 > end:
                            raise _corrupt("a zip64 field is too short", "un campo zip64 es demasiado corto")
                        if len(values) == 2:
                            offset_at, wide = spot, True
                        value = int.from_bytes(data[spot : spot + 8], "little")
                        spot += 8
                    values.append(value)
                size, packed, start = values
            name = self._name(data[name_at:extra_at], flags)
            if name.casefold() in folded:
                raise refused(
                    "duplicate_member",
                    f"The file holds the part {name} twice, so different programs would see different workbooks.",
                    f"El archivo contiene dos veces la parte {name}: distintos programas verían libros distintos.",
                )
            folded.add(name.casefold())
            if flags & _ENCRYPTED:
                raise refused(
                    "encrypted",
                    "The file is a password-protected zip archive. Remove the password and try again.",
                    "El archivo es un zip protegido con contraseña. Quítele la contraseña e intente de nuevo.",
                )
            if method not in (_STORED, _DEFLATED):
                raise refused(
                    "compression",
                    f"The part {name} is packed with method {method}, which workbooks may not use.",
                    f"La parte {name} está comprimida con el método {method}, que los libros no pueden usar.",
                )
            total += size
            if (
                size > limits.member_bytes
                or total > limits.total_bytes
                or (size > limits.ratio_floor and size > limits.ratio * max(packed, 1))
            ):
                raise refused(
                    "zip_bomb",
                    f"Unpacked, the part {name} would be {size:,} bytes from {packed:,} ({total:,} so far): "
                    "beyond the limits for a workbook.",
                    f"Desempacada, la parte {name} tendría {size:,} bytes, de {packed:,} ({total:,} en total): "
                    "excede los límites para un libro.",
                )
            by_excel = (method, flags & 0x6, clock, day) == (_DEFLATED, 0x6, 0, _DAY_ONE)
            self.members[name] = Member(
                name, flags, method, crc, packed, size, start + self._base, at, length, offset_at, wide, by_excel
            )
            at += length
        self._directory_end = at

    def _zip64(self, at: int, end: int) -> tuple[int, int] | None:
        """Where the contents of the zip64 extra field begin and end."""
        while at + 4 <= end:
            kind, length = struct.unpack_from("<HH", self.data, at)
            if kind == 1:
                return (at + 4, min(at + 4 + length, end))
            at += 4 + length
        return None

    @staticmethod
    def _name(raw: bytes, flags: int) -> str:
        try:
            name = raw.decode("utf-8" if flags & _UTF8 else "cp437")
        except UnicodeDecodeError:
            name = raw.decode("cp437")
        return name.replace("\\", "/")

    def _check_layout(self) -> None:
        data = self.data
        free_from = 0
        self._order = sorted(self.members.values(), key=lambda m: m.start)
        for member in self._order:
            at = member.start
            if at < free_from or at + _LOCAL.size > self._directory or data[at : at + 4] != b"PK\x03\x04":
                raise _corrupt(
                    f"the part {member.name} is not where its directory says",
                    f"la parte {member.name} no está donde dice su directorio",
                )
            (_, _, flags, method, _, _, crc, packed, size, n_name, n_extra) = _LOCAL.unpack_from(data, at)
            member.data = at + _LOCAL.size + n_name + n_extra
            free_from = member.data + member.packed
            same = (
                self._name(data[at + _LOCAL.size : at + _LOCAL.size + n_name], flags) == member.name
                and method == member.method
            )
            same = same and not (flags ^ member.flags) & (_ENCRYPTED | _DESCRIPTOR)
            if not flags & _DESCRIPTOR:
                same = (
                    same and crc == member.crc and packed in (member.packed, _FULL32) and size in (member.size, _FULL32)
                )
            if not same:
                raise _corrupt(
                    f"the part {member.name} is described in two different ways",
                    f"la parte {member.name} está descrita de dos maneras distintas",
                )
            if free_from > self._directory or (member.method == _STORED and member.packed != member.size):
                raise _corrupt(f"the part {member.name} is cut off", f"la parte {member.name} está cortada")

    def read(self, member: Member) -> bytes:
        """The inflated bytes, exactly as many as promised and with the promised checksum."""
        packed = memoryview(self.data)[member.data : member.data + member.packed]
        if member.method == _STORED:
            raw = bytes(packed)
        else:
            inflate = zlib.decompressobj(-15)
            try:
                raw = inflate.decompress(packed, member.size + 1)
            except zlib.error:
                raise _corrupt(
                    f"the part {member.name} cannot be unpacked", f"la parte {member.name} no se puede desempacar"
                ) from None
            if len(raw) > member.size:
                raise refused(
                    "zip_bomb",
                    f"Unpacked, the part {member.name} is larger than the file says.",
                    f"Desempacada, la parte {member.name} es más grande de lo que dice el archivo.",
                )
            if not inflate.eof:  # the end mark may still be ahead when the last byte came out
                inflate.decompress(inflate.unconsumed_tail, 1)
            if len(raw) < member.size or not inflate.eof:
                raise _corrupt(f"the part {member.name} is cut off", f"la parte {member.name} está cortada")
        if zlib.crc32(raw) != member.crc:
            raise refused(
                "bad_crc",
                f"The part {member.name} does not match its checksum: the file was damaged after it was saved.",
                f"La parte {member.name} no corresponde a su suma de comprobación: se dañó después de guardarse.",
            )
        return raw

    # ----------------------------------------------------------------------------------------------- rewriting
    def rewritten(
        self, changed: Mapping[str, Content], level: int | None = None, written: dict[str, Packed] | None = None
    ) -> bytes:
        """The archive with the contents of some members replaced, each given whole or in pieces, which are taken once.

        `level` is zlib-ng's; None takes fast or thorough as the member's own flags say its last writer chose. `written`
        is filled with what was put in.
        """
        if not changed:
            return self.data
        data = self.data
        out: list[bytes | memoryview] = []
        whole = memoryview(data)
        position = copied = 0
        records: list[bytes] = []
        starts: dict[str, int] = {}
        fresh: dict[str, tuple[int, int, int, int]] = {}

        def put(piece: bytes | memoryview) -> None:
            nonlocal position
            out.append(piece)
            position += len(piece)

        for member, after in zip(self._order, [*(m.start for m in self._order[1:]), self._directory], strict=True):
            if member.name not in changed:
                starts[member.name] = position + member.start - copied
                continue
            put(whole[copied : member.start])
            copied = after
            starts[member.name] = position
            # Bits 1 and 2: 4 = fast, 6 = super fast, as Excel marks its own.
            usual = FAST if member.flags & 0x0004 else THOROUGH
            chosen = None if member.method == _STORED else usual if level is None else level
            fresh_member = packed(changed[member.name], chosen)
            if written is not None:
                written[member.name] = fresh_member
            body, crc, unpacked = fresh_member
            (_, version, flags, method, clock, day, _, _, _, n_name, n_extra) = _LOCAL.unpack_from(data, member.start)
            flags &= ~_DESCRIPTOR
            name_at = member.start + _LOCAL.size
            extra = _without_zip64(data[name_at + n_name : name_at + n_name + n_extra])
            if max(unpacked, len(body)) >= _FULL32:
                raise _too_large()
            put(
                _LOCAL.pack(
                    b"PK\x03\x04",
                    version,
                    flags,
                    method,
                    clock,
                    day,
                    crc,
                    len(body),
                    unpacked,
                    n_name,
                    len(extra),
                )
            )
            put(data[name_at : name_at + n_name] + extra)
            put(body)
            fresh[member.name] = (flags, crc, len(body), unpacked)
        put(whole[copied : self._directory])
        directory = position
        for member in self.members.values():
            records.append(self._record(member, starts[member.name] - self._base, fresh.get(member.name)))
        put(b"".join(records))
        put(whole[self._directory_end : self._tail])
        size = position - directory
        offset = directory - self._base
        if self._end64 >= 0:
            end64 = bytearray(data[self._end64 : self._locator])
            struct.pack_into("<QQ", end64, 40, size, offset)
            at64 = position - self._base if self._locator_counts_base() else position
            put(bytes(end64))
            locator = bytearray(data[self._locator : self._end])
            struct.pack_into("<Q", locator, 8, at64)
            put(bytes(locator))
        end = bytearray(data[self._end :])
        for at, value in ((12, size), (16, offset)):
            old = int.from_bytes(end[at : at + 4], "little")
            if old != _FULL32 or self._end64 < 0:
                if value >= _FULL32:
                    raise _too_large()
                struct.pack_into("<I", end, at, value)
        put(bytes(end))
        return b"".join(out)

    def _locator_counts_base(self) -> bool:
        (_, _, stored, _) = _LOCATOR.unpack_from(self.data, self._locator)
        return bool(stored + self._base == self._end64)

    def _record(self, member: Member, start: int, fresh: tuple[int, int, int, int] | None) -> bytes:
        """The directory record with a new offset and, for a changed member, new numbers."""
        old = self.data[member.record : member.record + member.record_length]
        if fresh is None:
            record = bytearray(old)
            at = member.offset_at - member.record
            if member.offset_wide:
                struct.pack_into("<Q", record, at, start)
            elif start >= _FULL32:
                raise _too_large()
            else:
                struct.pack_into("<I", record, at, start)
            return bytes(record)
        (
            sig,
            made,
            version,
            _,
            method,
            clock,
            day,
            _,
            _,
            _,
            n_name,
            n_extra,
            n_comment,
            disk,
            internal,
            external,
            _,
        ) = _RECORD.unpack_from(old)
        name_end = _RECORD.size + n_name
        extra = _without_zip64(old[name_end : name_end + n_extra])
        if start >= _FULL32:
            raise _too_large()
        flags, crc, packed, size = fresh
        head = _RECORD.pack(
            sig,
            made,
            version,
            flags,
            method,
            clock,
            day,
            crc,
            packed,
            size,
            n_name,
            len(extra),
            n_comment,
            0 if disk == _FULL16 else disk,
            internal,
            external,
            start,
        )
        return head + old[_RECORD.size : name_end] + extra + old[name_end + n_extra :]


def _too_large() -> Refused:
    return refused(
        "too_large", "The recalculated file would be 4 GB or larger.", "El archivo recalculado sería de 4 GB o más."
    )


def _without_zip64(extra: bytes) -> bytes:
    at, kept = 0, b""
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind != 1:
            kept += extra[at : at + 4 + length]
        at += 4 + length
    return kept + extra[at:]
