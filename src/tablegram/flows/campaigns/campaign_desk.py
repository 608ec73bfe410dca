"""What people and programs do with campaigns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.campaigns import checking, filling, timing
from tablegram.campaigns.audience import Audience
from tablegram.campaigns.fields import CampaignFields
from tablegram.campaigns.model import MAX_NAME, Campaign, Plan, campaign_row, encode_plan, read_campaign
from tablegram.campaigns.rows import SendRow
from tablegram.campaigns.states import Event
from tablegram.campaigns.store import campaigns as store
from tablegram.campaigns.store import links as link_store
from tablegram.campaigns.store import sends as send_store
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Invalid, no_such
from tablegram.flows.campaigns.answers import CampaignPage, CampaignSendPage, CampaignView
from tablegram.flows.campaigns.message.pictures import with_picture
from tablegram.flows.campaigns.message.templates import CampaignTemplates, check
from tablegram.flows.campaigns.moving import Moving, lock, unknown
from tablegram.flows.campaigns.sender import line_of
from tablegram.flows.campaigns.views import campaign_view, send_view
from tablegram.messaging.rows.lines import LineRow
from tablegram.restaurant import venues
from tablegram.storage.database import Database, Params, Tx
from tablegram.values.clock import Clock
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.ids import new_id

READ, MANAGE = "campaigns:read", "campaigns:manage"
# Of one account: more at once help nobody, and each is looked at every few seconds.
MAX_UNDER_WAY = 20

Changed = Callable[[int, str], None]


class CampaignDesk:
    """`changed` is told each campaign that has moved; the engine looks at it then."""

    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, moving: Moving, changed: Changed,
        audience: Audience, templates: CampaignTemplates,
    ) -> None:  # fmt: skip
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._moving = moving
        self._changed = changed
        self._audience = audience
        self._templates = templates

    async def page(
        self, caller: Caller, *, state: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> CampaignPage:
        caller.require(READ)
        before = None if cursor is None else decode_cursor(cursor)
        which = {"b_account": caller.account_id, "b_state": state, "before": before, "most": limit + 1}

        async def work(tx: Tx) -> CampaignPage:
            rows = await tx.all(store.PAGE, which)
            shown = [await self._view(tx, read_campaign(row)) for row in rows[:limit]]
            more = encode_cursor(rows[limit - 1]["id"]) if len(rows) > limit else None
            return CampaignPage(data=shown, next_cursor=more)

        return await self._db.snapshot(work)

    async def get(self, caller: Caller, campaign_id: str) -> CampaignView:
        caller.require(READ)

        async def work(tx: Tx) -> CampaignView:
            return await self._view(tx, await find(tx, caller.account_id, campaign_id))

        return await self._db.snapshot(work)

    async def usual(self, caller: Caller) -> Plan:
        """What a new one begins with."""
        caller.require(READ)
        return await self._db.snapshot(lambda tx: self._usual(tx, caller.account_id))

    async def create(self, caller: Caller, fields: CampaignFields, call: Call) -> Result[CampaignView]:
        """A draft. Nothing is sent before somebody starts it."""
        caller.require(MANAGE)
        now = self._clock.now_ms()
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[CampaignView]:
            plan = checking.change(await self._usual(tx, caller.account_id), fields)
            one = Campaign(
                account_id=caller.account_id, id=new_id(now), name=_name(fields.get("name", "")), state="draft",
                reason="", segment_id=fields.get("segment_id") or "", instance_id=fields.get("instance_id"), plan=plan,
                due_at=None, behind="", is_listed=False, total=0, starts_at=None, started_at=None, ended_at=None,
                settled_at=None, created_by=caller.author, created_at=now, updated_at=now,
            )  # fmt: skip
            await self._check_line(tx, caller, one.instance_id)
            await self._audience.check(tx, caller.account_id, one.segment_id)
            one = await with_picture(tx, one, "", now)
            await tx.run(store.INSERT, campaign_row(one))
            await acting.note(tx, "campaign.created", "campaign", one.id, {"name": one.name})
            return Result(await self._view(tx, one), 201)

        done = await self._idempotency.once_for(CampaignView, caller.account_id, call, work)
        self._changed(caller.account_id, "")
        return done

    async def change(self, caller: Caller, campaign_id: str, fields: CampaignFields) -> CampaignView:
        """Change what is given, of a draft."""
        caller.require(MANAGE)
        now = self._clock.now_ms()

        async def work(tx: Tx) -> CampaignView:
            one = await lock(tx, caller.account_id, campaign_id)
            if one.state != "draft":
                raise Conflict(f"This campaign is {one.state}. Only a draft can be changed.", code="campaign_state")
            after = msgspec.structs.replace(
                one,
                name=_name(fields["name"]) if "name" in fields else one.name,
                segment_id=fields["segment_id"] or "" if "segment_id" in fields else one.segment_id,
                instance_id=fields.get("instance_id", one.instance_id),
                plan=checking.change(one.plan, fields),
                updated_at=now,
            )
            await self._check_line(tx, caller, after.instance_id)
            await self._audience.check(tx, caller.account_id, after.segment_id)
            after = await with_picture(tx, after, one.plan.image_id, now)
            new = {
                "new_name": after.name, "new_segment": after.segment_id, "new_instance": after.instance_id,
                "new_plan": encode_plan(after.plan), "now": now,
            }  # fmt: skip
            await tx.run(store.CHANGE, {"b_account": one.account_id, "b_id": one.id, **new})
            return await self._view(tx, after)

        view = await self._db.write(work)
        self._changed(caller.account_id, campaign_id)
        return view

    async def start(self, caller: Caller, campaign_id: str, starts_at: int | None, call: Call) -> Result[CampaignView]:
        """Begin now, or at a time."""
        caller.require(MANAGE)
        unasked = await self._templates.ask(caller.account_id, lambda tx: find(tx, caller.account_id, campaign_id))

        async def begin(tx: Tx, one: Campaign, now: int) -> Campaign:
            checking.check_ready(one.plan)
            line = await self._check_line(tx, caller, one.instance_id)
            if line is None:
                raise Conflict("The account has no line to send from yet. Add one first.", code="campaign_line_missing")
            await check(tx, one, line, unasked)
            under_way = await tx.first(store.UNDER_WAY, {"b_account": one.account_id})
            if under_way is not None and under_way["n"] >= MAX_UNDER_WAY:
                raise Conflict(f"{MAX_UNDER_WAY} campaigns are under way. Wait for one to end.", code="campaigns_full")
            links = filling.links_of(one.plan) if one.plan.track_links else []
            if starts_at is None:
                moved = await self._moving.move(tx, one, "start", now, due_at=now)
            else:
                if not now - 60_000 <= starts_at <= now + timing.MAX_AHEAD_MS:
                    raise Invalid.field("starts_at", "time_out_of_range", "Choose a time within the next 90 days.")
                due = max(now, timing.earliest(one.plan, starts_at))
                moved = await self._moving.move(tx, one, "schedule", now, due_at=due, starts_at=starts_at)
            which = {"account_id": one.account_id, "campaign_id": one.id}
            rows = [{**which, "number": number, "url": url} for number, url in enumerate(links, 1)]
            await tx.many(link_store.INSERT, rows)
            return moved

        return await self._move(caller, campaign_id, call, "started" if starts_at is None else "scheduled", begin)

    async def act(self, caller: Caller, campaign_id: str, event: Event, call: Call) -> Result[CampaignView]:
        """Pause, resume or cancel it."""
        caller.require(MANAGE)

        async def work(tx: Tx, one: Campaign, now: int) -> Campaign:
            return await self._moving.move(tx, one, event, now, due_at=now if event == "resume" else None)

        words = {"pause": "paused", "resume": "resumed", "cancel": "cancelled"}
        return await self._move(caller, campaign_id, call, words[event], work)

    async def sends(
        self, caller: Caller, campaign_id: str, *, state: str | None = None, reason: str | None = None, limit: int = 50,
        cursor: str | None = None,
    ) -> CampaignSendPage:  # fmt: skip
        """The ledger: one row for each contact; only those of a state or with a reason where one is given."""
        caller.require(READ)
        after = "" if cursor is None else decode_cursor(cursor)

        async def work(tx: Tx) -> list[SendRow]:
            await find(tx, caller.account_id, campaign_id)
            which: Params = {"b_account": caller.account_id, "b_campaign": campaign_id}
            wanted = {**which, "after": after, "most": limit + 1, **({} if state is None else {"b_state": state})}
            if reason is None:
                return await tx.all(send_store.page(state), wanted)
            query, found = send_store.page_of_reason(state), list[SendRow]()
            for one in await tx.all(send_store.REASONS, {**which, "b_reason": reason}):
                found += await tx.all(query, {**wanted, "b_reason": one["reason"]})
            # Nobody has two of them.
            return sorted(found, key=lambda row: row["contact_id"])[: limit + 1]

        rows = await self._db.snapshot(work)
        more = encode_cursor(rows[limit - 1]["contact_id"]) if len(rows) > limit else None
        return CampaignSendPage(data=[send_view(row) for row in rows[:limit]], next_cursor=more)

    async def _move(
        self, caller: Caller, campaign_id: str, call: Call, word: str, work: Callable[[Tx, Campaign, int], Any]
    ) -> Result[CampaignView]:
        acting = self._audit.acting(caller)
        await self._moving.prepare(caller.account_id)

        async def unit(tx: Tx) -> Result[CampaignView]:
            now = self._clock.now_ms()
            one = await lock(tx, caller.account_id, campaign_id)
            moved: Campaign = await work(tx, one, now)
            await acting.note(tx, f"campaign.{word}", "campaign", one.id, {"name": one.name})
            return Result(await self._view(tx, moved))

        done = await self._idempotency.once_for(CampaignView, caller.account_id, call, unit)
        self._moving.told(caller.account_id)
        self._changed(caller.account_id, campaign_id)
        return done

    async def _view(self, tx: Tx, one: Campaign) -> CampaignView:
        counts = await tx.all(send_store.COUNTS, {"b_account": one.account_id, "b_campaign": one.id})
        return campaign_view(one, counts, self._clock.now_ms())

    async def _usual(self, tx: Tx, account_id: int) -> Plan:
        """What a campaign begins with: the clock of the first venue, and the language of its guests."""
        known = await venues.every(tx, account_id)
        if not known:
            return Plan()
        first = min(known, key=lambda venue: not venue.is_default)
        return Plan(time_zone=first.time_zone, language="tr" if first.locale.startswith("tr") else "en")

    async def _check_line(self, tx: Tx, caller: Caller, instance_id: int | None) -> LineRow | None:
        line = await line_of(tx, caller.account_id, instance_id)
        if instance_id is not None and line is None:
            raise Invalid.field("instance_id", "instance_unknown", no_such("line"))
        return line


async def find(tx: Tx, account_id: int, campaign_id: str) -> Campaign:
    row = await tx.first(store.GET, {"b_account": account_id, "b_id": campaign_id})
    if row is None:
        raise unknown()
    return read_campaign(row)


def _name(text: str) -> str:
    shown = " ".join(text.split())
    if not 0 < len(shown) <= MAX_NAME:
        raise Invalid.field("name", "name_wrong", f"Give it a name of at most {MAX_NAME} characters.")
    return shown
