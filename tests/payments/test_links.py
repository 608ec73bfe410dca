"""What happens to links, told by signals, by asking, by people and by the clock; each outcome once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import bindparam, select

from tablegram.engine import raw_callbacks
from tablegram.engine.inbox import Inbox
from tablegram.errors import Conflict, Invalid
from tablegram.payments.accesses import Accesses
from tablegram.payments.hearing import KIND, SignalClock, source_of, write_heard
from tablegram.payments.keeping import INLINE_MS, MAX_REASON
from tablegram.payments.model import Link
from tablegram.payments.ports import LinkItem, Signal
from tablegram.payments.sealing import reseal
from tablegram.payments.store import links as link_store
from tablegram.payments.store import refunds as refund_store
from tablegram.payments.store import signals as signal_store
from tablegram.storage.database import Query, Tx
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import payment_movements
from tablegram.values.secrets import SecretBox
from tests.accounts.opened import FORMER_SECRET, SECRET
from tests.drained import drain_once
from tests.payments.till import KEYS, open_till, paid

_MOVED = Query(
    across_accounts(select(payment_movements).where(payment_movements.c.link_id == bindparam("b_link")), "a test")
)


async def test_a_link_is_made_paid_and_told_of_once(database_url: str) -> None:
    async with open_till(database_url) as till:
        followed: list[tuple[str, str]] = []

        async def follow(tx: Tx, before: Link | None, after: Link, now: int) -> None:
            followed.append(("" if before is None else before.state, after.state))

        till.payments.followers.append(follow)
        link = await till.make(items=(LinkItem(name="Adana", amount=4_500),))
        assert (link.state, link.url, link.failure) == ("open", f"https://pay.example/{link.id}", "")
        assert till.bank.made[link.id].items == link.items
        assert till.bank.made[link.id].hook_url.startswith("https://gate.example/hooks/pay/generic/")
        await asyncio.gather(*[till.hear(paid(link)) for _ in range(8)])
        await till.hear(paid(link, "another signal of the same payment"))
        after = await till.link(link.id)
        assert (after.state, after.received, after.attention, after.ask_at) == ("paid", 4_500, "", None)
        assert followed == [("", "making"), ("making", "open"), ("open", "paid")]
        # Asked for, refused, out of order: what comes after the money changes nothing.
        for number, kind in enumerate(("failed", "expired")):
            await till.hear(Signal(id=f"late {number}", kind=kind, link_id=link.id))  # type: ignore[arg-type]
        assert await till.link(link.id) == after
        with pytest.raises(Conflict, match="paid"):
            await till.db.write(lambda tx: till.payments.cancel(tx, 1, link.id, till.clock.now_ms()))
        await till.check_ledger()


async def test_a_provider_that_is_down_is_asked_again_and_the_link_says_so(database_url: str) -> None:
    async with open_till(database_url) as till:
        till.bank.down = True
        link = await till.make()
        assert (link.state, link.failure, link.url) == ("making", "provider_down", "")
        await till.pass_time(1)
        till.bank.down = False
        await till.pass_time(2)
        link = await till.link(link.id)
        assert (link.state, link.failure) == ("open", "")
        # Whoever made this one died before the provider was asked: the drain finds it by itself.
        lost = await till.make(hurry=False)
        assert ("make", lost.id) not in till.bank.asked
        await till.pass_time(1)
        assert (await till.link(lost.id)).state == "open"
        till.bank.refuses = "currency_refused"
        refused = await till.make()
        assert (refused.state, refused.failure, refused.ask_at) == ("failed", "currency_refused", None)
        # One that never came about ends with its time.
        till.bank.refuses, till.bank.down = "", True
        never = await till.make(lives_ms=300_000)
        await till.pass_time(6)
        assert (await till.link(never.id)).state == "expired"


async def test_signals_may_come_before_their_link_without_one_and_out_of_order(database_url: str) -> None:
    async with open_till(database_url) as till:
        clock = SignalClock(till.db, till.clock, till.payments, till.hearing, leases=None)  # type: ignore[arg-type]
        assert till.access is not None
        early = Signal(id="early", kind="paid", reference="ref-unknown", amount=4_500, currency="TRY")
        assert await till.hear(early) is None
        link = await till.make(hurry=False)
        # Told of a link by its own id while the provider's answer is still on its way.
        assert (await till.hear(paid(link, "fast"))) is not None
        opened = await till.caretaker.hurry(1, link.id)
        assert (opened.state, opened.received) == ("paid", 4_500)
        # A refund that is told of before the payment waits for it.
        other = await till.make()
        back = Signal(id="back", kind="refunded", link_id=other.id, refunded=1_500)
        assert await till.hear(back) is None
        await till.hear(paid(other, "then paid"))
        await clock.look()
        assert (await till.link(other.id)).refunded == 1_500
        await clock.look()
        assert (await till.link(other.id)).refunded == 1_500
        # What no link came for is kept, and shown.
        assert await till.db.all(signal_store.UNKNOWN, {"b_account": 1}) == []
        till.clock.advance(16 * 60)
        await clock.look()
        strays = await till.db.all(signal_store.UNKNOWN, {"b_account": 1})
        assert [row["id"] for row in strays] == ["early"]
        await till.check_ledger()


async def test_money_for_what_had_ended_wins_and_waits_for_people(database_url: str) -> None:
    async with open_till(database_url) as till:
        expired, cancelled, raced = [await till.make() for _ in range(3)]
        now = till.clock.now_ms
        await till.db.write(lambda tx: till.payments.cancel(tx, 1, cancelled.id, now()))
        # Paid at the provider in the very moment in which it is cancelled here: cancelling there tells.
        till.bank.pay(raced.id)
        await till.db.write(lambda tx: till.payments.cancel(tx, 1, raced.id, now()))
        await till.look()
        assert till.bank.standings[cancelled.reference or ""].state == "cancelled"
        assert ((await till.link(raced.id)).state, (await till.link(raced.id)).attention) == ("paid", "paid_after_end")
        await till.pass_time(31)
        assert (await till.link(expired.id)).state == "expired"
        for link in (expired, cancelled):
            await till.hear(paid(link, f"late {link.id}"))
            after = await till.link(link.id)
            assert (after.state, after.attention, after.waits_for_decision) == ("paid", "paid_after_end", True)
        accepted = await till.db.write(lambda tx: till.payments.accept(tx, 1, expired.id, "member:7", now()))
        assert (accepted.waits_for_decision, accepted.settled_by) == (False, "member:7")
        with pytest.raises(Conflict):
            await till.db.write(lambda tx: till.payments.accept(tx, 1, expired.id, "member:7", now()))
        refund = await till.refund(cancelled.id)
        assert refund.state == "succeeded"
        assert not (await till.link(cancelled.id)).waits_for_decision
        await till.check_ledger()


async def test_open_links_are_reconciled_by_asking(database_url: str) -> None:
    async with open_till(database_url) as till:
        lost, open_, silent = [await till.make(lives_ms=3 * 3_600_000) for _ in range(3)]
        till.bank.pay(lost.id)
        await till.pass_time(2.1)
        after = await till.link(lost.id)
        assert (after.state, after.payment_reference) == ("paid", f"payment-{lost.id}")
        await till.pass_time(8)
        await till.pass_time(20)
        assert till.bank.asked.count(("ask", open_.reference or "")) == 3
        # A signal without an amount is a reason to ask, whatever the link is by now.
        till.bank.pay(silent.id, amount=4_400)
        await till.hear(Signal(id="ask me", kind="paid", link_id=silent.id, must_ask=True))
        await till.look()
        after = await till.link(silent.id)
        assert (after.state, after.attention, after.received) == ("open", "amount_differs", 4_400)
        with pytest.raises(Conflict, match="Money came in"):
            await till.db.write(lambda tx: till.payments.cancel(tx, 1, silent.id, till.clock.now_ms()))
        # Its time ends even when the provider is away for long.
        till.bank.down = True
        await till.pass_time(151)
        assert (await till.link(open_.id)).state == "open"
        await till.pass_time(11)
        assert (await till.link(open_.id)).state == "expired"
        till.bank.down = False
        await till.pass_time(120)
        assert till.bank.standings[open_.reference or ""].state == "cancelled"
        assert (await till.link(open_.id)).ask_at is None
        await till.check_ledger()


async def test_refunds_are_asked_for_once_and_never_for_more_than_is_left(database_url: str) -> None:
    async with open_till(database_url) as till:
        link = await till.make()
        with pytest.raises(Conflict, match="Nothing was paid"):
            await till.refund(link.id)
        till.bank.pay(link.id)
        await till.hear(paid(link))
        part = await till.refund(link.id, amount=1_000, lines=["line1"], reason="cold", by="member:1")
        assert (part.state, till.bank.refunds[part.id].payment_reference) == ("succeeded", f"payment-{link.id}")
        till.bank.down = True
        waiting = await till.refund(link.id, amount=3_000)
        assert waiting.state == "asked"
        # It is asked for again by the schedule, and not only when whoever began it seems to be gone.
        assert waiting.due_at is not None
        assert waiting.due_at - till.clock.now_ms() < INLINE_MS
        for amount in (0, -1, 501, 10**9):
            with pytest.raises(Invalid):
                await till.refund(link.id, amount=amount)
        # The provider tells of both while ours is still being asked for: nothing is counted twice.
        await till.hear(Signal(id="sum", kind="refunded", link_id=link.id, refunded=4_000))
        till.bank.down = False
        await till.pass_time(1)
        assert (await till.link(link.id)).refunded == 4_000
        assert till.bank.asked.count(("refund", waiting.id)) == 2
        # Somebody gives the rest back at the provider's own pages.
        await till.hear(Signal(id="elsewhere", kind="refunded", link_id=link.id, refunded=4_500))
        assert (await till.link(link.id)).refunded == 4_500
        with pytest.raises(Conflict, match="already"):
            await till.refund(link.id)
        other = await till.make()
        await till.hear(paid(other, "other"))
        till.bank.pay(other.id)
        till.bank.refuses = "too_old"
        failed = await till.refund(other.id)
        after = await till.link(other.id)
        assert (failed.state, failed.failure, after.attention, after.refunded) == (
            "failed",
            "too_old",
            "refund_failed",
            0,
        )
        await till.check_ledger()


async def test_a_refund_takes_the_last_coin_and_a_reason_of_its_length(database_url: str) -> None:
    async with open_till(database_url) as till:
        link = await till.make()
        await till.hear(paid(link))
        with pytest.raises(Invalid, match="characters"):
            await till.refund(link.id, amount=1, reason="x" * (MAX_REASON + 1))
        most = await till.refund(link.id, amount=4_499, reason="x" * MAX_REASON)
        assert (await till.refund(link.id)).amount == 1
        with pytest.raises(Conflict, match="already"):
            await till.refund(link.id)
        told = [row["external"] for row in await till.db.all(_MOVED, {"b_link": link.id})]
        assert sorted(told)[0] == "", "a payment is named by its link"
        assert len({*told}) == 3
        assert most.id in told
        # Nothing of it is here any more, so nobody has to decide about it.
        now = till.clock.now_ms()
        assert not (await till.db.write(lambda tx: till.payments.question(tx, 1, link.id, now))).waits_for_decision


async def test_lists_go_on_where_the_last_page_ended_and_refunds_are_of_their_links(database_url: str) -> None:
    async with open_till(database_url) as till:
        first, second, third = [await till.make() for _ in range(3)]
        for link in (first, second):
            await till.hear(paid(link, link.id))
            await till.refund(link.id, amount=1)

        async def pages(**wanted: Any) -> list[str]:
            named = (
                "state",
                "mode",
                "phone",
                "contact_id",
                "subject_kind",
                "subject_key",
                "search",
                "since",
                "until",
                "after",
            )
            asked: dict[str, Any] = {**dict.fromkeys(named), "undecided": False, "most": 9, **wanted}
            return [row["id"] for row in await till.db.all(link_store.page(1, **asked))]

        newest = sorted((first.id, second.id, third.id), reverse=True)
        assert await pages() == newest
        assert await pages(after=newest[0], most=1) == newest[1:2]
        assert await pages(after=newest[2]) == []
        for ids in ([first.id], [first.id, second.id], [third.id]):
            rows = await till.db.all(refund_store.of_links(1, ids))
            assert {row["link_id"] for row in rows} == {*ids} - {third.id}
        assert await till.db.all(refund_store.of_links(2, newest)) == []


async def test_a_link_ends_in_the_very_moment_it_was_made_to(database_url: str) -> None:
    async with open_till(database_url) as till:
        link = await till.make(lives_ms=600_000)
        assert link.expires_at == till.clock.now_ms() + 600_000
        till.clock.advance(600)
        await till.look()
        assert (await till.link(link.id)).state == "expired"


async def test_news_of_a_payment_of_nothing_brings_no_money(database_url: str) -> None:
    async with open_till(database_url) as till:
        link = await till.make()
        await till.hear(paid(link, amount=0))
        after = await till.link(link.id)
        assert (after.state, after.attention, after.received) == ("open", "amount_differs", 0)
        await till.check_ledger()


async def test_money_that_nothing_is_left_for_waits_for_people(database_url: str) -> None:
    async with open_till(database_url) as till:
        link, now = await till.make(), till.clock.now_ms()
        assert await till.db.write(lambda tx: till.payments.question(tx, 1, link.id, now)) == link
        await till.hear(paid(link))
        asked = await till.db.write(lambda tx: till.payments.question(tx, 1, link.id, now))
        assert (asked.attention, asked.waits_for_decision) == ("paid_after_end", True)
        assert await till.link(link.id) == asked


async def test_what_a_provider_told_is_emptied_once_it_is_worked_on(database_url: str) -> None:
    async with open_till(database_url) as till:
        link = await till.make()
        assert till.access is not None
        source, told = source_of(till.access.id), list[Link]()
        till.payments.listeners.append(told.append)
        inbox = Inbox(till.db, till.clock, {KIND: till.hearing})
        await inbox.store(1, source, write_heard((paid(link),), b"Aylin, Bagdat Cd. 1"), "first")
        await drain_once(inbox)
        kept = await raw_callbacks.look_up(till.db, 1, source, "first")
        assert kept is not None
        assert kept["body"] == b""
        assert [one.state for one in told] == ["paid"]


async def test_links_of_one_subject_never_sum_up_to_more_than_it_allows(database_url: str) -> None:
    async with open_till(database_url) as till:

        async def limit(tx: Tx, account_id: int, key: str, currency: str) -> int:
            return 10_000

        till.payments.limits["tab"] = limit
        first = await till.make(subject_kind="tab", subject_key="t1", amount=6_000)
        with pytest.raises(Conflict, match="more than is left"):
            await till.make(subject_kind="tab", subject_key="t1", amount=4_001)
        second = await till.make(subject_kind="tab", subject_key="t1", amount=4_000)
        await till.make(subject_kind="tab", subject_key="t2", amount=10_000)
        now = till.clock.now_ms()
        await till.db.write(lambda tx: till.payments.cancel(tx, 1, first.id, now))
        await till.hear(paid(second))
        await till.make(subject_kind="tab", subject_key="t1", amount=6_000)
        links = await till.db.snapshot(lambda tx: till.payments.of_subject(tx, 1, "tab", "t1"))
        assert [link.state for link in links] == ["cancelled", "paid", "open"]


async def test_wishes_that_make_no_sense_are_refused(database_url: str) -> None:
    async with open_till(database_url) as till:
        wrong = {
            "amount": 0, "currency": "ZZZ", "description": "", "lives_ms": 1, "items": (LinkItem(name="one", amount=1),),
        }  # fmt: skip
        for name, value in wrong.items():
            with pytest.raises(Invalid):
                await till.make(**{name: value})  # type: ignore[arg-type]
        with pytest.raises(Invalid):
            await till.make(description="x" * 201)
        for tip in (-1, 4_500):
            with pytest.raises(Invalid, match="tip"):
                await till.make(tip=tip)
        with pytest.raises(Invalid, match="tip"):
            await till.make(amount=1, tip=1)
        assert (await till.make(tip=4_499)).tip == 4_499
        # Currencies with 0, 2 and 3 decimals are whole minor units to everybody.
        for currency, amount in (("JPY", 450), ("TRY", 45_000), ("KWD", 12_345)):
            link = await till.make(currency=currency, amount=amount)
            await till.hear(paid(link, currency))
            assert (await till.link(link.id)).state == "paid"
        await till.check_ledger()


async def test_keys_are_sealed_again_under_a_new_secret(database_url: str) -> None:
    async with open_till(database_url) as till:
        assert till.access is not None
        hook = till.accesses.hook_url(till.access).rpartition("/")[2]
        assert await reseal(till.db, SecretBox(FORMER_SECRET, SECRET)) == 2
        assert await reseal(till.db, SecretBox(FORMER_SECRET, SECRET)) == 0
        # The first key is gone.
        renewed = Accesses(till.db, SecretBox(FORMER_SECRET), lambda name, mode, keys: till.bank, "", sandbox=False)
        found = await renewed.by_hook(hook)
        assert found is not None
        assert renewed.keys(found) == KEYS
        assert await renewed.by_hook("x" * 32) is None
