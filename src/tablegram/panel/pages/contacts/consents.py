"""Consent: what customers said about being written to, taken along as a file, and the words that they are asked with."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Stream
from msgspec.structs import asdict

from tablegram.crm.own_data import exports
from tablegram.crm.own_data.retention import CONTACT_DAYS, MESSAGE_DAYS
from tablegram.errors import Invalid, Problem
from tablegram.flows.contacts.answers import ConsentExport, ConsentWord
from tablegram.flows.contacts.consents.desk import Wanted
from tablegram.flows.contacts.retention import RetentionChange
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.charts import Series, draw
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms, choice
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.i18n import format_day
from tablegram.panel.pages.restaurant.venue.venue import LANGUAGES
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor

_READ = {"scope": "contacts:read"}
_MANAGE = {"scope": "contacts:manage"}
PER_PAGE, WEEKS, MAX_WORDS = 30, 12, 1_000
# People who are found by a search, and what is shown of each.
FOUND, SHOWN_OF_EACH = 10, 20
STATES, PURPOSES = ("", "granted", "denied", "unknown"), ("", "marketing", "orders")
# Sources that the product has words for.
SOURCES = ("message", "button", "network", "page", "menu", "api", "panel")
TEXT_LANGUAGES = ("tr", "en", "de", "ar", "fr", "es", "ru")


@get("/contacts/consents", opt=_READ)
async def list_consents(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _shown(request, visitor, deps)


@get("/contacts/consents/export", opt=_READ)
async def export_consents(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> Response[Any]:
    kind, desk = choice(request, "format", ("csv", "json", "iys")), deps.contacts.consents
    if kind == "json":
        body = exports.as_json(ConsentExport(data=[]), desk.every(visitor.caller))
    else:
        body = desk.as_csv(visitor.caller) if kind == "csv" else desk.for_registry(visitor.caller, "BIREYSEL")
    name = {"csv": "consents.csv", "json": "consents.json", "iys": "iys.csv"}[kind]
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Stream(body, media_type="application/json" if kind == "json" else "text/csv", headers=headers)


@post("/contacts/consents/texts", opt=_MANAGE)
async def write_text(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    language, words = form.text("language"), form.text("words").strip()
    try:
        if language not in TEXT_LANGUAGES:
            raise Invalid.field("language", "language_unknown", visitor.t("consents.language_wrong"))
        if not 0 < len(words) <= MAX_WORDS:
            raise Invalid.field("words", "too_long", visitor.t("consents.words_wrong", most=MAX_WORDS))
        call = once(form, "POST /consents/texts", language, words)
        await deps.contacts.consents.write_text(visitor.caller, language, words, call)
    except Invalid as problem:
        return await _shown(request, visitor, deps, form, problem)
    return redirect(request, "/panel/contacts/consents", toast=visitor.t("consents.text_saved"))


@post("/contacts/consents/retention", opt=_MANAGE)
async def change_retention(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    messages, silent = (_days(form, name) for name in ("message_days", "contact_days"))
    if messages in MESSAGE_DAYS and silent in CONTACT_DAYS:
        await deps.contacts.keeping.change(visitor.caller, RetentionChange(message_days=messages, contact_days=silent))
        return redirect(request, "/panel/contacts/consents", toast=visitor.t("consents.kept_saved"))
    problem = Invalid.field("message_days", "days_wrong", visitor.t("consents.days_wrong"))
    return await _shown(request, visitor, deps, form, problem)


def _days(form: Form, name: str) -> int:
    text = form.text(name)
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 4 else -1


@post("/contacts/{contact_id:str}/data-link", opt=_MANAGE)
async def send_data_link(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    call = once(form, "POST /contacts/{contact_id:str}/data-link", contact_id)
    await deps.contacts.rights.send(visitor.caller, contact_id, call)
    return redirect(request, f"/panel/contacts/{contact_id}", toast=visitor.t("consents.data_sent"))


async def _shown(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, form: Form | None = None, problem: Problem | None = None
) -> PageResponse:
    q, state, purpose = asked(request, "q"), choice(request, "state", STATES), choice(request, "purpose", PURPOSES)
    desk = deps.contacts.consents
    wanted = Wanted(state=state, purpose=purpose)
    following = None
    if q:
        found = await deps.contacts.pool.page(visitor.caller, q=q, tag=None, since_ms=None, limit=FOUND, cursor=None)
        words: list[ConsentWord] = []
        for contact in found.data:
            mine = Wanted(state=state, purpose=purpose, contact_id=contact.id)
            words += (await desk.page(visitor.caller, mine, SHOWN_OF_EACH, None)).data
        words.sort(key=lambda word: (word.at, word.id), reverse=True)
    else:
        listed = await desk.page(visitor.caller, wanted, PER_PAGE, asked(request, "cursor") or None)
        words, following = listed.data, listed.next_cursor
    names = await deps.contacts.listing.called(visitor.caller, [word.contact_id for word in words])
    weeks = await desk.by_week(visitor.caller, WEEKS)
    return page(
        request,
        visitor,
        "contacts/consents.html",
        words=[{**asdict(word), "at_ms": at_ms(word.at), "name": names.get(word.contact_id, "")} for word in words],
        next_cursor=following,
        filtered=bool(q or state or purpose),
        chart=_chart(visitor, weeks),
        texts=[{**asdict(text), "at_ms": at_ms(text.created_at)} for text in (await desk.texts(visitor.caller)).data],
        states=STATES,
        purposes=PURPOSES,
        own_sources=SOURCES,
        languages=[(one, LANGUAGES.get(one, one)) for one in TEXT_LANGUAGES],
        kept=await deps.contacts.keeping.told(visitor.caller),
        message_days=_choices(visitor, MESSAGE_DAYS, "consents.kept_installation"),
        contact_days=_choices(visitor, CONTACT_DAYS, "consents.kept_forever"),
        mark=new_mark(),
        form=form,
        problem=problem,
    )


def _choices(visitor: Visitor, days: tuple[int, ...], none: str) -> list[tuple[int, str]]:
    return [(one, visitor.t("consents.kept_days", n=one) if one else visitor.t(none)) for one in days]


def _chart(visitor: Visitor, weeks: list[dict[str, int]]) -> Any:
    # A week begins by the same clock for everybody.
    labels = [format_day(visitor.language, week["at"], UTC) for week in weeks]
    series = [
        Series(visitor.t(f"contacts.consent_{state}"), [week[state] for week in weeks])
        for state in ("granted", "denied")
    ]
    summary = visitor.t(
        "consents.chart_summary",
        granted=sum(week["granted"] for week in weeks),
        denied=sum(week["denied"] for week in weeks),
    )
    return draw(visitor.t("consents.chart"), labels, series, str, summary, head=visitor.t("consents.week"))


HANDLERS = [list_consents, export_consents, write_text, change_retention, send_data_link]
