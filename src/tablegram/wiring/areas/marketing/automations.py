"""Automations: small flows that write by themselves, and what guests say to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tablegram.api.routes import routes_of
from tablegram.automations.interests import Interests
from tablegram.automations.store.retention import PURGES
from tablegram.demo.stage import filling
from tablegram.flows.account.services import AccountServices
from tablegram.flows.automations.automation_clock import AutomationClock
from tablegram.flows.automations.own_data import HOLDING, SILENCE, AutomationReach
from tablegram.flows.automations.replies import RatingReplies
from tablegram.flows.automations.starting import FirstMessages, Sweeping, follow_order, follow_tags
from tablegram.flows.automations.stepping import Stepping
from tablegram.flows.campaigns.segments.services import SegmentServices
from tablegram.flows.contacts.services import ContactServices
from tablegram.panel.app import handlers_below
from tablegram.panel.deps import Badge
from tablegram.panel.navigation import Group, Place
from tablegram.web.framework.late import Later
from tablegram.wiring.areas.contacts import ContactWorks
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.gateway import LineWorks
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.roles import Role, drain

if TYPE_CHECKING:
    from tablegram.accounts.keys.keys import Caller
    from tablegram.flows.automations.services import AutomationServices

TOPIC = "automations"


@dataclass(frozen=True, slots=True)
class AutomationWorks:
    clock: AutomationClock


def build(
    ground: Ground, engine: Engine, account: AccountServices, events: EventWorks, lines: LineWorks,
    contacts: ContactServices, contact_works: ContactWorks, restaurant: RestaurantWorks, segments: SegmentServices,
) -> Contribution:  # fmt: skip
    db, clock = ground.db, ground.clock

    interests = Interests(db)

    def told(account_id: int, automation_id: str) -> None:
        interests.forget(account_id)
        events.live.notice(account_id, TOPIC, [automation_id] if automation_id else [])

    stepping = Stepping(lines.queue, segments.audience)
    running = AutomationClock(db, clock, engine.leases, stepping, Sweeping(db, clock), told)

    def changed(account_id: int, automation_id: str) -> None:
        told(account_id, automation_id)
        running.wake()

    restaurant.ordering.followers.append(follow_order)
    contacts.pool.tag_followers.append(follow_tags)
    contact_works.bulk.tag_followers.append(follow_tags)
    desk = (db, engine.idempotency, clock, account.audit)

    def desks() -> AutomationServices:
        # Addresses and pages alone ask for them.
        from tablegram.flows.automations.automation_desk import AutomationDesk
        from tablegram.flows.automations.reporting import AutomationReporting
        from tablegram.flows.automations.services import AutomationServices
        from tablegram.flows.automations.trying import Trials

        return AutomationServices(
            desk=AutomationDesk(*desk, segments.audience, changed),
            trials=Trials(engine.idempotency, clock, stepping),
            reporting=AutomationReporting(*desk, told),
        )

    made = Later(desks)

    async def open_ratings(caller: Caller) -> int:
        return await made.get().reporting.open_ratings(caller)

    return Contribution(
        services=[AutomationWorks(running)],
        desks=[made.get],
        answerers=[
            FirstMessages(clock, interests),
            RatingReplies(clock, interests, stepping, events.planner, told),
        ],
        tasks={"automations": drain(Role.WORKER, running.drain)},
        figures=[running.drain.figures],
        badges={TOPIC: Badge("campaigns:read", open_ratings)},
        reaches=[AutomationReach(clock)],
        holdings=[HOLDING],
        silences=[SILENCE],
    )


PART = Part(
    name="automations",
    build=build,
    routes=lambda: routes_of("automations.automations"),
    purges=PURGES,
    pages=lambda: handlers_below("automations"),
    places=[Group("marketing", (Place("automations", "/panel/automations", ("campaigns:read",), rank=4),))],
    demo=[filling("marketing.flows")],
)
