"""Where a cart is to be brought, as its guest sees it on the page: what it costs, what is missing, what else there is."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from tablegram.errors import Conflict
from tablegram.flows.delivery import terms
from tablegram.flows.delivery.points import read_point
from tablegram.flows.delivery.terms import Looked
from tablegram.flows.delivery.words import refusal_words
from tablegram.flows.restaurant.answers.guests import BroughtView
from tablegram.flows.restaurant.fields import CartFields
from tablegram.restaurant.carts.keeping import Cart
from tablegram.restaurant.destinations import Destination
from tablegram.restaurant.texts.words import speak
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx


class Brought(msgspec.Struct, frozen=True):
    """A delivery of a venue with zones; nothing is looked up while the guest has not said where they are."""

    looked: Looked | None

    def view(self, venue: Venue, subtotal: int, language: str) -> BroughtView:
        if self.looked is None:
            return BroughtView()
        where = self.looked.destination
        return BroughtView(
            standing=where.standing,
            zone=where.zone,
            minutes=where.minutes,
            missing=where.missing(subtotal),
            words=refusal_words(speak(language), venue, self.looked, subtotal, language),
        )

    def check(self, venue: Venue, subtotal: int, language: str) -> None:
        """Refuses what nobody brings, in words for the guest."""
        if self.looked is None:
            return
        words = refusal_words(speak(language), venue, self.looked, subtotal, language)
        if words:
            is_outside = self.looked.destination.standing == "outside"
            raise Conflict(words, code="outside_zones" if is_outside else "minimum_missing")


async def brought_to(tx: Tx, venue: Venue, cart: Cart, now: int) -> Brought | None:
    """Nothing for a cart that is fetched or eaten here, and for a venue that has no zones."""
    if cart.order_type != "delivery" or not await terms.has_zones(tx, venue):
        return None
    point = None if cart.destination is None else cart.destination.point
    return Brought(None if point is None else await terms.look(tx, venue, point, now))


def destination_in(fields: CartFields) -> Destination | UnsetType | None:
    """The place that a phone shared on the page; nothing said leaves the one that was."""
    if "place" not in fields:
        return UNSET
    place = fields["place"] or {}
    point = read_point(place.get("latitude"), place.get("longitude"), "place.")
    return None if point is None else Destination(latitude=point.latitude, longitude=point.longitude)
