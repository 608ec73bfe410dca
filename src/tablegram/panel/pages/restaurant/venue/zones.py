"""Delivery zones of a venue: on a map that needs nobody else, and as figures for who cannot see one.

GET  /panel/venue/zones, /panel/venue/zones/new, /panel/venue/zones/{zone_id}
POST /panel/venue/{id}/zones, /panel/venue/{id}/zones/{zone_id}, /panel/venue/{id}/point
"""

from __future__ import annotations

import re
from typing import Any, cast
from urllib.parse import urlsplit

import msgspec
from litestar import get, post
from litestar.params import FromPath
from msgspec.structs import asdict

from tablegram.engine.idempotency import Call
from tablegram.errors import FieldError, Invalid, NotFound, Problem, no_such
from tablegram.flows.delivery.answers import Corner, ZoneView
from tablegram.flows.delivery.fields import ZoneFields
from tablegram.flows.delivery.points import parse_degrees
from tablegram.flows.delivery.services import DeliveryServices
from tablegram.flows.delivery.zone_desk import ZoneDesk
from tablegram.flows.restaurant.answers.venues import VenueView
from tablegram.flows.restaurant.venue_fields import VenueFields
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.pages.restaurant.venue.hours import shown_week, typed_week
from tablegram.panel.pages.restaurant.venues import VenueChoice, beside, look_at, price
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.figures.writing import for_field
from tablegram.values.money import Money, exponent, from_wire, from_writing, to_wire
from tablegram.web.guards import policy

_READ = {"scope": "restaurant:read"}
_MANAGE = {"scope": "restaurant:manage"}
HOME = "/panel/venue/zones"
# Latitude and longitude, with a comma or a space between them.
_PAIR = re.compile(r"\s*[,;\s]\s*")
_USUAL_RADIUS_M = 3_000


