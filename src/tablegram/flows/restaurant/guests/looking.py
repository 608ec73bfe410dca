"""What guests see before they choose anything: the menu's editions, and how the venue stands."""

from __future__ import annotations

import hashlib

import msgspec

from tablegram.flows.restaurant.answers.guests import GuestVenueStanding
from tablegram.flows.restaurant.guests import offers
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.paying.guest import methods_on_page
from tablegram.restaurant import hours, venues
from tablegram.restaurant.menu.public import choose_language, closed_now, public_menu
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx

MAX_EDITIONS = 500


class MenuEdition(msgspec.Struct, frozen=True):
    version: int
    language: str
    # JSON of `restaurant.menu.public`.
    body: bytes
    etag: str


class Editions:
    """Menus as bytes, kept until there is a newer version."""

    def __init__(self, ordering: Ordering) -> None:
        self._ordering = ordering
        self._kept: dict[tuple[str, int, int, str], MenuEdition] = {}

    async def edition(self, tx: Tx, venue: Venue, language: str) -> MenuEdition:
        present = await venues.find(tx, venue.account_id, venue.id)
        wanted = language.partition("-")[0].lower()
        spoken = wanted if wanted in present.languages else present.languages[0]
        key = (present.id, present.menu_version, present.updated_at, spoken)
        if key not in self._kept:
            menu = await self._ordering.menus.load(tx, present)
            body = msgspec.json.encode(public_menu(menu, choose_language(menu, spoken)))
            digest = hashlib.sha256(body).hexdigest()[:20]
            while len(self._kept) >= MAX_EDITIONS:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = MenuEdition(present.menu_version, spoken, body, f'"{digest}"')
        return self._kept[key]


async def standing_of(tx: Tx, ordering: Ordering, venue: Venue, now: int) -> GuestVenueStanding:
    present = await venues.find(tx, venue.account_id, venue.id)
    menu = await ordering.menus.load(tx, present)
    looked = hours.look(present.hours, now)
    return GuestVenueStanding(
        open=looked.is_open,
        until_ms=looked.until_ms,
        opens_ms=looked.opens_ms,
        takes_orders=looked.takes_orders,
        orders_until_ms=looked.orders_until_ms,
        reason=looked.reason,
        order_types=present.order_types,
        offers=await offers.sentences(tx, present),
        payment_methods=await methods_on_page(tx, ordering, present),
        rewards=ordering.rewards is not None and await ordering.rewards.offered(tx, present),
        gifts=ordering.gifts is not None and await ordering.gifts.offered(tx, present.account_id),
        closed={one: closed_now(menu, now, one) for one in present.order_types},
    )
