"""A guest on the menu page: where they sit, what they see, their cart, their order and their calls."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import msgspec
import pytest

from tablegram.errors import Conflict, Forbidden, Gone, Invalid, NotFound
from tablegram.restaurant import tables
from tests.crm.pool import PHONE
from tests.restaurant.flows.house import House, house

pytestmark = pytest.mark.once

WAITER = "905550002001"


@pytest.mark.later
async def test_a_table_is_believed_as_far_as_the_venue_says(database_url: str) -> None:
    async with house(database_url) as one:
        table = await one.table("5")
        right = tables.sign(one.product.box, one.venue, table)
        assert (await one.guests.seat(one.venue.id, "5", right)).signed
        unsigned = await one.guests.seat(None, "5", None)
        assert unsigned.table is not None
        assert not unsigned.signed
        for given in (("A" if right[0] != "A" else "B") + right[1:], right[:-1], right + "A", "x"):
            with pytest.raises(Forbidden) as refused:
                await one.guests.seat(one.venue.id, "5", given)
            assert refused.value.code == "table_code_invalid"
        with pytest.raises(Forbidden):
            await one.guests.seat(one.venue.id, "6", right)
        with pytest.raises(NotFound) as unknown:
            await one.guests.seat(one.venue.id, "99", right)
        assert unknown.value.code == "table_unknown"
        with pytest.raises(NotFound) as nowhere:
            await one.guests.seat("nowhere", None, None)
        assert nowhere.value.code == "venue_unknown"
        await one.db.write(lambda tx: tables.rotate(tx, 1, one.venue.id, table.id))
        with pytest.raises(Forbidden):
            await one.guests.seat(one.venue.id, "5", right)
        await one.change_venue(refuses_unsigned=True)
        with pytest.raises(Forbidden) as needed:
            await one.guests.seat(one.venue.id, "5", None)
        assert needed.value.code == "table_code_needed"


async def test_the_menu_is_the_same_bytes_until_it_changes(database_url: str) -> None:
    async with house(database_url) as one:
        first, again = await one.guests.menu(one.venue, "en-GB"), await one.guests.menu(one.venue, "en")
        assert first is again
        assert first.language == "en"
        turkish = await one.guests.menu(one.venue, "de")
        assert turkish.language == "tr"
        assert turkish.etag != first.etag
        await one.change_item("Lahmacun", price=12_345)
        changed = await one.guests.menu(one.venue, "en")
        assert changed.version == first.version + 1
        assert changed.etag != first.etag
        assert b"12345" in changed.body
        standing = await one.guests.standing(one.venue)
        assert standing["takes_orders"]
        assert standing["payment_methods"]["dine_in"] == ["pos_at_table", "cash"]
        await one.sell_out("Künefe")
        closed = (await one.guests.standing(one.venue))["closed"]
        assert closed["dine_in"][one.item("Künefe").id] == {"code": "sold_out"}


@pytest.mark.later
async def test_a_cart_survives_and_only_its_holder_sees_it(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart(one.line("Lahmacun", 2), notes="Hızlı", key="k" * 32)
        same = await one.cart(one.line("Künefe", 9), key="k" * 32)
        assert (same["code"], same["holder"]) == (cart["code"], cart["holder"])
        read = await one.guests.cart(one.venue, cart["code"], cart["holder"])
        assert read["lines"][0]["amount"] == 2 * one.item("Lahmacun").price
        assert read["notes"] == "Hızlı"
        assert "holder" not in read
        assert read["order"] is None
        with pytest.raises(NotFound):
            await one.guests.cart(one.venue, cart["code"], "wrong")
        changed = await one.guests.change_cart(
            one.venue, cart["code"], cart["holder"], {"lines": [one.line("Künefe")], "revision": read["revision"]}
        )
        assert [line["name"] for line in changed["lines"]] == ["Künefe"]
        with pytest.raises(Conflict):
            await one.guests.change_cart(one.venue, cart["code"], cart["holder"], {"notes": "x", "revision": 1})


@pytest.mark.later
async def test_the_link_opens_the_networks_app_with_the_text(database_url: str) -> None:
    async with house(database_url) as one:
        assert (await one.cart())["link"] is None
        # What the network has told of the line is known without anybody's doing.
        line = await one.product.instances.get(1, one.pool.lines[1])
        await one.product.instances.learn_phone(line, "905551119999")
        await one.product.switchboard.reload(1)
        assert (await one.cart())["link"].startswith("https://wa.me/905551119999?text=")
        await one.change_venue(details={"phone": "+90 555 111 00 00"})
        cart = await one.cart(one.line("Lahmacun", note="çok acı & sıcak"))
        assert cart["link"].startswith("https://wa.me/905551110000?text=")
        assert unquote(cart["link"].split("text=")[1]) == cart["text"]
        # As it is dialled in the country; and what is no number leads nobody astray.
        for phone, number in (("0555 111 00 01", "905551110001"), ("ask for Elif", "905551119999")):
            await one.change_venue(details={"phone": phone})
            assert (await one.cart())["link"].startswith(f"https://wa.me/{number}?text=")
        line = await one.db.write(lambda tx: one.product.instances.create(tx, 1, "sandbox", "", *_nothing(), None))
        await one.change_venue(instance_id=line.id)
        await one.product.switchboard.reload(1)
        cart = await one.cart()
        assert f"/sandbox/?to={line.config.phone_number_id}&text=" in cart["link"]


def _nothing() -> tuple[Any, Any]:
    from tablegram.messaging.instances import Config, Secrets

    return Config(), Secrets()


async def test_troubles_are_shown_at_their_lines(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart(one.line("Lahmacun"), one.line("Künefe"))
        await one.sell_out("Künefe")
        read = await one.guests.cart(one.venue, cart["code"], cart["holder"])
        assert [line["name"] for line in read["lines"]] == ["Lahmacun"]
        (trouble,) = read["troubles"]
        assert trouble["line"]["item_id"] == one.item("Künefe").id
        assert trouble["problems"][0]["code"] == "sold_out"


async def test_nonsense_is_refused_in_words(database_url: str) -> None:
    nonsense: list[dict[str, Any]] = [
        {"lines": "x"}, {"lines": [1]}, {"lines": [{"item_id": 5}]}, {"order_type": "teleport"}, {"key": "short"},
        {"lines": [{"item_id": "x", "quantity": 10**12}]}, {"notes": "x" * 5_000},
    ]  # fmt: skip
    async with house(database_url) as one:
        seat = await one.seat()
        for fields in nonsense:
            with pytest.raises(Invalid) as refused:
                await one.guests.open_cart(seat, fields)
            assert refused.value.errors, fields


@pytest.mark.later
async def test_a_guest_without_the_app_orders_from_the_page_once(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart()
        first = await order(one, cart)
        again = await order(one, cart, name="Somebody else")
        assert first["order_id"] == again["order_id"] == "ORD-20270115-0001"
        assert len(await one.told()) == len(await one.placed()) == 1
        assert (await one.guests.cart(one.venue, cart["code"], cart["holder"]))["order"]["status"] == "sent_to_kitchen"
        row = await one.order()
        assert (row["customer_phone"], row["waiter"], row["contact_id"]) == ("", "Elif", None)


async def test_who_is_not_proved_to_sit_at_a_table_leaves_his_phone(database_url: str) -> None:
    async with house(database_url) as one:
        seat = await one.guests.seat(one.venue.id, "5", None)
        cart = await one.guests.open_cart(seat, {"lines": [one.line("Lahmacun")], "language": "tr"})
        with pytest.raises(Invalid) as refused:
            await order(one, cart)
        assert refused.value.code == "phone_invalid"
        placed = await order(one, cart, phone="+90 (555) 111 22 33", name="  Ayşe\n")
        assert placed["name"] == "Ayşe"
        assert (await one.order())["customer_phone"] == PHONE


async def test_a_delivery_needs_an_address_and_a_way_to_pay_that_is_offered(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart(table=None, order_type="delivery")
        with pytest.raises(Invalid) as refused:
            await order(one, cart, phone=PHONE)
        assert refused.value.code == "address_needed"
        with pytest.raises(Invalid) as method:
            await order(one, cart, phone=PHONE, address="Moda 1", payment_method="online_card")
        assert method.value.code == "payment_method_invalid"
        placed = await order(one, cart, phone=PHONE, address="Moda 1", payment_method="card_on_delivery")
        assert (placed["address"], placed["payment_method"]) == ("Moda 1", "card_on_delivery")


async def test_the_page_orders_nothing_that_cannot_be_had(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart(one.line("Lahmacun"), one.line("Künefe"))
        await one.sell_out("Künefe")
        with pytest.raises(Conflict) as refused:
            await order(one, cart)
        assert refused.value.code == "cart_has_troubles"
        assert "Künefe" in refused.value.detail
        one.clock.advance(16 * 3_600)
        with pytest.raises(Gone):
            await order(one, cart)
        late = await one.cart()
        with pytest.raises(Conflict) as closed:
            await order(one, late)
        assert closed.value.code == "venue_closed"
        assert await one.placed() == []


@pytest.mark.later
async def test_a_guest_cancels_until_the_kitchen_has_begun(database_url: str) -> None:
    async with house(database_url) as one:
        first, second = await order(one, await one.cart()), await order(one, await one.cart())
        cancelled = await one.guests.cancel_by_guest(first["status_url"].rpartition("/")[2])
        assert cancelled["status"] == "cancelled"
        assert not cancelled["may_cancel"]
        await one.act(second["order_id"], "start")
        with pytest.raises(Conflict) as late:
            await one.guests.cancel_by_guest(second["status_url"].rpartition("/")[2])
        assert late.value.code == "too_late"
        assert [body["status"] for body in await one.told("restaurant.order_updated")] == ["cancelled", "preparing"]


@pytest.mark.later
async def test_a_call_rings_once_on_the_board_on_the_phone_and_as_an_event(database_url: str) -> None:
    async with house(database_url) as one:
        seat = await one.seat("5")
        first = await one.guests.call(seat, "waiter", "su lütfen")
        again = await one.guests.call(seat, "waiter", "")
        bill = await one.guests.call(seat, "bill", "")
        assert first.is_new
        assert not again.is_new
        assert bill.is_new
        assert again.id == first.id
        told = await one.told("restaurant.waiter_called")
        assert [(body["kind"], body["table_number"], body["waiter_assigned"]) for body in told] == [
            ("waiter", "5", "Elif"), ("bill", "5", "Elif"),
        ]  # fmt: skip
        assert tuple(told[0]) == (
            "event", "venue_id", "table_number", "waiter_assigned", "kind", "note", "payment_method", "amount", "call_id",
            "timestamp",
        )  # fmt: skip
        said = await one.said(WAITER)
        assert len(said) == 2
        assert "Masa 5" in said[0]
        assert "su lütfen" in said[0]
        assert "hesab" in said[1]
        board = await one.orders.board(one.staff, one.venue.id)
        assert [call.kind for call in board.calls] == ["waiter", "bill"]
        with pytest.raises(Invalid):
            await one.guests.call(await one.seat(None), "waiter", "")


async def order(one: House, cart: dict[str, Any], **fields: Any) -> dict[str, Any]:
    placed: dict[str, Any] = await one.guests.order_from_page(one.venue, cart["code"], cart["holder"], fields)
    return placed


async def test_the_menu_of_a_page_is_json_that_a_browser_reads(database_url: str) -> None:
    async with house(database_url) as one:
        edition = await one.guests.menu(one.venue, "en")
        menu = msgspec.json.decode(edition.body)
        assert sum(len(category["items"]) for category in menu["categories"]) == 80


async def test_a_call_for_the_bill_tells_how_much_and_how(database_url: str) -> None:
    async with house(database_url) as one:
        seat = await one.seat("5")
        assert (await one.guests.bill(seat)).open == 0
        cart = await one.cart()
        order = await one.guests.order_from_page(one.venue, cart["code"], cart["holder"], {})
        owed = await one.guests.bill(seat)
        assert (owed.open, owed.paid, owed.currency) == (order["total"], 0, "TRY")
        with pytest.raises(Forbidden) as refused:
            await one.guests.bill(await one.seat(None))
        assert refused.value.code == "call_code_needed"
        await one.guests.call(seat, "bill", method="cash")
        (told,) = await one.told("restaurant.waiter_called")
        assert (told["payment_method"], told["amount"]) == ("cash", order["total"] / 100)
        (ring,) = (await one.orders.board(one.staff, one.venue.id)).calls
        assert (ring.payment_method, ring.amount) == ("cash", order["total"] / 100)
