"""The grammar of a formula: text to a tree and back.

Reads what Excel and others store in `<f>`: references in every spelling, links to other books, structured references,
spill and intersection operators, array constants, omitted arguments. Precedence is Excel's: `-2^2` is 4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from recargos.workbook.cells import address as address
from recargos.workbook.cells import column_letters as column_letters
from recargos.workbook.cells import column_number as column_number

MAX_ROW, MAX_COLUMN = 1_048_576, 16_384


class FormulaError(ValueError):
    """The text is not a formula that this grammar knows."""


class Number(NamedTuple):
    """A numeric literal as it was written."""

    text: str


class Text(NamedTuple):
    """A text literal, quotes undone."""

    value: str


class Bool(NamedTuple):
    """TRUE or FALSE written without brackets."""

    value: bool


class Error(NamedTuple):
    """An error literal, `#REF!` for a reference that was lost included."""

    text: str


class Omitted(NamedTuple):
    """An argument that was left out between commas."""


class Prefix(NamedTuple):
    """What stands before the exclamation mark."""

    sheet: str = ""
    """Empty for `[1]!Name`, and for the file of an add-in."""
    last: str = ""
    """Second sheet of a 3-D reference."""
    book: str = ""
    """Number of the external link, or the file's name or path."""


class Ref(NamedTuple):
    """A reference to cells of one sheet. Rows and columns are those of the text; `*_fixed` = with a dollar sign.

    A whole column has rows 1 to 1048576, a whole row columns 1 to 16384, both fixed.
    """

    prefix: Prefix | None
    row: int
    column: int
    last_row: int
    last_column: int
    row_fixed: bool
    column_fixed: bool
    last_row_fixed: bool
    last_column_fixed: bool

    @property
    def single(self) -> bool:
        """One cell."""
        return self.row == self.last_row and self.column == self.last_column and self[5:7] == self[7:9]


class Name(NamedTuple):
    """A defined name, or a variable of LET and LAMBDA."""

    prefix: Prefix | None
    name: str


class Structured(NamedTuple):
    """`Table[…]`; `table` is empty inside the table itself."""

    table: str
    spec: str


class Call(NamedTuple):
    """A function called by name. `name` is bare and upper case; `stored` is how it stood, prefixes included."""

    name: str
    arguments: tuple[Node, ...]
    stored: str
    prefix: Prefix | None = None


class Apply(NamedTuple):
    """A LAMBDA called on the spot: `LAMBDA(x,x+1)(4)`."""

    callee: Node
    arguments: tuple[Node, ...]


class Unary(NamedTuple):
    """`-`, `+` or `@` before its operand."""

    operator: str
    operand: Node


class Postfix(NamedTuple):
    """`%` or `#` (the spill of a cell) behind its operand."""

    operator: str
    operand: Node


class Binary(NamedTuple):
    """Two operands. Besides arithmetic: `:` range, ` ` intersection, `,` union."""

    operator: str
    left: Node
    right: Node


class Array(NamedTuple):
    """An array constant."""

    rows: tuple[tuple[Node, ...], ...]


Node = (
    Number | Text | Bool | Error | Omitted | Ref | Name | Structured | Call | Apply | Unary | Postfix | Binary | Array
)

# ---------------------------------------------------------------------------------------------------------- reading

