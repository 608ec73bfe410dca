"""How a route is called, and what its owner, a stranger and a test key are answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.security.town import PHONE


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


LINE_FIELD = {"phone": PHONE, "instance_id": "{instance_id}"}
FOREIGN_LINE = (422, "instance_unknown")
FOREIGN_PATH = (404, "instance_unknown")
FOREIGN_CONTACT = (404, "contact_unknown")
FOREIGN_ENDPOINT = (404, "webhook_unknown")
FOREIGN_MEMBER = (404, "member_not_found")
TEST_KEY = (403, "test_key")
FOREIGN_VENUE = (404, "venue_unknown")
FOREIGN_ORDER = (404, "order_unknown")
FOREIGN_TAB = (404, "tab_unknown")
FOREIGN_PRINTER = (404, "printer_unknown")
FOREIGN_LINK = (404, "payment_link_unknown")
FOREIGN_PROVIDER = (404, "payment_provider_unknown")
FOREIGN_SOURCE = (404, "source_unknown")
FOREIGN_STORE_DELIVERY = (404, "store_delivery_unknown")
FOREIGN_AUTOMATION = (404, "automation_unknown")
FOREIGN_CAMPAIGN = (404, "campaign_unknown")
FOREIGN_TEMPLATE = (404, "template_not_found")
FOREIGN_COURIER = (404, "courier_unknown")
FOREIGN_DELIVERY = (404, "order_delivery_unknown")
COURIER = "/restaurant/couriers/{courier_id}"
BROUGHT = "/restaurant/deliveries/{order_delivery_id}"
VENUE = "/restaurant/venues/{venue_id}"
CORNERS = [{"latitude": 41, "longitude": 29}, {"latitude": 41, "longitude": 29.1}, {"latitude": 41.1, "longitude": 29}]
FEATURE = {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[[29, 41], [29.1, 41], [29, 41.1]]]}}


def venue(status: int = 200, body: Any = None, **more: Any) -> Case:
    return Case(status, FOREIGN_VENUE, body, **more)


def send(**fields: Any) -> Case:
    return Case(200, FOREIGN_LINE, {**LINE_FIELD, **fields}, FOREIGN_LINE)


def line(status: int = 200, body: Any = None) -> Case:
    return Case(status, FOREIGN_PATH, body, TEST_KEY)
