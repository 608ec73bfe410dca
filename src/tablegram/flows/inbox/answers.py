"""What the flows of the inbox answer with. The same structs draw the OpenAPI document and are sent."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.values.clock import MomentText


class CannedReplyView(Struct, kw_only=True, frozen=True):
    """A canned reply."""

    id: str
    shortcut: str
    text: str
    updated_at: MomentText
    updated_by: Annotated[str, Meta(description="Who changed it last: a person's or a key's name.")]


class CannedReplyPage(Struct, kw_only=True, frozen=True):
    """Canned replies in the order of their shortcuts."""

    data: list[CannedReplyView]
    next_cursor: str | None


class Assignee(Struct, kw_only=True, frozen=True):
    """The member who looks after a conversation."""

    id: str
    name: str


class LastMessage(Struct, kw_only=True, frozen=True):
    """What was said last, in either direction."""

    direction: Literal["in", "out"]
    type: str
    text: Annotated[str, Meta(description="Its first 160 characters.")]
    deleted_at: Annotated[MomentText | None, Meta(description="When its writer took it back.")] = None
    status: str
    at: MomentText


class ConversationView(Struct, kw_only=True, frozen=True):
    """Everything said with one contact, on all lines."""

    contact_id: str
    name: str
    phones: list[str]
    addresses: Annotated[
        list[str],
        Meta(description="Where a message goes: the numbers, then the network's ids of who hides the number."),
    ] = []
    is_group: bool = False
    tags: list[str]
    unread: Annotated[int, Meta(description="Messages of the customer that nobody has seen; 100 means 100 or more.")]
    assigned_to: Assignee | None
    last_message: LastMessage | None
    last_seen_at: Annotated[MomentText, Meta(description="The last message from the customer.")]
    last_instance_id: int | None
    window_until: MomentText | None
    window_open: bool
    state: Annotated[
        Literal["open", "closed", "snoozed"],
        Meta(description="Closed until the customer writes again; snoozed until then or snoozed_until."),
    ]
    snoozed_until: MomentText | None = None
    waiting_since: Annotated[
        MomentText | None,
        Meta(description="The first message of the customer's that nobody has answered yet; greetings do not count."),
    ] = None
    matched_message: Annotated[
        LastMessage | None, Meta(description="With a search: the newest message with most of its words, if any.")
    ] = None


class ConversationPage(Struct, kw_only=True, frozen=True):
    """Conversations, the last writers first; of those who wait, who waits longest."""

    data: list[ConversationView]
    next_cursor: str | None
