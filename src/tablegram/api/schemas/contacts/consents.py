"""Bodies and answers of the calls about consent."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.api.schemas.fields import block, line, optional_line, token
from tablegram.values.clock import MomentText

_Purpose = Literal["orders", "marketing"]
_State = Literal["granted", "denied", "unknown"]


class NoteConsent(Struct, kw_only=True, forbid_unknown_fields=True):
    """What a customer said about being written to, somewhere else than here."""

    contact_id: Annotated[str, token(64, "The contact who said it.")]
    state: Annotated[_State, Meta(description="granted, denied, or unknown where it is taken back.")]
    source: Annotated[str, line(200, "Where it was said.", "Card at the till")]
    purpose: Annotated[_Purpose, Meta(description="What for: advertising, or news of orders.")] = "marketing"
    text_version: Annotated[
        Annotated[str, optional_line(60, "Version.", "tr-3")] | None,
        Meta(description="Which wording they agreed to, where there is one."),
    ] = None
    proof: Annotated[
        Annotated[str, optional_line(500, "Proof.", "form 4711")] | None,
        Meta(description="What shows it. Needed to grant marketing."),
    ] = None
    at: Annotated[MomentText | None, Meta(description="When it was said, RFC 3339 with an offset. Absent: now.")] = None


class WriteConsentText(Struct, kw_only=True, forbid_unknown_fields=True):
    """What customers are asked from now on."""

    language: Annotated[str, Meta(pattern="^[a-z]{2}$", description="Two letters.", examples=["tr"])]
    words: Annotated[str, block(1_000, "The sentence that they agree to. Name your business in it.")]
