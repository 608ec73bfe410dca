"""A cart that somebody may leave behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from tablegram.storage.database import Params
from tablegram.stores.notifications.model import NoticeFacts, read_facts

if TYPE_CHECKING:
    from tablegram.stores.carts.rows import CartRow

# open: a reminder may come; left: all was said; bought: without a word of ours; recovered: after a reminder.
State = Literal["open", "left", "bought", "recovered", "deleted"]


class Cart(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    source_id: str
    reference: str
    checkout: str = ""
    name: str = ""
    phone: str = ""
    email: str = ""
    language: str = ""
    consents: bool | None = None
    facts: NoticeFacts = NoticeFacts()
    amount: int | None = None
    currency: str = ""
    instance_id: int | None = None
    state: State = "open"
    step: int = 1
    due_at: int | None = None
    reminders: int = 0
    began_at: int = 0
    changed_at: int = 0
    order_reference: str = ""
    bought_amount: int | None = None
    bought_currency: str = ""
    created_at: int = 0
    updated_at: int = 0
    ended_at: int | None = None


class Purchase(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody bought, and what they are known by."""

    account_id: int
    source_id: str
    reference: str
    checkout: str = ""
    phone: str = ""
    email: str = ""
    amount: int | None = None
    currency: str = ""
    at: int = 0


def read_cart(row: CartRow) -> Cart:
    return Cart(
        account_id=row["account_id"],
        id=row["id"],
        source_id=row["source_id"],
        reference=row["reference"],
        checkout=row["checkout"],
        name=row["name"],
        phone=row["phone"],
        email=row["email"],
        language=row["language"],
        consents=None if row["consents"] is None else bool(row["consents"]),
        facts=read_facts(row["facts"]),
        amount=row["amount"],
        currency=row["currency"],
        instance_id=row["instance_id"],
        state=row["state"],
        step=row["step"],
        due_at=row["due_at"],
        reminders=row["reminders"],
        began_at=row["began_at"],
        changed_at=row["changed_at"],
        order_reference=row["order_reference"],
        bought_amount=row["bought_amount"],
        bought_currency=row["bought_currency"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        ended_at=row["ended_at"],
    )


def cart_row(cart: Cart) -> Params:
    row = msgspec.structs.asdict(cart)
    consents = None if cart.consents is None else int(cart.consents)
    return {**row, "facts": msgspec.json.encode(cart.facts).decode(), "consents": consents}
