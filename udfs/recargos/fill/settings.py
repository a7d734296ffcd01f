"""Named cells of a workbook set along with a fill: the as-of date, the client, who prepared it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape

from recargos.fill import values
from recargos.fill.markup import cells, patterns, taken_apart, without
from recargos.fill.problem import BadValue, FillError
from recargos.fill.target import Target, formats
from recargos.workbook.context import Context
from recargos.workbook.package import Package
from recargos.workbook.syntax import column_number

_CELL = re.compile(r"(?:'((?:[^']|'')+)'|([^'!]+))!\$?([A-Z]+)\$?([0-9]+)")


def changed_parts(
    package: Package, settings: Mapping[str, str], changed: Mapping[str, bytes], target: Target
) -> dict[str, bytes]:
    """The sheets with the named cells set; `changed` holds parts that the fill changes already."""
    out: dict[str, bytes] = {}
    context = Context.of(package)
    styles = formats(package)
    for name, text in settings.items():
        sheet, column, row = _place(context, name)
        part = package.sheets[sheet].part
        if part == target.sheet_part:
            raise FillError(
                f"{name} stands on the sheet that is filled; set it by hand.",
                f"{name} está en la hoja que se llena; anótelo a mano.",
            )
        raw = out.get(part) or changed.get(part) or package.read(part)
        out[part] = _with_cell(raw, package.sheets[sheet].name, row, column, text, styles, package.date1904, name)
    return out


def _place(context: Context, name: str) -> tuple[int, int, int]:
    defined = context.name(name, -1)
    match = _CELL.fullmatch(defined.text) if defined else None
    sheet = context.sheet(unescape((match[1] or match[2]).replace("''", "'"))) if match else None
    if match is None or sheet is None:
        known = ", ".join(n.name for n in context.names if n.sheet is None and _CELL.fullmatch(n.text))
        raise FillError(
            f"The workbook has no named cell “{name}”; it has {known or 'none'}.",
            f"El libro no tiene la celda con nombre «{name}»; tiene {known or 'ninguna'}.",
        )
    return sheet, column_number(match[3]), int(match[4])


def _with_cell(
    raw: bytes, sheet: str, row: int, column: int, text: str, styles: Mapping[int, str], date1904: bool, name: str
) -> bytes:
    markup = taken_apart(raw, sheet)
    p = patterns(markup.prefix)
    for number, line in markup.rows:
        if number == row:
            for cell in cells(line, p, sheet):
                if cell.column == column:
                    if p.formula.search(cell.inner):
                        raise FillError(f"{name} is a formula; it is not set.", f"{name} es una fórmula; no se anota.")
                    try:
                        value = values.for_format(styles.get(cell.style, "General"), date1904)(text)
                    except BadValue as bad:
                        raise FillError(f"{name}: {bad.reason.en}.", f"{name}: {bad.reason.es}.") from None
                    tag = b"<" + markup.prefix + b"c" + without(cell.attributes, b"t")
                    inner = value if not value.startswith("<") else ">" + value
                    new = tag + (inner.encode() + b"</" + markup.prefix + b"c>" if value else b"/>")
                    return raw.replace(line, line.replace(cell.raw, new, 1), 1)
    raise FillError(f"{name}: the workbook has no such cell yet.", f"{name}: el libro aún no tiene esa celda.")
