"""A tree of rules: `{"all": […]}`, `{"any": […]}`, `{"not": …}`, and rules such as `{"rule": "orders", "at_least": 3}`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from tablegram.campaigns.segments.rules import Rule, Values, Wrong
from tablegram.errors import FieldError, Invalid
from tablegram.values import Json

MAX_DEPTH = 6
MAX_RULES = 40
MAX_SIDE_BY_SIDE = 20
# The rule that stands for another segment's own.
SEGMENT = "segment"
Rules = Mapping[str, Rule]


# Each is itself: two of the same words may stand in one tree.
@dataclass(frozen=True, eq=False)
class Leaf:
    rule: str
    # As it was given, and what that means.
    given: Json
    values: Values


@dataclass(frozen=True)
class Joined:
    how: Literal["all", "any"]
    of: tuple[Node, ...]


@dataclass(frozen=True)
class Not:
    of: Node


Node = Leaf | Joined | Not


def leaves(node: Node) -> Iterator[Leaf]:
    """In the order in which they are written."""
    if isinstance(node, Leaf):
        yield node
    else:
        for one in node.of if isinstance(node, Joined) else (node.of,):
            yield from leaves(one)


def parse(given: object, rules: Rules) -> Node:
    """The tree, or `Invalid` with everything that is wrong with it, each by its path."""
    errors: list[FieldError] = []
    node = _Reading(rules, errors).read(given, "rules", 1)
    if errors or node is None:
        raise Invalid.fields(errors[:20])
    return node


class _Reading:
    def __init__(self, rules: Rules, errors: list[FieldError]) -> None:
        self._rules = rules
        self._errors = errors
        self._count = 0

    def _wrong(self, path: str, code: str, fix: str) -> Node | None:
        """No node, and why."""
        self._errors.append(FieldError(path, code, fix))
        return None

    def read(self, given: object, path: str, depth: int) -> Node | None:
        if depth > MAX_DEPTH:
            return self._wrong(path, "rules_too_deep", f"Put rules into each other at most {MAX_DEPTH} deep.")
        if not isinstance(given, dict):
            return self._wrong(path, "type_invalid", "Give a rule as an object.")
        kind = next((one for one in ("all", "any", "not", "rule") if one in given), None)
        if kind is None:
            return self._wrong(path, "rule_missing", 'Name a rule by "rule", or join rules by "all", "any" or "not".')
        if kind == "rule":
            return self._leaf(given, path)
        if len(given) > 1:
            return self._wrong(path, "rule_ambiguous", f'Give nothing beside "{kind}".')
        if kind == "not":
            inner = self.read(given["not"], f"{path}.not", depth + 1)
            return None if inner is None else Not(inner)
        return self._joined("all" if kind == "all" else "any", given[kind], f"{path}.{kind}", depth)

    def _joined(self, how: Literal["all", "any"], given: object, path: str, depth: int) -> Node | None:
        if not isinstance(given, list) or not given:
            return self._wrong(path, "rules_empty", "Give a list of at least one rule.")
        if len(given) > MAX_SIDE_BY_SIDE:
            return self._wrong(path, "rules_too_many", f"Give at most {MAX_SIDE_BY_SIDE} rules side by side.")
        read = [self.read(one, f"{path}[{place}]", depth + 1) for place, one in enumerate(given)]
        return Joined(how, tuple(one for one in read if one is not None))

    def _leaf(self, given: Json, path: str) -> Node | None:
        self._count += 1
        if self._count > MAX_RULES:
            if self._count == MAX_RULES + 1:
                self._wrong(path, "rules_too_many", f"A segment has at most {MAX_RULES} rules.")
            return None
        name = given["rule"]
        rule = self._rules.get(name) if isinstance(name, str) else None
        if rule is None:
            return self._wrong(f"{path}.rule", "rule_unknown", f"Choose one of: {', '.join(sorted(self._rules))}.")
        rest = {key: value for key, value in given.items() if key != "rule"}
        phrase = rule.phrase(rest)
        if phrase is None:
            ways = "; ".join(" and ".join(one.gaps) for one in rule.phrases)
            return self._wrong(path, "rule_incomplete", f"With {name} give exactly: {ways}.")
        values = Values()
        for key, gap in phrase.gaps.items():
            try:
                values[key] = gap.read(rest[key], rest)
            except Wrong as wrong:
                self._wrong(f"{path}.{key}", wrong.code, str(wrong))
        return Leaf(rule.name, rest, values)
