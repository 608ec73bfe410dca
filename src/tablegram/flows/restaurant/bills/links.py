"""Payment links for a table's bill: asked for by staff for all that is open, a share or an amount, and taken back."""

from __future__ import annotations

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Result
from tablegram.errors import Conflict, NotFound
from tablegram.events.planning import Statement
from tablegram.flows.restaurant.bills.answers import BillLink, BillView
from tablegram.flows.restaurant.bills.bills import Bills, may, who_is
from tablegram.flows.restaurant.bills.ending import Done
from tablegram.flows.restaurant.bills.forms import figure, read_split
from tablegram.flows.restaurant.bills.views import link_view
from tablegram.flows.restaurant.fields import BillLinkFields
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.orders.seeing import sees_phones
from tablegram.restaurant import venues
from tablegram.restaurant.bills import keeping
from tablegram.restaurant.bills.model import Bill
from tablegram.restaurant.bills.splitting import divide
from tablegram.restaurant.orders.forms import clean_language
from tablegram.restaurant.paying.ports import GUEST, TabLink, TabMoney, TabWish
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx


class BillLinks:
    def __init__(self, db: Database, bills: Bills, ordering: Ordering) -> None:
        self._db = db
        self._bills = bills
        self._ordering = ordering

    async def offered(self, caller: Caller, venue_id: str) -> bool:
        """Whether the guests of a venue's tables can pay by link at this moment."""

        async def look(tx: Tx) -> bool:
            return await is_offered(tx, self._ordering, await venues.find_ever(tx, caller.account_id, venue_id))

        return await self._db.snapshot(look)

    async def ask(self, caller: Caller, tab_id: str, fields: BillLinkFields, call: Call) -> Result[BillLink]:
        """A link for `amount`, `order_ids`, `lines` or `parts`, else all that is open; sent to a `phone` if one is named.

        Who repeats the call hears how the link is now.
        """
        may(caller)
        who = who_is(caller)

        async def work(tx: Tx, venue: Venue, bill: Bill, now: int) -> tuple[BillLink, list[Done], list[Statement]]:
            money = await must_offer(tx, self._ordering, venue)
            expected = figure(fields.get("expected_open"), "expected_open", venue.currency)
            if expected is not None and expected != bill.open:
                raise Conflict("The bill has changed meanwhile. Look at it again.", code="bill_changed")
            split = read_split(bill, fields, venue.currency)
            wish = TabWish(
                amount=sum(part for _, part in divide(bill, split)),
                lines=split.lines,
                language=clean_language(venue, fields.get("language")),
                by=who,
                phone=fields.get("phone") or "",
                is_test=caller.mode == "test",
            )
            link_id = await money.ask(tx, venue, bill, wish, now)
            made = next(one for one in await money.links(tx, bill) if one.id == link_id)
            return link_view(made, shows_phones=True), [], []

        answer = await self._bills.change(caller, tab_id, call, BillLink, work, 201)
        if self._ordering.tab_money is None:
            return answer
        link = await self._ordering.tab_money.hurry(caller.account_id, answer.value.id)
        return answer.as_now(link_view(link, shows_phones=sees_phones(caller)))

    async def take_back(self, caller: Caller, tab_id: str, link_id: str) -> None:
        """Nobody is to pay the link any more."""
        may(caller)

        async def work(tx: Tx, venue: Venue, bill: Bill, now: int) -> tuple[BillView, list[Done], list[Statement]]:
            money = self._ordering.tab_money
            if money is None:
                raise NotFound("The bill has no such link.", code="payment_link_unknown")
            await money.take_back(tx, venue, bill, link_id, now)
            return await self._bills.shown(tx, caller, bill), [], []

        await self._bills.change(caller, tab_id, Call("take a link back"), BillView, work)


class GuestLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link as who pays it sees it, in minor units."""

    id: str
    state: str
    url: str
    amount: int
    tip: int
    expires_ms: int


class BillFace(msgspec.Struct, frozen=True, kw_only=True):
    """What the guests of a table see of their bill, in minor units."""

    total: int = 0
    paid: int = 0
    open: int = 0
    currency: str
    # What a guest can pay by link now: what is open and nobody else is paying; nothing where that is not offered.
    payable: int = 0
    # What somebody else is paying by link right now.
    being_paid: int = 0
    # Something was ordered, and all of it is paid.
    is_settled: bool = False
    # What a gift card may pay: the same, also where nothing is paid online; nothing where there are no cards.
    by_gift: int = 0


async def is_offered(tx: Tx, ordering: Ordering, venue: Venue) -> bool:
    is_on = "dine_in" in venue.details.pays_online and ordering.tab_money is not None
    return is_on and await ordering.takes_online(tx, venue)


async def must_offer(tx: Tx, ordering: Ordering, venue: Venue) -> TabMoney:
    if ordering.tab_money is None or not await is_offered(tx, ordering, venue):
        raise Conflict(
            "This bill cannot be paid online. Connect a payment provider, and switch it on for the venue.",
            code="online_not_offered",
        )
    return ordering.tab_money


async def face_of(tx: Tx, ordering: Ordering, venue: Venue, bill: Bill, own_link: str = "") -> BillFace:
    """`own_link` is the one that who looks has asked for: paying again takes it back, so what it asks for is theirs."""
    money = ordering.tab_money if await is_offered(tx, ordering, venue) else None
    room = payable = 0
    if money is not None:
        room = await money.room(tx, bill)
        own = [one for one in await money.links(tx, bill) if one.id == own_link and one.by == GUEST and one.is_open]
        payable = min(bill.open, room + sum(one.amount - one.tip for one in own))
    has_gifts = ordering.gifts is not None and await ordering.gifts.offered(tx, venue.account_id)
    by_gift = (bill.open if money is None else room) if has_gifts else 0
    return BillFace(
        total=bill.total,
        paid=bill.paid,
        open=bill.open,
        currency=venue.currency,
        payable=payable,
        being_paid=0 if money is None else bill.open - payable,
        is_settled=bool(bill.total) and not bill.open and not bill.waiting,
        by_gift=by_gift,
    )


def shown_to_guest(link: TabLink) -> GuestLink:
    return GuestLink(
        id=link.id,
        state=link.state,
        url=link.url,
        amount=link.amount,
        tip=link.tip,
        expires_ms=link.expires_at,
    )


async def open_at(tx: Tx, venue: Venue, table_id: str) -> Bill | None:
    """The bill of who sits at a table now, which nobody else changes until this transaction ends."""
    tab = await keeping.open_at(tx, venue.account_id, table_id)
    return None if tab is None else await keeping.lock(tx, venue.account_id, tab.id)
