"""A formula as LibreOffice must see it, or why it must not see it.

What LibreOffice does otherwise than Excel is rewritten where a formula can say it exactly, and refused where not. Each
rule has its formulas in `tests/office/formulas.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from recargos.law import CellError
from recargos.statutes import FUNCTIONS
from recargos.workbook.formulas import Formulas, Run
from recargos.workbook.libreoffice_functions import (
    ADDING,
    CHOOSING,
    COMPARED,
    COMPARING,
    CONDITIONS,
    CRITERIA,
    DAYS_OF,
    FLAGS,
    INDIFFERENT,
    LOGICAL,
    OTHERWISE,
    WORDY,
)
from recargos.workbook.libreoffice_plain import Refused, plainly_entered, several
from recargos.workbook.syntax import (
    Apply,
    Binary,
    Bool,
    Call,
    Error,
    Name,
    Node,
    Number,
    Omitted,
    Postfix,
    Ref,
    Text,
    Unary,
    mapped,
    walk,
)

_ERRORS = {error.value for error in CellError}
_COMPARISON = frozenset(["=", "<>", "<", ">", "<=", ">="])
_ARITHMETIC = frozenset("+-*/^")
_NUMERIC_TEXT = re.compile(r"\s*([-+]?\(?\$?[\d,]*\.?\d+([eE][-+]?\d+)?\)?%?|true|false)\s*", re.IGNORECASE)
_LARGEST_COPY = 60
"""Nodes of an operand that a rewriting may write down twice."""
_NUM = Error("#NUM!")
_PRE_1901 = 1901
_DIGITS = 15
_ASCII = 128
_LONGEST_TEXT = 32_767
_YEARS = 10_000
_MARGIN = 900
"""Years that 9,999 months and as many days are worth, and some."""
_LAST_DAY = 2_958_465


@dataclass
class Sensitive:
    """Cells that a formula may only read if they hold nothing that LibreOffice takes otherwise than Excel."""

    no_logical: list[Ref] = field(default_factory=list)
    """No TRUE or FALSE: LibreOffice counts them as 1 and 0."""
    no_numeric_text: list[Ref] = field(default_factory=list)
    """No number written as text."""
    no_truth_text: list[Ref] = field(default_factory=list)
    """No text that reads TRUE or FALSE: LibreOffice computes with it."""


class Translation(NamedTuple):
    """What LibreOffice gets for a template."""

    tree: Node
    refusal: str = ""
    calls: tuple[Call, ...] = ()
    """The PR_ calls, as the formula has them."""
    sensitive: Sensitive = Sensitive()


class Translator:
    """Translates each template once.

    `names` are our functions' names in LibreOffice, `spelled` how its .xlsx reader spells Excel's (None: unknown).
    """

    def __init__(
        self, names: Mapping[str, str], spelled: Mapping[str, str | None], version: str, *, date1904: bool = False
    ) -> None:
        self.names = names
        self.spelled = spelled
        self.version = version
        self.date1904 = date1904
        self.filtered = False
        """Whether some sheet shows a filtered list: the copy knows hidden rows, not why they are hidden."""
        self._done: dict[tuple[int, bool], Translation] = {}

    def translate(self, run: Run) -> Translation:
        """The translation for a run of cells."""
        key = (id(run.template), run.kind == "array")
        if key not in self._done:
            self._done[key] = self._translation(run)
        return self._done[key]

    def _translation(self, run: Run) -> Translation:
        template = run.template
        if template.tree is None:
            return Translation(Omitted(), f"the formula cannot be read: {template.problem}")
        try:
            for name in sorted(template.functions):
                self._may_call(name)
            if run.kind != "array":
                plainly_entered(template.tree)
            sensitive = Sensitive()
            _Checking(sensitive).node(template.tree, False)
            tree = _Rewriting(self, run.kind == "array", template.tree).node(template.tree)
        except Refused as refused:
            return Translation(Omitted(), str(refused))
        return Translation(tree, "", template.pr_calls, sensitive)

    def _may_call(self, name: str) -> None:
        if name.startswith("PR_"):
            if name not in FUNCTIONS:
                raise Refused(f"{name} is not a function of the catalogue")
        elif name in OTHERWISE:
            raise Refused(f"LibreOffice computes {name} otherwise than Excel: {OTHERWISE[name]}")
        elif name == "SUBTOTAL" and self.filtered:
            raise Refused("SUBTOTAL leaves out rows that a filter hides, which LibreOffice is not told")
        elif name != "SINGLE" and self.spelled.get(name) is None:
            raise Refused(f"LibreOffice {self.version} does not know the function {name}")
        elif name not in COMPARED:
            raise Refused(f"LibreOffice's {name} was not compared with Excel's")


# ---------------------------------------------------------------------------------------------------------- checking


def is_logical(node: Node) -> bool:
    """Whether the formula's result is TRUE or FALSE whatever its cells hold."""
    if isinstance(node, Bool):
        return True
    if isinstance(node, Binary):
        return node.operator in _COMPARISON
    if isinstance(node, Call):
        if node.name in LOGICAL or (node.name in FUNCTIONS and FUNCTIONS[node.name].result == "flag"):
            return True
        if node.name == "IF":
            return any(is_logical(a) for a in node.arguments[1:]) or len(node.arguments) == 2
        if node.name == "SINGLE" and node.arguments:
            return is_logical(node.arguments[0])
    return isinstance(node, Unary) and node.operator == "@" and is_logical(node.operand)


