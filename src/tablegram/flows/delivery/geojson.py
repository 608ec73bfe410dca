"""Zones as GeoJSON (RFC 7946), which writes the longitude first and the first corner last again."""

from __future__ import annotations

from typing import cast

from tablegram.delivery.zones.model import Zone
from tablegram.flows.delivery.answers import OutlineOnMap, PointOnMap, ZoneOnMap, ZoneOnMapTerms, ZoneView
from tablegram.flows.delivery.fields import FeatureFields, ZoneFields
from tablegram.flows.delivery.points import degrees_of
from tablegram.flows.wire import picked
from tablegram.restaurant.venues import Venue
from tablegram.values.coordinates import MILLION

_TERMS = ("name", "fee", "minimum", "free_from", "minutes", "is_active")


def fields_of(feature: FeatureFields, number: int) -> ZoneFields:
    """What a feature says, as the fields of a new zone."""
    told = picked(feature.get("properties") or {}, *_TERMS)
    fields = cast(ZoneFields, {name: value for name, value in told.items() if value is not None})
    fields.setdefault("name", f"{number + 1}")
    ring = feature["geometry"]["coordinates"][0]
    fields["corners"] = [{"longitude": place[0], "latitude": place[1]} for place in ring]
    return fields


def feature_of(venue: Venue, zone: Zone, view: ZoneView) -> ZoneOnMap:
    """A zone as a feature; a circle is the venue's point, with its radius among the properties."""
    geometry: PointOnMap | OutlineOnMap
    if zone.shape.kind == "circle":
        latitude, longitude = degrees_of(venue.point)
        geometry = PointOnMap(coordinates=[longitude, latitude])
    else:
        ring = [[one.longitude / MILLION, one.latitude / MILLION] for one in zone.shape.points]
        geometry = OutlineOnMap(coordinates=[[*ring, ring[0]] if ring[0] != ring[-1] else ring])
    terms = {name: getattr(view, name) for name in ZoneOnMapTerms.__struct_fields__}
    return ZoneOnMap(id=zone.id, geometry=geometry, properties=ZoneOnMapTerms(**terms))
