"""A line by a phone's own number. The work is done by its host; this leads it, and tells what it says."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import msgspec

from tablegram.engine.leases import Lease, steady_s
from tablegram.messaging.lines.linked import words
from tablegram.messaging.lines.linked.contents import content, spelt_out
from tablegram.messaging.lines.linked.frames import Event, No, Note
from tablegram.messaging.lines.linked.process import HostGone, HostProcess
from tablegram.messaging.lines.outgoing_files import OutgoingFiles
from tablegram.messaging.links import LinkRow, Shown
from tablegram.messaging.model import Media, Outbound
from tablegram.messaging.ports import (
    Accepted,
    Delayed,
    Health,
    Hear,
    LineState,
    MediaFetched,
    NetworkTemplate,
    Outcome,
    Pairing,
    Refused,
    Unknown,
)

log = logging.getLogger("tablegram.lines")

KEEP_AGAIN_S = 1.0
# How often a host is told that the line is still ours.
LEAD_S = 1.0
ORDER_S = 30.0
FILE_ORDER_S = 120.0
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
    # For tests, and for hosts that others wrote.
    command: tuple[str, ...] = ()


class LinkedLine:
    """Implements `ports.Line`. `news` is called when something about the line has changed."""

    kind = "linked"
    is_exclusive = True

    def __init__(self, line_id: int, way: Way, link: LinkRow, files: OutgoingFiles, news: Callable[[], None]) -> None:
        self._line_id = line_id
        self._way = way
        self._link = link
        self._files = files
        self._news = news
        self._lease: Lease | None = None
        self._host: HostProcess | None = None
        self._leading: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._failures = 0
        self._not_before = 0.0
        self._began_at = 0.0
        # What the host last said of the line.
        self._state: LineState = "disconnected"
        self._reason = ""
        self._phone = ""

    # Its life.

    async def led_by(self, lease: Lease) -> None:
        self._lease = lease
        await self._grant()

    async def start(self, hear: Hear) -> str | None:
        """Have the host running; why it does not, or nothing. A line that was logged out has none."""
        async with self._starting:
            if self._way.missing:
                return None
            if self._host is not None and self._host.is_alive:
                return None
            if self._lease is None or not self._lease.is_sure():
                return words.UNLED
            if self._host is not None:
                self._lost(self._host)
            link = await self._link.read()
            if link.ended or time.monotonic() < self._not_before:
                return None
            await self._launch(hear, link.session)
            return None

    async def _launch(self, hear: Hear, session: str) -> None:
        way = self._way
        way.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        host = HostProcess(way.engine, str(self._line_id), way.max_mb, way.command)
        self._host = host
        self._state, self._reason = "disconnected", words.STARTING
        self._began_at = time.monotonic()
        hello = {"folder": str(way.folder), "settings": way.settings, "session": session}
        try:
            await host.start(hello, lambda event: self._heard(hear, event), self._noted)
            await self._lead(host)
        except HostGone:
            self._lost(host)
            return
        self._leading = asyncio.create_task(self._lead_forever(host), name=f"line {self._line_id}: lead")

    def _lost(self, host: HostProcess) -> None:
        """A host has ended that should not have."""
        self._host = None
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
        lease = self._lease
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

    async def _noted(self, note: Note) -> None:
        lease = self._lease
        if lease is None:
            return
        data = note.data
        if note.kind == "session":
            session = data.get("session", "")
            if isinstance(session, str) and session:
                await self._link.keep_session(lease, session)
        elif note.kind == "qr":
            await self._link.show_code(lease, Shown(str(data.get("code", "")), int(data.get("until_ms", 0))))
            self._news()
        elif note.kind == "state" and data.get("state") in STATES:
            self._state = data["state"]
            self._reason = words.reason(str(data.get("reason", "")), str(data.get("detail", "")), data.get("until_ms"))
            self._phone = str(data.get("phone", ""))
            if self._state == "connected":
                await self._link.hide_codes(lease)
            if self._state == "logged_out":
                await self._link.end(lease, str(data.get("reason", "logged_out_by_phone")))
            self._news()

    # What others want of it.

    async def _grant(self) -> None:
        """Do what somebody wished, here or in another process."""
        lease = self._lease
        link = await self._link.read()
        if not link.wish or lease is None:
            return
        if link.wish == "logout":
            await self._order("logout", {}, ORDER_S)
            await self.stop()
            await self._link.end(lease, "logged_out_here")
            self._state, self._reason = "logged_out", words.LOGGED_OUT_HERE
        elif link.wish == "pair":
            if link.ended:
                await self._link.begin_anew(lease)
                self._not_before = 0.0
                self._news()
                if link.wish_phone:
                    # The host has to be there first; the wish stays until then.
                    return
            if link.wish_phone:
                told = await self._order("pair", {"phone": link.wish_phone}, ORDER_S)
                if not isinstance(told, dict):
                    return
                if told.get("code"):
                    await self._link.show_typed(lease, Shown(str(told["code"]), int(told.get("until_ms", 0))))
        await self._link.granted(link.wish_at)

    async def pair(self, phone: str) -> Pairing | Refused:
        """The code to scan, or one to type on this phone. Works in every process; the one that runs the line shows it."""
        if self._way.missing:
            return Refused("engine_missing", self._way.missing)
        link = await self._link.read()
        if link.session and not link.ended and link.code is None and not phone:
            return Refused("already_paired", words.ALREADY_PAIRED)
        shown = link.typed if phone else link.code
        return Pairing(shown.code, shown.until_ms) if shown else Refused("pairing_soon", words.PAIRING_SOON)

    # What goes out.

    async def transmit(self, message: Outbound) -> Outcome:
        if isinstance(message.content, Media):
            return await self._with_file(message, message.content)
        return await self._transmit(message, None)

    async def _with_file(self, message: Outbound, media: Media) -> Outcome:
        self._way.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._way.folder / f"out-{hashlib.sha256(message.correlation.encode()).hexdigest()[:24]}"
        try:
            with path.open("wb") as file:
                trouble = await self._files.fetch(media, file)
            return trouble if trouble is not None else await self._transmit(message, path)
        finally:
            path.unlink(missing_ok=True)

    async def _transmit(self, message: Outbound, file: Path | None) -> Outcome:
        host = self._host
        can = host.ready.can if host is not None and host.ready is not None else ()
        made = content(spelt_out(message.content, can), file)
        if isinstance(made, Refused):
            return made
        given: dict[str, Any] = {
            "to": message.phone, "key": message.correlation, "id": network_id(message.correlation), "content": made,
            "reply_to": message.reply_to,
        }  # fmt: skip
        told = await self._order("send", given, FILE_ORDER_S if file else ORDER_S)
        if isinstance(told, dict):
            if isinstance(told.get("id"), str) and told["id"]:
                return Accepted(told["id"])
            return Unknown("The host answered, but not in a way that tells whether the message went out.")
        return told

    async def mark_read(self, network_id: str) -> Outcome:
        told = await self._order("read", {"id": network_id}, ORDER_S)
        return Accepted(network_id) if isinstance(told, dict) else told

    async def fetch_media(self, media_id: str, sink: IO[bytes], max_bytes: int) -> MediaFetched | Refused | Delayed:
        self._way.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._way.folder / f"in-{hashlib.sha256(media_id.encode()).hexdigest()[:24]}"
        try:
            given = {"id": media_id, "path": str(path), "max_bytes": max_bytes}
            told = await self._order("fetch", given, FILE_ORDER_S)
            if isinstance(told, Unknown):
                return Delayed("line_unreachable", told.detail, 5.0, "message")
            if not isinstance(told, dict):
                return told if isinstance(told, Refused | Delayed) else Refused("media_gone", "The file did not come.")
            if not path.exists() or path.stat().st_size > max_bytes:
                return Refused("media_too_large", "The file is larger than what is kept.")
            return await asyncio.to_thread(_copy, path, sink, told)
        finally:
            path.unlink(missing_ok=True)

    async def templates(self) -> list[NetworkTemplate]:
        """A phone has none."""
        return []

    async def probe(self) -> Health:
        """What the host says of the line, once it has shown that it still answers."""
        if self._way.missing:
            return Health("needs_attention", self._way.missing)
        link = await self._link.read()
        if link.ended:
            return Health("logged_out", words.ended(link.ended))
        host = self._host
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
        return Health(self._state, self._reason, self._phone)

    async def _order(self, do: str, given: dict[str, Any], within_s: float) -> dict[str, Any] | Outcome:
        """Have something done; what came of it, or the outcome that the line's callers know."""
        host, lease = self._host, self._lease
        if host is None or not host.is_alive or lease is None or not lease.is_sure():
            return self._offline()
        try:
            told = await host.order(do, given, within_s)
        except TimeoutError:
            return Unknown(words.NO_ANSWER)
        except HostGone as gone:
            self._news()
            return Unknown(words.gone_meanwhile(gone.why))
        return told if isinstance(told, dict) else _outcome(told)

    def _offline(self) -> Outcome:
        reason = self._way.missing or self._reason or words.STARTING
        state = self._state if self._state != "connected" else "disconnected"
        return Delayed("line_offline", reason, 2.0, "line", state)


def network_id(correlation: str) -> str:
    """The name that a message gets on the network where its engine lets us choose: always the same for the same one."""
    return "3EB0" + hashlib.sha256(correlation.encode()).hexdigest()[:18].upper()


def _outcome(no: No) -> Outcome:
    if no.sent == "unknown":
        return Unknown(no.detail)
    if no.again_s is None:
        return Refused(no.code, no.detail, no.network_code)
    state: LineState | None = next((one for one in STATES if one == no.state), None)
    return Delayed(no.code, no.detail, max(0.1, no.again_s), no.holds, state, no.network_code)


def _copy(path: Path, sink: IO[bytes], told: dict[str, Any]) -> MediaFetched:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while piece := file.read(1 << 18):
            digest.update(piece)
            size += len(piece)
            sink.write(piece)
    return MediaFetched(size, digest.hexdigest(), str(told.get("mime_type", "")), str(told.get("sha256", "")))
