"""Statements on programmes, points, coupons and what was redeemed."""
