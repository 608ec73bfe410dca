"""The desks of a restaurant: who may do what, who is told, and what hostile files can do to them."""

from __future__ import annotations

import asyncio
import io
import struct
import zipfile
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from PIL import Image
from sqlalchemy import update

from tablegram.accounts.accounts import Accounts
from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency
from tablegram.engine.leases import Leases
from tablegram.engine.owners import Owner
from tablegram.errors import Conflict, Invalid, NotFound, ScopeMissing
from tablegram.flows.restaurant.answers.menus import ItemView
from tablegram.flows.restaurant.desks.menu_desk import MenuDesk
from tablegram.flows.restaurant.desks.photos import Photos
from tablegram.flows.restaurant.desks.table_desk import TableDesk
from tablegram.flows.restaurant.desks.venue_desk import VenueDesk
from tablegram.flows.restaurant.venue_fields import ItemFields
from tablegram.messaging.instances import Instances
from tablegram.restaurant.menu.importing.archives import MAX_UNPACKED
from tablegram.restaurant.menu.importing.workbooks import read_workbook
from tablegram.restaurant.menu.model import Menu
from tablegram.restaurant.pictures.drawing import draw
from tablegram.restaurant.pictures.shrinking import Shrinking
from tablegram.storage.database import Database, Query
from tablegram.storage.tables import menu_images
from tablegram.storage.upkeep import archive
from tablegram.values.clock import DAY_MS, Clock
from tablegram.values.secrets import SecretBox
from tablegram.workshop.children import Children
from tests.drained import drained
from tests.restaurant.kept import NOON, store

pytestmark = pytest.mark.once

BOX = SecretBox("k" * 32)
API = "https://eat.example/api/v1"
CALL = Call("test")
VENUE = {
    "name": "Safran",
    "currency": "TRY",
    "time_zone": "Europe/Istanbul",
    "languages": ["tr", "en"],
    "hours": [{"day": day, "opens": "09:00", "closes": "23:00"} for day in ("sunday", "monday", "tuesday")],
}


class Noon(Clock):
    def now_ms(self) -> int:
        return NOON


@dataclass
class House:
    db: Database
    account_id: int
    workshop: Children
    told: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        clock = Noon()
        audit = self.audit = Audit(self.db, clock)
        idempotency = Idempotency(self.db, Owner(self.db), clock, DAY_MS)
        desk = (self.db, idempotency, clock, audit, lambda _, venue_id: self.told.append(venue_id))
        self.venues = VenueDesk(*desk, Instances(self.db, BOX, clock, "https://eat.example"), BOX, API)
        self.tables = TableDesk(*desk, self.workshop, BOX, API)
        self.menus = MenuDesk(*desk, self.workshop)
        self.photos = Photos(*desk, self.workshop, API)
        self.owner = self.caller("*")

    def caller(self, *scopes: str) -> Caller:
        return Caller(
            account_id=self.account_id, account_name="x", key_id="k", key_name="till", mode="live",
            scopes=frozenset(scopes), rate=1.0, burst=1, plan="free", prepaid=False, expires_at=None,
        )  # fmt: skip

    async def venue(self, **fields: Any) -> str:
        answer = await self.venues.create(self.owner, {**VENUE, **fields}, CALL)  # type: ignore[typeddict-item]
        return str(answer.value.id)

    async def dish(self, venue_id: str, name: str = "Soup", price: float = 10) -> ItemView:
        category = await self.menus.put_category(self.owner, venue_id, {"name": f"For {name}"})
        fields: ItemFields = {"category_id": category.id, "name": name, "price": price}
        return await self.menus.put_item(self.owner, venue_id, fields)


@asynccontextmanager
async def house(database_url: str) -> AsyncIterator[House]:
    async with store(database_url) as db:
        account = await Accounts(db, Noon()).create("one")
        workshop = Children(2)
        try:
            yield House(db, account.id, workshop)
        finally:
            await workshop.stop()


def photo(size: tuple[int, int], kind: str = "JPEG", **more: Any) -> bytes:
    out = io.BytesIO()
    Image.linear_gradient("L").resize(size).convert("RGB").save(out, kind, **more)
    return out.getvalue()


def claims_to_be(width: int, height: int) -> bytes:
    """A few bytes that say to be a huge picture."""
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(b"\0"))]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


