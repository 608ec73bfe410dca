"""The account's events in the order in which they happened: page by page for who was down, live for who listens."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from typing import Any

import msgspec

from tablegram.engine.bus.port import Bus
from tablegram.engine.timers import Bell, Bells
from tablegram.errors import Invalid, TooMany
from tablegram.events import store
from tablegram.events.answers.feed import EventPage, EventView
from tablegram.events.planning import EVENT_PREFIX, Planner, Statement
from tablegram.events.rows import EventRow
from tablegram.storage.database import Database
from tablegram.values.clock import iso
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.web.live import HEARTBEAT_S, LOOK_EVERY_S, LiveListeners, LiveStream, News, follow

CHUNK = 200
# A program that forgets to close its streams is told so before it hurts others.
MAX_STREAMS = 50
# How long a listener waits before it connects again.
RETRY_MS = 1_000
# Who may see only some lines' events is given what so many reads of the store find; the rest comes with the next page.
MAX_LOOKS = 10
# What processes tell each other of them.
_NEW_EVENTS = "events"

# The lines whose events a listener may see; nothing means everything.
Reach = Callable[[], Awaitable[Collection[int] | None]]


class _Told(msgspec.Struct):
    """What an event's body says about its line; events about the account as a whole say nothing."""

    instance_id: int | None = None
    # Of money: who may see only lines for playing sees no real money, whatever line it is of.
    mode: Any = ""


_told = msgspec.json.Decoder(_Told).decode


async def _everything() -> None:
    return None


