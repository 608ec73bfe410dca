"""What the desks of a restaurant share: one transaction, a line in the audit log, and word to whoever looks on."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec

from tablegram.accounts.audit import Acting, Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.restaurant import venues
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock

LOOK, CHANGE = "restaurant:read", "restaurant:manage"

# Told after a commit that something of a venue changed: its account and the venue.
Told = Callable[[int, str], None]
Made = TypeVar("Made")


class Desk:
    """Reads and writes of one venue for one caller."""

    def __init__(self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, told: Told) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._told = told

    async def _look(self, caller: Caller, venue_id: str, work: Callable[[Tx, Venue], Awaitable[Made]]) -> Made:
        """One moment of a venue of the caller's account."""
        caller.require(LOOK, "orders:manage")
        return await self._peek(caller, venue_id, work)

    async def _peek(self, caller: Caller, venue_id: str, work: Callable[[Tx, Venue], Awaitable[Made]]) -> Made:
        """The same, on the way to a change that the caller may make."""
        return await self._db.snapshot(lambda tx: in_venue(tx, caller, venue_id, work))

    async def _change(
        self,
        caller: Caller,
        venue_id: str,
        work: Callable[[Tx, Venue, Acting], Awaitable[Made]],
        *,
        others_too: bool = False,
    ) -> Made:
        """One change of a venue, noted by `work` itself; `others_too` where it changes the account's others as well."""
        caller.require(CHANGE)
        acting = self._audit.acting(caller)

        async def with_note(tx: Tx, venue: Venue) -> Made:
            return await work(tx, venue, acting)

        async def unit(tx: Tx) -> Made:
            if others_too:
                await venues.lock_all(tx, caller.account_id)
            return await changing_venue(tx, caller, venue_id, with_note)

        made = await self._db.write(unit)
        self._told(caller.account_id, venue_id)
        return made

    async def _create(
        self,
        kind: type[Made],
        caller: Caller,
        venue_id: str,
        call: Call,
        work: Callable[[Tx, Venue, Acting], Awaitable[Made]],
        status: int = 201,
    ) -> Result[Made]:
        """Something new, once under the call's key: the work, its note and its answer are one transaction."""
        caller.require(CHANGE)
        acting = self._audit.acting(caller)

        async def with_note(tx: Tx, venue: Venue) -> Result[Made]:
            return Result(await work(tx, venue, acting), status)

        answer = await self._idempotency.once_for(
            kind, caller.account_id, call, lambda tx: changing_venue(tx, caller, venue_id, with_note)
        )
        if not answer.replayed:
            self._told(caller.account_id, venue_id)
        return answer

    async def once(
        self, kind: type[Made], caller: Caller, call: Call, effect: Callable[[], Awaitable[Made]]
    ) -> Result[Made]:
        """Something that may safely happen twice, answered alike under the same key."""

        async def told() -> Result[Made]:
            return Result(await effect())

        return await self._idempotency.after_for(kind, caller.account_id, call, told)


def with_file(call: Call, raw: bytes) -> Call:
    """A call whose body is a file, which is as much a part of what its key stands for."""
    digest = hashlib.sha256(call.fingerprint.encode() + hashlib.sha256(raw).digest()).hexdigest()
    return msgspec.structs.replace(call, fingerprint=digest)


async def in_venue(tx: Tx, caller: Caller, venue_id: str, work: Callable[[Tx, Venue], Awaitable[Made]]) -> Made:
    """Do something with a venue of the caller's account, in the transaction that found it."""
    return await work(tx, await venues.find(tx, caller.account_id, venue_id))


async def changing_venue(tx: Tx, caller: Caller, venue_id: str, work: Callable[[Tx, Venue], Awaitable[Made]]) -> Made:
    """The same for a change. Changes of one venue, its menu and its tables go one after another, whoever makes them."""
    return await work(tx, await venues.lock(tx, caller.account_id, venue_id))
