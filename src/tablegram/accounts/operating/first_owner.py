"""The first owner of an account: invited by an operator, as later people are by the owner."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tablegram.accounts import store
from tablegram.accounts.accounts import Account
from tablegram.accounts.audit import Acting
from tablegram.accounts.operating.answers import OpenedAccount, OwnerView
from tablegram.accounts.people import store as people_store
from tablegram.accounts.people.house import People
from tablegram.accounts.people.letters import write_letter
from tablegram.accounts.people.links import LIFETIMES_MS
from tablegram.accounts.team import Member, Team, member_of
from tablegram.engine.idempotency import Result
from tablegram.errors import Conflict
from tablegram.storage.database import Tx
from tablegram.values.clock import Clock, iso


@dataclass(frozen=True, slots=True)
class Invitee:
    """Whom to invite, and the language of the letter."""

    email: str
    name: str = ""
    language: str = ""


class FirstOwner:
    def __init__(self, clock: Clock, team: Team, people: People) -> None:
        self._clock = clock
        self._team = team
        self._people = people

    def draw(self, invitee: Invitee) -> Member:
        """The owner of an account that has no number yet; every field is checked."""
        return self._team.draw(0, invitee.email, "owner", invitee.name)

    async def invite_in(self, tx: Tx, account: Account, drawn: Member, acting: Acting, by: str) -> OwnerView:
        """Add the owner, or give one who has not come yet a new link. What the answer tells of it holds the link.

        Once somebody has accepted, the account is theirs: who runs the installation adds nobody to it from outside.
        """
        await tx.first(store.LOCK_ACCOUNT, {"id": account.id})
        members = [member_of(row) for row in await tx.all(store.MEMBERS, {"account_id": account.id})]
        if any(member.person_id is not None for member in members):
            raise Conflict(
                f"Somebody signs in to {account.name} already. Its owners invite everybody else.",
                code="account_has_people",
            )
        known = next((member for member in members if member.email == drawn.email), None)
        member = known or await self._team.add_in(tx, replace(drawn, account_id=account.id))
        if known is not None:
            ending = {"account": account.id, "who": member.email, "now": self._clock.now_ms()}
            await tx.run(people_store.END_INVITES, ending)
        link, statement = self._people.links.draw(
            "invite", member.email, by=by, account_id=account.id, role=member.role
        )
        await tx.run(*statement)
        told = {"email": member.email, "role": member.role, "operator": True}
        action = "member.invited" if known is None else "member.invited_again"
        await acting.note(tx, action, "member", member.id, told)
        return OwnerView(
            email=member.email,
            name=member.name,
            role=member.role,
            link=link,
            link_expires_at=iso(self._clock.now_ms() + LIFETIMES_MS["invite"]) or "",
            mailed=self._people.post.works,
        )

    def mail(self, answer: Result[OpenedAccount], by: str, language: str) -> None:
        """Send the letter that an answer promises, unless it is one that is only given again."""
        opened, owner = answer.value, answer.value.owner
        if answer.replayed or owner is None:
            return
        letter = write_letter("invite", language, owner.email, by=by, account=opened.name, link=owner.link)
        self._people.post.send_soon(letter)
