"""The gateway without its edges: store, engine, messaging and flows, put together over scripted lines."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from msgspec.json import encode
from sqlalchemy import bindparam, select

from tablegram.accounts.accounts import STANDARD_FREE_MESSAGES, Accounts
from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.money import quota
from tablegram.accounts.money.rate_card import RateCard
from tablegram.drivers import open_vault
from tablegram.engine.bus.choosing import choose_bus
from tablegram.engine.bus.port import Alone, Bus
from tablegram.engine.bus.wakeups import Wakeups
from tablegram.engine.idempotency import Call, Idempotency, KeptAnswer, Result
from tablegram.engine.inbox import Inbox
from tablegram.engine.leases import Leases
from tablegram.engine.owners import Owner
from tablegram.engine.purging import Retention
from tablegram.engine.timers import Tasks
from tablegram.engine.together.questions import Questions
from tablegram.events.planning import Planner
from tablegram.flows.files.media import MediaLibrary
from tablegram.flows.files.retention import FileRetention
from tablegram.flows.gateway.announcing import Announcer
from tablegram.flows.gateway.answering import Answerer
from tablegram.flows.gateway.inbound import Inbound
from tablegram.flows.gateway.lines import Lines
from tablegram.flows.gateway.lookups import Lookups
from tablegram.flows.gateway.sending import Draft, Sending
from tablegram.flows.gateway.templates.templates import Templates
from tablegram.messaging.incoming import Parse
from tablegram.messaging.instances import Config, Instance, Instances, Secrets
from tablegram.messaging.lines.cloud import callbacks
from tablegram.messaging.links import Links
from tablegram.messaging.model import Text
from tablegram.messaging.numbers import Numbers
from tablegram.messaging.switchboard import LiveLine, Switchboard
from tablegram.messaging.transmission.draining import Drains, lease_name
from tablegram.messaging.transmission.holders import Holders
from tablegram.messaging.transmission.outcomes import Outcomes
from tablegram.messaging.transmission.recovery import Recovery
from tablegram.messaging.watch import LineWatch
from tablegram.settings import Settings
from tablegram.storage.database import Database, Query, Row, Tx, open_database
from tablegram.storage.tables import accounts, messages
from tablegram.values.clock import HOUR_MS
from tablegram.values.secrets import SecretBox
from tablegram.wiring.parts import PARTS
from tests.accounts.opened import SECRET, MovableClock
from tests.engine.waiting import until
from tests.messaging.scripted import ScriptedLine

PHONE = "905551112233"
OTHER = "905551112244"
# Prepared once: it is asked for after almost every step of a test.
_MESSAGES = Query(select(messages).where(messages.c.account_id == bindparam("account")).order_by(messages.c.id))


def phone(number: int) -> str:
    return f"9055511{number:05}"


class Gateway:
    """One process of the product. Several over one database are several processes that share a clock."""

    def __init__(self, db: Database, settings: Settings, clock: MovableClock, bus: Bus) -> None:
        self.db, self.settings, self.clock, self.bus = db, settings, clock, bus
        self.prepaid = settings.billing == "prepaid"
        self.box = SecretBox(SECRET)
        self.tasks = Tasks()
        self.drivers: dict[int, ScriptedLine] = {}
        self.built: list[Instance] = []
        self.card = RateCard.load()
        self.owner = Owner(db)
        self.leases = Leases(db, self.owner, wakeups=Wakeups(bus))
        self.idempotency = Idempotency(db, self.owner, clock, int(settings.idempotency_h * HOUR_MS))
        media_url = f"{settings.base_url}/api/v1/media"
        self.announcer = announcer = Announcer(Planner(db, clock), clock, media_url)
        self.library = MediaLibrary(db, open_vault(settings), clock, media_url)
        self.links = Links(db, self.box, clock)
        self.instances = Instances(db, self.box, clock, settings.base_url)
        self.inbox = Inbox(db, clock, {"cloud": self.inbound({"cloud": callbacks.parse})})
        self.switchboard = Switchboard(self.instances, self._driver, settings)
        self.watch = LineWatch(self.instances, self.switchboard, self.inbox.store)
        self.outcomes = Outcomes(clock, settings.unknown_wait_s, self.owner.id)
        self.drains = Drains(
            db, self.switchboard, self.outcomes, self.leases, self.owner, clock, self.tasks,
            refund=self._refund, unread=self._unread, settled=self.watch.settled, announcer=announcer,
        )  # fmt: skip
        self.watch.giving = lambda line: self.leases.is_giving(lease_name(line))
        self.recovery = Recovery(
            db, self.owner, self.leases, self.switchboard, self.drains, self.outcomes, clock, settings
        )
        self.retention = Retention(
            db, clock, settings, [purge for part in PARTS for purge in part.purges],
            [FileRetention(self.library, clock, settings)],
        )  # fmt: skip
        self.sending = Sending(
            db, self.switchboard, self.drains, self.outcomes, self.owner, self.idempotency, self.card, clock, settings,
            self.tasks,
        )  # fmt: skip
        questions = Questions(bus, self.leases, self.owner.id, self.box, clock, self.tasks)
        self.holders = Holders(self.drains, self.leases, self.watch, self.links, questions, self.tasks)
        self.lookups = Lookups(db, self.switchboard, self.idempotency, clock, self.library, self.holders)
        self.template_news: list[int] = []
        self.templates = Templates(
            db, self.switchboard, self.idempotency, clock, Audit(db, clock), None,  # type: ignore[arg-type]
            self.template_news.append,
        )  # fmt: skip
        self.lines = Lines(
            self.instances, self.switchboard, self.watch, self.idempotency, Audit(db, clock), self.links, self.holders
        )
        self.caller = self.call_as(1)

    def inbound(self, parsers: Mapping[str, Parse], answerers: Sequence[Answerer] = ()) -> Inbound:
        return Inbound(
            parsers, self.box, self.card, self.clock, self.announcer, prepaid=self.prepaid, answerers=answerers,
            numbers=Numbers(self.instances), suspect=lambda line_id: self.watch.suspect(line_id),
        )  # fmt: skip

    def _driver(self, instance: Instance) -> ScriptedLine:
        """A line keeps its script when its driver is built anew; `built` tells that it was."""
        self.built.append(instance)
        return self.drivers.setdefault(instance.id, ScriptedLine(f"line{instance.id}"))

    async def _refund(self, tx: Tx, account_id: int, message_key: str) -> None:
        if self.prepaid:
            await quota.refund(tx, account_id, message_key, self.clock.now_ms())

    async def _unread(self, account_id: int, instance_id: int) -> int:
        return await self.inbox.waiting(account_id, f"cloud:{instance_id}")

    def call_as(self, account_id: int, mode: Any = "live") -> Caller:
        return Caller(
            account_id=account_id, account_name="", key_id="k", key_name="", mode=mode, scopes=frozenset({"*"}),
            rate=1e6, burst=1_000_000, plan="standard", prepaid=self.prepaid, expires_at=None,
        )  # fmt: skip

    async def add_line(
        self,
        kind: str = "sandbox",
        *,
        account_id: int = 1,
        pace: float | None = None,
        number: str = "1065",
        **secrets: str,
    ) -> LiveLine:
        config = Config(number, "") if kind == "cloud" else Config()
        pace_milli = None if pace is None else int(pace * 1_000)
        made = await self.db.write(
            lambda tx: self.instances.create(tx, account_id, kind, "", config, Secrets(**secrets), pace_milli)
        )
        return (await self.switchboard.reload(account_id))[made.id]

    def network(self, line: LiveLine) -> ScriptedLine:
        return self.drivers[line.instance.id]

    async def send(
        self, to: str = PHONE, text: str = "Hi", *, call: Call | None = None, caller: Caller | None = None, **draft: Any
    ) -> KeptAnswer:
        one = Draft(phone=to, content=draft.pop("content", None) or Text(text), type="text", text=text, **draft)
        return (await self.sending.send(caller or self.caller, one, call or Call("/messages/send"))).encoded()

    async def queue(self, to: str = PHONE, text: str = "Hi", **draft: Any) -> str:
        """Accept a message that goes out by itself; returns its id."""
        answer = await self.send(to, text, call=Call("/messages/send", respond_async=True), **draft)
        return str(body(answer)["message_id"])

    async def queue_many(self, messages: list[tuple[str, str]]) -> KeptAnswer:
        """Accept a batch of (phone, text)."""
        drafts: list[Any] = [Draft(phone=to, content=Text(text), type="text", text=text) for to, text in messages]
        return (await self.sending.send_batch(self.caller, drafts, Call("/messages/batch"))).encoded()

    async def rows(self, account_id: int = 1) -> list[Row]:
        """The account's messages as the store has them, oldest first."""
        return await self.db.all(_MESSAGES, {"account": account_id})

    async def row(self, account_id: int = 1) -> Row:
        (only,) = await self.rows(account_id)
        return only

    async def balance(self, account_id: int = 1) -> int:
        row = await self.db.first(select(accounts.c.balance_micros).where(accounts.c.id == account_id))
        assert row is not None
        return int(row["balance_micros"])

    async def top_up(self, micros: int) -> None:
        await self.db.write(lambda tx: quota.top_up(tx, 1, f"reference {micros}", micros, self.clock.now_ms()))

    async def spend_free_messages(self, leave: int = 0) -> None:
        """As if the account had sent all its free messages already."""
        used = accounts.update().where(accounts.c.id == 1)
        values = {"quota_used": STANDARD_FREE_MESSAGES - leave, "quota_started_at": self.clock.now_ms()}
        await self.db.put((Query(used.values(**values)), {}))

    async def later(self, seconds: float) -> None:
        """Let time pass, and tell the lines so."""
        self.clock.advance(seconds)
        for line in self.switchboard.known():
            line.bell.ring()

    async def states(self) -> list[str]:
        return [row["state"] for row in await self.rows()]

    async def until_states(self, *wanted: str) -> None:
        async def there() -> bool:
            return sorted(await self.states()) == sorted(wanted)

        await until(there, f"messages to be {wanted}")

    async def until_said(self, line: LiveLine, *texts: str) -> None:
        network = self.network(line)
        await until(lambda: len(network.seen) >= len(texts), f"{len(texts)} messages on the network")
        assert network.texts() == list(texts)


def body(answer: KeptAnswer | Result[Any] | msgspec.Struct) -> dict[str, Any]:
    """What a flow answered, as the edge sends it."""
    if isinstance(answer, Result):
        answer = answer.encoded()
    decoded: dict[str, Any] = msgspec.json.decode(answer.body if isinstance(answer, KeptAnswer) else encode(answer))
    return decoded


@asynccontextmanager
async def gateway(
    database_url: str,
    *,
    beside: Gateway | None = None,
    on_bus: bool = False,
    account_names: tuple[str, ...] = ("one", "two"),
    **settings: Any,
) -> AsyncIterator[Gateway]:
    """A gateway with two accounts; `beside` makes it another process over the same database.

    Those that are `on_bus` hear each other.
    """
    made = Settings(database_url=database_url, **settings)
    db = open_database(made)
    await db.open()
    bus: Bus = choose_bus(made, db) if on_bus else Alone()
    one = Gateway(db, made, beside.clock if beside else MovableClock(), bus)
    if on_bus:
        one.tasks.keep("bus", bus.attend)
    try:
        if beside is None:
            for name in account_names:
                await Accounts(db, one.clock).create(name)
        await one.owner.register()
        yield one
    finally:
        await one.tasks.stop()
        await db.close()
