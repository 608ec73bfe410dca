"""Shops and forms: found in the catalogue, connected step by step, tried out, mapped, paused, taken away.

GET  /panel/stores
GET  /panel/stores/new                            ?q=&platform=
POST /panel/stores
GET  /panel/stores/sources/{id}
POST /panel/stores/sources/{id}                   name, country, currency, line, venue, secret
POST /panel/stores/sources/{id}/{pause|resume|rotate|test|delete}
GET  /panel/stores/sources/{id}/mapping
POST /panel/stores/sources/{id}/mapping
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from litestar import get, post
from litestar.params import FromPath

from tablegram.errors import Invalid, Problem
from tablegram.flows.stores.answers import SourceView
from tablegram.flows.stores.services import StoreServices
from tablegram.flows.stores.source_desk import NewSourceFields, SourceDesk, SourceFields
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form, require_word
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms, fits
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.i18n import words
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.stores.kinds import KINDS, MAX_PATH
from tablegram.values.money import EXPONENTS
from tablegram.values.phone import read_phone_in

_SCOPE = {"scope": "stores:manage"}
HOME = "/panel/stores"
STEPS = 3
# What connects by a key of the account and brings its own guide.
TOOLS = ("n8n", "zapier", "make", "website", "assistant", "python", "typescript")
# Of a sample, as many values as somebody looks through.
MAX_SHOWN = 200


def services_of(deps: PanelDeps) -> StoreServices:
    return deps.services.of(StoreServices)


def desk_of(deps: PanelDeps) -> SourceDesk:
    return services_of(deps).sources


@get("/stores", opt=_SCOPE)
async def list_sources(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    found = await desk_of(deps).page(visitor.caller)
    waiting = await services_of(deps).deliveries.waiting(visitor.caller)
    return page(request, visitor, "stores/list.html", sources=[_shown(one) for one in found.data], waiting=waiting)


@get("/stores/new", opt=_SCOPE)
async def new_source(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _form(request, visitor, deps, Form(), asked(request, "platform"))


@post("/stores", opt=_SCOPE, status_code=200)
async def create_source(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    platform = form.text("platform")
    if platform not in desk_of(deps).platforms:
        return redirect(request, f"{HOME}/new")
    try:
        new: NewSourceFields = {"platform": platform, **_typed(form)}
        call = once(form, "panel stores", msgspec.json.encode(new).decode())
        made = (await desk_of(deps).create(visitor.caller, new, call)).value
    except Problem as problem:
        return await _form(request, visitor, deps, form, platform, problem)
    # The secret is shown this once, so there is no page to go to before it was read.
    return await _one(request, visitor, deps, made.id, secret=made.secret or "", is_new=True)


@get("/stores/sources/{source_id:str}", opt=_SCOPE)
async def show_source(request: PageRequest, visitor: VisitorOf, deps: DepsOf, source_id: FromPath[str]) -> PageResponse:
    return await _one(request, visitor, deps, source_id)


@post("/stores/sources/{source_id:str}", opt=_SCOPE, status_code=200)
async def update_source(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, source_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    try:
        fields = _typed(form)
        if not fields["secret"]:
            # Nobody types it anew to change a name.
            del fields["secret"]
        await desk_of(deps).change(visitor.caller, source_id, fields)
    except Problem as problem:
        return await _one(request, visitor, deps, source_id, form, problem)
    return redirect(request, f"{HOME}/sources/{source_id}", toast=visitor.t("stores.saved"))


@post("/stores/sources/{source_id:str}/pause", opt=_SCOPE)
async def pause_source(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, source_id: FromPath[str]
) -> PageResponse:
    await read_form(request)
    await desk_of(deps).change(visitor.caller, source_id, {"active": False})
    return redirect(request, f"{HOME}/sources/{source_id}", toast=visitor.t("stores.paused_now"))


@post("/stores/sources/{source_id:str}/resume", opt=_SCOPE)
async def resume_source(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, source_id: FromPath[str]
) -> PageResponse:
    await read_form(request)
    await desk_of(deps).change(visitor.caller, source_id, {"active": True})
    return redirect(request, f"{HOME}/sources/{source_id}", toast=visitor.t("stores.resumed_now"))


@post("/stores/sources/{source_id:str}/rotate", opt=_SCOPE, status_code=200)
async def rotate_source(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, source_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    made = (await desk_of(deps).rotate(visitor.caller, source_id, once(form, f"panel rotate {source_id}"))).value
    return await _one(request, visitor, deps, source_id, secret=made.secret or "", is_new=not made.secret)


@post("/stores/sources/{source_id:str}/test", opt=_SCOPE, status_code=200)
async def test_source(request: PageRequest, visitor: VisitorOf, deps: DepsOf, source_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    try:
        kept = await desk_of(deps).get(visitor.caller, source_id)
        home = kept.country or await deps.contacts.home.of(visitor.caller.account_id)
        phone = read_phone_in(form.text("phone")[:40], home)
        call = once(form, f"panel test {source_id}", phone)
        await desk_of(deps).test(visitor.caller, source_id, phone, call)
    except Problem as problem:
        return await _one(request, visitor, deps, source_id, form, problem)
    return redirect(request, f"{HOME}/log?source={source_id}", toast=visitor.t("stores.test_sent"))


@post("/stores/sources/{source_id:str}/delete", opt=_SCOPE, status_code=200)
async def delete_source(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, source_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    kept = await desk_of(deps).get(visitor.caller, source_id)
    try:
        require_word(form, kept.name)
        await desk_of(deps).remove(visitor.caller, source_id)
    except Problem as problem:
        return await _one(request, visitor, deps, source_id, form, problem)
    return redirect(request, HOME, toast=visitor.t("stores.removed"))


@get("/stores/sources/{source_id:str}/mapping", opt=_SCOPE)
async def show_mapping(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, source_id: FromPath[str]
) -> PageResponse:
    kept = await desk_of(deps).get(visitor.caller, source_id)
    facts = desk_of(deps).facts(kept.platform)
    if not facts:
        return redirect(request, f"{HOME}/sources/{source_id}")
    sample = await services_of(deps).deliveries.sample(visitor.caller, source_id)
    places = [] if sample is None else [*dict(sample.places).items()][:MAX_SHOWN]
    chosen = {place: fact for fact, place in kept.mapping.items()}
    seen = {place for place, _ in places}
    # What was mapped on another sample stays, and can be taken away.
    elsewhere = [(fact, place) for fact, place in kept.mapping.items() if place not in seen]
    return page(
        request, visitor, "stores/mapping.html", one=_shown(kept), facts=facts, places=places, chosen=chosen,
        elsewhere=elsewhere, sample=sample, fact_words=_fact_words(visitor),
    )  # fmt: skip


@post("/stores/sources/{source_id:str}/mapping", opt=_SCOPE)
async def save_mapping(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, source_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    kept = await desk_of(deps).get(visitor.caller, source_id)
    facts = desk_of(deps).facts(kept.platform)
    # A place and what lies there stand side by side; of two places for one fact the last one counts.
    pairs = zip(form.all("place"), form.all("fact"), strict=False)
    mapping = {fact: place[:MAX_PATH] for place, fact in pairs if fact in facts or fact in kept.mapping}
    await desk_of(deps).change(visitor.caller, source_id, {"mapping": mapping})
    return redirect(request, f"{HOME}/sources/{source_id}/mapping", toast=visitor.t("stores.mapped"))


async def _one(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, source_id: str, form: Form | None = None,
    problem: Problem | None = None, *, secret: str = "", is_new: bool = False,
) -> PageResponse:  # fmt: skip
    kept = await desk_of(deps).get(visitor.caller, source_id)
    wrong_word = any(error.field == "confirm" for error in problem.errors) if problem is not None else False
    return page(
        request,
        visitor,
        "stores/source.html",
        one=_shown(kept),
        kind=KINDS[kept.platform],
        steps=range(1, STEPS + 1),
        is_mapped=bool(desk_of(deps).facts(kept.platform)),
        fact_words=_fact_words(visitor),
        lines=await _lines(visitor, deps),
        venues=await _venues(visitor, deps, kept.platform),
        currencies=[(code, code) for code in sorted(EXPONENTS)],
        secret=secret,
        is_new=is_new,
        form=form,
        problem=problem,
        is_deleting=wrong_word,
        mark=new_mark(),
    )


async def _form(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, form: Form, platform: str, problem: Problem | None = None
) -> PageResponse:
    known = desk_of(deps).platforms
    search = asked(request, "q")
    named = {one: (visitor.t(f"stores.name_{one}"), visitor.t(f"stores.about_{one}")) for one in (*known, *TOOLS)}
    home = await deps.contacts.home.of(visitor.caller.account_id)
    return page(
        request,
        visitor,
        "stores/new.html",
        platforms=[one for one in known if fits(search, one, *named[one])],
        tools=[one for one in TOOLS if fits(search, one, *named[one])],
        platform=platform if platform in known else "",
        kind=KINDS.get(platform),
        home=home,
        currencies=[(code, code) for code in sorted(EXPONENTS)],
        lines=await _lines(visitor, deps),
        venues=await _venues(visitor, deps, platform),
        form=form,
        problem=problem,
        mark=form.text("once") or new_mark(),
    )


def _fact_words(visitor: Visitor) -> Callable[[str], str]:
    """What a fact is called; one under a name of the user's own is called so."""
    known = words(visitor.language)
    return lambda fact: known.get(f"stores.fact_{fact}", fact)


