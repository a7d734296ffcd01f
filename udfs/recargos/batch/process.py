"""One worker process: started at once, given one call at a time, ended when it takes too long."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from multiprocessing.connection import wait as wait_for
from typing import Any

GRACE = 3.0
"""Seconds that a worker gets to clean up after SIGTERM before it is killed."""
Ready = tuple[str, tuple[Any, ...]]
"""What a new worker does before its first call: "module:function" and the arguments."""


class TookTooLong(Exception):
    """A call was not done within its time; its process has been ended."""


class WorkerDied(Exception):
    """The process that worked on a call ended without an answer."""


class WorkerProcess:
    """A pool of one process, which ends with its parent, however that ends.

    In a pool of several, one that dies fails the calls of all, and one that hangs cannot be ended by itself.
    """

    def __init__(self, ready: Ready | None = None) -> None:
        """Raises :class:`WorkerDied` when no process can be started."""
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_begin, initargs=(ready,))
        try:
            with _without_interrupt():
                self._started = self._pool.submit(os.getpid)
        except OSError:
            raise WorkerDied from None

    @property
    def pid(self) -> int:
        """Waits until the process has begun. Raises :class:`WorkerDied`."""
        try:
            return self._started.result()
        except BrokenProcessPool:
            raise WorkerDied from None

    def call(self, fn: Callable[..., Any], args: Any, kwargs: Any, timeout: float | None) -> Any:
        """What `fn` returns or raises. After :class:`TookTooLong` or :class:`WorkerDied` the worker is of no use."""
        wait([self._started])  # its start is not the call's time
        try:
            future = self._pool.submit(fn, *args, **kwargs)
        except (BrokenProcessPool, RuntimeError):  # RuntimeError: it was let go
            raise WorkerDied from None
        if not wait([future], timeout).done:
            self.end(GRACE, future)
            raise TookTooLong
        try:
            return future.result()
        except (BrokenProcessPool, SystemExit):  # SystemExit: SIGTERM reached the worker
            raise WorkerDied from None

    def end(self, grace: float = 0.0, future: Future[Any] | None = None) -> None:
        """Ask the process to end, then make it. `future`: the call that it gets `grace` seconds to clean up after."""
        with contextlib.suppress(WorkerDied, ProcessLookupError, PermissionError):  # it has ended already
            os.kill(self.pid, signal.SIGTERM)
            deadline = time.monotonic() + grace
            while future is not None and not future.done() and time.monotonic() < deadline:
                time.sleep(0.05)
            os.kill(self.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        self._pool.shutdown(wait=False, cancel_futures=True)

    def let_go(self) -> None:
        """There will be no more calls: an idle worker ends."""
        self._pool.shutdown(wait=False)

    def wait(self) -> None:
        """Until it has ended, after :meth:`let_go` or :meth:`end`."""
        self._pool.shutdown(wait=True)


@contextlib.contextmanager
def _without_interrupt() -> Iterator[None]:
    """What is started meanwhile does not hear Ctrl-C, not even before it can say so itself."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ------------------------------------------------------------------------------------------------------- in the worker


def _begin(ready: Ready | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    signal.signal(signal.SIGTERM, _unwind)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()
    _keep_off_the_answer()
    if ready is not None:
        module, _, name = ready[0].partition(":")
        with contextlib.suppress(Exception):  # the first call will meet it again, and tell
            getattr(import_module(module), name)(*ready[1])


def _keep_off_the_answer() -> None:
    """Whatever prints here, or reads, does not disturb what the parent prints: a report as JSON."""
    with contextlib.suppress(OSError):  # a parent without a console has none of them
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)


def _unwind(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)  # lets engines end the programs that they started


def _follow(sentinel: int) -> None:
    wait_for([sentinel])
    os._exit(1)
