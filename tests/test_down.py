"""A function down a column gives what it gives row by row, notices included, whatever the rows hold."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

import pytest

from recargos.cells import OMITTED, exactly, prepared
from recargos.down import Columns
from recargos.law import CellError
from recargos.statutes import FUNCTIONS

ORDINARY = [
    0.0,
    1.0,
    30.0,
    31.0,
    60.0,
    61.0,
    90.0,
    91.0,
    500.0,
    500.2,
    10_000.0,
    10_000.01,
    0.07,
    2024.0,
    45_000.0,
    0.1 + 0.2,
]
ODD = [
    None, OMITTED, -5.0, 1e15, 123456789012345.6, float("nan"), float("inf"), -0.0, 61.5, True, False, "", "abc", "25%",
    "$1,234.50", "(5)", "2025-03-04", CellError.REF, CellError.NA, date(2025, 3, 4), Decimal("12.34"), 7,
]  # fmt: skip


def one_by_one(function, columns):
    told, said = {}, []
    one = prepared(function, notice=lambda *notice: said.append(notice))
    values = []
    with exactly():
        for row, arguments in enumerate(zip(*columns, strict=True)):
            values.append(one(*arguments))
            if said:
                told[row] = tuple(said)
                said.clear()
    return values, told


@pytest.mark.parametrize("name", [f.name for f in FUNCTIONS.values() if f.arguments and not f.explains])
@pytest.mark.parametrize("odd", [0.0, 0.0005, 0.2])
def test_a_column_is_its_rows(name, odd):
    function = FUNCTIONS[name]
    rng = random.Random(f"{name} {odd}")
    for count in {max(function.required, 1), len(function.arguments)}:
        columns = [
            [rng.choice(ODD if rng.random() < odd else ORDINARY) for _ in range(1100)]
            for _ in function.arguments[:count]
        ]
        with exactly():
            got = Columns().compute(function, columns)
        values, told = one_by_one(function, columns)
        assert list(map(repr, got.values)) == list(map(repr, values))
        assert got.told == told


def test_columns_that_several_functions_read_stay_apart_by_kind():
    """The same cells as dollars, as days, and where a blank is 0 or means that an argument is omitted."""
    cells = [100.0, None, 45_000.0, 30.5] * 600
    with exactly():
        down = Columns()
        for name in ("PR_RETURNED_CHECK", "PR_SURCHARGE", "PR_LATE_FILE_RATE", "PR_LATE_FILE"):
            columns = [cells] * min(4, len(FUNCTIONS[name].arguments))
            got = down.compute(FUNCTIONS[name], columns)
            values, told = one_by_one(FUNCTIONS[name], columns)
            assert (list(map(repr, got.values)), got.told) == (list(map(repr, values)), told)


def test_too_few_or_too_many_arguments_are_refused_as_ever():
    function = FUNCTIONS["PR_RETURNED_CHECK"]
    columns = [[1.0] * 10] * (len(function.arguments) + 1)
    with exactly():
        got = Columns().compute(function, columns)
    assert got.values == [CellError.VALUE] * 10
    assert len(got.told) == 10
