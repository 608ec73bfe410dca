"""The services that every edge knows: a group for each area, under the area's name."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Areas:
    # Those of every area, by type.
    services: Services = field(default_factory=Services)

    @property
    def account(self) -> AccountServices:
        return self.services.of(AccountServices)

    @property
    def integrations(self) -> IntegrationServices:
        return self.services.of(IntegrationServices)

    @property
    def gateway(self) -> GatewayServices:
        return self.services.of(GatewayServices)

    @property
    def files(self) -> FileServices:
        return self.services.of(FileServices)

    @property
    def inbox(self) -> InboxServices:
        return self.services.of(InboxServices)

    @property
    def contacts(self) -> ContactServices:
        return self.services.of(ContactServices)

    @property
    def restaurant(self) -> RestaurantServices:
        return self.services.of(RestaurantServices)

    @property
    def operator(self) -> Operating:
        """What only the installation's own administrators do."""
        return self.services.of(Operating)
