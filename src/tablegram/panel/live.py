"""Small notices that something changed, so that an open page fetches its part again."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.scopes import ALL
from tablegram.engine.bus.port import Bus
from tablegram.errors import TooMany
from tablegram.events.feed import Feed
from tablegram.events.rows import EventRow
from tablegram.web.live import LiveListener, LiveListeners, LiveStream, News, follow, frame

# Several changes at once are one notice: a page that is fetched again shows them all.
GATHER_S = 0.15
CHUNK = 200
MAX_STREAMS = 200
# More than these and the page fetches everything anyway.
MAX_IDS = 50
# So many notices are remembered for pages that are on their way to their readers.
REMEMBERED = 1_000
_LONGEST_NUMBER = 18

_TOPICS = {
    "messages": "messages",
    "instance": "lines",
    "contact": "contacts",
    "webhook": "deliveries",
    "restaurant": "orders",
    "payment": "orders",
    "campaign": "campaigns",
    "loyalty": "loyalty",
    # News of the network is about templates more often than not.
    "network": "templates",
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
    "automations": ("campaigns:read",),
    "loyalty": ("loyalty:read",),
    "templates": ("instances:manage", "messages:read"),
}

Changes = dict[str, list[str]]
# What processes tell each other of a change.
_NOTICE = "notice"
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(tuple[int, str, list[str]]).decode


class Moment(NamedTuple):
    """What a page knows: the account's events up to this one, and so many notices of this process."""

    seq: int
    life: str
    said: int


class Live:
    """Told of changes by the event feed, and by whoever calls `notice`."""

    def __init__(self, feed: Feed, bus: Bus) -> None:
        self._feed = feed
        self._bus = bus
        bus.listen(_NOTICE, self._told)
        self._places: LiveListeners[int] = LiveListeners()
        self._changes: WeakKeyDictionary[LiveListener[int], Changes] = WeakKeyDictionary()
        self._life = secrets.token_hex(4)
        self._said = 0
        self._latest: deque[tuple[int, str, list[str]]] = deque(maxlen=REMEMBERED)

    async def moment(self, account_id: int) -> str:
        """What a page knows that is read from now on; `open` takes it, so that nothing between page and stream is missed."""
        said = self._said
        return f"{await self._feed.newest(account_id)}-{self._life}-{said}"

    def notice(self, account_id: int, topic: str, ids: Iterable[str] = ()) -> None:
        """Something of the account changed that is not an event. Costs next to nothing when nobody looks."""
        told = list(ids)[:MAX_IDS]
        self._ring(account_id, topic, told)
        # Somebody may look at another process.
        if not self._bus.is_alone:
            self._bus.tell(_NOTICE, _encode((account_id, topic, told)).decode())

    def _told(self, notice: str) -> None:
        self._ring(*_decode(notice))

    def _ring(self, account_id: int, topic: str, ids: list[str]) -> None:
        self._said += 1
        self._latest.append((account_id, topic, ids))
        for place in self._places.of(account_id):
            _add(self._changes[place], topic, ids)
            place.bell.ring()

    async def open(
        self,
        account_id: int,
        still_allowed: Callable[[], Awaitable[bool]],
        may_hear: Callable[[str], bool] = lambda _: True,
        since: str = "",
    ) -> AsyncIterator[bytes]:
        """A stream of notices about the topics that may be heard. Refuses before the first byte, so that a page is told.

        It begins with what has happened since the page's moment. When that cannot be told any more (another process drew the
        page, or too much has happened), its `ready` says that anything may have changed.
        """
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
        begin = _read_moment(since)
        if begin is not None and self._remembers(begin, newest):
            newest, self._changes[place], anything = begin.seq, self._noticed_since(account_id, begin), False
        else:
            self._changes[place], anything = {}, bool(since)
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
            opening=b"retry: 2000\n" + frame("ready", _encode({"anything": anything})),
            gather_s=GATHER_S,
            still_allowed=still_allowed,
            farewell=frame("ended", b"{}"),
        )
        return LiveStream(frames, leave)

    def _remembers(self, since: Moment, newest: int) -> bool:
        """Whether all that has happened since then is still known here."""
        unheard = self._said - since.said
        return since.life == self._life and 0 <= unheard <= len(self._latest) and 0 <= newest - since.seq <= CHUNK

    def _noticed_since(self, account_id: int, since: Moment) -> Changes:
        changes: Changes = {}
        first = len(self._latest) - (self._said - since.said)
        for account, topic, ids in list(self._latest)[first:]:
            if account == account_id:
                _add(changes, topic, ids)
        return changes

    @property
    def listening(self) -> int:
        return self._places.listening

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self._places.close()


def hears(caller: Caller, topic: str) -> bool:
    """Whether a topic's notices are for this caller; one that nobody thought of is for who may do everything."""
    return any(caller.has(scope) for scope in _HEARD_BY.get(topic, (ALL,)))


def _read_moment(text: str) -> Moment | None:
    seq, _, rest = text.partition("-")
    life, _, said = rest.partition("-")
    numbers = all(one.isascii() and one.isdecimal() and len(one) <= _LONGEST_NUMBER for one in (seq, said))
    return Moment(int(seq), life, int(said)) if numbers else None


def _topic(row: EventRow) -> str:
    if row["type"] in _PRINTING:
        return "printing"
    kind = row["type"].partition(".")[0]
    return _TOPICS.get(kind, kind)


def _add(changes: Changes, topic: str, ids: Iterable[str]) -> None:
    known = changes.setdefault(topic, [])
    for one in ids:
        if one and one not in known and len(known) < MAX_IDS:
            known.append(one)


def _frame(topic: str, ids: list[str]) -> bytes:
    notice: dict[str, Any] = {"topic": topic, "ids": ids}
    return frame("change", _encode(notice))
