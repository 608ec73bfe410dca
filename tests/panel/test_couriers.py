"""Deliveries and couriers in the panel: given out, moved on, taken back, counted, and only by whom they are for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.panel.visiting import House, Person, house

GUEST = {"address": "Moda Cad. 12", "customer_phone": "905551112233", "customer_name": "Ayşe"}


async def furnish(one: House) -> tuple[str, str]:
    """A venue that delivers, and a dish of it."""

    async def made(path: str, body: Any) -> Any:
        return (await one.running.ask("POST", path, body)).json()

    fields = {"name": "Safran", "currency": "TRY", "time_zone": "Europe/Istanbul"}
    venue = (await made("/restaurant/venues", {**fields, "order_types": ["dine_in", "delivery"]}))["id"]
    group = (await made(f"/restaurant/venues/{venue}/menu/categories", {"name": "All"}))["id"]
    dish = {"category_id": group, "name": "Lahmacun", "price": 90}
    return venue, (await made(f"/restaurant/venues/{venue}/menu/items", dish))["id"]


async def _order(one: House, venue: str, dish: str) -> str:
    body = {
        "venue_id": venue,
        "order_type": "delivery",
        "lines": [{"item_id": dish}],
        "payment_method": "cash",
        **GUEST,
    }
    made = (await one.running.ask("POST", "/orders", body)).json()
    await one.running.ask("POST", f"/orders/{made['order_id']}/finish", {})
    return str(made["order_id"])


async def _hire(person: Person, venue: str, **fields: str) -> str:
    given = {"venue": venue, "name": "Mert Aydın", "phone": "0555 000 00 01", "language": "tr", **fields}
    made = await person.post("/panel/couriers/people", given)
    assert made.status == 303, made.words
    page = await person.get("/panel/couriers/people")
    return str(re.findall(r"/panel/couriers/people/(\w{26})", page.text)[-1])


async def test_an_order_is_given_out_brought_and_its_cash_counted(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person("owner")
        venue, dish = await furnish(one)
        assert "No couriers yet" in (await owner.get("/panel/couriers")).words
        assert "No couriers yet" in (await owner.get("/panel/couriers/people")).words
        assert (await owner.post("/panel/couriers/people", {"venue": venue, "name": ""})).status == 422
        courier = await _hire(owner, venue)
        taken = await owner.post("/panel/couriers/people", {"venue": venue, "name": "Seda", "phone": "+905550000001"})
        assert (taken.status, "has this number" in taken.words) == (422, True)
        number = await _order(one, venue, dish)
        board = await owner.get("/panel/couriers")
        assert "Moda Cad. 12" in board.words
        assert "To give out 1" in board.words
        await owner.post("/panel/couriers/give", {"venue": venue, "order_id": number, "courier_id": courier})
        board = await owner.get("/panel/couriers")
        assert "Every order has somebody" in board.words
        assert "maps/dir" in board.text
        (delivery,) = set(re.findall(r"/panel/couriers/deliveries/(\w+)", board.text))
        path = f"/panel/couriers/deliveries/{delivery}"
        await owner.post(path, {"act": "pick_up"})
        board = await owner.get("/panel/couriers")
        assert "On its way" in board.words
        step = re.search(r'name="step_id" value="(\w+)"', board.text)
        assert step is not None
        await owner.post(path, {"act": "undo", "step_id": step[1]})
        assert "To be picked up" in (await owner.get("/panel/couriers")).words
        await owner.post(path, {"act": "pick_up"})
        for wrong in ("deliver:gold", "fly", ""):
            await owner.post(path, {"act": wrong})
        await owner.post(path, {"act": "deliver:cash"})
        board = await owner.get("/panel/couriers")
        assert "Nobody is out." in board.words
        assert "Took ₺90" in board.words or "Took" in board.words
        # Looked for, and found or not.
        assert number.rpartition("-")[2] in (await owner.get("/panel/couriers?q=moda")).words
        assert "Nothing found" in (await owner.get("/panel/couriers?q=zzz")).words
        people = f"/panel/couriers/people/{courier}"
        await owner.post(people, {"venue": venue, "act": "end"})
        page = await owner.get("/panel/couriers/people")
        shift = re.search(r"/panel/couriers/cash/(\w+)", page.text)
        assert shift is not None
        cash = {"venue": venue, "currency": "TRY", "note": ""}
        for wrong in ("", "x", "-5"):
            await owner.post(f"/panel/couriers/cash/{shift[1]}", {**cash, "counted": wrong})
        assert shift[1] in (await owner.get("/panel/couriers/people")).text
        await owner.post(f"/panel/couriers/cash/{shift[1]}", {**cash, "counted": "80,50"})
        page = await owner.get("/panel/couriers/people")
        assert "All cash is counted" in page.words
        changed = await owner.post(people, {"venue": venue, "name": "Mert A.", "phone": "", "active": "1"})
        assert changed.status == 303
        assert "Mert A." in (await owner.get("/panel/couriers/people")).words
        await owner.post(people, {"venue": venue, "act": "remove"})
        assert "No couriers yet" in (await owner.get("/panel/couriers/people")).words


async def test_a_kitchen_gives_out_orders_and_sees_no_phone_no_address_and_no_money(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person("owner")
        venue, dish = await furnish(one)
        courier = await _hire(owner, venue)
        orders = [await _order(one, venue, dish) for _ in range(2)]
        kitchen = await one.person("kitchen", language="tr")
        for number in orders:
            await kitchen.post("/panel/couriers/give", {"venue": venue, "order_id": number, "courier_id": courier})
        board = await kitchen.get("/panel/couriers")
        assert "Mert Aydın" in board.words
        for secret in ("Moda Cad", "905551112233", "555 111", "maps/dir", "₺90", "90,00"):
            assert secret not in board.text
        deliveries = re.findall(r"/panel/couriers/deliveries/(\w+)", board.text)
        await kitchen.post(f"/panel/couriers/deliveries/{deliveries[0]}", {"act": "deliver:cash"})
        people = await kitchen.get("/panel/couriers/people")
        assert "905550000001" not in people.text
        assert "Nakit" not in people.words
        # The second stop becomes the first.
        await owner.post(f"/panel/couriers/{courier}/first", {"venue": venue, "delivery_id": deliveries[-1]})
        after = await owner.get("/panel/couriers")
        assert re.findall(r"/panel/couriers/deliveries/(\w+)", after.text)[0] == deliveries[-1]
        await owner.post(f"/panel/couriers/{courier}/nearest", {"venue": venue})
        # Why something came back is read by whoever may know where it was.
        for step, body in (("pick_up", {}), ("bring_back", {"reason": "Moda Cad. 12: zil bozuk"})):
            await one.running.ask("POST", f"/restaurant/deliveries/{deliveries[-1]}/{step}", body)
        assert "zil bozuk" in (await owner.get("/panel/couriers")).words
        assert "zil bozuk" not in (await kitchen.get("/panel/couriers")).words


async def test_a_courier_s_page_is_handed_out_and_taken_away_by_who_manages_the_restaurant(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person("owner")
        venue, _ = await furnish(one)
        courier = await _hire(owner, venue)
        place = f"/panel/couriers/people/{courier}/page"
        assert place in (await owner.get("/panel/couriers/people")).text
        assert "has no page yet" in (await owner.get(place)).words
        given = await owner.post(place, {"act": "pin", "once": "HandedOutOnceForAll1"})
        again = await owner.post(place, {"act": "pin", "once": "HandedOutOnceForAll1"})
        link = re.search(r'data-copy="([^"]*/courier/[\w-]+)"', given.text)
        pin = re.search(r'data-copy="(\d{6})"', given.text)
        assert link is not None
        assert pin is not None
        assert "<svg" in given.text
        # Sent twice it is one PIN; looked at later it is none.
        assert f'data-copy="{pin[1]}"' in again.text
        later = await owner.get(place)
        assert link[1] in later.text
        assert pin[1] not in later.text
        fresh = await owner.post(place, {"act": "link", "once": "HandedOutOnceForAll2"})
        assert link[1] not in fresh.text
        assert (await owner.post(place, {"act": "fly"})).status == 404
        staff = await one.person("staff", language="tr")
        assert place not in (await staff.get("/panel/couriers/people")).text
        assert (await staff.get(place)).status == 403
        assert (await staff.post(place, {"act": "pin"})).status == 403
        stranger = await one.person("owner", account=2)
        assert (await stranger.get(place)).status == 404
        assert (await owner.post(place, {"act": "revoke"})).status == 303
        assert "has no page yet" in (await owner.get(place)).words
        audit = await owner.get("/panel/audit")
        assert "Page of a courier revoked" in audit.words
        assert pin[1] not in audit.text
