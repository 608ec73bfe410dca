"""What the panel needs from the rest of the product, by area. The composition root fills it in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.operating.operating import Operating
from tablegram.flows.account.services import AccountServices
from tablegram.flows.contacts.services import ContactServices
from tablegram.flows.files.services import FileServices
from tablegram.flows.gateway.services import GatewayServices
from tablegram.flows.inbox.services import InboxServices
from tablegram.flows.integrations.services import IntegrationServices
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.flows.services import Services
from tablegram.panel.frame.finding import Finder
from tablegram.panel.live import Live
from tablegram.panel.navigation import Navigation
from tablegram.settings import Settings
from tablegram.storage.database import Database
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox


@dataclass(frozen=True, slots=True)
class Badge:
    """How many things of an area wait for the visitor; shown beside its name in the navigation."""

    scope: str
    count: Callable[[Caller], Awaitable[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelDeps:
    settings: Settings
    clock: Clock
    db: Database
    box: SecretBox
    live: Live
    account: AccountServices
    integrations: IntegrationServices
    gateway: GatewayServices
    files: FileServices
    inbox: InboxServices
    contacts: ContactServices
    restaurant: RestaurantServices
    # What only the installation's own administrators do.
    operator: Operating
    # Those of every area, by type.
    services: Services = field(default_factory=Services)
    # By the navigation entry's name.
    badges: dict[str, Badge] = field(default_factory=dict)
    navigation: Navigation = field(default_factory=Navigation)
    # What can be found from every page, beside what the panel's own areas find.
    finders: Sequence[Finder] = ()
