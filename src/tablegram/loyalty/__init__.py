"""Loyalty: points that guests earn, coupons, and what they redeem. It knows no orders; who joins the two is a flow."""
