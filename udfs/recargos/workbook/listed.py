"""The listed cells of one workbook, column by column: a million of them take some forty bytes each.

To whoever reads them they are a sequence of :class:`~.result.CellResult`, each made only when it is looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar, overload

from recargos.law import T
from recargos.workbook.cells import column_letters
from recargos.workbook.cellvalue import Value
from recargos.workbook.result import Call, CellResult, CellStatus

_Item = TypeVar("_Item")


class Group(NamedTuple):
    """What many cells have in common."""

    sheet: int
    name: str
    function: str
    status: CellStatus
    kind: str


class _Values:
    """Values of cells: numbers as they are, everything else once, by its place in a list."""

    __slots__ = ("_known", "numbers", "others", "places")

    def __init__(self) -> None:
        self.numbers = array("d")
        self.places = array("I")
        """0 for a number, else one more than the place in `others`."""
        self.others: list[Value] = []
        self._known: dict[tuple[type, Value], int] = {}

    def extend(self, values: Sequence[Value]) -> None:
        """Add some."""
        if set(map(type, values)) <= {float}:
            self.numbers.extend(values)  # type: ignore[arg-type]
            self.places.extend(array("I", (0,)) * len(values))
            return
        for value in values:
            if type(value) is float:
                self.numbers.append(value)
                self.places.append(0)
                continue
            place = self._known.get((type(value), value))
            if place is None:
                self.others.append(value)
                place = self._known[type(value), value] = len(self.others)
            self.numbers.append(0.0)
            self.places.append(place)

    def __getitem__(self, index: int) -> Value:
        place = self.places[index]
        return self.others[place - 1] if place else self.numbers[index]

    def __getstate__(self) -> tuple[array[float], array[int], list[Value]]:
        return self.numbers, self.places, self.others

    def __setstate__(self, state: tuple[array[float], array[int], list[Value]]) -> None:
        self.numbers, self.places, self.others = state
        self._known = {(type(value), value): place for place, value in enumerate(self.others, 1)}


class _Columns:
    """What there is to store."""

    __slots__ = (
        "_group_of",
        "_reason_of",
        "calls",
        "columns",
        "groups",
        "kinds",
        "new",
        "old",
        "reasons",
        "rows",
        "why",
    )

    def __init__(self) -> None:
        self.rows, self.columns = array("I"), array("H")
        self.groups, self.why = array("I"), array("I")
        """Places in `kinds` and in `reasons`."""
        self.old, self.new = _Values(), _Values()
        self.kinds: list[Group] = []
        self.reasons: list[T] = []
        self.calls: dict[int, tuple[Call, ...]] = {}
        self._group_of: dict[Group, int] = {}
        self._reason_of: dict[T, int] = {}

    def __getstate__(self) -> tuple[object, ...]:
        return self.rows, self.columns, self.groups, self.why, self.old, self.new, self.kinds, self.reasons, self.calls

    def __setstate__(self, state: tuple[object, ...]) -> None:
        self.rows, self.columns, self.groups, self.why, *more = state  # type: ignore[assignment]
        self.old, self.new, self.kinds, self.reasons, self.calls = more  # type: ignore[assignment]
        self._group_of = {group: place for place, group in enumerate(self.kinds)}
        self._reason_of = {reason: place for place, reason in enumerate(self.reasons)}


def _number(known: dict[_Item, int], held: list[_Item], item: _Item) -> int:
    """The place of an item among those held, where it is put when it is new."""
    number = known.get(item)
    if number is None:
        number = known[item] = len(held)
        held.append(item)
    return number


class ListedCells(Sequence[CellResult]):
    """Cells of a report, or some of another's, in their order."""

    __slots__ = ("_at", "_order")

    def __init__(self) -> None:
        self._at = _Columns()
        self._order: Sequence[int] = range(0)

    # ------------------------------------------------------------------------------------------------------- gathering
    def group(self, group: Group) -> int:
        """The number that stands for what cells have in common."""
        return _number(self._at._group_of, self._at.kinds, group)

    def reason(self, reason: T) -> int:
        """The number that stands for a reason."""
        return _number(self._at._reason_of, self._at.reasons, reason)

    def add(
        self,
        column: int,
        rows: Sequence[int],
        groups: Iterable[int],
        reasons: Iterable[int],
        olds: Sequence[Value],
        news: Sequence[Value],
    ) -> None:
        """Add cells of one column, one from each of the arguments."""
        at = self._at
        at.groups.extend(groups)
        at.why.extend(reasons)
        at.rows.extend(rows)
        at.columns.extend(array("H", (column,)) * len(rows))
        at.old.extend(olds)
        at.new.extend(news)
        self._order = range(len(at.rows))

    def sort(self) -> None:
        """By sheet, row and column."""
        at = self._at
        sheets = [group.sheet for group in at.kinds]
        keys = [
            sheets[group] << 40 | row << 16 | column
            for group, row, column in zip(at.groups, at.rows, at.columns, strict=True)
        ]
        self._order = array("I", sorted(range(len(keys)), key=keys.__getitem__))

    def places(self) -> Iterator[tuple[int, int, int]]:
        """Sheet, row and column of each."""
        at = self._at
        for index in self._order:
            yield at.kinds[at.groups[index]].sheet, at.rows[index], at.columns[index]

    def explain(self, calls: Mapping[int, tuple[Call, ...]]) -> None:
        """Give some of the cells, by their place in the order, their calls."""
        self._at.calls = {self._order[place]: found for place, found in calls.items()}

    # --------------------------------------------------------------------------------------------------------- reading
    def __len__(self) -> int:
        return len(self._order)

    def __iter__(self) -> Iterator[CellResult]:
        at = self._at
        letters: dict[int, str] = {}
        for index in self._order:
            column = at.columns[index]
            if column not in letters:
                letters[column] = column_letters(column)
            _, sheet, function, status, kind = at.kinds[at.groups[index]]
            address = f"{letters[column]}{at.rows[index]}"
            reason, calls = at.reasons[at.why[index]], at.calls.get(index, ())
            yield CellResult(sheet, address, function, at.old[index], at.new[index], status, reason, kind, calls)

    @overload
    def __getitem__(self, index: int) -> CellResult: ...
    @overload
    def __getitem__(self, index: slice) -> ListedCells: ...
    def __getitem__(self, index: int | slice) -> CellResult | ListedCells:
        if isinstance(index, slice):
            return self._some(self._order[index])
        return next(iter(self._some((self._order[index],))))

    def only(self, *statuses: CellStatus) -> ListedCells:
        """Those with one of some statuses."""
        wanted = [group.status in statuses for group in self._at.kinds]
        if all(wanted):
            return self
        groups = self._at.groups
        return self._some(array("I", (index for index in self._order if wanted[groups[index]])))

    def functions(self) -> set[str]:
        """All that is named as a function, of a cell or in its calls."""
        named = {group.function for group in self._at.kinds}
        return named | {call.function for calls in self._at.calls.values() for call in calls}

    def _some(self, order: Sequence[int]) -> ListedCells:
        result = ListedCells.__new__(ListedCells)
        result._at, result._order = self._at, order
        return result

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (ListedCells, list)) and len(self) == len(other) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} listed cells>"
