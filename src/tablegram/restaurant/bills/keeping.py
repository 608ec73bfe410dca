"""Bills: looked at, paid in parts, given back, let off, closed. Each runs with the tab and its orders locked.

Every function that moves money answers with what it changed of the orders, so that whoever called it can tell of it.
"""

from __future__ import annotations

import msgspec

from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.restaurant.bills import store
from tablegram.restaurant.bills.model import (
    METHODS,
    Bill,
    BillEntry,
    Discount,
    Method,
    OwnPayment,
    Tab,
    TabPayment,
    payment_row,
    read_discount,
    read_payment,
    read_tab,
)
from tablegram.restaurant.bills.splitting import Split, divide
from tablegram.restaurant.carts import tabs
from tablegram.restaurant.lines import tidy
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.keeping import OrderChange
from tablegram.restaurant.orders.model import Order, from_row
from tablegram.restaurant.orders.payments import BillShare, Payment, read_movement
from tablegram.restaurant.orders.states import Event
from tablegram.restaurant.orders.totals import Extra
from tablegram.restaurant.store import orders as order_store
from tablegram.restaurant.tables import Table
from tablegram.restaurant.till import keeping as till
from tablegram.restaurant.till.model import Kind as TillKind
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS
from tablegram.values.ids import new_id
from tablegram.values.money import AMOUNT_WANTED, MAX_AMOUNT, share
from tablegram.values.texts.reasons import needed_reason

FULL = 10_000


class Taking(msgspec.Struct, frozen=True, kw_only=True):
    """Money that somebody takes."""

    method: Method
    split: Split = Split()
    tip: int = 0
    given: int | None = None
    by: str
    # What was open when they looked: whoever was faster with another payment makes them look again.
    expected_open: int | None = None
    # The payment link that it came by.
    reference: str | None = None


async def find(tx: Tx, account_id: int, tab_id: str) -> Tab:
    row = await tx.first(store.GET, {"b_account": account_id, "b_tab": tab_id})
    if row is None:
        raise NotFound(no_such("tab"), code="tab_unknown")
    return read_tab(row)


async def open_at(tx: Tx, account_id: int, table_id: str) -> Tab | None:
    row = await tx.first(store.OPEN_AT, {"b_account": account_id, "b_table": table_id})
    return None if row is None else read_tab(row)


async def is_paid_since(tx: Tx, table: Table, since: int) -> bool:
    """Whether the last guests of a table who ordered something, and have left it since then, owe nothing."""
    which = {"b_account": table.account_id, "b_venue": table.venue_id, "b_table": table.id}
    for row in await tx.all(store.CLOSED_AT, {**which, "b_since": since, "b_opened": since - DAY_MS}):
        bill = await look(tx, read_tab(row))
        if bill.entries:
            return bill.paid > 0 and not bill.open
    return False


async def look(tx: Tx, tab: Tab) -> Bill:
    which = {"b_account": tab.account_id, "b_tab": tab.id}
    found = [from_row(row) for row in await tx.all(order_store.OF_TAB, which)]
    return await _reckon(tx, tab, found)


async def lock(tx: Tx, account_id: int, tab_id: str) -> Bill:
    """The bill, which nobody else changes until this transaction ends."""
    which = {"b_account": account_id, "b_tab": tab_id}
    row = await tx.first(store.LOCK, which)
    if row is None:
        raise NotFound(no_such("tab"), code="tab_unknown")
    found = [from_row(one) for one in await tx.all(store.LOCK_ORDERS, which)]
    return await _reckon(tx, read_tab(row), found)


async def _reckon(tx: Tx, tab: Tab, found: list[Order]) -> Bill:
    which = {"b_account": tab.account_id, "b_tab": tab.id}
    money: dict[tuple[str, str], int] = {}
    for row in await tx.all(store.MONEY, which):
        money[row["order_key"], row["kind"]] = row["amount"]
    entries = tuple(
        BillEntry(order, money.get((order.id, "payment"), 0), money.get((order.id, "refund"), 0)) for order in found
    )
    payments = tuple(read_payment(row) for row in await tx.all(store.PAYMENTS, which))
    discounts = tuple(read_discount(row) for row in await tx.all(store.DISCOUNTS, which))
    own = tuple(OwnPayment(**row) for row in await tx.all(store.OWN, which)) if money else ()
    gone = {row["tab_payment_id"]: row["amount"] for row in await tx.all(store.GONE, which)} if payments else {}
    return Bill(tab, entries, payments, discounts, own, gone)


