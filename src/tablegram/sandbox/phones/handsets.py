"""The customers' side: phones that a person (the page) or a test (this API) holds.

GET    /sandbox/phones
PUT    /sandbox/phones/{number}             make it, or rename its owner
DELETE /sandbox/phones/{number}             forget it and its chats
GET    /sandbox/phones/{number}/messages    ?after=&limit=&number_id=
POST   /sandbox/phones/{number}/messages    the customer writes
POST   /sandbox/phones/{number}/read        the customer reads
GET    /sandbox/phones/{number}/stream      live, for this phone alone
GET    /sandbox/media/{id}                  a file as the page shows it
"""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, Response, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath

from tablegram.errors import Invalid, NotFound
from tablegram.sandbox.answers import Cleared, Messages, Phones, PhoneView, ReadNow
from tablegram.sandbox.network import Network
from tablegram.sandbox.phones.chats import Message, Phone
from tablegram.sandbox.phones.drafts import Draft, compose
from tablegram.sandbox.phones.shown import MessageView
from tablegram.sandbox.requests import MAX_BODY_BYTES, line_for, phone_in, read_body, whole_number
from tablegram.web.event_stream import EventStream
from tablegram.web.guards import FRAMED_FILE_POLICY, file_headers

# What a browser may show in place. Anything else is a download, whatever it claims to be.
_SHOWN_INLINE = ("image/png", "image/jpeg", "image/webp", "image/gif", "audio/", "video/")
_HIDDEN = ("failed", "held")


class Owner(msgspec.Struct, forbid_unknown_fields=True):
    name: str = ""


class Reading(msgspec.Struct, forbid_unknown_fields=True):
    ids: list[str] | None = None
    number_id: str | None = None


@get("/phones")
async def list_phones(network: NamedDependency[Network]) -> Phones:
    return Phones([_phone_view(network, *row) for row in network.chats.phones()])


@put("/phones/{number:str}", status_code=200)
async def name_phone(
    request: Request[Any, Any, Any], network: NamedDependency[Network], number: FromPath[str]
) -> PhoneView:
    owner = await read_body(request, Owner)
    if len(owner.name) > 100:
        raise Invalid.field("name", "name_too_long", "A name may have at most 100 characters.")
    phone, _ = network.chats.ensure_phone(phone_in(number), network.clock.now_ms(), owner.name)
    network.announce_phone(phone)
    return _phone_view(network, phone, len(network.chats.unread(phone.number)), None)


@delete("/phones/{number:str}", status_code=200)
async def clear_phone(network: NamedDependency[Network], number: FromPath[str]) -> Cleared:
    phone = phone_in(number)
    gone = network.clear(phone)
    network.chats.forget_phone(phone)
    return Cleared(phone, gone)


@get("/phones/{number:str}/messages")
async def list_messages(
    request: Request[Any, Any, Any], network: NamedDependency[Network], number: FromPath[str]
) -> Messages:
    phone = phone_in(number)
    limit = whole_number(request, "limit", 200, 1, 1_000)
    found = network.chats.messages(
        phone, after=_after(request, network), limit=limit, number_id=request.query_params.get("number_id")
    )
    data = [network.view(message) for message in found if message.status not in _HIDDEN]
    return Messages(data, found[-1].seq if len(found) == limit else None)


@post("/phones/{number:str}/messages", status_code=201, request_max_body_size=MAX_BODY_BYTES)
async def write(
    request: Request[Any, Any, Any], network: NamedDependency[Network], number: FromPath[str]
) -> MessageView:
    phone = phone_in(number)
    draft = await read_body(request, Draft)
    if draft.name is not None and len(draft.name) > 100:
        raise Invalid.field("name", "name_too_long", "A name may have at most 100 characters.")
    line = line_for(network, draft.to)
    written = compose(draft, phone, line, network)
    message = network.write(
        phone, line, written.type, written.content, written.wire, name=draft.name, reply_to=written.reply_to
    )
    return network.view(message)


@post("/phones/{number:str}/read", status_code=200)
async def read(request: Request[Any, Any, Any], network: NamedDependency[Network], number: FromPath[str]) -> ReadNow:
    asked = await read_body(request, Reading)
    turned = network.read(phone_in(number), asked.ids, asked.number_id)
    return ReadNow([message.id for message in turned])


@get("/phones/{number:str}/stream")
async def stream_phone(network: NamedDependency[Network], number: FromPath[str]) -> EventStream:
    return event_stream(network, phone_in(number))


@get("/media/{media_id:str}")
async def show_media(network: NamedDependency[Network], media_id: FromPath[str]) -> Response[bytes]:
    media = network.store.media(media_id)
    if media is None:
        raise NotFound("There is no such file on this network.")
    inline = media.mime_type.startswith(_SHOWN_INLINE)
    headers = {
        "Content-Disposition": "inline" if inline else "attachment",
        **file_headers("private, max-age=86400, immutable", FRAMED_FILE_POLICY),
    }
    mime_type = media.mime_type if inline else "application/octet-stream"
    return Response(network.store.media_bytes(media_id), media_type=mime_type, headers=headers)


def event_stream(network: Network, phone: str | None) -> EventStream:
    return EventStream(network.live.watch(phone))


def _phone_view(network: Network, phone: Phone, unread: int, last: Message | None) -> PhoneView:
    return PhoneView(phone.number, phone.name, phone.user_id, unread, network.view(last) if last else None)


def _after(request: Request[Any, Any, Any], network: Network) -> int | None:
    """A message's `seq` or its id."""
    text = request.query_params.get("after")
    if not text:
        return None
    if message := network.chats.message(text):
        return message.seq
    return whole_number(request, "after", 0, 0, 2**62)


HANDLERS = [
    list_phones,
    name_phone,
    clear_phone,
    list_messages,
    write,
    read,
    stream_phone,
    show_media,
]
