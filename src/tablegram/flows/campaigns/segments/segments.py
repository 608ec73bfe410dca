"""Segments: saved, counted while they are written, and shown with why each contact is in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from msgspec.structs import asdict

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.campaigns.audience import Audience
from tablegram.campaigns.rows import SegmentChanges, SegmentRow
from tablegram.campaigns.segments import keeping
from tablegram.campaigns.segments.reasons import reasons
from tablegram.campaigns.segments.speaking import Speaking
from tablegram.campaigns.segments.store import saved as store
from tablegram.campaigns.segments.tree import Node, leaves, parse
from tablegram.crm import profiles
from tablegram.crm.rows import ContactRow
from tablegram.crm.store import contacts as contact_store
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.flows.campaigns.segments.answers import (
    CountedSegment,
    PreviewedContact,
    SegmentCount,
    SegmentMembers,
    SegmentPage,
    SegmentPreview,
    SegmentView,
)
from tablegram.restaurant.figures import keeping as figures
from tablegram.storage.database import Database, Tx
from tablegram.values import Json
from tablegram.values.clock import Clock, iso
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.folding import fold
from tablegram.values.ids import new_id

READ, MANAGE = "campaigns:read", "campaigns:manage"
PREVIEWED = 20
_encode = msgspec.json.Encoder().encode
T = TypeVar("T")


class SegmentDraft(msgspec.Struct, kw_only=True, frozen=True):
    """A segment to be. Its rules are as somebody wrote them, until they are parsed."""

    name: str
    rules: Json


class SegmentChange(msgspec.Struct, kw_only=True, frozen=True):
    """What to change of a segment; what is not given stays."""

    name: str | None = None
    rules: Json | None = None


class Segments:
    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, audience: Audience
    ) -> None:  # fmt: skip
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._audience = audience

    async def page(self, caller: Caller, limit: int, cursor: str | None, q: str | None = None) -> SegmentPage:
        """In the order of their names; with `q`, those whose name holds it."""
        caller.require(READ)
        after = "" if cursor is None else decode_cursor(cursor)
        rows = await self._db.all(
            store.PAGE, {"b_account": caller.account_id, "after": after, "most": keeping.MAX_SEGMENTS}
        )
        sought = fold(q or "").strip()
        found = [row for row in rows if sought in row["name_key"]]
        return SegmentPage(
            data=[_view(row) for row in found[:limit]],
            next_cursor=encode_cursor(found[limit - 1]["name_key"]) if len(found) > limit else None,
        )

    async def get(self, caller: Caller, segment_id: str) -> CountedSegment:
        """With how many are in at this moment."""
        caller.require(READ)

        async def look(tx: Tx) -> CountedSegment:
            row = await keeping.find(tx, caller.account_id, segment_id)
            count = await self._audience.count(tx, caller.account_id, segment_id)
            return CountedSegment(**asdict(_view(row)), count=count)

        return await self._db.snapshot(look)

    async def add(self, caller: Caller, draft: SegmentDraft, call: Call) -> Result[SegmentView]:
        caller.require(MANAGE)
        now = self._clock.now_ms()
        name = keeping.clean_name(draft.name)
        parse(draft.rules, self._audience.rules)
        row: SegmentRow = {
            "account_id": caller.account_id,
            "id": new_id(),
            "name": name,
            "name_key": keeping.name_key(name),
            "rules": _encode(draft.rules).decode(),
            "created_at": now,
            "updated_at": now,
            "updated_by": caller.key_name or caller.key_id,
        }
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[SegmentView]:
            await keeping.add(tx, row, self._audience.rules)
            await acting.note(tx, "segment.added", "segment", row["id"], {"name": name})
            return Result(_view(row), 201)

        return await self._idempotency.once_for(SegmentView, caller.account_id, call, work)

    async def update(self, caller: Caller, segment_id: str, change: SegmentChange) -> SegmentView:
        """Change what is given and leave the rest."""
        caller.require(MANAGE)
        changes: SegmentChanges = {
            "updated_at": self._clock.now_ms(),
            "updated_by": caller.key_name or caller.key_id,
        }
        if change.name is not None:
            changes["name"] = keeping.clean_name(change.name)
            changes["name_key"] = keeping.name_key(changes["name"])
        if change.rules is not None:
            parse(change.rules, self._audience.rules)
            changes["rules"] = _encode(change.rules).decode()
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> SegmentRow:
            row = await keeping.update(tx, caller.account_id, segment_id, changes, self._audience.rules)
            await acting.note(tx, "segment.changed", "segment", segment_id, {"name": row["name"]})
            return row

        return _view(await self._db.write(work))

    async def delete(self, caller: Caller, segment_id: str) -> None:
        caller.require(MANAGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> None:
            row = await keeping.delete(tx, caller.account_id, segment_id, self._audience.rules)
            await acting.note(tx, "segment.deleted", "segment", segment_id, {"name": row["name"]})

        await self._db.write(work)

    async def count(self, caller: Caller, rules: object) -> int:
        """How many contacts the rules hold for, saved or not."""
        return (await self.counted(caller, rules, None)).value.count

    async def counted(self, caller: Caller, rules: object, call: Call | None) -> Result[SegmentCount]:
        caller.require(READ)
        node = parse(rules, self._audience.rules)

        async def look(tx: Tx) -> SegmentCount:
            return SegmentCount(count=await self._audience.count_of(tx, caller.account_id, node))

        return await self._asked(SegmentCount, caller, call, look)

    async def _asked(
        self, kind: type[T], caller: Caller, call: Call | None, look: Callable[[Tx], Awaitable[T]]
    ) -> Result[T]:
        """What is only looked up is kept for who asks under a key, and waits for nobody's writing otherwise."""
        if call is None or call.idempotency_key is None:
            return Result(await self._db.snapshot(look))

        async def work(tx: Tx) -> Result[T]:
            return Result(await look(tx))

        return await self._idempotency.once_for(kind, caller.account_id, call, work)

    async def counts(self, caller: Caller, segment_ids: list[str]) -> dict[str, int]:
        """How many are in each of these, at one moment."""
        caller.require(READ)

        async def look(tx: Tx) -> dict[str, int]:
            return {one: await self._audience.count(tx, caller.account_id, one) for one in segment_ids}

        return await self._db.snapshot(look)

    async def members(self, caller: Caller, segment_id: str, limit: int, cursor: str | None) -> SegmentMembers:
        """Who is in, in the order of their ids: a page never misses or repeats who stays in."""
        caller.require(READ)
        caller.require("contacts:read")
        after = "" if cursor is None else decode_cursor(cursor)

        async def look(tx: Tx) -> SegmentMembers:
            node = await self._audience.node(tx, caller.account_id, segment_id)
            ids = await self._audience.page_of(tx, caller.account_id, node, after, limit + 1)
            return SegmentMembers(
                data=await profiles.views(tx, await self._rows(tx, caller, ids[:limit]), self._clock.now_ms()),
                next_cursor=encode_cursor(ids[limit - 1]) if len(ids) > limit else None,
            )

        return await self._db.snapshot(look)

    async def preview(self, caller: Caller, rules: object, language: str) -> SegmentPreview:
        return (await self.previewed(caller, rules, language, None)).value

    async def previewed(
        self, caller: Caller, rules: object, language: str, call: Call | None
    ) -> Result[SegmentPreview]:
        """How many, and the first twenty of them with why each is in."""
        caller.require(READ)
        caller.require("contacts:read")
        node = parse(rules, self._audience.rules)

        async def look(tx: Tx) -> SegmentPreview:
            total = await self._audience.count_of(tx, caller.account_id, node)
            ids = await self._audience.page_of(tx, caller.account_id, node, "", PREVIEWED)
            return SegmentPreview(count=total, data=await self._told(tx, caller, node, ids, language))

        return await self._asked(SegmentPreview, caller, call, look)

    async def _rows(self, tx: Tx, caller: Caller, ids: list[str]) -> list[ContactRow]:
        found = await tx.gather(contact_store.GET, [{"b_account": caller.account_id, "b_id": one} for one in ids])
        return sorted(found, key=lambda row: str(row["id"]))

    async def _told(self, tx: Tx, caller: Caller, node: Node, ids: list[str], language: str) -> list[PreviewedContact]:
        if not ids:
            return []
        asking = await self._audience.asking(tx, caller.account_id, node)
        truths = {row["id"]: row for row in await tx.all(asking.truths(node, ids), {})}
        speaking = await Speaking.about(tx, caller.account_id, node, self._audience.rules, language)
        known = await figures.of_contacts(tx, caller.account_id, ids) if caller.has("restaurant:read") else {}
        people = await profiles.views(tx, await self._rows(tx, caller, ids), self._clock.now_ms())
        told = []
        for person in people:
            row, count = truths[person.id], known.get(person.id)
            held = {leaf: bool(row[f"t{place}"]) for place, leaf in enumerate(leaves(node))}
            told.append(
                PreviewedContact(
                    contact_id=person.id,
                    name=person.name,
                    phone=next(iter(person.phones), ""),
                    why=[speaking.say(leaf, holds=holds) for leaf, holds in reasons(node, held)],
                    orders=0 if count is None else count["orders"],
                    last_order_at=None if count is None else iso(count["last_at"]),
                )
            )
        return told


def _view(row: SegmentRow) -> SegmentView:
    return SegmentView(
        id=row["id"],
        name=row["name"],
        rules=keeping.rules_of(row),
        created_at=iso(row["created_at"]),
        updated_at=iso(row["updated_at"]),
        updated_by=row["updated_by"],
    )
