"""What may become of a link: every state meets every event here, and nothing changes a link otherwise.

    event        making      open        paid      expired, cancelled, failed
    opened       open        -           (names)   as it is; it is taken back at the provider
    refused      failed      -           -         -
    paid         paid        paid        -         paid, and people decide
    declined     (noted)     (noted)     -         -
    lapsed       expired     expired     -         -
    cancelled    cancelled   cancelled   -         -
    gone back    -           -           (booked)  (booked)
    accepted     -           paid *      settled   paid *

`-` changes nothing. Money wins: whatever a link was, money that came for it is never forgotten. Another amount or currency
than was asked for does not make a link paid; it waits for people, who may accept another amount (`*`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from tablegram.payments.model import Attention, Link, State
from tablegram.values.clock import HOUR_MS, MINUTE_MS

replace = msgspec.structs.replace

# An open link is asked about so long after it was made, and then every hour.
ASK_AFTER_MS = (2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS)
ASK_EVERY_MS = HOUR_MS


class Opened(msgspec.Struct, frozen=True):
    """The provider has made it."""

    reference: str
    url: str
    expires_at: int


class LinkRefused(msgspec.Struct, frozen=True):
    """The provider will never make it."""

    code: str


class Paid(msgspec.Struct, frozen=True):
    amount: int
    currency: str
    payment_reference: str = ""


class Declined(msgspec.Struct, frozen=True):
    """A try to pay failed. The next one may not."""

    code: str = "declined"


class Lapsed(msgspec.Struct, frozen=True):
    """Its time is over. `at_provider`: the provider says so itself, and lets nobody pay any more."""

    at_provider: bool = False


class Cancelled(msgspec.Struct, frozen=True):
    """Somebody took it back, here or at the provider."""

    at_provider: bool = False


class GoneBack(msgspec.Struct, frozen=True):
    """So much of what came in has gone back."""

    amount: int


class Accepted(msgspec.Struct, frozen=True):
    """Somebody has looked at what waits for a decision, and lets it be."""

    by: str


Event = Opened | LinkRefused | Paid | Declined | Lapsed | Cancelled | GoneBack | Accepted


def step(link: Link, event: Event, now: int) -> Link:
    """The link after the event; the very same one where nothing changes."""
    after = _STEPS[type(event)](link, event, now)
    return after if after is link else replace(after, updated_at=max(now, link.updated_at))


def next_ask(link: Link, now: int) -> int:
    """When an open link is looked after again: asked about, or ended with its time."""
    for after_ms in ASK_AFTER_MS:
        if link.created_at + after_ms > now:
            return min(link.created_at + after_ms, max(link.expires_at, now))
    return min(now + ASK_EVERY_MS, link.expires_at) if link.expires_at > now else now


def _opened(link: Link, event: Opened, now: int) -> Link:
    if link.reference is not None:
        return link
    named = replace(link, reference=event.reference, url=event.url, asked=0)
    if link.state == "making":
        opened = replace(named, state="open", expires_at=event.expires_at, failure="")
        return replace(opened, ask_at=next_ask(opened, now))
    if link.state == "paid":
        return named
    # It ended while the provider was making it: nobody is to pay it any more.
    return replace(named, ask_at=now)


def _refused(link: Link, event: LinkRefused, now: int) -> Link:
    if link.state != "making":
        return link
    return replace(link, state="failed", failure=event.code, ask_at=None, ended_at=now)


def _paid(link: Link, event: Paid, now: int) -> Link:
    if link.received:
        # One link is paid once, however often that is told; the payment's name may come later than the news.
        if link.payment_reference or not event.payment_reference:
            return link
        return replace(link, payment_reference=event.payment_reference)
    received = replace(
        link, received=event.amount, received_currency=event.currency, paid_at=now,
        payment_reference=event.payment_reference or link.payment_reference,
    )  # fmt: skip
    if event.currency != link.currency:
        return _raise(received, "currency_differs", now)
    if event.amount != link.amount:
        return _raise(received, "amount_differs", now)
    paid = replace(received, state="paid", failure="", ask_at=None, ended_at=now)
    return paid if link.is_alive else _raise(paid, "paid_after_end", now)


def _declined(link: Link, event: Declined, now: int) -> Link:
    return (
        link if not link.is_alive or link.received or link.failure == event.code else replace(link, failure=event.code)
    )


def _lapsed(link: Link, event: Lapsed, now: int) -> Link:
    return _end(link, "expired", now, at_provider=event.at_provider)


def _cancelled(link: Link, event: Cancelled, now: int) -> Link:
    return _end(link, "cancelled", now, at_provider=event.at_provider)


def _end(link: Link, state: State, now: int, *, at_provider: bool) -> Link:
    if not link.is_alive:
        return link
    # Else the provider is told too, so that nobody pays for it any more.
    ask_at = None if at_provider or link.reference is None else now
    return replace(link, state=state, ask_at=ask_at, asked=0, ended_at=now)


def _gone_back(link: Link, event: GoneBack, now: int) -> Link:
    amount = min(event.amount, link.received - link.refunded)
    if amount <= 0:
        return link
    back = replace(link, refunded=link.refunded + amount)
    if back.refunded == back.received and back.waits_for_decision:
        return replace(back, settled_by="refund", settled_at=now)
    return back


def _accepted(link: Link, event: Accepted, now: int) -> Link:
    if not link.waits_for_decision:
        return link
    settled = replace(link, settled_by=event.by, settled_at=now)
    if link.attention == "amount_differs" and link.state != "paid" and link.refunded < link.received:
        return replace(settled, state="paid", ask_at=None, ended_at=now)
    return settled


def _raise(link: Link, attention: Attention, now: int) -> Link:
    return replace(link, attention=attention, attention_at=now, settled_by="", settled_at=None)


def unclaimed(link: Link, now: int) -> Link:
    """Nothing is left that the money is for: people decide."""
    return replace(_raise(link, "paid_after_end", now), updated_at=max(now, link.updated_at))


def with_trouble(link: Link, now: int) -> Link:
    """The provider refused to give money back: people decide what else to do."""
    if link.waits_for_decision:
        return link
    return replace(_raise(link, "refund_failed", now), updated_at=max(now, link.updated_at))


_STEPS: dict[type[Any], Callable[[Link, Any, int], Link]] = {
    Opened: _opened,
    LinkRefused: _refused,
    Paid: _paid,
    Declined: _declined,
    Lapsed: _lapsed,
    Cancelled: _cancelled,
    GoneBack: _gone_back,
    Accepted: _accepted,
}
