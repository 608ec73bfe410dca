"""Retention: what the parts declare as old enough is forgotten."""

from __future__ import annotations

from tablegram.engine.purging import Retention
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.roles import Role, Task


def build(ground: Ground) -> Contribution:
    purges = [purge for part in ground.parts for purge in part.purges]
    retention = Retention(ground.db, ground.clock, ground.settings, purges, ground.whole.cleaners)
    return Contribution(services=[retention], tasks={"retention": Task(retention.purge_forever, Role.WORKER)})


PART = Part(name="retention", build=build)
