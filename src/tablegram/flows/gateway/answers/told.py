"""What programs are told of messages and lines: `data` of their events, field by field."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from tablegram.messaging.incoming import InboundType
from tablegram.messaging.ports import Fault
from tablegram.messaging.rows.messages import Direction

_Writer = TypedDict("_Writer", {"from": str})
# Either side of a message.
Whom = TypedDict("Whom", {"to": str, "from": str}, total=False)


class File(TypedDict):
    """A file before it is here."""

    url: str
    mime_type: str
    filename: str
    size: int | None
    sha256: str
    caption: str


class Place(TypedDict):
    # As the network told them.
    latitude: object
    longitude: object
    name: str
    address: str
    route_url: str | None


class Received(_Writer):
    """A customer has written; `besides` are there too."""

    from_kind: Literal["phone", "user_id"]
    contact_id: str
    sender_name: str
    message_id: str
    timestamp: int
    type: InboundType
    text: NotRequired[str]
    reply_to: NotRequired[str]
    media: NotRequired[File]
    location: NotRequired[Place]
    # The network's own objects.
    contacts: NotRequired[object]
    reaction: NotRequired[object]
    button: NotRequired[object]
    list: NotRequired[object]
    order: NotRequired[object]
    call: NotRequired[object]
    username: NotRequired[str]
    user_id: NotRequired[str]
    parent_user_id: NotRequired[str]


class Reported(TypedDict):
    """A message of ours has changed its state."""

    message_id: str
    gateway_id: str
    to: str
    status: str
    timestamp: int
    error: NotRequired[Fault]


class Rewritten(Whom):
    """Somebody changed what they wrote, or took it back."""

    message_id: str
    gateway_id: str
    direction: Direction
    contact_id: str
    timestamp: int


class Edited(Rewritten):
    type: InboundType
    text: str
    previous_text: str


class LineChanged(TypedDict):
    state: str
    reason: str
    previous: str
    timestamp: int
    until: NotRequired[int]
