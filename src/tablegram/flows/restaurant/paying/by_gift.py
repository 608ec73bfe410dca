"""A guest pays with a gift card on their own phone: the table's bill, or an order that is on none; all of it or a part.

The bill or the order is locked before the card, and the payment, the card's movement and what follows are one transaction. What
is left is paid by link or to staff.
"""

from __future__ import annotations

from contextlib import suppress

import msgspec

from tablegram.engine.crash_points import reach
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Forbidden, Invalid, NotFound
from tablegram.events.planning import Statement
from tablegram.flows.restaurant.bills.ending import Done, follow, money_came
from tablegram.flows.restaurant.bills.links import is_offered, open_at
from tablegram.flows.restaurant.bills.taking import take
from tablegram.flows.restaurant.fields import GuestGiftFields
from tablegram.flows.restaurant.orders.ordering import Ordering, promise, run_all
from tablegram.restaurant import venues
from tablegram.restaurant.bills.keeping import Taking
from tablegram.restaurant.bills.model import Bill
from tablegram.restaurant.bills.splitting import Split
from tablegram.restaurant.orders import gifts, payments
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.states import Actor
from tablegram.restaurant.paying.ports import GUEST, GiftMoney, HeldGift
from tablegram.restaurant.tables import Table
from tablegram.restaurant.venues import Venue
from tablegram.restaurant.visitors.allowances import Allowances, Visitor
from tablegram.restaurant.visitors.following import order_by_token
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox

MIN_KEY, MAX_KEY = 16, 100


class Paid(msgspec.Struct, frozen=True):
    """What a card paid, and what is left on it and to pay, in minor units."""

    amount: int
    gift_left: int
    open: int


class GiftFace(msgspec.Struct, frozen=True, kw_only=True):
    """What is left on a card, in minor units, and the end of its code."""

    balance: int
    hint: str


class GuestGifts:
    """`address` is what the caller's requests are counted by: nobody tries codes."""

    def __init__(
        self, db: Database, box: SecretBox, clock: Clock, ordering: Ordering, idempotency: Idempotency,
        allowances: Allowances,
    ) -> None:  # fmt: skip
        self._db = db
        self._box = box
        self._clock = clock
        self._ordering = ordering
        self._idempotency = idempotency
        self._allowances = allowances

    async def look(self, venue: Venue, code: str, address: str) -> GiftFace:
        """What is left on the card of a code."""
        self._allowances.take("gift", Visitor(venue, address=address))

        async def work(tx: Tx) -> HeldGift:
            return await must_take(self._ordering).hold(tx, venue, code, self._clock.now_ms(), lock=False)

        found = await self._db.snapshot(work)
        return GiftFace(balance=found.balance, hint=found.hint)

    async def pay_bill(
        self, venue: Venue, table: Table | None, signed: bool, fields: GuestGiftFields, address: str
    ) -> Paid:
        """`amount` minor units, else as much as the card has and nobody else is paying. `key` names the tap."""
        if table is None or not signed:
            raise Forbidden("The code on the table was not scanned. Scan it to pay.", code="call_code_needed")
        call = self._call("pay a bill by gift card", table.id, fields)
        self._allowances.take("gift", Visitor(venue, table, signed, address))
        await self._ordering.refresh(venue.account_id)
        told: list[Statement] = []

        async def work(tx: Tx) -> Result[Paid]:
            told.clear()
            now = self._clock.now_ms()
            present = await venues.find(tx, venue.account_id, venue.id)
            bill = await open_at(tx, present, table.id)
            if bill is None or not bill.open:
                raise Conflict("Nothing is open on this bill.", code="nothing_open")
            room = await self._room(tx, present, bill, fields.get("instead") or "", now)
            gift = await must_take(self._ordering).hold(tx, present, fields["code"], now)
            taking = Taking(method="gift", split=Split(amount=_wanted(fields.get("amount"), room, gift)), by=GUEST)
            payment, changes, left = await take(tx, self._ordering, present, bill, taking, fields["code"], now)
            reach("bills.taken")
            done: list[Done] = [("take", change) for change in changes]
            after, ended, plan = await money_came(tx, self._ordering, present, bill.tab.id, GUEST, now)
            told.extend([*await follow(tx, self._ordering, present, [*done, *ended], now), *plan])
            await run_all(tx, told)
            return Result(Paid(payment.amount, left or 0, after.open))

        made = await self._idempotency.once_for(Paid, venue.account_id, call, work)
        self._ordering.told(venue, [] if made.replayed else told)
        return made.value

    async def pay_order(self, token: str, fields: GuestGiftFields, address: str) -> Paid:
        """The same for an order, by the guest's own link to it."""
        venue, order = await self._db.snapshot(lambda tx: order_by_token(tx, self._box, token))
        call = self._call("pay an order by gift card", order.id, fields)
        self._allowances.take("gift", Visitor(venue, address=address))
        await self._ordering.refresh(venue.account_id)
        told: list[Statement] = []

        async def work(tx: Tx) -> Result[Paid]:
            told.clear()
            locked = await orders.lock(tx, order.account_id, order.order_id, None)
            _, paid, statements = await pay_order(
                tx, self._ordering, venue, locked, fields["code"], fields.get("amount"), self._clock.now_ms()
            )
            await run_all(tx, statements)
            told.extend(statements)
            return Result(paid)

        made = await self._idempotency.once_for(Paid, venue.account_id, call, work)
        self._ordering.told(venue, [] if made.replayed else told)
        return made.value

    def _call(self, what: str, whose: str, fields: GuestGiftFields) -> Call:
        key = str(fields["key"])
        if not MIN_KEY <= len(key) <= MAX_KEY or not key.isascii() or not key.isprintable():
            raise Invalid.field("key", "key_invalid", f"A key has {MIN_KEY} to {MAX_KEY} letters and digits.")
        return Call(what, f"{whose}:{key}", repr(sorted(fields.items())))

    async def _room(self, tx: Tx, venue: Venue, bill: Bill, instead: str, now: int) -> int:
        """What is open and nobody is paying by link; a link that this guest had before is taken back."""
        money = self._ordering.tab_money
        if money is None or not await is_offered(tx, self._ordering, venue):
            return bill.open
        with suppress(NotFound):
            await money.take_back(tx, venue, bill, instead, now, by=GUEST)
        return await money.room(tx, bill)


