"""The panel: pages over the same services that the API calls."""

from __future__ import annotations

from tablegram.accounts.operating.operating import Operating
from tablegram.flows.account.services import AccountServices
from tablegram.flows.contacts.services import ContactServices
from tablegram.flows.files.services import FileServices
from tablegram.flows.gateway.services import GatewayServices
from tablegram.flows.inbox.services import InboxServices
from tablegram.flows.integrations.services import IntegrationServices
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.panel.app import create_panel, handlers_below
from tablegram.panel.deps import PanelDeps
from tablegram.panel.navigation import Navigation
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


def build(ground: Ground, events: EventWorks) -> Contribution:
    of = ground.whole.services.of
    deps = PanelDeps(
        settings=ground.settings,
        clock=ground.clock,
        db=ground.db,
        box=ground.box,
        live=events.live,
        account=of(AccountServices),
        integrations=of(IntegrationServices),
        gateway=of(GatewayServices),
        files=of(FileServices),
        inbox=of(InboxServices),
        contacts=of(ContactServices),
        restaurant=of(RestaurantServices),
        operator=of(Operating),
        services=ground.whole.services,
        badges=ground.whole.badges,
        navigation=Navigation([group for part in ground.parts for group in part.places]),
        finders=[finder for part in ground.parts for finder in part.finders],
    )
    panel = create_panel(deps, tuple(handler for part in ground.parts for handler in part.pages()))
    # The address of the installation itself leads to its pages.
    return Contribution(services=[panel], mounts={"/panel": panel, "/": panel})


PART = Part(name="panel", build=build, pages=lambda: handlers_below("frame"))