@get("/venue/zones", opt=_READ)
async def show_zones(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        return redirect(request, "/panel/venue")
    return await _list(request, visitor, deps, place)


@get("/venue/zones/new", opt=_MANAGE)
async def new_zone(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        return redirect(request, "/panel/venue")
    return await _one(request, visitor, deps, place, None)


@get("/venue/zones/{zone_id:str}", opt=_READ)
async def show_zone(request: PageRequest, visitor: VisitorOf, deps: DepsOf, zone_id: FromPath[str]) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        raise NotFound(no_such("zone", "venue"), code="zone_unknown")
    zone = await _desk(deps).get(visitor.caller, place.id, zone_id)
    return await _one(request, visitor, deps, place, zone)


@post("/venue/{venue_id:str}/zones", opt=_MANAGE, status_code=200)
async def add_zone(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    assert place.venue is not None
    try:
        await _desk(deps).add(visitor.caller, venue_id, _typed(form, visitor, place.venue), Call("panel zone"))
    except Problem as problem:
        return await _one(request, visitor, deps, place, None, form, beside(problem, corners="corners", hours="hours"))
    return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("zones.saved"))


@post("/venue/{venue_id:str}/zones/{zone_id:str}", opt=_MANAGE, status_code=200)
async def change_zone(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str], zone_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    assert place.venue is not None
    desk, home = _desk(deps), f"{HOME}?venue={venue_id}"
    zone = await desk.get(visitor.caller, venue_id, zone_id)
    if form.text("act") == "remove":
        await desk.remove(visitor.caller, venue_id, zone_id)
        return redirect(request, home, toast=visitor.t("zones.removed"))
    try:
        await desk.change(visitor.caller, venue_id, zone_id, _typed(form, visitor, place.venue, zone))
    except Problem as problem:
        return await _one(request, visitor, deps, place, zone, form, beside(problem, corners="corners", hours="hours"))
    return redirect(request, home, toast=visitor.t("zones.saved"))


@post("/venue/{venue_id:str}/point", opt=_MANAGE, status_code=200)
async def set_point(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    """Where the venue is: circles go around it."""
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    try:
        point: VenueFields = {
            "latitude": parse_degrees(form.text("latitude"), "latitude"),
            "longitude": parse_degrees(form.text("longitude"), "longitude"),
        }
        await deps.restaurant.venue_desk.update(visitor.caller, venue_id, point)
    except Problem as problem:
        return await _list(request, visitor, deps, place, form, problem)
    return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("zones.point_saved"))


async def _list(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, place: VenueChoice, form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:  # fmt: skip
    venue = place.venue
    assert venue is not None
    zones = await _desk(deps).zones(visitor.caller, venue.id)
    rows = [
        {**asdict(one), "terms": _terms(visitor, venue, one), "hue": number % 6} for number, one in enumerate(zones)
    ]
    return _with_tiles(deps, page(
        request, visitor, "restaurant/zones/list.html", place=place, venue=venue, zones=rows, form=form, problem=problem,
        map=_map(venue, rows), tiles=deps.settings.map_tiles_url, credit=deps.settings.map_tiles_credit,
    ))  # fmt: skip


async def _one(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, place: VenueChoice, zone: ZoneView | None,
    form: Form | None = None, problem: Problem | None = None,
) -> PageResponse:  # fmt: skip
    venue = place.venue
    assert venue is not None
    zones = await _desk(deps).zones(visitor.caller, venue.id)
    others = [
        {**asdict(one), "hue": number % 6} for number, one in enumerate(zones) if zone is None or one.id != zone.id
    ]
    has_point = venue.latitude is not None
    shown: dict[str, Any] = asdict(zone) if zone else {"id": "", "name": "", "kind": "circle" if has_point else "polygon", "radius_m": _USUAL_RADIUS_M,
                     "corners": None, "fee": 0, "minimum": 0, "free_from": None, "minutes": 40, "position": len(zones),
                     "is_active": True, "hours": None}  # fmt: skip
    return _with_tiles(deps, page(
        request, visitor, "restaurant/zones/zone.html", place=place, venue=venue, zone=shown, form=form, problem=problem,
        map=_map(venue, others), corners=_written(shown["corners"] or []), has_point=has_point,
        amounts={name: _amount(visitor, venue, shown[name]) for name in ("fee", "minimum", "free_from")},
        week=shown_week((zone.hours if zone else None) or (), form), tiles=deps.settings.map_tiles_url,
        credit=deps.settings.map_tiles_credit,
    ))  # fmt: skip


def _with_tiles(deps: PanelDeps, answer: PageResponse) -> PageResponse:
    """Pages with a map may show pictures of the host that the installation names, where it names one; no other page may."""
    if deps.settings.map_tiles_url:
        parts = urlsplit(deps.settings.map_tiles_url)
        answer.headers["Content-Security-Policy"] = policy(img=f"'self' data: {parts.scheme}://{parts.netloc}")
    return answer


def _typed(form: Form, visitor: Visitor, venue: VenueView, zone: ZoneView | None = None) -> ZoneFields:
    """The zone as the desk takes it; every wrong field is named."""
    errors: list[FieldError] = []
    fields: dict[str, Any] = {"name": form.text("name")[:200], "is_active": form.has("is_active")}
    for name in ("fee", "minimum", "free_from"):
        text = form.text(name)
        try:
            amount = from_writing(text, venue.currency) if text else None
            fields[name] = None if amount is None else to_wire(amount, venue.currency)
        except ValueError:
            errors.append(FieldError(name, "amount_invalid", visitor.t("zones.amount_invalid")))
    for name, most in (("minutes", 1_440), ("position", 10_000)):
        text = form.text(name)
        if text.isascii() and text.isdecimal() and int(text) <= most:
            fields[name] = int(text)
        else:
            errors.append(FieldError(name, "number_invalid", visitor.t("zones.number_invalid")))
    if form.text("kind") == "circle":
        text = form.text("radius_m")
        if text.isascii() and text.isdecimal() and len(text) < 9:
            fields["radius_m"] = int(text)
        else:
            errors.append(FieldError("radius_m", "number_invalid", visitor.t("zones.number_invalid")))
    else:
        fields["corners"] = _corners(form, visitor, errors)
    # Nothing typed means always, unless a program said that it never holds.
    fields["hours"] = typed_week(form, visitor, errors) or ([] if zone is not None and zone.hours == [] else None)
    if errors:
        raise Invalid.fields(errors)
    return cast(ZoneFields, fields)


def _corners(form: Form, visitor: Visitor, errors: list[FieldError]) -> list[dict[str, float]]:
    found = []
    for number, line in enumerate(form.text("corners").splitlines()[:200], start=1):
        if not line.strip():
            continue
        try:
            latitude, longitude = (parse_degrees(one, "corners") for one in _PAIR.split(line.strip()))
        except ValueError:
            latitude = longitude = None
        except Problem:
            latitude = longitude = None
        if latitude is None or longitude is None or abs(latitude) > 90:
            errors.append(FieldError("corners", "corner_invalid", visitor.t("zones.corner_invalid", n=number)))
            return []
        found.append({"latitude": latitude, "longitude": longitude})
    return found


def _amount(visitor: Visitor, venue: VenueView, amount: float | None) -> str:
    """As people type it: without a currency, and without decimals where there are none."""
    if amount is None:
        return ""
    plain = Money(from_wire(amount, venue.currency), venue.currency).decimal
    return for_field(visitor.language, plain, 0 if plain == int(plain) else exponent(venue.currency))


def _terms(visitor: Visitor, venue: VenueView, zone: ZoneView) -> list[str]:
    """What a zone costs and takes, in words."""
    told = [
        visitor.t("zones.fee_is", amount=price(visitor, venue.currency, zone.fee))
        if zone.fee
        else visitor.t("zones.free")
    ]
    if zone.minimum:
        told.append(visitor.t("zones.from", amount=price(visitor, venue.currency, zone.minimum)))
    if zone.fee and zone.free_from is not None:
        told.append(visitor.t("zones.free_from_is", amount=price(visitor, venue.currency, zone.free_from)))
    told.append(visitor.t("zones.minutes_are", n=zone.minutes))
    if zone.hours is not None:
        told.append(visitor.t("zones.timed"))
    return told


def _map(venue: VenueView, zones: list[dict[str, Any]]) -> str:
    """What the map draws, as JSON; empty where there is nothing to be drawn around."""
    if venue.latitude is None and not any(one["corners"] for one in zones):
        return ""
    shapes = [
        {
            "name": one["name"],
            "hue": one["hue"],
            "radius_m": one["radius_m"],
            "corners": [[point.latitude, point.longitude] for point in one["corners"] or []],
            "on": one["is_active"],
        }
        for one in zones
    ]
    at = None if venue.latitude is None else [venue.latitude, venue.longitude]
    return msgspec.json.encode({"venue": at, "name": venue.name, "zones": shapes}).decode()


def _written(corners: list[Corner]) -> str:
    return "\n".join(f"{one.latitude:.6f}, {one.longitude:.6f}" for one in corners)


def _desk(deps: PanelDeps) -> ZoneDesk:
    return deps.services.of(DeliveryServices).zones


HANDLERS = [show_zones, new_zone, show_zone, add_zone, change_zone, set_point]
