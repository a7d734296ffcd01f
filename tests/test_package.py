"""Opening workbooks that may be anything, and rewriting them so that nothing else changes."""

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from zlib_ng import zlib_ng

from recargos.workbook.archive import FAST, THOROUGH, Archive
from recargos.workbook.package import Limits, Package, Refused
from support.raw import CORPUS, corpus, needs_corpus, parts, sheet_xml, workbook, zipped

GOOD = parts([("S", sheet_xml('<row r="1"><c r="A1"><f>1+1</f><v>2</v></c></row>'))])
LIMITS = Limits()


def refusal(data: bytes, limits: Limits = LIMITS) -> Refused:
    with pytest.raises(Refused) as caught:  # noqa: PT012 - sheets are checked when they are read
        package = Package(Path("x.xlsx"), data, limits)
        package.verify()
        for sheet in package.sheets:
            package.read(sheet.part)
    return caught.value


# ---------------------------------------------------------------------------------------------------------- refusals
def ole(stream: str) -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + stream.encode("utf-16-le") + bytes(600)


def replaced(**changes: str | bytes | None) -> bytes:
    """The good workbook with members changed ("xl/workbook.xml" as xl_workbook) or taken away."""
    members = dict(GOOD)
    names = {re.sub(r"\W+", "_", name).strip("_"): name for name in members}
    for key, content in changes.items():
        name = names[key]
        if content is None:
            del members[name]
        else:
            members[name] = content.encode() if isinstance(content, str) else content
    return zipped(members)


def twice(other: str) -> bytes:
    buffer = io.BytesIO(zipped(GOOD))
    with zipfile.ZipFile(buffer, "a") as archive, pytest.warns() if other in GOOD else _nothing():
        archive.writestr(other, b"<other/>")
    return buffer.getvalue()


class _nothing:
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...


def flagged(mask: int) -> bytes:
    """Flag bits set in the local headers and the directory."""
    data = bytearray(zipped(GOOD))
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        for match in re.finditer(re.escape(signature), bytes(data)):
            data[match.start() + at] |= mask
    return bytes(data)


def damaged() -> bytes:
    data = bytearray(zipped(GOOD))
    member = Archive(bytes(data), LIMITS).members["xl/worksheets/sheet1.xml"]
    crc = member.record + 16
    data[crc] ^= 0xFF
    data[member.start + 14] ^= 0xFF
    return bytes(data)


def unlike() -> bytes:
    """The local header names another member than the directory does."""
    data = zipped(GOOD)
    member = Archive(data, LIMITS).members["xl/workbook.xml"]
    return data[: member.start + 30] + b"xl/WORKBOOK.xml" + data[member.start + 45 :]


def overlapping() -> bytes:
    """Two directory records share one local header: the trick of the flat zip bomb."""
    members = {**GOOD, "xl/a.xml": b"<a/>", "xl/b.xml": b"<a/>"}
    data = bytearray(zipped(members))
    archive = Archive(bytes(data), LIMITS)
    a, b = archive.members["xl/a.xml"], archive.members["xl/b.xml"]
    data[b.record + 42 : b.record + 46] = struct.pack("<I", a.start)
    return bytes(data)


def bomb() -> bytes:
    return zipped({**GOOD, "xl/media/image1.png": bytes(40 << 20)})


def understated() -> bytes:
    """A member that unpacks to more than it says."""
    data = bytearray(zipped({**GOOD, "xl/styles.xml": b"<styleSheet/>" + b" " * 5000}))
    member = Archive(bytes(data), LIMITS).members["xl/styles.xml"]
    for at in (member.record + 24, member.start + 22):
        data[at : at + 4] = struct.pack("<I", 20)
    return bytes(data)


def main_type(kind: str) -> str:
    return (
        GOOD["[Content_Types].xml"]
        .decode()
        .replace("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml", kind)
    )


