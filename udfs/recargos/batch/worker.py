"""The worker's side of :mod:`.process`: a script that carries out one call after another until its parent lets go.

It is run by its path and imports nothing of recargos before the parent has said where that lies.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import struct
import sys
import threading
from importlib import import_module
from queue import SimpleQueue
from typing import Any, BinaryIO

LENGTH = struct.Struct("!Q")
"""In front of each message: how many bytes it has."""


def send(pipe: BinaryIO, message: bytes) -> None:
    """Write one message. Raises OSError when the other side is gone."""
    pipe.write(LENGTH.pack(len(message)))
    pipe.write(message)
    pipe.flush()


def receive(pipe: BinaryIO) -> bytes | None:
    """Read one message; None when the other side is gone, if need be in the middle of it."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    message = pipe.read(length)
    return message if len(message) == length else None


class _Calls:
    """The calls that the parent sends. When it is gone in the middle of one, so is this process."""

    def __init__(self, pipe: BinaryIO) -> None:
        self._pipe = pipe
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._open = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while (message := receive(self._pipe)) is not None:
            self._open += 1
            self._queue.put(message)
        if self._open:
            os._exit(1)
        self._queue.put(None)

    def next(self) -> bytes | None:
        """The next one; None when there will be no more."""
        return self._queue.get()

    def answered(self) -> None:
        """The last one is done."""
        self._open -= 1


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output, taken away from whatever else reads or prints in this process or is started by it."""
    calls, answers = os.dup(0), os.dup(1)  # not inherited: a program that outlives us must not hold them open
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # a parent without a console has no standard error
        os.dup2(nothing, 1)
    os.close(nothing)
    return os.fdopen(calls, "rb"), os.fdopen(answers, "wb")


def _unwind(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)  # lets engines end the programs that they started


def _answer(message: bytes) -> bytes:
    try:
        function, arguments, named = pickle.loads(message)  # noqa: S301 - from our own parent
        return pickle.dumps((True, function(*arguments, **named)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        try:
            return pickle.dumps((False, error), pickle.HIGHEST_PROTOCOL)
        except Exception:
            return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")), pickle.HIGHEST_PROTOCOL)


def _prepare(function: str, arguments: tuple[Any, ...]) -> None:
    module, _, name = function.partition(":")
    with contextlib.suppress(Exception):  # the first call will meet it again, and tell
        getattr(import_module(module), name)(*arguments)


def main() -> None:
    """Work until there is no more to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    signal.signal(signal.SIGTERM, _unwind)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    pipe, answers = _own_pipes()
    calls = _Calls(pipe)
    first = calls.next()
    if first is None:
        return
    sys.path[:], prepare = pickle.loads(first)  # noqa: S301 - from our own parent
    if prepare is not None:
        _prepare(*prepare)
    calls.answered()
    while (message := calls.next()) is not None:
        answer = _answer(message)
        calls.answered()
        try:
            send(answers, answer)
        except OSError:
            return


if __name__ == "__main__":
    main()
