"""What a row of the store holds, column by column."""

from __future__ import annotations

from typing import Literal, TypedDict

# What a contact says of being written to.
Consent = Literal["granted", "denied", "unknown"]


class NewContact(TypedDict):
    account_id: int
    id: str
    name: str
    name_is_own: int
    username: str
    birthday: str
    language: str
    # A list as JSON.
    tags: str
    notes: str
    consent: Consent
    consent_at: int | None
    consent_source: str
    last_instance_id: int | None
    first_seen_at: int
    last_seen_at: int
    window_until: int | None


class ContactRow(NewContact):
    # The contact that answers for it, where it was merged.
    merged_into: str | None