ERRORS = (
    "NULL!|DIV/0!|VALUE!|REF!|NAME\\?|NUM!|N/A|GETTING_DATA|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|EXTERNAL!"
    "|BUSY!|PYTHON!"
)
_WORD = r"[^\W\d][\w.?\\]*|\\[\w.?\\]*"
_TOKEN = re.compile(
    rf"""(?P<space>[ \t\r\n\u00a0]+)
    |(?P<text>"(?:[^"]|"")*")
    |(?P<prefix>'(?:[^']|'')*'!|(?:\[[^\]\[]+\])?(?:(?:(?!\$?[A-Za-z]{{1,3}}\$?[0-9]+:)[\w.?]+:)?[\w.?]+)!|\[[^\]\[]+\]!)
    |(?P<error>\#(?:{ERRORS}))
    |(?P<rows>\$?[0-9]+:\$?[0-9]+(?![\w.]))
    |(?P<columns>\$?[A-Za-z]{{1,3}}:\$?[A-Za-z]{{1,3}}(?![\w.(!]))
    |(?P<cell>\$?[A-Za-z]{{1,3}}\$?[0-9]{{1,7}}(?![\w.(!\[?\\]))
    |(?P<number>[0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?)
    |(?P<structured>(?:{_WORD})?\[(?:[^\[\]']|'.|\[(?:[^\[\]']|'.)*\])*\])
    |(?P<word>{_WORD})
    |(?P<operator><>|<=|>=|[-+*/^&=<>%@\#:,;(){{}}])""",
    re.VERBOSE | re.DOTALL,
)
_CELL = re.compile(r"(\$?)([A-Za-z]{1,3})(\$?)([0-9]+)")
_OPERAND = {"text", "prefix", "error", "rows", "columns", "cell", "number", "structured", "word"}
_BINDING = {"=": 1, "<>": 1, "<": 1, ">": 1, "<=": 1, ">=": 1, "&": 2, "+": 3, "-": 3, "*": 4, "/": 4, "^": 5}
_REFERENCE = {" ": 8, ":": 9}
_MAX_DEPTH = 200
_FILE = re.compile(r"^(_xl(?:fn|ws|l|udf)\w*\.)+", re.IGNORECASE)
_UDF = re.compile(r"^_xl(?:l|fn|ws|udf\w*)\.|^_xldudf_\w*?(?=PR_)", re.IGNORECASE)


class Token(NamedTuple):
    """A piece of a formula: its kind, text and where it starts."""

    kind: str
    text: str
    start: int


def tokens(text: str) -> list[Token]:
    """The pieces of a formula (without its equals sign). Raises :class:`FormulaError` at what is none."""
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise FormulaError(f"cannot read {text[at : at + 20]!r} at {at + 1}")
        found.append(Token(str(match.lastgroup), match[0], at))
        at = match.end()
    return found


def bare(stored: str) -> str:
    """A function's name, upper case, without what files put before it: `_xlfn.`, `_xlws.`, `_xll.`, `_xldudf_…`."""
    name = stored
    while match := _UDF.match(name):
        name = name[match.end() :]
    return name.upper()


