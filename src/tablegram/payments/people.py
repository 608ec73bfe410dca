"""One person's payments: found by contact and number, shown in an export, and made nobody's."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from tablegram.payments.model import Link, State, read_link
from tablegram.payments.store import links as store
from tablegram.storage.database import Tx
from tablegram.values.clock import MomentText, iso
from tablegram.values.money import to_wire


async def of_contacts(tx: Tx, account_id: int, contact_ids: Iterable[str]) -> list[Link]:
    which = [{"b_account": account_id, "b_contact": one} for one in contact_ids]
    return [read_link(row) for row in await tx.gather(store.OF_CONTACT, which)]


async def move(tx: Tx, account_id: int, gone: str, kept: str) -> None:
    """Two contacts turned out to be one person."""
    await tx.run(store.MOVE, {"b_account": account_id, "b_gone": gone, "b_kept": kept})


async def links_of(tx: Tx, account_id: int, contact_ids: Iterable[str], phones: Iterable[str]) -> list[Link]:
    """Every link of a person, under whatever id or number they are known."""
    found = {link.id: link for link in await of_contacts(tx, account_id, contact_ids)}
    for row in await tx.gather(store.OF_PHONE, [{"b_account": account_id, "b_phone": one} for one in phones]):
        found[row["id"]] = read_link(row)
    return list(found.values())


async def forget(tx: Tx, account_id: int, contact_ids: Iterable[str], phones: Iterable[str]) -> int:
    """The links stay, for the books; whose they are goes, and what was written about them."""
    links = await links_of(tx, account_id, contact_ids, phones)
    for link in links:
        await tx.run(store.FORGET, {"b_account": account_id, "b_id": link.id})
        await tx.run(store.FORGET_REASONS, {"b_account": account_id, "b_link": link.id})
    return len(links)


class ContactPayment(Struct, kw_only=True, frozen=True):
    """A payment link of theirs."""

    id: str
    state: State
    amount: float
    currency: str
    description: str
    refunded_amount: float
    created_at: MomentText
    paid_at: MomentText | None


def brief(link: Link) -> ContactPayment:
    """As the export of a contact shows it."""
    return ContactPayment(
        id=link.id,
        state=link.state,
        amount=to_wire(link.amount, link.currency),
        currency=link.currency,
        description=link.description,
        refunded_amount=to_wire(link.refunded, link.received_currency or link.currency),
        created_at=iso(link.created_at),
        paid_at=iso(link.paid_at),
    )