async def take(tx: Tx, bill: Bill, taking: Taking, now: int) -> tuple[TabPayment, list[OrderChange]]:
    """Take money against a locked bill: never more than is open, and a tip beside it."""
    if taking.expected_open is not None and taking.expected_open != bill.open:
        raise Conflict("The bill has changed meanwhile. Look at it again.", code="bill_changed")
    if not 0 <= taking.tip <= MAX_AMOUNT:
        raise Invalid.field("tip", "out_of_range", "A tip is nothing or more.")
    parts = divide(bill, taking.split)
    amount = sum(part for _, part in parts)
    if taking.given is not None:
        if taking.method != "cash":
            raise Invalid.field("given", "given_unneeded", "Only cash is handed over. Leave `given` out.")
        if not amount + taking.tip <= taking.given <= MAX_AMOUNT:
            raise Invalid.field("given", "given_too_little", "This is less than what is to be paid.")
    known = {one.order.id: one.order for one in bill.entries}
    payment = TabPayment(
        account_id=bill.tab.account_id, id=new_id(now), venue_id=bill.tab.venue_id, tab_id=bill.tab.id, kind="payment",
        method=taking.method, amount=amount, tip=taking.tip, given=taking.given, currency=known[parts[0][0]].currency,
        lines=taking.split.lines, parts=taking.split.parts, by=taking.by, created_at=now,
        reference=taking.reference,
    )  # fmt: skip
    await tx.run(store.INSERT_PAYMENT, payment_row(payment))
    await _to_till(tx, payment)
    changes = [
        await orders.take(tx, known[key], [BillShare(part, METHODS[taking.method], payment.id)], taking.by, now)
        for key, part in parts
    ]
    return payment, changes


async def give_back(
    tx: Tx, bill: Bill, payment_id: str, reason: str, by: str, now: int, reference: str | None = None
) -> tuple[TabPayment, list[OrderChange]]:
    """Give a payment back, whole, with its tip. What is still running is open again; what is over is refunded.

    Of a payment whose orders were all refunded on their own pages, the tip is left, and goes back alone.
    """
    why = reason_of(reason)
    payment = next((one for one in bill.payments if one.id == payment_id and one.kind == "payment"), None)
    if payment is None:
        raise NotFound("The bill has no such payment.", code="payment_unknown")
    if payment.id in bill.given_back:
        raise Conflict("This payment was given back already.", code="payment_given_back")
    rows = await tx.all(store.PARTS_OF, {"b_account": payment.account_id, "b_payment": payment.id})
    changes: list[OrderChange] = []
    parts: list[Payment] = []
    for row in rows:
        # An order may have moved to another table since it was paid.
        order = await orders.lock(tx, payment.account_id, row["order_id"], None)
        if order.payment_state == "refunded":
            # Its money went back from its own page.
            continue
        part = read_movement(row)
        parts.append(part)
        changes.append(await orders.take_back(tx, order, part, by, now, why))
    if not parts and not payment.tip:
        raise Conflict("This payment was given back already.", code="payment_given_back")
    back = msgspec.structs.replace(
        payment, id=new_id(now), kind="refund", of=payment.id, given=None, lines=(), parts=None, by=by, reason=why,
        created_at=now, reference=reference, amount=sum(one.amount for one in parts),
    )  # fmt: skip
    await tx.run(store.INSERT_PAYMENT, payment_row(back))
    await _to_till(tx, back)
    return back, changes


async def paid_by(tx: Tx, account_id: int, reference: str) -> TabPayment | None:
    """What came against a bill by a payment link."""
    row = await tx.first(store.BY_REFERENCE, {"b_account": account_id, "b_reference": reference})
    return None if row is None else read_payment(row)


