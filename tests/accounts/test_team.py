from __future__ import annotations

import asyncio

import pytest

from tablegram.errors import Conflict, Invalid, NotFound
from tests.accounts.opened import opened


async def test_a_member_is_added_once_and_found_by_address_or_id(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        member = await house.team.add(account.id, " Ada@Example.com ", "manager", "Ada")
        assert (member.email, member.role, member.name) == ("ada@example.com", "manager", "Ada")
        with pytest.raises(Conflict):
            await house.team.add(account.id, "ada@example.com", "staff")
        assert await house.team.list_members(account.id) == [member]
        assert (await house.team.change_role(account.id, "ADA@example.com", "kitchen")).role == "kitchen"
        assert (await house.team.change_role(account.id, member.id, "staff")).role == "staff"
        await house.team.remove(account.id, member.id)
        assert await house.team.list_members(account.id) == []


async def test_the_same_person_may_belong_to_two_accounts(database_url: str) -> None:
    async with opened(database_url) as house:
        one, two = await house.accounts.create("Meze"), await house.accounts.create("Kebap")
        await house.team.add(one.id, "ada@example.com", "owner")
        other = await house.team.add(two.id, "ada@example.com", "staff")
        with pytest.raises(NotFound):
            await house.team.remove(one.id, other.id)
        assert len(await house.team.list_members(two.id)) == 1


async def test_the_last_owner_stays(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        owner = await house.team.add(account.id, "ada@example.com", "owner")
        await house.team.add(account.id, "bob@example.com", "staff")
        for work in (house.team.remove(account.id, owner.id), house.team.change_role(account.id, owner.id, "staff")):
            with pytest.raises(Conflict) as refusal:
                await work
            assert refusal.value.code == "last_owner"
        assert (await house.team.change_role(account.id, owner.id, "owner")).role == "owner"
        await house.team.change_role(account.id, "bob@example.com", "owner")
        await house.team.remove(account.id, owner.id)
        assert [member.email for member in await house.team.list_members(account.id)] == ["bob@example.com"]


async def test_two_owners_cannot_remove_each_other_at_once(database_url: str) -> None:
    async with opened(database_url) as house, opened(database_url) as other:
        account = await house.accounts.create("Meze")
        ada = await house.team.add(account.id, "ada@example.com", "owner")
        bob = await house.team.add(account.id, "bob@example.com", "owner")
        results = await asyncio.gather(
            house.team.remove(account.id, ada.id), other.team.remove(account.id, bob.id), return_exceptions=True
        )
        assert sorted(type(result).__name__ for result in results) == ["Conflict", "Member"]
        assert len(await house.team.list_members(account.id)) == 1


@pytest.mark.parametrize(
    "email", ["", "ada", "ada@", "@example.com", "a b@example.com", "ada@example", "a@" + "b" * 300 + ".c"]
)
async def test_what_is_no_address_is_refused(database_url: str, email: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        with pytest.raises(Invalid) as refusal:
            await house.team.add(account.id, email, "staff")
        assert refusal.value.code == "email_invalid"


async def test_an_unknown_role_is_refused(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        with pytest.raises(Invalid) as refusal:
            await house.team.add(account.id, "ada@example.com", "king")
        assert refusal.value.code == "role_unknown"
