"""Processes of a room that hear each other."""

from __future__ import annotations

from tablegram.engine.bus.port import Alone, Listener


class Room:
    """Those who hear each other, without anything between them."""

    def __init__(self) -> None:
        self.members: list[Member] = []
        self.told: list[str] = []

    def join(self) -> Member:
        self.members.append(Member(self))
        return self.members[-1]


class Member(Alone):
    def __init__(self, room: Room) -> None:
        self._room = room
        self.listeners: dict[str, Listener] = {}

    def listen(self, topic: str, listener: Listener) -> None:
        self.listeners[topic] = listener

    def tell(self, topic: str, word: str) -> None:
        self._room.told.append(word)
        for other in self._room.members:
            if other is not self and topic in other.listeners:
                other.listeners[topic](word)

    async def tell_last(self, topic: str, word: str) -> None:
        self.tell(topic, word)
