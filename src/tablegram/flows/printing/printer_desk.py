"""Printers, as people and programs manage them."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.flows.printing.answers import (
    PrinterPage,
    PrinterProfile,
    PrinterState,
    PrinterView,
    PrinterWithKey,
    TicketView,
)
from tablegram.flows.printing.fields import PrinterFields, ProfileFields
from tablegram.flows.printing.sheets import house_of
from tablegram.flows.printing.ticket_views import ticket_view
from tablegram.flows.restaurant.desks.desk import CHANGE, LOOK
from tablegram.flows.wire import picked
from tablegram.printing.jobs import Jobs
from tablegram.printing.printers import keeping
from tablegram.printing.printers.directory import Directory
from tablegram.printing.printers.model import Printer, read_printer, read_status
from tablegram.printing.printers.profile import Kind, Profile
from tablegram.printing.printers.watching import Watch
from tablegram.printing.rows import PrinterRow
from tablegram.printing.store import jobs as job_store
from tablegram.printing.tickets import keeping as tickets
from tablegram.printing.transports import agents
from tablegram.restaurant import venues
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock, iso
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.secrets import SecretBox

# Where a printer of each kind asks for its paper. The others are reached by us, or are no machines.
_PATHS: dict[Kind, str] = {"cloudprnt": "/print/cloudprnt/", "epson": "/print/epson/"}
_PLAIN = ("name", "copies", "fallback_id", "fallback_after_s")
_PROFILE = tuple(name for name in Profile.__struct_fields__ if name not in ("dots", "password"))
replace = msgspec.structs.replace


class PrinterDesk:
    """`base_url` is the installation's own address. `told`: something about the printers of a venue has changed."""

    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, box: SecretBox, jobs: Jobs,
        directory: Directory, watch: Watch, told: Callable[[int, str], None], base_url: str,
    ) -> None:  # fmt: skip
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._box = box
        self._jobs = jobs
        self._directory = directory
        self._watch = watch
        self._told = told
        self._base_url = base_url.rstrip("/")

    # Looking.

    async def page(
        self, caller: Caller, *, venue_id: str | None = None, limit: int = 200, cursor: str | None = None
    ) -> PrinterPage:
        """Printers, oldest first."""
        caller.require(LOOK, "orders:manage")
        after = "" if cursor is None else decode_cursor(cursor)

        async def look(tx: Tx) -> tuple[list[PrinterRow], dict[str, int]]:
            return await keeping.every(tx, caller.account_id), await _queues(tx, caller.account_id)

        rows, queues = await self._db.snapshot(look)
        found = [row for row in rows if row["id"] > after and venue_id in (None, row["venue_id"])]
        return PrinterPage(
            data=[self._view(row, queues) for row in found[:limit]],
            next_cursor=encode_cursor(found[limit - 1]["id"]) if len(found) > limit else None,
        )

    async def get(self, caller: Caller, printer_id: str) -> PrinterView:
        caller.require(LOOK, "orders:manage")
        return await self._db.snapshot(lambda tx: self._look_up(tx, caller.account_id, printer_id))

    async def found(self, caller: Caller, printer_id: str) -> tuple[str, ...]:
        """Other printers that its agent found in the restaurant's network, as addresses."""
        caller.require(LOOK, "orders:manage")
        row = await self._db.snapshot(lambda tx: keeping.get(tx, caller.account_id, printer_id))
        return agents.remember(row["learned"] or "") if row["kind"] == "agent" else ()

    async def reveal(self, caller: Caller, printer_id: str) -> PrinterWithKey:
        """With its key, to be typed into it."""
        caller.require(CHANGE)

        async def look(tx: Tx) -> PrinterWithKey:
            shown = await self._look_up(tx, caller.account_id, printer_id)
            return self._with_key(shown, read_printer(await keeping.get(tx, caller.account_id, printer_id)))

        return await self._db.snapshot(look)

    # Changing.

    async def create(self, caller: Caller, fields: PrinterFields, call: Call) -> Result[PrinterWithKey]:
        """`name` and `kind`, and whatever else is known of it. The answer holds its key."""
        caller.require(CHANGE)
        acting = self._audit.acting(caller)
        now = self._clock.now_ms()

        async def work(tx: Tx) -> Result[PrinterWithKey]:
            venue_id = fields.get("venue_id") or (await venues.default(tx, caller.account_id)).id
            venue = await venues.lock(tx, caller.account_id, venue_id)
            draft = keeping.draft(caller.account_id, venue.id, fields["kind"], self._box, now)
            kept = await keeping.add(tx, self._changed(draft, fields), venue.stations)
            await acting.note(tx, "printer.added", "printer", kept.id, {"name": kept.name, "kind": kept.kind})
            return Result(self._with_key(await self._look_up(tx, caller.account_id, kept.id), kept), 201)

        # Who repeats the call after a lost answer gets the same key again; at rest it is as unreadable as any secret.
        answer = await self._idempotency.once_for(PrinterWithKey, caller.account_id, call, work, self._box)
        self._told(caller.account_id, answer.value.venue_id)
        return answer

    async def change(self, caller: Caller, printer_id: str, fields: PrinterFields) -> PrinterView:
        """Change what is given and leave the rest."""
        caller.require(CHANGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> PrinterView:
            row = await keeping.get(tx, caller.account_id, printer_id)
            venue = await venues.lock(tx, caller.account_id, row["venue_id"])
            old = await keeping.lock(tx, caller.account_id, printer_id)
            kept = await keeping.change(tx, self._changed(old, fields), venue.stations, self._clock.now_ms())
            await acting.note(tx, "printer.changed", "printer", kept.id, {"name": kept.name, "fields": sorted(fields)})
            return await self._look_up(tx, caller.account_id, kept.id)

        shown = await self._db.write(work)
        self._forget(caller, shown)
        return shown

    async def rotate(self, caller: Caller, printer_id: str, call: Call) -> Result[PrinterWithKey]:
        """Another key: the old address prints nothing from now on."""
        caller.require(CHANGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[PrinterWithKey]:
            old = await keeping.lock(tx, caller.account_id, printer_id)
            kept = await keeping.rotate(tx, old, self._box, self._clock.now_ms())
            await acting.note(tx, "printer.key_rotated", "printer", kept.id, {"name": kept.name})
            return Result(self._with_key(await self._look_up(tx, caller.account_id, kept.id), kept))

        answer = await self._idempotency.once_for(PrinterWithKey, caller.account_id, call, work, self._box)
        self._forget(caller, answer.value)
        return answer

    async def remove(self, caller: Caller, printer_id: str) -> None:
        """Take it away; what waits for it is dropped."""
        caller.require(CHANGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Printer:
            printer = await keeping.lock(tx, caller.account_id, printer_id)
            await keeping.remove(tx, printer, self._clock.now_ms())
            await acting.note(tx, "printer.removed", "printer", printer.id, {"name": printer.name})
            return printer

        printer = await self._db.write(work)
        self._directory.forget(printer.id)
        self._told(caller.account_id, printer.venue_id)

    async def test(self, caller: Caller, printer_id: str, call: Call) -> Result[TicketView]:
        """Print a test page. It waits ten minutes for its printer."""
        caller.require(CHANGE, "orders:manage")

        async def work(tx: Tx) -> Result[TicketView]:
            printer = await keeping.lock(tx, caller.account_id, printer_id)
            venue = await venues.find_ever(tx, caller.account_id, printer.venue_id)
            ticket_id = await tickets.test_page(tx, printer, house_of(venue), self._clock.now_ms())
            return Result(await ticket_view(tx, caller.account_id, ticket_id), 201)

        answer = await self._idempotency.once_for(TicketView, caller.account_id, call, work)
        self._jobs.ring(caller.account_id, [printer_id])
        self._told(caller.account_id, answer.value.venue_id)
        return answer

    # Inside.

    def _forget(self, caller: Caller, shown: PrinterView) -> None:
        self._directory.forget(shown.id)
        self._told(caller.account_id, shown.venue_id)

    def _changed(self, printer: Printer, fields: PrinterFields) -> Printer:
        changes = picked(fields, *_PLAIN)
        if "stations" in fields:
            changes["stations"] = tuple(fields["stations"])
        if "extras" in fields:
            changes["extras"] = tuple(fields["extras"])
        given = fields.get("profile") or ProfileFields()
        profile = picked(given, *_PROFILE)
        if "password" in given:
            profile["password"] = self._box.seal(given["password"]) if given["password"] else ""
        return replace(printer, **changes, profile=replace(printer.profile, **profile))

    async def _look_up(self, tx: Tx, account_id: int, printer_id: str) -> PrinterView:
        return self._view(await keeping.get(tx, account_id, printer_id), await _queues(tx, account_id))

    def _view(self, row: PrinterRow, queues: dict[str, int]) -> PrinterView:
        printer = read_printer(row)
        sight = self._watch.sight(printer.id)
        status, seen_at = read_status(row["status"]), row["seen_at"]
        if sight is not None and sight.at >= (seen_at or 0):
            status, seen_at = sight.status, sight.at
        return PrinterView(
            id=printer.id,
            venue_id=printer.venue_id,
            name=printer.name,
            kind=printer.kind,
            stations=list(printer.stations),
            extras=list(printer.extras),
            copies=printer.copies,
            fallback_id=printer.fallback_id,
            fallback_after_s=printer.fallback_after_s,
            profile=PrinterProfile(
                **{name: getattr(printer.profile, name) for name in _PROFILE},
                has_password=bool(printer.profile.password),
            ),
            state=PrinterState(
                online=status.online,
                paper=status.paper,
                cover=status.cover,
                error=status.error,
                device=status.device,
                last_seen_at=None if seen_at is None else iso(seen_at),
                queue=queues.get(printer.id, 0),
            ),
            created_at=iso(printer.created_at),
            updated_at=iso(printer.updated_at),
        )

    def _with_key(self, shown: PrinterView, printer: Printer) -> PrinterWithKey:
        key = self._box.open(printer.key_sealed)
        path = _PATHS.get(printer.kind)
        url = f"{self._base_url}{path}{key}" if path else self._base_url if printer.kind == "agent" else ""
        return PrinterWithKey(**msgspec.structs.asdict(shown), key=key, url=url)


async def _queues(tx: Tx, account_id: int) -> dict[str, int]:
    rows = await tx.all(job_store.QUEUES, {"b_account": account_id})
    return {row["printer_id"]: row["n"] for row in rows}
