"""Bodies and answers of the calls about addresses of contacts."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.delivery.points import Latitude, Longitude
from tablegram.api.schemas.fields import line, optional_line
from tablegram.api.schemas.restaurant.venues import MomentText

_Label = Annotated[str, optional_line(40, "Home, work, or whatever its owner calls it.", "Ev")]
_Address = Annotated[str, line(300, "In words, as a courier needs it.", "Moda Caddesi 12, daire 5, Kadıköy")]
_Latitude = Annotated[Latitude | None, Meta(description="With `longitude`: the door. Null: nobody knows.")]
_Longitude = Annotated[Longitude | None, Meta(description="With `latitude`: the door. Null: nobody knows.")]


class CreateAddress(Struct, kw_only=True, forbid_unknown_fields=True):
    """An address of a contact."""

    address: _Address
    label: _Label = ""
    latitude: _Latitude = None
    longitude: _Longitude = None


class UpdateAddress(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are. Other words without a coordinate take the old one away."""

    address: _Address | UnsetType = UNSET
    label: _Label | UnsetType = UNSET
    latitude: _Latitude | UnsetType = UNSET
    longitude: _Longitude | UnsetType = UNSET


class AddressView(Struct, kw_only=True):
    """An address of a contact."""

    id: str
    contact_id: str
    label: str
    address: str
    latitude: float | None
    longitude: float | None
    route_url: Annotated[str, Meta(description="Directions to the door; empty without a coordinate.")]
    used_at: MomentText
    created_at: MomentText
    updated_at: MomentText


class AddressPage(Struct, kw_only=True):
    """Addresses of a contact, the last used first."""

    data: list[AddressView]
    next_cursor: str | None
