"""Bodies of the calls about templates."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import InstanceId, block, line, optional_line
from tablegram.messaging.templates.model import ButtonKind, Category, Format

_Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=512,
        pattern="^[a-z0-9_]+$",
        description="What messages are sent by: small letters, digits and _. It never changes.",
        examples=["order_ready"],
    ),
]
_Language = Annotated[
    str,
    Meta(
        min_length=2,
        max_length=7,
        pattern="^[a-z]{2,3}(_[A-Z]{2,3})?$",
        description="The language it is written in, as the network names it. It never changes.",
        examples=["en", "tr"],
    ),
]
_Category = Annotated[Category, Meta(description="marketing for offers, utility for news about an order or a booking.")]
_Text = Annotated[
    str,
    block(
        1_024,
        "What the message says, with variables {{1}}, {{2}} in it, or with names, {{first_name}}. A variable is neither the "
        "first nor the last thing.",
        "Hello {{1}}, your order {{2}} is ready. See you soon!",
    ),
]
_Examples = Annotated[
    list[Annotated[str, line(200, "What a variable may become.", "Ayşe")]],
    Meta(max_length=20, description="One for each variable of the text, in its order."),
]
_Footer = Annotated[str, optional_line(60, "Small words below the text, without variables. Empty: none.")]


class TemplateHeader(Struct, kw_only=True, forbid_unknown_fields=True):
    """What is shown above the text."""

    format: Annotated[
        Format,
        Meta(
            description="text: a line of words. image, video, document: each message brings a file. location: a place."
        ),
    ]
    text: Annotated[str, optional_line(60, "The words, with one variable at most.")] = ""
    example: Annotated[str, optional_line(200, "What the variable may become.")] = ""
    media_id: Annotated[
        str,
        optional_line(64, "An uploaded file (POST /media) that shows the network what is meant. Needs messages:send."),
    ] = ""


class TemplateButtonBody(Struct, kw_only=True, forbid_unknown_fields=True):
    """A button below the text."""

    type: Annotated[ButtonKind, Meta(description="At most 2 of url, 1 of phone, 1 of copy_code; 10 in all.")]
    text: Annotated[str, optional_line(25, "What it says.", "Track it")] = ""
    url: Annotated[
        str, optional_line(2_000, "Where it leads; may end in a variable.", "https://shop.example/t/{{1}}")
    ] = ""
    phone: Annotated[str, optional_line(20, "The number that it calls, with its country code.", "+905551112233")] = ""
    example: Annotated[str, optional_line(2_000, "What the variable of the address may become; the code to copy.")] = ""


_Buttons = Annotated[
    list[TemplateButtonBody],
    Meta(max_length=10, description="Quick replies stand together, before the other buttons or after them."),
]


class CreateTemplate(Struct, kw_only=True, forbid_unknown_fields=True):
    """A template for the network to look at."""

    name: _Name
    language: _Language
    category: _Category
    text: _Text
    examples: _Examples = []
    header: Annotated[TemplateHeader | None, Meta(description="Absent or null: no header.")] = None
    footer: _Footer = ""
    buttons: _Buttons = []
    instance_id: InstanceId = None


class UpdateTemplate(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are. A header that is a file has to be given its file again."""

    category: _Category | UnsetType = UNSET
    text: _Text | UnsetType = UNSET
    examples: _Examples | UnsetType = UNSET
    header: Annotated[TemplateHeader | UnsetType | None, Meta(description="null takes it away.")] = UNSET
    footer: _Footer | UnsetType = UNSET
    buttons: _Buttons | UnsetType = UNSET


class SyncTemplates(Struct, kw_only=True, forbid_unknown_fields=True):
    """Whose templates to ask the network for."""

    instance_id: InstanceId = None
