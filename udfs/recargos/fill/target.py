"""The table of a workbook that is to be filled: its place, its columns, and what each column takes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format

from recargos.fill.headings import plain, unique
from recargos.fill.problem import FillError
from recargos.statutes import FUNCTIONS
from recargos.workbook.context import Context, Table
from recargos.workbook.package import Package, local
from recargos.workbook.syntax import Call, FormulaError, Structured, address, bare, column_letters, parse, walk

Kind = Literal["money", "days", "date", "rate", "flag", "text", "choice", "number", "any"]


@dataclass
class Column:
    """A column of the table to be filled."""

    index: int
    """Counted from 0 within the table."""
    number: int
    """Of the sheet, from 1."""
    title: str
    computed: bool
    formula: str
    """calculatedColumnFormula."""
    kind: Kind = "any"
    words: tuple[str, ...] = ()
    """What a list allows, for a flag yes first."""
    translations: Mapping[str, str] = field(default_factory=dict)
    """The other language's words of our template, and what each is in the list."""
    aliases: tuple[str, ...] = ()
    """Other headings that mean this column: those of our template in both languages."""
    required: bool = False

    @property
    def letters(self) -> str:
        """Letters of the column."""
        return column_letters(self.number)


@dataclass
class Target:
    """A table, where it is and what it takes."""

    package: Package
    context: Context
    table: Table
    part: str
    """The table's own part."""
    columns: list[Column]
    template: str = ""
    """Name of our template that the workbook was made from."""
    by_heading: Mapping[str, int] = field(default_factory=dict)

    @property
    def sheet_part(self) -> str:
        """The worksheet's part."""
        return self.package.sheets[self.table.sheet].part

    @property
    def sheet_name(self) -> str:
        """The worksheet's name."""
        return self.package.sheets[self.table.sheet].name

    @property
    def first(self) -> int:
        """First data row."""
        return self.table.first_row + self.table.header_rows

    @property
    def last(self) -> int:
        """Last data row."""
        return self.table.last_row - self.table.totals_rows


def find(package: Package, headings: Sequence[str], names: Mapping[str, str], wanted: str = "") -> Target:
    """The table whose headings the data's match best. `names` maps headings of the data to those of the table."""
    context = Context.of(package)
    tables = [t for t in context.tables if t.header_rows and t.last_row - t.totals_rows >= t.first_row + t.header_rows]
    if wanted:
        tables = [t for t in tables if t.name.casefold() == wanted.casefold()]
    if not tables:
        known = ", ".join(t.name for t in context.tables)
        if wanted and known:
            raise FillError(
                f"{package.path.name} has no table “{wanted}”, only {known}.",
                f"{package.path.name} no tiene la tabla «{wanted}», solo {known}.",
            )
        raise FillError(
            f"{package.path.name} has no Excel table with headings and rows; make one with Insert → Table.",
            f"{package.path.name} no tiene una tabla de Excel con encabezados y filas; créela con Insertar → Tabla.",
        )
    given = {plain(names.get(heading, heading)) for heading in headings} - {""}
    scored = []
    for table in tables:
        target = _target(package, context, table)
        if package.xml(target.part).get("tableType") in ("queryTable", "xml"):
            if len(tables) > 1:
                continue
            raise FillError(
                f"The table {table.name} is filled by a connection, not by hand.",
                f"La tabla {table.name} la llena una conexión, no una persona.",
            )
        keys = {
            key
            for column in target.columns
            if not column.computed
            for key in (plain(column.title), *map(plain, column.aliases))
        }
        scored.append((len(given & keys), target))
    best = max((score for score, _ in scored), default=0)
    winners = [target for score, target in scored if score == best]
    if not best:
        shown = winners[0] if winners else _target(package, context, tables[0])
        raise FillError(
            f"No heading of the data is one of {package.path.name}: {', '.join(c.title for c in shown.columns if not c.computed)}. Name them with --map.",
            f"Ningún encabezado de los datos es de {package.path.name}: {', '.join(c.title for c in shown.columns if not c.computed)}. Indíquelos con --map.",
        )
    if len(winners) > 1:
        tied = ", ".join(t.table.name for t in winners)
        raise FillError(
            f"The headings fit the tables {tied} equally well; choose one with --table.",
            f"Los encabezados sirven igual a las tablas {tied}; escoja una con --table.",
        )
    target = winners[0]
    table = target.table
    target.by_heading = unique(
        [c.title for c in target.columns],
        [f"{target.sheet_name}!{address(table.first_row, c.number)}" for c in target.columns],
        f"The table {table.name}",
        f"La tabla {table.name}",
    )
    return target


