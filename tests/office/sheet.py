"""Cases of the law typed into a real sheet, and the sheet read back."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from datetime import date, datetime
from pathlib import Path
from typing import Any

from recargos import calc as host
from recargos.cells import OMITTED, to_serial
from recargos.law import CellError
from recargos.office import Instance

SPELLED = {
    CellError.NULL: "#NULL!",
    CellError.DIV0: "1/0",
    CellError.VALUE: '"x"+1',
    CellError.REF: "#REF!",
    CellError.NAME: "nosuchname",
    CellError.NUM: "PR_FRAUD(-1)",  # Calc's own functions say Err:502
    CellError.NA: "NA()",
}


def cell_of(sheet: int, column: int, row: int, value: Any) -> list[Any]:
    """What to type so that a cell holds `value`."""
    if isinstance(value, bool):
        return [sheet, column, row, "formula", f"={'TRUE' if value else 'FALSE'}()"]
    if isinstance(value, CellError):
        return [sheet, column, row, "formula", f"={SPELLED[value]}"]
    if isinstance(value, date):
        return [sheet, column, row, "value", serial(value)]
    if value == "":
        return [sheet, column, row, "formula", '=""']  # text that is typed empty leaves the cell blank
    if isinstance(value, str):
        return [sheet, column, row, "text", value]
    return [sheet, column, row, "value", value]


def serial(day: date) -> float:
    """The serial of a day, with its time where it has one."""
    if isinstance(day, datetime):
        return to_serial(day.date()) + (day.hour * 3600 + day.minute * 60 + day.second) / 86400
    return float(to_serial(day))


def letters(column: int) -> str:
    """A for 0."""
    text = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def address(column: int, row: int) -> str:
    return f"{letters(column)}{row + 1}"


class Typist:
    """Types calls into two sheets, arguments left and results right, and reads the results."""

    ARGUMENTS, RESULTS = 0, 1

    def __init__(self, office: Instance) -> None:
        self.office = office
        self.typed: list[list[Any]] = []
        self.row = 0
        self.places: list[tuple[int, int, int]] = []

    def call(self, function: str, arguments: Iterable[Any], height: int, width: int) -> None:
        """One call; its result is expected to fill height × width cells (1 × 1 is an ordinary formula)."""
        texts, column, deepest = [], 0, 1
        for argument in arguments:
            if argument is OMITTED:
                texts.append("")
                continue
            rows = argument if isinstance(argument, list) else [[argument]]
            for down, cells in enumerate(rows):
                for right, value in enumerate(cells):
                    if value is not None:
                        self.typed.append(cell_of(self.ARGUMENTS, column + right, self.row + down, value))
            first = address(column, self.row)
            last = address(column + len(rows[0]) - 1, self.row + len(rows) - 1)
            # A range of one cell is written as a range: a blank in it is a blank.
            texts.append(f"$S1.{first}:{last}" if isinstance(argument, list) else f"$S1.{first}")
            column += len(rows[0]) + 1
            deepest = max(deepest, len(rows))
        formula = f"={function}({';'.join(texts)})"
        if (height, width) == (1, 1):
            self.typed.append([self.RESULTS, 0, self.row, "formula", formula])
        else:
            self.typed.append([self.RESULTS, 0, self.row, "array", formula, width, height])
        self.places.append((self.row, height, width))
        self.row += max(deepest, height) + 1

    def results(self) -> list[Any]:
        """A scalar or rows per call, as Calc holds them: floats, text, errors."""
        self.office.ask("open", path=None)
        self.office.ask("rename", names=["S1", "S2"])
        self.office.ask("type", cells=self.typed)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "values.json"
            self.office.ask("values", sheets=["S2"], path=str(path))
            read = json.loads(path.read_text(encoding="utf-8"))["S2"]
        errors = {(row, column): code for row, column, code in read["errors"]}

        def at(row: int, column: int) -> Any:
            if (row, column) in errors:
                return host.ERRORS.get(errors[row, column], f"Err:{errors[row, column]}")
            return read["rows"][row][column]

        found: list[Any] = []
        for row, height, width in self.places:
            rows = [[at(row + down, right) for right in range(width)] for down in range(height)]
            found.append(rows if (height, width) != (1, 1) else rows[0][0])
        return found
