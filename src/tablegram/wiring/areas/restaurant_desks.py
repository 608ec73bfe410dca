"""The desks of the restaurant: loaded with the first address of the API or the first page, which alone ask them."""

from __future__ import annotations

from collections.abc import Callable

from tablegram.flows.account.services import AccountServices
from tablegram.flows.restaurant.desks.menu_desk import MenuDesk
from tablegram.flows.restaurant.desks.reader_desk import ReaderDesk
from tablegram.flows.restaurant.desks.regulars import Regulars
from tablegram.flows.restaurant.desks.sales import Sales
from tablegram.flows.restaurant.desks.services import RestaurantDesks
from tablegram.flows.restaurant.desks.table_desk import TableDesk
from tablegram.flows.restaurant.desks.takings import TakingsDesk
from tablegram.flows.restaurant.desks.turns import Turns
from tablegram.flows.restaurant.kitchen.displays import Displays
from tablegram.flows.restaurant.kitchen.kitchen import Kitchen
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.paying.counter_gifts import CounterGifts
from tablegram.flows.restaurant.till.till_desk import TillDesk
from tablegram.restaurant.readers.spending import Caps
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.part import Ground


def open_desks(
    ground: Ground, engine: Engine, account: AccountServices, events: EventWorks, ordering: Ordering,
    venue_changed: Callable[[int, str], None],
) -> RestaurantDesks:  # fmt: skip
    db, clock, box, idempotency, settings = ground.db, ground.clock, ground.box, engine.idempotency, ground.settings
    desk = (db, idempotency, clock, account.audit, venue_changed)
    caps = Caps(settings.reader_calls_day, settings.reader_tokens_day)
    return RestaurantDesks(
        counter_gifts=CounterGifts(db, idempotency, clock, ordering),
        kitchen=Kitchen(db, idempotency, clock, ordering, events.live.notice),
        displays=Displays(db),
        regulars=Regulars(db),
        turns=Turns(db, box, clock, account.audit),
        table_desk=TableDesk(*desk, engine.workshop, box, ground.api_url),
        menu_desk=MenuDesk(*desk, engine.workshop),
        reader_desk=ReaderDesk(db, clock, account.audit, caps, is_there=bool(settings.reader_url)),
        sales=Sales(db, clock),
        takings=TakingsDesk(db, clock),
        till=TillDesk(db, idempotency, clock, account.audit),
    )
