"""Processes that share a port tell each other their figures, so that /metrics of any of them answers for all.

Each process keeps its own series, told apart by the label `worker`: one that dies begins again at nothing, and whoever
adds them up must see which one did.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prometheus_client.core import Metric

# One that does not answer in time is left out; the others' figures are worth more than its.
ANSWER_WITHIN_S = 2.0
LABEL = "worker"

Page = Callable[[], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Sibling:
    """One of so many processes that were forked off the one with this pid."""

    parent: int
    number: int
    size: int

    def address(self, number: int) -> str:
        """Of this machine, or container, alone; it goes with its process."""
        return f"\0tablegram figures {self.parent} {number}"


# Where this process stands, if it shares a port. Set once, before anything is built.
_place: Sibling | None = None


def stand_at(place: Sibling) -> None:
    global _place
    _place = place


def is_watched() -> bool:
    """Whether another process has started this one beside others, and tells all of them when to end."""
    return _place is not None


def own_place() -> Sibling | None:
    """Nothing where addresses without a file are unknown: there each process answers for itself."""
    return _place if sys.platform == "linux" else None


class Siblings:
    def __init__(self, place: Sibling, page: Page) -> None:
        self._place = place
        self._page = page

    async def answer_forever(self) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
            listening.bind(self._place.address(self._place.number))
            server = await asyncio.start_unix_server(self._answer, sock=listening)
            async with server:
                await server.serve_forever()

    async def _answer(self, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            writer.write((await self._page()).encode())
            await writer.drain()
        writer.close()

    async def page(self) -> str:
        """The figures of all that answer."""
        others = [number for number in range(self._place.size) if number != self._place.number]
        own, *told = await asyncio.gather(self._page(), *(self._ask(number) for number in others))
        pages = {self._place.number: own, **dict(zip(others, told, strict=True))}
        return together({number: pages[number] for number in sorted(pages)})

    async def _ask(self, number: int) -> str:
        asking = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        asking.setblocking(False)
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                # Not every event loop takes an address without a file.
                await asyncio.get_running_loop().sock_connect(asking, self._place.address(number))
                reader, writer = await asyncio.open_unix_connection(sock=asking)
                try:
                    return (await reader.read()).decode()
                finally:
                    writer.close()
        except (OSError, TimeoutError):
            asking.close()
            return ""


def together(pages: Mapping[int, str]) -> str:
    """One page of several: all of one name stand together, each with the number of its process."""
    from prometheus_client import generate_latest
    from prometheus_client.core import Metric
    from prometheus_client.parser import text_string_to_metric_families

    families: dict[str, Metric] = {}
    for number, page in pages.items():
        for family in text_string_to_metric_families(page):
            known = families.setdefault(family.name, Metric(family.name, family.documentation, family.type))
            known.samples += [one._replace(labels={**one.labels, LABEL: str(number)}) for one in family.samples]
    return generate_latest(_Together(families.values())).decode()


class _Together:
    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families
