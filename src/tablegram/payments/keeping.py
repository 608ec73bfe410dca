"""Links as the rest of the product works with them, inside its transactions.

`make`, `cancel`, `refund` and `apply` change rows only. The provider is called after the commit (`caretaking`), at once if
possible and by a drain otherwise. Who has something of their own to write whenever a link changes is a follower.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from tablegram.engine import crash_points
from tablegram.errors import Conflict, Invalid, NotFound
from tablegram.payments import states
from tablegram.payments.accesses import Accesses
from tablegram.payments.model import (
    Link,
    Refund,
    SubjectKind,
    WishedLink,
    read_link,
    read_refund,
    write_link,
    write_refund,
)
from tablegram.payments.states import Accepted, Cancelled, Event, GoneBack
from tablegram.payments.store import links as store
from tablegram.payments.store import refunds as refund_store
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS, MINUTE_MS, SECOND_MS
from tablegram.values.ids import new_id
from tablegram.values.money import AMOUNT_WANTED, CURRENCY_WANTED, EXPONENTS
from tablegram.values.texts.reasons import short_reason

LINK_PREFIX = "pay_"
REFUND_PREFIX = "rfd_"
MOVEMENT_PREFIX = "mov_"
MAX_DESCRIPTION = 200
MAX_REASON = 300
MIN_LIFE_MS = 5 * MINUTE_MS
MAX_LIFE_MS = 30 * DAY_MS
# Where nobody says how long.
USUAL_LIFE_S = 24 * 3_600
# Who made a link asks the provider for it at once; the drain takes it up when that has not been heard of for so long. A refund
# may take two calls, of 15 seconds at most.
INLINE_MS = 40 * SECOND_MS

replace = msgspec.structs.replace

# A link as it was (nothing when it is new) and as it is, with the time; in the transaction of the change.
Follower = Callable[[Tx, Link | None, Link, int], Awaitable[None]]
# A refund that ended, with its link as it is now; in the same transaction.
RefundFollower = Callable[[Tx, Link, Refund, int], Awaitable[None]]
# After the commit.
Listener = Callable[[Link], None]
# The most that all links of a subject may come to, in minor units: what is to be paid for it, less what was paid in other
# ways. It locks the subject, so that two links at once are made one after the other.
Limit = Callable[[Tx, int, str, str], Awaitable[int]]
# The address for who has paid, and for who came back without.
Landing = Callable[[Link], tuple[str, str]]


class Payments:
    def __init__(self, accesses: Accesses) -> None:
        self.accesses = accesses
        self.followers: list[Follower] = []
        self.refund_followers: list[RefundFollower] = []
        self.listeners: list[Listener] = []
        # By the kind of subject; who owns it says.
        self.limits: dict[str, Limit] = {}
        # Where the payer lands afterwards, by the kind of subject; else on a page of our own.
        self.landings: dict[str, Landing] = {}
        # What followers want to read before the transaction.
        self.preparing: list[Callable[[int], Awaitable[None]]] = []

    async def prepare(self, account_id: int) -> None:
        """Call before a unit of work that changes links."""
        for prepare in self.preparing:
            await prepare(account_id)

    # Looking.

    async def ready(self, tx: Tx, account_id: int) -> bool:
        """Whether links can be made for the account at all."""
        return await self.accesses.ready(tx, account_id)

    async def get(self, tx: Tx, account_id: int, link_id: str) -> Link:
        row = await tx.first(store.GET, {"b_account": account_id, "b_id": link_id})
        if row is None:
            raise unknown()
        return read_link(row)

    async def lock(self, tx: Tx, account_id: int, link_id: str) -> Link:
        row = await tx.first(store.LOCK, {"b_account": account_id, "b_id": link_id})
        if row is None:
            raise unknown()
        return read_link(row)

    async def of_subject(self, tx: Tx, account_id: int, kind: SubjectKind, key: str) -> list[Link]:
        """All links that were ever made for it, oldest first."""
        rows = await tx.all(store.OF_SUBJECT, {"b_account": account_id, "b_kind": kind, "b_key": key})
        return [read_link(row) for row in rows]

    async def refunds(self, tx: Tx, account_id: int, link_id: str) -> list[Refund]:
        rows = await tx.all(refund_store.OF_LINK, {"b_account": account_id, "b_link": link_id})
        return [read_refund(row) for row in rows]

    # Changing.

    async def make(self, tx: Tx, wish: WishedLink, now: int) -> Link:
        """A link in state `making`. Call `Caretaker.hurry` after the commit; without it the drain makes it soon."""
        _check(wish)
        await self._check_limit(tx, wish)
        chosen = await self.accesses.choose(tx, wish.account_id, wish.provider_id, now, is_test=wish.is_test)
        link = Link(
            account_id=wish.account_id,
            id=LINK_PREFIX + new_id(now),
            provider_id=chosen.id,
            mode=chosen.mode,
            amount=wish.amount,
            tip=wish.tip,
            currency=wish.currency,
            description=wish.description,
            items=wish.items,
            language=wish.language,
            subject_kind=wish.subject_kind,
            subject_key=wish.subject_key,
            subject_note=wish.subject_note,
            venue_id=wish.venue_id,
            contact_id=wish.contact_id,
            phone=wish.phone,
            expires_at=now + wish.lives_ms,
            ask_at=now + INLINE_MS,
            made_by=wish.made_by,
            created_at=now,
            updated_at=now,
        )
        await tx.run(store.INSERT, write_link(link))
        await self._follow(tx, None, link, now)
        crash_points.reach("payments.made")
        return link

    async def apply(self, tx: Tx, account_id: int, link_id: str, event: Event, now: int) -> Link:
        """The link after something happened to it. What changes nothing, changes nothing."""
        return await self._step(tx, await self.lock(tx, account_id, link_id), event, now)

    async def cancel(self, tx: Tx, account_id: int, link_id: str, now: int) -> Link:
        """Take a link back. Who has paid has paid: a paid link is refunded, not cancelled."""
        link = await self.lock(tx, account_id, link_id)
        if link.state == "paid":
            raise Conflict("This link is paid. Refund it instead.", code="link_paid")
        if link.received:
            raise Conflict("Money came in for this link. Decide about that first.", code="link_has_money")
        return await self._step(tx, link, Cancelled(), now)

    async def accept(self, tx: Tx, account_id: int, link_id: str, by: str, now: int) -> Link:
        """Let be what waits for a decision."""
        link = await self.lock(tx, account_id, link_id)
        if not link.waits_for_decision:
            raise Conflict("Nothing about this link waits for a decision.", code="nothing_to_decide")
        return await self._step(tx, link, Accepted(by), now)

    async def question(self, tx: Tx, account_id: int, link_id: str, now: int) -> Link:
        """What was paid for is no more, or was paid already: people decide about the money."""
        link = await self.lock(tx, account_id, link_id)
        if link.waits_for_decision or link.received <= link.refunded:
            return link
        after = states.unclaimed(link, now)
        await self._write(tx, link, after, now)
        return after

    async def refund(
        self, tx: Tx, account_id: int, link_id: str, now: int, *, amount: int | None = None, lines: Sequence[str] = (),
        reason: str = "", by: str = "",
    ) -> Refund:  # fmt: skip
        """Ask for money to be given back: `amount` minor units, or all that is left. The provider is asked after the commit."""
        link = await self.lock(tx, account_id, link_id)
        left = link.received - link.refunded - sum(one.amount for one in await self._asked(tx, link))
        wanted = left if amount is None else amount
        if not link.received:
            raise Conflict("Nothing was paid with this link, so nothing can be given back.", code="link_not_paid")
        if left <= 0:
            raise Conflict("All of it was given back already.", code="already_refunded")
        if wanted <= 0 or wanted > left:
            raise Invalid.field("amount", "refund_too_large", "More than is left of the payment, or nothing at all.")
        short_reason(reason, MAX_REASON)
        refund = Refund(
            account_id=account_id,
            id=REFUND_PREFIX + new_id(now),
            link_id=link_id,
            amount=wanted,
            currency=link.received_currency,
            lines=tuple(lines),
            reason=reason,
            made_by=by,
            due_at=now + INLINE_MS,
            created_at=now,
        )
        await tx.run(refund_store.INSERT, write_refund(refund))
        crash_points.reach("payments.refund_asked")
        return refund

    async def refund_succeeded(self, tx: Tx, refund: Refund, reference: str, now: int) -> Link | None:
        """The provider took it: the link, or nothing when that was known."""
        link = await self.lock(tx, refund.account_id, refund.link_id)
        if not await self._end_refund(tx, refund, "succeeded", now, reference=reference):
            return None
        after = await self._step(tx, link, GoneBack(refund.amount), now, external=refund.id)
        ended = replace(refund, state="succeeded", reference=reference, due_at=None, ended_at=now)
        for follow in self.refund_followers:
            await follow(tx, after, ended, now)
        return after

    async def refund_failed(self, tx: Tx, refund: Refund, code: str, now: int) -> Link | None:
        """The provider refused: people decide."""
        link = await self.lock(tx, refund.account_id, refund.link_id)
        if not await self._end_refund(tx, refund, "failed", now, failure=code):
            return None
        after = states.with_trouble(link, now)
        await self._write(tx, link, after, now)
        ended = replace(refund, state="failed", failure=code, due_at=None, ended_at=now)
        for follow in self.refund_followers:
            await follow(tx, after, ended, now)
        return after

    async def refunded_elsewhere(self, tx: Tx, link: Link, total: int, external: str, now: int) -> Link:
        """The provider tells what all refunds of a payment come to; what we did not ask for was done at the provider."""
        link = await self.lock(tx, link.account_id, link.id)
        ours = link.refunded + sum(one.amount for one in await self._asked(tx, link))
        amount = min(total, link.received) - ours
        if amount <= 0:
            return link
        refund = Refund(
            account_id=link.account_id,
            id=REFUND_PREFIX + new_id(now),
            link_id=link.id,
            amount=amount,
            currency=link.received_currency,
            made_by="provider",
            due_at=now,
            created_at=now,
        )
        await tx.run(refund_store.INSERT, write_refund(refund))
        return await self.refund_succeeded(tx, refund, external, now) or link

    async def hand_over(self, tx: Tx, account_id: int, kind: SubjectKind, key: str, to: str) -> None:
        """What the links were for is a part of something else now, and so are they."""
        await tx.run(store.HAND_OVER, {"b_account": account_id, "b_kind": kind, "b_key": key, "new_key": to})

    def told(self, *links: Link) -> None:
        """Call after the commit of whatever changed links."""
        for link in links:
            for listener in self.listeners:
                listener(link)

    # Inside.

    async def _step(self, tx: Tx, before: Link, event: Event, now: int, external: str = "") -> Link:
        after = states.step(before, event, now)
        await self._write(tx, before, after, now, external)
        return after

    async def _write(self, tx: Tx, before: Link, after: Link, now: int, external: str = "") -> None:
        if after is before:
            return
        values = {f"new_{name}": getattr(after, name) for name in store.CHANGING}
        which = {"b_account": before.account_id, "b_id": before.id, "b_state": before.state}
        if await tx.run(store.UPDATE, {**which, **values}) != 1:
            raise Conflict("The link changed in between. Try again.", code="link_changed")
        await self._book(tx, before, after, now, external)
        await self._follow(tx, before, after, now)
        crash_points.reach("payments.changed")

    async def _book(self, tx: Tx, before: Link, after: Link, now: int, external: str) -> None:
        """Every movement is a row."""
        came, went = after.received - before.received, after.refunded - before.refunded
        for kind, amount in (("payment", came), ("refund", -went)):
            if amount:
                row: dict[str, Any] = {
                    "account_id": after.account_id,
                    "id": MOVEMENT_PREFIX + new_id(now),
                    "link_id": after.id,
                    "kind": kind,
                    "amount": amount,
                    "currency": after.received_currency,
                    "external": external if kind == "refund" else "",
                    "created_at": now,
                }
                await tx.run(refund_store.MOVE, row)

    async def _follow(self, tx: Tx, before: Link | None, after: Link, now: int) -> None:
        for follow in self.followers:
            await follow(tx, before, after, now)

    async def _asked(self, tx: Tx, link: Link) -> list[Refund]:
        return [one for one in await self.refunds(tx, link.account_id, link.id) if one.state == "asked"]

    async def _end_refund(
        self, tx: Tx, refund: Refund, state: str, now: int, *, reference: str = "", failure: str = ""
    ) -> bool:
        values = {"new_state": state, "new_reference": reference, "new_failure": failure, "now": now}
        return await tx.run(refund_store.END, {"b_account": refund.account_id, "b_id": refund.id, **values}) == 1

    async def _check_limit(self, tx: Tx, wish: WishedLink) -> None:
        limit = self.limits.get(wish.subject_kind)
        if limit is None:
            return
        most = await limit(tx, wish.account_id, wish.subject_key, wish.currency)
        links = await self.of_subject(tx, wish.account_id, wish.subject_kind, wish.subject_key)
        taken = sum(one.owed if one.is_alive and not one.received else one.received - one.refunded for one in links)
        if taken + wish.amount - wish.tip > most:
            raise Conflict(
                "Links for this would come to more than is left to pay. Cancel one that is open, or ask for less.",
                code="more_than_owed",
            )


def _check(wish: WishedLink) -> None:
    if wish.currency not in EXPONENTS:
        raise Invalid.field("currency", "currency_unknown", CURRENCY_WANTED)
    if not 0 <= wish.tip < max(1, wish.amount):
        raise Invalid.field("tip", "tip_wrong", "A tip is a part of what is paid, and not all of it.")
    if wish.amount <= 0:
        raise Invalid.field("amount", "amount_wrong", AMOUNT_WANTED)
    if not wish.description or len(wish.description) > MAX_DESCRIPTION:
        raise Invalid.field(
            "description", "description_wrong", f"Say in 1 to {MAX_DESCRIPTION} characters what is paid for."
        )
    if not MIN_LIFE_MS <= wish.lives_ms <= MAX_LIFE_MS:
        raise Invalid.field("expires_in_s", "life_wrong", "A link lives from 5 minutes to 30 days.")
    if wish.items and sum(item.amount for item in wish.items) != wish.amount:
        raise Invalid.field("items", "items_differ", "The items do not sum up to the amount.")


def unknown() -> NotFound:
    return NotFound("There is no such payment link.", code="payment_link_unknown")
