"""The inbox: conversations at the left, one of them beside it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.params import FromPath
from msgspec.structs import asdict

from tablegram.crm.conversations import ConversationChange, State
from tablegram.crm.search import position
from tablegram.engine.idempotency import Call
from tablegram.errors import FieldError, Problem
from tablegram.flows.inbox.answers import ConversationView
from tablegram.flows.inbox.threads import Thread, ThreadMessage, ThreadNote
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms, choice, with_times
from tablegram.panel.frame.once import new_mark
from tablegram.panel.i18n import say
from tablegram.panel.pages.contacts.contact_orders import ordered
from tablegram.panel.pages.inbox.writing import wants_json
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.clock import DAY_MS, HOUR_MS, MINUTE_MS
from tablegram.values.figures.writing import clock

_READ = {"scope": "messages:read"}
_SEND = {"scope": "messages:send"}
SHOWS = ("open", "waiting", "unread", "mine", "unassigned", "snoozed", "closed")
PER_LIST = 30
PER_THREAD = 40
# What a search finds elsewhere is counted so far.
COUNTED = 50


@get("/inbox", opt=_READ)
async def show_inbox(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    values = await _list(request, visitor, deps)
    return page(request, visitor, "inbox/inbox.html", open_id="", **values)


@get("/inbox/{contact_id:str}", opt=_READ)
async def show_thread(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]
) -> PageResponse:
    return await thread_page(request, visitor, deps, contact_id)


async def thread_page(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    contact_id: str,
    form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:
    """The list and one conversation. After a refused reply it comes again with what was typed."""
    part = request.query_params.get("part")
    listed: dict[str, Any] = {
        "show": "open",
        "conversations": [],
        "next_cursor": None,
        "search": "",
        "kept": "",
        "waiting": 0,
        "elsewhere": {},
    }
    if part in (None, "list"):
        listed = await _list(request, visitor, deps)
    talk = await deps.inbox.conversations.get(visitor.caller, contact_id)
    before = asked(request, "before")
    thread = Thread(data=[], next_cursor=None)
    if part in (None, "messages"):
        thread = await deps.inbox.conversations.thread(visitor.caller, contact_id, PER_THREAD, before or None)
    replies = await deps.inbox.canned.every(visitor.caller) if part is None else []
    return page(
        request,
        visitor,
        "inbox/inbox.html",
        form=form,
        problem=problem,
        open_id=talk.contact_id,
        talk=_timed(talk, visitor, deps.clock.now_ms()),
        days=_days(thread.data, visitor, deps.clock.now_ms()),
        newest_in=_newest_in(thread.data),
        earlier=thread.next_cursor,
        before=before,
        window=_window(talk, deps.clock.now_ms()),
        members=await deps.inbox.conversations.members(visitor.caller) if part in (None, "head") else [],
        contact=await _contact(visitor, deps, talk.contact_id) if part in (None, "card") else None,
        replies=[{"shortcut": one.shortcut, "text": one.text} for one in replies],
        mark=new_mark(),
        **listed,
    )


@post("/inbox/{contact_id:str}/state", opt=_SEND)
async def change_state(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]
) -> Response[Any]:
    """Seen, given to somebody, closed, opened again, brought back before its time."""
    form = await read_form(request)
    act = form.text("act")
    until = int(form.text("until")) if re.fullmatch(r"[0-9]{1,15}", form.text("until")) else None
    changes = {
        "seen": ConversationChange(seen=True, seen_until=until),
        "unseen": ConversationChange(seen=False),
        "close": ConversationChange(closed=True, seen_until=until),
        "reopen": ConversationChange(closed=False),
        "assign": ConversationChange(assigned_to=form.text("assigned_to")),
        "take": ConversationChange(assigned_to=visitor.member.id if visitor.member else ""),
        "wake": ConversationChange(snoozed_until=0),
    }
    talk = await deps.inbox.conversations.update(visitor.caller, contact_id, changes.get(act, ConversationChange()))
    deps.live.notice(visitor.caller.account_id, "conversations", [talk.contact_id])
    if act == "seen" and form.text("message"):
        await _tell_read(visitor, deps, form.text("message"))
    if wants_json(request):
        return Response({"unread": talk.unread, "state": talk.state}, media_type="application/json")
    toast = visitor.t(f"inbox.did_{act}") if act in ("close", "reopen", "assign", "take", "unseen", "wake") else ""
    if act == "close":
        return redirect(request, await next_talk(visitor, deps, talk, form), toast=toast)
    after = "/panel/inbox" if act == "unseen" else f"/panel/inbox/{talk.contact_id}"
    return redirect(request, after, toast=toast)


async def next_talk(visitor: Visitor, deps: PanelDeps, done: ConversationView, form: Form) -> str:
    """Where to go on after a conversation left the list that the form names: to the next one, else the list itself."""
    show, search = form.text("show") if form.text("show") in SHOWS else "open", form.text("q")[:200]
    query = kept(show, search)
    # Behind the one that is done; from the top where that was the last, or where the list has another order.
    behind = position({"last_seen_at": at_ms(done.last_seen_at), "id": done.contact_id})
    for cursor in (behind, None) if show != "waiting" else (None,):
        found = await deps.inbox.conversations.page(
            visitor.caller, **_filters(visitor, show, search), limit=2, cursor=cursor
        )
        for talk in found.data:
            if talk.contact_id != done.contact_id:
                return f"/panel/inbox/{talk.contact_id}" + (f"?{query}" if query else "")
    return "/panel/inbox" + (f"?{query}" if query else "")


async def _tell_read(visitor: Visitor, deps: PanelDeps, message_id: str) -> None:
    """Show the customer that the message was read. That the network is away is no reason to trouble anybody."""
    try:
        await deps.gateway.lookups.mark_read(visitor.caller, message_id, Call("panel read"))
    except Problem:
        pass


async def _list(request: PageRequest, visitor: Visitor, deps: PanelDeps) -> dict[str, Any]:
    show, search = choice(request, "show", SHOWS), asked(request, "q")
    found = await deps.inbox.conversations.page(
        visitor.caller,
        **_filters(visitor, show, search),
        limit=PER_LIST,
        cursor=asked(request, "cursor") or None,
    )
    now_ms = deps.clock.now_ms()
    return {
        "show": show,
        "search": search,
        "conversations": [_timed(talk, visitor, now_ms) for talk in found.data],
        "next_cursor": found.next_cursor,
        "kept": kept(show, search),
        "waiting": await deps.inbox.conversations.unread(visitor.caller),
        "elsewhere": await _elsewhere(visitor, deps, search) if search and show == "open" else {},
    }


def _filters(visitor: Visitor, show: str, search: str) -> dict[str, Any]:
    """What the list shows, as the flow takes it."""
    state: State = "closed" if show == "closed" else "snoozed" if show == "snoozed" else "open"
    mine = visitor.member.id if visitor.member else "nobody"
    return {
        "state": state,
        "assigned": {"mine": mine, "unassigned": "nobody"}.get(show, ""),
        "unread": show == "unread",
        "waiting": show == "waiting",
        "q": search or None,
    }


def kept(show: str, search: str) -> str:
    """The list's filters, as an address takes them along."""
    return urlencode({name: value for name, value in (("show", show), ("q", search)) if value not in ("", "open")})


