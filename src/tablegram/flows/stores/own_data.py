"""A person in the books of shops: what an export shows, and what an erasure leaves."""

from __future__ import annotations

from collections.abc import Mapping

from tablegram.crm.own_data.erasing import Erased, PersonToErase, Reach
from tablegram.crm.own_data.exports import Holding
from tablegram.engine.kept_answers import KeptAnswers
from tablegram.storage.database import Database, Tx
from tablegram.stores.people import ContactStoreOrder, brief, forget, of_contacts, shop_names, sweep

_ANSWERS = KeptAnswers([], below="POST /stores/deliveries/")


async def _held(tx: Tx, account_id: int, contact_ids: list[str]) -> Mapping[str, list[ContactStoreOrder]]:
    names = await shop_names(tx, account_id)
    found: dict[str, list[ContactStoreOrder]] = {}
    for order in await of_contacts(tx, account_id, contact_ids):
        found.setdefault(order.contact_id or "", []).append(brief(order, names.get(order.source_id, "")))
    return found


HOLDING = Holding(
    "store_orders",
    _held,
    {"store_orders": len},
    scope="stores:manage",
)


class StoreReach(Reach):
    """Orders stay in the books, nobody's from then on; what was delivered about the person goes."""

    name = "stores"

    def __init__(self, db: Database) -> None:
        self._db = db

    async def sweep(self, person: PersonToErase) -> Erased:
        return Erased(await sweep(self._db, person.account_id, person.names))

    async def finish(self, tx: Tx, person: PersonToErase, swept: Erased) -> Erased:
        count = await forget(tx, person.account_id, person.ids, person.names)
        await _ANSWERS.forget(tx, person.account_id, person.known_as)
        return Erased(count)
