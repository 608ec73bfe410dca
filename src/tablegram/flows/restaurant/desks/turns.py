"""People who share a tablet: one signs in once, and each is known by four digits; what they do carries their name."""

from __future__ import annotations

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.people.throttle import Throttle
from tablegram.errors import Invalid, no_such
from tablegram.flows.restaurant.desks.desk import CHANGE
from tablegram.restaurant import staff, venues
from tablegram.restaurant.kitchen import pins
from tablegram.restaurant.kitchen.pins import Turn
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox

SCOPE = "orders:manage"


class Turns:
    def __init__(self, db: Database, box: SecretBox, clock: Clock, audit: Audit) -> None:
        self._db = db
        self._box = box
        self._clock = clock
        self._audit = audit
        # Ten thousand PINs are soon tried: after a few wrong ones each further try has to wait.
        self._throttle = Throttle()

    async def give_pin(self, caller: Caller, venue_id: str, waiter_id: str, pin: str) -> None:
        """Give a waiter a PIN; with an empty one, take it away."""
        caller.require(CHANGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> None:
            await venues.find(tx, caller.account_id, venue_id)
            known = {one.id: one.name for one in await staff.waiters(tx, caller.account_id, venue_id)}
            if waiter_id not in known:
                raise Invalid.field("waiter_id", "waiter_unknown", no_such("waiter", "venue"))
            now = self._clock.now_ms()
            await pins.give(tx, caller.account_id, venue_id, waiter_id, pin, self._hash(caller), now)
            action = "venue.waiter_pin_set" if pin else "venue.waiter_pin_removed"
            await acting.note(tx, action, "venue", venue_id, {"name": known[waiter_id]})

        await self._db.write(work)

    async def with_pins(self, caller: Caller, venue_id: str) -> set[str]:
        """The waiters of a venue who have a PIN."""
        caller.require(SCOPE, CHANGE)
        return set(await self._db.snapshot(lambda tx: pins.has_pins(tx, caller.account_id, venue_id)))

    async def begin(self, caller: Caller, session_id: str, venue_id: str, pin: str, remote: str) -> Turn:
        """Somebody takes the tablet. Raises for a PIN that nobody of the venue has, and after too many of those."""
        caller.require(SCOPE)
        pins.clean(pin)
        made = self._throttle.begin(f"pin {caller.account_id} {venue_id} {session_id}", remote)
        digests = self._box.hashes(_plain(caller, f"{venue_id} {pin}"))

        async def work(tx: Tx) -> Turn:
            await venues.find(tx, caller.account_id, venue_id)
            turn = await pins.find(tx, caller.account_id, venue_id, digests)
            if turn is None:
                raise Invalid.field("pin", "pin_unknown", "Nobody of this venue has this PIN.")
            await pins.begin(tx, caller.account_id, session_id, turn, self._clock.now_ms())
            return turn

        turn = await self._db.write(work)
        self._throttle.succeeded(made)
        return turn

    async def end(self, caller: Caller, session_id: str) -> None:
        caller.require(SCOPE)
        await self._db.write(lambda tx: pins.end(tx, caller.account_id, session_id))

    async def at(self, caller: Caller, session_id: str) -> Turn | None:
        """Who is at the tablet; nobody where it is not shared."""
        caller.require(SCOPE)
        return await self._db.snapshot(lambda tx: pins.turn_at(tx, caller.account_id, session_id))

    def _hash(self, caller: Caller) -> pins.Hash:
        return lambda text: self._box.pepper_hash(_plain(caller, text))


def _plain(caller: Caller, text: str) -> str:
    return f"pin {caller.account_id} {text}"
