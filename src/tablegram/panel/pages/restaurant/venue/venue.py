"""Venues: made with a few answers, their settings, and the switch that stops orders in a rush.

GET  /panel/venue, /panel/venue/new
POST /panel/venue, /panel/venue/{id}, /panel/venue/{id}/{pause, resume, default, delete}
"""

from __future__ import annotations

import re
from typing import Any, cast
from zoneinfo import available_timezones

from litestar import get, post
from litestar.params import FromPath

from tablegram.errors import FieldError, Invalid, Problem
from tablegram.flows.payments.services import PaymentServices
from tablegram.flows.restaurant.answers.venues import VenueView
from tablegram.flows.restaurant.venue_fields import PauseFields, VenueFields
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form, require_word, room_for
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import at_ms
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.i18n import translate
from tablegram.panel.pages.integrations.snippets import every_line
from tablegram.panel.pages.restaurant.venue.hours import kept_pause, pauses_now, runs, write_pauses
from tablegram.panel.pages.restaurant.venues import VenueChoice, beside, image_address, look_at, tell_standing
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.restaurant.menu.model import ORDER_TYPES
from tablegram.restaurant.pictures.model import MAX_BYTES
from tablegram.restaurant.venues import MAX_PAY_MIN, MIN_PAY_MIN
from tablegram.values.clock import MINUTE_MS, iso
from tablegram.values.folding import fold
from tablegram.values.money import EXPONENTS
from tablegram.values.opening_hours import DAYS
from tablegram.values.words import NAMES

_READ = {"scope": "restaurant:read"}
_MANAGE = {"scope": "restaurant:manage"}
HOME = "/panel/venue"
# Names of languages in themselves, for the menu; the first two are the product's own.
LANGUAGES = {
    code: NAMES[code] for code in ["en", "tr", "de", "ru", "ar", "fr", "es", "it", "nl", "el", "fa", "uk", "zh", "ja"]
}
# How numbers and dates are written; where countries of one language differ, by country.
LOCALES = {**LANGUAGES, "en-GB": "English (UK)", "en-US": "English (US)", "de-AT": "Deutsch (Österreich)",
           "de-CH": "Deutsch (Schweiz)", "fr-CH": "Français (Suisse)", "tr-TR": "Türkçe (Türkiye)"}  # fmt: skip
USUAL_CURRENCIES = ("TRY", "EUR", "USD", "GBP")
PAUSES_MIN = (30, 60, 120)
MAX_LOGO_BYTES = 12_000_000
# Stations that have words of ours.
NAMED_STATIONS = ("kitchen", "bar")


