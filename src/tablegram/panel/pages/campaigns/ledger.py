"""Everybody of a campaign, one row each: what became of them, or why they got nothing.

GET  /panel/campaigns/{id}/people           ?state= ?reason=
"""

from __future__ import annotations

from typing import Any, get_args

from litestar import get
from litestar.params import FromPath

from tablegram.campaigns.model import SendState
from tablegram.flows.campaigns.answers import CampaignSend
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms, choice
from tablegram.panel.pages.campaigns.editing import services_of
from tablegram.panel.pages.campaigns.showing import reason_words, reasons
from tablegram.panel.render import PageResponse, page
from tablegram.panel.visitor import Visitor

PER_PAGE = 30
STATES: tuple[SendState, ...] = get_args(SendState)
TONES = {
    "waiting": "muted", "queued": "info", "sent": "info", "delivered": "ok", "read": "ok", "failed": "bad",
    "skipped": "warn", "holdout": "muted",
}  # fmt: skip


@get("/campaigns/{campaign_id:str}/people", opt={"scope": "campaigns:read"})
async def list_people(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, campaign_id: FromPath[str]
) -> PageResponse:
    services = services_of(deps)
    one = await services.desk.get(visitor.caller, campaign_id)
    report = await services.reporting.report(visitor.caller, campaign_id)
    state, reason = choice(request, "state", ("", *STATES)) or None, asked(request, "reason")[:100] or None
    found = await services.desk.sends(
        visitor.caller, campaign_id, state=state, reason=reason, limit=PER_PAGE, cursor=asked(request, "cursor") or None
    )
    names: dict[str, str] = {}
    if visitor.can("contacts:read"):
        names = await deps.contacts.listing.called(visitor.caller, [row.contact_id for row in found.data])
    return page(
        request, visitor, "campaigns/people.html", one=one, people=[_shown(visitor, row, names) for row in found.data],
        next_cursor=found.next_cursor, states=STATES, reasons=reasons(visitor, report),
        is_asked=bool(state or reason),
    )  # fmt: skip


def _shown(visitor: Visitor, row: CampaignSend, names: dict[str, str]) -> dict[str, Any]:
    return {
        "id": row.contact_id,
        "name": names.get(row.contact_id),
        "state": row.state,
        "tone": TONES[row.state],
        "reason": reason_words(visitor, row.state, row.reason) if row.state in ("skipped", "failed") else "",
        "at": at_ms(row.queued_at),
    }


HANDLERS = [list_people]
