"""Automatic replies of a line: greeting, closed hours, keywords."""

from __future__ import annotations

import re
from datetime import date
from zoneinfo import available_timezones

from litestar import get, post
from litestar.params import FromPath

from tablegram.crm.auto_replies import KINDS, Kind
from tablegram.errors import FieldError, Invalid, NotFound, Problem
from tablegram.flows.gateway.answers.auto_replies import AutoReplyView
from tablegram.flows.gateway.line_replies import NewReplyFields, ReplyFields
from tablegram.flows.restaurant.answers.venues import VenueView
from tablegram.flows.wire import DayFields, DayOffFields, SpanFields
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.opening_hours import DAYS

_MANAGE = {"scope": "instances:manage"}
# Seconds until the same customer may get a reply again: what people choose from, and what a new one of a kind has.
COOLDOWNS = (30, 300, 3_600, 14_400, 86_400, 604_800)
USUAL_COOLDOWN = {"greeting": 86_400, "closed": 14_400, "keyword": 30}
# Lunch and dinner; a reply with more spans on a day shows more.
SPANS = 2
# The hours of the venue, rather than a reply's own.
_VENUE = "venue"
MAX_MESSAGE, MAX_KEYWORDS, MAX_KEYWORD, MAX_DAYS_OFF = 4_096, 100, 100, 366
_NUMBER = re.compile(r"[0-9]{1,9}")
_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]", re.ASCII)
_DAY_OFF = re.compile(r"(?P<date>\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]))(?P<spans>.*)", re.ASCII)


@get("/lines/{line_id:int}/replies/new", opt=_MANAGE)
async def new_reply(request: PageRequest, visitor: VisitorOf, deps: DepsOf, line_id: FromPath[int]) -> PageResponse:
    return await _form(request, visitor, deps, line_id, _kind(request.query_params.get("kind", "")))


@post("/lines/{line_id:int}/replies", opt=_MANAGE, status_code=200)
async def create_reply(request: PageRequest, visitor: VisitorOf, deps: DepsOf, line_id: FromPath[int]) -> PageResponse:
    form = await read_form(request)
    kind = _kind(form.text("kind"))
    try:
        typed = _typed(form, visitor, kind)
        fields: NewReplyFields = {"kind": kind, "message": typed["message"], "enabled": form.flag("enabled"), **typed}
        call = once(form, f"panel replies {line_id}", repr(sorted(fields.items())))
        await deps.gateway.line_replies.create(visitor.caller, line_id, fields, call)
    except Invalid as problem:
        return await _form(request, visitor, deps, line_id, kind, form, problem)
    return redirect(request, f"/panel/lines/{line_id}#replies", toast=visitor.t("replies.made"))


@get("/lines/{line_id:int}/replies/{reply_id:str}", opt=_MANAGE)
async def edit_reply(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, line_id: FromPath[int], reply_id: FromPath[str]
) -> PageResponse:
    reply = await deps.gateway.line_replies.get(visitor.caller, line_id, reply_id)
    return await _form(request, visitor, deps, line_id, reply.kind, reply=reply)


