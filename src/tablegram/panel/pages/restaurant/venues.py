"""The venue that a page of the restaurant is about: the one that the address names, else the account's default."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from tablegram.errors import FieldError, Invalid, NotFound, Problem, no_such
from tablegram.flows.restaurant.answers.venues import VenueStanding, VenueView
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.handling import PageRequest
from tablegram.panel.frame.listing import asked, at_ms
from tablegram.panel.i18n import format_day, translate
from tablegram.panel.visitor import Visitor
from tablegram.values.countries import country_at
from tablegram.values.figures.writing import clock
from tablegram.values.money import from_wire, written
from tablegram.values.opening_hours import DAYS
from tablegram.values.phone import example_phone


@dataclass(frozen=True, slots=True)
class VenueChoice:
    """Every venue of the account, and the one that is looked at; there is none where there are no venues."""

    venues: list[VenueView]
    venue: VenueView | None

    @property
    def id(self) -> str:
        return "" if self.venue is None else self.venue.id

    @property
    def currency(self) -> str:
        return "" if self.venue is None else self.venue.currency

    @property
    def country(self) -> str:
        return "" if self.venue is None else country_at(self.venue.time_zone, self.venue.locale)

    @property
    def phone_example(self) -> str:
        """How people there write a number."""
        return example_phone(self.country)


async def venues_of(deps: PanelDeps, visitor: Visitor) -> list[VenueView]:
    return (await deps.restaurant.venue_desk.page(visitor.caller)).data


async def look_at(request: PageRequest, deps: PanelDeps, visitor: Visitor, venue_id: str = "") -> VenueChoice:
    """The venue named by `venue_id` or by `?venue=`. Raises `NotFound` for one that the account does not have."""
    venues = await venues_of(deps, visitor)
    wanted = venue_id or asked(request, "venue")
    if wanted:
        found = next((one for one in venues if one.id == wanted), None)
        if found is None:
            raise NotFound(no_such("venue"), code="venue_unknown")
        return VenueChoice(venues, found)
    default = next((one for one in venues if one.is_default), venues[0] if venues else None)
    return VenueChoice(venues, default)


def image_address(image_id: str, width: int = 320) -> str:
    """Where the panel finds a picture: on its own host, whatever the installation calls itself to others."""
    return f"/api/v1/menu/images/{image_id}-{width}.webp"


def beside(problem: Problem, **fields: str) -> Problem:
    """A problem whose fields are called as the form calls them: what begins with a name is told beside its field.

    `label_taken="label"` gives a code that has no field one.
    """
    if problem.code in fields and not problem.errors:
        return Invalid.field(fields[problem.code], problem.code, problem.detail)
    if not problem.errors:
        return problem
    told = []
    for error in problem.errors:
        # The longest beginning that is known, so that `options[2].name` may be told from `options`.
        known = max((one for one in fields if error.field.startswith(one)), key=len, default=None)
        told.append(FieldError(error.field if known is None else fields[known], error.code, error.detail))
    return Invalid(problem.detail, code=problem.code, errors=tuple(told))


def price(visitor: Visitor, currency: str, amount: float) -> str:
    """A price of the API as the visitor writes it."""
    return written(from_wire(amount, currency), currency, visitor.language)


def clock_time(visitor: Visitor, venue: VenueView, when_ms: int, now_ms: int) -> str:
    """When, by the clock in the venue: today the time alone, within a week the day, later the date."""
    zone = ZoneInfo(venue.time_zone)
    moment, now = (datetime.fromtimestamp(one / 1_000, zone) for one in (when_ms, now_ms))
    days = (moment.date() - now.date()).days
    time = clock(when_ms, zone)
    if days == 0:
        return time
    if days == 1:
        return translate(visitor.language, "venue.tomorrow_at", time=time)
    if 1 < days < 7:
        day = translate(visitor.language, f"venue.day_{DAYS[moment.weekday()]}")
        return translate(visitor.language, "venue.day_at", day=day, time=time)
    return translate(visitor.language, "venue.day_at", day=format_day(visitor.language, when_ms, zone), time=time)


def tell_standing(visitor: Visitor, venue: VenueView, standing: VenueStanding, now_ms: int) -> dict[str, str]:
    """How the venue stands, in words: the state, and what comes next."""

    def at(name: str) -> str:
        moment = at_ms(getattr(standing, name))
        return "" if moment is None else clock_time(visitor, venue, moment, now_ms)

    reason = standing.reason
    if reason == "open":
        until, last = at("until"), at("orders_until")
        text = visitor.t("venue.open_until", time=until) if until else visitor.t("venue.open_always")
        if last and last != until:
            text += " " + visitor.t("venue.last_order_at", time=last)
        return {"state": "open", "tone": "ok", "title": visitor.t("venue.is_open"), "text": text}
    if reason == "last_order_passed":
        text = visitor.t("venue.closes_at", time=at("until"))
        return {"state": "last", "tone": "warn", "title": visitor.t("venue.is_past_last_order"), "text": text}
    opens = at("opens_at")
    if reason == "paused":
        text = visitor.t("venue.paused_until", time=opens) if opens else visitor.t("venue.paused_until_told")
        return {"state": "paused", "tone": "warn", "title": visitor.t("venue.is_paused"), "text": text}
    text = visitor.t("venue.opens_at", time=opens) if opens else visitor.t("venue.opens_never")
    return {"state": "closed", "tone": "muted", "title": visitor.t("venue.is_closed"), "text": text}
