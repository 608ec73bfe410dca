"""Ready-made groups: offered with their number to who writes a campaign, and saved when one is chosen."""

from __future__ import annotations

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.campaigns.audience import Audience
from tablegram.campaigns.segments import keeping
from tablegram.campaigns.segments.starts import starts
from tablegram.campaigns.segments.store import saved as store
from tablegram.campaigns.segments.tree import parse
from tablegram.engine.idempotency import Call
from tablegram.errors import Conflict, Invalid
from tablegram.flows.campaigns.segments.editing import currency_of
from tablegram.flows.campaigns.segments.segments import MANAGE, READ, SegmentDraft, Segments
from tablegram.storage.database import Database, Tx
from tablegram.values import Json

# So many names are tried when somebody has called another group so.
_NAMES = 9


class ReadyMade:
    def __init__(self, db: Database, audience: Audience, segments: Segments) -> None:
        self._db = db
        self._audience = audience
        self._segments = segments

    async def offered(self, caller: Caller, chosen: str = "") -> list[tuple[str, int]]:
        """Those that no saved segment is yet, each with how many are in; and the one that is chosen."""
        caller.require(READ)

        async def look(tx: Tx) -> list[tuple[str, int]]:
            saved = await _saved(tx, caller.account_id)
            found = []
            for name, rules in (await _rules(tx, caller.account_id)).items():
                if name == chosen or _key(rules) not in saved:
                    node = parse(rules, self._audience.rules)
                    found.append((name, await self._audience.count_of(tx, caller.account_id, node)))
            return found

        return await self._db.snapshot(look)

    async def saved(self, caller: Caller, name: str) -> str:
        """The id of the segment that is this group; empty where there is none."""
        caller.require(READ)

        async def look(tx: Tx) -> str:
            rules = (await _rules(tx, caller.account_id)).get(name)
            if rules is None:
                raise Invalid.field("segment_id", "segment_unknown", "The account has no segment with this id.")
            return (await _saved(tx, caller.account_id)).get(_key(rules), "")

        return await self._db.snapshot(look)

    async def keep(self, caller: Caller, name: str, title: str) -> str:
        """The id of the segment that is this group: the one that is saved, else a new one of that title."""
        caller.require(MANAGE)
        for number in range(1, _NAMES + 1):
            if found := await self.saved(caller, name):
                return found
            rules = (await self._db.snapshot(lambda tx: _rules(tx, caller.account_id)))[name]
            draft = SegmentDraft(name=title if number == 1 else f"{title} {number}", rules=rules)
            try:
                return (await self._segments.add(caller, draft, Call("panel segments"))).value.id
            except Conflict as taken:
                # Somebody has saved another group, or this very one, under that name.
                if taken.code != "name_taken":
                    raise
        raise Conflict(f"Several segments are called {title}. Choose one of them, or rename one.", code="name_taken")


async def _rules(tx: Tx, account_id: int) -> dict[str, Json]:
    return starts(await currency_of(tx, account_id))


async def _saved(tx: Tx, account_id: int) -> dict[bytes, str]:
    rows = await tx.all(store.ALL, {"b_account": account_id})
    return {_key(keeping.rules_of(row)): row["id"] for row in rows}


def _key(rules: Json) -> bytes:
    """The same for the same rules, in whatever order their fields were written."""
    return msgspec.json.encode(rules, order="sorted")