async def _lines(visitor: Visitor, deps: PanelDeps) -> list[tuple[str, str]]:
    """The account's lines, for a choice."""
    found = await deps.gateway.lines.page(visitor.caller, 200, None)
    return [(str(one.id), one.name or f"#{one.id}") for one in found.data]


async def _venues(visitor: Visitor, deps: PanelDeps, platform: str) -> list[tuple[str, str]]:
    """The account's venues, for a choice, where orders of the platform are cooked."""
    if platform not in KINDS or not KINDS[platform].is_cooked:
        return []
    return await desk_of(deps).venues(visitor.caller)


def _typed(form: Form) -> SourceFields:
    """What the form says, checked as the API checks it."""
    name, country, currency = form.text("name"), form.text("country").upper(), form.text("currency").upper()
    if not 0 < len(name) <= 100 or not name.isprintable():
        raise Invalid.field("name", "store_name_invalid", "Give it a name of at most 100 characters, on one line.")
    if country and not (len(country) == 2 and country.isascii() and country.isalpha()):
        raise Invalid.field("country", "country_invalid", "Write the two letters of the country, for example TR.")
    if currency and currency not in EXPONENTS:
        raise Invalid.field("currency", "currency_unknown", "Choose a currency.")
    line = form.text("instance_id")
    typed: SourceFields = {
        "name": name,
        "country": country,
        "currency": currency,
        "instance_id": int(line) if line.isascii() and line.isdigit() and len(line) < 16 else None,
        "secret": form.text("secret")[:500],
    }
    if form.has("venue_id"):
        typed["venue_id"] = form.text("venue_id")[:64] or None
    return typed


def _shown(one: SourceView) -> dict[str, Any]:
    return {**msgspec.structs.asdict(one), "heard": at_ms(one.heard_at)}


HANDLERS = [
    list_sources, new_source, create_source, show_source, update_source, pause_source, resume_source, rotate_source,
    test_source, delete_source, show_mapping, save_mapping,
]  # fmt: skip
