"""What the audit log is about, by name: people know a contact or a key by it, not by an id."""

from __future__ import annotations

from collections.abc import Iterable

from tablegram.accounts.answers import AuditEntry
from tablegram.accounts.team import Member
from tablegram.errors import NotFound
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.listing import fits
from tablegram.panel.i18n import words
from tablegram.panel.pages.restaurant.venues import venues_of
from tablegram.panel.visitor import Visitor

_DID = "audit.did_"
# An account has at most 50.
_MOST_ENDPOINTS = 100

# By the kind of the thing and its id.
Names = dict[tuple[str, str], str]


async def names_of(visitor: Visitor, deps: PanelDeps, entries: Iterable[AuditEntry]) -> Names:
    """The present names of what the entries are about; what is gone has none."""
    account_id = visitor.caller.account_id
    kinds: dict[str, set[str]] = {}
    for entry in entries:
        kinds.setdefault(entry.object.kind, set()).add(entry.object.id)
        if entry.action == "contact.merged":
            kinds["contact"].add(str(entry.detail.get("into", "")))
        if "line" in entry.detail:
            kinds.setdefault("line", set()).add(str(entry.detail["line"]))
    names = await _rooms_and_endpoints(visitor, deps, kinds)
    if "key" in kinds and visitor.can("keys:manage"):
        names |= {("key", key.id): key.name for key in await deps.integrations.granting.keys(visitor.caller)}
    if "line" in kinds:
        lines = await deps.gateway.overviews.line_names(visitor.caller)
        names |= {("line", str(number)): name for number, name in lines.items()}
    if kinds.keys() & {"member", "person"}:
        for member in await deps.account.team.list_members(account_id):
            names["member", member.id] = member.name or member.email
            if member.person_id is not None:
                names["person", member.person_id] = member.name or member.email
    names["account", str(account_id)] = visitor.caller.account_name
    if visitor.can("contacts:read"):
        for contact_id in kinds.get("contact", set()) - {""}:
            try:
                contact = await deps.contacts.pool.get(visitor.caller, contact_id)
            except NotFound:
                # Erased: the log keeps what was done, and not with whom.
                continue
            names["contact", contact_id] = contact.name.strip() or next(iter(contact.phones), "")
    return {one: name for one, name in names.items() if name}


async def _rooms_and_endpoints(visitor: Visitor, deps: PanelDeps, kinds: dict[str, set[str]]) -> Names:
    """Venues, and webhooks by where they lead; those that the visitor may see."""
    names: Names = {}
    if "venue" in kinds and visitor.can("restaurant:read"):
        venues = await venues_of(deps, visitor)
        names |= {("venue", venue.id): venue.name for venue in venues}
    if "webhook" in kinds and visitor.can("webhooks:manage"):
        endpoints = (await deps.integrations.webhooks.page(visitor.caller, _MOST_ENDPOINTS, None)).data
        names |= {("webhook", endpoint.id): endpoint.url for endpoint in endpoints}
    return names


async def actors_called(visitor: Visitor, deps: PanelDeps, members: list[Member], search: str) -> list[str]:
    """The ids of the people and keys with such a name."""
    if not search:
        return []
    keys = await deps.integrations.granting.keys(visitor.caller) if visitor.can("keys:manage") else []
    found = [key.id for key in keys if fits(search, key.name)]
    for member in members:
        if fits(search, member.name, member.email):
            found += [one for one in (member.id, member.person_id) if one]
    return found


def actions_called(visitor: Visitor, search: str) -> list[str]:
    """The actions whose words, in the visitor's language, have those of the search."""
    known = words(visitor.language).items()
    return [key.removeprefix(_DID) for key, text in known if search and key.startswith(_DID) and fits(search, text)]
