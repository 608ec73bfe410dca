"""The heart of payments over a real store, with a provider that tests play themselves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import func, select

from tablegram.payments.accesses import Accesses
from tablegram.payments.caretaking import Caretaker
from tablegram.payments.hearing import Hearing
from tablegram.payments.keeping import Payments
from tablegram.payments.model import Link, ProviderRow, Refund, WishedLink, read_link, read_refund
from tablegram.payments.ports import (
    LinkReport,
    LinkWish,
    MadeLink,
    Mode,
    Provider,
    ProviderDown,
    ProviderRefused,
    Refunded,
    RefundWish,
    Signal,
)
from tablegram.payments.rows import LinkRow, RefundRow
from tablegram.storage.database import Database, Query
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import payment_links, payment_movements, payment_refunds
from tablegram.values.secrets import SecretBox
from tests.accounts.opened import SECRET, MovableClock
from tests.storage.opened import opened

KEYS = {"secret": "whsec_" + "QUFB" * 12, "pay_url": "https://pay.example/?ref={link_id}"}

_LINKS = Query(across_accounts(select(payment_links).order_by(payment_links.c.id), "a test"), row=LinkRow)
_REFUNDS = Query(across_accounts(select(payment_refunds).order_by(payment_refunds.c.id), "a test"), row=RefundRow)
_LEDGER = Query(
    across_accounts(
        select(
            payment_movements.c.link_id,
            payment_movements.c.kind,
            func.sum(payment_movements.c.amount).label("amount"),
            func.count().label("n"),
        ).group_by(payment_movements.c.link_id, payment_movements.c.kind),
        "a test",
    )
)


class Bank:
    """A provider in memory. `down` and `refuses` say how it answers; what it was asked for is counted."""

    name = "generic"
    mode: Mode = "test"

    def __init__(self) -> None:
        self.down = False
        self.refuses = ""
        self.asked: list[tuple[str, str]] = []
        self.made: dict[str, LinkWish] = {}
        self.standings: dict[str, LinkReport] = {}
        self.refunds: dict[str, RefundWish] = {}

    def _call(self, what: str, name: str) -> None:
        self.asked.append((what, name))
        if self.down:
            raise ProviderDown("closed")
        if self.refuses:
            raise ProviderRefused(self.refuses, "no")

    def pay(self, link_id: str, amount: int | None = None, currency: str = "") -> None:
        wish = self.made[link_id]
        self.standings[f"ref-{link_id}"] = LinkReport(
            state="paid",
            amount=wish.amount if amount is None else amount,
            currency=currency or wish.currency,
            payment_reference=f"payment-{link_id}",
        )

    async def make(self, wish: LinkWish) -> MadeLink:
        self._call("make", wish.link_id)
        self.made.setdefault(wish.link_id, wish)
        reference = f"ref-{wish.link_id}"
        self.standings.setdefault(reference, LinkReport(state="open"))
        return MadeLink(reference=reference, url=f"https://pay.example/{wish.link_id}", expires_at=wish.expires_at)

    def read(self, headers: Mapping[str, str], body: bytes, now: int) -> tuple[Signal, ...]:
        return ()

    async def ask(self, link_id: str, reference: str) -> LinkReport:
        self._call("ask", reference)
        return self.standings[reference]

    async def cancel(self, reference: str) -> LinkReport:
        self._call("cancel", reference)
        if self.standings[reference].state == "open":
            self.standings[reference] = LinkReport(state="cancelled")
        return self.standings[reference]

    async def refund(self, wish: RefundWish) -> Refunded:
        self._call("refund", wish.refund_id)
        self.refunds.setdefault(wish.refund_id, wish)
        return Refunded(reference=f"back-{wish.refund_id}")

    async def check(self) -> None:
        self._call("check", "")


class Till:
    def __init__(self, db: Database, clock: MovableClock) -> None:
        self.db = db
        self.clock = clock
        self.bank = Bank()
        box = SecretBox(SECRET)

        def opener(name: str, mode: Mode, keys: Mapping[str, str]) -> Provider:
            return self.bank

        self.accesses = Accesses(db, box, opener, "https://gate.example", sandbox=False)
        self.payments = Payments(self.accesses)
        self.caretaker = Caretaker(db, clock, self.payments, "https://gate.example")
        self.hearing = Hearing(self.payments, clock)
        self.access: ProviderRow | None = None

    async def connect(self) -> ProviderRow:
        now = self.clock.now_ms()
        draft = self.accesses.draft(1, "generic", "test", KEYS, now)
        self.access = await self.db.write(lambda tx: self.accesses.add(tx, draft, now))
        return self.access

    async def make(self, *, hurry: bool = True, **fields: Any) -> Link:
        wish = WishedLink(**{"account_id": 1, "amount": 4_500, "currency": "TRY", "description": "Dinner", **fields})
        now = self.clock.now_ms()
        link = await self.db.write(lambda tx: self.payments.make(tx, wish, now))
        return await self.caretaker.hurry(1, link.id) if hurry else link

    async def hear(self, signal: Signal) -> Link | None:
        assert self.access is not None
        provider_id, now = self.access.id, self.clock.now_ms()
        return await self.db.write(lambda tx: self.hearing.hear(tx, 1, provider_id, signal, now))

    async def look(self) -> None:
        """All that is due with the provider, until nothing is."""
        assert self.access is not None
        while await self.caretaker.look(1, self.access.id, 8):
            pass

    async def pass_time(self, minutes: float) -> None:
        self.clock.advance(minutes * 60)
        await self.look()

    async def link(self, link_id: str) -> Link:
        return await self.db.snapshot(lambda tx: self.payments.get(tx, 1, link_id))

    async def refund(self, link_id: str, *, hurry: bool = True, **fields: Any) -> Refund:
        now = self.clock.now_ms()
        refund = await self.db.write(lambda tx: self.payments.refund(tx, 1, link_id, now, **fields))
        return await self.caretaker.hurry_refund(1, refund.id) if hurry else refund

    async def check_ledger(self) -> None:
        """What links and refunds say is what the movements sum up to."""
        links = [read_link(row) for row in await self.db.all(_LINKS)]
        refunds = [read_refund(row) for row in await self.db.all(_REFUNDS)]
        sums = {(row["link_id"], row["kind"]): int(row["amount"]) for row in await self.db.all(_LEDGER)}
        for link in links:
            gone = sum(one.amount for one in refunds if one.link_id == link.id and one.state == "succeeded")
            assert sums.get((link.id, "payment"), 0) == link.received, link
            assert -sums.get((link.id, "refund"), 0) == link.refunded == gone, link
            assert 0 <= link.refunded <= link.received, link


def paid(link: Link, name: str = "s1", **changes: Any) -> Signal:
    fields = {"id": name, "kind": "paid", "link_id": link.id, "reference": link.reference or ""}
    return Signal(**{**fields, "amount": link.amount, "currency": link.currency, **changes})


@asynccontextmanager
async def open_till(database_url: str) -> AsyncIterator[Till]:
    async with opened(database_url) as db:
        till = Till(db, MovableClock())
        await till.connect()
        yield till