def must_take(ordering: Ordering) -> GiftMoney:
    if ordering.gifts is None:
        raise Invalid.field("code", "gift_unknown", "There are no gift cards here.")
    return ordering.gifts


async def pay_order(
    tx: Tx, ordering: Ordering, venue: Venue, order: Order, code: str, amount: int | None, now: int, *,
    by: Actor = "guest", who: str = GUEST,
) -> tuple[Order, Paid, list[Statement]]:  # fmt: skip
    """Pay a locked order, and follow it. An open link asks for another sum now: it is taken back, or made anew."""
    if order.tab_id is not None or order.table_id is not None:
        raise Conflict("This order is on the table's bill. Pay the bill.", code="order_on_bill")
    if not gifts.takes_gifts(order):
        raise Conflict("Nothing of this order is left to pay.", code="nothing_to_pay")
    room = await payments.left_to_pay(tx, order)
    money = must_take(ordering)
    gift = await money.hold(tx, venue, code, now)
    wanted = _wanted(amount, room, gift)
    payment, change = await gifts.pay(tx, order, wanted, by, who, now, promise(venue, order.destination, now))
    left = await money.spend(tx, venue, gift.id, payment, now)
    statements = await ordering.follow(tx, venue, change, "pay_gift", now, tells=False)
    if ordering.online is not None:
        await ordering.online.renew(tx, venue, change.order, now)
    if order.state == "awaiting_payment" and change.order.state != order.state:
        await ordering.telling.say_whole(tx, venue, change.order, "paid_confirmed", now)
    return change.order, Paid(payment.amount, left, room - payment.amount), statements


def _wanted(amount: int | None, room: int, gift: HeldGift) -> int:
    if room <= 0:
        raise Conflict("Everything that is open is being paid by somebody else right now.", code="being_paid")
    if amount is None:
        return min(room, gift.balance)
    if not 0 < amount <= room:
        raise Conflict("This is more than is open, or somebody else is paying it right now.", code="more_than_open")
    return amount
