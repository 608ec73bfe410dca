"""The sandbox network, inside the server where no other one is named."""

from __future__ import annotations

from tablegram.panel.app import Panel
from tablegram.sandbox.app import create
from tablegram.web.bodies import BodyReader
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


def build(ground: Ground, panel: Panel) -> Contribution:
    settings = ground.settings
    if not settings.sandbox or settings.sandbox_url:
        return Contribution()
    sandbox = create(
        settings.data_dir / "sandbox.db",
        bodies=BodyReader.of(settings),
        box=ground.box,
        token=settings.sandbox_token,
    )
    sandbox.admits = panel.may_hold_phones
    return Contribution(
        services=[sandbox],
        mounts={"/sandbox": sandbox},
        starts=[sandbox.start],
        stops=[sandbox.stop],
        streams=[sandbox.end_streams],
    )


PART = Part(name="sandbox", build=build)
