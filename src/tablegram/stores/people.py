"""One person's orders in shops: found by contact and number, shown in an export, and made nobody's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Struct

from tablegram.storage.database import Database, Tx
from tablegram.stores.model import StoreOrder, read_order
from tablegram.stores.store import deliveries as delivery_store
from tablegram.stores.store import orders as store
from tablegram.stores.store import sources as source_store
from tablegram.values.clock import MomentText, iso
from tablegram.values.money import EXPONENTS, to_wire


async def of_contacts(tx: Tx, account_id: int, contact_ids: Iterable[str]) -> list[StoreOrder]:
    which = [{"b_account": account_id, "b_contact": one} for one in contact_ids]
    return [read_order(row) for row in await tx.gather(store.OF_CONTACT, which)]


async def shop_names(tx: Tx, account_id: int) -> dict[str, str]:
    """What each shop is called, removed ones too."""
    return {row["id"]: row["name"] for row in await tx.all(source_store.NAMES, {"b_account": account_id})}


async def move(tx: Tx, account_id: int, gone: str, kept: str) -> None:
    """Two contacts turned out to be one person."""
    await tx.run(store.MOVE, {"b_account": account_id, "b_gone": gone, "b_kept": kept})


async def orders_of(tx: Tx, account_id: int, contact_ids: Iterable[str], phones: Iterable[str]) -> list[StoreOrder]:
    """Every order of a person, under whatever id or number they are known."""
    found = {order.id: order for order in await of_contacts(tx, account_id, contact_ids)}
    for row in await tx.gather(store.OF_PHONE, [{"b_account": account_id, "b_phone": one} for one in phones]):
        found[row["id"]] = read_order(row)
    return list(found.values())


async def forget(tx: Tx, account_id: int, contact_ids: Iterable[str], phones: Iterable[str]) -> int:
    """The orders stay, for the books; whose they are goes, and everything that was delivered about them."""
    known = [*contact_ids], [*phones]
    orders = await orders_of(tx, account_id, *known)
    for order in orders:
        await tx.run(store.FORGET, {"b_account": account_id, "b_id": order.id})
    count = len(orders)
    for name in (*known[0], *known[1]):
        for row in await tx.all(delivery_store.NAMING, {"b_account": account_id, "b_name": name}):
            await tx.run(delivery_store.FORGET, {"b_account": account_id, "b_id": row["id"]})
            count += 1
    return count


async def sweep(db: Database, account_id: int, names: Iterable[str]) -> int:
    """Empty deliveries that nobody could read, and that hold one of the names; piece by piece."""
    wanted = [name.encode() for name in names]
    count, after = 0, ""
    while rows := await db.all(delivery_store.UNREAD, {"b_account": account_id, "after": after}):
        after = rows[-1]["id"]
        found = [row["id"] for row in rows if any(name in bytes(row["body"]) for name in wanted)]
        if found:
            await db.put(*[(delivery_store.FORGET, {"b_account": account_id, "b_id": one}) for one in found])
        count += len(found)
    return count


def amount_of(order: StoreOrder) -> float | None:
    """On the wire; nothing where the shop named no amount, or no currency that there is."""
    return None if order.amount is None or order.currency not in EXPONENTS else to_wire(order.amount, order.currency)


class ContactStoreOrder(Struct, kw_only=True, frozen=True):
    """What they bought in a connected shop."""

    id: str
    shop: Annotated[str, Meta(description="What the shop is called here.")]
    reference: Annotated[str, Meta(description="The shop's own id.")]
    number: Annotated[str, Meta(description="As the shop tells it to its customers.")]
    status: str
    amount: Annotated[float | None, Meta(description="Null: the shop named none, or no currency that there is.")]
    currency: str
    email: str
    created_at: MomentText
    updated_at: MomentText


def brief(order: StoreOrder, shop: str) -> ContactStoreOrder:
    """As the export of a contact shows it."""
    return ContactStoreOrder(
        id=order.id,
        shop=shop,
        reference=order.reference,
        number=order.number,
        status=order.status,
        amount=amount_of(order),
        currency=order.currency,
        email=order.email,
        created_at=iso(order.created_at),
        updated_at=iso(order.updated_at),
    )