@pytest.mark.both
async def test_whoever_looks_on_is_told_and_the_log_says_who_did_it(database_url: str) -> None:
    async with house(database_url) as one:
        venue = await one.venue()
        item = await one.dish(venue)
        await one.tables.add_many(one.owner, venue, 1, 3)
        await one.menus.sell_out(one.owner, venue, [item.id])
        one.told.clear()
        for change in (
            one.venues.update(one.owner, venue, {"name": "Zeytin"}),
            one.tables.rotate_all(one.owner, venue),
            one.menus.change_prices(one.owner, venue, {"percent": 10}),
            one.menus.import_file(one.owner, venue, b"category,name,price\nA,Ayran,20\n"),
        ):
            await change
        assert one.told == [venue] * 4
        with pytest.raises(Invalid):
            await one.venues.update(one.owner, venue, {"name": ""})
        await one.menus.import_file(one.owner, venue, b"category,name,price\nA,Tea,much\n")
        await one.menus.import_file(one.owner, venue, b"category,name,price\nA,Tea,9\n", dry_run=True)
        await one.menus.change_prices(one.owner, venue, {"percent": 10}, dry_run=True)
        assert len(one.told) == 4
        log = (await one.audit.page(one.account_id, limit=50)).data
        assert {row.actor.name for row in log} == {"till"}
        assert [row.action for row in log][:4] == [
            "menu.imported",
            "menu.prices_changed",
            "venue.codes_rotated",
            "venue.changed",
        ]


async def test_who_serves_may_look_and_sell_out_but_not_change_prices(database_url: str) -> None:
    async with house(database_url) as one:
        venue = await one.venue()
        item = await one.dish(venue)
        kitchen, stranger = one.caller("restaurant:read", "orders:manage"), one.caller("messages:send")
        manager = one.caller("restaurant:manage")
        assert (await one.menus.menu(kitchen, venue)).items[0].sold_out is False
        sold = await one.menus.sell_out(kitchen, venue, [item.id])
        # Monday at nine, in Istanbul.
        assert sold.items[0].sold_out_until == "2026-11-16T06:00:00.000Z"
        for refused in (
            one.menus.change_prices(kitchen, venue, {"percent": 5}),
            one.menus.put_item(kitchen, venue, {"price": 1}, item.id),
            one.tables.rotate_all(kitchen, venue),
            one.venues.update(kitchen, venue, {"name": "x"}),
            one.photos.put(kitchen, venue, photo((10, 10))),
            one.menus.menu(stranger, venue),
            one.menus.sell_out(stranger, venue, [item.id]),
            one.venues.page(stranger),
            one.tables.sheet(stranger, venue, "small"),
        ):
            with pytest.raises(ScopeMissing):
                await refused
        # Who may change need not be able to look.
        assert (await one.menus.import_file(manager, venue, b"category,name,price\nA,Tea,9\n")).applied
        assert (await one.menus.change_prices(manager, venue, {"percent": 5}, dry_run=True)).prices


@pytest.mark.both
async def test_a_menu_that_changed_while_a_file_was_read_is_not_written_over(database_url: str) -> None:
    async with house(database_url) as one:
        venue = await one.venue()
        await one.dish(venue)
        rows = "".join(f"A,dish {number},{number}\n" for number in range(1, 400))
        file = f"category,name,price\n{rows}".encode()
        done = await asyncio.gather(
            one.menus.import_file(one.owner, venue, file, "replace"),
            one.menus.put_category(one.owner, venue, {"name": "Meanwhile"}),
            return_exceptions=True,
        )
        names = {one.name for one in (await one.menus.menu(one.owner, venue)).categories}
        if isinstance(done[0], Conflict):
            assert done[0].code == "menu_changed"
        # Whichever was first, what somebody was told to be there is there.
        assert isinstance(done[0], Conflict) or "A" in names
        assert "Meanwhile" in names or not isinstance(done[1], dict) or isinstance(done[0], dict)


