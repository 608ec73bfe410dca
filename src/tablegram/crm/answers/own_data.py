"""What the CRM holds of a person, as an export of their data shows it."""

from __future__ import annotations

from msgspec import Struct

from tablegram.crm.rows import Consent, ConsentPurpose
from tablegram.values.clock import MomentText


class ContactNote(Struct, kw_only=True, frozen=True):
    """What somebody of the team noted beside their conversation."""

    text: str
    written_by: str
    at: MomentText


class ContactConsent(Struct, kw_only=True, frozen=True):
    """What they said about being written to."""

    purpose: ConsentPurpose
    state: Consent
    source: str
    text_version: str
    proof: str
    at: MomentText
