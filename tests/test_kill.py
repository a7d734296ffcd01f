"""kill -9 in the middle of a batch costs nobody a file. More moments: `python tests/kill_batch.py 200`."""

from __future__ import annotations

import sys

import pytest

from kill_batch import FILES, run


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_every_file_is_whole_and_a_rerun_finishes():
    moments = 20
    found = run(moments, seed=20251130)
    assert found["old"] + found["new"] == moments * FILES
    assert found["old"] > 0
    assert found["new"] > 0