@pytest.mark.both
async def test_items_are_moved_between_others(database_url: str) -> None:
    async with house(database_url) as one:
        venue = await one.venue()
        table = b"category,name,price\nA,one,1\nA,two,2\nB,three,3\n"
        await one.menus.import_file(one.owner, venue, table)
        menu = await one.menus.menu(one.owner, venue)
        ids = {item.name: item.id for item in menu.items} | {group.name: group.id for group in menu.categories}

        async def order(item: str, category: str, before: str | None) -> list[str]:
            await one.menus.move_item(one.owner, venue, ids[item], ids[category], ids[before] if before else None)
            return [thing.name for thing in (await one.menus.menu(one.owner, venue)).items]

        assert await order("three", "A", "two") == ["one", "three", "two"]
        assert await order("one", "A", None) == ["three", "two", "one"]
        assert await order("two", "B", None) == ["three", "one", "two"]
        with pytest.raises(Invalid):
            await order("one", "A", "two")
        with pytest.raises(Invalid):
            await one.menus.move_item(one.owner, venue, ids["one"], "nowhere")


@pytest.mark.both
async def test_a_photo_loses_what_the_camera_wrote_and_stands_upright(database_url: str) -> None:
    async with house(database_url) as one:
        venue = await one.venue()
        exif = Image.Exif()
        # Turned to the side, and where it was taken.
        exif[0x0112] = 6
        exif[0x010F] = "Secret Camera"
        exif.get_ifd(0x8825)[1] = "N"
        made = await one.photos.put(one.owner, venue, photo((1600, 800), exif=exif))
        call = Call("test", "a photo")
        once = await one.photos.upload(one.owner, venue, photo((60, 40)), call)
        drawn = (await one.workshop.figures())["file_jobs_done_total"]
        again = await one.photos.upload(one.owner, venue, photo((60, 40)), call)
        assert (again.encoded().body, again.replayed) == (once.encoded().body, True)
        assert (await one.workshop.figures())["file_jobs_done_total"] == drawn
        assert (made.width, made.height) == (480, 960)
        large, small, tiny = [await one.photos.open(made.image_id, width) for width in (960, 320, 192)]
        for body, longest in ((large, 960), (small, 320), (tiny, 192)):
            picture = Image.open(io.BytesIO(body))
            assert (picture.format, max(picture.size)) == ("WEBP", longest)
            assert not picture.getexif()
            assert b"Secret" not in body
        assert len(tiny) < len(small) < len(large) < 60_000
        # One that was given before there were any so small is served as it is, until the engine has drawn it.
        images = menu_images.c
        forget = update(menu_images).where(images.account_id == one.owner.account_id).values(tiny=None)
        await one.db.write(lambda tx: tx.run(Query(forget), {}))
        assert await one.photos.open(made.image_id, 192) == small
        owner = Owner(one.db)
        await owner.register()
        shrinking = Shrinking(one.db, Noon(), Leases(one.db, owner), one.workshop)
        assert (await shrinking.drain.figures())['drain_waiting{drain="photo sizes"}'] == 2
        await drained(shrinking.drain)
        drawn_later = Image.open(io.BytesIO(await one.photos.open(made.image_id, 192)))
        assert (drawn_later.format, drawn_later.size) == ("WEBP", (96, 192))
        # What nobody can draw is shown as it is, and asked for no more.
        broken = update(menu_images).where(images.account_id == one.owner.account_id).values(tiny=None, large=b"none")
        await one.db.write(lambda tx: tx.run(Query(broken), {}))
        await drained(shrinking.drain)
        assert await one.photos.open(made.image_id, 192) == small
        assert (await shrinking.drain.figures())['drain_waiting{drain="photo sizes"}'] == 0
        for image_id, width in ((made.image_id, 100), ("none", 960)):
            with pytest.raises(NotFound):
                await one.photos.open(image_id, width)


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (lambda: b"", "image_empty"),
        (lambda: b"%PDF-1.7", "image_unreadable"),
        (lambda: photo((300, 300))[:-400], "image_unreadable"),
        (lambda: photo((300, 300), "PNG")[:200], "image_unreadable"),
        (lambda: photo((300, 300), "BMP"), "image_unreadable"),
        (lambda: claims_to_be(6_000, 6_000), "image_too_large"),
        (lambda: claims_to_be(60_000, 60_000), "image_too_large"),
    ],
    ids=["nothing", "paper", "cut off", "cut off as well", "another kind", "too large", "far too large"],
)
def test_what_is_no_picture_is_refused_without_being_unpacked(made: Callable[[], bytes], code: str) -> None:
    raw = made()
    with pytest.raises(Invalid) as refusal:
        draw(raw)
    assert refusal.value.code == code


