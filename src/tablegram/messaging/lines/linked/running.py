"""The host of a line: started when it is needed, told that it is led, listened to, and ended.

What somebody wishes (a pairing, a logout) is granted here too, because a host has to be there for it, or must not.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from tablegram.engine.leases import Lease, steady_s
from tablegram.errors import LeaseLost, Unavailable
from tablegram.messaging.lines.linked import words
from tablegram.messaging.lines.linked.frames import Event, Hello, No, Note
from tablegram.messaging.lines.linked.process import HostGone, HostProcess
from tablegram.messaging.lines.linked.room import Room
from tablegram.messaging.links import Link, LinkRow, Shown
from tablegram.messaging.ports import Delayed, Health, Hear, LineState, NetworkRefused, Outcome, Unknown
from tablegram.values import Json, string, whole

log = logging.getLogger("tablegram.lines")

KEEP_AGAIN_S = 1.0
# How often a host is told that the line is still ours.
LEAD_S = 1.0
ORDER_S = 30.0
# So long a restricted line rests before it tries again, where the network does not tell when that ends.
RESTRICTED_S = 900.0
HISTORY_S = 60.0
# A network says something at least so often, if only that it is there.
SILENT_S = 120.0
# It is enough to know roughly when a line was last connected: what is told twice is kept once.
SEEN_EVERY_MS = 60_000
# A host that does not even answer this is ended and started anew.
PROBE_S = 10.0
# A host that fails again and again is started ever more slowly; one that ran for a while begins anew.
FIRST_AGAIN_S, LONGEST_AGAIN_S, SETTLED_S = 0.5, 60.0, 60.0
STATES: tuple[LineState, ...] = ("pairing", "connected", "degraded", "disconnected", "logged_out", "restricted", "needs_attention")  # fmt: skip


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """What a host is started with."""

    engine: str
    # Why there is no engine, in plain words; empty where there is one.
    missing: str = ""
    settings: dict[str, str] = {}
    folder: Path
    max_mb: int
    # Shared by all lines of this process.
    room: Room
    # For tests, and for hosts that others wrote.
    command: tuple[str, ...] = ()


class Running:
    def __init__(self, line_id: int, way: Way, link: LinkRow, news: Callable[[], None]) -> None:
        self._line_id = line_id
        self._way = way
        self._link = link
        self._news = news
        # For as long as it is sure, the line is ours.
        self.lease: Lease | None = None
        self._host: HostProcess | None = None
        self._leading: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._failures = 0
        self._not_before = 0.0
        self._began_at = 0.0
        self._epoch = 0
        # What the host last said of the line.
        self._state: LineState = "disconnected"
        self._reason = words.UNPAIRED
        self._until: int | None = None
        self._phone = ""
        # The host's own word for it.
        self._code = ""
        # What an order was refused with, and until when on the steady clock that tells how the line is.
        self._held: tuple[Health, float] | None = None
        self._catching_up: asyncio.Task[None] | None = None

    # Its life.

    async def start(self, hear: Hear) -> str | None:
        """Grant what somebody wishes, and have the host running where one is needed; why that cannot be, or nothing."""
        async with self._starting:
            if self._way.missing:
                return None
            lease = self.lease
            if lease is None or not lease.is_sure():
                return words.UNLED
            link = await self._link.read()
            if link.wish == "logout":
                await self._log_out(hear, lease, link)
                return None
            if link.wish == "pair" and link.ended:
                await self._link.begin_anew(lease, link.epoch)
                self._not_before = 0.0
                link = await self._link.read()
            await self._have_host(hear, link)
            if link.wish == "pair":
                await self._begin_pairing(lease, link)
            return None

    async def _have_host(self, hear: Hear, link: Link) -> None:
        """Running for a phone that is linked or about to be, and for nobody else."""
        host, is_needed = self._host, not link.ended and (link.is_paired or link.is_sought)
        if host is not None and not host.is_alive:
            self._lost(host)
        elif host is not None and (not is_needed or self._epoch != link.epoch):
            await self.stop()
        if self._host is None and is_needed and time.monotonic() >= self._not_before:
            await self._launch(hear, link)

    async def _launch(self, hear: Hear, link: Link) -> None:
        way = self._way
        if not way.room.take(self):
            self._state, self._reason = "needs_attention", words.full(way.room.most)
            return
        way.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        host = HostProcess(way.engine, str(self._line_id), way.max_mb, way.command)
        self._host, self._epoch = host, link.epoch
        self._state, self._reason, self._until = "disconnected", words.STARTING, None
        self._began_at = time.monotonic()
        hello: Hello = {"folder": str(way.folder), "settings": way.settings, "session": link.session}
        try:
            async with way.room.turn():
                await host.start(
                    hello, lambda event: self._heard(hear, event), lambda note: self._noted(host, link.epoch, note)
                )
            await self._lead(host)
        except HostGone:
            self._lost(host)
            return
        except BaseException:
            host.kill("it was not needed any more")
            raise
        self._leading = asyncio.create_task(self._lead_forever(host), name=f"line {self._line_id}: lead")

    def _lost(self, host: HostProcess) -> None:
        """A host has ended that should not have."""
        self._host = None
        self._way.room.leave(self)
        if self._leading is not None:
            self._leading.cancel()
            self._leading = None
        self._failures = 0 if time.monotonic() - self._began_at > SETTLED_S else self._failures + 1
        wait = min(LONGEST_AGAIN_S, FIRST_AGAIN_S * 2 ** min(self._failures, 10))
        self._not_before = time.monotonic() + wait
        if host.exit_code == words.EXIT_NOT_INSTALLED:
            self._state, self._reason = "needs_attention", words.not_installed(host.engine)
            return
        self._state, self._reason = "disconnected", words.host_ended(host.why, wait)
        log.warning("the host of line %s ended: %s", self._line_id, host.why)

    async def stop(self) -> None:
        host, self._host = self._host, None
        if self._leading is not None:
            self._leading.cancel()
            self._leading = None
        if host is not None:
            await host.end()
            self._way.room.leave(self)

    async def _lead_forever(self, host: HostProcess) -> None:
        while host.is_alive:
            await asyncio.sleep(LEAD_S)
            try:
                await self._lead(host)
            except HostGone:
                break
        if self._host is host:
            self._news()

    async def _lead(self, host: HostProcess) -> None:
        """Silence is enough to stop a host: one that is not told goes offline by itself."""
        lease = self.lease
        if lease is not None and lease.is_sure():
            await host.lead(steady_s() + lease.left_s())

    # What the host says.

    async def _heard(self, hear: Hear, event: Event) -> None:
        """Keep it before the host is told so, however long the store is away."""
        body = msgspec.json.encode({"kind": event.kind, "data": event.data})
        while True:
            try:
                await hear(body, event.name)
                return
            except Exception as error:
                log.warning("what line %s heard cannot be kept yet: %s", self._line_id, error)
            await asyncio.sleep(KEEP_AGAIN_S)

    async def _noted(self, host: HostProcess, epoch: int, note: Note) -> None:
        """What the host says of itself counts while it is the line's host, and for the pairing that it began with."""
        lease = self.lease
        if lease is None or host is not self._host:
            return
        data = note.data
        if note.kind == "session":
            if session := string(data.get("session")):
                await self._link.keep_session(lease, epoch, session)
        elif note.kind == "qr":
            await self._link.show_code(lease, epoch, Shown(str(data.get("code", "")), whole(data.get("until_ms"))))
            self._news()
        elif note.kind == "state" and (state := _state(data.get("state"))) is not None:
            until = data.get("until_ms")
            self._until = until if isinstance(until, int) and until > 0 else None
            self._state = state
            self._code = str(data.get("reason", ""))
            self._reason = words.reason(str(data.get("reason", "")), str(data.get("detail", "")))
            self._phone = str(data.get("phone", ""))
            self._held = None
            if self._state == "connected":
                await self._link.hide_codes(lease, epoch)
                self._catching_up = asyncio.create_task(self._catch_up(host, lease, epoch))
            if self._state == "logged_out":
                await self._link.end(lease, epoch, str(data.get("reason", "logged_out_by_phone")))
            self._news()

    async def _catch_up(self, host: HostProcess, lease: Lease, epoch: int) -> None:
        """Have told what came while nobody listened. What is known already is known by its name."""
        since = (await self._link.read()).seen_at
        try:
            if since and "history" in self.can:
                await host.order("history", {"since_ms": since}, HISTORY_S)
            await self._link.seen(lease, epoch)
        except (TimeoutError, HostGone, LeaseLost, Unavailable):
            log.info("what came while line %s was away will be asked for later", self._line_id)

    # What others want of it.

    async def _log_out(self, hear: Hear, lease: Lease, link: Link) -> None:
        if link.is_paired:
            # The phone is told by the device itself.
            await self._have_host(hear, link)
            await self.order("logout", {}, ORDER_S)
        await self.stop()
        await self._link.end(lease, link.epoch, "logged_out_here")
        await self._link.granted(link.wish_at)
        self._state, self._reason, self._until = "logged_out", words.LOGGED_OUT_HERE, None

    async def _begin_pairing(self, lease: Lease, link: Link) -> None:
        """A code to scan comes by itself; one to type is asked for, as soon as there is a host to ask."""
        if link.wish_phone:
            told = await self.order("pair", {"phone": link.wish_phone}, ORDER_S)
            if isinstance(told, Delayed | Unknown):
                return
            if isinstance(told, dict) and told.get("code"):
                shown = Shown(str(told["code"]), whole(told.get("until_ms")))
                await self._link.show_typed(lease, link.epoch, shown)
        await self._link.granted(link.wish_at)

    @property
    def can(self) -> tuple[str, ...]:
        """What the host said that it can do."""
        host = self._host
        return host.ready.can if host is not None and host.ready is not None else ()

    def went_well(self) -> None:
        """The network has just taken something: whatever it held against the line is over."""
        self._held = None

    @property
    def is_led(self) -> bool:
        host = self._host
        return host is not None and host.is_alive and self.lease is not None and self.lease.is_sure()

    @property
    def only_known(self) -> str:
        """Why the network takes nothing for people that the number has not written with, if it does not."""
        return self._reason if self._code == "reachout_limited" and self._is_held() else ""

    def quiet(self) -> Delayed | None:
        """The network has restricted the number: the line says nothing until that is over."""
        if self._held is not None and self._held[0].state == "restricted":
            left_s = self._held[1] - time.monotonic()
            if left_s > 0:
                return Delayed("line_restricted", self._held[0].reason, left_s, "line", "restricted")
        if self._state != "restricted" or self._code == "reachout_limited" or not self._is_held():
            return None
        left_s = RESTRICTED_S if self._until is None else (self._until - self._link.now_ms()) / 1_000
        return Delayed("line_restricted", self._reason, max(1.0, left_s), "line", "restricted")

    def _is_held(self) -> bool:
        return self._until is None or self._until > self._link.now_ms()

    async def health(self) -> Health:
        """What the host says of the line, once it has shown that it still answers."""
        if self._way.missing:
            return Health("needs_attention", self._way.missing)
        link = await self._link.read()
        if link.ended:
            self._state, self._reason, self._until = "logged_out", words.ended(link.ended), None
            return Health(self._state, self._reason)
        host = self._host
        if host is None and not link.is_paired and not link.is_sought:
            self._state, self._reason, self._until = "pairing", words.UNPAIRED, None
            return Health(self._state, self._reason)
        if host is None or not host.is_alive:
            if host is not None:
                self._lost(host)
            return Health(self._state, self._reason)
        try:
            told = await host.order("probe", {}, PROBE_S)
        except TimeoutError:
            host.kill("it did not answer")
            self._lost(host)
            return Health(self._state, self._reason)
        except HostGone:
            self._lost(host)
            return Health(self._state, self._reason)
        if isinstance(told, No):
            return Health("disconnected", told.detail)
        if self._held is not None and time.monotonic() < self._held[1]:
            return self._held[0]
        silent_s = told.get("heard_s")
        if self._state == "connected" and isinstance(silent_s, int | float) and silent_s > SILENT_S:
            return Health("degraded", words.silent(silent_s), self._phone)
        if self._state == "connected" and (self._catching_up is None or self._catching_up.done()):
            await self._note_seen(link)
        return Health(self._state, self._reason, self._phone, self._until)

    async def _note_seen(self, link: Link) -> None:
        if self.lease is not None and self._link.now_ms() - link.seen_at > SEEN_EVERY_MS:
            await self._link.seen(self.lease, self._epoch)

    async def order(self, do: str, given: Mapping[str, object], within_s: float) -> Json | Outcome:
        """Have something done; what came of it, or the outcome that the line's callers know."""
        host, lease = self._host, self.lease
        if host is None or not host.is_alive or lease is None or not lease.is_sure():
            return self.offline()
        try:
            told = await host.order(do, given, within_s)
        except TimeoutError:
            return Unknown(words.NO_ANSWER)
        except HostGone as gone:
            self._news()
            return Unknown(words.gone_meanwhile(gone.why))
        if isinstance(told, dict):
            return told
        outcome = _outcome(told)
        if isinstance(outcome, Delayed) and outcome.line_state is not None:
            health = Health(outcome.line_state, told.detail, self._phone, told.until_ms or None)
            self._held = health, time.monotonic() + outcome.retry_after_s
            self._news()
        return outcome

    def offline(self) -> Outcome:
        reason = self._way.missing or self._reason or words.STARTING
        state = self._state if self._state != "connected" else "disconnected"
        return Delayed("line_offline", reason, 2.0, "line", state)


def _outcome(no: No) -> Outcome:
    if no.sent == "unknown":
        return Unknown(no.detail)
    if no.again_s is None:
        return NetworkRefused(no.code, no.detail, no.network_code)
    return Delayed(no.code, no.detail, max(0.1, no.again_s), no.holds, _state(no.state), no.network_code)


def _state(told: object) -> LineState | None:
    return next((one for one in STATES if one == told), None)
