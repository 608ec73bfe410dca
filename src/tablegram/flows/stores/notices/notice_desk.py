"""Notifications, notices and carts, as people and programs look at them and set them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import tzinfo

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Invalid, NotFound
from tablegram.flows.files.attachments import make_lasting, release
from tablegram.flows.files.media import OpenedMedia
from tablegram.flows.files.services import FileServices
from tablegram.flows.stores.notices.answers import (
    CartPage,
    NoticePage,
    NotificationPage,
    NotificationView,
    PreviewView,
)
from tablegram.flows.stores.notices.views import cart_view, name_of, notice_view, notification_view
from tablegram.storage.database import Database, Tx
from tablegram.stores.carts import store as cart_store
from tablegram.stores.carts.figures import DAYS, CartSummary, sum_up
from tablegram.stores.carts.model import read_cart
from tablegram.stores.notifications import filling, store, wordings
from tablegram.stores.notifications.model import Notification, WordingFields, read_notice
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
        self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, files: FileServices,
        changed: Callable[[int], None],
    ) -> None:  # fmt: skip
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._attachments = files.attachments
        self._library = files.library
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

    async def set(self, caller: Caller, name: str, fields: WordingFields, source_id: str = "") -> NotificationView:
        """Change what is given and leave the rest: for all shops, or for one alone."""
        caller.require(SCOPE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Notification:
            by, now = caller.key_name or caller.key_id, self._clock.now_ms()
            changed = wordings.change(await _find(tx, caller.account_id, name, source_id), fields)
            changed = await _with_picture(tx, changed, source_id, now)
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
            if picture := await wordings.own_picture(tx, one, source_id):
                await release(tx, caller.account_id, picture, self._clock.now_ms())
            if await wordings.unset(tx, one, source_id):
                details = _named(source_id)
                await acting.note(tx, "store_notification.unset", "store_notification", name_of(one), details)

        await self._db.write(work)
        self._changed(caller.account_id)

    async def keep_picture(self, caller: Caller, chunks: AsyncIterator[bytes], filename: str, claim: str) -> str:
        """Take a picture in that a notification is to have; its name for `image_id`."""
        kept = await self._attachments.keep(caller, chunks, filename, claim, SCOPE)
        if kept.kind != "image":
            raise Invalid.field("picture", "picture_unusable", "Choose a JPEG or PNG of at most 5 MB.")
        return kept.id

    async def open_picture(self, caller: Caller, name: str, source_id: str = "") -> OpenedMedia:
        """The picture of a notification, as it holds for all shops or for one."""
        one = await self.get(caller, name, source_id)
        if not one.image_id:
            raise NotFound("This notification has no picture of its own.", code="media_unknown")
        return await self._library.open(caller.account_id, one.image_id)

    async def preview(
        self, caller: Caller, name: str, fields: WordingFields, call: Call | None = None
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
        found = [read_notice(row) for row in await self._db.all(query)]
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
        found = [read_cart(row) for row in await self._db.all(query)]
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


def _shown(known: Notification, fields: WordingFields) -> PreviewView:
    one = wordings.change(known, {**fields, "enabled": False})
    facts, language = sample(one.language), one.language
    has_picture = bool(one.wording.image_id or one.wording.image_url)
    lead = None if has_picture else next(iter(filling.leads(one.wording, facts, language)), None)
    title = lead or (None if has_picture else filling.talk(one.wording, language))
    return PreviewView(
        text=filling.whole(one.kind, one.wording, facts, language, tapped=lead[1] if lead else ""),
        image_url=one.wording.image_url,
        has_picture=has_picture,
        buttons=[] if title is None else [title[0] if lead else title[1]],
    )


async def _with_picture(tx: Tx, one: Notification, source_id: str, now: int) -> Notification:
    """Each row has its picture to itself: what one lets go, another may still send."""
    before, wanted = await wordings.own_picture(tx, one, source_id), one.wording.image_id
    if before == wanted:
        return one
    kept = await make_lasting(tx, one.account_id, wanted, now) if wanted else ""
    if before:
        await release(tx, one.account_id, before, now)
    return msgspec.structs.replace(one, wording=msgspec.structs.replace(one.wording, image_id=kept))


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
