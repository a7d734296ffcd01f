"""A formula as the engine must see it, or why it must not see it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from recargos.statutes import FUNCTIONS as PR_FUNCTIONS
from recargos.workbook.formulas import VOLATILE, Cell, Formulas, Run, Template
from recargos.workbook.overrides.calls import PrCall, variant
from recargos.workbook.overrides.functions import FUNCTIONS
from recargos.workbook.overrides.inline import inlined
from recargos.workbook.overrides.shape import ARITHMETIC, CHOOSING, COMPARISON, spread, type_of, whole_line
from recargos.workbook.overrides.special import GUARDS, SPECIAL, Unsupported
from recargos.workbook.overrides.table import OMISSION, SINGLE, TABLE, Signature
from recargos.workbook.prepare import ident
from recargos.workbook.syntax import (
    MAX_COLUMN,
    MAX_ROW,
    Array,
    Binary,
    Bool,
    Call,
    Error,
    FormulaError,
    Name,
    Node,
    Number,
    Omitted,
    Postfix,
    Ref,
    Text,
    Unary,
    mapped,
    parse,
)

_WEIGHT = 30_000_000
"""Cells of ranges, times rows of a run, that are looked at one by one: about half a minute."""
_SMALL = 2_000
"""Cells of a range in which we search ourselves."""
LONG = 500
"""Runs of so many rows are computed with the engine's own operators, and what they were given is checked afterwards."""


class Checked(NamedTuple):
    """A cell that the engine's own operators take as it is: right only when it holds what they understand."""

    ref: Ref
    kind: str
    """n: a number or blank. k: not blank. e: no error.

    x: a range without texts that look like numbers, or a criterion `other` that does not look like one.
    near: two numbers, `ref` and `other`, that are not the same but for their last bits.
    """
    other: Node | None = None


class Translation(NamedTuple):
    """What the engine gets for a template."""

    tree: Node
    changed: bool
    """Whether the text differs from the one in the file."""
    refusal: str = ""
    """Why the formula is not computed."""
    calls: tuple[PrCall, ...] = ()
    registered: frozenset[str] = frozenset()
    """Functions of ours that it calls."""
    checks: tuple[Checked, ...] = ()
    last_sum: bool = False
    """The engine's own sum or difference comes last: a rest in its last bits must be 0."""


class Translator:
    """Translates each template once."""

    def __init__(self, formulas: Formulas, hidden_rows: Callable[[int], bool] = lambda _: False) -> None:
        self.formulas = formulas
        self.hidden_rows = hidden_rows
        self._done: dict[tuple[object, ...], Translation] = {}

    def translate(self, run: Run, *, strict: bool = False) -> Translation:
        """The translation for a run of cells. `strict`: nothing is left to the engine that is checked afterwards."""
        exact = strict or run.last - run.first + 1 < LONG
        shape = None if run.kind not in ("array", "dataTable") else (run.area, run.dynamic_array)
        key: tuple[object, ...] = (id(run.template), shape, exact, strict)
        done = self._done.get(key) or self._done.get((*key, run.column, run.first, run.last))
        if done is None:
            work = Translating(run, self, exact, strict)
            done = work.translation()
            self._done[(*key, run.column, run.first, run.last) if work.bound else key] = done
        return done


_COERCED = {"t": "R.ASTEXT", "b": "R.ASBOOL", "i": "R.ASRATE", "p": "R.ASPOSITIVE", "w": "R.ASWHOLE", "x": "R.ASPLACE"}
_LOGICAL = frozenset({"AND", "OR", "XOR"})
_RANKING = frozenset({"LARGE", "SMALL", "RANK", "RANK.EQ", "PERCENTILE", "PERCENTILE.INC", "QUARTILE", "QUARTILE.INC"})
_ADDING = frozenset(
    {"SUM", "SUMSQ", "PRODUCT", "AVERAGE", "MAX", "MIN", "MEDIAN", "MODE", "MODE.SNGL", "AVEDEV", "DEVSQ"}
) | {f"{name}{end}" for name in ("STDEV", "VAR") for end in ("", ".S", "P", ".P")}
"""Functions in which a text written into the formula is a number or an error, while in a range it is passed over."""


