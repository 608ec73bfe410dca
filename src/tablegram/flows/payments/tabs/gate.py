"""Bills that are paid by link: the money is taken against the bill in the transaction that proves it.

A link asks for a sum, and what it brings is for the oldest orders first, like any other amount; one for chosen dishes pays
those. A tip comes beside it and is no part of the bill. What somebody pays in person
meanwhile takes back links that would bring too much; who paid them all the same has paid, and people decide about it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from tablegram.engine import crash_points
from tablegram.errors import Conflict, NotFound, Problem
from tablegram.flows.payments.claims import asked_by_orders, asked_by_tab
from tablegram.flows.payments.errands import Errands, Spawn
from tablegram.flows.payments.tabs.wording import TabTelling
from tablegram.flows.restaurant.bills.ending import Done, follow, money_came
from tablegram.flows.restaurant.orders.ordering import Ordering, run_all
from tablegram.payments.caretaking import Caretaker
from tablegram.payments.keeping import MAX_DESCRIPTION, Payments
from tablegram.payments.model import Link, Refund, SubjectKind, WishedLink
from tablegram.payments.ports import LinkItem
from tablegram.restaurant import venues
from tablegram.restaurant.bills import keeping as bills
from tablegram.restaurant.bills import seating
from tablegram.restaurant.bills.keeping import Taking
from tablegram.restaurant.bills.model import Bill, LineShare, Tab, TabPayment
from tablegram.restaurant.bills.splitting import Split, divide
from tablegram.restaurant.lines import tidy
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.paying.ports import GUEST, TabLink, TabReceipt, TabWish
from tablegram.restaurant.texts.words import speak
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.clock import MINUTE_MS
from tablegram.values.texts.reasons import MAX_REASON

SUBJECT: SubjectKind = "tab"
# Who is written down for what a link did to its bill.
BY = "provider"
_encode = msgspec.json.Encoder().encode
_shares = msgspec.json.Decoder(tuple[LineShare, ...]).decode


class TabGate:
    def __init__(
        self, payments: Payments, caretaker: Caretaker, ordering: Ordering, spawn: Spawn, api_url: str
    ) -> None:
        self._payments = payments
        self._caretaker = caretaker
        self._ordering = ordering
        self._errands = Errands(payments, caretaker, ordering, spawn)
        self._telling = TabTelling(ordering.telling)
        self._api_url = api_url.rstrip("/")

    def join(self) -> None:
        """Follow both sides from now on."""
        self._ordering.tab_money = self
        self._ordering.followers.append(self.follow_order)
        self._payments.followers.append(self.follow_link)
        self._payments.refund_followers.append(self.follow_refund)
        self._payments.limits[SUBJECT] = self.limit
        self._payments.landings[SUBJECT] = self._landing
        self._errands.join()

    # What the restaurant asks.

    async def room(self, tx: Tx, bill: Bill) -> int:
        asked = await asked_by_tab(tx, self._payments, bill) + await asked_by_orders(tx, self._payments, bill)
        return max(0, bill.open - asked)

    async def ask(self, tx: Tx, venue: Venue, bill: Bill, wish: TabWish, now: int) -> str:
        spoken = speak(wish.language)
        place = spoken["where_table"].format(table=await seating.label_of(tx, bill))
        shown = ((spoken["bill_part"], wish.amount), (spoken["bill_tip"], wish.tip)) if wish.tip else ()
        wanted = venue.details.payment_provider_id
        known = {one.id for one in await self._payments.accesses.every(tx, venue.account_id)} if wanted else set()
        link = await self._payments.make(
            tx,
            WishedLink(
                account_id=venue.account_id,
                amount=wish.amount + wish.tip,
                tip=wish.tip,
                currency=venue.currency,
                description=f"{tidy(venue.name)} · {place}"[:MAX_DESCRIPTION],
                items=tuple(LinkItem(name=name, amount=amount) for name, amount in shown),
                language=wish.language,
                subject_kind=SUBJECT,
                subject_key=bill.tab.id,
                subject_note=_encode(wish.lines).decode() if wish.lines else "",
                venue_id=venue.id,
                phone=wish.phone,
                lives_ms=venue.details.pay_within_min * MINUTE_MS,
                provider_id=wanted if wanted in known else None,
                is_test=wish.is_test,
                made_by=wish.by,
            ),
            now,
        )
        return link.id

    async def hurry(self, account_id: int, link_id: str) -> TabLink:
        return _face(await self._caretaker.hurry(account_id, link_id))

    async def links(self, tx: Tx, bill: Bill) -> list[TabLink]:
        found = await self._payments.of_subject(tx, bill.tab.account_id, SUBJECT, bill.tab.id)
        return [_face(one) for one in found if one.is_alive or one.waits_for_decision]

    async def take_back(self, tx: Tx, venue: Venue, bill: Bill, link_id: str, now: int, *, by: str = "") -> None:
        link = await self._payments.get(tx, bill.tab.account_id, link_id)
        if link.subject_kind != SUBJECT or link.subject_key != bill.tab.id or (by and link.made_by != by):
            raise NotFound("The bill has no such link.", code="payment_link_unknown")
        if not by or (link.is_alive and not link.received):
            self._errands.see_to(venue.id, await self._payments.cancel(tx, link.account_id, link.id, now))

    async def refund(self, tx: Tx, venue: Venue, payment: TabPayment, reason: str, who: str, now: int) -> None:
        refund = await self._payments.refund(
            tx, payment.account_id, payment.reference or "", now, reason=reason, by=who
        )
        link = await self._payments.get(tx, payment.account_id, refund.link_id)
        self._errands.see_to(venue.id, link, refund.id)

    async def receipt(self, tx: Tx, account_id: int, link_id: str) -> TabReceipt | None:
        try:
            link = await self._payments.get(tx, account_id, link_id)
            tab = await bills.find(tx, account_id, link.subject_key) if link.subject_kind == SUBJECT else None
        except NotFound:
            return None
        return None if tab is None or link.made_by != GUEST else _receipt(tab, link)

    async def limit(self, tx: Tx, account_id: int, key: str, currency: str) -> int:
        """What is open on the bill, and not asked for by links of its single orders."""
        bill = await bills.lock(tx, account_id, key)
        if any(one.order.currency != currency for one in bill.counted):
            return 0
        links = await self._payments.of_subject(tx, account_id, SUBJECT, key)
        settled = sum(one.received - one.refunded for one in links if one.received or not one.is_alive)
        return bill.open - await asked_by_orders(tx, self._payments, bill) + settled

    # What becomes of a bill.

    async def follow_order(self, tx: Tx, venue: Venue, before: Order | None, order: Order, now: int) -> None:
        if before is None or before.tab_id is None:
            return
        # A second part of an order's money leaves the order as it is: only the bill itself tells what is open.
        has_moved = before.tab_id != order.tab_id
        links = await self._payments.of_subject(tx, order.account_id, SUBJECT, before.tab_id)
        if not links:
            return
        bill = await bills.lock(tx, order.account_id, before.tab_id)
        if has_moved and order.tab_id is not None and bill.tab.state == "closed" and not bill.open:
            # The guests sit elsewhere, and so does all that they owe.
            await self._payments.hand_over(tx, order.account_id, SUBJECT, before.tab_id, order.tab_id)
            return
        await self._fit(tx, venue, bill, links, now)

    async def _fit(self, tx: Tx, venue: Venue, bill: Bill, links: list[Link], now: int) -> None:
        """Take the newest links back, as long as all of them ask for more than is open."""
        room = bill.open - await asked_by_orders(tx, self._payments, bill)
        alive = [one for one in links if one.is_alive and not one.received]
        while alive and sum(one.owed for one in alive) > room:
            dropped = await self._payments.cancel(tx, bill.tab.account_id, alive.pop().id, now)
            self._errands.see_to(venue.id, dropped)

    # What becomes of a link.

    async def follow_link(self, tx: Tx, before: Link | None, link: Link, now: int) -> None:
        if link.subject_kind != SUBJECT or before is None or before.state == link.state:
            return
        try:
            bill = await bills.lock(tx, link.account_id, link.subject_key)
        except NotFound:
            return
        venue = await venues.find_ever(tx, link.account_id, bill.tab.venue_id)
        self._errands.announce(link, venue, [])
        if link.state == "open":
            await self._telling.link(tx, venue, await seating.label_of(tx, bill), link, now)
        elif link.state == "paid":
            await self._paid(tx, venue, bill, before, link, now)

    async def _paid(self, tx: Tx, venue: Venue, bill: Bill, before: Link, link: Link, now: int) -> None:
        """The money is proved. It is the bill's, unless less is open by now: then people decide about it."""
        currencies = {one.order.currency for one in bill.counted}
        tip = link.tip_received
        due = link.received - tip
        if not 0 < due <= bill.open or currencies != {link.received_currency}:
            if before.received:
                raise Conflict("Less is open on the bill than came in. Refund it.", code="amount_differs")
            await self._payments.question(tx, link.account_id, link.id, now)
            return
        taking = Taking(method="online", split=_split(bill, link, due), tip=tip, by=BY, reference=link.id)
        _, changes = await bills.take(tx, bill, taking, now)
        crash_points.reach("bills.taken")
        _, ended, plan = await money_came(tx, self._ordering, venue, bill.tab.id, BY, now)
        done: list[Done] = [*(("take", change) for change in changes), *ended]
        statements = [*await follow(tx, self._ordering, venue, done, now), *plan]
        await run_all(tx, statements)
        await self._telling.paid(tx, venue, await seating.label_of(tx, bill), link, now)
        self._errands.announce(link, venue, statements)
        if link.waits_for_decision:
            # The link had ended, and its bill still waited for the money.
            await self._payments.accept(tx, link.account_id, link.id, BY, now)

    async def follow_refund(self, tx: Tx, link: Link, refund: Refund, now: int) -> None:
        """What went back is noted on the bill, if it was the bill's money."""
        if link.subject_kind != SUBJECT or refund.state != "succeeded":
            return
        payment = await bills.paid_by(tx, link.account_id, link.id)
        if payment is None:
            return
        bill = await bills.lock(tx, link.account_id, payment.tab_id)
        venue = await venues.find_ever(tx, link.account_id, bill.tab.venue_id)
        why, who = tidy(refund.reason)[:MAX_REASON] or "refund", refund.made_by or BY
        if refund.amount == payment.amount + payment.tip and payment.id not in bill.given_back:
            _, changes = await bills.give_back(tx, bill, payment.id, why, who, now, refund.id)
        else:
            _, changes = await bills.put_back(tx, payment, refund.amount, why, who, now, refund.id)
        done: list[Done] = [("take_back", change) for change in changes]
        statements = await follow(tx, self._ordering, venue, done, now)
        await run_all(tx, statements)
        await self._telling.refunded(tx, venue, await seating.label_of(tx, bill), link, refund, now)
        self._errands.announce(link, venue, statements)

    def _landing(self, link: Link) -> tuple[str, str]:
        """A guest at the table comes back to its menu; who got the link by message sees what came of it."""
        if link.made_by == GUEST:
            own = f"{self._api_url}/menu/paid/{link.account_id}/{link.id}"
            return own, f"{own}?left=1"
        own = f"{self._api_url.removesuffix('/api/v1')}/pay/{link.id}"
        return own, own


