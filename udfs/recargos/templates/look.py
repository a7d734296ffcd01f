"""How a workbook looks: colours, fonts, number formats.

Formats are spelled out, never Excel's built-in ones that follow the reader's region: Puerto Rico writes 1,234.50 and
the month first, in both languages.
"""

from __future__ import annotations

from dataclasses import dataclass

from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side

LOCALE = {"es": "[$-500A]", "en": "[$-409]"}
"""es-PR and en-US."""
FONT = "Arial"
"""In every office suite, or with a twin of the same widths: what fits here fits there."""
OPEN = Protection(locked=False)
"""A cell that people fill in."""
SHRINK = Alignment(horizontal="left", vertical="center", indent=1, shrink_to_fit=True)
LEFT = Alignment(horizontal="left", vertical="center")


@dataclass(frozen=True)
class Palette:
    """Colours of a firm, RRGGBB."""

    primary: str = "1F3864"
    accent: str = "2E75B6"
    band: str = "DCE6F1"
    input_fill: str = "FFF9DB"
    input_text: str = "0000C0"
    computed_head: str = "44546A"
    grid: str = "BFC7D1"
    good: str = "E2F0D9"
    good_text: str = "375623"
    bad: str = "FBE0DD"
    bad_text: str = "9C0006"
    warn: str = "FFE8B3"
    warn_text: str = "7F4F00"
    muted: str = "6B7280"


def number_format(kind: str, language: str) -> str:
    """The explicit format of a kind of value."""
    return {
        "money": '#,##0.00_);(#,##0.00);"–"_)',
        "days": "#,##0_)",
        "count": "#,##0_)",
        "date": LOCALE[language] + "mm/dd/yyyy",
        "rate": "0.00%_)",
        "id": "@",
    }.get(kind, "General")


def dollars_format(language: str) -> str:
    """Money with the dollar sign, for totals."""
    sign = {"es": "[$$-500A]", "en": "[$$-409]"}[language]
    return f'{sign}#,##0.00_);({sign}#,##0.00);"–"_)'


def align(kind: str) -> Alignment:
    """Numbers right, dates and words that stand for something in the middle, text left."""
    if kind in ("money", "days", "rate"):
        return Alignment(horizontal="right", vertical="center")
    if kind in ("date", "flag", "tick"):
        return Alignment(horizontal="center", vertical="center")
    return Alignment(horizontal="left", vertical="center", indent=1)


class Look:
    """Fonts, fills and borders made once for a workbook."""

    def __init__(self, palette: Palette) -> None:
        self.palette = p = palette
        thin = Side("thin", color=p.grid)
        self.firm = Font(FONT, 11, bold=True, color=p.primary)
        self.title = Font(FONT, 16, bold=True, color=p.primary)
        self.heading = Font(FONT, 12, bold=True, color=p.primary)
        self.text = Font(FONT, 10)
        self.strong = Font(FONT, 10, bold=True)
        self.muted = Font(FONT, 9, color=p.muted)
        self.italic = Font(FONT, 9, italic=True, color=p.muted)
        self.link = Font(FONT, 10, underline="single", color=p.accent)
        self.white = Font(FONT, 10, bold=True, color="FFFFFF")
        self.input = Font(FONT, 10, color=p.input_text)
        self.fill_input = _fill(p.input_fill)
        self.fill_primary = _fill(p.primary)
        self.fill_computed = _fill(p.computed_head)
        self.fill_band = _fill(p.band)
        self.good = (Font(FONT, 10, color=p.good_text), _fill(p.good))
        self.bad = (Font(FONT, 10, color=p.bad_text, bold=True), _fill(p.bad))
        self.warn = (Font(FONT, 10, color=p.warn_text), _fill(p.warn))
        self.box = Border(left=thin, right=thin, top=thin, bottom=thin)
        self.line = Border(bottom=thin)
        self.rule = Border(bottom=Side("medium", color=p.primary))
        self.sum = Border(top=Side("thin", color=p.primary), bottom=Side("double", color=p.primary))
        self.wrap = Alignment(wrap_text=True, vertical="top")
        self.across = Alignment(horizontal="centerContinuous", vertical="center")
        self.head = Alignment(horizontal="center", vertical="center", wrap_text=True)


def _fill(colour: str) -> PatternFill:
    # Conditional formats read the background colour, cells the foreground colour.
    return PatternFill("solid", fgColor=colour, bgColor=colour)


def differential(font: Font) -> Font:
    """A font as a conditional format carries it: colour and weight, never name and size."""
    return Font(color=font.color, bold=font.bold)
