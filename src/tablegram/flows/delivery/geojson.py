"""Zones as GeoJSON (RFC 7946), which writes the longitude first and the first corner last again."""

from __future__ import annotations

from typing import Any

from tablegram.delivery.zones.model import Zone
from tablegram.flows.delivery.points import degrees_of
from tablegram.restaurant.venues import Venue
from tablegram.values.coordinates import MILLION

_TERMS = ("name", "fee", "minimum", "free_from", "minutes", "is_active")


def fields_of(feature: dict[str, Any], number: int) -> dict[str, Any]:
    """What a feature says, as the fields of a new zone."""
    properties = feature.get("properties") or {}
    fields: dict[str, Any] = {name: properties[name] for name in _TERMS if properties.get(name) is not None}
    fields.setdefault("name", f"{number + 1}")
    ring = feature["geometry"]["coordinates"][0]
    return {**fields, "corners": [{"longitude": place[0], "latitude": place[1]} for place in ring]}


def feature_of(venue: Venue, zone: Zone, view: dict[str, Any]) -> dict[str, Any]:
    """A zone as a feature; a circle is the venue's point, with its radius among the properties."""
    names = (*_TERMS, "radius_m", "position", "hours")
    geometry: dict[str, Any]
    if zone.shape.kind == "circle":
        at = degrees_of(venue.point)
        geometry = {"type": "Point", "coordinates": [at["longitude"], at["latitude"]]}
    else:
        ring = [[one.longitude / MILLION, one.latitude / MILLION] for one in zone.shape.points]
        geometry = {"type": "Polygon", "coordinates": [[*ring, ring[0]] if ring[0] != ring[-1] else ring]}
    return {
        "type": "Feature",
        "id": zone.id,
        "geometry": geometry,
        "properties": {name: view[name] for name in names},
    }
