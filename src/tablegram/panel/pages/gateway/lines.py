"""Lines: listed with their state, made step by step, changed, restarted, taken away."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec
from litestar import get, post
from litestar.params import FromPath

from tablegram.errors import Conflict, FieldError, Invalid, Problem
from tablegram.flows.gateway.lines import LineDraft
from tablegram.messaging.records.line_changes import LineChange
from tablegram.messaging.records.lines import InstanceView
from tablegram.panel.frame.forms import Form, read_form, require_word
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import arranged, asked, choice, cut, fits, with_times
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.frame.reasons import tell_reason
from tablegram.panel.i18n import format_number, format_percent, say
from tablegram.panel.pages.integrations.snippets import every_line
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.folding import fold
from tablegram.values.ids import random_base62
from tablegram.values.phone import parse_phone
from tablegram.values.qr import draw_qr

_MANAGE = {"scope": "instances:manage"}
KINDS = ("sandbox", "cloud", "linked")
_STATES = ("", "connected", "trouble")
COST_DAYS = 30
MAX_NAME = 80
MAX_PACE = 1_000
MAX_CAP = 100_000
# How far back the bars of a line's states reach.
HISTORY_DAYS = (1, 7)
_WAYS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "name": lambda line: fold(line["name"]),
    "state": lambda line: line["state"],
    "cost": lambda line: line["cost_micros"] or 0,
    "id": lambda line: line["id"],
}
_SECRETS = ("access_token", "app_secret", "verify_token")


@get("/lines", opt=_MANAGE)
async def list_lines(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    search, show = asked(request, "q"), choice(request, "show", _STATES)
    costs = await _costs(deps, visitor)
    every = [seen(deps, visitor, line, costs) for line in await every_line(deps, visitor)]
    found = [
        line
        for line in every
        if fits(search, line["name"], line["kind_words"], str(line["id"]))
        and (not show or (line["state"] == "connected") == (show == "connected"))
    ]
    return page(
        request,
        visitor,
        "gateway/lines/list.html",
        cut=cut(arranged(found, asked(request, "sort"), _WAYS), asked(request, "cursor"), lambda line: str(line["id"])),
        has_any=bool(every),
        search=search,
        show=show,
    )


@get("/lines/new", opt=_MANAGE)
async def choose_kind(request: PageRequest, visitor: VisitorOf) -> PageResponse:
    return page(request, visitor, "gateway/lines/new.html", mark=new_mark())


@get("/lines/new/cloud", opt=_MANAGE)
async def new_cloud_line(request: PageRequest, visitor: VisitorOf) -> PageResponse:
    return _cloud_form(request, visitor, Form())


@get("/lines/new/linked", opt=_MANAGE)
async def new_linked_line(request: PageRequest, visitor: VisitorOf) -> PageResponse:
    return page(request, visitor, "gateway/lines/linked.html", mark=new_mark())


@post("/lines", opt=_MANAGE, status_code=200)
async def create_line(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    kind = form.text("kind")
    if kind not in KINDS:
        raise Invalid.field("kind", "kind_unknown", visitor.t("lines.kind_unknown"))
    try:
        fields = {"name": _name(form, visitor), **(_cloud_fields(form, visitor) if kind == "cloud" else {})}
        call = once(form, "panel lines", kind, *fields.values())
        draft = msgspec.convert({"kind": kind, **fields}, LineDraft)
        line = (await deps.gateway.lines.create(visitor.caller, draft, call)).value
    except Invalid as problem:
        if kind == "cloud":
            return _cloud_form(request, visitor, form, problem)
        template = "gateway/lines/linked.html" if kind == "linked" else "gateway/lines/new.html"
        return page(request, visitor, template, form=form, problem=problem, mark=new_mark())
    if kind == "linked":
        await deps.gateway.lines.seek(visitor.caller, line.id)
    if kind != "cloud":
        return redirect(request, f"/panel/lines/{line.id}", toast=visitor.t("lines.made", name=line.name))
    # The verify token is needed on the network's page now, and is never shown again.
    return await shown(request, visitor, deps, line.id, verify_token=fields["verify_token"])


@get("/lines/{line_id:int}", opt=_MANAGE)
async def show_line(request: PageRequest, visitor: VisitorOf, deps: DepsOf, line_id: FromPath[int]) -> PageResponse:
    return await shown(request, visitor, deps, line_id)


async def shown(
    request: PageRequest,
    visitor: Visitor,
    deps: DepsOf,
    line_id: int,
    form: Form | None = None,
    problem: Problem | None = None,
    verify_token: str = "",
) -> PageResponse:
    """A line with what can be done with it; `problem` is what was wrong with a form on the page."""
    line = seen(deps, visitor, await deps.gateway.lines.get(visitor.caller, line_id), await _costs(deps, visitor))
    replies = (await deps.gateway.line_replies.page(visitor.caller, line_id, 100, None)).data
    return page(
        request,
        visitor,
        "gateway/lines/line.html",
        line=line,
        pairing=await _pairing(deps, visitor, line),
        replies=replies,
        history=await _histories(deps, visitor, line_id),
        usual_cap=deps.settings.linked_daily_cap,
        verify_token=verify_token,
        phones_url=phones_url(deps),
        form=form,
        problem=problem,
        mark=new_mark(),
    )


@post("/lines/{line_id:int}", opt=_MANAGE, status_code=200)
async def update_line(request: PageRequest, visitor: VisitorOf, deps: DepsOf, line_id: FromPath[int]) -> PageResponse:
    form = await read_form(request)
    try:
        changes: dict[str, Any] = {"pace_milli": _pace(form, visitor)}
        if name := _name(form, visitor, needed=True):
            changes["name"] = name
        changes |= _new_secrets(form, visitor)
        if form.has("careful"):
            changes |= _care(form, visitor)
        await deps.gateway.lines.update(visitor.caller, line_id, LineChange(**changes))
    except Invalid as problem:
        return await shown(request, visitor, deps, line_id, form, problem)
    return redirect(request, f"/panel/lines/{line_id}", toast=visitor.t("lines.saved"))


@post("/lines/{line_id:int}/default", opt=_MANAGE)
async def make_default(request: PageRequest, visitor: VisitorOf, deps: DepsOf, line_id: FromPath[int]) -> PageResponse:
    form = await read_form(request)
    answer = await deps.gateway.lines.make_default(visitor.caller, line_id, once(form, f"panel default {line_id}"))
    return redirect(request, f"/panel/lines/{line_id}", toast=visitor.t("lines.now_default", name=answer.value.name))


@post("/lines/{line_id:int}/restart", opt=_MANAGE)
async def restart_line(request: PageRequest, visitor: VisitorOf, deps: DepsOf, line_id: FromPath[int]) -> PageResponse:
    await deps.gateway.lines.restart(visitor.caller, line_id)
    return redirect(request, f"/panel/lines/{line_id}", toast=visitor.t("lines.restarted"))


@post("/lines/{line_id:int}/logout", opt=_MANAGE)
async def log_out(request: PageRequest, visitor: VisitorOf, deps: DepsOf, line_id: FromPath[int]) -> PageResponse:
    try:
        await deps.gateway.lines.log_out(visitor.caller, line_id)
    except Conflict as problem:
        toast = say(visitor.language, problem)
        return redirect(request, f"/panel/lines/{line_id}", toast=toast, tone="bad")
    return redirect(request, f"/panel/lines/{line_id}", toast=visitor.t("lines.logged_out"))


@post("/lines/{line_id:int}/pair", opt=_MANAGE, status_code=200)
async def pair_line(request: PageRequest, visitor: VisitorOf, deps: DepsOf, line_id: FromPath[int]) -> PageResponse:
    """Begin to pair again, or get a code to type on the phone."""
    form = await read_form(request)
    phone = form.text("phone")
    try:
        digits = parse_phone(phone.replace(" ", "").removeprefix("+")) if phone else ""
        await deps.gateway.lines.pair(visitor.caller, line_id, digits)
    except Invalid as problem:
        return await shown(request, visitor, deps, line_id, form, problem)
    except Conflict as problem:
        return redirect(request, f"/panel/lines/{line_id}", toast=say(visitor.language, problem), tone="bad")
    return redirect(request, f"/panel/lines/{line_id}")


@post("/lines/{line_id:int}/delete", opt=_MANAGE)
async def delete_line(request: PageRequest, visitor: VisitorOf, deps: DepsOf, line_id: FromPath[int]) -> PageResponse:
    line = await deps.gateway.lines.get(visitor.caller, line_id)
    form = await read_form(request)
    try:
        require_word(form, line.name)
    except Invalid as problem:
        return await shown(request, visitor, deps, line_id, form, problem)
    await deps.gateway.lines.delete(visitor.caller, line_id)
    return redirect(request, "/panel/lines", toast=visitor.t("lines.deleted", name=line.name))


async def _pairing(deps: DepsOf, visitor: Visitor, line: dict[str, Any]) -> dict[str, Any] | None:
    """What the page shows to pair the line; nothing where there is nothing to pair."""
    if line["kind"] != "linked" or line["state"] in ("connected", "needs_attention"):
        return None
    link = await deps.gateway.lines.pairing_now(visitor.caller, line["id"])
    if link.is_paired:
        return None
    return {
        "is_over": bool(link.ended),
        "is_sought": link.is_sought or link.wish == "pair",
        "code": link.code.code if link.code else "",
        "picture": draw_qr(link.code.code) if link.code else "",
        "until": link.code.until_ms if link.code else 0,
        "left": max(0, link.code.until_ms - deps.gateway.lines.now_ms()) if link.code else 0,
        "typed": link.typed.code if link.typed else "",
        "typed_until": link.typed.until_ms if link.typed else 0,
    }


async def _histories(deps: DepsOf, visitor: Visitor, line_id: int) -> list[dict[str, Any]]:
    """One for each stretch of time; a longer one that shows no more than the one before is left out."""
    bars = [await _history(deps, visitor, line_id, days) for days in HISTORY_DAYS]
    return [bar for place, bar in enumerate(bars) if not place or bar["begins"] < bars[place - 1]["begins"]]


async def _history(deps: DepsOf, visitor: Visitor, line_id: int, days: int) -> dict[str, Any]:
    """A bar of the states that the line was in, and the same in words."""
    stays = await deps.gateway.lines.stays(visitor.caller, line_id, days)
    whole = max(1, stays[-1].to_ms - stays[0].from_ms) if stays else 1
    sums: dict[str, int] = {}
    for stay in stays:
        sums[stay.state] = sums.get(stay.state, 0) + stay.to_ms - stay.from_ms
    shares = sorted(((state, part / whole) for state, part in sums.items() if state), key=lambda one: -one[1])
    return {
        "days": days,
        "begins": stays[0].from_ms if stays else 0,
        "stays": [
            {
                "state": stay.state,
                "reason": tell_reason(visitor.language, stay.reason),
                "from_ms": stay.from_ms,
                "share": round((stay.to_ms - stay.from_ms) / whole * 100, 3),
                "x": round((stay.from_ms - stays[0].from_ms) / whole * 100, 3),
            }
            for stay in stays
        ],
        "shares": [(state, format_percent(visitor.language, share)) for state, share in shares],
    }


async def _costs(deps: DepsOf, visitor: Visitor) -> dict[int, int] | None:
    """What each line cost lately; nothing for who may not see messages."""
    if not visitor.can("messages:read"):
        return None
    today = deps.gateway.overviews.today(visitor.zone)
    report = await deps.gateway.overviews.usage(
        visitor.caller, today - timedelta(days=COST_DAYS - 1), today, visitor.zone
    )
    return {line_id: tally.cost_micros for line_id, tally in report.by_line()}


def seen(deps: DepsOf, visitor: Visitor, line: InstanceView, costs: dict[int, int] | None = None) -> dict[str, Any]:
    """A line with what the pages say of it in words."""
    return {
        **with_times(line),
        "kind_words": visitor.t(f"lines.kind_{line.kind}"),
        "reason_words": tell_reason(visitor.language, line.reason),
        "pace_words": _pace_words(deps, visitor, line),
        "pause_words": tell_reason(visitor.language, line.pause_reason or ""),
        "cost_micros": None if costs is None else costs.get(line.id, 0),
    }


def phones_url(deps: DepsOf) -> str:
    """The page with the sandbox's phones; empty when this installation has no sandbox."""
    settings = deps.settings
    if settings.sandbox_url:
        return f"{settings.sandbox_url.rstrip('/')}/"
    return "/sandbox/" if settings.sandbox else ""


