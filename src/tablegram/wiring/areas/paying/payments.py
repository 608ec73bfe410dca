"""Payments: links, what providers tell of them, refunds, and the accesses to providers."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.api.routes import routes_of
from tablegram.demo.stage import filling
from tablegram.flows.account.services import AccountServices
from tablegram.flows.payments.announcing import PaymentAnnouncer
from tablegram.flows.payments.link_desk import LinkDesk
from tablegram.flows.payments.own_data import HOLDING, PaymentReach
from tablegram.flows.payments.provider_desk import ProviderDesk
from tablegram.flows.payments.services import PaymentServices
from tablegram.flows.payments.trial import TrialDesk
from tablegram.hooks.payments.hook import PayHook
from tablegram.hooks.payments.landing import Landing
from tablegram.panel.app import handlers_below
from tablegram.panel.deps import Badge
from tablegram.panel.navigation import Group, Place
from tablegram.payments.accesses import Accesses
from tablegram.payments.caretaking import Caretaker
from tablegram.payments.checks import check_payments
from tablegram.payments.draining import LinkDrain
from tablegram.payments.hearing import KIND, Hearing, SignalClock
from tablegram.payments.keeping import Payments
from tablegram.payments.model import Link
from tablegram.payments.providers.opening import Providers
from tablegram.payments.returning import Returning
from tablegram.payments.store.retention import PURGES
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.roles import Role, drain


@dataclass(frozen=True, slots=True)
class PaymentWorks:
    """What other parts make links with, and follow them by."""

    payments: Payments
    caretaker: Caretaker
    accesses: Accesses
    drain: LinkDrain
    hearing: Hearing
    signals: SignalClock


def build(ground: Ground, engine: Engine, account: AccountServices, events: EventWorks) -> Contribution:
    db, clock, settings = ground.db, ground.clock, ground.settings
    providers = Providers(settings, engine.fetcher)
    is_playing = settings.sandbox or bool(settings.sandbox_url)
    accesses = Accesses(db, ground.box, providers.of, settings.base_url, sandbox=is_playing)
    payments = Payments(accesses)
    announcer = PaymentAnnouncer(events.planner, events.live.notice)
    payments.preparing.append(announcer.prepare)
    payments.followers.append(announcer.follow)
    payments.refund_followers.append(announcer.refunded)
    caretaker = Caretaker(db, clock, payments, settings.base_url)
    link_drain = LinkDrain(db, clock, caretaker, engine.leases, ground.tasks)
    hearing = Hearing(payments, clock)
    signals = SignalClock(db, clock, payments, hearing, engine.leases)

    def told(link: Link) -> None:
        announcer.told(link)
        link_drain.told(link)
        if link.is_alive:
            # What a provider told of it before it was here.
            hearing.bell.ring()

    payments.listeners.append(told)
    returning = Returning(db, clock, payments, settings.base_url, link_drain.wake)
    desk = (db, engine.idempotency, clock, account.audit)
    links = LinkDesk(*desk, payments, caretaker)
    connecting = ProviderDesk(*desk, accesses, caretaker, ground.box)
    trials = TrialDesk(engine.idempotency, connecting, links, caretaker, payments)
    services = PaymentServices(links=links, providers=connecting, trials=trials)
    hook = PayHook(accesses, engine.inbox, returning, clock, settings)
    hook.shut_out.share(engine.bus, "strangepayments")
    return Contribution(
        services=[PaymentWorks(payments, caretaker, accesses, link_drain, hearing, signals), services],
        mounts={
            "/hooks/pay": hook,
            "/pay": Landing(returning, settings.base_url),
        },
        handlers={KIND: hearing},
        tasks={
            "payment links": drain(Role.WORKER, link_drain.drain),
            "payment signals": drain(Role.WORKER, signals.drain),
        },
        stops=[providers.close],
        figures=[link_drain.drain.figures, signals.drain.figures],
        reaches=[PaymentReach()],
        holdings=[HOLDING],
        badges={"payments": Badge("payments:manage", services.links.waiting)},
    )


PART = Part(
    name="payments",
    build=build,
    routes=lambda: routes_of("payments"),
    pages=lambda: handlers_below("payments"),
    places=[Group("restaurant", (Place("payments", "/panel/payments", ("payments:manage",)),))],
    purges=PURGES,
    demo=[filling("links")],
    checks=[check_payments],
)