class Translating:
    """One template on its way."""

    def __init__(self, run: Run, translator: Translator, exact: bool, strict: bool) -> None:
        self.run = run
        self.template: Template = run.template
        self.translator = translator
        self.formulas = translator.formulas
        self.exact = exact
        """Whether operators are ours: in all but long runs."""
        self.strict = strict
        """Whether even a search through a large range is ours."""
        self.bound = False
        """Whether the translation holds only for this run."""
        self.calls: list[PrCall] = []
        self.registered: set[str] = set()
        self.checks: list[Checked] = []
        self.conditional = 0
        self.weight = 0

    def translation(self) -> Translation:
        if self.template.tree is None:
            return self.refused(f"the formula cannot be read: {self.template.problem}")
        if self.template.functions & VOLATILE or self.template.external:
            # Never computed: its value is Excel's. Translating it would only find something to refuse.
            return Translation(self.template.tree, False)
        try:
            tree, last_sum = self.top(self.spills(inlined(self.template.tree)))
        except Unsupported as reason:
            return self.refused(str(reason))
        except FormulaError as problem:
            return self.refused(f"the formula cannot be read: {problem}")
        try:
            changed = parse(self.template.text) != tree
        except FormulaError:
            changed = True
        return Translation(
            tree,
            changed,
            "",
            tuple(self.calls),
            frozenset(self.registered),
            tuple(dict.fromkeys(self.checks)),
            last_sum,
        )

    def refused(self, reason: str) -> Translation:
        return Translation(Omitted(), False, reason)

    # ------------------------------------------------------------------------------------------------ the whole
    def top(self, tree: Node) -> tuple[Node, bool]:
        run = self.run
        if run.kind == "array" and run.area is not None:
            node = self.value(tree, True)
            height, width = run.area[2] - run.area[0] + 1, run.area[3] - run.area[1] + 1
            if not run.dynamic_array:
                node = self.ours("R.FIT", node, Number(str(height)), Number(str(width)))
            return node, False
        if isinstance(tree, Binary) and tree.operator in "+-" and not self.in_brackets():
            several = spread(tree.left) | spread(tree.right)
            if not several.any:
                if self.exact:
                    name = "R.LASTADD" if tree.operator == "+" else "R.LASTSUB"
                    return self.ours(name, self.value(tree.left), self.value(tree.right)), False
                return self.value(tree), True
        several = spread(tree)
        if several.by_array:
            if several.by_range:
                raise Unsupported("Excel would take one row of a range here and a whole array there")
            return self.ours("R.SINGLE", self.value(tree, True)), False
        return self.value(tree), False

    def spills(self, node: Node) -> Node:
        """The tree with `A1#` replaced by the cells that the array formula in A1 fills.

        If they become more or fewer, that formula is named for it, and what rests on it with it.
        """
        anchor: Node | None = None
        if isinstance(node, Postfix) and node.operator == "#":
            anchor = node.operand
        elif isinstance(node, Call) and node.name == "ANCHORARRAY" and len(node.arguments) == 1:
            (anchor,) = node.arguments
        if anchor is None:
            return mapped(node, self.spills)
        if isinstance(anchor, Ref) and anchor.single and self.run.first == self.run.last:
            self.bound = True
            ref = self.template.at(self.run.first, self.run.column)(anchor)
            sheet = self.run.sheet if ref.prefix is None else self.formulas.context.sheet(ref.prefix.sheet)
            owner = self.formulas.run(Cell(sheet, ref.row, ref.column)) if sheet is not None else None
            if owner is not None and owner.area is not None and owner.dynamic_array:
                top, left, bottom, right = owner.area
                return Ref(ref.prefix, top, left, bottom, right, True, True, True, True)
        raise Unsupported("the formula refers to a spilled range (#) that is not in the file")

    def in_brackets(self) -> bool:
        text = self.template.text.strip()
        if not (text.startswith("(") and text.endswith(")")):
            return False
        try:
            return parse(text[1:-1]) == parse(text)
        except FormulaError:
            return False

    def ours(self, name: str, *arguments: Node) -> Call:
        if name not in FUNCTIONS:
            raise Unsupported(f"{name.removeprefix('R.')} is not computed element by element")
        for argument in arguments:
            if isinstance(argument, Ref):
                self.weigh(name, argument)
        self.registered.add(name)
        return Call(name, arguments, name)

    def weigh(self, name: str, ref: Ref) -> None:
        """Refuse what would go through a whole column one cell at a time, or through too many cells in all.

        The engine hands over only the used part of a whole column, and in Excel the blank rest may count too.
        """
        if (ref.row == 1 and ref.last_row == MAX_ROW) or (ref.column == 1 and ref.last_column == MAX_COLUMN):
            if name not in _SEARCHES:
                raise Unsupported("the formula works through a whole column or row cell by cell")
            return
        cells = (ref.last_row - ref.row + 1) * (ref.last_column - ref.column + 1)
        self.weight += cells if cells > 1 else 0
        if self.weight * (self.run.last - self.run.first + 1) > _WEIGHT:
            raise Unsupported("the formula works through too many cells one by one")

    # --------------------------------------------------------------------------------------------------- values
    def value(self, node: Node, arr: bool = False) -> Node:
        """An expression where a single value is wanted, or in array arithmetic (`arr`) an array."""
        if isinstance(node, Number):
            if len(node.text.lower().split("e")[0].replace(".", "").strip("0")) > 15:
                raise Unsupported("a number has more than 15 digits")
            return node
        if isinstance(node, Array):
            if not arr:
                raise Unsupported("an array constant stands where one value is wanted")
            return node
        if isinstance(node, (Text, Bool)):
            return node
        if isinstance(node, Error):
            if node.text not in ("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"):
                raise Unsupported(f"{node.text} is a constant that the engine does not know")
            return node
        if isinstance(node, Ref):
            return self.ref(node, arr)
        if isinstance(node, Unary):
            return self.unary(node, arr)
        if isinstance(node, Postfix):
            if node.operator == "#":
                raise Unsupported("the formula refers to a spilled range (#)")
            return self.operator("R.PCT", [node.operand], arr, Postfix)
        if isinstance(node, Binary):
            return self.binary(node, arr)
        if isinstance(node, Call):
            if node.name == "INDEX" and not arr and node.arguments and whole_line(node):
                raise Unsupported("INDEX gives a whole row or column where one value is wanted")
            return self.call(node, arr)
        if isinstance(node, Omitted):
            return Number("0")
        if isinstance(node, Name):
            raise Unsupported(f"the name {node.name} is not defined in this workbook")
        raise Unsupported("the formula calls a LAMBDA")

    def ref(self, node: Ref, arr: bool) -> Node:
        if node.prefix is not None and node.prefix.last:
            raise Unsupported("the formula refers to several sheets at once (3-D reference)")
        return node if arr or node.single else self.intersected(node)

    def intersected(self, node: Ref) -> Node:
        """Where one value is wanted of a range, Excel takes the one in the formula's own row or column."""
        self.bound = True
        place, run = self.template.place, self.run
        right = run.column - place.column
        left = node.column if node.column_fixed else node.column + right
        last = node.last_column if node.last_column_fixed else node.last_column + right
        if left == last:
            for row in (run.first, run.last):
                top = node.row if node.row_fixed else node.row + row - place.row
                bottom = node.last_row if node.last_row_fixed else node.last_row + row - place.row
                if not top <= row <= bottom:
                    if run.first != run.last:
                        raise Unsupported("a range crosses only some of the rows that Excel would take of it")
                    return Error("#VALUE!")
            return Ref(
                node.prefix,
                place.row,
                node.column,
                place.row,
                node.column,
                False,
                node.column_fixed,
                False,
                node.column_fixed,
            )
        if node.row == node.last_row and node.row_fixed == node.last_row_fixed:
            if not left <= run.column <= last:
                return Error("#VALUE!")
            return Ref(
                node.prefix,
                node.row,
                place.column,
                node.row,
                place.column,
                node.row_fixed,
                False,
                node.row_fixed,
                False,
            )
        return Error("#VALUE!")

    def unary(self, node: Unary, arr: bool) -> Node:
        if node.operator == "+":
            return self.value(node.operand, arr)
        if node.operator == "@":
            return self.implicit(node.operand)
        if isinstance(node.operand, Number):
            return Unary("-", self.value(node.operand))
        return self.operator("R.NEG", [node.operand], arr, Unary)

    def implicit(self, operand: Node) -> Node:
        if isinstance(operand, Ref):
            return self.ref(operand, False)
        several = spread(operand)
        if several.by_range:
            raise Unsupported("Excel would take one value of this range (@)")
        return self.ours("R.SINGLE", self.value(operand, True)) if several.by_array else self.value(operand)

    def operator(
        self,
        name: str,
        operands: list[Node],
        arr: bool,
        native: type[Unary] | type[Postfix] | None = None,
        sign: str = "",
    ) -> Node:
        """Arithmetic: ours, or in long runs the engine's own with its operands checked afterwards."""
        if self.exact or arr:
            return self.ours(name, *[self.value(o, arr) for o in operands])
        emitted = [self.numeric(o, arr) for o in operands]
        if native is Unary:
            return Unary("-", emitted[0])
        if native is Postfix:
            return Postfix("%", emitted[0])
        return Binary(sign, emitted[0], emitted[1])

    def binary(self, node: Binary, arr: bool) -> Node:
        operator = node.operator
        if operator in ARITHMETIC:
            if operator == "^" and not arr and not self.exact:
                return self.ours("R.POW", self.value(node.left), self.value(node.right))
            return self.operator(ARITHMETIC[operator], [node.left, node.right], arr, sign=operator)
        if operator in COMPARISON and not self.exact and not arr and self.compares_numbers(node):
            return node
        if operator in COMPARISON:
            return self.ours(COMPARISON[operator], self.value(node.left, arr), self.value(node.right, arr))
        if operator == "&":
            return self.ours("R.CAT", *[self.value(part, arr) for part in _joined(node)])
        if operator == " ":
            crossing = self.crossing(node)
            return crossing if isinstance(crossing, Error) else self.ref(crossing, arr)
        raise Unsupported(
            "the formula builds a range (:)" if operator == ":" else "the formula joins ranges to one reference (union)"
        )

    def compares_numbers(self, node: Binary) -> bool:
        """Whether a comparison is left to the engine: of cells and numbers, with the cells checked afterwards."""
        refs = [side for side in (node.left, node.right) if isinstance(side, Ref) and side.single]
        numbers = [side for side in (node.left, node.right) if isinstance(side, Number)]
        if not refs or len(refs) + len(numbers) != 2:
            return False
        for side in refs:
            self.ref(side, False)
            self.checks.append(Checked(side, "n"))
        self.checks.append(Checked(refs[0], "near", (refs[1:] or numbers)[0]))
        return True

    def crossing(self, node: Binary) -> Ref | Error:
        """The cells that two ranges have in common."""
        left, right = node.left, node.right
        if (
            not (isinstance(left, Ref) and isinstance(right, Ref))
            or left.prefix != right.prefix
            or left[5:] != right[5:]
        ):
            raise Unsupported("the formula crosses references (intersection)")
        top, bottom = max(left.row, right.row), min(left.last_row, right.last_row)
        first, last = max(left.column, right.column), min(left.last_column, right.last_column)
        if top > bottom or first > last:
            return Error("#NULL!")
        return left._replace(row=top, last_row=bottom, column=first, last_column=last)

    # ------------------------------------------------------------------------------------------------- by kind
    def numeric(self, node: Node, arr: bool, strict: bool = False) -> Node:
        """An expression where a number is wanted."""
        emitted = self.value(node, arr)
        if strict and not (isinstance(node, (Number, Unary, Postfix)) or type_of(node) == "n"):
            return self.ours("R.ASSTRICT", emitted)
        if type_of(node) == "n":
            return emitted
        if isinstance(emitted, Ref) and not self.exact and not arr:
            self.checks.append(Checked(emitted, "n"))
            return emitted
        return self.ours("R.ASNUM", emitted)

    def argument(self, node: Node, kind: str, arr: bool, signature: Signature, areas: tuple[Node, ...] = ()) -> Node:
        """An argument as its kind wants it. `areas`: all the arguments of its function."""
        if isinstance(node, Omitted):
            if signature.name not in OMISSION or kind in "raf":
                raise Unsupported(f"an argument of {signature.name} is left out")
            left_out: dict[str, Node] = {"t": Text(""), "b": Bool(False)}
            return left_out.get(kind, Number("0"))
        if kind in "ipwx":
            if isinstance(node, Number) and _plainly(node, kind):
                return node
            return self.ours(_COERCED[kind], self.value(node, arr))
        if kind == "f":
            if not isinstance(node, (Ref, Array)):
                raise Unsupported(f"{signature.name} of something that is not a range")
            return self.ours("R.ASFLOWS", self.range(node, "r", arr))
        if kind == "n":
            return self.numeric(node, arr, signature.strict)
        if kind in "tb":
            emitted = self.value(node, arr)
            if type_of(node) == kind:
                return emitted
            return self.ours(_COERCED[kind], emitted)
        if kind == "c" and not arr and spread(node).by_range:
            raise Unsupported(f"{signature.name} with a range where one value is wanted")
        if kind in "vc":
            if (
                signature.name in _CRITERIA
                and not arr
                and not self.searches_ourselves(areas)
                and not isinstance(node, (Number, Text, Bool))
            ):
                emitted = self.value(node)
                if isinstance(emitted, Ref):
                    self.checks.append(Checked(emitted, "e"))
                    return emitted
                return self.ours("R.CRITERION", emitted)
            if signature.name in ("T", "N") and spread(node).any:
                raise Unsupported(f"{signature.name} of a range")
            return self.value(node, arr)
        emitted = self.range(node, kind, arr)
        if arr or isinstance(node, (Ref, Array)) or (isinstance(node, Call) and node.name in (*CHOOSING, "INDEX")):
            return emitted
        if signature.name in _LOGICAL and type_of(node) != "b" and not spread(node).any:
            return self.ours("R.ASBOOL", emitted)
        if signature.name in _ADDING and type_of(node) != "n" and not spread(node).any:
            return self.ours("R.ASNUM", emitted)
        return emitted

    def range(self, node: Node, kind: str, arr: bool) -> Node:
        """A range or array taken whole."""
        if isinstance(node, Ref):
            return self.ref(node, True)
        if isinstance(node, Array):
            return node
        if isinstance(node, Binary) and node.operator == " ":
            return self.crossing(node)
        if (
            isinstance(node, Call)
            and node.name == "IF"
            and not arr
            and kind == "r"
            and not spread(node.arguments[0]).any
        ):
            # IF hands a range through.
            condition = self.argument(node.arguments[0], "b", False, TABLE["NOT"])
            self.conditional += 1
            branches = [
                self.range(a, kind, arr) if not isinstance(a, Omitted) else Number("0") for a in node.arguments[1:]
            ]
            self.conditional -= 1
            return Call("IF", (condition, *branches), "IF")
        if isinstance(node, Call) and node.name == "INDEX" and not arr:
            return self.call(node, False)
        several = spread(node)
        if arr or kind == "a" or not several.any:
            return self.value(node, arr or kind == "a")
        if several.by_range:
            raise Unsupported("array arithmetic in a formula that was not entered as an array formula")
        return self.value(node, True)

    # ---------------------------------------------------------------------------------------------------- calls
    def call(self, node: Call, arr: bool) -> Node:
        special = SPECIAL.get(node.name)
        if node.name in PR_FUNCTIONS:
            return self.pr(node, arr)
        if special is not None:
            return special(self, node, arr)
        signature = TABLE.get(node.name)
        if signature is None:
            raise Unsupported(f"{node.name} has not been checked against Excel")
        count = len(node.arguments)
        if count < signature.required or not (signature.repeat or count <= len(signature.kinds)):
            raise Unsupported(f"{node.name} has a number of arguments that Excel does not take")
        if signature.repeat > 1 and (count - len(signature.kinds)) % signature.repeat:
            raise Unsupported(f"{node.name} has a number of arguments that Excel does not take")
        kinds = [signature.kind(index) for index in range(count)]
        several = any(k in SINGLE and spread(a).any for k, a in zip(kinds, node.arguments, strict=True))
        if node.name in ("IFERROR", "IFNA"):
            self.conditional += 1
        arguments = [
            self.argument(a, k, arr, signature, node.arguments) for k, a in zip(kinds, node.arguments, strict=True)
        ]
        if node.name in ("IFERROR", "IFNA"):
            self.conditional -= 1
        if node.name in ("COUNT", "COUNTA", "XOR"):
            if _refs(node.arguments) and node.name != "XOR":
                return Call(node.name, tuple(arguments), node.name)
            pairs = zip(node.arguments, arguments, strict=True)
            return self.ours(
                f"R.{node.name}", *[self.ours("R.RANGE", e) if isinstance(a, Ref) and a.single else e for a, e in pairs]
            )
        if node.name in _RANKING and not all(
            isinstance(a, (Ref, Array, Call, Binary)) for a, k in zip(node.arguments, kinds, strict=True) if k == "r"
        ):
            raise Unsupported(f"{node.name} of something that is not a range")
        if node.name in ("MODE", "MODE.SNGL") and not all(
            isinstance(a, Array) or (isinstance(a, Ref) and not a.single) for a in node.arguments
        ):
            raise Unsupported(f"{node.name} of something that is not a range")
        if (arr and several) or self.prefers_ours(signature, node):
            return self.ours(f"R.{node.name}", *arguments)
        if node.name == "INDEX" and isinstance(arguments[0], Ref):
            arguments[0] = _without_end(arguments[0])
        guard = GUARDS.get(node.name)
        if guard is not None:
            guard(self, node)
        if signature.who == "+" and signature.name in _PASSES_ERRORS_OVER:
            arguments = [a if isinstance(a, (Ref, Array, Number)) else self.ours("R.SAFE", a) for a in arguments]
        return Call(node.name, tuple(arguments), node.name)

    def prefers_ours(self, signature: Signature, node: Call) -> bool:
        if signature.who == "-":
            return True
        if signature.who == "+":
            return False
        name, arguments = signature.name, node.arguments
        if name in ("VLOOKUP", "HLOOKUP", "MATCH", "XLOOKUP"):
            return self.looks_up_ourselves(name, arguments)
        if name in _CRITERIA:
            if not _refs(tuple(a for i, a in enumerate(arguments) if signature.kind(i) == "r")):
                raise Unsupported(f"{name} of something that is not a range")
            if not self.searches_ourselves(arguments) and self.same_sizes(node):
                for at, criterion in enumerate(arguments):
                    area = arguments[at - 1]
                    if signature.kind(at) == "c" and isinstance(area, Ref):
                        known = isinstance(criterion, (Number, Text)) or (
                            isinstance(criterion, Ref) and criterion.single
                        )
                        self.checks.append(Checked(area, "x", criterion if known else None))
                return False
            return True
        return self.exact

    def searches_ourselves(self, nodes: tuple[Node, ...]) -> bool:
        """Whether a search is ours: in small ranges, unless a long run would repeat it."""
        if self.strict:
            return True
        sizes = [(n.last_row - n.row + 1) * (n.last_column - n.column + 1) for n in nodes if isinstance(n, Ref)]
        return self.exact and max(sizes, default=0) <= _SMALL

    def looks_up_ourselves(self, name: str, arguments: tuple[Node, ...]) -> bool:
        """The engine looks up one key that is not blank, in one range, if the match is exact."""
        at = {"VLOOKUP": 3, "HLOOKUP": 3, "MATCH": 2, "XLOOKUP": 4}[name]
        exactly = _is_false(arguments[at]) if len(arguments) > at else name == "XLOOKUP"
        ranges = arguments[1:3] if name == "XLOOKUP" else arguments[1:2]
        if self.searches_ourselves(ranges) or not exactly or not _refs(ranges) or len(arguments) > at + 1:
            return True
        key = arguments[0]
        if isinstance(key, Ref) and key.single:
            self.checks.append(Checked(key, "k"))
            return False
        return not isinstance(key, (Number, Text)) and type_of(key) not in "nt"

    def same_sizes(self, node: Call) -> bool:
        """Whether the ranges of a function with criteria are references of one size."""
        signature = TABLE[node.name]
        ranges = [a for i, a in enumerate(node.arguments) if signature.kind(i) == "r"]
        if not all(isinstance(a, Ref) for a in ranges):
            return False
        return len({(a.last_row - a.row, a.last_column - a.column, a[5:]) for a in ranges if isinstance(a, Ref)}) == 1

    def pr(self, node: Call, arr: bool) -> Node:
        function = PR_FUNCTIONS[node.name]
        omitted = tuple(i for i, a in enumerate(node.arguments) if isinstance(a, Omitted))
        arguments: list[Node] = []
        plain = not arr and not self.conditional
        for index, argument in enumerate(node.arguments):
            whole = index < len(function.arguments) and function.arguments[index].whole_range
            if isinstance(argument, Omitted):
                continue
            if isinstance(argument, Ref) and (whole or not argument.single):
                emitted = self.ref(argument, True)
                cells = (argument.last_row - argument.row + 1) * (argument.last_column - argument.column + 1)
                plain = plain and whole and all(argument[5:]) and cells <= _SMALL
            elif isinstance(argument, Unary) and argument.operator == "-" and isinstance(argument.operand, Number):
                emitted = argument
            else:
                several = spread(argument)
                if several.by_range and not arr:
                    raise Unsupported("array arithmetic in a formula that was not entered as an array formula")
                emitted = self.value(argument, arr or several.any)
                plain = plain and isinstance(argument, (Ref, Number, Text, Bool)) and emitted == argument
            arguments.append(emitted)
        number = 0 if plain else len(self.calls) + 1
        name = variant(node.name, node.arguments, omitted, bool(number))
        self.registered.add(name)
        self.calls.append(PrCall(node.name, name, node.arguments, number))
        if number:
            arguments.insert(0, Number(ident(number)))
        return Call(name, tuple(arguments), name)


