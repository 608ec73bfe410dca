"""The gate before the kitchen: an order that is paid online gets its link, and goes on when a provider has proved the money.

Both sides are followed inside their own transactions, so that a link is made with its order, and an order moves on with its
link: state, tickets, event and the word to the guest are there together or not at all. What an order no longer needs is
taken back in the transaction that says so; who paid meanwhile has paid.
"""

from __future__ import annotations

from tablegram.engine import crash_points
from tablegram.errors import Conflict, Invalid, NotFound
from tablegram.flows.payments.claims import asked_by_orders, asked_by_tab
from tablegram.flows.payments.errands import Errands, Spawn
from tablegram.flows.payments.orders.wording import PayTelling
from tablegram.flows.restaurant.bills.ending import end
from tablegram.flows.restaurant.orders.ordering import Ordering, promise, run_all
from tablegram.payments.caretaking import Caretaker
from tablegram.payments.keeping import MAX_DESCRIPTION, Payments
from tablegram.payments.model import Link, Refund, SubjectKind, WishedLink
from tablegram.payments.ports import LinkItem
from tablegram.restaurant import venues
from tablegram.restaurant.bills import keeping as bills
from tablegram.restaurant.carts import tabs
from tablegram.restaurant.lines import tidy
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders import payments as order_payments
from tablegram.restaurant.orders.keeping import OrderChange
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.payments import LinkMoney
from tablegram.restaurant.orders.states import CLOSED, DEAD, Actor, Event
from tablegram.restaurant.paying.ports import LinkFace
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.clock import MINUTE_MS
from tablegram.values.texts.reasons import MAX_REASON

SUBJECT: SubjectKind = "order"
# Who is written down for what a link did to its order.
BY = "provider"


