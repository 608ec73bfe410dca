"""What the guest's page needs from the rest of the product. The composition root fills it in."""

from __future__ import annotations

from dataclasses import dataclass, field

from tablegram.flows.loyalty.guest_rewards import GuestRewards
from tablegram.flows.restaurant.desks.photos import Photos
from tablegram.flows.restaurant.guests.guests import Guests
from tablegram.flows.restaurant.guests.watching import MenuWatch
from tablegram.flows.restaurant.paying.bill import GuestBill
from tablegram.flows.restaurant.paying.by_gift import GuestGifts
from tablegram.flows.restaurant.paying.guest import GuestPaying
from tablegram.restaurant.visitors.following import OrderWatch
from tablegram.settings import Settings
from tablegram.values.clock import Clock
from tablegram.web.limits import Limiter


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuPageDeps:
    settings: Settings
    clock: Clock
    guests: Guests
    guest_paying: GuestPaying
    guest_bill: GuestBill
    guest_gifts: GuestGifts
    guest_rewards: GuestRewards
    # Tells open pages that the menu, or how the venue stands, has changed.
    watch: MenuWatch
    # Tells an open status page that its order has moved on.
    order_watch: OrderWatch
    photos: Photos
    limiter: Limiter = field(default_factory=Limiter)
