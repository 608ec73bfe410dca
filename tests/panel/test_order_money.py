"""An order's page tells how it was paid and what went back, whatever the guest had meant to pay with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.panel.diner import diner

pytestmark = pytest.mark.once


async def test_staff_see_how_an_order_was_paid_what_can_go_back_and_what_did(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        order = await one.take()
        waiter, cook = await one.one.person("staff"), await one.one.person("kitchen")
        path, bill = f"/panel/orders/{order['order_id']}", f"/panel/bills/{order['tab_id']}"
        assert "Payment Card at the table" in (await waiter.get(path)).words
        for amount in ("10", "5"):
            taken = {"how": "amount", "amount": amount, "method": "cash"}
            assert (await waiter.post(f"{bill}/take", taken)).status == 303
        page = await waiter.get(path)
        assert "Payment Cash ₺15.00" in page.words
        # It is still cooked: the board says that its money went back.
        assert (await waiter.post(f"{bill}/take", {"how": "all", "method": "card"})).status == 303
        page = await waiter.get(path)
        total = f"₺{order['total_amount']:,.2f}"
        assert f"{total} came in and is not refunded yet." in page.words
        assert "came in" not in (await cook.get(path)).words
        assert (await waiter.post(f"{path}/refund", {"reason": "burnt"})).status == 303
        page = await waiter.get(path)
        assert "Refunded: Cash −₺15.00" in page.words
        assert "Refunded" in (await waiter.get("/panel/board")).words
        # What is over leads to its bill all the same.
        for action in ("finish", "serve", "complete"):
            await waiter.post(f"{path}/{action}")
        assert bill in (await waiter.get(path)).text