def _target(package: Package, context: Context, table: Table) -> Target:
    part = next(
        r.target
        for r in package.relationships(package.sheets[table.sheet].part).values()
        if r.type == "table"
        and (package.xml(r.target).get("displayName") or package.xml(r.target).get("name")) == table.name
    )
    root = package.xml(part)
    formulas = [
        next(("".join(f.itertext()) for f in node if local(f.tag) == "calculatedColumnFormula"), "")
        for node in root.iter()
        if local(node.tag) == "tableColumn"
    ]
    columns = [
        Column(n, table.first_column + n, title, bool(formula), formula)
        for n, (title, formula) in enumerate(zip(table.columns, formulas, strict=True))
    ]
    target = Target(package, context, table, part, columns)
    _of_template(target)
    return target


def _of_template(target: Target) -> None:
    """What our own template says of its columns, in whichever language the workbook is."""
    from recargos.templates.catalogue import TEMPLATES

    name = custom_properties(target.package).get("recargos.template", "")
    template = TEMPLATES.get(name)
    definition = next((t for t in template.tables if t.name == target.table.name), None) if template else None
    if definition is None:
        return
    target.template = name
    by_title = {plain(text): c for c in definition.columns for text in c.title}
    for column in target.columns:
        known = by_title.get(plain(column.title))
        if known is None or column.computed:
            continue
        column.kind = {"id": "text", "tick": "text"}.get(known.kind, known.kind)  # type: ignore[assignment]
        column.aliases = (known.key, *known.title, *known.aliases)
        column.required = known.required
        other = {"es": "en", "en": "es"}.get(custom_properties(target.package).get("recargos.language", ""), "en")
        here = "es" if other == "en" else "en"
        column.translations = {choice.in_(other): choice.in_(here) for choice in known.choices}


def custom_properties(package: Package) -> dict[str, str]:
    """The document's custom properties."""
    if not package.has("docProps/custom.xml"):
        return {}
    return {node.get("name", ""): "".join(node.itertext()) for node in package.xml("docProps/custom.xml")}


# --------------------------------------------------------------------------------------------------- kinds of columns


def decide_kinds(target: Target, styles: Mapping[int, int]) -> None:
    """Give each column its kind: from our template, else from the PR_ calls it feeds, its validation, its number format.

    `styles` is the cell style of each column in the pattern row.
    """
    feeds = _fed(target)
    lists = _lists(target)
    codes = formats(target.package)
    for column in target.columns:
        if column.computed:
            continue
        words = lists.get(column.number, ())
        if column.kind == "any" and column.index in feeds:
            column.kind = feeds[column.index]
        if column.kind == "any":
            column.kind = by_format(codes.get(styles.get(column.number, 0), "General"))
        if words:
            column.words = words
            if _yes_no(words):
                column.kind = "flag"
                column.words = words if plain(words[0]) in _YES else (words[1], words[0])
            elif column.kind != "flag" and column.kind in ("text", "any", "choice"):
                column.kind = "choice"


_YES, _NO = {"yes", "si", "true", "y", "s"}, {"no", "false", "n"}


def _yes_no(words: Sequence[str]) -> bool:
    keys = {plain(word) for word in words}
    return len(words) == 2 and bool(keys & _YES) and bool(keys & _NO)


