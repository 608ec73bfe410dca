"""The demo's zones around its venue, and where two of its guests live and work."""

from __future__ import annotations

import msgspec

from tablegram.delivery.addresses import keeping as addresses
from tablegram.delivery.addresses.keeping import Address
from tablegram.delivery.zones import keeping as zones
from tablegram.delivery.zones.model import Shape, Zone
from tablegram.demo import orders, story
from tablegram.demo.stage import Stage
from tablegram.restaurant import venues
from tablegram.restaurant.demo.house import ADDRESS
from tablegram.storage.database import Tx
from tablegram.values.coordinates import Point
from tablegram.values.ids import new_id
from tablegram.values.opening_hours import DAYS, WeekSpan

_KADIKOY = ((41_003_000, 29_014_000), (41_004_500, 29_036_000), (40_990_000, 29_050_000), (40_966_000, 29_046_000),
            (40_969_500, 29_031_000), (40_977_000, 29_019_000))  # fmt: skip
_GOZTEPE = ((40_990_000, 29_050_500), (40_985_000, 29_075_000), (40_965_000, 29_072_000), (40_965_500, 29_047_500))
_EVENING = tuple(WeekSpan(day, "17:00", "23:00") for day in DAYS)


async def fill(stage: Stage) -> None:
    """Where there is a past to look at, and the venue is the demo's, without a place or zones of somebody's own."""
    if not stage.filled:
        return
    now = stage.clock.now_ms()

    async def work(tx: Tx) -> None:
        known = [one for one in await venues.every(tx, stage.account_id) if "delivery" in one.order_types]
        venue = next((one for one in known if one.is_default), None)
        if venue is None or venue.details.address != ADDRESS or venue.point is not None:
            return
        if await zones.every(tx, stage.account_id, venue.id):
            return
        at = Point(*story.HOME)
        details = msgspec.structs.replace(venue.details, latitude=at.latitude, longitude=at.longitude)
        await venues.update(tx, msgspec.structs.replace(venue, details=details), now)
        made = (
            Zone(account_id=stage.account_id, id=new_id(now), venue_id=venue.id, name="Moda", minimum=15_000, minutes=25,
                 shape=Shape("circle", radius_m=900)),
            Zone(account_id=stage.account_id, id=new_id(now), venue_id=venue.id, name="Kadıköy", fee=3_500,
                 minimum=25_000, free_from=60_000, shape=Shape("polygon", corners=_KADIKOY)),
            Zone(account_id=stage.account_id, id=new_id(now), venue_id=venue.id, name="Göztepe", fee=6_000,
                 minimum=40_000, minutes=55, hours=_EVENING, shape=Shape("polygon", corners=_GOZTEPE)),
        )  # fmt: skip
        for position, zone in enumerate(made):
            kept = msgspec.structs.replace(zone, position=position, created_at=now, updated_at=now)
            await zones.add(tx, kept, at)
        guests = {name: contact_id for name, _, _, contact_id in await orders.guests_of(tx, stage.account_id)}
        for name, label, written in story.LIVES:
            contact_id = guests.get(name)
            if contact_id is None:
                continue
            latitude, longitude, _ = story.PLACES[written]
            address = Address(
                account_id=stage.account_id, id=new_id(now), contact_id=contact_id, label=label, address=written,
                latitude=latitude, longitude=longitude, created_at=now, updated_at=now, used_at=now,
            )  # fmt: skip
            await addresses.add(tx, address)

    await stage.db.write(work)