def parse(text: str) -> Node:
    """The tree of a formula, without its equals sign. Raises :class:`FormulaError`."""
    return _Parser(text).whole()


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens = tokens(text)
        self.at = 0
        self.depth = 0

    def peek(self, skip: bool = True) -> Token:
        while skip and self.at < len(self.tokens) and self.tokens[self.at].kind == "space":
            self.at += 1
        return self.tokens[self.at] if self.at < len(self.tokens) else Token("end", "", -1)

    def take(self, text: str) -> None:
        token = self.peek()
        if token.text != text or token.kind != "operator":
            raise FormulaError(f"expected {text!r}, found {token.text!r}")
        self.at += 1

    def whole(self) -> Node:
        node = self.expression(0)
        if self.peek().kind != "end":
            raise FormulaError(f"unexpected {self.peek().text!r}")
        return node

    def expression(self, least: int, union: bool = False) -> Node:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise FormulaError("nested too deeply")
        left = self.prefixed()
        while True:
            spaced = self.peek(skip=False).kind == "space"
            token = self.peek()
            operator = token.text if token.kind == "operator" else ""
            if operator == "%" or operator == "#":
                self.at += 1
                left = Postfix(operator, left)
            elif operator in _BINDING and _BINDING[operator] >= least:
                self.at += 1
                left = Binary(operator, left, self.expression(_BINDING[operator] + 1))
            elif operator == ":" and least <= 9:
                self.at += 1
                left = _joined(left, self.expression(10))
            elif spaced and least <= 8 and (token.kind in _OPERAND or operator == "(") and _can_refer(left):
                left = Binary(" ", left, self.expression(9))
            elif operator == "," and union and least <= 0:
                self.at += 1
                left = Binary(",", left, self.expression(1))
            elif operator == "(" and isinstance(left, (Call, Apply)) and not spaced:
                left = Apply(left, self.arguments())
            else:
                self.depth -= 1
                return left

    def prefixed(self) -> Node:
        token = self.peek()
        if token.kind == "operator" and token.text in "+-@":
            self.at += 1
            # A sign binds tighter than every operator but the reference ones and %: -2^2 = 4.
            return Unary(token.text, self.expression(6 if token.text != "@" else 8))
        return self.operand()

    def operand(self) -> Node:
        token = self.peek()
        self.at += 1
        kind, text = token.kind, token.text
        if kind == "number":
            return Number(text)
        if kind == "text":
            return Text(text[1:-1].replace('""', '"'))
        if kind == "error":
            if self.peek(skip=False).kind in ("cell", "rows", "columns", "word"):
                self.at += 1  # `#REF!A1`: the sheet is gone, whatever follows
            return Error(text.upper())
        if kind == "prefix":
            return self.prefixed_operand(_prefix(text))
        if kind in ("cell", "rows", "columns"):
            return self.reference(kind, text, None)
        if kind == "structured":
            table, _, spec = text.partition("[")
            return Structured(table, spec[:-1])
        if kind == "word":
            return self.word(text, None)
        if text == "(" and kind == "operator":
            node = self.expression(0, union=True)
            self.take(")")
            return node
        if text == "{" and kind == "operator":
            return self.array()
        raise FormulaError(f"unexpected {text!r}" if text else "the formula ends too early")

    def prefixed_operand(self, prefix: Prefix) -> Node:
        token = self.peek(skip=False)
        self.at += 1
        if token.kind in ("cell", "rows", "columns"):
            return self.reference(token.kind, token.text, prefix)
        if token.kind == "word":
            return self.word(token.text, prefix)
        if token.kind == "error":
            return Error(token.text.upper())
        if token.kind == "structured" and prefix.book:
            return Name(prefix, token.text)  # a table of another book
        raise FormulaError(f"unexpected {token.text!r} after a sheet name")

    def reference(self, kind: str, text: str, prefix: Prefix | None) -> Node:
        if kind == "rows":
            first, last = text.split(":")
            a, b = sorted((int(first.lstrip("$")), int(last.lstrip("$"))))
            if not 1 <= a <= b <= MAX_ROW:
                raise FormulaError(f"there is no row {text}")
            return Ref(prefix, a, 1, b, MAX_COLUMN, "$" in first, True, "$" in last, True)
        if kind == "columns":
            first, last = text.split(":")
            (a, a_fixed), (b, b_fixed) = sorted((column_number(t.strip("$")), "$" in t) for t in (first, last))
            if b <= MAX_COLUMN:
                return Ref(prefix, 1, a, MAX_ROW, b, True, a_fixed, True, b_fixed)
            raise FormulaError(f"there is no column {text}")
        corner = _corner(text)
        if corner is None:
            return self.word(text, prefix)
        row, column, row_fixed, column_fixed = corner
        node = Ref(prefix, row, column, row, column, row_fixed, column_fixed, row_fixed, column_fixed)
        following = self.peek(skip=False)
        if following.text == ":" and self.at + 1 < len(self.tokens) and self.tokens[self.at + 1].kind == "cell":
            other = _corner(self.tokens[self.at + 1].text)
            if other is not None:
                self.at += 2
                return _rectangle(prefix, corner, other)
        return node

    def word(self, text: str, prefix: Prefix | None) -> Node:
        if self.peek(skip=False).text == "(" and self.peek(skip=False).kind == "operator":
            return Call(bare(text), self.arguments(), text, prefix)
        if prefix is None and text.upper() in ("TRUE", "FALSE"):
            return Bool(text.upper() == "TRUE")
        return Name(prefix, text)

    def arguments(self) -> tuple[Node, ...]:
        self.take("(")
        if self.peek().text == ")" and self.peek().kind == "operator":
            self.at += 1
            return ()
        found: list[Node] = []
        while True:
            token = self.peek()
            if token.kind == "operator" and token.text in ",)":
                found.append(Omitted())
            else:
                found.append(self.expression(0))
            token = self.peek()
            self.at += 1
            if token.kind != "operator" or token.text not in ",)":
                raise FormulaError(
                    f"unexpected {token.text!r} among arguments" if token.text else "a bracket is missing"
                )
            if token.text == ")":
                return tuple(found)

    def array(self) -> Node:
        rows: list[list[Node]] = [[]]
        while True:
            item = self.expression(6)
            if isinstance(item, Unary) and isinstance(item.operand, Number):
                item = Number(("-" if item.operator == "-" else "") + item.operand.text)
            if not isinstance(item, (Number, Text, Bool, Error)):
                raise FormulaError("an array constant holds a formula")
            rows[-1].append(item)
            token = self.peek()
            self.at += 1
            if token.text == "}":
                return Array(tuple(tuple(row) for row in rows))
            if token.text == ";":
                rows.append([])
            elif token.text != ",":
                raise FormulaError("an array constant is not closed")


