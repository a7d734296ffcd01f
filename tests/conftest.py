"""Hypothesis: the same examples on every CI run, fresh ones at a developer's desk; never a timed example."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("desk", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "desk")
