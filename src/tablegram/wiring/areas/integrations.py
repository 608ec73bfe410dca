"""What programs connect by: keys, and events that are planned, posted to endpoints, read in the feed, heard live."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.accounts.keys.bodies import Bodies
from tablegram.accounts.keys.calls import Calls
from tablegram.api.routes import routes_of
from tablegram.events.delivery import Deliveries
from tablegram.events.endpoints import Endpoints
from tablegram.events.feed import Feed
from tablegram.events.forgetting import PURGE
from tablegram.events.planning import Planner
from tablegram.flows.account.services import AccountServices
from tablegram.flows.gateway.announcing import Announcer
from tablegram.flows.integrations.erasing import CallReach, EventReach
from tablegram.flows.integrations.granting import Granting
from tablegram.flows.integrations.services import IntegrationServices
from tablegram.flows.integrations.webhooks import Webhooks
from tablegram.panel.app import handlers_below
from tablegram.panel.live import Live
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.roles import Role, drain


@dataclass(frozen=True, slots=True, kw_only=True)
class EventWorks:
    """What other parts tell of, and through."""

    planner: Planner
    announcer: Announcer
    deliveries: Deliveries
    endpoints: Endpoints
    live: Live


def build(ground: Ground, engine: Engine, account: AccountServices) -> Contribution:
    db, idempotency, audit = ground.db, engine.idempotency, account.audit
    works, feed = _connect(ground, engine)
    integrations = IntegrationServices(
        webhooks=Webhooks(works.endpoints, idempotency, ground.box, audit),
        feed=feed,
        granting=Granting(account.key_ring, idempotency, audit),
        calls=Calls(db),
        bodies=Bodies(db, account.key_ring, audit),
    )

    async def figures() -> dict[str, float]:
        counts = works.deliveries.counts.items()
        counted: dict[str, float] = {f"deliveries_{name}_total": count for name, count in counts}
        return {**counted, "live_connections": works.live.listening + feed.listening}

    return Contribution(
        services=[works, integrations],
        tasks={"deliveries": drain(Role.WORKER, works.deliveries.couriers)},
        streams=[feed.close, works.live.close],
        figures=[figures, works.deliveries.couriers.figures],
        reaches=[EventReach(db, works.deliveries.erase), CallReach()],
    )


def _connect(ground: Ground, engine: Engine) -> tuple[EventWorks, Feed]:
    db, clock, box = ground.db, ground.clock, ground.box
    planner = Planner(db, clock)
    deliveries = Deliveries(db, box, clock, engine.fetcher, planner, engine.leases, ground.tasks)
    feed = Feed(db, planner, engine.bus)
    live = Live(feed, engine.bus)
    announcer = Announcer(planner, clock, f"{ground.api_url}/media")
    announcer.hasten = deliveries.hasten
    deliveries.listen(lambda account_id, endpoint_id, _: live.notice(account_id, "deliveries", [endpoint_id]))
    endpoints = Endpoints(db, box, clock, engine.fetcher.targets, planner, deliveries)
    endpoints.share(engine.bus)
    works = EventWorks(
        planner=planner,
        announcer=announcer,
        deliveries=deliveries,
        endpoints=endpoints,
        live=live,
    )
    return works, feed


PART = Part(
    name="integrations",
    build=build,
    routes=lambda: routes_of("integrations"),
    pages=lambda: handlers_below("integrations"),
    purges=[PURGE],
)
