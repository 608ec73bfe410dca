"""A message as the API shows it, and what can be asked about one."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.media.shown import MediaView
from tablegram.messaging.records.transcripts import beside_of, content_of
from tablegram.messaging.records.views import cost_micros, message_id, usd
from tablegram.messaging.records.waiting import Waits
from tablegram.messaging.rows.messages import MessageRow
from tablegram.values import Json
from tablegram.values.clock import MomentText, iso
from tablegram.values.ids import gateway_id

_Moment = Literal["created_at", "sent_at", "delivered_at", "read_at", "failed_at"]
_STEPS: tuple[tuple[str, _Moment], ...] = (
    ("queued", "created_at"),
    ("sent", "sent_at"),
    ("delivered", "delivered_at"),
    ("read", "read_at"),
    ("failed", "failed_at"),
)


class StatusStep(Struct, kw_only=True, frozen=True):
    """A state that a message has reached."""

    status: str
    at: MomentText


class MessageError(Struct, kw_only=True, frozen=True):
    """Why a message failed."""

    code: str
    detail: str | None = None
    network_code: int | None = None


class MessageWait(Struct, kw_only=True, frozen=True):
    """What a queued message waits for."""

    code: str
    detail: str
    until: Annotated[
        MomentText | None, Meta(description="When it may go at the earliest; null where that is not known.")
    ] = None


class MessageView(Struct, kw_only=True, frozen=True):
    """A message as it stands now."""

    message_id: str
    gateway_id: str
    instance_id: int
    direction: Annotated[Literal["in", "out"], Meta(description="out: sent by the account. in: written by a customer.")]
    phone: str
    type: str
    text: str
    media: Annotated[
        MediaView | None,
        Meta(description="The file of an inbound message, or the uploaded one of an outbound message."),
    ]
    content: Annotated[
        Json | list[object] | None,
        Meta(
            description="Location, contacts, reaction, button, list, order or call of an inbound message: the network's own "
            "object, as in its event."
        ),
    ] = None
    beside: Annotated[
        Json,
        Meta(
            description="What else an inbound message came with, by the names of its event: reply_to, forwarded, "
            "frequently_forwarded, referred_product, referral, voice, animated, group_id, and unsupported with the "
            "network's own object, such as the answer to a flow."
        ),
    ] = {}
    edited_at: Annotated[MomentText | None, Meta(description="When its writer changed it.")] = None
    deleted_at: Annotated[
        MomentText | None, Meta(description="When its writer took it back; its text and file are not kept.")
    ] = None
    status: Annotated[
        str, Meta(description="queued, sent, delivered, read, failed, cancelled; received for an inbound one.")
    ]
    status_history: list[StatusStep]
    error: MessageError | None
    waits: Annotated[
        MessageWait | None, Meta(description="Why a queued message has not gone yet; null for every other one.")
    ] = None
    sent_by: Annotated[
        str | None,
        Meta(
            description="Who wrote an outbound one: member:ID, key:ID, phone for the network's own app, auto:KIND for "
            "the product on its own. Null for an inbound one, and for what was sent before this was kept."
        ),
    ] = None
    cost_usd: float
    created_at: MomentText


class MessagePage(Struct, kw_only=True, frozen=True):
    """Messages, newest first."""

    data: list[MessageView]
    next_cursor: str | None


class ReadAnswer(Struct, kw_only=True, frozen=True):
    """The network was told that the message was read."""

    status: Annotated[Literal["success"], Meta(description="Outcome of the call.")]
    message_id: str


def show(row: MessageRow, media: MediaView | None = None, waits: Waits | None = None) -> MessageView:
    """`media`: the file that an inbound message came with, as it stands. `waits`: what a queued one waits for."""
    return MessageView(
        message_id=message_id(row),
        gateway_id=gateway_id(row["id"]),
        instance_id=row["instance_id"],
        direction=row["direction"],
        phone=row["phone"],
        type=row["type"],
        text=row["text"],
        media=None if row["deleted_at"] else media,
        content=content_of(row),
        beside=beside_of(row),
        edited_at=iso(row["edited_at"]),
        deleted_at=iso(row["deleted_at"]),
        status=row["state"],
        status_history=_history(row),
        error=_error(row),
        waits=None if waits is None else MessageWait(code=waits.code, detail=waits.detail, until=iso(waits.until_ms)),
        sent_by=row["sent_by"],
        cost_usd=usd(cost_micros(row)),
        created_at=iso(row["created_at"]),
    )


def _history(row: MessageRow) -> list[StatusStep]:
    if row["direction"] == "in":
        return [StatusStep(status="received", at=iso(row["created_at"]))]
    final = "cancelled" if row["state"] == "cancelled" else "failed"
    steps: list[tuple[int, str]] = []
    for name, column in _STEPS:
        at = row[column]
        if at is not None:
            # The network tells whole seconds; a step is never shown before the one that led to it.
            steps.append((max(at, steps[-1][0] if steps else 0), final if name == "failed" else name))
    if row["failed_at"] is not None:
        # A failure that a later delivery overruled stands where it happened.
        steps = sorted([*steps[:-1], (max(row["failed_at"], row["created_at"]), final)], key=lambda step: step[0])
    return [StatusStep(status=name, at=iso(moment)) for moment, name in steps]


def _error(row: MessageRow) -> MessageError | None:
    if row["error_code"] is None:
        return None
    return MessageError(
        code=row["error_code"], detail=row["error_detail"] or "", network_code=row["error_network_code"]
    )