class OrderGate:
    def __init__(
        self, payments: Payments, caretaker: Caretaker, ordering: Ordering, spawn: Spawn, api_url: str
    ) -> None:
        self._payments = payments
        self._ordering = ordering
        self._errands = Errands(payments, caretaker, ordering, spawn)
        self._api_url = api_url.rstrip("/")
        self._telling = PayTelling(ordering.telling)
        # Links that this transaction takes back itself.
        self._dropping: set[str] = set()

    def join(self) -> None:
        """Follow both sides from now on."""
        self._ordering.online = self
        self._ordering.followers.append(self.follow_order)
        self._payments.followers.append(self.follow_link)
        self._payments.refund_followers.append(self.follow_refund)
        self._errands.join()
        self._payments.preparing.append(self._ordering.refresh)
        self._payments.limits[SUBJECT] = self.limit
        self._payments.landings[SUBJECT] = self._landing

    # What the restaurant asks.

    async def is_ready(self, tx: Tx, venue: Venue) -> bool:
        return await self._payments.ready(tx, venue.account_id)

    async def face(self, tx: Tx, order: Order) -> LinkFace | None:
        links = await self._payments.of_subject(tx, order.account_id, SUBJECT, order.id)
        if not links:
            return None
        newest = links[-1]
        if newest.state in ("making", "open", "paid"):
            return LinkFace(state=newest.state, url=newest.url, expires_at=newest.expires_at)
        return LinkFace(state="over", expires_at=newest.expires_at)

    async def order_of(self, tx: Tx, account_id: int, link_id: str) -> str | None:
        try:
            link = await self._payments.get(tx, account_id, link_id)
        except NotFound:
            return None
        return link.subject_key if link.subject_kind == SUBJECT else None

    async def send_link(self, tx: Tx, venue: Venue, order: Order, who: str, now: int) -> None:
        if order.state in CLOSED or order.payment_state in ("paid", "refunded") or not order.total:
            raise Conflict("Nothing of this order is left to pay.", code="payment_conflict")
        if order.state == "awaiting_confirmation":
            raise Conflict("Accept the order first; then it is paid.", code="state_conflict")
        is_offered = order.payment_method == "online_card" or order.order_type in venue.details.pays_online
        if not is_offered or not await self.is_ready(tx, venue):
            raise Conflict(
                "This order cannot be paid online. Connect a payment provider, and switch it on for the venue.",
                code="online_not_offered",
            )
        alive = await self._alive(tx, order)
        if not alive:
            await self._ask(tx, venue, order, who, now)
        elif alive[-1].state == "open":
            await self._telling.link(tx, venue, order, alive[-1], now)

    async def renew(self, tx: Tx, venue: Venue, order: Order, now: int) -> None:
        await self._drop(tx, venue, order, now)
        if order.state == "awaiting_payment":
            await self._ask(tx, venue, order, BY, now)

    async def refund(
        self, tx: Tx, order: Order, who: str, now: int, *, amount: int | None, lines: tuple[int, ...], reason: str
    ) -> bool:
        links = await self._payments.of_subject(tx, order.account_id, SUBJECT, order.id)
        paid = next((one for one in reversed(links) if one.received), None)
        if paid is None:
            await _refuse_bills_money(tx, order)
            return False
        if any(not 0 <= place < len(order.lines) for place in lines):
            raise Invalid.field("lines", "line_unknown", "The order has no such line. The first one is 0.")
        chosen = [order.lines[place] for place in dict.fromkeys(lines)]
        wanted = sum(line.amount for line in chosen) if chosen and amount is None else amount
        names = [f"{line.quantity} × {tidy(line.name)}" for line in chosen]
        refund = await self._payments.refund(
            tx, order.account_id, paid.id, now, amount=wanted, lines=names, reason=reason, by=who
        )
        self._errands.see_to(order.venue_id, paid, refund.id)
        return True

    async def limit(self, tx: Tx, account_id: int, key: str, currency: str) -> int:
        """What is left to pay of an order; of one on a table's bill, at most what no other link asks for."""
        order = await orders.by_key(tx, account_id, key)
        if order is None or order.currency != currency or order.state in CLOSED:
            return 0
        bill = None if order.tab_id is None else await bills.lock(tx, account_id, order.tab_id)
        order = await orders.lock(tx, account_id, order.order_id, None)
        links = await self._payments.of_subject(tx, account_id, SUBJECT, key)
        mine = {one.id for one in links}
        rows = await order_payments.of_order(tx, order)
        own = order.total - order_payments.came_in(one for one in rows if one.reference not in mine)
        if bill is None or all(one.order.id != key for one in bill.counted):
            return own
        others = await asked_by_orders(tx, self._payments, bill, key) + await asked_by_tab(tx, self._payments, bill)
        settled = sum(one.received - one.refunded for one in links if one.received or not one.is_alive)
        return min(own, bill.open - others + settled)

    # What becomes of an order.

    async def follow_order(self, tx: Tx, venue: Venue, before: Order | None, order: Order, now: int) -> None:
        if before is not None and _may_have_links(venue, before) and _lets_go(before, order):
            await self._drop(tx, venue, order, now)
        waits = order.state == "awaiting_payment"
        if waits and (before is None or before.state != "awaiting_payment" or before.total != order.total):
            await self._ask(tx, venue, order, BY, now)
        if before is not None and order.state in DEAD and before.state not in DEAD:
            await self._question(tx, venue, order, now)

    async def _ask(self, tx: Tx, venue: Venue, order: Order, who: str, now: int) -> None:
        left = order.total - order_payments.came_in(await order_payments.of_order(tx, order))
        wish = WishedLink(
            account_id=order.account_id,
            amount=left,
            currency=order.currency,
            description=f"{tidy(venue.name)} {order.order_id}"[:MAX_DESCRIPTION],
            items=_items(order) if left == order.total else (),
            language=order.language,
            subject_kind=SUBJECT,
            subject_key=order.id,
            venue_id=venue.id,
            contact_id=order.contact_id,
            phone="" if order.is_typed else order.customer_phone,
            lives_ms=venue.details.pay_within_min * MINUTE_MS,
            provider_id=await self._provider(tx, venue),
            made_by=who,
        )
        link = await self._payments.make(tx, wish, now)
        crash_points.reach("gate.asked")
        self._errands.see_to(venue.id, link)

    async def _provider(self, tx: Tx, venue: Venue) -> str | None:
        """The venue's own, unless it was taken away since."""
        wanted = venue.details.payment_provider_id
        known = {one.id for one in await self._payments.accesses.every(tx, venue.account_id)} if wanted else set()
        return wanted if wanted in known else None

    async def _drop(self, tx: Tx, venue: Venue, order: Order, now: int) -> None:
        for link in await self._alive(tx, order):
            if link.received:
                # Another amount came in; people decide about it.
                continue
            self._dropping.add(link.id)
            try:
                dropped = await self._payments.cancel(tx, link.account_id, link.id, now)
            finally:
                self._dropping.discard(link.id)
            crash_points.reach("gate.dropped")
            self._errands.see_to(venue.id, dropped)

    async def _question(self, tx: Tx, venue: Venue, order: Order, now: int) -> None:
        """The order is over: whatever was paid for it by link waits for people."""
        if not _may_have_links(venue, order):
            return
        for link in await self._payments.of_subject(tx, order.account_id, SUBJECT, order.id):
            if link.received > link.refunded:
                self._errands.see_to(venue.id, await self._payments.question(tx, link.account_id, link.id, now))

    async def _alive(self, tx: Tx, order: Order) -> list[Link]:
        links = await self._payments.of_subject(tx, order.account_id, SUBJECT, order.id)
        return [one for one in links if one.is_alive]

    # What becomes of a link.

    async def follow_link(self, tx: Tx, before: Link | None, link: Link, now: int) -> None:
        if link.subject_kind != SUBJECT or before is None or link.id in self._dropping:
            return
        has_moved = before.state != link.state
        is_late = link.state == "making" and bool(link.failure) and not before.failure
        if not has_moved and not is_late:
            return
        order = await orders.by_key(tx, link.account_id, link.subject_key)
        if order is None:
            return
        venue = await venues.find_ever(tx, order.account_id, order.venue_id)
        if is_late:
            await self._telling.link_is_late(tx, venue, order, now)
            self._errands.announce(link, venue, [])
        elif link.state == "open":
            await self._opened(tx, venue, order, link, now)
        elif link.state == "paid":
            await self._paid(tx, venue, order, before, link, now)
        else:
            await self._over(tx, venue, order, link, now)

    async def _opened(self, tx: Tx, venue: Venue, order: Order, link: Link, now: int) -> None:
        if order.state in CLOSED or order.payment_state in ("paid", "refunded"):
            return
        change = await self._happen(tx, venue, order, link, "send_link", "clock", now)
        await self._telling.link(tx, venue, change.order, link, now)

    async def _paid(self, tx: Tx, venue: Venue, order: Order, before: Link, link: Link, now: int) -> None:
        """The money is proved. It is for the order, unless that was paid otherwise: then people decide about it."""
        if order.tab_id is not None:
            await tabs.hold(tx, order.account_id, order.tab_id)
        order = await orders.lock(tx, order.account_id, order.order_id, None)
        left = order.total - order_payments.came_in(await order_payments.of_order(tx, order))
        is_owed = order.payment_state not in ("paid", "refunded")
        if not is_owed or link.received != left or link.received_currency != order.currency:
            if before.received:
                raise Conflict(
                    "The order needs another sum than came in. Refund it; the guest may then pay again.",
                    code="amount_differs",
                )
            await self._payments.question(tx, link.account_id, link.id, now)
            return
        change = await self._happen(tx, venue, order, link, "pay", "provider", now)
        crash_points.reach("gate.paid")
        await self._telling.paid(tx, venue, order, change.order, link, now)
        if order.state in DEAD:
            await self._payments.question(tx, link.account_id, link.id, now)
        elif link.waits_for_decision:
            # The link had ended, and its order still waited for the money.
            await self._payments.accept(tx, link.account_id, link.id, BY, now)
        if order.tab_id is not None and await orders.is_settled(tx, order.account_id, order.tab_id):
            statements = await end(tx, self._ordering, venue, order.tab_id, BY, now)
            await run_all(tx, statements)
            self._errands.announce(link, venue, statements)

    async def _over(self, tx: Tx, venue: Venue, order: Order, link: Link, now: int) -> None:
        """Nobody can pay with it any more: the guest may ask for a new one, or pay in person."""
        waits = order.state == "awaiting_payment"
        if order.state in CLOSED or not (
            order.payment_state == "link_sent" or (waits and order.payment_state in ("unpaid", "partly_paid"))
        ):
            return
        change = await self._happen(tx, venue, order, link, "fail_payment", "clock", now)
        if waits:
            await self._telling.link_is_over(tx, venue, change.order, link, now)

    async def _happen(
        self, tx: Tx, venue: Venue, order: Order, link: Link, event: Event, by: Actor, now: int
    ) -> OrderChange:
        change = await orders.happen(
            tx, order.account_id, order.order_id, event, by, BY, now,
            link=LinkMoney(link.id, link.received if event == "pay" else link.amount),
            promised_at=promise(venue, order.destination, now),
        )  # fmt: skip
        statements = await self._ordering.follow(tx, venue, change, event, now, tells=False)
        await run_all(tx, statements)
        self._errands.announce(link, venue, statements)
        return change

    async def follow_refund(self, tx: Tx, link: Link, refund: Refund, now: int) -> None:
        """What went back is noted at the order, if it was the order's money."""
        if link.subject_kind != SUBJECT or refund.state != "succeeded":
            return
        order = await orders.by_key(tx, link.account_id, link.subject_key)
        if order is None or order.payment_state not in ("paid", "partly_paid"):
            return
        order = await orders.lock(tx, order.account_id, order.order_id, None)
        rows = await order_payments.of_order(tx, order)
        if not any(one.reference == link.id and one.state == "succeeded" for one in rows):
            return
        venue = await venues.find_ever(tx, order.account_id, order.venue_id)
        # What a gift card paid beside the link goes back with the last of the link's money.
        came = order_payments.came_in(rows) - order_payments.gift_held(rows)
        is_all = order_payments.went_back(rows) + refund.amount >= came
        change = await orders.happen(
            tx, order.account_id, order.order_id, "refund" if is_all else "refund_part", "provider",
            refund.made_by or BY, now, reason=refund.reason[: MAX_REASON], link=LinkMoney(refund.id, refund.amount),
        )  # fmt: skip
        statements = await self._ordering.follow(tx, venue, change, "refund", now, tells=False)
        await run_all(tx, statements)
        await self._telling.refunded(tx, venue, change.order, refund, now)
        self._errands.announce(link, venue, statements)

    def _landing(self, link: Link) -> tuple[str, str]:
        """The guest's own page of the order, whatever came of it: that page knows."""
        address = f"{self._api_url}/menu/paid/{link.account_id}/{link.id}"
        return address, address