def _pace_words(deps: DepsOf, visitor: Visitor, line: InstanceView) -> str:
    settings = deps.settings
    usual = {"cloud": settings.cloud_pace, "linked": settings.linked_pace, "sandbox": settings.sandbox_pace}
    pace = usual[line.kind] if line.pace_per_s is None else line.pace_per_s
    if not pace:
        return visitor.t("lines.pace_none")
    digits = 0 if pace == int(pace) else 1
    return visitor.t("lines.pace_of", pace=format_number(visitor.language, pace, digits))


def _name(form: Form, visitor: Visitor, *, needed: bool = False) -> str:
    name = form.text("name")
    if not name and needed:
        raise Invalid.field("name", "name_empty", visitor.t("lines.name_needed"))
    if len(name) > MAX_NAME or not name.isprintable():
        raise Invalid.field("name", "line_name_invalid", visitor.t("lines.name_invalid", most=MAX_NAME))
    return name


def _pace(form: Form, visitor: Visitor) -> int | None:
    pace = form.number("pace_per_s")
    if pace is None:
        return None
    if not 0 <= pace <= MAX_PACE:
        raise Invalid.field("pace_per_s", "pace_invalid", visitor.t("lines.pace_invalid", most=MAX_PACE))
    return round(pace * 1_000)


