"""A venue takes payment by a provider that there is."""

from __future__ import annotations

from tablegram.accounts.keys.keys import Caller
from tablegram.errors import Invalid, NotFound
from tablegram.flows.restaurant.venue_fields import VenueFields
from tablegram.payments.accesses import Accesses
from tablegram.storage.database import Database


class KnownProvider:
    """Refuses a venue whose `payment_provider_id` is nobody's, another account's, or was taken away."""

    def __init__(self, db: Database, accesses: Accesses) -> None:
        self._db = db
        self._accesses = accesses

    async def check(self, caller: Caller, fields: VenueFields) -> None:
        provider_id = fields.get("payment_provider_id")
        if not provider_id:
            return
        try:
            await self._db.snapshot(lambda tx: self._accesses.get(tx, caller.account_id, str(provider_id)))
        except NotFound as unknown:
            raise Invalid.field("payment_provider_id", unknown.code, unknown.detail) from None