DOCTYPE = '<!DOCTYPE x [<!ENTITY a "aaaa">]>'
WORKBOOK = GOOD["xl/workbook.xml"].decode()
REFUSALS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "nothing": ("empty", lambda: b""),
    "password": ("encrypted", lambda: ole("EncryptedPackage")),
    "zip password": ("encrypted", lambda: flagged(1)),
    "xls": ("xls", lambda: ole("Workbook\0")),
    "xls of Excel 4": ("xls", lambda: bytes.fromhex("0904060000001000") + bytes(500)),
    "old Word document": ("no_workbook", lambda: ole("WordDocument\0")),
    "owner file": ("owner_file", lambda: b"\x03Ana" + b" " * 51 + "\x03Ana".encode("utf-16-le") + b" \0" * 51),
    "html": ("html", lambda: b"<html><body><table><tr><td>1</td></tr></table></body></html>"),
    "html with a doctype": ("html", lambda: b"\xef\xbb\xbf\n<!DOCTYPE html>\n<html></html>"),
    "mhtml": ("html", lambda: b"MIME-Version: 1.0\nContent-Type: multipart/related"),
    "csv": ("csv", lambda: "cliente,monto\nPeña,100\n".encode()),
    "csv in UTF-16": ("csv", lambda: "client;amount\nA;1\n".encode("utf-16")),
    "xml": ("xml", lambda: b"<?xml version='1.0'?><a/>"),
    "xml spreadsheet": (
        "xml_spreadsheet",
        lambda: b'<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
    ),
    "pdf": ("pdf", lambda: b"%PDF-1.7 \xe2\xe3"),
    "noise": ("corrupt", lambda: bytes(range(256)) * 9),
    "cut off": ("corrupt", lambda: zipped(GOOD)[:-30]),
    "cut in a member": ("corrupt", lambda: zipped(GOOD)[:200]),
    "ods": ("ods", lambda: zipped({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "content.xml": b"<a/>"})),
    "numbers": ("numbers", lambda: zipped({"Index/Document.iwa": b"x"})),
    "another zip": ("no_workbook", lambda: zipped({"readme.txt": b"x"})),
    "xlsb": ("xlsb", lambda: replaced(Content_Types_xml=main_type("application/vnd.ms-excel.sheet.binary.macroEnabled.main"))),
    "docx": ("no_workbook", lambda: replaced(Content_Types_xml=main_type("application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"))),
    "pptx": ("no_workbook", lambda: replaced(Content_Types_xml=main_type("application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"))),
    "no workbook part": ("no_workbook", lambda: replaced(xl_workbook_xml=None)),
    "no sheets": ("no_workbook", lambda: replaced(xl_workbook_xml=re.sub("<sheets>.*</sheets>", "", WORKBOOK))),
    "no sheet part": ("corrupt", lambda: replaced(xl_worksheets_sheet1_xml=None)),
    "malformed workbook": ("corrupt", lambda: replaced(xl_workbook_xml=WORKBOOK[:-3])),
    "doctype in the workbook": ("doctype", lambda: replaced(xl_workbook_xml=WORKBOOK.replace("<workbook", DOCTYPE + "<workbook"))),
    "doctype in UTF-16": ("doctype", lambda: replaced(xl_workbook_xml=re.sub('^.*?\n', "", WORKBOOK).replace("<workbook", DOCTYPE + "<workbook").encode("utf-16"))),
    "doctype where nobody looks": ("doctype", lambda: zipped({**GOOD, "xl/theme.xml": f"<!-- {'x' * 9000} -->{DOCTYPE}<a/>".encode()})),
    "one member twice": ("duplicate_member", lambda: twice("xl/workbook.xml")),
    "one member twice but for case": ("duplicate_member", lambda: twice("xl/Workbook.XML")),
    "wrong checksum": ("bad_crc", damaged),
    "two names for one member": ("corrupt", unlike),
    "overlapping members": ("corrupt", overlapping),
    "bomb": ("zip_bomb", bomb),
    "more than it says": ("zip_bomb", understated),
    "packed by other means": ("compression", lambda: _with_method(12)),
}  # fmt: skip


def _with_method(method: int) -> bytes:
    data = bytearray(zipped(GOOD))
    member = Archive(bytes(data), LIMITS).members["xl/workbook.xml"]
    data[member.record + 10] = data[member.start + 8] = method
    return bytes(data)


@pytest.mark.parametrize("case", REFUSALS)
def test_each_kind_is_refused_with_its_own_sentence(case):
    kind, build = REFUSALS[case]
    refused = refusal(build())
    assert refused.kind == kind
    assert refused.reason.en.endswith(".")
    assert refused.reason.es.endswith(".")
    assert refused.reason.en != refused.reason.es
    assert str(refused) == refused.reason.en


def test_limits_are_the_caller_s():
    data = zipped(GOOD)
    sizes = [len(content) for content in GOOD.values()]
    assert refusal(data, Limits(members=len(GOOD) - 1)).kind == "zip_bomb"
    assert refusal(data, Limits(member_bytes=max(sizes) - 1)).kind == "zip_bomb"
    assert refusal(data, Limits(total_bytes=sum(sizes) - 1)).kind == "zip_bomb"
    assert refusal(data, Limits(ratio=1, ratio_floor=100)).kind == "zip_bomb"
    Package(Path("x"), data, Limits(members=len(GOOD), member_bytes=max(sizes), total_bytes=sum(sizes))).verify()


def test_a_file_too_large_is_not_even_read(tmp_path):
    path = tmp_path / "x.xlsx"
    path.write_bytes(zipped(GOOD))
    with pytest.raises(Refused) as caught:
        Package.open(path, Limits(file_bytes=path.stat().st_size - 1))
    assert caught.value.kind == "too_large"


