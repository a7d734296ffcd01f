"""A formula as the engine must see it, or why it must not see it."""

from __future__ import annotations

from typing import NamedTuple

from recargos.statutes import FUNCTIONS
from recargos.workbook.formulas import Formulas, Run, Template
from recargos.workbook.overrides.calls import PrCall, variant
from recargos.workbook.prepare import ident
from recargos.workbook.syntax import Call, FormulaError, Node, Number, Omitted, mapped, parse


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


class Translator:
    """Translates each template once."""

    def __init__(self, formulas: Formulas) -> None:
        self.formulas = formulas
        self._done: dict[tuple[int, bool, bool], Translation] = {}

    def translate(self, run: Run) -> Translation:
        """The translation for a run of cells."""
        key = (id(run.template), run.kind == "array", run.dynamic_array)
        done = self._done.get(key)
        if done is None:
            done = self._done[key] = _Translating(run, self.formulas).translation()
        return done


class _Translating:
    def __init__(self, run: Run, formulas: Formulas) -> None:
        self.run = run
        self.template: Template = run.template
        self.formulas = formulas
        self.calls: list[PrCall] = []
        self.registered: set[str] = set()

    def translation(self) -> Translation:
        if self.template.tree is None:
            return Translation(Omitted(), False, f"the formula cannot be read: {self.template.problem}")
        tree = self.node(self.template.tree)
        try:
            changed = parse(self.template.text) != tree
        except FormulaError:
            changed = True
        return Translation(tree, changed, "", tuple(self.calls), frozenset(self.registered))

    def node(self, node: Node) -> Node:
        node = mapped(node, self.node)
        if isinstance(node, Call):
            if node.name == "SINGLE" and len(node.arguments) == 1:
                return node.arguments[0]
            if node.name in FUNCTIONS:
                return self.pr(node)
            return node._replace(stored=node.name, prefix=None)
        return node

    def pr(self, node: Call) -> Node:
        omitted = tuple(i for i, a in enumerate(node.arguments) if isinstance(a, Omitted))
        name = variant(node.name, node.arguments, omitted, False)
        self.registered.add(name)
        self.calls.append(PrCall(node.name, name, node.arguments, 0))
        return Call(name, tuple(a for a in node.arguments if not isinstance(a, Omitted)), name)


_ = (ident, Number)
