"""How printers are right now: heard with every poll, kept in memory, and written down only when something changes."""

from __future__ import annotations

import asyncio

import msgspec

from tablegram.printing.ports import Teller
from tablegram.printing.printers.model import SILENT_MS, Printer, Status, write_status
from tablegram.printing.store import printers as store
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import SECOND_MS, Clock

# Who was heard is written down together, so often.
NOTE_EVERY_S = 20.0
# Who asks more rarely may leave out so many times.
MISSED_POLLS = 3


class Sight(msgspec.Struct, frozen=True):
    """A printer that was heard: when last, and what it said."""

    at: int
    status: Status


class Watch:
    """What this process heard. A change is told inside the transaction that writes it down."""

    def __init__(self, db: Database, clock: Clock, teller: Teller) -> None:
        self._db = db
        self._clock = clock
        self._teller = teller
        self._heard: dict[str, Sight] = {}
        # Heard since they were last written down.
        self._fresh: dict[str, tuple[int, int]] = {}

    async def seen(self, printer: Printer, status: Status | None = None) -> None:
        """The printer was heard. Without a status it says nothing new of itself, but it is there."""
        now = self._clock.now_ms()
        last = self._heard.get(printer.id)
        told = status or msgspec.structs.replace(Status() if last is None else last.status, online=True)
        self._heard[printer.id] = Sight(now, told)
        self._fresh[printer.id] = printer.account_id, now
        # Who was silent for a while may have been taken for gone by another process.
        if last is None or last.status != told or now - last.at > SILENT_MS // 2:
            await self.note(printer, told, now)

    async def note(self, printer: Printer, status: Status, now: int) -> bool:
        """Write down what is new, and tell of it; false where that stands there already."""
        values = {"b_account": printer.account_id, "b_id": printer.id, "new_status": write_status(status), "now": now}
        await self._teller.prepare(printer.account_id)

        async def work(tx: Tx) -> bool:
            if await tx.run(store.STATUS, values) == 0:
                return False
            await self._teller.printer_changed(tx, printer, status, now)
            return True

        changed = await self._db.write(work)
        if changed:
            self._teller.told(printer.account_id, printer.venue_id)
        return changed

    async def learn(self, printer: Printer, learned: str, poll_s: float = 0.0) -> None:
        """Keep what a printer has told of itself, and how often it asks."""
        # When it was heard is written down a little later.
        patience_ms = int((MISSED_POLLS * poll_s + 2 * NOTE_EVERY_S) * SECOND_MS) if poll_s else 0
        which = {"b_account": printer.account_id, "b_id": printer.id}
        await self._db.put((store.LEARN, {**which, "new_learned": learned, "new_silent": max(SILENT_MS, patience_ms)}))

    def now_ms(self) -> int:
        return self._clock.now_ms()

    def sight(self, printer_id: str) -> Sight | None:
        """What this process heard last."""
        return self._heard.get(printer_id)

    async def flush(self) -> None:
        """Write down who was heard, all together."""
        fresh, self._fresh = self._fresh, {}
        if fresh:
            rows = [
                {"b_account": account_id, "b_id": printer_id, "now": at}
                for printer_id, (account_id, at) in fresh.items()
            ]
            await self._db.put(*((store.SEEN, row) for row in rows))

    async def flush_forever(self) -> None:
        while True:
            await asyncio.sleep(NOTE_EVERY_S)
            await self.flush()
