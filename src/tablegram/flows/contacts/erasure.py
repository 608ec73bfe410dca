"""Erasing a person: everything that says who he was goes, a receipt with counts stays. So do the orders, nameless.

What is large or outside the store goes first (files, events, raw callbacks), the contact itself last and in one
transaction with what came in meanwhile. A crash on the way leaves the contact, and the next call ends the work.
After each commit this process's couriers forget his events; those of other processes look before they try again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import bindparam, delete, or_

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.money import quota
from tablegram.crm import importing, profiles
from tablegram.crm.merging import find_living
from tablegram.crm.store import auto_replies as reply_store
from tablegram.crm.store import contacts as store
from tablegram.crm.store import conversations as conversation_store
from tablegram.crm.store import terms as term_store
from tablegram.errors import NotFound, Unavailable
from tablegram.events import erasure as event_erasure
from tablegram.flows.contacts import raw_callbacks
from tablegram.flows.files.media import MediaLibrary
from tablegram.media.ports import MediaStoreDown
from tablegram.messaging.erased import erased_id, new_token
from tablegram.messaging.store import erasure as message_store
from tablegram.restaurant import customers
from tablegram.storage.database import Database, Query, Row, Tx
from tablegram.storage.tables import idempotency
from tablegram.values.clock import Clock, iso
from tablegram.values.secrets import SecretBox

# Answers that were kept for a repeated call show the contact.
_FORGET_ANSWERS = Query(
    delete(idempotency).where(
        idempotency.c.account_id == bindparam("b_account"),
        idempotency.c.route.in_(["POST /contacts", "POST /contacts/{contact_id:str}/merge"]),
        idempotency.c.body.contains(bindparam("b_id")),
    )
)


# So do those about an order of his: by his id, by the number that a waiter typed, or by what the order is called.
_FORGET_ORDER_ANSWERS = Query(
    delete(idempotency).where(
        idempotency.c.account_id == bindparam("b_account"),
        or_(idempotency.c.route.in_(["POST /orders", "panel take"]), idempotency.c.route.like("POST /orders/%")),
        idempotency.c.body.contains(bindparam("b_id")),
    )
)


class _Person(msgspec.Struct):
    """Whom to erase: the contact, those that were merged into it, every name of his, and what his orders are called."""

    account_id: int
    contact_id: str
    ids: list[str]
    names: list[str]
    orders: list[str]

    @property
    def senders(self) -> list[str]:
        """Under which his events stand; those of an order that came without a contact stand under the order."""
        return [*self.ids, *self.names, *self.orders]


class Erasure:
    def __init__(
        self, db: Database, box: SecretBox, clock: Clock, library: MediaLibrary,
        forget_events: Callable[[int, list[str]], None], audit: Audit, *, prepaid: bool,
    ) -> None:  # fmt: skip
        """`forget_events` takes an account's events, which are no longer stored, out of this process's memory."""
        self._audit = audit
        self._db = db
        self._box = box
        self._clock = clock
        self._library = library
        self._forget_events = forget_events
        self._prepaid = prepaid

    async def erase(self, caller: Caller, contact_id: str) -> dict[str, Any]:
        """Erase a contact and return the receipt; for one that was erased before, the receipt of that."""
        caller.require("contacts:manage")
        acting = self._audit.acting(caller)
        account_id = caller.account_id
        receipt = await self._db.first(store.RECEIPT, {"b_account": account_id, "b_id": contact_id})
        if receipt is not None:
            return _receipt(receipt)
        person = await self._db.snapshot(lambda tx: _identify(tx, account_id, contact_id))
        await importing.forget(self._db, account_id, person.names)
        files = await self._erase_files(person)
        gone, newest = await event_erasure.sweep(self._db, account_id, person.senders)
        self._forget_events(account_id, gone)
        callbacks, read_to = await raw_callbacks.sweep(self._db, account_id, person.names)

        async def work(tx: Tx) -> tuple[Row, list[str]]:
            # A name may have been added since; all of them go.
            now_known = await _identify(tx, account_id, contact_id)
            same = now_known == person
            late = await event_erasure.finish(tx, account_id, now_known.senders, newest if same else 0)
            counts = {"messages": await self._empty_messages(tx, now_known), "files": files}
            counts["orders"] = await customers.forget(
                tx, account_id, now_known.ids, now_known.names, self._clock.now_ms()
            )
            counts["events"] = len(gone) + len(late)
            counts["callbacks"] = callbacks + await raw_callbacks.finish(
                tx, account_id, now_known.names, read_to if same else 0
            )
            receipt = await self._erase(tx, now_known, counts)
            await acting.note(tx, "contact.erased", "contact", contact_id, msgspec.json.decode(receipt["counts"]))
            return receipt, late

        row, late = await self._db.write(work)
        self._forget_events(account_id, late)
        return _receipt(row)

    async def _erase_files(self, person: _Person) -> int:
        async def keys(tx: Tx) -> list[str]:
            params = [{"b_account": person.account_id, "b_phone": name} for name in person.names]
            return [row["id"] for row in await tx.gather(message_store.KEYS, params)]

        try:
            return await self._library.delete_media_of(person.account_id, await self._db.snapshot(keys))
        except MediaStoreDown:
            raise Unavailable(
                "The media store cannot be reached right now, so his files cannot be deleted. Try again.",
                code="media_store_unavailable", retry_after_s=5,
            ) from None  # fmt: skip

    async def _erase(self, tx: Tx, person: _Person, counts: dict[str, int]) -> Row:
        account_id = person.account_id
        counts["names"] = len(person.names)
        for one in person.ids:
            which = {"b_account": account_id, "b_id": one}
            for query in (
                term_store.FORGET, reply_store.FORGET_USES, conversation_store.FORGET, store.DELETE_ALIASES,
                store.DELETE, _FORGET_ANSWERS,
            ):  # fmt: skip
                await tx.run(query, which)
        for trace in (*person.ids, *person.names, *person.orders):
            await tx.run(_FORGET_ORDER_ANSWERS, {"b_account": account_id, "b_id": trace})
        row = {
            "account_id": account_id,
            "contact_id": person.contact_id,
            "counts": msgspec.json.encode(counts).decode(),
            "erased_at": self._clock.now_ms(),
        }
        # Whoever asks again by the id of a merged contact is answered the same.
        same = msgspec.json.encode({**counts, "contact_id": person.contact_id}).decode()
        others = [{**row, "contact_id": one, "counts": same} for one in person.ids if one != person.contact_id]
        await tx.many(store.KEEP_RECEIPT, [row, *others])
        return row

    async def _empty_messages(self, tx: Tx, person: _Person) -> int:
        now, token, total = self._clock.now_ms(), new_token(), 0
        for name in person.names:
            which = {"b_account": person.account_id, "b_phone": name}
            for row in await tx.all(message_store.CANCEL, {**which, "now": now}):
                if self._prepaid:
                    await quota.refund(tx, person.account_id, row["id"], now)
            known = await tx.all(message_store.NETWORK_IDS, which)
            total += await tx.run(message_store.EMPTY, {**which, "token": token})
            hashed = [
                {"b_account": person.account_id, "b_id": row["id"], "hashed": erased_id(self._box, row["network_id"])}
                for row in known
            ]
            if hashed:
                await tx.many(message_store.HIDE_NETWORK_ID, hashed)
        return total


async def _identify(tx: Tx, account_id: int, contact_id: str) -> _Person:
    row = await find_living(tx, account_id, contact_id)
    if row is None:
        raise NotFound("There is no such contact in this account.", code="contact_unknown")
    ids, waiting = [], [row["id"]]
    while waiting:
        ids.append(waiting.pop())
        found = await tx.all(store.MERGED_INTO, {"b_account": account_id, "b_id": ids[-1]})
        waiting += [one["id"] for one in found]
    names = [value for _, value in await profiles.aliases_of(tx, account_id, row["id"])]
    orders = await customers.orders_of(tx, account_id, ids, names)
    return _Person(account_id, row["id"], ids, names, [order.order_id for order in orders])


def _receipt(row: Row) -> dict[str, Any]:
    counts: dict[str, Any] = msgspec.json.decode(row["counts"])
    contact_id = counts.pop("contact_id", row["contact_id"])
    return {"contact_id": contact_id, "erased_at": iso(row["erased_at"]), "counts": counts}
