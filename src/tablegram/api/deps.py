"""What the API needs from the rest of the product. The composition root fills it in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys import Caller, KeyRing
from tablegram.accounts.limits import Limiter
from tablegram.accounts.operating import Operating
from tablegram.accounts.quota import QuotaState
from tablegram.events.feed import Feed
from tablegram.flows.attachments import Attachments
from tablegram.flows.canned import CannedReplies
from tablegram.flows.contacts import Contacts
from tablegram.flows.conversations import Conversations
from tablegram.flows.erasure import Erasure
from tablegram.flows.granting import Granting
from tablegram.flows.importing import Imports
from tablegram.flows.line_replies import LineReplies
from tablegram.flows.lines import Lines
from tablegram.flows.lookups import Lookups
from tablegram.flows.media import MediaLibrary
from tablegram.flows.members import Members
from tablegram.flows.overview import Overviews
from tablegram.flows.restaurant.calls import TableCalls
from tablegram.flows.restaurant.guests import Guests
from tablegram.flows.restaurant.menu_desk import MenuDesk
from tablegram.flows.restaurant.orders import Orders
from tablegram.flows.restaurant.photos import Photos
from tablegram.flows.restaurant.sales import Sales
from tablegram.flows.restaurant.table_desk import TableDesk
from tablegram.flows.restaurant.venue_desk import VenueDesk
from tablegram.flows.restaurant.watching import MenuWatch
from tablegram.flows.sending import Sending
from tablegram.flows.webhooks import Webhooks
from tablegram.settings import Settings
from tablegram.storage.database import Database
from tablegram.values.clock import Clock
from tablegram.values.outbound import GuardedClient


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
