"""The bill of a table, as a waiter and a manager handle it on their phones."""

from __future__ import annotations

import re
from pathlib import Path

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