def is_number(node: Node) -> bool:
    """Whether the formula's result is never TRUE or FALSE, even where LibreOffice formats it so."""
    if isinstance(node, Binary):
        return node.operator in _ARITHMETIC or node.operator == "&"
    if isinstance(node, Unary):
        return node.operator in "+-" and (node.operator == "-" or is_number(node.operand))
    if isinstance(node, Postfix):
        return node.operator == "%"
    if isinstance(node, Call):
        passes_on = (
            node.name in CHOOSING or node.name in COMPARING or node.name in ("LET", "SINGLE", "FILTER", "TRANSPOSE")
        )
        counts = (node.name.endswith(("IF", "IFS")) and node.name not in CHOOSING) or node.name in ("MATCH", "XMATCH")
        return counts or not (passes_on or is_logical(node))
    return isinstance(node, (Number, Text))


def _plain_words(node: Call) -> bool:
    """Whether a comparing function looks for words, and only for words: a number written as text is none of them."""
    if node.name in ("MATCH", "VLOOKUP", "HLOOKUP", "XLOOKUP", "XMATCH", "LOOKUP"):
        wanted = node.arguments[:1]
    elif node.name in ("COUNTIF", "SUMIF", "AVERAGEIF"):
        wanted = node.arguments[1:2]
    else:
        wanted = node.arguments[1 if node.name == "COUNTIFS" else 2 :: 2]
    return bool(wanted) and all(isinstance(a, Text) and _wordy(a.value, node.name in CRITERIA) for a in wanted)


def _wordy(text: str, criterion: bool) -> bool:
    """Whether a number written as text can never be what is looked for."""
    if criterion and re.match(r"[<>]=?(?!>)", text) and not text.startswith("<>"):
        return True  # greater and less are asked of numbers only
    word = text.lstrip("=<>") if criterion else text
    return bool(word) and not numeric_text(word)


def numeric_text(text: str) -> bool:
    """Whether a text reads as a number, or as TRUE or FALSE."""
    return bool(_NUMERIC_TEXT.fullmatch(text))


def truth_text(text: str) -> bool:
    """Whether a text reads as TRUE or FALSE."""
    return text.strip().upper() in ("TRUE", "FALSE")


def _numeric_text(node: Node) -> bool:
    return isinstance(node, Text) and numeric_text(node.value)


