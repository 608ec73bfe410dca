"""What shops and forms delivered, as people and programs look at it, replay it and see to it; and the orders."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, NotFound, no_such
from tablegram.flows.stores.answers import StoreDelivery, StoreDeliveryPage, StoreOrderPage, StoreOrderView
from tablegram.flows.stores.views import delivery_view, order_view, whole_delivery
from tablegram.storage.database import Database, Tx
from tablegram.stores.hearing import Hearing, Worked, note
from tablegram.stores.model import Delivery, read_delivery, read_listed, read_order
from tablegram.stores.ports import Unreadable
from tablegram.stores.sources import Sources
from tablegram.stores.store import deliveries as store
from tablegram.stores.store import orders as order_store
from tablegram.values.clock import Clock
from tablegram.values.cursor import decode_cursor, encode_cursor

SCOPE = "stores:manage"


Places = Callable[[str, Mapping[str, str], bytes], tuple[tuple[str, str], ...]]
Files = Callable[[str, Mapping[str, str], bytes], list[tuple[str, bytes]]]


class Sample(msgspec.Struct, frozen=True):
    """A delivery, and its values with their places."""

    delivery: StoreDelivery
    places: tuple[tuple[str, str], ...]


class _Rehearsed(Exception):
    """Carries out of a transaction what would have come of it; raising it rolls everything back."""

    def __init__(self, worked: Worked) -> None:
        super().__init__("rehearsed")
        self.worked = worked


class DeliveryDesk:
    """`places` are the values of a delivery that people can click on, `files` what it brought along: by platform, headers and
    body.
    """

    def __init__(
        self,
        db: Database,
        idempotency: Idempotency,
        clock: Clock,
        audit: Audit,
        sources: Sources,
        hearing: Hearing,
        places: Places,
        files: Files,
    ) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._sources = sources
        self._hearing = hearing
        self._places = places
        self._files = files

    async def page(
        self, caller: Caller, *, source_id: str | None = None, state: str | None = None, open_only: bool = False,
        query: str = "", limit: int = 50, cursor: str | None = None,
    ) -> StoreDeliveryPage:  # fmt: skip
        caller.require(SCOPE)
        found = store.page(
            caller.account_id, source_id=source_id, state=state, open_only=open_only, query=query,
            before=None if cursor is None else decode_cursor(cursor), most=limit + 1,
        )  # fmt: skip
        rows = [read_listed(row) for row in await self._db.all(found)]
        return StoreDeliveryPage(
            data=[delivery_view(one) for one in rows[:limit]],
            next_cursor=encode_cursor(rows[limit - 1].id) if len(rows) > limit else None,
        )

    async def get(self, caller: Caller, delivery_id: str) -> StoreDelivery:
        caller.require(SCOPE)
        return whole_delivery(await self._db.snapshot(lambda tx: self._one(tx, caller, delivery_id)))

    async def files(self, caller: Caller, delivery_id: str) -> list[tuple[str, bytes]]:
        """Files that came with a form itself, by their names; they are kept as long as what was delivered."""
        caller.require(SCOPE)

        async def look(tx: Tx) -> tuple[Delivery, str]:
            one = await self._one(tx, caller, delivery_id)
            source = await self._sources.ever(tx, caller.account_id, one.source_id)
            return one, "" if source is None else source.platform

        delivery, platform = await self._db.snapshot(look)
        try:
            return await asyncio.to_thread(self._files, platform, delivery.headers, delivery.body)
        except Unreadable:
            return []

    async def sample(self, caller: Caller, source_id: str) -> Sample | None:
        """The newest delivery of a source, value by value: what a mapping is made on."""
        caller.require(SCOPE)
        source = await self._db.snapshot(lambda tx: self._sources.get(tx, caller.account_id, source_id))
        row = await self._db.first(store.LAST, {"b_account": caller.account_id, "b_source": source_id})
        if row is None:
            return None
        delivery = read_delivery(row)
        try:
            places = await asyncio.to_thread(self._places, source.platform, delivery.headers, delivery.body)
        except Unreadable:
            places = ()
        return Sample(whole_delivery(delivery), places)

    async def waiting(self, caller: Caller) -> int:
        """How many of them somebody must see to."""
        caller.require(SCOPE)
        row = await self._db.first(store.OPEN_COUNT, {"b_account": caller.account_id})
        return int(row["n"]) if row else 0

    async def rehearse(self, caller: Caller, delivery_id: str) -> StoreDelivery:
        """What a replay would do. Nothing is changed."""
        caller.require(SCOPE)
        play = await self._prepare(caller, delivery_id)

        async def work(tx: Tx) -> None:
            raise _Rehearsed(await play(tx))

        try:
            await self._db.write(work)
        except _Rehearsed as played:
            return whole_delivery(played.worked.delivery)
        raise AssertionError("a rehearsal ends with what it found")

    async def replay(self, caller: Caller, delivery_id: str, call: Call) -> Result[StoreDelivery]:
        """Read it again with the source as it is now, and do what was not done yet."""
        caller.require(SCOPE)
        acting = self._audit.acting(caller)
        play = await self._prepare(caller, delivery_id)
        done: list[Worked] = []

        async def work(tx: Tx) -> Result[StoreDelivery]:
            worked = await play(tx)
            await note(tx, worked.delivery, replayed=True)
            await acting.note(tx, "store_delivery.replayed", "store_delivery", delivery_id)
            done[:] = [worked]
            return Result(whole_delivery(await self._one(tx, caller, delivery_id)))

        answer = await self._idempotency.once_for(StoreDelivery, caller.account_id, call, work)
        for worked in done:
            self._hearing.tell(worked)
        return answer

    async def _prepare(self, caller: Caller, delivery_id: str) -> Callable[[Tx], Awaitable[Worked]]:
        """Read it before the transaction; what to do inside of it."""
        delivery = await self._db.snapshot(lambda tx: self._one(tx, caller, delivery_id))
        source = await self._db.snapshot(lambda tx: self._sources.get(tx, caller.account_id, delivery.source_id))
        if delivery.size and not delivery.body:
            raise Conflict("What came with it was erased, so it cannot be replayed.", code="body_erased")
        reading = await self._hearing.read(source, delivery.headers, delivery.body)
        await self._hearing.prepare_for(caller.account_id)

        async def play(tx: Tx) -> Worked:
            row = await tx.first(store.LOCK, {"b_account": caller.account_id, "b_id": delivery_id})
            if row is None:
                raise _unknown()
            return await self._hearing.work(tx, source, read_delivery(row), reading, self._clock.now_ms())

        return play

    async def _one(self, tx: Tx, caller: Caller, delivery_id: str) -> Delivery:
        row = await tx.first(store.GET, {"b_account": caller.account_id, "b_id": delivery_id})
        if row is None:
            raise _unknown()
        return read_delivery(row)

    async def settle(self, caller: Caller, delivery_id: str, call: Call) -> Result[StoreDelivery]:
        """Somebody has seen to what it asked for."""
        caller.require(SCOPE)
        now = self._clock.now_ms()
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[StoreDelivery]:
            which = {"b_account": caller.account_id, "b_id": delivery_id}
            before = await self._one(tx, caller, delivery_id)
            if not before.attention:
                raise Conflict(
                    "This delivery needs no attention. There is nothing to settle.", code="nothing_to_settle"
                )
            if await tx.run(store.SETTLE, {**which, "new_by": caller.author, "now": now}):
                await acting.note(
                    tx, "store_delivery.settled", "store_delivery", delivery_id, {"asked": before.attention}
                )
            return Result(whole_delivery(await self._one(tx, caller, delivery_id)))

        return await self._idempotency.once_for(StoreDelivery, caller.account_id, call, work)

    # Orders.

    async def orders(
        self, caller: Caller, *, source_id: str | None = None, contact_id: str | None = None, query: str = "",
        limit: int = 50, cursor: str | None = None,
    ) -> StoreOrderPage:  # fmt: skip
        caller.require(SCOPE)
        found = order_store.page(
            caller.account_id, source_id=source_id, contact_id=contact_id, query=query,
            before=None if cursor is None else decode_cursor(cursor), most=limit + 1,
        )  # fmt: skip
        rows = [read_order(row) for row in await self._db.all(found)]
        return StoreOrderPage(
            data=[order_view(one) for one in rows[:limit]],
            next_cursor=encode_cursor(rows[limit - 1].id) if len(rows) > limit else None,
        )

    async def order(self, caller: Caller, order_id: str) -> StoreOrderView:
        caller.require(SCOPE)
        row = await self._db.first(order_store.GET, {"b_account": caller.account_id, "b_id": order_id})
        if row is None:
            raise NotFound(no_such("order of a shop"), code="store_order_unknown")
        return order_view(read_order(row))


def _unknown() -> NotFound:
    return NotFound(no_such("delivery"), code="store_delivery_unknown")
