"""Two accounts as a test sees them: what each owns, how it is asked for, and whether any of it has changed."""

from __future__ import annotations

import base64
import http.client
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from urllib.parse import urlsplit

from tests.product import Product

PHONE = "905551112233"
# Writes to the live lines only.
LIVE_PHONE = "905551119900"
# Numbers that nobody has used yet.
FRESH_PHONES = (f"90555{number:07d}" for number in count(2_000_000))
# One pixel.
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
TOWN = [{"latitude": 41, "longitude": 29}, {"latitude": 41, "longitude": 29.1}, {"latitude": 41.1, "longitude": 29}]
CLOUD = {"kind": "cloud", "phone_number_id": "77", "access_token": "t", "app_secret": "s", "verify_token": "v"}


@dataclass
class House:
    """One account: its key, and what it owns by name."""

    name: str
    key: str
    things: dict[str, Any] = field(default_factory=dict)


@dataclass
class Town:
    product: Product
    own: House
    other: House
    files: str
    # Keys that must not work, by the code of their refusal.
    refused: dict[str, str]
    narrow_key: str
    # For what the narrow key may do.
    other_narrow_key: str
    test_key: str

    def ask(self, method: str, path: str, body: Any = None, *, key: str | None = None) -> tuple[int, Any]:
        return self.product.call(method, path, body, key=key or self.own.key)

    def everything_of(self, house: House) -> dict[str, Any]:
        """All that the account can see of itself, apart from what merely looking changes."""
        with _reading(self.product, house.key) as read:
            return self._everything_of(house, read)

    def _everything_of(self, house: House, read: Callable[[str], Any]) -> dict[str, Any]:
        seen = {
            path: read(f"{path}?limit=200")["data"]
            for path in (
                "/messages",
                "/instances",
                "/keys",
                "/webhooks",
                "/contacts",
                "/contacts/imports",
                "/contacts/jobs",
                "/consents",
                "/conversations",
                "/canned-replies",
                "/segments",
                "/team",
                f"/instances/{house.things['instance_id']}/auto-replies",
                "/restaurant/venues",
                "/orders",
                "/restaurant/tabs",
                f"/restaurant/venues/{house.things['venue_id']}/tables",
                f"/restaurant/venues/{house.things['venue_id']}/waiters",
                f"/restaurant/venues/{house.things['venue_id']}/zones",
                f"/contacts/{house.things['contact_id']}/addresses",
                f"/restaurant/venues/{house.things['venue_id']}/sections",
                f"/restaurant/venues/{house.things['venue_id']}/images",
                "/restaurant/printers",
                "/restaurant/tickets",
                "/payment-links",
                "/loyalty/members",
                "/loyalty/gifts",
                "/stores/sources",
                "/stores/deliveries",
                "/stores/orders",
                "/automations",
                "/campaigns",
                "/restaurant/couriers",
                "/restaurant/deliveries",
            )
        }
        seen["menu"] = read(f"/restaurant/venues/{house.things['venue_id']}/menu")
        for order in seen["/orders"]:
            order.pop("age_s")
            order.pop("late_s")
        for delivery in seen["/restaurant/deliveries"]:
            delivery.pop("late_s")
        for record in seen["/keys"]:
            record.pop("last_used_at")
        for ticket in seen["/restaurant/tickets"]:
            # What waits too long is told of, and ends by itself.
            ticket.pop("paper")
            ticket.pop("jobs")
        for printer in seen["/restaurant/printers"]:
            printer.pop("state")
        for line in seen["/instances"]:
            # The line's health follows by itself.
            line.pop("state")
            line.pop("reason")
        return seen


class Watched:
    """All of a house, compared again after some calls that may have changed it: a look costs as much as twenty of them."""

    TOGETHER = 20

    def __init__(self, place: Town, house: House) -> None:
        self._place, self._house = place, house
        self._before = place.everything_of(house)
        self._since: list[str] = []

    def note(self, name: str) -> None:
        """This was called. What only reads is compared with the next that writes."""
        self._since.append(name)
        if sum(not one.startswith("GET ") for one in self._since) >= self.TOGETHER:
            self.compare()

    def compare(self) -> None:
        was, self._before = self._before, self._place.everything_of(self._house)
        suspects, self._since = self._since, []
        changed = [name for name, found in self._before.items() if found != was[name]]
        assert changed == [], f"changed by one of {suspects}"


@contextmanager
def _reading(product: Product, key: str) -> Iterator[Callable[[str], Any]]:
    """Many readings over one connection."""
    connection = http.client.HTTPConnection(urlsplit(product.url).netloc, timeout=30)

    def read(path: str) -> Any:
        connection.request("GET", urlsplit(product.api).path + path, headers=product.headers(key))
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, (path, body)
        return json.loads(body)

    try:
        yield read
    finally:
        connection.close()
