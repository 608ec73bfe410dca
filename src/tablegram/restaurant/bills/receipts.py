"""What a bill says to its guests, on paper and by message: dishes, sums, VAT, and how it was paid."""

from __future__ import annotations

from tablegram.restaurant.bills.model import Bill
from tablegram.restaurant.lines import PricedLine, tidy
from tablegram.restaurant.texts.words import WORDS, speak
from tablegram.restaurant.venues import Venue
from tablegram.values.figures import writing
from tablegram.values.money import written
from tablegram.values.opening_hours import zone

# A message is read on a phone.
MAX_LINES = 60


def lines_of(bill: Bill) -> list[PricedLine]:
    return [line for entry in bill.counted for line in entry.order.lines]


def language_of(bill: Bill, venue: Venue) -> str:
    """As the guests ordered last."""
    return bill.entries[-1].order.language if bill.entries else venue.languages[0]


def sums_of(bill: Bill, language: str) -> list[tuple[str, int]]:
    """Every row below the dishes, in minor units. The last one is what counts: the total, what is open, or what was paid."""
    words = speak(language)
    rows = [
        (words["receipt_service"], bill.charges),
        (words["receipt_discount"], -bill.let_off),
    ]
    taxes = [
        (words["receipt_vat"].format(percent=writing.exact(language, one.rate / 100)), one.tax) for one in bill.vat
    ]
    total = (words["receipt_total"], bill.total)
    if not bill.paid:
        return [*((label, amount) for label, amount in rows if amount), *taxes, total]
    rows += [total, *taxes]
    for payment in bill.payments:
        if payment.kind == "payment" and payment.id not in bill.given_back:
            rows.append((words[f"receipt_{payment.method}"], payment.given or payment.amount + payment.tip))
            rows.append((words["receipt_change"], -payment.change))
    # What single orders were paid with, apart from the bill.
    taken = sum(one.amount if one.kind == "payment" else -one.amount for one in bill.payments)
    rows.append((words["receipt_other"], max(0, bill.paid - taken)))
    rows.append((words["receipt_tip"], bill.tips))
    last = (words["receipt_open"], bill.open) if bill.open else (words["receipt_paid"], bill.paid)
    return [*((label, amount) for label, amount in rows if amount), last]


def text_of(bill: Bill, venue: Venue, table: str, currency: str, language: str, now: int) -> str:
    """The receipt as a message."""
    words = speak(language)
    day = writing.stamp(WORDS.spoken(language), now, zone(venue.time_zone))
    dishes = [
        f"{line.quantity} × {tidy(line.name)}: {written(line.amount, currency, language)}" for line in lines_of(bill)
    ]
    if len(dishes) > MAX_LINES:
        dishes = [*dishes[:MAX_LINES], words["more"].format(count=len(dishes) - MAX_LINES)]
    *sums, last = [f"{label}: {written(amount, currency, language)}" for label, amount in sums_of(bill, language)]
    head = f"*{tidy(venue.name)}*"
    return "\n".join([head, f"{words['where_table'].format(table=table)} · {day}", "", *dishes, "", *sums, f"*{last}*"])
