"""The changes of meaning that a source file allows: another comparison, a condition the other way round, a step left out.

Each is a splice of a few characters, so that a person who reads a survivor reads a diff of one line. What is no meaning
stays as it is: annotations, default values, log lines, crash points, the words of an error.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

COMPARISONS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
SUMS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.FloorDiv: ("//", "*")}
# Conditions of a query: without one of them it finds what it should not.
CONDITIONS = ("where", "and_", "filter")
OTHERS = {"min": "max", "max": "min", "any": "all", "all": "any"}
# What does nothing that could be noticed here: lines of a log; and crash points, at which tests of whole processes die.
SILENT = ("log", "logger", "_log", "_logger", "logging", "crash_points")
SILENT_CALLS = ("reach",)
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Change:
    """One change: the bytes of a file from `start` to `end` become others."""

    file: str
    # Of the outermost function around it, as Python names it: `Leases.take`.
    function: str
    line: int
    kind: str
    start: int
    end: int
    before: str
    after: str
    # Which of several like it in its function.
    number: int = 0

    @property
    def name(self) -> str:
        """The same as long as the function says the same, wherever it stands in its file."""
        words = f"{self.file}:{self.function}:{self.kind}:{self.before}:{self.after}:{self.number}"
        return hashlib.sha256(words.encode()).hexdigest()[:10]

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.after.encode() + source[self.end :]


class Text:
    """A source, by the places of its tree."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._lines = [0]
        for line in source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._lines[node.lineno - 1] + node.col_offset,
            self._lines[node.end_lineno - 1] + node.end_col_offset,
        )

    def between(self, left: ast.expr, right: ast.expr, word: str) -> tuple[int, int] | None:
        """Where an operator stands; none where a comment or a bracket makes that unclear."""
        start, end = self.span(left)[1], self.span(right)[0]
        at = self.source.find(word.encode(), start, end)
        gap = self.source[start:end].decode()
        if at < 0 or "#" in gap or gap.strip("() \n\t").split() != word.split():
            return None
        return at, at + len(word)


def changes(file: str, source: bytes) -> list[Change]:
    """All of them, in the order of the file."""
    text, found, tree = Text(source), list[Change](), ast.parse(source)
    making = _makers(tree)
    for name, function in outermost(tree):
        if name in making:
            continue
        seen: dict[tuple[str, str, str], int] = {}
        for node, kind, (start, end), after in _of_function(text, function):
            before = source[start:end].decode()
            number = seen.get((kind, before, after), 0)
            seen[kind, before, after] = number + 1
            found.append(Change(file, name, node.lineno, kind, start, end, before, after, number))
    return found


def outermost(tree: ast.Module | ast.ClassDef, prefix: str = "") -> Iterator[tuple[str, Function]]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from outermost(node, f"{prefix}{node.name}.")
        elif isinstance(node, Function):
            yield prefix + node.name, node


def _makers(tree: ast.Module) -> set[str]:
    """Functions that only make values of their module, such as its queries: those are made before a change can come."""
    own = {node.name: node for node in tree.body if isinstance(node, Function)}
    outside = [node for node in tree.body if not isinstance(node, Function | ast.ClassDef)]
    elsewhere = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    makers = own.keys() & _calls_in(outside)
    return {name for name in makers if name not in _calls_in([*elsewhere, *(own[one] for one in own if one != name)])}


def _calls_in(nodes: Iterable[ast.AST]) -> set[str]:
    inside = (one for node in nodes for one in ast.walk(node))
    return {one.func.id for one in inside if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)}


def _of_function(text: Text, function: Function) -> Iterator[tuple[ast.expr | ast.stmt, str, tuple[int, int], str]]:
    for node in _walk(function):
        if isinstance(node, ast.Compare):
            yield from _comparisons(text, node)
        elif isinstance(node, ast.BoolOp):
            word, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            place = text.between(node.values[0], node.values[1], word)
            if place:
                yield node, "and and or", place, other
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, "not", (text.span(node)[0], text.span(node.operand)[0]), ""
        elif isinstance(node, ast.Constant):
            yield from _constants(text, node)
        elif isinstance(node, ast.BinOp) and type(node.op) in SUMS:
            word, other = SUMS[type(node.op)]
            place = text.between(node.left, node.right, word)
            if place and not _is_text(node.left) and not _is_text(node.right):
                yield node, "sum", place, other
        elif isinstance(node, ast.Call):
            yield from _calls(text, node)
        elif isinstance(node, ast.If | ast.IfExp | ast.While) and not isinstance(node.test, ast.Constant | ast.Compare):
            start, end = text.span(node.test)
            if not isinstance(node.test, ast.UnaryOp | ast.BoolOp | ast.NamedExpr):
                yield node, "condition", (start, end), f"(not ({text.source[start:end].decode()}))"
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await):
            yield node, "step left out", text.span(node), "pass"
        elif isinstance(node, ast.Raise):
            yield node, "no error", text.span(node), "pass"


def _comparisons(text: Text, node: ast.Compare) -> Iterator[tuple[ast.expr, str, tuple[int, int], str]]:
    left = node.left
    for operator, right in zip(node.ops, node.comparators, strict=True):
        word, other = COMPARISONS[type(operator)]
        place = text.between(left, right, word)
        if place:
            yield node, "comparison", place, other
        left = right


def _constants(text: Text, node: ast.Constant) -> Iterator[tuple[ast.expr, str, tuple[int, int], str]]:
    if node.value is True or node.value is False:
        yield node, "yes and no", text.span(node), str(not node.value)
    elif type(node.value) is int and text.source[slice(*text.span(node))].isdigit():
        yield node, "number", text.span(node), str(node.value + 1)


def _calls(text: Text, node: ast.Call) -> Iterator[tuple[ast.expr, str, tuple[int, int], str]]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in OTHERS and isinstance(node.func, ast.Name):
        yield node, "least and most", text.span(node.func), OTHERS[name]
    if name not in CONDITIONS or node.keywords:
        return
    if len(node.args) == 1 and isinstance(node.func, ast.Attribute) and not isinstance(node.args[0], ast.Starred):
        # All that it asks for: the query is the one before it.
        yield node, "condition of a query", text.span(node), text.source[slice(*text.span(node.func.value))].decode()
    for place, one in enumerate(node.args if len(node.args) > 1 else []):
        start, end = text.span(one)
        if place + 1 < len(node.args):
            end = text.span(node.args[place + 1])[0]
        else:
            start = text.span(node.args[place - 1])[1]
        if not isinstance(one, ast.Starred):
            yield one, "condition of a query", (start, end), ""


def _walk(function: Function) -> Iterator[ast.AST]:
    """What is done in it, functions within it included."""
    waiting: list[ast.AST] = [*function.body]
    if isinstance(function.body[0], ast.Expr) and isinstance(function.body[0].value, ast.Constant):
        waiting = waiting[1:]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Expr | ast.Call) and _is_silent(node):
            continue
        yield node
        if isinstance(node, Function):
            waiting[:0] = node.body
        elif isinstance(node, ast.AnnAssign):
            waiting[:0] = [node.value] if node.value else []
        elif not isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom | ast.ClassDef):
            waiting[:0] = ast.iter_child_nodes(node)


def _is_silent(node: ast.Expr | ast.Call) -> bool:
    call = node.value if isinstance(node, ast.Expr) else node
    if not isinstance(call, ast.Call):
        return False
    if isinstance(call.func, ast.Name):
        return call.func.id in SILENT_CALLS
    owner = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    return (owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")) in SILENT


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr | ast.List | ast.Tuple) or (
        isinstance(node, ast.Constant) and not isinstance(node.value, int | float)
    )
