"""Bodies of the calls about notifications."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import Phone, block, optional_line
from tablegram.stores.notifications.filling import MAX_TEXT
from tablegram.stores.notifications.kinds import Button
from tablegram.stores.notifications.wordings import MAX_DELAY_MIN, MAX_PHONES

_Text = Annotated[
    str, block(MAX_TEXT, "With variables in braces; `variables` of the notification lists them.", "Hi {name}")
]
_Clock = Annotated[
    str, Meta(pattern="^(([01][0-9]|2[0-3]):[0-5][0-9])?$", description="Empty: none.", examples=["22:00"])
]
_Zone = Annotated[str, optional_line(60, "Empty: that of the recipient's number.", "Europe/Istanbul")]
_Delay = Annotated[int, Meta(ge=0, le=MAX_DELAY_MIN, description="Minutes.", examples=[60])]
_Template = Annotated[
    str,
    Meta(
        pattern="^[a-z0-9_]*$", max_length=512, description="At the network; empty: none.", examples=["order_confirmed"]
    ),
]
_Language = Annotated[str, optional_line(10, "That it was approved in.", "en")]
_Variable = Annotated[str, optional_line(60, "Without braces.", "name")]
_Image = Annotated[
    str,
    Meta(
        pattern=r"^(https://[!-~]+)?$",
        max_length=2_000,
        description="A picture that the network fetches; empty: none.",
        examples=["https://shop.example/thanks.jpg"],
    ),
]


_Picture = Annotated[
    str,
    Meta(
        pattern="^(med_[0-9A-Za-z]+)?$",
        max_length=64,
        description="A picture that was uploaded with POST /media, by its id: from then on it is kept for this notification, "
        "which names it by an id of its own. Empty: none. Of `image_id` and `image_url` the one that is given counts.",
    ),
]


class WordNotification(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; the rest stays as it is."""

    enabled: bool | UnsetType = UNSET
    text: _Text | UnsetType = UNSET
    delay_min: _Delay | UnsetType = UNSET
    quiet_from: _Clock | UnsetType = UNSET
    quiet_until: _Clock | UnsetType = UNSET
    time_zone: _Zone | UnsetType = UNSET
    template_name: _Template | UnsetType = UNSET
    template_language: _Language | UnsetType = UNSET
    template_variables: (
        Annotated[list[_Variable], Meta(max_length=20, description="What its parameters are filled in with, in order.")]
        | UnsetType
    ) = UNSET
    image_url: _Image | UnsetType = UNSET
    image_id: _Picture | UnsetType = UNSET
    buttons: Annotated[list[Button], Meta(max_length=3)] | UnsetType = UNSET
    phones: Annotated[list[Phone], Meta(max_length=MAX_PHONES, description="Of the team, for alerts.")] | UnsetType = (
        UNSET
    )
