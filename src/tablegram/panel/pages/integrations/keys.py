"""API keys: listed, made and shown once, looked at, revoked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from litestar import get, post
from litestar.params import FromPath

from tablegram.accounts.keys.key_format import Mode
from tablegram.accounts.keys.key_records import KeyRecord
from tablegram.accounts.scopes import ALL, OPERATE, SCOPES
from tablegram.errors import Invalid, Problem, ScopeMissing
from tablegram.panel.frame.forms import Form, read_form, require_word
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import arranged, asked, choice, cut, fits
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.integrations.snippets import first_messages
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.folding import fold

_MANAGE = {"scope": "keys:manage"}
_STATES = ("active", "ended", "all")
# As people think of them, not by the alphabet: what most keys need comes first.
SCOPE_ORDER = (
    "messages:send", "messages:read", "events:read", "webhooks:manage", "instances:manage", "contacts:read",
    "contacts:manage", "restaurant:read", "restaurant:manage", "orders:manage", "payments:manage",
    "stores:manage", "campaigns:read", "campaigns:manage", "loyalty:read", "loyalty:manage", "keys:manage", "account:manage",
)  # fmt: skip
assert set(SCOPE_ORDER) == SCOPES
_WAYS: dict[str, Callable[[KeyRecord], Any]] = {
    "name": lambda key: fold(key.name),
    "used": lambda key: key.last_used_at or 0,
    # One without an end lasts longest.
    "expires": lambda key: (key.expires_at is None, key.expires_at or 0),
}


@get("/keys")
async def list_keys(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    if not visitor.can("keys:manage"):
        # The area's first page; who may see only its other pages goes there.
        if visitor.can("webhooks:manage"):
            return redirect(request, "/panel/webhooks")
        raise ScopeMissing(visitor.t("frame.forbidden_text"))
    search, show = asked(request, "q"), choice(request, "show", _STATES)
    now = deps.clock.now_ms()
    every = await deps.integrations.granting.keys(visitor.caller)
    found = [
        key
        for key in every
        if (show == "all" or (state_of(key, now) == "active") == (show == "active"))
        and fits(search, key.name, key.last4)
    ]
    return page(
        request,
        visitor,
        "integrations/keys/list.html",
        cut=cut(arranged(found, asked(request, "sort"), _WAYS), asked(request, "cursor"), lambda key: key.id),
        show=show,
        search=search,
        has_any=bool(every),
        states={key.id: state_of(key, now) for key in found},
    )


@get("/keys/new", opt=_MANAGE)
async def new_key(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return _form(request, visitor, deps, Form())


@post("/keys", opt=_MANAGE, status_code=200)
async def create_key(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    """The answer shows the key, so it is a page and no redirect; sent again, the form shows the same key."""
    form = await read_form(request)
    scopes = [ALL] if form.text("reach") == "all" and visitor.can(ALL) else form.all("scopes")
    if form.text("reach") == "all" and not visitor.can(ALL):
        scopes = [scope for scope in SCOPE_ORDER if visitor.can(scope)]
    mode: Mode = "test" if form.text("mode") == "test" else "live"
    typed = (form.text("name"), mode, *sorted(scopes), form.text("expires_at"))
    try:
        answer = await deps.integrations.granting.create(
            visitor.caller,
            once(form, "panel new key", *typed),
            name=_name(form, visitor),
            mode=mode,
            scopes=scopes,
            expires_at=_end_of_day(form, visitor),
        )
    except Problem as problem:
        if not problem.errors:
            raise
        return _form(request, visitor, deps, form, problem)
    key = answer.value
    samples = await first_messages(deps, visitor, key=key.key, sandbox_only=key.mode == "test")
    return page(request, visitor, "integrations/keys/made.html", key=key, samples=samples)


@get("/keys/{key_id:str}", opt=_MANAGE)
async def show_key(request: PageRequest, visitor: VisitorOf, deps: DepsOf, key_id: FromPath[str]) -> PageResponse:
    return _shown(request, visitor, await deps.integrations.granting.key(visitor.caller, key_id), deps.clock.now_ms())


@post("/keys/{key_id:str}/revoke", opt=_MANAGE)
async def revoke_key(request: PageRequest, visitor: VisitorOf, deps: DepsOf, key_id: FromPath[str]) -> PageResponse:
    key = await deps.integrations.granting.key(visitor.caller, key_id)
    form = await read_form(request)
    try:
        require_word(form, key.name or key.last4)
    except Invalid as problem:
        return _shown(request, visitor, key, deps.clock.now_ms(), form, problem)
    await deps.integrations.granting.revoke(visitor.caller, key_id)
    return redirect(request, "/panel/keys", toast=visitor.t("keys.revoked", name=key.name or key.last4))


def state_of(key: KeyRecord, now_ms: int) -> str:
    if key.revoked_at is not None:
        return "revoked"
    return "expired" if key.expires_at is not None and key.expires_at <= now_ms else "active"


def _shown(
    request: PageRequest,
    visitor: Visitor,
    key: KeyRecord,
    now_ms: int,
    form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:
    return page(
        request, visitor, "integrations/keys/key.html", key=key, state=state_of(key, now_ms), form=form, problem=problem,
        scopes=[scope for scope in (*SCOPE_ORDER, OPERATE) if scope in key.scopes or (ALL in key.scopes and scope != OPERATE)],
    )  # fmt: skip


def _form(
    request: PageRequest, visitor: Visitor, deps: DepsOf, form: Form, problem: Problem | None = None
) -> PageResponse:
    return page(
        request,
        visitor,
        "integrations/keys/new.html",
        form=form,
        problem=problem,
        scopes=[scope for scope in SCOPE_ORDER if visitor.can(scope)],
        tomorrow=_local_today(visitor, deps) + timedelta(days=1),
        mark=form.text("once") or new_mark(),
    )


def _name(form: Form, visitor: Visitor) -> str:
    name = form.text("name")
    if not name:
        raise Invalid.field("name", "name_empty", visitor.t("keys.name_needed"))
    return name


def _local_today(visitor: Visitor, deps: DepsOf) -> datetime:
    return datetime.fromtimestamp(deps.clock.now_ms() / 1_000, visitor.zone)


def _end_of_day(form: Form, visitor: Visitor) -> int | None:
    """The key works to the end of the day that was chosen, where the visitor lives."""
    typed = form.text("expires_at")
    if not typed:
        return None
    try:
        day = datetime.strptime(typed, "%Y-%m-%d").replace(tzinfo=visitor.zone)
        return round((day + timedelta(days=1)).timestamp() * 1_000)
    except (ValueError, OverflowError):
        raise Invalid.field("expires_at", "date_invalid", visitor.t("keys.date_invalid")) from None


HANDLERS = [list_keys, new_key, create_key, show_key, revoke_key]
