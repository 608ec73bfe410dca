"""The whole product in this process, with the demo's restaurant on its line: guests write, staff act, time stands still."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Unpack

import msgspec
from sqlalchemy import select

from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.roles import SCOPES
from tablegram.engine.idempotency import Call
from tablegram.flows.restaurant.answers import guests as answers
from tablegram.flows.restaurant.fields import ActFields, ChoiceFields, LineFields
from tablegram.flows.restaurant.guests.guests import Guests, Seat
from tablegram.flows.restaurant.texts.order_texts import OrderTexts
from tablegram.restaurant import tables, venues
from tablegram.restaurant.hours import VenueHours
from tablegram.restaurant.menu import keeping as menus
from tablegram.restaurant.menu.model import UNTIL_TOLD, Menu
from tablegram.restaurant.orders.model import Order, from_row
from tablegram.restaurant.rows.orders import OrderRow
from tablegram.restaurant.texts.words import WORDS
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Query, Row
from tablegram.storage.tables import events, order_events
from tablegram.storage.tables import orders as order_table
from tablegram.values.opening_hours import DAYS, WeekSpan
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tests.crm.pool import PHONE, Pool, pool
from tests.restaurant.furnished import furnish
from tests.restaurant.kept import edit_menu

# Open every day, at the week's end until two at night; the test's clock stands on a Friday at eleven.
HOURS = VenueHours(
    "Europe/Istanbul",
    [WeekSpan(day, "08:00", "02:00" if day in ("friday", "saturday") else "23:30") for day in DAYS],
    last_order_min=30,
)

_LAST_WORDS = tuple(WORDS.of(language)["last_word"][:30] for language in WORDS.languages)


class PageGuests:
    """What guests do, each answer as the JSON that their page reads."""

    def __init__(self, guests: Guests) -> None:
        self._guests = guests

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        does = getattr(self._guests, name)

        async def read(*given: Any, **named: Any) -> Any:
            answer = await does(*given, **named)
            is_shown = type(answer).__module__ == answers.__name__
            return msgspec.json.decode(msgspec.json.encode(answer)) if is_shown else answer

        return read


class House:
    def __init__(self, pool: Pool, venue: Venue, menu: Menu) -> None:
        self.pool, self.venue, self.menu = pool, venue, menu
        self.clock, self.db, self.product = pool.clock, pool.db, pool.product
        self.guests, self.orders = PageGuests(pool.product.guests), pool.product.orders
        self.staff = self.caller("staff")

    def caller(self, role: str = "staff", account_id: int = 1) -> Caller:
        return Caller(
            account_id=account_id, account_name="", key_id="member:1", key_name="Elif", mode="live",
            scopes=SCOPES[role], rate=1e6, burst=1_000_000, plan="standard", prepaid=False, expires_at=None,
        )  # fmt: skip

    def item(self, name: str) -> Any:
        (found,) = [item for item in self.menu.items if item.name == name]
        return found

    def line(self, name: str, quantity: int = 1, note: str = "") -> LineFields:
        """A line with the first option of whatever must be chosen."""
        item = self.item(name)
        asked = [group for group in self.menu.groups if group.id in item.group_ids and group.required]
        choices: list[ChoiceFields] = [{"option_id": group.options[0].id, "quantity": 1} for group in asked]
        return {"item_id": item.id, "quantity": quantity, "choices": choices, "note": note}

    async def seat(self, table: str | None = "5") -> Seat:
        signature = None
        if table is not None:
            found = await self.table(table)
            signature = tables.sign(self.pool.product.box, self.venue, found)
        seat: Seat = await self.guests.seat(self.venue.id, table, signature)
        return seat

    async def table(self, label: str) -> tables.Table:
        found = await self.db.snapshot(lambda tx: tables.find_by_label(tx, 1, self.venue.id, label))
        assert found is not None
        return found

    async def cart(self, *lines: LineFields, table: str | None = "5", **fields: Any) -> dict[str, Any]:
        chosen = list(lines) or [self.line("Lahmacun", 2), self.line("Künefe")]
        given = {"lines": chosen, "language": "en", **fields}
        shown: dict[str, Any] = await self.guests.open_cart(await self.seat(table), given)
        return shown

    async def change_venue(self, **changes: Any) -> None:
        details = changes.pop("details", None)
        fresh = await self.db.snapshot(lambda tx: venues.find(tx, 1, self.venue.id))
        if details is not None:
            changes["details"] = msgspec.structs.replace(fresh.details, **details)
        changed = msgspec.structs.replace(fresh, **changes)
        self.venue = await self.db.write(lambda tx: venues.update(tx, changed, self.clock.now_ms()))

    async def change_item(self, name: str, **changes: Any) -> None:
        item = msgspec.structs.replace(self.item(name), **changes)

        def change(menu: Menu) -> Menu:
            items = [item if one.id == item.id else one for one in menu.items]
            return msgspec.structs.replace(menu, items=items)

        now = self.clock.now_ms() + 1
        self.menu = await self.db.write(lambda tx: edit_menu(tx, 1, self.venue.id, change, now))

    async def sell_out(self, name: str) -> None:
        await self.change_item(name, sold_out_until=UNTIL_TOLD)

    # What came of it.

    async def placed(self, account: int = 1) -> list[Row]:
        found = select(order_table).where(order_table.c.account_id == account).order_by(order_table.c.id)
        return await self.db.all(Query(found))

    async def as_read(self) -> list[Order]:
        """What was placed, read as the product reads it."""
        found = select(order_table).where(order_table.c.account_id == 1).order_by(order_table.c.id)
        return [from_row(row) for row in await self.db.all(Query(found, row=OrderRow))]

    async def order(self) -> Row:
        (only,) = await self.placed()
        return only

    async def told(self, kind: str = "restaurant.", account: int = 1) -> list[dict[str, Any]]:
        """The bodies of the events of a kind, in their order."""
        found = select(events).where(events.c.account_id == account).order_by(events.c.seq)
        rows = await self.db.all(Query(found))
        return [msgspec.json.decode(row["body"]) for row in rows if row["type"].startswith(kind)]

    async def said(self, phone: str = PHONE, *, all_of_it: bool = False) -> list[str]:
        """What the gateway has queued for somebody, in its order; without the word that people will answer."""
        found = [row["text"] for row in await self.pool.messages("out") if row["phone"] == phone]
        return [text for text in found if all_of_it or not text.startswith(_LAST_WORDS)]

    async def history(self) -> list[str]:
        found = select(order_events).where(order_events.c.account_id == 1)
        rows = await self.db.all(Query(found.order_by(order_events.c.order_key, order_events.c.number)))
        return [row["event"] for row in rows]

    async def write(self, text: str, phone: str = PHONE, **more: Any) -> None:
        await self.pool.write(text, phone, **more)

    async def write_at_once(self, texts: list[tuple[str, str, str]]) -> None:
        """Texts with their phones and network ids, all stored before any is worked on, by several hands at once."""
        inbox = self.product.inbox
        for number, (text, phone, network_id) in enumerate(texts):
            message = {"from": phone, "id": network_id, "type": "text", "text": {"body": text},
                       "timestamp": str(self.clock.now_ms() // 1_000)}  # fmt: skip
            value = {"metadata": {"phone_number_id": "1"}, "contacts": [], "messages": [message]}
            body = {
                "object": f"{network_id}-{number}",
                "entry": [{"id": "1", "changes": [{"field": "messages", "value": value}]}],
            }
            await inbox.store(1, f"cloud:{self.pool.lines[1]}", msgspec.json.encode(body))
        await asyncio.gather(*(inbox._drain_fresh() for _ in range(3)))

    async def act(self, order_id: str, action: str, role: str = "staff", **fields: Unpack[ActFields]) -> dict[str, Any]:
        answer = await self.orders.act(self.caller(role), order_id, action, fields, Call(f"/orders/{action}"))
        shown: dict[str, Any] = msgspec.to_builtins(answer.value)
        return shown


def texts_of(one: House) -> OrderTexts:
    """Who answers what guests write to a venue; loaded by the first text, or here."""
    texts, _ = one.product.of(RestaurantWorks).texts._late.now()
    return texts


@asynccontextmanager
async def house(
    database_url: str, *, accepts: bool = True, with_api: bool = False, reads_back: bool = False,
    without: tuple[str, ...] = (), **settings: Any,
) -> AsyncIterator[House]:  # fmt: skip
    """`with_api` builds the API too; building the edges takes longer than most of what is tested here.

    `reads_back`: as a venue is by itself. Without it clear texts go straight through, for tests of something else.
    """
    edges = ("panel", "sandbox") if with_api else ("panel", "sandbox", "api")
    made = pool(database_url, without=(*edges, *without), **settings)
    one = await made.__aenter__()
    try:
        product = one.product
        now = one.clock.now_ms()
        venue = await one.db.write(lambda tx: furnish(tx, 1, product.box, now, one.lines[1]))
        menu = await one.db.snapshot(lambda tx: menus.load(tx, venue))
        opened = House(one, venue, menu)
        await opened.change_venue(accepts_by_itself=accepts, hours=HOURS, details={"skips_read_back": not reads_back})
        yield opened
    finally:
        await made.__aexit__(None, None, None)
