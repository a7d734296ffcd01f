"""Recalculation, file to file, against its peers: `python benchmarks/recalc.py [--rows 10000,100000] [--rounds 3] [-o FILE]`.

Makes rows × (4 PR_ + 3 native formulas) + totals, then runs, alternating in one go: recargos, LibreOffice headless with our Calc
add-in, openpyxl's bare load and save, and the floor (unzip, scan, re-deflate). Prints a Markdown table of medians, and of
the medians of each round's ratios. Read ratios: seconds depend on the machine and on what else it does.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from workbooks import make

HERE = Path(__file__).resolve().parent
OURS = "recargos"


@dataclass
class Contender:
    """One way to do it."""

    name: str
    command: list[str]
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    memory: int = 0
    """Peak of its largest process, MiB."""

    def run(self) -> None:
        """Once, in a process of its own."""
        started = time.perf_counter()
        # As installed programs run: with their modules compiled, which an installer does and some shells forbid.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
        assert process.stderr is not None
        said = process.stderr.read().decode(errors="replace")
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):  # 1: something is flagged
            raise SystemExit(f"{self.name} failed with {process.returncode}: {said[-2000:]}")
        self.wall.append(time.perf_counter() - started)
        self.cpu.append(used.ru_utime + used.ru_stime)
        self.memory = max(self.memory, used.ru_maxrss // (1024 if sys.platform == "linux" else 1024 * 1024))


def calc_spelling(formula: str) -> str:
    """A PR_ formula as every LibreOffice reads it: under the add-in's full name."""
    from recargos.calc import METHODS

    name, _, rest = formula.partition("(")
    return f"{METHODS[name].calc_name}({rest}"


def contenders(folder: Path, rows: int, *, office: bool) -> list[Contender]:
    """Make the data, and say how each one works on it."""
    source, for_calc, out = folder / f"{rows}.xlsx", folder / f"{rows}-calc.xlsx", folder / "out"
    out.mkdir(exist_ok=True)
    make(source, rows)
    peer = [sys.executable, str(HERE / "peers.py")]
    found = [
        Contender(
            OURS, [sys.executable, "-m", "recargos", "recalc", str(source), "--out", str(out), "--report-cells", "0"]
        ),
        Contender("floor", [*peer, "floor", str(source), str(out / "floor.xlsx")]),
        Contender("openpyxl", [*peer, "openpyxl", str(source), str(out / "openpyxl.xlsx")]),
    ]
    if office:
        make(for_calc, rows, calc_spelling)
        found.append(Contender("LibreOffice", [*peer, "libreoffice", str(for_calc), str(out / "calc.xlsx")]))
    return found


def warm_up(ours: Contender, folder: Path) -> None:
    """One run over ten rows, unmeasured, so that no run pays for compiling."""
    make(folder / "10.xlsx", 10)
    command = [str(folder / "10.xlsx") if part.endswith(".xlsx") else part for part in ours.command]
    Contender("warm-up", command).run()


def agree(folder: Path, rows: int) -> str:
    """Whether LibreOffice came to the same totals: a peer that computes something else measures nothing."""
    from openpyxl import load_workbook

    totals = []
    for name in (f"{rows}.xlsx", "calc.xlsx"):
        sheet = load_workbook(folder / "out" / name, data_only=True, read_only=True).worksheets[0]
        (row,) = sheet.iter_rows(min_row=rows + 2, max_row=rows + 2, min_col=6, max_col=10, values_only=True)
        totals.append([round(float(value), 2) for value in row])
    if totals[0] != totals[1]:
        raise SystemExit(f"recargos and LibreOffice disagree on the totals: {totals}")
    return "recargos and LibreOffice came to the same totals, " + ", ".join(f"{value:,.2f}" for value in totals[0])


def versions(office: bool) -> str:
    """What was measured."""
    named = [f"{name} {importlib.metadata.version(name)}" for name in ("recargos", "formualizer", "openpyxl")]
    if office:
        from recargos.office import find

        named.append(f"LibreOffice {find().version}")
    return ", ".join([*named, f"Python {platform.python_version()}", f"{os.cpu_count()} cores", platform.system()])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="10000,100000,300000", help="comma-separated")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-office", action="store_true")
    parser.add_argument("-o", "--output", type=Path, help="append the tables to this file too")
    options = parser.parse_args()
    office = not options.no_office and shutil.which("soffice") is not None
    lines = [f"## Recalculation, {date.today().isoformat()}", "", versions(office), ""]
    for rows in map(int, options.rows.split(",")):
        folder = Path(tempfile.mkdtemp(prefix="recargos-benchmark-"))
        try:
            running = contenders(folder, rows, office=office)
            warm_up(running[0], folder)
            for turn in range(options.rounds):
                for contender in running:
                    contender.run()
                    print(
                        f"{rows:,} rows, round {turn + 1}: {contender.name} {contender.wall[-1]:.2f} s", file=sys.stderr
                    )
            ours = running[0]
            size = (folder / f"{rows}.xlsx").stat().st_size / 1e6
            lines += [f"### {rows:,} rows ({size:.1f} MB, {7 * rows + 5:,} formulas), median of {options.rounds}", ""]
            lines += [
                "| | wall s | CPU s | peak MiB | wall ÷ recargos | recargos ÷ it |",
                "|---|---:|---:|---:|---:|---:|",
            ]
            for each in running:
                wall, cpu = statistics.median(each.wall), statistics.median(each.cpu)
                # The machine's own pace changes from minute to minute: each round is compared with itself.
                ratio = statistics.median(mine / its for mine, its in zip(ours.wall, each.wall, strict=True))
                lines.append(
                    f"| {each.name} | {wall:.2f} | {cpu:.2f} | {each.memory:,} | {1 / ratio:.2f} | {ratio:.2f} |"
                )
            lines += ["", *([agree(folder, rows) + ".", ""] if office else [])]
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    text = "\n".join(lines)
    print(text)
    if options.output:
        with options.output.open("a", encoding="utf-8") as file:
            file.write(text + "\n")


if __name__ == "__main__":
    if not hasattr(resource, "getrusage"):
        raise SystemExit("needs a system that counts a process's memory")
    main()
