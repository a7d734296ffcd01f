"""Ratios of one vectorised call over 10,000 rows to a call for every cell, under Wine: `python tests/windows/benchmark.py`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import wine


def ratios() -> dict[str, float]:
    """How many times cheaper a value is in one call over a column than in a call of its own."""
    output = wine.python([wine.windows_path(Path(__file__).parent / "inside/benchmark.py")], timeout=150)
    times = json.loads(output.strip().splitlines()[-1])
    column = times["one call, 10,000 values"]
    return {name: value / column for name, value in times.items()}


if __name__ == "__main__":
    wine.install()
    for name, ratio in ratios().items():
        print(f"{ratio:10.1f} × {name}")
