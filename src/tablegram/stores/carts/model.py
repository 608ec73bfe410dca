"""A cart that somebody may leave behind."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from tablegram.storage.database import Params
from tablegram.stores.notifications.model import Facts, read_facts

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
    facts: Facts = Facts()
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


def read_cart(row: Any) -> Cart:
    values = {name: row[name] for name in Cart.__struct_fields__}
    consents = None if row["consents"] is None else bool(row["consents"])
    return Cart(**{**values, "facts": read_facts(row["facts"]), "consents": consents})


def cart_row(cart: Cart) -> Params:
    row = msgspec.structs.asdict(cart)
    consents = None if cart.consents is None else int(cart.consents)
    return {**row, "facts": msgspec.json.encode(cart.facts).decode(), "consents": consents}
