"""A formula as LibreOffice must see it, or why it must not see it.

LibreOffice finds our functions under their full names in every version, and knows most of Excel's. What it does otherwise
than Excel is listed here, with a test for each, instead of coming as a surprise.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from recargos.law import CellError
from recargos.statutes import FUNCTIONS
from recargos.workbook.formulas import Formulas, Run
from recargos.workbook.syntax import (
    Apply,
    Binary,
    Call,
    Error,
    Name,
    Node,
    Number,
    Omitted,
    Postfix,
    Ref,
    Unary,
    mapped,
    walk,
)

OTHERWISE: Mapping[str, str] = {}
"""Functions that LibreOffice knows and does otherwise than Excel, and what differs."""
_ERRORS = {error.value for error in CellError}
_BARE = "@"


class Refused(Exception):
    """LibreOffice may not compute the formula. `str(e)` says why."""


class Translation(NamedTuple):
    """What LibreOffice gets for a template."""

    tree: Node
    refusal: str = ""
    calls: tuple[Call, ...] = ()
    """The PR_ calls, as the formula has them."""


class Translator:
    """Translates each template once. `names` are our functions' names in LibreOffice, `unknown` what it cannot compile."""

    def __init__(self, names: Mapping[str, str], unknown: Collection[str], version: str) -> None:
        self.names = names
        self.unknown = frozenset(unknown)
        self.version = version
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
            tree = _Rewriting(self.names, run.kind == "array").node(template.tree)
        except Refused as refused:
            return Translation(Omitted(), str(refused))
        return Translation(tree, "", template.pr_calls)

    def _may_call(self, name: str) -> None:
        if name.startswith("PR_"):
            if name not in FUNCTIONS:
                raise Refused(f"{name} is not a function of the catalogue")
        elif name in OTHERWISE:
            raise Refused(f"LibreOffice computes {name} otherwise than Excel: {OTHERWISE[name]}")
        elif name in self.unknown and name != "SINGLE":
            raise Refused(f"LibreOffice {self.version} does not know the function {name}")


class _Rewriting:
    def __init__(self, names: Mapping[str, str], array: bool) -> None:
        self.names = names
        self.array = array

    def node(self, node: Node) -> Node:
        if isinstance(node, Call) and node.name == "SINGLE" and len(node.arguments) == 1:
            return self.single(node.arguments[0])
        if isinstance(node, Unary) and node.operator == _BARE:
            return self.single(node.operand)
        self.check(node)
        changed = mapped(node, self.node)
        if isinstance(changed, Call) and changed.name in FUNCTIONS:
            call = changed._replace(stored=self.names[changed.name], prefix=None)
            # The add-in can only answer 1 and 0 for a flag; the comparison makes them TRUE and FALSE.
            return Binary("=", call, Number("1")) if FUNCTIONS[changed.name].result == "flag" else call
        return changed

    def single(self, operand: Node) -> Node:
        """`@`: LibreOffice intersects in an ordinary cell without being told; in an array formula it would not."""
        if self.array and not (isinstance(operand, Ref) and operand.single):
            raise Refused("LibreOffice does not know the operator @ in an array formula")
        return self.node(operand)

    def check(self, node: Node) -> None:
        """What the grammar of LibreOffice lacks."""
        if isinstance(node, Apply):
            raise Refused("LibreOffice does not know LAMBDA")
        if isinstance(node, Postfix) and node.operator == "#":
            raise Refused("LibreOffice does not know the operator #")
        if isinstance(node, Error) and node.text not in _ERRORS:
            raise Refused(f"LibreOffice does not know the error {node.text}")
        if isinstance(node, Ref) and node.prefix is not None and node.prefix.last:
            raise Refused("a reference through several sheets is not computed")


def names_used(formulas: Formulas) -> list[str]:
    """Every function that the workbook calls, but ours."""
    found: set[str] = set()
    for run in formulas.runs:
        found |= run.template.functions
    return sorted(name for name in found if not name.startswith("PR_"))


def variables(node: Node) -> set[str]:
    """Names that are left in a formula: the variables of LET, and what the workbook does not define."""
    return {child.name for child in walk(node) if isinstance(child, Name)}


