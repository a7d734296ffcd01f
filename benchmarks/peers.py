"""What recalculation is measured against, each in a process of its own: `python peers.py NAME SOURCE TARGET`."""

from __future__ import annotations

import re
import sys
import zipfile
import zlib
from pathlib import Path


def libreoffice(source: Path, target: Path) -> None:
    """LibreOffice headless with the Calc add-in: start, open, recalculate all on load, store as .xlsx."""
    from recargos.office import Instance

    with Instance(timeout=1800.0) as office:
        office.ask("open", path=str(source.resolve()))
        office.ask("store", path=str(target.resolve()))


def openpyxl(source: Path, target: Path) -> None:
    """openpyxl, load and save: nothing is computed, and the cached results are lost."""
    import openpyxl as library

    library.load_workbook(source).save(target)


def floor(source: Path, target: Path) -> None:
    """What no tool that patches a workbook can go below: inflate, look at every cell, deflate again."""
    with zipfile.ZipFile(source) as archive, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as result:
        for member in archive.infolist():
            data = archive.read(member)
            cells = sum(1 for _ in re.finditer(rb'<c r="[A-Z]+\d+"[^>]*>(?:<f>([^<]*)</f>)?<v>([^<]*)</v>', data))
            if "sheet" in member.filename and not cells:
                raise SystemExit("no cells found: this measures nothing")
            zlib.crc32(data)
            result.writestr(member, data)


if __name__ == "__main__":
    {"libreoffice": libreoffice, "openpyxl": openpyxl, "floor": floor}[sys.argv[1]](
        Path(sys.argv[2]), Path(sys.argv[3])
    )
