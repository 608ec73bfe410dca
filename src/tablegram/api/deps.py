"""What the API needs from the rest of the product, by area. The composition root fills it in."""

from __future__ import annotations

from dataclasses import dataclass, field

from tablegram.accounts.operating.operating import Operating
from tablegram.flows.account.services import AccountServices
from tablegram.flows.contacts.services import ContactServices
from tablegram.flows.files.services import FileServices
from tablegram.flows.gateway.services import GatewayServices
from tablegram.flows.inbox.services import InboxServices
from tablegram.flows.integrations.services import IntegrationServices
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.flows.services import Services
from tablegram.settings import Settings
from tablegram.storage.database import Database
from tablegram.values.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiDeps:
    settings: Settings
    clock: Clock
    # The request log is written here.
    db: Database
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
