"""Amounts by statute, as an inline SVG: one pair of bars (before, after) per function, grouped by its statute."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup, escape

from recargos.workbook.report.words import CELLS, WORDS, plural
from recargos.workbook.result import Total

WIDTH, LABEL, AMOUNT = 820, 300, 110
ROW, HEAD, BAR = 34, 30, 11


def svg(totals: Mapping[str, Total], language: str) -> Markup:
    """The chart, or nothing where no cell of a money function was seen."""
    from recargos.statutes import FUNCTIONS

    groups: dict[str, list[tuple[str, Total]]] = {}
    for name, function in FUNCTIONS.items():  # the catalogue's own order
        if name in totals and function.result == "money" and (statute := function.statute) is not None:
            where = statute.citation.lpra or statute.citation.act.in_(language)
            groups.setdefault(f"{statute.title.in_(language)} · {where}", []).append((name, totals[name]))
    if not groups:
        return Markup("")
    most = max(max(abs(total.before), abs(total.after)) for group in groups.values() for _, total in group) or 1.0
    parts: list[Markup] = []
    y = 4
    for title, group in groups.items():
        parts.append(Markup('<text class="statute" x="0" y="{}">{}</text>').format(y + 17, title))
        y += HEAD
        for name, total in group:
            parts.append(_bars(f"{name} · {plural(total.cells, *CELLS, language)}", total, most, y))
            y += ROW
        y += 6
    title = escape(WORDS["amounts"].in_(language))
    head = Markup(
        '<svg class="chart" role="img" aria-label="{}" viewBox="0 0 {} {}" width="{}" height="{}" xmlns="http://www.w3.org/2000/svg">'
    )
    return head.format(title, WIDTH, y, WIDTH, y) + Markup("").join(parts) + Markup("</svg>")


def _bars(label: str, total: Total, most: float, y: int) -> Markup:
    """The label of one function and its two bars, each with its amount behind it."""
    room = WIDTH - LABEL - AMOUNT
    parts = [Markup('<text x="12" y="{}">{}</text>').format(y + 17, label)]
    for line, (kind, amount) in enumerate((("old", total.before), ("new", total.after))):
        length = max(abs(amount) / most * room, 1.0 if amount else 0.0)
        top = y + 1 + line * (BAR + 2)
        parts.append(
            Markup('<rect class="{}" x="{}" y="{}" width="{:.1f}" height="{}"/>').format(kind, LABEL, top, length, BAR)
            + Markup('<text class="{}" x="{:.1f}" y="{}">{:,.2f}</text>').format(
                kind, LABEL + length + 6, top + 10, amount
            )
        )
    return Markup("").join(parts)
