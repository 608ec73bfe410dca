"""Trendyol: one webhook for every status of a package, with the whole order in each.

An order may go out in several packages. It is named by the order's number, so its buyer is told once of each step.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tablegram.stores.platforms import picking as pick
from tablegram.stores.platforms.decoding import digest_of, object_in
from tablegram.stores.platforms.proving import basic_credentials, is_same, needed
from tablegram.stores.ports import EventKind, Good, Setup, ShopCustomer, StoreEvent, Tracking, Unreadable, Unverified
from tablegram.values import Json

# Every other status is noted with the order.
_KINDS: dict[str, EventKind] = {
    "CREATED": "order_created",
    "SHIPPED": "order_shipped",
    "DELIVERED": "order_delivered",
    "CANCELLED": "order_cancelled",
    "UNSUPPLIED": "order_cancelled",
}
# Of one push.
MAX_PACKAGES = 50


class Trendyol:
    platform = "trendyol"

    def prove(self, secret: str, headers: Mapping[str, str], body: bytes) -> None:
        """By an API key, or by `user:password`: whichever the webhook was made with there."""
        keys = needed(secret)
        named = [key for key in keys if ":" in key]
        if is_same(keys, headers.get("x-api-key", "")):
            return
        if not is_same(named, basic_credentials(headers.get("authorization", ""))):
            raise Unverified("neither the API key nor the user and password are right")

    def name(self, headers: Mapping[str, str], body: bytes) -> str:
        try:
            meant = self.read(headers, body, Setup())
        except Unreadable:
            meant = ()
        return digest_of(self.topic(headers, body), msgspec.json.encode(meant) if meant else body)

    def topic(self, headers: Mapping[str, str], body: bytes) -> str:
        try:
            told = _packages(object_in(headers, body))
        except Unreadable:
            return ""
        return _status(told[0]) if told else ""

    def read(self, headers: Mapping[str, str], body: bytes, setup: Setup) -> tuple[StoreEvent, ...]:
        told = _packages(object_in(headers, body))
        found = tuple(event for one in told if (event := _event(one, setup)) is not None)
        if told and not found:
            raise Unreadable("order_unnamed", "No package has an order number.")
        return found


def _packages(found: Json) -> list[Json]:
    return pick.parts(found, "content", MAX_PACKAGES) if isinstance(found.get("content"), list) else [found]


def _status(found: Mapping[str, Any]) -> str:
    told = pick.first(found.get("status"), found.get("shipmentPackageStatus"))
    return "".join(f"_{sign}" if sign.isupper() and place and told[place - 1].islower() else sign
                   for place, sign in enumerate(told)).upper()  # fmt: skip


def _event(found: Mapping[str, Any], setup: Setup) -> StoreEvent | None:
    reference = pick.first(found.get("orderNumber"), found.get("shipmentPackageId"), found.get("id"))
    if not reference:
        return None
    currency = pick.currency(found.get("currencyCode"), setup.currency, "TRY")
    to, bill = pick.part(found, "shipmentAddress"), pick.part(found, "invoiceAddress")
    status = _status(found)
    tracking = Tracking(
        carrier=pick.text(found.get("cargoProviderName")), number=pick.text(found.get("cargoTrackingNumber")),
        url=pick.link(found.get("cargoTrackingLink")),
    )  # fmt: skip
    return StoreEvent(
        kind=_KINDS.get(status, "order_changed"), reference=reference, number=pick.text(found.get("orderNumber")),
        at=pick.moment(found.get("lastModifiedDate")) or pick.moment(found.get("orderDate")), status=status,
        person=ShopCustomer(
            name=pick.full_name(found.get("customerFirstName"), found.get("customerLastName"))
            or pick.first(to.get("fullName"), bill.get("fullName")),
            phones=pick.phones(to.get("phone"), bill.get("phone"), found.get("customerPhone")),
            email=pick.email(found.get("customerEmail")), country=pick.country(to.get("countryCode"), bill.get("countryCode")),
        ),
        goods=pick.goods(_good(line, currency) for line in pick.parts(found, "lines")), currency=currency,
        amount=pick.amount(_figure(found, "packageTotalPrice", "totalPrice"), currency),
        tracking=tracking if tracking.number or tracking.url else None,
    )  # fmt: skip


def _good(line: Mapping[str, Any], currency: str) -> Good | None:
    count = pick.quantity(line.get("quantity"))
    each = pick.amount(_figure(line, "lineUnitPrice", "price"), currency)
    return pick.good(line.get("productName"), line.get("quantity"), pick.times(each, count or 0))


def _figure(found: Mapping[str, Any], *names: str) -> Any:
    return next((found[name] for name in names if found.get(name) is not None), None)
