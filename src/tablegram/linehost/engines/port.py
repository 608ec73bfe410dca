"""What an engine does for its host, and what the host does for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

# What has other members from one kind to the next, in the protocol's words: contents of messages, events, notes.
Facts = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A message to hand over."""

    to: str
    key: str
    # What it is to be called on the network, where that can be chosen.
    id: str
    content: Facts
    # The message that this one answers; empty for none.
    reply_to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """The file of a message, wanted at `path`."""

    id: str
    path: str
    max_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What the network says of a file; empty where it says nothing."""

    mime_type: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Whether a number is on the network, and by which names."""

    exists: bool
    phone: str
    lid: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedCode:
    """What to type on the phone that lets the device in."""

    code: str
    until_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A sign of life. `heard_s`: how long ago the network last said anything, where that is known."""

    state: str
    phone: str
    heard_s: float | None = None


class Refusal(Exception):
    """An order that was not carried out.

    `again_s`: worth another try after so long; nothing means that it never will be. `sent`: whether the network may
    have it all the same. `holds`: who waits meanwhile, `message`, `recipient` or `line`. `state`: what it tells of
    the line itself, and `until_ms` when that ends.
    """

    def __init__(
        self, code: str, detail: str, *, again_s: float | None = None, sent: str = "no", holds: str = "message",
        state: str = "", network_code: int | None = None, until_ms: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(detail)
        self.code, self.detail, self.again_s, self.sent = code, detail, again_s, sent
        self.holds, self.state, self.network_code, self.until_ms = holds, state, network_code, until_ms


class HostPort(Protocol):
    """What an engine may call, from any thread."""

    folder: Path
    settings: Mapping[str, str]

    def is_sure(self) -> bool:
        """Whether the line is still ours. To be asked right before anything goes out to the network."""
        ...

    def tell(self, kind: str, name: str, data: Facts) -> None:
        """Something happened that must not be lost. When this returns it is on disk, and the network may be told so."""
        ...

    def keep_session(self, session: bytes) -> None:
        """What is needed to come back as the same device; the server keeps it. Nothing means that there is none."""
        ...

    def note(self, kind: str, data: Facts) -> None:
        """How things are; only the newest of a kind counts."""
        ...


class Engine(Protocol):
    """Methods are called one after another, those of `send` and what reads from the network from several threads."""

    name: str
    version: str
    # Kinds of content and orders, and `own_ids` when a message may be given its name on the network.
    can: tuple[str, ...]

    def start(self, host: HostPort, session: bytes | None) -> None:
        """Go online with what was kept, or wait to be paired. Returns at once; notes tell how it goes."""
        ...

    def pair(self, phone: str) -> TypedCode | None:
        """Begin to pair: codes come as notes. With a number, there is one to type on that phone."""
        ...

    def send(self, order: Outgoing) -> str:
        """Hand a message over, once; the network's name for it."""
        ...

    def read(self, message_id: str) -> None: ...

    def typing(self, to: str, state: str) -> None:
        """Show that somebody writes (`typing`), speaks (`recording`) or has stopped (`paused`)."""
        ...

    def fetch(self, order: Fetch) -> Fetched: ...

    def check(self, phone: str) -> Account: ...

    def history(self, since_ms: int) -> int:
        """Tell again what came since a moment, under the names of the first time; how much it was."""
        ...

    def probe(self) -> Standing:
        """Ask the network for a sign of life."""
        ...

    def logout(self) -> None:
        """End the pairing; nothing of it stays."""
        ...

    def took(self, name: str) -> None:
        """The server has stored what was told by this name."""
        ...

    def hush(self) -> None:
        """Let go of the network at once, and do not come back before `start`."""
        ...


@runtime_checkable
class Rehearsing(Protocol):
    """An engine whose network can be made to do something, so that its host can be tried."""

    def rehearse(self, order: Facts) -> Facts: ...
