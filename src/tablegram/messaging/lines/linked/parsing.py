"""What a host tells, as the rest of the gateway knows it."""

from __future__ import annotations

from typing import Literal

import msgspec

from tablegram.messaging.incoming import (
    IdentityChange,
    InboundMedia,
    InboundMessage,
    InboundType,
    Incoming,
    Malformed,
    MessageChange,
    StatusUpdate,
    UnknownChange,
)
from tablegram.values import Json

_KNOWN: tuple[InboundType, ...] = (
    "text", "image", "document", "audio", "video", "sticker", "location", "contacts", "reaction", "button", "list",
    "order", "call",
)  # fmt: skip


class _Person(msgspec.Struct):
    phone: str = ""
    lid: str = ""
    name: str = ""


class _Identity(_Person):
    at_ms: int = 0


class _Media(msgspec.Struct):
    id: str
    mime_type: str = ""
    filename: str = ""
    sha256: str = ""
    voice: bool = False
    animated: bool = False


class _Message(msgspec.Struct):
    id: str
    at_ms: int
    type: str
    sender: _Person = msgspec.field(name="from", default_factory=_Person)
    to: _Person = msgspec.field(default_factory=_Person)
    text: str = ""
    media: _Media | None = None
    body: object = None
    reply_to: str = ""
    group: str = ""
    echo: bool = False
    history: bool = False
    raw: Json = {}


class _Error(msgspec.Struct):
    code: int | None = None
    reason: str = ""
    detail: str = ""


class _Receipt(msgspec.Struct):
    id: str
    status: Literal["sent", "delivered", "read", "failed", "deleted"]
    at_ms: int
    key: str = ""
    to: str = ""
    error: _Error | None = None


class _Told(msgspec.Struct):
    kind: str
    data: msgspec.Raw


def parse(body: bytes) -> list[Incoming]:
    """What one event says. What fits nothing stays visible as unknown."""
    try:
        told = msgspec.json.decode(body, type=_Told)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed(str(error)) from None
    try:
        return [_meaning(told)]
    except (msgspec.ValidationError, ValueError) as error:
        return [UnknownChange(field=told.kind[:60], raw=msgspec.json.decode(told.data), why=str(error))]


def _meaning(told: _Told) -> Incoming:
    if told.kind == "message":
        return _message(msgspec.json.decode(told.data, type=_Message))
    if told.kind in ("edit", "revoke"):
        message = _message(msgspec.json.decode(told.data, type=_Message))
        return MessageChange(kind="edited" if told.kind == "edit" else "deleted", message=message)
    if told.kind == "receipt":
        return _status(msgspec.json.decode(told.data, type=_Receipt))
    if told.kind == "identity":
        person = msgspec.json.decode(told.data, type=_Identity)
        return IdentityChange(phone=person.phone, user_ids=(person.lid,), name=person.name, at_ms=person.at_ms)
    return UnknownChange(field=told.kind[:60], raw=msgspec.json.decode(told.data))


def _message(one: _Message) -> InboundMessage:
    media = None
    if one.media is not None:
        media = InboundMedia(
            media_id=one.media.id, mime_type=one.media.mime_type, filename=one.media.filename, sha256=one.media.sha256,
            caption=one.text, voice=one.media.voice, animated=one.media.animated,
        )  # fmt: skip
    known: InboundType = next((kind for kind in _KNOWN if kind == one.type), "unsupported")
    return InboundMessage(
        network_id=one.id, at_ms=one.at_ms, type=known, network_type=one.type, sender_phone=one.sender.phone,
        sender_user_id=one.sender.lid, sender_name=one.sender.name, group_id=one.group, text=one.text, media=media,
        body=one.body, reply_to=one.reply_to, recipient=one.to.phone or one.to.lid, echo=one.echo,
        is_history=one.history, raw=one.raw,
    )  # fmt: skip


def _status(one: _Receipt) -> StatusUpdate:
    error = one.error or _Error()
    return StatusUpdate(
        network_id=one.id, correlation=one.key, status=one.status, at_ms=one.at_ms, recipient=one.to,
        error_code=error.code, reason=error.reason or ("network_refused" if one.status == "failed" else ""),
        detail=error.detail,
    )  # fmt: skip
