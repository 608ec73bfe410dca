"""What a change of an order was: what stood there before, and what stands there now.

Each event of an order is kept with both, as far as they differ, so that any earlier form of the order can be had again,
and whoever prints or tells of a change knows what to cross out.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import UNSET, UnsetType

from tablegram.restaurant.destinations import Destination
from tablegram.restaurant.lines import PricedLine
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.states import PaymentMethod, PaymentState, State
from tablegram.restaurant.orders.totals import Extra
from tablegram.restaurant.rows.orders import StepRow


class ChangedFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What may change of an order; only what did change is set."""

    state: State | UnsetType = UNSET
    payment_state: PaymentState | UnsetType = UNSET
    payment_method: PaymentMethod | UnsetType = UNSET
    lines: tuple[PricedLine, ...] | UnsetType = UNSET
    charges: tuple[Extra, ...] | UnsetType = UNSET
    discounts: tuple[Extra, ...] | UnsetType = UNSET
    total: int | UnsetType = UNSET
    notes: str | UnsetType = UNSET
    promised_at: int | UnsetType | None = UNSET
    revision: int | UnsetType = UNSET
    updated_at: int | UnsetType = UNSET
    closed_at: int | UnsetType | None = UNSET
    table_id: str | UnsetType | None = UNSET
    table_label: str | UnsetType = UNSET
    tab_id: str | UnsetType | None = UNSET
    waiter: str | UnsetType = UNSET
    customer_name: str | UnsetType = UNSET
    address: str | UnsetType = UNSET
    route_url: str | UnsetType = UNSET
    destination: Destination | UnsetType | None = UNSET

    def known(self) -> Mapping[str, object]:
        """What changed, by its name in the order."""
        values = {name: getattr(self, name) for name in FIELDS}
        return {name: value for name, value in values.items() if value is not UNSET}


FIELDS = ChangedFacts.__struct_fields__
# They may say who the guest was.
_PERSONAL = ("notes", "customer_name", "address", "route_url")


class Step(msgspec.Struct, frozen=True):
    """One change."""

    before: ChangedFacts = ChangedFacts()
    after: ChangedFacts = ChangedFacts()


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Step).decode


def step_between(before: Order, after: Order) -> Step:
    names = [name for name in FIELDS if getattr(before, name) != getattr(after, name)]
    return Step(*(ChangedFacts(**{name: getattr(one, name) for name in names}) for one in (before, after)))


def write_step(step: Step) -> str:
    return _encode(step).decode()


def read_step(row: StepRow) -> Step | None:
    """Nothing for what was written down before changes were kept, and for how an order began."""
    return _decode(row["step"]) if row["step"] else None


def without_person(step: Step) -> Step:
    """The same change of nobody: what was ordered and where it stood stays, and what guests write goes."""
    return Step(_impersonal(step.before), _impersonal(step.after))


def _impersonal(facts: ChangedFacts) -> ChangedFacts:
    known = facts.known()
    changes: dict[str, object] = {name: "" for name in _PERSONAL if name in known}
    if facts.destination is not UNSET:
        changes["destination"] = None
    if facts.lines is not UNSET:
        changes["lines"] = tuple(msgspec.structs.replace(line, note="") for line in facts.lines)
    return msgspec.structs.replace(facts, **changes)
