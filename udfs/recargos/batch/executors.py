"""Where the work is done: local processes by default, a Dask cluster on request."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait as wait_for
from typing import Any

GRACE = 3.0
"""Seconds that a worker gets to clean up after SIGTERM before it is killed."""


class TookTooLong(Exception):
    """A call was not done within its time; its process has been ended."""


class WorkerDied(Exception):
    """The process that worked on a call ended without an answer."""


def _ready() -> None:
    """In a new worker: Ctrl-C is the parent's business, SIGTERM unwinds the stack, no worker outlives its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _unwind)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _unwind(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)  # lets engines end the programs that they started


def _follow(sentinel: int) -> None:
    wait_for([sentinel])
    os._exit(1)


class _Lane:
    """One worker process, replaced when it has died or had to be ended."""

    def __init__(self) -> None:
        self.pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_ready)
        self.pid: int = self.pool.submit(os.getpid).result()

    def end(self, future: Future[Any] | None = None) -> None:
        """Ask the process to end, then make it."""
        self._signal(signal.SIGTERM)
        deadline = time.monotonic() + GRACE
        while future is not None and not future.done() and time.monotonic() < deadline:
            time.sleep(0.05)
        self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        self.pool.shutdown(wait=False, cancel_futures=True)

    def _signal(self, number: int) -> None:
        try:
            os.kill(self.pid, number)
        except (ProcessLookupError, PermissionError):  # it has ended already; on Windows that is a refused access
            return


class LocalProcesses(Executor):
    """`jobs` processes, each its own pool: one that crashes or takes too long costs only the call that it worked on.

    A `ProcessPoolExecutor` of several workers fails every call under way when one of them dies, and cannot end one
    that hangs.
    """

    def __init__(self, jobs: int, *, timeout: float | None = None) -> None:
        self.jobs = jobs
        self.timeout = timeout
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="recargos-lane")
        self._mine = threading.local()
        self._lanes: set[_Lane] = set()
        self._lock = threading.Lock()
        self._closed = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call `fn` in a worker process; the future may raise :class:`WorkerDied` or :class:`TookTooLong`."""
        return self._threads.submit(self._call, fn, args, kwargs)

    def _lane(self) -> _Lane:
        lane: _Lane | None = getattr(self._mine, "lane", None)
        if lane is None:
            lane = self._mine.lane = _Lane()
            with self._lock:
                self._lanes.add(lane)
                closed = self._closed
            if closed:
                lane.end()
        return lane

    def _drop(self, lane: _Lane, future: Future[Any] | None = None) -> None:
        self._mine.lane = None
        with self._lock:
            self._lanes.discard(lane)
        lane.end(future)

    def _call(self, fn: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        if self._closed:
            raise CancelledError
        try:
            lane = self._lane()
        except BrokenProcessPool:
            raise self._lost() from None
        try:
            future = lane.pool.submit(fn, *args, **kwargs)
            return future.result(self.timeout)
        except TimeoutError:
            if future.done():
                raise
            self._drop(lane, future)
            raise TookTooLong from None
        except (BrokenProcessPool, RuntimeError) as error:  # RuntimeError: the pool was shut down under our feet
            if not isinstance(error, BrokenProcessPool) and not self._closed:
                raise
            self._drop(lane)
            raise self._lost() from None
        except SystemExit:  # SIGTERM reached the worker
            raise self._lost() from None

    def _lost(self) -> Exception:
        """What a call raises whose process is gone."""
        return CancelledError() if self._closed else WorkerDied()

    def kill(self) -> None:
        """End every worker now; calls under way raise `CancelledError`."""
        with self._lock:
            self._closed = True
            lanes = list(self._lanes)
        for lane in lanes:
            lane.end()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """As in the standard library."""
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)
        with self._lock:
            self._closed = True
            lanes, self._lanes = self._lanes, set()
        for lane in lanes:
            lane.pool.shutdown(wait=wait)


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
