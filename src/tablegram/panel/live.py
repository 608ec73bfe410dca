"""Small notices that something changed, so that an open page fetches its part again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.scopes import ALL
from tablegram.engine.timers import Bell
from tablegram.errors import TooMany
from tablegram.events.feed import Feed
from tablegram.storage.database import Row

HEARTBEAT_S = 15.0
# Changes made by another process are found by looking; so is a session that has ended.
LOOK_EVERY_S = 2.0
# Several changes at once are one notice: a page that is fetched again shows them all.
GATHER_S = 0.15
CHUNK = 200
MAX_STREAMS = 200
# More than these and the page fetches everything anyway.
MAX_IDS = 50

_TOPICS = {
    "messages": "messages",
    "instance": "lines",
    "contact": "contacts",
    "webhook": "deliveries",
    "restaurant": "orders",
    "payment": "orders",
    "campaign": "campaigns",
}

# One of these scopes lets a visitor hear of a topic; the home page shows lines and deliveries to who reads messages.
_HEARD_BY = {
    "messages": ("messages:read",),
    "conversations": ("messages:read",),
    "lines": ("instances:manage", "messages:read"),
    "deliveries": ("webhooks:manage", "messages:read"),
    "contacts": ("contacts:read",),
    "imports": ("contacts:read",),
    "orders": ("restaurant:read", "orders:manage"),
    "menu": ("restaurant:read", "orders:manage"),
    "campaigns": ("campaigns:manage",),
}

Changes = dict[str, list[str]]


class _Listener:
    def __init__(self) -> None:
        self.bell = Bell()
        self.changes: Changes = {}


class Live:
    """Told of changes by the event feed, and by whoever calls `notice`."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._listeners: dict[int, set[_Listener]] = {}
        self._closed = False

    def notice(self, account_id: int, topic: str, ids: Iterable[str] = ()) -> None:
        """Something of the account changed that is not an event. Costs nothing when nobody looks."""
        for listener in self._listeners.get(account_id, ()):
            _add(listener.changes, topic, ids)
            listener.bell.ring()

    async def open(
        self,
        account_id: int,
        still_allowed: Callable[[], Awaitable[bool]],
        may_hear: Callable[[str], bool] = lambda _: True,
    ) -> AsyncIterator[bytes]:
        """A stream of notices about the topics that may be heard. Refuses before the first byte, so that a page is told."""
        if len(self._listeners.get(account_id, ())) >= MAX_STREAMS:
            raise TooMany(
                f"An account has at most {MAX_STREAMS} open pages that listen. Close one first.",
                code="too_many_streams",
                retry_after_s=10,
            )
        place = await self._feed.newest(account_id)
        return self._stream(account_id, place, still_allowed, may_hear)

    async def _stream(
        self,
        account_id: int,
        place: int,
        still_allowed: Callable[[], Awaitable[bool]],
        may_hear: Callable[[str], bool],
    ) -> AsyncIterator[bytes]:
        listener = _Listener()
        listeners = self._listeners.setdefault(account_id, set())
        listeners.add(listener)
        self._feed.attend(account_id, listener.bell)
        try:
            yield b"retry: 2000\nevent: ready\ndata: {}\n\n"
            spoke_at = allowed_at = time.monotonic()
            while not self._closed:
                rows = await self._feed.behind(account_id, place, CHUNK)
                if rows:
                    place = rows[-1]["seq"]
                changes, listener.changes = listener.changes, {}
                for row in rows:
                    _add(changes, _topic(row), [row["sender"]])
                changes = {topic: ids for topic, ids in changes.items() if may_hear(topic)}
                if changes:
                    spoke_at = time.monotonic()
                    yield b"".join(_frame(topic, ids) for topic, ids in changes.items())
                elif time.monotonic() - spoke_at >= HEARTBEAT_S:
                    spoke_at = time.monotonic()
                    yield b": still here\n\n"
                if time.monotonic() - allowed_at >= LOOK_EVERY_S:
                    allowed_at = time.monotonic()
                    if not await still_allowed():
                        yield b"event: ended\ndata: {}\n\n"
                        return
                if len(rows) < CHUNK and not self._closed:
                    await listener.bell.wait(LOOK_EVERY_S)
                    if not self._closed:
                        await asyncio.sleep(GATHER_S)
        finally:
            self._feed.leave(account_id, listener.bell)
            listeners.discard(listener)
            if not listeners:
                self._listeners.pop(account_id, None)

    @property
    def listening(self) -> int:
        return sum(map(len, self._listeners.values()))

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self._closed = True
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.bell.ring()


def hears(caller: Caller, topic: str) -> bool:
    """Whether a topic's notices are for this caller; one that nobody thought of is for who may do everything."""
    return any(caller.has(scope) for scope in _HEARD_BY.get(topic, (ALL,)))


def _topic(row: Row) -> str:
    kind = str(row["type"]).partition(".")[0]
    return _TOPICS.get(kind, kind)


def _add(changes: Changes, topic: str, ids: Iterable[str]) -> None:
    known = changes.setdefault(topic, [])
    for one in ids:
        if one and one not in known and len(known) < MAX_IDS:
            known.append(one)


def _frame(topic: str, ids: list[str]) -> bytes:
    notice: dict[str, Any] = {"topic": topic, "ids": ids}
    return b"event: change\ndata: " + msgspec.json.encode(notice) + b"\n\n"
