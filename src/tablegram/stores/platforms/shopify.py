"""Shopify: what a shop's own webhooks and apps send.

The signature covers the body and not the headers, so a topic alone proves nothing: what a delivery means has to stand
in its body too. A cancellation has a time of cancelling, a wish to erase names the orders, and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablegram.stores.platforms import picking as pick
from tablegram.stores.platforms.decoding import digest_of, object_in
from tablegram.stores.platforms.proving import is_signed, needed
from tablegram.stores.ports import EventKind, Good, Setup, ShopCustomer, StoreEvent, Tracking, Unreadable, Unverified

_ORDER_TOPICS = frozenset(
    f"orders/{what}"
    for what in ("create", "paid", "updated", "cancelled", "fulfilled", "partially_fulfilled", "delete")
)


def _header(headers: Mapping[str, str], name: str) -> str:
    """Both styles: of old with `X-` before the name, of late without."""
    return headers.get(f"x-shopify-{name}") or headers.get(f"shopify-{name}") or ""


class Shopify:
    platform = "shopify"

    def prove(self, secret: str, headers: Mapping[str, str], body: bytes) -> None:
        if not is_signed(needed(secret), _header(headers, "hmac-sha256"), body):
            raise Unverified("the signature is missing or wrong")

    def name(self, headers: Mapping[str, str], body: bytes) -> str:
        delivery = pick.text(_header(headers, "webhook-id"), 100)
        return delivery or digest_of(self.topic(headers, body), body)

    def topic(self, headers: Mapping[str, str], body: bytes) -> str:
        return pick.text(_header(headers, "topic"), 100).lower()

    def read(self, headers: Mapping[str, str], body: bytes, setup: Setup) -> tuple[StoreEvent, ...]:
        topic = self.topic(headers, body)
        group = topic.partition("/")[0]
        if topic not in _ORDER_TOPICS and group not in ("checkouts", "fulfillments", "refunds", "customers", "shop"):
            return ()
        found = object_in(headers, body)
        told_at = pick.moment(_header(headers, "triggered-at"))
        if topic in _ORDER_TOPICS:
            return _order(topic, found, setup, told_at)
        if group == "checkouts":
            return _checkout(topic, found, setup, told_at)
        if group == "fulfillments":
            return _fulfilment(found, told_at)
        if topic == "refunds/create":
            return _refund(found, setup, told_at)
        return _wish(topic, found, told_at)


def _person(found: Mapping[str, Any]) -> ShopCustomer:
    """Of an order or a checkout; phones in the order in which they most likely are the buyer's own."""
    buyer, to, bill = (
        pick.part(found, "customer"),
        pick.part(found, "shipping_address"),
        pick.part(found, "billing_address"),
    )
    home = pick.part(buyer, "default_address")
    return ShopCustomer(
        name=(
            pick.full_name(buyer.get("first_name"), buyer.get("last_name"))
            or pick.full_name(to.get("first_name"), to.get("last_name"))
            or pick.first(to.get("name"), bill.get("name"))
        ),
        phones=pick.phones(
            found.get("phone"), to.get("phone"), bill.get("phone"), buyer.get("phone"), home.get("phone")
        ),
        email=pick.email(found.get("email"), found.get("contact_email"), buyer.get("email")),
        language=pick.language(found.get("customer_locale"), buyer.get("locale")),
        country=pick.country(to.get("country_code"), bill.get("country_code"), home.get("country_code")),
        consents=_consents(found, buyer),
    )


def _consents(found: Mapping[str, Any], buyer: Mapping[str, Any]) -> bool | None:
    """By message; that for letters by mail says nothing about messages."""
    state = pick.text(pick.part(buyer, "sms_marketing_consent").get("state"))
    if state:
        return state == "subscribed"
    return pick.flag(found.get("buyer_accepts_sms_marketing"))


def _goods(found: Mapping[str, Any], currency: str) -> tuple[Good, ...]:
    return pick.goods(_good(line, currency) for line in pick.parts(found, "line_items"))