async def put_back(
    tx: Tx, payment: TabPayment, amount: int, reason: str, by: str, now: int, reference: str
) -> tuple[TabPayment, list[OrderChange]]:
    """A part of a payment has gone back; the bill is locked. The orders stay as paid as they were, the last is refunded first.

    What goes beyond the bill's own money is the tip.
    """
    which = {"b_account": payment.account_id, "b_payment": payment.id}
    went = {row["order_key"]: row["amount"] for row in await tx.all(store.WENT_OF, which)}
    changes: list[OrderChange] = []
    left = amount
    for row in reversed(await tx.all(store.PARTS_OF, which)):
        part = min(left, int(row["amount"]) - went.get(row["order_key"], 0))
        if part > 0:
            left -= part
            order = await orders.lock(tx, payment.account_id, row["order_id"], None)
            share = BillShare(part, METHODS[payment.method], payment.id)
            changes.append(await orders.put_back(tx, order, share, by, now, reason))
    back = msgspec.structs.replace(
        payment, id=new_id(now), kind="refund", amount=amount - left, tip=left, given=None, lines=(), parts=None, by=by,
        reason=reason, created_at=now, reference=reference,
    )  # fmt: skip
    await tx.run(store.INSERT_PAYMENT, payment_row(back))
    await _to_till(tx, back)
    return back, changes


async def _to_till(tx: Tx, payment: TabPayment) -> None:
    """Cash is in the drawer, or no longer, with the payment itself; a tip lies beside it and goes back with it."""
    if payment.method != "cash":
        return
    moved: list[tuple[TillKind, int, str]] = [
        ("taken", payment.amount, f"tab:{payment.id}"),
        ("tips", payment.tip, f"tip:{payment.id}"),
    ]
    if payment.kind == "refund":
        moved = [("given_back", payment.amount + payment.tip, f"tab:{payment.id}")]
    for kind, amount, source in moved:
        await till.note(
            tx, payment.account_id, payment.venue_id, payment.currency, kind, amount, payment.by, payment.created_at,
            source=source, reason=payment.reason,
        )  # fmt: skip


async def discount(
    tx: Tx, bill: Bill, *, amount: int | None, percent: int | None, reason: str, by: str, now: int,
    order_key: str | None = None, line: int | None = None,
) -> tuple[Discount, list[OrderChange]]:  # fmt: skip
    """Let something off: an amount or a percentage (in hundredths), of all that is open or of one dish."""
    why = reason_of(reason)
    if (amount is None) == (percent is None):
        raise Invalid.field("amount", "discount_unclear", "Say an amount or a percentage.")
    if percent is not None and not 0 < percent <= FULL:
        raise Invalid.field("percent", "out_of_range", "A percentage is more than 0 and at most 100.")
    if amount is not None and not 0 < amount <= MAX_AMOUNT:
        raise Invalid.field("amount", "out_of_range", AMOUNT_WANTED)
    parts = _let_off(bill, amount, percent, order_key, line)
    given = sum(part for _, part in parts)
    if given == 0:
        raise Conflict("Nothing is open that could be let off.", code="nothing_open")
    if amount is not None and given < amount:
        raise Conflict("This is more than is open.", code="more_than_open")
    kept = Discount(
        account_id=bill.tab.account_id, id=new_id(now), venue_id=bill.tab.venue_id, tab_id=bill.tab.id,
        order_key=order_key, line=line, percent=percent, amount=given, reason=why, by=by, created_at=now,
    )  # fmt: skip
    await tx.run(store.INSERT_DISCOUNT, msgspec.structs.asdict(kept))
    changes = [
        await orders.discount(
            tx, entry.order, (*entry.order.discounts, Extra("discount", why, part, kept.id, line)), by, now, why
        )
        for entry, part in parts
    ]
    return kept, changes


def _let_off(
    bill: Bill, amount: int | None, percent: int | None, order_key: str | None, line: int | None
) -> list[tuple[BillEntry, int]]:
    entries = [one for one in bill.counted if one.open > 0]
    left = amount if amount is not None else MAX_AMOUNT
    most = {one.order.id: one.open for one in entries}
    base = {one.order.id: one.order.total for one in entries}
    if order_key is not None and line is not None:
        entry = next((one for one in bill.counted if one.order.id == order_key), None)
        if entry is None or not 0 <= line < len(entry.order.lines):
            raise Invalid.field("line", "line_unknown", "This dish is not on this bill.")
        entries = [entry]
        base = {order_key: entry.order.lines[line].amount}
        most = {order_key: min(entry.open, entry.order.lines[line].amount)}
    parts: list[tuple[BillEntry, int]] = []
    for one in entries:
        key = one.order.id
        part = min(most[key], left if percent is None else share(base[key], percent))
        if part > 0:
            parts.append((one, part))
            left -= part
    return parts


