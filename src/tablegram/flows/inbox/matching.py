"""What was said that a search was after: a list of what is found shows it in place of the last words."""

from __future__ import annotations

from collections.abc import Iterable

from tablegram.crm.terms import Word, said_terms
from tablegram.messaging.rows.messages import SaidRow
from tablegram.messaging.store import messages as message_store
from tablegram.storage.database import Tx

# So many of an address's newest messages are looked through; older ones still find the conversation.
LOOKED_AT = 100


async def matches(tx: Tx, account_id: int, addresses: dict[str, list[str]], words: list[Word]) -> dict[str, SaidRow]:
    """By contact: the newest of the messages in which most of the words stand, unless none does."""
    owner = {address: contact_id for contact_id, known in addresses.items() for address in known}
    wanted = [{"b_account": account_id, "b_phone": address, "most": LOOKED_AT} for address in owner]
    best: dict[str, tuple[int, str]] = {}
    found: dict[str, SaidRow] = {}
    for row in await tx.gather(message_store.SAID, wanted):
        count = _count(said_terms(row["text"]), words)
        contact_id = owner[row["phone"]]
        if count and (count, row["id"]) > best.get(contact_id, (0, "")):
            best[contact_id], found[contact_id] = (count, row["id"]), row
    return found


def _count(terms: Iterable[str], words: list[Word]) -> int:
    terms = list(terms)
    return sum(any(one.low <= term < one.high for one in word for term in terms) for word in words)
