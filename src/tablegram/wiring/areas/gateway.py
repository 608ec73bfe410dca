"""The gateway: lines, what goes out over them, and the files that are fetched from the network."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.api.routes import routes_of
from tablegram.crm.auto_replies import Replies
from tablegram.demo.stage import filling
from tablegram.drivers import Drivers
from tablegram.engine.leases import RENEWED_AT_LEAST
from tablegram.flows.account.overview import Overviews
from tablegram.flows.account.services import AccountServices
from tablegram.flows.files.fetching import Fetching
from tablegram.flows.files.services import FileServices
from tablegram.flows.gateway.auto_replies import AutoReplies
from tablegram.flows.gateway.callbacks.reading import NetworkNews
from tablegram.flows.gateway.erasing import MessageReach
from tablegram.flows.gateway.handing.colleagues import Colleagues
from tablegram.flows.gateway.line_replies import LineReplies
from tablegram.flows.gateway.lines import Lines
from tablegram.flows.gateway.lookups import Lookups
from tablegram.flows.gateway.queueing import Queueing
from tablegram.flows.gateway.sending import Sending
from tablegram.flows.gateway.services import GatewayServices
from tablegram.flows.gateway.templates.templates import Templates
from tablegram.messaging.checks import check_lines, check_queue
from tablegram.messaging.instances import Instances
from tablegram.messaging.lines.linked import leftovers
from tablegram.messaging.links import Links
from tablegram.messaging.records.usage import Usage
from tablegram.messaging.store.retention import PURGES
from tablegram.messaging.switchboard import Switchboard
from tablegram.messaging.transmission.draining import Drains, lease_name
from tablegram.messaging.transmission.holders import Holders
from tablegram.messaging.transmission.outcomes import Outcomes
from tablegram.messaging.transmission.recovery import Recovery
from tablegram.messaging.watch import LineWatch
from tablegram.messaging.watching.codes import CodeWatch
from tablegram.messaging.watching.depths import Depths
from tablegram.messaging.watching.receipts import Receipts
from tablegram.panel.app import handlers_below
from tablegram.values.clock import HOUR_MS
from tablegram.wiring.areas.account import Till
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.files import FileWorks
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.roles import Role, Task, drain, everywhere


@dataclass(frozen=True, slots=True, kw_only=True)
class LineWorks:
    """What moves messages; other parts stand on it, and no edge calls it."""

    drivers: Drivers
    instances: Instances
    links: Links
    switchboard: Switchboard
    watch: LineWatch
    outcomes: Outcomes
    drains: Drains
    # What is wanted of lines that other processes have.
    holders: Holders
    fetching: Fetching
    recovery: Recovery
    # Takes what the product itself writes.
    queue: Queueing
    # Automatic replies, which may follow the hours of a house on their line.
    replies: Replies

    async def figures(self) -> dict[str, float]:
        counted: dict[str, float] = {f"sends_{name}_total": count for name, count in self.outcomes.counts.items()}
        return {**counted, **{f"files_{name}_total": count for name, count in self.fetching.counts.items()}}

    async def stop(self) -> None:
        await self.switchboard.stop()
        self.drivers.close()
        await self.recovery.leave()


def build(
    ground: Ground, engine: Engine, account: AccountServices, till: Till, events: EventWorks, vault: FileWorks,
    files: FileServices,
) -> Contribution:  # fmt: skip
    settings, db, clock, idempotency = ground.settings, ground.db, ground.clock, engine.idempotency
    works = _connect(ground, engine, till, events, vault)
    works.instances.listen(lambda account_id, line_id: events.live.notice(account_id, "lines", [str(line_id)]))
    codes = CodeWatch(db, lambda: bool(events.live.listening), works.instances.changed)
    replies = works.replies
    gateway = GatewayServices(
        sending=Sending(
            db, works.switchboard, works.drains, works.outcomes, engine.owner, idempotency, till.card, clock, settings,
            ground.tasks,
        ),
        lookups=Lookups(db, works.switchboard, idempotency, clock, files.library, works.holders),
        templates=Templates(
            db, works.switchboard, idempotency, clock, account.audit, files.attachments,
            lambda account_id: events.live.notice(account_id, "templates", []),
        ),
        lines=Lines(
            works.instances, works.switchboard, works.watch, idempotency, account.audit, works.links, works.holders
        ),
        news=NetworkNews(db),
        line_replies=LineReplies(db, works.instances, replies, idempotency, clock, account.audit),
        overviews=Overviews(Usage(db, clock), works.instances, events.endpoints, account.key_ring, account.team),
        fetcher=engine.fetcher,
    )  # fmt: skip
    if db.is_shared:
        Colleagues(engine.peers, gateway.sending, works.drains, db, settings.send_budget_s)

    async def put_away() -> None:
        """Files of deleted lines, which hold an engine's keys."""
        found = leftovers.folders(settings.data_dir / "lines")
        if found:
            leftovers.remove(found, await works.instances.deleted_linked())

    return Contribution(
        services=[works, gateway],
        answerers=[AutoReplies(replies, clock, works.queue)],
        starts=[works.recovery.take_up, put_away],
        stops=[works.stop],
        lands=[works.drains.land],
        tasks={
            "drains": drain(Role.LINES, works.drains.queues),
            "media": drain(Role.LINES, works.fetching.drain),
            "lines": Task(works.watch.watch_forever, Role.LINES),
            "codes": Task(codes.look_forever, Role.API),
            "recovery": everywhere(works.recovery.sweep_forever),
        },
        figures=[Depths(db, clock).figures, works.figures, works.drains.queues.figures, works.fetching.drain.figures],
        reaches=[MessageReach(ground.box, clock, prepaid=ground.prepaid)],
    )