def _without_end(ref: Ref) -> Ref:
    """A whole column as a rectangle: of a whole one the engine knows only the used part, beyond which INDEX gives 0."""
    if ref.row == 1 and ref.last_row == MAX_ROW:
        ref = ref._replace(last_row=MAX_ROW - 1)
    if ref.column == 1 and ref.last_column == MAX_COLUMN:
        ref = ref._replace(last_column=MAX_COLUMN - 1)
    return ref


def _joined(node: Binary) -> list[Node]:
    """The parts of `a&b&c`."""
    parts: list[Node] = []
    left: Node = node
    while isinstance(left, Binary) and left.operator == "&":
        parts.append(left.right)
        left = left.left
    return [left, *reversed(parts)]


def _is_false(node: Node) -> bool:
    if isinstance(node, Number):
        return float(node.text) == 0
    return (
        isinstance(node, Omitted)
        or (isinstance(node, Bool) and not node.value)
        or (isinstance(node, Call) and node.name == "FALSE")
    )


def _plainly(node: Number, kind: str) -> bool:
    value = float(node.text)
    return {"i": True, "p": value > 0, "w": value == int(value), "x": True}[kind]


def _refs(nodes: tuple[Node, ...]) -> bool:
    return all(isinstance(n, Ref) for n in nodes)


_SEARCHES = frozenset({"R.MATCH", "R.VLOOKUP", "R.HLOOKUP", "R.XMATCH"})
_CRITERIA = frozenset({"COUNTIF", "SUMIF", "AVERAGEIF", "SUMIFS", "COUNTIFS", "AVERAGEIFS", "MAXIFS", "MINIFS"})
_PASSES_ERRORS_OVER = frozenset({"AGGREGATE"})
