"""The notation of the definitions, turned into formulas as a workbook stores them.

`{tax}`           this row's cell of the column `tax`      → ``LateFiling[[#This Row],[Tax on return]]``
`{LateFiling.tax}` the whole column                          → ``LateFiling[Tax on return]``
`{t:not_filed}`   a word, quoted, in the workbook's language → ``"Not filed"``
`{law:key}`       a number of the law, from the Law sheet     → ``Law_late_filing_period``
`{shown:F(…)}`    a result word of the catalogue as people read it; the lookup is on the Lists sheet

In a stored formula "this row" is ``[#This Row]``: Excel's ``[@…]`` exists only on the screen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from recargos.law import T
from recargos.templates.model import Table

_FIELD = re.compile(r"\{(t:)?([A-Za-z_]+)(?:\.([a-z_]+))?\}|\{law:([a-z_.]+)\}")
_SPECIAL = re.compile(r"(['\[\]#@])")
WORDS = "ResultWords"
"""Table of the Lists sheet: the catalogue's result words and how they are shown."""
WORD = T("Word", "Palabra")
SHOWN = T("Shown", "Se muestra")


def column_name(title: str) -> str:
    """A heading inside a structured reference, its special characters escaped."""
    return _SPECIAL.sub(r"'\1", title)


def law_name(key: str) -> str:
    """Defined name of the cell of the Law sheet that holds a number of the law."""
    return "Law_" + key.replace(".", "_")


def quoted(text: str) -> str:
    """A text constant of a formula."""
    return '"' + text.replace('"', '""') + '"'


class Formulas:
    """Turns the notation into formulas for one workbook."""

    def __init__(
        self, tables: Mapping[str, Table], titles: Mapping[tuple[str, str], str], words: Mapping[str, T], language: str
    ) -> None:
        self._tables = tables
        self._titles = titles
        self._words = words
        self._language = language

    def title(self, table: str, key: str) -> str:
        """The heading of a column as the workbook shows it."""
        return self._titles[table, key]

    def of(self, text: str, table: str = "") -> str:
        """`text` as a formula, without the equals sign; `table` is the one whose row it stands in."""
        return _FIELD.sub(lambda match: self._field(match, table), _show(text, self._language))

    def span(self, table: str, first: str, last: str) -> str:
        """This row's cells from one column to another."""
        titles = [column_name(self.title(table, key)) for key in (first, last)]
        return f"{table}[[#This Row],[{titles[0]}]:[{titles[1]}]]"

    def _field(self, match: re.Match[str], table: str) -> str:
        word, name, key, law = match.groups()
        if law:
            return law_name(law)
        if word:
            return quoted(self._words[name].in_(self._language))
        if key:
            return f"{name}[{column_name(self.title(name, key))}]"
        return f"{table}[[#This Row],[{column_name(self.title(table, name))}]]"


def _show(text: str, language: str) -> str:
    """`{shown:…}` spelled out: an unknown word, and so an error too, is shown as it is."""
    start = text.find("{shown:")
    while start >= 0:
        depth, end = 1, start + 7
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        inner = text[start + 7 : end - 1]
        # &"": Calc hands the function's result to MATCH as a 1 × 1 matrix, which it does not find in a column.
        found = f'INDEX({WORDS}[{SHOWN.in_(language)}],MATCH({inner}&"",{WORDS}[{WORD.in_(language)}],0))'
        text = f"{text[:start]}IFERROR({found},{inner}){text[end:]}"
        start = text.find("{shown:")
    return text
