"""New contents of a member come out the same whole or in pieces, and are refused when they do not inflate to themselves."""

from __future__ import annotations

import random
import zlib

import pytest

from recargos.workbook import packing
from recargos.workbook.archive import FAST, THOROUGH
from recargos.workbook.package import Package
from recargos.workbook.packing import packed
from recargos.workbook.refusal import Refused
from support.raw import workbook

SMALL = 1000


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(packing, "PIECE", SMALL)


@pytest.mark.parametrize("size", [0, 1, SMALL - 1, SMALL, SMALL + 1, 2 * SMALL, 2 * SMALL + 1, 40 * SMALL + 7])
@pytest.mark.parametrize("level", [None, FAST, THOROUGH])
def test_whole_or_in_pieces(size, level):
    pick = random.Random(size)
    content = bytes(pick.choices(b"<c><v>0123456789", k=size))
    cuts = sorted(pick.choices(range(size + 1), k=5))
    pieces = [content[a:b] for a, b in zip([0, *cuts], [*cuts, size], strict=True)]
    whole = packed(content, level)
    assert packed(iter(pieces), level) == whole
    assert (whole.crc, whole.size) == (zlib.crc32(content), size)
    assert (whole.data if level is None else zlib.decompress(whole.data, -15)) == content


@pytest.mark.parametrize("size", [SMALL // 2, 5 * SMALL])
@pytest.mark.parametrize("damage", ["other", "cut", "longer"])
def test_what_does_not_read_back_is_never_saved(size, damage, tmp_path, monkeypatch):
    deflated = packing._deflated

    def fails(raw, window, level, last):
        good = deflated(raw if damage != "other" else raw.replace(b"7", b"8"), window, level, last)
        return good if damage == "other" else good[:-3] if damage == "cut" else good + b"\0"

    path = tmp_path / "a.xlsx"
    path.write_bytes(workbook({"A1": 1.0}))
    old = path.read_bytes()
    package = Package.open(path)
    monkeypatch.setattr(packing, "_deflated", fails)
    with pytest.raises(Refused) as caught:
        package.save({package.sheets[0].part: b"<v>17</v>" * (size // 9)}, path)
    assert caught.value.kind == "corrupt"
    assert path.read_bytes() == old
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_while_the_pieces_are_made_is_told(tmp_path):
    def pieces():
        yield b"a" * 5 * SMALL
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        packed(pieces(), FAST)
