"""Shops and forms: where they call, what they delivered, and their orders. Other parts follow what they tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tablegram.api.routes import routes_of
from tablegram.demo.stage import Stage
from tablegram.flows.account.services import AccountServices
from tablegram.flows.stores.announcing import StoreAnnouncer
from tablegram.flows.stores.own_data import HOLDING, StoreReach
from tablegram.flows.stores.people import Recogniser
from tablegram.flows.stores.segment_rules import RULES
from tablegram.hooks.stores.hook import StoreHook
from tablegram.panel.app import handlers_below
from tablegram.panel.deps import Badge
from tablegram.panel.navigation import Group, Place
from tablegram.stores.following import StoreEvents
from tablegram.stores.hearing import KIND, Hearing
from tablegram.stores.model import Delivery, SourceRow, ToldEvent
from tablegram.stores.platforms.opening import MAPPED, SOURCES, files_of, places_in
from tablegram.stores.sources import Sources
from tablegram.stores.store.retention import PURGES
from tablegram.web.framework.late import Later
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.gateway import LineWorks
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part

if TYPE_CHECKING:
    from tablegram.accounts.keys.keys import Caller
    from tablegram.flows.stores.services import StoreServices

TOPIC = "stores"


@dataclass(frozen=True, slots=True)
class StoreWorks:
    """What other parts follow shops and forms by."""

    sources: Sources
    events: StoreEvents
    hearing: Hearing
    announcer: StoreAnnouncer


def build(
    ground: Ground, engine: Engine, account: AccountServices, events: EventWorks, lines: LineWorks
) -> Contribution:
    db, clock, settings = ground.db, ground.clock, ground.settings
    sources = Sources(db, ground.box, SOURCES, MAPPED, settings.base_url)
    joined = StoreEvents()
    hearing = Hearing(db, clock, sources, joined, Recogniser(clock))
    hook = StoreHook(sources, engine.inbox, settings)
    hook.shut_out.share(engine.bus, "strangestores")

    announcer = StoreAnnouncer(events.planner, sources)

    def told(one: ToldEvent) -> None:
        announcer.told(one.source.account_id)
        events.live.notice(one.source.account_id, TOPIC, [one.delivery.id])

    def kept(one: Delivery) -> None:
        events.live.notice(one.account_id, TOPIC, [one.id])

    async def take(row: SourceRow, headers: Mapping[str, str], body: bytes) -> int:
        status, _ = await hook.take(row, headers, body, is_test=True)
        return status

    joined.preparing.append(announcer.prepare)
    joined.followers.append(announcer.follow)
    joined.listeners.append(told)
    joined.keepers.append(kept)
    desk = (db, engine.idempotency, clock, account.audit)

    def desks() -> StoreServices:
        # Addresses and pages alone ask for them.
        from tablegram.flows.stores.delivery_desk import DeliveryDesk
        from tablegram.flows.stores.services import StoreServices
        from tablegram.flows.stores.source_desk import SourceDesk

        return StoreServices(
            sources=SourceDesk(*desk, sources, lines.instances, ground.box, take),
            deliveries=DeliveryDesk(*desk, sources, hearing, places_in, files_of),
        )

    made = Later(desks)

    async def waiting(caller: Caller) -> int:
        return await made.get().deliveries.waiting(caller)

    return Contribution(
        services=[StoreWorks(sources, joined, hearing, announcer)],
        desks=[made.get],
        mounts={"/hooks/store": hook, "/hooks/form": hook},
        handlers={KIND: hearing},
        reaches=[StoreReach(db)],
        holdings=[HOLDING],
        rules=RULES,
        badges={"stores": Badge("stores:manage", waiting)},
    )


async def fill(stage: Stage) -> None:
    from tablegram.demo import shops

    await shops.fill(stage, Sources(stage.db, stage.box, SOURCES, MAPPED, stage.settings.base_url))


PART = Part(
    name="stores",
    build=build,
    routes=lambda: routes_of("stores"),
    pages=lambda: handlers_below("stores"),
    places=[Group("stores", (Place("stores", "/panel/stores", ("stores:manage",)),))],
    purges=PURGES,
    demo=[fill],
)
