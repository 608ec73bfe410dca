"""Zones as people and programs manage them. Amounts are decimal numbers of the venue's currency, points are degrees."""

from __future__ import annotations

from typing import Literal

import msgspec

from tablegram.accounts.audit import Acting
from tablegram.accounts.keys.keys import Caller
from tablegram.delivery.zones import keeping
from tablegram.delivery.zones.model import Shape, Zone
from tablegram.engine.idempotency import Call, Result
from tablegram.errors import FieldError, Invalid
from tablegram.flows.delivery import geojson, terms
from tablegram.flows.delivery.answers import PlaceTerms, ZoneList, ZoneMap, ZoneView
from tablegram.flows.delivery.fields import FeatureFields, ZoneFields
from tablegram.flows.delivery.points import corner_of, read_point
from tablegram.flows.restaurant.desks.desk import Desk
from tablegram.flows.wire import DayFields, days_of, picked
from tablegram.restaurant.hours import check_hours_of_week
from tablegram.restaurant.menu.model import clean_line
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.clock import iso
from tablegram.values.ids import new_id
from tablegram.values.money import from_wire, to_wire
from tablegram.values.opening_hours import WeekSpan

_AMOUNTS: tuple[Literal["fee", "minimum", "free_from"], ...] = ("fee", "minimum", "free_from")


class ZoneDesk(Desk):
    async def zones(self, caller: Caller, venue_id: str) -> list[ZoneView]:
        """All zones in the order in which they hold."""

        async def work(tx: Tx, venue: Venue) -> list[ZoneView]:
            found = await keeping.every(tx, venue.account_id, venue.id)
            return [zone_view(venue, zone) for zone in found]

        return await self._look(caller, venue_id, work)

    async def get(self, caller: Caller, venue_id: str, zone_id: str) -> ZoneView:
        async def work(tx: Tx, venue: Venue) -> ZoneView:
            return zone_view(venue, await keeping.find(tx, venue.account_id, venue.id, zone_id))

        return await self._look(caller, venue_id, work)

    async def add(self, caller: Caller, venue_id: str, fields: ZoneFields, call: Call) -> Result[ZoneView]:
        """`name` and a shape (`radius_m`, or `corners`), and the terms."""

        async def work(tx: Tx, venue: Venue, acting: Acting) -> ZoneView:
            zone = await self._add(tx, venue, fields)
            await acting.note(tx, "venue.zone_added", "venue", venue.id, {"zone": zone.name})
            return zone_view(venue, zone)

        return await self._create(ZoneView, caller, venue_id, call, work)

    async def change(self, caller: Caller, venue_id: str, zone_id: str, fields: ZoneFields) -> ZoneView:
        """Change what is given and leave the rest. Orders that were placed keep what was agreed."""

        async def work(tx: Tx, venue: Venue, acting: Acting) -> ZoneView:
            old = await keeping.find(tx, venue.account_id, venue.id, zone_id)
            changed = msgspec.structs.replace(_filled(venue, old, fields), updated_at=self._clock.now_ms())
            zone = await keeping.update(tx, changed, venue.point)
            await acting.note(tx, "venue.zone_changed", "venue", venue.id, {"zone": zone.name})
            return zone_view(venue, zone)

        return await self._change(caller, venue_id, work)

    async def remove(self, caller: Caller, venue_id: str, zone_id: str) -> None:
        async def work(tx: Tx, venue: Venue, acting: Acting) -> None:
            zone = await keeping.find(tx, venue.account_id, venue.id, zone_id)
            await keeping.remove(tx, venue.account_id, venue.id, zone_id)
            await acting.note(tx, "venue.zone_removed", "venue", venue.id, {"zone": zone.name})

        await self._change(caller, venue_id, work)

    async def check(self, caller: Caller, venue_id: str, latitude: float, longitude: float) -> PlaceTerms:
        """On which terms something is brought to a point at this moment."""
        point = read_point(latitude, longitude)
        if point is None:
            raise Invalid.field("latitude", "coordinate_needed", "Say which place is meant.")
        now = self._clock.now_ms()

        async def work(tx: Tx, venue: Venue) -> PlaceTerms:
            looked = await terms.look(tx, venue, point, now)
            where, currency = looked.destination, venue.currency
            free = None if where.free_from is None else to_wire(where.free_from, currency)
            return PlaceTerms(
                standing=where.standing,
                zone_id=where.zone_id or None,
                zone=where.zone,
                fee=to_wire(where.fee, currency),
                minimum=to_wire(where.minimum, currency),
                free_from=free,
                minutes=where.minutes,
                distance_m=where.distance_m,
                nearest_zone=looked.nearest,
                beyond_m=looked.beyond_m,
                other_venue=looked.other_venue,
                route_url=where.route_url,
            )

        return await self._look(caller, venue_id, work)

    async def geojson(self, caller: Caller, venue_id: str) -> ZoneMap:
        """All zones as one collection of GeoJSON."""

        async def work(tx: Tx, venue: Venue) -> ZoneMap:
            found = await keeping.every(tx, venue.account_id, venue.id)
            # A circle around nowhere has no place on a map.
            shown = [zone for zone in found if zone.shape.kind == "polygon" or venue.point is not None]
            return ZoneMap(features=[geojson.feature_of(venue, zone, zone_view(venue, zone)) for zone in shown])

        return await self._look(caller, venue_id, work)

    async def add_geojson(
        self, caller: Caller, venue_id: str, features: list[FeatureFields], call: Call
    ) -> Result[ZoneList]:
        """Each outline of a collection becomes a zone, all of them or none."""

        async def work(tx: Tx, venue: Venue, acting: Acting) -> ZoneList:
            made = []
            for number, feature in enumerate(features):
                try:
                    made.append(await self._add(tx, venue, geojson.fields_of(feature, number)))
                except Invalid as error:
                    raise _within(error, number) from None
            await acting.note(tx, "venue.zones_added", "venue", venue.id, {"zones": len(made)})
            return ZoneList(data=[zone_view(venue, zone) for zone in made])

        return await self._create(ZoneList, caller, venue_id, call, work)

    async def _add(self, tx: Tx, venue: Venue, fields: ZoneFields) -> Zone:
        now = self._clock.now_ms()
        known = await keeping.every(tx, venue.account_id, venue.id)
        last = max((zone.position for zone in known), default=-1)
        shape = Shape("circle") if fields.get("radius_m") is not None else Shape("polygon")
        blank = Zone(
            account_id=venue.account_id, id=new_id(now), venue_id=venue.id, name="", shape=shape,
            position=min(last + 1, 10_000), created_at=now, updated_at=now,
        )  # fmt: skip
        return await keeping.add(tx, _filled(venue, blank, fields), venue.point)


