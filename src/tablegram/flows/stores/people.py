"""Customers of shops are contacts: found by their number, added when they have ordered or written.

What shops ask for (`stores/hearing.Recognise`), answered by the pool: neither knows the other.
"""

from __future__ import annotations

from tablegram.crm.contacts import Sender, are_known, know, name_unnamed
from tablegram.storage.database import Tx
from tablegram.values.clock import Clock


class Recogniser:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def __call__(self, tx: Tx, account_id: int, phone: str, introduces: bool, name: str) -> str | None:
        """The contact with a number. Nobody was seen: they wrote nothing to us."""
        sender = Sender(account_id, 0, phone, "", name, self._clock.now_ms())
        if not introduces and not await are_known(tx, sender):
            return None
        (contact,) = await know(tx, [sender])
        if name:
            await name_unnamed(tx, account_id, contact.contact_id, name)
        return contact.contact_id
