"""Delivery zones in the panel: drawn as figures, told beside their field where they are wrong, for who may change them."""

from __future__ import annotations

from pathlib import Path

from tests.cases import cases
from tests.panel.test_venue import set_up
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
        assert (await owner.post(f"{path}/{zone}", {"act": "remove"})).status == 303
        assert (await owner.get(f"/panel/venue/zones/{zone}?venue={venue}")).status == 404
        assert "Delivery zone added" in (await owner.get("/panel/audit")).words


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
