"""What programs hear of shops and forms: orders, carts that were bought after a reminder, and what people sent."""

from __future__ import annotations

import msgspec

from tablegram.crm import contacts
from tablegram.events.planning import Planner
from tablegram.flows.stores.told import ToldCart, ToldForm, ToldOrder, ToldSource
from tablegram.flows.stores.views import amount_view, form_fields, goods_view, tracking_view
from tablegram.storage.database import Tx
from tablegram.stores.carts.model import Cart
from tablegram.stores.model import SourceRow, StoreOrder, ToldEvent
from tablegram.stores.ports import StoreEvent
from tablegram.stores.sources import Sources
from tablegram.values.clock import iso

RECEIVED = "store.order_received"
UPDATED = "store.order_updated"
RECOVERED = "store.cart_recovered"
FORM_SENT = "store.form_sent"

_replace = msgspec.structs.replace


class StoreAnnouncer:
    """Follows what shops tell (`stores.following`): each piece of news is an event, in the transaction that keeps it.

    What was known already is no news, however often a shop tells it or somebody replays it. A test is none either.
    """

    def __init__(self, planner: Planner, sources: Sources) -> None:
        self._planner = planner
        self._sources = sources

    async def prepare(self, account_id: int) -> None:
        await self._planner.refresh(account_id)

    async def follow(self, tx: Tx, told: ToldEvent) -> None:
        if told.delivery.is_test:
            return
        order, event = told.order, told.event
        if order is not None:
            if told.before is None or _is_news(told.before, order, told):
                kind = RECEIVED if told.before is None else UPDATED
                await self._plan(tx, told.source, kind, _order(order, event), order.contact_id, order.id)
        elif event.kind == "form_sent" and not _was_told(told):
            await self._plan(tx, told.source, FORM_SENT, _form(told), told.contact_id, "")

    async def recovered(self, tx: Tx, cart: Cart) -> None:
        """Somebody bought after a reminder."""
        source = await self._sources.ever(tx, cart.account_id, cart.source_id)
        if source is not None:
            contact = await contacts.of_phone(tx, cart.account_id, cart.phone) if cart.phone else None
            contact_id = None if contact is None else contact["id"]
            await self._plan(tx, source, RECOVERED, _cart(cart, contact_id), contact_id, cart.id)

    async def _plan(
        self,
        tx: Tx,
        source: SourceRow,
        kind: str,
        facts: ToldOrder | ToldForm | ToldCart,
        contact_id: str | None,
        thing: str,
    ) -> None:
        named: ToldSource = {"id": source.id, "platform": source.platform, "name": source.name}
        body = {"event": kind, "source": named, **facts}
        # In the order of the customer's other events, and gone with them when they are erased.
        for query, params in self._planner.plan(source.account_id, kind, body, contact_id or thing):
            await tx.run(query, params)

    def told(self, account_id: int) -> None:
        """After the commit."""
        self._planner.planned(account_id)


def _is_news(before: StoreOrder, after: StoreOrder, told: ToldEvent) -> bool:
    """Something besides the time is different; of two refunds nothing else has to be."""
    if told.event.kind == "order_refunded" and after.at != before.at:
        return True
    return _replace(after, at=before.at, updated_at=before.updated_at) != before


def _was_told(told: ToldEvent) -> bool:
    """It was read in this delivery before: somebody replays it."""
    event = told.event
    return any((one.event.kind, one.event.reference) == (event.kind, event.reference) for one in told.delivery.events)


def _order(order: StoreOrder, event: StoreEvent) -> ToldOrder:
    refunded = event.amount if event.kind == "order_refunded" else None
    return {
        "order_id": order.id,
        "reference": order.reference,
        "number": order.number,
        "last_event": order.kind,
        "status": order.status,
        "customer": {"name": order.name, "phone": order.phone, "email": order.email},
        "contact_id": order.contact_id,
        "language": order.language,
        "amount": amount_view(order.amount, order.currency),
        "currency": order.currency,
        "refunded_amount": amount_view(refunded, event.currency or order.currency),
        "reason": event.reason,
        "goods": goods_view(order.goods, order.currency),
        "tracking": tracking_view(order.tracking),
        "url": order.url,
        "happened_at": iso(order.at),
        "created_at": iso(order.created_at),
        "updated_at": iso(order.updated_at),
    }


def _form(told: ToldEvent) -> ToldForm:
    event = told.event
    return {
        "delivery_id": told.delivery.id,
        "reference": event.reference,
        "title": event.title,
        "customer": {"name": event.person.name, "phone": told.phone, "email": event.person.email},
        "contact_id": told.contact_id,
        "language": event.person.language,
        "fields": form_fields(event),
        "happened_at": iso(told.at),
    }


def _cart(cart: Cart, contact_id: str | None) -> ToldCart:
    return {
        "cart_id": cart.id,
        "reference": cart.reference,
        "order_reference": cart.order_reference,
        "customer": {"name": cart.name, "phone": cart.phone, "email": cart.email},
        "contact_id": contact_id,
        "language": cart.language,
        "reminders": cart.reminders,
        "cart_amount": amount_view(cart.amount, cart.currency),
        "cart_currency": cart.currency,
        "amount": amount_view(cart.bought_amount, cart.bought_currency),
        "currency": cart.bought_currency,
        "began_at": iso(cart.began_at),
        "happened_at": iso(cart.ended_at),
    }
