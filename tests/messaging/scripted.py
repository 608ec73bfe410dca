"""A line whose network is a script: it remembers what it was asked, and says what it was told to say."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field

from tablegram.messaging.model import Outbound, Text
from tablegram.messaging.ports import Accepted, Health, LineUnreachable, NetworkTemplate, Outcome


@dataclass
class ScriptedLine:
    """Answers from `script`, then from `by_phone`, then accepts. While `gate` is closed every answer waits."""

    name: str = "line"
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
    unreachable: str = ""
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.gate.set()

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
