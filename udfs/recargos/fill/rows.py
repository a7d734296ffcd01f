"""New rows written into a sheet: blank rows of the table used first, then rows added after its last one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from recargos.fill.markup import CellMarkup, Markup, Patterns, cells, row_tag, without
from recargos.fill.problem import BadValue
from recargos.fill.shift import at_row, escape, relative
from recargos.fill.target import Column, Target
from recargos.fill.values import Cast
from recargos.law import T

CHUNK = 4_000
"""Rows joined and encoded at a time."""


@dataclass
class Pattern:
    """What a row of the table looks like: its last one."""

    row: int
    attributes: bytes
    styles: dict[int, int]
    formulas: dict[int, list[str | tuple[str, int]]]
    """By column of the sheet: the formula in pieces."""
    formula_attributes: dict[int, str]
    """`t="array" ref=…` and `cm` of formulas that need them; ref is written for each row."""
    constants: dict[int, str]
    """Defaults that stand in an otherwise empty row."""


@dataclass
class Written:
    """What became of the rows."""

    rows: list[tuple[int, bytes]]
    added: int
    """Rows by which the table grew."""
    first: int
    """First row that was filled."""
    last: int
    rejected: list[tuple[int, Sequence[Any], str, T]] = field(default_factory=list)
    """Line, values, heading and reason."""


def used_until(markup: Markup, target: Target, filled: set[int], name: str) -> int:
    """Last row of the table that holds data; the row before the first when none does.

    In a column that the data does not bring, what stands in the last row is a default of the firm, not data.
    """
    others = {c.number for c in target.columns if not c.computed} - filled
    defaults: dict[int, bytes] | None = None
    p = markup.patterns
    for number, raw in reversed(markup.rows):
        if not target.first <= number <= target.last:
            continue
        row = {cell.column: cell for cell in cells(raw, p, name)}
        held = {
            column: row[column].inner for column in others & row.keys() if p.formula.search(row[column].inner) is None
        }
        if defaults is None:
            defaults = held if number == target.last else {}
        if any(column in row and _holds(row[column], p) for column in filled):
            return number
        if any(_holds(row[column], p) and inner != defaults.get(column) for column, inner in held.items()):
            return number
    return target.first - 1


def _holds(cell: CellMarkup, p: Patterns) -> bool:
    value = p.value.search(cell.inner)
    return bool(value and value[2]) or b"<is" in cell.inner or b":is" in cell.inner or b"<f" in cell.inner


def pattern_of(
    markup: Markup,
    target: Target,
    used: int,
    shared: Callable[[bytes], tuple[int, int, str] | None],
    shift: Callable[[str, int], str],
    name: str,
) -> Pattern:
    """Read the table's last row. `shared` finds the master of a shared formula, `shift` moves references."""
    row = target.last
    raw = next((raw for number, raw in markup.rows if number == row), b"")
    pattern = Pattern(row, without(row_tag(raw), b"r", b"spans", b"hidden") if raw else b"", {}, {}, {}, {})
    p = markup.patterns
    inside = {column.number: column for column in target.columns}
    for cell in cells(raw, p, name):
        column = inside.get(cell.column)
        if column is None:
            continue
        pattern.styles[cell.column] = cell.style
        formula = p.formula.search(cell.inner)
        if formula is not None:
            text = unescape((formula[2] or b"").decode())
            attributes = formula[1] or b""
            if b't="shared"' in attributes or b"t='shared'" in attributes:
                master = shared(attributes)
                if master is not None:
                    text = at_row(relative(master[2], master[0], master[1], cell.column), row)
            elif b't="array"' in attributes:
                pattern.formula_attributes[cell.column] = ' cm="1"' if b"cm=" in cell.attributes else ""
            if text:
                column.computed = True
                pattern.formulas[cell.column] = relative(shift(text, row), row, cell.column)
        elif row > used and not column.computed and _holds(cell, p):
            pattern.constants[cell.column] = _constant(cell)
    for column in target.columns:
        if column.computed and column.number not in pattern.formulas:
            pieces = relative(column.formula.lstrip("="), target.first, column.number)
            pattern.formulas[column.number] = relative(shift(at_row(pieces, row), row), row, column.number)
    return pattern


def _constant(cell: CellMarkup) -> str:
    attributes = without(cell.attributes, b"r", b"s").decode()
    return f"{attributes}>{cell.inner.decode()}"


