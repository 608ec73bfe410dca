"""The API: one edge over the services of every area."""

from __future__ import annotations

from tablegram.accounts.operating.operating import Operating
from tablegram.api.app import create_api
from tablegram.api.deps import ApiDeps
from tablegram.api.routes import docs
from tablegram.flows.account.services import AccountServices
from tablegram.flows.contacts.services import ContactServices
from tablegram.flows.files.services import FileServices
from tablegram.flows.gateway.services import GatewayServices
from tablegram.flows.inbox.services import InboxServices
from tablegram.flows.integrations.services import IntegrationServices
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


def build(ground: Ground) -> Contribution:
    of = ground.whole.services.of
    deps = ApiDeps(
        settings=ground.settings,
        clock=ground.clock,
        db=ground.db,
        account=of(AccountServices),
        integrations=of(IntegrationServices),
        gateway=of(GatewayServices),
        files=of(FileServices),
        inbox=of(InboxServices),
        contacts=of(ContactServices),
        restaurant=of(RestaurantServices),
        operator=of(Operating),
        services=ground.whole.services,
    )
    api = create_api(deps, tuple(handler for part in ground.parts for handler in part.routes))

    async def figures() -> dict[str, float]:
        answered = sorted(api.figures.by_status.items())
        return {f'api_requests_total{{status="{status}"}}': count for status, count in answered}

    return Contribution(
        services=[api], mounts={"/api/v1": api}, starts=[api.start], stops=[api.stop], figures=[figures]
    )


PART = Part(name="api", build=build, routes=docs.HANDLERS)
