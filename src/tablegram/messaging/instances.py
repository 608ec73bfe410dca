"""Lines as an account sees them: made, named, made the default, taken away. Never waits for a network."""

from __future__ import annotations

import secrets as chance
from collections.abc import Callable
from typing import Any

import msgspec

from tablegram.engine.sealing.resealing import again, seal_again
from tablegram.errors import NotFound, no_such
from tablegram.messaging import standing
from tablegram.messaging.ports import Announcer
from tablegram.messaging.records import states
from tablegram.messaging.records.line_changes import LineChange
from tablegram.messaging.records.lines import InstanceView
from tablegram.messaging.records.states import Stay
from tablegram.messaging.rows.lines import LineKind, LineRow, LineStateRow
from tablegram.messaging.store import instances as store
from tablegram.messaging.store import links
from tablegram.storage.database import Database, Query, Statement, Tx
from tablegram.values.clock import DAY_MS, Clock, iso
from tablegram.values.ids import new_id, random_base62
from tablegram.values.secrets import SecretBox

Kind = LineKind

# The sandbox gives its numbers from a range that no telephone network uses.
SANDBOX_NUMBER_BASE = 10_000_000_000


class Secrets(msgspec.Struct, frozen=True):
    """What a line needs to prove itself; sealed at rest, never shown."""

    access_token: str = ""
    app_secret: str = ""
    verify_token: str = ""


class Config(msgspec.Struct, frozen=True):
    phone_number_id: str = ""
    waba_id: str = ""
    # The number that people dial, in digits. The network tells it; nobody sets it.
    phone: str = ""
    # Of a linked line: which engine runs it; empty for whichever there is.
    engine: str = ""
    # Of a linked line: how careful it is. Messages in 24 hours (nothing: the installation's figure, 0 no limit), whether
    # it begins slowly, asks whether a stranger's number is on the network, shows that it is typing, and hears groups.
    daily_cap: int | None = None
    warm_up: bool = True
    check_numbers: bool = True
    typing: bool = False
    groups: bool = False

    def way(self) -> tuple[str, str, str, bool]:
        """What leads to the network; all else can change while the line runs."""
        return self.phone_number_id, self.waba_id, self.engine, self.groups


CARE = ("daily_cap", "warm_up", "check_numbers", "typing", "groups")


class Instance(msgspec.Struct, frozen=True, kw_only=True):
    """A line, read from the store with its secrets opened."""

    account_id: int
    id: int
    kind: Kind
    name: str
    state: str
    reason: str
    is_default: bool
    hook_key: str
    config: Config
    secrets: Secrets
    pace_milli: int | None
    paused_until: int | None
    created_at: int
    # When the state ends by itself, and why the line pauses.
    state_until: int | None = None
    paused_why: str = ""
    # When the network proved that it knows our address, and when it first called with a good signature.
    handshake_at: int | None = None
    heard_at: int | None = None
    # What the network holds against it (`standing`), as it is written.
    standing: str = ""

    @property
    def is_exclusive(self) -> bool:
        """Whether it may run in one place only."""
        return self.kind == "linked"


