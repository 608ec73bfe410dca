"""Notifications, notices and carts as they are shown."""

from __future__ import annotations

from tablegram.flows.stores.notices.answers import CartFigures, CartRevenue, CartView, NoticeView, NotificationView
from tablegram.stores.carts.figures import CartSummary
from tablegram.stores.carts.model import Cart
from tablegram.stores.notifications.kinds import VARIABLES
from tablegram.stores.notifications.model import Notice, Notification
from tablegram.values.clock import iso
from tablegram.values.ids import GATEWAY_PREFIX
from tablegram.values.money import is_currency, to_wire


def name_of(one: Notification) -> str:
    return f"{one.kind}-{one.step}-{one.language}"


def notification_view(one: Notification) -> NotificationView:
    wording = one.wording
    return NotificationView(
        id=name_of(one),
        kind=one.kind,
        step=one.step,
        language=one.language,
        enabled=one.enabled,
        is_own=one.is_own,
        source_id=one.source_id or None,
        text=wording.text,
        variables=list(VARIABLES[one.kind]),
        delay_min=wording.delay_min,
        quiet_from=wording.quiet_from,
        quiet_until=wording.quiet_until,
        time_zone=wording.time_zone,
        template_name=wording.template_name,
        template_language=wording.template_language,
        template_variables=list(wording.template_variables),
        image_url=wording.image_url,
        image_id=wording.image_id,
        buttons=list(wording.buttons),
        phones=list(wording.phones),
    )


def notice_view(one: Notice) -> NoticeView:
    return NoticeView(
        id=one.id,
        source_id=one.source_id,
        reference=one.reference,
        number=one.number,
        kind=one.kind,
        step=one.step,
        name=one.name,
        phone=one.phone,
        language=one.language,
        state=one.state,
        reason=one.reason,
        due_at=iso(one.due_at),
        message_id=None if one.message_key is None else GATEWAY_PREFIX + one.message_key,
        created_at=iso(one.created_at),
        updated_at=iso(one.updated_at),
    )


def cart_view(one: Cart) -> CartView:
    return CartView(
        id=one.id,
        source_id=one.source_id,
        reference=one.reference,
        name=one.name,
        phone=one.phone,
        email=one.email,
        amount=_wire(one.amount, one.currency),
        currency=one.currency,
        url=one.facts.link,
        items=[f"{good.quantity} × {good.name}" for good in one.facts.goods],
        state=one.state,
        step=one.step,
        due_at=iso(one.due_at),
        reminders=one.reminders,
        order_reference=one.order_reference,
        bought_amount=_wire(one.bought_amount, one.bought_currency),
        bought_currency=one.bought_currency,
        created_at=iso(one.created_at),
        updated_at=iso(one.updated_at),
        ended_at=iso(one.ended_at),
    )


def figures_view(found: CartSummary, time_zone: str) -> CartFigures:
    return CartFigures(
        time_zone=time_zone,
        open=found.open,
        reminded=found.reminded,
        recovered=found.recovered,
        revenue=[
            CartRevenue(currency=name, amount=to_wire(amount, name))
            for name, amount in sorted(found.revenue.items())
            if is_currency(name)
        ],
        days=found.days,
    )


def _wire(amount: int | None, currency: str) -> float | None:
    return to_wire(amount, currency) if amount is not None and is_currency(currency) else None
