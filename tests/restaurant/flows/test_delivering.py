"""Where a delivery goes: asked for, shared, typed or saved; in a zone with its fee, or outside with what is possible."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from tablegram.delivery.zones import keeping as zones
from tablegram.delivery.zones.model import Shape, Zone
from tablegram.engine.idempotency import Call
from tablegram.errors import Conflict, Problem
from tablegram.flows.restaurant.fields import ChangeFields, TakeFields
from tablegram.storage.database import Query, Row
from tablegram.storage.tables import contact_addresses
from tablegram.values.ids import new_id
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tests.crm.pool import OTHER, PHONE
from tests.restaurant.flows.house import House, house
from tests.restaurant.flows.taps import tap

pytestmark = pytest.mark.later

_HOME = 40_987_600, 29_028_700
# In the circle, in the square around it, and beyond both.
NEAR, WIDE, FAR = (40.9880, 29.0290), (41.0400, 29.0800), (41.2000, 29.0800)
_SQUARE = ((40_950_000, 28_990_000), (40_950_000, 29_090_000), (41_050_000, 29_090_000), (41_050_000, 28_990_000))


async def draw(one: House, **changes: Any) -> None:
    """A near zone for 20.00 from 100.00 on, and a wide one for 45.50 which is free from 900.00 on."""
    latitude, longitude = _HOME
    kinds = ["dine_in", "takeaway", "delivery"]
    await one.change_venue(order_types=kinds, details={"latitude": latitude, "longitude": longitude, **changes})
    near = {"name": "Moda", "shape": Shape("circle", radius_m=1_000), "fee": 2_000, "minimum": 10_000, "minutes": 25}
    wide = {"name": "Kadıköy", "shape": Shape("polygon", corners=_SQUARE), "fee": 4_550, "free_from": 90_000}
    for position, fields in enumerate((near, wide)):
        zone = Zone(account_id=1, id=new_id(), venue_id=one.venue.id, position=position, **fields)  # type: ignore[arg-type]
        await one.db.write(partial(lambda zone, tx: zones.add(tx, zone, one.venue.point), zone))


async def share(one: House, place: tuple[float, float], phone: str = PHONE) -> None:
    message: dict[str, Any] = {
        "from": phone, "id": f"wamid.{new_id()}", "type": "location",
        "timestamp": str(one.clock.now_ms() // 1_000), "location": {"latitude": place[0], "longitude": place[1]},
    }  # fmt: skip
    await one.pool.receive(message, people=[{"profile": {"name": "Ayşe"}, "wa_id": phone}])


def charges(order: Row) -> list[tuple[str, str, int]]:
    return [(one["kind"], one["name"], one["amount"]) for one in msgspec.json.decode(order["charges"])]


def destination(order: Row) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(order["destination"])
    return found


@pytest.mark.parametrize(
    ("order", "yes", "asks", "fee", "arrives"),
    [
        ("2 lahmacun adrese teslim", "evet", "Nereye getirelim?", "Teslimat: ", "25 dakikada kapınızda"),
        ("2 lahmacun delivery please", "yes", "Where shall we bring it?", "Delivery: ", "in about 25 minutes"),
    ],
)
async def test_a_guest_is_asked_shares_a_place_and_orders_with_its_fee(
    database_url: str, order: str, yes: str, asks: str, fee: str, arrives: str
) -> None:
    async with house(database_url, reads_back=True) as one:
        await draw(one)
        await one.write(order)
        assert asks in (await one.said())[-1]
        # By the network's own button for places, whatever the length of what was read back.
        assert (await one.pool.messages("out"))[-1]["type"] == "location_request"
        await share(one, NEAR)
        told = (await one.said())[-1]
        assert fee in told
        assert arrives in told
        assert await one.placed() == []
        await one.write(yes)
        placed = await one.order()
        assert [(kind, amount) for kind, _, amount in charges(placed)] == [("delivery", 2_000)]
        assert placed["total"] == 2 * one.item("Lahmacun").price + 2_000
        assert placed["state"] == "sent_to_kitchen"
        assert placed["route_url"] == "https://www.google.com/maps/dir/?api=1&destination=40.988000,29.029000"
        where = destination(placed)
        assert (where["zone"], where["latitude"], where["distance_m"]) == ("Moda", 40_988_000, 51)
        assert placed["promised_at"] - placed["created_at"] == 25 * 60_000
        (event,) = await one.told("restaurant.order_created")
        assert event["charges"] == [{"kind": "delivery", "name": charges(placed)[0][1], "amount": 20.0}]
        assert (event["destination"]["zone"], event["destination"]["latitude"]) == ("Moda", 40.988)


async def test_an_address_in_words_is_asked_for_its_place_once_and_goes_on_without(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await draw(one)
        await one.write("2 lahmacun, Moda Caddesi No 12 Daire 3")
        asked = (await one.said())[-1]
        assert "konumunuzu" in asked
        assert "Moda Caddesi No 12 Daire 3" in asked
        assert (await one.pool.messages("out"))[-1]["type"] == "location_request"
        await one.write("evet")
        placed = await one.order()
        # Nobody knows what it costs: staff decide, though the venue accepts by itself.
        assert (placed["state"], charges(placed), destination(placed).get("zone")) == (
            "awaiting_confirmation", [], None,
        )  # fmt: skip
        assert "konumunuzu" in (await one.said())[-1]
        assert (await one.pool.messages("out"))[-1]["type"] == "location_request"
        # The place comes after all: the fee comes on top, and the guest hears of it.
        await share(one, WIDE)
        placed = await one.order()
        assert [amount for _, _, amount in charges(placed)] == [4_550]
        assert placed["total"] == 2 * one.item("Lahmacun").price + 4_550
        assert "Teslimat: " in (await one.said())[-1]
        # Once it is accepted, another place changes no sum.
        await one.act(placed["order_id"], "accept")
        await share(one, NEAR)
        assert (await one.order())["total"] == placed["total"]
        assert destination(await one.order())["zone"] == "Moda"


async def test_what_is_too_long_for_a_button_is_told_first_and_then_the_place_is_asked_for(database_url: str) -> None:
    async with house(database_url) as one:
        telling = one.product.of(RestaurantWorks).ordering.telling
        for text, told in (("a" * 900, ["location_request"]), ("b" * 1_020, ["text", "location_request"])):
            before = len(await one.pool.messages("out"))
            await one.db.write(
                partial(
                    lambda text, tx: telling.say(tx, one.venue, PHONE, text, one.clock.now_ms(), asks="Where?"), text
                )
            )
            came = (await one.pool.messages("out"))[before:]
            assert [row["type"] for row in came] == told
            assert came[-1]["text"].endswith("Where?")


async def test_outside_every_zone_a_guest_hears_what_would_be_possible(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await draw(one)
        await one.write("2 lahmacun delivery please")
        await share(one, FAR)
        told = (await one.said())[-1]
        for part in ("we do not deliver", "16.7 km beyond our zone Kadıköy", "*takeaway*", "another place"):
            assert part in told, told
        # In Turkish too, with a comma in its figures.
        await one.write("2 lahmacun adrese teslim", OTHER)
        await share(one, FAR, OTHER)
        said = (await one.said(OTHER))[-1]
        for part in ("bu konuma servisimiz yok", "Kadıköy bölgemizin 16,7 km dışında", "*gel al*", "Başka bir konum"):
            assert part in said, said
        await one.write("yes")
        assert await one.placed() == []
        await one.write("takeaway")
        await one.write("yes")
        placed = await one.order()
        assert (placed["order_type"], placed["route_url"], placed["destination"]) == ("takeaway", "", None)


async def test_less_than_the_minimum_says_what_is_missing_and_more_is_brought(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await draw(one)
        await one.change_item("Lahmacun", price=9_000)
        await one.write("1 lahmacun delivery please")
        await share(one, NEAR)
        assert "₺10.00 is still missing" in (await one.said())[-1]
        await one.write("yes")
        assert await one.placed() == []
        await one.write("one more lahmacun")
        assert "missing" not in (await one.said())[-1]
        await one.write("yes")
        assert (await one.order())["total"] == 20_000


async def test_saved_addresses_are_offered_by_number_to_their_owner_alone(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await draw(one)
        await one.write("2 lahmacun, Moda Caddesi No 12 Daire 3")
        await share(one, NEAR)
        await one.write("evet")
        rows = await one.db.all(Query(select(contact_addresses).where(contact_addresses.c.account_id == 1)))
        assert [(row["address"], row["latitude"]) for row in rows] == [("Moda Caddesi No 12 Daire 3", 40_988_000)]
        # Somebody else is offered nothing of it, and their number chooses nothing.
        await one.write("2 lahmacun adrese teslim", OTHER)
        await one.write("1", OTHER)
        assert not any("Moda Caddesi" in text for text in await one.said(OTHER))
        await one.write("1 lahmacun 1 ayran adrese teslim")
        assert "1. Moda Caddesi No 12 Daire 3" in (await one.said())[-1]
        await one.write("1")
        assert "Teslimat: " in (await one.said())[-1]
        await one.write("evet")
        mine = [row for row in await one.placed() if row["customer_phone"] == PHONE]
        assert [row["address"] for row in mine] == ["Moda Caddesi No 12 Daire 3"] * 2
        assert destination(mine[-1])["zone"] == "Moda"


async def brought(one: House, text: str) -> list[str]:
    """What the guest hears when an order to some address has come, an hour after the one before."""
    one.clock.advance(3_600)
    await one.write(text)
    await share(one, NEAR)
    await one.write("evet")
    number = (await one.placed())[-1]["order_id"]
    for action in ("finish", "dispatch"):
        await one.act(number, action)
    before = len(await one.said())
    await one.act(number, "deliver")
    return (await one.said())[before:]


async def labels(one: House) -> dict[str, str]:
    rows = await one.db.all(Query(select(contact_addresses).where(contact_addresses.c.account_id == 1)))
    return {row["address"]: row["label"] for row in rows}


async def test_a_guest_says_with_a_tap_what_to_call_an_address_and_orders_there_with_a_word(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await draw(one)
        (asked,) = await brought(one, "2 lahmacun, Moda Caddesi No 12 Daire 3")
        assert "*ev* olarak mı, *iş* olarak mı" in asked
        content = msgspec.json.decode((await one.pool.messages("out"))[-1]["content"])["content"]
        assert [button["title"] for button in content["buttons"]] == ["Ev", "İş"]
        home = content["buttons"][0]["id"]
        # Somebody else's tap names nothing, and what nobody asked is no label.
        await tap(one, home, "wamid.other", OTHER)
        await one.write("ev", OTHER)
        assert await labels(one) == {"Moda Caddesi No 12 Daire 3": ""}
        await tap(one, home, "wamid.mine")
        assert "*Ev*" in (await one.said())[-1]
        assert await labels(one) == {"Moda Caddesi No 12 Daire 3": "Ev"}
        await one.write("1 lahmacun adrese teslim")
        assert "1. Ev: Moda Caddesi" in (await one.said())[-1]
        await one.write("ev")
        assert "Teslimat: " in (await one.said())[-1]
        assert await labels(one) == {"Moda Caddesi No 12 Daire 3": "Ev"}


async def test_an_address_is_asked_about_once_and_there_is_one_of_each_label(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await draw(one)
        assert len(await brought(one, "2 lahmacun, Bahariye Caddesi No 5 Daire 1")) == 1
        await one.write("İş.")
        assert "*İş*" in (await one.said())[-1]
        assert await brought(one, "2 lahmacun, Bahariye Caddesi No 5 Daire 1") == []
        # What comes with its label has it at once, and takes it from the address before.
        assert await brought(one, "2 lahmacun, iş: Rıhtım Caddesi No 9 Daire 2") == []
        assert await labels(one) == {"Bahariye Caddesi No 5 Daire 1": "", "Rıhtım Caddesi No 9 Daire 2": "İş"}
        # It was asked about before: not again, though it has no label now.
        assert await brought(one, "2 lahmacun, Bahariye Caddesi No 5 Daire 1") == []


@pytest.mark.once
async def test_the_page_shows_the_fee_and_refuses_what_nobody_brings(database_url: str) -> None:
    async with house(database_url) as one:
        await draw(one)
        cart = await one.cart(one.line("Lahmacun", 2), table=None, order_type="delivery")
        assert cart["delivery"]["standing"] == "unknown"

        async def place(latitude: float, longitude: float) -> dict[str, Any]:
            fields = {"place": {"latitude": latitude, "longitude": longitude}}
            shown: dict[str, Any] = await one.guests.change_cart(one.venue, cart["code"], cart["holder"], fields)
            return shown

        async def order() -> dict[str, Any]:
            form = {"name": "Ayşe", "phone": PHONE, "address": "Moda Caddesi 12"}
            placed: dict[str, Any] = await one.guests.order_from_page(one.venue, cart["code"], cart["holder"], form)
            return placed

        far = await place(*FAR)
        assert (far["delivery"]["standing"], far["charges"]) == ("outside", [])
        assert "beyond our zone" in far["delivery"]["words"]
        with pytest.raises(Conflict) as refused:
            await order()
        assert refused.value.code == "outside_zones"
        near = await place(*NEAR)
        assert [(row["kind"], row["amount"]) for row in near["charges"]] == [("delivery", 2_000)]
        assert near["total"] == near["subtotal"] + 2_000
        assert "Delivery: " in near["text"]
        few = await one.guests.change_cart(one.venue, cart["code"], cart["holder"], {"lines": [one.line("Ayran")]})
        assert few["delivery"]["missing"] > 0
        with pytest.raises(Conflict) as refused:
            await order()
        assert refused.value.code == "minimum_missing"
        for wrong in ({"latitude": 91, "longitude": 0}, {"latitude": float("nan"), "longitude": 0}, {"latitude": 4}):
            with pytest.raises(Problem):
                await one.guests.change_cart(one.venue, cart["code"], cart["holder"], {"place": wrong})
        await one.guests.change_cart(one.venue, cart["code"], cart["holder"], {"lines": [one.line("Lahmacun", 3)]})
        assert (await order())["charges"][0]["amount"] == 2_000
        # What a stranger typed on a page is nobody's address.
        assert await one.db.all(Query(select(contact_addresses).where(contact_addresses.c.account_id == 1))) == []


@pytest.mark.once
async def test_staff_send_an_order_elsewhere_and_its_zone_and_fee_follow(database_url: str) -> None:
    async with house(database_url) as one:
        await draw(one)
        fields: TakeFields = {
            "venue_id": one.venue.id, "order_type": "delivery", "lines": [one.line("Lahmacun", 2)], "address": "Moda 12",
            "customer_phone": PHONE, "customer_name": "Ayşe", "latitude": NEAR[0], "longitude": NEAR[1],
        }  # fmt: skip
        taken = (await one.orders.take(one.staff, fields, Call("/orders"))).value
        assert (taken.destination.zone, taken.charges[0].amount) == ("Moda", 20.0)  # type: ignore[union-attr]
        away: ChangeFields = {"address": "Fenerbahçe 3", "latitude": WIDE[0], "longitude": WIDE[1]}
        moved = await one.orders.change(one.staff, taken.order_id, away)
        assert (moved.destination.zone, moved.charges[0].amount) == ("Kadıköy", 45.5)  # type: ignore[union-attr]
        assert moved.total_amount == taken.total_amount + 25.5
        assert moved.route_url.endswith("41.040000,29.080000")
        # Other words without a place: nobody knows the zone, and what was agreed stays.
        worded = await one.orders.change(one.staff, taken.order_id, {"address": "Somewhere else 5"})
        assert (worded.destination.standing, worded.route_url) == ("unknown", "")  # type: ignore[union-attr]
        assert worded.total_amount == moved.total_amount
        # More of it, for so much that it is free.
        more = await one.orders.change(one.staff, taken.order_id, {**away, "lines": [one.line("Lahmacun", 40)]})
        assert more.total_amount == 40 * one.item("Lahmacun").price / 100
        await one.orders.change(one.staff, taken.order_id, {"latitude": FAR[0], "longitude": FAR[1]})
        assert destination(await one.order())["standing"] == "outside"


@pytest.mark.once
async def test_a_venue_without_zones_delivers_as_it_always_did(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await one.write("2 lahmacun adrese teslim")
        await share(one, FAR)
        await one.write("evet")
        placed = await one.order()
        assert (placed["state"], charges(placed)) == ("sent_to_kitchen", [])
        assert placed["route_url"].endswith("destination=41.200000,29.080000")


@pytest.mark.once
async def test_a_place_that_belongs_to_no_order_still_leads_there_in_its_event(database_url: str) -> None:
    async with house(database_url) as one:
        await draw(one)
        await share(one, FAR)
        assert await one.placed() == []
        (event,) = await one.told("messages.upsert")
        told = event["data"]["location"]
        assert told["route_url"] == "https://www.google.com/maps/dir/?api=1&destination=41.200000,29.080000"


async def test_a_flat_and_a_bell_come_to_the_place_that_was_shared(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await draw(one)
        await one.write("2 lahmacun delivery please")
        await share(one, NEAR)
        await one.write("flat 5, ring the top bell")
        told = (await one.said())[-1]
        for part in ("the place that you shared, flat 5, ring the top bell", "25 minutes", "*yes*"):
            assert part in told, part
        await one.write("yes")
        placed = await one.order()
        assert (placed["address"], destination(placed)["latitude"]) == ("flat 5, ring the top bell", 40_988_000)
        assert placed["route_url"]
        # It may be said after the order too.
        await one.write("3rd floor")
        assert (await one.order())["address"] == "flat 5, ring the top bell, 3rd floor"
        assert "3rd floor" in (await one.said())[-1]


async def test_a_flat_comes_to_the_address_in_words_and_a_street_takes_its_place(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await draw(one)
        for text, address in (
            ("2 lahmacun adrese teslim", ""),
            ("Moda Caddesi 25", "Moda Caddesi 25"),
            ("daire 5 kat 3, zil çalışmıyor", "Moda Caddesi 25, daire 5 kat 3, zil çalışmıyor"),
            ("bir ayran daha, daire 6", "Moda Caddesi 25, daire 6 kat 3, zil çalışmıyor"),
            ("Bahariye Caddesi 12", "Bahariye Caddesi 12"),
        ):
            await one.write(text)
            assert not address or f"Teslimat adresi: {address}\n" in (await one.said())[-1], text
        await one.write("evet")
        assert (await one.order())["address"] == "Bahariye Caddesi 12"
