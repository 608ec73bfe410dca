"""What programs and open pages hear of payments."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tablegram.errors import NotFound
from tablegram.events.planning import Planner
from tablegram.flows.payments.told import Besides, OfLine, PaymentEvent, PaymentFacts
from tablegram.flows.restaurant.orders.ordering import run_all
from tablegram.payments.caretaking import DOWN
from tablegram.payments.model import Link, Refund
from tablegram.restaurant import venues
from tablegram.storage.database import Tx
from tablegram.values.clock import SECOND_MS, iso
from tablegram.values.money import to_wire

SUCCEEDED = "payment.succeeded"
FAILED = "payment.failed"
REFUNDED = "payment.refunded"
TOPIC = "payments"

# An account, a topic of the panel's live pages, and ids.
Notice = Callable[[int, str, Iterable[str]], None]


class PaymentAnnouncer:
    """A follower of links: each outcome is an event, in the transaction that makes it one."""

    def __init__(self, planner: Planner, notice: Notice) -> None:
        self._planner = planner
        self._notice = notice

    async def prepare(self, account_id: int) -> None:
        await self._planner.refresh(account_id)

    async def follow(self, tx: Tx, before: Link | None, after: Link, now: int) -> None:
        if before is None:
            return
        if after.state == "paid" and before.state != "paid":
            await self._plan(tx, after, SUCCEEDED, {}, now)
            return
        code = _why_not(before, after)
        if code:
            await self._plan(tx, after, FAILED, {"code": code}, now)

    async def refunded(self, tx: Tx, link: Link, refund: Refund, now: int) -> None:
        if refund.state == "succeeded":
            facts: Besides = {
                "refund_id": refund.id,
                "refund_amount": to_wire(refund.amount, refund.currency),
                "reason": refund.reason,
            }
            await self._plan(tx, link, REFUNDED, facts, now)

    async def _plan(self, tx: Tx, link: Link, kind: str, facts: Besides, now: int) -> None:
        body: PaymentEvent = {
            "event": kind,
            **await _line_of(tx, link),
            **_facts(link),
            **facts,
            "timestamp": now // SECOND_MS,
        }
        await run_all(tx, self._planner.plan(link.account_id, kind, body, link.id))

    def told(self, link: Link) -> None:
        self._planner.planned(link.account_id)
        self._notice(link.account_id, TOPIC, [link.id])


def _why_not(before: Link, after: Link) -> str:
    """Why nobody has paid, where that is news; a provider that does not answer is asked again, and no outcome."""
    if after.received and not before.received:
        return after.attention
    if after.state == before.state:
        return after.failure if after.failure not in (before.failure, "", DOWN) else ""
    return {"failed": after.failure, "expired": "expired", "cancelled": "cancelled"}.get(after.state, "")


async def _line_of(tx: Tx, link: Link) -> OfLine:
    """The line of the venue that the link is for, where there is one."""
    if link.venue_id is None:
        return {}
    try:
        venue = await venues.find_ever(tx, link.account_id, link.venue_id)
    except NotFound:
        # Whatever became of it: money is told of.
        return {}
    return {} if venue.instance_id is None else {"instance_id": venue.instance_id}


def _facts(link: Link) -> PaymentFacts:
    paid = to_wire(link.received, link.received_currency) if link.received else 0.0
    return {
        "payment_id": link.id,
        "state": link.state,
        "amount": to_wire(link.amount, link.currency),
        "currency": link.currency,
        "description": link.description,
        "mode": link.mode,
        "subject_kind": link.subject_kind,
        "subject_id": link.subject_key,
        "venue_id": link.venue_id,
        "contact_id": link.contact_id,
        "phone": link.phone,
        "paid_amount": paid,
        "paid_currency": link.received_currency,
        "paid_at": iso(link.paid_at),
        "refunded_amount": to_wire(link.refunded, link.received_currency) if link.refunded else 0.0,
        "attention": link.attention if link.waits_for_decision else "",
    }
