"""The restaurant on the home page and on a contact's card: for those who have a part in it."""

from __future__ import annotations

from pathlib import Path

from tablegram.demo import orders as demo_orders
from tablegram.restaurant import tables
from tablegram.restaurant.menu.keeping import load
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tests.panel.test_inbox_pages import PHONE, contact
from tests.panel.visiting import House, house
from tests.restaurant.furnished import furnish


async def open_venue(one: House, *, filled: bool = True, contact_id: str | None = None) -> Venue:
    product = one.running.api
    now = product.clock.now_ms()

    async def work(tx: Tx) -> Venue:
        venue = await furnish(tx, 1, product.box, now)
        if filled:
            room, menu = await tables.every(tx, 1, venue.id), await load(tx, venue)
            guests = [("Ayşe <b>", PHONE, "tr", contact_id)]
            await demo_orders.Past(venue, menu, room, guests, now).write(tx)
        return venue

    return await product.db.write(work)


async def test_everybody_sees_the_part_of_the_day_that_is_his(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        await open_venue(one)
        owner = (await one.person("owner")).get
        home = await owner("/panel/")
        for words in ("Safran Lokantası today", "Orders running 10", "1 to accept", "Revenue ₺", "Yesterday ₺"):
            assert words in home.words, words
        assert "what to do next" not in home.words.split("Safran Lokantası")[1][:20]
        staff = await (await one.person("staff", language="tr")).get("/panel/")
        assert "Süren siparişler 10" in staff.words
        assert "Ciro" not in staff.words
        part = await owner("/panel/?part=now")
        assert "Orders running" in part.words
        kitchen = await (await one.person("kitchen")).get("/panel/")
        assert (kitchen.status, kitchen.location) == (303, "/panel/board")
        accountant = await (await one.person("developer")).get("/panel/")
        assert "Orders running" not in accountant.words
        # The other account has no restaurant.
        stranger = await (await one.person("owner", account=2)).get("/panel/")
        assert "Orders running" not in stranger.words
        assert "Open a venue" in stranger.words


async def test_a_new_venue_is_told_what_it_still_needs(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        await open_venue(one, filled=False)
        home = await (await one.person("owner")).get("/panel/")
        assert "Safran Lokantası: what to do next" in home.words
        assert "Give the venue a line" in home.words
        assert "Put the menu in (done)" in home.words
        assert "Take the first order" in home.words


async def test_a_contacts_card_shows_what_he_ordered_last(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        contact_id = await contact(one)
        await open_venue(one, contact_id=contact_id)
        owner = await one.person("owner")
        for path in (
            f"/panel/inbox/{contact_id}",
            f"/panel/inbox/{contact_id}?part=card",
            f"/panel/contacts/{contact_id}",
        ):
            page = await owner.get(path)
            assert page.status == 200, path
            assert page.text.count('href="/panel/orders/ORD-') >= 5, path
            assert "In the kitchen" in page.words or "Preparing" in page.words or "Waiting to be accepted" in page.words
        reader = await one.person("developer", language="tr")
        page = await reader.get(f"/panel/contacts/{contact_id}")
        assert page.status != 200 or 'href="/panel/orders/' not in page.text
