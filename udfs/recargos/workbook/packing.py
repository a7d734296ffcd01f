"""The new contents of an archive's member, deflated on the other cores while they are still being made."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import NamedTuple

from zlib_ng import zlib_ng

from recargos.workbook.refusal import Refused, refused

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
    """Deflate with a level of zlib-ng's; None stores.

    What was deflated is read back and compared before it is returned, by the standard library's zlib: another program
    than the one that wrote it must be able to read it.

    A large content goes in pieces to several cores, each with the end of the one before as its dictionary.
    """
    crc = size = 0
    done: list[bytes | Future[bytes]] = []
    window = b""
    back = _ReadBack()
    with ExitStack() as leave:
        pool: ThreadPoolExecutor | None = None
        for raw, last in _pieces(content):
            crc, size = zlib.crc32(raw, crc), size + len(raw)
            if level is None:
                done.append(raw)
            elif last and pool is None:
                done.append(back.checked(_deflated(raw, window, level, last), raw, last))
            else:
                if pool is None:
                    pool, reader = ThreadPoolExecutor(os.cpu_count() or 1), ThreadPoolExecutor(1)
                    leave.callback(pool.shutdown, cancel_futures=True)
                    leave.callback(reader.shutdown, cancel_futures=True)
                deflated = pool.submit(_deflated, raw, window, level, last)
                done.append(reader.submit(back.checked, deflated, raw, last))
            window = raw[-_WINDOW:]
        return Packed(b"".join(each if isinstance(each, bytes) else each.result() for each in done), crc, size)


class _ReadBack:
    """Inflates one piece after the other of what was deflated."""

    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(-15)

    def checked(self, piece: bytes | Future[bytes], raw: bytes, last: bool) -> bytes:
        """The piece. :class:`~.refusal.Refused` if it does not become `raw` again."""
        piece = piece if isinstance(piece, bytes) else piece.result()
        inflate = self._inflate
        with suppress(zlib.error):
            if inflate.decompress(piece) == raw and inflate.eof == last and not inflate.unused_data:
                return piece
        raise unreadable()


def unreadable() -> Refused:
    """The refusal to keep what was written: it is not what it should be."""
    return refused(
        "corrupt",
        "The rewritten file does not read back. Nothing was changed.",
        "El archivo reescrito no se lee bien. No se cambió nada.",
    )


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
        deflate = zlib_ng.compressobj(level, zlib_ng.DEFLATED, -15, 8, zlib_ng.Z_DEFAULT_STRATEGY, window)
    else:
        deflate = zlib_ng.compressobj(level, zlib_ng.DEFLATED, -15)
    return deflate.compress(raw) + deflate.flush(zlib_ng.Z_FINISH if last else zlib_ng.Z_SYNC_FLUSH)
