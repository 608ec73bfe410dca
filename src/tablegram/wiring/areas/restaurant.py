"""The restaurant: its menu and tables, guests who look and order, staff who serve them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tablegram.api.routes import routes_of
from tablegram.demo.stage import filling
from tablegram.drivers import open_reader
from tablegram.flows.account.services import AccountServices
from tablegram.flows.loyalty.guest_rewards import GuestRewards
from tablegram.flows.restaurant.bills.bills import Bills
from tablegram.flows.restaurant.bills.links import BillLinks
from tablegram.flows.restaurant.customers import HOLDING, OrderReach
from tablegram.flows.restaurant.desks.photos import Photos
from tablegram.flows.restaurant.desks.venue_desk import VenueDesk
from tablegram.flows.restaurant.guests.calls import TableCalls
from tablegram.flows.restaurant.guests.guests import Guests
from tablegram.flows.restaurant.guests.offers import Offers
from tablegram.flows.restaurant.guests.reaching import Reaching
from tablegram.flows.restaurant.guests.watching import MenuWatch
from tablegram.flows.restaurant.orders.order_clock import OrderClock
from tablegram.flows.restaurant.orders.ordering import Menus, Ordering
from tablegram.flows.restaurant.orders.orders import Orders
from tablegram.flows.restaurant.orders.requests import OrderRequests
from tablegram.flows.restaurant.orders.telling import Telling
from tablegram.flows.restaurant.paying.bill import GuestBill
from tablegram.flows.restaurant.paying.by_gift import GuestGifts
from tablegram.flows.restaurant.paying.guest import GuestPaying
from tablegram.flows.restaurant.segment_rules import RULES
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.menu_page.app import create_menu_page
from tablegram.menu_page.deps import MenuPageDeps
from tablegram.panel.app import finders_of, handlers_below
from tablegram.restaurant.checks import check_table_codes
from tablegram.restaurant.pictures.shrinking import Shrinking
from tablegram.restaurant.readers.spending import Caps
from tablegram.restaurant.store.retention import PURGES
from tablegram.restaurant.visitors.allowances import Allowances
from tablegram.restaurant.visitors.following import OrderWatch
from tablegram.settings import Settings
from tablegram.web.framework.late import Later
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.gateway import LineWorks
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.contribution import Contribution, Figures
from tablegram.wiring.guest_texts import GuestTexts
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.reader_check import check_reader
from tablegram.wiring.roles import Role, Task, drain, everywhere

if TYPE_CHECKING:
    from tablegram.flows.restaurant.desks.services import RestaurantDesks
    from tablegram.flows.restaurant.texts.second_reading import SecondReading
    from tablegram.restaurant.readers.model import ModelReader


@dataclass(frozen=True, slots=True)
class RestaurantWorks:
    ordering: Ordering
    texts: GuestTexts
    order_clock: OrderClock
    shrinking: Shrinking
    # Both are there where the installation has a language model.
    reader: ModelReader | None
    second_reading: SecondReading | None

    @property
    def tasks(self) -> dict[str, Task]:
        others = {} if self.second_reading is None else {"reader": everywhere(self.second_reading.drain.run)}
        return {
            "orders clock": drain(Role.WORKER, self.order_clock.drain),
            "photo sizes": drain(Role.WORKER, self.shrinking.drain),
            **others,
        }

    @property
    def figures(self) -> list[Figures]:
        reading = [] if self.second_reading is None else [self.second_reading.figures]
        model = [] if self.reader is None else [self.reader.figures]
        return [self.order_clock.drain.figures, self.shrinking.drain.figures, *reading, *model]

    async def stop(self) -> None:
        if self.reader is not None:
            self.reader.close()


def _caps(settings: Settings) -> Caps:
    return Caps(settings.reader_calls_day, settings.reader_tokens_day)


def build(
    ground: Ground, engine: Engine, account: AccountServices, events: EventWorks, lines: LineWorks
) -> Contribution:
    db, clock = ground.db, ground.clock
    ordering = Ordering(events.planner, Telling(lines.queue, ground.box, ground.api_url), Menus())
    ordering.proven = Offers(events.announcer).proven
    reader, caps = open_reader(ground.settings), _caps(ground.settings)
    texts = GuestTexts(ground, ordering)
    second = None if reader is None else texts.read_again(reader, caps)
    works = RestaurantWorks(
        ordering, texts, OrderClock(db, clock, ordering, engine.leases),
        Shrinking(db, clock, engine.leases, engine.workshop), reader, second,
    )  # fmt: skip
    restaurant = _open(ground, engine, account, events, lines, ordering, texts)
    lines.replies.follow(restaurant.venue_desk.hours_of_lines)
    order_watch = OrderWatch(db, ground.box)
    ordering.listeners.append(order_watch.told)
    page = create_menu_page(
        MenuPageDeps(
            settings=ground.settings,
            clock=ground.clock,
            guests=restaurant.guests,
            guest_paying=restaurant.guest_paying,
            guest_bill=restaurant.guest_bill,
            guest_gifts=restaurant.guest_gifts,
            guest_rewards=restaurant.guest_rewards,
            watch=restaurant.menu_watch,
            order_watch=order_watch,
            photos=restaurant.photos,
        )
    )
    return Contribution(
        services=[works, restaurant, page],
        desks=[restaurant.desks],
        mounts={"/api/v1/menu": page},
        answerers=texts.answerers,
        reaches=[OrderReach(ground.clock)],
        holdings=[HOLDING],
        rules=RULES,
        tasks=works.tasks,
        figures=works.figures,
        stops=[works.stop],
        streams=[page.end_streams],
    )


def _open(
    ground: Ground, engine: Engine, account: AccountServices, events: EventWorks, lines: LineWorks,
    ordering: Ordering, texts: GuestTexts,
) -> RestaurantServices:  # fmt: skip
    db, clock, box, idempotency = ground.db, ground.clock, ground.box, engine.idempotency
    table_calls = TableCalls(db, clock, ordering, events.live.notice, idempotency)
    reaching = Reaching(lines.switchboard, ground.settings.base_url)
    allowances = Allowances(ground.settings)
    allowances.share(engine.bus)
    guest_rewards = GuestRewards(db, clock, reaching, allowances)
    guest_rewards.share(engine.bus)
    guests = Guests(db, box, clock, ordering, reaching, table_calls, allowances)
    bills = Bills(db, idempotency, clock, account.audit, ordering, events.live.notice)
    menu_watch = MenuWatch(guests.glance)

    def venue_changed(account_id: int, venue_id: str) -> None:
        texts.look_again(account_id)
        menu_watch.told(venue_id)
        lines.replies.hours_changed(account_id)
        events.live.notice(account_id, "menu", [venue_id])

    desk = (db, idempotency, clock, account.audit, venue_changed)
    return RestaurantServices(
        guests=guests,
        guest_paying=GuestPaying(db, box, clock, ordering),
        orders=Orders(db, idempotency, clock, account.audit, ordering),
        bills=bills,
        bill_links=BillLinks(db, bills, ordering),
        guest_bill=GuestBill(db, box, clock, ordering, idempotency, allowances, ground.api_url),
        guest_gifts=GuestGifts(db, box, clock, ordering, idempotency, allowances),
        guest_rewards=guest_rewards,
        order_requests=OrderRequests(db, idempotency, clock, ordering),
        table_calls=table_calls,
        venue_desk=VenueDesk(*desk, lines.instances, box, ground.api_url),
        photos=Photos(*desk, engine.workshop, ground.api_url),
        menu_watch=menu_watch,
        desks=Later(lambda: _open_desks(ground, engine, account, events, ordering, venue_changed)).get,
    )


def _open_desks(
    ground: Ground, engine: Engine, account: AccountServices, events: EventWorks, ordering: Ordering,
    venue_changed: Callable[[int, str], None],
) -> RestaurantDesks:  # fmt: skip
    # Each brings what it works with, which nothing else of an idle server needs.
    from tablegram.wiring.areas.restaurant_desks import open_desks

    return open_desks(ground, engine, account, events, ordering, venue_changed)


PART = Part(
    name="restaurant",
    build=build,
    routes=lambda: routes_of("restaurant"),
    pages=lambda: handlers_below("restaurant"),
    finders=lambda: finders_of("restaurant.orders", "restaurant.menu"),
    purges=PURGES,
    checks=[check_table_codes],
    settings_checks=[check_reader],
    demo=[filling("venue")],
)
