"""Bodies of the calls about conversations and canned replies."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import block, line, moment, optional_line

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
        Annotated[bool, Meta(description="A closed conversation opens again when the customer writes.")] | UnsetType
    ) = UNSET
    snoozed_until: (
        Annotated[
            Annotated[str, moment("It comes back then, or when the customer writes.")] | None,
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


class CreateCannedReply(Struct, kw_only=True, forbid_unknown_fields=True):
    """A text that people send often."""

    shortcut: _Shortcut
    text: _Text


class UpdateCannedReply(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are."""

    shortcut: _Shortcut | UnsetType = UNSET
    text: _Text | UnsetType = UNSET
