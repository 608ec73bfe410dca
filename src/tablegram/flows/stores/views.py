"""Sources, deliveries and orders as they are shown."""

from __future__ import annotations

from typing import Any, cast

from tablegram.flows.stores.answers import (
    FieldView,
    GoodView,
    OutcomeView,
    PersonView,
    Platform,
    SourceView,
    StoreDelivery,
    StoreDeliveryView,
    StoreEventView,
    StoreOrderView,
    TrackingView,
)
from tablegram.stores.model import Delivery, Noted, SourceRow, StoreOrder
from tablegram.stores.people import amount_of
from tablegram.stores.ports import Good, StoreEvent, Tracking
from tablegram.values.clock import iso
from tablegram.values.money import EXPONENTS, to_wire

MAX_SHOWN = 100_000


def source_view(row: SourceRow, hook_url: str, secret: str = "") -> SourceView:
    return SourceView(
        id=row.id,
        platform=cast(Platform, row.platform),
        name=row.name,
        hook_url=hook_url,
        has_secret=bool(row.secret_sealed),
        secret=secret or None,
        country=row.country,
        currency=row.currency,
        mapping=row.mapping,
        instance_id=row.instance_id,
        venue_id=row.venue_id,
        active=row.is_active,
        heard_at=iso(row.heard_at),
        created_at=iso(row.created_at),
        updated_at=iso(row.updated_at),
    )


def amount_view(amount: int | None, currency: str) -> float | None:
    return None if amount is None or currency not in EXPONENTS else to_wire(amount, currency)


def goods_view(goods: tuple[Good, ...], currency: str) -> list[GoodView]:
    return [GoodView(name=one.name, quantity=one.quantity, amount=amount_view(one.amount, currency)) for one in goods]


def tracking_view(one: Tracking | None) -> TrackingView | None:
    return None if one is None else TrackingView(carrier=one.carrier, number=one.number, url=one.url)


def form_fields(event: StoreEvent) -> list[FieldView]:
    return [FieldView(name=name, value=value) for name, value in event.fields]


def event_view(noted: Noted) -> StoreEventView:
    event, person = noted.event, noted.event.person
    return StoreEventView(
        kind=event.kind,
        reference=event.reference,
        number=event.number,
        at=iso(event.at) if event.at else None,
        person=PersonView(
            name=person.name,
            phones=list(person.phones),
            email=person.email,
            language=person.language,
            country=person.country,
            consents=person.consents,
        ),
        phone=noted.phone,
        phone_problem=noted.phone_problem,
        contact_id=noted.contact_id,
        goods=goods_view(event.goods, event.currency),
        amount=amount_view(event.amount, event.currency),
        currency=event.currency,
        status=event.status,
        url=event.url,
        tracking=tracking_view(event.tracking),
        reason=event.reason,
        title=event.title,
        fields=form_fields(event),
        outcomes=[OutcomeView(code=one.code, what=one.what, detail=one.detail) for one in noted.outcomes],
    )


def _facts(delivery: Delivery) -> dict[str, Any]:
    return {
        "id": delivery.id,
        "source_id": delivery.source_id,
        "topic": delivery.topic,
        "state": delivery.state,
        "reason": delivery.reason,
        "detail": delivery.detail,
        "events": [event_view(one) for one in delivery.events],
        "attention": delivery.attention,
        "settled_at": iso(delivery.settled_at),
        "test": delivery.is_test,
        "size": delivery.size,
        "replays": delivery.replays,
        "received_at": iso(delivery.received_at),
        "worked_at": iso(delivery.worked_at),
    }


def delivery_view(delivery: Delivery) -> StoreDeliveryView:
    return StoreDeliveryView(**_facts(delivery))


def whole_delivery(delivery: Delivery) -> StoreDelivery:
    shown = delivery.body[: 4 * MAX_SHOWN].decode("utf-8", "replace")[:MAX_SHOWN]
    return StoreDelivery(**_facts(delivery), headers=delivery.headers, body=shown)


def order_view(order: StoreOrder) -> StoreOrderView:
    return StoreOrderView(
        id=order.id,
        source_id=order.source_id,
        reference=order.reference,
        number=order.number,
        name=order.name,
        email=order.email,
        phone=order.phone,
        contact_id=order.contact_id,
        language=order.language,
        amount=amount_of(order),
        currency=order.currency,
        last_event=order.kind,
        status=order.status,
        url=order.url,
        goods=goods_view(order.goods, order.currency),
        tracking=tracking_view(order.tracking),
        happened_at=iso(order.at),
        created_at=iso(order.created_at),
        updated_at=iso(order.updated_at),
    )
