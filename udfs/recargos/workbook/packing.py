"""The new contents of an archive's member, deflated on the other cores while they are still being made."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

Content = bytes | Iterator[bytes]
"""Whole, or in pieces that are taken once."""
PIECE, _WINDOW = 4 << 20, 32 << 10


class Packed(NamedTuple):
    """A member's data with what its headers say of it."""

    data: bytes
    crc: int
    size: int
    """Unpacked."""


def packed(content: Content, level: int | None) -> Packed:
    """Deflate with a level of zlib's; None stores.

    A large content goes in pieces to several cores, each with the end of the one before as its dictionary.
    """
    crc = size = 0
    done: list[bytes | Future[bytes]] = []
    window = b""
    pool: ThreadPoolExecutor | None = None
    try:
        for raw, last in _pieces(content):
            crc, size = zlib.crc32(raw, crc), size + len(raw)
            if level is None:
                done.append(raw)
            elif last and pool is None:
                done.append(_deflated(raw, window, level, last))
            else:
                pool = pool or ThreadPoolExecutor(os.cpu_count() or 1)
                done.append(pool.submit(_deflated, raw, window, level, last))
            window = raw[-_WINDOW:]
        return Packed(b"".join(each if isinstance(each, bytes) else each.result() for each in done), crc, size)
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)


def _pieces(content: Content) -> Iterator[tuple[bytes, bool]]:
    """The content in pieces of one size, and whether it is the last."""
    if isinstance(content, bytes):
        for at in range(0, max(len(content), 1), PIECE):
            yield content[at : at + PIECE], at + PIECE >= len(content)
        return
    held: list[bytes] = []
    size = 0
    for part in content:
        held.append(part)
        size += len(part)
        if size > PIECE:
            joined = b"".join(held)
            whole = (size - 1) // PIECE * PIECE  # the last piece is never empty
            for at in range(0, whole, PIECE):
                yield joined[at : at + PIECE], False
            held, size = [joined[whole:]], size - whole
    yield b"".join(held), True


def _deflated(raw: bytes, window: bytes, level: int, last: bool) -> bytes:
    if window:
        deflate = zlib.compressobj(level, zlib.DEFLATED, -15, 8, zlib.Z_DEFAULT_STRATEGY, window)
    else:
        deflate = zlib.compressobj(level, zlib.DEFLATED, -15)
    return deflate.compress(raw) + deflate.flush(zlib.Z_FINISH if last else zlib.Z_SYNC_FLUSH)
