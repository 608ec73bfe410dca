from __future__ import annotations

import asyncio

import pytest

from tablegram.accounts.accounts import Plan
from tablegram.accounts.operating.installation import check_secret_key
from tablegram.errors import Conflict, Invalid, Misconfigured, NotFound
from tablegram.values.secrets import SecretBox
from tests.accounts.opened import FORMER_SECRET, SECRET, opened


async def test_an_account_is_made_active_on_the_standard_plan(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("  Çay & Simit  ")
        assert (account.name, account.state, account.plan) == ("Çay & Simit", "active", "standard")
        assert await house.accounts.get("Çay & Simit") == account
        assert await house.accounts.get_by_id(account.id) == account
        assert await house.accounts.list_accounts() == [account]


async def test_a_name_belongs_to_one_account_even_when_asked_for_twice_at_once(database_url: str) -> None:
    async with opened(database_url) as house, opened(database_url) as other:
        results = await asyncio.gather(
            *(one.accounts.create("Meze") for one in (house, other) for _ in range(3)), return_exceptions=True
        )
        made = [result for result in results if not isinstance(result, Conflict)]
        assert len(made) == 1
        assert len(await house.accounts.list_accounts()) == 1


@pytest.mark.parametrize("name", ["", "   ", "x" * 101, "a\tb", "line\nbreak", "\x00"])
async def test_a_name_that_cannot_be_shown_is_refused(database_url: str, name: str) -> None:
    async with opened(database_url) as house:
        with pytest.raises(Invalid):
            await house.accounts.create(name)


async def test_an_account_can_be_suspended_and_resumed_any_number_of_times(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        for _ in range(2):
            assert (await house.accounts.suspend(account.id)).state == "suspended"
        for _ in range(2):
            assert (await house.accounts.resume(account.id)).state == "active"


async def test_what_does_not_exist_is_named(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        assert await house.accounts.find("Kebap") is None
        for code, work in (
            ("account_not_found", house.accounts.get("Kebap")),
            ("account_not_found", house.accounts.get_by_id(999)),
            ("account_not_found", house.accounts.suspend(999)),
            ("plan_not_found", house.accounts.create("Kebap", "gold")),
            ("plan_not_found", house.accounts.set_plan(account.id, "gold")),
        ):
            with pytest.raises(NotFound) as refusal:
                await work
            assert refusal.value.code == code


async def test_a_plan_can_be_made_changed_and_given(database_url: str) -> None:
    async with opened(database_url) as house:
        assert await house.accounts.list_plans() == [Plan("standard", 250, 72)]
        await house.accounts.save_plan(Plan("gold", 1_000, 24))
        await house.accounts.save_plan(Plan("gold", 2_000, 48))
        account = await house.accounts.create("Meze")
        assert (await house.accounts.set_plan(account.id, "gold")).plan == "gold"
        assert await house.accounts.list_plans() == [Plan("gold", 2_000, 48), Plan("standard", 250, 72)]


async def test_a_changed_standard_plan_stays_changed(database_url: str) -> None:
    async with opened(database_url) as house:
        await house.accounts.save_plan(Plan("standard", 5, 1))
        await house.accounts.create("Meze")
        assert await house.accounts.list_plans() == [Plan("standard", 5, 1)]


@pytest.mark.parametrize(("rate", "burst"), [(0, 1), (-1, 1), (1e9, 1), (float("nan"), 1), (1, 0), (1, 10**9)])
async def test_limits_that_make_no_sense_are_refused(database_url: str, rate: float, burst: int) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        with pytest.raises(Invalid):
            await house.accounts.set_limits(account.id, rate, burst)


async def test_a_database_refuses_a_secret_key_that_is_not_its_own(database_url: str) -> None:
    async with opened(database_url) as house:
        await check_secret_key(house.db, SecretBox(FORMER_SECRET))
        await check_secret_key(house.db, SecretBox(FORMER_SECRET))
        with pytest.raises(Misconfigured, match="another secret key"):
            await check_secret_key(house.db, SecretBox(SECRET))
        await check_secret_key(house.db, SecretBox(SECRET, FORMER_SECRET))
        await check_secret_key(house.db, SecretBox(SECRET))
