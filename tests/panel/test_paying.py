"""What people see of orders that are paid online: apart and quiet until the money is there; money that waits for a decision."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tablegram.flows.restaurant.orders.ordering import OrderWish
from tablegram.payments.model import Link, write_link
from tablegram.payments.store import links as store
from tablegram.restaurant import venues
from tablegram.restaurant.lines import DishLine
from tablegram.storage.database import Tx
from tablegram.wiring.areas.paying.payments import PaymentWorks
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tests.panel.diner import diner


async def test_what_waits_for_money_stands_apart_and_money_in_doubt_rings_for_who_decides(
    database_url: str, tmp_path: Path
) -> None:
    async with diner(database_url, tmp_path) as at:
        product = at.one.running.api
        ordering, now = product.of(RestaurantWorks).ordering, product.clock.now_ms()
        # A provider is there; it never answers.
        product.of(PaymentWorks).accesses._sandbox = True

        async def place(tx: Tx) -> str:
            venue = await venues.lock(tx, 1, at.venue.id)
            details = msgspec.structs.replace(venue.details, pays_online=["takeaway"])
            venue = await venues.update(tx, msgspec.structs.replace(venue, details=details), now)
            reckoned = await ordering.reckon(tx, venue, (DishLine(at.food),), "takeaway", "en", now)
            wish = OrderWish(
                order_type="takeaway", lines=reckoned.lines, language="en", payment_method="online_card", by_staff=True
            )
            return (await ordering.place(tx, venue, wish, now))[0].order.order_id

        number = await product.db.write(place)
        owner, cook = await at.one.person("owner"), await at.one.person("kitchen")
        board = await owner.get("/panel/board")
        assert f'data-key="pay-{number}"' in board.text
        assert f'data-key="{number}"' not in board.text
        assert "The link is being made" in board.text
        sheet = await owner.get(f"/panel/orders/{number}")
        assert f"/panel/orders/{number}/send_link" in sheet.text
        assert f"/panel/orders/{number}/pay_in_person" in sheet.text
        assert f'action="/panel/orders/{number}/pay"' not in sheet.text
        # Cash instead: the kitchen has it.
        taken = await owner.post(f"/panel/orders/{number}/pay_in_person", {"payment_method": "cash"})
        assert taken.status == 303
        board = await owner.get("/panel/board")
        assert f'data-key="{number}"' in board.text
        assert f'data-key="pay-{number}"' not in board.text

        (made,) = await product.db.snapshot(lambda tx: product.of(PaymentWorks).accesses.every(tx, 1))
        doubtful = Link(
            account_id=1, id="pay_doubt", provider_id=made.id, mode="test", amount=5_000, currency="TRY",
            description=f"Safran {number}", subject_kind="order", subject_key="k", state="paid", received=5_000,
            received_currency="TRY", attention="paid_after_end", attention_at=now, expires_at=now, created_at=now,
            updated_at=now,
        )  # fmt: skip
        await product.db.put((store.INSERT, write_link(doubtful)))
        board = await owner.get("/panel/board")
        assert "Paid, but not owed any more" in board.text
        assert 'data-key="money-pay_doubt"' in board.text
        assert "money-pay_doubt" not in (await cook.get("/panel/board")).text
