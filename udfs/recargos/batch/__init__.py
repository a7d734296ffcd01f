"""Many workbooks: found in folders, given targets, worked on by any `concurrent.futures` executor.

One bad file never stops the rest, whatever it does: a refusal, a crash of the worker, no memory, no end.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recargos.batch.executors import Dask, LocalProcesses
    from recargos.batch.files import Job, Misused, Plan, plan
    from recargos.batch.loop import run
    from recargos.batch.work import Setup

__all__ = ["Dask", "Job", "LocalProcesses", "Misused", "Plan", "Setup", "plan", "run"]
_PLACES = {
    "Dask": "executors", "LocalProcesses": "executors", "Job": "files", "Misused": "files", "Plan": "files",
    "plan": "files", "run": "loop", "Setup": "work",
}  # fmt: skip


def __getattr__(name: str) -> object:
    """Each from its file, loaded only now: a worker must not wait for what only its parent needs."""
    if name not in _PLACES:
        raise AttributeError(name)
    value = globals()[name] = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    return value
