"""Who a campaign is for: contacts in the order of their ids, page by page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from tablegram.campaigns.segments import keeping
from tablegram.campaigns.segments.rules import Rule
from tablegram.campaigns.segments.store import saved as store
from tablegram.campaigns.segments.store.asking import EVERYBODY, HOW_MANY, Asking
from tablegram.campaigns.segments.store.frame import Frame
from tablegram.campaigns.segments.tree import Node, parse
from tablegram.errors import Invalid
from tablegram.storage.database import Tx
from tablegram.values.clock import Clock

# The time zone that an account's days begin in.
ZoneOf = Callable[[Tx, int], Awaitable[str]]


class Audience:
    """Segments by what the parts of the product can tell of contacts."""

    def __init__(self, rules: Sequence[Rule], clock: Clock, zone_of: ZoneOf) -> None:
        # Grows while the product is built.
        self._rules = rules
        self._clock = clock
        self._zone_of = zone_of

    @property
    def rules(self) -> dict[str, Rule]:
        return {rule.name: rule for rule in self._rules}

    async def page(self, tx: Tx, account_id: int, segment_id: str, after: str, limit: int) -> list[str]:
        """The ids that follow. An empty segment is everybody."""
        if not segment_id:
            rows = await tx.all(EVERYBODY, {"b_account": account_id, "after": after, "most": limit})
            return [row["id"] for row in rows]
        return await self.page_of(tx, account_id, await self.node(tx, account_id, segment_id), after, limit)

    async def count(self, tx: Tx, account_id: int, segment_id: str) -> int:
        if not segment_id:
            row = await tx.first(HOW_MANY, {"b_account": account_id})
            return 0 if row is None else int(row["n"])
        return await self.count_of(tx, account_id, await self.node(tx, account_id, segment_id))

    async def check(self, tx: Tx, account_id: int, segment_id: str) -> None:
        """Whether somebody can be meant: everybody, or a segment that there is; it stays until this is committed."""
        if segment_id and await tx.first(store.HOLD, {"b_account": account_id, "b_id": segment_id}) is None:
            raise Invalid.field("segment_id", "segment_unknown", "The account has no segment with this id.")

    async def node(self, tx: Tx, account_id: int, segment_id: str) -> Node:
        return parse(keeping.rules_of(await keeping.find(tx, account_id, segment_id)), self.rules)

    async def page_of(self, tx: Tx, account_id: int, node: Node, after: str, limit: int) -> list[str]:
        asking = await self.asking(tx, account_id, node)
        return [row["id"] for row in await tx.all(asking.page(node, after, limit), {})]

    async def holds(self, tx: Tx, account_id: int, node: Node, contact_id: str) -> bool:
        """Whether the rules hold for one contact at this moment."""
        asking = await self.asking(tx, account_id, node)
        return await tx.first(asking.one(node, contact_id), {}) is not None

    async def count_of(self, tx: Tx, account_id: int, node: Node) -> int:
        asking = await self.asking(tx, account_id, node)
        row = await tx.first(asking.count(node), {})
        return 0 if row is None else int(row["n"])

    async def asking(self, tx: Tx, account_id: int, node: Node) -> Asking:
        """For one statement about the tree."""
        now = self._clock.now_ms()
        zone = ZoneInfo(await self._zone_of(tx, account_id))
        today = datetime.fromtimestamp(now / 1_000, UTC).astimezone(zone).date()
        rules = self.rules
        return Asking(Frame(account_id, now, today), rules, await keeping.gather(tx, account_id, node, rules))
