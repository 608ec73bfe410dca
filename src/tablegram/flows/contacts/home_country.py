"""Which country an account's customers call from when they leave the country code out."""

from __future__ import annotations

from tablegram.messaging.instances import Instances
from tablegram.restaurant import venues
from tablegram.storage.database import Database
from tablegram.values.phone import country_of


class HomeCountry:
    def __init__(self, db: Database, instances: Instances) -> None:
        self._db = db
        self._instances = instances

    async def of(self, account_id: int) -> str:
        """Two letters: the country of all its venues, else that of all its lines' own numbers. Nothing where they differ."""
        known = await self._db.snapshot(lambda tx: venues.every(tx, account_id))
        countries = {venue.country for venue in known} - {""}
        if not countries:
            lines = await self._instances.of_account(account_id)
            countries = {country_of(line.config.phone)[1] for line in lines if line.config.phone} - {""}
        return countries.pop() if len(countries) == 1 else ""
