"""Kill an in-place batch at random moments: every file is whole, old or new, and a rerun finishes the job.

`python tests/kill_batch.py [MOMENTS] [SEED]` runs as many moments as you like (200 for a release); CI runs a few of them
through test_kill.py.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from recargos.workbook.package import Package
from support.raw import workbook

FILES = 8
SERVER = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from recargos.workbook.recalc import recalc
from support.fake_engine import FakeEngine

def batch():
    engine = FakeEngine({f"A{n}": 5.0 for n in range(1, 41)})
    for path in sorted(Path(sys.argv[1]).glob("*.xlsx")):
        result = recalc(path, path, engine)
        if result.status not in ("recalculated", "unchanged"):
            return 1
    return 0

for line in sys.stdin:  # each line asks for a batch in a process of its own, which costs no start of Python
    child = os.fork()
    if child == 0:
        os._exit(batch())
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def fill(folder: Path) -> None:
    """Workbooks of a few dozen formulas, each different."""
    for number in range(FILES):
        contents: dict[str, object] = {f"A{n}": ("=PR_SURCHARGE(B1,C1)", 100.0 + number) for n in range(1, 41)}
        extra = {"xl/media/noise.bin": random.Random(number).randbytes(60_000)}
        (folder / f"client {number:02}.xlsx").write_bytes(workbook(contents, extra=extra))


class Batches:
    """Runs batches over a folder, one at a time, each in its own process."""

    def __init__(self, folder: Path) -> None:
        here = str(Path(__file__).parent)
        self.server = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(folder), here], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def start(self) -> int:
        """Begin one; its process id."""
        assert self.server.stdin is not None
        self.server.stdin.write("go\n")
        self.server.stdin.flush()
        return self._line()

    def end(self) -> int:
        """Wait for it to end; its exit code, negative for a signal."""
        return self._line()

    def close(self) -> None:
        """End the server."""
        self.server.communicate()

    def _line(self) -> int:
        assert self.server.stdout is not None
        return int(self.server.stdout.readline())


def run(moments: int, seed: int) -> dict[str, int]:
    """How many files were found old and new after a kill, over all the moments. Raises at the first that is neither."""
    moment = random.Random(seed)
    found = {"old": 0, "new": 0, "left behind": 0}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder)
        old = {path.name: path.read_bytes() for path in folder.glob("*.xlsx")}
        batches = Batches(folder)
        try:
            batches.start()
            began = time.perf_counter()
            assert batches.end() == 0
            whole = time.perf_counter() - began
            new = {path.name: digest(path) for path in folder.glob("*.xlsx")}
            assert all(hashlib.sha256(old[file]).hexdigest() != new[file] for file in old)
            for _ in range(moments):
                for file, content in old.items():
                    (folder / file).write_bytes(content)
                process = batches.start()
                time.sleep(moment.uniform(0, whole))
                with contextlib.suppress(ProcessLookupError):  # it may just have finished
                    os.kill(process, signal.SIGKILL)
                assert batches.end() in (-signal.SIGKILL, 0)
                for path in sorted(folder.glob("*.xlsx")):
                    Package.open(path).verify()
                    is_new = digest(path) == new[path.name]
                    assert is_new or path.read_bytes() == old[path.name], f"{path.name} is neither old nor new"
                    found["new" if is_new else "old"] += 1
                found["left behind"] += sum(path.suffix == ".tmp" for path in folder.iterdir())
                batches.start()
                assert batches.end() == 0
                assert {path.name: digest(path) for path in folder.iterdir()} == new, "the rerun left the job undone"
        finally:
            batches.close()
    return found


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print(count, "moments:", run(count, int(sys.argv[2]) if len(sys.argv) > 2 else 1))
