"""Addresses of the loyalty programme."""

from tablegram.api.routes.loyalty import cards, coupons, points

HANDLERS = [*points.HANDLERS, *coupons.HANDLERS, *cards.HANDLERS]
