"""Small notices that something changed, so that an open page fetches its part again."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.scopes import ALL
from tablegram.errors import TooMany
from tablegram.events.feed import Feed
from tablegram.storage.database import Database, Row
from tablegram.web.live import LiveStream, News, Place, Places, follow, frame

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
    "loyalty": "loyalty",
}

# Events of a restaurant that are about paper, not about an order.
_PRINTING = ("restaurant.ticket_failed", "restaurant.printer_status")

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
    "printing": ("restaurant:read", "orders:manage"),
    "payments": ("payments:manage",),
    "stores": ("stores:manage",),
    "store_notices": ("stores:manage",),
    "campaigns": ("campaigns:read",),
    "loyalty": ("loyalty:read",),
}

Changes = dict[str, list[str]]
# What processes tell each other of a change.
_NOTICE = "notice"
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(tuple[int, str, list[str]]).decode


class Live:
    """Told of changes by the event feed, and by whoever calls `notice`."""

    def __init__(self, db: Database, feed: Feed) -> None:
        self._feed = feed
        self._neighbours = db.neighbours
        self._neighbours.listen(self._told)
        self._places: Places[int] = Places()
        self._changes: WeakKeyDictionary[Place[int], Changes] = WeakKeyDictionary()

    def notice(self, account_id: int, topic: str, ids: Iterable[str] = ()) -> None:
        """Something of the account changed that is not an event. Costs next to nothing when nobody looks."""
        told = list(ids)[:MAX_IDS]
        self._ring(account_id, topic, told)
        # Somebody may look at another process.
        self._neighbours.tell(f"{_NOTICE} {_encode((account_id, topic, told)).decode()}")

    def _told(self, word: str) -> None:
        kind, _, notice = word.partition(" ")
        if kind == _NOTICE:
            self._ring(*_decode(notice))

    def _ring(self, account_id: int, topic: str, ids: list[str]) -> None:
        for place in self._places.of(account_id):
            _add(self._changes[place], topic, ids)
            place.bell.ring()

    async def open(
        self,
        account_id: int,
        still_allowed: Callable[[], Awaitable[bool]],
        may_hear: Callable[[str], bool] = lambda _: True,
    ) -> AsyncIterator[bytes]:
        """A stream of notices about the topics that may be heard. Refuses before the first byte, so that a page is told."""
        newest = await self._feed.newest(account_id)
        place = self._places.take(
            account_id,
            MAX_STREAMS,
            TooMany(
                f"An account has at most {MAX_STREAMS} open pages that listen. Close one first.",
                code="too_many_streams",
                retry_after_s=10,
            ),
        )
        self._changes[place] = {}
        self._feed.attend(account_id, place.bell)

        async def news() -> News:
            nonlocal newest
            rows = await self._feed.behind(account_id, newest, CHUNK)
            if rows:
                newest = rows[-1]["seq"]
            changes, self._changes[place] = self._changes[place], {}
            for row in rows:
                _add(changes, _topic(row), [row["sender"]])
            heard = [_frame(topic, ids) for topic, ids in changes.items() if may_hear(topic)]
            return b"".join(heard), len(rows) == CHUNK

        def leave() -> None:
            self._feed.leave(account_id, place.bell)
            place.leave()

        frames = follow(
            place,
            news,
            opening=b"retry: 2000\n" + frame("ready", b"{}"),
            gather_s=GATHER_S,
            still_allowed=still_allowed,
            farewell=frame("ended", b"{}"),
        )
        return LiveStream(frames, leave)

    @property
    def listening(self) -> int:
        return self._places.listening

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self._places.close()


def hears(caller: Caller, topic: str) -> bool:
    """Whether a topic's notices are for this caller; one that nobody thought of is for who may do everything."""
    return any(caller.has(scope) for scope in _HEARD_BY.get(topic, (ALL,)))


def _topic(row: Row) -> str:
    if row["type"] in _PRINTING:
        return "printing"
    kind = str(row["type"]).partition(".")[0]
    return _TOPICS.get(kind, kind)


def _add(changes: Changes, topic: str, ids: Iterable[str]) -> None:
    known = changes.setdefault(topic, [])
    for one in ids:
        if one and one not in known and len(known) < MAX_IDS:
            known.append(one)


def _frame(topic: str, ids: list[str]) -> bytes:
    notice: dict[str, Any] = {"topic": topic, "ids": ids}
    return frame("change", _encode(notice))
