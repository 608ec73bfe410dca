"""What the sandbox's own calls answer with. What is the network's wire format is JSON."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from tablegram.sandbox.delivery.outbox import Attempt
from tablegram.sandbox.faults import Fault, FaultKind
from tablegram.sandbox.phones.chats import Accepted
from tablegram.sandbox.phones.shown import MessageView


class NumberView(msgspec.Struct, frozen=True):
    """A line, without its secrets."""

    id: str
    display_phone_number: str
    name: str
    waba_id: str
    callback_url: str


class Numbers(msgspec.Struct, frozen=True):
    data: list[NumberView]


class Verified(msgspec.Struct, frozen=True):
    verified: bool
    detail: str


class CallbackCounts(msgspec.Struct, frozen=True):
    pending: int
    delivered: int
    failed_attempts: int


class Counters(msgspec.Struct, frozen=True):
    accepted: int
    duplicates: int
    # Of those that came more than once: how often each.
    by_correlation: dict[str, int]
    inbound: int
    callbacks: CallbackCounts


class Done(msgspec.Struct, frozen=True):
    detail: str


class AcceptedPage(msgspec.Struct, frozen=True):
    data: list[Accepted]
    next_after: int | None


class FaultList(msgspec.Struct, frozen=True):
    data: list[Fault]
    kinds: list[FaultKind]


class PhoneView(msgspec.Struct, frozen=True):
    number: str
    name: str
    user_id: str
    unread: int
    last_message: MessageView | None


class Phones(msgspec.Struct, frozen=True):
    data: list[PhoneView]


class Messages(msgspec.Struct, frozen=True):
    data: list[MessageView]
    next_after: int | None


class Cleared(msgspec.Struct, frozen=True):
    number: str
    messages_removed: int


class ReadNow(msgspec.Struct, frozen=True):
    read: list[str]


class Replayed(msgspec.Struct, frozen=True):
    id: int


class CallbackView(msgspec.Struct, frozen=True):
    """A callback with its attempts. `body` is what the line is posted."""

    id: int
    kind: str
    status: str | None
    state: str
    planned: int
    due: int | None
    tries: int
    attempts: list[Attempt]
    body: Mapping[str, object]


class Inspected(msgspec.Struct, frozen=True):
    message: MessageView
    ids: dict[str, str]
    wire: Mapping[str, object] | str | None
    callbacks: list[CallbackView]
