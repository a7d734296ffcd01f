"""From openpyxl's output to the file that is delivered: fixed dates, no recalculation on opening, true cached values."""

from __future__ import annotations

import io
import re
import tempfile
import zipfile
from pathlib import Path

from openpyxl import Workbook
from openpyxl.workbook.properties import CalcProperties

_MOMENT = (1980, 1, 1, 0, 0, 0)
_DATES = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*(</dcterms:)")
CALC_ID = 191029
"""Version of Excel's calculation since 2019. An older number would make Excel recalculate, and without the add-in show #NAME?."""


def write(workbook: Workbook) -> bytes:
    """The workbook as a package whose bytes depend on nothing but its content."""
    workbook.calculation = CalcProperties(calcId=CALC_ID, fullCalcOnLoad=False)
    buffer = io.BytesIO()
    workbook.save(buffer)
    return pack(dict(_members(buffer.getvalue())))


def _members(data: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return [(name, _fixed(name, package.read(name))) for name in package.namelist()]


def _fixed(name: str, data: bytes) -> bytes:
    if name == "docProps/core.xml":
        return _DATES.sub(rb"\g<1>2020-01-01T00:00:00Z\g<3>", data)
    return data


def pack(members: dict[str, bytes]) -> bytes:
    """A zip with fixed dates, content types first as Office writes them."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as package:
        for name in sorted(members, key=lambda n: (n != "[Content_Types].xml", n != "_rels/.rels", n)):
            info = zipfile.ZipInfo(name, _MOMENT)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            package.writestr(info, members[name])
    return buffer.getvalue()


def computed(data: bytes) -> bytes:
    """The same workbook with the value of every formula in its cell."""
    from recargos.workbook.formualizer_engine import FormualizerEngine
    from recargos.workbook.recalc import Options, recalc

    with tempfile.TemporaryDirectory(prefix="recargos-") as folder:
        path = Path(folder) / "template.xlsx"
        path.write_bytes(data)
        outcome = recalc(path, path, FormualizerEngine(), options=Options(everything=True, explain_cells=0))
        wrong = [c for c in outcome.cells if c.status in ("stale", "unsupported")]
        if outcome.status not in ("recalculated", "unchanged") or wrong:
            shown = "; ".join(f"{c.sheet}!{c.cell}: {c.reason.en}" for c in wrong[:5])
            raise RuntimeError(f"the template could not be computed: {outcome.reason.en if outcome.reason else shown}")
        with zipfile.ZipFile(path) as package:
            return pack({name: package.read(name) for name in package.namelist()})