async def take_discount_back(tx: Tx, bill: Bill, discount_id: str, by: str, now: int) -> list[OrderChange]:
    """What was let off is to be paid after all; of orders that are over it stays."""
    kept = next((one for one in bill.discounts if one.id == discount_id and one.removed_at is None), None)
    if kept is None:
        raise NotFound("The bill has no such discount.", code="discount_unknown")
    having = [one.order for one in bill.entries if any(extra.ref == kept.id for extra in one.order.discounts)]
    if any(order.closed_at is not None for order in having):
        raise Conflict("An order with this discount is over and stays as it was.", code="state_conflict")
    await tx.run(store.REMOVE_DISCOUNT, {"b_account": kept.account_id, "b_id": kept.id, "now": now, "by": by})
    changes = []
    for order in having:
        rest = tuple(extra for extra in order.discounts if extra.ref != kept.id)
        changes.append(await orders.discount(tx, order, rest, by, now, ""))
    return changes


async def close(tx: Tx, bill: Bill, reason: str, by: str, now: int) -> list[tuple[Event, OrderChange]]:
    """The guests have gone. What was served is completed; without a reason, only where nothing is open.

    With a reason, what was served and not paid is written off, and what was not served and not paid is called off. What
    is paid and not served yet goes on. Open carts of theirs can no longer be sent.
    """
    why = reason_of(reason) if reason else ""
    if not why and (bill.open or bill.waiting):
        raise Conflict("Something on this bill is open. Take the money first, or say why not.", code="bill_open")
    done = await settle(tx, bill, by, now, why)
    await tabs.leave(tx, bill.tab.account_id, bill.tab.id, now)
    return done


async def settle(tx: Tx, bill: Bill, by: str, now: int, why: str = "") -> list[tuple[Event, OrderChange]]:
    """What is brought and paid is over, and so is the tab: who comes next begins one of their own."""
    done: list[tuple[Event, OrderChange]] = []
    for one in bill.entries:
        event = _ends_with(one)
        if event is None:
            continue
        order, told = one.order, "" if event == "complete" else why
        done.append(
            (event, await orders.happen(tx, order.account_id, order.order_id, event, "staff", by, now, reason=told))
        )
    await end(tx, bill, by, why, now)
    return done


def _ends_with(entry: BillEntry) -> Event | None:
    order = entry.order
    if order.closed_at is not None:
        return None
    if order.state == "served":
        return "complete" if order.standing.is_settled else "write_off"
    return None if order.standing.is_settled and entry.counts else "cancel"


async def end(tx: Tx, bill: Bill, by: str, reason: str, now: int) -> bool:
    """Whoever comes next begins a tab of their own. Answers whether it was open."""
    values = {"b_account": bill.tab.account_id, "b_tab": bill.tab.id, "now": now, "by": by, "reason": reason}
    return await tx.run(store.CLOSE, values) > 0


async def left(tx: Tx, now: int) -> list[tuple[int, str]]:
    """Tabs that nobody has used for long, or that the next guests of the table have closed, and of which nobody was told."""
    rows = await tx.all(store.LEFT, {"idle_since": now - tabs.IDLE_MS, "since": now - DAY_MS})
    return [(row["account_id"], row["id"]) for row in rows]


async def leave(tx: Tx, bill: Bill, by: str, now: int) -> bool:
    """Nobody sits there any more. What is open stays open, and the bill among those that owe. False where it was told."""
    values = {"b_account": bill.tab.account_id, "b_tab": bill.tab.id, "now": now, "by": by}
    return await tx.run(store.LEAVE, values) > 0


async def join(tx: Tx, bill: Bill, into: Tab) -> None:
    """What belongs to a bill, besides its running orders, belongs to another one."""
    which = {"b_account": bill.tab.account_id, "b_tab": bill.tab.id, "new_tab": into.id}
    for statement in (store.MOVE_PAYMENTS, store.MOVE_DISCOUNTS, store.MOVE_CLOSED_ORDERS):
        await tx.run(statement, which)


def reason_of(text: object) -> str:
    return needed_reason(tidy(str(text or "")))