def _good(line: Mapping[str, Any], currency: str) -> Good | None:
    variant = pick.text(line.get("variant_title"))
    title = pick.first(line.get("title"), line.get("name"))
    count = pick.quantity(line.get("quantity"))
    whole = pick.times(pick.amount(line.get("price"), currency), count or 0)
    off = pick.amount(line.get("total_discount") or 0, currency)
    left = None if whole is None or off is None or off > whole else whole - off
    return pick.good(f"{title} ({variant})" if title and variant else title, line.get("quantity"), left)


def _order(topic: str, found: Mapping[str, Any], setup: Setup, told_at: int) -> tuple[StoreEvent, ...]:
    reference = pick.text(found.get("id"))
    if not reference:
        raise Unreadable("order_unnamed", "The order has no id.")
    currency = pick.currency(found.get("currency"), found.get("presentment_currency"), setup.currency)
    number = pick.first(found.get("name"), found.get("order_number"))
    sent = pick.parts(found, "fulfillments")
    return (
        StoreEvent(
            kind=_kind_of_order(topic, found), reference=reference,
            at=pick.moment(found.get("updated_at")) or pick.moment(found.get("created_at")) or told_at,
            number=f"#{number}" if number.isdigit() else number,
            checkout=pick.first(found.get("checkout_token"), found.get("cart_token")), person=_person(found),
            goods=_goods(found, currency), currency=currency,
            amount=pick.amount(pick.first(found.get("current_total_price"), found.get("total_price")), currency),
            status="deleted" if topic == "orders/delete" else _status_of_order(found),
            url=pick.link(found.get("order_status_url")), tracking=_tracking(sent[-1]) if sent else None,
            reason=pick.text(found.get("cancel_reason")),
        ),
    )  # fmt: skip


def _kind_of_order(topic: str, found: Mapping[str, Any]) -> EventKind:
    """What the topic says, if the body says so too; else no more than that something has changed."""
    cancelled, paid = pick.moment(found.get("cancelled_at")) > 0, found.get("financial_status") == "paid"
    if topic == "orders/cancelled" and cancelled:
        return "order_cancelled"
    if topic == "orders/paid" and paid and not cancelled:
        return "order_paid"
    if topic == "orders/create" and not cancelled:
        return "order_created"
    shipped = found.get("fulfillment_status") in ("fulfilled", "partial")
    if topic in ("orders/fulfilled", "orders/partially_fulfilled") and shipped and not cancelled:
        return "order_shipped"
    return "order_changed"


def _status_of_order(found: Mapping[str, Any]) -> str:
    if found.get("cancelled_at"):
        return "cancelled"
    return pick.first(found.get("fulfillment_status"), found.get("financial_status"))


def _tracking(found: Mapping[str, Any]) -> Tracking | None:
    numbers, urls = found.get("tracking_numbers"), found.get("tracking_urls")
    told = Tracking(
        carrier=pick.text(found.get("tracking_company")),
        number=pick.first(found.get("tracking_number"), numbers[0] if isinstance(numbers, list) and numbers else ""),
        url=pick.link(found.get("tracking_url")) or pick.link(urls[0] if isinstance(urls, list) and urls else ""),
    )
    return told if told != Tracking() else None


def _fulfilment(found: Mapping[str, Any], told_at: int) -> tuple[StoreEvent, ...]:
    reference = pick.text(found.get("order_id"))
    if not reference:
        raise Unreadable("order_unnamed", "The shipment does not say which order it is of.")
    to = pick.part(found, "destination")
    status, shipped = pick.text(found.get("status")), pick.text(found.get("shipment_status"))
    kind: EventKind = "order_shipped"
    if status in ("cancelled", "error", "failure"):
        kind = "order_changed"
    elif shipped == "delivered":
        kind = "order_delivered"
    # A shipment is called after its order: `#1001.1`.
    number = pick.text(found.get("name")).rpartition(".")[0]
    return (
        StoreEvent(
            kind=kind, reference=reference, number=number, status=shipped or status, tracking=_tracking(found),
            at=pick.moment(found.get("updated_at")) or pick.moment(found.get("created_at")) or told_at,
            person=ShopCustomer(
                name=pick.full_name(to.get("first_name"), to.get("last_name")), phones=pick.phones(to.get("phone")),
                email=pick.email(found.get("email")), country=pick.country(to.get("country_code")),
            ),
        ),
    )  # fmt: skip


