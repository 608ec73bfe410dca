"""An account's lines, as the API manages them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Invalid, NotFound, ScopeMissing, no_such
from tablegram.messaging.instances import CARE, Config, Instance, Instances, Kind, Secrets
from tablegram.messaging.links import Link, LinkRow, Links
from tablegram.messaging.ports import Pairing
from tablegram.messaging.records.line_changes import LineChange
from tablegram.messaging.records.lines import (
    InstancePage,
    InstanceView,
    LineStatePage,
    LineStateView,
    PairingView,
)
from tablegram.messaging.records.states import Stay
from tablegram.messaging.switchboard import LiveLine, Switchboard
from tablegram.messaging.transmission.holders import Holders
from tablegram.messaging.watch import LineWatch
from tablegram.storage.database import Tx
from tablegram.values.clock import iso
from tablegram.values.cursor import cursor_wrong, decode_cursor, encode_cursor, following

# Who reads or answers messages must know which lines there are.
_READ = ("instances:manage", "messages:read", "messages:send")
# A host may have to be started first.
PAIR_WITHIN_S = 10.0
LOG_OUT_WITHIN_S = 3.0
_CLOUD_NEEDS = ("phone_number_id", "access_token", "app_secret", "verify_token")


class LineDraft(msgspec.Struct, kw_only=True, frozen=True):
    """A line to be; which of the fields it needs depends on its kind."""

    kind: Kind
    name: str = ""
    pace_milli: int | None = None
    phone_number_id: str = ""
    waba_id: str = ""
    access_token: str = ""
    app_secret: str = ""
    verify_token: str = ""
    engine: str = ""
    daily_cap: int | None = None
    warm_up: bool = True
    check_numbers: bool = True
    typing: bool = False
    groups: bool = False


class Lines:
    def __init__(
        self,
        instances: Instances,
        switchboard: Switchboard,
        watch: LineWatch,
        idempotency: Idempotency,
        audit: Audit,
        links: Links,
        holders: Holders,
    ) -> None:
        self._audit = audit
        self._links = links
        self._holders = holders
        self._instances = instances
        self._switchboard = switchboard
        self._watch = watch
        self.idempotency = idempotency

    async def create(self, caller: Caller, draft: LineDraft, call: Call) -> Result[InstanceView]:
        """Add a line. Its state follows by itself; nothing here waits for a network."""
        caller.require("instances:manage")
        acting = self._audit.acting(caller)
        if caller.mode == "test" and draft.kind != "sandbox":
            raise ScopeMissing("A test key can only make sandbox lines.", code="test_key")
        if draft.kind == "cloud":
            _need(draft)
        own = msgspec.structs.asdict(draft)
        config, secrets = msgspec.convert(own, Config), msgspec.convert(own, Secrets)

        async def work(tx: Tx) -> Result[InstanceView]:
            made = await self._instances.create(
                tx, caller.account_id, draft.kind, draft.name, config, secrets, draft.pace_milli
            )
            await acting.note(tx, "line.created", "line", made.id, {"name": made.name, "kind": made.kind})
            return Result(self._instances.view(made), 201)

        answer = await self.idempotency.once_for(InstanceView, caller.account_id, call, work)
        await self._changed(caller)
        return answer

    def within_reach(self, caller: Caller) -> Callable[[], Awaitable[frozenset[int] | None]]:
        """Asks, as often as one likes, for the lines that a caller reaches; nothing means all there ever were."""

        async def lines() -> frozenset[int] | None:
            return await self._switchboard.sandbox_lines(caller.account_id) if caller.mode == "test" else None

        return lines

    async def page(self, caller: Caller, limit: int, cursor: str | None) -> InstancePage:
        caller.require(*_READ)
        after = _position(cursor)
        if caller.mode == "test":
            every = await self._instances.of_account(caller.account_id)
            found = [one for one in every if one.kind == "sandbox" and one.id > after][: limit + 1]
        else:
            found = await self._instances.page(caller.account_id, after, limit + 1)
        more = len(found) > limit
        return InstancePage(
            data=[self._instances.view(instance) for instance in found[:limit]],
            next_cursor=encode_cursor(str(found[limit - 1].id)) if more else None,
        )

    async def get(self, caller: Caller, instance_id: int) -> InstanceView:
        caller.require(*_READ)
        return self._instances.view(await self._mine(caller, instance_id))

    async def states(self, caller: Caller, instance_id: int, limit: int, cursor: str | None) -> LineStatePage:
        """The states that a line was in, newest first."""
        caller.require(*_READ)
        await self._mine(caller, instance_id)
        before = None if cursor is None else decode_cursor(cursor)
        rows = await self._instances.states(caller.account_id, instance_id, limit + 1, before)
        return LineStatePage(
            data=[LineStateView(state=row["state"], reason=row["reason"], at=iso(row["at"])) for row in rows[:limit]],
            next_cursor=following(rows, limit),
        )

    async def stays(self, caller: Caller, instance_id: int, days: int) -> list[Stay]:
        """How a line stood in the last days, without a gap."""
        caller.require(*_READ)
        return await self._instances.stays(await self._mine(caller, instance_id), days)

    async def update(self, caller: Caller, instance_id: int, change: LineChange) -> InstanceView:
        caller.require("instances:manage")
        given = change.given()
        old = await self._mine(caller, instance_id)
        unsuited = [name for name in (*_CLOUD_NEEDS, "waba_id") if name in given]
        if old.kind != "cloud" and unsuited:
            raise Invalid.field(
                unsuited[0], "not_for_kind", f"Only a cloud line has {unsuited[0]}; this one is {old.kind}."
            )
        foreign = [name for name in CARE if name in given]
        if old.kind != "linked" and foreign:
            raise Invalid.field(
                foreign[0], "not_for_kind", f"Only a linked device has {foreign[0]}; this one is {old.kind}."
            )
        changed = await self._instances.update(caller.account_id, instance_id, change)
        await self._changed(caller)
        told = {"name": changed.name, "fields": sorted(given)}
        await self._audit.note(caller, "line.changed", "line", instance_id, told)
        return self._instances.view(changed)

    async def delete(self, caller: Caller, instance_id: int) -> None:
        caller.require("instances:manage")
        gone = await self._mine(caller, instance_id)
        link = self._links.of(caller.account_id, instance_id)
        if gone.kind == "linked" and (await link.read()).is_paired:
            # The phone is told, so that it does not go on to show a device that nobody has.
            await self._end_link(link, gone, LOG_OUT_WITHIN_S, is_shown=False)
        await self._instances.delete(caller.account_id, instance_id)
        await self._changed(caller)
        await self._audit.note(caller, "line.deleted", "line", instance_id, {"name": gone.name, "kind": gone.kind})

    async def make_default(self, caller: Caller, instance_id: int, call: Call) -> Result[InstanceView]:
        caller.require("instances:manage")
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[InstanceView]:
            chosen = await self._instances.make_default(tx, caller.account_id, instance_id)
            await acting.note(tx, "line.made_default", "line", instance_id, {"name": chosen.name})
            return Result(self._instances.view(chosen))

        await self._mine(caller, instance_id)
        answer = await self.idempotency.once_for(InstanceView, caller.account_id, call, work)
        await self._changed(caller)
        return answer

    async def restart(self, caller: Caller, instance_id: int) -> InstanceView:
        """Forget what held the line up and look at it anew."""
        caller.require("instances:manage")
        instance = await self._mine(caller, instance_id)
        await self._instances.set_state(instance, "created", "Restarted; waiting for the network.")
        line = await self._switchboard.line(caller.account_id, instance_id)
        await self._changed(caller)
        if line is not None:
            self._holders.restart(line)
        await self._audit.note(caller, "line.restarted", "line", instance_id, {"name": instance.name})
        return await self.get(caller, instance_id)

    async def restart_once(self, caller: Caller, instance_id: int, call: Call) -> Result[InstanceView]:
        """The same for a call that may come again: a restart is answered once for each Idempotency-Key."""

        async def effect() -> Result[InstanceView]:
            return Result(await self.restart(caller, instance_id))

        return await self.idempotency.after_for(InstanceView, caller.account_id, call, effect)

    async def pair(self, caller: Caller, instance_id: int, phone: str = "") -> Pairing:
        """Begin to pair a line with a phone. A kind of line that needs no phone refuses in plain words."""
        caller.require("instances:manage")
        instance = await self._mine(caller, instance_id)
        line = await self._live(instance)
        if line is None:
            raise NotFound(no_such("line"), code="instance_unknown")
        if instance.kind == "linked":
            # Whichever process runs the line shows the code; this one may be another.
            await self._seek(instance, phone)
        told = await self._holders.pair(line, phone, PAIR_WITHIN_S)
        if isinstance(told, Pairing):
            return told
        raise Conflict(told.detail, code=told.code)

    async def seek(self, caller: Caller, instance_id: int) -> None:
        """Somebody is about to pair: have a code shown, and wait for nothing."""
        caller.require("instances:manage")
        await self._seek(await self._mine(caller, instance_id), "")

    async def _seek(self, instance: Instance, phone: str) -> None:
        link = self._links.of(instance.account_id, instance.id)
        if not (await link.read()).is_paired:
            await link.seek(phone)
            await self._look(instance)

    def now_ms(self) -> int:
        """By the clock that codes run out by."""
        return self._links.now_ms()

    async def pairing_now(self, caller: Caller, instance_id: int) -> Link:
        """What there is to show right now; nobody is asked."""
        caller.require("instances:manage")
        await self._mine(caller, instance_id)
        return await self._links.of(caller.account_id, instance_id).read()

    async def pair_once(self, caller: Caller, instance_id: int, phone: str, call: Call) -> Result[PairingView]:
        """A code to type, once for each Idempotency-Key."""

        async def effect() -> Result[PairingView]:
            told = await self.pair(caller, instance_id, phone)
            return Result(PairingView(code=told.code, expires_at=iso(told.expires_at_ms)))

        return await self.idempotency.after_for(PairingView, caller.account_id, call, effect)

    async def log_out_once(self, caller: Caller, instance_id: int, call: Call) -> Result[InstanceView]:
        async def effect() -> Result[InstanceView]:
            return Result(await self.log_out(caller, instance_id))

        return await self.idempotency.after_for(InstanceView, caller.account_id, call, effect)

    async def log_out(self, caller: Caller, instance_id: int) -> InstanceView:
        """End the pairing of a linked device; every other kind refuses in plain words."""
        caller.require("instances:manage")
        instance = await self._mine(caller, instance_id)
        if instance.kind != "linked":
            raise Conflict(
                f"This is a {instance.kind} line: only a linked device is paired or logged out.",
                code="kind_unavailable",
            )
        link = self._links.of(caller.account_id, instance_id)
        await self._end_link(link, instance, PAIR_WITHIN_S, is_shown=True)
        await self._audit.note(caller, "line.logged_out", "line", instance_id, {"name": instance.name})
        return await self.get(caller, instance_id)

    async def _end_link(self, link: LinkRow, instance: Instance, within_s: float, *, is_shown: bool) -> None:
        await link.log_out()
        await self._look(instance)
        with contextlib.suppress(TimeoutError):
            # Where nobody runs the line right now, whoever does next ends it.
            async with asyncio.timeout(within_s):
                await self._over(link, instance, is_shown)

    async def _look(self, instance: Instance) -> None:
        """Whoever has the line sees what is wanted of it now."""
        line = await self._live(instance)
        if line is not None:
            self._holders.look(line)

    async def _live(self, instance: Instance) -> LiveLine | None:
        """As this process has it; another may have made it a moment ago."""
        known = await self._switchboard.line(instance.account_id, instance.id)
        return known or (await self._switchboard.reload(instance.account_id)).get(instance.id)

    async def _over(self, link: LinkRow, instance: Instance, is_shown: bool) -> None:
        """The pairing has ended; where it must show, the line itself says so too, which comes a moment later."""
        while True:
            if (await link.read()).ended:
                known = await self._instances.get(instance.account_id, instance.id)
                if not is_shown or known.state == "logged_out":
                    return
            await asyncio.sleep(0.1)

    async def _mine(self, caller: Caller, instance_id: int) -> Instance:
        instance = await self._instances.get(caller.account_id, instance_id)
        if caller.mode == "test" and instance.kind != "sandbox":
            raise ScopeMissing("A test key can only reach sandbox lines.", code="test_key")
        return instance

    async def _changed(self, caller: Caller) -> None:
        await self._switchboard.reload(caller.account_id)
        self._watch.look_soon()


def _need(draft: LineDraft) -> None:
    missing = [name for name in _CLOUD_NEEDS if not getattr(draft, name)]
    if missing:
        raise Invalid.field(missing[0], "missing", f"A cloud line needs {', '.join(_CLOUD_NEEDS)}.")


def _position(cursor: str | None) -> int:
    if cursor is None:
        return 0
    text = decode_cursor(cursor)
    if not text.isdecimal() or len(text) > 18:
        raise cursor_wrong()
    return int(text)
