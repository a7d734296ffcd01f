"""The same on LibreOffice 25.2, the one that people with .xlsx files need: from the backports of this Debian, in its own root."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from office import newer

HERE = Path(__file__).parent
FILES = ("test_calc_cases.py", "test_calc_host.py", "test_libreoffice_engine.py", "test_calc_templates.py")


@pytest.mark.skipif("RECARGOS_UNO_PYTHON" in os.environ, reason="these tests run on another LibreOffice already")
@pytest.mark.skipif(not newer.offered(), reason="this system's release offers no newer LibreOffice to root")
def test_everything_on_the_newer_release() -> None:
    root = Path(tempfile.gettempdir()) / "recargos-libreoffice-newer"
    newer.make(root)
    python = newer.python(root, HERE.parents[1])
    program = "import uno; print(open('/usr/lib/libreoffice/program/bootstraprc').read())"
    said = subprocess.run([str(python), "-c", program], capture_output=True, text=True, check=True).stdout
    assert "ProductKey=LibreOffice 25." in said
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-o", "norecursedirs=", *(str(HERE / name) for name in FILES)],
        capture_output=True,
        text=True,
        check=False,
        cwd=HERE.parents[1],
        env={**os.environ, "RECARGOS_UNO_PYTHON": str(python), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
