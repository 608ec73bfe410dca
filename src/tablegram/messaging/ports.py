"""What a line can do, whoever is behind it. Each driver implements `Line`; one contract test runs over all."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Literal, Protocol, TypedDict

import msgspec

from tablegram.engine.leases import Lease
from tablegram.messaging.model import Media, Outbound
from tablegram.storage.database import Statement
from tablegram.values import Json

if TYPE_CHECKING:
    from tablegram.messaging.instances import Instance

LineState = Literal[
    "created", "pairing", "connected", "degraded", "disconnected", "logged_out", "restricted", "needs_attention"
]


@dataclass(frozen=True, slots=True)
class Accepted:
    """The network took the message; `network_id` is its name for it."""

    network_id: str


@dataclass(frozen=True, slots=True)
class NetworkRefused:
    """The network will never take this message. `code` is ours and stable; `network_code` is theirs."""

    code: str
    detail: str
    network_code: int | None = None


@dataclass(frozen=True, slots=True)
class Delayed:
    """Surely not sent; worth another try after `retry_after_s`.

    `holds` says who waits: this message alone, everything to this recipient, or the whole line.
    `line_state` and `detail` become the line's state and reason when the cause is the line itself.
    `max_tries` caps the tries of a cause that may be for good (a file the network cannot fetch).
    """

    code: str
    detail: str
    retry_after_s: float
    holds: Literal["message", "recipient", "line"] = "line"
    line_state: LineState | None = None
    network_code: int | None = None
    max_tries: int | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """The request went out and no answer came back: it may have been sent. Never send again at once."""

    detail: str


@dataclass(frozen=True, slots=True)
class MediaFetched:
    """A file that a customer sent, read to its end. `sha256` is of the bytes that came, in hex."""

    size: int
    sha256: str
    # What the network says of the file, as it says it; either may be empty.
    claimed_type: str = ""
    claimed_sha256: str = ""


Outcome = Accepted | NetworkRefused | Delayed | Unknown


@dataclass(frozen=True, slots=True)
class Health:
    state: LineState
    reason: str
    # The number that people dial, in digits, where the network tells it.
    phone: str = ""
    # When the state ends by itself, where the network tells it.
    until_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """What a person shows to a phone, or types there, to make it the line's own. `code` is what a QR code holds."""

    code: str
    expires_at_ms: int


# Takes what came in over a line by itself, with the network's name for it; returns once it is kept. A driver tells its
# network that it has something only after that, so that a crash loses nothing.
Hear = Callable[[bytes, str], Awaitable[None]]


class NetworkTemplate(msgspec.Struct, frozen=True):
    """A template as the network has it. Status, category, quality and reason are its own words."""

    name: str
    language: str
    status: str
    category: str
    components: list[Json] = []
    id: str = ""
    quality: str = ""
    reason: str = ""


class TemplateCalls(Protocol):
    """What changes templates on the network. None of these raises for what the network does."""

    async def create(
        self, name: str, language: str, category: str, components: list[Json], *, is_named: bool
    ) -> NetworkTemplate | NetworkRefused | Delayed | Unknown:
        """Hand a new template over to be looked at. `template_exists`: there is one of this name and language."""
        ...

    async def edit(self, network_id: str, category: str, components: list[Json]) -> Outcome:
        """Replace what a template holds. `category`: the new one; empty leaves it as it is."""
        ...

    async def delete(self, network_id: str, name: str) -> Outcome:
        """Take away one language of a template. One that is gone already counts as taken away."""
        ...

    async def upload_sample(self, media: Media) -> str | NetworkRefused | Delayed:
        """The network's name of a file that shows what a header will hold."""
        ...


class Line(Protocol):
    """One line of one account. None of its methods raises for what the network does."""

    # It may run in one place at a time: whoever starts it holds the line's lease, and says so with `led_by`.
    is_exclusive: bool

    @property
    def template_calls(self) -> TemplateCalls | None:
        """Nothing where the line needs no templates."""
        ...

    async def led_by(self, lease: Lease) -> None:
        """The line is ours, for as long as the lease is sure. Told again and again; it waits for nobody."""
        ...

    async def start(self, hear: Hear) -> str | None:
        """Make the line ready to be used; returns why it is not, or nothing. Safe to repeat, and repeated at every look.

        What comes in is given to `hear`, by a line that listens by itself. A network that calls us comes to the hook.
        """
        ...

    async def stop(self) -> None:
        """Let go of all that `start` took; the line may be started again."""
        ...

    async def pair(self, phone: str) -> Pairing | NetworkRefused:
        """Begin to pair with a phone: by a QR code, or by a code to type on the phone with this number."""
        ...

    async def transmit(self, message: Outbound) -> Outcome:
        """Hand one message to the network, once. Never retries by itself."""
        ...

    async def mark_read(self, network_id: str) -> Outcome:
        """Tell the network that an inbound message was read."""
        ...

    async def fetch_media(
        self, media_id: str, sink: IO[bytes], max_bytes: int
    ) -> MediaFetched | NetworkRefused | Delayed:
        """Write a file that a customer sent into `sink`. Nothing is known of its contents yet but their size.

        `NetworkRefused`: it is not to be had, whoever asks again (`media_gone`, `media_too_large`). `Delayed`: another try
        may bring it; what `sink` holds then is of no use.
        """
        ...

    async def probe(self) -> Health:
        """Ask the network whether this line works, and why not."""
        ...

    async def templates(self) -> list[NetworkTemplate]:
        """The line's message templates as the network has them. Raises `LineUnreachable`."""
        ...


# Opens a file of our own media store by its key, or says why it cannot be had.
OpenKept = Callable[[str], Awaitable[AsyncIterator[bytes] | NetworkRefused | Delayed]]


class LineUnreachable(Exception):
    """A look-up on the network failed; the text says why, in plain words."""


class Fault(TypedDict):
    """Why a message failed, as programs are told."""

    code: str
    detail: str
    network_code: int | None


class Announcer(Protocol):
    """Tells the account's own programs what happens. Plans are statements for the transaction of the work itself."""

    async def refresh(self, account_id: int) -> None:
        """Call before planning."""
        ...

    def changed(
        self,
        account_id: int,
        instance_id: int,
        key: str,
        network_id: str | None,
        phone: str,
        contact_id: str,
        status: str,
        at_ms: int,
        error: Fault | None = None,
        trace: str | None = None,
    ) -> list[Statement]: ...

    def line_changed(
        self, instance: Instance, state: str, reason: str, until_ms: int | None = None
    ) -> list[Statement]: ...

    def planned(self, account_id: int) -> None:
        """Call after the commit."""
        ...
