"""A message of a guest to a venue's line, with everything that hearing it needs."""

from __future__ import annotations

import msgspec

from tablegram.messaging.store import messages as message_store
from tablegram.restaurant.guests import ANSWERS_WITHIN_MS, MAX_ANSWERS, MAX_NEEDED
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.ids import first_id


class Said(msgspec.Struct, frozen=True):
    # With the line that was written to, whatever its own is: the answer goes the way the message came.
    venue: Venue
    text: str
    # Digits, or the network's own id of who hides the number: where the answer goes.
    phone: str
    name: str
    contact_id: str
    language: str
    message_key: str
    now: int
    # By the network's clock. After a stoppage of ours it may be long ago.
    written_at: int
    # The rules did not read it, and it has waited for the language model since then; 0 where it just came.
    waits_since: int = 0
    # When the guest wrote last before; empty where never.
    previous_at: int | None = None
    # How many messages they got just now; less than none where nobody has counted.
    told: int = -1

    @property
    def whose(self) -> dict[str, str | int]:
        """What the guest's orders at this venue are looked up by."""
        return {
            "b_account": self.venue.account_id, "b_venue": self.venue.id,
            "b_contact": self.contact_id, "b_phone": self.phone,
        }  # fmt: skip


async def may_complain(tx: Tx, said: Said) -> bool:
    """Whether this sender was not answered all too often just now. Orders are always heard; questions have an end."""
    return bool(said.phone) and await _told(tx, said) < MAX_ANSWERS


async def may_serve(tx: Tx, said: Said) -> bool:
    """The same for who orders, or asks for the bill or the waiter: they are answered for longer."""
    return bool(said.phone) and await _told(tx, said) < MAX_NEEDED


async def is_told_enough(tx: Tx, account_id: int, phone: str, now: int) -> bool:
    """Whether a number got so many messages just now that it gets no more."""
    return await told_lately(tx, account_id, phone, now) >= MAX_ANSWERS


async def told_lately(tx: Tx, account_id: int, phone: str, now: int) -> int:
    which = {"b_account": account_id, "b_phone": phone, "after": first_id(now - ANSWERS_WITHIN_MS)}
    row = await tx.first(message_store.SENT_TO, which)
    return 0 if row is None else int(row["n"])


async def _told(tx: Tx, said: Said) -> int:
    return said.told if said.told >= 0 else await told_lately(tx, said.venue.account_id, said.phone, said.now)
