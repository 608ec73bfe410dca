"""A restaurant whose guests pay online, with a payment provider in this process that does what it is told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from sqlalchemy import select

from tablegram.flows.payments.orders.gate import OrderGate
from tablegram.flows.payments.orders.replies import PaymentReplies
from tablegram.flows.payments.tabs.gate import TabGate
from tablegram.flows.restaurant.fields import LineFields
from tablegram.payments.accesses import Accesses
from tablegram.payments.caretaking import Caretaker
from tablegram.payments.hearing import Hearing
from tablegram.payments.keeping import Payments
from tablegram.payments.model import Link, read_link
from tablegram.payments.ports import (
    LinkReport,
    LinkWish,
    MadeLink,
    Mode,
    ProviderDown,
    Refunded,
    RefundWish,
    Signal,
)
from tablegram.payments.rows import LinkRow
from tablegram.storage.database import Query, Row, Tx
from tablegram.storage.tables import order_payments, payment_links, tickets
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tests.printing.kitchen import Kitchen
from tests.restaurant.flows.house import House, house

_LINKS = Query(select(payment_links).where(payment_links.c.account_id == 1).order_by(payment_links.c.id), row=LinkRow)
_TICKETS = Query(select(tickets).where(tickets.c.account_id == 1))
_MONEY = Query(select(order_payments).where(order_payments.c.account_id == 1).order_by(order_payments.c.id))


class Till:
    """The provider: remembers links, and is down while it is told to be."""

    name = "sandbox"
    mode: Mode = "test"

    def __init__(self) -> None:
        self.links: dict[str, LinkWish] = {}
        self.paid: dict[str, int] = {}
        self.cancelled: set[str] = set()
        self.refunds: dict[str, RefundWish] = {}
        self.is_down = False

    def _answer(self) -> None:
        if self.is_down:
            raise ProviderDown("no answer")

    async def make(self, wish: LinkWish) -> MadeLink:
        self._answer()
        self.links[wish.link_id] = wish
        return MadeLink(
            reference=f"ref-{wish.link_id}", url=f"http://pay.test/{wish.link_id}", expires_at=wish.expires_at
        )

    def read(self, headers: Mapping[str, str], body: bytes, now: int) -> tuple[Signal, ...]:
        raise NotImplementedError

    async def ask(self, link_id: str, reference: str) -> LinkReport:
        self._answer()
        return self._standing(link_id)

    async def cancel(self, reference: str) -> LinkReport:
        self._answer()
        link_id = reference.removeprefix("ref-")
        if link_id not in self.paid:
            self.cancelled.add(link_id)
        return self._standing(link_id)

    async def refund(self, wish: RefundWish) -> Refunded:
        self._answer()
        self.refunds[wish.refund_id] = wish
        return Refunded(reference=f"back-{wish.refund_id}")

    async def check(self) -> None:
        self._answer()

    def _standing(self, link_id: str) -> LinkReport:
        if link_id in self.paid:
            wish = self.links[link_id]
            return LinkReport(state="paid", amount=self.paid[link_id], currency=wish.currency, payment_reference="p")
        return LinkReport(state="cancelled" if link_id in self.cancelled else "open")


class PaidHouse:
    """The house, its gate, and the till behind it."""

    def __init__(self, one: House) -> None:
        self.house, self.db, self.clock, self.till = one, one.db, one.clock, Till()
        self.kitchen = Kitchen(one)
        product = one.product

        def opener(name: str, mode: Mode, keys: Mapping[str, str]) -> Any:
            return self.till

        accesses = Accesses(one.db, product.box, opener, "http://here.test", sandbox=True)
        self.payments = Payments(accesses)
        self.caretaker = Caretaker(one.db, one.clock, self.payments, "http://here.test")
        self.hearing = Hearing(self.payments, one.clock)
        self.ordering = product.of(RestaurantWorks).ordering
        self.gate = OrderGate(self.payments, self.caretaker, self.ordering, self._later, "http://here.test/api/v1")
        self.gate.join()
        TabGate(self.payments, self.caretaker, self.ordering, self._later, "http://here.test/api/v1").join()
        product.whole.answerers.append(PaymentReplies(one.clock, self.ordering, self.gate))
        self._waiting: list[Any] = []

    def _later(self, name: str, work: Any) -> None:
        self._waiting.append(work)

    async def settle(self) -> None:
        """What was begun after a commit is done."""
        while self._waiting:
            await self._waiting.pop(0)

    def forget(self) -> None:
        """The process dies before it could call the provider."""
        while self._waiting:
            self._waiting.pop(0).close()

    async def drain(self) -> None:
        """What is due is taken up, as the drain does."""
        for link in await self.links():
            while await self.caretaker.look(1, link.provider_id, 8):
                pass
            break
        await self.settle()

    async def order(self, *lines: LineFields, table: str | None = "5", **fields: Any) -> dict[str, Any]:
        """A guest orders on the page and pays now."""
        cart = await self.house.cart(*lines, table=table, **({} if table else {"order_type": "takeaway"}))
        given = {"payment_method": "online_card", **fields}
        made: dict[str, Any] = await self.house.guests.order_from_page(
            self.house.venue, cart["code"], cart["holder"], given
        )
        await self.settle()
        return made

    async def pay(self, link: Link, amount: int | None = None, signal_id: str = "") -> None:
        """The guest pays, and the provider tells of it."""
        self.till.paid.setdefault(link.id, link.amount if amount is None else amount)
        await self.signal(link, signal_id or f"sig-{link.id}")

    async def signal(self, link: Link, signal_id: str) -> None:
        told = Signal(
            id=signal_id, kind="paid", link_id=link.id, reference=f"ref-{link.id}", amount=self.till.paid[link.id],
            currency=link.currency,
        )  # fmt: skip
        await self.payments.prepare(1)
        now = self.clock.now_ms()

        async def work(tx: Tx) -> Link | None:
            return await self.hearing.hear(tx, 1, link.provider_id, told, now)

        heard = await self.db.write(work)
        if heard is not None:
            self.payments.told(heard)
        await self.settle()

    async def links(self) -> list[Link]:
        return [read_link(row) for row in await self.db.all(_LINKS)]

    async def link(self) -> Link:
        return (await self.links())[-1]

    async def tickets(self) -> list[str]:
        return [row["kind"] for row in await self.db.all(_TICKETS)]

    async def money(self) -> list[tuple[str, str, str, int]]:
        rows: list[Row] = await self.db.all(_MONEY)
        return [(row["kind"], row["state"], row["method"], row["amount"]) for row in rows]

    async def created(self) -> int:
        return len(await self.house.told("restaurant.order_created"))

    async def standing(self) -> tuple[str, str]:
        row = (await self.house.placed())[-1]
        return row["state"], row["payment_state"]


@asynccontextmanager
async def paid_house(database_url: str, *, accepts: bool = True, **details: Any) -> AsyncIterator[PaidHouse]:
    async with house(database_url, accepts=accepts, without=("payments", "order payments")) as one:
        given = {"pays_online": ["dine_in", "takeaway", "delivery"], **details}
        await one.change_venue(details=given)
        yield PaidHouse(one)


replace = msgspec.structs.replace
