"""What one value costs through the whole chain: a call a cell, a call a cell with Range objects, one call a column.

Run under Wine by `python tests/windows/benchmark.py`. The three alternate in one process; only the ratios mean anything,
since Wine's times say nothing about Excel's.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(os.environ["RECARGOS_ROOT"], "tests")), str(Path(__file__).parent)]
import excel_standin  # noqa: E402
import server  # noqa: E402

ROWS, ROUNDS, CALLS = 10_000, 3, 80


def measure() -> dict[str, float]:
    """Microseconds for one value, by way of calling: the median of the rounds."""
    book = excel_standin.Workbook(excel_standin.Application(), r"C:\work\recargos.xlam")
    sheet = book.sheets.all[0]
    python = server.activate()
    column = tuple((n * 1.37,) for n in range(ROWS))
    cell, cells = excel_standin.Range(sheet, 500.2), excel_standin.Range(sheet, column)

    def call(argument: Any) -> Any:
        return python.CallUDF("recargos.excel", "PR_FRAUD", (argument, server.MISSING, False), book.com, None)

    ways: dict[str, tuple[Callable[[], Any], int, int]] = {
        "a call a cell, value": (lambda: call(500.2), CALLS, 1),
        "a call a cell, Range": (lambda: call(cell.com), CALLS // 10, 1),
        "one call, 10,000 values": (lambda: call(column), 1, ROWS),
        "one call, Range of 10,000": (lambda: call(cells.com), 1, ROWS),
    }
    for way, _, _ in ways.values():
        way()
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, (way, calls, values) in ways.items():
            start = time.perf_counter()
            for _ in range(calls):
                way()
            times[name].append((time.perf_counter() - start) / calls / values * 1e6)
    return {name: statistics.median(measured) for name, measured in times.items()}


if __name__ == "__main__":
    print(json.dumps(measure()), flush=True)
    os._exit(0)