def workbook(*rows: list[Any]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def rewritten(raw: bytes, part: str, content: bytes) -> bytes:
    """The archive with another content in one place."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, content if name == part else old.read(name))
    return out.getvalue()


EMPTY = Menu("TRY", "Europe/Istanbul", ["tr", "en"], ["kitchen", "bar"])


@cache
def table() -> bytes:
    return workbook(["category", "name", "price", "hidden", "available"], ["A", "one", 12.5, True, None])


def test_cells_mean_what_they_show() -> None:
    rows: list[list[Any]] = [
        ["Kategori", "Ürün", "Fiyat", "Gizli", "Kod"],
        ["A", "Çay", 12.5, True, 7],
        ["A", "Su", "8,75 ₺", "hayır", "007"],
    ]
    (tea, water) = read_workbook(workbook(*rows), EMPTY).items
    assert (tea.fields["price"], tea.fields["is_hidden"], tea.code) == (1250, True, "7")
    assert (water.fields["price"], water.fields["is_hidden"], water.code) == (875, False, "007")


def test_a_formula_is_the_value_that_was_seen_last() -> None:
    sheet = (
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">'
        b'<c r="A1" t="inlineStr"><is><t>name</t></is></c><c r="B1" t="inlineStr"><is><t>price</t></is></c></row>'
        b'<row r="2"><c r="A2" t="inlineStr"><is><t>Soup</t></is></c><c r="B2"><f>HYPERLINK("x")+2</f><v>42.5</v></c>'
        b"</row></sheetData></worksheet>"
    )
    (soup,) = read_workbook(rewritten(table(), "xl/worksheets/sheet1.xml", sheet), EMPTY).items
    assert soup.fields["price"] == 4250


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (lambda: table()[:300], "file_unreadable"),
        (lambda: rewritten(table(), "xl/worksheets/sheet1.xml", b" " * (MAX_UNPACKED + 1)), "file_too_large"),
        (
            lambda: rewritten(
                table(), "xl/workbook.xml", b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'
            ),
            "file_unreadable",
        ),
        (lambda: rewritten(table(), "xl/worksheets/sheet1.xml", b"<nonsense"), "file_unreadable"),
        (lambda: rewritten(table(), "[Content_Types].xml", b"<Types/>"), "file_unreadable"),
        (lambda: workbook(["a", "b"], [1, 2]), "name_column_missing"),
        (lambda: workbook(), "file_empty"),
        (lambda: workbook(["name", "price"], *[["x", 1]] * 5_001), "too_many_rows"),
    ],
    ids=["cut off", "a bomb", "entities", "no XML", "no types", "another table", "nothing", "too long"],
)
def test_hostile_workbooks_are_refused_in_words(made: Callable[[], bytes], code: str) -> None:
    raw = made()
    with pytest.raises(Invalid) as refusal:
        read_workbook(raw, EMPTY)
    assert refusal.value.code == code


@pytest.mark.both
async def test_a_backup_holds_venues_menus_and_pictures(
    database_url: str, fresh_database_url: str, tmp_path: Path
) -> None:
    async with house(database_url) as one:
        venue = await one.venue()
        made = await one.photos.put(one.owner, venue, photo((500, 400)))
        await one.dish(venue, "Çorba", 85.5)
        await one.tables.add_many(one.owner, venue, 1, 2)
        before = await one.photos.open(made.image_id, 960)
        menu, tables = await one.menus.menu(one.owner, venue), await one.tables.tables(one.owner, venue)
        counts = await archive.save(one.db, tmp_path / "backup", "secret", NOON)
        assert (counts["venues"], counts["menu_images"], counts["restaurant_tables"]) == (1, 1, 2)
        account_id = one.account_id
    await asyncio.to_thread(archive.load, fresh_database_url, tmp_path / "backup")
    async with store(fresh_database_url) as db:
        other = House(db, account_id, Children(1))
        assert await other.photos.open(made.image_id, 960) == before
        assert await other.menus.menu(other.owner, venue) == menu
        # Codes that are printed open the same tables.
        assert await other.tables.tables(other.owner, venue) == tables
