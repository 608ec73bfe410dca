"""The demo's points, coupons and segments."""
