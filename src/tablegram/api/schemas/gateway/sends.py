"""Bodies of the calls that send something."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.api.schemas.fields import (
    InstanceId,
    Phone,
    Priority,
    ReplyTo,
    SendAt,
    block,
    line,
    message_id,
    optional_block,
    optional_line,
)
from tablegram.errors import FieldError

MAX_ROWS = 10


class Send(Struct, kw_only=True, forbid_unknown_fields=True):
    """What every send has."""

    phone: Phone
    instance_id: InstanceId = None
    send_at: SendAt = None
    priority: Priority = None
    reply_to: ReplyTo = None


class SendText(Send, kw_only=True, forbid_unknown_fields=True):
    """A text message."""

    message: Annotated[
        str,
        block(
            4_096,
            "Text to send, up to 4,096 characters. *Bold* and _italic_ of the network work.",
            "Your table is ready.",
        ),
    ]


class SendMedia(Send, kw_only=True, forbid_unknown_fields=True):
    """A file from a public address, with a caption."""

    media_url: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=2_048,
            pattern="^https?://[!-~]+$",
            description="Address of the file, for example https://example.com/menu.pdf: https, reachable from the "
            "internet. Or the url of a file that was uploaded to POST /media.",
            extra_json_schema={"format": "media-url"},
            extra={"rule": "url"},
        ),
    ]
    type: Annotated[
        Literal["image", "document", "video", "audio", "sticker"] | None,
        Meta(description="Kind of media. Absent: told from the file."),
    ] = None
    caption: Annotated[
        Annotated[str, optional_block(1_024, "Caption sent with the file.")] | None,
        Meta(description="Text shown under the file, up to 1,024 characters."),
    ] = None
    filename: Annotated[
        Annotated[str, optional_line(240, "Name of the file.")] | None,
        Meta(description="Name that a document is shown with. Absent: the last part of the address."),
    ] = None


class SendTemplate(Send, kw_only=True, forbid_unknown_fields=True):
    """A message from a template that the network has approved."""

    template: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=512,
            pattern="^[a-z0-9_]+$",
            description="Name of the template.",
            examples=["order_confirmation"],
            extra_json_schema={"format": "template-name"},
        ),
    ]
    language: Annotated[
        str,
        Meta(
            min_length=2,
            max_length=12,
            pattern="^[a-z]{2,3}(_[A-Z]{2,3})?$",
            description="Language of the template.",
            examples=["en"],
            extra_json_schema={"format": "template-language"},
        ),
    ]
    parameters: Annotated[
        list[Annotated[str, block(1_024, "Value of one placeholder.")]],
        Meta(max_length=20, description="Values for {{1}}, {{2}}… of the body, in order."),
    ] = []
    components: Annotated[
        list[dict[str, object]],
        Meta(
            max_length=10,
            description="Further components (header, buttons) in the network's own shape.",
            extra_json_schema={"format": "template-components"},
        ),
    ] = []
    category: Annotated[
        Literal["utility", "marketing", "authentication"] | None,
        Meta(description="Category for the cost estimate. Absent: utility."),
    ] = None


class SendLocation(Send, kw_only=True, forbid_unknown_fields=True):
    """A point on the map."""

    latitude: Annotated[float, Meta(ge=-90, le=90, description="Degrees north.", examples=[41.008583])]
    longitude: Annotated[float, Meta(ge=-180, le=180, description="Degrees east.", examples=[28.980175])]
    name: Annotated[
        Annotated[str, optional_line(1_000, "Name of the place.")] | None, Meta(description="Name of the place.")
    ] = None
    address: Annotated[
        Annotated[str, optional_line(1_000, "Its address.")] | None, Meta(description="Address of the place.")
    ] = None


class ContactCard(Struct, kw_only=True, forbid_unknown_fields=True):
    """One contact card."""

    name: Annotated[str, line(256, "Full name.", "Ayşe Yılmaz")]
    phones: Annotated[
        list[
            Annotated[
                str,
                Meta(
                    pattern="^[+]?[0-9][0-9 ()./-]{1,28}$",
                    description="A phone number as it should be shown.",
                    examples=["+90 555 111 22 33"],
                ),
            ]
        ],
        Meta(min_length=1, max_length=10, description="Phone numbers of the contact."),
    ]
    emails: Annotated[
        list[Annotated[str, line(254, "An e-mail address.", "ayse@example.com")]],
        Meta(max_length=10, description="E-mail addresses of the contact."),
    ] = []
    company: Annotated[
        Annotated[str, optional_line(256, "Company.")] | None, Meta(description="Where the contact works.")
    ] = None
    title: Annotated[Annotated[str, optional_line(256, "Title.")] | None, Meta(description="As what.")] = None


class SendContacts(Send, kw_only=True, forbid_unknown_fields=True):
    """Contact cards."""

    contacts: Annotated[list[ContactCard], Meta(min_length=1, max_length=20, description="The cards.")]


class ReplyButton(Struct, kw_only=True, forbid_unknown_fields=True):
    """A button that answers with one tap."""

    id: Annotated[str, line(256, "Comes back in the answer.", "yes")]
    title: Annotated[str, line(20, "Text on the button.", "Yes, please")]


_Header = Annotated[Annotated[str, optional_line(60, "Headline.")] | None, Meta(description="Headline above the text.")]
_Footer = Annotated[
    Annotated[str, optional_line(60, "Small print.")] | None, Meta(description="Small print under the text.")
]


class SendButtons(Send, kw_only=True, forbid_unknown_fields=True):
    """A text with up to three buttons."""

    body: Annotated[str, block(1_024, "Text above the buttons.", "Shall we keep your table?")]
    buttons: Annotated[
        list[ReplyButton], Meta(min_length=1, max_length=3, description="One to three buttons, each with its own id.")
    ]
    header: _Header = None
    footer: _Footer = None

    def problems(self, path: str) -> list[FieldError]:
        return _repeated([button.id for button in self.buttons], f"{path}buttons")


def _repeated(ids: list[str], field: str) -> list[FieldError]:
    """The answer only brings an id back, so two choices with the same one could not be told apart."""
    if len(set(ids)) == len(ids):
        return []
    return [FieldError(field, "repeated", f"{field} has an id twice. Give each choice an id of its own.")]


class ListRow(Struct, kw_only=True, forbid_unknown_fields=True):
    """One choice of a list."""

    id: Annotated[str, line(200, "Comes back in the answer.", "soup")]
    title: Annotated[str, line(24, "Name of the choice.", "Lentil soup")]
    description: Annotated[
        Annotated[str, optional_line(72, "A line about it.")] | None, Meta(description="A line about the choice.")
    ] = None


class ListSection(Struct, kw_only=True, forbid_unknown_fields=True):
    """Choices under a common title."""

    title: Annotated[str, line(24, "Title of the section.", "Starters")]
    rows: Annotated[list[ListRow], Meta(min_length=1, max_length=MAX_ROWS, description="The choices.")]


class SendList(Send, kw_only=True, forbid_unknown_fields=True):
    """A text with a list to choose from: at most 10 rows in all sections together."""

    body: Annotated[str, block(1_024, "Text above the list.", "What would you like?")]
    button: Annotated[str, line(20, "Text on the button that opens the list.", "Choose")]
    sections: Annotated[
        list[ListSection],
        Meta(
            min_length=1,
            max_length=MAX_ROWS,
            description="Sections with at most 10 rows between them, each with its own id.",
        ),
    ]
    header: _Header = None
    footer: _Footer = None

    def problems(self, path: str) -> list[FieldError]:
        ids = [row.id for section in self.sections for row in section.rows]
        if len(ids) <= MAX_ROWS:
            return _repeated(ids, f"{path}sections")
        detail = f"A list holds at most {MAX_ROWS} rows in all; this one has {len(ids)}. Send fewer, or two lists."
        return [FieldError(f"{path}sections", "too_many", detail)]


class React(Struct, kw_only=True, forbid_unknown_fields=True):
    """A reaction to a message."""

    phone: Phone
    message_id: Annotated[str, message_id("Identifier of the message reacted to.")]
    emoji: Annotated[
        str,
        Meta(
            max_length=16,
            # Digits, # and * begin the keycap emoji; other ASCII is no emoji.
            pattern=r"^[^\x00-\x22\x24-\x29\x2b-\x2f\x3a-\x9f\s]*$",
            description="One emoji; empty takes the reaction back.",
            examples=["👍"],
            extra_json_schema={"format": "emoji"},
        ),
    ]
    instance_id: InstanceId = None