def _fed(target: Target) -> dict[int, Kind]:
    """Columns that are the whole of a PR_ argument in a calculated column, and the argument's kind."""
    found: dict[int, Kind] = {}
    titles = {title.casefold(): n for n, title in enumerate(target.table.columns)}
    for column in target.columns:
        if "PR_" not in column.formula.upper():
            continue
        try:
            tree = parse(column.formula.lstrip("="))
        except FormulaError:
            continue
        for node in walk(tree):
            function = FUNCTIONS.get(bare(node.name)) if isinstance(node, Call) else None
            if function is None or not isinstance(node, Call):
                continue
            for argument, given in zip(function.arguments, node.arguments, strict=False):
                if isinstance(given, Structured) and given.table.casefold() in ("", target.table.name.casefold()):
                    title = re.sub(
                        r"'(.)", r"\1", re.sub(r"^\[?#This Row\]?,|^@", "", given.spec, flags=re.IGNORECASE).strip("[]")
                    )
                    index = titles.get(title.casefold())
                    if index is not None and argument.kind != "any":
                        found.setdefault(index, argument.kind)  # type: ignore[arg-type]
    return found


def _lists(target: Target) -> dict[int, tuple[str, ...]]:
    """Words of an inline list validation on the first data row, by column of the sheet."""
    raw = target.package.read(target.sheet_part)
    at = raw.rfind(b"</sheetData>") if b"</sheetData>" in raw else raw.rfind(b"sheetData")
    found: dict[int, tuple[str, ...]] = {}
    for match in re.finditer(
        rb"<(?:\w+:)?dataValidation\s([^>]*[^>/])>(.*?)</(?:\w+:)?dataValidation>", raw[at:], re.DOTALL
    ):
        sqref = re.search(rb'sqref="([^"]*)"', match[1])
        formula = re.search(rb"formula1>\s*&quot;([^<]*)&quot;\s*<|formula1>\s*\"([^<]*)\"\s*<", match[2])
        if b'type="list"' not in match[1] or sqref is None or formula is None:
            continue
        words = tuple(word.strip() for word in _unescape(formula[1] or formula[2]).split(","))
        for area in sqref[1].decode().split():
            first, _, last = area.partition(":")
            left, right = (re.fullmatch(r"\$?([A-Z]+)\$?(\d+)", corner or first) for corner in (first, last))
            if left and right and int(left[2]) <= target.last and int(right[2]) >= target.last:
                for column in target.columns:
                    if column_letters(column.number) == left[1] or _between(left[1], column.letters, right[1]):
                        found[column.number] = words
    return found


def _between(left: str, middle: str, right: str) -> bool:
    return (len(left), left) <= (len(middle), middle) <= (len(right), right)


def _unescape(raw: bytes) -> str:
    from html import unescape

    return unescape(raw.decode("utf-8", "replace"))


def formats(package: Package) -> dict[int, str]:
    """Number format by cell style."""
    part = next((r.target for r in package.relationships(package.workbook_part).values() if r.type == "styles"), "")
    if not part or not package.has(part):
        return {}
    root = package.xml(part)
    own = {n.get("numFmtId"): n.get("formatCode", "") for n in root.iter() if local(n.tag) == "numFmt"}
    styles = next((n for n in root if local(n.tag) == "cellXfs"), None)
    found = {}
    for index, style in enumerate(styles if styles is not None else ()):
        number = style.get("numFmtId", "0")
        found[index] = own.get(number) or BUILTIN_FORMATS.get(
            int(number), "General" if int(number) not in range(27, 59) else "mm/dd/yyyy"
        )
    return found


def by_format(code: str) -> Kind:
    """What a number format is made for."""
    if code == "@":
        return "text"
    if code == "General":
        return "any"
    if is_date_format(code):
        return "date" if re.search(r"[yd]", re.sub(r'"[^"]*"|\[[^\]]*\]|\\.', "", code).lower()) else "any"
    if "%" in re.sub(r'"[^"]*"', "", code):
        return "rate"
    return "number" if re.search(r"[0#]", code) else "any"
