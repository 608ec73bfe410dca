"""A contact as the API shows it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.values.clock import MomentText


class Consent(Struct, kw_only=True, frozen=True):
    """Whether the customer wants to be written to, since when, and where it was said."""

    state: Literal["unknown", "granted", "denied"]
    at: MomentText | None
    source: str


class Alias(Struct, kw_only=True, frozen=True):
    """A name that a network knows the customer by."""

    kind: Annotated[
        str,
        Meta(
            description="phone; user_id where the network hides the number; parent_user_id among several businesses of "
            "one owner; group_id for a group."
        ),
    ]
    value: str


class ContactView(Struct, kw_only=True, frozen=True):
    """A customer."""

    id: str
    name: str
    username: Annotated[str, Meta(description="What the customer calls themselves on the network; often empty.")] = ""
    phones: list[str]
    aliases: list[Alias]
    language: str
    birthday: Annotated[str, Meta(description="Month and day, MM-DD; empty where nobody told it.")] = ""
    tags: list[str]
    notes: str
    consent: Consent
    first_seen_at: Annotated[MomentText, Meta(description="The first message, or when the contact was added.")]
    last_seen_at: Annotated[
        MomentText,
        Meta(
            description="The last message from the customer; before the first one, when window_until is null, "
            "the time at which the contact was added."
        ),
    ]
    last_instance_id: Annotated[int | None, Meta(description="The line that the customer wrote to last.")]
    window_until: Annotated[
        MomentText | None,
        Meta(description="Until when free-form messages may be sent; null before the first message."),
    ]
    window_open: bool


class ContactPage(Struct, kw_only=True, frozen=True):
    """Contacts, those seen last first."""

    data: list[ContactView]
    next_cursor: str | None