class _Checking:
    """Walks a formula and refuses, or notes, what depends on the type that LibreOffice lacks."""

    def __init__(self, sensitive: Sensitive) -> None:
        self.sensitive = sensitive

    def node(self, node: Node, exact: bool) -> None:
        """`exact`: whether it matters to what stands above that TRUE is not 1."""
        if exact and is_logical(node):
            raise Refused("LibreOffice takes TRUE for 1 here")
        if isinstance(node, Ref):
            if exact:
                self.sensitive.no_logical.append(node)
        elif isinstance(node, Binary):
            self.binary(node)
        elif isinstance(node, (Unary, Postfix)):
            if node.operator in "-%":
                self.computed(node.operand)
            self.node(node.operand, exact and node.operator in "+@")
        elif isinstance(node, Call):
            self.call(node, exact)
        elif isinstance(node, Apply):
            raise Refused("LibreOffice does not know LAMBDA")

    def binary(self, node: Binary) -> None:
        left, right = node.left, node.right
        if node.operator in _COMPARISON:
            both = is_logical(left) and is_logical(right)
            for side, other in ((left, right), (right, left)):
                self.node(side, not both)
                zero = isinstance(other, Number) and float(other.text) == 0
                if zero and isinstance(side, Binary) and side.operator in "+-":
                    raise Refused("LibreOffice takes a tiny difference for 0 where Excel does not")
        else:
            for side in (left, right):
                if node.operator in _ARITHMETIC:
                    self.computed(side)
                self.node(side, node.operator == "&")

    def call(self, node: Call, exact: bool) -> None:
        name, arguments = node.name, node.arguments
        if name in FUNCTIONS:
            for argument, of in zip(arguments, FUNCTIONS[name].arguments, strict=False):
                # A call that is compared with the core as a whole needs no check, but it may stand inside a formula.
                self.node(argument, of.kind != "flag" and not isinstance(argument, (Ref, Bool)))
            return
        self.literals(node)
        for position, argument in enumerate(arguments):
            if isinstance(argument, Ref) and (name in DAYS_OF or name in ("DATE", "DAY", "MONTH", "YEAR")):
                self.sensitive.no_numeric_text.append(argument)  # LibreOffice reads "12.5" as a day of May, or December
            if name not in WORDY and name not in INDIFFERENT and name not in COMPARING:
                self.computed(argument)
            if name in CHOOSING:
                on = CHOOSING[name]
                self.node(argument, exact and (on is None or position in on))
                if name in ("IF", "IFS") and not (name == "IF" and position):
                    self.condition(argument)
            elif name in CONDITIONS or name in INDIFFERENT or name in ("SINGLE", "LET"):
                self.node(argument, exact and name in ("SINGLE", "LET"))
                if name in CONDITIONS:
                    self.condition(argument)
            else:
                self.node(argument, position != FLAGS.get(name))
                if name in COMPARING and not _plain_words(node):
                    self.compared(argument)

    def computed(self, node: Node) -> None:
        """An operand with which LibreOffice computes even where it is the text TRUE."""
        if isinstance(node, Text) and truth_text(node.value):
            raise Refused("LibreOffice takes the text TRUE for 1")
        if isinstance(node, Ref):
            self.sensitive.no_truth_text.append(node)

    def condition(self, node: Node) -> None:
        if _numeric_text(node):
            raise Refused("LibreOffice takes text for a condition otherwise than Excel")
        if isinstance(node, Ref):
            self.sensitive.no_numeric_text.append(node)

    def compared(self, node: Node) -> None:
        if _numeric_text(node):
            raise Refused("LibreOffice compares a number written as text otherwise than Excel")
        if isinstance(node, Ref):
            self.sensitive.no_numeric_text.append(node)

    def literals(self, node: Call) -> None:
        """Arguments that decide by themselves that LibreOffice answers otherwise."""
        arguments = node.arguments
        if node.name in ADDING and any(isinstance(a, Text) for a in arguments):
            raise Refused(f"LibreOffice does not read text in {node.name} as a number")
        if node.name == "CHAR" and not (
            len(arguments) == 1 and isinstance(arguments[0], Number) and float(arguments[0].text) < _ASCII
        ):
            raise Refused("LibreOffice's characters beyond 127 are not those of Windows")
        if node.name in ("COUNTIF", "SUMIF", "AVERAGEIF") and arguments and not isinstance(arguments[0], Ref):
            raise Refused(f"{node.name} wants a range in Excel")
        if node.name == "TEXT" and len(arguments) == 2:
            form = arguments[1]
            if not isinstance(form, Text) or "?" in form.value:
                raise Refused("LibreOffice writes this number format otherwise than Excel")
        if node.name in ("N", "T") and isinstance(arguments[0] if arguments else None, Ref) and not arguments[0].single:  # type: ignore[union-attr]
            raise Refused(f"LibreOffice takes another cell of a range in {node.name}")
        if node.name == "SUMPRODUCT" and any(isinstance(a, Ref) and a.single for a in arguments):
            raise Refused("LibreOffice reads a single cell in SUMPRODUCT otherwise than Excel")
        if node.name == "AGGREGATE" and not (
            len(arguments) > 1 and isinstance(arguments[0], Number) and arguments[1] in (Number("4"), Number("6"))
        ):
            raise Refused("LibreOffice leaves out other cells in AGGREGATE")
        if node.name == "WEEKNUM" and not (len(arguments) == 2 and arguments[1] == Number("21")):
            raise Refused("LibreOffice numbers the last week of a year otherwise than Excel")


# --------------------------------------------------------------------------------------------------------- rewriting


def _call(name: str, *arguments: Node) -> Call:
    return Call(name, arguments, name)


def _number(value: int) -> Number:
    return Number(str(value))


def _size(node: Node) -> int:
    return sum(1 for _ in walk(node))


