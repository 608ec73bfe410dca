"""Bodies of the calls about addresses of contacts."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.delivery.points import Latitude, Longitude
from tablegram.api.schemas.fields import line, optional_line

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
