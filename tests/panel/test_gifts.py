"""Pages of gift cards: sold by whoever takes money, seen by who may, spent on a bill, cancelled."""

from __future__ import annotations

import re
from pathlib import Path

from tests.panel.diner import diner

GIFTS = "/panel/loyalty/gifts"


async def test_a_card_is_sold_spent_and_cancelled_from_its_pages(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        owner, waiter, cook = [await one.one.person(role) for role in ("owner", "staff", "kitchen")]
        assert (await cook.get(GIFTS)).status == 403
        assert "Given away" not in (await waiter.get(GIFTS)).words
        wrong = await waiter.post(GIFTS, {"amount": "much", "paid_by": "cash"})
        assert (wrong.status, "Write an amount" in wrong.words) == (422, True)
        assert (await waiter.post(GIFTS, {"amount": "50", "paid_by": "given", "reason": "x"})).status == 403
        assert (await owner.post(GIFTS, {"amount": "50", "paid_by": "given"})).status == 422
        made = await waiter.post(GIFTS, {"amount": "50,50", "paid_by": "cash", "from_name": "Ada <b>"})
        assert made.status == 303, made.words
        card = str(made.location).partition("?")[0]
        shown = await waiter.get(card)
        assert "<b>" not in shown.text.partition("</style>")[2]
        code = re.search(r"\b([A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4})\b", shown.words)
        assert code is not None
        given = await owner.post(
            GIFTS, {"amount": "20", "paid_by": "given", "reason": "Sorry", "last_day": "2030-01-01"}
        )
        other = str(given.location).partition("?")[0]
        assert "Only managers" in (await waiter.get(other)).words
        assert "Still to be spent" in (await waiter.get(GIFTS)).words
        assert (await waiter.post(f"{GIFTS}/check", {"code": "nope"})).status == 422
        assert (await waiter.post(f"{GIFTS}/check", {"code": code[1].lower()})).location == card
        sent = await owner.post(GIFTS, {"amount": "30", "paid_by": "card", "phone": "+90 555 111 22 33"})
        contact = re.search(r"/panel/contacts/\w+", (await owner.get(str(sent.location).partition("?")[0])).text)
        assert contact is not None
        assert "Gift cards" in (await waiter.get(contact[0])).words
        # At the table: whoever forgets the button is asked, and the card pays what it has.
        order = await one.take()
        bill = f"/panel/bills/{order['tab_id']}"
        asked = await waiter.post(f"{bill}/take", {"method": "cash", "gift_code": code[1]})
        assert "Pay with gift card" in asked.words
        paid = await waiter.post(f"{bill}/take", {"method": "gift", "gift_code": code[1]})
        assert paid.status == 303, paid.words
        assert "Gift card" in (await waiter.get(bill)).words
        assert "Spent" in (await owner.get(card)).words
        # Off a bill: on the order's own page, all that the card has or a part.
        assert "pay_gift" not in (await waiter.get(f"/panel/orders/{order['order_id']}")).text
        away = await one.take(table_id=None, order_type="takeaway")
        sheet = f"/panel/orders/{away['order_id']}"
        assert "left to pay" in (await waiter.get(sheet)).words
        assert "pay_gift" not in (await cook.get(sheet)).text
        wrong = await waiter.post(f"{sheet}/pay_gift", {"gift_code": code[1]})
        assert "Nothing is left on this gift card." in wrong.words
        shown = await owner.get(other)
        fresh = re.search(r"\b([A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4})\b", shown.words)
        assert fresh is not None
        assert (await waiter.post(f"{sheet}/pay_gift", {"gift_code": fresh[1], "gift_amount": "x"})).status == 422
        took = await waiter.post(f"{sheet}/pay_gift", {"gift_code": fresh[1], "gift_amount": "5,50"})
        assert took.status == 303, took.words
        assert (await one.now(away))["payment_status"] == "partly_paid"
        assert "Gift cards sold" in (await owner.get("/panel/takings")).words
        assert (await waiter.post(f"{other}/cancel", {"reason": "Lost"})).status == 403
        assert (await owner.post(f"{other}/cancel", {"reason": "Lost", "gives_money_back": "1"})).status == 422
        assert (await owner.post(f"{other}/cancel", {"reason": "Lost"})).status == 303
        assert "Cancelled" in (await owner.get(f"{GIFTS}?state=cancelled")).words
        assert (await owner.post(f"{card}/send", {"phone": "0"})).status == 422
