"""The bill of a table, as a waiter and a manager handle it on their phones."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from tablegram.restaurant import venues
from tablegram.storage.database import Tx
from tablegram.wiring.areas.payments import PaymentWorks
from tests.panel.test_board import diner


async def test_a_bill_is_split_let_off_given_back_and_closed(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        orders = [await one.take(customer_name=name) for name in ("Ada", "Can")]
        waiter, owner, cook = [await one.one.person(role) for role in ("staff", "owner", "kitchen")]
        for order in orders:
            for action in ("finish", "serve"):
                assert (await waiter.post(f"/panel/orders/{order['order_id']}/{action}")).status == 303
        path = f"/panel/bills/{orders[0]['tab_id']}"
        assert (await cook.get(path)).status == 403
        assert path in (await waiter.get("/panel/bills")).text
        assert path in (await waiter.get("/panel/tables")).text
        assert path in (await waiter.get("/panel/board")).text
        assert path not in (await cook.get("/panel/tables")).text
        assert (await waiter.get(f"/panel/bills/at/{orders[0]['table_id']}")).location == path
        page = await waiter.get(path)
        assert "Ada" in page.words
        assert "One guest" in page.words
        for forbidden in ("Give a discount", "Close without payment"):
            assert forbidden not in page.words
            assert forbidden in (await owner.get(path)).words
        refused = await waiter.post(f"{path}/discount", {"figure": "10", "kind": "percent", "reason": "late"})
        assert refused.status == 403
        assert (
            await owner.post(f"{path}/discount", {"figure": "10", "kind": "percent", "reason": "late"})
        ).status == 303
        mark = re.findall(r'name="once" value="(\w+)"', page.text)[0]
        share = {"how": "share", "parts": "2", "method": "card", "once": mark}
        for _ in range(2):
            assert (await waiter.post(f"{path}/take", share)).status == 303
        for wrong, words in (
            ({"how": "amount", "amount": "x"}, "Write an amount"), ({"how": "amount", "amount": "99999"}, "more than is open"),
            ({"how": "dishes"}, "Choose what is paid"), ({"given": "0,01"}, "less than what is to be paid"),
            ({"open": "1"}, "has changed meanwhile"), ({"how": "guest", "guest": "ORD-1"}, ""),
        ):  # fmt: skip
            told = await waiter.post(f"{path}/take", {"method": "cash", **wrong})
            assert told.status in (409, 422)
            assert words in told.words
        shown = (await owner.get(path)).text
        (payment,) = set(re.findall(rf"{path}/payments/(\w+)/back", shown))
        assert (await owner.post(f"{path}/payments/{payment}/back", {"reason": "wrong card"})).status == 303
        (discount,) = set(re.findall(rf"{path}/discounts/(\w+)/remove", shown))
        assert (await owner.post(f"{path}/discounts/{discount}/remove")).status == 303
        dish = f"{orders[0]['order_id']}:0:1"
        assert (await waiter.post(f"{path}/take", {"how": "dishes", "dish": dish, "method": "cash"})).status == 303
        assert (await waiter.post(f"{path}/close", {})).status == 409
        gone = await owner.post(f"{path}/close", {"why": "walked_out"})
        assert gone.status == 303
        assert "Walked out" in (await owner.get(path)).words
        assert path in (await owner.get("/panel/bills?state=closed")).text
        assert path not in (await owner.get("/panel/bills")).text
        assert "/panel/bills?venue=" in (await waiter.get(f"/panel/bills/at/{orders[0]['table_id']}")).location
        assert (await waiter.get("/panel/bills/at/x")).status == 404


async def test_a_link_for_a_part_of_the_bill_is_made_shown_and_taken_back(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        product = one.one.running.api
        order = await one.take(customer_name="Ada")
        waiter, cook = await one.one.person("staff"), await one.one.person("kitchen")
        path = f"/panel/bills/{order['tab_id']}"
        assert "Payment link" not in (await waiter.get(path)).words
        assert (await waiter.post(f"{path}/link", {"how": "all"})).status == 409
        # A provider is there; it never answers.
        product.of(PaymentWorks).accesses._sandbox = True

        async def offer(tx: Tx) -> None:
            venue = await venues.lock(tx, 1, one.venue.id)
            details = msgspec.structs.replace(venue.details, pays_online=["dine_in"])
            await venues.update(tx, msgspec.structs.replace(venue, details=details), product.clock.now_ms())

        await product.db.write(offer)
        assert "Payment link" in (await waiter.get(path)).words
        assert (await cook.post(f"{path}/link", {"how": "all"})).status == 403
        made = await waiter.post(f"{path}/link", {"how": "share", "parts": "2", "phone": "0555 111 22 33"})
        assert made.status == 303
        page = await waiter.get(path)
        assert "905551112233" in page.words
        (link,) = set(re.findall(rf"{path}/links/(pay_\w+)/cancel", page.text))
        for wrong, words in (
            ({"how": "all"}, "Take one of them back"),
            ({"how": "amount", "amount": "1", "phone": "12"}, "number"),
        ):
            told = await waiter.post(f"{path}/link", wrong)
            assert told.status in (409, 422)
            assert words in told.words
        assert (await waiter.post(f"{path}/links/{link}/cancel")).status == 303
        assert link not in (await waiter.get(path)).text
        assert (await waiter.post(f"{path}/links/pay_x/cancel")).status == 404


async def test_a_receipt_is_asked_for_by_one_tap_and_says_what_is_missing(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        order = await one.take(customer_name="Ada")
        waiter, cook = await one.one.person("staff"), await one.one.person("kitchen")
        path = f"/panel/bills/{order['tab_id']}"
        assert "Print or send the bill" in (await waiter.get(path)).words
        assert (await cook.post(f"{path}/receipt", {"by": "paper"})).status == 403
        for fields, words in (
            ({"by": "paper"}, "No printer prints receipts"), ({"by": "message"}, "which phone"),
            ({"by": "message", "receipt_phone": "12"}, "number"),
            ({"by": "message", "receipt_phone": "0555 111 22 33"}, "No message can be sent"),
        ):  # fmt: skip
            told = await waiter.post(f"{path}/receipt", fields)
            assert told.status in (409, 422)
            assert words in told.words
