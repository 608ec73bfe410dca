"""May this customer be written to? Whoever writes by itself asks here, inside the transaction that queues the message.

What a customer started (an order, a question) is answered without asking: these are the answers that they wait for.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from tablegram.crm.consent import ledger
from tablegram.crm.consent.ledger import Purpose, Word
from tablegram.crm.store import consents as store
from tablegram.storage.database import Tx

# Stable: programs read them. They said no; or they never said yes, where that is needed.
Reason = Literal["opted_out", "no_consent"]


async def may_write(
    tx: Tx, account_id: int, contact_id: str, purpose: Purpose, *, agreed_elsewhere: bool = False
) -> Reason | None:
    """Why a contact must not be written to for a purpose; nothing where it may be.

    News of orders go to everybody who has not refused them; marketing only to who has agreed. `agreed_elsewhere`: a shop
    brings an agreement along, which holds until the customer has said something here. An empty `contact_id` is somebody
    whom nobody knows yet.
    """
    said = await ledger.of_contact(tx, account_id, contact_id) if contact_id else []
    return _why_not(said, purpose, agreed_elsewhere=agreed_elsewhere)


async def refusals(tx: Tx, account_id: int, contact_ids: Collection[str], purpose: Purpose) -> dict[str, Reason]:
    """The same for many, in one look: who must not be written to, and why."""
    said: dict[str, list[Word]] = {one: [] for one in contact_ids}
    for row in await tx.gather(store.OF_CONTACT, [{"b_account": account_id, "b_id": one} for one in sorted(said)]):
        said[row["contact_id"]].append(ledger.from_row(row))
    found = {one: _why_not(words, purpose, agreed_elsewhere=False) for one, words in said.items()}
    return {one: reason for one, reason in found.items() if reason is not None}


def _why_not(said: list[Word], purpose: Purpose, *, agreed_elsewhere: bool) -> Reason | None:
    if ledger.standing(said, "orders") == "denied":
        # Who wants to hear nothing of their orders wants no advertising either.
        return "opted_out"
    if purpose == "orders":
        return None
    holds = ledger.standing(said, "marketing")
    if holds == "denied":
        return "opted_out"
    return None if holds == "granted" or agreed_elsewhere else "no_consent"
