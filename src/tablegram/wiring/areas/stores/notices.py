"""Notifications: what is said because of a shop's events, and carts that were left behind."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.api.routes import routes_of
from tablegram.flows.account.services import AccountServices
from tablegram.flows.files.services import FileServices
from tablegram.flows.stores.notices.notice_desk import NoticeDesk
from tablegram.flows.stores.notices.own_data import HOLDING, SILENCE, NoticeReach
from tablegram.flows.stores.notices.reminding import Reminding
from tablegram.flows.stores.notices.services import NoticeServices
from tablegram.flows.stores.notices.speaking import Speaking
from tablegram.flows.stores.notices.store_clock import StoreClock
from tablegram.panel.app import handlers_below
from tablegram.panel.navigation import Group, Place
from tablegram.storage.database import Tx
from tablegram.stores.model import Followed, ToldEvent
from tablegram.stores.notifications.retention import PURGES
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.gateway import LineWorks
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.areas.stores.sources import StoreWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.roles import Role, drain

TOPIC = "store_notices"


@dataclass(frozen=True, slots=True)
class NoticeWorks:
    reminding: Reminding
    clock: StoreClock


def build(
    ground: Ground, engine: Engine, account: AccountServices, events: EventWorks, files: FileServices, lines: LineWorks,
    stores: StoreWorks,
) -> Contribution:  # fmt: skip
    db, clock = ground.db, ground.clock

    def changed(account_id: int) -> None:
        events.live.notice(account_id, TOPIC)

    def worked(account_id: int) -> None:
        stores.announcer.told(account_id)
        changed(account_id)

    speaking = Speaking(lines.queue)
    reminding = Reminding(speaking, prepaid=ground.prepaid)
    reminding.recovered.append(stores.announcer.recovered)
    store_clock = StoreClock(db, clock, reminding, speaking, engine.leases, stores.announcer.prepare, worked)

    async def follow(tx: Tx, told: ToldEvent) -> Followed | None:
        return await reminding.follow(tx, told, clock.now_ms())

    def told(one: ToldEvent) -> None:
        changed(one.source.account_id)
        store_clock.wake()

    stores.events.followers.append(follow)
    stores.events.listeners.append(told)
    desk = NoticeDesk(db, engine.idempotency, clock, account.audit, files, changed)
    return Contribution(
        services=[NoticeWorks(reminding, store_clock), NoticeServices(desk=desk)],
        tasks={"store notices": drain(Role.WORKER, store_clock.drain)},
        figures=[store_clock.drain.figures],
        reaches=[NoticeReach(clock)],
        holdings=[HOLDING],
        silences=[SILENCE],
    )


PART = Part(
    name="store notices",
    build=build,
    routes=lambda: routes_of("stores.notifications"),
    pages=lambda: handlers_below("notices"),
    places=[Group("stores", (Place("notices", "/panel/notices", ("stores:manage",)),))],
    purges=PURGES,
)