def _prefix(text: str) -> Prefix:
    inner = text[:-1]
    if inner.startswith("'"):
        inner = inner[1:-1].replace("''", "'")
    book = ""
    if "[" in inner:
        path, _, rest = inner.partition("[")
        file, _, inner = rest.partition("]")
        book = path + file
    elif re.search(r"[\\/]|\.(xl\w+|od\w)$", inner, re.IGNORECASE):
        return Prefix(book=inner)  # a name of another file: 'C:\…\x.xlam'!PR_X
    first, _, last = inner.partition(":")
    return Prefix(first, last, book)


Corner = tuple[int, int, bool, bool]


def _corner(text: str) -> Corner | None:
    match = _CELL.fullmatch(text)
    assert match is not None
    row, column = int(match[4]), column_number(match[2])
    if not (1 <= row <= MAX_ROW and column <= MAX_COLUMN):
        return None
    return row, column, bool(match[3]), bool(match[1])


def _rectangle(prefix: Prefix | None, one: Corner, other: Corner) -> Ref:
    """The range between two corners, whichever way they were written."""
    (top, top_fixed), (bottom, bottom_fixed) = sorted(((one[0], one[2]), (other[0], other[2])), key=_place)
    (left, left_fixed), (right, right_fixed) = sorted(((one[1], one[3]), (other[1], other[3])), key=_place)
    return Ref(prefix, top, left, bottom, right, top_fixed, left_fixed, bottom_fixed, right_fixed)


def _place(end: tuple[int, bool]) -> int:
    """Ends at the same place keep their order: of `C$1:C1` it is the second that moves on when filled down."""
    return end[0]


def _joined(left: Node, right: Node) -> Node:
    """`Sheet1!A1:Sheet1!B2` is one range; anything else is left to the range operator."""
    if (
        isinstance(left, Ref)
        and isinstance(right, Ref)
        and left.single
        and right.single
        and right.prefix in (None, left.prefix)
    ):
        return _rectangle(
            left.prefix,
            (left.row, left.column, left.row_fixed, left.column_fixed),
            (right.row, right.column, right.row_fixed, right.column_fixed),
        )
    return Binary(":", left, right)


def _can_refer(node: Node) -> bool:
    return isinstance(node, (Ref, Name, Structured, Call, Error)) or (
        isinstance(node, Binary) and node.operator in " ,:"
    )


# ------------------------------------------------------------------------------------------------- walking, changing


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below."""
    if isinstance(node, (Call, Apply)):
        return (node.callee, *node.arguments) if isinstance(node, Apply) else node.arguments
    if isinstance(node, (Unary, Postfix)):
        return (node.operand,)
    if isinstance(node, Binary):
        return (node.left, node.right)
    if isinstance(node, Array):
        return tuple(item for row in node.rows for item in row)
    return ()


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, outermost first."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def mapped(node: Node, change: Callable[[Node], Node]) -> Node:
    """The tree with every child replaced by `change(child)`."""
    if isinstance(node, Call):
        return node._replace(arguments=tuple(change(a) for a in node.arguments))
    if isinstance(node, Apply):
        return Apply(change(node.callee), tuple(change(a) for a in node.arguments))
    if isinstance(node, (Unary, Postfix)):
        return node._replace(operand=change(node.operand))
    if isinstance(node, Binary):
        return Binary(node.operator, change(node.left), change(node.right))
    return node


# ---------------------------------------------------------------------------------------------------------- writing

_PLAIN_SHEET = re.compile(r"[^\W\d]\w*")


def quoted(sheet: str) -> str:
    """A sheet's name as a formula writes it, quotes where they may be needed."""
    if (
        _PLAIN_SHEET.fullmatch(sheet)
        and not _CELL.fullmatch(sheet)
        and not re.fullmatch(r"[rRcC]\d*([rRcC]\d*)?", sheet)
    ):
        return sheet
    return "'" + sheet.replace("'", "''") + "'"