async def _elsewhere(visitor: Visitor, deps: PanelDeps, search: str) -> dict[str, int]:
    """How many the same search finds among those that are not open."""
    states: tuple[State, ...] = ("closed", "snoozed")
    counts = {
        state: await deps.inbox.conversations.count(visitor.caller, state=state, q=search, most=COUNTED)
        for state in states
    }
    return {state: n for state, n in counts.items() if n}


def _timed(talk: ConversationView, visitor: Visitor, now_ms: int) -> dict[str, Any]:
    """A conversation with its times as numbers. What a search was after is shown in place of the last words."""
    shown = talk.matched_message or talk.last_message
    timed = with_times(talk)
    return {
        **timed,
        "last_message": None if shown is None else {**asdict(shown), "at": at_ms(shown.at)},
        "waits": _waits(visitor, now_ms - timed["waiting_since"]) if timed["waiting_since"] else "",
    }


def _waits(visitor: Visitor, ms: int) -> str:
    """For how long, in the largest unit that fits."""
    for unit, size in (("days", DAY_MS), ("hours", HOUR_MS), ("minutes", MINUTE_MS)):
        if ms >= size:
            return visitor.t(f"inbox.waits_{unit}", n=ms // size)
    return visitor.t("inbox.waits_now")


async def _contact(visitor: Visitor, deps: PanelDeps, contact_id: str) -> dict[str, Any] | None:
    if not visitor.can("contacts:read"):
        return None
    contact = with_times(await deps.contacts.pool.get(visitor.caller, contact_id))
    return {**contact, **await ordered(visitor, deps, contact_id)}


def _window(talk: ConversationView, now_ms: int) -> dict[str, Any]:
    until = at_ms(talk.window_until)
    left = 0 if until is None else max(0, until - now_ms)
    return {"until": until, "open": left > 0, "hours": left // 3_600_000, "minutes": left // 60_000 % 60}


def _days(entries: list[ThreadMessage | ThreadNote], visitor: Visitor, now_ms: int) -> list[dict[str, Any]]:
    """The messages, oldest first, under the days they were written on, where the visitor lives."""
    today = datetime.fromtimestamp(now_ms / 1_000, visitor.zone).date()
    days: list[dict[str, Any]] = []
    for entry in reversed(entries):
        moment = datetime.fromtimestamp(entry.at_ms / 1_000, visitor.zone)
        name = {today: "today", today - timedelta(days=1): "yesterday"}.get(moment.date(), "")
        if not days or days[-1]["date"] != moment.date():
            days.append({"date": moment.date(), "name": name, "at_ms": entry.at_ms, "entries": []})
        told = {"clock": clock(entry.at_ms, visitor.zone), "why": _why(entry, visitor), "by": _by(entry, visitor)}
        days[-1]["entries"].append({**_flat(entry), **told})
    return days


def _flat(entry: ThreadMessage | ThreadNote) -> dict[str, Any]:
    """An entry as the template draws it; a note is told by its direction."""
    if isinstance(entry, ThreadNote):
        return {**asdict(entry), "direction": "note", "note_id": entry.key}
    return {**asdict(entry.message), **asdict(entry), **asdict(entry.details)}


def _newest_in(entries: list[ThreadMessage | ThreadNote]) -> str:
    told = (entry.message for entry in entries if isinstance(entry, ThreadMessage))
    return next((message.message_id for message in told if message.direction == "in"), "")


def _by(entry: ThreadMessage | ThreadNote, visitor: Visitor) -> str:
    """Who wrote an answer or a note; nothing where that is not known."""
    author = entry.author
    if author is None:
        return ""
    if author.kind == "member" and visitor.member and author.id == visitor.member.id:
        return visitor.t("inbox.by_you")
    if author.kind in ("member", "key"):
        return author.name or visitor.t(f"inbox.by_{author.kind}")
    return visitor.t(f"inbox.by_{author.kind}")


def _why(entry: ThreadMessage | ThreadNote, visitor: Visitor) -> str:
    """Why a message failed or still waits, in the visitor's language where we have words for it."""
    if isinstance(entry, ThreadNote):
        return ""
    message = entry.message
    error = message.waits if message.status == "queued" else message.error
    if error is None or message.status not in ("queued", "failed") or error.code == "its_turn":
        return ""
    return say(visitor.language, FieldError("", error.code, error.detail or ""))


HANDLERS = [show_inbox, show_thread, change_state]
