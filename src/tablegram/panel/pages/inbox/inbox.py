"""The inbox: conversations at the left, one of them beside it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.params import FromPath

from tablegram.crm.conversations import Change, State
from tablegram.engine.idempotency import Call
from tablegram.errors import FieldError, Problem
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms, choice, with_times
from tablegram.panel.frame.once import new_mark
from tablegram.panel.i18n import say
from tablegram.panel.pages.contacts.contact_orders import last_orders
from tablegram.panel.pages.inbox.writing import wants_json
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor

_READ = {"scope": "messages:read"}
_SEND = {"scope": "messages:send"}
SHOWS = ("open", "mine", "unassigned", "unread", "closed")
PER_LIST = 30
PER_THREAD = 40


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
    }
    if part in (None, "list"):
        listed = await _list(request, visitor, deps)
    talk = await deps.inbox.conversations.get(visitor.caller, contact_id)
    before = asked(request, "before")
    thread: dict[str, Any] = {"data": [], "next_cursor": None}
    if part in (None, "messages"):
        thread = await deps.inbox.conversations.thread(visitor.caller, contact_id, PER_THREAD, before or None)
    replies = await deps.inbox.canned.every(visitor.caller) if part is None else []
    return page(
        request,
        visitor,
        "inbox/inbox.html",
        form=form,
        problem=problem,
        open_id=talk["contact_id"],
        talk=_timed(talk),
        days=_days(thread["data"], visitor, deps.clock.now_ms()),
        newest_in=next((one["message_id"] for one in thread["data"] if one["direction"] == "in"), ""),
        earlier=thread["next_cursor"],
        before=before,
        window=_window(talk, deps.clock.now_ms()),
        members=await deps.inbox.conversations.members(visitor.caller) if part in (None, "head") else [],
        contact=await _contact(visitor, deps, talk["contact_id"]) if part in (None, "card") else None,
        replies=[{"shortcut": one["shortcut"], "text": one["text"]} for one in replies],
        mark=new_mark(),
        **listed,
    )


@post("/inbox/{contact_id:str}/state", opt=_SEND)
async def change_state(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]
) -> Response[Any]:
    """Seen, given to somebody, closed, opened again."""
    form = await read_form(request)
    act = form.text("act")
    until = int(form.text("until")) if re.fullmatch(r"[0-9]{1,15}", form.text("until")) else None
    changes = {
        "seen": Change(seen=True, seen_until=until),
        "unseen": Change(seen=False),
        "close": Change(closed=True, seen_until=until),
        "reopen": Change(closed=False),
        "assign": Change(assigned_to=form.text("assigned_to")),
        "take": Change(assigned_to=visitor.member.id if visitor.member else ""),
    }
    talk = await deps.inbox.conversations.update(visitor.caller, contact_id, changes.get(act, Change()))
    deps.live.notice(visitor.caller.account_id, "conversations", [talk["contact_id"]])
    if act == "seen" and form.text("message"):
        await _tell_read(visitor, deps, form.text("message"))
    if wants_json(request):
        return Response({"unread": talk["unread"], "state": talk["state"]}, media_type="application/json")
    toast = visitor.t(f"inbox.did_{act}") if act in ("close", "reopen", "assign", "take", "unseen") else ""
    after_close = "/panel/inbox" if act in ("close", "unseen") else f"/panel/inbox/{talk['contact_id']}"
    return redirect(request, after_close, toast=toast)


async def _tell_read(visitor: Visitor, deps: PanelDeps, message_id: str) -> None:
    """Show the customer that the message was read. That the network is away is no reason to trouble anybody."""
    try:
        await deps.gateway.lookups.mark_read(visitor.caller, message_id, Call("panel read"))
    except Problem:
        pass


async def _list(request: PageRequest, visitor: Visitor, deps: PanelDeps) -> dict[str, Any]:
    show, search = choice(request, "show", SHOWS), asked(request, "q")
    state: State = "closed" if show == "closed" else "all" if search and show == "open" else "open"
    mine = visitor.member.id if visitor.member else "nobody"
    found = await deps.inbox.conversations.page(
        visitor.caller,
        state=state,
        assigned={"mine": mine, "unassigned": "nobody"}.get(show, ""),
        unread=show == "unread",
        q=search or None,
        limit=PER_LIST,
        cursor=asked(request, "cursor") or None,
    )
    return {
        "show": show,
        "search": search,
        "conversations": [_timed(talk) for talk in found["data"]],
        "next_cursor": found["next_cursor"],
        "kept": urlencode(
            {name: value for name, value in (("show", show), ("q", search)) if value not in ("", "open")}
        ),
        "waiting": await deps.inbox.conversations.unread(visitor.caller),
    }


def _timed(talk: dict[str, Any]) -> dict[str, Any]:
    last = talk["last_message"]
    return {**with_times(talk), "last_message": None if last is None else {**last, "at": at_ms(last["at"])}}


async def _contact(visitor: Visitor, deps: PanelDeps, contact_id: str) -> dict[str, Any] | None:
    if not visitor.can("contacts:read"):
        return None
    contact = with_times(await deps.contacts.pool.get(visitor.caller, contact_id))
    return {**contact, "orders": await last_orders(visitor, deps, contact_id)}


def _window(talk: dict[str, Any], now_ms: int) -> dict[str, Any]:
    until = at_ms(talk["window_until"])
    left = 0 if until is None else max(0, until - now_ms)
    return {"until": until, "open": left > 0, "hours": left // 3_600_000, "minutes": left // 60_000 % 60}


def _days(entries: list[dict[str, Any]], visitor: Visitor, now_ms: int) -> list[dict[str, Any]]:
    """The messages, oldest first, under the days they were written on, where the visitor lives."""
    today = datetime.fromtimestamp(now_ms / 1_000, visitor.zone).date()
    days: list[dict[str, Any]] = []
    for entry in reversed(entries):
        moment = datetime.fromtimestamp(entry["at_ms"] / 1_000, visitor.zone)
        name = {today: "today", today - timedelta(days=1): "yesterday"}.get(moment.date(), "")
        if not days or days[-1]["date"] != moment.date():
            days.append({"date": moment.date(), "name": name, "at_ms": entry["at_ms"], "entries": []})
        days[-1]["entries"].append({**entry, "clock": f"{moment:%H:%M}", "why": _why(entry, visitor)})
    return days


def _why(entry: dict[str, Any], visitor: Visitor) -> str:
    """Why a message failed or still waits, in the visitor's language where we have words for it."""
    error = entry["error"]
    if error is None or entry["status"] not in ("queued", "failed"):
        return ""
    return say(visitor.language, FieldError("", error.code, error.detail or ""))


HANDLERS = [show_inbox, show_thread, change_state]
