"""Where shops and forms call: proven, kept once, answered at once, and worked on afterwards."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path
from typing import Any

from sqlalchemy import select

from tablegram.engine.rows import InboxRow
from tablegram.storage.database import Tx
from tablegram.storage.query import Query
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import inbox
from tablegram.stores.model import Followed, ToldEvent
from tests.stores.shops import PHONE, order, shop, signed

_INBOX = Query(across_accounts(select(inbox), "a test"), row=InboxRow)
_BODIES = across_accounts(select(inbox.c.body, inbox.c.done_at), "a test")


async def test_only_who_proves_it_is_kept_and_everybody_is_answered_in_words(database_url: str, tmp_path: Path) -> None:
    async with shop(database_url, tmp_path) as one:
        hook, secret = one.source["hook_url"], one.source["secret"]
        assert hook.startswith("https://tablegram.example/hooks/store/woocommerce/")
        body = b'{"id": 1}'
        assert await one.knock(method="GET") == (200, "This address is ready. Deliveries come here by POST.")
        assert await one.knock(method="HEAD") == (200, "")
        assert (await one.knock(method="PUT"))[0] == 405
        refused: dict[str, dict[str, str]] = {
            "no signature": {"X-WC-Webhook-Topic": "order.created"},
            "an empty one": {"X-WC-Webhook-Topic": "order.created", "X-WC-Webhook-Signature": ""},
            "of another secret": signed(body, "order.created", "whsec_other"),
            "of an empty secret": signed(body, "order.created", ""),
            "of other bytes": signed(body + b" ", "order.created", secret),
        }
        for name, headers in refused.items():
            assert await one.knock(body, headers) == (401, "The signature is missing or wrong."), name
        key = hook.rsplit("/", 1)[1]
        for path in (
            "/hooks/store/shopify/" + key,
            "/hooks/form/" + key,
            hook[:-1] + ("x" if hook[-1] != "x" else "y"),
            "/hooks/store/woocommerce/",
            "/hooks/store/",
        ):
            assert (await one.knock(body, signed(body, "order.created", secret), url=path))[0] == 404, path
        await one.work()
        assert await one.deliveries() == []
        # The unsigned ping, and content that means nothing, are answered 200.
        assert await one.knock(b"webhook_id=7", {"Content-Type": "application/x-www-form-urlencoded"}) == (200, "ok")
        assert await one.deliver("product.updated", {"id": 5}) == (200, "ok")
        assert await one.deliver("order.created", b'{"id": 1, ') == (200, "ok")
        assert await one.deliver("order.created", '{"id": "x", "ü": 1}'.encode("utf-16")) == (200, "ok")
        assert await one.deliver("order.created", b"") == (200, "ok")
        await one.work()
        found = await one.deliveries()
        states = sorted((each["topic"], each["state"]) for each in found)
        assert states.count(("ping", "ignored")) == 1
        assert states.count(("product.updated", "ignored")) == 1
        unreadable = [each for each in found if each["state"] == "unreadable"]
        assert len(unreadable) >= 2
        assert all(each["reason"] and each["detail"] for each in unreadable)
        # What waited in the inbox is empty by now: it is in the log, and what proves it is nowhere.
        rows = await one.running.api.db.all(_BODIES)
        assert len(rows) == len(found)
        assert all(row["done_at"] is not None and bytes(row["body"]) == b"" for row in rows)
        signed_one = next(each for each in found if each["topic"] == "product.updated")
        shown = await one.api("GET", f"/stores/deliveries/{signed_one['id']}")
        assert "x-wc-webhook-signature" not in shown["headers"]
        assert shown["headers"]["x-wc-webhook-topic"] == "product.updated"


async def test_five_megabytes_are_taken_and_more_is_refused_in_words(database_url: str, tmp_path: Path) -> None:
    async with shop(database_url, tmp_path) as one:
        large = order(customer_note="x" * (5 * 1_048_576 - 2_000))
        assert await one.deliver("order.created", large) == (200, "ok")
        status, words = await one.deliver("order.created", b"x" * (5 * 1_048_576 + 1))
        assert (status, "5,242,880 bytes" in words) == (413, True)
        await one.work()
        (kept,) = await one.deliveries()
        assert (kept["state"], kept["size"] > 5_000_000) == ("done", True)
        whole = await one.api("GET", f"/stores/deliveries/{kept['id']}")
        assert len(whole["body"]) == 100_000


async def test_the_same_delivery_fifty_times_at_once_happens_once(database_url: str, tmp_path: Path) -> None:
    async with shop(database_url, tmp_path) as one:
        told: list[str] = []

        async def follow(tx: Tx, event: ToldEvent) -> Followed | None:
            told.append(event.event.reference)
            return Followed(code="sent", what="order_confirmation")

        one.works.events.followers.append(follow)
        answers = await asyncio.gather(*[one.deliver("order.created", order()) for _ in range(50)])
        await one.work()
        assert set(answers) == {(200, "ok")}
        assert told == ["41"]
        # Also when the inbox has forgotten that it came.
        row = (await one.running.api.db.all(_INBOX))[0]
        unread: InboxRow = {**row, "body": b"\x82\xa7headers\x80\xa4body\xc4\x00"}
        await one.works.hearing.prepare([unread])
        await one.running.api.db.write(lambda tx: one.works.hearing.apply(tx, [row]))
        (kept,) = await one.deliveries()
        # Whoever follows by itself has said its part between these.
        codes = [outcome["code"] for outcome in kept["events"][0]["outcomes"]]
        assert (codes[0], codes[-1]) == ("recorded", "sent")
        (made,) = await one.orders()
        assert (made["number"], made["phone"], made["amount"], made["name"]) == ("#41", PHONE, 129.9, "Defne Aksoy")
        # The customer is a contact by now, and has the order.
        contact = await one.api("GET", f"/contacts/{made['contact_id']}")
        assert (contact["phones"], contact["name"]) == ([PHONE], "Defne Aksoy")


async def test_an_order_never_goes_back_in_time_however_its_events_are_shuffled(
    database_url: str, tmp_path: Path
) -> None:
    steps: list[dict[str, Any]] = [
        order("pending", at="2026-03-14T09:00:00"),
        order("processing", at="2026-03-14T09:10:00"),
        # Who ships says nothing of who it is for.
        order("completed", at="2026-03-14T10:00:00", billing={}, total=None, line_items=[]),
    ]
    async with shop(database_url, tmp_path) as one:
        for number, shuffled in enumerate(itertools.permutations(steps)):
            for step in shuffled:
                await one.deliver("order.updated", {**step, "id": 100 + number, "number": str(100 + number)})
                await one.work()
        orders = await one.orders()
        assert len(orders) == 6
        wanted = ("completed", 129.9, PHONE, "2026-03-14T10:00:00")
        for made in orders:
            found = (made["status"], made["amount"], made["phone"], made["happened_at"][:19])
            assert found == wanted, made["number"]
            assert made["contact_id"] == orders[0]["contact_id"]
        codes = [each["events"][0]["outcomes"][0]["code"] for each in await one.deliveries()]
        # Of six ways, 1 brings all in order; the others tell something that was over already.
        assert (codes.count("older"), codes.count("recorded")) == (7, 11)


async def test_a_paused_source_answers_202_and_a_number_that_is_none_is_told(database_url: str, tmp_path: Path) -> None:
    async with shop(database_url, tmp_path) as one:
        which = f"/stores/sources/{one.source['id']}"
        await one.api("PATCH", which, {"active": False})
        assert await one.deliver("order.created", order()) == (202, "paused")
        await one.api("PATCH", which, {"active": True, "country": ""})
        nobody = order(id=1, billing={})
        local = order(id=2, billing={"phone": "0532 000 00 01"})
        abroad = order(id=3, billing={"phone": "+49 (0)30 901820", "country": "TR"})
        home = order(id=4, billing={"phone": "532 000 00 01", "country": "TR"})
        for each in (nobody, local, abroad, home):
            await one.deliver("order.created", each)
        await one.work()
        found = {each["events"][0]["reference"]: each["events"][0] for each in await one.deliveries()}
        seen = {key: (each["phone"], each["phone_problem"]) for key, each in found.items()}
        assert seen == {
            "1": ("", "no_phone"),
            "2": ("", "bad_number"),
            "3": ("4930901820", ""),
            "4": (PHONE, ""),
        }


async def test_what_keeps_failing_is_shown_in_the_end_and_can_be_replayed(database_url: str, tmp_path: Path) -> None:
    async with shop(database_url, tmp_path) as one:
        broken = True

        async def follow(tx: Tx, told: ToldEvent) -> Followed | None:
            if broken:
                raise RuntimeError("not now")
            return Followed(code="sent", what="order_confirmation")

        one.works.events.followers.append(follow)
        await one.deliver("order.created", order())
        await one.work()
        assert await one.deliveries() == []
        (row,) = await one.running.api.db.all(_INBOX)
        await one.works.hearing.prepare([row])
        last: InboxRow = {**row, "attempts": 7}
        await one.running.api.db.write(lambda tx: one.works.hearing.apply(tx, [last]))
        (kept,) = await one.deliveries()
        assert (kept["state"], kept["reason"]) == ("unreadable", "failed")
        broken = False
        again = await one.api("POST", f"/stores/deliveries/{kept['id']}/replay")
        assert (again["state"], again["replays"], again["events"][0]["outcomes"][-1]["code"]) == ("done", 1, "sent")


async def test_each_platform_has_a_sample_that_goes_through_its_own_hook(database_url: str, tmp_path: Path) -> None:
    mapped = {"mapping": {"phone": "order.buyer.phone", "number": "order.no", "reference": "order.items.0.id"}}
    wishes: list[dict[str, Any]] = [
        {"platform": "shopify", "secret": "shpss_1\nshpss_2"},
        {"platform": "trendyol"},
        {"platform": "generic"},
        {"platform": "generic", **mapped},
        {"platform": "form"},
        {"platform": "form", "secret": "of its own"},
        {"platform": "form", "mapping": {"phone": "reach"}},
    ]
    async with shop(database_url, tmp_path) as one:
        for wish in wishes:
            made = await one.api("POST", "/stores/sources", {"name": "Shop", **wish}, 201)
            which = f"/stores/sources/{made['id']}"
            told = await one.api("POST", f"{which}/test", {"phone": PHONE})
            await one.work()
            (kept,) = await one.deliveries(f"?source_id={made['id']}")
            assert (told["status"], kept["state"], kept["test"]) == (200, "done", True), wish
            event = kept["events"][0]
            assert (event["kind"], event["phone"]) == (
                "form_sent" if wish["platform"] == "form" else "order_created",
                PHONE,
            )
            assert told["delivery_name"].lstrip("#") in (event["number"] or event["title"]), wish
        for wrong in (
            {"currency": "AAA"},
            {"country": "tr"},
            {"instance_id": 99},
            {"platform": "shopify", "mapping": {"phone": "x"}},
        ):
            await one.api("POST", "/stores/sources", {"platform": "form", "name": "Shop", **wrong}, 422)
        # Paused or without a secret it says so.
        made = await one.api("POST", "/stores/sources", {"platform": "shopify", "name": "Shop"}, 201)
        refused = await one.api("POST", f"/stores/sources/{made['id']}/test", {"phone": PHONE}, 409)
        assert refused["code"] == "secret_missing"
        made = await one.api("POST", "/stores/sources", {"platform": "gloriafood", "name": "Food"}, 201)
        refused = await one.api("POST", f"/stores/sources/{made['id']}/test", {"phone": PHONE}, 409)
        assert refused["code"] == "no_sample"
        await one.api("PATCH", which, {"active": False})
        refused = await one.api("POST", f"{which}/test", {"phone": PHONE}, 409)
        assert refused["code"] == "source_paused"
