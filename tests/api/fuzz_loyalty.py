"""What a fuzzer cannot know of loyalty: what belongs together, and whose points there are."""

from __future__ import annotations

from typing import Any

RATES = [{"currency": "TRY", "per": 10, "worth": 0.5}]


def furnish(made: Any, contacts: list[str]) -> dict[str, Any]:
    """Two members and two coupons, so that there is a second page."""
    for contact_id in contacts:
        for points in (40, 50):
            made(f"/loyalty/members/{contact_id}/adjust", {"points": points, "reason": "Welcome"})
    facts: dict[str, Any] = {}
    for _ in range(2):
        facts["coupon_id"] = made("/loyalty/coupons", {"name": "Ten off", "gives": "percent", "percent": 10})["id"]
    reward = {"name": "A tea", "gives": "percent", "percent": 100}
    facts["card_id"] = made("/loyalty/cards", {"name": "Tea card", "needed": 5, "reward": reward})["id"]
    # One that bills are paid with, and one that anything happens to.
    facts["gift_code"] = made("/loyalty/gifts", {"amount": 500, "paid_by": "card"})["code"]
    facts["gift_id"] = made("/loyalty/gifts", {"amount": 50, "paid_by": "card"})["id"]
    return facts


def fit(operation: str, case: Any, facts: dict[str, Any]) -> None:
    """Fields that name something, or that belong together, which a schema cannot say."""
    body = case.body
    if operation == "updateLoyaltyProgramme" and (body.get("rates") or "rates" in body or body.get("is_on")):
        body["rates"] = RATES
    if operation == "updateLoyaltyProgramme" and body.get("warn_templates"):
        # One for each language.
        del body["warn_templates"][1:]
    if operation == "adjustLoyaltyPoints":
        # Nobody gives nothing, and nobody takes what is not there.
        body["points"] = 1 + abs(int(body["points"])) % 1_000
    if operation == "createCoupon":
        # A code of its own, one thing that it gives, and nothing that names what is not there.
        for name in ("code", "amount", "currency", "item_id", "category_id", "minimum", "venue_id", "contact_id"):
            body.pop(name, None)
        body.update(gives="percent", percent=10)
    if operation in ("createCoupon", "updateCoupon"):
        for name in ("starts_at", "ends_at", "in_all"):
            body.pop(name, None)
    if operation == "createStampCard":
        for name in ("item_id", "category_id"):
            body.pop(name, None)
        body["reward"] = {"name": body["reward"]["name"], "gives": "percent", "percent": 10}
    if operation == "createGift":
        # At a venue that is there, for nobody in particular, and in whole units of its currency.
        for name in ("venue_id", "contact_id", "phone", "expires_at"):
            body.pop(name, None)
        body.update(amount=1 + int(body["amount"]) % 1_000, paid_by="card")
    if operation == "sendGift":
        # The card is for nobody in particular, so that who gets it has to be said.
        body.pop("contact_id", None)
        if body.get("phone") is None:
            body["phone"] = "+905551112233"
    if operation == "checkCoupon":
        body.pop("contact_id", None)
    if operation == "redeemReward":
        # There is such an order; the first of a kind is used on it, and the others are told so.
        body.pop("code", None)
        body.update(order_id=facts["order_id"], points=1, contact_id=facts["contact_id"])
        body.pop("phone", None)
