"""What can be wrong with a fill as a whole, and with one value."""

from __future__ import annotations

from recargos.law import T


class FillError(Exception):
    """The fill cannot be done; nothing was written. One clear sentence in both languages."""

    def __init__(self, en: str, es: str) -> None:
        super().__init__(en)
        self.reason = T(en, es)


class BadValue(Exception):
    """One value that its column does not take; its row is rejected."""

    def __init__(self, en: str, es: str, heading: str = "") -> None:
        super().__init__(en)
        self.reason = T(en, es)
        self.heading = heading
