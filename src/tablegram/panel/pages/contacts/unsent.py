"""What a contact would have got, and why nothing was sent.

GET  /panel/contacts/{id}/unsent            ?source=
"""

from __future__ import annotations

from typing import get_args

from litestar import get
from litestar.params import FromPath

from tablegram.flows.contacts.unsent import Source, UnsentView
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms, choice
from tablegram.panel.i18n import words
from tablegram.panel.render import PageResponse, page
from tablegram.panel.visitor import Visitor

PER_PAGE, SHOWN = 30, 3
SOURCES: tuple[Source, ...] = get_args(Source)
# Where the words for reasons are, and the page that a row leads to.
_WORDS = {"campaign": "campaigns", "automation": "automations", "store_notice": "notices", "loyalty": "loyalty"}


@get("/contacts/{contact_id:str}/unsent", opt={"scope": "contacts:read"})
async def list_unsent(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]
) -> PageResponse:
    contact = await deps.contacts.pool.get(visitor.caller, contact_id)
    found = await deps.contacts.unsent.of_contact(
        visitor.caller, contact.id, source=choice(request, "source", ("", *SOURCES)), limit=PER_PAGE,
        cursor=asked(request, "cursor") or None,
    )  # fmt: skip
    return page(
        request, visitor, "contacts/unsent.html", contact=contact, next_cursor=found.next_cursor, sources=SOURCES,
        unsent=[_shown(visitor, one) for one in found.data], is_asked=bool(asked(request, "source")),
    )  # fmt: skip


async def last_unsent(visitor: Visitor, deps: PanelDeps, contact_id: str) -> list[dict[str, object]]:
    """The last ones, for the contact's page."""
    found = await deps.contacts.unsent.of_contact(visitor.caller, contact_id, limit=SHOWN)
    return [_shown(visitor, one) for one in found.data]


def _shown(visitor: Visitor, one: UnsentView) -> dict[str, object]:
    known, name = words(visitor.language), one.name
    if one.source == "store_notice":
        name = " ".join(part for part in (visitor.t(f"notices.kind_{one.kind}"), one.name) if part)
    reason = known.get(f"{_WORDS[one.source]}.reason_{one.reason}") or one.reason
    paths = {"store_notice": "/panel/notices/log", "loyalty": f"/panel/loyalty/members/{one.source_id}"}
    if one.source == "loyalty" and one.kind == "points_expire":
        name = visitor.t("loyalty.unsent_points", points=one.name)
    elif one.source == "loyalty":
        name = visitor.t(f"loyalty.unsent_{one.kind}", hint=one.name)
        paths["loyalty"] = f"/panel/loyalty/gifts/{one.source_id}"
    path = paths.get(one.source, f"/panel/{_WORDS[one.source]}/{one.source_id}")
    return {"source": one.source, "name": name, "path": path, "reason": reason, "at": at_ms(one.at)}


HANDLERS = [list_unsent]
