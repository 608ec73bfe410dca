"""Payers who come back from a provider: where they go, and that the provider is asked how it stands."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from tablegram.payments.keeping import Payments
from tablegram.payments.model import Link, ProviderRow, read_link
from tablegram.payments.store import links as store
from tablegram.payments.store import providers as provider_store
from tablegram.storage.database import Database
from tablegram.values.clock import Clock

_ID = re.compile(r"pay_[0-9a-z]{26}", re.ASCII)
# That a hook is heard is written down now and then, not with every signal.
NOTE_EVERY_S = 60.0
MAX_NOTED = 1_000


class Returning:
    """`wake`: something of this link is due."""

    def __init__(
        self, db: Database, clock: Clock, payments: Payments, base_url: str, wake: Callable[[Link], None]
    ) -> None:
        self._db = db
        self._clock = clock
        self._payments = payments
        self._base_url = base_url.rstrip("/")
        self._wake = wake
        self._noted: dict[str, float] = {}

    def landing(self, link: Link) -> str:
        own = self._payments.landings.get(link.subject_kind)
        return own(link)[0] if own is not None else f"{self._base_url}/pay/{link.id}"

    async def came_back(self, kept: ProviderRow, reference: str) -> str | None:
        """Where the payer of a link goes on; nothing for links of others."""
        which = {"b_account": kept.account_id, "b_provider": kept.id, "b_reference": reference}
        row = await self._db.first(store.BY_REFERENCE, which)
        if row is None:
            return None
        link = read_link(row)
        if not link.received:
            now = self._clock.now_ms()
            await self._db.put((store.ASK_NOW, {"b_account": link.account_id, "b_id": link.id, "now": now}))
            self._wake(link)
        return self.landing(link)

    async def heard(self, kept: ProviderRow) -> None:
        """Its hook works: people see since when."""
        if self._noted.get(kept.id, 0.0) > time.monotonic():
            return
        if len(self._noted) >= MAX_NOTED:
            self._noted.clear()
        self._noted[kept.id] = time.monotonic() + NOTE_EVERY_S
        which = {"b_account": kept.account_id, "b_id": kept.id, "now": self._clock.now_ms()}
        await self._db.put((provider_store.HEARD, which))

    async def shown(self, link_id: str) -> Link | None:
        """The link behind a payer's page: who has its id was given it."""
        if _ID.fullmatch(link_id) is None:
            return None
        row = await self._db.first(store.SHOWN, {"b_id": link_id})
        return None if row is None else read_link(row)
