"""Programs hear of orders, forms and recovered carts: each piece of news once, as an event like any other."""

from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
from sqlalchemy import select

from tablegram.events.samples import SAMPLES
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import store_carts
from tablegram.values import mapping
from tablegram.values.clock import Clock
from tablegram.wiring.areas.stores.notices import NoticeWorks
from tests.api.product_in_process import product
from tests.engine.waiting import until
from tests.events.receiver import receiver
from tests.opened_product import parts_without
from tests.stores.shops import PHONE, Shop, order, shop

pytestmark = pytest.mark.later

_CARTS = across_accounts(select(store_carts), "a test")


async def heard(one: Shop) -> list[dict[str, Any]]:
    """What a program finds in the feed, without what others tell of."""
    events = (await one.api("GET", "/events?limit=200"))["data"]
    bodies = [event["body"] for event in events if event["event"].startswith("store.")]
    for body in bodies:
        sample = SAMPLES[body["event"]]
        assert (list(body), list(body["customer"])) == (list(sample), list(mapping(sample["customer"])))
    return bodies


async def test_each_piece_of_news_of_an_order_is_told_once_however_often_it_comes(
    database_url: str, tmp_path: Path
) -> None:
    async with shop(database_url, tmp_path, name="Pamuk") as one, receiver() as there:
        await one.api("POST", "/webhooks", {"url": there.url, "events": ["store.order_received"]}, 201)
        await one.deliver("order.created", order("pending"))
        await one.deliver("order.updated", order("processing", at="2026-03-14T09:10:00"))
        # The shop says the same again, later; then something that was over already.
        await one.deliver("order.updated", order("processing", at="2026-03-14T09:20:00"))
        await one.deliver("order.updated", order("pending", at="2026-03-14T09:05:00", customer_note="x"))
        await one.work()
        first, second = await heard(one)
        assert (first["event"], second["event"]) == ("store.order_received", "store.order_updated")
        assert (first["status"], second["status"]) == ("pending", "processing")
        assert first["source"] == {"id": one.source["id"], "platform": "woocommerce", "name": "Pamuk"}
        (made,) = await one.orders()
        assert (first["order_id"], first["contact_id"]) == (made["id"], made["contact_id"])
        assert first["customer"] == {"name": "Defne Aksoy", "phone": PHONE, "email": "d@example.com"}
        assert (first["amount"], first["goods"]) == (129.9, [{"name": "Cezve", "quantity": 1, "amount": 129.9}])
        # It goes to endpoints like everything else.
        await until(lambda: bool(there.seen))
        assert [request.json()["event"] for request in there.seen] == ["store.order_received"]
        # Neither a look at what a replay would do nor a replay tells it again; nor does a test tell anything.
        for each in await one.deliveries():
            await one.api("GET", f"/stores/deliveries/{each['id']}/replay")
            await one.api("POST", f"/stores/deliveries/{each['id']}/replay")
        await one.api("POST", f"/stores/sources/{one.source['id']}/test", {"phone": PHONE})
        await one.work()
        assert len(await one.orders()) == 2
        assert len(await heard(one)) == 2
        # Whoever is erased is in no event any more; orders of nobody are told too.
        await one.deliver("order.created", order(id=42, number="42", billing={}))
        await one.work()
        await one.api("DELETE", f"/contacts/{made['contact_id']}")
        (nobody,) = await heard(one)
        assert (nobody["number"], nobody["contact_id"]) == ("#42", None)


class _Stopped(Clock):
    def now_ms(self) -> int:
        return 1_773_480_000_000


async def test_deliveries_of_one_millisecond_are_read_in_the_order_in_which_they_came(
    database_url: str, tmp_path: Path
) -> None:
    async with shop(database_url, tmp_path, _Stopped()) as one:
        came = [("created", "pending"), *(("updated", status) for status in ("on-hold", "pending") * 4)]
        for place, (topic, status) in enumerate(came):
            await one.deliver(f"order.{topic}", order(status, at=f"2026-03-14T09:{place:02}:00"))
        await one.work()
        assert [each["status"] for each in await heard(one)] == [status for _, status in came]


