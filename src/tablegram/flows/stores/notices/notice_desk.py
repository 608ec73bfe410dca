"""Notifications, notices and carts, as people and programs look at them and set them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from typing import Any

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import NotFound
from tablegram.flows.stores.notices.answers import (
    CartPage,
    NoticePage,
    NotificationPage,
    NotificationView,
    PreviewView,
)
from tablegram.flows.stores.notices.cart_figures import DAYS, CartSummary, sum_up
from tablegram.flows.stores.notices.views import cart_view, name_of, notice_view, notification_view
from tablegram.storage.database import Database, Query, Tx
from tablegram.stores.carts import store as cart_store
from tablegram.stores.carts.model import read_cart
from tablegram.stores.notifications import filling, store, wordings
from tablegram.stores.notifications.model import Notification, read_notice
from tablegram.stores.notifications.samples import sample
from tablegram.stores.sources import unknown
from tablegram.stores.store import sources as source_store
from tablegram.values.clock import DAY_MS, Clock
from tablegram.values.cursor import decode_cursor, encode_cursor

SCOPE = "stores:manage"


class Filters(msgspec.Struct, frozen=True, kw_only=True):
    kind: str | None = None
    state: str | None = None
    source_id: str | None = None
    phone: str | None = None
    search: str | None = None


class NoticeDesk:
    """`changed` is told the account whose wordings have changed."""

    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, changed: Callable[[int], None]
    ) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._changed = changed

    # Notifications.

    async def notifications(self, caller: Caller, source_id: str = "") -> NotificationPage:
        """As they hold for all shops, or for one."""
        caller.require(SCOPE)

        async def work(tx: Tx) -> list[Notification]:
            await _check_source(tx, caller.account_id, source_id)
            return await wordings.every(tx, caller.account_id, source_id)

        found = await self._db.snapshot(work)
        return NotificationPage(data=[notification_view(one) for one in found])

    async def get(self, caller: Caller, name: str, source_id: str = "") -> NotificationView:
        caller.require(SCOPE)
        return notification_view(await self._db.snapshot(lambda tx: _find(tx, caller.account_id, name, source_id)))

    async def set(self, caller: Caller, name: str, fields: dict[str, Any], source_id: str = "") -> NotificationView:
        """Change what is given and leave the rest: for all shops, or for one alone."""
        caller.require(SCOPE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Notification:
            changed = wordings.change(await _find(tx, caller.account_id, name, source_id), fields)
            by, now = caller.key_name or caller.key_id, self._clock.now_ms()
            await wordings.keep(tx, changed, by, now, source_id)
            details = {"fields": sorted(fields), **_named(source_id)}
            await acting.note(tx, "store_notification.changed", "store_notification", name_of(changed), details)
            return msgspec.structs.replace(changed, source_id=source_id)

        kept = await self._db.write(work)
        self._changed(caller.account_id)
        return notification_view(kept)

    async def unset(self, caller: Caller, name: str, source_id: str) -> None:
        """A shop speaks as all do again. Safe to repeat."""
        caller.require(SCOPE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> None:
            one = await _find(tx, caller.account_id, name, source_id)
            if await wordings.unset(tx, one, source_id):
                details = _named(source_id)
                await acting.note(tx, "store_notification.unset", "store_notification", name_of(one), details)

        await self._db.write(work)
        self._changed(caller.account_id)

    async def preview(
        self, caller: Caller, name: str, fields: dict[str, Any], call: Call | None = None
    ) -> Result[PreviewView]:
        """How it would look with these changes. Nothing is changed, and nothing is sent."""
        caller.require(SCOPE)

        async def work(tx: Tx) -> Result[PreviewView]:
            return Result(_shown(await _find(tx, caller.account_id, name), fields))

        if call is None:
            return await self._db.snapshot(work)
        return await self._idempotency.once_for(PreviewView, caller.account_id, call, work)

    # Notices.

    async def notices(
        self, caller: Caller, filters: Filters | None = None, *, limit: int = 50, cursor: str | None = None
    ) -> NoticePage:
        caller.require(SCOPE)
        wanted = filters or Filters()
        query = store.page(
            caller.account_id, kind=wanted.kind, state=wanted.state, source_id=wanted.source_id, phone=wanted.phone,
            search=wanted.search, after=None if cursor is None else decode_cursor(cursor), most=limit + 1,
        )  # fmt: skip
        found = [read_notice(row) for row in await self._db.all(Query(query))]
        return NoticePage(
            data=[notice_view(one) for one in found[:limit]],
            next_cursor=encode_cursor(found[limit - 1].id) if len(found) > limit else None,
        )

    # Carts.

    async def carts(
        self, caller: Caller, filters: Filters | None = None, *, limit: int = 50, cursor: str | None = None
    ) -> CartPage:
        caller.require(SCOPE)
        wanted = filters or Filters()
        query = cart_store.page(
            caller.account_id, state=wanted.state, source_id=wanted.source_id, search=wanted.search,
            after=None if cursor is None else decode_cursor(cursor), most=limit + 1,
        )  # fmt: skip
        found = [read_cart(row) for row in await self._db.all(Query(query))]
        return CartPage(
            data=[cart_view(one) for one in found[:limit]],
            next_cursor=encode_cursor(found[limit - 1].id) if len(found) > limit else None,
        )

    async def summary(self, caller: Caller, zone: tzinfo) -> CartSummary:
        """What became of carts in the last days, by the clock of a place."""
        caller.require(SCOPE)
        now = self._clock.now_ms()
        which = {"b_account": caller.account_id, "since": now - DAYS * DAY_MS}
        rows = await self._db.all(cart_store.ENDED, which)
        waiting = await self._db.first(cart_store.OPEN_COUNT, {"b_account": caller.account_id})
        return sum_up(rows, 0 if waiting is None else waiting["n"], now, zone)


def _shown(known: Notification, fields: dict[str, Any]) -> PreviewView:
    one = wordings.change(known, {**fields, "enabled": False})
    facts = sample(one.language)
    talk = filling.talk(one.wording, one.language)
    return PreviewView(
        text=filling.whole(one.kind, one.wording, facts, one.language),
        image_url=one.wording.image_url,
        buttons=[] if talk is None else [talk[1]],
    )


async def _find(tx: Tx, account_id: int, name: str, source_id: str = "") -> Notification:
    await _check_source(tx, account_id, source_id)
    for one in await wordings.every(tx, account_id, source_id):
        if name_of(one) == name:
            return one
    raise NotFound(
        "There is no such notification. GET /stores/notifications lists them.", code="store_notification_unknown"
    )


async def _check_source(tx: Tx, account_id: int, source_id: str) -> None:
    if source_id and await tx.first(source_store.GET, {"b_account": account_id, "b_id": source_id}) is None:
        raise unknown()


def _named(source_id: str) -> dict[str, str]:
    return {"source_id": source_id} if source_id else {}
