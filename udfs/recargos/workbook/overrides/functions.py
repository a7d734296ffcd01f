"""Every function that the engine gets from us, by the name under which formulas call it.

`R.` marks them, so that the engine's own function of the same name stays what it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from recargos.workbook.overrides import arrays, criteria, dates, finance, lookups, operators, scalars, statistics, texts

FUNCTIONS: dict[str, Callable[..., Any]] = {
    name if name.startswith("R.") else f"R.{name}": function
    for module in (operators, scalars, texts, dates, lookups, criteria, arrays, finance, statistics)
    for name, function in module.FUNCTIONS.items()
}
