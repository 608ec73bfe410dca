"""Audit log: who did what.

GET /panel/audit            ?q=&actor=&action=&cursor=
"""

from __future__ import annotations

from typing import Any

from litestar import get
from msgspec.structs import asdict

from tablegram.accounts.answers import AuditEntry
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import PER_PAGE, asked, at_ms, choice
from tablegram.panel.i18n import words
from tablegram.panel.pages.account.audit_names import Names, actions_called, actors_called, names_of
from tablegram.panel.render import PageResponse, page
from tablegram.panel.visitor import Visitor

# The first part of an action says what it is about.
KINDS = (
    "",
    "sign_in.",
    "password.",
    "second_factor.",
    "member.",
    "key.",
    "line.",
    "auto_reply.",
    "webhook.",
    "contact",
    "canned_reply.",
    "venue.",
    "menu.",
    "order.",
    "account.",
)
# Details that are the id of something with a name; and ids beside which the name itself stands.
_NAMED = {"into": "contact", "line": "line"}
_SAID_BY = {"id": "name", "ids": "names", "waiter_id": "waiter", "section_id": "section"}


@get("/audit", opt={"scope": "account:manage"})
async def audit(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    actor, kind = asked(request, "actor"), choice(request, "action", KINDS)
    members = await deps.account.team.list_members(visitor.caller.account_id)
    person = next((member.person_id for member in members if member.id == actor), None)
    search = asked(request, "q")
    found = await deps.account.audit.read(
        visitor.caller,
        limit=PER_PAGE,
        cursor=asked(request, "cursor") or None,
        actor=actor or None,
        actor_also=person,
        action=kind or None,
        object_id=search or None,
        or_actors=await actors_called(visitor, deps, members, search),
        or_actions=actions_called(visitor, search),
    )
    names = await names_of(visitor, deps, found.data)
    return page(
        request,
        visitor,
        "account/audit/list.html",
        entries=[_shown(visitor, entry, names) for entry in found.data],
        next_cursor=found.next_cursor,
        members=members,
        kinds=KINDS,
        is_filtered=bool(actor or kind or search),
    )


def _shown(visitor: Visitor, entry: AuditEntry, names: Names) -> dict[str, Any]:
    """The entry with its action in words, and the details that a person can read."""
    known = words(visitor.language)
    told = {name: value for name, value in entry.detail.items() if value not in (None, "", [], {})}
    details = [
        (
            known.get(f"audit.detail_{name}", name),
            _text(known, name, names.get((_NAMED[name], str(value)), value) if name in _NAMED else value),
        )
        for name, value in told.items()
        # Where there is a name, nobody needs the id.
        if _SAID_BY.get(name) not in told
    ]
    called = names.get((entry.object.kind, entry.object.id), "")
    return {
        **asdict(entry),
        "words": known.get(f"audit.did_{entry.action.replace('.', '_')}", entry.action),
        "called": called,
        # On a phone, where the name has no column of its own, unless the details say it.
        "called_beside": "" if any(value == called for _, value in details) else called,
        "at_ms": at_ms(entry.created_at),
        "details": details,
    }


def _text(known: dict[str, str], name: str, value: Any) -> str:
    """A detail as people say it: yes instead of true, a role by its name."""
    if isinstance(value, list):
        return ", ".join(_text(known, name, one) for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_text(known, key, one)}" for key, one in value.items())
    if isinstance(value, bool):
        return known["audit.yes"] if value else known["audit.no"]
    said = {
        "role": (f"role.{value}",),
        "mode": (f"keys.mode_{value}",),
        "kind": (f"lines.kind_{value}", f"replies.kind_{value}"),
    }.get(name, (f"audit.value_{name}_{value}",))
    return next((known[key] for key in said if key in known), str(value))


HANDLERS = [audit]
