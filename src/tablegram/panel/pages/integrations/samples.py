"""Trying it out: code to copy, and a box that sends a test message and shows what becomes of it."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import get, post

from tablegram.errors import Invalid, NotFound, Problem
from tablegram.flows.gateway.answers.sends import SendAnswer
from tablegram.flows.gateway.sending import Draft
from tablegram.messaging.model import Text
from tablegram.panel import i18n
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.gateway.lines import phones_url
from tablegram.panel.pages.integrations.snippets import every_line, first_messages
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.phone import parse_phone

_SEND = {"scope": "messages:send"}
MAX_TEXT = 4_096
# A line id is a number; anything longer is none.
_MAX_DIGITS = 15


@get("/samples", opt=_SEND)
async def show_samples(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _shown(request, visitor, deps)


@post("/samples/send", opt=_SEND, status_code=200)
async def send_test(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    # People copy numbers as they find them; the API itself takes digits only.
    phone = "".join(sign for sign in form.text("phone") if sign not in " +-()./\u00a0")
    text, line_id = form.text("message"), _line(form.text("instance_id"))
    try:
        _check(visitor, text)
        draft = Draft(phone=parse_phone(phone), content=Text(text), type="text", text=text, instance_id=line_id)
        call = once(form, "panel test message", phone, text, str(line_id))
        sent = (await deps.gateway.sending.send(visitor.caller, draft, call)).value
    except Problem as problem:
        return await _shown(request, visitor, deps, form, problem)
    line = f"&line={line_id}" if line_id else ""
    return redirect(request, f"/panel/samples?message={sent.message_id}&answer={sent.status_code}{line}#sent")


async def _shown(
    request: PageRequest, visitor: Visitor, deps: DepsOf, form: Form | None = None, problem: Problem | None = None
) -> PageResponse:
    lines = await every_line(deps, visitor)
    wanted = _line(form.text("instance_id") if form else asked(request, "line"))
    line = next((one for one in lines if one.id == wanted), None)
    line = line or next((one for one in lines if one.is_default), None)
    return page(
        request,
        visitor,
        "integrations/samples/samples.html",
        lines=lines,
        line=line,
        samples=await first_messages(deps, visitor, line_id=line.id if line else None),
        sent=await _sent(request, visitor, deps),
        phones_url=phones_url(deps),
        form=form,
        problem=problem,
        mark=(form.text("once") if form else "") or new_mark(),
    )


async def _sent(request: PageRequest, visitor: Visitor, deps: DepsOf) -> dict[str, Any] | None:
    """The message that was sent from here: what the call answered, and how it stands now."""
    message_id = asked(request, "message")
    if not message_id or not visitor.can("messages:read"):
        return None
    try:
        message = await deps.gateway.lookups.message(visitor.caller, message_id)
    except NotFound:
        return None
    answered = "queued" if asked(request, "answer") == "queued" else "sent"
    four = SendAnswer(status="success", message_id=message_id, status_code=answered, cost_usd=message.cost_usd)
    steps = [{"status": step.status, "at": at_ms(step.at)} for step in message.status_history]
    error = message.error
    words = i18n.words(visitor.language).get(f"problem.{error.code}", error.detail) if error else ""
    shown = msgspec.json.format(msgspec.json.encode(four), indent=2).decode()
    return {"phone": message.phone, "error": error, "steps": steps, "error_words": words, "four": shown}


def _check(visitor: Visitor, text: str) -> None:
    if not text:
        raise Invalid.field("message", "missing", visitor.t("samples.text_needed"))
    if len(text) > MAX_TEXT:
        raise Invalid.field("message", "too_long", visitor.t("samples.text_too_long"))


def _line(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else None


HANDLERS = [show_samples, send_test]
