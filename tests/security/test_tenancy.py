"""Every route × every kind of caller: an account reaches what is its own, and nothing else.

The routes come from the product's own table. One that is added without an entry here fails the inventory.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import pytest

from tablegram.api.framework import route_table
from tests.cases import cases
from tests.databases import Databases
from tests.opened_product import HANDLERS
from tests.product import fetch
from tests.security.houses import FRESH_PHONES, PHONE, House, Town, Watched, furnish, rejected_template, town

ROUTES = {route.name.replace(":str", "").replace(":int", ""): route for route in route_table(HANDLERS, {}).routes}


@dataclass(frozen=True)
class Case:
    """How a route is called. `{name}` in the path and in values of the body is a thing of the house that is meant."""

    # What the owner is answered.
    status: int
    # What is answered about another account's thing: the status and the code. None: the route names no thing.
    foreign: tuple[int, str] | None = None
    body: Any = None
    # What a test key is answered about something live, where the route is open to it and can name such a thing.
    test_key: tuple[int, str] | None = None
    # The name of the path's thing, where it is not the one that the route's own parameter says.
    thing: str = ""
    query: str = ""


_LINE_FIELD = {"phone": PHONE, "instance_id": "{instance_id}"}
_FOREIGN_LINE = (422, "instance_unknown")
_FOREIGN_PATH = (404, "instance_unknown")
_FOREIGN_CONTACT = (404, "contact_unknown")
_FOREIGN_HOOK = (404, "webhook_unknown")
_FOREIGN_MEMBER = (404, "member_not_found")
_TEST_KEY = (403, "test_key")


_FOREIGN_VENUE = (404, "venue_unknown")
_FOREIGN_ORDER = (404, "order_unknown")
_FOREIGN_TAB = (404, "tab_unknown")
_FOREIGN_PRINTER = (404, "printer_unknown")
_FOREIGN_LINK = (404, "payment_link_unknown")
_FOREIGN_PROVIDER = (404, "payment_provider_unknown")
_FOREIGN_SOURCE = (404, "source_unknown")
_FOREIGN_STORE_DELIVERY = (404, "store_delivery_unknown")
_FOREIGN_AUTOMATION = (404, "automation_unknown")
_FOREIGN_CAMPAIGN = (404, "campaign_unknown")
_FOREIGN_TEMPLATE = (404, "template_not_found")
_FOREIGN_COURIER = (404, "courier_unknown")
_FOREIGN_DELIVERY = (404, "order_delivery_unknown")
_COURIER = "/restaurant/couriers/{courier_id}"
_BROUGHT = "/restaurant/deliveries/{order_delivery_id}"
_VENUE = "/restaurant/venues/{venue_id}"
CORNERS = [{"latitude": 41, "longitude": 29}, {"latitude": 41, "longitude": 29.1}, {"latitude": 41.1, "longitude": 29}]
FEATURE = {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[[29, 41], [29.1, 41], [29, 41.1]]]}}


def _venue(status: int = 200, body: Any = None, **more: Any) -> Case:
    return Case(status, _FOREIGN_VENUE, body, **more)


def _send(**fields: Any) -> Case:
    return Case(200, _FOREIGN_LINE, {**_LINE_FIELD, **fields}, _FOREIGN_LINE)


def _line(status: int = 200, body: Any = None) -> Case:
    return Case(status, _FOREIGN_PATH, body, _TEST_KEY)


CASES: dict[str, Case] = {
    "POST /messages/send": _send(message="hi"),
    "POST /messages/send-media": _send(media_url="{files}/menu.pdf"),
    "POST /messages/send-template": _send(template="hello_world", language="en_US"),
    "POST /messages/send-location": _send(latitude=1, longitude=2),
    "POST /messages/send-contacts": _send(contacts=[{"name": "A", "phones": ["+90 555"]}]),
    "POST /messages/send-buttons": _send(body="?", buttons=[{"id": "y", "title": "Yes"}]),
    "POST /messages/send-list": _send(
        body="?", button="Open", sections=[{"title": "A", "rows": [{"id": "1", "title": "One"}]}]
    ),
    "POST /messages/react": Case(
        200, (422, "message_unknown"), {"phone": PHONE, "message_id": "{inbound_id}", "emoji": "👍"}
    ),
    # An entry that names a line which is not there is an error of its own.
    "POST /messages/batch": Case(200, None, {"messages": [{**_LINE_FIELD, "message": "hi"}]}),
    "GET /messages": Case(200),
    "GET /messages/{message_id}": Case(200, (404, "message_unknown"), None, (404, "message_unknown")),
    "POST /messages/{message_id}/cancel": Case(200, (404, "message_unknown"), thing="queued_id"),
    "POST /messages/{message_id}/read": Case(200, (404, "message_unknown"), thing="inbound_id"),
    "GET /templates": Case(200),
    "POST /templates": Case(
        201,
        _FOREIGN_LINE,
        {
            "instance_id": "{instance_id}",
            "name": "{fresh_word}",
            "language": "en",
            "category": "utility",
            "text": "Hello.",
        },
        _FOREIGN_LINE,
    ),
    "POST /templates/sync": Case(200, _FOREIGN_LINE, {"instance_id": "{instance_id}"}, _FOREIGN_LINE),
    "GET /templates/{template_id}": Case(200, _FOREIGN_TEMPLATE),
    "PATCH /templates/{template_id}": Case(200, _FOREIGN_TEMPLATE, {"text": "Come again.", "examples": []}),
    "DELETE /templates/{template_id}": Case(204, _FOREIGN_TEMPLATE, thing="spare_template_id"),
    "POST /instances": Case(201, None, {"kind": "sandbox"}),
    "GET /instances": Case(200),
    "GET /instances/{instance_id}": _line(),
    "PATCH /instances/{instance_id}": _line(body={"name": "Taken over"}),
    "DELETE /instances/{instance_id}": _line(204),
    "POST /instances/{instance_id}/default": _line(),
    "POST /instances/{instance_id}/restart": _line(),
    "POST /instances/{instance_id}/logout": _line(409),
    "GET /instances/{instance_id}/states": _line(),
    "GET /instances/{instance_id}/qr": _line(409),
    "GET /instances/{instance_id}/qr.png": _line(409),
    "GET /instances/{instance_id}/qr.svg": _line(409),
    "POST /instances/{instance_id}/pair-code": _line(409, {"phone": PHONE}),
    "POST /instances/{instance_id}/auto-replies": _line(
        201, {"kind": "keyword", "message": "x", "keywords": ["hours"]}
    ),
    "GET /instances/{instance_id}/auto-replies": _line(),
    "GET /instances/{instance_id}/auto-replies/{reply_id}": _line(),
    "PATCH /instances/{instance_id}/auto-replies/{reply_id}": _line(body={"message": "Taken over"}),
    "DELETE /instances/{instance_id}/auto-replies/{reply_id}": _line(204),
    # The file is whatever comes.
    "POST /media": Case(201, None, {"any": "file"}),
    "GET /media/{media_id}": Case(200, (404, "media_unknown"), None, (404, "media_unknown")),
    "GET /contacts": Case(200),
    "POST /contacts": Case(201, None, {"phone": "{fresh_phone}"}),
    "GET /contacts/export": Case(200),
    "GET /contacts/{contact_id}": Case(200, _FOREIGN_CONTACT),
    "GET /contacts/{contact_id}/messages": Case(200, _FOREIGN_CONTACT),
    "GET /contacts/{contact_id}/orders": Case(200, _FOREIGN_CONTACT),
    "PATCH /contacts/{contact_id}": Case(200, _FOREIGN_CONTACT, {"notes": "Taken over"}),
    "POST /contacts/{contact_id}/merge": Case(200, _FOREIGN_CONTACT, {"into": "{kept_id}"}, thing="doubled_id"),
    "DELETE /contacts/{contact_id}": Case(200, _FOREIGN_CONTACT, thing="erasable_id"),
    "POST /contacts/import": Case(201, None, {"csv": "phone\n905559990000\n"}),
    "GET /contacts/imports": Case(200),
    "GET /contacts/imports/{import_id}": Case(200, (404, "import_unknown")),
    "POST /contacts/imports/{import_id}/start": Case(202, (404, "import_unknown"), {}),
    "PATCH /contacts/imports/{import_id}": Case(
        200, (404, "import_unknown"), {"state": "refused"}, thing="spare_import_id"
    ),
    "GET /contacts/jobs": Case(200),
    # Ids that the account does not have are passed over.
    "POST /contacts/jobs": Case(202, None, {"act": "tag", "tag": "x", "contact_ids": ["{kept_id}"]}),
    "GET /contacts/jobs/{job_id}": Case(200, (404, "job_unknown")),
    "GET /consents": Case(200),
    "POST /consents": Case(
        201, (422, "contact_unknown"), {"contact_id": "{contact_id}", "state": "denied", "source": "till"}
    ),
    "GET /consents/export": Case(200),
    "GET /consents/texts": Case(200),
    "POST /consents/texts": Case(201, None, {"language": "tr", "words": "Evet, haber verin."}),
    "GET /contacts/{contact_id}/consents": Case(200, _FOREIGN_CONTACT),
    "GET /contacts/{contact_id}/unsent": Case(200, _FOREIGN_CONTACT),
    "GET /retention": Case(200),
    "PATCH /retention": Case(200, None, {"message_days": 365, "contact_days": 0}),
    "POST /contacts/{contact_id}/data-link": Case(202, _FOREIGN_CONTACT),
    "GET /conversations": Case(200),
    "GET /conversations/{contact_id}": Case(200, _FOREIGN_CONTACT),
    "PATCH /conversations/{contact_id}": Case(200, _FOREIGN_CONTACT, {"seen": True, "closed": True}),
    "GET /conversations/{contact_id}/notes": Case(200, _FOREIGN_CONTACT),
    "POST /conversations/{contact_id}/notes": Case(201, _FOREIGN_CONTACT, {"text": "x"}),
    "DELETE /conversations/{contact_id}/notes/{note_id}": Case(204, _FOREIGN_CONTACT),
    "GET /segments": Case(200),
    "POST /segments": Case(201, None, {"name": "{fresh_word}", "rules": {"rule": "orders", "at_least": 3}}),
    "POST /segments/count": Case(200, None, {"rules": {"rule": "tag", "is": "vip"}}),
    "POST /segments/preview": Case(200, None, {"rules": {"rule": "orders", "at_most": 3}}),
    "GET /segments/{segment_id}": Case(200, (404, "segment_unknown")),
    "GET /segments/{segment_id}/members": Case(200, (404, "segment_unknown")),
    "PATCH /segments/{segment_id}": Case(200, (404, "segment_unknown"), {"name": "{fresh_word}"}),
    "DELETE /segments/{segment_id}": Case(204, (404, "segment_unknown"), thing="spare_segment_id"),
    "GET /canned-replies": Case(200),
    "POST /canned-replies": Case(201, None, {"shortcut": "{fresh_word}", "text": "x"}),
    "GET /canned-replies/{canned_id}": Case(200, (404, "canned_reply_unknown")),
    "PATCH /canned-replies/{canned_id}": Case(200, (404, "canned_reply_unknown"), {"text": "Taken over"}),
    "DELETE /canned-replies/{canned_id}": Case(204, (404, "canned_reply_unknown"), thing="spare_canned_id"),
    "GET /orders": Case(200),
    "POST /orders": _venue(
        201, {"venue_id": "{venue_id}", "table_id": "{table_id}", "lines": [{"item_id": "{item_id}"}]}
    ),
    "GET /orders/{order_id}": Case(200, _FOREIGN_ORDER),
    "PATCH /orders/{order_id}": Case(200, _FOREIGN_ORDER, {"notes": "Taken over"}),
    "POST /orders/{order_id}/{action}": Case(200, _FOREIGN_ORDER, {"minutes": 5}),
    "POST /orders/{order_id}/gift-payments": Case(
        201, _FOREIGN_ORDER, {"gift_code": "{gift_code}", "amount": 1}, thing="redeemable_order_id"
    ),
    "GET /orders/{order_id}/progress": Case(200, _FOREIGN_ORDER),
    "POST /orders/{order_id}/progress": Case(200, _FOREIGN_ORDER, {"action": "start"}),
    # It was taken back when it was made, so that it may be taken back at any time.
    "POST /orders/{order_id}/progress/{tap_id}/undo": Case(200, _FOREIGN_ORDER),
    "GET /restaurant/reader": Case(200),
    "PATCH /restaurant/reader": Case(200, None, {"is_on": False}),
    "GET /restaurant/venues": Case(200),
    "POST /restaurant/venues": Case(201, None, {"name": "x", "currency": "TRY", "time_zone": "Europe/Istanbul"}),
    f"GET {_VENUE}": _venue(),
    f"PATCH {_VENUE}": _venue(body={"name": "Taken over"}),
    f"GET {_VENUE}/standing": _venue(),
    f"GET {_VENUE}/layouts": _venue(),
    f"PATCH {_VENUE}/layouts": _venue(body={"kind": "pass", "layout": {"sections": ["place", "lines"]}}),
    f"GET {_VENUE}/zones": _venue(),
    f"POST {_VENUE}/zones": _venue(201, {"name": "x", "corners": CORNERS}),
    f"POST {_VENUE}/zones/check": _venue(200, {"latitude": 41, "longitude": 29}),
    f"GET {_VENUE}/zones/geojson": _venue(),
    f"POST {_VENUE}/zones/geojson": _venue(201, {"type": "FeatureCollection", "features": [FEATURE]}),
    f"GET {_VENUE}/zones/{{zone_id}}": _venue(),
    f"PATCH {_VENUE}/zones/{{zone_id}}": _venue(body={"fee": 1}),
    f"GET {_VENUE}/waiters": _venue(),
    f"POST {_VENUE}/waiters": _venue(201, {"name": "x"}),
    f"PATCH {_VENUE}/waiters/{{waiter_id}}": _venue(body={"name": "Taken over"}),
    f"GET {_VENUE}/sections": _venue(),
    f"POST {_VENUE}/sections": _venue(201, {"name": "x"}),
    f"PATCH {_VENUE}/sections/{{section_id}}": _venue(body={"name": "Taken over"}),
    f"GET {_VENUE}/tables": _venue(),
    f"POST {_VENUE}/tables": _venue(201, {"label": "{fresh_word}"}),
    f"POST {_VENUE}/tables/range": _venue(201, {"first": 20, "last": 21}),
    f"GET {_VENUE}/tables/{{table_id}}": _venue(),
    f"PATCH {_VENUE}/tables/{{table_id}}": _venue(body={"seats": 5}),
    f"POST {_VENUE}/tables/{{table_id}}/rotate": _venue(),
    f"POST {_VENUE}/tables/rotate": _venue(),
    f"GET {_VENUE}/tables/{{table_id}}/code.png": _venue(),
    f"GET {_VENUE}/tables/{{table_id}}/code.svg": _venue(),
    f"GET {_VENUE}/tables/codes.pdf": _venue(),
    f"GET {_VENUE}/menu": _venue(),
    f"POST {_VENUE}/menu/categories": _venue(201, {"name": "x"}),
    f"PATCH {_VENUE}/menu/categories/{{category_id}}": _venue(body={"name": "Taken over"}),
    f"POST {_VENUE}/menu/items": _venue(201, {"category_id": "{full_category_id}", "name": "x", "price": 1}),
    f"GET {_VENUE}/menu/items/{{item_id}}": _venue(),
    f"PATCH {_VENUE}/menu/items/{{item_id}}": _venue(body={"price": 1}),
    f"POST {_VENUE}/menu/option-groups": _venue(201, {"name": "x", "options": [{"name": "y"}]}),
    f"PATCH {_VENUE}/menu/option-groups/{{group_id}}": _venue(body={"name": "Taken over"}),
    # There is nothing in it to order.
    f"POST {_VENUE}/menu/order": _venue(body={"ids": [], "category_id": "{category_id}"}),
    f"POST {_VENUE}/menu/prices": _venue(body={"percent": 10}),
    f"POST {_VENUE}/menu/sold-out": _venue(body={"ids": ["{item_id}"], "until": "now"}),
    f"GET {_VENUE}/menu/export": _venue(),
    f"POST {_VENUE}/menu/import": _venue(body={"format": "tablegram-menu/1"}),
    f"GET {_VENUE}/images": _venue(),
    # The file is no picture, which is looked at only for a venue that is there.
    f"POST {_VENUE}/images": _venue(422, {"any": "file"}),
    f"DELETE {_VENUE}/images/{{image_id}}": _venue(204),
    f"DELETE {_VENUE}/zones/{{zone_id}}": _venue(204),
    f"DELETE {_VENUE}/tables/{{table_id}}": _venue(204),
    f"DELETE {_VENUE}/sections/{{section_id}}": _venue(204),
    f"DELETE {_VENUE}/waiters/{{waiter_id}}": _venue(204),
    f"DELETE {_VENUE}/menu/items/{{item_id}}": _venue(204),
    f"DELETE {_VENUE}/menu/option-groups/{{group_id}}": _venue(204),
    f"DELETE {_VENUE}/menu/categories/{{category_id}}": _venue(204),
    f"DELETE {_VENUE}": _venue(204, thing="spare_venue_id"),
    f"GET {_VENUE}/calls": _venue(),
    f"POST {_VENUE}/calls/{{call_id}}/answer": _venue(),
    f"GET {_VENUE}/order-requests": _venue(),
    f"POST {_VENUE}/order-requests/{{order_request_id}}/{{word}}": _venue(),
    # Its guests have not paid.
    f"POST {_VENUE}/tables/{{table_id}}/close-tab": _venue(409),
    "GET /restaurant/tabs": Case(200),
    "GET /restaurant/tabs/{tab_id}": Case(200, _FOREIGN_TAB),
    "POST /restaurant/tabs/{tab_id}/payments": Case(201, _FOREIGN_TAB, {"method": "cash", "amount": 1}),
    "POST /restaurant/tabs/{tab_id}/receipt": Case(200, _FOREIGN_TAB, {"by": "message", "phone": "{fresh_phone}"}),
    "POST /restaurant/tabs/{tab_id}/payment-links": Case(201, _FOREIGN_TAB, {"amount": 1}),
    "POST /restaurant/tabs/{tab_id}/payments/{tab_payment_id}/refund": Case(200, _FOREIGN_TAB, {"reason": "wrong"}),
    "POST /restaurant/tabs/{tab_id}/discounts": Case(201, _FOREIGN_TAB, {"amount": 1, "reason": "late"}),
    "DELETE /restaurant/tabs/{tab_id}/discounts/{discount_id}": Case(204, _FOREIGN_TAB),
    "POST /restaurant/tabs/{tab_id}/move": Case(200, _FOREIGN_TAB, {"table_id": "{other_table_id}"}),
    "POST /restaurant/tabs/{tab_id}/close": Case(200, _FOREIGN_TAB, {"reason": "left"}),
    "GET /contacts/{contact_id}/addresses": Case(200, _FOREIGN_CONTACT),
    "POST /contacts/{contact_id}/addresses": Case(201, _FOREIGN_CONTACT, {"address": "x {fresh_word}"}),
    "PATCH /contacts/{contact_id}/addresses/{address_id}": Case(200, _FOREIGN_CONTACT, {"label": "Taken over"}),
    "DELETE /contacts/{contact_id}/addresses/{address_id}": Case(204, _FOREIGN_CONTACT),
    "GET /loyalty/programme": Case(200),
    "PATCH /loyalty/programme": Case(200, None, {"is_on": True, "rates": [{"currency": "TRY", "per": 10, "worth": 1}]}),
    "GET /loyalty/members": Case(200),
    "GET /loyalty/members/{contact_id}": Case(200, _FOREIGN_CONTACT),
    "GET /loyalty/members/{contact_id}/movements": Case(200, _FOREIGN_CONTACT),
    "POST /loyalty/members/{contact_id}/adjust": Case(201, _FOREIGN_CONTACT, {"points": 5, "reason": "late"}),
    "GET /loyalty/figures": Case(200),
    "GET /loyalty/cards": Case(200),
    "POST /loyalty/cards": Case(
        201, None, {"name": "Tea card", "needed": 5, "reward": {"name": "Tea", "gives": "percent", "percent": 10}}
    ),
    "PATCH /loyalty/cards/{card_id}": Case(200, (404, "card_unknown"), {"name": "Taken over"}),
    "GET /loyalty/coupons": Case(200),
    "POST /loyalty/coupons": Case(201, None, {"name": "Ten off", "gives": "percent", "percent": 10}),
    "POST /loyalty/coupons/check": Case(200, None, {"code": "{coupon_code}"}),
    "GET /loyalty/coupons/{coupon_id}": Case(200, (404, "coupon_unknown")),
    "PATCH /loyalty/coupons/{coupon_id}": Case(200, (404, "coupon_unknown"), {"name": "Taken over"}),
    "POST /loyalty/redemptions": Case(
        201,
        (422, "order_unknown"),
        {"order_id": "{redeemable_order_id}", "code": "{coupon_code}", "contact_id": "{contact_id}"},
    ),
    "GET /loyalty/gifts": Case(200),
    "POST /loyalty/gifts": Case(201, None, {"amount": 50, "paid_by": "card"}),
    "POST /loyalty/gifts/check": Case(200, None, {"code": "{gift_code}"}),
    "GET /loyalty/gifts/figures": Case(200),
    "GET /loyalty/gifts/{gift_id}": Case(200, (404, "gift_unknown")),
    "POST /loyalty/gifts/{gift_id}/send": Case(200, (404, "gift_unknown"), {"phone": "{fresh_phone}"}),
    "POST /loyalty/gifts/{gift_id}/cancel": Case(200, (404, "gift_unknown"), {"reason": "Lost"}, thing="spare_gift_id"),
    "DELETE /loyalty/redemptions/{redemption_id}": Case(204, (404, "redemption_unknown")),
    "GET /payment-links": Case(200),
    "POST /payment-links": Case(201, None, {"amount": 450, "currency": "TRY", "description": "Dinner"}),
    "GET /payment-links/{link_id}": Case(200, _FOREIGN_LINK, None, _FOREIGN_LINK),
    "POST /payment-links/{link_id}/cancel": Case(200, _FOREIGN_LINK, None, _FOREIGN_LINK),
    "POST /payment-links/{link_id}/refunds": Case(409, _FOREIGN_LINK, {"amount": 1}, _FOREIGN_LINK),
    "POST /payment-links/{link_id}/accept": Case(409, _FOREIGN_LINK, None, _FOREIGN_LINK),
    "GET /stores/sources": Case(200),
    "POST /stores/sources": Case(201, None, {"platform": "woocommerce", "name": "Shop"}),
    "GET /stores/sources/{source_id}": Case(200, _FOREIGN_SOURCE),
    "PATCH /stores/sources/{source_id}": Case(200, _FOREIGN_SOURCE, {"name": "Taken over"}),
    "DELETE /stores/sources/{source_id}": Case(204, _FOREIGN_SOURCE, thing="spare_source_id"),
    "POST /stores/sources/{source_id}/rotate-secret": Case(200, _FOREIGN_SOURCE, thing="spare_source_id"),
    "POST /stores/sources/{source_id}/test": Case(200, _FOREIGN_SOURCE, {"phone": PHONE}),
    "GET /stores/deliveries": Case(200),
    "GET /stores/deliveries/{store_delivery_id}": Case(200, _FOREIGN_STORE_DELIVERY),
    "GET /stores/deliveries/{store_delivery_id}/replay": Case(200, _FOREIGN_STORE_DELIVERY),
    "POST /stores/deliveries/{store_delivery_id}/replay": Case(200, _FOREIGN_STORE_DELIVERY),
    "POST /stores/deliveries/{store_delivery_id}/settle": Case(409, _FOREIGN_STORE_DELIVERY),
    "GET /stores/orders": Case(200),
    "GET /stores/orders/{store_order_id}": Case(200, (404, "store_order_unknown")),
    "GET /payment-providers": Case(200),
    "POST /payment-providers": Case(201, None, {"provider": "sandbox"}),
    "GET /payment-providers/{provider_id}": Case(200, _FOREIGN_PROVIDER),
    "PATCH /payment-providers/{provider_id}": Case(200, _FOREIGN_PROVIDER, {"is_default": True}),
    "POST /payment-providers/{provider_id}/check": Case(200, _FOREIGN_PROVIDER),
    "DELETE /payment-providers/{provider_id}": Case(204, _FOREIGN_PROVIDER, thing="spare_provider_id"),
    "GET /stores/sources/{source_id}/notifications": Case(200, _FOREIGN_SOURCE),
    "PATCH /stores/sources/{source_id}/notifications/{notification_id}": Case(
        200, _FOREIGN_SOURCE, {"text": "Taken over {name}"}
    ),
    "DELETE /stores/sources/{source_id}/notifications/{notification_id}": Case(204, _FOREIGN_SOURCE),
    "GET /stores/carts/figures": Case(200),
    "GET /stores/notifications": Case(200),
    "PATCH /stores/notifications/{notification_id}": Case(200, None, {"text": "Taken over {name}"}),
    "POST /stores/notifications/{notification_id}/preview": Case(200, None, {"text": "Hi {name}"}),
    "GET /stores/notices": Case(200),
    "GET /stores/carts": Case(200),
    "GET /restaurant/printers": Case(200),
    "POST /restaurant/printers": Case(201, None, {"name": "x", "kind": "sandbox"}),
    "GET /restaurant/printers/{printer_id}": Case(200, _FOREIGN_PRINTER),
    "PATCH /restaurant/printers/{printer_id}": Case(200, _FOREIGN_PRINTER, {"name": "Taken over"}),
    "GET /restaurant/printers/{printer_id}/key": Case(200, _FOREIGN_PRINTER),
    "POST /restaurant/printers/{printer_id}/key": Case(200, _FOREIGN_PRINTER),
    "POST /restaurant/printers/{printer_id}/test": Case(201, _FOREIGN_PRINTER),
    "DELETE /restaurant/printers/{printer_id}": Case(204, _FOREIGN_PRINTER),
    "GET /restaurant/tickets": Case(200),
    "GET /restaurant/tickets/{ticket_id}": Case(200, (404, "ticket_unknown")),
    "POST /restaurant/tickets/{ticket_id}/reprint": Case(201, (404, "ticket_unknown"), {"printer_id": "{printer_id}"}),
    "GET /restaurant/couriers": Case(200),
    "POST /restaurant/couriers": Case(201, None, {"name": "Seda"}),
    f"GET {_COURIER}": Case(200, _FOREIGN_COURIER),
    f"PATCH {_COURIER}": Case(200, _FOREIGN_COURIER, {"name": "Taken over"}),
    f"PATCH {_COURIER}/shift": Case(200, _FOREIGN_COURIER, {"working": True}),
    f"GET {_COURIER}/shifts": Case(200, _FOREIGN_COURIER),
    f"GET {_COURIER}/page": Case(200, _FOREIGN_COURIER),
    f"POST {_COURIER}/page": Case(200, _FOREIGN_COURIER, {"new_link": False}),
    f"DELETE {_COURIER}/page": Case(204, _FOREIGN_COURIER),
    f"GET {_COURIER}/tour": Case(200, _FOREIGN_COURIER),
    f"PATCH {_COURIER}/tour": Case(200, _FOREIGN_COURIER, {"delivery_ids": None}),
    f"DELETE {_COURIER}": Case(204, _FOREIGN_COURIER, thing="spare_courier_id"),
    "POST /restaurant/courier-shifts/{shift_id}/count": Case(200, (404, "shift_unknown"), {"counted_amount": 0}),
    "GET /restaurant/deliveries": Case(200),
    # Given to the same courier again, it stays as it is.
    "POST /restaurant/deliveries": Case(
        201, (422, "order_unknown"), {"order_id": "{brought_order_id}", "courier_id": "{courier_id}"}
    ),
    f"GET {_BROUGHT}": Case(200, _FOREIGN_DELIVERY),
    f"POST {_BROUGHT}/{{move}}": Case(200, _FOREIGN_DELIVERY, {}),
    f"POST {_BROUGHT}/steps/{{step_id}}/undo": Case(200, _FOREIGN_DELIVERY),
    f"GET {_VENUE}/sales": _venue(),
    f"GET {_VENUE}/sales/export": _venue(),
    f"GET {_VENUE}/sales/summary": _venue(),
    f"GET {_VENUE}/takings": _venue(),
    f"GET {_VENUE}/takings/export": _venue(),
    f"GET {_VENUE}/till": _venue(),
    f"POST {_VENUE}/till/movements": _venue(201, {"kind": "put_in", "amount": 5, "reason": "Float"}),
    f"GET {_VENUE}/till/counts": _venue(),
    f"POST {_VENUE}/till/counts": _venue(201, {"counted_amount": 5, "reason": "Nobody had counted"}),
    f"GET {_VENUE}/till/counts/{{count_id}}": _venue(),
    "GET /automations": Case(200),
    "POST /automations": Case(201, None, {"preset": "welcome"}),
    "GET /automations/{automation_id}": Case(200, _FOREIGN_AUTOMATION),
    "PATCH /automations/{automation_id}": Case(200, _FOREIGN_AUTOMATION, {"name": "Taken over"}),
    "GET /automations/{automation_id}/runs": Case(200, _FOREIGN_AUTOMATION),
    "GET /automations/{automation_id}/report": Case(200, _FOREIGN_AUTOMATION),
    "GET /automations/{automation_id}/ratings": Case(200, _FOREIGN_AUTOMATION),
    "POST /automations/{automation_id}/try": Case(200, _FOREIGN_AUTOMATION, {"contact_id": "{contact_id}"}),
    "POST /automations/{automation_id}/turn_on": Case(409, _FOREIGN_AUTOMATION, thing="ended_automation_id"),
    "POST /automations/{automation_id}/pause": Case(409, _FOREIGN_AUTOMATION, thing="ended_automation_id"),
    "POST /automations/{automation_id}/archive": Case(409, _FOREIGN_AUTOMATION, thing="ended_automation_id"),
    "POST /automations/{automation_id}/ratings/{run_id}/close": Case(409, _FOREIGN_AUTOMATION),
    "GET /campaigns": Case(200),
    "POST /campaigns": Case(201, None, {"name": "Brunch"}),
    "GET /campaigns/{campaign_id}": Case(200, _FOREIGN_CAMPAIGN),
    "PATCH /campaigns/{campaign_id}": Case(200, _FOREIGN_CAMPAIGN, {"name": "Taken over"}),
    "GET /campaigns/{campaign_id}/estimate": Case(200, _FOREIGN_CAMPAIGN),
    "GET /campaigns/{campaign_id}/sends": Case(200, _FOREIGN_CAMPAIGN),
    "GET /campaigns/{campaign_id}/report": Case(200, _FOREIGN_CAMPAIGN),
    "GET /campaigns/{campaign_id}/report/export": Case(200, _FOREIGN_CAMPAIGN),
    "POST /campaigns/{campaign_id}/preview": Case(200, _FOREIGN_CAMPAIGN, {}),
    "POST /campaigns/{campaign_id}/test": Case(202, _FOREIGN_CAMPAIGN, {"phone": PHONE}),
    # What is over stays so.
    "POST /campaigns/{campaign_id}/start": Case(409, _FOREIGN_CAMPAIGN, {}, thing="ended_campaign_id"),
    "POST /campaigns/{campaign_id}/pause": Case(409, _FOREIGN_CAMPAIGN, thing="ended_campaign_id"),
    "POST /campaigns/{campaign_id}/resume": Case(409, _FOREIGN_CAMPAIGN, thing="ended_campaign_id"),
    "POST /campaigns/{campaign_id}/cancel": Case(409, _FOREIGN_CAMPAIGN, thing="ended_campaign_id"),
    "POST /webhooks": Case(201, None, {"url": "{files}/hook", "events": ["messages.upsert"]}),
    "GET /webhooks": Case(200),
    "GET /webhooks/{webhook_id}": Case(200, _FOREIGN_HOOK),
    "PATCH /webhooks/{webhook_id}": Case(200, _FOREIGN_HOOK, {"description": "Taken over"}),
    "DELETE /webhooks/{webhook_id}": Case(204, _FOREIGN_HOOK, thing="spare_webhook_id"),
    "POST /webhooks/{webhook_id}/test": Case(202, _FOREIGN_HOOK),
    "POST /webhooks/{webhook_id}/rotate-secret": Case(200, _FOREIGN_HOOK),
    "POST /webhooks/{webhook_id}/replay": Case(202, _FOREIGN_HOOK, {"since": "{an_hour_ago}"}),
    "GET /webhooks/{webhook_id}/deliveries": Case(200, _FOREIGN_HOOK),
    "GET /deliveries/{delivery_id}": Case(200, (404, "delivery_unknown")),
    "POST /deliveries/{delivery_id}/replay": Case(202, (404, "delivery_unknown")),
    "GET /events": Case(200),
    "GET /events/samples": Case(200),
    # From the first event on, and not for ever.
    "GET /events/stream": Case(200, query="?after=MA&wait_s=0"),
    "GET /me": Case(200),
    "GET /usage": Case(200),
    "GET /usage/export": Case(200),
    "GET /requests": Case(200),
    "GET /requests/{request_id}": Case(200, (404, "request_unknown")),
    "GET /team": Case(200, test_key=_TEST_KEY),
    "POST /team": Case(201, None, {"email": "{fresh_word}@example.com", "role": "staff"}, _TEST_KEY),
    "GET /team/{member_id}": Case(200, _FOREIGN_MEMBER, None, _TEST_KEY),
    "PATCH /team/{member_id}": Case(200, _FOREIGN_MEMBER, {"role": "manager"}, _TEST_KEY),
    "POST /team/{member_id}/invite": Case(201, _FOREIGN_MEMBER, {}, _TEST_KEY),
    "DELETE /team/{member_id}": Case(204, _FOREIGN_MEMBER, None, _TEST_KEY, thing="spare_member_id"),
    "GET /audit": Case(200, test_key=_TEST_KEY),
    "GET /keys": Case(200),
    "POST /keys": Case(201, None, {"scopes": ["messages:read"]}),
    # The spare key is a live one, which a test key may not end.
    "DELETE /keys/{key_id}": Case(204, (404, "key_not_found"), None, _TEST_KEY),
}
AN_HOUR_AGO = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 3_600))
# Where a test key gets in at all. Whatever is not named here is closed to it.
OPEN_TO_TEST_KEYS = {
    *[name for name in CASES if name.split(" ")[1].startswith(("/messages", "/templates", "/instances", "/media"))],
    *[name for name in CASES if name.split(" ")[1].startswith(("/keys", "/payment-links"))],
    "GET /me", "GET /events", "GET /events/samples", "GET /events/stream",
}  # fmt: skip
# Closed to every key of an account: `test_operator_keys.py` is about them.
OPERATORS = {name for name in ROUTES if name.split(" ")[1].startswith("/operator/")}
PUBLIC = {"GET /docs", "GET /docs/{name}", "GET /openapi.json"}

# What they name is called the same in every account: whose it is, the key says.
NOBODYS = {name for name in CASES if name.endswith(("/{notification_id}", "/{notification_id}/preview"))}
FOREIGN = [name for name, case in CASES.items() if case.foreign]
# The owner's calls last, those that take something away at the very end, and the line after what it holds.
OWN = sorted(CASES, key=lambda name: ("DELETE" in name, name == "DELETE /instances/{instance_id}"))
# Each of these ends a thing of its own, which must be made anew.
ENDING = {
    "POST /messages/{message_id}/cancel",
    "DELETE /webhooks/{webhook_id}",
    "POST /contacts/imports/{import_id}/start",
    "DELETE /canned-replies/{canned_id}",
    "DELETE /segments/{segment_id}",
    "DELETE /conversations/{contact_id}/notes/{note_id}",
}


@pytest.fixture(scope="module")
def place(databases: Databases) -> Iterator[Town]:
    url = databases.migrated()
    with town(url) as built:
        yield built
    databases.drop(url)


def call(
    place: Town, name: str, house: House, key: str | None, things: dict[str, Any] | None = None
) -> tuple[int, Any]:
    """Call a route about the things of a house with a key; without one, anonymously."""
    path, body = written(
        place,
        name,
        {"fresh_phone": next(FRESH_PHONES), "fresh_word": f"w{next(FRESH_PHONES)}", **house.things, **(things or {})},
    )
    headers = {} if key is None else place.product.headers(key)
    return fetch(place.product.api + path, method=name.split(" ")[0], body=body, headers=headers)


def written(place: Town, name: str, things: dict[str, Any]) -> tuple[str, Any]:
    """The path and the body of a call about these things."""
    case, path = CASES[name], name.split(" ")[1]
    known = {
        "files": place.files,
        "an_hour_ago": AN_HOUR_AGO,
        "action": "delay",
        "word": "refuse",
        "move": "pick_up",
        "notification_id": "order_confirmation-1-en",
        **things,
    }
    if case.thing:
        known[path[path.index("{") + 1 : path.index("}")]] = known[case.thing]
    path = path.format(**{thing: quote(str(value), safe="") for thing, value in known.items()})
    return path + case.query, filled(case.body, known)


def filled(value: Any, known: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {name: filled(inner, known) for name, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, known) for inner in value]
    if isinstance(value, str) and value.startswith("{"):
        name, _, rest = value[1:].partition("}")
        return f"{known[name]}{rest}" if rest else known[name]
    return value


def test_every_route_has_its_place_in_the_matrix() -> None:
    assert set(CASES) | PUBLIC | OPERATORS == set(ROUTES)
    assert {name for name, route in ROUTES.items() if route.public} == PUBLIC
    assert {name for name in CASES if "{" in name} - NOBODYS <= set(FOREIGN)
    assert {name for name, route in ROUTES.items() if route.test_keys} == OPEN_TO_TEST_KEYS


def test_another_accounts_things_are_not_there_and_stay_as_they_are(place: Town) -> None:
    watched = Watched(place, place.other)
    with cases() as every:
        for name in FOREIGN:
            with every.case(name):
                status, answer = call(place, name, place.other, place.own.key)
                watched.note(name)
                assert (status, answer["code"]) == CASES[name].foreign
        with every.case("the last of them"):
            watched.compare()


def test_what_names_no_thing_shows_and_changes_nothing_of_another_account(place: Town) -> None:
    watched = Watched(place, place.other)
    with cases() as every:
        for name in [name for name in CASES if CASES[name].foreign is None]:
            with every.case(name):
                status, answer = call(place, name, place.other, place.own.key)
                watched.note(name)
                assert status in (200, 201, 202)
                _shows_nothing_of_another(place, name, answer)
        with every.case("the last of them"):
            watched.compare()


def _shows_nothing_of_another(place: Town, name: str, answer: Any) -> None:
    shown = json.dumps(answer)
    if name == "POST /messages/batch":
        assert [(entry["status"], entry["code"]) for entry in answer["data"]] == [("error", "instance_unknown")]
    else:
        if name == "GET /requests":
            # The log shows the paths that this account itself has tried, and they name the other's things.
            shown = json.dumps([{**row, "path": ""} for row in answer["data"]])
        for value in place.other.things.values():
            assert not isinstance(value, str) or value not in shown
    assert "from Other" not in shown


def test_nobody_gets_in_without_a_key(place: Town) -> None:
    with cases() as every:
        for name in CASES:
            with every.case(name):
                status, answer = call(place, name, place.own, None)
                assert (status, answer["code"]) == (401, "key_missing")


@pytest.mark.parametrize("reason", ["account_suspended", "key_revoked", "key_expired"])
def test_nobody_gets_in_with_a_key_that_has_ended(place: Town, reason: str) -> None:
    with cases() as every:
        for name in CASES:
            with every.case(name):
                status, answer = call(place, name, place.own, place.refused[reason])
                assert (status, answer["code"]) == (401, reason)


def test_a_key_without_the_scope_is_refused(place: Town) -> None:
    with cases() as every:
        for name in CASES:
            with every.case(name):
                may = ROUTES[name].scope == "campaigns:manage"
                key = place.other_narrow_key if may else place.narrow_key
                status, answer = call(place, name, place.own, key)
                if ROUTES[name].scope:
                    assert (status, answer["code"]) == (403, "scope_missing")
                else:
                    assert status == 200


def test_what_is_live_is_closed_to_a_test_key(place: Town) -> None:
    watched = Watched(place, place.own)
    with cases() as every:
        for name in [name for name in CASES if name not in OPEN_TO_TEST_KEYS]:
            with every.case(name):
                status, answer = call(place, name, place.own, place.test_key)
                watched.note(name)
                assert (status, answer["code"]) == _TEST_KEY
                assert "live key" in answer["detail"]
        with every.case("the last of them"):
            watched.compare()


def test_a_test_key_does_not_reach_what_is_live(place: Town) -> None:
    own = place.own.things
    live = {"instance_id": own["cloud_id"], "message_id": own["live_id"], "media_id": own["live_media_id"]}
    live["link_id"] = own["live_link_id"]
    watched = Watched(place, place.own)
    with cases() as every:
        for name in [name for name, case in CASES.items() if case.test_key]:
            with every.case(name):
                status, answer = call(place, name, place.own, place.test_key, live)
                watched.note(name)
                assert (status, answer["code"]) == CASES[name].test_key
        with every.case("the last of them"):
            watched.compare()


@pytest.mark.parametrize("name", [name for name in CASES if name in OPEN_TO_TEST_KEYS and "DELETE" not in name])
def test_a_test_key_works_within_the_sandbox(place: Town, name: str) -> None:
    if name in ENDING:
        furnish(place, place.own)
    if name == "PATCH /templates/{template_id}":
        # The network looks at it again, and lets nobody edit it meanwhile.
        place.own.things["template_id"] = rejected_template(place, place.own)
    status, answer = call(place, name, place.own, place.test_key)
    assert status == CASES[name].status, answer
    if name == "GET /instances":
        assert {line["kind"] for line in answer["data"]} == {"sandbox"}
    if name == "POST /keys":
        assert answer["mode"] == "test"
    if name == "GET /keys":
        assert {key["mode"] for key in answer["data"]} == {"test"}
    assert "live words" not in json.dumps(answer)


def test_a_test_key_hears_of_sandbox_lines_only(place: Town) -> None:
    cloud = place.own.things["cloud_id"]
    for path in ("/events?limit=200", "/events/stream?after=MA&wait_s=0"):
        status, answer = place.ask("GET", path)
        shown = json.dumps(answer)
        assert status == 200
        assert "live words to" in shown
        status, answer = place.ask("GET", path, key=place.test_key)
        shown = json.dumps(answer)
        assert status == 200
        assert "live words" not in shown
        assert "messages.upsert" in shown
        assert f'"instance_id":{cloud},' not in shown.replace("\\", "").replace(" ", "")


def test_files_of_others_and_of_live_lines_are_not_sent(place: Town) -> None:
    def send(media_id: str, key: str) -> tuple[int, Any]:
        own = f"{place.product.api}/media/{media_id}"
        body = {"phone": PHONE, "media_url": own, "instance_id": place.own.things["instance_id"]}
        return place.ask("POST", "/messages/send-media", body, key=key)

    live = place.ask("POST", "/media", {"any": "file"})[1]["id"]
    assert send(live, place.own.key)[0] == 200
    assert send(place.own.things["media_id"], place.own.key)[0] == 200
    for media_id, key in (
        (place.other.things["media_id"], place.own.key),
        (place.ask("POST", "/media", {"any": "file"}, key=place.other.key)[1]["id"], place.own.key),
        (place.own.things["live_media_id"], place.test_key),
        (live, place.test_key),
        ("med_unknown", place.own.key),
        ("x/y", place.own.key),
    ):
        status, answer = send(media_id, key)
        assert (status, answer["code"], answer["errors"][0]["field"]) == (422, "media_unknown", "media_url")
    tried = place.ask("POST", "/media", {"any": "file"}, key=place.test_key)[1]["id"]
    assert send(tried, place.test_key)[0] == 200
    assert place.ask("GET", f"/media/{tried}", key=place.test_key)[0] == 200
    assert place.ask("GET", f"/media/{live}", key=place.test_key)[0] == 404


def test_a_test_key_is_not_shown_what_a_live_one_was_answered(place: Town) -> None:
    body = {"scopes": ["*"], "name": "till"}
    status, made = place.product.call("POST", "/keys", body, Idempotency_Key="same")
    assert (status, made["mode"]) == (201, "live")
    status, answer = place.product.call("POST", "/keys", body, key=place.test_key, Idempotency_Key="same")
    assert (status, answer["code"]) == (422, "idempotency_key_reused")


def test_a_test_key_sees_no_message_of_a_live_line(place: Town) -> None:
    body = {"phone": PHONE, "message": "live words", "instance_id": place.own.things["cloud_id"]}
    status, sent = place.product.call("POST", "/messages/send", body, Prefer="respond-async")
    assert status == 200
    path = f"/messages/{sent['message_id']}"
    assert place.ask("GET", path)[0] == 200
    assert place.ask("GET", path, key=place.test_key)[0] == 404
    assert place.ask("POST", f"{path}/cancel", key=place.test_key)[0] == 404
    assert "live words" in json.dumps(place.ask("GET", "/messages?limit=200")[1])
    assert "live words" not in json.dumps(place.ask("GET", "/messages?limit=200", key=place.test_key)[1])


@pytest.mark.parametrize("name", OWN)
def test_an_account_reaches_what_is_its_own(place: Town, name: str) -> None:
    if name in ENDING:
        furnish(place, place.own)
    if name == "PATCH /templates/{template_id}":
        # The network looks at it again, and lets nobody edit it meanwhile.
        place.own.things["template_id"] = rejected_template(place, place.own)
    status, answer = call(place, name, place.own, place.own.key)
    assert status == CASES[name].status, answer
    if name == "POST /messages/batch":
        assert [entry["status"] for entry in answer["data"]] == ["success"]


def test_things_of_two_accounts_are_never_joined(place: Town) -> None:
    own, other = place.own.things, place.other.things
    before = place.everything_of(place.other)
    into = {"into": other["contact_id"]}
    status, answer = place.ask("POST", f"/contacts/{own['contact_id']}/merge", into)
    assert (status, answer["errors"][0]["code"]) == (422, "contact_unknown")
    # A delivery is named by its event and its endpoint; one of each account name none.
    for mixed in (
        f"{own['delivery_id'].split('.')[0]}.{other['webhook_id']}",
        f"{other['delivery_id'].split('.')[0]}.{own['webhook_id']}",
    ):
        assert place.ask("GET", f"/deliveries/{mixed}")[0] == 404
        assert place.ask("POST", f"/deliveries/{mixed}/replay")[0] == 404
    line = place.ask("POST", "/instances", {"kind": "sandbox"})[1]["id"]
    assert place.ask("GET", f"/instances/{line}/auto-replies/{other['reply_id']}")[0] == 404
    venue = f"/restaurant/venues/{own['venue_id']}"
    for path in ("tables/{table_id}", "tables/{table_id}/code.png", "menu/items/{item_id}"):
        assert place.ask("GET", f"{venue}/{path.format(**other)}")[0] == 404
    for path, body in (
        ("", {"instance_id": other["instance_id"]}),
        ("", {"logo_id": other["image_id"]}),
        (f"/tables/{own['table_id']}", {"waiter_id": other["waiter_id"]}),
        (f"/tables/{own['table_id']}", {"section_id": other["section_id"]}),
        (f"/sections/{own['section_id']}", {"waiter_id": other["waiter_id"]}),
        (f"/menu/items/{own['item_id']}", {"category_id": other["full_category_id"]}),
        (f"/menu/items/{own['item_id']}", {"option_group_ids": [other["group_id"]]}),
        (f"/menu/items/{own['item_id']}", {"image_id": other["image_id"]}),
    ):
        assert place.ask("PATCH", venue + path, body)[0] in (404, 422), (path, body)
    printer = f"/restaurant/printers/{own['printer_id']}"
    assert place.ask("PATCH", printer, {"fallback_id": other["printer_id"]})[0] == 422
    strange = {"name": "x", "kind": "sandbox", "venue_id": other["venue_id"]}
    assert place.ask("POST", "/restaurant/printers", strange)[0] == 404
    link = {"amount": 1, "currency": "TRY", "description": "x"}
    for name in ("provider_id", "contact_id"):
        assert place.ask("POST", "/payment-links", {**link, name: other[name]})[0] == 404
    again = f"/restaurant/tickets/{own['ticket_id']}/reprint"
    assert place.ask("POST", again, {"printer_id": other["printer_id"]})[0] == 422
    # Nor things of two venues of one account.
    spare = f"/restaurant/venues/{own['spare_venue_id']}"
    assert place.ask("GET", f"{spare}/tables/{own['table_id']}")[0] == 404
    assert place.ask("POST", f"{spare}/tables", {"label": "1", "section_id": own["section_id"]})[0] in (404, 422)
    for path in ("/events", "/events/stream"):
        status, answer = place.ask("GET", f"{path}?after={other['delivery_id'].split('.')[0]}&wait_s=0")
        assert (status, answer["errors"][0]["code"]) == (422, "cursor_invalid")
    assert place.everything_of(place.other) == before


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_what_needs_no_key_shows_nothing_of_any_account(place: Town, name: str) -> None:
    path = name.split(" ")[1].format(name="docs.css")
    status, answer = fetch(place.product.api + path)
    assert status == 200
    shown = json.dumps(answer)
    for house in (place.own, place.other):
        for value in (house.key, house.things["message_id"], house.things["key_id"]):
            assert str(value) not in shown
