"""What was told about a person is deleted, with its deliveries and their attempts; so is what calls said of them."""

from __future__ import annotations

from collections.abc import Callable

from tablegram.accounts.keys import bodies
from tablegram.crm.own_data.erasing import Erased, PersonToErase, Reach
from tablegram.events import erasure
from tablegram.storage.database import Database, Tx


class EventReach(Reach):
    name = "events"

    def __init__(self, db: Database, forget: Callable[[int, list[str]], None]) -> None:
        """`forget` takes an account's events, which are no longer stored, out of this process's memory.

        The couriers of other processes look before they try again.
        """
        self._db = db
        self.forget = forget

    async def sweep(self, person: PersonToErase) -> Erased:
        gone, newest = await erasure.sweep(self._db, person.account_id, person.known_as)
        self.forget(person.account_id, gone)
        return Erased(len(gone), newest)

    async def finish(self, tx: Tx, person: PersonToErase, swept: Erased) -> Erased:
        late = await erasure.finish(tx, person.account_id, person.known_as, swept.upto)
        return Erased(len(late), told=lambda: self.forget(person.account_id, late))


class CallReach(Reach):
    """The bodies of API calls in which the person stands. They are no part of the receipt: copies, kept for some days."""

    async def finish(self, tx: Tx, person: PersonToErase, swept: Erased) -> Erased:
        await bodies.forget(tx, person.account_id, [word for word in person.known_as if word])
        return Erased()
