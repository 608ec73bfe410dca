"""What shops and forms delivered: found, looked at, replayed, seen to; and the orders.

GET  /panel/stores/log                    ?q=&state=&source=
GET  /panel/stores/log/{id}               ?rehearse=1: what a replay would do
GET  /panel/stores/log/{id}/files/{place}  a file that came with a form; saved, never shown
POST /panel/stores/log/{id}/{replay|settle}
GET  /panel/stores/orders                 ?q=&source=
"""

from __future__ import annotations

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from tablegram.errors import NotFound, Problem
from tablegram.flows.stores.answers import StoreDelivery, StoreDeliveryView, StoreEventView, StoreOrderView
from tablegram.flows.stores.delivery_desk import DeliveryDesk
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms, choice
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.i18n import words
from tablegram.panel.pages.stores.sources import HOME, services_of
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.stores.model import STATES
from tablegram.values.files.filenames import attachment, clean_filename
from tablegram.values.money import from_wire, written
from tablegram.web.guards import file_headers

_SCOPE = {"scope": "stores:manage"}
PER_PAGE = 25
TONES = {"done": "ok", "ignored": "muted", "unreadable": "bad"}
# What came of an event: well, not at all, or for a reason that somebody may change.
GOOD = frozenset(("recorded", "sent", "planned", "cancelled"))
SHOWN_BODY = 20_000
MAX_REFERENCE = 24


def desk_of(deps: PanelDeps) -> DeliveryDesk:
    return services_of(deps).deliveries


