"""What is done with providers, outside of any transaction: links are made, asked about, taken back; money is given back.

Each call is safe to repeat: it goes by the link's or the refund's own id. Whoever calls takes the row first, for longer than
a provider may take, so that two processes do not call for the same thing at once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tablegram.engine import crash_points
from tablegram.engine.leases import steady_s
from tablegram.engine.retries import Retries
from tablegram.payments import states
from tablegram.payments.accesses import Accesses
from tablegram.payments.keeping import INLINE_MS, Payments
from tablegram.payments.model import Link, ProviderRow, Refund, read_link, read_refund
from tablegram.payments.ports import (
    Customer,
    LinkReport,
    LinkWish,
    Provider,
    ProviderDown,
    ProviderRefused,
    RefundWish,
)
from tablegram.payments.states import Cancelled, Declined, Event, Lapsed, LinkRefused, Opened, Paid
from tablegram.payments.store import links as store
from tablegram.payments.store import providers as provider_store
from tablegram.payments.store import refunds as refund_store
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import DAY_MS, MINUTE_MS, SECOND_MS, Clock
from tablegram.values.http.wire import only_while

log = logging.getLogger("tablegram.payments")

# Longer than a provider is given; shorter than what a row is taken for.
CALL_S = 15.0
TAKEN_MS = INLINE_MS + 10 * SECOND_MS
RETRIES = Retries((5, 15, 60, 300, 900, 3_600), jitter=0.2)
# A link whose time is over ends at last, whether its provider answers or not.
GRACE_MS = 10 * MINUTE_MS
# So long after the end of a link, its provider is asked to let nobody pay it.
TAKE_BACK_MS = DAY_MS
DOWN = "provider_down"

Answer = TypeVar("Answer")


class Caretaker:
    def __init__(self, db: Database, clock: Clock, payments: Payments, base_url: str) -> None:
        self._db = db
        self._clock = clock
        self._payments = payments
        self._accesses: Accesses = payments.accesses
        self._base_url = base_url.rstrip("/")

    # At once, by whoever just committed.

    async def hurry(self, account_id: int, link_id: str) -> Link:
        """Do what a link needs now; it says itself what came of it. What fails is done again by the drain."""
        link = await self._link(account_id, link_id)
        if link.ask_at is not None:
            try:
                kept, provider = await self._accesses.open(account_id, link.provider_id)
                await self._see_to(kept, provider, link)
            except Exception as error:
                log.warning("a link could not be seen to at once: %s", type(error).__name__)
        return await self._link(account_id, link_id)

    async def hurry_refund(self, account_id: int, refund_id: str) -> Refund:
        refund = await self._refund(account_id, refund_id)
        if refund.state == "asked":
            try:
                link = await self._link(account_id, refund.link_id)
                _, provider = await self._accesses.open(account_id, link.provider_id)
                await self._give_back(provider, link, refund)
            except Exception as error:
                log.warning("a refund could not be asked for at once: %s", type(error).__name__)
        return await self._refund(account_id, refund_id)

    # By the drain.

    async def look(self, account_id: int, provider_id: str, most: int) -> bool:
        """Take up what is due with one access. Tells whether there was anything."""
        now = self._clock.now_ms()
        which = {"b_account": account_id, "b_provider": provider_id, "now": now}
        links = [read_link(row) for row in await self._db.all(store.DUE, which)][:most]
        refunds = [read_refund(row) for row in await self._db.all(refund_store.DUE, which)][:most]
        if not links and not refunds:
            return False
        kept, provider = await self._accesses.open(account_id, provider_id)
        await asyncio.gather(
            *[self._take_up(kept, provider, link) for link in links],
            *[self._take_up_refund(provider, refund) for refund in refunds],
        )
        return True

    async def _take_up(self, kept: ProviderRow, provider: Provider, link: Link) -> None:
        now = self._clock.now_ms()
        taken = {"b_account": link.account_id, "b_id": link.id, "now": now, "until": now + TAKEN_MS}
        if await self._db.write(lambda tx: tx.run(store.CLAIM, taken)):
            await self._see_to(kept, provider, await self._link(link.account_id, link.id))

    async def _take_up_refund(self, provider: Provider, refund: Refund) -> None:
        now = self._clock.now_ms()
        taken = {"b_account": refund.account_id, "b_id": refund.id, "now": now, "until": now + TAKEN_MS}
        if await self._db.write(lambda tx: tx.run(refund_store.CLAIM, taken)):
            link = await self._link(refund.account_id, refund.link_id)
            await self._give_back(provider, link, await self._refund(refund.account_id, refund.id))

    # One link.

    async def _see_to(self, kept: ProviderRow, provider: Provider, link: Link) -> None:
        try:
            if link.state == "making":
                await self._make(kept, provider, link)
            elif link.state == "open" and link.expires_at <= self._clock.now_ms():
                await self._expire(provider, link)
            elif link.state == "open" or link.state == "paid":
                await self._ask(provider, link)
            else:
                await self._take_back(provider, link)
        except ProviderDown:
            await self._later(link)
        except ProviderRefused as refused:
            log.warning("a provider refuses to tell of a link: %s", refused.code)
            await self._later(link)

    async def _make(self, kept: ProviderRow, provider: Provider, link: Link) -> None:
        if link.expires_at <= self._clock.now_ms():
            await self._apply(link, Lapsed())
            return
        success_url, cancel_url = self._landing(link)
        wish = LinkWish(
            link_id=link.id,
            amount=link.amount,
            currency=link.currency,
            description=link.description,
            items=link.items,
            customer=Customer(phone=link.phone),
            language=link.language,
            success_url=success_url,
            cancel_url=cancel_url,
            hook_url=self._accesses.hook_url(kept),
            expires_at=link.expires_at,
        )
        try:
            made = await _within(provider.make(wish))
        except ProviderRefused as refused:
            await self._apply(link, LinkRefused(refused.code))
            return
        except ProviderDown:
            # The link waits and says why.
            await self._apply(link, Declined(DOWN))
            raise
        crash_points.reach("payments.answered")
        await self._apply(link, Opened(made.reference, made.url, made.expires_at))

    async def _ask(self, provider: Provider, link: Link) -> None:
        standing = await _within(provider.ask(link.id, link.reference or ""))
        crash_points.reach("payments.answered")
        await self._settle(link, standing)

    async def _expire(self, provider: Provider, link: Link) -> None:
        """Its time is over; who paid in the last second has paid."""
        try:
            standing = await _within(provider.cancel(link.reference or ""))
        except (ProviderDown, ProviderRefused):
            if self._clock.now_ms() < link.expires_at + GRACE_MS:
                raise
            await self._apply(link, Lapsed())
            return
        crash_points.reach("payments.answered")
        if standing.state == "paid":
            await self._settle(link, standing)
        else:
            await self._apply(link, Lapsed(at_provider=True))

    async def _take_back(self, provider: Provider, link: Link) -> None:
        """It has ended here: let nobody pay it there. Who has, has."""
        standing = await _within(provider.cancel(link.reference or ""))
        crash_points.reach("payments.answered")
        await self._settle(link, standing)

    async def _settle(self, link: Link, standing: LinkReport) -> None:
        """What the provider says of it, when it was asked."""
        if standing.state == "paid" and standing.amount is None:
            raise ProviderDown("it says that it was paid, and not how much")
        events: dict[str, Event] = {
            "paid": Paid(standing.amount or 0, standing.currency, standing.payment_reference),
            "failed": Declined(),
            "expired": Lapsed(at_provider=True),
            "cancelled": Cancelled(at_provider=True),
        }
        after = link
        if (event := events.get(standing.state)) is not None:
            after = await self._apply(link, event)
        if standing.refunded and after.received:
            after = await self._refunded_elsewhere(after, standing.refunded)
        if after.state == "open":
            await self._next(link, states.next_ask(link, self._clock.now_ms() + 1))
        elif after.ask_at is not None:
            await self._next(after, None)

    async def _later(self, link: Link) -> None:
        """The provider gave no answer that means anything."""
        now = self._clock.now_ms()
        given_up = link.ended_at is not None and now - link.ended_at > TAKE_BACK_MS
        at = None if given_up else RETRIES.next_ms(link.asked, now)
        await self._next(link, at, link.asked)

    async def _next(self, link: Link, at: int | None, failures: int = 0) -> None:
        which = {"b_account": link.account_id, "b_id": link.id, "b_state": link.state, "b_taken": link.ask_at}
        await self._db.put((store.AGAIN, {**which, "new_at": at, "new_asked": failures}))

    async def _apply(self, link: Link, event: Event) -> Link:
        await self._payments.prepare(link.account_id)
        now = self._clock.now_ms()
        after = await self._db.write(lambda tx: self._payments.apply(tx, link.account_id, link.id, event, now))
        self._payments.told(after)
        return after

    async def _refunded_elsewhere(self, link: Link, total: int) -> Link:
        await self._payments.prepare(link.account_id)
        now = self._clock.now_ms()
        after = await self._db.write(lambda tx: self._payments.refunded_elsewhere(tx, link, total, "asked", now))
        self._payments.told(after)
        return after

    # One refund.

    async def _give_back(self, provider: Provider, link: Link, refund: Refund) -> None:
        now = self._clock.now_ms()
        try:
            payment = link.payment_reference or await self._name_of_payment(provider, link)
            wish = RefundWish(
                refund_id=refund.id,
                reference=link.reference or "",
                payment_reference=payment,
                amount=refund.amount,
                currency=refund.currency,
            )
            answer = await _within(provider.refund(wish))
        except ProviderDown:
            again = {
                "b_account": refund.account_id,
                "b_id": refund.id,
                "new_at": RETRIES.next_ms(refund.attempts, now),
            }
            await self._db.put((refund_store.AGAIN, again))
            return
        except ProviderRefused as refused:
            code = refused.code
            await self._end(link, lambda tx: self._payments.refund_failed(tx, refund, code, now))
            return
        crash_points.reach("payments.refund_answered")
        await self._end(link, lambda tx: self._payments.refund_succeeded(tx, refund, answer.reference, now))

    async def _name_of_payment(self, provider: Provider, link: Link) -> str:
        """Signals do not say it, and refunds need it."""
        standing = await _within(provider.ask(link.id, link.reference or ""))
        if standing.state == "paid" and standing.amount is not None and standing.payment_reference:
            await self._apply(link, Paid(standing.amount, standing.currency, standing.payment_reference))
        return standing.payment_reference

    async def _end(self, link: Link, work: Callable[[Tx], Awaitable[Link | None]]) -> None:
        await self._payments.prepare(link.account_id)
        after = await self._db.write(work)
        if after is not None:
            self._payments.told(after)

    # Inside.

    async def check(self, account_id: int, provider_id: str) -> None:
        """Prove that an access works. Raises `ProviderDown` or `ProviderRefused`."""
        kept, provider = await self._accesses.open(account_id, provider_id)
        await _within(provider.check())
        which = {"b_account": account_id, "b_id": kept.id, "now": self._clock.now_ms()}
        await self._db.put((provider_store.CHECKED, which))

    def _landing(self, link: Link) -> tuple[str, str]:
        landing = self._payments.landings.get(link.subject_kind)
        if landing is not None:
            return landing(link)
        own = f"{self._base_url}/pay/{link.id}"
        return own, own

    async def _link(self, account_id: int, link_id: str) -> Link:
        return await self._db.snapshot(lambda tx: self._payments.get(tx, account_id, link_id))

    async def _refund(self, account_id: int, refund_id: str) -> Refund:
        row = await self._db.first(refund_store.GET, {"b_account": account_id, "b_id": refund_id})
        assert row is not None
        return read_refund(row)


async def _within(call: Awaitable[Answer]) -> Answer:
    """A provider that takes too long is as good as none.

    Nor is it asked for anything more by then, even if this process stood still: another may have asked meanwhile, and not
    every provider knows what it was asked before (`providers/iyzico.py` looks for a refund, and then makes it).
    """
    began_s = steady_s()
    try:
        with only_while(lambda: steady_s() - began_s < CALL_S):
            async with asyncio.timeout(CALL_S):
                return await call
    except TimeoutError:
        raise ProviderDown("no answer in time") from None
