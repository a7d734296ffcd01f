"""The adapter between cells and law: `python benchmarks/adapter.py [--rows 10000] [--rounds 7]`.

A range of 10,000 cells through `cells.call`, for every function, as a ratio to a bare Python loop of `round(x * 0.05, 2)` over as
many numbers, alternating in one run. Also what it costs to start: `python -c pass`, the law, the command.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from recargos.cells import call
from recargos.law import Argument, Function
from recargos.statutes import FUNCTIONS

START = date(2025, 1, 1)


def column(argument: Argument, rows: int) -> Any:
    """A column of valid cells for an argument, or one value where the function takes a whole range or a text."""
    if argument.whole_range or argument.kind in ("text", "any"):
        return argument.example
    make: dict[str, Callable[[int], Any]] = {
        "money": lambda n: (100 + n * 7919 % 5_000_000) / 100,
        "days": lambda n: float(n * 31 % 150),
        "rate": lambda n: 0.25 + n % 25 / 100,
        "flag": lambda n: n % 7 == 0,
        "date": lambda n: START + timedelta(days=n % 300),
    }
    if argument.name == "basis":
        return 365
    return [[make[argument.kind](n)] for n in range(rows)]


def seconds(work: Callable[[], Any]) -> float:
    """How long it takes, once."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def arguments(function: Function, rows: int) -> list[Any]:
    """Its required arguments; dates of deadlines run on from each other."""
    return [column(argument, rows) for argument in function.arguments if not argument.optional]


def measure(function: Function, rows: int, rounds: int) -> tuple[float, float]:
    """Median ratio to the bare loop, and microseconds a cell."""
    given = arguments(function, rows)
    numbers = [(100 + n * 7919 % 5_000_000) / 100 for n in range(rows)]
    ratios, times = [], []
    for _ in range(rounds):
        bare = seconds(lambda: [round(number * 0.05, 2) for number in numbers])
        ours = seconds(lambda: call(function, given))
        ratios.append(ours / bare)
        times.append(ours / rows * 1e6)
    return statistics.median(ratios), statistics.median(times)


def startup(rounds: int) -> list[tuple[str, float]]:
    """Milliseconds to start, medians."""
    commands = {
        "python -c pass": ["-c", "pass"],
        "import recargos.statutes, recargos.cells": ["-c", "import recargos.statutes, recargos.cells"],
        "recargos calc PR_RETURNED_CHECK 500.20": ["-m", "recargos", "calc", "PR_RETURNED_CHECK", "500.20"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, words in commands.items():
            times[name].append(
                seconds(lambda words=words: subprocess.run([sys.executable, *words], check=True, capture_output=True))
            )  # type: ignore[misc]
    return [(name, statistics.median(each) * 1000) for name, each in times.items()]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    print(
        f"## The adapter, {date.today().isoformat()}\n\nPython {platform.python_version()}; {options.rows:,} cells a range, median of {options.rounds}\n"
    )
    print("| function | ratio to round(x * 0.05, 2) | µs a cell |\n|---|---:|---:|")
    for name, function in FUNCTIONS.items():
        if any(isinstance(value, list) for value in arguments(function, 2)) and function.result != "table":
            ratio, each = measure(function, options.rows, options.rounds)
            print(f"| {name} | {ratio:.1f} | {each:.2f} |")
    print("\n| start | ms |\n|---|---:|")
    for name, milliseconds in startup(options.rounds):
        print(f"| {name} | {milliseconds:.0f} |")


if __name__ == "__main__":
    main()
