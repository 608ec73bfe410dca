"""The services that every edge knows: a group for each area, under the area's name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypedDict

from tablegram.accounts.operating.operating import Operating
from tablegram.flows.account.services import AccountServices
from tablegram.flows.contacts.services import ContactServices
from tablegram.flows.files.services import FileServices
from tablegram.flows.gateway.services import GatewayServices
from tablegram.flows.inbox.services import InboxServices
from tablegram.flows.integrations.services import IntegrationServices
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.flows.services import Services


@dataclass(frozen=True, slots=True, kw_only=True)
class Areas:
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


class EveryArea(TypedDict):
    account: AccountServices
    integrations: IntegrationServices
    gateway: GatewayServices
    files: FileServices
    inbox: InboxServices
    contacts: ContactServices
    restaurant: RestaurantServices
    operator: Operating
    services: Services


def areas_of(services: Services) -> EveryArea:
    """What `Areas` is made of, from the services that the parts have given."""
    return {
        "account": services.of(AccountServices),
        "integrations": services.of(IntegrationServices),
        "gateway": services.of(GatewayServices),
        "files": services.of(FileServices),
        "inbox": services.of(InboxServices),
        "contacts": services.of(ContactServices),
        "restaurant": services.of(RestaurantServices),
        "operator": services.of(Operating),
        "services": services,
    }