def _within(error: Invalid, number: int) -> Invalid:
    """The same, named by the feature that it is in."""
    inside = f"features[{number}]"
    return Invalid.fields(
        [
            one if one.field.startswith(inside) else FieldError(f"{inside}.{one.field}", one.code, one.detail)
            for one in error.errors
        ]
    )


def _filled(venue: Venue, zone: Zone, fields: ZoneFields) -> Zone:
    plain = picked(fields, "minutes", "position", "is_active")
    changes = {name: value for name, value in plain.items() if value is not None}
    if "name" in fields:
        changes["name"] = clean_line(fields["name"])
    changes |= {name: _amount(venue, name, fields[name]) for name in _AMOUNTS if name in fields}
    if "hours" in fields:
        changes["hours"] = _hours(fields["hours"])
    return msgspec.structs.replace(zone, **changes, shape=_shape(zone.shape, fields))


def _shape(old: Shape, fields: ZoneFields) -> Shape:
    radius, corners = fields.get("radius_m"), fields.get("corners")
    if radius is not None and corners is not None:
        raise Invalid.field("corners", "not_allowed", "A zone is a circle or has corners. Give one of the two.")
    if radius is not None:
        return Shape("circle", radius_m=radius)
    if corners is None:
        return old
    points = [
        read_point(corner["latitude"], corner["longitude"], f"corners[{number}].")
        for number, corner in enumerate(corners)
    ]
    return Shape("polygon", corners=tuple((one.latitude, one.longitude) for one in points if one is not None))


def _amount(venue: Venue, field: str, value: float | None) -> int | None:
    if value is None:
        return None if field == "free_from" else 0
    try:
        return from_wire(value, venue.currency)
    except ValueError:
        detail = f"Write an amount of {venue.currency}, with no more decimals than it has."
        raise Invalid.field(field, "amount_invalid", detail) from None


def _hours(given: list[DayFields] | None) -> tuple[WeekSpan, ...] | None:
    if given is None:
        return None
    spans = msgspec.convert(given, list[WeekSpan])
    wrong = [number for number, span in enumerate(spans) if not check_hours_of_week([span])]
    if wrong:
        detail = "Write a day, and times of day as 09:30 and 23:00."
        raise Invalid.fields([FieldError(f"hours[{number}]", "time_invalid", detail) for number in wrong])
    return tuple(spans)


def zone_view(venue: Venue, zone: Zone) -> ZoneView:
    """A zone as programs and forms see it."""
    currency = venue.currency
    is_circle = zone.shape.kind == "circle"
    return ZoneView(
        id=zone.id,
        name=zone.name,
        kind=zone.shape.kind,
        radius_m=zone.shape.radius_m if is_circle else None,
        corners=None if is_circle else [corner_of(corner) for corner in zone.shape.points],
        fee=to_wire(zone.fee, currency),
        minimum=to_wire(zone.minimum, currency),
        free_from=None if zone.free_from is None else to_wire(zone.free_from, currency),
        minutes=zone.minutes,
        position=zone.position,
        is_active=zone.is_active,
        hours=None if zone.hours is None else days_of(zone.hours),
        created_at=iso(zone.created_at),
        updated_at=iso(zone.updated_at),
    )
