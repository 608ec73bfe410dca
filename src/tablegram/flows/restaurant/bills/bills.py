"""Bills as staff and programs handle them: looked at, paid in parts, given back, let off, closed, joined."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.crash_points import reach
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Invalid
from tablegram.events.planning import Statement
from tablegram.flows.restaurant.bills.answers import BillView, ClosedTab, GivenDiscount, TabPage, TakenPayment
from tablegram.flows.restaurant.bills.ending import Done, clear, follow, money_came, tell
from tablegram.flows.restaurant.bills.forms import figure, percentage, read_split
from tablegram.flows.restaurant.bills.taking import take
from tablegram.flows.restaurant.bills.views import CLOSED, bill_view, payment_view, tab_view
from tablegram.flows.restaurant.fields import DiscountFields, PaymentFields
from tablegram.flows.restaurant.orders.ordering import Ordering, run_all
from tablegram.flows.restaurant.orders.seeing import MONEY, sees_phones
from tablegram.restaurant import tables, venues
from tablegram.restaurant.bills import keeping, seating
from tablegram.restaurant.bills.keeping import Taking
from tablegram.restaurant.bills.model import Bill
from tablegram.restaurant.bills.seating import Seated
from tablegram.restaurant.carts import tabs
from tablegram.restaurant.orders import revising
from tablegram.restaurant.orders.model import OrderChanges
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.money import to_wire

SCOPE = "orders:manage"
# Whoever lets guests off, gives money back, or lets a table go unpaid.
DECIDES = "restaurant:manage"
_CLOSING = Call("close tab")
T = TypeVar("T")


class Bills:
    """`notice` tells open pages that a bill changed, also where no order did: a second part of what one costs was paid."""

    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, ordering: Ordering,
        notice: Callable[[int, str, list[str]], None] = lambda *_: None,
    ) -> None:  # fmt: skip
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._ordering = ordering
        self._notice = notice

    # Looking.

    async def page(
        self, caller: Caller, *, venue_id: str | None = None, state: str | None = None, table_id: str | None = None,
        limit: int = 50, cursor: str | None = None,
    ) -> TabPage:  # fmt: skip
        """Tabs at which something was ordered, the newest first."""
        may(caller)

        async def look(tx: Tx) -> TabPage:
            found, following = await seating.page(tx, caller.account_id, venue_id, state, table_id, cursor, limit)
            data = []
            for tab in found:
                bill = await keeping.look(tx, tab)
                data.append(tab_view(bill, await seating.label_of(tx, bill), await currency_of(tx, bill)))
            return TabPage(data=data, next_cursor=following)

        return await self._db.snapshot(look)

    async def get(self, caller: Caller, tab_id: str) -> BillView:
        may(caller)

        async def look(tx: Tx) -> BillView:
            tab = await keeping.find(tx, caller.account_id, tab_id)
            return await self.shown(tx, caller, await keeping.look(tx, tab))

        return await self._db.snapshot(look)

    async def seated(self, caller: Caller, venue_id: str) -> dict[str, Seated]:
        """Who sits where, since when and for how much, by table; nothing for who takes no money."""
        caller.require(SCOPE)
        if caller.is_person and not caller.has(MONEY):
            return {}
        found = await self._db.snapshot(lambda tx: seating.seated(tx, caller.account_id, venue_id))
        return {one.table_id: one for one in found}

    async def shown(self, tx: Tx, caller: Caller, bill: Bill) -> BillView:
        label, money = await seating.label_of(tx, bill), self._ordering.tab_money
        links = [] if money is None else await money.links(tx, bill)
        return bill_view(bill, label, await currency_of(tx, bill), links, shows_phones=sees_phones(caller))

    # Money.

    async def take(
        self, caller: Caller, tab_id: str, fields: PaymentFields, call: Call, by: str = ""
    ) -> Result[TakenPayment]:
        """Take cash, card or a gift card: `amount`, `order_ids`, `lines` or `parts` say how much, else all that is open.

        Without any of these, a gift card pays what is left on it.
        """
        may(caller)
        who = by or who_is(caller)

        async def work(tx: Tx, venue: Venue, bill: Bill, now: int) -> tuple[TakenPayment, list[Done], list[Statement]]:
            money = venue.currency
            taking = Taking(
                method=fields["method"],
                split=read_split(bill, fields, money),
                tip=figure(fields.get("tip"), "tip", money) or 0,
                given=figure(fields.get("given"), "given", money),
                by=who,
                expected_open=figure(fields.get("expected_open"), "expected_open", money),
            )
            payment, changes, left = await take(tx, self._ordering, venue, bill, taking, fields.get("gift_code"), now)
            reach("bills.taken")
            done: list[Done] = [("take", change) for change in changes]
            bill, ended, plan = await money_came(tx, self._ordering, venue, tab_id, who, now)
            done += ended
            shown = await self.shown(tx, caller, bill)
            gift_left = None if left is None else to_wire(left, money)
            return TakenPayment(payment=payment_view(bill, payment), bill=shown, gift_left=gift_left), done, plan

        return await self.change(caller, tab_id, call, TakenPayment, work, 201)

    async def give_back(
        self, caller: Caller, tab_id: str, payment_id: str, reason: str, call: Call
    ) -> Result[TakenPayment]:
        may(caller, decides=True)
        who, acting = who_is(caller), self._audit.acting(caller)

        async def work(tx: Tx, venue: Venue, bill: Bill, now: int) -> tuple[TakenPayment, list[Done], list[Statement]]:
            online = next((one for one in bill.payments if one.id == payment_id and one.method == "online"), None)
            if online is not None and online.kind == "payment" and self._ordering.tab_money is not None:
                # The provider gives it back, and it is noted when that is done.
                why = keeping.reason_of(reason)
                await self._ordering.tab_money.refund(tx, venue, online, why, who, now)
                await acting.note(tx, "bill.refund_asked", "tab", tab_id, {"reason": why})
                return TakenPayment(payment=payment_view(bill, online), bill=await self.shown(tx, caller, bill)), [], []
            payment, changes = await keeping.give_back(tx, bill, payment_id, reason, who, now)
            if payment.method == "gift" and self._ordering.gifts is not None:
                await self._ordering.gifts.give_back(tx, payment, now)
            await acting.note(tx, "bill.given_back", "tab", tab_id, {"reason": payment.reason})
            after = await keeping.lock(tx, caller.account_id, tab_id)
            told = TakenPayment(payment=payment_view(after, payment), bill=await self.shown(tx, caller, after))
            return told, [("take_back", change) for change in changes], []

        return await self.change(caller, tab_id, call, TakenPayment, work)

    async def discount(self, caller: Caller, tab_id: str, fields: DiscountFields, call: Call) -> Result[GivenDiscount]:
        """`amount` or `percent`, a `reason`; with `order_id` and `line`, of that dish."""
        may(caller, decides=True)
        who, acting = who_is(caller), self._audit.acting(caller)

        async def work(tx: Tx, venue: Venue, bill: Bill, now: int) -> tuple[GivenDiscount, list[Done], list[Statement]]:
            line, key = fields.get("line"), None
            if fields.get("order_id") or line is not None:
                key = next((one.order.id for one in bill.counted if one.order.order_id == fields.get("order_id")), None)
                if key is None or line is None:
                    raise Invalid.field("order_id", "line_unknown", "Say an order of this bill and a line of it.")
            kept, changes = await keeping.discount(
                tx, bill, amount=figure(fields.get("amount"), "amount", venue.currency),
                percent=percentage(fields.get("percent")), reason=str(fields.get("reason") or ""), by=who, now=now,
                order_key=key, line=line,
            )  # fmt: skip
            await acting.note(tx, "bill.discounted", "tab", tab_id, {"reason": kept.reason})
            after = await keeping.lock(tx, caller.account_id, tab_id)
            shown = await self.shown(tx, caller, after)
            given = next(one for one in shown.discounts if one.id == kept.id)
            return GivenDiscount(discount=given, bill=shown), [("discount", change) for change in changes], []

        return await self.change(caller, tab_id, call, GivenDiscount, work, 201)

    async def take_discount_back(self, caller: Caller, tab_id: str, discount_id: str) -> None:
        may(caller, decides=True)
        who, acting = who_is(caller), self._audit.acting(caller)

        async def work(tx: Tx, venue: Venue, bill: Bill, now: int) -> tuple[BillView, list[Done], list[Statement]]:
            changes = await keeping.take_discount_back(tx, bill, discount_id, who, now)
            await acting.note(tx, "bill.discount_removed", "tab", tab_id)
            return await self.shown(tx, caller, bill), [("discount", change) for change in changes], []

        await self.change(caller, tab_id, Call("remove discount"), BillView, work)

    # Leaving.

    async def close(self, caller: Caller, tab_id: str, reason: str = "", call: Call = _CLOSING) -> Result[ClosedTab]:
        """The guests have gone. With something open, only by somebody who may decide that, who says why."""
        may(caller, decides=bool(reason))
        who, acting = who_is(caller), self._audit.acting(caller)

        async def work(tx: Tx, venue: Venue, bill: Bill, now: int) -> tuple[ClosedTab, list[Done], list[Statement]]:
            was_open = bill.tab.state == "open"
            done = await keeping.close(tx, bill, reason, who, now)
            await clear(tx, bill, who, now)
            after = await keeping.lock(tx, caller.account_id, tab_id)
            if reason:
                await acting.note(tx, "bill.closed_unpaid", "tab", tab_id, {"reason": after.tab.close_reason or ""})
            plan = await tell(tx, self._ordering, CLOSED, after, venue.currency, who, now) if was_open else []
            named = {event: [one.order.order_id for kind, one in done if kind == event] for event, _ in done}
            told = ClosedTab(
                closed=was_open,
                completed=named.get("complete", []),
                still_running=[one.order.order_id for one in after.counted if one.order.closed_at is None],
                written_off=named.get("write_off", []),
                cancelled=named.get("cancel", []),
            )
            return told, done, plan

        return await self.change(caller, tab_id, call, ClosedTab, work)

    async def close_table(
        self, caller: Caller, venue_id: str, table_id: str, reason: str = "", call: Call = _CLOSING
    ) -> Result[ClosedTab]:
        """The same by the table; one at which nobody sits stays as it is."""
        may(caller, decides=bool(reason))

        async def look(tx: Tx) -> str | None:
            await venues.find(tx, caller.account_id, venue_id)
            await tables.find(tx, caller.account_id, venue_id, table_id)
            tab = await keeping.open_at(tx, caller.account_id, table_id)
            return None if tab is None else tab.id

        tab_id = await self._db.snapshot(look)
        if tab_id is None:

            async def nothing(tx: Tx) -> Result[ClosedTab]:
                return Result(ClosedTab(closed=False, completed=[], still_running=[]))

            return await self._idempotency.once_for(ClosedTab, caller.account_id, call, nothing)
        return await self.close(caller, tab_id, reason, call)

    async def move(self, caller: Caller, tab_id: str, table_id: str, call: Call) -> Result[BillView]:
        """The guests sit down at another table; where somebody sits already, both have one bill from now on."""
        may(caller)
        who = who_is(caller)

        async def work(tx: Tx, venue: Venue, bill: Bill, now: int) -> tuple[BillView, list[Done], list[Statement]]:
            table = await seating.table_named(tx, venue, table_id)
            if table.id == bill.tab.table_id:
                raise Conflict("The guests sit at this table already.", code="same_table")
            into_id = await tabs.join(tx, venue.account_id, venue.id, table.id, now)
            there: OrderChanges = {"table_id": table.id, "table_label": table.label, "tab_id": into_id}
            done: list[Done] = []
            for one in bill.entries:
                if one.order.closed_at is None:
                    change = await revising.amend(tx, venue.account_id, one.order.order_id, there, who, now)
                    done.append(("revise", change))
            into = await keeping.find(tx, venue.account_id, into_id)
            await keeping.join(tx, bill, into)
            await keeping.end(tx, bill, who, "", now)
            return await self.shown(tx, caller, await keeping.lock(tx, venue.account_id, into_id)), done, []

        return await self.change(caller, tab_id, call, BillView, work, beside=table_id)

    async def change(
        self, caller: Caller, tab_id: str, call: Call, kind: type[T],
        work: Callable[[Tx, Venue, Bill, int], Awaitable[tuple[T, list[Done], list[Statement]]]], status: int = 200,
        beside: str = "",
    ) -> Result[T]:  # fmt: skip
        """Work on a locked bill, once; what it changed of orders is followed and told."""
        after: list[tuple[Venue, list[Statement]]] = []
        await self._ordering.refresh(caller.account_id)

        async def unit(tx: Tx) -> Result[T]:
            after.clear()
            now = self._clock.now_ms()
            tab = await keeping.find(tx, caller.account_id, tab_id)
            venue = await venues.find_ever(tx, caller.account_id, tab.venue_id)
            if beside:
                await seating.lock_both(tx, tab, beside)
            told, done, plan = await work(tx, venue, await keeping.lock(tx, caller.account_id, tab_id), now)
            statements = [*await follow(tx, self._ordering, venue, done, now), *plan]
            await run_all(tx, statements)
            after.append((venue, statements))
            return Result(told, status)

        answer = await self._idempotency.once_for(kind, caller.account_id, call, unit)
        if not answer.replayed:
            for venue, statements in after:
                self._ordering.told(venue, statements)
            self._notice(caller.account_id, "orders", [tab_id])
        return answer


def may(caller: Caller, *, decides: bool = False) -> None:
    caller.require(SCOPE)
    if caller.is_person:
        caller.require(MONEY)
        if decides:
            caller.require(DECIDES)


async def currency_of(tx: Tx, bill: Bill) -> str:
    if bill.entries:
        return bill.entries[0].order.currency
    return (await venues.find_ever(tx, bill.tab.account_id, bill.tab.venue_id)).currency


def who_is(caller: Caller) -> str:
    return caller.key_name or caller.key_id
