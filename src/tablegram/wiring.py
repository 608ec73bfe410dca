"""The composition root: the only place that knows every part, and puts them together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import aiohttp

from tablegram.accounts import quota
from tablegram.accounts.accounts import Accounts
from tablegram.accounts.calls import Calls
from tablegram.accounts.installation import check_secret_key
from tablegram.accounts.keys import Caller, KeyRing
from tablegram.accounts.limits import Limiter
from tablegram.accounts.operating import Operating
from tablegram.accounts.people.house import gather_people
from tablegram.accounts.rate_card import RateCard
from tablegram.accounts.team import Team
from tablegram.api.app import create_api
from tablegram.api.deps import ApiDeps
from tablegram.crm.auto_replies import Replies
from tablegram.crm.indexing import Indexer
from tablegram.drivers import Drivers, open_mail, open_vault
from tablegram.engine import crash_points
from tablegram.engine.idempotency import Idempotency
from tablegram.engine.inbox import Inbox
from tablegram.engine.leases import Leases
from tablegram.engine.owners import Owner
from tablegram.engine.timers import Tasks
from tablegram.events.delivery import Deliveries
from tablegram.events.endpoints import Endpoints
from tablegram.events.feed import Feed
from tablegram.events.planning import Planner
from tablegram.flows.announcing import Announcer
from tablegram.flows.attachments import Attachments
from tablegram.flows.auto_replies import AutoReplies
from tablegram.flows.canned import CannedReplies
from tablegram.flows.contacts import Contacts
from tablegram.flows.conversations import Conversations
from tablegram.flows.erasure import Erasure
from tablegram.flows.fetching import Fetching
from tablegram.flows.granting import Granting
from tablegram.flows.importing import Importer, Imports
from tablegram.flows.inbound import Inbound
from tablegram.flows.line_replies import LineReplies
from tablegram.flows.lines import Lines
from tablegram.flows.lookups import Lookups
from tablegram.flows.media import MediaLibrary
from tablegram.flows.members import Members
from tablegram.flows.overview import Overviews
from tablegram.flows.queueing import Queueing
from tablegram.flows.recovery import Recovery
from tablegram.flows.restaurant.calls import TableCalls
from tablegram.flows.restaurant.guests import Guests
from tablegram.flows.restaurant.menu_desk import MenuDesk
from tablegram.flows.restaurant.order_clock import OrderClock
from tablegram.flows.restaurant.order_texts import OrderTexts
from tablegram.flows.restaurant.ordering import Menus, Ordering
from tablegram.flows.restaurant.orders import Orders
from tablegram.flows.restaurant.photos import Photos
from tablegram.flows.restaurant.reaching import Reaching
from tablegram.flows.restaurant.sales import Sales
from tablegram.flows.restaurant.table_desk import TableDesk
from tablegram.flows.restaurant.telling import Telling
from tablegram.flows.restaurant.venue_desk import VenueDesk
from tablegram.flows.restaurant.watching import MenuWatch
from tablegram.flows.retention import Retention
from tablegram.flows.sending import Sending
from tablegram.flows.webhooks import Webhooks
from tablegram.hooks.cloud import CloudHook
from tablegram.media.spool import Spool
from tablegram.menu_page.app import MenuPage, create_menu_page
from tablegram.menu_page.deps import MenuPageDeps
from tablegram.messaging.draining import Drains
from tablegram.messaging.instances import Instances
from tablegram.messaging.keeping import LineKeeper
from tablegram.messaging.lines.cloud import callbacks
from tablegram.messaging.numbers import Numbers
from tablegram.messaging.outcomes import Outcomes
from tablegram.messaging.store import messages as message_store
from tablegram.messaging.switchboard import Switchboard
from tablegram.messaging.usage import Usage
from tablegram.panel.app import Panel, create_panel
from tablegram.panel.deps import Badge, PanelDeps
from tablegram.panel.live import Live
from tablegram.sandbox.app import SandboxApp
from tablegram.sandbox.app import create as create_sandbox
from tablegram.server.health import Health
from tablegram.settings import Settings
from tablegram.storage.database import Database, Tx, open_database
from tablegram.values.clock import HOUR_MS, Clock
from tablegram.values.network import open_session
from tablegram.values.outbound import GuardedClient
from tablegram.values.secrets import load_secret_key
from tablegram.values.targets import Targets

log = logging.getLogger("tablegram")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Product:
    """The whole product in one process. `start` before the first request, `stop` after the last."""

    def __init__(self, settings: Settings, clock: Clock | None = None) -> None:
        crash_points.arm(settings.crash_at)
        self.settings = settings
        self.clock = clock or Clock()
        self.box = load_secret_key(settings)
        self.db: Database = open_database(settings)
        self.tasks = Tasks()
        self.spool = Spool(settings.data_dir / "media" / "incoming")
        self._session: aiohttp.ClientSession | None = None
        self._sandbox: SandboxApp | None = None
        self._api: Any = None
        self._panel: Panel | None = None
        self._menu_page: MenuPage | None = None
        self._hook: CloudHook | None = None
        self._health = Health(settings, self.is_ready, self.figures)

    async def start(self) -> None:
        """Open everything, take up what a dead process left, and begin to work."""
        await self.db.open()
        await check_secret_key(self.db, self.box)
        self._session = open_session()
        self._build(self._session)
        self.spool.clear()
        await self.owner.register()
        await self.recovery.take_up()
        if self.settings.sandbox and not self.settings.sandbox_url:
            self._sandbox = create_sandbox(self.settings.data_dir / "sandbox.db")
            assert self._panel is not None
            self._sandbox.admits = self._panel.may_hold_phones
            await self._sandbox.start()
        await self._api.start()
        self._start_tasks()

    def _build(self, session: aiohttp.ClientSession) -> None:
        settings, db, clock = self.settings, self.db, self.clock
        prepaid = settings.billing == "prepaid"
        card = RateCard.load(settings.rate_card or None)
        self.fetcher = GuardedClient(Targets(settings.allowed_private_targets))
        self.owner = Owner(db, clock)
        self.people = gather_people(db, self.box, clock, settings, mail=open_mail(settings), spawn=self.tasks.spawn)
        self.audit = self.people.audit
        leases = Leases(db, self.owner, clock)
        idempotency = Idempotency(db, self.owner, clock, int(settings.idempotency_h * HOUR_MS))
        planner = Planner(db, clock)
        media_url = f"{settings.base_url}/api/v1/media"
        announcer = Announcer(planner, clock, media_url)

        def wake_fetching() -> None:
            self.fetching.bell.ring()

        def suspect(instance_id: int) -> None:
            self.keeper.suspect(instance_id)

        def wake_line(account_id: int, instance_id: int) -> None:
            self.tasks.spawn("wake a line", self._wake_line(account_id, instance_id))

        replies = Replies(db)
        queue = Queueing(card, settings, wake_line)
        api_url = f"{settings.base_url}/api/v1"
        ordering = Ordering(planner, Telling(queue, self.box, api_url), Menus())
        self.instances = Instances(db, self.box, clock, settings.base_url, announcer)
        inbound = Inbound(
            callbacks.parse,
            self.box,
            card,
            clock,
            announcer,
            prepaid=prepaid,
            wake_fetching=wake_fetching,
            replies=AutoReplies(replies, clock, queue),
            orders=OrderTexts(db, clock, ordering),
            numbers=Numbers(self.instances),
            suspect=suspect,
        )
        self.inbox = Inbox(db, clock, {"cloud": inbound})
        vault = open_vault(settings)
        drivers = self._drivers = Drivers(session, self.fetcher, settings, vault)
        self.switchboard = Switchboard(self.instances, drivers.build, settings)
        self.keeper = LineKeeper(self.instances, self.switchboard, drivers.introduce)
        self.outcomes = Outcomes(clock, settings.unknown_wait_s)

        async def refund(tx: Tx, account_id: int, message_key: str) -> None:
            if prepaid:
                await quota.refund(tx, account_id, message_key, clock.now_ms())

        async def unread(account_id: int, instance_id: int) -> int:
            return await self.inbox.waiting(account_id, f"cloud:{instance_id}")

        async def quota_state(caller: Caller) -> quota.QuotaState:
            return await quota.quota_state(db, caller.account_id, clock.now_ms(), prepaid)

        self.drains = Drains(
            db,
            self.switchboard,
            self.outcomes,
            leases,
            self.owner,
            clock,
            self.tasks,
            refund=refund,
            unread=unread,
            settled=self.keeper.settled,
            announcer=announcer,
        )
        self.deliveries = Deliveries(db, self.box, clock, self.fetcher, planner, leases, self.tasks)
        announcer.hasten = self.deliveries.hasten
        self.library = MediaLibrary(db, vault, clock, media_url)
        self.fetching = Fetching(db, self.switchboard, vault, self.spool, announcer, leases, self.tasks, clock)
        self.endpoints = Endpoints(db, self.box, clock, self.fetcher.targets, planner, self.deliveries)
        self.feed = Feed(db, planner)
        self.live = Live(self.feed)
        self.indexer = Indexer(db, clock, leases)
        self.recovery = Recovery(db, self.owner, leases, self.switchboard, self.drains, self.outcomes, clock, settings)
        self.retention = Retention(db, idempotency, clock, settings, self.library)
        sending = Sending(
            db, self.switchboard, self.drains, self.outcomes, self.owner, idempotency, card, clock, settings, self.tasks
        )
        self.deliveries.listen(lambda account_id, hook_id, _: self.live.notice(account_id, "deliveries", [hook_id]))
        self.instances.listen(lambda account_id, line_id: self.live.notice(account_id, "lines", [str(line_id)]))
        self.importer = Importer(db, clock, leases)
        self.importer.listen(lambda account_id, import_id: self.live.notice(account_id, "imports", [import_id]))
        self.conversations = Conversations(db, clock, self.library)
        self.canned = CannedReplies(db, idempotency, clock, self.audit)
        self.imports = Imports(db, idempotency, clock, self.audit, self.importer.bell.ring)
        self.attachments = Attachments(db, vault, self.spool, clock, idempotency, media_url)
        self._hook = CloudHook(self.instances, self.inbox, callbacks.verify, callbacks.read_phone)
        key_ring = KeyRing(db, self.box, clock, settings)
        self.orders = Orders(db, idempotency, clock, self.audit, ordering)
        self.order_clock = OrderClock(db, clock, ordering, leases)
        table_calls = TableCalls(db, clock, ordering, self.live.notice, idempotency)
        self.guests = Guests(db, self.box, clock, ordering, Reaching(self.switchboard, settings.base_url), table_calls)
        self.menu_watch = MenuWatch(self.guests.glance)

        def venue_changed(account_id: int, venue_id: str) -> None:
            self.menu_watch.told(venue_id)
            self.live.notice(account_id, "menu", [venue_id])

        desk = (db, idempotency, clock, self.audit, venue_changed)
        shared = ApiDeps(
            settings=settings,
            clock=clock,
            db=db,
            key_ring=key_ring,
            limiter=Limiter(),
            sending=sending,
            lookups=Lookups(db, self.switchboard, idempotency, clock, self.library),
            lines=Lines(self.instances, self.switchboard, self.keeper, idempotency, self.audit),
            quota_state=quota_state,
            webhooks=Webhooks(self.endpoints, idempotency, self.box, self.audit),
            feed=self.feed,
            fetcher=self.fetcher,
            library=self.library,
            attachments=self.attachments,
            contacts=Contacts(db, idempotency, clock, self.library, self.audit, announcer),
            erasure=Erasure(db, self.box, clock, self.library, self.deliveries.erase, self.audit, prepaid=prepaid),
            line_replies=LineReplies(db, self.instances, replies, idempotency, clock, self.audit),
            conversations=self.conversations,
            canned=self.canned,
            imports=self.imports,
            members=Members(db, self.box, clock, Team(db, clock), self.people, idempotency),
            operating=Operating(
                db=db,
                clock=clock,
                settings=settings,
                accounts=Accounts(db, clock),
                team=Team(db, clock),
                keys=key_ring,
                people=self.people,
                idempotency=idempotency,
                is_ready=self.is_ready,
                figures=self.figures,
            ),
            audit=self.audit,
            overviews=Overviews(Usage(db, clock), self.instances, self.endpoints, key_ring, Team(db, clock)),
            granting=Granting(key_ring, idempotency, self.audit),
            guests=self.guests,
            orders=self.orders,
            table_calls=table_calls,
            venue_desk=VenueDesk(*desk, self.instances, self.box, api_url),
            table_desk=TableDesk(*desk, self.box, api_url),
            menu_desk=MenuDesk(*desk),
            photos=Photos(*desk, api_url),
            sales=Sales(db, clock),
            menu_watch=self.menu_watch,
        )
        self._api = create_api(shared)
        self._panel = create_panel(self._panel_deps(shared))
        self._menu_page = create_menu_page(
            MenuPageDeps(
                settings=settings, clock=clock, guests=self.guests, watch=self.menu_watch, photos=shared.photos
            )
        )

    def _panel_deps(self, shared: ApiDeps) -> PanelDeps:
        """The panel calls the same services as the API, and a few of its own."""
        return PanelDeps(
            settings=self.settings,
            clock=self.clock,
            db=self.db,
            box=self.box,
            live=self.live,
            feed=self.feed,
            sending=shared.sending,
            lookups=shared.lookups,
            lines=shared.lines,
            webhooks=shared.webhooks,
            contacts=shared.contacts,
            erasure=shared.erasure,
            line_replies=shared.line_replies,
            granting=shared.granting,
            library=shared.library,
            quota_state=shared.quota_state,
            people=self.people,
            members=shared.members,
            conversations=self.conversations,
            canned=self.canned,
            imports=self.imports,
            attachments=self.attachments,
            overviews=shared.overviews,
            calls=Calls(self.db),
            operating=shared.operating,
            team=Team(self.db, self.clock),
            guests=shared.guests,
            orders=shared.orders,
            table_calls=shared.table_calls,
            venue_desk=shared.venue_desk,
            table_desk=shared.table_desk,
            menu_desk=shared.menu_desk,
            photos=shared.photos,
            sales=shared.sales,
            menu_watch=shared.menu_watch,
            badges={"inbox": Badge("messages:read", self.conversations.unread)},
        )

    async def _wake_line(self, account_id: int, instance_id: int) -> None:
        line = await self.switchboard.line(account_id, instance_id)
        if line is not None:
            line.backlog = True
            self.drains.wake(line)

    def _start_tasks(self) -> None:
        self.tasks.keep("heartbeat", self.owner.beat_forever)
        self.tasks.keep("inbox", self.inbox.drain_forever)
        self.tasks.keep("drains", self.drains.scan_forever)
        self.tasks.keep("deliveries", self.deliveries.scan_forever)
        self.tasks.keep("media", self.fetching.drain_forever)
        self.tasks.keep("contacts index", self.indexer.index_forever)
        self.tasks.keep("contact imports", self.importer.import_forever)
        self.tasks.keep("lines", self.keeper.keep_forever)
        self.tasks.keep("recovery", self.recovery.sweep_forever)
        self.tasks.keep("orders clock", self.order_clock.keep_time)
        self.tasks.keep("retention", self.retention.purge_forever)

    async def stop(self) -> None:
        """End within seconds. What is under way is left to the next start, as after a crash, but nothing is lost."""
        await self.tasks.stop()
        if self._api is not None:
            await self._api.stop()
        if self._sandbox is not None:
            await self._sandbox.stop()
        if self._session is not None:
            self._drivers.close()
            await self.fetcher.close()
            await self._session.close()
            await self.recovery.leave()
        await self.db.close()

    def end_streams(self) -> None:
        """Let go of everybody who listens live, so that the server can end."""
        if self._session is not None:
            self.menu_watch.close()
            if self._menu_page is not None:
                self._menu_page.end_streams()
            self.feed.close()
            self.live.close()
        if self._sandbox is not None:
            self._sandbox.end_streams()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        path: str = scope.get("path", "")
        if self._menu_page is not None and (path == "/api/v1/menu" or path.startswith("/api/v1/menu/")):
            await self._menu_page(scope, receive, send)
        elif path.startswith("/api/v1"):
            await self._api(scope, receive, send)
        elif self._panel is not None and (path == "/" or path == "/panel" or path.startswith("/panel/")):
            await self._panel(scope, receive, send)
        elif path.startswith("/hooks/cloud/") and self._hook is not None and scope["type"] == "http":
            await self._hook(scope, receive, send)
        elif self._sandbox is not None and path.startswith("/sandbox"):
            await self._sandbox(scope, receive, send)
        else:
            await self._health(scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                try:
                    await self.start()
                except Exception as error:
                    log.exception("could not start")
                    await send({"type": "lifespan.startup.failed", "message": str(error)})
                    return
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def is_ready(self) -> bool:
        """Whether storage answers; the engine's tasks run on it and start again by themselves."""
        try:
            async with asyncio.timeout(2):
                await self.owner.living()
        except Exception:
            return False
        return True

    async def figures(self) -> dict[str, float]:
        """What /metrics shows beside the requests."""
        depth = await self.db.first(message_store.DEPTH)
        figures: dict[str, float] = {f"sends_{name}_total": count for name, count in self.outcomes.counts.items()}
        if depth is not None:
            figures |= {"messages_queued": depth["queued"], "messages_in_doubt": depth["in_doubt"]}
        figures |= {f"deliveries_{name}_total": count for name, count in self.deliveries.counts.items()}
        figures |= {f"files_{name}_total": count for name, count in self.fetching.counts.items()}
        figures["task_failures_total"] = self.tasks.failures
        figures["live_connections"] = self.live.listening + self.feed.listening
        for status, count in sorted(self._api.figures.by_status.items()):
            figures[f'api_requests_total{{status="{status}"}}'] = count
        return figures
