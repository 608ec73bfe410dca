"""Bodies of the calls about printers and tickets."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import line, optional_line
from tablegram.printing.printers.model import Extra
from tablegram.printing.printers.profile import CodePage, Columns, EpsonVersion, Kind

_ONCE_EACH = {"uniqueItems": True}
_Name = Annotated[str, line(60, "What people call it.", "Kitchen printer")]
_VenueId = Annotated[str, line(64, "A venue of the account.")]
_PrinterId = Annotated[str, line(64, "A printer of the same venue.")]
_Station = Annotated[str, line(40, "A station of the venue.", "kitchen")]
_Stations = Annotated[
    list[_Station], Meta(max_length=20, description="Whose tickets it prints.", extra_json_schema=_ONCE_EACH)
]
_Extras = Annotated[
    list[Extra],
    Meta(
        max_length=2, description="Tickets of no station: of all items, or for the guest.", extra_json_schema=_ONCE_EACH
    ),
]
_Copies = Annotated[int, Meta(ge=1, le=5, description="How often each ticket comes out.")]
_Fallback = Annotated[_PrinterId | None, Meta(description="Who takes over what it has not printed. Null: nobody.")]
_FallbackAfter = Annotated[int, Meta(ge=30, le=1_800, description="Seconds after which the other printer takes over.")]


class ProfileFields(Struct, kw_only=True, forbid_unknown_fields=True):
    """What the printer can do, and how it is reached; absent fields stay as they are."""

    columns: (
        Annotated[Columns, Meta(description="Letters in a line: 32 on paper of 58 mm, 42 or 48 on 80 mm.")] | UnsetType
    ) = UNSET
    code_page: (
        Annotated[CodePage, Meta(description="How letters beyond English are sent. cp857 has the Turkish ones.")]
        | UnsetType
    ) = UNSET
    slot: (
        Annotated[int, Meta(ge=0, le=255, description="The number under which the printer has that code page.")]
        | UnsetType
    ) = UNSET
    mode: (
        Annotated[Literal["text", "raster"], Meta(description="raster prints every script, as a picture.")] | UnsetType
    ) = UNSET
    cut: bool | UnsetType = UNSET
    buzzer: bool | UnsetType = UNSET
    drawer: Annotated[bool, Meta(description="Opens the drawer with each receipt.")] | UnsetType = UNSET
    language: (
        Annotated[
            str,
            Meta(pattern="^([a-z]{2})?$", description="Of the words on the paper, two letters; empty: the venue's."),
        ]
        | UnsetType
    ) = UNSET
    host: Annotated[str, optional_line(253, "Its address in the network.", "192.168.1.50")] | UnsetType = UNSET
    port: Annotated[int, Meta(ge=1, le=65_535)] | UnsetType = UNSET
    device: (
        Annotated[str, optional_line(200, "For the agent: a device file or a queue.", "/dev/usb/lp0")] | UnsetType
    ) = UNSET
    epson_version: EpsonVersion | UnsetType = UNSET
    user: Annotated[str, optional_line(80, "Where the printer signs in; empty: it does not.")] | UnsetType = UNSET
    password: Annotated[str, optional_line(200, "Kept sealed, and never shown.")] | UnsetType = UNSET


class CreatePrinter(Struct, kw_only=True, forbid_unknown_fields=True):
    """A new printer."""

    name: _Name
    kind: Annotated[
        Kind,
        Meta(
            description="cloudprnt: Star printers that ask us. epson: Epson printers that ask us. agent: through the program "
            "in the restaurant. direct: in the installation's own network. browser: a station's tablet. sandbox: a "
            "picture on a page."
        ),
    ]
    venue_id: Annotated[_VenueId | None, Meta(description="Null or absent: the default venue.")] = None
    stations: _Stations | UnsetType = UNSET
    extras: _Extras | UnsetType = UNSET
    copies: _Copies | UnsetType = UNSET
    fallback_id: _Fallback | UnsetType = UNSET
    fallback_after_s: _FallbackAfter | UnsetType = UNSET
    profile: ProfileFields | UnsetType = UNSET


class UpdatePrinter(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are. A list that is given replaces the one that was there."""

    name: _Name | UnsetType = UNSET
    stations: _Stations | UnsetType = UNSET
    extras: _Extras | UnsetType = UNSET
    copies: _Copies | UnsetType = UNSET
    fallback_id: _Fallback | UnsetType = UNSET
    fallback_after_s: _FallbackAfter | UnsetType = UNSET
    profile: ProfileFields | UnsetType = UNSET


class ReprintTicket(Struct, kw_only=True, forbid_unknown_fields=True):
    """Where to print it again."""

    printer_id: Annotated[_PrinterId | None, Meta(description="Null or absent: where it was printed before.")] = None
