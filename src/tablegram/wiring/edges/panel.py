"""The panel: pages over the same services that the API calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablegram.panel.app import create_panel, handlers_below
from tablegram.panel.deps import PanelDeps
from tablegram.panel.navigation import Navigation
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler


def build(ground: Ground, engine: Engine, events: EventWorks) -> Contribution:
    deps = PanelDeps(
        settings=ground.settings,
        clock=ground.clock,
        db=ground.db,
        box=ground.box,
        live=events.live,
        services=ground.whole.services,
        badges=ground.whole.badges,
        navigation=Navigation([group for part in ground.parts for group in part.places]),
        finders=lambda: [finder for part in ground.parts for finder in part.finders()],
    )

    def pages() -> tuple[HTTPRouteHandler, ...]:
        ground.whole.services.load_desks()
        return tuple(handler for part in ground.parts for handler in part.pages())

    panel = create_panel(deps, pages)
    panel.pace.share(engine.bus)
    # The address of the installation itself leads to its pages.
    return Contribution(services=[panel], mounts={"/panel": panel, "/": panel})


PART = Part(name="panel", build=build, pages=lambda: handlers_below("frame"))