def _split(bill: Bill, link: Link, due: int) -> Split:
    """The dishes that the link was made for, if the bill still has them at that price; else an amount, like any other."""
    if link.subject_note:
        chosen = Split(lines=_shares(link.subject_note))
        with suppress(Problem):
            if sum(part for _, part in divide(bill, chosen)) == due:
                return chosen
    return Split(amount=due)


def _receipt(tab: Tab, link: Link) -> TabReceipt:
    where: dict[str, Any] = {"venue_id": tab.venue_id, "table_id": tab.table_id, "language": link.language}
    if not link.received:
        return TabReceipt(**where, state="waiting" if link.is_alive else "over")
    if link.refunded >= link.received:
        return TabReceipt(**where, state="returned", amount=link.received)
    if link.waits_for_decision or link.state != "paid":
        return TabReceipt(**where, state="held")
    return TabReceipt(**where, state="paid", amount=link.received, tip=link.tip_received)


def _face(link: Link) -> TabLink:
    return TabLink(
        id=link.id,
        state=link.state,
        amount=link.amount,
        tip=link.tip,
        currency=link.currency,
        url=link.url if link.state == "open" else "",
        phone=link.phone,
        by=link.made_by,
        expires_at=link.expires_at,
        created_at=link.created_at,
        waits_for_decision=link.waits_for_decision,
    )
