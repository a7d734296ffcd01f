"""The templates as .ods files for Calc, made by LibreOffice from ours.

LibreOffice before 25.2 does not know PR_ functions in .xlsx files, so a copy is opened in which they have the full
names under which every version knows them. `tests/office` opens each twin again: same formulas, same values.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape

from recargos.calc import METHODS
from recargos.office import Instance, OfficeError
from recargos.workbook.cellvalue import unescaped
from recargos.workbook.syntax import FormulaError, bare, tokens

TWINS = "ods"
RECORD = "made-from.json"
_FORMULA = re.compile(rb"(<(?:f|formula|formula1|formula2|definedName)(?:\s[^>]*)?>)([^<]*)(</)")
_FORMULA_PARTS = re.compile(r"xl/(?:worksheets/sheet[^/]*|workbook)\.xml")


def full_names(formula: str) -> str:
    """A formula with our functions under their full names: `PR_LATE_FILE(A1)` is `ORG.….PRLATEFILE(A1)`."""
    try:
        pieces = tokens(formula)
    except FormulaError:
        return formula
    texts = []
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        method = METHODS.get(bare(piece.text)) if piece.kind == "word" and following and following.text == "(" else None
        texts.append(method.calc_name if method else piece.text)
    return "".join(texts)


def _renamed(xml: bytes) -> bytes:
    def rename(match: re.Match[bytes]) -> bytes:
        text = unescaped(match[2].decode())
        if "PR_" not in text.upper():
            return match[0]
        return match[1] + escape(full_names(text)).encode() + match[3]

    return _FORMULA.sub(rename, xml)


def for_calc(source: Path, target: Path) -> None:
    """Copy an .xlsx file with our functions under their full names. For LibreOffice to open, not for people."""
    with zipfile.ZipFile(source) as given, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        for info in given.infolist():
            data = given.read(info)
            made.writestr(info.filename, _renamed(data) if _FORMULA_PARTS.fullmatch(info.filename) else data)


def to_ods(source: Path, target: Path, office: Instance) -> None:
    """Let a LibreOffice that has the add-in save the workbook `source` as `target` (.ods)."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / source.name
        for_calc(source, copy)
        office.ask("open", path=str(copy))
        target.parent.mkdir(parents=True, exist_ok=True)
        office.ask("store", path=str(target.resolve()))
        office.ask("close")


def sources(templates: Path) -> dict[str, str]:
    """What each twin must have been made from: its name, and the hash of the template."""
    return {
        f"{source.parent.name}/{source.stem}.ods": hashlib.sha256(source.read_bytes()).hexdigest()
        for source in sorted(templates.glob("??/*.xlsx"))
    }


def stale(templates: Path) -> list[str]:
    """Twins that are missing or were made from another template than the one that is there."""
    record = templates / TWINS / RECORD
    made: dict[str, str] = json.loads(record.read_text(encoding="utf-8")) if record.exists() else {}
    wanted = sources(templates)
    return [
        name for name, hash_ in wanted.items() if made.get(name) != hash_ or not (templates / TWINS / name).exists()
    ]


def build_twins(templates: Path, *, told: Callable[[str], None] = lambda _: None) -> list[Path]:
    """Make the .ods twins that are not up to date, beside the folders of the languages: `ods/es/…`, `ods/en/…`.

    :raises OfficeError: when there is no LibreOffice, or it fails.
    """
    names = stale(templates)
    made = []
    if names:
        with Instance() as office:
            for name in names:
                target = templates / TWINS / name
                to_ods((templates / name).with_suffix(".xlsx"), target, office)
                told(str(target))
                made.append(target)
    record = json.dumps(sources(templates), indent=1) + "\n"
    (templates / TWINS / RECORD).write_text(record, encoding="utf-8")
    return made


def main() -> int:
    """`python -m recargos.addin.calc_templates`: bring the twins up to date."""
    from recargos import shipped

    try:
        made = build_twins(shipped.path("workbook_templates"), told=print)
    except OfficeError as failed:
        print(failed, file=sys.stderr)
        return 3
    print(f"{len(made)} made" if made else "up to date", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
