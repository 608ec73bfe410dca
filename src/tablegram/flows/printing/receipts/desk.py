"""The bill of a table, given to its guests: printed where receipts are, or sent by message."""

from __future__ import annotations

from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Result
from tablegram.errors import Conflict, Invalid
from tablegram.events.planning import Statement
from tablegram.flows.printing.fields import ReceiptFields
from tablegram.flows.restaurant.bills.answers import GivenReceipt
from tablegram.flows.restaurant.bills.bills import Bills, currency_of, may, who_is
from tablegram.flows.restaurant.bills.ending import Done
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.texts.said import is_told_enough
from tablegram.printing.jobs import Jobs
from tablegram.printing.printers import keeping as printers
from tablegram.printing.tickets import keeping as tickets
from tablegram.printing.tickets.content import TicketContent, TicketLine
from tablegram.printing.tickets.making import TicketDraft
from tablegram.restaurant.bills import receipts, seating
from tablegram.restaurant.bills.model import Bill
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx


class ReceiptDesk:
    def __init__(self, bills: Bills, ordering: Ordering, jobs: Jobs) -> None:
        self._bills = bills
        self._ordering = ordering
        self._jobs = jobs

    async def give(self, caller: Caller, tab_id: str, fields: ReceiptFields, call: Call) -> Result[GivenReceipt]:
        """`by` says how; by message it goes to `phone`, or to the only guest of the table who wrote to the venue."""
        may(caller)
        who, rung = who_is(caller), list[str]()

        async def work(tx: Tx, venue: Venue, bill: Bill, now: int) -> tuple[GivenReceipt, list[Done], list[Statement]]:
            rung.clear()
            if not bill.counted:
                raise Conflict("There is nothing on this bill yet. Add an order first.", code="bill_empty")
            language = fields.get("language") or receipts.language_of(bill, venue)
            if fields["by"] == "paper":
                rung.extend(await _print(tx, venue, bill, language, who, now))
                return GivenReceipt(by="paper", printers=len(rung)), [], []
            phone = fields.get("phone") or _guest_of(bill)
            label, currency = await seating.label_of(tx, bill), await currency_of(tx, bill)
            text = receipts.text_of(bill, venue, label, currency, language, now)
            enough = await is_told_enough(tx, venue.account_id, phone, now)
            if enough or not await self._ordering.telling.say(tx, venue, phone, text, now):
                raise Conflict("No message can be sent there right now. Print the receipt.", code="receipt_unsent")
            return GivenReceipt(by="message", phone=phone), [], []

        answer = await self._bills.change(caller, tab_id, call, GivenReceipt, work)
        if not answer.replayed:
            self._jobs.ring(caller.account_id, rung)
        return answer


def _guest_of(bill: Bill) -> str:
    known = {one.order.customer_phone for one in bill.counted if one.order.contact_id and one.order.customer_phone}
    if len(known) != 1:
        raise Invalid.field("phone", "receipt_phone_needed", "Say which phone it goes to.")
    return known.pop()


async def _print(tx: Tx, venue: Venue, bill: Bill, language: str, who: str, now: int) -> list[str]:
    lines = tuple(
        TicketLine(quantity=line.quantity, name=line.name, options=line.options, amount=line.amount)
        for line in receipts.lines_of(bill)
    )
    content = TicketContent(
        kind="receipt", venue=venue.name, order_type="dine_in", table=await seating.label_of(tx, bill), waiter=who,
        lines=lines, placed_at=now, time_zone=venue.time_zone, language=language, currency=await currency_of(tx, bill),
        totals=tuple(receipts.sums_of(bill, language)),
    )  # fmt: skip
    there = await printers.of_venue(tx, venue.account_id, venue.id)
    draft = TicketDraft(station="", kind="receipt", content=content)
    rung = await tickets.keep(tx, venue.account_id, venue.id, None, 1, [draft], there, now)
    if not rung:
        raise Conflict("No printer of the venue prints receipts. Choose one for them.", code="receipt_printer_missing")
    return rung
