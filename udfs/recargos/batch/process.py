"""One worker process: started at once, given calls, ended when it takes too long.

The standard library's pools need four times as long to start one: they import this program's main module anew, and
bring a second process of their own.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from recargos.batch import worker

GRACE = 3.0
"""Seconds that a worker gets to clean up after SIGTERM before it is killed."""
Ready = tuple[str, tuple[Any, ...]]
"""What a new worker does before its first call: "module:function" and the arguments."""


class TookTooLong(Exception):
    """A call was not done within its time; its process has been ended."""


class WorkerDied(Exception):
    """The process that worked on a call ended without an answer."""


class WorkerProcess:
    """A Python process that does one call at a time. It ends with its parent, however that ends."""

    def __init__(self, ready: Ready | None = None) -> None:
        """Raises :class:`WorkerDied` when no process can be started."""
        try:
            with _without_interrupt():
                self._process = subprocess.Popen(
                    _command(),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # Windows: no Ctrl-C
                )
        except OSError:
            raise WorkerDied from None
        self.pid = self._process.pid
        self._overdue = False
        with contextlib.suppress(OSError):  # it has died already: the first call will tell
            worker.send(self._calls, pickle.dumps((sys.path, ready)))

    @property
    def _calls(self) -> BinaryIO:
        return cast("BinaryIO", self._process.stdin)

    @property
    def _answers(self) -> BinaryIO:
        return cast("BinaryIO", self._process.stdout)

    def call(self, fn: Callable[..., Any], args: Any, kwargs: Any, timeout: float | None) -> Any:
        """What `fn` returns or raises. After :class:`TookTooLong` or :class:`WorkerDied` the worker is of no use."""
        message = pickle.dumps((fn, args, kwargs), pickle.HIGHEST_PROTOCOL)
        watch = threading.Timer(timeout, self._stop) if timeout is not None else None
        if watch is not None:
            watch.daemon = True
            watch.start()
        try:
            worker.send(self._calls, message)
            answer = worker.receive(self._answers)
        except (OSError, ValueError):  # ValueError: the pipe was closed under our feet
            answer = None
        finally:
            if watch is not None:
                watch.cancel()
        if self._overdue:
            raise TookTooLong
        if answer is None:
            raise WorkerDied
        done, result = pickle.loads(answer)  # noqa: S301 - from our own child
        if done:
            return result
        raise result

    def _stop(self) -> None:
        self._overdue = True
        self.end(GRACE)

    def end(self, grace: float = 0.0) -> None:
        """Ask the process to end, then make it."""
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(grace)
        self._process.kill()
        self._process.wait()

    def let_go(self) -> None:
        """There will be no more calls: an idle worker ends."""
        with contextlib.suppress(OSError):
            self._calls.close()

    def wait(self) -> None:
        """Until it has ended, after :meth:`let_go` or :meth:`end`."""
        self._process.wait()
        self._answers.close()


def _command() -> list[str]:
    # -P: the folder of the script holds names like run.py, the current one a client's files
    safe = ["-I"] if sys.flags.isolated else ["-P"]
    return [sys.executable, *safe, "-X", f"utf8={sys.flags.utf8_mode}", os.fspath(Path(worker.__file__))]


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
