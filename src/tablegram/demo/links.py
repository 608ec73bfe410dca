"""The demo's payment links, one in each state. The sandbox's provider knows of them too, so that each can be worked with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal
from urllib.parse import urlsplit

from tablegram.demo import story
from tablegram.demo.stage import Stage
from tablegram.payments.accesses import SANDBOX, Accesses
from tablegram.payments.keeping import Payments
from tablegram.payments.model import Link, WishedLink
from tablegram.payments.ports import Mode, Provider, ProviderDown
from tablegram.payments.states import Cancelled, Lapsed, LinkRefused, Opened, Paid
from tablegram.sandbox.payments.desk import Desk, SandboxPayment, new_reference
from tablegram.sandbox.store import Store
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS, HOUR_MS, MINUTE_MS, Clock

End = Literal["paid", "refunded", "expired", "cancelled", "failed", "open"]
# What for, how much, how many hours ago, and what became of it.
LINKS: tuple[tuple[str, int, int, End], ...] = (
    ("Masa 7, akşam yemeği", 1_840_00, 74, "paid"),
    ("Doğum günü pastası", 950_00, 52, "refunded"),
    ("Toplantı yemeği, kapora", 5_000_00, 49, "expired"),
    ("Paket servis", 420_00, 27, "cancelled"),
    ("Hediye kartı", 1_000_00, 22, "failed"),
    ("Hafta sonu rezervasyonu, kapora", 1_500_00, 1, "open"),
)
BACK = 200_00
BY = "Elif"


async def fill(stage: Stage) -> None:
    """For an account that has connected nothing, where the sandbox is a part of the server."""
    settings = stage.settings
    if not stage.filled or not settings.sandbox or settings.sandbox_url:
        return
    accesses = Accesses(stage.db, stage.box, _closed, settings.base_url, sandbox=True)
    known = await stage.db.snapshot(lambda tx: accesses.every(tx, stage.account_id))
    if known:
        return
    store = Store(settings.data_dir / "sandbox.db", stage.box)
    try:
        await stage.db.write(lambda tx: _Past(stage, accesses, store).tell(tx))
    finally:
        store.close()


class _At(Clock):
    def __init__(self, at: int) -> None:
        self.at = at

    def now_ms(self) -> int:
        return self.at


class _Past:
    def __init__(self, stage: Stage, accesses: Accesses, store: Store) -> None:
        self._stage = stage
        self._accesses = accesses
        self._payments = Payments(accesses)
        self._clock = _At(0)
        self._desk = Desk(store, self._clock)

    async def tell(self, tx: Tx) -> None:
        account_id, now = self._stage.account_id, self._stage.clock.now_ms()
        kept = await self._accesses.add(tx, self._accesses.draft(account_id, SANDBOX, "test", {}, now), now)
        secret = self._accesses.keys(kept)["secret"]
        hook = self._stage.settings.local_url + urlsplit(self._accesses.hook_url(kept)).path
        for number, (what, amount, hours_ago, end) in enumerate(LINKS):
            at = self._clock.at = now - hours_ago * HOUR_MS
            phone = story.GUESTS[number % len(story.GUESTS)].phone
            wish = WishedLink(
                account_id=account_id, amount=amount, currency="TRY", description=what, language="tr", phone=phone,
                lives_ms=7 * DAY_MS if end == "open" else DAY_MS, provider_id=kept.id, made_by=BY,
            )  # fmt: skip
            link = await self._payments.make(tx, wish, at)
            if end == "failed":
                await self._payments.apply(tx, account_id, link.id, LinkRefused("provider_refused"), at)
            elif end != "open":
                await self._end(tx, link, secret, hook, end)
            # One that is open is made with the provider by the server itself, as soon as it runs.

    async def _end(self, tx: Tx, link: Link, secret: str, hook: str, end: End) -> None:
        base = self._stage.settings.base_url
        own = f"{base}/pay/{link.id}"
        there = self._desk.make(secret, SandboxPayment(
            reference=new_reference(), link_id=link.id, amount=link.amount, currency=link.currency,
            description=link.description, items=(), language=link.language, success_url=own, cancel_url=own,
            hook_url=hook, expires_ms=link.expires_at,
        ))  # fmt: skip
        opened = Opened(there.reference, f"{base}/sandbox/pay/{there.reference}", link.expires_at)
        await self._payments.apply(tx, link.account_id, link.id, opened, self._clock.at)
        self._clock.at += DAY_MS if end == "expired" else 20 * MINUTE_MS
        now = self._clock.at
        if end == "expired":
            self._desk.play(there, "expire")
            await self._payments.apply(tx, link.account_id, link.id, Lapsed(at_provider=True), now)
        elif end == "cancelled":
            self._desk.cancel(there)
            await self._payments.apply(tx, link.account_id, link.id, Cancelled(at_provider=True), now)
        else:
            paid = self._desk.play(there, "pay")
            money = Paid(link.amount, link.currency, there.reference)
            await self._payments.apply(tx, link.account_id, link.id, money, now)
            if end == "refunded":
                refund = await self._payments.refund(
                    tx, link.account_id, link.id, now + HOUR_MS, amount=BACK, reason="Mum eksikti", by=BY
                )
                self._desk.refund(paid, refund.id, BACK)
                await self._payments.refund_succeeded(tx, refund, f"re_{refund.id}", now + HOUR_MS)


def _closed(name: str, mode: Mode, keys: Mapping[str, str]) -> Provider:
    raise ProviderDown("the past is written without anybody's help")
