"""What the API needs from the rest of the product. The composition root fills it in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller, KeyRing
from tablegram.accounts.keys.limits import Limiter
from tablegram.accounts.money.quota import QuotaState
from tablegram.accounts.operating.operating import Operating
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
from tablegram.settings import Settings
from tablegram.storage.database import Database
from tablegram.values.clock import Clock
from tablegram.values.http.outbound import GuardedClient


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiDeps:
    settings: Settings
    clock: Clock
    # The request log is written here.
    db: Database
    key_ring: KeyRing
    limiter: Limiter
    sending: Sending
    lookups: Lookups
    lines: Lines
    webhooks: Webhooks
    feed: Feed
    quota_state: Callable[[Caller], Awaitable[QuotaState]]
    # Looks at media_url before a message is accepted.
    fetcher: GuardedClient
    # Customers' files.
    library: MediaLibrary
    # Files that are uploaded to be sent.
    attachments: Attachments
    contacts: Contacts
    erasure: Erasure
    line_replies: LineReplies
    conversations: Conversations
    canned: CannedReplies
    imports: Imports
    members: Members
    # What only the installation's own administrators do.
    operating: Operating
    audit: Audit
    overviews: Overviews
    granting: Granting
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
