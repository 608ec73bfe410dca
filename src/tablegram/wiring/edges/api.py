"""The API: one edge over the services of every area."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablegram.api.app import create_api
from tablegram.api.deps import ApiDeps
from tablegram.api.routes import routes_of
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler


def build(ground: Ground) -> Contribution:
    deps = ApiDeps(
        settings=ground.settings,
        clock=ground.clock,
        db=ground.db,
        services=ground.whole.services,
    )

    def routes() -> tuple[HTTPRouteHandler, ...]:
        ground.whole.services.load_desks()
        return tuple(handler for part in ground.parts for handler in part.routes())

    api = create_api(deps, routes)

    async def figures() -> dict[str, float]:
        answered = sorted(api.figures.by_status.items())
        return {f'api_requests_total{{status="{status}"}}': count for status, count in answered}

    return Contribution(
        services=[api], mounts={"/api/v1": api}, starts=[api.start], stops=[api.stop], figures=[figures]
    )


PART = Part(name="api", build=build, routes=lambda: routes_of("docs"))