def _care(form: Form, visitor: Visitor) -> dict[str, Any]:
    """How careful a linked device is."""
    cap = form.number("daily_cap")
    if cap is not None and not (0 <= cap <= MAX_CAP and cap == int(cap)):
        raise Invalid.field("daily_cap", "cap_invalid", visitor.t("lines.cap_invalid", most=MAX_CAP))
    switches = {name: form.flag(name) for name in ("warm_up", "check_numbers", "typing", "groups")}
    return {"daily_cap": None if cap is None else int(cap), **switches}


def _cloud_fields(form: Form, visitor: Visitor) -> dict[str, str]:
    """What a cloud line needs; every wrong field is named at once."""
    errors = []
    given = {name: form.text(name) for name in ("phone_number_id", "waba_id", *_SECRETS)}
    for name in ("phone_number_id", "waba_id"):
        if given[name] and not (given[name].isascii() and given[name].isdigit() and len(given[name]) <= 64):
            errors.append(FieldError(name, "digits_needed", visitor.t("lines.digits_needed")))
    for name in ("phone_number_id", *_SECRETS):
        if not given[name]:
            errors.append(FieldError(name, "missing", visitor.t("lines.field_needed")))
    errors += [_unfit(name, visitor) for name in _SECRETS if not _is_token(given[name])]
    if errors:
        raise Invalid.fields(errors)
    return {name: value for name, value in given.items() if value}


def _new_secrets(form: Form, visitor: Visitor) -> dict[str, str]:
    """The secrets that were typed anew; an empty field keeps what is there."""
    given = {name: form.text(name) for name in _SECRETS if form.text(name)}
    errors = [_unfit(name, visitor) for name, value in given.items() if not _is_token(value)]
    if errors:
        raise Invalid.fields(errors)
    return given


def _is_token(value: str) -> bool:
    return len(value) <= 4_096 and all("!" <= sign <= "~" for sign in value)


def _unfit(name: str, visitor: Visitor) -> FieldError:
    return FieldError(name, "token_unfit", visitor.t("lines.token_unfit"))


def _cloud_form(request: PageRequest, visitor: Visitor, form: Form, problem: Problem | None = None) -> PageResponse:
    return page(
        request,
        visitor,
        "gateway/lines/cloud.html",
        form=form,
        problem=problem,
        # A word that nobody guesses, so that nobody has to think of one.
        suggested_token=random_base62(24),
        mark=form.text("once") or new_mark(),
    )


HANDLERS = [
    list_lines,
    choose_kind,
    new_cloud_line,
    new_linked_line,
    create_line,
    show_line,
    update_line,
    make_default,
    restart_line,
    log_out,
    pair_line,
    delete_line,
]
