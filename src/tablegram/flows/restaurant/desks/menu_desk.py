"""The menu of a venue, as people and programs manage it: one thing at a time, in bulk, and from files.

Every change makes a new version of the menu as a whole, or none. Prices are decimal numbers here (`menu_wire`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable, Sequence
from decimal import Decimal
from typing import Literal, TypeVar

from tablegram.accounts.audit import Acting, Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, FieldError, Invalid, NotFound, no_such
from tablegram.flows.restaurant.answers.menus import (
    CategoryView,
    ItemView,
    MenuFileError,
    MenuFileSummary,
    MenuImported,
    MenuView,
    NewPrice,
    OptionGroupView,
    PricesChanged,
)
from tablegram.flows.restaurant.desks import menu_wire as wire
from tablegram.flows.restaurant.desks.desk import CHANGE, LOOK, Desk, Told, changing_venue
from tablegram.flows.restaurant.venue_fields import CategoryFields, GroupFields, ItemFields, PriceFields
from tablegram.restaurant import venues
from tablegram.restaurant.menu import changes, keeping
from tablegram.restaurant.menu.changes import PriceChange
from tablegram.restaurant.menu.checks import MAX_CATEGORIES, MAX_GROUPS, MAX_ITEMS
from tablegram.restaurant.menu.dish_names import DishNames, FoundDish
from tablegram.restaurant.menu.importing.jobs import READ, WRITE, Format, MenuCopy, MenuFile, Table
from tablegram.restaurant.menu.importing.merging import ImportOutcome, Mode
from tablegram.restaurant.menu.model import UNTIL_TOLD, Menu
from tablegram.restaurant.pictures import keeping as pictures
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.folding import words
from tablegram.values.money import to_wire
from tablegram.workshop.ports import Workshop

# Until the doors open on another day, until somebody says otherwise, until a moment, or no longer.
Until = Literal["tomorrow", "told"] | int | None
# What somebody is told to be wrong: where it is in the menu as a whole, and where it was in their form.
_FORM = {"category": "category_id", "option_groups": "option_group_ids"}
Edit = Callable[[Menu], Menu]
Made = TypeVar("Made")
Work = Callable[[Tx, Venue, Acting], Awaitable[Made]]


class MenuDesk(Desk):
    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, told: Told, workshop: Workshop
    ) -> None:
        super().__init__(db, idempotency, clock, audit, told)
        self._workshop = workshop
        self._names = DishNames()

    async def find_items(self, caller: Caller, search: str, most: int) -> list[FoundDish]:
        """Dishes of every venue of the account whose names begin like what was typed, the default venue's first."""
        caller.require(LOOK, "orders:manage")
        typed = words(search)

        async def look(tx: Tx) -> list[FoundDish]:
            found: list[FoundDish] = []
            every = await venues.every(tx, caller.account_id) if typed else []
            for venue in sorted(every, key=lambda one: not one.is_default):
                if len(found) < most:
                    found += await self._names.find(tx, venue, typed, self._clock.now_ms())
            # Where there is only one, nobody needs to be told which.
            return [dataclasses.replace(one, venue=one.venue_name if len(every) > 1 else "") for one in found[:most]]

        return await self._db.snapshot(look)

    async def spoken(self, caller: Caller, venue_id: str, language: str) -> dict[str, str]:
        """Names of dishes and options, by their ids, as somebody of this language says them."""
        caller.require(LOOK, "orders:manage")

        async def look(tx: Tx) -> dict[str, str]:
            return await self._names.spoken(tx, await venues.find_ever(tx, caller.account_id, venue_id), language)

        return await self._db.snapshot(look)

    async def menu(self, caller: Caller, venue_id: str) -> MenuView:
        """The whole menu: categories, items and option groups in their order."""

        async def work(tx: Tx, venue: Venue) -> MenuView:
            return wire.menu_view(await keeping.load(tx, venue), venue.id, self._clock.now_ms())

        return await self._look(caller, venue_id, work)

    # One thing at a time. `put_…` without an id adds; `add_…` does so once under a call's key.

    async def put_category(
        self, caller: Caller, venue_id: str, fields: CategoryFields, category_id: str | None = None
    ) -> CategoryView:
        return await self._change(caller, venue_id, self._category_work(fields, category_id))

    async def add_category(
        self, caller: Caller, venue_id: str, fields: CategoryFields, call: Call
    ) -> Result[CategoryView]:
        return await self._create(CategoryView, caller, venue_id, call, self._category_work(fields, None))

    def _category_work(self, fields: CategoryFields, category_id: str | None) -> Work[CategoryView]:
        async def work(tx: Tx, venue: Venue, acting: Acting) -> CategoryView:
            await pictures.check_known(tx, venue.account_id, venue.id, fields.get("image_id"))
            old = await keeping.load(tx, venue)
            if category_id is None:
                _need_room(len(old.categories), MAX_CATEGORIES, "categories")
            made = wire.read_category(old, fields, category_id)
            place = f"categories[{made.id}]."
            await self._save(tx, venue, old, changes.put_category(old, made), place)
            await self._note(acting, tx, venue, "category", made.name, is_new=category_id is None)
            return wire.category_view(made)

        return work

    async def delete_category(self, caller: Caller, venue_id: str, category_id: str) -> None:
        await self._edit(
            caller, venue_id, lambda menu: changes.remove_category(menu, category_id), "category_deleted", category_id
        )

    async def put_item(self, caller: Caller, venue_id: str, fields: ItemFields, item_id: str | None = None) -> ItemView:
        """Also takes an item to another `category_id`, where it comes last."""
        return await self._change(caller, venue_id, self._item_work(fields, item_id))

    async def add_item(self, caller: Caller, venue_id: str, fields: ItemFields, call: Call) -> Result[ItemView]:
        return await self._create(ItemView, caller, venue_id, call, self._item_work(fields, None))

    def _item_work(self, fields: ItemFields, item_id: str | None) -> Work[ItemView]:
        async def work(tx: Tx, venue: Venue, acting: Acting) -> ItemView:
            await pictures.check_known(tx, venue.account_id, venue.id, fields.get("image_id"))
            old = await keeping.load(tx, venue)
            if item_id is None:
                _need_room(len(old.items), MAX_ITEMS, "items")
            made = wire.read_item(old, fields, item_id)
            await self._save(tx, venue, old, changes.put_item(old, made), f"items[{made.id}].")
            await self._note(acting, tx, venue, "item", made.name, is_new=item_id is None)
            return wire.item_view(old, made, self._clock.now_ms())

        return work

    async def get_item(self, caller: Caller, venue_id: str, item_id: str) -> ItemView:
        async def work(tx: Tx, venue: Venue) -> ItemView:
            menu = await keeping.load(tx, venue)
            item = menu.items_by_id.get(item_id)
            if item is None:
                raise NotFound(no_such("item", "menu"), code="item_unknown")
            return wire.item_view(menu, item, self._clock.now_ms())

        return await self._look(caller, venue_id, work)

    async def delete_item(self, caller: Caller, venue_id: str, item_id: str) -> None:
        await self._edit(caller, venue_id, lambda menu: changes.remove_item(menu, item_id), "item_deleted", item_id)

    async def move_item(
        self, caller: Caller, venue_id: str, item_id: str, category_id: str, before_id: str | None = None
    ) -> MenuView:
        """Put an item into a category, before another one or last; answers the whole menu."""
        return await self._edit(
            caller,
            venue_id,
            lambda menu: changes.move_item(menu, item_id, category_id, before_id),
            "item_moved",
            item_id,
        )

    async def put_group(
        self, caller: Caller, venue_id: str, fields: GroupFields, group_id: str | None = None
    ) -> OptionGroupView:
        """A group with all of its options; those that `options` does not name are gone."""
        return await self._change(caller, venue_id, self._group_work(fields, group_id))

    async def add_group(
        self, caller: Caller, venue_id: str, fields: GroupFields, call: Call
    ) -> Result[OptionGroupView]:
        return await self._create(OptionGroupView, caller, venue_id, call, self._group_work(fields, None))

    def _group_work(self, fields: GroupFields, group_id: str | None) -> Work[OptionGroupView]:
        async def work(tx: Tx, venue: Venue, acting: Acting) -> OptionGroupView:
            old = await keeping.load(tx, venue)
            if group_id is None:
                _need_room(len(old.groups), MAX_GROUPS, "option groups")
            made = wire.read_group(old, fields, group_id)
            await self._save(tx, venue, old, changes.put_group(old, made), f"groups[{made.id}].")
            await self._note(acting, tx, venue, "group", made.name, is_new=group_id is None)
            return wire.group_view(old, made, self._clock.now_ms())

        return work

    async def delete_group(self, caller: Caller, venue_id: str, group_id: str) -> None:
        await self._edit(caller, venue_id, lambda menu: changes.remove_group(menu, group_id), "group_deleted", group_id)

    # In bulk. Each answers the whole menu as it is then.

    async def reorder_categories(self, caller: Caller, venue_id: str, ids: Sequence[str]) -> MenuView:
        return await self._edit(caller, venue_id, lambda menu: changes.reorder_categories(menu, ids), "reordered")

    async def reorder_items(self, caller: Caller, venue_id: str, category_id: str, ids: Sequence[str]) -> MenuView:
        return await self._edit(
            caller, venue_id, lambda menu: changes.reorder_items(menu, category_id, ids), "reordered"
        )

    async def sell_out(self, caller: Caller, venue_id: str, ids: Sequence[str], until: Until = "tomorrow") -> MenuView:
        """Mark items and options as sold out; with nothing for `until` they can be had again."""
        caller.require(CHANGE, "orders:manage")
        now = self._clock.now_ms()
        acting = self._audit.acting(caller)

        async def work(tx: Tx, venue: Venue) -> MenuView:
            until_ms: int | None
            if until == "tomorrow":
                until_ms = changes.until_next_day(venue.hours, now)
            else:
                until_ms = UNTIL_TOLD if until == "told" else until
            old = await keeping.load(tx, venue)
            kept = await keeping.save(tx, venue, old, changes.sell_out(old, ids, until_ms), now)
            action = "menu.sold_out" if until_ms is not None else "menu.back_on_sale"
            told = list(ids)[:20]
            await acting.note(tx, action, "venue", venue.id, {"ids": told, "names": _names(old, told)})
            return wire.menu_view(kept, venue.id, now)

        view = await self._db.write(lambda tx: changing_venue(tx, caller, venue_id, work))
        self._told(caller.account_id, venue_id)
        return view

    async def change_prices(
        self, caller: Caller, venue_id: str, fields: PriceFields, *, dry_run: bool = False
    ) -> PricesChanged:
        """By `percent`, by `amount`, or both, rounded to `step`; answers each price that changes or would."""
        caller.require(CHANGE)
        if dry_run:
            return await self._peek(caller, venue_id, lambda tx, venue: self._new_prices(tx, venue, fields, None))
        return await self._change(
            caller, venue_id, lambda tx, venue, acting: self._new_prices(tx, venue, fields, acting)
        )

    async def raise_prices(
        self, caller: Caller, venue_id: str, fields: PriceFields, call: Call
    ) -> Result[PricesChanged]:
        """The same, once under the call's key: prices that rise twice are wrong prices."""
        return await self._create(
            PricesChanged,
            caller,
            venue_id,
            call,
            lambda tx, venue, acting: self._new_prices(tx, venue, fields, acting),
            200,
        )

    async def _new_prices(self, tx: Tx, venue: Venue, fields: PriceFields, acting: Acting | None) -> PricesChanged:
        old = await keeping.load(tx, venue)
        new, moved = changes.change_prices(old, _price_change(old, fields))
        if acting is not None and moved:
            await keeping.save(tx, venue, old, new, self._clock.now_ms())
            await acting.note(tx, "menu.prices_changed", "venue", venue.id, {"prices": len(moved)})
        prices = [
            NewPrice(
                id=one.id,
                name=one.name,
                before=to_wire(one.before, old.currency),
                after=to_wire(one.after, old.currency),
            )
            for one in moved
        ]
        return PricesChanged(applied=acting is not None, prices=prices)

    # Files.

    async def export(self, caller: Caller, venue_id: str, format: Format, table: Table = "items") -> bytes:
        """The menu as a file that `import_file` takes again. A CSV file holds one table, a workbook both."""
        menu = await self._look(caller, venue_id, keeping.load)
        return await self._workshop.do(caller.account_id, WRITE, MenuCopy(menu, format, table))

    async def import_file(
        self, caller: Caller, venue_id: str, raw: bytes, mode: Mode = "merge", *, dry_run: bool = False
    ) -> MenuImported:
        """Bring a file in, all of it or nothing: with any error nothing changes, and every error names its row."""
        caller.require(CHANGE)
        old = await self._peek(caller, venue_id, keeping.load)
        if not raw.strip():
            raise Invalid.field("file", "file_empty", "The file is empty.")
        outcome = await self._workshop.do(caller.account_id, READ, MenuFile(raw, old, mode))
        new = outcome.menu
        if new is None or dry_run:
            return _told_of(outcome, applied=False)

        async def work(tx: Tx, venue: Venue, acting: Acting) -> None:
            # What was read before the file is only written over if nobody changed it meanwhile.
            await keeping.save(tx, venue, old, new, self._clock.now_ms())
            told = {"added": outcome.added, "changed": outcome.changed, "removed": outcome.removed}
            await acting.note(tx, "menu.imported", "venue", venue.id, told)

        await self._change(caller, venue_id, work)
        return _told_of(outcome, applied=True)

    async def _edit(self, caller: Caller, venue_id: str, edit: Edit, action: str, object_id: str = "") -> MenuView:
        async def work(tx: Tx, venue: Venue, acting: Acting) -> MenuView:
            now = self._clock.now_ms()
            old = await keeping.load(tx, venue)
            kept = await keeping.save(tx, venue, old, edit(old), now)
            # A name as well: what is removed cannot be looked up.
            told = {"id": object_id, "name": ", ".join(_names(old, [object_id]))} if object_id else None
            await acting.note(tx, f"menu.{action}", "venue", venue.id, told)
            return wire.menu_view(kept, venue.id, now)

        return await self._change(caller, venue_id, work)

    async def _save(self, tx: Tx, venue: Venue, old: Menu, new: Menu, place: str) -> None:
        """Faults of the thing itself are told by the names of its own fields."""
        try:
            await keeping.save(tx, venue, old, new, self._clock.now_ms())
        except Invalid as fault:
            raise Invalid.fields([_in_form(one, place) for one in fault.errors]) from None

    async def _note(self, acting: Acting, tx: Tx, venue: Venue, kind: str, name: str, *, is_new: bool) -> None:
        action = f"menu.{kind}_{'added' if is_new else 'changed'}"
        await acting.note(tx, action, "venue", venue.id, {"name": name})


