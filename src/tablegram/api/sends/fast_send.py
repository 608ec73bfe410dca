"""POST /messages/send without the framework: the one call that a gateway must be quick at.

The handler in `routes/sends.py` documents the same call and uses the same function, so the two cannot differ.
"""

from __future__ import annotations

import re

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.api.bodies import parse_body
from tablegram.api.deps import ApiDeps
from tablegram.api.exchange import Exchange
from tablegram.api.routing import FastHandler, Route
from tablegram.api.schemas.fields import CONTROLS
from tablegram.api.schemas.gateway.sends import SendText
from tablegram.api.sends.drafts import PRIORITIES, instance_of, send_at_ms
from tablegram.errors import Invalid
from tablegram.flows.gateway.sending import Draft, KeptAnswer
from tablegram.messaging.model import Text
from tablegram.values.phone import parse_phone

# What the handler says of itself, for who has not loaded it.
ROUTE = Route("POST", "/messages/send", scope="messages:send", test_keys=True, takes_body=True)

_decode = msgspec.json.Decoder(SendText).decode
# Anything here makes the text worth the careful walk: controls are refused there, line ends made one kind.
_NEEDS_CARE = re.compile(f"[{CONTROLS}\r]").search


def parse_text(body: bytes) -> SendText:
    """The body of a text send. What is right at first sight is taken; everything else is walked with care."""
    try:
        parsed = _decode(body)
        parse_phone(parsed.phone)
    except (msgspec.DecodeError, UnicodeDecodeError, Invalid, RecursionError):
        return _walk(body)
    message = parsed.message
    if parsed.send_at is not None or parsed.reply_to is not None or _NEEDS_CARE(message):
        return _walk(body)
    stripped = message.strip()
    if not stripped:
        return _walk(body)
    parsed.message = stripped
    return parsed


def _walk(body: bytes) -> SendText:
    parsed: SendText = parse_body(body, SendText)
    return parsed


async def text_draft(deps: ApiDeps, caller: Caller, body: SendText) -> Draft:
    reply_to = await deps.gateway.lookups.network_id_of(caller, body.reply_to, "reply_to") if body.reply_to else ""
    return plain_draft(deps, body, reply_to)


def plain_draft(deps: ApiDeps, body: SendText, reply_to: str = "") -> Draft:
    return Draft(
        phone=body.phone,
        content=Text(body.message),
        type="text",
        text=body.message,
        instance_id=instance_of(body.instance_id),
        send_at_ms=send_at_ms(body.send_at, deps.clock.now_ms()) if body.send_at else None,
        priority=PRIORITIES[body.priority],
        reply_to=reply_to,
    )


def fast_send(deps: ApiDeps) -> FastHandler:
    sending = deps.gateway.sending

    async def send(exchange: Exchange) -> KeptAnswer:
        body, caller = parse_text(exchange.body), exchange.caller
        # Only a reply needs a look at another message, which must not come before the look at the call's key.
        draft = (lambda: text_draft(deps, caller, body)) if body.reply_to else plain_draft(deps, body)
        sent = await sending.send(caller, draft, exchange.call())
        return sent.encoded()

    return send
