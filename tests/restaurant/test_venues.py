"""Venues, waiters, sections, tables and menus in a real database, each account's own."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import msgspec
import pytest

from tablegram.errors import Conflict, Invalid, NotFound
from tablegram.restaurant import calls, staff, tables, venues
from tablegram.restaurant.demo import house as demo
from tablegram.restaurant.hours import VenueHours
from tablegram.restaurant.menu import changes
from tablegram.restaurant.menu.keeping import load, save
from tablegram.restaurant.menu.model import Item, Menu
from tablegram.restaurant.tables import Table
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database
from tablegram.values.ids import new_id
from tablegram.values.opening_hours import WeekSpan
from tablegram.values.secrets import SecretBox
from tests.restaurant.kept import edit_menu
from tests.restaurant.menu.small import small_menu
from tests.storage.opened import add_accounts, opened

BOX = SecretBox("k" * 32)
NOW = 1_800_000_000_000
replace = msgspec.structs.replace


def venue(account_id: int = 1, **changes: object) -> Venue:
    whole = Venue(
        account_id, new_id(), "Safran", "TRY", "Europe/Istanbul",
        VenueHours("UTC", [WeekSpan("monday", "09:00", "17:00")]), tables.new_signing_key(BOX), NOW, NOW,
        languages=["tr", "en"],
    )  # fmt: skip
    return replace(whole, **changes)


async def add(db: Database, account_id: int = 1, **changes: object) -> Venue:
    return await db.write(lambda tx: venues.add(tx, venue(account_id, **changes)))


async def menu_of(db: Database, one: Venue) -> Menu:
    async def read(tx: object) -> Menu:
        return await load(tx, await venues.find(tx, one.account_id, one.id))  # type: ignore[arg-type]

    return await db.snapshot(read)


async def test_the_first_venue_is_the_default_and_there_is_never_a_second_one(database_url: str) -> None:
    async with opened(database_url) as db:
        first, second = await add(db), await add(db)
        other = await add(db, 2)
        assert (first.is_default, second.is_default, other.is_default) == (True, False, True)
        await db.write(lambda tx: venues.update(tx, replace(second, is_default=True), NOW + 1))
        now = {one.id: one.is_default for one in await db.snapshot(lambda tx: venues.every(tx, 1))}
        assert now == {first.id: False, second.id: True}
        # It can only be handed on, not laid down.
        kept = await db.write(lambda tx: venues.update(tx, replace(second, is_default=False), NOW + 2))
        assert kept.is_default
        with pytest.raises(Conflict):
            await db.write(lambda tx: venues.remove(tx, 1, second.id, NOW))
        await db.write(lambda tx: venues.remove(tx, 1, first.id, NOW))
        assert [one.id for one in await db.snapshot(lambda tx: venues.every(tx, 1))] == [second.id]
        with pytest.raises(NotFound):
            await db.snapshot(lambda tx: venues.find(tx, 2, second.id))


async def test_a_venue_comes_back_as_it_was_kept_with_hours_in_its_own_time_zone(database_url: str) -> None:
    async with opened(database_url) as db:
        kept = await add(db, instance_id=7, service_charge=1_000, refuses_unsigned=True)
        found = await db.snapshot(lambda tx: venues.find(tx, 1, kept.id))
        assert found == kept
        assert kept.hours.time_zone == "Europe/Istanbul"
        of_line = await db.snapshot(lambda tx: venues.of_line(tx, 1, 7))
        assert of_line == found
        assert await db.snapshot(lambda tx: venues.of_line(tx, 1, 8)) is None


async def test_guests_find_the_named_venue_or_the_only_one(database_url: str) -> None:
    async with opened(database_url) as db:
        assert await db.snapshot(lambda tx: venues.shown_to_guests(tx, None)) is None
        only = await add(db)
        found = await db.snapshot(lambda tx: venues.shown_to_guests(tx, None))
        assert found is not None
        assert found.id == only.id
        second = await add(db)
        found = await db.snapshot(lambda tx: venues.shown_to_guests(tx, None))
        assert found is not None
        assert found.id == only.id
        foreign = await add(db, 2)
        # Two accounts have a default each: a link without a name leads to the house that was here first.
        found = await db.snapshot(lambda tx: venues.shown_to_guests(tx, None))
        assert found is not None
        assert found.id == only.id
        for one in (second, foreign):
            named = await db.snapshot(lambda tx, one=one: venues.shown_to_guests(tx, one.id))  # type: ignore[misc]
            assert named is not None
            assert named.id == one.id


@pytest.mark.parametrize(
    ("changes_", "field"),
    [
        ({"name": ""}, "name"),
        ({"currency": "LIRA"}, "currency"),
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"locale": "turkish"}, "locale"),
        ({"languages": []}, "languages"),
        ({"order_types": ["by_boat"]}, "order_types"),
        ({"stations": []}, "stations"),
        ({"stations": ["bar, grill"]}, "stations"),
        ({"stations": ["Izgara", "ızgara"]}, "stations"),
        ({"stations": [" bar"]}, "stations"),
        ({"stations": ["b\x00r"]}, "stations"),
        ({"stations": ["x" * 41]}, "stations"),
        ({"service_charge": 5_001}, "service_charge"),
    ],
)
def test_what_a_venue_may_not_be_is_named(changes_: dict[str, Any], field: str) -> None:
    assert [one.field for one in venues.check_venue(venue(**changes_))] == [field]


async def test_a_menu_is_written_by_its_difference_and_its_version_grows(database_url: str) -> None:
    async with opened(database_url) as db:
        place = await add(db)
        # Groups have no order of their own, only that of their making.
        whole = small_menu(groups=sorted(small_menu().groups, key=lambda one: one.id))
        first = await db.write(lambda tx: edit_menu(tx, 1, place.id, lambda _: whole_of(_, whole), NOW))
        assert await menu_of(db, place) == first == replace(whole, version=2)
        turned = ["i-fries", "i-pide"]

        def change(old: Menu) -> Menu:
            cheaper = changes.put_item(
                old, replace(old.items_by_id["i-pide"], price=100, group_ids=["g-sauce", "g-size"])
            )
            return changes.remove_group(changes.reorder_items(cheaper, "c-main", turned), "g-extra")

        second = await db.write(lambda tx: edit_menu(tx, 1, place.id, change, NOW + 1))
        kept = await menu_of(db, place)
        assert kept.version == second.version == 3
        assert [one.id for one in kept.items_of("c-main")] == turned
        assert kept.items_by_id == second.items_by_id
        assert kept.groups_by_id == second.groups_by_id


def whole_of(old: Menu, new: Menu) -> Menu:
    return replace(new, version=old.version)


async def test_two_items_may_exchange_their_codes(database_url: str) -> None:
    async with opened(database_url) as db:
        place = await add(db)
        await db.write(lambda tx: edit_menu(tx, 1, place.id, lambda _: whole_of(_, small_menu()), NOW))

        def exchange(old: Menu) -> Menu:
            pide, tea = old.items_by_id["i-pide"], old.items_by_id["i-tea"]
            return changes.put_item(changes.put_item(old, replace(pide, code="tea")), replace(tea, code="pide"))

        await db.write(lambda tx: edit_menu(tx, 1, place.id, exchange, NOW))
        kept = await menu_of(db, place)
        assert (kept.items_by_id["i-pide"].code, kept.items_by_id["i-tea"].code) == ("tea", "pide")


async def test_a_faulty_menu_and_an_outdated_one_change_nothing(database_url: str) -> None:
    async with opened(database_url) as db:
        place = await add(db)
        with pytest.raises(Invalid):
            broken = Item("i", "none", "x", "", -1)
            await db.write(lambda tx: edit_menu(tx, 1, place.id, lambda old: changes.put_item(old, broken), NOW))
        old = await menu_of(db, place)
        await db.write(lambda tx: save(tx, place, old, whole_of(old, small_menu()), NOW))
        with pytest.raises(Conflict, match="Somebody else"):
            await db.write(lambda tx: save(tx, place, old, old, NOW))
        assert len((await menu_of(db, place)).items) == 4


async def test_edits_at_once_are_both_kept(database_url: str) -> None:
    async with opened(database_url) as db:
        place = await add(db)
        await db.write(lambda tx: edit_menu(tx, 1, place.id, lambda _: whole_of(_, small_menu()), NOW))

        async def dearer(item_id: str) -> None:
            def change(old: Menu) -> Menu:
                return changes.put_item(old, replace(old.items_by_id[item_id], price=1))

            await db.write(lambda tx: edit_menu(tx, 1, place.id, change, NOW))

        await asyncio.gather(*(dearer(one) for one in ("i-pide", "i-fries", "i-tea")))
        kept = await menu_of(db, place)
        assert [one.price for one in kept.items] != [one.price for one in small_menu().items]
        assert {one.id for one in kept.items if one.price == 1} == {"i-pide", "i-fries", "i-tea"}
        assert kept.version == 5


async def test_a_station_that_the_menu_stands_on_cannot_be_taken_away(database_url: str) -> None:
    async with opened(database_url) as db:
        place = await add(db)
        await db.write(lambda tx: edit_menu(tx, 1, place.id, lambda _: whole_of(_, small_menu()), NOW))
        for change in ({"stations": ["kitchen"]}, {"currency": "JPY"}):
            with pytest.raises(Conflict):
                await db.write(lambda tx, change=change: venues.update(tx, replace(place, **change), NOW))  # type: ignore[misc]
        kept = await db.write(lambda tx: venues.update(tx, replace(place, currency="EUR"), NOW))
        # The menu's version is the menu's own: saving the venue does not turn it back.
        assert kept.currency == "EUR"
        assert (await menu_of(db, place)).version == 2


async def test_tables_are_served_by_their_own_waiter_or_the_sections(database_url: str) -> None:
    async with opened(database_url) as db:
        place = await add(db)

        async def fill(tx: object) -> tuple[Table, Table, str]:
            elif_ = await staff.add_waiter(tx, 1, place.id, "Elif", "905551112233", NOW)  # type: ignore[arg-type]
            mert = await staff.add_waiter(tx, 1, place.id, "Mert", "", NOW)  # type: ignore[arg-type]
            garden = await staff.add_section(tx, 1, place.id, "Bahçe", elif_.id)  # type: ignore[arg-type]
            first = await tables.add(tx, Table(1, new_id(), place.id, "Bahçe 1", NOW, garden.id))  # type: ignore[arg-type]
            second = await tables.add(tx, Table(1, new_id(), place.id, "12", NOW, garden.id, mert.id))  # type: ignore[arg-type]
            return first, second, mert.id

        first, second, mert = await db.write(fill)
        assert (first.waiter_name, first.waiter_phone, first.section_name) == ("Elif", "905551112233", "Bahçe")
        assert (second.waiter_name, second.position) == ("Mert", 1)
        for text in ("bahce 1", "BAHÇE  1"):
            found = await db.snapshot(lambda tx, text=text: tables.find_by_label(tx, 1, place.id, text))  # type: ignore[misc]
            assert found == first
        assert await db.snapshot(lambda tx: tables.find_by_label(tx, 1, place.id, "012")) == second
        assert await db.snapshot(lambda tx: tables.find_by_label(tx, 2, place.id, "12")) is None
        await db.write(lambda tx: staff.remove_waiter(tx, 1, place.id, mert))
        assert (await db.snapshot(lambda tx: tables.find(tx, 1, place.id, second.id))).waiter_name == "Elif"
        with pytest.raises(Conflict):
            await db.write(lambda tx: tables.add(tx, Table(1, new_id(), place.id, "BAHCE 1", NOW)))
        with pytest.raises(Invalid):
            await db.write(lambda tx: tables.add(tx, Table(1, new_id(), place.id, "13", NOW, "none")))


async def test_rotating_a_table_refuses_its_old_codes_and_no_others(database_url: str) -> None:
    async with opened(database_url) as db:
        place = await add(db)
        first = await db.write(lambda tx: tables.add(tx, Table(1, new_id(), place.id, "1", NOW)))
        second = await db.write(lambda tx: tables.add(tx, Table(1, new_id(), place.id, "2", NOW)))
        leaked = tables.sign(BOX, place, first)
        fresh = await db.write(lambda tx: tables.rotate(tx, 1, place.id, first.id))
        assert tables.admit(BOX, place, fresh, leaked) == "forged"
        assert tables.admit(BOX, place, fresh, tables.sign(BOX, place, fresh)) == "signed"
        assert tables.admit(BOX, place, second, tables.sign(BOX, place, second)) == "signed"
        assert await db.write(lambda tx: tables.rotate_all(tx, 1, place.id)) == 2


async def test_printed_codes_outlive_the_installations_key(database_url: str) -> None:
    async with opened(database_url) as db:
        place = await add(db)
        table = await db.write(lambda tx: tables.add(tx, Table(1, new_id(), place.id, "1", NOW)))
        printed = tables.sign(BOX, place, table)
        rotating, later = SecretBox("n" * 32, "k" * 32), SecretBox("n" * 32)
        assert await tables.reseal(db, rotating) == 1
        assert await tables.reseal(db, rotating) == 0
        sealed = await db.snapshot(lambda tx: venues.find(tx, 1, place.id))
        assert tables.admit(later, sealed, table, printed) == "signed"


async def test_a_call_rings_once_until_it_is_answered(database_url: str) -> None:
    async with opened(database_url) as db:
        place = await add(db)
        table = await db.write(lambda tx: tables.add(tx, Table(1, new_id(), place.id, "1", NOW)))

        async def ring(kind: calls.Kind, at: int = NOW) -> tuple[calls.GuestCall, bool]:
            return await db.write(lambda tx: calls.call(tx, table, kind, " quick\nplease ", at))

        taps = await asyncio.gather(*(ring("waiter") for _ in range(3)), ring("bill"))
        assert sorted(is_new for _, is_new in taps) == [False, False, True, True]
        assert len({one.id for one, _ in taps}) == 2
        open_calls = await db.snapshot(lambda tx: calls.waiting(tx, 1, place.id))
        assert {(one.kind, one.table_label, one.note) for one in open_calls} == {
            ("waiter", "1", "quick please"), ("bill", "1", "quick please"),
        }  # fmt: skip
        first = open_calls[0]
        await db.write(lambda tx: calls.answer(tx, 1, place.id, first.id, "Elif", NOW + 1))
        heard = [
            await db.snapshot(partial(lambda at, tx: calls.heard(tx, table, at), at))
            for at in (NOW + 2, NOW + calls.COMES_MS, NOW + 1 + calls.COMES_MS, NOW + calls.WAITS_MS + 1)
        ]
        other = "waiter" if first.kind == "bill" else "bill"
        told = {first.kind: "answered", other: "waiting"}
        assert heard == [told, told, {other: "waiting"}, {}]
        with pytest.raises(NotFound):
            await db.write(lambda tx: calls.answer(tx, 1, place.id, first.id, "Mert", NOW + 2))
        assert (await ring(first.kind))[1] is True
        # The waiter came and told no screen of it: later guests still have a bell.
        assert (await ring(first.kind, NOW + calls.RINGS_AGAIN_MS - 1))[1] is False
        late = await asyncio.gather(*(ring(first.kind, NOW + calls.RINGS_AGAIN_MS) for _ in range(3)))
        assert sorted(is_new for _, is_new in late) == [False, False, True]
        assert len(await db.snapshot(lambda tx: calls.waiting(tx, 1, place.id))) == 2


async def test_the_demo_is_a_whole_restaurant(database_url: str) -> None:
    async with opened(database_url) as db:
        await add_accounts(db, 1)
        place = await db.write(lambda tx: demo.fill(tx, 1, BOX, NOW, 3))
        menu = await menu_of(db, place)
        assert len(menu.items) == 80
        assert [one.name for one in menu.categories] == [one.name for one in demo.demo_menu().categories]
        found = await db.snapshot(lambda tx: tables.every(tx, 1, place.id))
        assert [one.label for one in found] == [str(number) for number in range(1, 13)]
        assert all(one.waiter_name and one.section_name for one in found)
        assert all(tables.admit(BOX, place, one, None) == "unsigned" for one in found)
