"""A believable restaurant: 80 dishes in two languages with pictures, three sections, twelve tables without signatures.

The pictures are drawn by `tools/draw_dishes.py`.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from zipfile import ZipFile

import msgspec

from tablegram.restaurant import staff, tables, venues
from tablegram.restaurant.hours import VenueHours
from tablegram.restaurant.menu.importing.documents import read_document
from tablegram.restaurant.menu.importing.merging import merge
from tablegram.restaurant.menu.keeping import load, save
from tablegram.restaurant.menu.model import Menu
from tablegram.restaurant.pictures import keeping as pictures
from tablegram.restaurant.pictures.model import Picture
from tablegram.restaurant.venues import Details, Venue
from tablegram.storage.database import Tx
from tablegram.values.ids import new_id
from tablegram.values.opening_hours import DAYS, WeekSpan
from tablegram.values.secrets import SecretBox

TIME_ZONE = "Europe/Istanbul"
ADDRESS = "Moda Caddesi 12, Kadıköy, İstanbul"
PICTURES = Path(__file__).with_name("pictures")
# All of them once more, as small as a list shows them.
TINY_PICTURES = PICTURES / "tiny.zip"
# As they are drawn; small enough to serve in both places as they are.
_PICTURE_SIZE = (640, 480)
# Section, its waiter, their phone (of a range that is kept free for fiction), and its last table.
_SECTIONS = (
    ("Salon", "Elif", "905550002001", 6),
    ("Bahçe", "Mert", "905550002002", 10),
    ("Teras", "Deniz", "905550002003", 12),
)


@cache
def demo_menu() -> Menu:
    """The menu by itself, with ids of its own; the same one each time."""
    return _filled(Menu("TRY", TIME_ZONE, ["tr", "en"], ["kitchen", "bar"]))


def _filled(empty: Menu) -> Menu:
    document = Path(__file__).with_name("menu.json").read_bytes()
    outcome = merge(empty, read_document(document, empty))
    if outcome.menu is None:
        raise ValueError(f"the demo's menu is faulty: {outcome.errors[:3]}")
    return outcome.menu


def demo_venue(account_id: int, box: SecretBox, now_ms: int, instance_id: int | None = None) -> Venue:
    """Open day and night, because nobody knows at which hour of their own day somebody tries it.

    Breakfast and the soups of the night keep hours of their own.
    """
    week = [WeekSpan(day, "00:00", "00:00") for day in DAYS]
    return Venue(
        account_id=account_id,
        id=new_id(),
        name="Safran Lokantası",
        currency="TRY",
        time_zone=TIME_ZONE,
        hours=VenueHours(TIME_ZONE, week),
        signing_key=tables.new_signing_key(box),
        created_at=now_ms,
        updated_at=now_ms,
        instance_id=instance_id,
        locale="tr-TR",
        languages=["tr", "en"],
        order_types=["dine_in", "takeaway", "delivery"],
        # Who tries the demo types a table's number.
        refuses_unsigned=False,
        details=Details(address=ADDRESS, preparation_min=20),
    )


async def fill(tx: Tx, account_id: int, box: SecretBox, now_ms: int, instance_id: int | None = None) -> Venue:
    """Give an account the demo's venue with its menu, pictures, waiters and tables."""
    venue = await venues.add(tx, demo_venue(account_id, box, now_ms, instance_id))
    empty = await load(tx, venue)
    await save(tx, venue, empty, await _illustrated(tx, venue, _filled(empty), now_ms), now_ms)
    number = 1
    for name, waiter_name, phone, last in _SECTIONS:
        waiter = await staff.add_waiter(tx, account_id, venue.id, waiter_name, phone, now_ms)
        section = await staff.add_section(tx, account_id, venue.id, name, waiter.id)
        while number <= last:
            table = tables.Table(account_id, new_id(), venue.id, str(number), now_ms, section.id, seats=4)
            await tables.add(tx, table)
            number += 1
    return await venues.find(tx, account_id, venue.id)


def picture_file(code: str) -> Path:
    """Where a dish's picture is: in the folder that its code begins with."""
    return PICTURES / code.partition("-")[0] / f"{code}.webp"


async def _illustrated(tx: Tx, venue: Venue, menu: Menu, now_ms: int) -> Menu:
    """The menu with a picture of each dish that there is one of."""
    items, tiny = [], ZipFile(TINY_PICTURES)
    for item in menu.items:
        file = picture_file(item.code)
        if file.exists():
            raw = file.read_bytes()
            picture = Picture(hashlib.sha256(raw).hexdigest(), *_PICTURE_SIZE, raw, raw, tiny.read(file.name))
            row = await pictures.add(tx, venue, picture, now_ms)
            item = msgspec.structs.replace(item, image_id=row["id"])
        items.append(item)
    return msgspec.structs.replace(menu, items=items)
