"""Gift cards as people and programs see them."""

from __future__ import annotations

from collections.abc import Sequence

from tablegram.accounts.keys.keys import Caller
from tablegram.crm.contacts import by_ids, known_phones
from tablegram.flows.loyalty.gifts.answers import GiftMove, GiftView, WholeGift
from tablegram.loyalty.gifts import codes, keeping
from tablegram.loyalty.gifts.model import Gift, Move
from tablegram.restaurant.orders.payments import orders_of
from tablegram.storage.database import Tx
from tablegram.values.clock import iso
from tablegram.values.money import to_wire


async def gift_views(tx: Tx, caller: Caller, found: Sequence[Gift], now: int) -> list[GiftView]:
    """With names and numbers for who may see contacts."""
    ids = {one.contact_id for one in found if one.contact_id is not None} if caller.has("contacts:read") else set()
    people = await by_ids(tx, caller.account_id, ids)
    phones = await known_phones(tx, [(caller.account_id, one) for one in ids])
    return [
        _view(
            caller, one, now, people[one.contact_id]["name"] if one.contact_id in people else "",
            phones.get((caller.account_id, one.contact_id or ""), ""),
        )
        for one in found
    ]  # fmt: skip


async def whole_gift(tx: Tx, caller: Caller, gift: Gift, now: int) -> WholeGift:
    (shown,) = await gift_views(tx, caller, [gift], now)
    moves = await keeping.moves(tx, gift.account_id, gift.id)
    fields = {name: getattr(shown, name) for name in GiftView.__struct_fields__}
    own = {one.payment_id for one in moves if one.payment_id is not None and one.tab_id is None}
    names = await orders_of(tx, gift.account_id, sorted(own))
    return WholeGift(**fields, movements=[_move(one, names.get(one.payment_id or "")) for one in moves])


def sees_code(caller: Caller, gift: Gift) -> bool:
    """Who sees a code can spend it."""
    return caller.has("loyalty:manage") or caller.key_id == gift.made_by


def _view(caller: Caller, one: Gift, now: int, name: str, phone: str) -> GiftView:
    return GiftView(
        id=one.id, code=codes.shown(one.code) if sees_code(caller, one) else codes.hint(one.code),
        state=one.standing(now), value=to_wire(one.value, one.currency), balance=to_wire(one.balance, one.currency),
        currency=one.currency, venue_id=one.venue_id, paid_by=one.paid_by, reason=one.reason, contact_id=one.contact_id,
        name=name, phone=phone, from_name=one.from_name, greeting=one.greeting, expires_at=iso(one.expires_at),
        sent_at=iso(one.sent_at), by=one.by, created_at=iso(one.created_at) or "",
    )  # fmt: skip


def _move(one: Move, order_id: str | None) -> GiftMove:
    return GiftMove(
        id=one.id, kind=one.kind, amount=to_wire(one.amount, one.currency), balance=to_wire(one.balance, one.currency),
        money=to_wire(one.money, one.currency), tab_id=one.tab_id, order_id=order_id, reason=one.reason, by=one.by,
        created_at=iso(one.created_at) or "",
    )  # fmt: skip