class Instances:
    def __init__(
        self, db: Database, box: SecretBox, clock: Clock, base_url: str, announcer: Announcer | None = None
    ) -> None:
        # Commands of the operator have nobody to tell.
        self._announcer = announcer
        self._db = db
        self._box = box
        self._clock = clock
        self._base_url = base_url
        self._listeners: list[Callable[[int, int], None]] = []
        # What the secrets of all lines were when `every` was last asked, by how they are sealed.
        self._opened: dict[str, Secrets] = {}

    def listen(self, told: Callable[[int, int], None]) -> None:
        """Have `told(account_id, instance_id)` called when something about a line changes that is no event."""
        self._listeners.append(told)

    def read(self, row: LineRow) -> Instance:
        return self._instance(row, self._open(row["secrets"]))

    def _open(self, sealed: str) -> Secrets:
        return msgspec.json.decode(self._box.open(sealed), type=Secrets) if sealed else Secrets()

    def _instance(self, row: LineRow, secrets: Secrets) -> Instance:
        return Instance(
            account_id=row["account_id"],
            id=row["id"],
            kind=row["kind"],
            name=row["name"],
            state=row["state"],
            reason=row["reason"],
            is_default=bool(row["is_default"]),
            hook_key=row["hook_key"],
            config=msgspec.json.decode(row["config"], type=Config),
            secrets=secrets,
            pace_milli=row["pace_milli"],
            paused_until=row["paused_until"],
            created_at=row["created_at"],
            handshake_at=row["handshake_at"],
            heard_at=row["heard_at"],
            standing=row["standing"],
            state_until=row["state_until"],
            paused_why=row["paused_why"],
        )

    async def create(
        self, tx: Tx, account_id: int, kind: str, name: str, config: Config, secrets: Secrets, pace_milli: int | None
    ) -> Instance:
        """Add a line; the first one of an account becomes its default."""
        others = await tx.all(store.OF_ACCOUNT, {"b_account": account_id})
        now = self._clock.now_ms()
        if kind == "sandbox":
            config, secrets = self._sandbox_credentials()
        row: dict[str, Any] = {
            "account_id": account_id,
            "kind": kind,
            "name": name or f"{kind} {len(others) + 1}",
            "state": "created",
            "reason": "Waiting for the first contact with the network.",
            "state_at": now,
            "is_default": 0 if any(other["is_default"] for other in others) else 1,
            "hook_key": random_base62(32),
            "config": msgspec.json.encode(config).decode(),
            "secrets": self._box.seal(msgspec.json.encode(secrets).decode()),
            "pace_milli": pace_milli,
            "created_at": now,
        }
        made = await tx.first(store.INSERT, row)
        assert made is not None
        await tx.run(*states.entry(account_id, made["id"], row["state"], row["reason"], now))
        return self.read(await self._row(tx, account_id, made["id"]))

    def _sandbox_credentials(self) -> tuple[Config, Secrets]:
        number_id = str(SANDBOX_NUMBER_BASE + chance.randbelow(SANDBOX_NUMBER_BASE))
        return Config(phone_number_id=number_id), Secrets(random_base62(40), random_base62(40), random_base62(20))

    async def get(self, account_id: int, instance_id: int) -> Instance:
        row = await self._db.first(store.GET, {"b_account": account_id, "b_id": instance_id})
        if row is None:
            raise NotFound(no_such("line"), code="instance_unknown")
        return self.read(row)

    async def page(self, account_id: int, after: int, most: int) -> list[Instance]:
        rows = await self._db.all(store.LIST, {"b_account": account_id, "after": after, "most": most})
        return [self.read(row) for row in rows]

    async def of_account(self, account_id: int) -> list[Instance]:
        return [self.read(row) for row in await self._db.all(store.OF_ACCOUNT, {"b_account": account_id})]

    async def every(self) -> list[Instance]:
        """Every line of the installation. It is looked at every few seconds, so only secrets that changed are opened."""
        rows = await self._db.all(store.EVERY)
        self._opened = {
            sealed: self._opened.get(sealed) or self._open(sealed) for sealed in {row["secrets"] for row in rows}
        }
        return [self._instance(row, self._opened[row["secrets"]]) for row in rows]

    async def deleted_linked(self) -> list[int]:
        """The linked lines of the installation that are no more."""
        return [row["id"] for row in await self._db.all(store.DELETED_LINKED)]

    async def by_hook_key(self, hook_key: str) -> Instance | None:
        row = await self._db.first(store.BY_HOOK_KEY, {"hook_key": hook_key})
        return None if row is None else self.read(row)

    async def update(self, account_id: int, instance_id: int, change: LineChange) -> Instance:
        changes = {name: getattr(change, name) for name in change.given()}

        async def unit(tx: Tx) -> Instance:
            old = self.read(await self._row(tx, account_id, instance_id))
            secrets = msgspec.structs.replace(old.secrets, **_only(changes, Secrets))
            config = msgspec.structs.replace(old.config, **_only(changes, Config))
            if config.phone_number_id != old.config.phone_number_id:
                config = msgspec.structs.replace(config, phone="")
            # New credentials deserve a new look at the line.
            fresh = secrets != old.secrets or config.way() != old.config.way()
            row = {
                "b_account": account_id,
                "b_id": instance_id,
                "name": changes.get("name", old.name),
                "config": msgspec.json.encode(config).decode(),
                "secrets": self._box.seal(msgspec.json.encode(secrets).decode()),
                "pace_milli": changes.get("pace_milli", old.pace_milli),
                "state": "created" if fresh else old.state,
                "reason": "Waiting for the first contact with the network." if fresh else old.reason,
                "now": self._clock.now_ms(),
                # What the network held against another number is not this one's.
                "standing": old.standing if config.phone_number_id == old.config.phone_number_id else "",
            }
            await tx.run(store.UPDATE, row)
            if row["state"] != old.state:
                await tx.run(*states.entry(account_id, instance_id, row["state"], row["reason"], row["now"]))
            return self.read(await self._row(tx, account_id, instance_id))

        return await self._db.write(unit)

    async def make_default(self, tx: Tx, account_id: int, instance_id: int) -> Instance:
        await self._row(tx, account_id, instance_id)
        await tx.run(store.CLEAR_DEFAULT, {"b_account": account_id})
        await tx.run(store.SET_DEFAULT, {"b_account": account_id, "b_id": instance_id})
        return self.read(await self._row(tx, account_id, instance_id))

    async def delete(self, account_id: int, instance_id: int) -> None:
        """Take a line away and forget its secrets. If it was the default, the oldest other line takes over."""

        async def unit(tx: Tx) -> None:
            row = await self._row(tx, account_id, instance_id)
            gone = {
                "b_account": account_id,
                "b_id": instance_id,
                "now": self._clock.now_ms(),
                "dead_key": "gone." + new_id(),
            }
            await tx.run(store.DELETE, gone)
            # What a linked device came back with goes with its line.
            await tx.run(links.FORGET, {"b_account": account_id, "b_id": instance_id})
            others = await tx.all(store.OF_ACCOUNT, {"b_account": account_id})
            if row["is_default"] and others:
                await tx.run(store.SET_DEFAULT, {"b_account": account_id, "b_id": others[0]["id"]})

        await self._db.write(unit)

    async def reseal(self) -> int:
        """Seal the secrets of every line with the present secret key; returns how many were sealed by another."""

        def fresh(row: LineRow) -> dict[str, object]:
            old, which = row["secrets"], {"b_account": row["account_id"], "b_id": row["id"]}
            return {**which, "b_sealed": old, "fresh": again(self._box, old)}

        return await seal_again(self._db, self._box, store.EVERY, store.RESEAL, lambda row: (row["secrets"],), fresh)

    def held_against(self, instance: Instance) -> tuple[str, str] | None:
        """The state and the reason that hold while the line itself answers well; nothing where it is free to."""
        return standing.worst(instance.standing, self._clock.now_ms())

    async def set_state(self, instance: Instance, state: str, reason: str, until: int | None = None) -> None:
        row: dict[str, Any] = {
            "b_account": instance.account_id,
            "b_id": instance.id,
            "state": state,
            "reason": reason,
            "now": self._clock.now_ms(),
            "until": until,
        }
        changes: list[Statement] = [(store.SET_STATE, row)]
        if state != instance.state:
            changes.append(states.entry(instance.account_id, instance.id, state, reason, row["now"]))
        if self._announcer is None:
            await self._db.put(*changes)
            return
        await self._announcer.refresh(instance.account_id)
        await self._db.put(*changes, *self._announcer.line_changed(instance, state, reason, until))
        self._announcer.planned(instance.account_id)

    async def states(
        self, account_id: int, instance_id: int, most: int, before: str | None = None
    ) -> list[LineStateRow]:
        """The states that a line was in, newest first."""
        which = {"b_account": account_id, "b_id": instance_id, "most": most}
        if before is None:
            return await self._db.all(store.STATES, which)
        return await self._db.all(store.STATES_BEFORE, {**which, "before": before})

    async def stays(self, instance: Instance, days: int) -> list[Stay]:
        """How a line stood in the last days, without a gap, oldest first."""
        now = self._clock.now_ms()
        rows = await self.states(instance.account_id, instance.id, states.MOST)
        return states.stays(rows, now - days * DAY_MS, now, instance.created_at)

    async def note_handshake(self, instance: Instance) -> None:
        """The network asked whether the callback address is ours, and we proved it."""
        await self._note(store.SHOOK_HANDS, instance)

    async def note_heard(self, instance: Instance) -> None:
        """The first callback with a good signature came; later ones are no news."""
        await self._note(store.HEARD, instance)

    async def learn_phone(self, instance: Instance, phone: str) -> bool:
        """The network told which number people dial to reach the line; whether that was news."""
        if phone == instance.config.phone:
            return False
        fresh = msgspec.structs.replace(instance.config, phone=phone)

        async def unit(tx: Tx) -> bool:
            which = {"b_account": instance.account_id, "b_id": instance.id}
            row = await tx.first(store.GET, which)
            # Whoever gave the line another number meanwhile is right, and the network is asked about that one.
            if row is None or msgspec.json.decode(row["config"], type=Config) != instance.config:
                return False
            change = {**which, "b_config": row["config"], "fresh": msgspec.json.encode(fresh).decode()}
            return await tx.run(store.LEARN, change) == 1

        learned = await self._db.write(unit)
        if learned:
            self._tell(instance)
        return learned

    async def _note(self, query: Query, instance: Instance) -> None:
        which = {"b_account": instance.account_id, "b_id": instance.id, "now": self._clock.now_ms()}
        await self._db.put((query, which))
        self._tell(instance)

    def _tell(self, instance: Instance) -> None:
        self.changed(instance.account_id, instance.id)

    def changed(self, account_id: int, instance_id: int) -> None:
        """Something about a line is new that is no event."""
        for told in self._listeners:
            told(account_id, instance_id)

    def view(self, instance: Instance) -> InstanceView:
        """What the API shows. Secrets never come out."""
        config = instance.config
        own: dict[str, Any] = {}
        if instance.paused_until is not None and instance.paused_until > self._clock.now_ms():
            own |= {"paused_until": iso(instance.paused_until), "pause_reason": instance.paused_why}
        if instance.kind in ("linked", "cloud"):
            own["phone"] = config.phone or None
        if instance.kind == "linked":
            own |= {"engine": config.engine or None, **{name: getattr(config, name) for name in CARE}}
        if instance.kind == "cloud":
            own |= {"phone_number_id": config.phone_number_id, "waba_id": config.waba_id}
            own |= {"handshake_at": iso(instance.handshake_at), "heard_at": iso(instance.heard_at)}
            own["callback_url"] = self.callback_url(instance)
        return InstanceView(
            id=instance.id,
            kind=instance.kind,
            name=instance.name,
            state=instance.state,
            reason=instance.reason,
            is_default=instance.is_default,
            pace_per_s=None if instance.pace_milli is None else instance.pace_milli / 1_000,
            created_at=iso(instance.created_at),
            state_until=iso(instance.state_until),
            **own,
        )

    def callback_url(self, instance: Instance) -> str:
        """The address to give to the network."""
        return f"{self._base_url}/hooks/cloud/{instance.hook_key}"

    async def _row(self, tx: Tx, account_id: int, instance_id: int) -> LineRow:
        row = await tx.first(store.GET, {"b_account": account_id, "b_id": instance_id})
        if row is None:
            raise NotFound(no_such("line"), code="instance_unknown")
        return row


def _only(changes: dict[str, Any], kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {name: changes[name] for name in kind.__struct_fields__ if name in changes}
