"""Addresses of the loyalty programme."""

from tablegram.api.routes.loyalty import cards, coupons, gifts, points

HANDLERS = [*points.HANDLERS, *coupons.HANDLERS, *cards.HANDLERS, *gifts.HANDLERS]