def _refund(found: Mapping[str, Any], setup: Setup, told_at: int) -> tuple[StoreEvent, ...]:
    reference = pick.text(found.get("order_id"))
    if not reference:
        raise Unreadable("order_unnamed", "The refund does not say which order it is of.")
    given = [one for one in pick.parts(found, "transactions") if one.get("kind") == "refund"]
    given = [one for one in given if one.get("status") == "success"]
    if not given:
        # Goods that come back without money, or money that has not gone yet.
        return ()
    currency = pick.currency(given[0].get("currency"), setup.currency)
    return (
        StoreEvent(
            kind="order_refunded", reference=reference, currency=currency, reason=pick.text(found.get("note")),
            at=pick.moment(found.get("processed_at")) or pick.moment(found.get("created_at")) or told_at,
            amount=pick.total(pick.amount(one.get("amount"), currency) for one in given), status="refunded",
        ),
    )  # fmt: skip


def _checkout(topic: str, found: Mapping[str, Any], setup: Setup, told_at: int) -> tuple[StoreEvent, ...]:
    token = pick.text(found.get("token"))
    # When it is deleted, the id is all that is told of it.
    reference = pick.text(found.get("id")) or token
    if not reference:
        raise Unreadable("checkout_unnamed", "The checkout has neither a token nor an id.")
    currency = pick.currency(found.get("currency"), found.get("presentment_currency"), setup.currency)
    completed = pick.moment(found.get("completed_at"))
    kind: EventKind = "checkout_completed" if completed else "checkout_changed"
    if topic == "checkouts/delete":
        kind = "checkout_deleted"
    return (
        StoreEvent(
            kind=kind, reference=reference, checkout=token, person=_person(found), goods=_goods(found, currency),
            at=pick.moment(found.get("updated_at")) or completed or told_at, currency=currency,
            amount=pick.amount(found.get("total_price"), currency), url=pick.link(found.get("abandoned_checkout_url")),
        ),
    )  # fmt: skip


def _wish(topic: str, found: Mapping[str, Any], told_at: int) -> tuple[StoreEvent, ...]:
    """What the law lets people ask for. An order's body under such a topic asks for nothing."""
    shop = pick.first(found.get("shop_domain"), found.get("shop_id"))
    if not shop:
        return ()
    buyer = pick.part(found, "customer")
    person = ShopCustomer(phones=pick.phones(buyer.get("phone")), email=pick.email(buyer.get("email")))
    named = pick.text(buyer.get("id"))
    if topic == "customers/data_request" and isinstance(found.get("orders_requested"), list) and named:
        wish = pick.text(pick.part(found, "data_request").get("id")) or named
        return (StoreEvent(kind="export_asked", reference=wish, person=person, at=told_at, fields=_orders(found)),)
    if topic == "customers/redact" and isinstance(found.get("orders_to_redact"), list) and named:
        return (StoreEvent(kind="erasure_asked", reference=named, person=person, at=told_at, fields=_orders(found)),)
    if topic == "shop/redact" and not buyer and "orders_to_redact" not in found:
        return (StoreEvent(kind="shop_erasure_asked", reference=shop, at=told_at),)
    return ()


def _orders(found: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The orders that a wish is about, by their references."""
    listed = found.get("orders_requested") or found.get("orders_to_redact")
    told = map(pick.text, listed[: pick.MAX_GOODS]) if isinstance(listed, list) else ()
    return tuple(("order", one) for one in told if one)
