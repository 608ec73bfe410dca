"""What every page uses: live notices, the choice of a language and of a theme, and a word for addresses that lead nowhere.

GET  /panel/live
POST /panel/language, /panel/theme
"""

from __future__ import annotations

from litestar import get, post

from tablegram.errors import NotFound
from tablegram.panel import cookies
from tablegram.panel.access import MAX_GUEST_BYTES
from tablegram.panel.frame.forms import read_form
from tablegram.panel.frame.handling import DepsOf, GuestOf, PageRequest, VisitorOf
from tablegram.panel.live import hears
from tablegram.panel.render import PageResponse, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.words import LANGUAGES
from tablegram.web.event_stream import EventStream


@get("/live")
async def live(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> EventStream:
    token, caller = cookies.session_token(request), visitor.caller

    async def still_allowed() -> bool:
        """Another account or another role is another stream: the page opens it itself."""
        session = await deps.account.sessions.find(token)
        return session is not None and (session.caller.account_id, session.caller.scopes) == (
            caller.account_id,
            caller.scopes,
        )

    since = request.query_params.get("since", "")
    stream = await deps.live.open(caller.account_id, still_allowed, lambda topic: hears(caller, topic), since)
    return EventStream(stream)


@post("/language", opt={"public": True}, request_max_body_size=MAX_GUEST_BYTES)
async def choose_language(request: PageRequest, guest: GuestOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    language = form.text("language")
    response = redirect(request, form.text("next") or "/panel/")
    if language in LANGUAGES:
        cookies.put_language(response, request, language)
        if isinstance(guest, Visitor):
            await deps.account.people.register.choose_language(guest.person.id, language)
            deps.account.sessions.forget(guest.person.id)
    return response


@post("/theme", opt={"public": True}, request_max_body_size=MAX_GUEST_BYTES)
async def choose_theme(request: PageRequest) -> PageResponse:
    form = await read_form(request)
    response = redirect(request, form.text("next") or "/panel/")
    chosen = form.text("theme")
    cookies.put_theme(response, request, chosen if chosen in cookies.THEMES else "")
    return response


@get("/{rest:path}")
async def nowhere(visitor: VisitorOf) -> PageResponse:
    raise NotFound(visitor.t("frame.not_found_text"))


HANDLERS = [live, choose_language, choose_theme, nowhere]