def _names(menu: Menu, ids: Sequence[str]) -> list[str]:
    """What the categories, items, option groups and options with these ids are called."""
    called = {one.id: one.name for one in menu.categories} | {one.id: one.name for one in menu.items}
    for group in menu.groups:
        called |= {group.id: group.name, **{option.id: option.name for option in group.options}}
    return [called[one] for one in ids if one in called]


def _need_room(count: int, most: int, kind: str) -> None:
    if count >= most:
        raise Conflict(f"A menu has at most {most:,} {kind}. Delete some first.", code="menu_full")


def _in_form(fault: FieldError, place: str) -> FieldError:
    kind = place.partition("[")[0]
    field = fault.field.removeprefix(place).removeprefix(f"{kind}.")
    return FieldError(_FORM.get(field, field), fault.code, fault.detail)


def _price_change(menu: Menu, fields: PriceFields) -> PriceChange:
    percent = Decimal(str(fields.get("percent") or 0)) * 100
    if percent != percent.to_integral_value():
        raise Invalid.field("percent", "out_of_range", "A percentage has two decimals at most.")
    step = fields.get("step")
    return PriceChange(
        percent_bp=int(percent),
        amount=wire.minor(fields.get("amount") or 0, menu.currency, "amount"),
        step=1 if step is None else wire.minor(step, menu.currency, "step"),
        rounding=fields.get("rounding") or "nearest",
        category_ids=list(fields.get("category_ids") or []),
        item_ids=list(fields.get("item_ids") or []),
        options=bool(fields.get("options")),
    )


def _told_of(outcome: ImportOutcome, *, applied: bool) -> MenuImported:
    return MenuImported(
        applied=applied,
        summary=MenuFileSummary(
            added=outcome.added, changed=outcome.changed, unchanged=outcome.unchanged, removed=outcome.removed
        ),
        errors=[
            MenuFileError(place=one.place, row=one.row, column=one.field, code=one.code, detail=one.detail)
            for one in outcome.errors
        ],
    )
