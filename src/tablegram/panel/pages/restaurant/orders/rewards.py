"""What a guest redeems on an order, as staff do it: found by the number, one code or points, and taken back again.

POST /panel/orders/{order_id}/redeem
POST /panel/orders/{order_id}/unredeem
"""

from __future__ import annotations

from tablegram.flows.loyalty.fields import RedeemFields
from tablegram.flows.loyalty.services import LoyaltyServices
from tablegram.flows.restaurant.orders.answers import OrderView
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form
from tablegram.panel.frame.once import once
from tablegram.panel.visitor import Visitor

REWARDING = ("redeem", "unredeem")
# Nothing is let off before somebody has nodded, or after it is over.
_RUNS = ("sent_to_kitchen", "preparing", "ready", "served", "picked_up", "out_for_delivery", "delivered")


async def rewards_of(visitor: Visitor, deps: PanelDeps, order: OrderView) -> dict[str, object] | None:
    """What is used on the order, and what its guest has; nothing for who takes no money."""
    if not (visitor.can("loyalty:read") and visitor.can("payments:manage")):
        return None
    services = deps.services.of(LoyaltyServices)
    used = await services.redeeming.of_order(visitor.caller, order.order_id)
    programme = await services.points.programme(visitor.caller)
    member = await services.points.member(visitor.caller, order.contact_id) if order.contact_id else None
    runs = order.status in _RUNS and order.payment_status in ("unpaid", "failed", "partly_paid")
    return {
        "used": used,
        "runs": runs,
        "points": member.balance if member else 0,
        "is_known": member is not None,
        "is_on": programme.is_on,
    }


async def reward(visitor: Visitor, deps: PanelDeps, order_id: str, action: str, form: Form) -> str:
    desk = deps.services.of(LoyaltyServices).redeeming
    if action == "unredeem":
        await desk.take_back(visitor.caller, form.text("redemption"))
        return visitor.t("loyalty.unredeemed")
    fields: RedeemFields = {"order_id": order_id}
    phone = "".join(sign for sign in form.text("phone") if sign.isascii() and sign.isdigit())
    if phone:
        fields["phone"] = phone
    if form.text("use") == "points":
        fields["points"] = 0
    else:
        fields["code"] = form.text("code")
    await desk.redeem(visitor.caller, fields, once(form, f"panel redeem {order_id}", repr(sorted(fields.items()))))
    return visitor.t("loyalty.redeemed_now")
