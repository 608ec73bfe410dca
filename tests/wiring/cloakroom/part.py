"""The part: what the cloakroom builds and contributes."""

from __future__ import annotations

from tablegram.crm.own_data.exports import Holding
from tablegram.demo.stage import Stage
from tablegram.engine.health.checkup import Checkup, Finding
from tablegram.values.ids import new_id
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.roles import everywhere
from tests.wiring.cloakroom import store
from tests.wiring.cloakroom.coats import CloakroomServices, CoatAnswers, CoatReach, Coats, Deposits, coats_of
from tests.wiring.cloakroom.edges import FINDER, Rack, hang_coat, list_coats, show_coats


def build(ground: Ground, engine: Engine, events: EventWorks) -> Contribution:
    coats = Coats(ground.db, ground.clock, events.planner)
    answers = CoatAnswers()
    return Contribution(
        services=[CloakroomServices(coats), answers],
        mounts={"/hooks/cloakroom": Rack(engine.inbox)},
        handlers={"cloakroom": Deposits(coats)},
        answerers=[answers],
        tasks={"brush": everywhere(coats.brush_forever)},
        figures=[coats.figures],
        reaches=[CoatReach()],
        holdings=[Holding("coats", coats_of, {"coats": len})],
    )


async def check_coats(checkup: Checkup) -> list[Finding]:
    row = await checkup.db.first(store.COUNT)
    return [Finding("coats", "ok", f"{row['n'] if row else 0} coats hang")]


async def fill(stage: Stage) -> None:
    row = {"id": new_id(), "account_id": stage.account_id, "phone": "905551112233", "colour": "green"}
    await stage.db.put((store.HANG, {**row, "hung_at": stage.clock.now_ms()}))


PART = Part(
    name="cloakroom",
    build=build,
    routes=lambda: [list_coats, hang_coat],
    pages=lambda: [show_coats],
    finders=lambda: [FINDER],
    checks=[check_coats],
    demo=[fill],
    purges=[store.PURGE],
)
