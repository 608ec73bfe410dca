"""Who answers what customers write: asked one after another, and the first that answers ends it.

A domain that has something to say to customers brings an `Answerer`; nobody else has to know it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from tablegram.crm.contacts import Recognised
from tablegram.messaging.incoming import InboundMessage
from tablegram.storage.database import Statement, Tx

# Whoever has the smaller figure is asked first. Who is out to bring something speaks of that; a guest who orders hears
# about the order and nothing else. Who wants no advertising is heard by all means, and leaves to orders what they wait for.
COURIERS, CONSENT, ORDERS, AUTO_REPLIES, LAST_WORD = 40, 42, 50, 90, 99


class Written(msgspec.Struct, frozen=True):
    """What a customer wrote, and to which line."""

    account_id: int
    instance_id: int
    message: InboundMessage
    # How often working it in has failed.
    failures: int = 0
    # `edited` where they have changed what they wrote before, `deleted` where they took it back.
    change: str = ""


class Heard(msgspec.Struct, frozen=True):
    """The same once it is kept: who wrote it, and the key of the message."""

    written: Written
    contact: Recognised
    message_key: str


class Answered(msgspec.Struct, frozen=True):
    """It was answered, or an answer was not called for; whoever comes later in the order is not asked."""

    # The events that follow from it.
    statements: Sequence[Statement] = ()
    # It went through by itself, so that nobody of the team has to look at it.
    is_settled: bool = False


class Answerer(Protocol):
    @property
    def precedence(self) -> int: ...

    @property
    def max_failures(self) -> int:
        """After so many failures of a message it is not asked about it any more: a fault of ours must not cost the
        message itself."""
        ...

    async def prepare(self, written: Sequence[Written]) -> None:
        """Read what answering these needs, before the transaction."""
        ...

    async def answer(self, tx: Tx, heard: Heard) -> Answered | None:
        """Answer a message that was not seen before, in the transaction that keeps it; or leave it to others."""
        ...

    def committed(self) -> None:
        """What was answered is committed: it may be sent."""
        ...


class Answerers:
    """All of them. The list may still grow until the first message comes."""

    def __init__(self, answerers: Sequence[Answerer] = ()) -> None:
        self._answerers = answerers

    def _in_order(self) -> list[Answerer]:
        return sorted(self._answerers, key=lambda one: one.precedence)

    async def prepare(self, written: Sequence[Written]) -> None:
        for one in self._answerers:
            asked = [message for message in written if message.failures < one.max_failures]
            if asked:
                await one.prepare(asked)

    async def answer(self, tx: Tx, heard: Heard) -> Answered:
        for one in self._in_order():
            if heard.written.failures < one.max_failures:
                answered = await one.answer(tx, heard)
                if answered is not None:
                    return answered
        return Answered()

    def committed(self) -> None:
        for one in self._answerers:
            one.committed()
