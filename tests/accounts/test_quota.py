from __future__ import annotations

import asyncio

import pytest

from tablegram.accounts.accounts import Account, Plan
from tablegram.accounts.money import quota
from tablegram.errors import Invalid, NotFound, QuotaExhausted
from tests.accounts.opened import Opened, opened

CENT = 10_000


async def charge(house: Opened, account: Account, message: str, cost: int = CENT, *, prepaid: bool = True) -> int:
    now_ms = house.clock.now_ms()
    return await house.db.write(lambda tx: quota.charge(tx, account.id, message, cost, now_ms, prepaid))


async def refund(house: Opened, account: Account, message: str) -> int:
    return await house.db.write(lambda tx: quota.refund(tx, account.id, message, house.clock.now_ms()))


async def correct(house: Opened, account: Account, message: str, final: int) -> int:
    return await house.db.write(lambda tx: quota.correct(tx, account.id, message, final, house.clock.now_ms()))


async def top_up(house: Opened, account: Account, amount: int, reference: str = "payment") -> bool:
    return await house.db.write(lambda tx: quota.top_up(tx, account.id, reference, amount, house.clock.now_ms()))


async def state(house: Opened, account: Account, *, prepaid: bool = True) -> quota.QuotaState:
    return await quota.quota_state(house.db, account.id, house.clock.now_ms(), prepaid)


async def with_plan(house: Opened, free_messages: int, free_hours: int = 72) -> Account:
    await house.accounts.save_plan(Plan("small", free_messages, free_hours))
    return await house.accounts.create("Meze", "small")


