"""Bodies of the calls about couriers and deliveries."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import line, optional_line

_Id = Annotated[str, line(64, "As it was answered before.")]
_Name = Annotated[str, line(60, "What people call them; guests see the first name.", "Mert Aydın")]
_Phone = Annotated[str, optional_line(40, "With the country code; empty for none.", "+905551112233")]
_Language = Annotated[Literal["en", "tr"], Meta(description="Of their messages and their page.")]
_Active = Annotated[bool, Meta(description="Whether orders can be given to them.")]
_MemberId = Annotated[
    Annotated[str, line(64, "A member of the team.")] | None, Meta(description="Null: not of the team.")
]
_Paid = Annotated[
    Literal["cash", "card_on_delivery"] | None,
    Meta(description="Of deliver: what was open was taken on the way. Null: nothing was."),
]


class CreateCourier(Struct, kw_only=True, forbid_unknown_fields=True):
    """Somebody who brings orders."""

    name: _Name
    phone: _Phone = ""
    venue_id: Annotated[_Id | None, Meta(description="A venue of the account; null: the default one.")] = None
    member_id: _MemberId = None
    language: Annotated[_Language | None, Meta(description="Null: the venue's own.")] = None
    active: _Active = True


class UpdateCourier(Struct, kw_only=True, forbid_unknown_fields=True):
    """What changes; absent fields stay as they are."""

    name: _Name | UnsetType = UNSET
    phone: _Phone | UnsetType = UNSET
    member_id: _MemberId | UnsetType = UNSET
    language: _Language | UnsetType = UNSET
    active: _Active | UnsetType = UNSET


class SetShift(Struct, kw_only=True, forbid_unknown_fields=True):
    """Whether somebody works."""

    working: bool


class GivePage(Struct, kw_only=True, forbid_unknown_fields=True):
    """A PIN to a courier's own page, and perhaps another link."""

    new_link: Annotated[bool, Meta(description="Make another link too; the one before leads nowhere then.")] = False


class CountCash(Struct, kw_only=True, forbid_unknown_fields=True):
    """The cash that was handed in."""

    counted_amount: Annotated[
        float, Meta(ge=0, le=1_000_000_000, description="In the currency of the shift.", examples=[1250.5])
    ]
    note: Annotated[str, optional_line(200, "Why it differs.")] = ""


class SetTour(Struct, kw_only=True, forbid_unknown_fields=True):
    """In which order a courier brings what they have."""

    delivery_ids: Annotated[
        Annotated[list[_Id], Meta(max_length=40, extra_json_schema={"uniqueItems": True})] | None,
        Meta(description="First to last; those that are left out come after them. Null: the nearest first."),
    ]


class AssignDelivery(Struct, kw_only=True, forbid_unknown_fields=True):
    """An order, and who brings it."""

    order_id: _Id
    courier_id: _Id


class ActOnDelivery(Struct, kw_only=True, forbid_unknown_fields=True):
    """What comes with a step; most need nothing: `{}`."""

    paid: _Paid = None
    reason: Annotated[str, optional_line(200, "Of bring_back: why.", "Nobody was at home.")] = ""
