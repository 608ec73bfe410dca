"""The demo's shop and form: ten days of orders, carts and letters, taken in as the product takes them in, at their own times."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import msgspec

from tablegram.demo import shop_story as story
from tablegram.demo import store
from tablegram.demo.stage import Stage
from tablegram.engine.rows import TakenBody
from tablegram.flows.stores.notices.reminding import Reminding
from tablegram.flows.stores.notices.speaking import QueuedNotice, Speaking, Spoken, Unsaid
from tablegram.flows.stores.people import Recogniser
from tablegram.messaging.model import NORMAL
from tablegram.storage.database import Tx
from tablegram.stores.carts import store as cart_store
from tablegram.stores.following import StoreEvents
from tablegram.stores.hearing import Heard, Hearing, digest, source_of, write_heard
from tablegram.stores.model import Followed, SourceRow, ToldEvent
from tablegram.stores.notifications import filling, wordings
from tablegram.stores.notifications import store as notice_store
from tablegram.stores.notifications.kinds import MARKETING
from tablegram.stores.notifications.model import Notice
from tablegram.stores.sources import Sources
from tablegram.values.authors import AUTOMATIC
from tablegram.values.clock import MINUTE_MS, Clock
from tablegram.values.ids import first_id

_replace = msgspec.structs.replace


async def fill(stage: Stage, sources: Sources) -> None:
    """For an account that has connected nothing yet."""
    account_id, now = stage.account_id, stage.clock.now_ms()
    known = await stage.db.snapshot(lambda tx: sources.every(tx, account_id))
    if known or not stage.filled:
        return
    since = now - story.DAYS_MS

    async def connect(tx: Tx) -> tuple[SourceRow, SourceRow]:
        shop, _ = sources.draft(account_id, "woocommerce", story.SHOP, "", since)
        form, _ = sources.draft(account_id, "form", story.FORM, "", since)
        for one in (shop, form):
            await sources.add(tx, _replace(one, country="TR", currency="TRY", instance_id=stage.line_id))
        for kind, step in story.SWITCHED_ON:
            for language in ("tr", "en"):
                known = await wordings.get(tx, account_id, kind, step, language)
                await wordings.keep(tx, wordings.change(known, {"enabled": True}), "demo", since)
        return shop, form

    shop, form = await stage.db.write(connect)
    past = _Past(stage, sources)
    for at, is_form, headers, body in story.deliveries(now):
        await past.deliver(form if is_form else shop, at, headers, body)
    await past.pass_to(now)


class _Then(Clock):
    """A clock that stands where the story is."""

    def __init__(self) -> None:
        self.at = 0

    def now_ms(self) -> int:
        return self.at


class _Past:
    """What came, in its order; and between, what was due by then."""

    def __init__(self, stage: Stage, sources: Sources) -> None:
        self._stage = stage
        self._sources = sources
        self._clock = _Then()
        self._reminding = Reminding(_Spoken(stage), prepaid=False)
        events = StoreEvents()
        events.followers.append(self._follow)
        self._hearing = Hearing(stage.db, self._clock, sources, events, Recogniser(self._clock))
        self._moments: list[int] = []

    async def _follow(self, tx: Tx, told: ToldEvent) -> Followed | None:
        return await self._reminding.follow(tx, told, self._clock.at)

    async def deliver(self, source: SourceRow, at: int, headers: dict[str, str], body: bytes) -> None:
        await self.pass_to(at)
        platform = self._sources.platforms[source.platform]
        heard = Heard(headers, body, platform.topic(headers, body))
        row: TakenBody = {
            "account_id": source.account_id, "source": source_of(source.id), "received_at": at, "due_at": at, "attempts": 0,
            "external_id": digest(platform.name(headers, body)), "body": write_heard(heard),
        }  # fmt: skip
        await self._hearing.prepare([row])
        await self._stage.db.write(lambda tx: self._hearing.apply(tx, [row]))
        self._hearing.done([row])
        self._moments += [at + minutes * MINUTE_MS for minutes in story.LOOKS_MIN]

    async def pass_to(self, at: int) -> None:
        for moment in sorted(one for one in self._moments if one < at):
            await self._stage.db.write(partial(self._look, now=moment))
        self._moments = [one for one in self._moments if one >= at]
        self._clock.at = at

    async def _look(self, tx: Tx, now: int) -> None:
        which = {"now": now, "most": 100}
        for row in _mine(self._stage, await tx.all(notice_store.DUE, which)):
            await self._reminding.notice_due(tx, row["account_id"], row["id"], now)
        for row in _mine(self._stage, await tx.all(cart_store.DUE, which)):
            await self._reminding.cart_due(tx, row["account_id"], row["id"], now)


def _mine(stage: Stage, rows: Iterable[Any]) -> list[Any]:
    return [row for row in rows if row["account_id"] == stage.account_id]


class _Spoken(Speaking):
    """What was said stands among the messages as delivered long ago; nothing is queued."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._count = 0

    async def say(self, tx: Tx, notice: Notice, now: int, *, consents: bool | None = None) -> Spoken:
        known = await wordings.of_kind(tx, notice.account_id, notice.kind)
        chosen = wordings.choose(known, notice.step, notice.language)
        if chosen is None:
            return Unsaid("off")
        if not notice.phone:
            return Unsaid("no_phone")
        if notice.kind in MARKETING and not consents:
            return Unsaid("no_consent")
        self._count += 1
        key = first_id(now) + f"{self._count:016d}"
        text = filling.whole(notice.kind, chosen.wording, notice.facts, chosen.language)
        content = {"content": {"type": "text", "body": text}, "reply_to": ""}
        row = {
            "account_id": notice.account_id, "id": key, "instance_id": self._stage.line_id, "direction": "out",
            "phone": notice.phone, "type": "text", "text": text, "content": msgspec.json.encode(content).decode(),
            "state": "read", "priority": NORMAL, "due_at": None, "expires_at": None, "attempts": 1, "claimed_by": None,
            "claimed_at": None, "doubt_at": None, "network_id": f"demo.{key}", "error_code": None, "error_detail": None,
            "error_network_code": None, "category": "service", "cost_micros": 0, "cost_final_micros": None,
            "created_at": now, "sent_at": now + 300, "delivered_at": now + 1_400, "read_at": now + MINUTE_MS,
            "failed_at": None, "edited_at": None, "deleted_at": None, "sent_by": AUTOMATIC + "store", "trace": None,
        }  # fmt: skip
        await tx.many(store.MESSAGE, [row])
        return QueuedNotice(key, self._stage.line_id)
