"""Bodies of the calls about gift cards."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.api.schemas.fields import Phone, line, moment, optional_line, token

_Id = Annotated[str, token(64, "Its id.")]
_Reason = Annotated[str, line(200, "Why; it is written down.", "Sorry for the long wait")]
_Receiver = Annotated[Phone | None, Meta(description="Who receives it. Whoever is new becomes a contact.")]
_Contact = Annotated[_Id | None, Meta(description="Who receives it, if they are a contact.")]


class CreateGift(Struct, kw_only=True, forbid_unknown_fields=True):
    """A gift card that somebody has paid for, or that is given away."""

    amount: Annotated[
        float, Meta(gt=0, le=1_000_000, description="What it is worth, in the venue's currency.", examples=[500])
    ]
    paid_by: Annotated[
        Literal["cash", "card", "online", "given"],
        Meta(description="How it was paid for. `given`: nobody paid; say why in `reason`."),
    ]
    reason: Annotated[str, optional_line(200, "Why it is given away.", "Sorry for the long wait")] = ""
    venue_id: Annotated[_Id | None, Meta(description="Where it is sold; null: at the default venue.")] = None
    phone: _Receiver = None
    contact_id: _Contact = None
    from_name: Annotated[str, optional_line(80, "Who gives it; the receiver reads it.", "Elif")] = ""
    greeting: Annotated[str, optional_line(300, "What the receiver reads above the code.", "Happy birthday!")] = ""
    language: Annotated[str, Meta(max_length=10, description="Of the message; left out, the venue's first.")] = ""
    expires_at: Annotated[
        Annotated[str, moment("RFC 3339 with an offset.")] | None,
        Meta(description="From when it pays nothing any more; null: it does not expire."),
    ] = None
    sends: Annotated[bool, Meta(description="Whether the receiver gets a message with the code, if there is one.")] = (
        True
    )


class CheckGift(Struct, kw_only=True, forbid_unknown_fields=True):
    """A code."""

    code: Annotated[str, line(64, "As it was typed.", "7kmp q2rx 9tda")]


class SendGift(Struct, kw_only=True, forbid_unknown_fields=True):
    """Who gets the card; nobody named: who has it."""

    phone: _Receiver = None
    contact_id: _Contact = None


class CancelGift(Struct, kw_only=True, forbid_unknown_fields=True):
    """Why a card is to pay nothing any more."""

    reason: _Reason
    gives_money_back: Annotated[
        bool, Meta(description="What is left goes back in money, the way it came. Cash leaves the till.")
    ] = False
