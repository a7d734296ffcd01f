"""Where the work is done: local processes by default, a Dask cluster on request."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from typing import Any

from recargos.batch.process import Ready, TookTooLong, WorkerDied, WorkerProcess

__all__ = ["Dask", "LocalProcesses", "TookTooLong", "WorkerDied"]


class LocalProcesses(Executor):
    """`jobs` processes, each on its own: one that crashes or takes too long costs only the call that it worked on.

    A `ProcessPoolExecutor` of several workers fails every call under way when one of them dies, and cannot end one
    that hangs.
    """

    def __init__(
        self,
        jobs: int,
        *,
        timeout: float | None = None,
        ready: Ready | None = None,
        started: Iterable[WorkerProcess] = (),
    ) -> None:
        """`ready`: what each worker does first. `started`: workers that have been started already."""
        self.jobs = jobs
        self.timeout = timeout
        self._ready = ready
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="recargos-lane")
        self._mine = threading.local()
        self._idle = list(started)
        self._workers = set(self._idle)
        self._busy: set[WorkerProcess] = set()
        self._leaving: set[WorkerProcess] = set()
        self._lock = threading.Lock()
        self._closed = self._killed = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call `fn` in a worker process; the future may raise :class:`WorkerDied` or :class:`TookTooLong`."""
        return self._threads.submit(self._call, fn, args, kwargs)

    def _begin(self) -> WorkerProcess:
        """The calling thread's own worker, marked as busy."""
        worker: WorkerProcess | None = getattr(self._mine, "worker", None)
        with self._lock:
            if worker not in self._workers:  # none yet, or let go
                worker = self._idle.pop() if self._idle else None
            if worker is not None:
                self._busy.add(worker)
        if worker is None:
            worker = WorkerProcess(self._ready)
            with self._lock:
                self._workers.add(worker)
                self._busy.add(worker)
        self._mine.worker = worker
        if self._killed:
            worker.end()
        return worker

    def _done(self, worker: WorkerProcess, of_use: bool) -> None:
        with self._lock:
            self._busy.discard(worker)
            leaves = self._closed or not of_use
            if leaves:
                self._workers.discard(worker)
                self._leaving.add(worker)
        if leaves:
            worker.let_go()
        if not of_use:
            worker.end()
            worker.wait()

    def _call(self, fn: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        if self._killed:
            raise CancelledError
        worker = self._begin()
        of_use = True
        try:
            return worker.call(fn, args, kwargs, self.timeout)
        except (TookTooLong, WorkerDied):
            of_use = False
            if self._killed:
                raise CancelledError from None
            raise
        finally:
            self._done(worker, of_use)

    def kill(self) -> None:
        """End every worker now; calls under way raise `CancelledError`."""
        with self._lock:
            self._closed = self._killed = True
            workers = list(self._workers)
        for worker in workers:
            worker.end()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """As in the standard library."""
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)
        with self._lock:
            self._closed = True
            self._idle.clear()
            self._leaving |= self._workers - self._busy
            self._workers &= self._busy
            leaving = list(self._leaving)
        for worker in leaving:
            worker.let_go()
        for worker in leaving if wait else ():
            worker.wait()


class Dask(Executor):
    """A Dask cluster. Its workers need recargos installed and the same paths to the same files."""

    def __init__(self, address: str) -> None:
        import distributed

        library: Any = distributed  # it carries no types
        self._client = library.Client(address)
        self._executor: Executor = self._client.get_executor()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """As in the standard library."""
        return self._executor.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """As in the standard library; leaves the cluster."""
        self._executor.shutdown(wait=wait and not cancel_futures)  # it knows no cancel_futures
        self._client.close()
