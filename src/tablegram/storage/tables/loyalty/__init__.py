"""Tables of who is a member, points and stamps that come and go, coupons, gift cards and what was redeemed."""
