"""Health pages, and a plain answer for what is nowhere."""

from __future__ import annotations

from tablegram.server.health import LEAVING, Health
from tablegram.server.metrics import render
from tablegram.server.siblings import Siblings, own_place
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.roles import everywhere


def build(ground: Ground, engine: Engine) -> Contribution:
    async def page() -> str:
        return render(await ground.whole.figures())

    async def trouble() -> str:
        # Whoever distributes requests is to look elsewhere, however well we are.
        return LEAVING if ground.whole.is_leaving else await engine.trouble()

    place = own_place()
    if place is None:
        return Contribution(mounts={"": Health(ground.settings, trouble, page)})
    siblings = Siblings(place, page)
    return Contribution(
        mounts={"": Health(ground.settings, trouble, siblings.page)},
        tasks={"figures of siblings": everywhere(siblings.answer_forever)},
    )


PART = Part(name="server", build=build)
