"""What the audit log is about, by name: people know a contact or a key by it, not by an id."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tablegram.accounts.team import Member
from tablegram.errors import NotFound
from tablegram.panel.deps import PanelDeps
from tablegram.panel.i18n import words
from tablegram.panel.listing import fits
from tablegram.panel.visitor import Visitor

_DID = "audit.did_"

# By the kind of the thing and its id.
Names = dict[tuple[str, str], str]


async def names_of(visitor: Visitor, deps: PanelDeps, entries: Iterable[dict[str, Any]]) -> Names:
    """The present names of what the entries are about; what is gone has none."""
    account_id = visitor.caller.account_id
    kinds: dict[str, set[str]] = {}
    for entry in entries:
        kinds.setdefault(entry["object"]["kind"], set()).add(entry["object"]["id"])
        if entry["action"] == "contact.merged":
            kinds["contact"].add(str(entry["detail"].get("into", "")))
    names: Names = {}
    if "key" in kinds:
        names |= {("key", key.id): key.name for key in await deps.key_ring.list_keys(account_id)}
    if "line" in kinds:
        lines = await deps.overviews.line_names(visitor.caller)
        names |= {("line", str(number)): name for number, name in lines.items()}
    if "member" in kinds:
        names |= {("member", one.id): one.name or one.email for one in await deps.team.list_members(account_id)}
    if visitor.can("contacts:read"):
        for contact_id in kinds.get("contact", set()) - {""}:
            try:
                contact = await deps.contacts.get(visitor.caller, contact_id)
            except NotFound:
                # Erased: the log keeps what was done, and not with whom.
                continue
            names["contact", contact_id] = contact["name"].strip() or next(iter(contact["phones"]), "")
    return {one: name for one, name in names.items() if name}


async def actors_called(visitor: Visitor, deps: PanelDeps, members: list[Member], search: str) -> list[str]:
    """The ids of the people and keys with such a name."""
    if not search:
        return []
    keys = await deps.key_ring.list_keys(visitor.caller.account_id)
    found = [key.id for key in keys if fits(search, key.name)]
    for member in members:
        if fits(search, member.name, member.email):
            found += [one for one in (member.id, member.person_id) if one]
    return found


def actions_called(visitor: Visitor, search: str) -> list[str]:
    """The actions whose words, in the visitor's language, have those of the search."""
    known = words(visitor.language).items()
    return [key.removeprefix(_DID) for key, text in known if search and key.startswith(_DID) and fits(search, text)]
