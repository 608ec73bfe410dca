"""The courier's page over HTTP: who gets in, what they see of whom, and that each tap acts once."""

from __future__ import annotations

import asyncio
import contextlib
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from tablegram.storage.database import Query
from tablegram.storage.tables import couriers, delivery_steps, idempotency
from tablegram.values.clock import HOUR_MS, MINUTE_MS, Clock
from tests.accounts.opened import MovableClock
from tests.cases import cases
from tests.courier_page.garage import GUEST, Garage, Phone, garage

SECRETS = ("Moda Cad", "5551112233", "Ayşe", "maps/dir")


async def _at_work(one: Garage, name: str, account: int = 1) -> Phone:
    phone = await one.hire(name, account)
    assert (await phone.enter()).status == 200
    assert (await phone.tap("shift", working=True)).status == 200
    return phone


def _holds(pin: str, row: Any) -> bool:
    """As a number of its own: six digits of a time are no PIN."""
    return re.search(rf"(?<!\d){pin}(?!\d)", str(row)) is not None


async def test_a_courier_works_a_shift_on_the_page(database_url: str, tmp_path: Path) -> None:
    clock = MovableClock(Clock().now_ms())
    async with garage(database_url, tmp_path, clock, courier_forget_min=10) as one:
        mert = await one.hire("Mert Aydın")
        sheet = await mert.ask("GET", accept="text/html")
        assert sheet.status == 200
        assert "Mert" not in sheet.body.decode()
        assert (await mert.ask("GET", "/page")).json()["code"] == "pin_needed"
        entered = await mert.enter()
        for part in ("HttpOnly", "SameSite=Strict", f"Path={mert.path}"):
            assert part in entered.headers["set-cookie"]
        numbers = [await one.order(), await one.order(ready=False)]
        page = await mert.page()
        assert (page["shift"], page["stops"], page["free"]) == (None, [], [])
        begun = (await mert.tap("shift", working=True)).json()["page"]
        assert [order["order_id"] for order in begun["free"]] == numbers
        assert [order["is_ready"] for order in begun["free"]] == [True, False]
        # Of what is nobody's yet, neither whose it is nor where to.
        assert not any(secret in str(begun) for secret in SECRETS)
        taken = (await mert.tap("take", order_id=numbers[0])).json()["page"]
        (stop,) = taken["stops"]
        assert (stop["address"], stop["phone"], stop["guest"]) == (GUEST["address"], "+905551112233", "Ayşe Yılmaz")
        assert (stop["collect"], stop["method"], stop["items"]) == ("₺90.00", "cash", ["1 × Lahmacun"])
        assert "maps/dir" in stop["route_url"]
        assert stop["actions"] == ["pick_up", "deliver"]
        delivery = stop["delivery_id"]
        # Two stops are one tour.
        both = (await mert.tap("take", order_id=numbers[1])).json()["page"]
        assert len(both["route_urls"]) == 1
        waiting = both["stops"][1]["delivery_id"]
        early = await mert.tap("step", delivery_id=waiting, action="pick_up")
        assert (early.status, early.json()["code"]) == (409, "not_ready")
        assert (await mert.tap("step", delivery_id=delivery, action="pick_up")).status == 200
        assert await one.status(numbers[0]) == "out_for_delivery"
        busy = await mert.tap("shift", working=False)
        assert (busy.status, busy.json()["code"]) == (409, "shift_busy")
        # Back with a reason, taken back within ten seconds, and delivered.
        back = await mert.tap("step", delivery_id=delivery, action="bring_back", reason="Nobody is there")
        assert await one.status(numbers[0]) == "ready"
        (told,) = (await one.made(f"/restaurant/deliveries?order_id={numbers[0]}", None, method="GET"))["data"]
        assert (told["state"], told["reason"]) == ("brought_back", "Nobody is there")
        undone = await mert.tap("undo", delivery_id=delivery, step_id=back.json()["step_id"])
        assert undone.status == 200
        assert await one.status(numbers[0]) == "out_for_delivery"
        done = (await mert.tap("step", delivery_id=delivery, action="deliver", paid="cash")).json()
        assert await one.status(numbers[0]) == "delivered"
        assert (done["page"]["shift"]["cash"], done["page"]["done"][0]["took"]) == ("₺90.00", "₺90.00")
        shown = await one.made(f"/restaurant/deliveries/{delivery}", None, method="GET")
        assert [step["via"] for step in shown["steps"]] == ["page"] * 5
        assert [step["reason"] for step in shown["steps"] if step["action"] == "bring_back"] == ["Nobody is there"]
        # For a while whose it was can be seen, and then no more; nor is it in what the taps are remembered by.
        clock.at_ms += 10 * MINUTE_MS - 1_000
        assert GUEST["address"] in str((await mert.page())["done"])
        clock.at_ms += 1_000
        over = str((await mert.page())["done"])
        assert not any(secret in over for secret in SECRETS)
        kept = await one.running.api.db.all(Query(select(idempotency).where(idempotency.c.account_id == 1)))
        of_page = [row for row in kept if row["route"].startswith("courier page")]
        assert len(of_page) >= 7
        assert not any(secret in str(row["body"]) for row in of_page for secret in SECRETS)
        too_late = await mert.tap("undo", delivery_id=delivery, step_id=done["step_id"])
        assert too_late.json()["code"] == "undo_too_late"
        await one.made(f"/restaurant/deliveries/{waiting}/drop", {})
        assert (await mert.tap("shift", working=False)).json()["page"]["done"] == []
        clock.at_ms += 16 * HOUR_MS
        assert (await mert.ask("GET", "/page")).status == 401


