"""Notes in a conversation, and letting it rest until a time."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from litestar import get, post
from litestar.params import FromPath

from tablegram.crm.conversations import ConversationChange
from tablegram.errors import Invalid, Problem
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.inbox.inbox import next_talk, thread_page
from tablegram.panel.pages.restaurant.venues import venues_of
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.clock import HOUR_MS
from tablegram.values.figures.writing import moment

_SEND = {"scope": "messages:send"}
# When a house begins to answer.
MORNING = 9


@post("/inbox/{contact_id:str}/notes", opt=_SEND)
async def add_note(request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    text = form.text("note")
    try:
        call = once(form, "POST /conversations/{contact_id:str}/notes", contact_id, text)
        await deps.inbox.notes.add(visitor.caller, contact_id, text, call)
    except Invalid as problem:
        return await thread_page(request, visitor, deps, contact_id, form, problem)
    deps.live.notice(visitor.caller.account_id, "messages", [contact_id])
    return redirect(request, f"/panel/inbox/{contact_id}")


@post("/inbox/{contact_id:str}/notes/{note_id:str}/delete", opt=_SEND)
async def delete_note(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str], note_id: FromPath[str]
) -> PageResponse:
    await read_form(request)
    await deps.inbox.notes.delete(visitor.caller, contact_id, note_id)
    deps.live.notice(visitor.caller.account_id, "messages", [contact_id])
    return redirect(request, f"/panel/inbox/{contact_id}", toast=visitor.t("inbox.did_delete_note"))


@get("/inbox/{contact_id:str}/snooze", opt=_SEND)
async def choose_rest(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]
) -> PageResponse:
    return await _rest_page(request, visitor, deps, contact_id)


@post("/inbox/{contact_id:str}/snooze", opt=_SEND)
async def snooze(request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    zone = await _zone(visitor, deps)
    try:
        until = _until(form, visitor, deps.clock.now_ms(), zone)
        talk = await deps.inbox.conversations.update(
            visitor.caller, contact_id, ConversationChange(snoozed_until=until)
        )
    except Invalid as problem:
        return await _rest_page(request, visitor, deps, contact_id, form, problem)
    deps.live.notice(visitor.caller.account_id, "conversations", [talk.contact_id])
    toast = visitor.t("inbox.did_snooze", time=moment(visitor.language, until, zone))
    return redirect(request, await next_talk(visitor, deps, talk, form), toast=toast)


async def _rest_page(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    contact_id: str,
    form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:
    zone = await _zone(visitor, deps)
    now = datetime.fromtimestamp(deps.clock.now_ms() / 1_000, zone)
    return page(
        request,
        visitor,
        "inbox/snooze.html",
        form=form,
        problem=problem,
        talk=await deps.inbox.conversations.get(visitor.caller, contact_id),
        earliest=f"{now:%Y-%m-%dT%H:%M}",
        suggested=f"{_morning(now):%Y-%m-%dT%H:%M}",
        zone_name=getattr(zone, "key", ""),
        mark=new_mark(),
    )


def _until(form: Form, visitor: Visitor, now_ms: int, zone: tzinfo) -> int:
    """The time that was chosen, where the house is."""
    rest = form.text("rest")
    if rest == "hour":
        return now_ms + HOUR_MS
    if rest == "tomorrow":
        return round(_morning(datetime.fromtimestamp(now_ms / 1_000, zone)).timestamp() * 1_000)
    try:
        chosen = datetime.strptime(form.text("snoozed_until")[:16], "%Y-%m-%dT%H:%M").replace(tzinfo=zone)
    except ValueError:
        raise Invalid.field("snoozed_until", "time_missing", visitor.t("inbox.snooze_missing")) from None
    return round(chosen.timestamp() * 1_000)


def _morning(now: datetime) -> datetime:
    return (now + timedelta(days=1)).replace(hour=MORNING, minute=0, second=0, microsecond=0)


async def _zone(visitor: Visitor, deps: PanelDeps) -> tzinfo:
    """Where the house is; where there is none, or several in different zones, where the visitor is."""
    if not visitor.can("restaurant:read"):
        return visitor.zone
    venues = await venues_of(deps, visitor)
    zones = {venue.time_zone for venue in venues}
    return ZoneInfo(zones.pop()) if len(zones) == 1 else visitor.zone


HANDLERS = [add_note, delete_note, choose_rest, snooze]
