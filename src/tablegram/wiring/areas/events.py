"""Events: planned with what they tell of, posted to endpoints, read in the feed, heard live."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.events.delivery import Deliveries
from tablegram.events.endpoints import Endpoints
from tablegram.events.feed import Feed
from tablegram.events.forgetting import PURGE
from tablegram.events.planning import Planner
from tablegram.flows.gateway.announcing import Announcer
from tablegram.flows.integrations.erasing import EventReach
from tablegram.flows.integrations.webhooks import Webhooks
from tablegram.panel.live import Live
from tablegram.wiring.areas.account import AccountServices
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


@dataclass(frozen=True, slots=True, kw_only=True)
class EventServices:
    planner: Planner
    announcer: Announcer
    deliveries: Deliveries
    endpoints: Endpoints
    webhooks: Webhooks
    feed: Feed
    live: Live


def build(ground: Ground, engine: Engine, account: AccountServices) -> Contribution:
    db, clock, box = ground.db, ground.clock, ground.box
    planner = Planner(db, clock)
    deliveries = Deliveries(db, box, clock, engine.fetcher, planner, engine.leases, ground.tasks)
    endpoints = Endpoints(db, box, clock, engine.fetcher.targets, planner, deliveries)
    feed = Feed(db, planner)
    live = Live(feed)
    announcer = Announcer(planner, clock, f"{ground.api_url}/media")
    announcer.hasten = deliveries.hasten
    deliveries.listen(lambda account_id, hook_id, _: live.notice(account_id, "deliveries", [hook_id]))

    async def figures() -> dict[str, float]:
        counted: dict[str, float] = {f"deliveries_{name}_total": count for name, count in deliveries.counts.items()}
        return {**counted, "live_connections": live.listening + feed.listening}

    events = EventServices(
        planner=planner,
        announcer=announcer,
        deliveries=deliveries,
        endpoints=endpoints,
        webhooks=Webhooks(endpoints, engine.idempotency, box, account.audit),
        feed=feed,
        live=live,
    )
    return Contribution(
        services=[events],
        tasks={"deliveries": deliveries.scan_forever},
        streams=[feed.close, live.close],
        figures=[figures],
        reaches=[EventReach(db, deliveries.erase)],
    )


PART = Part(name="events", build=build, purges=[PURGE])
