"""A line by a phone's own number. The work is done by its host; this hands it what goes out, and tells what it says."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

from tablegram.engine.leases import Lease
from tablegram.errors import LeaseLost, Unavailable
from tablegram.messaging.care import Care, Wait
from tablegram.messaging.lines.linked import words
from tablegram.messaging.lines.linked.contents import content, spelt_out
from tablegram.messaging.lines.linked.running import ORDER_S, Running, Way
from tablegram.messaging.lines.outgoing_files import OutgoingFiles
from tablegram.messaging.links import LinkRow
from tablegram.messaging.model import Media, Outbound, Text
from tablegram.messaging.ports import (
    Accepted,
    Delayed,
    Health,
    Hear,
    MediaFetched,
    NetworkRefused,
    NetworkTemplate,
    Outcome,
    Pairing,
    Unknown,
)
from tablegram.values import Json, string

__all__ = ["LinkedLine", "Way"]

FILE_ORDER_S = 120.0
# Typing is shown for as long as a fast person would need, but never so long that who called gives up.
TYPING_S, TYPED_EACH_S = 3.0, 0.03


class LinkedLine:
    """Implements `ports.Line`. `news` is called when something about the line has changed."""

    kind = "linked"
    is_exclusive = True
    template_calls = None

    def __init__(
        self, line_id: int, way: Way, link: LinkRow, care: Care, files: OutgoingFiles, news: Callable[[], None]
    ) -> None:
        self._care = care
        self._way = way
        self._link = link
        self._files = files
        self._running = Running(line_id, way, link, news)

    async def led_by(self, lease: Lease) -> None:
        self._running.lease = lease

    async def start(self, hear: Hear) -> str | None:
        return await self._running.start(hear)

    async def stop(self) -> None:
        await self._running.stop()

    async def probe(self) -> Health:
        return await self._running.health()

    async def pair(self, phone: str) -> Pairing | NetworkRefused:
        """The code to scan, or one to type on this phone. Works in every process; the one that runs the line shows it."""
        if self._way.missing:
            return NetworkRefused("engine_missing", self._way.missing)
        link = await self._link.read()
        if link.is_paired:
            return NetworkRefused("already_paired", words.ALREADY_PAIRED)
        if self._way.room.is_full(self):
            return NetworkRefused("lines_full", words.full(self._way.room.most))
        shown = link.typed if phone else link.code
        return Pairing(shown.code, shown.until_ms) if shown else NetworkRefused("pairing_soon", words.PAIRING_SOON)

    # What goes out.

    async def transmit(self, message: Outbound) -> Outcome:
        trouble = await self._hesitate(message)
        if trouble is not None:
            return trouble
        if isinstance(message.content, Media):
            return await self._with_file(message, message.content)
        return await self._transmit(message, None)

    async def _hesitate(self, message: Outbound) -> Outcome | None:
        """What a careful person looks at before they write; why this one does not go now, or nothing."""
        running = self._running
        quiet = running.quiet()
        if quiet is not None:
            return quiet
        lease = running.lease
        if lease is None or not running.is_led:
            return running.offline()
        only_known = running.only_known
        try:
            admitted = await self._care.admit(lease, message.correlation, message.phone, only_known=only_known)
        except (LeaseLost, Unavailable):
            # Nothing went out. It waits in the queue, for whoever has the line by now or until the store is back.
            return running.offline()
        if isinstance(admitted, Wait):
            wait_s = max(1.0, (admitted.until_ms - self._care.now_ms()) / 1_000)
            return Delayed(admitted.code, admitted.detail, wait_s, admitted.holds)
        if admitted.is_first and admitted.config.check_numbers and "check" in running.can:
            found = await running.order("check", {"phone": message.phone}, ORDER_S)
            if isinstance(found, Unknown):
                # Nothing went out.
                return running.offline()
            if not isinstance(found, dict):
                return found
            if found.get("exists") is False:
                with suppress(Unavailable):
                    await self._care.give_back(message.correlation)
                return NetworkRefused("not_on_network", words.NOT_ON_NETWORK)
        if admitted.config.typing and isinstance(message.content, Text) and "typing" in running.can:
            # Only for the looks: whether it worked changes nothing.
            await running.order("typing", {"to": message.phone}, TYPING_S)
            await asyncio.sleep(min(TYPING_S, len(message.content.body) * TYPED_EACH_S))
        return None

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
        made = content(spelt_out(message.content, self._running.can), file)
        if isinstance(made, NetworkRefused):
            return made
        given = {
            "to": message.phone, "key": message.correlation, "id": network_id(message.correlation), "content": made,
            "reply_to": message.reply_to,
        }  # fmt: skip
        told = await self._running.order("send", given, FILE_ORDER_S if file else ORDER_S)
        if isinstance(told, dict):
            if taken_as := string(told.get("id")):
                self._running.went_well()
                return Accepted(taken_as)
            return Unknown("The host answered, but not in a way that tells whether the message went out.")
        return told

    async def mark_read(self, network_id: str) -> Outcome:
        told = await self._running.order("read", {"id": network_id}, ORDER_S)
        return Accepted(network_id) if isinstance(told, dict) else told

    async def fetch_media(
        self, media_id: str, sink: IO[bytes], max_bytes: int
    ) -> MediaFetched | NetworkRefused | Delayed:
        self._way.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._way.folder / f"in-{hashlib.sha256(media_id.encode()).hexdigest()[:24]}"
        try:
            given = {"id": media_id, "path": str(path), "max_bytes": max_bytes}
            told = await self._running.order("fetch", given, FILE_ORDER_S)
            if isinstance(told, Unknown):
                return Delayed("line_unreachable", told.detail, 5.0, "message")
            if not isinstance(told, dict):
                return (
                    told
                    if isinstance(told, NetworkRefused | Delayed)
                    else NetworkRefused("media_gone", "The file did not come.")
                )
            if not path.exists() or path.stat().st_size > max_bytes:
                return NetworkRefused("media_too_large", "The file is larger than what is kept.")
            return await asyncio.to_thread(_copy, path, sink, told)
        finally:
            path.unlink(missing_ok=True)

    async def templates(self) -> list[NetworkTemplate]:
        """A phone has none."""
        return []


def network_id(correlation: str) -> str:
    """The name that a message gets on the network where its engine lets us choose: always the same for the same one."""
    return "3EB0" + hashlib.sha256(correlation.encode()).hexdigest()[:18].upper()


def _copy(path: Path, sink: IO[bytes], told: Json) -> MediaFetched:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while piece := file.read(1 << 18):
            digest.update(piece)
            size += len(piece)
            sink.write(piece)
    return MediaFetched(size, digest.hexdigest(), str(told.get("mime_type", "")), str(told.get("sha256", "")))
