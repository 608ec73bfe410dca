"""A person in notices and carts: what an export shows, what an erasure leaves, and why they heard nothing."""

from __future__ import annotations

from collections.abc import Mapping

from tablegram.crm import contacts
from tablegram.crm.own_data.erasing import Erased, PersonToErase, Reach
from tablegram.crm.own_data.exports import Holding
from tablegram.crm.own_data.unsent import Asked, Silence, Unsent
from tablegram.flows.stores.notices.answers import ContactNotice
from tablegram.storage.database import Tx
from tablegram.stores.carts import store as cart_store
from tablegram.stores.notifications import store
from tablegram.stores.notifications.model import read_notice
from tablegram.values.clock import Clock, iso

_MOST = 1_000


async def _held(tx: Tx, account_id: int, contact_ids: list[str]) -> Mapping[str, list[ContactNotice]]:
    found: dict[str, list[ContactNotice]] = {}
    owners = await contacts.owners_of_phones(tx, account_id, contact_ids)
    which = [{"b_account": account_id, "b_phone": phone, "most": _MOST} for phone in owners]
    for row in await tx.gather(store.OF_PHONE, which):
        notice = read_notice(row)
        shown = ContactNotice(
            id=notice.id, kind=notice.kind, number=notice.number, state=notice.state, reason=notice.reason,
            created_at=iso(notice.created_at),
        )  # fmt: skip
        found.setdefault(owners[notice.phone], []).append(shown)
    return found


HOLDING = Holding(
    "store_notices",
    _held,
    {"store_notices": len},
    scope="stores:manage",
)


class NoticeReach(Reach):
    """What waits is not said any more; that something was said stays, nobody's from then on."""

    name = "store_notices"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def finish(self, tx: Tx, person: PersonToErase, swept: Erased) -> Erased:
        count, now = 0, self._clock.now_ms()
        for phone in person.names:
            which = {"b_account": person.account_id, "b_phone": phone}
            await tx.run(store.CANCEL_OF_PHONE, {**which, "now": now})
            count += await tx.run(store.FORGET, which)
            await tx.run(cart_store.END_OF_PHONE, {**which, "now": now})
            await tx.run(cart_store.FORGET, which)
            await tx.run(cart_store.FORGET_PURCHASES, which)
        return Erased(count)


async def _unsent(tx: Tx, asked: Asked) -> list[Unsent]:
    phones = await contacts.owners_of_phones(tx, asked.account_id, [asked.contact_id])
    params = {name: value for name, value in asked.params().items() if name != "b_contact"}
    rows = [row for phone in phones for row in await tx.all(store.UNSENT, {**params, "b_phone": phone})]
    told = [
        Unsent(
            source_id=row["id"], name=row["number"], kind=row["kind"], reason=row["reason"], at=row["updated_at"],
            key=row["id"],
        )
        for row in rows
    ]  # fmt: skip
    return sorted(told, key=lambda one: (one.at, one.key), reverse=True)[: asked.most]


SILENCE = Silence("store_notice", _unsent, scope="stores:manage")
