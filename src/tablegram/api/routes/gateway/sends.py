"""Calls that send something. All answer the same four fields."""

from __future__ import annotations

from litestar import Response, post
from litestar.params import JSONBody

from tablegram.api.requests import ApiRequest, answered
from tablegram.api.schemas.gateway.batches import Batch
from tablegram.api.schemas.gateway.sends import (
    React,
    Send,
    SendButtons,
    SendContacts,
    SendList,
    SendLocation,
    SendMedia,
    SendTemplate,
    SendText,
)
from tablegram.api.sends import drafts
from tablegram.api.sends.batches import batch_drafts
from tablegram.api.sends.fast_send import text_draft
from tablegram.engine.idempotency import Result
from tablegram.flows.gateway.answers.sends import BatchAnswer, SendAnswer
from tablegram.flows.gateway.sending import Draft
from tablegram.messaging.model import Content, Reaction

_SEND = {"scope": "messages:send", "test_keys": True}
_TAGS = ["Sending"]


async def _send(request: ApiRequest, body: Send, content: Content) -> Result[SendAnswer]:
    return await request.deps.gateway.sending.send(
        request.caller, lambda: drafts.draft(request.deps, request.caller, body, content), request.call()
    )


@post("/messages/send", status_code=200, opt=_SEND, tags=_TAGS, summary="Send a text message", operation_id="sendText")
async def send_text(request: ApiRequest, data: JSONBody[SendText]) -> Response[SendAnswer]:
    """Accepts a text message. It is stored before it is answered; if the line is free, the network has it too.

    `status_code` is `sent` when the network took the message and `queued` when it goes out later, without another call.
    """
    sending, caller = request.deps.gateway.sending, request.caller
    return answered(await sending.send(caller, lambda: text_draft(request.deps, caller, data), request.call()))


@post("/messages/send-media", status_code=200, opt=_SEND, tags=_TAGS, summary="Send a file", operation_id="sendMedia")
async def send_media(request: ApiRequest, data: JSONBody[SendMedia]) -> Response[SendAnswer]:
    """Sends an image, document, video, audio or sticker from its address, with a caption.

    The file is looked at first: an address that cannot be reached, is private, or holds too large a file is refused.
    The `url` of a file that was uploaded here, or of one that a customer sent, works too: it goes out of the store.
    """
    deps, caller = request.deps, request.caller

    async def draft() -> Draft:
        facts = await drafts.look_at(deps, caller, data)
        return await drafts.draft(deps, caller, data, drafts.media(data, facts), media_id=facts.media_id)

    return answered(await deps.gateway.sending.send(caller, draft, request.call()))


@post(
    "/messages/send-template",
    status_code=200,
    opt=_SEND,
    tags=_TAGS,
    summary="Send a template",
    operation_id="sendTemplate",
)
async def send_template(request: ApiRequest, data: JSONBody[SendTemplate]) -> Response[SendAnswer]:
    """Sends a template that the network has approved; the way to write outside the 24-hour window."""
    return answered(await _send(request, data, drafts.template(data)))


@post(
    "/messages/send-location",
    status_code=200,
    opt=_SEND,
    tags=_TAGS,
    summary="Send a location",
    operation_id="sendLocation",
)
async def send_location(request: ApiRequest, data: JSONBody[SendLocation]) -> Response[SendAnswer]:
    """Sends a point on the map."""
    return answered(await _send(request, data, drafts.location(data)))


@post(
    "/messages/send-contacts",
    status_code=200,
    opt=_SEND,
    tags=_TAGS,
    summary="Send contact cards",
    operation_id="sendContacts",
)
async def send_contacts(request: ApiRequest, data: JSONBody[SendContacts]) -> Response[SendAnswer]:
    """Sends one or more contact cards."""
    return answered(await _send(request, data, drafts.contacts(data)))


@post(
    "/messages/send-buttons", status_code=200, opt=_SEND, tags=_TAGS, summary="Send buttons", operation_id="sendButtons"
)
async def send_buttons(request: ApiRequest, data: JSONBody[SendButtons]) -> Response[SendAnswer]:
    """Sends a text with one to three buttons to tap."""
    return answered(await _send(request, data, drafts.buttons(data)))


@post("/messages/send-list", status_code=200, opt=_SEND, tags=_TAGS, summary="Send a list", operation_id="sendList")
async def send_list(request: ApiRequest, data: JSONBody[SendList]) -> Response[SendAnswer]:
    """Sends a text with a list to choose from."""
    return answered(await _send(request, data, drafts.list_menu(data)))


@post("/messages/react", status_code=200, opt=_SEND, tags=_TAGS, summary="React to a message", operation_id="react")
async def react(request: ApiRequest, data: JSONBody[React]) -> Response[SendAnswer]:
    """Puts an emoji on a message; an empty one takes it back."""
    deps, caller = request.deps, request.caller

    async def draft() -> Draft:
        network_id = await deps.gateway.lookups.network_id_of(caller, data.message_id, "message_id")
        return Draft(
            phone=data.phone,
            content=Reaction(network_id, data.emoji),
            type="reaction",
            text=data.emoji,
            instance_id=drafts.instance_of(data.instance_id),
        )

    return answered(await deps.gateway.sending.send(caller, draft, request.call()))


@post("/messages/batch", status_code=200, opt=_SEND, tags=_TAGS, summary="Send many messages", operation_id="sendBatch")
async def send_batch(request: ApiRequest, data: JSONBody[Batch]) -> Response[BatchAnswer]:
    """Accepts up to 100 messages in one call and answers one entry for each, in order.

    Each entry says its `kind` (text when it does not) and has the fields of that send. If any of them is malformed,
    the whole call is refused and nothing is sent; an entry whose line is unknown or that cannot be paid is an error
    of its own. All others are committed together and go out by themselves at the pace of their lines, as `bulk`
    unless they say otherwise.
    """
    deps, caller = request.deps, request.caller
    return answered(
        await deps.gateway.sending.send_batch(caller, lambda: batch_drafts(deps, caller, data.messages), request.call())
    )


HANDLERS = [
    send_text,
    send_media,
    send_template,
    send_location,
    send_contacts,
    send_buttons,
    send_list,
    react,
    send_batch,
]
