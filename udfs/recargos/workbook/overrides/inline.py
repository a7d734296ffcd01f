"""LET and LAMBDA written out, so that no variables are left."""

from __future__ import annotations

from recargos.workbook.syntax import Apply, Call, FormulaError, Name, Node, mapped, walk

_SIZE = 5_000
"""Nodes of a formula written out; beyond that it is left to Excel."""


def inlined(tree: Node) -> Node:
    """The tree with variables of LET, and parameters of LAMBDAs called on the spot, replaced by what they stand for."""
    result = _inlined(tree, {})
    for count, _ in enumerate(walk(result)):
        if count > _SIZE:
            raise FormulaError("written out, the formula is too long")
    return result


def _inlined(node: Node, values: dict[str, Node]) -> Node:
    if isinstance(node, Name) and node.prefix is None:
        return values.get(_key(node), node)
    if isinstance(node, Call) and node.name == "LET" and len(node.arguments) % 2:
        inner = dict(values)
        *pairs, body = node.arguments
        for variable, value in zip(pairs[::2], pairs[1::2], strict=True):
            if not isinstance(variable, Name):
                raise FormulaError("LET names something that is no variable")
            inner[_key(variable)] = _inlined(value, inner)
            if sum(1 for _ in walk(inner[_key(variable)])) > _SIZE:
                raise FormulaError("written out, the formula is too long")
        return _inlined(body, inner)
    if isinstance(node, Apply) and isinstance(node.callee, Call) and node.callee.name == "LAMBDA":
        *parameters, body = node.callee.arguments
        if len(parameters) != len(node.arguments) or not all(isinstance(p, Name) for p in parameters):
            raise FormulaError("a LAMBDA is called with another number of arguments")
        inner = dict(values)
        for parameter, argument in zip(parameters, node.arguments, strict=True):
            assert isinstance(parameter, Name)
            inner[_key(parameter)] = _inlined(argument, values)
        return _inlined(body, inner)
    return mapped(node, lambda child: _inlined(child, values))


def _key(name: Name) -> str:
    return name.name.casefold().removeprefix("_xlpm.")
