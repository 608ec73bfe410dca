"""Retention: what is old enough is forgotten."""

from __future__ import annotations

from tablegram.flows.retention import Retention
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.media import MediaServices
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


def build(ground: Ground, engine: Engine, media: MediaServices) -> Contribution:
    retention = Retention(ground.db, engine.idempotency, ground.clock, ground.settings, media.library)
    return Contribution(services=[retention], tasks={"retention": retention.purge_forever})


PART = Part(name="retention", build=build)
