"""Printing: tickets that orders become, printers, and the queue between them."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.api.routes import routes_of
from tablegram.demo.stage import filling
from tablegram.flows.account.services import AccountServices
from tablegram.flows.printing.announcing import PrintAnnouncer
from tablegram.flows.printing.erasing import TicketReach
from tablegram.flows.printing.following import OrderTickets
from tablegram.flows.printing.layouts.desk import LayoutDesk
from tablegram.flows.printing.print_clock import PrintClock
from tablegram.flows.printing.printer_desk import PrinterDesk
from tablegram.flows.printing.receipts.desk import ReceiptDesk
from tablegram.flows.printing.services import PrintingServices
from tablegram.flows.printing.ticket_desk import TicketDesk
from tablegram.flows.restaurant.bills.bills import Bills
from tablegram.panel.app import finders_of, handlers_below
from tablegram.panel.navigation import Group, Place
from tablegram.printing.checks import check_printers
from tablegram.printing.jobs import Jobs
from tablegram.printing.neighbours import share
from tablegram.printing.printers.directory import Directory
from tablegram.printing.printers.watching import Watch
from tablegram.printing.store.retention import PURGES
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.roles import Role, drain, everywhere


@dataclass(frozen=True, slots=True)
class PrintWorks:
    """What transports work with."""

    jobs: Jobs
    directory: Directory
    watch: Watch
    clock: PrintClock


def build(
    ground: Ground, engine: Engine, account: AccountServices, events: EventWorks, restaurant: RestaurantWorks
) -> Contribution:
    db, clock, box, ordering = ground.db, ground.clock, ground.box, restaurant.ordering
    announcer = PrintAnnouncer(events.planner, events.live.notice)
    jobs = Jobs(db, clock)
    share(engine.bus, jobs)
    jobs.listeners.append(announcer.moved)
    directory, watch = Directory(db, box, clock), Watch(db, clock, announcer)
    panel_url = f"{ground.settings.base_url}/panel"
    print_clock = PrintClock(db, clock, jobs, watch, announcer, ordering.telling, engine.leases, panel_url)
    works = PrintWorks(jobs, directory, watch, print_clock)
    tickets = OrderTickets(jobs, ordering.menus)
    ordering.followers.append(tickets.follow)
    ordering.listeners.append(tickets.told)
    desk = (db, engine.idempotency, clock, account.audit)
    services = PrintingServices(
        printers=PrinterDesk(*desk, box, jobs, directory, watch, announcer.moved, ground.settings.base_url),
        tickets=TicketDesk(*desk, jobs, announcer.moved),
        layouts=LayoutDesk(db, clock, account.audit),
        receipts=ReceiptDesk(Bills(*desk, ordering), ordering, jobs),
    )
    return Contribution(
        services=[works, services],
        tasks={
            "print queues": everywhere(jobs.scan_forever),
            "printers' keys": everywhere(directory.look_forever),
            "printers heard": everywhere(watch.flush_forever),
            "print clock": drain(Role.WORKER, print_clock.drain),
        },
        figures=[print_clock.drain.figures, jobs.figures],
        reaches=[TicketReach()],
    )


PART = Part(
    name="printing",
    build=build,
    routes=lambda: routes_of("printing"),
    pages=lambda: handlers_below("printing"),
    finders=lambda: finders_of("printing"),
    places=[
        Group("restaurant", (Place("printers", "/panel/printers", ("restaurant:read",), also=("/panel/printing",)),))
    ],
    checks=[check_printers],
    demo=[filling("printers")],
    purges=PURGES,
)
