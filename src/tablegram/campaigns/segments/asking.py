"""A tree of rules as one statement on contacts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, not_, or_, select

from tablegram.campaigns.segments.rules import Frame
from tablegram.campaigns.segments.tree import Joined, Leaf, Node, Not, Rules, leaves
from tablegram.storage.tables import contacts

SEGMENT = "segment"
c = contacts.c


class Asking:
    """`trees` has every segment that the rules speak of."""

    def __init__(self, frame: Frame, rules: Rules, trees: Mapping[str, Node]) -> None:
        self._frame = frame
        self._rules = rules
        self._trees = trees

    def count(self, node: Node) -> Select[Any]:
        return self._select(self._holds(node), func.count().label("n"))

    def page(self, node: Node, after: str, most: int) -> Select[Any]:
        """Ids in their order."""
        return self._select(self._holds(node), c.id).where(c.id > after).order_by(c.id).limit(most)

    def truths(self, node: Node, ids: Sequence[str]) -> Select[Any]:
        """Of each of these contacts, which of the rules hold: `t0`, `t1`, … in the order of `leaves`."""
        holds = [self._holds(leaf) for leaf in leaves(node)]
        columns = [case((one, 1), else_=0).label(f"t{place}") for place, one in enumerate(holds)]
        return self._select(None, c.id, *columns).where(c.id.in_(ids))

    def _select(self, condition: ColumnElement[bool] | None, *columns: Any) -> Select[Any]:
        living = [c.account_id == self._frame.account_id, c.merged_into.is_(None)]
        there = living if condition is None else [*living, condition]
        return select(*columns).select_from(self._frame.source).where(*there)

    def _holds(self, node: Node) -> ColumnElement[bool]:
        if isinstance(node, Joined):
            held = [self._holds(one) for one in node.of]
            return and_(*held) if node.how == "all" else or_(*held)
        if isinstance(node, Not):
            return not_(self._holds(node.of))
        if node.rule == SEGMENT:
            return self._holds(self._trees[node.values["is"]])
        return self._rules[node.rule].condition(self._frame, node.values)


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
