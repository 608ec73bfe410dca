"""The API: one edge over the services of every part."""

from __future__ import annotations

from tablegram.accounts.operating.operating import Operating
from tablegram.api.app import create_api
from tablegram.api.deps import ApiDeps
from tablegram.wiring.areas.account import AccountServices
from tablegram.wiring.areas.contacts import ContactServices
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.events import EventServices
from tablegram.wiring.areas.gateway import GatewayServices
from tablegram.wiring.areas.inbox import InboxServices
from tablegram.wiring.areas.media import MediaServices
from tablegram.wiring.areas.restaurant import RestaurantServices
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


def build(
    ground: Ground, engine: Engine, account: AccountServices, events: EventServices, media: MediaServices,
    gateway: GatewayServices, inbox: InboxServices, contacts: ContactServices, restaurant: RestaurantServices,
    operating: Operating,
) -> Contribution:  # fmt: skip
    deps = ApiDeps(
        settings=ground.settings,
        clock=ground.clock,
        db=ground.db,
        key_ring=account.key_ring,
        limiter=account.limiter,
        sending=gateway.sending,
        lookups=gateway.lookups,
        lines=gateway.lines,
        quota_state=account.quota_state,
        webhooks=events.webhooks,
        feed=events.feed,
        fetcher=engine.fetcher,
        library=media.library,
        attachments=media.attachments,
        contacts=contacts.contacts,
        erasure=contacts.erasure,
        line_replies=inbox.line_replies,
        conversations=inbox.conversations,
        canned=inbox.canned,
        imports=contacts.imports,
        members=account.members,
        operating=operating,
        audit=account.audit,
        overviews=gateway.overviews,
        granting=account.granting,
        guests=restaurant.guests,
        orders=restaurant.orders,
        table_calls=restaurant.table_calls,
        venue_desk=restaurant.venue_desk,
        table_desk=restaurant.table_desk,
        menu_desk=restaurant.menu_desk,
        photos=restaurant.photos,
        sales=restaurant.sales,
        menu_watch=restaurant.menu_watch,
    )
    api = create_api(deps)

    async def figures() -> dict[str, float]:
        answered = sorted(api.figures.by_status.items())
        return {f'api_requests_total{{status="{status}"}}': count for status, count in answered}

    return Contribution(
        services=[api], mounts={"/api/v1": api}, starts=[api.start], stops=[api.stop], figures=[figures]
    )


PART = Part(name="api", build=build)