async def test_who_is_not_meant_gets_nothing(database_url: str, tmp_path: Path) -> None:
    async with garage(database_url, tmp_path) as one:
        await one.furnish(2)
        mert, seda = await _at_work(one, "Mert"), await _at_work(one, "Seda")
        far = await _at_work(one, "Far", 2)
        mine, theirs = await one.order(), await one.order()
        # Orders of each account are counted from one: this one has a number that the first account has not.
        elsewhere = [await one.order(2) for _ in range(3)][-1]
        own = (await mert.tap("take", order_id=mine)).json()["page"]["stops"][0]
        other = (await seda.tap("take", order_id=theirs)).json()["page"]["stops"][0]
        assert other["delivery_id"] not in str(await mert.page())
        crossed = Phone(one.running, seda.path, seda.courier_id, "", mert.cookie)
        forged = [f"tablegram_courier={text}" for text in (
            "", "x", "9" * 400, "99999999999999.abc", f"99999999999999.{'a' * 64}", "-1.a", "1e9.a", "\xfc.\xfc", '"', "=;=",
        )]  # fmt: skip
        step = {"action": "pick_up"}
        with cases() as tried:
            refusals: list[tuple[str, Phone, str, dict[str, Any], int, str]] = [
                ("another courier's delivery", mert, "step", {"delivery_id": other["delivery_id"], **step}, 404, "order_delivery_unknown"),
                ("another courier's step", mert, "undo", {"delivery_id": other["delivery_id"], "step_id": other["step_id"]}, 404, "order_delivery_unknown"),
                ("another courier's step of one's own", mert, "undo", {"delivery_id": own["delivery_id"], "step_id": other["step_id"]}, 404, "step_unknown"),
                ("what somebody has already", mert, "take", {"order_id": theirs}, 409, "taken_already"),
                ("another account's order", mert, "take", {"order_id": elsewhere}, 409, "taken_already"),
                ("an order that is none", mert, "take", {"order_id": "ORD-1"}, 409, "taken_already"),
                ("another account's delivery", far, "step", {"delivery_id": own["delivery_id"], **step}, 404, "order_delivery_unknown"),
                ("another courier's cookie", crossed, "step", {"delivery_id": other["delivery_id"], **step}, 401, "pin_needed"),
                ("no such step", mert, "step", {"delivery_id": own["delivery_id"], "action": "drop"}, 422, "wrong_type"),
                ("money of a kind that is none", mert, "step", {"delivery_id": own["delivery_id"], "action": "deliver", "paid": "gold"}, 422, "wrong_type"),
                ("a reason without an end", mert, "step", {"delivery_id": own["delivery_id"], "action": "bring_back", "reason": "x" * 900}, 422, "too_long"),
                ("a name that no store keeps", mert, "step", {"delivery_id": "a\0b", **step}, 422, "request_malformed"),
                ("something more", mert, "shift", {"working": False, "courier_id": "x"}, 422, "wrong_type"),
            ]  # fmt: skip
            for name, phone, path, fields, status, code in refusals:
                with tried.case(name):
                    answer = await phone.tap(path, **fields)
                    told = answer.json()
                    found = told["errors"][0]["code"] if told.get("errors") else told["code"]
                    assert (answer.status, found) == (status, code), told
            for cookie in forged:
                with tried.case(cookie):
                    stranger = Phone(one.running, mert.path, mert.courier_id, "", cookie)
                    for path in ("/page", "/live"):
                        assert (await stranger.ask("GET", path)).status == 401
            for path in (
                "/courier",
                "/courier/",
                f"{mert.path}x",
                f"{mert.path[:-1]}",
                "/courier/../panel",
                f"{mert.path}/nothing",
            ):
                with tried.case(path):
                    assert (await Phone(one.running, path, "", "").ask("GET", accept="text/html")).status == 404
            with tried.case("a form of another site"):
                answer = await one.running.ask(
                    "POST", f"{mert.path}/shift", b"working=0", key=None, base="", headers={"cookie": mert.cookie},
                    content_type="application/x-www-form-urlencoded",
                )  # fmt: skip
                assert answer.status == 415
        assert await one.status(mine) == "ready"
        # What is stored opens nothing by itself.
        for row in await one.running.api.db.all(Query(select(couriers).where(couriers.c.account_id == 1))):
            assert not any(
                phone.path.rpartition("/")[2] in str(row) or _holds(phone.pin, row) for phone in (mert, seda)
            )


