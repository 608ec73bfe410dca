"""A tree of rules as one statement on contacts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Select, and_, bindparam, case, func, not_, or_, select

from tablegram.campaigns.rows import Counted, WithId
from tablegram.campaigns.segments.store.frame import Frame, Holds
from tablegram.campaigns.segments.tree import SEGMENT, Joined, Node, Not, Rules, leaves
from tablegram.storage.database import Params, Query
from tablegram.storage.tables import contacts

c = contacts.c
_ALL = and_(c.account_id == bindparam("b_account"), c.merged_into.is_(None))
EVERYBODY = Query(
    select(c.id).where(_ALL, c.id > bindparam("after")).order_by(c.id).limit(bindparam("most")), row=WithId
)
HOW_MANY = Query(select(func.count().label("n")).where(_ALL), row=Counted)


class Asking:
    """`trees` has every segment that the rules speak of."""

    def __init__(self, frame: Frame, rules: Rules, trees: Mapping[str, Node]) -> None:
        self._frame = frame
        self._rules = rules
        self._trees = trees

    def count(self, node: Node) -> Query[Counted]:
        return Query(self._select(self._holds(node), func.count().label("n")), row=Counted)

    def page(self, node: Node, after: str, most: int) -> Query[WithId]:
        """Ids in their order."""
        return Query(self._page(node, after, most), row=WithId)

    def one(self, node: Node, contact_id: str) -> Query[WithId]:
        """The id of this contact, if the rules hold for it."""
        return Query(self._page(node, "", 1).where(c.id == contact_id), row=WithId)

    def truths(self, node: Node, ids: Sequence[str]) -> Query[Params]:
        """Of each of these contacts, which of the rules hold: `t0`, `t1`, … in the order of `leaves`.

        A row has as many columns as there are rules, and no shape can name them: it holds objects.
        """
        holds = [self._holds(leaf) for leaf in leaves(node)]
        columns = [case((one, 1), else_=0).label(f"t{place}") for place, one in enumerate(holds)]
        return Query(self._select(None, c.id, *columns).where(c.id.in_(ids)))

    def _page(self, node: Node, after: str, most: int) -> Select[Any]:
        return self._select(self._holds(node), c.id).where(c.id > after).order_by(c.id).limit(most)

    def _select(self, condition: Holds | None, *columns: Any) -> Select[Any]:
        living = [c.account_id == self._frame.account_id, c.merged_into.is_(None)]
        there = living if condition is None else [*living, condition]
        return select(*columns).select_from(self._frame.source).where(*there)

    def _holds(self, node: Node) -> Holds:
        if isinstance(node, Joined):
            held = [self._holds(one) for one in node.of]
            return and_(*held) if node.how == "all" else or_(*held)
        if isinstance(node, Not):
            return not_(self._holds(node.of))
        if node.rule == SEGMENT:
            return self._holds(self._trees[node.values.text("is")])
        return self._rules[node.rule].condition(self._frame, node.values)
