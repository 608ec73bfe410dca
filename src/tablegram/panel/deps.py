"""What the panel needs from the rest of the product. The composition root fills it in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.calls import Calls
from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.money.quota import QuotaState
from tablegram.accounts.operating.operating import Operating
from tablegram.accounts.people.house import People
from tablegram.accounts.people.sessions import Sessions
from tablegram.accounts.team import Team
from tablegram.events.feed import Feed
from tablegram.flows.account.members import Members
from tablegram.flows.account.overview import Overviews
from tablegram.flows.contacts.contacts import Contacts
from tablegram.flows.contacts.erasure import Erasure
from tablegram.flows.contacts.importing import Imports
from tablegram.flows.files.attachments import Attachments
from tablegram.flows.files.media import MediaLibrary
from tablegram.flows.gateway.line_replies import LineReplies
from tablegram.flows.gateway.lines import Lines
from tablegram.flows.gateway.lookups import Lookups
from tablegram.flows.gateway.sending import Sending
from tablegram.flows.inbox.canned import CannedReplies
from tablegram.flows.inbox.conversations import Conversations
from tablegram.flows.integrations.granting import Granting
from tablegram.flows.integrations.webhooks import Webhooks
from tablegram.flows.restaurant.desks.menu_desk import MenuDesk
from tablegram.flows.restaurant.desks.photos import Photos
from tablegram.flows.restaurant.desks.sales import Sales
from tablegram.flows.restaurant.desks.table_desk import TableDesk
from tablegram.flows.restaurant.desks.venue_desk import VenueDesk
from tablegram.flows.restaurant.guests.calls import TableCalls
from tablegram.flows.restaurant.guests.guests import Guests
from tablegram.flows.restaurant.guests.watching import MenuWatch
from tablegram.flows.restaurant.orders.orders import Orders
from tablegram.panel.live import Live
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
    feed: Feed
    sending: Sending
    lookups: Lookups
    lines: Lines
    webhooks: Webhooks
    contacts: Contacts
    erasure: Erasure
    line_replies: LineReplies
    granting: Granting
    library: MediaLibrary
    quota_state: Callable[[Caller], Awaitable[QuotaState]]
    # Who signs in, and what they did.
    people: People
    members: Members
    conversations: Conversations
    canned: CannedReplies
    imports: Imports
    attachments: Attachments
    overviews: Overviews
    calls: Calls
    operating: Operating
    team: Team
    # The restaurant.
    guests: Guests
    orders: Orders
    table_calls: TableCalls
    venue_desk: VenueDesk
    table_desk: TableDesk
    menu_desk: MenuDesk
    photos: Photos
    sales: Sales
    menu_watch: MenuWatch
    # By the navigation entry's name.
    badges: dict[str, Badge] = field(default_factory=dict)

    @property
    def sessions(self) -> Sessions:
        return self.people.sessions

    @property
    def audit(self) -> Audit:
        return self.people.audit
