"""The desk of an account's team: whoever calls may do it, does it once, and it is noted: inviting, changing roles, letting go."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from tablegram.accounts import store
from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.people import store as people_store
from tablegram.accounts.people.house import People
from tablegram.accounts.people.letters import write_letter
from tablegram.accounts.people.links import LIFETIMES_MS
from tablegram.accounts.roles import SCOPES, check_may_give
from tablegram.accounts.team import Member, Team, clean_role, held
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, ScopeMissing
from tablegram.flows.account.answers import InvitedView, MemberPage, MemberView
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock, iso
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.secrets import SecretBox


class Members:
    def __init__(
        self, db: Database, box: SecretBox, clock: Clock, team: Team, people: People, idempotency: Idempotency
    ) -> None:
        self._db = db
        self._box = box
        self._clock = clock
        self._team = team
        self._people = people
        self._idempotency = idempotency

    async def page(self, caller: Caller, limit: int = 200, cursor: str | None = None) -> MemberPage:
        """The team in the order in which they came. Teams are small; a page is a part of the whole list."""
        _check(caller)
        after = "" if cursor is None else decode_cursor(cursor)
        team = sorted(await self._team.list_members(caller.account_id), key=lambda member: member.id)
        rest = [member for member in team if member.id > after]
        return MemberPage(
            data=[_view(member) for member in rest[:limit]],
            next_cursor=encode_cursor(rest[limit - 1].id) if len(rest) > limit else None,
        )

    async def get(self, caller: Caller, member_id: str) -> MemberView:
        _check(caller)
        return _view(await self._team.find(caller.account_id, member_id))

    async def invite(
        self, caller: Caller, email: str, role: str, name: str, call: Call, language: str = ""
    ) -> Result[InvitedView]:
        """Add somebody. The answer may hold the link that lets them in, so it is kept sealed for a repeated call."""
        _check(caller)
        member = self._team.draw(caller.account_id, email, role, name)
        check_may_give(caller.scopes, member.role)
        acting = self._people.audit.acting(caller)
        link, statement = self._draw_link(caller, member)

        async def work(tx: Tx) -> Result[InvitedView]:
            await self._team.add_in(tx, member)
            await tx.run(*statement)
            await acting.note(tx, "member.invited", "member", member.id, {"email": member.email, "role": member.role})
            return Result(await self._told(tx, member, link), 201)

        answer = await self._idempotency.once_for(InvitedView, caller.account_id, call, work, self._box)
        if not answer.replayed:
            self._mail(caller, member, link, language)
        return answer

    async def invite_again(self, caller: Caller, member_id: str, call: Call, language: str = "") -> Result[InvitedView]:
        """A new link for somebody who has not accepted yet; the former one ends."""
        _check(caller)
        member = await self._team.find(caller.account_id, member_id)
        check_may_give(caller.scopes, member.role)
        if member.person_id is not None:
            raise Conflict(f"{member.email} has accepted already and signs in by password.", code="member_active")
        acting = self._people.audit.acting(caller)
        link, statement = self._draw_link(caller, member)

        async def work(tx: Tx) -> Result[InvitedView]:
            await tx.run(people_store.END_INVITES, self._ending(member))
            await tx.run(*statement)
            await acting.note(tx, "member.invited_again", "member", member.id, {"email": member.email})
            return Result(await self._told(tx, member, link), 201)

        answer = await self._idempotency.once_for(InvitedView, caller.account_id, call, work, self._box)
        if not answer.replayed:
            self._mail(caller, member, link, language)
        return answer

    async def change_role(self, caller: Caller, member_id: str, role: str) -> MemberView:
        _check(caller)
        wanted = clean_role(role)
        check_may_give(caller.scopes, wanted)
        acting = self._people.audit.acting(caller)

        async def work(tx: Tx) -> None:
            member = await held(tx, caller.account_id, member_id, keeps_owner=wanted == "owner")
            check_may_give(caller.scopes, member.role)
            await tx.run(store.SET_ROLE, {"account": caller.account_id, "which": member.id, "role": wanted})
            told = {"email": member.email, "from": member.role, "to": wanted}
            await acting.note(tx, "member.role_changed", "member", member.id, told)

        await self._db.write(work)
        self._people.sessions.forget_account(caller.account_id)
        return await self.get(caller, member_id)

    async def remove(self, caller: Caller, member_id: str) -> Member:
        """Let somebody go. What they are doing right now ends within seconds, and their open links with it."""
        _check(caller)
        acting = self._people.audit.acting(caller)

        async def work(tx: Tx) -> Member:
            member = await held(tx, caller.account_id, member_id, keeps_owner=False)
            check_may_give(caller.scopes, member.role)
            await tx.run(store.DELETE_MEMBER, {"account": caller.account_id, "which": member.id})
            await tx.run(people_store.END_INVITES, self._ending(member))
            await acting.note(tx, "member.removed", "member", member.id, {"email": member.email, "role": member.role})
            return member

        gone = await self._db.write(work)
        self._people.sessions.forget_account(caller.account_id)
        return gone

    def _draw_link(self, caller: Caller, member: Member) -> tuple[str, Any]:
        return self._people.links.draw(
            "invite", member.email, by=caller.key_id, account_id=member.account_id, role=member.role
        )

    async def _told(self, tx: Tx, member: Member, link: str) -> InvitedView:
        """Who was invited, with the link where whoever invites may have it.

        Who opens it first is that address from then on, for every account of the installation. So it goes by letter to the
        address itself; without letters it is shown where nobody else's account is there, and otherwise made by the operator.
        """
        mailed = self._people.post.works
        is_shown = not mailed and await tx.first(store.OTHER_ACCOUNT, {"id": member.account_id}) is None
        expires = self._clock.now_ms() + LIFETIMES_MS["invite"]
        return InvitedView(
            **asdict(_view(member)), link=link if is_shown else None, link_expires_at=iso(expires), mailed=mailed
        )

    def _ending(self, member: Member) -> dict[str, Any]:
        return {"account": member.account_id, "who": member.email, "now": self._clock.now_ms()}

    def _mail(self, caller: Caller, member: Member, link: str, language: str) -> None:
        by = caller.key_name if caller.is_person else caller.account_name
        letter = write_letter("invite", language, member.email, by=by, account=caller.account_name, link=link)
        self._people.post.send_soon(letter)


def _view(member: Member) -> MemberView:
    return MemberView(
        id=member.id,
        email=member.email,
        name=member.name,
        role=member.role,
        scopes=sorted(SCOPES[member.role]),
        state="invited" if member.person_id is None else "active",
        created_at=iso(member.created_at),
    )


def _check(caller: Caller) -> None:
    caller.require("account:manage")
    if caller.mode == "test":
        raise ScopeMissing("A test key reaches only sandbox lines, not the team.", code="test_key")
