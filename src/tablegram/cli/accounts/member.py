"""tablegram member …"""

from __future__ import annotations

import click

from tablegram.accounts.people import store as people_store
from tablegram.accounts.team import ROLES, Member, clean_email, member_of
from tablegram.cli.output import Group, table, tell
from tablegram.cli.parameters import account_option
from tablegram.cli.session import Session, in_session
from tablegram.errors import NotFound
from tablegram.values.clock import iso

_role = click.Choice(ROLES)


@click.group("member", cls=Group)
def member_group() -> None:
    """Manage the people of an account and their roles."""


@member_group.command("add")
@click.argument("email")
@account_option
@click.option("--role", type=_role, default="staff", show_default=True, help="What the person may do.")
@click.option("--name", default="", help="The person's name.")
def add(email: str, account_name: str, role: str, name: str) -> None:
    """Add the person with address EMAIL to an account."""

    async def work(session: Session) -> tuple[Member, str]:
        account = await session.accounts.get(account_name)
        member = await session.team.add(account.id, email, role, name)
        await session.note("member.invited", "member", member.id, {"email": member.email, "role": role}, account.id)
        return member, await _invitation(session, member)

    member, link = in_session(work)
    tell(
        {**described(member), "link": link},
        f"{member.email} is now {member.role} of {account_name}.",
        "Let them choose a password with this link, which works once within 7 days:",
        link,
    )


@member_group.command("list")
@account_option
def list_members(account_name: str) -> None:
    """Show the people of an account."""

    async def work(session: Session) -> list[Member]:
        return await session.team.list_members((await session.accounts.get(account_name)).id)

    members = in_session(work)
    rows = [(member.email, member.role, member.name, member.id) for member in members]
    empty = "This account has no member yet. Add one: tablegram member add EMAIL --account NAME --role owner"
    tell([described(member) for member in members], *table(("EMAIL", "ROLE", "NAME", "ID"), rows, empty))


@member_group.command("role")
@click.argument("email")
@click.argument("role", type=_role)
@account_option
def change_role(email: str, role: str, account_name: str) -> None:
    """Give the person with address EMAIL another ROLE."""

    async def work(session: Session) -> Member:
        account = await session.accounts.get(account_name)
        before = await session.team.find(account.id, email)
        member = await session.team.change_role(account.id, email, role)
        told = {"email": member.email, "from": before.role, "to": member.role}
        await session.note("member.role_changed", "member", member.id, told, account.id)
        return member

    member = in_session(work)
    tell(described(member), f"{member.email} is now {member.role} of {account_name}.")


@member_group.command("remove")
@click.argument("email")
@account_option
def remove(email: str, account_name: str) -> None:
    """Remove the person with address EMAIL from an account."""

    async def work(session: Session) -> Member:
        account = await session.accounts.get(account_name)
        member = await session.team.remove(account.id, email)
        ending = {"account": account.id, "who": member.email, "now": session.clock.now_ms()}
        await session.db.put((people_store.END_INVITES, ending))
        told = {"email": member.email, "role": member.role}
        await session.note("member.removed", "member", member.id, told, account.id)
        return member

    member = in_session(work)
    tell(described(member), f"{member.email} is no longer a member of {account_name}.")


@member_group.command("link")
@click.argument("email")
@click.option(
    "--account", "account_name", default="", metavar="NAME", help="Which account, if the person is in several."
)
@click.option("--without-second-factor", "drop_second", is_flag=True, help="Also switch their second factor off.")
def link(email: str, account_name: str, drop_second: bool) -> None:
    """Print a link for the person with address EMAIL: the first sign-in, or a new password. It works once.

    With --account, for a person who is invited there and has a password already: the link to accept.
    """

    async def work(session: Session) -> tuple[str, str]:
        person = await session.people.register.find(email)
        if person is not None and drop_second:
            await session.people.second_factor.disable(person.id)
            await _note_everywhere(session, email, "second_factor.disabled")
        member = await _waiting(session, email, account_name) if account_name else None
        # Who has a password, and is invited to one more account, signs in with it and accepts by the link.
        is_invited = member is not None and member.person_id is None
        if person is not None and person.has_password and not is_invited:
            await _note_everywhere(session, email, "password.link_made")
            return "reset", await session.people.links.make("reset", person.email, by="command")
        member = member or await _waiting(session, email, account_name)
        return member.role, await _invitation(session, member)

    purpose, address = in_session(work)
    words = "A new password, within an hour" if purpose == "reset" else f"The first sign-in as {purpose}, within 7 days"
    tell({"email": email, "purpose": purpose, "link": address}, f"{words}; the link works once:", address)


async def _waiting(session: Session, email: str, account_name: str) -> Member:
    """The membership that the person has not accepted yet."""
    if account_name:
        return await session.team.find((await session.accounts.get(account_name)).id, email)
    rows = await session.db.all(people_store.MEMBERS_BY_EMAIL, {"email": clean_email(email)})
    if not rows:
        raise NotFound(
            f"Nobody here has the address {email}. Add them: tablegram member add {email} --account NAME",
            code="member_not_found",
        )
    return member_of(rows[0])


async def _invitation(session: Session, member: Member) -> str:
    person = await session.people.register.find(member.email)
    is_new = person is None or not person.has_password
    return await session.people.links.make(
        "owner" if member.role == "owner" and is_new else "invite",
        member.email,
        by="command",
        account_id=member.account_id,
        role=member.role,
    )


async def _note_everywhere(session: Session, email: str, action: str) -> None:
    for row in await session.db.all(people_store.MEMBERS_BY_EMAIL, {"email": clean_email(email)}):
        await session.note(action, "member", row["id"], {"email": row["email"]}, row["account_id"])


def described(member: Member) -> dict[str, object]:
    return {
        "id": member.id,
        "email": member.email,
        "name": member.name,
        "role": member.role,
        "created_at": iso(member.created_at),
    }
