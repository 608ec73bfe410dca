"""WooCommerce: its own webhooks, and those that our plugin for it adds.

Its webhooks fire several times for one change, and its delivery ids are no ids. So deliveries that mean the same have
the same name. There is one topic for every change of an order: what happened is read from how the order stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from tablegram.stores.platforms import picking as pick
from tablegram.stores.platforms.decoding import digest_of, object_in
from tablegram.stores.platforms.proving import is_signed, needed, with_entities_read
from tablegram.stores.platforms.woocommerce_tracking import tracking_in
from tablegram.stores.ports import EventKind, Good, Setup, ShopCustomer, StoreEvent, Unreadable, Unverified
from tablegram.values.clock import HOUR_MS

# What is sent, unsigned, when somebody saves a webhook; the page there shows an error unless it is answered with 200.
_PING = re.compile(rb"\s*webhook_id=[0-9]{1,20}\s*")
# Not orders yet, or no more.
_DRAFTS = frozenset(("auto-draft", "checkout-draft", "draft", "trash"))
_SHIPPED = frozenset(
    ("completed", "shipped", "partial-shipped", "partially-shipped", "in-transit", "out-for-delivery", "kargolandi")
)
_DELIVERED = frozenset(("delivered", "teslim-edildi"))


# A checkout made of blocks tells of a draft as *created*, and of the order that comes of it as *updated* alone (before
# version 9.1). So an order that is told of so soon after its birth is a new one, whichever topic says so.
_BEGUN = frozenset(("pending", "on-hold", "processing"))
_YOUNG_MS = HOUR_MS


class WooCommerce:
    platform = "woocommerce"

    def prove(self, secret: str, headers: Mapping[str, str], body: bytes) -> None:
        keys = needed(secret)
        signature = headers.get("x-wc-webhook-signature", "")
        if not signature and _is_ping(headers, body):
            return
        if not is_signed(with_entities_read(keys), signature, body):
            raise Unverified("the signature is missing or wrong")

    def name(self, headers: Mapping[str, str], body: bytes) -> str:
        topic = self.topic(headers, body)
        try:
            meant = self.read(headers, body, Setup())
        except Unreadable:
            meant = ()
        # What means nothing to us is told apart by its bytes.
        return digest_of(topic, msgspec.json.encode(meant) if meant else body)

    def topic(self, headers: Mapping[str, str], body: bytes) -> str:
        return pick.text(headers.get("x-wc-webhook-topic"), 100).lower() or ("ping" if _is_ping(headers, body) else "")

    def read(self, headers: Mapping[str, str], body: bytes, setup: Setup) -> tuple[StoreEvent, ...]:
        topic = self.topic(headers, body)
        resource, _, change = topic.partition(".")
        if resource == "order" and change in ("created", "updated", "restored", "deleted"):
            return _order(change, object_in(headers, body), setup)
        if resource == "checkout" and change in ("created", "updated", "completed", "deleted"):
            return _checkout(change, object_in(headers, body), setup)
        return ()


def _is_ping(headers: Mapping[str, str], body: bytes) -> bool:
    return "x-wc-webhook-topic" not in headers and _PING.fullmatch(body[:60]) is not None and len(body) <= 60


def _order(change: str, found: Mapping[str, Any], setup: Setup) -> tuple[StoreEvent, ...]:
    reference = pick.text(found.get("id"))
    if not reference or reference == "0":
        raise Unreadable("order_unnamed", "The order has no id.")
    if change == "deleted":
        return (StoreEvent(kind="order_changed", reference=reference, status="deleted"),)
    status = pick.text(found.get("status")).removeprefix("wc-").lower()
    if status in _DRAFTS:
        return ()
    currency = pick.currency(found.get("currency"), setup.currency)
    number = pick.text(found.get("number")) or reference
    tracking = tracking_in(found.get("meta_data"))
    kind = _kind(status, tracking is not None, _is_paid(found))
    amount = pick.amount(found.get("total"), currency)
    told = StoreEvent(
        kind=kind, reference=reference, number=f"#{number}" if number.isdigit() else number,
        at=pick.moment(found.get("date_modified_gmt")) or pick.moment(found.get("date_created_gmt")),
        checkout=pick.first(found.get("checkout_token"), _meta(found, "_tablegram_checkout")), person=_person(found),
        goods=_goods(found, currency), currency=currency, status=status, tracking=tracking,
        amount=_given_back(found, currency) if kind == "order_refunded" else amount,
        url=pick.link(found.get("view_url")) or (pick.link(found.get("payment_url")) if found.get("needs_payment") is True else ""),
        reason=_reason(found), note=pick.lines(found.get("customer_note")),
    )  # fmt: skip
    is_new = change == "created" or (change == "updated" and status in _BEGUN and _is_young(found))
    if not is_new or kind in ("order_cancelled", "order_refunded"):
        return (told,)
    begun = msgspec.structs.replace(told, kind="order_created")
    # Whoever pays at once buys and pays in one step. Nothing is on its way yet, unless there is a parcel.
    if kind == "order_shipped" and tracking is None:
        kind = "order_paid" if _is_paid(found) else "order_changed"
    return (begun,) if kind == "order_changed" else (begun, msgspec.structs.replace(told, kind=kind))


def _kind(status: str, tracked: bool, paid: bool) -> EventKind:
    if status == "cancelled":
        return "order_cancelled"
    if status == "refunded":
        return "order_refunded"
    if status in _DELIVERED:
        return "order_delivered"
    if status in _SHIPPED or (tracked and status in ("processing", "on-hold")):
        return "order_shipped"
    return "order_paid" if paid and status not in ("pending", "failed") else "order_changed"


def _is_young(found: Mapping[str, Any]) -> bool:
    born, changed = pick.moment(found.get("date_created_gmt")), pick.moment(found.get("date_modified_gmt"))
    return 0 < born <= changed < born + _YOUNG_MS


def _is_paid(found: Mapping[str, Any]) -> bool:
    return bool(pick.moment(found.get("date_paid_gmt")) or pick.moment(found.get("date_paid")))


def _given_back(found: Mapping[str, Any], currency: str) -> int | None:
    """The sum of the refunds, which are written as negative numbers; where none is listed, all of it."""
    written = [pick.text(one.get("total")).removeprefix("-") for one in pick.parts(found, "refunds")]
    whole = pick.amount(found.get("total"), currency)
    return pick.total(pick.amount(one, currency) for one in written) if written else whole


def _reason(found: Mapping[str, Any]) -> str:
    return pick.first(*(one.get("reason") for one in pick.parts(found, "refunds")))


def _person(found: Mapping[str, Any]) -> ShopCustomer:
    bill, to = pick.part(found, "billing"), pick.part(found, "shipping")
    return ShopCustomer(
        name=pick.full_name(bill.get("first_name"), bill.get("last_name"))
        or pick.full_name(to.get("first_name"), to.get("last_name")),
        phones=pick.phones(bill.get("phone"), to.get("phone")),
        email=pick.email(bill.get("email")),
        language=pick.language(found.get("locale"), _meta(found, "wpml_language"), _meta(found, "_locale")),
        country=pick.country(bill.get("country"), to.get("country")),
        consents=pick.flag(found.get("marketing_consent")),
    )


def _goods(found: Mapping[str, Any], currency: str) -> tuple[Good, ...]:
    return pick.goods(
        pick.good(line.get("name"), line.get("quantity"), pick.amount(line.get("total"), currency))
        for line in pick.parts(found, "line_items")
    )


def _meta(found: Mapping[str, Any], key: str) -> Any:
    return next((one.get("value") for one in pick.parts(found, "meta_data") if one.get("key") == key), None)


def _checkout(change: str, found: Mapping[str, Any], setup: Setup) -> tuple[StoreEvent, ...]:
    """Only our plugin sends these: docs/reference/store-plugin.md."""
    token = pick.text(found.get("token"))
    if not token:
        raise Unreadable("checkout_unnamed", "The checkout has no token.")
    currency = pick.currency(found.get("currency"), setup.currency)
    kinds: dict[str, EventKind] = {"completed": "checkout_completed", "deleted": "checkout_deleted"}
    return (
        StoreEvent(
            kind=kinds.get(change, "checkout_changed"), reference=token, checkout=token, person=_person(found),
            at=pick.moment(found.get("date_modified_gmt")), goods=_goods(found, currency), currency=currency,
            amount=pick.amount(found.get("total"), currency), url=pick.link(found.get("recover_url")),
        ),
    )  # fmt: skip
