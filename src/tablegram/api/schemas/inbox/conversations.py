"""Bodies and answers of the calls about conversations and canned replies."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import block, line, moment, optional_line

_MomentText = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
_Shortcut = Annotated[
    str, line(41, "One word of letters, digits and -; what people type after a slash.", "hours", "menü")
]
_Text = Annotated[
    str, block(4_096, "The reply, up to 4,096 characters. {name} becomes the customer's first name.", "We are open.")
]


_Note = Annotated[str, block(4_096, "What the team should know, up to 4,096 characters.", "Allergic to nuts.")]


class CreateNote(Struct, kw_only=True, forbid_unknown_fields=True):
    """Something that only the team reads."""

    text: _Note


class UpdateConversation(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are."""

    seen: Annotated[bool, Meta(description="true: everything was read. false: the last message is unread again.")] | (
        UnsetType
    ) = UNSET
    seen_until: (
        Annotated[str, moment("Only what came up to this last_seen_at was seen, closed or both.")] | UnsetType
    ) = UNSET
    closed: (
        Annotated[bool, Meta(description="A closed conversation opens again by itself when the customer writes.")]
        | UnsetType
    ) = UNSET
    snoozed_until: (
        Annotated[
            Annotated[str, moment("It comes back by itself then, or when the customer writes.")] | None,
            Meta(description="It rests until then, at most a year; null: it comes back now."),
        ]
        | UnsetType
    ) = UNSET
    assigned_to: (
        Annotated[
            Annotated[str, optional_line(64, "A member's id.")] | None,
            Meta(description="The member who looks after it; null or empty: nobody."),
        ]
        | UnsetType
    ) = UNSET


class Assignee(Struct, kw_only=True):
    """The member who looks after a conversation."""

    id: str
    name: str


class LastMessage(Struct, kw_only=True):
    """What was said last, in either direction."""

    direction: Literal["in", "out"]
    type: str
    text: Annotated[str, Meta(description="Its first 160 characters.")]
    status: str
    deleted_at: Annotated[_MomentText | None, Meta(description="When its writer took it back.")] = None
    at: _MomentText


class ConversationView(Struct, kw_only=True):
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
    state: Annotated[
        Literal["open", "closed", "snoozed"],
        Meta(description="Closed until the customer writes again; snoozed until then or snoozed_until."),
    ]
    snoozed_until: _MomentText | None = None
    waiting_since: Annotated[
        _MomentText | None,
        Meta(description="The first message of the customer's that nobody has answered yet; greetings do not count."),
    ] = None
    unread: Annotated[int, Meta(description="Messages of the customer that nobody has seen; 100 means 100 or more.")]
    assigned_to: Assignee | None
    last_message: LastMessage | None
    matched_message: Annotated[
        LastMessage | None, Meta(description="With a search: the newest message with most of its words, if any.")
    ] = None
    last_seen_at: Annotated[_MomentText, Meta(description="The last message from the customer.")]
    last_instance_id: int | None
    window_until: _MomentText | None
    window_open: bool


class ConversationPage(Struct, kw_only=True):
    """Conversations, the last writers first; of those who wait, who waits longest."""

    data: list[ConversationView]
    next_cursor: str | None


class CreateCannedReply(Struct, kw_only=True, forbid_unknown_fields=True):
    """A text that people send often."""

    shortcut: _Shortcut
    text: _Text


class UpdateCannedReply(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are."""

    shortcut: _Shortcut | UnsetType = UNSET
    text: _Text | UnsetType = UNSET
