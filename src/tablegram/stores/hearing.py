"""What shops and forms deliver, worked on from the inbox: each delivery once, its order, its person, its followers."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence

import msgspec

from tablegram.engine import raw_callbacks
from tablegram.engine.inbox import MAX_ATTEMPTS
from tablegram.engine.rows import NamedBody, TakenBody
from tablegram.storage.database import Database, Tx
from tablegram.stores import recording
from tablegram.stores.following import StoreEvents
from tablegram.stores.model import ATTENTIONS, DELIVERY_PREFIX, Delivery, Followed, Noted, SourceRow, ToldEvent, write
from tablegram.stores.phones import find_phone
from tablegram.stores.ports import EventKind, StoreEvent, Unreadable
from tablegram.stores.sources import Sources
from tablegram.stores.store import deliveries as store
from tablegram.stores.store import sources as source_store
from tablegram.stores.tidying import tidy, tidy_event
from tablegram.values.clock import SECOND_MS, Clock
from tablegram.values.ids import new_id

KIND = "store"
MAX_EVENTS = 50
# Reading more than this is done beside the loop, so that nobody else waits for it.
LARGE_BYTES = 64 * 1_024
# How exactly it is told when a source was last heard.
HEARD_EVERY_MS = 10 * SECOND_MS

# The contact with this number, added where new if the third says so; name and language are for who is new.
Recognise = Callable[[Tx, int, str, bool, str], Awaitable[str | None]]

# Who shows up in these becomes a contact. Who only looked at a cart, or wants to be forgotten, does not.
_INTRODUCING: frozenset[EventKind] = frozenset({*recording.STAGES, "form_sent"})
_MATTERING = ("x-", "shopify-", "webhook-", "typeform-", "tally-", "glf-")
_PROVING = ("hmac", "signature", "auth", "key", "token", "secret", "cookie", "forward", "real-ip", "password")
MAX_HEADERS = 40


class Heard(msgspec.Struct, frozen=True):
    """A delivery as it waits in the inbox."""

    headers: dict[str, str]
    body: bytes
    topic: str = ""
    is_test: bool = False


class Reading(msgspec.Struct, frozen=True):
    """What a delivery means; without events either nothing, or why it cannot be told."""

    events: tuple[StoreEvent, ...] = ()
    code: str = ""
    detail: str = ""


class Worked(msgspec.Struct, frozen=True):
    delivery: Delivery
    told: tuple[ToldEvent, ...] = ()


_write = msgspec.msgpack.Encoder().encode
_read = msgspec.msgpack.Decoder(Heard).decode
_replace = msgspec.structs.replace


def source_of(source_id: str) -> str:
    return f"{KIND}:{source_id}"


def write_heard(heard: Heard) -> bytes:
    return _write(heard)


def digest(name: str) -> str:
    """What a delivery goes by here: names of strangers may hold what no store does."""
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()


def kept_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """What says what a delivery is, and nothing that proves it or tells who carried it."""
    kept = {}
    for name, value in headers.items():
        matters = name in ("content-type", "user-agent") or name.startswith(_MATTERING)
        if matters and not any(word in name for word in _PROVING):
            kept[tidy(name, 100)] = tidy(value)
    return dict(list(kept.items())[:MAX_HEADERS])


class Hearing:
    """Works on deliveries; a handler of the inbox."""

    def __init__(self, db: Database, clock: Clock, sources: Sources, events: StoreEvents, recognise: Recognise) -> None:
        self._db = db
        self._clock = clock
        self._sources = sources
        self._events = events
        self._recognise = recognise
        # What was read before the transaction, and what came of it until the commit.
        self._prepared: dict[tuple[str, str], tuple[SourceRow, Heard, Reading]] = {}
        self._worked: dict[tuple[str, str], Worked] = {}

    # As a handler of the inbox.

    def writers(self, row: NamedBody) -> frozenset[bytes]:
        """Nobody's: whichever word comes last, the later one holds."""
        return frozenset()

    def is_awaited(self, row: NamedBody) -> bool:
        return True

    async def prepare(self, rows: Sequence[TakenBody]) -> None:
        for row in rows:
            source = await self._source(row)
            if source is not None:
                heard = _read(row["body"])
                reading = await self.read(source, heard.headers, heard.body)
                self._prepared[_name(row)] = source, heard, reading
        for account_id in {row["account_id"] for row in rows}:
            await self._events.prepare(account_id)

    async def apply(self, tx: Tx, rows: Sequence[TakenBody]) -> None:
        # Two processes that meet the same orders take them in the same order: that in which they came, also those of one
        # millisecond.
        for row in sorted(rows, key=lambda one: (one["source"], one["received_at"])):
            found = self._prepared.get(_name(row))
            if found is None:
                continue
            source, heard, reading = found
            # What keeps failing is shown to people in the end, who can replay it once the reason is gone.
            is_last = row["attempts"] >= MAX_ATTEMPTS - 1
            worked = await self._take_in(tx, row, source, heard, reading, is_last=is_last)
            if worked is not None:
                self._worked[_name(row)] = worked
        await raw_callbacks.empty(tx, rows)

    def done(self, rows: Sequence[TakenBody]) -> None:
        for row in rows:
            self._prepared.pop(_name(row), None)
            worked = self._worked.pop(_name(row), None)
            if worked is not None:
                self.tell(worked)

    async def _source(self, row: TakenBody) -> SourceRow | None:
        """Also one that was removed meanwhile: what it delivered before counts."""
        source_id = row["source"].partition(":")[2]
        return await self._db.snapshot(lambda tx: self._sources.ever(tx, row["account_id"], source_id))

    # The work itself.

    async def prepare_for(self, account_id: int) -> None:
        """Call before a transaction that works on a delivery."""
        await self._events.prepare(account_id)

    async def read(self, source: SourceRow, headers: Mapping[str, str], body: bytes) -> Reading:
        """What a body means with the source as it is now."""
        if len(body) > LARGE_BYTES:
            return await asyncio.to_thread(self._interpret, source, headers, body)
        return self._interpret(source, headers, body)

    def _interpret(self, source: SourceRow, headers: Mapping[str, str], body: bytes) -> Reading:
        platform = self._sources.platforms.get(source.platform)
        if platform is None:
            return Reading(code="platform_unknown", detail="This installation does not know the platform any more.")
        try:
            found = platform.read(headers, body, source.setup)
        except Unreadable as error:
            return Reading(code=error.code, detail=tidy(error.detail))
        return Reading(events=tuple(tidy_event(one) for one in found[:MAX_EVENTS]))

    async def _take_in(
        self, tx: Tx, row: TakenBody, source: SourceRow, heard: Heard, reading: Reading, *, is_last: bool
    ) -> Worked | None:
        now = self._clock.now_ms()
        delivery = Delivery(
            account_id=source.account_id,
            id=DELIVERY_PREFIX + new_id(now),
            source_id=source.id,
            name=row["external_id"],
            topic=tidy(heard.topic, 100),
            headers=heard.headers,
            body=heard.body,
            size=len(heard.body),
            is_test=heard.is_test,
            received_at=row["received_at"],
            worked_at=now,
        )
        if not await tx.all(store.INSERT, write(delivery)):
            return None
        if source.heard_at is None or row["received_at"] - source.heard_at >= HEARD_EVERY_MS:
            which = {"b_account": source.account_id, "b_id": source.id}
            await tx.run(source_store.HEARD, {**which, "now": row["received_at"]})
        if is_last:
            words = "It could not be worked on, though it was tried for hours. Replay it."
            worked = Worked(_replace(delivery, state="unreadable", reason="failed", detail=words))
        else:
            worked = await self.work(tx, source, delivery, reading, now)
        await note(tx, worked.delivery)
        return worked

    async def work(self, tx: Tx, source: SourceRow, delivery: Delivery, reading: Reading, now: int) -> Worked:
        """Do what a delivery means, as far as it is not done yet. Its row is the caller's to change."""
        if not reading.events:
            state = "unreadable" if reading.code else "ignored"
            return Worked(
                _replace(delivery, state=state, reason=reading.code, detail=reading.detail, events=(), worked_at=now)
            )
        noted: list[Noted] = []
        told: list[ToldEvent] = []
        for event in reading.events:
            one, kept = await self._follow(tx, source, delivery, event, now)
            noted.append(kept)
            told.append(one)
        first = reading.events[0]
        attention = next((one.kind for one in reading.events if one.kind in ATTENTIONS), delivery.attention)
        after = _replace(
            delivery, state="done", reason="", detail="", events=tuple(noted), reference=first.reference,
            number=first.number, attention=attention, worked_at=now,
        )  # fmt: skip
        return Worked(after, tuple(told))

    def tell(self, worked: Worked) -> None:
        """After the commit."""
        for told in worked.told:
            self._events.told(told)
        if not worked.told:
            self._events.kept(worked.delivery)

    async def _follow(
        self, tx: Tx, source: SourceRow, delivery: Delivery, event: StoreEvent, now: int
    ) -> tuple[ToldEvent, Noted]:
        phone, problem = find_phone(event.person, source.country)
        contact_id = None
        if phone:
            introduces = event.kind in _INTRODUCING
            contact_id = await self._recognise(tx, source.account_id, phone, introduces, event.person.name)
        at = event.at or delivery.received_at
        order, before, is_older = None, None, False
        outcomes: tuple[Followed, ...] = ()
        if recording.is_order(event):
            order, before, is_older = await recording.record(tx, source, event, at, phone, contact_id, now)
            if not phone and order.phone:
                phone, problem, contact_id = order.phone, "", order.contact_id
            outcomes = (Followed(code="older" if is_older else "recorded", what="order"),)
        elif event.kind in ATTENTIONS:
            outcomes = (Followed(code="task", what=event.kind),)
        told = ToldEvent(
            source=source, delivery=delivery, event=event, phone=phone, phone_problem=problem, contact_id=contact_id,
            order=order, before=before, is_older=is_older, at=at,
        )  # fmt: skip
        outcomes += await self._events.follow(tx, told)
        noted = Noted(event=event, phone=phone, phone_problem=problem, contact_id=contact_id, outcomes=outcomes)
        return told, noted


async def note(tx: Tx, delivery: Delivery, *, replayed: bool = False) -> None:
    """Keep what came of a delivery."""
    values = write(delivery)
    which = {"b_account": delivery.account_id, "b_id": delivery.id}
    query = store.REPLAYED if replayed else store.NOTE
    await tx.run(query, {**which, **{f"new_{name}": values[name] for name in store.WORKED}})


def _name(row: NamedBody | TakenBody) -> tuple[str, str]:
    return row["source"], row["external_id"]
