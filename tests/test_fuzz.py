"""Damaged at random: refused or recalculated. Longer, guided by coverage: `python tests/fuzz/fuzz_workbook.py`."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.mutate import BASES, member, open_only, try_out, with_member

TOKENS = [
    b"<f>", b"</f>", b"<v>", b"</v>", b"<c>", b"</c>", b"<c/>", b"<f/>", b"<v/>", b"<row>", b"</row>", b"<is><t>", b"</sheetData>",
    b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<!DOCTYPE a>", b"<?pi?>", b"&amp;", b"&#0;", b"&x;", b"'", b'"', b">", b"<", b"/>", b"\0",
    b' t="e"', b' t="array" ref="A1:XFD9"', b' r="B1"', b' si="0"', b' xmlns=""', b"\xff\xfe", b"\xc3", b"9" * 400, b'"A1:C3"',
    b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x07", b"PK\x06\x06", b"\xff\xff\xff\xff", b"xl/workbook.xml",
]  # fmt: skip
EDIT = st.tuples(
    st.floats(0, 1, exclude_max=True),
    st.integers(0, 40),
    st.one_of(st.sampled_from(TOKENS), st.binary(max_size=8), st.just(b"")),
)
SLOW = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def edited(data: bytes, edits: list[tuple[float, int, bytes]]) -> bytes:
    for where, cut, put in edits:
        at = int(where * len(data))
        data = data[:at] + put + data[at + cut :]
    return data


@pytest.mark.parametrize("base", range(len(BASES)))
@SLOW
@given(data=st.data())
def test_archives_damaged_at_random(base, data):
    damaged = edited(BASES[base], data.draw(st.lists(EDIT, min_size=1, max_size=4)))
    open_only(damaged)
    try_out(damaged)


@pytest.mark.parametrize("base", range(len(BASES)))
@SLOW
@given(data=st.data())
def test_parts_damaged_at_random_in_a_sound_archive(base, data):
    number = data.draw(st.integers(0, 12))
    content = edited(member(BASES[base], number), data.draw(st.lists(EDIT, min_size=1, max_size=4)))
    try_out(with_member(BASES[base], number, content))


def test_the_undamaged_ones_are_recalculated():
    for base in BASES:
        assert try_out(base).status == "recalculated"
