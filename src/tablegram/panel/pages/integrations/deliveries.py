"""What became of events on their way to an endpoint, and delivering them again."""

from __future__ import annotations

from datetime import datetime

import msgspec
from litestar import get, post
from litestar.params import FromPath
from msgspec.structs import asdict

from tablegram.errors import Conflict, Invalid
from tablegram.events.schedule import REPLAYABLE_DAYS
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import at_ms, with_times
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.frame.reasons import tell_reason
from tablegram.panel.pages.integrations.webhooks import host_of, shown, state_of
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.clock import DAY_MS

_MANAGE = {"scope": "webhooks:manage"}


@get("/deliveries/{delivery_id:str}", opt=_MANAGE)
async def show_delivery(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, delivery_id: FromPath[str]
) -> PageResponse:
    found = await deps.integrations.webhooks.delivery(visitor.caller, delivery_id)
    endpoint = await deps.integrations.webhooks.get(visitor.caller, found.webhook_id)
    attempts = [
        # A status says enough of itself; where there was no answer, the reason counts.
        {
            **asdict(one),
            "at": at_ms(one.at),
            "why": "" if one.status else tell_reason(visitor.language, one.error or ""),
        }
        for one in found.attempts
    ]
    return page(
        request,
        visitor,
        "integrations/webhooks/delivery.html",
        delivery={**with_times(found), "shown_state": state_of(found)},
        # The last attempt is what one looks for.
        attempts=attempts[::-1],
        body="" if found.body is None else msgspec.json.format(bytes(found.body), indent=2).decode(),
        endpoint=endpoint,
        host=host_of(endpoint),
        mark=new_mark(),
    )


@post("/deliveries/{delivery_id:str}/replay", opt=_MANAGE)
async def replay_delivery(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, delivery_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    back = f"/panel/deliveries/{delivery_id}"
    try:
        await deps.integrations.webhooks.replay(visitor.caller, delivery_id, once(form, f"panel replay {delivery_id}"))
    except Conflict:
        return redirect(request, back, toast=visitor.t("deliveries.enable_first"), tone="bad")
    return redirect(request, back, toast=visitor.t("deliveries.replayed"))


@post("/webhooks/{endpoint_id:str}/replay", opt=_MANAGE)
async def replay_range(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, endpoint_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    try:
        since, until = _moment(form, visitor, "since"), _moment(form, visitor, "until")
        if since is None:
            raise Invalid.field("since", "since_needed", visitor.t("deliveries.since_needed"))
        if since < deps.clock.now_ms() - REPLAYABLE_DAYS * DAY_MS:
            raise Invalid.field("since", "too_old", visitor.t("deliveries.too_old"))
        until = until or deps.clock.now_ms() + 1
        call = once(form, f"panel replay of {endpoint_id}", form.text("since"), form.text("until"))
        answer = await deps.integrations.webhooks.replay_range(visitor.caller, endpoint_id, since, until, call)
    except Invalid as problem:
        return await shown(request, visitor, deps, endpoint_id, form, problem)
    except Conflict:
        toast = visitor.t("deliveries.enable_first")
        return redirect(request, f"/panel/webhooks/{endpoint_id}", toast=toast, tone="bad")
    return redirect(
        request, f"/panel/webhooks/{endpoint_id}", toast=visitor.t("deliveries.range_replayed", n=answer.value.count)
    )


def _moment(form: Form, visitor: Visitor, name: str) -> int | None:
    """A time as a browser's field gives it, read in the visitor's time zone."""
    typed = form.text(name)
    if not typed:
        return None
    try:
        moment = datetime.fromisoformat(typed)
        return round(moment.replace(tzinfo=moment.tzinfo or visitor.zone).timestamp() * 1_000)
    except (ValueError, OverflowError):
        raise Invalid.field(name, "moment_invalid", visitor.t("deliveries.moment_invalid")) from None


HANDLERS = [show_delivery, replay_delivery, replay_range]