def _generic(one: Shop, document: dict[str, Any]) -> tuple[bytes, dict[str, str]]:
    body = msgspec.json.encode(document)
    proof = hmac.new(one.source["secret"].encode(), body, hashlib.sha256).hexdigest()
    return body, {"X-Signature": proof, "Content-Type": "application/json"}


async def test_refunds_forms_and_carts_that_were_bought_after_a_reminder_are_told(
    database_url: str, tmp_path: Path
) -> None:
    now = datetime.now(UTC)
    person = {"phone": "0532 000 00 01", "name": "Ece", "currency": "TRY", "consents": True}

    async def tell(kind: str, reference: str, minutes_ago: int, **more: Any) -> None:
        at = (now - timedelta(minutes=minutes_ago)).isoformat()
        await one.knock(*_generic(one, {**person, "kind": kind, "reference": reference, "at": at, **more}))
        await one.work()

    async with product(database_url, tmp_path, parts=parts_without({"panel", "sandbox"})) as running:
        one = Shop(running, {})
        await one.api("POST", "/instances", {"kind": "sandbox", "name": "Line"}, 201)
        wish = {"platform": "generic", "name": "Own", "country": "TR", "currency": "TRY"}
        one.source = await one.api("POST", "/stores/sources", wish, 201)
        await tell("order_created", "7", 50, amount=100)
        await tell("order_refunded", "7", 40, amount=20, reason="Late")
        await tell("order_refunded", "7", 30, amount=30)
        orders = await heard(one)
        assert [(each["amount"], each["refunded_amount"], each["reason"]) for each in orders] == [
            (100.0, None, ""), (100.0, 20.0, "Late"), (100.0, 30.0, ""),
        ]  # fmt: skip

        # Two carts of two people: the order of one is told, of the other only that its checkout is completed.
        reminders = {"enabled": True, "delay_min": 0}
        await one.api("PATCH", "/stores/notifications/abandoned_cart-1-en", reminders)
        for number, phone in enumerate(("0532 000 00 02", "0532 000 00 03")):
            await tell(
                "checkout_changed", f"c{number}", 20, phone=phone, amount=60, language="en", checkout=f"c{number}"
            )
        notices, db = running.api.of(NoticeWorks), running.api.db
        later = int(now.timestamp() * 1_000) + 60_000
        for row in await db.all(_CARTS):
            # Unless the clock itself was faster.
            await db.write(partial(lambda row, tx: notices.reminding.cart_due(tx, 1, row["id"], later), row))
        assert [row["reminders"] for row in await db.all(_CARTS)] == [1, 1]
        await tell("order_created", "8", 0, phone="0532 000 00 02", amount=55, checkout="c0")
        await tell("checkout_completed", "c1", 0, phone="0532 000 00 03")
        carts = [each for each in (await heard(one))[3:] if each["event"] == "store.cart_recovered"]
        assert [(each["order_reference"], each["amount"], each["cart_amount"], each["reminders"]) for each in carts] == [
            ("8", 55.0, 60.0, 1), ("", None, 60.0, 1),
        ]  # fmt: skip
        assert carts[0]["contact_id"] == (await one.orders())[0]["contact_id"]

        form = await one.api("POST", "/stores/sources", {"platform": "form", "name": "Form", "country": "TR"}, 201)
        sent = urlencode({"Ad": "Ece", "Telefon": "0532 000 00 04", "Mesaj": "Mavisi var mı?"}).encode()
        await one.knock(sent, {"Content-Type": "application/x-www-form-urlencoded"}, url=form["hook_url"])
        await one.work()
        (delivery,) = await one.deliveries(f"?source_id={form['id']}")
        await one.api("POST", f"/stores/deliveries/{delivery['id']}/replay")
        (told,) = [each for each in await heard(one) if each["event"] == "store.form_sent"]
        assert (told["customer"]["phone"], told["delivery_id"]) == ("905320000004", delivery["id"])
        assert told["fields"][-1] == {"name": "Mesaj", "value": "Mavisi var mı?"}