def written(node: Node, reference: Callable[[Ref], str] | None = None) -> str:
    """A formula's text, without the equals sign. `reference` writes references that are not as in the tree."""
    return _written(node, 0, reference or reference_text)


def reference_text(ref: Ref) -> str:
    """`'My Sheet'!$A1:B$2`."""
    if ref.row == 1 and ref.last_row == MAX_ROW and ref.row_fixed and ref.last_row_fixed:
        body = ":".join(
            f"{'$' * fixed}{column_letters(c)}"
            for c, fixed in ((ref.column, ref.column_fixed), (ref.last_column, ref.last_column_fixed))
        )
    elif ref.column == 1 and ref.last_column == MAX_COLUMN and ref.column_fixed and ref.last_column_fixed:
        body = ":".join(
            f"{'$' * fixed}{r}" for r, fixed in ((ref.row, ref.row_fixed), (ref.last_row, ref.last_row_fixed))
        )
    else:
        body = f"{'$' * ref.column_fixed}{column_letters(ref.column)}{'$' * ref.row_fixed}{ref.row}"
        if not ref.single:
            body += f":{'$' * ref.last_column_fixed}{column_letters(ref.last_column)}"
            body += f"{'$' * ref.last_row_fixed}{ref.last_row}"
    return prefix_text(ref.prefix) + body


def prefix_text(prefix: Prefix | None) -> str:
    """`'C:\\[b.xlsx]My Sheet'!`, or nothing."""
    if prefix is None:
        return ""
    if not prefix.book:
        if prefix.last:
            return "'" + f"{prefix.sheet}:{prefix.last}".replace("'", "''") + "'!"
        return quoted(prefix.sheet) + "!"
    if not prefix.sheet:
        return f"[{prefix.book}]!" if prefix.book.isdigit() else "'" + prefix.book.replace("'", "''") + "'!"
    return "'" + f"[{prefix.book}]{prefix.sheet}".replace("'", "''") + "'!"


def _written(node: Node, outer: int, reference: Callable[[Ref], str]) -> str:
    if isinstance(node, Ref):
        return reference(node)
    if isinstance(node, Number):
        return node.text
    if isinstance(node, Text):
        return '"' + node.value.replace('"', '""') + '"'
    if isinstance(node, Bool):
        return "TRUE" if node.value else "FALSE"
    if isinstance(node, Error):
        return node.text
    if isinstance(node, Omitted):
        return ""
    if isinstance(node, Name):
        return prefix_text(node.prefix) + node.name
    if isinstance(node, Structured):
        return f"{node.table}[{node.spec}]"
    if isinstance(node, (Call, Apply)):
        head = (
            prefix_text(node.prefix) + node.stored if isinstance(node, Call) else _written(node.callee, 10, reference)
        )
        # A comma inside an argument would be a second argument: unions keep their brackets.
        return head + "(" + ",".join(_written(a, 1, reference) for a in node.arguments) + ")"
    if isinstance(node, Array):
        return "{" + ";".join(",".join(_written(item, 0, reference) for item in row) for row in node.rows) + "}"
    if isinstance(node, Binary):
        level = _BINDING.get(node.operator) or _REFERENCE.get(node.operator, 0)
        text = _written(node.left, level, reference) + node.operator + _written(node.right, level + 1, reference)
        return f"({text})" if level < outer or node.operator == "," else text
    if isinstance(node, Unary):
        text = node.operator + _written(node.operand, 6, reference)
        return f"({text})" if outer > 6 else text
    return _written(node.operand, 7, reference) + node.operator
