"""Why a contact is in a segment."""

from __future__ import annotations

from collections.abc import Mapping

from tablegram.campaigns.segments.tree import Leaf, Node, Not


def reasons(node: Node, truths: Mapping[Leaf, bool]) -> list[tuple[Leaf, bool]]:
    """Why a contact is in: the rules that hold, and those that do not and should not."""
    return _why(node, truths, wanted=True)


def _true(node: Node, truths: Mapping[Leaf, bool]) -> bool:
    if isinstance(node, Leaf):
        return truths[node]
    if isinstance(node, Not):
        return not _true(node.of, truths)
    held = [_true(one, truths) for one in node.of]
    return all(held) if node.how == "all" else any(held)


def _why(node: Node, truths: Mapping[Leaf, bool], *, wanted: bool) -> list[tuple[Leaf, bool]]:
    if _true(node, truths) != wanted:
        return []
    if isinstance(node, Leaf):
        return [(node, wanted)]
    if isinstance(node, Not):
        return _why(node.of, truths, wanted=not wanted)
    return [why for one in node.of for why in _why(one, truths, wanted=wanted)]