@post("/lines/{line_id:int}/replies/{reply_id:str}", opt=_MANAGE, status_code=200)
async def update_reply(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, line_id: FromPath[int], reply_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    reply = await deps.gateway.line_replies.get(visitor.caller, line_id, reply_id)
    try:
        fields: ReplyFields = {"enabled": form.flag("enabled"), **_typed(form, visitor, reply.kind)}
        await deps.gateway.line_replies.update(visitor.caller, line_id, reply_id, fields)
    except Invalid as problem:
        return await _form(request, visitor, deps, line_id, reply.kind, form, problem, reply)
    return redirect(request, f"/panel/lines/{line_id}#replies", toast=visitor.t("replies.saved"))


@post("/lines/{line_id:int}/replies/{reply_id:str}/switch", opt=_MANAGE)
async def switch_reply(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, line_id: FromPath[int], reply_id: FromPath[str]
) -> PageResponse:
    on = (await read_form(request)).flag("enabled")
    await deps.gateway.line_replies.update(visitor.caller, line_id, reply_id, {"enabled": on})
    toast = visitor.t("replies.switched_on" if on else "replies.switched_off")
    return redirect(request, f"/panel/lines/{line_id}#replies", toast=toast)


@post("/lines/{line_id:int}/replies/{reply_id:str}/delete", opt=_MANAGE)
async def delete_reply(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, line_id: FromPath[int], reply_id: FromPath[str]
) -> PageResponse:
    await deps.gateway.line_replies.delete(visitor.caller, line_id, reply_id)
    return redirect(request, f"/panel/lines/{line_id}#replies", toast=visitor.t("replies.deleted"))


async def _form(
    request: PageRequest,
    visitor: Visitor,
    deps: DepsOf,
    line_id: int,
    kind: Kind,
    form: Form | None = None,
    problem: Problem | None = None,
    reply: AutoReplyView | None = None,
) -> PageResponse:
    line = await deps.gateway.lines.get(visitor.caller, line_id)
    venue = await _venue_of(deps, visitor, line_id) if kind == "closed" else None
    follows = venue is not None if reply is None else bool(reply.follows_venue)
    # What a reply that follows would have of its own, should somebody want that, begins as the venue's.
    known: AutoReplyView | VenueView | None = reply if reply and not follows else venue
    cooldown = reply.cooldown_s if reply else USUAL_COOLDOWN[kind]
    return page(
        request,
        visitor,
        "gateway/lines/reply.html",
        line=line,
        kind=kind,
        reply=reply,
        cooldown=cooldown,
        cooldowns=sorted({*COOLDOWNS, cooldown}),
        zones=sorted(available_timezones()) if kind == "closed" else [],
        zone=(known and known.time_zone) or getattr(visitor.zone, "key", "UTC"),
        week=_week(known, form),
        days_off=_days_off_text(known),
        # A venue that is gone, or that this person may not see, is still followed until somebody says otherwise.
        hours_of=venue.name if venue else visitor.t("replies.a_venue") if follows else "",
        hours_from=(form.text("hours_from") if form else "") or (_VENUE if follows else "own"),
        form=form,
        problem=problem,
        mark=(form.text("once") if form else "") or new_mark(),
    )


async def _venue_of(deps: PanelDeps, visitor: Visitor, line_id: int) -> VenueView | None:
    """The venue that takes orders on the line: its hours are written down once, and followed."""
    if not visitor.can("restaurant:read"):
        return None
    venues = (await deps.restaurant.venue_desk.page(visitor.caller)).data
    found = [one for one in venues if one.instance_id == line_id]
    return next((one for one in found if one.is_default), found[0] if found else None)


def _kind(text: str) -> Kind:
    found = next((kind for kind in KINDS if kind == text), None)
    if found is None:
        raise NotFound("There is no such kind of automatic reply.")
    return found


def _typed(form: Form, visitor: Visitor, kind: Kind) -> ReplyFields:
    """What was typed as the service takes it; every wrong field is named."""
    message, cooldown = form.text("message"), form.text("cooldown_s")
    errors = []
    if not 1 <= len(message) <= MAX_MESSAGE:
        errors.append(FieldError("message", "message_length", visitor.t("replies.message_needed", most=MAX_MESSAGE)))
    if not (_NUMBER.fullmatch(cooldown) and 10 <= int(cooldown) <= 31_536_000):
        errors.append(FieldError("cooldown_s", "cooldown_invalid", visitor.t("replies.cooldown_invalid")))
    read = {"greeting": _greeting, "closed": _closed, "keyword": _keywords}[kind]
    own = read(form, visitor, errors)
    if errors:
        raise Invalid.fields(errors)
    return {"message": message, "cooldown_s": int(cooldown), **own}


def _greeting(form: Form, visitor: Visitor, errors: list[FieldError]) -> ReplyFields:
    typed = form.text("after_days")
    if typed and not (_NUMBER.fullmatch(typed) and 1 <= int(typed) <= 3_650):
        errors.append(FieldError("after_days", "days_invalid", visitor.t("replies.days_invalid")))
        return {}
    return {"after_days": int(typed) if typed else None}


def _keywords(form: Form, visitor: Visitor, errors: list[FieldError]) -> ReplyFields:
    found = [" ".join(part.split()) for part in re.split(r"[,\n]", form.text("keywords"))]
    keywords = [one for one in dict.fromkeys(found) if one]
    if not 1 <= len(keywords) <= MAX_KEYWORDS or any(len(one) > MAX_KEYWORD for one in keywords):
        errors.append(
            FieldError("keywords", "keywords_needed", visitor.t("replies.keywords_needed", most=MAX_KEYWORDS))
        )
    return {"keywords": keywords, "match": "word" if form.text("match") == "word" else "whole"}


def _closed(form: Form, visitor: Visitor, errors: list[FieldError]) -> ReplyFields:
    if form.text("hours_from") == _VENUE:
        return {"follows_venue": True}
    hours: list[DayFields] = []
    for day in DAYS:
        spans = zip(form.all(f"{day}_opens"), form.all(f"{day}_closes"), strict=False)
        for opens, closes in spans:
            if not opens and not closes:
                continue
            if not _TIME.fullmatch(opens) or not _TIME.fullmatch(closes):
                words = visitor.t("replies.span_invalid", day=visitor.t(f"replies.day.{day}"))
                errors.append(FieldError("hours", "span_invalid", words))
                continue
            hours.append({"day": day, "opens": opens, "closes": closes})
    if not hours and not errors:
        errors.append(FieldError("hours", "hours_needed", visitor.t("replies.hours_needed")))
    exceptions = _days_off(form, visitor, errors)
    return {"follows_venue": False, "time_zone": form.text("time_zone"), "hours": hours, "exceptions": exceptions}


def _days_off(form: Form, visitor: Visitor, errors: list[FieldError]) -> list[DayOffFields]:
    """One day on a line: its date alone when it is closed, or its date and hours."""
    found: list[DayOffFields] = []
    for line in form.text("exceptions").splitlines():
        if not line.strip():
            continue
        parsed = _DAY_OFF.fullmatch(line.strip())
        parts = [part.strip() for part in parsed["spans"].replace(",", " ").split()] if parsed else []
        times = [tuple(part.replace("–", "-").split("-")) for part in parts]
        wrong = any(len(pair) != 2 or not all(map(_TIME.fullmatch, pair)) for pair in times)
        if parsed is None or wrong or not _is_day(parsed["date"]):
            words = visitor.t("replies.day_off_invalid", line=line.strip()[:40])
            errors.append(FieldError("exceptions", "day_off_invalid", words))
            break
        spans: list[SpanFields] = [{"opens": opens, "closes": closes} for opens, closes in times]
        found.append({"date": parsed["date"], "spans": spans})
    return found[:MAX_DAYS_OFF]


def _is_day(text: str) -> bool:
    """Whether the calendar has such a day: the 31st of November would silently never come."""
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


def _week(known: AutoReplyView | VenueView | None, form: Form | None) -> list[tuple[str, list[tuple[str, str]]]]:
    """The days with their spans and room for more, as typed or as kept."""
    week = []
    for day in DAYS:
        if form is not None:
            spans = list(zip(form.all(f"{day}_opens"), form.all(f"{day}_closes"), strict=False))
        elif known and known.hours:
            spans = [(span.opens, span.closes) for span in known.hours if span.day == day]
        else:
            spans = [] if known else [("09:00", "22:00")]
        week.append((str(day), spans + [("", "")] * (SPANS - len(spans))))
    return week


def _days_off_text(known: AutoReplyView | VenueView | None) -> str:
    days = (known and known.exceptions) or []
    return "\n".join(" ".join([day.date, *[f"{span.opens}-{span.closes}" for span in day.spans]]) for day in days)


HANDLERS = [new_reply, create_reply, edit_reply, update_reply, switch_reply, delete_reply]
