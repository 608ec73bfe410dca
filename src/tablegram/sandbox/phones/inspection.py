"""What stands behind a bubble: the wire's own words, its ids, and every callback with its attempts.

GET    /sandbox/phones/{number}/messages/{id}
POST   /sandbox/phones/{number}/messages/{id}/callbacks/{seq}/replay    tell the line once more
DELETE /sandbox/phones/{number}/messages                                ?number_id= empty the conversation, keep the phone
"""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from tablegram.errors import Conflict, NotFound
from tablegram.sandbox.answers import CallbackView, Cleared, Inspected, Replayed
from tablegram.sandbox.delivery import callbacks
from tablegram.sandbox.delivery.outbox import Told
from tablegram.sandbox.network import Network
from tablegram.sandbox.phones.chats import Message
from tablegram.sandbox.requests import must_have_number, phone_in
from tablegram.sandbox.store import Number


@get("/phones/{number:str}/messages/{message_id:str}")
async def inspect(network: NamedDependency[Network], number: FromPath[str], message_id: FromPath[str]) -> Inspected:
    message = _message(network, number, message_id)
    line = network.store.number(message.number_id)
    told = [_told_view(one, line) for one in network.outbox.of_message(message.id)]
    phone = network.chats.phone(message.phone)
    ids = {
        "id": message.id,
        "correlation": message.correlation,
        "context": message.reply_to,
        "phone_number_id": message.number_id,
        "waba_id": line.waba_id if line else None,
        "wa_id": message.phone,
        "user_id": phone.user_id if phone else None,
    }
    # What a line sends is a request; what a customer writes is first heard of in a callback.
    wire = network.chats.wire(message.id) if message.direction == "in" else told[0].body if told else None
    known = {name: value for name, value in ids.items() if value is not None}
    return Inspected(network.view(message), known, wire, told)


@post("/phones/{number:str}/messages/{message_id:str}/callbacks/{seq:int}/replay", status_code=202)
async def replay(
    network: NamedDependency[Network], number: FromPath[str], message_id: FromPath[str], seq: FromPath[int]
) -> Replayed:
    message = _message(network, number, message_id)
    told = next((one for one in network.outbox.of_message(message.id) if one.seq == seq), None)
    if told is None:
        raise NotFound("The message has no such callback; what was told long ago is not kept.")
    if told.ended_ms is None:
        raise Conflict("This callback still waits for its answer and is repeated by itself.", code="callback_waiting")
    must_have_number(network, told.number_id)
    return Replayed(network.tell_again(told))


@delete("/phones/{number:str}/messages", status_code=200)
async def clear_conversation(
    request: Request[Any, Any, Any], network: NamedDependency[Network], number: FromPath[str]
) -> Cleared:
    phone = phone_in(number)
    return Cleared(phone, network.clear(phone, request.query_params.get("number_id")))


def _message(network: Network, number: str, message_id: str) -> Message:
    phone = phone_in(number)
    message = network.chats.message(message_id)
    if message is None or message.phone != phone:
        raise NotFound(f"Phone {phone} has no message {message_id[:100]}.")
    return message


def _told_view(told: Told, line: Number | None) -> CallbackView:
    return CallbackView(
        id=told.seq,
        kind=told.kind,
        status=told.status,
        state=_state(told),
        planned=told.created_ms,
        due=told.due_ms if told.ended_ms is None else None,
        tries=told.failures + (_state(told) == "answered"),
        attempts=list(told.attempts),
        body=msgspec.json.decode(callbacks.body(line, [told.value])) if line else told.value,
    )


def _state(told: Told) -> str:
    """`waiting`, `answered`, or why the line was never told."""
    if told.ended_ms is None:
        return "waiting"
    last = told.attempts[-1] if told.attempts else None
    return "answered" if last is None or last.http_status == 200 else last.error


HANDLERS = [inspect, replay, clear_conversation]