@pytest.mark.parametrize(
    ("name", "kind"), [("missing.xlsx", "not_found"), ("~$a.xlsx", "owner_file"), (".~lock.a.xlsx#", "owner_file")]
)
def test_paths_that_are_no_workbook(tmp_path, name, kind):
    with pytest.raises(Refused) as caught:
        Package.open(tmp_path / name)
    assert caught.value.kind == kind


def test_a_folder_is_no_workbook(tmp_path):
    with pytest.raises(Refused) as caught:
        Package.open(tmp_path)
    assert caught.value.kind in ("not_a_file", "unreadable")


@needs_corpus
@pytest.mark.parametrize("name", corpus("refuse_clearly"))
def test_real_files_that_must_be_refused(name):
    with pytest.raises(Refused) as caught:
        Package.open(CORPUS / name).verify()
    wanted = {"xlsb": "xlsb", "XLS": "xls"}.get(name.rpartition(".")[2])
    assert caught.value.kind == (wanted or caught.value.kind)
    assert caught.value.kind in ("encrypted", "xls", "xlsb", "corrupt", "owner_file")


# ----------------------------------------------------------------------------------------------------- understanding
def test_sheets_states_and_settings():
    members = parts(
        [("Año & más", sheet_xml("")), ("Oculta", sheet_xml(""))],
        properties='<workbookPr date1904="1"/>',
        calculation='<calcPr calcId="191029" calcMode="manual" iterate="1" fullPrecision="0" fullCalcOnLoad="1"/>',
        states={"Oculta": "veryHidden"},
    )
    package = Package(Path("x"), zipped(members))
    assert [(s.name, s.state, s.kind) for s in package.sheets] == [
        ("Año & más", "visible", "worksheet"),
        ("Oculta", "veryHidden", "worksheet"),
    ]
    assert package.date1904
    assert package.settings == (True, True, True, True, 191029)
    assert package.relationships("xl/workbook.xml")["rId1"].target == "xl/worksheets/sheet1.xml"


def test_backslashes_and_case_in_names():
    members = {name.replace("/", "\\") if "sheet1" in name else name: content for name, content in GOOD.items()}
    members = {
        name.replace("workbook.xml", "Workbook.xml") if ".rels" not in name else name: c for name, c in members.items()
    }
    package = Package(Path("x"), zipped(members))
    assert package.workbook_part == "xl/Workbook.xml"
    changed = package.rewritten({package.sheets[0].part: b"<new/>"})
    with zipfile.ZipFile(io.BytesIO(changed)) as archive:
        assert archive.namelist() == list(members)


@needs_corpus
@pytest.mark.parametrize("name", corpus("no_loss"))
def test_real_files_are_rewritten_without_loss(name):
    package = Package.open(CORPUS / name)
    package.verify()
    assert package.rewritten({}) == package.data
    part = next(sheet.part for sheet in package.sheets if sheet.part)
    new = package.read(part) + b"<!-- -->"
    _only_changed(package.data, package.rewritten({part: new}), part, new)