class Feed:
    def __init__(self, db: Database, planner: Planner, bus: Bus) -> None:
        self._db = db
        self._bus = bus
        self._listeners: LiveListeners[int] = LiveListeners()
        self._watchers: Bells[int] = Bells()
        planner.listen(self._planned)
        bus.listen(_NEW_EVENTS, self._told)

    async def page(
        self, account_id: int, after: str | None, limit: int, kind: str | None, within: Collection[int] | None = None
    ) -> EventPage:
        """Events behind a cursor, oldest first; only those of the lines in `within`, if it is given."""
        place = await self.place(account_id, after)
        if within is None:
            rows, looked_to = await self._behind(account_id, place, limit + 1, kind), None
        else:
            rows, looked_to = await self._search(account_id, place, limit + 1, kind, within)
        if len(rows) > limit:
            looked_to = rows[limit - 1]["seq"]
        return EventPage(
            data=[_view(row) for row in rows[:limit]],
            next_cursor=None if looked_to is None else _cursor(looked_to),
        )

    async def _search(
        self, account_id: int, place: int, most: int, kind: str | None, within: Collection[int]
    ) -> tuple[list[EventRow], int | None]:
        """The first events of some lines, and how far it looked unless that was all there is."""
        found: list[EventRow] = []
        for _ in range(MAX_LOOKS):
            rows = await self._behind(account_id, place, CHUNK, kind)
            found += _of_lines(rows, within)
            if len(rows) < CHUNK or len(found) >= most:
                return found[:most], None
            place = rows[-1]["seq"]
        return found, place

    async def place(self, account_id: int, after: str | None) -> int:
        """The number behind a cursor or an event's id; without either, the beginning."""
        if after is None:
            return 0
        if after.startswith(EVENT_PREFIX):
            row = await self._db.first(store.SEQ_OF, {"account_id": account_id, "id": after})
            if row is None:
                raise Invalid.field("after", "cursor_invalid", "There is no such event any more. Start without after.")
            return row["seq"]
        try:
            text = decode_cursor(after)
        except Invalid:
            text = ""
        if not text.isascii() or not text.isdecimal() or len(text) > 18:
            raise Invalid.field("after", "cursor_invalid", "Use the cursor or the id of an event, unchanged.")
        return int(text)

    async def newest(self, account_id: int) -> int:
        upto = await self._db.horizon()
        row = await self._db.first(store.NEWEST, {"account_id": account_id})
        return min(row["seq"] or 0, upto) if row is not None else 0

    async def open(
        self,
        account_id: int,
        after: str | None,
        kind: str | None,
        still_allowed: Callable[[], Awaitable[bool]],
        wait_s: float | None = None,
        *,
        within: Reach = _everything,
    ) -> AsyncIterator[bytes]:
        """A live stream from a place, or from now on. Refuses before the first byte, so that a caller is told.

        It ends once no event came for `wait_s`; without it, only when the listener leaves or may listen no more.
        """
        place = await self.newest(account_id) if after is None else await self.place(account_id, after)
        listener = self._listeners.take(
            account_id,
            MAX_STREAMS,
            TooMany(
                f"An account has at most {MAX_STREAMS} open streams. Close one first.",
                code="too_many_streams",
                retry_after_s=5,
            ),
        )

        async def news() -> News:
            nonlocal place
            rows = await self._behind(account_id, place, CHUNK, kind)
            if rows:
                place = rows[-1]["seq"]
            shown = _of_lines(rows, await within())
            return b"".join([frame(row) for row in shown]), len(rows) == CHUNK

        frames = follow(
            listener,
            news,
            # The place is told at once: who loses the connection before the first event goes on from here.
            opening=f"retry: {RETRY_MS}\nid: {_cursor(place)}\n\n".encode(),
            look_every_s=LOOK_EVERY_S,
            heartbeat_s=HEARTBEAT_S,
            quiet_s=wait_s,
            still_allowed=still_allowed,
        )
        return LiveStream(frames, listener.leave)

    @property
    def listening(self) -> int:
        """How many streams are open."""
        return self._listeners.listening

    def attend(self, account_id: int, bell: Bell) -> None:
        """Ring a bell when the account has new events, until it leaves. For who reads them with `behind`."""
        self._watchers.attend(account_id, bell)

    def leave(self, account_id: int, bell: Bell) -> None:
        self._watchers.leave(account_id, bell)

    async def behind(self, account_id: int, place: int, most: int) -> list[EventRow]:
        """The events behind a number, oldest first."""
        return await self._behind(account_id, place, most, None)

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self._listeners.close()

    async def _behind(self, account_id: int, place: int, most: int, kind: str | None) -> list[EventRow]:
        # One that is numbered before these but not committed yet would be passed over for good.
        params = {"account_id": account_id, "after": place, "upto": await self._db.horizon(), "most": most}
        if kind is None:
            return await self._db.all(store.FEED, params)
        return await self._db.all(store.FEED_OF, {**params, "kind": kind})

    def _planned(self, account_id: int, endpoint_ids: list[str], statements: list[Statement] | None) -> None:
        self._ring(account_id)
        self._bus.tell(_NEW_EVENTS, str(account_id))

    def _told(self, account_id: str) -> None:
        """Another process has new events; the look at the store finds out which."""
        self._ring(int(account_id))

    def _ring(self, account_id: int) -> None:
        for listener in self._listeners.of(account_id):
            listener.bell.ring()
        self._watchers.ring(account_id)


def _of_lines(rows: list[EventRow], lines: Collection[int] | None) -> list[EventRow]:
    if lines is None:
        return rows
    told = [(row, _told(row["body"])) for row in rows]
    return [row for row, said in told if said.instance_id in lines and said.mode != "live"]


def _view(row: EventRow) -> EventView:
    return EventView(
        id=row["id"],
        cursor=_cursor(row["seq"]),
        event=row["type"],
        created_at=iso(row["created_at"]),
        body=msgspec.Raw(row["body"].encode()),
    )


def frame(row: EventRow) -> bytes:
    """One server-sent event. A body is one line of JSON, so it never breaks the frame."""
    return f"id: {_cursor(row['seq'])}\nevent: {row['type']}\ndata: {row['body']}\n\n".encode()


def _cursor(seq: int) -> str:
    return encode_cursor(str(seq))
