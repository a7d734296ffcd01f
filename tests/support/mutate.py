"""Workbooks damaged at random, and what must hold of each: refused or recalculated, never a traceback, never a loss."""

from __future__ import annotations

import contextlib
import io
import tempfile
import zipfile
from pathlib import Path

from recargos.workbook.package import Limits, Package
from recargos.workbook.recalc import FileResult, Options, recalc
from recargos.workbook.refusal import Refused
from support.fake_engine import FakeEngine
from support.raw import parts, sheet_xml, without_values, zipped

LIMITS = Limits(
    file_bytes=1 << 20, member_bytes=1 << 22, total_bytes=1 << 23, ratio=200, ratio_floor=1 << 16, members=200
)
SHEET = sheet_xml(
    '<row r="1" spans="1:3"><c r="A1" s="1"><v>1</v></c><c r="B1"><f>PR_SURCHARGE(A1,31)</f><v>0</v></c>'
    '<c r="C1" t="str"><f>IF(B1&gt;1,"a &amp; b","")</f><v>x</v></c></row>'
    '<row r="2"><c r="A2" t="inlineStr"><is><t>two</t></is></c><c r="B2"><f t="shared" ref="B2:B3" si="0">A2*2</f><v>4</v></c></row>'
    '<row r="3"><c r="B3"><f t="shared" si="0"/><v>6</v></c><c r="C3" cm="1" vm="1" t="e"><f t="array" ref="C3:C4">PR_LEDGER(A1,B1)</f><v>#VALUE!</v></c></row>'
    '<row r="4"><c r="C4"/><c r="D4"><f t="dataTable" ref="D4:D5" dt2D="0" dtr="0" r1="A1"/><v>5</v></c></row>'
    '<row r="5"><c r="D5"><v>6</v></c><c r="E5" t="b"><f>TODAY()&gt;B1</f><v/></c></row>',
    tail='<mergeCells count="1"><mergeCell ref="F1:G2"/></mergeCells>',
)
GENERAL = SHEET.replace("<c r=", "<c  r=").replace("<v>6</v>", "<v><![CDATA[6]]></v>").replace('t="str"', "t='str'")
PREFIXED = (
    SHEET.replace("<", "<x:")
    .replace("<x:/", "</x:")
    .replace("<x:?", "<?")
    .replace("xmlns=", "xmlns:x=")
    .replace("<x:?", "<?")
)
BASES = [
    zipped(parts([("Data", SHEET), ("Año", GENERAL)], names='<definedName name="Rate">Data!$A$1</definedName>')),
    zipped(parts([("P", PREFIXED)], properties='<workbookPr date1904="1"/>'), by_excel=True),
    zipped(parts([("U", SHEET.replace('encoding="UTF-8"', 'encoding="UTF-16"').encode("utf-16"))])),
]
VALUES = {"B1": 5.0, "C1": "a & b", "B2": 9.0, "C3": 1.0, "C4": 2.0, "E5": True}


def with_member(base: bytes, number: int, content: bytes) -> bytes:
    """A base with the contents of one member exchanged, the archive itself sound."""
    with zipfile.ZipFile(io.BytesIO(base)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members[list(members)[number % len(members)]] = content
    return zipped(members)


def member(base: bytes, number: int) -> bytes:
    """The contents of one member."""
    with zipfile.ZipFile(io.BytesIO(base)) as archive:
        names = archive.namelist()
        return archive.read(names[number % len(names)])


def try_out(data: bytes) -> FileResult:
    """Recalculate a damaged workbook in place and check all that must hold."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "x.xlsx"
        path.write_bytes(data)
        result = recalc(path, path, FakeEngine(VALUES), options=Options(everything=True, limits=LIMITS))
        assert result.kind != "defect", result.reason
        assert [each.name for each in path.parent.iterdir()] == ["x.xlsx"]
        new = path.read_bytes()
        if result.status in ("refused", "failed"):
            assert result.reason is not None
            assert result.reason.en
            assert new == data
            return result
        if result.status == "unchanged":
            assert new == data
        before, after = Package(path, data, LIMITS), Package(path, new, LIMITS)
        assert before.members == after.members
        sheets = {sheet.part for sheet in before.sheets}
        for part in before.members:
            old, fresh = before.read(part), after.read(part)
            if old != fresh:
                assert part in sheets
                assert _alike(old, fresh)
        return result


def _alike(old: bytes, new: bytes) -> bool:
    """Equal but for cached values, as far as a strict parser reads the old one."""
    from lxml import etree

    try:
        wanted = without_values(old)
    except (etree.LxmlError, ValueError, IndexError, TypeError):
        return True
    return without_values(new) == wanted


def open_only(data: bytes) -> None:
    """Opening alone: refused or opened, and everything in it readable or refused."""
    with contextlib.suppress(Refused):
        package = Package(Path("x.xlsx"), data, LIMITS)
        package.verify()
        for part in package.members:
            package.read(part)
            package.relationships(part)
