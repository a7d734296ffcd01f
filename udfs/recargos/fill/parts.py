"""Every part that refers to the rows which moved: the sheet itself, its table, other sheets, names, charts, drawings, notes."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape as html_escape
from html import unescape

from recargos.fill.markup import Markup, cells, taken_apart, without
from recargos.fill.problem import FillError
from recargos.fill.shift import Shift, at_row, escape, relative
from recargos.fill.target import Target
from recargos.workbook.package import Package
from recargos.workbook.syntax import address, column_number

_SHARED = re.compile(rb"""\bt\s*=\s*["']shared["']""")
SI = re.compile(rb"""\bsi\s*=\s*["']([0-9]+)["']""")
_REF = re.compile(rb"""(\bref\s*=\s*["'])([^"']*)(["'])""")
_ATTRIBUTE_AREAS = re.compile(
    rb"""(<(?:[\w.-]+:)?([A-Za-z]+)\s(?:[^<>]*?\s)?(?:sqref|ref)\s*=\s*)(["'])([^"']*)(["'])"""
)
_INNER_FORMULA = re.compile(
    rb"(<(?:[\w.-]+:)?(?:formula[12]?|f)(?:\s[^<>]*)?>)([^<]*)(</(?:[\w.-]+:)?(?:formula[12]?|f)\s*>)"
)
_INNER_SQREF = re.compile(rb"(<(?:[\w.-]+:)?sqref\s*>)([^<]*)(</)")
_BREAK = re.compile(rb"""(<(?:[\w.-]+:)?brk\s(?:[^<>]*?\s)?id\s*=\s*["'])([0-9]+)(["'])""")
_FIXED = {b"mergeCell", b"hyperlink"}
"""Areas that move but do not grow."""


def shared_masters(markup: Markup, name: str) -> dict[bytes, tuple[int, int, str]]:
    """Row, column and text of the master of each group of shared formulas."""
    found: dict[bytes, tuple[int, int, str]] = {}
    for number, raw in markup.rows:
        if not _SHARED.search(raw):
            continue
        for cell in cells(raw, markup.patterns, name):
            formula = markup.patterns.formula.search(cell.inner)
            if formula is not None and formula[2] and _SHARED.search(formula[1] or b""):
                index = SI.search(formula[1])
                if index is not None:
                    found[index[1]] = (number, cell.column, unescape(formula[2].decode()))
    return found


def moved_rows(
    markup: Markup, shift: Shift, home: bool, name: str, table: Target | None = None
) -> list[tuple[int, bytes]]:
    """The rows with their formulas' references moved; on the table's own sheet the rows below it renumbered."""
    masters = shared_masters(markup, name)
    broken = _broken(markup, masters, shift, home, name) if masters else set()
    out = []
    for number, raw in markup.rows:
        new_number = shift.row(number) if home else number
        own = number if home and table is not None and table.first <= number <= table.last else 0
        if b"<f" in raw or b":f" in raw:
            raw = _formulas(raw, markup, shift, home, own, number, masters, broken)
        if new_number != number:
            raw = _renumbered(raw, markup, number, new_number)
        out.append((new_number, raw))
    return out


def _broken(
    markup: Markup, masters: dict[bytes, tuple[int, int, str]], shift: Shift, home: bool, name: str
) -> set[bytes]:
    """Shared groups that cannot stay shared: a member's references move, or some of its cells do."""
    broken: set[bytes] = set()
    for number, raw in markup.rows:
        if not _SHARED.search(raw):
            continue
        for cell in cells(raw, markup.patterns, name):
            formula = markup.patterns.formula.search(cell.inner)
            index = SI.search(formula[1] or b"") if formula else None
            if (
                formula is None
                or index is None
                or not _SHARED.search(formula[1] or b"")
                or index[1] not in masters
                or index[1] in broken
            ):
                continue
            row, column, text = masters[index[1]]
            own = at_row(relative(text, row, column, cell.column), number)
            if (home and number > shift.last) or shift.formula(own, home) != own:
                broken.add(index[1])
    return broken


def _formulas(
    raw: bytes,
    markup: Markup,
    shift: Shift,
    home: bool,
    own: int,
    number: int,
    masters: dict[bytes, tuple[int, int, str]],
    broken: set[bytes],
) -> bytes:
    pieces: list[bytes] = []
    at = 0
    opened = raw.find(b">")
    for cell in markup.patterns.cell.finditer(raw, opened + 1):
        formula = markup.patterns.formula.search(cell[0])
        if formula is None:
            continue
        attributes, text = formula[1] or b"", formula[2] or b""
        index = SI.search(attributes)
        new = text
        if index is not None and index[1] in broken:
            place = re.search(rb"""\sr\s*=\s*["']([A-Z]+)""", cell[1] or b"")
            assert place is not None
            row, column, master = masters[index[1]]
            own_text = at_row(relative(master, row, column, column_number(place[1].decode())), number)
            new = escape(shift.formula(own_text, home, own)).encode()
            attributes = without(attributes, b"t", b"ref", b"si")
        elif text:
            new = shift.stored(text, home, own)
        if home:
            attributes = _REF.sub(lambda m: m[1] + shift.area(m[2].decode(), grow=False).encode() + m[3], attributes)
        if new == text and attributes == (formula[1] or b""):
            continue
        p = markup.prefix
        start, end = cell.start() + formula.start(), cell.start() + formula.end()
        pieces += [raw[at:start], b"<" + p + b"f" + attributes + b">" + new + b"</" + p + b"f>"]
        at = end
    return b"".join([*pieces, raw[at:]]) if pieces else raw


def _renumbered(raw: bytes, markup: Markup, old: int, new: int) -> bytes:
    end = raw.find(b">")
    tag = re.sub(rb"""(\sr\s*=\s*["'])%d(["'])""" % old, rb"\g<1>%d\g<2>" % new, raw[:end], count=1)
    body = re.sub(
        rb"(<" + re.escape(markup.prefix) + rb"""c\s(?:[^<>]*?\s)?r\s*=\s*["'][A-Z]+)%d(["'])""" % old,
        rb"\g<1>%d\g<2>" % new,
        raw[end:],
    )
    return tag + body


def tail(raw: bytes, shift: Shift, home: bool) -> bytes:
    """What stands behind the rows: merges, conditional formats, validations, links, breaks, extensions."""
    if home:

        def areas(match: re.Match[bytes]) -> bytes:
            moved = shift.areas(match[4].decode(), grow=match[2] not in _FIXED)
            return match[1] + match[3] + moved.encode() + match[5]

        raw = _ATTRIBUTE_AREAS.sub(areas, raw)
        raw = _INNER_SQREF.sub(lambda m: m[1] + shift.areas(m[2].decode()).encode() + m[3], raw)
        at = raw.find(b"rowBreaks")
        if at >= 0:
            end = raw.find(b"rowBreaks", at + 9)
            raw = (
                raw[:at]
                + _BREAK.sub(lambda m: m[1] + str(shift.row(int(m[2]))).encode() + m[3], raw[at:end])
                + raw[end:]
            )
    return _INNER_FORMULA.sub(lambda m: m[1] + shift.stored(m[2], home) + m[3], raw)


def dimension(head: bytes, last_row: int) -> bytes:
    """The sheet's used range, stretched to the last row."""

    def stretched(match: re.Match[bytes]) -> bytes:
        first, _, second = match[2].decode().partition(":")
        corner = re.fullmatch(r"([A-Z]+)(\d+)", second or first)
        if corner is None:
            return match[0]
        return match[1] + f"{first}:{corner[1]}{max(int(corner[2]), last_row)}".encode() + match[3]

    return re.sub(rb"""(<(?:[\w.-]+:)?dimension\s+ref=["'])([^"']*)(["'])""", stretched, head, count=1)


# --------------------------------------------------------------------------------------------------------- the table


def table_part(raw: bytes, shift: Shift, target: Target) -> bytes:
    """The table's own part: its range, its filter, its formulas."""

    def areas(match: re.Match[bytes]) -> bytes:
        text = match[4].decode()
        first, _, last = text.partition(":")
        corner = re.fullmatch(r"\$?[A-Z]+\$?(\d+)", last or first)
        if (
            match[2] in (b"table", b"autoFilter", b"sortState", b"sortCondition")
            and corner
            and int(corner[1]) >= target.last
        ):
            end = re.sub(r"\d+$", str(int(corner[1]) + shift.added), last or first)
            return match[1] + match[3] + f"{first}:{end}".encode() + match[5]
        return match[0]

    raw = _ATTRIBUTE_AREAS.sub(areas, raw)
    return re.sub(
        rb"(<(?:[\w.-]+:)?(?:calculatedColumnFormula|totalsRowFormula)(?:\s[^<>]*)?>)([^<]*)(</)",
        lambda m: m[1] + shift.stored(m[2], True, target.last) + m[3],
        raw,
    )


# ------------------------------------------------------------------------------------------------------- other parts


def others(package: Package, shift: Shift, target: Target) -> dict[str, bytes]:
    """Every other part that changes because rows moved."""
    changed: dict[str, bytes] = {}
    mention = html_escape(shift.sheet, quote=False).encode()
    quoted = mention.replace(b"'", b"''")

    def put(part: str, new: bytes) -> None:
        if new != package.read(part):
            changed[part] = new

    workbook = package.read(package.workbook_part)
    put(
        package.workbook_part,
        re.sub(
            rb"(<(?:[\w.-]+:)?definedName\s[^<>]*>)([^<]*)(</)",
            lambda m: m[1] + shift.stored(m[2], False) + m[3],
            workbook,
        ),
    )
    for sheet in package.sheets:
        if sheet.kind != "worksheet" or sheet.part == target.sheet_part:
            continue
        raw = package.read(sheet.part)
        if mention in raw or quoted in raw:
            markup = taken_apart(raw, sheet.name)
            markup.rows = moved_rows(markup, shift, False, sheet.name)
            markup.tail = tail(markup.tail, shift, False)
            put(sheet.part, markup.joined())
    for part in package.members:
        if re.search(r"/charts/[^/]*\.xml$|/chartEx[^/]*\.xml$", part):
            raw = package.read(part)
            if mention in raw or quoted in raw:
                put(
                    part,
                    re.sub(
                        rb"(<(?:[\w.-]+:)?f(?:\s[^<>]*)?>)([^<]*)(</)",
                        lambda m: m[1] + shift.stored(m[2], False) + m[3],
                        raw,
                    ),
                )
        elif "pivotCacheDefinition" in part and part.endswith(".xml"):
            raw = package.read(part)
            source = re.search(rb"<(?:\w+:)?worksheetSource\s[^>]*>", raw)
            if source and (b'sheet="%b"' % mention) in source[0]:
                put(
                    part,
                    raw.replace(
                        source[0], _REF.sub(lambda m: m[1] + shift.area(m[2].decode()).encode() + m[3], source[0]), 1
                    ),
                )
    for relationship in package.relationships(target.sheet_part).values():
        if not relationship.external and package.has(relationship.target):
            _of_the_sheet(package, relationship.type, relationship.target, shift, target, put)
    return changed


def _of_the_sheet(
    package: Package, kind: str, part: str, shift: Shift, target: Target, put: Callable[[str, bytes], None]
) -> None:
    if kind == "drawing":
        raw = package.read(part)
        put(
            part,
            re.sub(
                rb"(<(?:[\w.-]+:)?row>)([0-9]+)(</)",
                lambda m: m[1] + str(shift.row(int(m[2]) + 1) - 1).encode() + m[3],
                raw,
            ),
        )
    elif kind in ("comments", "threadedComment"):
        put(part, _REF.sub(lambda m: m[1] + shift.area(m[2].decode(), grow=False).encode() + m[3], package.read(part)))
    elif kind == "vmlDrawing":
        raw = package.read(part)
        raw = re.sub(rb"(<x:Row>)([0-9]+)(</)", lambda m: m[1] + str(shift.row(int(m[2]) + 1) - 1).encode() + m[3], raw)

        def anchor(match: re.Match[bytes]) -> bytes:
            numbers = [n.strip() for n in match[2].decode().split(",")]
            if len(numbers) == 8:
                for place in (2, 6):
                    numbers[place] = str(shift.row(int(numbers[place]) + 1) - 1)
            return match[1] + ", ".join(numbers).encode() + match[3]

        put(part, re.sub(rb"(<x:Anchor>)([^<]*)(</)", anchor, raw))
    elif kind == "pivotTable":
        location = re.search(
            rb"""<(?:\w+:)?location\s[^>]*?ref=["']\$?[A-Z]+\$?[0-9]+(?::\$?[A-Z]+\$?([0-9]+))?""", package.read(part)
        )
        if location and location[1] and int(location[1]) > shift.last:
            raise FillError(
                f"A pivot table lies below the table {target.table.name}; the new rows would run into it. Move it to another sheet.",
                f"Hay una tabla dinámica debajo de la tabla {target.table.name}; las filas nuevas chocarían con ella. Muévala a otra hoja.",
            )
    elif kind == "table" and part != target.part:
        raw = package.read(part)
        ref = re.search(
            rb"""<(?:[\w.-]+:)?table\s[^>]*?\bref=["']\$?[A-Z]+\$?([0-9]+)(?::\$?[A-Z]+\$?([0-9]+))?""", raw
        )
        if ref is None:
            return
        top, bottom = int(ref[1]), int(ref[2] or ref[1])
        if top <= shift.last < bottom:
            raise FillError(
                f"Another table stands beside {target.table.name} and reaches further down; new rows would tear it apart. Move one of them.",
                f"Otra tabla está junto a {target.table.name} y llega más abajo; las filas nuevas la partirían. Mueva una de ellas.",
            )
        if top > shift.last:
            put(
                part,
                _ATTRIBUTE_AREAS.sub(
                    lambda m: m[1] + m[3] + shift.areas(m[4].decode(), grow=False).encode() + m[5], raw
                ),
            )


def calculation_chain(
    package: Package, shift: Shift, target: Target, new_cells: list[tuple[int, int]]
) -> dict[str, bytes]:
    """The calculation chain, where the workbook has one: moved cells renumbered, new formula cells added at its end."""
    part = next((r.target for r in package.relationships(package.workbook_part).values() if r.type == "calcChain"), "")
    if not part or not package.has(part):
        return {}
    raw = package.read(part)
    sheet_id = _sheet_id(package, target)
    current = b""

    def moved(match: re.Match[bytes]) -> bytes:
        nonlocal current
        number = re.search(rb"""\bi=["']([0-9]+)["']""", match[0])
        current = number[1] if number else current
        if current != sheet_id:
            return match[0]
        return re.sub(
            rb"""(\br=["'])([A-Z]+)([0-9]+)""", lambda m: m[1] + m[2] + str(shift.row(int(m[3]))).encode(), match[0]
        )

    raw = re.sub(rb"<(?:[\w.-]+:)?c\s[^<>]*>", moved, raw)
    prefix = re.search(rb"<((?:[\w.-]+:)?)calcChain", raw)
    p = prefix[1] if prefix else b""
    known = set(re.findall(rb"""\br=["']([A-Z]+[0-9]+)["'][^<>]*\bi=["']%b["']""" % sheet_id, raw))
    added = b"".join(
        b'<%bc r="%b" i="%b"/>' % (p, place, sheet_id)
        for row, column in new_cells
        if (place := address(row, column).encode()) not in known
    )
    end = raw.rfind(b"</")
    return {part: raw[:end] + added + raw[end:]}


def _sheet_id(package: Package, target: Target) -> bytes:
    for node in package.xml(package.workbook_part).iter():
        if node.get("name") == target.sheet_name and node.get("sheetId"):
            return str(node.get("sheetId")).encode()
    return b"1"
