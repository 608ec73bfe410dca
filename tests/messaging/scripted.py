"""A line whose network is a script: it remembers what it was asked, and says what it was told to say."""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from dataclasses import dataclass, field
from typing import IO, Any

from tablegram.engine.leases import Lease
from tablegram.messaging.model import Outbound, Text
from tablegram.messaging.ports import (
    Accepted,
    Delayed,
    Health,
    Hear,
    LineUnreachable,
    MediaFetched,
    NetworkRefused,
    NetworkTemplate,
    Outcome,
    Pairing,
    TemplateCalls,
)


@dataclass
class ScriptedLine:
    """Answers from `script`, then from `by_phone`, then accepts. While `gate` is closed every answer waits."""

    name: str = "line"
    is_exclusive: bool = False
    script: deque[Outcome] = field(default_factory=deque)
    by_phone: dict[str, Outcome] = field(default_factory=dict)
    # Everything that was handed over, in order, and what is being answered right now.
    seen: list[Outbound] = field(default_factory=list)
    in_flight: list[str] = field(default_factory=list)
    most_in_flight: int = 0
    most_to_one: int = 0
    read: list[str] = field(default_factory=list)
    health: Health = field(default_factory=lambda: Health("connected", ""))
    known_templates: list[NetworkTemplate] = field(default_factory=list)
    template_calls: TemplateCalls | None = None
    unreachable: str = ""
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    # Files that customers have sent, by the network's id; `file_script` answers first, and a missing file is gone.
    files: dict[str, bytes] = field(default_factory=dict)
    file_script: deque[NetworkRefused | Delayed | bytes] = field(default_factory=deque)
    fetched: list[str] = field(default_factory=list)
    most_fetching: int = 0
    _fetching: int = 0

    # Why it cannot be started; where what it hears goes; how often it was stopped.
    not_ready: str | None = None
    hear: Hear | None = None
    stops: int = 0
    # Closed while it cannot be started; the lease that it was last told to have.
    door: asyncio.Event = field(default_factory=asyncio.Event)
    lease: Lease | None = None

    def __post_init__(self) -> None:
        self.gate.set()
        self.door.set()

    async def led_by(self, lease: Lease) -> None:
        self.lease = lease

    async def start(self, hear: Hear) -> str | None:
        await self.door.wait()
        self.hear = hear
        return self.not_ready

    async def stop(self) -> None:
        self.hear = None
        self.stops += 1

    async def pair(self, phone: str) -> Pairing | NetworkRefused:
        return Pairing(f"{self.name} {phone}", 0)

    async def transmit(self, message: Outbound) -> Outcome:
        self.seen.append(message)
        number = len(self.seen)
        self.in_flight.append(message.phone)
        self.most_in_flight = max(self.most_in_flight, len(self.in_flight))
        self.most_to_one = max(self.most_to_one, self.in_flight.count(message.phone))
        try:
            await asyncio.sleep(0)
            await self.gate.wait()
        finally:
            self.in_flight.remove(message.phone)
        if self.script:
            return self.script.popleft()
        return self.by_phone.get(message.phone) or Accepted(f"wamid.{self.name}.{number}")

    async def fetch_media(
        self, media_id: str, sink: IO[bytes], max_bytes: int
    ) -> MediaFetched | NetworkRefused | Delayed:
        self.fetched.append(media_id)
        self._fetching += 1
        self.most_fetching = max(self.most_fetching, self._fetching)
        try:
            await asyncio.sleep(0)
            await self.gate.wait()
        finally:
            self._fetching -= 1
        content = self.file_script.popleft() if self.file_script else self.files.get(media_id)
        if content is None:
            return NetworkRefused("media_gone", "gone")
        if not isinstance(content, bytes):
            return content
        if len(content) > max_bytes:
            return NetworkRefused("media_too_large", "too large")
        sink.write(content)
        return MediaFetched(len(content), hashlib.sha256(content).hexdigest())

    async def mark_read(self, network_id: str) -> Outcome:
        self.read.append(network_id)
        return self.script.popleft() if self.script else Accepted(network_id)

    async def probe(self) -> Health:
        return self.health

    async def templates(self) -> list[NetworkTemplate]:
        if self.unreachable:
            raise LineUnreachable(self.unreachable)
        return self.known_templates

    def texts(self, phone: str | None = None) -> list[str]:
        """What was said, in order, to everybody or to one."""
        return [
            message.content.body
            for message in self.seen
            if isinstance(message.content, Text) and phone in (None, message.phone)
        ]


def delayed(holds: Any, retry_after_s: float = 5.0, **more: Any) -> Delayed:
    return Delayed("slow_down", "Too fast.", retry_after_s, holds, **more)
