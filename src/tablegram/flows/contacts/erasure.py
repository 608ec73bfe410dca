"""Erasing a person: everything that says who they were goes, a receipt with counts stays. So do the orders, nameless.

Each part of the product says what an erasure reaches in it (`crm/own_data/erasing`). What is large or outside the store goes
first (files, events, raw callbacks), the contact itself last and in one transaction with what came in meanwhile. A
crash on the way leaves the contact, and the next call ends the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import msgspec

from tablegram.accounts.audit import Acting, Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.crm import profiles
from tablegram.crm.importing import bringing_in
from tablegram.crm.merging import require_living
from tablegram.crm.own_data.erasing import Erased, PersonToErase, Reach
from tablegram.crm.own_data.widening import wide_enough
from tablegram.crm.rows import ReceiptRow
from tablegram.crm.store import auto_replies as reply_store
from tablegram.crm.store import consents as consent_store
from tablegram.crm.store import contacts as store
from tablegram.crm.store import conversations as conversation_store
from tablegram.crm.store import notes as note_store
from tablegram.crm.store import terms as term_store
from tablegram.engine.kept_answers import KeptAnswers
from tablegram.flows.contacts.answers import ErasureCounts, ErasureReceipt
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock, iso

_ANSWERS = KeptAnswers(
    [
        "POST /contacts",
        "POST /contacts/{contact_id:str}/merge",
        "POST /consents",
        "POST /conversations/{contact_id:str}/notes",
    ]
)
_ROWS = (
    term_store.FORGET,
    reply_store.FORGET_USES,
    conversation_store.FORGET,
    consent_store.FORGET,
    note_store.FORGET,
    store.DELETE_ALIASES,
    store.DELETE,
)

Told = Callable[[int, str], None]


class Erasure:
    """`told` hears of each contact that is gone, so that pages which show them are drawn anew."""

    def __init__(
        self,
        db: Database,
        clock: Clock,
        audit: Audit,
        reaches: Iterable[Reach],
        told: Told = lambda account_id, one: None,
    ) -> None:
        self._told = told
        self._db = db
        self._clock = clock
        self._audit = audit
        self._reaches = reaches

    async def erase(self, caller: Caller, contact_id: str) -> ErasureReceipt:
        """Erase a contact and return the receipt; for one that was erased before, the receipt of that."""
        caller.require("contacts:manage")
        return await self.erase_for(caller.account_id, contact_id, self._audit.acting(caller))

    async def erase_for(self, account_id: int, contact_id: str, acting: Acting) -> ErasureReceipt:
        """The same for who was allowed to ask for it before."""
        receipt = await self._db.first(store.RECEIPT, {"b_account": account_id, "b_id": contact_id})
        if receipt is not None:
            return read_receipt(receipt)
        person = await self._db.snapshot(lambda tx: self._identify(tx, account_id, contact_id))
        await bringing_in.forget(self._db, account_id, person.names)
        swept = [(reach, await reach.sweep(person)) for reach in self._reaches]

        async def work(tx: Tx) -> tuple[ReceiptRow, list[Erased]]:
            # A name may have been added since; all of them go.
            now_known = await self._identify(tx, account_id, contact_id)
            counts: dict[str, int] = {}
            finished = []
            for reach, before in swept:
                gone = await reach.finish(tx, now_known, before if now_known == person else replace(before, upto=0))
                finished.append(gone)
                if reach.name:
                    counts[reach.name] = before.count + gone.count
            receipt = await self._erase(tx, now_known, counts)
            await acting.note(tx, "contact.erased", "contact", contact_id, msgspec.json.decode(receipt["counts"]))
            return receipt, finished

        row, finished = await self._db.write(work)
        for gone in finished:
            gone.told()
        self._told(account_id, contact_id)
        return read_receipt(row)

    async def _identify(self, tx: Tx, account_id: int, contact_id: str) -> PersonToErase:
        row = await require_living(tx, account_id, contact_id)
        ids, waiting = [], [row["id"]]
        while waiting:
            ids.append(waiting.pop())
            found = await tx.all(store.MERGED_INTO, {"b_account": account_id, "b_id": ids[-1]})
            waiting += [one["id"] for one in found]
        names = [value for _, value in await profiles.aliases_of(tx, account_id, row["id"])]
        person = PersonToErase(account_id, row["id"], ids, names)
        traces = [trace for reach in self._reaches for trace in await reach.traces(tx, person)]
        return msgspec.structs.replace(person, traces=traces)

    async def _erase(self, tx: Tx, person: PersonToErase, counts: dict[str, int]) -> ReceiptRow:
        account_id = person.account_id
        counts["names"] = len(person.names)
        for one in person.ids:
            for query in _ROWS:
                await tx.run(query, {"b_account": account_id, "b_id": one})
        await _ANSWERS.forget(tx, account_id, person.ids)
        row: ReceiptRow = {
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


def read_receipt(row: ReceiptRow) -> ErasureReceipt:
    """Each part counts what it erased, under its own name."""
    counted = msgspec.json.decode(row["counts"])
    contact_id = counted.pop("contact_id", row["contact_id"])
    counts = msgspec.convert(counted, wide_enough(ErasureCounts, counted, int))
    return ErasureReceipt(contact_id=contact_id, erased_at=iso(row["erased_at"]), counts=counts)
