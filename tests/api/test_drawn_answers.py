"""The structs that draw the OpenAPI document are those that are sent: whatever is drawn as an answer, something makes.

That a handler sends what it draws, its types say (`json` and `answered` of `tablegram.api.requests`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from tablegram.api.documents import types
from tests.api.document import document

SOURCE = Path(types.__file__).parents[2]
ROUTES = "tablegram.api.routes"
# A module, and a name in it.
Place = tuple[str, str]


def test_every_struct_that_is_drawn_as_an_answer_is_made_somewhere() -> None:
    left = {(drawn_classes()[name], name): by for name, by in answers().items()}
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        # To read all of the source as Python takes seconds, and most of it names no such struct.
        if not {name for _, name in left}.isdisjoint(re.findall(r"[A-Z]\w+", text)):
            made = _Making(path, text).found
            left = {place: by for place, by in left.items() if place not in made}
    told = [
        f"{name} is drawn for {by}, and nothing makes it: answer with it ({module})"
        for (module, name), by in sorted(left.items(), key=lambda one: one[0][1])
    ]
    assert told == [], "\n".join(["", *told])


def test_every_answer_in_json_is_drawn_from_a_struct() -> None:
    loose = [
        f"{operation['operationId']} answers JSON that no struct draws"
        for item in document()["paths"].values()
        for operation in item.values()
        for status, response in operation["responses"].items()
        if status.startswith("2")
        and "$ref" not in response.get("content", {}).get("application/json", {"schema": {"$ref": ""}})["schema"]
    ]
    assert loose == [], "\n".join(["", *loose])


# What is drawn.


def references(schema: Any) -> Iterator[str]:
    """The names of components that a part of the document leads to at once."""
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].rpartition("/")[2]
        for value in schema.values():
            yield from references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from references(value)


@cache
def answers() -> dict[str, str]:
    """Every component that an answer leads to, by the first operation that does."""
    components = document()["components"]
    by: dict[str, str] = {}
    waiting = [(name, "every refusal") for one in components["responses"].values() for name in references(one)]
    for item in document()["paths"].values():
        for operation in item.values():
            waiting += [(name, operation["operationId"]) for name in references(operation["responses"])]
    while waiting:
        name, why = waiting.pop()
        if name in components["schemas"] and name not in by:
            by[name] = why
            waiting += [(inner, why) for inner in references(components["schemas"][name])]
    return by


@cache
def drawn_classes() -> dict[str, str]:
    """The module of each struct that the document draws, by its name."""
    drawing = [one for one in vars(types).values() if isinstance(one, ModuleType) and one.__name__ != "msgspec"]
    kinds = [
        kind
        for module in drawing
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__module__ == module.__name__
    ]
    found: dict[str, str] = {}
    waiting: list[Any] = list(msgspec.inspect.multi_type_info(kinds))
    while waiting:
        one = waiting.pop()
        if isinstance(one, msgspec.inspect.StructType):
            if one.cls.__name__ in found:
                continue
            found[one.cls.__name__] = one.cls.__module__
        if isinstance(one, tuple):
            waiting += one
        elif isinstance(one, msgspec.inspect.Type | msgspec.inspect.Field):
            waiting += [getattr(one, name) for name in one.__struct_fields__]
    return found


# What is made.


class _Making(ast.NodeVisitor):
    """What a module makes: it calls it, hands it to what makes it, says that a function answers with it, or reads it as a
    field of a struct that is not drawn. What a handler says that it answers with is a drawing, and makes nothing.
    """

    def __init__(self, path: Path, text: str) -> None:
        self.module = ".".join(["tablegram", *path.relative_to(SOURCE).with_suffix("").parts])
        self.known: dict[str, Place] = {}
        self.found: set[Place] = set()
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                self.known |= {one.asname or one.name: (node.module or "", one.name) for one in node.names}
        self.known |= {one.name: (self.module, one.name) for one in tree.body if isinstance(one, ast.ClassDef)}
        # Names of unions, such as `AnyStep = WaitStep | EndStep`.
        self.unions = {
            target.id: one.value
            for one in tree.body
            if isinstance(one, ast.Assign) and isinstance(one.value, ast.BinOp)
            for target in one.targets
            if isinstance(target, ast.Name)
        }
        self.visit(tree)

    def _take(self, *nodes: ast.AST) -> None:
        for node in nodes:
            for one in ast.walk(node):
                if isinstance(one, ast.Name) and one.id in self.unions:
                    self._take(self.unions[one.id])
                elif isinstance(one, ast.Name) and one.id in self.known:
                    self.found.add(self.known[one.id])
                elif isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id in self.known:
                    self.found.add((".".join(self.known[one.value.id]), one.attr))

    def visit_Call(self, node: ast.Call) -> None:
        self._take(node)

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if node.returns is not None and not self.module.startswith(ROUTES):
            self._take(node.returns)
        self.generic_visit(node)

    visit_FunctionDef = _visit_function
    visit_AsyncFunctionDef = _visit_function

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        is_drawn = drawn_classes().get(node.name) == self.module
        for one in node.body:
            if not isinstance(one, ast.AnnAssign):
                self.visit(one)
            elif not is_drawn:
                self._take(one.annotation)
