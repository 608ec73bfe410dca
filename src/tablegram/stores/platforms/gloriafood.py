"""GloriaFood: accepted orders of restaurants, several in a push. What a kitchen needs of them is kept whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablegram.stores.platforms import picking as pick
from tablegram.stores.platforms.decoding import digest_of, object_in
from tablegram.stores.platforms.proving import bearer_token, is_same, needed
from tablegram.stores.ports import EventKind, Good, Setup, ShopCustomer, StoreEvent, Unreadable, Unverified
from tablegram.values import Json

_KINDS: dict[str, EventKind] = {
    "accepted": "order_created",
    "canceled": "order_cancelled",
    "cancelled": "order_cancelled",
    "rejected": "order_cancelled",
}
# What an order is by their words and by ours. A reservation of a table is no order.
_SERVICES = {"delivery": "delivery", "pickup": "pickup", "order_ahead": "dine_in", "dine_in": "dine_in"}
MAX_ORDERS = 50
MAX_OPTIONS = 30


class GloriaFood:
    platform = "gloriafood"

    def prove(self, secret: str, headers: Mapping[str, str], body: bytes) -> None:
        keys, given = needed(secret), headers.get("authorization", "")
        if not is_same(keys, given.strip()) and not is_same(keys, bearer_token(given)):
            raise Unverified("the master key is missing or wrong")

    def name(self, headers: Mapping[str, str], body: bytes) -> str:
        """By its orders and how they stand: the same order may be told twice, in other company."""
        try:
            told = pick.parts(object_in(headers, body), "orders", MAX_ORDERS)
        except Unreadable:
            told = []
        facts = ("id", "pos_system_id", "status", "updated_at")
        return digest_of(*(pick.text(one.get(fact)) for one in told for fact in facts)) if told else digest_of(body)

    def topic(self, headers: Mapping[str, str], body: bytes) -> str:
        try:
            told = pick.parts(object_in(headers, body), "orders", MAX_ORDERS)
        except Unreadable:
            return ""
        return pick.full_name(told[0].get("type"), told[0].get("status")) if told else ""

    def read(self, headers: Mapping[str, str], body: bytes, setup: Setup) -> tuple[StoreEvent, ...]:
        found = object_in(headers, body)
        if not isinstance(found.get("orders"), list):
            raise Unreadable("orders_missing", "The push has no list of orders. Choose JSON, version 2, there.")
        told = [one for one in pick.parts(found, "orders", MAX_ORDERS) if pick.text(one.get("type")) in _SERVICES]
        events = tuple(event for one in told if (event := _event(one, setup)) is not None)
        if told and not events:
            raise Unreadable("order_unnamed", "No order has an id.")
        return events


def _event(found: Mapping[str, Any], setup: Setup) -> StoreEvent | None:
    reference = pick.text(found.get("id"))
    if not reference:
        return None
    currency = pick.currency(found.get("currency"), setup.currency)
    status = pick.text(found.get("status")).lower()
    items = pick.parts(found, "items")
    return StoreEvent(
        kind=_KINDS.get(status, "order_changed"), reference=reference, number=f"#{reference}", status=status,
        at=pick.moment(found.get("updated_at")) or pick.moment(found.get("accepted_at")),
        person=ShopCustomer(
            name=pick.full_name(found.get("client_first_name"), found.get("client_last_name")),
            phones=pick.phones(found.get("client_phone")), email=pick.email(found.get("client_email")),
            language=pick.language(found.get("client_language")),
            consents=pick.flag(found.get("client_marketing_consent")),
        ),
        goods=pick.goods(_dish(one, currency) for one in items if one.get("type") == "item"),
        amount=pick.amount(found.get("total_price"), currency), currency=currency,
        reason=pick.text(found.get("missed_reason")), service=_SERVICES[pick.text(found.get("type"))],
        address=pick.text(found.get("client_address"), 500), note=pick.lines(found.get("instructions")),
        due_at=pick.moment(found.get("fulfill_at")) if found.get("for_later") is True else 0,
        # How it is paid, what is no dish, and the table, for who takes the order to the kitchen.
        fields=_more(found, items),
    )  # fmt: skip


def _dish(line: Mapping[str, Any], currency: str) -> Good | None:
    return pick.good(
        line.get("name"), line.get("quantity"), pick.amount(line.get("total_item_price"), currency),
        options=tuple(filter(None, map(_option, pick.parts(line, "options", MAX_OPTIONS)))),
        note=pick.lines(line.get("instructions"), 500),
    )  # fmt: skip


def _option(found: Mapping[str, Any]) -> str:
    count, name = pick.quantity(found.get("quantity")) or 1, pick.text(found.get("name"))
    return f"{count} x {name}" if name and count > 1 else name


def _more(found: Mapping[str, Any], items: list[Json]) -> tuple[tuple[str, str], ...]:
    around = [(pick.text(one.get("type")), pick.text(one.get("total_item_price"))) for one in items]
    told = [
        ("payment", pick.text(found.get("payment"))),
        ("table", pick.text(found.get("table_number"))),
        ("restaurant", pick.text(found.get("restaurant_name"))),
        *((kind, price) for kind, price in around if kind not in ("", "item", "promo_item", "promo_cart_item")),
    ]
    return tuple(pair for pair in told if all(pair))[:50]
