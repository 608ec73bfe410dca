"""How long an account keeps messages and silent contacts: told, changed, and carried out with the hourly forgetting.

An account may keep less than the installation does, never more. A contact who has neither written nor ordered for so long is
erased like one who asks for it, with a receipt.
"""

from __future__ import annotations

from functools import partial

import msgspec

from tablegram.accounts.audit import SYSTEM, Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.crm import profiles
from tablegram.crm.own_data import retention
from tablegram.crm.own_data.retention import Rules
from tablegram.crm.store.retention import forget_words_of
from tablegram.errors import Conflict, NotFound
from tablegram.flows.contacts.answers import Retention
from tablegram.flows.contacts.erasure import Erasure
from tablegram.flows.files.media import MediaLibrary
from tablegram.messaging.store.retention import forget_of
from tablegram.restaurant import customers
from tablegram.settings import Settings
from tablegram.storage.database import Database, Tx
from tablegram.stores import people as stores
from tablegram.values.clock import DAY_MS, Clock

CHUNK = 100
# Of one account within an hour: the others take their turn, and the store its breath.
MOST_ERASED = 500


class RetentionChange(msgspec.Struct, kw_only=True, frozen=True):
    """What to change of the rules, in days; what is not given stays."""

    message_days: int | None = None
    contact_days: int | None = None


class Keeping:
    def __init__(self, db: Database, clock: Clock, audit: Audit, settings: Settings) -> None:
        self._db, self._clock, self._audit = db, clock, audit
        self._most = settings.message_days

    async def told(self, caller: Caller) -> Retention:
        caller.require("contacts:read")
        return self._view(await self._db.snapshot(lambda tx: retention.find(tx, caller.account_id)))

    async def change(self, caller: Caller, change: RetentionChange) -> Retention:
        """What is left out stays."""
        caller.require("contacts:manage")
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Rules:
            old = await retention.find(tx, caller.account_id)
            given = {name: days for name, days in msgspec.structs.asdict(change).items() if days is not None}
            new = msgspec.structs.replace(old, **given)
            if new != old:
                await retention.write(tx, new, self._clock.now_ms())
                detail = {"message_days": new.message_days, "contact_days": new.contact_days}
                await acting.note(tx, "contacts.retention_changed", "contacts", "", detail)
            return new

        return self._view(await self._db.write(work))

    def _view(self, rules: Rules) -> Retention:
        least = [days for days in (rules.message_days, self._most) if days > 0]
        return Retention(
            message_days=rules.message_days,
            contact_days=rules.contact_days,
            messages_kept_days=min(least) if least else None,
        )


class Forgetting:
    """What has outlived the rules of its account goes."""

    def __init__(self, db: Database, clock: Clock, audit: Audit, erasure: Erasure, library: MediaLibrary) -> None:
        self._db, self._clock, self._audit = db, clock, audit
        self._erasure, self._library = erasure, library

    async def __call__(self) -> dict[str, int]:
        gone: dict[str, int] = {}
        for rules in await self._db.snapshot(retention.every):
            now = self._clock.now_ms()
            if rules.message_days:
                before = now - rules.message_days * DAY_MS
                count = await forget_of(self._db, rules.account_id, before)
                gone["old_messages"] = gone.get("old_messages", 0) + count
                await forget_words_of(self._db, rules.account_id, before)
                await self._library.forget_of(rules.account_id, before)
            if rules.contact_days:
                count = await self._erase(rules.account_id, now - rules.contact_days * DAY_MS)
                gone["silent_contacts"] = gone.get("silent_contacts", 0) + count
        return gone

    async def _erase(self, account_id: int, before: int) -> int:
        count, after = 0, (-1, "")
        while count < MOST_ERASED:
            look = partial(retention.silent, account_id=account_id, before=before, after=after, most=CHUNK)
            found = await self._db.snapshot(look)
            if not found:
                break
            after = found[-1]
            for _, contact_id in found:
                count += await self._erase_one(account_id, contact_id, before)
        return count

    async def _erase_one(self, account_id: int, contact_id: str, before: int) -> bool:
        if await self._db.snapshot(lambda tx: _is_customer(tx, account_id, contact_id, before)):
            return False
        try:
            await self._erasure.erase_for(account_id, contact_id, self._audit.acting(SYSTEM, account_id))
        except (Conflict, NotFound):
            # Somebody brings them in, or has just erased them. The next hour sees.
            return False
        return True


async def _is_customer(tx: Tx, account_id: int, contact_id: str, since: int) -> bool:
    """Whether they have an order of lately, or one that is not over."""
    names = [value for _, value in await profiles.aliases_of(tx, account_id, contact_id)]
    for order in await customers.orders_of(tx, account_id, [contact_id], names):
        if order.closed_at is None or order.created_at >= since:
            return True
    return any(order.updated_at >= since for order in await stores.orders_of(tx, account_id, [contact_id], names))