def _connect(ground: Ground, engine: Engine, till: Till, events: EventWorks, vault: FileWorks) -> LineWorks:
    settings, db, clock, tasks = ground.settings, ground.db, ground.clock, ground.tasks
    announcer = events.announcer
    instances = Instances(db, ground.box, clock, settings.base_url, announcer)
    links = Links(db, ground.box, clock)
    drivers = Drivers(engine.session, engine.fetcher, settings, vault.vault, links)
    switchboard = Switchboard(instances, drivers.build, settings)
    watch = LineWatch(instances, switchboard, engine.inbox.store)

    def news(account_id: int, instance_id: int) -> None:
        watch.heard_of(instance_id)
        instances.changed(account_id, instance_id)

    drivers.news = news
    outcomes = Outcomes(clock, settings.unknown_wait_s, engine.owner.id)

    async def unread(account_id: int, instance_id: int) -> int:
        waiting = [await engine.inbox.waiting(account_id, f"{kind}:{instance_id}") for kind in ("cloud", "linked")]
        return sum(waiting)

    drains = Drains(
        db, switchboard, outcomes, engine.leases, engine.owner, clock, tasks,
        refund=till.refund, unread=unread, settled=watch.settled, announcer=announcer,
        max_age_ms=int(settings.queue_max_age_h * HOUR_MS),
    )  # fmt: skip

    watch.hold = drains.renewed_lease
    watch.giving = lambda line: engine.leases.is_giving(lease_name(line))
    watch.look_s = min(watch.look_s, settings.effective_lease_s * RENEWED_AT_LEAST)
    watch.wished = links.wished
    watch.lag = Receipts(db, clock).lag
    holders = Holders(drains, engine.leases, watch, links, engine.questions, tasks)

    async def wake(account_id: int, instance_id: int) -> None:
        line = await switchboard.line(account_id, instance_id)
        if line is not None:
            line.backlog = True
            drains.wake(line)

    def wake_line(account_id: int, instance_id: int) -> None:
        tasks.spawn("wake a line", wake(account_id, instance_id))

    return LineWorks(
        drivers=drivers,
        instances=instances,
        links=links,
        switchboard=switchboard,
        watch=watch,
        outcomes=outcomes,
        drains=drains,
        holders=holders,
        fetching=Fetching(db, switchboard, vault.vault, vault.spool, announcer, engine.leases, tasks, clock, holders),
        recovery=Recovery(db, engine.owner, engine.leases, switchboard, drains, outcomes, clock, settings),
        queue=Queueing(till.card, settings, wake_line),
        replies=Replies(db),
    )


PART = Part(
    name="gateway",
    build=build,
    routes=lambda: routes_of("gateway"),
    pages=lambda: handlers_below("gateway"),
    purges=PURGES,
    checks=[check_queue, check_lines],
    demo=[filling("filling")],
)
