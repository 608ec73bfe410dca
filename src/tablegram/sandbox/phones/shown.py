"""What a phone shows of a message, part by part; kept as JSON, and told to the phones' page."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from tablegram.values import Json


class ShownFile(TypedDict, total=False):
    """A file that the network has, or the link to one that it never fetched."""

    kind: str
    id: str
    mime_type: str
    size: int
    sha256: str
    filename: str
    url: str
    link: str


class ShownPlace(TypedDict):
    latitude: float
    longitude: float
    name: NotRequired[str | None]
    address: NotRequired[str | None]


class Choice(TypedDict):
    """A button or a row of a list."""

    id: str
    title: str
    description: NotRequired[str | None]


class Section(TypedDict):
    title: str | None
    rows: list[Choice]


class ChoiceList(TypedDict):
    # What opens it.
    button: str
    sections: list[Section]


class LinkButton(TypedDict):
    title: str
    url: str


class Reaction(TypedDict):
    message_id: str
    # Empty: taken back.
    emoji: str


class TemplateName(TypedDict):
    name: str
    language: str


class Content(TypedDict, total=False):
    """Only what the message has."""

    text: str | None
    header: str | None
    footer: str | None
    media: ShownFile | None
    location: ShownPlace | None
    # As they were written.
    contacts: list[Json] | None
    reaction: Reaction
    buttons: list[Choice] | None
    list: ChoiceList
    link_button: LinkButton
    location_request: bool
    # What a customer has tapped.
    choice: Choice
    template: TemplateName
    # What the message is charged as.
    category: str


_Ends = TypedDict("_Ends", {"from": str, "to": str})


class MessageView(Content, _Ends):
    """A message as the phones' API shows it."""

    seq: int
    id: str
    direction: str
    phone: str
    number_id: str
    type: str
    status: str
    timestamp: int
    context: str | None
    correlation: str | None
