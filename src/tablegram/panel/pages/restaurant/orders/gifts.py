"""A gift card that pays an order which is on no bill, as staff take it.

POST /panel/orders/{order_id}/pay_gift
"""

from __future__ import annotations

from tablegram.flows.restaurant.fields import GiftPaymentFields
from tablegram.flows.restaurant.orders.answers import OrderView
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form
from tablegram.panel.frame.once import once
from tablegram.panel.pages.restaurant.venues import price
from tablegram.panel.visitor import Visitor

PAY_GIFT = "pay_gift"


async def open_by_gift(visitor: Visitor, deps: PanelDeps, order: OrderView) -> float | None:
    """What a card could pay of it; nothing for who takes no money."""
    if order.tab_id or not visitor.can("payments:manage"):
        return None
    return await deps.restaurant.counter_gifts.open_of(visitor.caller, order.order_id)


async def pay_gift(visitor: Visitor, deps: PanelDeps, order_id: str, form: Form) -> str:
    currency = (await deps.restaurant.orders.get(visitor.caller, order_id)).currency
    amount = form.amount("gift_amount", currency)
    fields: GiftPaymentFields = {"gift_code": form.text("gift_code"), "amount": amount}
    call = once(form, f"panel order gift {order_id}", repr(sorted(fields.items())))
    paid = (await deps.restaurant.counter_gifts.pay(visitor.caller, order_id, fields, call)).value

    def cash(figure: float) -> str:
        return price(visitor, paid.currency, figure)

    said = [
        visitor.t("bills.took_gift", amount=cash(paid.amount)),
        visitor.t("bills.gift_left", amount=cash(paid.gift_left)),
    ]
    if paid.open:
        said.append(visitor.t("orders.gift_open", amount=cash(paid.open)))
    return " ".join(said)
