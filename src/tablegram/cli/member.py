"""tablegram member …"""

from __future__ import annotations

from typing import Any

import click

from tablegram.accounts.team import ROLES, Member
from tablegram.cli.output import Group, table, tell
from tablegram.cli.parameters import account_option
from tablegram.cli.session import Session, in_session
from tablegram.values.clock import iso

_role = click.Choice(ROLES)


@click.group("member", cls=Group)
def member_group() -> None:
    """Keep the people of an account and their roles."""


@member_group.command("add")
@click.argument("email")
@account_option
@click.option("--role", type=_role, default="staff", show_default=True, help="What the person may do.")
@click.option("--name", default="", help="The person's name.")
def add(email: str, account_name: str, role: str, name: str) -> None:
    """Add the person with address EMAIL to an account."""

    async def work(session: Session) -> Member:
        return await session.team.add((await session.accounts.get(account_name)).id, email, role, name)

    member = in_session(work)
    tell(described(member), f"{member.email} is now {member.role} of {account_name}.")


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
        return await session.team.change_role((await session.accounts.get(account_name)).id, email, role)

    member = in_session(work)
    tell(described(member), f"{member.email} is now {member.role} of {account_name}.")


@member_group.command("remove")
@click.argument("email")
@account_option
def remove(email: str, account_name: str) -> None:
    """Take the person with address EMAIL out of an account."""

    async def work(session: Session) -> Member:
        return await session.team.remove((await session.accounts.get(account_name)).id, email)

    member = in_session(work)
    tell(described(member), f"{member.email} is no longer a member of {account_name}.")


def described(member: Member) -> dict[str, Any]:
    return {
        "id": member.id,
        "email": member.email,
        "name": member.name,
        "role": member.role,
        "created_at": iso(member.created_at),
    }
