"""What the CRM holds of a person, as an export of their data shows it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.crm.rows import Consent, ConsentPurpose

_MomentText = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


class ContactNote(Struct, kw_only=True, frozen=True):
    """What somebody of the team noted beside their conversation."""

    text: str
    written_by: str
    at: _MomentText


class ContactConsent(Struct, kw_only=True, frozen=True):
    """What they said about being written to."""

    purpose: ConsentPurpose
    state: Consent
    source: str
    text_version: str
    proof: str
    at: _MomentText
