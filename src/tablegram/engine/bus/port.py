"""What processes of one installation tell each other at once, so that nobody has to wait for the next look.

A word is a hint and no more: whoever hears it looks at the store, and looks now and then anyway. So nothing is lost with
a word that does not arrive, and a process that says nothing delays nobody. A word names what to look at, by ids and
topics; what is written there, secrets and what customers say never travel here. Questions and their answers, which are
more than hints, are words too (`engine/together/questions.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

# Hears the word, without its topic.
Listener = Callable[[str], None]


class Bus(Protocol):
    @property
    def is_alone(self) -> bool:
        """Whether surely nobody else is there. In doubt somebody is."""

    @property
    def is_connected(self) -> bool:
        """Whether others hear what is told now, if all goes well."""

    def listen(self, topic: str, listener: Listener) -> None:
        """Hear what other processes tell about a topic, a word of plain letters. Nobody hears itself."""

    def tell(self, topic: str, word: str) -> None:
        """Tell every other process something of one line. Waits for nothing, and may be in vain."""

    async def tell_last(self, topic: str, word: str) -> None:
        """The same when `attend` has ended, for a process that leaves. Waits until it is told, or about a second."""

    async def attend(self) -> None:
        """Listen and tell for as long as the process runs."""

    async def figures(self) -> Mapping[str, float]:
        """What /metrics shows."""


class Alone:
    """Nobody to tell: a database in a file is served by one process."""

    is_alone = True
    is_connected = False

    def listen(self, topic: str, listener: Listener) -> None:
        """There is nobody to hear."""

    def tell(self, topic: str, word: str) -> None:
        """There is nobody to tell."""

    async def tell_last(self, topic: str, word: str) -> None:
        """There is nobody to tell."""

    async def attend(self) -> None:
        """There is nothing to wait for."""

    async def figures(self) -> Mapping[str, float]:
        # It hears everybody there is.
        return {'bus_connected{carrier="none"}': 1.0, "bus_told_total": 0.0, "bus_heard_total": 0.0}
