"""Segments: contacts by rules that every part of the product may bring."""

from __future__ import annotations

from tablegram.api.routes import routes_of
from tablegram.campaigns.audience import Audience
from tablegram.campaigns.segments.reached import RULES
from tablegram.errors import NotFound
from tablegram.flows.account.services import AccountServices
from tablegram.flows.campaigns.segments.editing import Editor
from tablegram.flows.campaigns.segments.ready import ReadyMade
from tablegram.flows.campaigns.segments.segments import Segments
from tablegram.flows.campaigns.segments.services import SegmentServices
from tablegram.panel.app import handlers_below
from tablegram.panel.navigation import Group, Place
from tablegram.restaurant import venues
from tablegram.storage.database import Tx
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


async def zone_of(tx: Tx, account_id: int) -> str:
    """The venue's, where there is one."""
    try:
        return (await venues.default(tx, account_id)).time_zone
    except NotFound:
        return "UTC"


def build(ground: Ground, engine: Engine, account: AccountServices) -> Contribution:
    audience = Audience(ground.whole.rules, ground.clock, zone_of)
    segments = Segments(ground.db, engine.idempotency, ground.clock, account.audit, audience)
    services = SegmentServices(
        segments=segments,
        audience=audience,
        editor=Editor(ground.db, audience),
        ready=ReadyMade(ground.db, audience, segments),
    )
    return Contribution(services=[services], rules=RULES)


PART = Part(
    name="segments",
    build=build,
    routes=lambda: routes_of("campaigns.segments"),
    pages=lambda: handlers_below("segments"),
    places=[Group("marketing", (Place("segments", "/panel/segments", ("campaigns:read",), rank=2),))],
)
