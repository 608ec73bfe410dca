"""The panel: pages over the same services that the API calls, and a few of its own."""

from __future__ import annotations

from tablegram.accounts.operating.operating import Operating
from tablegram.panel.app import create_panel
from tablegram.panel.deps import PanelDeps
from tablegram.wiring.areas.account import AccountServices
from tablegram.wiring.areas.contacts import ContactServices
from tablegram.wiring.areas.events import EventServices
from tablegram.wiring.areas.gateway import GatewayServices
from tablegram.wiring.areas.inbox import InboxServices
from tablegram.wiring.areas.media import MediaServices
from tablegram.wiring.areas.restaurant import RestaurantServices
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


def build(
    ground: Ground, account: AccountServices, events: EventServices, media: MediaServices, gateway: GatewayServices,
    inbox: InboxServices, contacts: ContactServices, restaurant: RestaurantServices, operating: Operating,
) -> Contribution:  # fmt: skip
    deps = PanelDeps(
        settings=ground.settings,
        clock=ground.clock,
        db=ground.db,
        box=ground.box,
        live=events.live,
        feed=events.feed,
        sending=gateway.sending,
        lookups=gateway.lookups,
        lines=gateway.lines,
        webhooks=events.webhooks,
        contacts=contacts.contacts,
        erasure=contacts.erasure,
        line_replies=inbox.line_replies,
        granting=account.granting,
        library=media.library,
        quota_state=account.quota_state,
        people=account.people,
        members=account.members,
        conversations=inbox.conversations,
        canned=inbox.canned,
        imports=contacts.imports,
        attachments=media.attachments,
        overviews=gateway.overviews,
        calls=account.calls,
        operating=operating,
        team=account.team,
        guests=restaurant.guests,
        orders=restaurant.orders,
        table_calls=restaurant.table_calls,
        venue_desk=restaurant.venue_desk,
        table_desk=restaurant.table_desk,
        menu_desk=restaurant.menu_desk,
        photos=restaurant.photos,
        sales=restaurant.sales,
        menu_watch=restaurant.menu_watch,
        badges=ground.whole.badges,
    )
    panel = create_panel(deps)
    # The address of the installation itself leads to its pages.
    return Contribution(services=[panel], mounts={"/panel": panel, "/": panel})


PART = Part(name="panel", build=build)
