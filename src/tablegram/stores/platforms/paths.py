"""Places in a decoded body, written as people click on them: `order.customer.phone`, `items.0.title`.

A point that belongs to a name has a backslash before it.
"""

from __future__ import annotations

import re

from tablegram.stores.platforms import picking as pick
from tablegram.values import Json

MAX_PARTS = 20
# What a page can show to be clicked on.
MAX_LEAVES = 500
MAX_DEPTH = 12
_PART = re.compile(r"((?:\\.|[^.\\])*)(?:\.|$)", re.DOTALL)


def at(value: object, path: str) -> object:
    """What lies there; nothing where the way ends before."""
    for name in _names(path):
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and name.isascii() and name.isdigit() and len(name) < 7 and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value


def leaves(value: object) -> tuple[tuple[str, str], ...]:
    """Every text, number and yes or no of a body with its place, in order, as far as a page can show them."""
    found: list[tuple[str, str]] = []
    # The next one lies at the end.
    waiting: list[tuple[str, object, int]] = [("", value, 0)]
    while waiting and len(found) < MAX_LEAVES:
        path, one, depth = waiting.pop()
        if isinstance(one, dict | list):
            if depth < MAX_DEPTH:
                waiting += reversed(_below(path, one, depth + 1))
        elif one is not None and path:
            found.append((path, ("false", "true")[one] if isinstance(one, bool) else pick.lines(one)))
    return tuple(found)


def _below(path: str, one: Json | list[object], depth: int) -> list[tuple[str, object, int]]:
    named = (
        one.items() if isinstance(one, dict) else ((str(place), inner) for place, inner in enumerate(one[:MAX_LEAVES]))
    )
    taken = [(_written(name), inner) for name, inner in list(named)[:MAX_LEAVES] if isinstance(name, str)]
    return [(f"{path}.{name}" if path else name, inner, depth) for name, inner in taken if name]


def _written(name: str) -> str:
    return pick.lines(name, pick.MAX_TEXT).replace("\\", "\\\\").replace(".", "\\.")


def _names(path: str) -> list[str]:
    found = [re.sub(r"\\(.)", r"\1", one, flags=re.DOTALL) for one in _PART.findall(path[:1_000])]
    # The pattern also finds nothing behind the end.
    return found[:-1][:MAX_PARTS] if path else []
