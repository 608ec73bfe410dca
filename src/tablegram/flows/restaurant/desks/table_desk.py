"""Tables and the codes on them, as people and programs manage them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any, Literal

import msgspec

from tablegram.accounts.audit import Acting, Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.flows.restaurant.answers.venues import TableList, TableView
from tablegram.flows.restaurant.desks.desk import Desk, Told
from tablegram.flows.restaurant.fields import TableFields
from tablegram.flows.wire import picked
from tablegram.restaurant import tables
from tablegram.restaurant.codes.code_sheets import GRIDS, WORDS, Size, Style, how_to_lines
from tablegram.restaurant.codes.printing import PRINT, Sheets
from tablegram.restaurant.menu.model import clean_line
from tablegram.restaurant.store import pictures as picture_store
from tablegram.restaurant.tables import Table
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values import qr
from tablegram.values.clock import Clock, iso
from tablegram.values.ids import new_id
from tablegram.values.secrets import SecretBox
from tablegram.workshop.ports import Workshop

_CHANGES = ("section_id", "waiter_id", "seats", "position")
MAX_AT_ONCE = 200
_NO_KEY = Call("tables")


class TableDesk(Desk):
    """`api_url` is the API's own address, version included: the codes lead there."""

    def __init__(
        self,
        db: Database,
        idempotency: Idempotency,
        clock: Clock,
        audit: Audit,
        told: Told,
        workshop: Workshop,
        box: SecretBox,
        api_url: str,
    ) -> None:
        super().__init__(db, idempotency, clock, audit, told)
        self._workshop = workshop
        self._box = box
        self._api_url = api_url

    async def tables(self, caller: Caller, venue_id: str) -> list[TableView]:
        """All tables in their order, each with the `link` that its code opens."""

        async def work(tx: Tx, venue: Venue) -> list[TableView]:
            found = await tables.every(tx, venue.account_id, venue.id)
            return [self._view(venue, table) for table in found]

        return await self._look(caller, venue_id, work)

    async def get(self, caller: Caller, venue_id: str, table_id: str) -> TableView:
        async def work(tx: Tx, venue: Venue) -> TableView:
            return self._view(venue, await tables.find(tx, venue.account_id, venue.id, table_id))

        return await self._look(caller, venue_id, work)

    async def add(self, caller: Caller, venue_id: str, fields: TableFields, call: Call) -> Result[TableView]:
        """`label`, and where known `section_id`, `waiter_id` and `seats`."""

        async def work(tx: Tx, venue: Venue, acting: Acting) -> TableView:
            new = self._new(venue, clean_line(fields["label"]), **picked(fields, "section_id", "waiter_id", "seats"))
            table = await tables.add(tx, new)
            await acting.note(tx, "venue.table_added", "venue", venue.id, {"table": table.label})
            return self._view(venue, table)

        return await self._create(TableView, caller, venue_id, call, work)

    async def add_many(
        self, caller: Caller, venue_id: str, first: int, last: int, section_id: str | None = None,
        call: Call = _NO_KEY,
    ) -> Result[TableList]:  # fmt: skip
        """Tables by number, from the first to the last. Numbers that are there already are left as they are."""
        if not 1 <= first <= last <= 9_999 or last - first >= MAX_AT_ONCE:
            detail = f"Numbers run from 1 to 9,999, the first before the last, {MAX_AT_ONCE} at a time."
            raise Invalid.field("last", "out_of_range", detail)

        async def work(tx: Tx, venue: Venue, acting: Acting) -> TableList:
            known = {tables.label_key(one.label) for one in await tables.every(tx, venue.account_id, venue.id)}
            labels = [str(number) for number in range(first, last + 1) if str(number) not in known]
            made = [await tables.add(tx, self._new(venue, label, section_id=section_id)) for label in labels]
            await acting.note(tx, "venue.tables_added", "venue", venue.id, {"tables": len(made)})
            return TableList(data=[self._view(venue, table) for table in made])

        return await self._create(TableList, caller, venue_id, call, work)

    async def change(self, caller: Caller, venue_id: str, table_id: str, fields: TableFields) -> TableView:
        """Change what is given. A new label needs new codes."""

        async def work(tx: Tx, venue: Venue, acting: Acting) -> TableView:
            old = await tables.find(tx, venue.account_id, venue.id, table_id)
            changes = picked(fields, *_CHANGES)
            if "label" in fields:
                changes["label"] = clean_line(fields["label"])
            table = await tables.update(tx, msgspec.structs.replace(old, **changes))
            await acting.note(tx, "venue.table_changed", "venue", venue.id, {"table": table.label})
            return self._view(venue, table)

        return await self._change(caller, venue_id, work)

    async def remove(self, caller: Caller, venue_id: str, table_id: str) -> None:
        async def work(tx: Tx, venue: Venue, acting: Acting) -> None:
            table = await tables.find(tx, venue.account_id, venue.id, table_id)
            await tables.remove(tx, venue.account_id, venue.id, table_id)
            await acting.note(tx, "venue.table_removed", "venue", venue.id, {"table": table.label})

        await self._change(caller, venue_id, work)

    async def rotate(self, caller: Caller, venue_id: str, table_id: str) -> TableView:
        """Refuse every code of a table that was printed until now."""

        async def work(tx: Tx, venue: Venue, acting: Acting) -> TableView:
            table = await tables.rotate(tx, venue.account_id, venue.id, table_id)
            await acting.note(tx, "venue.codes_rotated", "venue", venue.id, {"table": table.label})
            return self._view(venue, table)

        return await self._change(caller, venue_id, work)

    async def rotate_all(self, caller: Caller, venue_id: str) -> TableList:
        """The same for every table of the venue."""

        async def work(tx: Tx, venue: Venue, acting: Acting) -> TableList:
            count = await tables.rotate_all(tx, venue.account_id, venue.id)
            await acting.note(tx, "venue.codes_rotated", "venue", venue.id, {"tables": count})
            found = await tables.every(tx, venue.account_id, venue.id)
            return TableList(data=[self._view(venue, table) for table in found])

        return await self._change(caller, venue_id, work)

    async def code(self, caller: Caller, venue_id: str, table_id: str, kind: Literal["png", "svg"]) -> bytes:
        """The code on a table as a picture."""

        async def work(tx: Tx, venue: Venue) -> tuple[str, str]:
            table = await tables.find(tx, venue.account_id, venue.id, table_id)
            return self._link(venue, table), f"{venue.name}: {table.label}"

        link, title = await self._look(caller, venue_id, work)
        return await asyncio.to_thread(qr.png, link) if kind == "png" else await asyncio.to_thread(qr.svg, link, title)

    async def sheet(self, caller: Caller, venue_id: str, size: Size, table_ids: Collection[str] | None = None) -> bytes:
        """The codes of all or some tables as a PDF to print and cut: A4, several on a page."""
        if size not in GRIDS:
            raise Invalid.field("size", "not_allowed", f"Use one of: {', '.join(GRIDS)}.")

        async def work(tx: Tx, venue: Venue) -> tuple[list[tuple[str, str]], Style]:
            found = await tables.every(tx, venue.account_id, venue.id)
            if table_ids is not None:
                unknown = set(table_ids) - {table.id for table in found}
                if unknown:
                    raise NotFound(no_such("table", "venue"), code="table_unknown")
                found = [table for table in found if table.id in table_ids]
            return [(table.label, self._link(venue, table)) for table in found], await _style(tx, venue)

        cards, style = await self._look(caller, venue_id, work)
        if not cards:
            raise Conflict("There is no table to print a code for. Add one first.", code="tables_missing")
        return await self._workshop.do(caller.account_id, PRINT, Sheets(cards, size, style))

    def _new(self, venue: Venue, label: str, **fields: Any) -> Table:
        now = self._clock.now_ms()
        return Table(venue.account_id, new_id(now), venue.id, label, now, **fields)

    def _link(self, venue: Venue, table: Table) -> str:
        return tables.menu_link(self._api_url, self._box, venue, table)

    def _view(self, venue: Venue, table: Table) -> TableView:
        return TableView(
            id=table.id,
            label=table.label,
            section_id=table.section_id,
            section_name=table.section_name,
            waiter_id=table.waiter_id,
            waiter_name=table.waiter_name,
            seats=table.seats,
            position=table.position,
            generation=table.generation,
            link=self._link(venue, table),
            created_at=iso(table.created_at),
        )


async def _style(tx: Tx, venue: Venue) -> Style:
    logo = None
    if venue.details.logo_id is not None:
        which = {"b_account": venue.account_id, "b_venue": venue.id, "b_id": venue.details.logo_id}
        row = await tx.first(picture_store.LARGE, which)
        logo = None if row is None else bytes(row["body"])
    word = WORDS.of(venue.languages[0])["table"]
    return Style(venue.name, how_to_lines(venue.languages, venue.details.how_to), logo, word)
