"""Health pages, and a plain answer for what is nowhere."""

from __future__ import annotations

from tablegram.server.health import Health
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


def build(ground: Ground, engine: Engine) -> Contribution:
    return Contribution(mounts={"": Health(ground.settings, engine.trouble, ground.whole.figures)})


PART = Part(name="server", build=build)
