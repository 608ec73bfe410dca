"""A bus over something that carries words between processes: gathers what is told, and connects again by itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Protocol

from tablegram.engine.bus.company import ANSWERED, ASKED, EVERY_S, TOPIC, Company
from tablegram.engine.bus.port import Listener
from tablegram.engine.timers import Bell

log = logging.getLogger("tablegram.bus")

# PostgreSQL takes 8,000 bytes in one notification, and others more.
MAX_BYTES = 7_900
# More than these wait only while the carrier is away; whoever would hear them then looks by itself.
MAX_WAITING = 2_000
# A connection that a firewall has dropped is silent for ever, unless it is asked.
PROBE_EVERY_S = EVERY_S
TRY_AGAIN_S = 2.0
# Who leaves waits no longer than this to say so.
LAST_WITHIN_S = 1.0


class Link(Protocol):
    """One connection."""

    @property
    def is_open(self) -> bool: ...

    async def send(self, words: str) -> None:
        """Hand words to everybody else who is connected. Raises `OSError` when that cannot be."""

    async def probe(self, within_s: float) -> None:
        """Ask whether the other side is still there. Raises `OSError` when it does not answer."""

    async def close(self) -> None:
        """Let go of it, however broken it is."""


class Carrier(Protocol):
    """What carries words. Its own errors come as `OSError`, in words that hold no password."""

    name: str
    # The first word goes out at once; those that follow are gathered for so long, so that a busy process costs the others little.
    gather_s: float

    async def connect(self, heard: Callable[[str], None], broken: Callable[[], None]) -> Link:
        """A connection on which `heard` is called with what others send, never with what we do; and `broken` at its end."""


class CarriedBus:
    def __init__(self, carrier: Carrier) -> None:
        self._carrier = carrier
        self._listeners: dict[str, list[Listener]] = {}
        # In the order in which they came, each once.
        self._waiting: dict[str, None] = {}
        self._bell = Bell()
        self._connected = False
        self._told = self._words = 0
        self._company = Company()

    @property
    def is_alone(self) -> bool:
        return self._company.is_alone

    @property
    def is_connected(self) -> bool:
        return self._connected

    def listen(self, topic: str, listener: Listener) -> None:
        self._listeners.setdefault(topic, []).append(listener)

    def tell(self, topic: str, word: str) -> None:
        if not self.is_alone:
            self._say(topic, word)

    def _say(self, topic: str, word: str) -> None:
        if len(self._waiting) < MAX_WAITING:
            self._waiting[f"{topic} {word}"] = None
            self._bell.ring()

    async def tell_last(self, topic: str, word: str) -> None:
        try:
            async with asyncio.timeout(LAST_WITHIN_S):
                link = await self._carrier.connect(lambda _: None, lambda: None)
                try:
                    await link.send(f"{topic} {word}")
                    # What is handed over may still wait on this side.
                    await link.probe(LAST_WITHIN_S)
                    self._told += 1
                finally:
                    await link.close()
        except (OSError, TimeoutError) as error:
            log.debug("nobody was told of the end (%s): %s", self._carrier.name, error)

    async def attend(self) -> None:
        is_well = True
        while True:
            try:
                await self._talk()
                is_well = True
            except OSError as error:
                # Said once; until then everybody looks by themselves.
                level = logging.WARNING if is_well else logging.DEBUG
                log.log(level, "other processes are not heard (%s): %s", self._carrier.name, error)
                is_well = False
            self._waiting.clear()
            await asyncio.sleep(TRY_AGAIN_S)

    async def _talk(self) -> None:
        """Until the connection breaks."""
        link = await self._carrier.connect(self._heard, self._bell.ring)
        try:
            self._connected = True
            await link.send(f"{TOPIC} {ASKED}")
            self._company.connected()
            while link.is_open:
                if not await self._bell.wait(PROBE_EVERY_S):
                    await link.probe(PROBE_EVERY_S)
                    await link.send(f"{TOPIC} {ANSWERED}")
                    continue
                for words in self._gathered():
                    await link.send(words)
                await asyncio.sleep(self._carrier.gather_s)
        finally:
            self._connected = False
            self._company.parted()
            await link.close()
        log.info("the connection to other processes ended (%s)", self._carrier.name)

    def _gathered(self) -> list[str]:
        """What waits, in as few pieces as it fits into."""
        words, self._waiting = list(self._waiting), {}
        together: list[str] = []
        room = 0
        for word in words:
            size = len(word.encode()) + 1
            if size > MAX_BYTES:
                continue
            self._told += 1
            if size > room:
                together.append(word)
                room = MAX_BYTES - size
            else:
                together[-1] += f"\n{word}"
                room -= size
        return together

    def _heard(self, words: str) -> None:
        self._company.heard()
        for line in words.split("\n"):
            topic, _, word = line.partition(" ")
            if topic == TOPIC:
                if word == ASKED:
                    self._say(TOPIC, ANSWERED)
                continue
            self._words += 1
            for listener in self._listeners.get(topic, ()):
                try:
                    listener(word)
                except Exception:
                    log.exception("a word of another process was not understood")

    async def figures(self) -> Mapping[str, float]:
        return {
            f'bus_connected{{carrier="{self._carrier.name}"}}': float(self._connected),
            "bus_told_total": self._told,
            "bus_heard_total": self._words,
        }
