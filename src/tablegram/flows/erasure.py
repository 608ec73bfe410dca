"""Erasing a person: everything that says who he was goes, a receipt with counts stays.

What is large or outside the store goes first (files, events, raw callbacks), the contact itself last and in one
transaction with what came in meanwhile. A crash on the way leaves the contact, and the next call ends the work.
"""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import bindparam, delete, select, update

from tablegram.accounts import quota
from tablegram.accounts.keys import Caller
from tablegram.crm import profiles
from tablegram.crm.merging import find_living
from tablegram.crm.store import auto_replies as reply_store
from tablegram.crm.store import contacts as store
from tablegram.crm.store import terms as term_store
from tablegram.errors import NotFound, Unavailable
from tablegram.events import erasure as event_erasure
from tablegram.flows.media import MediaLibrary
from tablegram.media.ports import MediaStoreDown
from tablegram.messaging.store import erasure as message_store
from tablegram.storage.database import Database, Query, Row, Tx
from tablegram.storage.tables import idempotency, inbox
from tablegram.values.clock import Clock, iso
from tablegram.values.ids import random_base62

INBOX_CHUNK = 500

_BODIES = Query(
    select(inbox.c.id, inbox.c.body)
    .where(inbox.c.account_id == bindparam("b_account"), inbox.c.id > bindparam("after"), inbox.c.done_at.is_not(None))
    .order_by(inbox.c.id)
    .limit(INBOX_CHUNK)
)
_EMPTY_BODY = Query(
    update(inbox).where(inbox.c.account_id == bindparam("b_account"), inbox.c.id == bindparam("b_id")).values(body=b"")
)
# Answers that were kept for a repeated call show the contact.
_FORGET_ANSWERS = Query(
    delete(idempotency).where(
        idempotency.c.account_id == bindparam("b_account"),
        idempotency.c.route.in_(["POST /contacts", "POST /contacts/{contact_id:str}/merge"]),
        idempotency.c.body.contains(bindparam("b_id")),
    )
)


class _Person(msgspec.Struct):
    """Whom to erase: the contact, those that were merged into it, and every name of his."""

    account_id: int
    contact_id: str
    ids: list[str]
    names: list[str]

    @property
    def senders(self) -> list[str]:
        return [*self.ids, *self.names]


class Erasure:
    def __init__(self, db: Database, clock: Clock, library: MediaLibrary, *, prepaid: bool) -> None:
        self._db = db
        self._clock = clock
        self._library = library
        self._prepaid = prepaid

    async def erase(self, caller: Caller, contact_id: str) -> dict[str, Any]:
        """Erase a contact and return the receipt; for one that was erased before, the receipt of that."""
        account_id = caller.account_id
        receipt = await self._db.first(store.RECEIPT, {"b_account": account_id, "b_id": contact_id})
        if receipt is not None:
            return _receipt(receipt)
        person = await self._db.snapshot(lambda tx: _identify(tx, account_id, contact_id))
        files = await self._erase_files(person)
        events, newest = await event_erasure.sweep(self._db, account_id, person.senders)
        callbacks, read_to = await self._sweep_callbacks(person)

        async def work(tx: Tx) -> Row:
            # A name may have been added since; all of them go.
            now_known = await _identify(tx, account_id, contact_id)
            return await self._erase(
                tx, now_known, files, (events, newest if now_known == person else 0),
                (callbacks, read_to if now_known == person else 0),
            )  # fmt: skip

        return _receipt(await self._db.write(work))

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

    async def _sweep_callbacks(self, person: _Person) -> tuple[int, int]:
        """Empty the raw callbacks that name him, piece by piece; how many, and up to where it looked."""
        total, after = 0, 0
        while True:
            rows = await self._db.all(_BODIES, {"b_account": person.account_id, "after": after})
            if not rows:
                return total, after
            after = rows[-1]["id"]
            statements = [(_EMPTY_BODY, params) for params in _naming(rows, person)]
            if statements:
                await self._db.put(*statements)
            total += len(statements)

    async def _erase(
        self, tx: Tx, person: _Person, files: int, events: tuple[int, int], callbacks: tuple[int, int]
    ) -> Row:
        account_id, now = person.account_id, self._clock.now_ms()
        counts = {"messages": await self._empty_messages(tx, person, now), "files": files}
        counts["events"] = events[0] + await event_erasure.finish(tx, account_id, person.senders, events[1])
        counts["callbacks"] = callbacks[0] + await _empty_callbacks(tx, person, callbacks[1])
        counts["names"] = len(person.names)
        for one in person.ids:
            which = {"b_account": account_id, "b_id": one}
            for query in (
                term_store.FORGET, reply_store.FORGET_USES, store.DELETE_ALIASES, store.DELETE, _FORGET_ANSWERS
            ):  # fmt: skip
                await tx.run(query, which)
        row = {
            "account_id": account_id,
            "contact_id": person.contact_id,
            "counts": msgspec.json.encode(counts).decode(),
            "erased_at": now,
        }
        await tx.run(store.KEEP_RECEIPT, row)
        return row

    async def _empty_messages(self, tx: Tx, person: _Person, now: int) -> int:
        # Made by chance, so that nothing leads from it back to the number.
        token = "erased." + random_base62(20)
        total = 0
        for name in person.names:
            which = {"b_account": person.account_id, "b_phone": name}
            for row in await tx.all(message_store.CANCEL, {**which, "now": now}):
                if self._prepaid:
                    await quota.refund(tx, person.account_id, row["id"], now)
            total += await tx.run(message_store.EMPTY, {**which, "token": token})
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
    aliases = await profiles.aliases_of(tx, account_id, row["id"])
    return _Person(account_id, row["id"], ids, [value for _, value in aliases])


def _naming(rows: list[Row], person: _Person) -> list[dict[str, Any]]:
    names = [name.encode() for name in person.names]
    return [
        {"b_account": person.account_id, "b_id": row["id"]}
        for row in rows
        if any(name in bytes(row["body"]) for name in names)
    ]


async def _empty_callbacks(tx: Tx, person: _Person, after: int) -> int:
    total = 0
    while rows := await tx.all(_BODIES, {"b_account": person.account_id, "after": after}):
        after = rows[-1]["id"]
        found = _naming(rows, person)
        if found:
            await tx.many(_EMPTY_BODY, found)
        total += len(found)
    return total


def _receipt(row: Row) -> dict[str, Any]:
    counts: dict[str, int] = msgspec.json.decode(row["counts"])
    return {"contact_id": row["contact_id"], "erased_at": iso(row["erased_at"]), "counts": counts}
