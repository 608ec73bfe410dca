"""Campaigns: what is written to many at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tablegram.api.routes import routes_of
from tablegram.campaigns.store.retention import PURGES
from tablegram.flows.account.services import AccountServices
from tablegram.flows.campaigns.following import Following
from tablegram.flows.campaigns.moving import Moving
from tablegram.flows.campaigns.own_data import HOLDING, SILENCE, CampaignReach
from tablegram.flows.campaigns.running import CampaignClock
from tablegram.flows.campaigns.segments.services import SegmentServices
from tablegram.flows.files.services import FileServices
from tablegram.flows.gateway.services import GatewayServices
from tablegram.hooks.campaigns.short_links import PATH, ShortLinks
from tablegram.panel.app import handlers_below
from tablegram.panel.navigation import Group, Place
from tablegram.wiring.areas.account import Till
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.gateway import LineWorks
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.roles import Role, drain

if TYPE_CHECKING:
    from tablegram.flows.campaigns.services import CampaignServices

TOPIC = "campaigns"


@dataclass(frozen=True, slots=True)
class CampaignWorks:
    clock: CampaignClock


def build(
    ground: Ground, engine: Engine, account: AccountServices, till: Till, events: EventWorks, lines: LineWorks,
    segments: SegmentServices, files: FileServices, gateway: GatewayServices,
) -> Contribution:  # fmt: skip
    db, clock, base_url = ground.db, ground.clock, ground.settings.base_url

    def told(account_id: int, campaign_id: str) -> None:
        events.live.notice(account_id, TOPIC, [campaign_id] if campaign_id else [])

    moving = Moving(events.planner, prepaid=ground.prepaid)
    running = CampaignClock(db, clock, engine.leases, moving, lines.queue, base_url, told, segments.audience)

    def changed(account_id: int, campaign_id: str) -> None:
        told(account_id, campaign_id)
        running.wake()

    def desks() -> CampaignServices:
        # Addresses and pages alone ask for them.
        from tablegram.flows.campaigns.campaign_desk import CampaignDesk
        from tablegram.flows.campaigns.message.pictures import CampaignPictures
        from tablegram.flows.campaigns.message.templates import CampaignTemplates
        from tablegram.flows.campaigns.reporting import Reporting
        from tablegram.flows.campaigns.services import CampaignServices
        from tablegram.flows.campaigns.trying import Trying

        templates = CampaignTemplates(db, gateway.templates.renew)
        desk = (db, engine.idempotency, clock)
        return CampaignServices(
            desk=CampaignDesk(*desk, account.audit, moving, changed, segments.audience, templates),
            reporting=Reporting(db, prepaid=ground.prepaid),
            pictures=CampaignPictures(db, files.attachments, files.library),
            trying=Trying(*desk, till.card, lines.queue, base_url, segments.audience, templates),
        )

    links = ShortLinks(Following(db, clock), ground.settings)
    links.shut_out.share(engine.bus, "strangelinks")
    return Contribution(
        services=[CampaignWorks(running)],
        desks=[desks],
        tasks={"campaigns": drain(Role.WORKER, running.drain)},
        figures=[running.drain.figures],
        reaches=[CampaignReach()],
        holdings=[HOLDING],
        silences=[SILENCE],
        mounts={PATH: links},
    )


PART = Part(
    name="campaigns",
    build=build,
    routes=lambda: routes_of("campaigns.campaigns"),
    purges=PURGES,
    pages=lambda: handlers_below("campaigns"),
    places=[Group("marketing", (Place("campaigns", "/panel/campaigns", ("campaigns:read",), rank=1),))],
)
