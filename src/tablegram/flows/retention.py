"""What is old enough is forgotten: used keys, logs, raw callbacks, guests' carts and calls, and messages if so set."""

from __future__ import annotations

import asyncio
import logging

from sqlalchemy import and_, bindparam, delete, func, select

from tablegram.engine.idempotency import Idempotency
from tablegram.events.forgetting import forget as forget_events
from tablegram.events.schedule import REPLAYABLE_DAYS
from tablegram.flows.media import MediaLibrary
from tablegram.media.files import UNSENT_MS
from tablegram.media.ports import MediaStoreDown
from tablegram.settings import Settings
from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import (
    audit_log,
    carts,
    dialogues,
    imports,
    inbox,
    messages,
    request_log,
    tabs,
    waiter_calls,
)
from tablegram.values.clock import DAY_MS, Clock

log = logging.getLogger("tablegram.retention")

EVERY_S = 3_600
# Small enough that no one waits behind a chunk.
CHUNK = 500
# What an import was, and which rows were wrong, is of use for a while after it.
IMPORT_DAYS = 30
# A cart that ended is of no use; so long, its text is still answered with the order that it became.
CART_DAYS = 30
# What a guest was asked is answered within half an hour, or never.
DIALOGUE_DAYS = 1
# Who called from which table, and who sat there: a season, for questions about service. Orders stay.
CALL_DAYS = 90

_WHY = "retention is the installation's"


def _chunk(table: object, condition: object, *key: object) -> Query:
    """Delete a bounded number of rows, so that purging never holds the writer for long."""
    first = across_accounts(select(*key).where(condition).limit(CHUNK), _WHY)  # type: ignore[call-overload]
    # Once more by the condition: a cart's code may be another account's as well.
    return Query(across_accounts(delete(table).where(key[-1].in_(first), condition), _WHY))  # type: ignore[arg-type, attr-defined]


_OLD_REQUESTS = _chunk(request_log, request_log.c.created_at < bindparam("before"), request_log.c.id)
_OLD_AUDIT = _chunk(audit_log, audit_log.c.created_at < bindparam("before"), audit_log.c.id)
_OLD_INBOX = _chunk(inbox, (inbox.c.done_at < bindparam("before")), inbox.c.id)
_OLD_IMPORTS = _chunk(
    imports,
    and_(imports.c.state.in_(["done", "refused"]), imports.c.finished_at < bindparam("before")),
    imports.c.id,
)
_OLD_CARTS = _chunk(carts, carts.c.expires_at < bindparam("before"), carts.c.code)
_OLD_DIALOGUES = _chunk(dialogues, dialogues.c.asked_at < bindparam("before"), dialogues.c.phone)
_OLD_CALLS = _chunk(
    waiter_calls,
    func.coalesce(waiter_calls.c.answered_at, waiter_calls.c.created_at) < bindparam("before"),
    waiter_calls.c.id,
)
_OLD_TABS = _chunk(tabs, func.coalesce(tabs.c.closed_at, tabs.c.last_at) < bindparam("before"), tabs.c.id)
_FINAL = messages.c.state.in_(["sent", "delivered", "read", "failed", "cancelled", "received"])
_CHANGES = (
    messages.c.created_at,
    messages.c.sent_at,
    messages.c.delivered_at,
    messages.c.read_at,
    messages.c.failed_at,
)
_UNTOUCHED = and_(*[func.coalesce(at, 0) < bindparam("before") for at in _CHANGES])
_OLD_MESSAGES = _chunk(messages, and_(_FINAL, _UNTOUCHED), messages.c.id)


class Retention:
    def __init__(
        self,
        db: Database,
        idempotency: Idempotency,
        clock: Clock,
        settings: Settings,
        library: MediaLibrary | None = None,
    ) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._settings = settings
        self._library = library

    async def purge_forever(self) -> None:
        while True:
            await self.purge()
            await asyncio.sleep(EVERY_S)

    async def purge(self) -> dict[str, int]:
        """Forget what is past its time; returns how many of each."""
        settings = self._settings
        await self._idempotency.purge()
        gone = {
            "requests": await self._clear(_OLD_REQUESTS, settings.request_log_days),
            "callbacks": await self._clear(_OLD_INBOX, settings.inbox_days),
            "imports": await self._clear(_OLD_IMPORTS, IMPORT_DAYS),
            "carts": await self._clear(_OLD_CARTS, CART_DAYS),
            "dialogues": await self._clear(_OLD_DIALOGUES, DIALOGUE_DAYS),
            "calls": await self._clear(_OLD_CALLS, CALL_DAYS),
            "tabs": await self._clear(_OLD_TABS, CALL_DAYS),
            "events": await forget_events(self._db, self._clock.now_ms() - REPLAYABLE_DAYS * DAY_MS),
        }
        if settings.audit_days > 0:
            gone["audit"] = await self._clear(_OLD_AUDIT, settings.audit_days)
        if settings.message_days > 0:
            gone["messages"] = await self._clear(_OLD_MESSAGES, settings.message_days)
        if self._library is not None:
            gone |= await self._forget_files(self._library)
        return gone

    async def _forget_files(self, library: MediaLibrary) -> dict[str, int]:
        """Files by their own days, and with their messages in any case. A store that is away is asked next time."""
        settings, now, gone = self._settings, self._clock.now_ms(), {}
        try:
            await library.forget_unsent(now - UNSENT_MS)
            if settings.message_days > 0:
                gone["media"] = await library.forget_all(now - settings.message_days * DAY_MS)
            if settings.media_days > 0:
                gone["files"] = await library.forget_files(now - settings.media_days * DAY_MS)
        except MediaStoreDown as error:
            log.warning("files could not be deleted: %s", error)
        return gone

    async def _clear(self, query: Query, days: int) -> int:
        before = self._clock.now_ms() - days * DAY_MS

        async def chunk(tx: Tx) -> int:
            return await tx.run(query, {"before": before})

        total = 0
        while count := await self._db.write(chunk):
            total += count
        return total
