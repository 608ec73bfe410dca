"""The documentation, at an address of every installation, so that it fits what runs there."""

from __future__ import annotations

from tablegram.docs_site.app import BASE, DocsSite
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


def build(ground: Ground) -> Contribution:
    return Contribution(mounts={BASE: DocsSite(ground.settings)})


PART = Part(name="docs_site", build=build)