async def _refuse_bills_money(tx: Tx, order: Order) -> None:
    """What came by a link of the table's bill goes back by that link's provider, and so from the bill."""
    rows = await order_payments.of_order(tx, order)
    came = [one for one in rows if one.tab_payment_id and one.method == "online_card"]
    if order_payments.came_in(came) > order_payments.went_back(came):
        raise Conflict(
            "It was paid by a link of the table's bill. Give the money back on the bill.", code="refund_on_bill"
        )


def _may_have_links(venue: Venue, order: Order) -> bool:
    """Most orders of most venues never have one, and cost no look."""
    return (
        bool(venue.details.pays_online) or order.payment_method == "online_card" or order.payment_state == "link_sent"
    )


def _lets_go(before: Order, order: Order) -> bool:
    """Whether a link that is open is not to be paid any more."""
    ended = order.state in CLOSED and before.state not in CLOSED
    paid = order.payment_state != before.payment_state and order.payment_state in ("paid", "partly_paid", "refunded")
    otherwise = before.payment_method == "online_card" != order.payment_method
    return ended or paid or otherwise or before.total != order.total


def _items(order: Order) -> tuple[LinkItem, ...]:
    """The lines as the pay page shows them; with a discount, the sum alone."""
    if order.discounts:
        return ()
    lines = [LinkItem(name=f"{line.quantity} × {tidy(line.name)}"[:120], amount=line.amount) for line in order.lines]
    charges = [LinkItem(name=one.name[:120], amount=one.amount) for one in order.charges]
    return tuple(one for one in (*lines, *charges) if one.amount)
