"""Webhook endpoints: added with their secret shown once, changed, tried out, paused, taken away."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from litestar import get, post
from litestar.params import FromPath

from tablegram.errors import Conflict, Invalid, Problem
from tablegram.events.answers.webhooks import DeliveryView, WebhookView
from tablegram.events.catalogue import ALL, WHEN
from tablegram.events.endpoints import EndpointChange
from tablegram.panel.frame.forms import Form, read_form, require_word
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import arranged, asked, choice, fits, with_times
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.frame.reasons import tell_reason
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.clock import DAY_MS

_MANAGE = {"scope": "webhooks:manage"}
# An account has at most 50 endpoints, so that one page holds them all.
_MOST = 100
_STATES = ("", "failing", "paused")
_WAYS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "url": lambda endpoint: endpoint["url"],
    "state": lambda endpoint: endpoint["health"],
    "since": lambda endpoint: endpoint["failing_since"] or endpoint["created_at"],
}
LOG_STATES = ("", "pending", "delivered", "dead")
LOG_SIZE = 25


@get("/webhooks", opt=_MANAGE)
async def list_webhooks(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    search, show = asked(request, "q"), choice(request, "show", _STATES)
    every = (await deps.integrations.webhooks.page(visitor.caller, _MOST, None)).data
    found = [
        {**with_times(endpoint), "health": health_of(endpoint)}
        for endpoint in every
        if fits(search, endpoint.url, endpoint.description) and show in ("", health_of(endpoint))
    ]
    found = list(arranged(found, asked(request, "sort"), _WAYS))
    return page(
        request,
        visitor,
        "integrations/webhooks/list.html",
        endpoints=found,
        has_any=bool(every),
        search=search,
        show=show,
    )


@get("/webhooks/new", opt=_MANAGE)
async def new_webhook(request: PageRequest, visitor: VisitorOf) -> PageResponse:
    return _form(request, visitor, Form())


@post("/webhooks", opt=_MANAGE, status_code=200)
async def create_webhook(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    """The answer shows the secret, so it is a page and no redirect."""
    form = await read_form(request)
    url, events, description = _typed(form)
    call = once(form, "panel webhooks", url, *events, description)
    try:
        _need_events(events)
        answer = await deps.integrations.webhooks.create(visitor.caller, url, events, description, call)
    except Problem as problem:
        return _form(request, visitor, form, problem)
    endpoint = with_times(answer.value)
    return page(request, visitor, "integrations/webhooks/secret.html", endpoint=endpoint, is_new=True)


@get("/webhooks/{endpoint_id:str}", opt=_MANAGE)
async def show_webhook(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, endpoint_id: FromPath[str]
) -> PageResponse:
    return await shown(request, visitor, deps, endpoint_id)


async def shown(
    request: PageRequest,
    visitor: Visitor,
    deps: DepsOf,
    endpoint_id: str,
    form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:
    """An endpoint with its delivery log; `problem` is what was wrong with a form on the page."""
    endpoint = await deps.integrations.webhooks.get(visitor.caller, endpoint_id)
    timed = with_times(endpoint)
    state = choice(request, "state", LOG_STATES)
    cursor = asked(request, "cursor") or None
    log = await deps.integrations.webhooks.deliveries(visitor.caller, endpoint_id, LOG_SIZE, cursor, state or None)
    now = deps.clock.now_ms()
    return page(
        request,
        visitor,
        "integrations/webhooks/webhook.html",
        endpoint={**timed, "health": health_of(endpoint)},
        host=host_of(endpoint),
        reason=tell_reason(visitor.language, endpoint.reason),
        deliveries=[{**with_times(one), "shown_state": state_of(one)} for one in log.data],
        next_cursor=log.next_cursor,
        cursor=cursor,
        state=state,
        is_rotating=(timed["previous_secret_until"] or 0) > now,
        day_ago=datetime.fromtimestamp((now - DAY_MS) / 1_000, visitor.zone),
        form=form,
        problem=problem,
        mark=new_mark(),
    )


@get("/webhooks/{endpoint_id:str}/edit", opt=_MANAGE)
async def edit_webhook(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, endpoint_id: FromPath[str]
) -> PageResponse:
    return _form(request, visitor, Form(), endpoint=await deps.integrations.webhooks.get(visitor.caller, endpoint_id))


@post("/webhooks/{endpoint_id:str}", opt=_MANAGE, status_code=200)
async def update_webhook(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, endpoint_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    url, events, description = _typed(form)
    try:
        _need_events(events)
        change = EndpointChange(url=url, events=events, description=description)
        await deps.integrations.webhooks.update(visitor.caller, endpoint_id, change)
    except Invalid as problem:
        return _form(
            request, visitor, form, problem, endpoint=await deps.integrations.webhooks.get(visitor.caller, endpoint_id)
        )
    return redirect(request, f"/panel/webhooks/{endpoint_id}", toast=visitor.t("webhooks.saved"))


@post("/webhooks/{endpoint_id:str}/state", opt=_MANAGE)
async def switch_webhook(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, endpoint_id: FromPath[str]
) -> PageResponse:
    state = "active" if (await read_form(request)).text("state") == "active" else "disabled"
    await deps.integrations.webhooks.update(visitor.caller, endpoint_id, EndpointChange(state=state))
    return redirect(request, f"/panel/webhooks/{endpoint_id}", toast=visitor.t(f"webhooks.now_{state}"))


@post("/webhooks/{endpoint_id:str}/test", opt=_MANAGE)
async def test_webhook(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, endpoint_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    try:
        await deps.integrations.webhooks.test(visitor.caller, endpoint_id, once(form, f"panel test {endpoint_id}"))
    except Conflict:
        toast = visitor.t("deliveries.enable_first")
        return redirect(request, f"/panel/webhooks/{endpoint_id}", toast=toast, tone="bad")
    return redirect(request, f"/panel/webhooks/{endpoint_id}", toast=visitor.t("webhooks.test_planned"))


@post("/webhooks/{endpoint_id:str}/rotate", opt=_MANAGE, status_code=200)
async def rotate_secret(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, endpoint_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    answer = await deps.integrations.webhooks.rotate(
        visitor.caller, endpoint_id, once(form, f"panel rotate {endpoint_id}")
    )
    endpoint = with_times(answer.value)
    return page(request, visitor, "integrations/webhooks/secret.html", endpoint=endpoint, is_new=False)


@post("/webhooks/{endpoint_id:str}/delete", opt=_MANAGE)
async def delete_webhook(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, endpoint_id: FromPath[str]
) -> PageResponse:
    endpoint = await deps.integrations.webhooks.get(visitor.caller, endpoint_id)
    form = await read_form(request)
    try:
        require_word(form, host_of(endpoint))
    except Invalid as problem:
        return await shown(request, visitor, deps, endpoint_id, form, problem)
    await deps.integrations.webhooks.delete(visitor.caller, endpoint_id)
    return redirect(request, "/panel/webhooks", toast=visitor.t("webhooks.deleted", host=host_of(endpoint)))


def host_of(endpoint: WebhookView) -> str:
    """What people call an endpoint: the host that it is on."""
    return urlsplit(endpoint.url).netloc or endpoint.url


def health_of(endpoint: WebhookView) -> str:
    if endpoint.state == "disabled":
        return "paused"
    return "failing" if endpoint.failing_since is not None else "active"


def state_of(delivery: DeliveryView) -> str:
    """A delivery's state as people see it: one that failed before is not merely waiting."""
    if delivery.state == "pending":
        return "retrying" if delivery.last_error else "waiting"
    return delivery.state


def _typed(form: Form) -> tuple[str, list[str], str]:
    known = [event for event in form.all("events") if event in WHEN]
    return form.text("url"), [ALL] if form.text("reach") == "all" else known, form.text("description")[:200]


def _need_events(events: list[str]) -> None:
    if not events:
        raise Invalid.field("events", "event_unknown", "Choose at least one event.")


def _form(
    request: PageRequest,
    visitor: Visitor,
    form: Form,
    problem: Problem | None = None,
    endpoint: WebhookView | None = None,
) -> PageResponse:
    mark = form.text("once") or new_mark()
    return page(
        request,
        visitor,
        "integrations/webhooks/form.html",
        form=form,
        problem=problem,
        endpoint=endpoint,
        events=list(WHEN),
        mark=mark,
    )


HANDLERS = [
    list_webhooks,
    new_webhook,
    create_webhook,
    show_webhook,
    edit_webhook,
    update_webhook,
    switch_webhook,
    test_webhook,
    rotate_secret,
    delete_webhook,
]