@get("/stores/log", opt=_SCOPE)
async def list_deliveries(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    wanted = choice(request, "state", ("", *STATES, "open"))
    found = await desk_of(deps).page(
        visitor.caller,
        source_id=asked(request, "source")[:64] or None,
        state=wanted if wanted in STATES else None,
        open_only=wanted == "open",
        query=asked(request, "q")[:100],
        limit=PER_PAGE,
        cursor=asked(request, "cursor") or None,
    )
    return page(
        request,
        visitor,
        "stores/log.html",
        deliveries=[_row(visitor, one) for one in found.data],
        next_cursor=found.next_cursor,
        is_asked=bool(asked(request, "q") or asked(request, "source") or wanted),
        sources=await _names(visitor, deps),
        states=STATES,
        waiting=await desk_of(deps).waiting(visitor.caller),
    )


@get("/stores/log/{store_delivery_id:str}", opt=_SCOPE)
async def show_delivery(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, store_delivery_id: FromPath[str]
) -> PageResponse:
    return await _one(request, visitor, deps, store_delivery_id)


@get("/stores/log/{store_delivery_id:str}/files/{place:int}", opt=_SCOPE)
async def save_file(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, store_delivery_id: FromPath[str], place: FromPath[int]
) -> Response[bytes]:
    """Whatever a stranger sent: it is saved under a clean name, and no browser runs it."""
    found = await desk_of(deps).files(visitor.caller, store_delivery_id)
    if not 0 <= place < len(found):
        raise NotFound("The form has no such file.", code="media_unknown")
    name, content = found[place]
    headers = {"Content-Disposition": attachment(clean_filename(name)), **file_headers("private, no-store")}
    return Response(content, media_type="application/octet-stream", headers=headers)


@post("/stores/log/{store_delivery_id:str}/replay", opt=_SCOPE, status_code=200)
async def replay_delivery(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, store_delivery_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    try:
        await desk_of(deps).replay(visitor.caller, store_delivery_id, once(form, f"panel replay {store_delivery_id}"))
    except Problem as problem:
        return await _one(request, visitor, deps, store_delivery_id, problem)
    return redirect(request, f"{HOME}/log/{store_delivery_id}", toast=visitor.t("stores.replayed"))


@post("/stores/log/{store_delivery_id:str}/settle", opt=_SCOPE, status_code=200)
async def settle_delivery(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, store_delivery_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    try:
        await desk_of(deps).settle(visitor.caller, store_delivery_id, once(form, f"panel settle {store_delivery_id}"))
    except Problem as problem:
        return await _one(request, visitor, deps, store_delivery_id, problem)
    return redirect(request, f"{HOME}/log/{store_delivery_id}", toast=visitor.t("stores.settled"))


@get("/stores/orders", opt=_SCOPE)
async def list_orders(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    found = await desk_of(deps).orders(
        visitor.caller,
        source_id=asked(request, "source")[:64] or None,
        query=asked(request, "q")[:100],
        limit=PER_PAGE,
        cursor=asked(request, "cursor") or None,
    )
    names = await _names(visitor, deps)
    return page(
        request,
        visitor,
        "stores/orders.html",
        orders=[{**order_row(visitor, one), "shop": names.get(one.source_id, "")} for one in found.data],
        next_cursor=found.next_cursor,
        is_asked=bool(asked(request, "q") or asked(request, "source")),
        sources=names,
        waiting=await desk_of(deps).waiting(visitor.caller),
    )


async def last_orders(visitor: Visitor, deps: PanelDeps, contact_id: str, most: int) -> list[dict[str, object]]:
    """What a contact ordered last in the account's shops, as a card shows it."""
    if not visitor.can("stores:manage"):
        return []
    found = await desk_of(deps).orders(visitor.caller, contact_id=contact_id, limit=most)
    names = await _names(visitor, deps) if found.data else {}
    return [{**order_row(visitor, one), "shop": names.get(one.source_id, "")} for one in found.data]


def order_row(visitor: Visitor, order: StoreOrderView) -> dict[str, object]:
    return {
        **msgspec.structs.asdict(order),
        "money": _money(visitor, order.amount, order.currency),
        "at": at_ms(order.happened_at),
        "words": ", ".join(
            one.name if one.quantity == 1 else f"{one.quantity} × {one.name}" for one in order.goods[:5]
        ),
    }


async def _one(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, delivery_id: str, problem: Problem | None = None
) -> PageResponse:
    kept = await desk_of(deps).get(visitor.caller, delivery_id)
    rehearsed = None
    if asked(request, "rehearse") and problem is None:
        try:
            rehearsed = await desk_of(deps).rehearse(visitor.caller, delivery_id)
        except Problem as refused:
            problem = refused
    names = await _names(visitor, deps)
    return page(
        request,
        visitor,
        "stores/delivery.html",
        one=_whole(visitor, kept),
        shop=names.get(kept.source_id, ""),
        files=[
            (clean_filename(name), len(content))
            for name, content in await desk_of(deps).files(visitor.caller, delivery_id)
        ],
        rehearsed=None if rehearsed is None else _whole(visitor, rehearsed),
        problem=problem,
        mark=new_mark(),
    )


def _row(visitor: Visitor, one: StoreDeliveryView) -> dict[str, object]:
    first = one.events[0] if one.events else None
    outcomes = [outcome for event in one.events for outcome in _outcomes(visitor, event)]
    return {
        "id": one.id,
        "source_id": one.source_id,
        "topic": one.topic,
        "state": one.state,
        "tone": TONES[one.state],
        "detail": one.detail,
        "name": "" if first is None else _name(first),
        "kind": "" if first is None else first.kind,
        "person": "" if first is None else first.person.name,
        # What matters most: what went out, or why nothing did.
        "outcomes": [each for each in outcomes if each["what_code"] != "order"] or outcomes,
        "waits": bool(one.attention) and one.settled_at is None,
        "test": one.test,
        "received": at_ms(one.received_at),
    }


def _whole(visitor: Visitor, one: StoreDelivery) -> dict[str, object]:
    return {
        **msgspec.structs.asdict(one),
        "tone": TONES[one.state],
        "waits": bool(one.attention) and one.settled_at is None,
        "received": at_ms(one.received_at),
        "settled": at_ms(one.settled_at),
        "shown_body": one.body[:SHOWN_BODY],
        "read": [
            {
                **msgspec.structs.asdict(event),
                "money": _money(visitor, event.amount, event.currency),
                "happened": at_ms(event.at),
                "came": _outcomes(visitor, event),
                "called": _name(event),
            }
            for event in one.events
        ],
    }


def _outcomes(visitor: Visitor, event: StoreEventView) -> list[dict[str, str]]:
    """What came of an event, in words. A code that is newer than the words is shown as it is."""
    known = words(visitor.language)
    found = [
        {
            "code": one.code,
            "words": known.get(f"stores.outcome_{one.code}", one.code),
            "what_code": one.what,
            "what": known.get(f"stores.what_{one.what}", one.what),
            "tone": "ok" if one.code in GOOD else "warn" if one.code == "task" else "muted",
        }
        for one in event.outcomes
    ]
    if event.phone_problem:
        problem = known[f"stores.outcome_{event.phone_problem}"]
        found.append({"code": event.phone_problem, "words": problem, "what_code": "phone", "what": "", "tone": "warn"})
    return found


def _name(event: StoreEventView) -> str:
    """What people call it. A reference that is only a digest tells them nothing."""
    short = event.reference if len(event.reference) <= MAX_REFERENCE else ""
    return event.number or event.title or short or event.person.name


def _money(visitor: Visitor, amount: float | None, currency: str) -> str:
    return "" if amount is None else written(from_wire(amount, currency), currency, visitor.language)


async def _names(visitor: Visitor, deps: PanelDeps) -> dict[str, str]:
    return {one.id: one.name for one in (await services_of(deps).sources.page(visitor.caller)).data}


HANDLERS = [list_deliveries, show_delivery, save_file, replay_delivery, settle_delivery, list_orders]
