"""What a shop's events do to notices and carts, and what time does to both."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import msgspec

from tablegram.accounts.money import quota
from tablegram.engine.crash_points import reach as pass_point
from tablegram.errors import Problem
from tablegram.flows.stores.notices.speaking import Later, QueuedNotice, Speaking, Spoken, Unsaid
from tablegram.messaging.store import messages
from tablegram.storage.database import Tx
from tablegram.stores.carts import keeping as carts
from tablegram.stores.carts.model import Cart
from tablegram.stores.model import Followed, ToldEvent
from tablegram.stores.notifications import keeping, store
from tablegram.stores.notifications.addressee import reached_by, shop_of, whole_event
from tablegram.stores.notifications.kinds import CAUSED
from tablegram.stores.notifications.model import Notice, notice_row
from tablegram.values.ids import new_id

log = logging.getLogger("tablegram.stores")

# These tell that somebody has bought; later ones of the same order may be told of long after it.
BOUGHT = frozenset({"order_created", "order_paid"})

Recovered = Callable[[Tx, Cart], Awaitable[None]]


class Reminding:
    """Every method works inside the caller's transaction. `prepaid`: messages are paid for in advance."""

    def __init__(self, speaking: Speaking, *, prepaid: bool) -> None:
        self._speaking = speaking
        self._prepaid = prepaid
        # Called in the same transaction with each cart that was bought after a reminder.
        self.recovered: list[Recovered] = []

    async def follow(self, tx: Tx, told: ToldEvent, now: int) -> Followed | None:
        """What an event brings: notices that wait or say why not, carts that begin or end."""
        shop, reached, event = shop_of(told), reached_by(told), whole_event(told)
        ended: list[Cart | None] = []
        if event.kind == "checkout_changed":
            cart = await carts.changed(tx, shop, event, reached, now)
            await self._tell(tx, cart)
            is_timed = cart is not None and cart.due_at is not None
            return Followed(code="planned" if is_timed else "recorded", what="abandoned_cart")
        if event.kind == "checkout_completed":
            ended = [await carts.completed(tx, shop, event, now)]
        elif event.kind == "checkout_deleted":
            ended = [await carts.deleted(tx, shop, event, now)]
        elif event.kind in BOUGHT:
            ended = [*await carts.bought(tx, shop, event, reached, now)]
        for cart in ended:
            await self._take_back(tx, cart, now)
            await self._tell(tx, cart)
        planned = await keeping.plan(tx, shop, event, reached, now)
        if planned:
            # A form has a reply and an alert: what goes out counts more.
            first = min(planned, key=lambda notice: notice.state != "waiting")
            return Followed(code="planned" if first.state == "waiting" else first.reason, what=first.kind)
        if event.kind in CAUSED:
            return Followed(code="duplicate", what=CAUSED[event.kind][0])
        return Followed(code="cancelled", what="abandoned_cart") if any(ended) else None

    async def _take_back(self, tx: Tx, cart: Cart | None, now: int) -> None:
        """A reminder that still waits for its line is not sent any more."""
        if cart is None:
            return
        which = {"b_account": cart.account_id, "b_source": cart.source_id, "b_reference": cart.reference}
        for row in await tx.all(store.SENT_OF_CART, which):
            message = {"b_account": cart.account_id, "b_id": row["message_key"], "now": now}
            if row["message_key"] and await tx.run(messages.CANCEL, message):
                if self._prepaid:
                    await quota.refund(tx, cart.account_id, row["message_key"], now)
                await tx.run(store.TAKE_BACK, {"b_account": cart.account_id, "b_id": row["id"], "now": now})

    async def _tell(self, tx: Tx, cart: Cart | None) -> None:
        if cart is not None and cart.state == "recovered":
            for recovered in self.recovered:
                await recovered(tx, cart)

    # What is due.

    async def notice_due(self, tx: Tx, account_id: int, notice_id: str, now: int) -> QueuedNotice | None:
        """Send a notice, move it, or note why it is not sent."""
        notice = await keeping.lock(tx, account_id, notice_id)
        if notice is None or notice.due_at is None or notice.due_at > now:
            return None
        try:
            outcome = await self._speaking.say(tx, notice, now)
        except Problem as problem:
            log.warning("notice %s cannot be sent: %s", notice_id, problem.code)
            await keeping.end(tx, notice, "skipped", now, reason="failed")
            return None
        if isinstance(outcome, Later):
            await keeping.move(tx, notice, outcome.at, "quiet_hours", now)
            return None
        if isinstance(outcome, QueuedNotice):
            await keeping.end(tx, notice, "sent", now, message_key=outcome.message_key)
            return outcome
        await keeping.end(tx, notice, "skipped", now, reason=outcome.reason)
        return None

    async def cart_due(self, tx: Tx, account_id: int, cart_id: str, now: int) -> QueuedNotice | None:
        """Remind of a cart, unless it was bought: looked up now, in the transaction that queues the message."""
        cart = await carts.lock(tx, account_id, cart_id)
        if cart is None or cart.due_at is None or cart.due_at > now:
            return None
        if await carts.has_bought(tx, cart):
            await self._tell(tx, await carts.end_bought(tx, cart, now))
            return None
        notice = Notice(
            account_id=account_id, id=new_id(now), source_id=cart.source_id, reference=cart.reference,
            kind="abandoned_cart", step=cart.step, number=cart.facts.number, name=cart.name, phone=cart.phone,
            language=cart.language, facts=cart.facts, instance_id=cart.instance_id, created_at=now, updated_at=now,
        )  # fmt: skip
        outcome: Spoken
        try:
            outcome = await self._speaking.say(tx, notice, now, consents=cart.consents)
        except Problem as problem:
            log.warning("cart %s cannot be reminded of: %s", cart_id, problem.code)
            outcome = Unsaid("failed")
        if isinstance(outcome, Later):
            await carts.move(tx, cart, outcome.at, now)
            return None
        if isinstance(outcome, QueuedNotice):
            done = msgspec.structs.replace(notice, state="sent", message_key=outcome.message_key)
        else:
            done = msgspec.structs.replace(notice, state="skipped", reason=outcome.reason)
        await tx.run(store.ADD, notice_row(done))
        await carts.remind(tx, cart, now, was_sent=isinstance(outcome, QueuedNotice))
        pass_point("stores.reminded")
        return outcome if isinstance(outcome, QueuedNotice) else None