async def test_a_link_is_revoked_and_a_pin_is_guessed_slowly(database_url: str, tmp_path: Path) -> None:
    async with garage(database_url, tmp_path) as one:
        mert, seda = await _at_work(one, "Mert"), await one.hire("Seda")
        wrong = f"{(int(mert.pin) + 1) % 1_000_000:06d}"
        with cases() as tried:
            for pin in ("", "12345", "1234567", "abcdef", "٠١٢٣٤٥", f" {mert.pin}", mert.pin + "\n"):
                with tried.case(pin):
                    assert (await mert.enter(pin)).json()["errors"][0]["code"] == "pin_invalid"
        answers = [await mert.enter(wrong) for _ in range(6)]
        assert [answer.status for answer in answers] == [422] * 5 + [429]
        assert answers[0].json()["errors"][0]["code"] == "pin_unknown"
        assert int(answers[-1].headers["retry-after"]) >= 1
        # They are counted in the store, and so for every process.
        (row,) = [
            row
            for row in await one.running.api.db.all(Query(select(couriers).where(couriers.c.account_id == 1)))
            if row["id"] == mert.courier_id
        ]
        assert row["pin_misses"] == 5
        # The right one has to wait as well, or guessing would cost nothing; who is in stays in, and others come in.
        assert (await mert.enter()).status == 429
        assert (await mert.page())["name"] == "Mert"
        assert (await seda.enter()).status == 200
        # A new PIN shows out whoever is in; the link stays.
        fresh = await one.hand_out(seda.courier_id)
        assert (fresh.path, fresh.pin == seda.pin) == (seda.path, False)
        assert (await seda.ask("GET", "/page")).status == 401
        assert (await seda.enter()).status == 422
        assert (await fresh.enter()).status == 200
        # A new link ends the one before.
        moved = await one.hand_out(seda.courier_id, new_link=True)
        assert (await fresh.ask("GET", "/page")).json()["code"] == "courier_link_unknown"
        assert (await moved.enter()).status == 200
        link = f"/restaurant/couriers/{seda.courier_id}/page"
        assert (await one.made(link, None, method="GET"))["pin"] == ""
        # Whoever gets no orders, is shown out or is gone finds a link that leads nowhere.
        await one.made(f"/restaurant/couriers/{seda.courier_id}", {"active": False}, method="PATCH")
        assert (await moved.ask("GET", accept="text/html")).status == 404
        assert (await one.running.ask("POST", link, {})).json()["code"] == "courier_inactive"
        await one.made(f"/restaurant/couriers/{seda.courier_id}", {"active": True}, method="PATCH")
        assert (await moved.ask("GET", "/page")).status == 200
        for _ in range(2):
            await one.made(link, None, method="DELETE")
        answer = await moved.ask("GET", accept="text/html", **{"accept-language": "tr"})
        assert (answer.status, "Restorandan yenisini iste" in answer.body.decode()) == (404, True)
        assert (await moved.enter()).status == 404
        assert (await one.made(link, None, method="GET"))["url"] == ""
        await one.made(f"/restaurant/couriers/{mert.courier_id}", None, method="DELETE")
        assert (await mert.ask("GET", "/page")).status == 404


