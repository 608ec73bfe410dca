"""The people of an account and their roles. There is always an owner once there was one."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import get_args

from tablegram.accounts import store
from tablegram.accounts.naming import clean_name
from tablegram.accounts.rows import MemberRow
from tablegram.accounts.rows import Role as Role
from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.ids import new_id

ROLES: tuple[Role, ...] = get_args(Role)

# Only what every address has; whether it exists is told by writing to it.
_EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_MAX_EMAIL = 254


@dataclass(frozen=True, slots=True)
class Member:
    account_id: int
    id: str
    email: str
    name: str
    role: Role
    created_at: int
    # Who signs in as this member; nothing until they have accepted.
    person_id: str | None = None


class Team:
    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    async def add(self, account_id: int, email: str, role: str, name: str = "") -> Member:
        drawn = self.draw(account_id, email, role, name)
        return await self._db.write(lambda tx: self.add_in(tx, drawn))

    def draw(self, account_id: int, email: str, role: str, name: str = "") -> Member:
        """A member who is not stored yet; every field is checked."""
        now_ms = self._clock.now_ms()
        shown = clean_name(name, "name", optional=True)
        return Member(account_id, new_id(now_ms), clean_email(email), shown, clean_role(role), now_ms)

    async def add_in(self, tx: Tx, member: Member) -> Member:
        """Store a drawn member inside a transaction of the caller's."""
        if not await tx.run(store.INSERT_MEMBER, {field: getattr(member, field) for field in Member.__slots__}):
            raise Conflict(f"{member.email} is already a member of this account.", code="member_exists")
        return member

    async def find(self, account_id: int, who: str) -> Member:
        """A member, named by e-mail address or id."""
        return _meant(await self.list_members(account_id), who)

    async def list_members(self, account_id: int) -> list[Member]:
        return [member_of(row) for row in await self._db.all(store.MEMBERS, {"account_id": account_id})]

    async def change_role(self, account_id: int, who: str, role: str) -> Member:
        """Give a member, named by e-mail address or id, another role."""
        wanted = clean_role(role)

        async def work(tx: Tx) -> Member:
            member = await held(tx, account_id, who, keeps_owner=wanted == "owner")
            await tx.run(store.SET_ROLE, {"account": account_id, "which": member.id, "role": wanted})
            return member

        member = await self._db.write(work)
        return replace(member, role=wanted)

    async def remove(self, account_id: int, who: str) -> Member:
        """Take a member, named by e-mail address or id, out of the account."""

        async def work(tx: Tx) -> Member:
            member = await held(tx, account_id, who, keeps_owner=False)
            await tx.run(store.DELETE_MEMBER, {"account": account_id, "which": member.id})
            return member

        return await self._db.write(work)


async def held(tx: Tx, account_id: int, who: str, *, keeps_owner: bool) -> Member:
    """The member meant, with the team held still: two owners must not remove each other at once."""
    await tx.first(store.LOCK_ACCOUNT, {"id": account_id})
    team = [member_of(row) for row in await tx.all(store.MEMBERS, {"account_id": account_id})]
    member = _meant(team, who)
    owners = [other for other in team if other.role == "owner"]
    if owners == [member] and not keeps_owner:
        raise Conflict(f"{member.email} is the only owner. Make somebody else an owner first.", code="last_owner")
    return member


def _meant(team: list[Member], who: str) -> Member:
    member = next((member for member in team if who.strip().lower() in (member.email, member.id)), None)
    if member is None:
        raise NotFound(f"{no_such('member')} List them: tablegram member list", code="member_not_found")
    return member


def clean_email(text: str) -> str:
    """The address as it is compared: without spaces around it, in small letters."""
    email = text.strip().lower()
    if len(email) > _MAX_EMAIL or _EMAIL.fullmatch(email) is None or not email.isprintable():
        raise Invalid.field("email", "email_invalid", "Write a whole e-mail address, for example ada@example.com.")
    return email


def clean_role(text: str) -> Role:
    for role in ROLES:
        if role == text:
            return role
    raise Invalid.field("role", "role_unknown", f"The role must be one of {', '.join(ROLES)}.")


def member_of(row: MemberRow) -> Member:
    return Member(
        row["account_id"], row["id"], row["email"], row["name"], row["role"], row["created_at"], row["person_id"]
    )
