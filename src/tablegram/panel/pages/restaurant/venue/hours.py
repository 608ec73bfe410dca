"""Opening hours of a venue: the week, single days that differ, the last order, and pauses that are planned.

GET, POST /panel/venue/hours; POST /panel/venue/{id}/pauses, /panel/venue/{id}/pauses/end
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast
from zoneinfo import ZoneInfo

from litestar import get, post
from litestar.params import FromPath

from tablegram.errors import FieldError, Invalid, Problem
from tablegram.flows.restaurant.answers.venues import PauseView, VenueView
from tablegram.flows.restaurant.venue_fields import PauseFields, VenueFields
from tablegram.flows.wire import OpenDay
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import at_ms
from tablegram.panel.pages.restaurant.venues import VenueChoice, beside, clock_time, look_at, tell_standing
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.clock import iso
from tablegram.values.opening_hours import DAYS

_READ = {"scope": "restaurant:read"}
_MANAGE = {"scope": "restaurant:manage"}
# Lunch and dinner; a day with more spans shows more, and one to spare.
SPANS = 2
SPARE_DAYS = 2
_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]", re.ASCII)


@get("/venue/hours", opt=_READ)
async def show_hours(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        return redirect(request, "/panel/venue")
    return await _shown(request, visitor, deps, place)


@post("/venue/{venue_id:str}/hours", opt=_MANAGE, status_code=200)
async def change_hours(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    assert place.venue is not None
    try:
        await deps.restaurant.venue_desk.update(visitor.caller, venue_id, _typed(form, visitor))
    except Problem as problem:
        told = beside(problem, exceptions="exceptions", hours="hours")
        return await _shown(request, visitor, deps, place, form, told)
    return redirect(request, f"/panel/venue/hours?venue={venue_id}", toast=visitor.t("venue.hours_saved"))


@post("/venue/{venue_id:str}/pauses", opt=_MANAGE, status_code=200)
async def plan_pause(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    """A pause that is known beforehand: a wedding, a holiday, a delivery of coal."""
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    assert place.venue is not None
    venue = place.venue
    try:
        starts, ends = (_moment(form, visitor, name, venue) for name in ("starts", "ends"))
        if starts >= ends:
            raise Invalid.field("ends", "pause_backwards", visitor.t("venue.pause_backwards"))
        pause: PauseFields = {"starts_at": iso(starts), "ends_at": iso(ends), "reason": form.text("reason")[:200]}
        kept = [kept_pause(one) for one in pauses_now(venue, deps.clock.now_ms())]
        await write_pauses(deps, visitor, venue, [*kept, pause])
    except Problem as problem:
        return await _shown(request, visitor, deps, place, form, problem)
    return redirect(request, f"/panel/venue/hours?venue={venue_id}#pauses", toast=visitor.t("venue.pause_planned"))


@post("/venue/{venue_id:str}/pauses/end", opt=_MANAGE)
async def end_pause(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    venue = await deps.restaurant.venue_desk.get(visitor.caller, venue_id)
    kept = pauses_now(venue, deps.clock.now_ms())
    others = [kept_pause(one) for one in kept if one.starts_at != form.text("starts_at")]
    await write_pauses(deps, visitor, venue, others)
    return redirect(request, f"/panel/venue/hours?venue={venue_id}#pauses", toast=visitor.t("venue.pause_ended"))


def pauses_now(venue: VenueView, now_ms: int) -> list[PauseView]:
    """The pauses that are not over yet, the next one first."""
    kept = [one for one in venue.pauses if one.ends_at is None or (at_ms(one.ends_at) or 0) > now_ms]
    return sorted(kept, key=lambda one: at_ms(one.starts_at) or 0)


def runs(pause: PauseView, now_ms: int) -> bool:
    """Whether a pause that is not over has begun."""
    return (at_ms(pause.starts_at) or 0) <= now_ms


def kept_pause(pause: PauseView) -> PauseFields:
    """A pause that stays as it is, as the desk takes it."""
    return {"starts_at": pause.starts_at, "ends_at": pause.ends_at, "reason": pause.reason}


async def write_pauses(deps: PanelDeps, visitor: Visitor, venue: VenueView, pauses: list[PauseFields]) -> None:
    await deps.restaurant.venue_desk.update(visitor.caller, venue.id, {"pauses": pauses})


async def _shown(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    place: VenueChoice,
    form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:
    venue = place.venue
    assert venue is not None
    now = deps.clock.now_ms()
    typed = form if form is not None and form.has("last_order_min") else None
    standing = await deps.restaurant.venue_desk.standing(visitor.caller, venue.id)
    return page(
        request,
        visitor,
        "restaurant/venue/hours.html",
        place=place,
        venue=venue,
        standing=tell_standing(visitor, venue, standing, now),
        week=shown_week(venue.hours, typed),
        days=_days(venue, typed),
        pauses=[
            {
                **kept_pause(one),
                "from": clock_time(visitor, venue, at_ms(one.starts_at) or 0, now),
                "until": "" if one.ends_at is None else clock_time(visitor, venue, at_ms(one.ends_at) or 0, now),
                "runs": runs(one, now),
            }
            for one in pauses_now(venue, now)
        ],
        form=form,
        problem=problem,
    )


def _typed(form: Form, visitor: Visitor) -> VenueFields:
    """The hours as the desk takes them; every wrong line is named."""
    errors: list[FieldError] = []
    hours = typed_week(form, visitor, errors)
    exceptions: dict[str, list[dict[str, str]]] = {}
    rows = zip(form.all("date"), form.all("date_opens"), form.all("date_closes"), strict=False)
    for date, opens, closes in rows:
        if not date:
            if opens or closes:
                errors.append(FieldError("exceptions", "date_missing", visitor.t("venue.date_missing")))
            continue
        spans = exceptions.setdefault(date, [])
        if not opens and not closes:
            continue
        if _TIME.fullmatch(opens) and _TIME.fullmatch(closes):
            spans.append({"opens": opens, "closes": closes})
        else:
            errors.append(FieldError("exceptions", "span_invalid", visitor.t("venue.span_invalid", day=date[:10])))
    minutes = form.text("last_order_min") or "0"
    if not (minutes.isascii() and minutes.isdecimal() and int(minutes) <= 720):
        errors.append(FieldError("last_order_min", "minutes_invalid", visitor.t("venue.minutes_invalid")))
    if errors:
        raise Invalid.fields(errors)
    days = [{"date": date, "spans": spans} for date, spans in sorted(exceptions.items())]
    fields: dict[str, Any] = {"hours": hours, "exceptions": days, "last_order_min": int(minutes)}
    return cast(VenueFields, fields)


def typed_week(form: Form, visitor: Visitor, errors: list[FieldError]) -> list[dict[str, str]]:
    """The spans of a week as they were typed; what is no time is added to the errors."""
    hours = []
    for day in DAYS:
        for opens, closes in _pairs(form, f"{day}_opens", f"{day}_closes"):
            if _TIME.fullmatch(opens) and _TIME.fullmatch(closes):
                hours.append({"day": str(day), "opens": opens, "closes": closes})
            else:
                words = visitor.t("venue.span_invalid", day=visitor.t(f"venue.day_{day}"))
                errors.append(FieldError("hours", "span_invalid", words))
    return hours


def _pairs(form: Form, first: str, second: str) -> list[tuple[str, str]]:
    pairs = zip(form.all(first), form.all(second), strict=False)
    return [(one, other) for one, other in pairs if one or other]


def shown_week(kept: Sequence[OpenDay], form: Form | None) -> list[tuple[str, list[tuple[str, str]]]]:
    """The days with their spans and room for more, as typed or as kept."""
    week = []
    for day in DAYS:
        if form is not None:
            spans = _pairs(form, f"{day}_opens", f"{day}_closes")
        else:
            spans = [(one.opens, one.closes) for one in kept if one.day == day]
        week.append((str(day), spans + [("", "")] * max(SPANS - len(spans), 0)))
    return week


def _days(venue: VenueView, form: Form | None) -> list[tuple[str, str, str]]:
    if form is not None:
        rows = list(zip(form.all("date"), form.all("date_opens"), form.all("date_closes"), strict=False))
        return [row for row in rows if any(row)] + [("", "", "")] * SPARE_DAYS
    found: list[tuple[str, str, str]] = []
    for one in venue.exceptions:
        found += [(one.date, span.opens, span.closes) for span in one.spans] or [(one.date, "", "")]
    return found + [("", "", "")] * SPARE_DAYS


def _moment(form: Form, visitor: Visitor, name: str, venue: VenueView) -> int:
    """A date and time as the clock in the venue shows it."""
    try:
        typed = datetime.fromisoformat(form.text(name))
    except ValueError:
        raise Invalid.field(name, "moment_invalid", visitor.t("venue.moment_invalid")) from None
    return round(typed.replace(tzinfo=ZoneInfo(venue.time_zone)).timestamp()) * 1_000


HANDLERS = [show_hours, change_hours, plan_pause, end_pause]