class _Rewriting:
    def __init__(self, translator: Translator, array: bool, whole: Node) -> None:
        self.translator = translator
        self.array = array
        self.whole = whole

    def node(self, node: Node) -> Node:
        if isinstance(node, Call) and node.name == "SINGLE" and len(node.arguments) == 1:
            return self.single(node.arguments[0])
        if isinstance(node, Unary) and node.operator == "@":
            return self.single(node.operand)
        self.check(node)
        changed = mapped(node, self.node)
        if isinstance(changed, Call):
            return self.call(changed, node is self.whole or any(isinstance(part, Name) for part in walk(node)))
        if isinstance(changed, Binary) and changed.operator == "^":
            return self.power(changed, changed.left, changed.right)
        return changed

    def call(self, call: Call, whole: bool) -> Node:
        name, arguments = call.name, call.arguments
        if name in FUNCTIONS:
            return self.ours(call, whole)
        call = call._replace(stored=self.translator.spelled[name] or name, prefix=None)
        if name == "POWER" and len(arguments) == 2:
            return self.power(call, *arguments)
        if name == "MROUND" and len(arguments) == 2:
            number, multiple = arguments
            self.copied(number, multiple)
            return _call("IF", Binary("<", Binary("*", number, multiple), _number(0)), _NUM, call)
        if name in ("FIND", "SEARCH") and len(arguments) in (2, 3):
            return self.find(call)
        if name == "REPT" and len(arguments) == 2:
            self.copied(*arguments)
            long = Binary(">", Binary("*", _call("LEN", arguments[0]), arguments[1]), _number(_LONGEST_TEXT))
            return _call("IF", long, Error("#VALUE!"), call)
        if name == "CODE" and len(arguments) == 1:
            self.copied(*arguments)
            return _call("IF", Binary("=", _call("LEN", *arguments), _number(0)), Error("#VALUE!"), call)
        if name == "RANK" and len(arguments) > 1:
            self.copied(*arguments)
            found = _call("ISNUMBER", _call("MATCH", Binary("+", arguments[0], _number(0)), arguments[1], _number(0)))
            number = Binary("+", arguments[0], _number(0))
            return _call("IF", _call("ISERROR", number), call, _call("IF", found, call, Error("#N/A")))
        if name in DAYS_OF:
            return self.since_day_zero(call)
        if not self.translator.date1904:
            if name in ("YEAR", "MONTH", "DAY") and len(arguments) == 1:
                return self.part_of_date(call, arguments[0])
            if name == "DATE" and len(arguments) == 3:
                return self.date(call)
        return call

    def ours(self, call: Call, whole: bool) -> Node:
        result, single = FUNCTIONS[call.name].result, not several(call)
        node: Node = call._replace(stored=self.translator.names[call.name], prefix=None)
        if not whole and single:
            # The add-in answers a matrix of one cell, which some functions do not take for a value.
            node = _call("INDEX", node, _number(1), _number(1))
        if result == "flag":
            # The add-in can only answer 1 and 0 for a flag; the comparison makes them TRUE and FALSE.
            return Binary("=", node, Number("1"))
        # A text as the add-in gives it equals no other in LibreOffice, which compares them by their place in its pool.
        if result == "text":
            return Binary("&", node, Text(""))
        if result in ("any", "table"):
            self.copied(node, node)
            return _call("IF", _call("ISTEXT", node), Binary("&", node, Text("")), node)
        return node

    def power(self, whole: Node, base: Node, exponent: Node) -> Node:
        """0^0 and a root of a negative number are #NUM! in Excel, 0^-1 is #DIV/0!."""
        positive = isinstance(base, Number) and float(base.text) > 0
        integer = isinstance(exponent, Number) and float(exponent.text).is_integer() and float(exponent.text) != 0
        if positive or integer:
            return whole
        self.copied(base, exponent, base, exponent)
        inverse = Binary("*", Binary("=", base, _number(0)), Binary("<", exponent, _number(0)))
        whole = _call("IF", inverse, Error("#DIV/0!"), whole)
        zero = Binary("*", Binary("=", base, _number(0)), Binary("=", exponent, _number(0)))
        root = Binary("*", Binary("<", base, _number(0)), Binary("<>", exponent, _call("INT", exponent)))
        return _call("IF", Binary("+", zero, root), _NUM, whole)

    def part_of_date(self, call: Call, day: Node) -> Node:
        """Excel's days before March 1900, and its day 0: what a blank cell is."""
        if (isinstance(day, Call) and day.name in ("DATE", "TODAY", "NOW")) or isinstance(day, Text):
            return call
        self.copied(day)
        less_60, less_1 = Binary("<", day, _number(60)), Binary("<", day, _number(1))
        moved = Binary("+", Binary("+", day, less_60), less_1)
        safe = _call("IF", Binary("<", day, _number(0)), _NUM, moved)
        part: Node = call._replace(arguments=(_call("IF", _call("ISTEXT", day), day, safe),))
        if call.name == "DAY":
            leap = Binary("*", Binary(">=", day, _number(60)), Binary("<", day, _number(61)))
            part = Binary("+", Binary("-", part, less_1), leap)
        return part

    def date(self, call: Call) -> Node:
        """Years before 1900 count from 1900. Days are added to the first of a month, one less before March 1900."""
        year, month, day = call.arguments
        literal = all(isinstance(part, Number) and len(part.text) < 5 for part in (month, day))
        if literal and isinstance(year, Number) and _PRE_1901 <= float(year.text) < _YEARS - _MARGIN:
            return call
        self.copied(year, month)
        moved = _call("IF", Binary("<", year, _number(1900)), Binary("+", year, _number(1900)), year)
        plain = Binary("+", year, _number(0))  # a text is no number, instead of greater than any
        bad = Binary("+", Binary("<", plain, _number(0)), Binary(">=", plain, _number(_YEARS)))
        first = call._replace(arguments=(_call("IF", bad, _NUM, moved), month, _number(1)))
        serial = Binary("-", first, Binary("<", first, _number(61)))
        whole = Binary("-", Binary("+", serial, _call("INT", day)), _number(1))
        self.copied(whole)
        outside = Binary("+", Binary("<", whole, _number(0)), Binary(">", whole, _number(_LAST_DAY)))
        return _call("IF", outside, _NUM, whole)

    def since_day_zero(self, call: Call) -> Node:
        """A day below 0, given or found, is #NUM! in Excel."""
        whole: Node = call
        if call.name in ("EDATE", "EOMONTH"):
            self.copied(call)
            whole = _call("IF", Binary("<", call, _number(0)), _NUM, call)
        for position in DAYS_OF[call.name]:
            day = call.arguments[position] if position < len(call.arguments) else _number(0)
            if not isinstance(day, (Number, Omitted)) and not (isinstance(day, Call) and day.name == "DATE"):
                self.copied(day)
                whole = _call("IF", Binary("<", day, _number(0)), _NUM, whole)
        return whole

    def find(self, call: Call) -> Node:
        """An empty text is found at once in Excel."""
        what, where, *start = call.arguments
        if isinstance(what, Text) and what.value:
            return call
        at = start[0] if start and not isinstance(start[0], Omitted) else _number(1)
        self.copied(what, where, at)
        inside = Binary(">=", at, _number(1)), Binary("<=", at, Binary("+", _call("LEN", where), _number(1)))
        found = _call("IF", Binary("*", *inside), _call("INT", at), Error("#VALUE!"))
        return _call("IF", Binary("=", _call("LEN", what), _number(0)), found, call)

    def copied(self, *nodes: Node) -> None:
        if sum(map(_size, nodes)) > _LARGEST_COPY:
            raise Refused("the formula is too long to be written as LibreOffice needs it")

    def single(self, operand: Node) -> Node:
        """`@`: LibreOffice intersects in an ordinary cell without being told; in an array formula it would not."""
        if self.array and not (isinstance(operand, Ref) and operand.single):
            raise Refused("LibreOffice does not know the operator @ in an array formula")
        return self.node(operand)

    def check(self, node: Node) -> None:
        """What the grammar of LibreOffice lacks."""
        if isinstance(node, Postfix) and node.operator == "#":
            raise Refused("LibreOffice does not know the operator #")
        if isinstance(node, Number) and len(re.sub(r"[eE].*|\.", "", node.text).strip("0")) > _DIGITS:
            raise Refused("a number has more than 15 digits, of which Excel leaves out the rest")
        if isinstance(node, Error) and node.text not in _ERRORS:
            raise Refused(f"LibreOffice does not know the error {node.text}")
        if isinstance(node, Ref) and node.prefix is not None and node.prefix.last:
            raise Refused("a reference through several sheets is not computed")
        if isinstance(node, Binary) and node.operator == " " and _release(self.translator.version) < (25, 2):
            raise Refused("this LibreOffice does not know that two ranges do not meet")


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", version)[:2])


def names_used(formulas: Formulas) -> list[str]:
    """Every function that the workbook calls, but ours; and those that a rewriting needs."""
    found = {"IF", "INT", "ISERROR", "ISNUMBER", "ISTEXT", "LEN", "MATCH"}
    for run in formulas.runs:
        found |= run.template.functions
    return sorted(name for name in found if not name.startswith("PR_"))
