"""Loyalty: points, coupons, and what is redeemed."""
