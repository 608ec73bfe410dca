"""tablegram operator …"""

from __future__ import annotations

import click

from tablegram.accounts.people.model import Person
from tablegram.cli.output import Group, table, tell
from tablegram.cli.session import Session, in_session


@click.group("operator", cls=Group)
def operator_group() -> None:
    """Manage operators, who see every account, plan and balance in the panel."""


@operator_group.command("add")
@click.argument("email")
def add(email: str) -> None:
    """Make the person with address EMAIL an operator, and print a link if they have no password yet."""

    async def work(session: Session) -> tuple[Person, str]:
        person = await session.people.register.set_operator(email, True)
        await session.note("operator.added", "person", person.id, {"email": person.email})
        if person.has_password:
            return person, ""
        return person, await session.people.links.make("reset", person.email, by="command")

    person, link = in_session(work)
    lines = [f"{person.email} is now an operator of this installation."]
    if link:
        lines += ["", "The first sign-in, within an hour; the link works once:", "", f"  {link}", ""]
    else:
        lines.append(
            f"They sign in with the password they have ({person.shown_name}, here since they were first invited)."
        )
        lines.append(
            f"Is that really them? If in doubt, make them choose a new one: tablegram member link {person.email}"
        )
    tell({**described(person), "link": link or None}, *lines)


@operator_group.command("list")
def list_operators() -> None:
    """Show the operators of this installation."""

    async def work(session: Session) -> list[Person]:
        return await session.people.register.operators()

    people = in_session(work)
    rows = [(person.email, person.name, "on" if person.has_second_factor else "off") for person in people]
    empty = "There is no operator yet. Make one: tablegram operator add EMAIL"
    tell([described(person) for person in people], *table(("EMAIL", "NAME", "SECOND FACTOR"), rows, empty))


@operator_group.command("remove")
@click.argument("email")
def remove(email: str) -> None:
    """Remove the operator with address EMAIL."""

    async def work(session: Session) -> Person:
        person = await session.people.register.set_operator(email, False)
        await session.note("operator.removed", "person", person.id, {"email": person.email})
        return person

    person = in_session(work)
    tell(described(person), f"{person.email} is no longer an operator.")


def described(person: Person) -> dict[str, object]:
    return {
        "id": person.id,
        "email": person.email,
        "name": person.name,
        "is_operator": person.is_operator,
        "has_password": person.has_password,
        "second_factor": person.has_second_factor,
    }
