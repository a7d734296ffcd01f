"""Many workbooks: found in folders, given targets, worked on by any `concurrent.futures` executor.

One bad file never stops the rest, whatever it does: a refusal, a crash of the worker, no memory, no end.
"""

from recargos.batch.executors import Dask, LocalProcesses
from recargos.batch.files import Job, Misused, Plan, plan
from recargos.batch.run import Setup, run

__all__ = ["Dask", "Job", "LocalProcesses", "Misused", "Plan", "Setup", "plan", "run"]
