"""A person goes out of the messages, and out of what the network told; counts and costs stay true."""

from __future__ import annotations

from tablegram.accounts.money import quota
from tablegram.crm.own_data.erasing import Erased, PersonToErase, Reach
from tablegram.engine import raw_callbacks
from tablegram.messaging.erased import erased_id, new_token
from tablegram.messaging.store import erasure as store
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox


class MessageReach(Reach):
    """The messages stay, empty."""

    name = "messages"

    def __init__(self, box: SecretBox, clock: Clock, *, prepaid: bool) -> None:
        self._box = box
        self._clock = clock
        self._prepaid = prepaid

    async def finish(self, tx: Tx, person: PersonToErase, swept: Erased) -> Erased:
        now, token, total = self._clock.now_ms(), new_token(), 0
        for name in person.names:
            which = {"b_account": person.account_id, "b_phone": name}
            for row in await tx.all(store.CANCEL, {**which, "now": now}):
                if self._prepaid:
                    await quota.refund(tx, person.account_id, row["id"], now)
            known = await tx.all(store.NETWORK_IDS, which)
            total += await tx.run(store.EMPTY, {**which, "token": token})
            hashed = [
                {"b_account": person.account_id, "b_id": row["id"], "hashed": erased_id(self._box, row["network_id"])}
                for row in known
            ]
            if hashed:
                await tx.many(store.HIDE_NETWORK_ID, hashed)
        return Erased(total)


class CallbackReach(Reach):
    """Raw callbacks are emptied, and stay known as having come."""

    name = "callbacks"

    def __init__(self, db: Database) -> None:
        self._db = db

    async def sweep(self, person: PersonToErase) -> Erased:
        return Erased(*await raw_callbacks.sweep(self._db, person.account_id, person.names))

    async def finish(self, tx: Tx, person: PersonToErase, swept: Erased) -> Erased:
        return Erased(await raw_callbacks.finish(tx, person.account_id, person.names, swept.upto))
