"""A person in the books of payments: what an export shows, and what an erasure leaves."""

from __future__ import annotations

from collections.abc import Mapping

from tablegram.crm.own_data.erasing import Erased, PersonToErase, Reach
from tablegram.crm.own_data.exports import Holding
from tablegram.engine.kept_answers import KeptAnswers
from tablegram.payments.people import ContactPayment, brief, forget, links_of, of_contacts
from tablegram.storage.database import Tx

_ANSWERS = KeptAnswers(["POST /payment-links"], below="POST /payment-links/")


async def _held(tx: Tx, account_id: int, contact_ids: list[str]) -> Mapping[str, list[ContactPayment]]:
    found: dict[str, list[ContactPayment]] = {}
    for link in await of_contacts(tx, account_id, contact_ids):
        found.setdefault(link.contact_id or "", []).append(brief(link))
    return found


HOLDING = Holding(
    "payments",
    _held,
    {"payments": len},
    scope="payments:manage",
)


class PaymentReach(Reach):
    """Money that moved stays in the books, nobody's from then on."""

    name = "payments"

    async def traces(self, tx: Tx, person: PersonToErase) -> list[str]:
        """Events of a link go by its id."""
        return [link.id for link in await links_of(tx, person.account_id, person.ids, person.names)]

    async def finish(self, tx: Tx, person: PersonToErase, swept: Erased) -> Erased:
        count = await forget(tx, person.account_id, person.ids, person.names)
        await _ANSWERS.forget(tx, person.account_id, person.known_as)
        return Erased(count)
