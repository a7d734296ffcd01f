"""Coverage-guided fuzzing of package.py and sheet.py, outside CI: `pip install atheris`, then

    python tests/fuzz/fuzz_workbook.py -max_total_time=600

The first byte of an input chooses a base workbook and a member; the rest replaces the member's contents, or the whole archive.
A crash is an assertion of `support.mutate.try_out` or anything but a refusal.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "udfs")]

with atheris.instrument_imports(include=["recargos.workbook"]):
    from recargos.workbook import archive, kinds, package, recalc, saving, scan_fast, scan_general, sheet  # noqa: F401
    from support.mutate import BASES, member, open_only, try_out, with_member


def one(data: bytes) -> None:
    if not data:
        return
    choice, content = data[0], data[1:]
    base = BASES[choice % len(BASES)]
    if choice & 0x80:
        open_only(content)
        try_out(content)
    else:
        try_out(with_member(base, choice // len(BASES), content))


def seeds(folder: Path) -> None:
    """The undamaged inputs, from which the fuzzer starts."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, base in enumerate(BASES):
        (folder / f"archive{number}").write_bytes(bytes([0x80 | number]) + base)
        for index in range(7):
            choice = number + len(BASES) * index
            (folder / f"part{number}-{index}").write_bytes(bytes([choice]) + member(base, index))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="recargos-fuzz-") as folder:
        seeds(Path(folder))
        atheris.Setup([*sys.argv, folder, "-max_len=20000"], one)
        atheris.Fuzz()