@pytest.mark.both
async def test_of_two_couriers_at_once_one_gets_it_and_a_tap_that_comes_often_acts_once(
    database_url: str, tmp_path: Path
) -> None:
    async with garage(database_url, tmp_path) as one:
        phones = [await _at_work(one, name) for name in ("Mert", "Seda", "Can")]
        for _ in range(2):
            number = await one.order()
            answers = await asyncio.gather(*(phone.tap("take", order_id=number) for phone in phones for _ in range(2)))
            won = [
                phone
                for phone in phones
                if number[-4:].lstrip("0") in [str(s["number"]) for s in (await phone.page())["stops"]]
            ]
            assert len(won) == 1
            # Both taps of the winner find it theirs; everybody else hears that it is gone.
            assert sorted(answer.status for answer in answers) == [200] * 2 + [409] * 4
            (winner,) = won
            stop = (await winner.page())["stops"][-1]
            fields = {"delivery_id": stop["delivery_id"]}
            for action in ("pick_up", "deliver"):
                same = [
                    winner.tap("step", f"same{action[:4]}{number[-4:]}".replace("_", ""), **fields, action=action)
                    for _ in range(8)
                ]
                told = [answer for answer in await asyncio.gather(*same) if answer.status == 200]
                assert len({answer.json()["step_id"] for answer in told}) == 1
            found = await one.running.api.db.all(Query(select(delivery_steps).where(
                delivery_steps.c.account_id == 1, delivery_steps.c.delivery_id == stop["delivery_id"]
            )))  # fmt: skip
            assert sorted(row["action"] for row in found) == ["assign", "deliver", "pick_up"]


async def test_an_open_page_hears_of_what_changes_until_the_link_is_revoked(database_url: str, tmp_path: Path) -> None:
    async with garage(database_url, tmp_path) as one:
        mert = await _at_work(one, "Mert")
        versions: asyncio.Queue[str] = asyncio.Queue()
        ended = asyncio.Event()

        async def listen() -> None:
            async def send(message: Any) -> None:
                for line in message.get("body", b"").splitlines():
                    if line.startswith(b"data: "):
                        versions.put_nowait(msgspec.json.decode(line[6:])["version"])

            async def receive() -> Any:
                await ended.wait()
                return {"type": "http.disconnect"}

            scope: dict[str, object] = {
                "type": "http", "method": "GET", "path": f"{mert.path}/live", "query_string": b"",
                "headers": [(b"cookie", mert.cookie.encode())], "client": ("192.0.2.1", 1), "state": {},
            }  # fmt: skip
            await one.running.api(scope, receive, send)

        listening = asyncio.create_task(listen())
        try:
            assert await asyncio.wait_for(versions.get(), 60) == (await mert.page())["version"]
            # In the kitchen and then ready: it may be told of both at once.
            await one.order()
            wanted = (await mert.page())["version"]
            while await asyncio.wait_for(versions.get(), 60) != wanted:
                pass
            await one.made(f"/restaurant/couriers/{mert.courier_id}/page", None, method="DELETE")
            await asyncio.wait_for(listening, 60)
        finally:
            ended.set()
            listening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await listening


async def test_the_page_can_be_kept_like_an_app_and_speaks_both_languages(database_url: str, tmp_path: Path) -> None:
    async with garage(database_url, tmp_path) as one:
        mert = await one.hire("Mert", language="tr")
        sheet = await mert.ask("GET", accept="text/html")
        assert "PIN kodunu gir" in sheet.body.decode()
        assert sheet.headers["cache-control"] == "private, no-cache"
        assert "manifest-src 'self'" in sheet.headers["content-security-policy"]
        assert sheet.headers["referrer-policy"] == "same-origin"
        manifest = (await mert.ask("GET", "/manifest.webmanifest")).json()
        assert (manifest["start_url"], manifest["scope"], manifest["display"]) == (mert.path, mert.path, "standalone")
        worker = await Phone(one.running, "/courier/worker.js", "", "").ask("GET")
        assert worker.headers["content-type"] == "text/javascript"
        files = [part for part in worker.body.decode().split('"') if part.startswith("/courier/static/")]
        assert len(files) >= 5
        for path in files[:-1]:
            found = await Phone(one.running, path, "", "").ask("GET")
            assert (found.status, "immutable" in found.headers["cache-control"]) == (200, True), path
        assert (await mert.ask("DELETE")).status == 405
