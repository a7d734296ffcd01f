"""A plan carried out: every job becomes a result, whatever happens to it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait

from recargos.batch.files import Job
from recargos.batch.process import TookTooLong, WorkerDied
from recargos.batch.work import Setup, defect, failed, work
from recargos.law import T
from recargos.workbook.result import FileResult

__all__ = ["interrupted", "run"]


def _failed(job: Job, error: BaseException) -> FileResult:
    if isinstance(error, TookTooLong):
        return failed(
            job,
            "timeout",
            T("It was not done within --timeout and was stopped.", "No terminó dentro de --timeout y se detuvo."),
        )
    if isinstance(error, WorkerDied):
        return failed(
            job,
            "crashed",
            T(
                "The process that worked on it ended unexpectedly, perhaps for lack of memory.",
                "El proceso que lo trabajaba terminó inesperadamente, quizás por falta de memoria.",
            ),
        )
    if isinstance(error, (CancelledError, KeyboardInterrupt, SystemExit)):
        return interrupted(job)
    return defect(job, error)


def interrupted(job: Job) -> FileResult:
    """The result of a file that the user did not wait for."""
    return failed(job, "interrupted", T("Not done: the run was stopped.", "Sin hacer: se detuvo la corrida."))


def run(
    jobs: Sequence[Job],
    setup: Setup,
    executor: Executor,
    *,
    stop: threading.Event | None = None,
    ahead: int = 1000,
    do: Callable[[Job, Setup], FileResult] = work,
    meanwhile: Callable[[], object] | None = None,
) -> Iterator[tuple[int, FileResult]]:
    """Results in the order in which they come, each with the index of its job.

    At most `ahead` jobs are handed to the executor at a time. Once `stop` is set no further file is begun: those under
    way are finished, the others come back as not done. `meanwhile` is called once, when the first jobs are under way.
    """
    stop = stop or threading.Event()
    pending: dict[Future[FileResult], int] = {}
    coming = iter(range(len(jobs)))
    while True:
        while not stop.is_set() and len(pending) < ahead and (index := next(coming, None)) is not None:
            try:
                pending[executor.submit(do, jobs[index], setup)] = index
            except RuntimeError as error:  # a pool that has broken down takes no more work
                yield index, _failed(jobs[index], error)
        if not pending:
            break
        if meanwhile is not None:
            meanwhile()
            meanwhile = None
        done, _ = wait(pending, timeout=0.5, return_when=FIRST_COMPLETED)
        if stop.is_set():
            for future in pending:
                future.cancel()
        for future in done:
            index = pending.pop(future)
            if future.cancelled():
                yield index, interrupted(jobs[index])
            elif (problem := future.exception()) is not None:
                yield index, _failed(jobs[index], problem)
            else:
                yield index, future.result()
    for index in coming:
        yield index, interrupted(jobs[index])