@get("/venue", opt=_READ)
async def show_venue(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        return await _new(request, visitor, deps, place)
    return await _shown(request, visitor, deps, place)


@get("/venue/new", opt=_MANAGE)
async def new_venue(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _new(request, visitor, deps, await look_at(request, deps, visitor))


@post("/venue", opt=_MANAGE, status_code=200)
async def create_venue(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    try:
        fields = _first_fields(form)
        call = once(form, "panel venues", repr(sorted(fields.items())))
        answer = await deps.restaurant.venue_desk.create(visitor.caller, fields, call)
    except Problem as problem:
        told = beside(problem, hours="hours")
        return await _new(request, visitor, deps, await look_at(request, deps, visitor), form, told)
    made = answer.value
    return redirect(request, f"{HOME}?venue={made.id}", toast=visitor.t("venue.made", name=made.name))


@post("/venue/{venue_id:str}", opt=_MANAGE, status_code=200, request_max_body_size=room_for(MAX_BYTES))
async def update_venue(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    assert place.venue is not None
    try:
        fields = _fields(form, visitor, place.venue)
        logo = form.file("logo")
        if logo is not None:
            raw = await logo.read(MAX_LOGO_BYTES + 1)
            try:
                fields["logo_id"] = (await deps.restaurant.photos.put(visitor.caller, venue_id, raw)).image_id
            except Invalid as problem:
                raise Invalid.field("logo", problem.code, problem.detail) from problem
        elif form.flag("logo_gone"):
            fields["logo_id"] = None
        await deps.restaurant.venue_desk.update(visitor.caller, venue_id, fields)
    except Problem as problem:
        told = beside(problem, station_used="stations", currency_used="currency")
        return await _shown(request, visitor, deps, place, form, told)
    return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("venue.saved"))


@post("/venue/{venue_id:str}/pause", opt=_MANAGE)
async def pause_venue(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    """No orders from now on: for some minutes, or until somebody resumes."""
    form = await read_form(request)
    venue = await deps.restaurant.venue_desk.get(visitor.caller, venue_id)
    now = deps.clock.now_ms()
    minutes = form.text("minutes")
    ends = now + int(minutes) * MINUTE_MS if minutes.isascii() and minutes.isdecimal() and len(minutes) < 5 else None
    pause: PauseFields = {"starts_at": iso(now) or "", "ends_at": iso(ends), "reason": form.text("reason")[:200]}
    kept = [kept_pause(one) for one in pauses_now(venue, now) if not runs(one, now)]
    await write_pauses(deps, visitor, venue, [*kept, pause])
    return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("venue.now_paused"))


@post("/venue/{venue_id:str}/resume", opt=_MANAGE)
async def resume_venue(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    """End the pause that runs; those that are planned stay."""
    venue = await deps.restaurant.venue_desk.get(visitor.caller, venue_id)
    now = deps.clock.now_ms()
    await write_pauses(deps, visitor, venue, [kept_pause(one) for one in pauses_now(venue, now) if not runs(one, now)])
    return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("venue.now_resumed"))


@post("/venue/{venue_id:str}/default", opt=_MANAGE)
async def make_default(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    venue = await deps.restaurant.venue_desk.update(visitor.caller, venue_id, {"is_default": True})
    return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("venue.now_default", name=venue.name))


@post("/venue/{venue_id:str}/delete", opt=_MANAGE, status_code=200)
async def delete_venue(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    assert place.venue is not None
    try:
        require_word(form, place.venue.name)
        await deps.restaurant.venue_desk.delete(visitor.caller, venue_id)
    except Problem as problem:
        return await _shown(request, visitor, deps, place, form, problem)
    return redirect(request, HOME, toast=visitor.t("venue.deleted", name=place.venue.name))


async def _new(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    place: VenueChoice,
    form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:
    return page(
        request,
        visitor,
        "restaurant/venue/new.html",
        place=place,
        lines=await _lines(deps, visitor),
        currency="TRY" if visitor.language == "tr" else "EUR",
        zone=getattr(visitor.zone, "key", "UTC"),
        form=form,
        problem=problem,
        mark=(form.text("once") if form else "") or new_mark(),
        **_choices(),
    )


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
    standing = await deps.restaurant.venue_desk.standing(visitor.caller, venue.id)
    reader = await deps.restaurant.reader_desk.look(visitor.caller)
    return page(
        request,
        visitor,
        "restaurant/venue/venue.html",
        place=place,
        venue=venue,
        logo_url=venue.logo_id and image_address(venue.logo_id),
        charge=f"{venue.service_charge:g}",
        vat="" if venue.vat_percent is None else f"{venue.vat_percent:g}",
        names=LANGUAGES,
        spoken=[LANGUAGES.get(one, one) for one in venue.languages],
        languages_here=_named(venue.languages, LANGUAGES),
        locales=_named([venue.locale], LOCALES),
        stations=", ".join(shown_station(visitor, one) for one in venue.stations),
        standing=tell_standing(visitor, venue, standing, now),
        pauses_min=PAUSES_MIN,
        steps=await _steps(deps, visitor, venue),
        lines=await _lines(deps, visitor),
        providers=await _providers(deps, visitor),
        reader=reader,
        trouble_at=at_ms(reader.trouble.at if reader.trouble else None),
        form=form,
        problem=problem,
        **_choices(),
    )


def _named(present: list[str], names: dict[str, str]) -> list[tuple[str, str]]:
    """What can be chosen, by name; what is chosen already can stay, also where we have no name for it."""
    return list({**names, **{one: names.get(one, one) for one in present}}.items())


def _choices() -> dict[str, Any]:
    """What the selects offer."""
    others = sorted(set(EXPONENTS) - set(USUAL_CURRENCIES))
    return {
        "currencies": [(one, one) for one in (*USUAL_CURRENCIES, *others)],
        "zones": [(one, one.replace("_", " ")) for one in sorted(available_timezones())],
        "languages": list(LANGUAGES.items()),
        "order_types": ORDER_TYPES,
    }


async def _lines(deps: PanelDeps, visitor: Visitor) -> list[tuple[str, str]]:
    if not visitor.can("instances:manage"):
        return []
    return [(str(line.id), line.name) for line in await every_line(deps, visitor)]


async def _providers(deps: PanelDeps, visitor: Visitor) -> list[tuple[str, str]]:
    """Payment providers to choose among; nothing where there is no choice."""
    if not visitor.can("payments:manage"):
        return []
    found = (await deps.services.of(PaymentServices).providers.page(visitor.caller)).data
    named = [(one.id, f"{one.provider.capitalize()} ({visitor.t('venue.mode_' + one.mode)})") for one in found]
    return named if len(named) > 1 else []


async def _steps(deps: PanelDeps, visitor: Visitor, venue: VenueView) -> list[tuple[str, str, bool]]:
    """What a new venue still needs: the step, where it is done, and whether it is. Nothing when all are."""
    menu = await deps.restaurant.menu_desk.menu(visitor.caller, venue.id)
    tables = await deps.restaurant.table_desk.tables(visitor.caller, venue.id)
    steps = [
        ("hours", f"/panel/venue/hours?venue={venue.id}", bool(venue.hours)),
        ("line", "#instance_id", venue.instance_id is not None),
        ("menu", f"/panel/menu?venue={venue.id}", bool(menu.items)),
        ("tables", f"/panel/tables?venue={venue.id}", bool(tables)),
    ]
    return [] if all(done for _, _, done in steps) else steps


def _first_fields(form: Form) -> VenueFields:
    """A new venue, open every day between two times until somebody says more exactly."""
    language = form.text("language")
    opens, closes = form.text("opens"), form.text("closes")
    hours = [{"day": day, "opens": opens, "closes": closes} for day in DAYS] if opens and closes else []
    line = form.text("instance_id")
    fields: dict[str, Any] = {
        "name": form.text("name"),
        "currency": form.text("currency"),
        "time_zone": form.text("time_zone"),
        "locale": language,
        "languages": [language],
        **({"hours": hours} if hours else {}),
        **({"instance_id": int(line)} if line.isdecimal() else {}),
    }
    return cast(VenueFields, fields)


def _numbers(form: Form, visitor: Visitor) -> dict[str, float | None]:
    """Each as it was typed; those that cannot be are refused together."""
    errors: list[FieldError] = []
    numbers: dict[str, float | None] = {}
    for name in ("service_charge", "vat_percent", "preparation_min", "answer_within_min", "pay_within_min"):
        try:
            numbers[name] = form.number(name)
        except Invalid as problem:
            errors += problem.errors
    minutes = numbers.get("preparation_min")
    if minutes is not None and (minutes != int(minutes) or not 0 <= minutes <= 1_440):
        errors.append(FieldError("preparation_min", "minutes_invalid", visitor.t("venue.minutes_invalid")))
    patience = numbers.get("answer_within_min")
    if patience is not None and (patience != int(patience) or not 1 <= patience <= 1_440):
        errors.append(FieldError("answer_within_min", "minutes_invalid", visitor.t("venue.patience_invalid")))
    pays = numbers.get("pay_within_min")
    if pays is not None and (pays != int(pays) or not MIN_PAY_MIN <= pays <= MAX_PAY_MIN):
        errors.append(FieldError("pay_within_min", "minutes_invalid", visitor.t("venue.pay_within_invalid")))
    if errors:
        raise Invalid.fields(errors)
    return numbers


def _fields(form: Form, visitor: Visitor, venue: VenueView) -> VenueFields:
    """Every setting on the page, as the desk takes it."""
    line = form.text("instance_id")
    numbers = _numbers(form, visitor)
    online = form.all("pays_online")
    languages = _languages(form, venue.languages)
    fields: dict[str, Any] = {
        "name": form.text("name"),
        "address": form.text("address"),
        "phone": form.text("phone"),
        "currency": form.text("currency"),
        "time_zone": form.text("time_zone"),
        "locale": form.text("locale"),
        "languages": languages,
        "order_types": form.all("order_types"),
        "stations": _stations(form.text("stations"), visitor, venue.stations),
        "service_charge": numbers["service_charge"] or 0,
        **({"vat_percent": numbers["vat_percent"]} if form.has("vat_percent") else {}),
        "accepts_by_itself": form.text("acceptance") == "itself",
        "refuses_unsigned": form.flag("refuses_unsigned"),
        "preparation_min": int(numbers["preparation_min"] or 0),
        "answer_within_min": int(numbers["answer_within_min"] or 30),
        "reads_texts": form.flag("reads_texts"),
        "skips_read_back": form.flag("skips_read_back"),
        "asks_for_offers": form.flag("asks_for_offers"),
        "pays_online": online,
        # What is no longer paid online need not be paid so.
        "prepaid": [one for one in form.all("prepaid") if one in online],
        "pay_within_min": int(numbers["pay_within_min"] or 30),
        **({"payment_provider_id": form.text("payment_provider_id")[:64]} if form.has("payment_provider_id") else {}),
        **({"day_ends_at": form.text("day_ends_at")} if form.has("day_ends_at") else {}),
        **({"calls_couriers": form.text("calls_couriers")} if form.has("calls_couriers") else {}),
        "alert_phone": form.text("alert_phone"),
        "how_to": {one: form.text(f"how_to_{one}")[:200] for one in languages if form.text(f"how_to_{one}")},
        **({"instance_id": int(line) if line.isdecimal() else None} if form.has("instance_id") else {}),
    }
    return cast(VenueFields, fields)


def shown_station(visitor: Visitor, station: str) -> str:
    """What a station is called: ours by words of the visitor's language, others as the venue calls them."""
    return visitor.t(f"menu.station_{station}") if station in NAMED_STATIONS else station


def _stations(text: str, visitor: Visitor, known: list[str]) -> list[str]:
    """Stations as they were typed; what is there already, or is one of ours, is found whatever its case."""
    ours = {
        fold(translate(language, f"menu.station_{one}")): one for one in NAMED_STATIONS for language in ("en", "tr")
    }
    found = {**ours, **{fold(one): one for one in (*NAMED_STATIONS, *known)}}
    typed = (" ".join(part.split()) for part in re.split(r"[,;\n]+", text))
    return [found.get(fold(one), one) for one in typed if one]


def _languages(form: Form, known: list[str]) -> list[str]:
    """The menu's own first, then the others that are ticked: those that the menu has in their order, then new ones."""
    ticked = form.all("languages")
    chosen = [form.text("language"), *(one for one in known if one in ticked), *ticked]
    return list(dict.fromkeys(one for one in chosen if one))


HANDLERS = [
    show_venue,
    new_venue,
    create_venue,
    update_venue,
    pause_venue,
    resume_venue,
    make_default,
    delete_venue,
]
