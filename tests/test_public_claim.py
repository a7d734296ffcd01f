"""Golden test, derived from a public claim.

*In re Destilería Nacional Inc.*, 20-01247 (Bankr. D.P.R. 2021-02-25) prints CRIM's claim for personal property tax due on
2020-08-07 as 22,371.82 (priority) and 7,588.96 (penalties and surcharges). The split into lines is **derived, not printed**:
over principals in whole cents, up to 3,000 days, years of 360, 365 and 366 days and every step of surcharge and late
filing, one solution fits, and its steps are the lawful ones of 21 LPRA § 5221.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from recargos.cells import call
from recargos.statutes import FUNCTIONS

PRIORITY, PENALTIES, TOGETHER = 2_237_182, 758_896, 2_996_078  # printed
TAX, DUE, ASKED, DAYS = 21_682.73, date(2020, 8, 7), date(2020, 12, 1), 116  # derived


def cents(function: str, *arguments: Any) -> int:
    value = call(FUNCTIONS[function], arguments)
    assert isinstance(value, int | float), value
    return round(value * 100)


def test_derived_lines() -> None:
    assert call(FUNCTIONS["PR_DAYS_LATE"], [DUE, ASKED]) == DAYS
    assert call(FUNCTIONS["PR_INTEREST"], [TAX, DAYS]) == 689.09
    assert call(FUNCTIONS["PR_SURCHARGE"], [TAX, DAYS]) == 3_252.41
    assert call(FUNCTIONS["PR_PROPERTY_LATE_FILE"], [TAX, DAYS]) == 4_336.55
    assert call(FUNCTIONS["PR_SURCHARGE_RATE"], [DAYS]) == 0.15
    assert call(FUNCTIONS["PR_PROPERTY_LATE_FILE_RATE"], [DAYS]) == 0.20
    assert call(FUNCTIONS["PR_PAYOFF"], [TAX, DUE, None, None, ASKED]) == 25_624.23


def test_printed_sums() -> None:
    tax = round(TAX * 100)
    interest = cents("PR_INTEREST", TAX, DAYS)
    surcharge = cents("PR_SURCHARGE", TAX, DAYS)
    late_file = cents("PR_PROPERTY_LATE_FILE", TAX, DAYS)
    assert tax + interest == PRIORITY
    assert surcharge + late_file == PENALTIES
    assert tax + interest + surcharge + late_file == TOGETHER
    assert cents("PR_PAYOFF", TAX, DUE, None, None, ASKED) + late_file == TOGETHER


@pytest.mark.parametrize(
    ("days", "basis", "interest"),
    [(DAYS, 360, 698.67), (DAYS, 366, 687.21), (114, 360, 686.62), (120, 360, 722.76)],
    ids=["actual/360", "actual/366", "30/360", "by months"],
)
def test_other_day_counts_miss_the_claim(days: int, basis: int, interest: float) -> None:
    assert call(FUNCTIONS["PR_INTEREST"], [TAX, days, basis]) == interest
    assert round(TAX * 100) + round(interest * 100) != PRIORITY


def test_no_other_day_fits() -> None:
    """The claim fixes the number of days: no other one gives both printed sums on the tax that its steps then imply."""
    fits = []
    for days in range(1, 400):
        for surcharge in (0.0, 0.05, 0.10, 0.15):
            for late in (0.05, 0.10, 0.15, 0.20, 0.25):
                share = round((surcharge + late) * 100)
                tax = round(PENALTIES * 100 / share)
                for near in range(tax - 20, tax + 21):
                    if (
                        near + (near * 10 * days * 2 + 36500) // 73000 == PRIORITY
                        and (near * round(surcharge * 100) + 50) // 100 + (near * round(late * 100) + 50) // 100
                        == PENALTIES
                        and surcharge == call(FUNCTIONS["PR_SURCHARGE_RATE"], [days])
                        and late == call(FUNCTIONS["PR_PROPERTY_LATE_FILE_RATE"], [days])
                    ):
                        fits.append((near, days))
    assert fits == [(2_168_273, DAYS)]