def write(
    markup: Markup,
    target: Target,
    pattern: Pattern,
    casts: dict[int, tuple[int, Cast, Column]],
    defaults: dict[int, str],
    data: Sequence[tuple[int, Sequence[Any]]],
    used: int,
    headings: int,
    name: str,
    strict: Callable[[int, str, T], None],
) -> Written:
    """The rows of `data` as rows of the sheet. `casts`: by column of the sheet, which value of the data and how it is read."""
    existing = dict(markup.rows)
    first = row = used + 1
    out: list[tuple[int, bytes]] = []
    rejected: list[tuple[int, Sequence[Any], str, T]] = []
    batch: list[str] = []
    batch_from = row
    prefix = markup.prefix.decode()

    def flush() -> None:
        nonlocal batch, batch_from
        if batch:
            text = "".join(batch)
            if prefix:
                text = prefixed(text, prefix)
            out.append((batch_from, text.encode("utf-8")))
            batch = []
        batch_from = row

    attributes = pattern.attributes.decode()
    ready = plan(target, pattern, casts, defaults)
    for line, values in data:
        try:
            cells_of_row = cells_of(ready, values, row, headings)
        except BadValue as bad:
            strict(line, bad.heading, bad.reason)
            rejected.append((line, values, bad.heading, bad.reason))
            continue
        old = existing.get(row) if row <= target.last else None
        if old is not None:
            flush()
            out.append((row, _merged(old, cells_of_row, target, pattern, markup, row, name)))
            row += 1
            batch_from = row
            continue
        batch.append(f'<row r="{row}"{attributes}>{"".join(cells_of_row)}</row>')
        row += 1
        if len(batch) >= CHUNK:
            flush()
    flush()
    last = row - 1
    return Written(out, max(0, last - target.last), first, last, rejected)


def prefixed(text: str, prefix: str) -> str:
    """Plain markup with a namespace prefix on every element."""
    return re.sub(r"<(/?)(?=[a-z])", rf"<\g<1>{prefix}", text)


Plan = list[tuple[str, str, Any, Any, Any]]


def plan(
    target: Target, pattern: Pattern, casts: dict[int, tuple[int, Cast, Column]], defaults: dict[int, str]
) -> Plan:
    """For each column of the table: letters, style, and where its contents come from."""
    made: Plan = []
    for column in target.columns:
        cast = casts.get(column.number)
        style = pattern.styles.get(column.number, 0)
        s = f' s="{style}"' if style else ""
        if column.computed:
            made.append(
                (
                    column.letters,
                    s,
                    "formula",
                    pattern.formulas.get(column.number, [""]),
                    pattern.formula_attributes.get(column.number),
                )
            )
        elif cast is not None:
            made.append(
                (column.letters, s, "data", cast, defaults.get(column.number, pattern.constants.get(column.number, "")))
            )
        else:
            made.append(
                (
                    column.letters,
                    s,
                    "constant",
                    defaults.get(column.number, pattern.constants.get(column.number, "")),
                    None,
                )
            )
    return made


def cells_of(plan: Plan, values: Sequence[Any], row: int, headings: int) -> list[str]:
    """The cells of one row. Raises :class:`BadValue` when a value, or their number, cannot be taken."""
    if len(values) != headings:
        if len(values) > headings or any(isinstance(v, str) for v in values):
            raise BadValue(
                f"{len(values)} values under {headings} headings", f"{len(values)} valores bajo {headings} encabezados"
            )
        values = [*values, *[None] * (headings - len(values))]
    out = []
    for letters, style, what, how, more in plan:
        if what == "data":
            index, cast, column = how
            try:
                content = cast(values[index])
            except BadValue as bad:
                raise BadValue(*bad.reason, column.title) from None
            if not content:
                content = more
                if column.required and not content:
                    raise BadValue("it is blank", "está en blanco", column.title)
            if not content:
                out.append(f'<c r="{letters}{row}"{style}/>')
            elif content[0] == "<":
                out.append(f'<c r="{letters}{row}"{style}>{content}</c>')
            else:
                out.append(f'<c r="{letters}{row}"{style}{content}</c>')
        elif what == "formula":
            text = escape(how[0] if len(how) == 1 and isinstance(how[0], str) else at_row(how, row))
            if more is None:
                out.append(f'<c r="{letters}{row}"{style}><f>{text}</f><v></v></c>')
            else:
                out.append(
                    f'<c r="{letters}{row}"{style}{more}><f t="array" ref="{letters}{row}">{text}</f><v></v></c>'
                )
        elif how:
            out.append(f'<c r="{letters}{row}"{style}{how}</c>')
        else:
            out.append(f'<c r="{letters}{row}"{style}/>')
    return out


def _merged(old: bytes, new: list[str], target: Target, pattern: Pattern, markup: Markup, row: int, name: str) -> bytes:
    """A row that is already there: the data's cells replaced, its formulas, its own styles and the cells beside the table kept."""
    kept: dict[int, bytes] = {}
    formula: set[int] = set()
    styles: dict[int, int] = {}
    for cell in cells(old, markup.patterns, name):
        kept[cell.column] = cell.raw
        styles[cell.column] = cell.style
        if markup.patterns.formula.search(cell.inner) is not None:
            formula.add(cell.column)
    for column, text in zip(target.columns, new, strict=True):
        if column.number in formula:
            continue
        own = styles.get(column.number)
        usual = pattern.styles.get(column.number, 0)
        if own is not None and own != usual:
            text = text.replace(
                f' s="{usual}"' if usual else f'<c r="{column.letters}{row}"',
                f' s="{own}"' if usual else f'<c r="{column.letters}{row}" s="{own}"',
                1,
            )
        if markup.prefix:
            text = prefixed(text, markup.prefix.decode())
        kept[column.number] = text.encode()
    p = markup.prefix
    body = b"".join(kept[column] for column in sorted(kept))
    return b"<" + p + b"row" + without(row_tag(old), b"spans") + b">" + body + b"</" + p + b"row>"
