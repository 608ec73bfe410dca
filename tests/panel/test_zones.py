"""Delivery zones in the panel: drawn as figures, told beside their field where they are wrong, for who may change them."""

from __future__ import annotations

from pathlib import Path

from tests.cases import cases
from tests.panel.set_up import set_up
from tests.panel.test_couriers import furnish
from tests.panel.visiting import house

_ROUND = "40.95, 28.99\n40.95, 29.09\n41.05, 29.09\n41.05, 28.99"
ZONE = {
    "name": "Kadıköy", "kind": "polygon", "corners": _ROUND, "radius_m": "", "fee": "45,50", "minimum": "300",
    "free_from": "", "minutes": "45", "position": "0", "is_active": "1",
}  # fmt: skip


async def test_zones_are_made_changed_and_deleted_without_a_map(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner, staff, turk = await one.person(), await one.person("staff"), await one.person("manager", language="tr")
        assert (await owner.get("/panel/venue/zones")).location == "/panel/venue"
        venue = await set_up(owner)
        page, path = f"/panel/venue/zones?venue={venue}", f"/panel/venue/{venue}/zones"
        empty = await owner.get(page)
        assert "No zones yet" in empty.words
        assert "data-map=" not in empty.text
        wrong = {
            "no name": ({"name": ""}, 'id="name-error"'),
            "crossed": ({"corners": "40, 29\n41, 30\n40, 30\n41, 29"}, 'id="corners-error"'),
            "commas for points": ({"corners": "40,95 28,99\n40,95 29,09\n41,05 29,09"}, 'id="corners-error"'),
            "no figures": ({"corners": "nan, nan\n1, 2\n3, 4"}, 'id="corners-error"'),
            "off the earth": ({"corners": "91, 0\n1, 2\n3, 4"}, 'id="corners-error"'),
            "a circle around nowhere": ({"kind": "circle", "radius_m": "500"}, 'id="radius_m-error"'),
            "no amount": ({"fee": "a lot"}, 'id="fee-error"'),
            "half a span": ({"monday_opens": "18:00", "monday_closes": ""}, 'id="hours-error"'),
            "no time": ({"sunday_opens": "25:00", "sunday_closes": "26:00"}, 'id="hours-error"'),
            "no minutes": ({"minutes": "soon"}, 'id="minutes-error"'),
        }
        with cases() as tried:
            for name, (changes, told) in wrong.items():
                with tried.case(name):
                    refused = await owner.post(path, {**ZONE, **changes})
                    assert refused.status == 422
                    assert told in refused.text
                    assert "Kadıköy" in refused.text or name == "no name"
        assert (await staff.post(path, ZONE)).status == 403
        made = await owner.post(path, ZONE)
        assert (made.status, made.location) == (303, page)
        shown = await owner.get(page)
        for words in ("Kadıköy", "Outline with 4 corners", "₺45.50", "45 minutes"):
            assert words in shown.words
        assert "4 köşeli alan" in (await turk.get(page)).words
        point = f"/panel/venue/{venue}/point"
        for bad in ({"latitude": "40,98", "longitude": "29"}, {"latitude": "95", "longitude": "29"}, {"latitude": "4"}):
            assert (await owner.post(point, {"longitude": "", **bad})).status == 422
        assert (await owner.post(point, {"latitude": "40.9876", "longitude": "29.0287"})).status == 303
        assert (await owner.post(path, {**ZONE, "name": "Near", "kind": "circle", "radius_m": "800"})).status == 303
        listed = await owner.get(page)
        assert "Circle of 800 m" in listed.words
        zone = listed.text.split("/panel/venue/zones/")[2].partition("?")[0]
        looked = await owner.get(f"/panel/venue/zones/{zone}?venue={venue}")
        assert "data-map=" in looked.text
        assert (await staff.get(f"/panel/venue/zones/{zone}?venue={venue}")).status == 200
        assert (await owner.post(f"{path}/{zone}", {**ZONE, "name": "Nearer"})).status == 303
        assert "Nearer" in (await owner.get(page)).words
        # Its hours are a week of spans, as those of a venue are; nothing is always.
        timed = {**ZONE, "name": "Nearer", "friday_opens": ["12:00", "18:00"], "friday_closes": ["14:00", "23:30"]}
        assert (await owner.post(f"{path}/{zone}", timed)).status == 303
        kept = (await one.running.ask("GET", f"/restaurant/venues/{venue}/zones/{zone}")).json()
        assert kept["hours"] == [
            {"day": "friday", "opens": "12:00", "closes": "14:00"}, {"day": "friday", "opens": "18:00", "closes": "23:30"},
        ]  # fmt: skip
        assert "at set hours" in (await owner.get(page)).words
        assert "belirli saatlerde" in (await turk.get(page)).words
        opened = await owner.get(f"/panel/venue/zones/{zone}?venue={venue}")
        assert 'class="zone-hours" open' in opened.text
        assert 'value="23:30"' in opened.text
        # What is kept is written as it was typed.
        assert 'value="45.50"' in opened.text
        assert 'value="300"' in opened.text
        assert 'value="45,50"' in (await turk.get(f"/panel/venue/zones/{zone}?venue={venue}")).text
        assert (await owner.post(f"{path}/{zone}", ZONE)).status == 303
        assert (await one.running.ask("GET", f"/restaurant/venues/{venue}/zones/{zone}")).json()["hours"] is None
        assert (await owner.post(f"{path}/{zone}", {"act": "remove"})).status == 303
        assert (await owner.get(f"/panel/venue/zones/{zone}?venue={venue}")).status == 404
        assert "Delivery zone added" in (await owner.get("/panel/audit")).words


async def test_the_board_says_where_a_delivery_goes_to_whom_it_may(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner, turk, kitchen = await one.person(), await one.person("staff", language="tr"), await one.person("kitchen")
        venue, dish = await furnish(one)
        base = f"/restaurant/venues/{venue}"
        await one.running.ask("PATCH", base, {"latitude": 40.9876, "longitude": 29.0287})
        await one.running.ask("POST", f"{base}/zones", {"name": "Moda", "radius_m": 3_000, "fee": 20, "minutes": 30})
        goes = {"address": "Lale Sk. 12", "latitude": 40.9993, "longitude": 29.0287}
        body = {
            "venue_id": venue,
            "order_type": "delivery",
            "lines": [{"item_id": dish}],
            "customer_phone": "905551112233",
            "customer_name": "Ayşe",
        }
        made = (await one.running.ask("POST", "/orders", {**body, **goes})).json()
        assert "order_id" in made, made
        number = made["order_id"]
        way = "https://www.google.com/maps/dir/?api=1&amp;destination=40.999300,29.028700"
        for page in (f"/panel/board?venue={venue}", f"/panel/orders/{number}"):
            seen, read, cooked = await owner.get(page), await turk.get(page), await kitchen.get(page)
            assert "Lale Sk. 12" in seen.words
            assert "Moda · 1.3 km away" in seen.words
            assert "Moda · 1,3 km uzakta" in read.words
            assert way in seen.text
            assert "Lale Sk." not in cooked.text
            assert "Moda" not in cooked.words
            assert "maps/dir" not in cooked.text


async def test_addresses_of_a_contact_are_labelled_corrected_and_deleted(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner, kitchen, turk = (
            await one.person(),
            await one.person("kitchen"),
            await one.person("manager", language="tr"),
        )
        contact = (await one.running.ask("POST", "/contacts", {"phone": "905551112233", "name": "Ayşe"})).json()["id"]
        path = f"/panel/contacts/{contact}/addresses"
        assert "See addresses" in (await owner.get(f"/panel/contacts/{contact}")).words
        assert "No addresses yet" in (await owner.get(path)).words
        assert "Henüz adres yok" in (await turk.get(path)).words
        assert (await kitchen.get(path)).status == 403
        refused = await owner.post(path, {"label": "Ev", "address": "x"})
        assert refused.status == 422
        assert 'id="address-error"' in refused.text
        assert (await owner.post(path, {"label": "Ev", "address": "Moda Caddesi 12"})).status == 303
        shown = await owner.get(path)
        assert "Moda Caddesi 12" in shown.text
        address = shown.text.split(f"{path}/")[1].partition('"')[0]
        assert (await owner.post(f"{path}/{address}", {"label": "İş", "address": "Moda 13"})).status == 303
        assert "Moda 13" in (await owner.get(path)).text
        assert (await kitchen.post(f"{path}/{address}", {"act": "remove"})).status == 403
        assert (await owner.post(f"{path}/{address}", {"act": "remove"})).status == 303
        assert "Moda 13" not in (await owner.get(path)).text
        assert (await owner.get("/panel/contacts/nobody/addresses")).status == 404
