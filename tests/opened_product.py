"""The product with its services by name, for tests that reach behind the front door."""

from __future__ import annotations

from collections.abc import Container

from tablegram.accounts.audit import Audit
from tablegram.accounts.people.house import People
from tablegram.api.app import Api
from tablegram.crm.said.indexing import Indexer
from tablegram.engine.inbox import Inbox
from tablegram.engine.owners import Owner
from tablegram.engine.purging import Retention
from tablegram.events.delivery import Deliveries
from tablegram.events.feed import Feed
from tablegram.flows.account.services import AccountServices
from tablegram.flows.contacts.importing import Importer
from tablegram.flows.inbox.conversations import Conversations
from tablegram.flows.inbox.services import InboxServices
from tablegram.flows.integrations.services import IntegrationServices
from tablegram.flows.restaurant.bills.bills import Bills
from tablegram.flows.restaurant.guests.guests import Guests
from tablegram.flows.restaurant.guests.watching import MenuWatch
from tablegram.flows.restaurant.orders.order_clock import OrderClock
from tablegram.flows.restaurant.orders.orders import Orders
from tablegram.flows.restaurant.orders.requests import OrderRequests
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.menu_page.app import MenuPage
from tablegram.messaging.instances import Instances
from tablegram.messaging.switchboard import Switchboard
from tablegram.panel.app import Panel
from tablegram.panel.live import Live
from tablegram.wiring import Product
from tablegram.wiring.areas.contacts import ContactWorks
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.gateway import LineWorks
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tablegram.wiring.part import Part
from tablegram.wiring.parts import PARTS


def parts_without(names: Container[str]) -> list[Part]:
    """All parts but these: building an edge takes longer than most of what is tested behind it."""
    return [part for part in PARTS if part.name not in names]


# Every address of the API and of the panel.
HANDLERS = tuple(handler for part in PARTS for handler in part.routes())
PAGES = tuple(handler for part in PARTS for handler in part.pages())


class OpenedProduct(Product):
    @property
    def owner(self) -> Owner:
        return self.of(Engine).owner

    @property
    def inbox(self) -> Inbox:
        return self.of(Engine).inbox

    @property
    def people(self) -> People:
        return self.of(AccountServices).people

    @property
    def audit(self) -> Audit:
        return self.of(AccountServices).audit

    @property
    def deliveries(self) -> Deliveries:
        return self.of(EventWorks).deliveries

    @property
    def feed(self) -> Feed:
        return self.of(IntegrationServices).feed

    @property
    def live(self) -> Live:
        return self.of(EventWorks).live

    @property
    def instances(self) -> Instances:
        return self.of(LineWorks).instances

    @property
    def switchboard(self) -> Switchboard:
        return self.of(LineWorks).switchboard

    @property
    def conversations(self) -> Conversations:
        return self.of(InboxServices).conversations

    @property
    def importer(self) -> Importer:
        return self.of(ContactWorks).importer

    @property
    def indexer(self) -> Indexer:
        return self.of(ContactWorks).indexer

    @property
    def guests(self) -> Guests:
        return self.of(RestaurantServices).guests

    @property
    def orders(self) -> Orders:
        return self.of(RestaurantServices).orders

    @property
    def bills(self) -> Bills:
        return self.of(RestaurantServices).bills

    @property
    def order_requests(self) -> OrderRequests:
        return self.of(RestaurantServices).order_requests

    @property
    def order_clock(self) -> OrderClock:
        return self.of(RestaurantWorks).order_clock

    @property
    def menu_watch(self) -> MenuWatch:
        return self.of(RestaurantServices).menu_watch

    @property
    def retention(self) -> Retention:
        return self.of(Retention)

    # Named as the tests call it: an edge is asked directly only where its door is not the matter.
    @property
    def _api(self) -> Api:
        return self.of(Api)

    @property
    def _menu_page(self) -> MenuPage:
        return self.of(MenuPage)

    @property
    def _panel(self) -> Panel:
        return self.of(Panel)
