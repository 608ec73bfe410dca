"""Which callbacks follow from an event on the network, when, and how faults bend them.

Faults act when a callback is planned, not when it is posted: what is in the file is what will
happen, also after a restart.
"""

from __future__ import annotations

from collections.abc import Mapping

from tablegram.sandbox.delivery import callbacks
from tablegram.sandbox.delivery.callbacks import Value
from tablegram.sandbox.delivery.outbox import Planned
from tablegram.sandbox.faults import Fault
from tablegram.sandbox.graph.errors import StatusError
from tablegram.sandbox.phones.chats import Message, Phone
from tablegram.values import Json

# How soon after acceptance a status comes: soon enough for a demo, late enough to be seen turning.
SENT_AFTER_MS = 20
DELIVERED_AFTER_MS = 70
# A customer's message that is overtaken waits this long for the next one to pass.
_OVERTAKEN_MS = 1_000


def after_acceptance(
    message: Message, phone: Phone, bends: Mapping[str, Fault], error: StatusError | None
) -> list[Planned]:
    """`sent` and `delivered`, or `failed` when the network changed its mind."""
    steps = [("failed", SENT_AFTER_MS)] if error else [("sent", SENT_AFTER_MS), ("delivered", DELIVERED_AFTER_MS)]
    if "reordered" in bends:
        moments = [delay for _, delay in steps]
        steps = [(status, delay) for (status, _), delay in zip(steps, reversed(moments), strict=True)]
    held_ms = bends["held"].ms if "held" in bends else 0
    planned = []
    for status, delay in steps:
        at_ms = message.at_ms + delay + held_ms
        value = callbacks.status_value(
            message, phone, status, at_ms, error=error, in_ms="millisecond_timestamps" in bends
        )
        planned.append(_status(message, status, value, at_ms))
    return _bend(planned, bends)


def after_reading(message: Message, phone: Phone, now_ms: int, bends: Mapping[str, Fault]) -> list[Planned]:
    """`read`, planned no earlier than `delivered`: a page that shows a message at once reads it sooner than its line is told.

    It can still be told first: where a fault delays callbacks, or a `delivered` that nobody took is sent again later.
    """
    at_ms = max(now_ms, message.at_ms + DELIVERED_AFTER_MS)
    value = callbacks.status_value(message, phone, "read", at_ms, in_ms="millisecond_timestamps" in bends)
    return _bend([_status(message, "read", value, at_ms)], bends)


def after_writing(message: Message, phone: Phone, wire: Json, bends: Mapping[str, Fault]) -> list[Planned]:
    value = callbacks.inbound_value(
        message,
        phone,
        wire,
        with_profile="missing_profile" not in bends,
        with_phone="sender_without_phone" not in bends,
        in_ms="millisecond_timestamps" in bends,
    )
    late = _OVERTAKEN_MS if "reordered" in bends else 0
    planned = Planned(
        number_id=message.number_id,
        order_key=message.phone,
        kind="message",
        message_id=message.id,
        status=None,
        value=value,
        due_ms=message.at_ms + late,
    )
    return _bend([planned], bends)


def _status(message: Message, status: str, value: Value, due_ms: int) -> Planned:
    return Planned(
        number_id=message.number_id,
        order_key=message.id,
        kind="status",
        message_id=message.id,
        status=status,
        value=value,
        due_ms=due_ms,
    )


def after_saying(message: Message, phone: Phone, owner: str, number_id: str) -> Planned:
    """What the owner wrote on the phone itself, as a device hears of it."""
    value = callbacks.echo_value(message, phone, owner)
    return Planned(
        number_id=number_id, order_key=phone.number, kind="echo", message_id=message.id, status=None, value=value,
        due_ms=message.at_ms,
    )  # fmt: skip


def _bend(planned: list[Planned], bends: Mapping[str, Fault]) -> list[Planned]:
    late = bends["delayed_callbacks"].ms if "delayed_callbacks" in bends else 0
    window = max(bends["batched"].ms, 1) if "batched" in bends else 1
    bent = [
        Planned(
            number_id=item.number_id,
            order_key=item.order_key,
            kind=item.kind,
            message_id=item.message_id,
            status=item.status,
            value=item.value,
            due_ms=_next_multiple(item.due_ms + late, window),
            batched="batched" in bends,
            silent="no_callbacks" in bends,
        )
        for item in planned
    ]
    return [item for item in bent for _ in range(2)] if "duplicated" in bends else bent


def _next_multiple(at_ms: int, window_ms: int) -> int:
    """The end of the window that a moment lies in: callbacks of one window are due together."""
    return -(-at_ms // window_ms) * window_ms