async def test_without_billing_a_send_costs_its_price_and_nothing_is_kept(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        assert await charge(house, account, "m1", prepaid=False) == CENT
        assert await refund(house, account, "m1") == 0
        assert await correct(house, account, "m1", 5) == 0
        now = await state(house, account, prepaid=False)
        assert (now.billing, now.free_used, now.balance_micros, now.free_until) == ("off", 0, 0, None)


async def test_a_new_account_has_250_free_messages_for_72_hours_from_its_first_send(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        house.clock.advance(1_000_000)
        before = await state(house, account)
        assert (before.free_messages, before.free_left, before.free_until) == (250, 250, None)
        assert await charge(house, account, "m1") == 0
        after = await state(house, account)
        assert (after.free_left, after.free_until) == (249, house.clock.now_ms() + 72 * 3_600_000)


async def test_after_the_free_messages_the_balance_pays_and_then_nothing_does(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await with_plan(house, 2)
        assert [await charge(house, account, f"free {n}") for n in range(2)] == [0, 0]
        await top_up(house, account, 2 * CENT + 1)
        assert [await charge(house, account, f"paid {n}") for n in range(2)] == [CENT, CENT]
        with pytest.raises(QuotaExhausted) as refusal:
            await charge(house, account, "too much")
        assert (refusal.value.status, refusal.value.code) == (402, "quota_exhausted")
        assert (await state(house, account)).balance_micros == 1
        await top_up(house, account, CENT, "second payment")
        assert await charge(house, account, "too much") == CENT


async def test_the_time_ends_the_free_messages_too(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await with_plan(house, 100, free_hours=1)
        assert await charge(house, account, "m1") == 0
        house.clock.advance(3_599.999)
        assert await charge(house, account, "m2") == 0
        house.clock.advance(0.001)
        assert (await state(house, account)).free_left == 0
        with pytest.raises(QuotaExhausted):
            await charge(house, account, "m3")


async def test_what_costs_nothing_needs_no_balance(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await with_plan(house, 0)
        assert await charge(house, account, "m1", cost=0) == 0


async def test_a_message_is_charged_once_however_often_it_is_asked(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await with_plan(house, 1)
        await top_up(house, account, CENT)
        assert [await charge(house, account, "free") for _ in range(3)] == [0, 0, 0]
        assert [await charge(house, account, "paid") for _ in range(3)] == [CENT, CENT, CENT]
        now = await state(house, account)
        assert (now.free_used, now.balance_micros) == (1, 0)


async def test_a_refund_gives_back_the_money_or_the_free_message_once(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await with_plan(house, 1)
        await top_up(house, account, CENT)
        await charge(house, account, "free")
        await charge(house, account, "paid")
        assert [await refund(house, account, "paid") for _ in range(2)] == [CENT, 0]
        assert [await refund(house, account, "free") for _ in range(2)] == [0, 0]
        assert await refund(house, account, "never charged") == 0
        now = await state(house, account)
        assert (now.free_used, now.balance_micros) == (0, CENT)


async def test_a_correction_brings_the_cost_to_the_networks_price_once(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await with_plan(house, 0)
        await top_up(house, account, 10 * CENT)
        await charge(house, account, "cheaper")
        await charge(house, account, "dearer")
        assert [await correct(house, account, "cheaper", CENT // 2) for _ in range(2)] == [CENT // 2, 0]
        assert [await correct(house, account, "dearer", 3 * CENT) for _ in range(2)] == [-2 * CENT, 0]
        assert (await state(house, account)).balance_micros == 10 * CENT - CENT // 2 - 3 * CENT


async def test_a_correction_never_drives_the_balance_below_zero(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await with_plan(house, 0)
        await top_up(house, account, CENT + 5)
        await charge(house, account, "m1")
        assert await correct(house, account, "m1", 100 * CENT) == -5
        assert (await state(house, account)).balance_micros == 0


async def test_a_free_message_stays_free_whatever_the_network_charges(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await with_plan(house, 1)
        await top_up(house, account, CENT)
        await charge(house, account, "m1")
        assert await correct(house, account, "m1", CENT) == 0


async def test_a_refund_after_a_correction_gives_back_what_was_really_paid(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await with_plan(house, 0)
        await top_up(house, account, 10 * CENT)
        await charge(house, account, "m1")
        await correct(house, account, "m1", 3 * CENT)
        assert await refund(house, account, "m1") == 3 * CENT
        assert (await state(house, account)).balance_micros == 10 * CENT


async def test_a_message_that_failed_and_was_delivered_after_all_is_paid(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await with_plan(house, 0)
        await top_up(house, account, 10 * CENT)
        await charge(house, account, "m1")
        await refund(house, account, "m1")
        assert await correct(house, account, "m1", 2 * CENT) == -2 * CENT
        assert (await state(house, account)).balance_micros == 8 * CENT


async def test_two_processes_cannot_spend_the_same_money(database_url: str) -> None:
    async with opened(database_url) as house, opened(database_url) as other:
        account = await with_plan(house, 3)
        await top_up(house, account, 5 * CENT)
        results = await asyncio.gather(
            *(charge(house, account, f"a{n}") for n in range(20)),
            *(charge(other, account, f"b{n}") for n in range(20)),
            # The same messages once more, from the other side.
            *(charge(other, account, f"a{n}") for n in range(20)),
            return_exceptions=True,
        )
        assert all(isinstance(result, int | QuotaExhausted) for result in results)
        now = await state(house, account)
        assert (now.free_used, now.balance_micros) == (3, 0)
        fresh = results[:40]
        assert sum(1 for result in fresh if result == CENT) <= 5
        assert sum(1 for result in fresh if result == 0) <= 3


async def test_an_empty_balance_does_not_disturb_others_in_the_same_commit(database_url: str) -> None:
    async with opened(database_url) as house:
        rich, poor = await with_plan(house, 0), await house.accounts.create("Kebap", "small")
        await top_up(house, rich, 50 * CENT)
        results = await asyncio.gather(
            *(charge(house, account, f"m{n}") for n in range(50) for account in (rich, poor)), return_exceptions=True
        )
        assert [result for result in results if isinstance(result, int)] == [CENT] * 50
        assert (await state(house, rich)).balance_micros == 0


async def test_the_same_payment_is_added_once(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await with_plan(house, 0)
        assert [await top_up(house, account, CENT, "invoice 7") for _ in range(3)] == [True, False, False]
        assert (await state(house, account)).balance_micros == CENT


async def test_a_payment_named_like_a_message_is_not_mixed_up_with_it(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await with_plan(house, 0)
        await top_up(house, account, 5 * CENT, "m1")
        await charge(house, account, "m1")
        assert await refund(house, account, "m1") == CENT


@pytest.mark.parametrize("amount", [0, -1, quota.MAX_TOP_UP_MICROS + 1])
async def test_an_amount_that_makes_no_sense_is_refused(database_url: str, amount: int) -> None:
    async with opened(database_url) as house:
        account = await with_plan(house, 0)
        with pytest.raises(Invalid):
            await top_up(house, account, amount)


async def test_an_unknown_account_has_no_state_and_cannot_pay(database_url: str) -> None:
    async with opened(database_url) as house:
        with pytest.raises(NotFound):
            await quota.quota_state(house.db, 999, 0, True)
        with pytest.raises(QuotaExhausted):
            await house.db.write(lambda tx: quota.charge(tx, 999, "m1", 0, 0, True))
