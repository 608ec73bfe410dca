"""The team as the API and the panel change it: nobody gives more than they have, and every change is noted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest

from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.people.letters import Post
from tablegram.accounts.people.sessions import caller_of
from tablegram.accounts.ports import Letter
from tablegram.accounts.roles import SCOPES
from tablegram.engine.idempotency import Call, Idempotency
from tablegram.engine.owners import Owner
from tablegram.errors import Conflict, Gone, NotFound, Problem, ScopeMissing
from tablegram.flows.account.answers import InvitedView
from tablegram.flows.account.members import Members
from tablegram.values.secrets import SecretBox
from tests.accounts.opened import SECRET
from tests.accounts.people.visitors import Place, place, token_of

pytestmark = pytest.mark.once

ROLES = list(SCOPES)


@dataclass
class Office:
    here: Place
    members: Members
    owner: Caller

    async def invite(self, email: str, role: str, *, by: Caller | None = None, key: str | None = None) -> InvitedView:
        call = Call("POST /team", idempotency_key=key, fingerprint=email)
        return (await self.members.invite(by or self.owner, email, role, "", call)).value

    def as_role(self, role: str) -> Caller:
        return replace(self.owner, scopes=SCOPES[role], key_id=f"member:{role}")


def in_letter(letter: Letter) -> str:
    """The token of the link in a letter."""
    return token_of(letter.text.split("/panel/link/")[1].split()[0])


@asynccontextmanager
async def office(database_url: str) -> AsyncIterator[Office]:
    async with place(database_url) as here:
        session = await here.session(await here.come_in())
        db, clock = here.house.db, here.house.clock
        idempotency = Idempotency(db, Owner(db), clock, 86_400_000)
        members = Members(db, SecretBox(SECRET), clock, here.house.team, here.people, idempotency)
        assert caller_of(session.person, session.memberships[0], here.house.settings) == session.caller
        yield Office(here, members, session.caller)


async def test_somebody_invited_gets_a_link_and_a_letter_and_is_active_once_he_used_it(database_url: str) -> None:
    async with office(database_url) as at:
        told = await at.invite("bob@example.com", "staff")
        assert (told.state, told.mailed) == ("invited", True)
        await at.here.settle()
        (letter,) = at.here.mailbox.letters
        # The address belongs to who opens the letter: whoever invites does not see the link.
        assert (letter.to, told.link) == ("bob@example.com", None)
        await at.here.accept(in_letter(letter), "Bob")
        shown = await at.members.get(at.owner, told.id)
        assert (shown.state, shown.name) == ("active", "Bob")
        with pytest.raises(Conflict, match="accepted already"):
            await at.members.invite_again(at.owner, told.id, Call("x"))


@pytest.mark.later
async def test_without_letters_a_link_is_shown_only_where_no_other_account_could_be_harmed(database_url: str) -> None:
    async with office(database_url) as at:
        people = replace(at.here.people, post=Post(None, lambda name, work: work.close()))
        alone = replace(at, members=Members(at.members._db, at.members._box, at.members._clock, at.members._team, people,
                                            at.members._idempotency))  # fmt: skip
        told = await alone.invite("bob@example.com", "staff")
        assert (told.mailed, "/panel/link/" in (told.link or "")) == (False, True)
        await at.here.house.accounts.create("Kebap")
        for answer in (
            await alone.invite("eve@example.com", "staff"),
            (await alone.members.invite_again(at.owner, told.id, Call("x"))).value,
        ):
            assert (answer.mailed, answer.link) == (False, None)


@pytest.mark.later
async def test_the_same_call_again_invites_once_and_shows_the_same_link(database_url: str) -> None:
    async with office(database_url) as at:
        first, second = [await at.invite("bob@example.com", "staff", key="k") for _ in range(2)]
        assert first == second
        await at.here.settle()
        assert len(at.here.mailbox.letters) == 1
        with pytest.raises(Conflict):
            await at.invite("bob@example.com", "staff", key="another")


async def test_a_new_link_ends_the_former_and_removing_ends_both(database_url: str) -> None:
    async with office(database_url) as at:
        told = await at.invite("bob@example.com", "staff")
        await at.members.invite_again(at.owner, told.id, Call("x"))
        await at.here.settle()
        former, latest = map(in_letter, at.here.mailbox.letters)
        with pytest.raises(Gone):
            await at.here.accept(former)
        await at.members.remove(at.owner, told.id)
        with pytest.raises(Gone):
            await at.here.accept(latest)
        with pytest.raises(NotFound):
            await at.members.get(at.owner, told.id)


@pytest.mark.parametrize("role", [role for role in ROLES if role != "owner"])
async def test_only_who_manages_the_account_reaches_the_team(database_url: str, role: str) -> None:
    async with office(database_url) as at:
        told = await at.invite("bob@example.com", "staff")
        caller = at.as_role(role)
        for work in (
            at.members.page(caller),
            at.members.get(caller, told.id),
            at.invite("eve@example.com", "kitchen", by=caller),
            at.members.invite_again(caller, told.id, Call("x")),
            at.members.change_role(caller, told.id, "owner"),
            at.members.remove(caller, told.id),
        ):
            with pytest.raises(ScopeMissing):
                await work
        assert len((await at.members.page(at.owner)).data) == 2


async def test_a_key_that_only_manages_the_account_makes_nobody_mightier_than_itself(database_url: str) -> None:
    async with office(database_url) as at:
        (owner,) = (await at.members.page(at.owner)).data
        await at.here.house.team.add(at.owner.account_id, "second@example.com", "owner")
        told = await at.invite("bob@example.com", "kitchen")
        narrow = replace(at.owner, scopes=frozenset({"account:manage", "restaurant:read", "orders:manage"}), key_id="k")
        await at.invite("cook@example.com", "kitchen", by=narrow)
        for work in (
            at.invite("eve@example.com", "owner", by=narrow),
            at.invite("eve@example.com", "developer", by=narrow),
            at.members.change_role(narrow, told.id, "owner"),
            at.members.change_role(narrow, owner.id, "kitchen"),
            at.members.remove(narrow, owner.id),
        ):
            with pytest.raises(ScopeMissing) as caught:
                await work
            assert caught.value.code == "role_beyond_caller"


async def test_a_test_key_reaches_nobody(database_url: str) -> None:
    async with office(database_url) as at:
        tester = replace(at.owner, mode="test", key_id="k")
        for work in (at.members.page(tester), at.invite("eve@example.com", "owner", by=tester)):
            with pytest.raises(ScopeMissing) as caught:
                await work
            assert caught.value.code == "test_key"


@pytest.mark.later
async def test_the_last_owner_stays_and_another_accounts_member_is_not_found(database_url: str) -> None:
    async with office(database_url) as at:
        (owner,) = (await at.members.page(at.owner)).data
        for work in (at.members.remove(at.owner, owner.id), at.members.change_role(at.owner, owner.id, "staff")):
            with pytest.raises(Conflict) as caught:
                await work
            assert caught.value.code == "last_owner"
        other = await at.here.house.accounts.create("Kebap")
        foreign = await at.here.house.team.add(other.id, "zed@example.com", "staff")
        for work in (at.members.remove(at.owner, foreign.id), at.members.change_role(at.owner, foreign.id, "owner")):
            with pytest.raises(Problem) as refused:
                await work
            assert refused.value.code == "member_not_found"


@pytest.mark.later
async def test_every_change_is_noted_with_who_and_what_and_without_the_link(database_url: str) -> None:
    async with office(database_url) as at:
        told = await at.invite("bob@example.com", "staff")
        await at.members.change_role(at.owner, told.id, "manager")
        await at.members.remove(at.owner, told.id)
        page = await at.here.people.audit.page(at.owner.account_id, limit=10, action="member.")
        assert [(one.action, one.detail) for one in page.data[:3]] == [
            ("member.removed", {"email": "bob@example.com", "role": "manager"}),
            ("member.role_changed", {"email": "bob@example.com", "from": "staff", "to": "manager"}),
            ("member.invited", {"email": "bob@example.com", "role": "staff"}),
        ]
        assert {one.actor.kind for one in page.data} == {"person"}
        await at.here.settle()
        assert in_letter(at.here.mailbox.letters[0]) not in str(page)
        newest = await at.here.people.audit.page(at.owner.account_id, limit=1)
        older = await at.here.people.audit.page(at.owner.account_id, limit=1, cursor=newest.next_cursor)
        assert older.data[0].action == "member.role_changed"