# --------------------------------------------------------------------------------------------------------- rewriting
def raw_members(data: bytes) -> dict[str, bytes]:
    """Each member from its local header to where the next begins, by an eye other than the one under test."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        infos = sorted(archive.infolist(), key=lambda info: info.header_offset)
        ends = [info.header_offset for info in infos[1:]] + [archive.start_dir]
        return {info.orig_filename: data[info.header_offset : end] for info, end in zip(infos, ends, strict=True)}


def _only_changed(old: bytes, new: bytes, name: str, content: bytes) -> None:
    before, after = raw_members(old), raw_members(new)
    assert list(before) == list(after)
    for member in before:
        if member.replace("\\", "/") != name:
            assert after[member] == before[member], member
    with zipfile.ZipFile(io.BytesIO(new)) as archive:
        assert archive.testzip() is None
        assert archive.read(next(n for n in archive.NameToInfo if n.replace("\\", "/") == name)) == content
        with zipfile.ZipFile(io.BytesIO(old)) as original:
            assert archive.comment == original.comment
            for one, two in zip(original.infolist(), archive.infolist(), strict=True):
                for field in ("filename", "date_time", "external_attr", "internal_attr", "create_system", "comment"):
                    assert getattr(one, field) == getattr(two, field)


class Unseekable(io.RawIOBase):
    """Makes zipfile write data descriptors."""

    def __init__(self) -> None:
        self.data = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, chunk) -> int:
        self.data += bytes(chunk)
        return len(chunk)


def odd(kind: str) -> bytes:
    """The good workbook as other zip writers would write it."""
    target: io.BytesIO | Unseekable = Unseekable() if kind == "descriptors" else io.BytesIO()
    if kind == "prefix":
        target.write(b"#!/bin/sh\nexit\n" * 5)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in GOOD.items():
            info = zipfile.ZipInfo(name, (2024, 2, 29, 12, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if kind == "stored" else zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            if kind == "extra":
                info.extra = struct.pack("<HH", 0x5455, 5) + b"\x01abcd"
                info.comment = b"a comment"
            with archive.open(info, "w", force_zip64=kind == "zip64") as member:
                member.write(content)
        if kind == "comment":
            archive.comment = "año".encode() * 40
    data = bytes(target.data) if isinstance(target, Unseekable) else target.getvalue()
    return _with_zip64_end(data) if kind == "zip64 end" else data


def _with_zip64_end(data: bytes) -> bytes:
    """The same archive with a zip64 end record and locator, and an end record that refers to them."""
    at = data.rfind(b"PK\x05\x06")
    count, size, offset = struct.unpack_from("<HII", data, at + 10)
    end64 = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, size, offset)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, at, 1)
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return data[:at] + end64 + locator + end


ODD = ["plain", "descriptors", "stored", "extra", "zip64", "zip64 end", "prefix", "comment"]


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "[Content_Types].xml"])
def test_odd_archives_keep_every_other_byte(kind, part):
    data = odd(kind)
    package = Package(Path("x"), data)
    package.verify()
    new = package.read(part) + b"<!-- " + bytes(range(65, 91)) * 300 + b" -->"
    _only_changed(data, package.rewritten({part: new}), part, new)
    again = Package(Path("x"), package.rewritten({part: new}))
    assert again.rewritten({part: package.read(part)}) == again.rewritten({part: package.read(part)})
    assert again.archive.members[part].method == package.archive.members[part].method


def test_a_comment_that_looks_like_the_end_of_an_archive():
    data = bytearray(zipped(GOOD))
    comment = b"PK\x05\x06" + bytes(30)
    data[-2:] = struct.pack("<H", len(comment))
    package = Package(Path("x"), bytes(data) + comment)
    again = Package(Path("x"), package.rewritten({"xl/worksheets/sheet1.xml": b"<new/>"}))
    assert again.read("xl/worksheets/sheet1.xml") == b"<new/>"
    assert again.data.endswith(comment)


def test_a_gap_between_members_stays():
    data = zipped(GOOD)
    archive = Archive(data, LIMITS)
    at = archive.members["xl/workbook.xml"].start
    padded = bytearray(data[:at] + b"PADDING!" + data[at:])
    end = padded.rfind(b"PK\x05\x06")
    padded[end + 16 : end + 20] = struct.pack("<I", struct.unpack_from("<I", padded, end + 16)[0] + 8)
    for match in re.finditer(b"PK\x01\x02", bytes(padded)):
        offset = struct.unpack_from("<I", padded, match.start() + 42)[0]
        padded[match.start() + 42 : match.start() + 46] = struct.pack("<I", offset + 8 * (offset >= at))
    package = Package(Path("x"), bytes(padded))
    part = "xl/worksheets/sheet1.xml"
    _only_changed(bytes(padded), package.rewritten({part: b"<n/>"}), part, b"<n/>")


def test_fast_stays_fast_and_thorough_thorough():
    content = b"".join(b"<c>%d</c>" % (n * n) for n in range(20_000))
    for by_excel, level in ((True, FAST), (False, THOROUGH)):
        package = Package(Path("x"), zipped(GOOD, by_excel=by_excel))
        packed = Archive(package.rewritten({"xl/worksheets/sheet1.xml": content}), LIMITS)
        deflate = zlib_ng.compressobj(level, zlib_ng.DEFLATED, -15)
        expected = len(deflate.compress(content) + deflate.flush())
        assert packed.members["xl/worksheets/sheet1.xml"].packed == expected


@pytest.mark.parametrize("size", [0, 1, (4 << 20) - 1, 4 << 20, (4 << 20) + 1, (9 << 20) + 7])
def test_large_members_are_packed_in_pieces_that_read_as_one(size):
    content = (b"".join(b'<c r="A%d"><v>%d</v></c>' % (n, n * n) for n in range(450_000)))[:size]
    assert len(content) == size
    data = Package(Path("x"), zipped(GOOD)).rewritten({"xl/worksheets/sheet1.xml": content})
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.read("xl/worksheets/sheet1.xml") == content
    assert len(data) < 4000 + size // 3


def test_who_wrote_the_sheets_is_seen():
    assert Package(Path("x"), zipped(GOOD, by_excel=True)).calculated_by_excel
    assert not Package(Path("x"), zipped(GOOD)).calculated_by_excel
    manual = workbook({"A1": ("=1+1", 2.0)}, by_excel=True, calculation='<calcPr calcMode="manual"/>')
    assert not Package(Path("x"), manual).calculated_by_excel
