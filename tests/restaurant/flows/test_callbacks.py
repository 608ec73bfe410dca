"""Guests as the network shows them: hidden, in groups, with pictures and catalogues, and changing their minds."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tablegram.restaurant import calls
from tests.crm.pool import PHONE
from tests.restaurant.flows.house import House, house

pytestmark = pytest.mark.once

HIDDEN = "TR.13491208655302741918"


def message(one: House, name: str, **parts: Any) -> dict[str, Any]:
    return {"from": PHONE, "id": name, "timestamp": str(one.clock.now_ms() // 1_000), "type": "text", **parts}


async def called(one: House) -> list[tuple[str, str]]:
    waiting = await one.db.snapshot(lambda tx: calls.waiting(tx, 1, one.venue.id))
    return [(call.table_label, call.note) for call in waiting]


@pytest.mark.later
async def test_who_hides_the_number_orders_by_text_and_by_cart_like_everybody(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("two lahmacun please, table 4", phone="", user_id=HIDDEN)
        order = await one.order()
        assert (order["table_label"], order["customer_phone"]) == ("4", HIDDEN)
        (confirmed,) = await one.said(HIDDEN)
        assert order["order_id"] in confirmed
        # The specification's field is a number with a plus, and this is none.
        assert (await one.told("restaurant.order_created"))[0]["customer"]["phone"] == ""
        # Asked where it goes, the answer is joined to what was said.
        await one.write("a künefe please", phone="", user_id="TR.2")
        await one.write("table 6", phone="", user_id="TR.2")
        assert [row["table_label"] for row in await one.placed()] == ["4", "6"]
        cart = await one.cart(table="5")
        await one.write(f"Order #{cart['code']}", phone="", user_id="TR.3")
        assert [row["table_label"] for row in await one.placed()] == ["4", "6", "5"]
        assert len(await one.said("TR.3")) == 1
        await one.act(order["order_id"], "cancel", reason="No more")
        assert "cancelled" in (await one.said(HIDDEN))[-1]


async def test_nothing_is_ordered_or_answered_for_a_number_that_is_no_lines_or_in_a_group(database_url: str) -> None:
    async with house(database_url) as one:
        inbox = one.product.inbox
        await one.pool.receive(message(one, "wamid.g", text={"body": "two lahmacun, table 4"}, group_id="G1"))
        await inbox.store(
            1, f"cloud:{one.pool.lines[1]}", _for_number("99", message(one, "w", text={"body": "2 lahmacun masa 4"}))
        )
        await inbox._drain_fresh()
        assert await one.placed() == []
        assert await one.pool.messages("out") == []


def _for_number(number: str, said: dict[str, Any]) -> bytes:
    value = {"metadata": {"phone_number_id": number}, "messages": [said]}
    return msgspec.json.encode({"entry": [{"id": "1", "changes": [{"field": "messages", "value": value}]}]})


async def test_what_is_written_under_a_picture_is_read_like_a_text(database_url: str) -> None:
    async with house(database_url) as one:
        picture = {"id": "5", "mime_type": "image/jpeg", "caption": "two lahmacun please, table 4"}
        await one.pool.receive({**message(one, "wamid.p"), "type": "image", "image": picture})
        order = await one.order()
        assert order["table_label"] == "4"
        # A picture without words says nothing.
        await one.pool.receive({**message(one, "wamid.q"), "type": "image", "image": {"id": "6"}})
        assert len(await one.placed()) == len(await one.said()) == 1


async def test_an_order_of_the_catalogue_is_made_of_dishes_by_their_codes_or_left_to_people(database_url: str) -> None:
    async with house(database_url) as one:
        lahmacun, kunefe = one.item("Lahmacun"), one.item("Künefe")
        await one.write("an ayran please, table 4")
        await one.write("small")
        before = len(await one.placed())

        async def send(name: str, *products: dict[str, Any]) -> None:
            part = {"catalog_id": "1", "text": "", "product_items": list(products)}
            await one.pool.receive({**message(one, name), "type": "order", "order": part})

        await send(
            "wamid.1", {"product_retailer_id": lahmacun.code.upper(), "quantity": 2, "item_price": 0.01},
            {"product_retailer_id": kunefe.id, "quantity": "1"},
        )  # fmt: skip
        placed = (await one.told("restaurant.order_created"))[before:]
        assert [[(item["name"], item["quantity"]) for item in body["items"]] for body in placed] == [
            [("Lahmacun", 2), ("Künefe", 1)]
        ]
        assert all(item["unit_price"] > 1 for item in placed[0]["items"])
        for number, product in enumerate(({"product_retailer_id": "PIZZA", "quantity": 1},
                                          {"product_retailer_id": kunefe.code, "quantity": 10**9})):  # fmt: skip
            await send(f"wamid.x{number}", product)
            assert "not on our menu" in (await one.said())[-1]
        assert len(await one.placed()) == before + 1
        assert [label for label, _ in await called(one)] == (["4"] if before else [])


async def test_who_changes_the_message_of_an_order_is_asked_and_staff_are_called_once_it_is_cooked(
    database_url: str,
) -> None:
    async with house(database_url) as one:
        await one.write("two lahmacun please, table 4", network_id="wamid.o")
        order = await one.order()

        async def change(kind: str, name: str, **part: Any) -> None:
            changed = {"original_message_id": "wamid.o", **part}
            await one.pool.receive({**message(one, name), "type": kind, kind: changed})
            one.clock.advance(60)

        fresh = {"message": {"type": "text", "text": {"body": "three lahmacun please, table 4"}}}
        one.clock.advance(60)
        await change("edit", "wamid.e1", **fresh)
        assert "What shall we change?" in (await one.said())[-1]
        assert (await called(one), len(await one.placed())) == ([], 1)
        await one.act(order["order_id"], "start")
        await change("edit", "wamid.e2", message={"type": "text", "text": {"body": "four lahmacun, table 4"}})
        assert "the kitchen has already begun" in (await one.said())[-1]
        # In the language of the house.
        ((label, note),) = await called(one)
        assert (label, note.startswith(order["order_id"])) == ("4", True)
        await change("revoke", "wamid.r")
        assert "still stands" in (await one.said())[-1]
        same = await one.order()
        assert (same["id"], same["state"]) == (order["id"], "preparing")


async def test_a_text_that_was_no_order_is_read_again_when_it_is_changed(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("hello there", network_id="wamid.o")
        assert await one.placed() == []
        one.clock.advance(60)
        fresh = {"type": "text", "text": {"body": "two lahmacun please, table 4"}}
        changed = {"original_message_id": "wamid.o", "message": fresh}
        for name in ("wamid.e", "wamid.e"):
            await one.pool.receive({**message(one, name), "type": "edit", "edit": changed})
        assert (await one.order())["table_label"] == "4"
        assert len(await one.said()) == 1
