"""Addresses of the loyalty programme."""

from tablegram.api.routes.loyalty import coupons, points

HANDLERS = [*points.HANDLERS, *coupons.HANDLERS]
