"""Files that customers sent are fetched from the network, kept, and told of in the event that waits for them."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import IO

from tablegram.engine import crash_points
from tablegram.engine.drains import Depth, Drain, Work, guarded
from tablegram.engine.flights import Flight
from tablegram.engine.leases import Lease, Leases
from tablegram.engine.timers import Tasks
from tablegram.errors import LeaseLost
from tablegram.flows.gateway.announcing import Announcer
from tablegram.media import store
from tablegram.media.files import LATEST_TRY_MS, clean_type, judge_type, next_try_ms, read_digest, told
from tablegram.media.ports import MediaStore, MediaStoreDown, key_of
from tablegram.media.rows import MediaRow
from tablegram.media.spool import Spool
from tablegram.messaging.model import MEDIA_MAX_BYTES
from tablegram.messaging.ports import Delayed, MediaFetched, NetworkRefused
from tablegram.messaging.switchboard import LiveLine, Switchboard
from tablegram.messaging.transmission.holders import Fetched, Holders, Settled
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.files.media import SNIFF_BYTES

log = logging.getLogger("tablegram.media")

# A line with a thousand files must not keep another line's single one waiting.
MAX_PER_LINE = 4
MAX_AWAY = 32
IDLE_S = 5.0

Result = dict[str, object] | Fetched


class Fetching(Work):
    """The drain of wanted files. One process at a time does it; the rows say what is left to do."""

    def __init__(
        self, db: Database, switchboard: Switchboard, vault: MediaStore, spool: Spool, announcer: Announcer,
        leases: Leases, tasks: Tasks, clock: Clock, holders: Holders | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._db = db
        self._switchboard = switchboard
        self._vault = vault
        self._spool = spool
        self._announcer = announcer
        self._clock = clock
        # A line that runs in one process only gives its files there.
        self._holders = holders
        if holders is not None:
            holders.fetch_by(self._fetch_for_another)
        # The files that this process fetches right now, for itself or for another.
        self._busy: set[tuple[int, str]] = set()
        self.flight: Flight[tuple[int, str]] = Flight(tasks, self.bell, MAX_AWAY, MAX_PER_LINE)
        self.drain = Drain("media", self, leases, retry_s=IDLE_S, depth=Depth(db, clock, store.WAITING))
        self.counts = {"kept": 0, "failed": 0}

    async def step(self) -> float:
        """Begin what can begin."""
        now = self._clock.now_ms()
        soonest = now + int(IDLE_S * 1_000)
        for line in await self._db.all(store.LINES_WITH_WORK):
            is_late = line["last"] > now + LATEST_TRY_MS
            if is_late:
                await self._put_right(line["account_id"], line["instance_id"], now)
            if line["at"] > now and not is_late:
                soonest = min(soonest, line["at"])
            else:
                await self._begin(line["account_id"], line["instance_id"], now)
        return max(0.0, (soonest - now) / 1_000)

    async def _put_right(self, account_id: int, instance_id: int, now: int) -> None:
        """No next try lies so far ahead: the clock was set back since, and what waits by it is due."""
        log.warning("the clock was set back: files of line %s are due again", instance_id)
        which = {"b_account": account_id, "b_instance": instance_id}
        await self._db.put((store.DUE_AGAIN, {**which, "now": now, "latest": now + LATEST_TRY_MS}))

    async def _begin(self, account_id: int, instance_id: int, now: int) -> None:
        line = (account_id, instance_id)
        if self.flight.room_for(line) <= 0:
            return
        # Those under way are still due in the store, so room is left for them.
        most = MAX_PER_LINE + self.flight.of_group(line)
        self.flight.look()
        which = {"account_id": account_id, "instance_id": instance_id, "now": now, "most": most}
        for row in await self._db.all(store.DUE, which):
            name = (account_id, row["id"])
            if self.flight.room_for(line) > 0 and not self.flight.is_known(name):
                self.flight.begin(name, f"fetch {row['id']}", self._fetch(row, self.lease), line)

    async def _fetch(self, row: MediaRow, lease: Lease) -> None:
        try:
            if lease.is_sure():
                await self._settle(row, lease, await self._attempt(row))
        except LeaseLost:
            # Another process fetches now, and the row is its business.
            log.info("file %s is left to another process", row["id"])
        except Exception:
            # The row is still wanted. A broken store must not be asked again and again without a pause.
            log.exception("file %s could not be fetched", row["id"])
            await asyncio.sleep(1)

    async def _attempt(self, row: MediaRow) -> Result:
        line = await self._switchboard.line(row["account_id"], row["instance_id"])
        if line is None:
            return NetworkRefused("media_gone", "The line that the file came in on was deleted before it was fetched.")
        if self._holders is not None and (told := await self._holders.fetch(line, row["id"])) is not None:
            return told
        return await self._fetch_here(line, row)

    async def _fetch_for_another(self, line: LiveLine, media_id: str) -> Fetched:
        """Fetch and keep it. Whatever else becomes of it is decided by who has asked."""
        row = await self._db.first(store.GET, {"b_account": line.instance.account_id, "b_id": media_id})
        if row is None or row["instance_id"] != line.instance.id or row["state"] != "wanted":
            return Settled()
        result = await self._fetch_here(line, row)
        if isinstance(result, dict):
            await self._kept(row, result)
            return Settled()
        return result

    async def _fetch_here(self, line: LiveLine, row: MediaRow) -> Result:
        name = (row["account_id"], row["id"])
        if name in self._busy:
            return Delayed("line_unreachable", "The file is being fetched already.", 0, "line")
        self._busy.add(name)
        try:
            return await self._ask_line(line, row)
        finally:
            self._busy.discard(name)

    async def _ask_line(self, line: LiveLine, row: MediaRow) -> Result:
        try:
            with self._spool.file() as (file, path):
                got = await line.driver.fetch_media(row["network_media_id"], file, MEDIA_MAX_BYTES[row["kind"]])
                crash_points.reach("media.fetched")
                return await self._keep(row, got, file, path) if isinstance(got, MediaFetched) else got
        except MediaStoreDown as error:
            return Delayed("media_store_down", str(error), 0, "line")
        except OSError as error:
            return Delayed("media_store_down", f"The file cannot be written: {error.strerror}.", 0, "line")

    async def _keep(self, row: MediaRow, got: MediaFetched, file: IO[bytes], path: Path) -> Result:
        wrong = _damage(row, got)
        if wrong is not None:
            return wrong
        file.seek(0)
        claim = row["mime_type"] or clean_type(got.claimed_type)
        mime_type, claimed_type = judge_type(file.read(SNIFF_BYTES), claim, row["filename"])
        key = key_of(row["account_id"], row["id"])
        await self._vault.put(key, path)
        crash_points.reach("media.stored")
        return {
            "path": key, "size": got.size, "sha256": got.sha256, "mime_type": mime_type, "claimed_type": claimed_type,
        }  # fmt: skip

    async def _settle(self, row: MediaRow, lease: Lease, result: Result) -> None:
        """A file that is kept is kept, whoever fetched it; what else becomes of it only who holds the lease decides."""
        if isinstance(result, Settled):
            return
        if isinstance(result, dict):
            await self._kept(row, result)
            return
        if isinstance(result, Delayed):
            away = result.holds == "line"
            next_at = next_try_ms(row, self._clock.now_ms(), network_away=away)
            if next_at is not None:
                again = {"next_at": next_at, "counted": 0 if away else 1, "code": result.code, "detail": result.detail}
                postponed = {**_which(row), **again}
                await self._db.write(guarded(lease, lambda tx: tx.run(store.POSTPONED, postponed)))
                return
        await self._failed(row, lease, result)

    async def _kept(self, row: MediaRow, facts: dict[str, object]) -> None:
        async def unit(tx: Tx) -> list[str] | None:
            if await tx.run(store.KEPT, {**_which(row), **facts, "now": self._clock.now_ms()}):
                return await self._complete(tx, row)
            present = await tx.first(store.GET, _which(row))
            # Another process may have kept the same file in the same place meanwhile.
            return [] if present is not None and present["state"] == "kept" else None

        endpoints = await self._db.write(unit)
        crash_points.reach("media.recorded")
        if endpoints is None:
            # Its message was erased while it was fetched.
            await self._vault.delete(str(facts["path"]))
            return
        self.counts["kept"] += 1
        self._announcer.completed(row["account_id"], row["event_id"], endpoints)

    async def _failed(self, row: MediaRow, lease: Lease, why: NetworkRefused | Delayed) -> None:
        async def unit(tx: Tx) -> list[str] | None:
            if not await tx.run(store.FAILED, {**_which(row), "code": why.code, "detail": why.detail}):
                return None
            return await self._complete(tx, row)

        endpoints = await self._db.write(guarded(lease, unit))
        self.counts["failed"] += 1
        log.warning("file %s of line %s is given up: %s", row["id"], row["instance_id"], why.detail)
        if endpoints is not None:
            self._announcer.completed(row["account_id"], row["event_id"], endpoints)

    async def _complete(self, tx: Tx, row: MediaRow) -> list[str]:
        """Put what is now known into the event; the endpoints that still wait for it."""
        now = await tx.first(store.GET, _which(row))
        assert now is not None
        return await self._announcer.complete(tx, row["account_id"], row["event_id"], told(now))


def _which(row: MediaRow) -> dict[str, object]:
    return {"b_account": row["account_id"], "b_id": row["id"]}


def _damage(row: MediaRow, got: MediaFetched) -> Delayed | None:
    """A file that is not the one that was sent: worth another try, never worth keeping."""
    for digest in (row["sha256"], read_digest(got.claimed_sha256)):
        if digest and digest != got.sha256:
            return Delayed(
                "media_damaged", "The file that came is not the one that was sent: its hash differs.", 0, "message"
            )
    if not got.size:
        return Delayed("media_damaged", "The file that came is empty.", 0, "message")
    return None
