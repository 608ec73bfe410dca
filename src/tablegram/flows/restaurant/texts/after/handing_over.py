"""Who gets no more answers hears so once, and that a colleague takes over; afterwards it is silent."""

from __future__ import annotations

from tablegram.flows.restaurant.orders.telling import Telling
from tablegram.flows.restaurant.texts.said import Said
from tablegram.messaging.store import messages as message_store
from tablegram.restaurant.guests import ANSWERS_WITHIN_MS, MAX_NEEDED
from tablegram.restaurant.texts.words import speak
from tablegram.storage.database import Tx
from tablegram.values.ids import first_id


async def hand_over(tx: Tx, telling: Telling, said: Said, told: int) -> bool:
    """`told`: how many answers they had. Once for questions, and once more when orders and calls get none either."""
    kind = "handed_over" if told < MAX_NEEDED else "handed_over_all"
    which = {
        "b_account": said.venue.account_id, "b_phone": said.phone, "after": first_id(said.now - ANSWERS_WITHIN_MS),
        "b_text": speak(said.language)[kind],
    }  # fmt: skip
    if await tx.first(message_store.SAID_TO, which) is not None:
        return False
    await telling.word(tx, said.venue, said.phone, said.language, said.now, kind)
    return True
