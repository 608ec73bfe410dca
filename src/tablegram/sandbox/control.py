"""The network's own controls: lines, counters, faults, and everything live.

GET    /sandbox/numbers                     lines (secrets are not shown)
PUT    /sandbox/numbers/{id}                register or update a line
POST   /sandbox/numbers/{id}/verify         do the hub.challenge handshake with its callback URL
GET    /sandbox/counters                    accepted, duplicates, callbacks
DELETE /sandbox/counters                    start counting afresh
GET    /sandbox/accepted                    ?after=&limit= every accepted message, in order
GET    /sandbox/faults, POST, DELETE        and DELETE /sandbox/faults/{id}
GET    /sandbox/events                      server-sent events
"""

from __future__ import annotations

import re
import secrets
from typing import Any

import aiohttp
import msgspec
from litestar import Request, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Stream

from tablegram.errors import Invalid
from tablegram.sandbox.answers import (
    AcceptedPage,
    CallbackCounts,
    Counters,
    Done,
    FaultList,
    Numbers,
    NumberView,
    Verified,
)
from tablegram.sandbox.faults import Fault, FaultOrder, catalogue
from tablegram.sandbox.network import Network
from tablegram.sandbox.phones.handsets import event_stream
from tablegram.sandbox.requests import must_have_number, phone_in, read_body, whole_number
from tablegram.sandbox.store import Number

_NUMBER_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_HANDSHAKE_TIMEOUT = aiohttp.ClientTimeout(total=10)


class Registration(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    access_token: str
    app_secret: str = ""
    verify_token: str = ""
    callback_url: str = ""
    display_phone_number: str = ""
    name: str = ""


@get("/numbers")
async def list_numbers(network: NamedDependency[Network]) -> Numbers:
    return Numbers([_number_view(number) for number in network.store.numbers()])


@put("/numbers/{number_id:str}", status_code=200)
async def register(
    request: Request[Any, Any, Any], network: NamedDependency[Network], number_id: FromPath[str]
) -> NumberView:
    if _NUMBER_ID.fullmatch(number_id) is None:
        raise Invalid.field("id", "id_invalid", "A line's id has 1 to 64 letters, digits, - or _.")
    asked = await read_body(request, Registration)
    if not asked.access_token:
        raise Invalid.field("access_token", "access_token_missing", "Give the access_token the line will send with.")
    if asked.callback_url and not asked.callback_url.startswith(("http://", "https://")):
        raise Invalid.field("callback_url", "callback_url_invalid", "callback_url must start with http:// or https://.")
    number = Number(id=number_id, **msgspec.structs.asdict(asked))
    network.store.save_number(number)
    network.courier.line_is_back(number_id)
    network.live.publish("number", _number_view(number))
    return _number_view(number)


@post("/numbers/{number_id:str}/verify", status_code=200)
async def verify(network: NamedDependency[Network], number_id: FromPath[str]) -> Verified:
    number = must_have_number(network, number_id)
    if not number.callback_url:
        raise Invalid.field("callback_url", "callback_url_missing", f"Line {number_id} has no callback_url.")
    challenge = str(secrets.randbelow(10**10))
    query = {"hub.mode": "subscribe", "hub.challenge": challenge, "hub.verify_token": number.verify_token}
    try:
        async with (
            aiohttp.ClientSession(timeout=_HANDSHAKE_TIMEOUT) as session,
            session.get(number.callback_url, params=query, allow_redirects=False) as answer,
        ):
            text = await answer.text()
            if answer.status == 200 and text.strip() == challenge:
                return Verified(True, "The callback URL answered with the challenge.")
            return Verified(False, f"HTTP {answer.status}, and not the challenge: {text[:200]!r}.")
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
        return Verified(False, f"The callback URL cannot be reached: {error or type(error).__name__}.")


@get("/counters")
async def counters(network: NamedDependency[Network]) -> Counters:
    kept = network.store.counts()
    total, twice, by_correlation = network.chats.count_accepted()
    callbacks = CallbackCounts(
        pending=network.outbox.pending(),
        delivered=kept.get("callbacks_delivered", 0),
        failed_attempts=kept.get("callbacks_failed", 0),
    )
    return Counters(total, twice, by_correlation, kept.get("inbound", 0), callbacks)


@delete("/counters", status_code=200)
async def clear_counters(network: NamedDependency[Network]) -> Done:
    network.store.clear_counts()
    return Done("Counting starts afresh; phones and their messages are kept.")


@get("/accepted")
async def accepted(request: Request[Any, Any, Any], network: NamedDependency[Network]) -> AcceptedPage:
    limit = whole_number(request, "limit", 1_000, 1, 10_000)
    data = network.chats.accepted(whole_number(request, "after", 0, 0, 2**62), limit)
    return AcceptedPage(data, data[-1].seq if len(data) == limit else None)


@get("/faults")
async def list_faults(network: NamedDependency[Network]) -> FaultList:
    return FaultList(network.faults.active(), catalogue())


@post("/faults", status_code=201)
async def inject_fault(request: Request[Any, Any, Any], network: NamedDependency[Network]) -> Fault:
    order = await read_body(request, FaultOrder)
    if order.phone is not None:
        order.phone = phone_in(order.phone)
    fault = network.faults.inject(order)
    network.live.publish("faults", {"active": len(network.faults.active())})
    return fault


@delete("/faults", status_code=200)
async def lift_faults(network: NamedDependency[Network]) -> dict[str, int]:
    gone = network.faults.lift()
    network.live.publish("faults", {"active": 0})
    return {"removed": gone}


@delete("/faults/{fault_id:str}", status_code=200)
async def lift_fault(network: NamedDependency[Network], fault_id: FromPath[str]) -> dict[str, int]:
    gone = network.faults.lift(fault_id)
    network.live.publish("faults", {"active": len(network.faults.active())})
    return {"removed": gone}


@get("/events")
async def stream_events(network: NamedDependency[Network]) -> Stream:
    return event_stream(network, None)


def _number_view(number: Number) -> NumberView:
    return NumberView(
        id=number.id,
        display_phone_number=number.display_phone_number,
        name=number.shown_name,
        waba_id=number.waba_id,
        callback_url=number.callback_url,
    )


HANDLERS = [
    list_numbers,
    register,
    verify,
    counters,
    clear_counters,
    accepted,
    list_faults,
    inject_fault,
    lift_faults,
    lift_fault,
    stream_events,
]
