"""What a message is, apart from any network: its kinds, its content, its states."""

from __future__ import annotations

from typing import Literal

import msgspec

from tablegram.values import Json, mapping, string

MEDIA_TYPES = ("image", "document", "video", "audio", "sticker")

MIB = 1_048_576
# The network's own caps; a larger file is refused before anything is stored.
MEDIA_MAX_BYTES = {
    "image": 5 * MIB,
    "audio": 16 * MIB,
    "video": 16 * MIB,
    "document": 100 * MIB,
    "sticker": 500 * 1024,
}


class Text(msgspec.Struct, tag="text", frozen=True):
    body: str


# Begins the address of a file in our own media store; what follows is its key there.
KEPT = "kept:"


class Media(msgspec.Struct, tag="media", frozen=True):
    """A file by its address. `by_link`: the network can fetch it itself; else we upload it."""

    kind: Literal["image", "document", "video", "audio", "sticker"]
    url: str
    by_link: bool
    caption: str = ""
    filename: str = ""
    mime_type: str = ""


class Location(msgspec.Struct, tag="location", frozen=True):
    latitude: float
    longitude: float
    name: str = ""
    address: str = ""


class Contacts(msgspec.Struct, tag="contacts", frozen=True):
    """Contact cards in the network's own shape, checked at the edge."""

    contacts: list[Json]


class Template(msgspec.Struct, tag="template", frozen=True):
    name: str
    language: str
    components: list[Json] = []
    category: str = "utility"


class Button(msgspec.Struct, frozen=True):
    id: str
    title: str


class Buttons(msgspec.Struct, tag="buttons", frozen=True):
    body: str
    buttons: list[Button]
    header: str = ""
    footer: str = ""


class Row(msgspec.Struct, frozen=True):
    id: str
    title: str
    description: str = ""


class Section(msgspec.Struct, frozen=True):
    rows: list[Row]
    title: str = ""


class ListMenu(msgspec.Struct, tag="list", frozen=True):
    body: str
    button: str
    sections: list[Section]
    header: str = ""
    footer: str = ""


class PlaceRequest(msgspec.Struct, tag="location_request", frozen=True):
    """A text with a button that shares where the phone is. A line that has no such button sends the words."""

    body: str


class LinkButton(msgspec.Struct, tag="link_button", frozen=True):
    """A text with one button that opens an address. A line that has no such button sends the address below the text."""

    body: str
    title: str
    url: str


class Reaction(msgspec.Struct, tag="reaction", frozen=True):
    """An empty emoji takes the reaction back. `network_id` is the message reacted to."""

    network_id: str
    emoji: str


Content = Text | Media | Location | Contacts | Template | Buttons | ListMenu | PlaceRequest | LinkButton | Reaction

# What a message is priced by.
Category = Literal["service", "utility", "marketing", "authentication"]


def type_of(content: Content) -> str:
    return content.kind if isinstance(content, Media) else str(content.__struct_config__.tag)


def words_of(content: Content) -> str:
    """The words that stand for a message in lists and look-ups."""
    match content:
        case Text():
            return content.body
        case Media():
            return content.caption
        case Location():
            return content.name or content.address or f"{content.latitude:.6f},{content.longitude:.6f}"
        case Contacts():
            return ", ".join(string(mapping(card.get("name")).get("formatted_name")) for card in content.contacts)
        case Template():
            return content.name
        case Buttons() | ListMenu() | PlaceRequest() | LinkButton():
            return content.body
        case Reaction():
            return content.emoji


def category_of(content: Content) -> str:
    """A template is of the category that the network approved it for; all else is part of a conversation."""
    return content.category if isinstance(content, Template) else "service"


class Outbound(msgspec.Struct, frozen=True):
    """One message as a line sends it. `correlation` comes back in the network's callbacks."""

    correlation: str
    phone: str
    content: Content
    reply_to: str = ""


class Stored(msgspec.Struct, frozen=True):
    """A message's content as the store keeps it."""

    content: Content
    reply_to: str = ""


# The smaller the figure, the earlier a message goes: orders and payments, then what programs send, then campaigns.
URGENT, NORMAL, BULK = PRIORITIES = 0, 10, 20
