"""Payment links by the API, paid on the sandbox's page: real calls, real signals, real signatures."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import uvicorn
from standardwebhooks import Webhook

from tablegram.flows.account.services import AccountServices
from tablegram.payments.model import WishedLink
from tablegram.payments.states import Paid
from tablegram.payments.store import signals as signal_store
from tablegram.wiring.areas.paying.payments import PaymentWorks
from tests.api.product_in_process import Running, product
from tests.engine.waiting import until

GENERIC = {
    "secret": "whsec_" + "c2VjcmV0LW9mLW9uZXMtb3duLXByb3ZpZGVyLTE=",
    "pay_url": "https://pay.example/?ref={link_id}",
}
DINNER = {"amount": 450.5, "currency": "TRY", "description": "Table 12, dinner"}


@dataclass
class Shop:
    running: Running
    url: str
    http: aiohttp.ClientSession

    @property
    def works(self) -> PaymentWorks:
        return self.running.api.of(PaymentWorks)

    async def api(self, method: str, path: str, body: Any = None, status: int = 200, **more: Any) -> Any:
        reply = await self.running.ask(method, path, body, **more)
        assert reply.status == status, reply.body
        return reply.json() if reply.body else None

    async def play(self, link: dict[str, Any], what: str) -> None:
        async with self.http.post(link["url"], data={"play": what}, allow_redirects=False) as answer:
            assert answer.status == 303, await answer.text()

    async def until(self, link_id: str, **wanted: Any) -> dict[str, Any]:
        """The link, once it is as it should be; whoever changes links rings."""
        bell = asyncio.Event()
        self.works.payments.listeners.append(lambda link: bell.set())
        async with asyncio.timeout(60):
            while True:
                bell.clear()
                link: dict[str, Any] = await self.api("GET", f"/payment-links/{link_id}")
                if all(link[name] == value for name, value in wanted.items()):
                    return link
                await bell.wait()

    async def tell(self, hook_url: str, body: dict[str, Any], name: str, secret: str = "", at: int = 0) -> int:
        """A signal of one's own provider, signed as the standard says."""
        raw = json.dumps(body)
        now = self.running.api.clock.now_ms() // 1_000 + at
        signature = Webhook(secret or GENERIC["secret"]).sign(name, datetime.fromtimestamp(now, UTC), raw)
        fields = {"webhook-id": name, "webhook-timestamp": str(now), "webhook-signature": signature}
        async with self.http.post(hook_url, data=raw.encode(), headers=fields) as answer:
            return answer.status


@asynccontextmanager
async def shop(database_url: str, folder: Path, **settings: Any) -> AsyncIterator[Shop]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        url = f"http://127.0.0.1:{port}"
        given = {"sandbox": True, "host": "127.0.0.1", "port": port, "public_url": url, **settings}
        async with product(database_url, folder, **given) as running:
            config = uvicorn.Config(
                running.api, interface="asgi3", lifespan="off", log_level="error", access_log=False
            )  # fmt: skip
            server = uvicorn.Server(config)
            serving = asyncio.create_task(server.serve([listener]))
            try:
                async with aiohttp.ClientSession() as http:
                    yield Shop(running, url, http)
            finally:
                running.api.end_streams()
                server.should_exit = True
                await serving


async def test_a_link_of_the_sandbox_is_made_paid_told_of_and_refunded(database_url: str, tmp_path: Path) -> None:
    async with shop(database_url, tmp_path) as one:
        # Nothing is connected, and the sandbox is on.
        link = await one.api("POST", "/payment-links", {**DINNER, "phone": "905551112233", "language": "tr"}, 201)
        assert (link["state"], link["provider"], link["mode"], link["amount"]) == ("open", "sandbox", "test", 450.5)
        assert link["url"].startswith(f"{one.url}/sandbox/pay/")
        async with one.http.get(f"{one.url}/pay/{link['id']}") as page:
            text = await page.text()
            assert page.status == 200
            assert "₺450,50" in text
            assert "bekliyoruz" in text
        await one.play(link, "twice")
        paid = await one.until(link["id"], state="paid")
        assert (paid["paid_amount"], paid["paid_currency"], paid["attention"]) == (450.5, "TRY", "")
        part = await one.api("POST", f"/payment-links/{link['id']}/refunds", {"amount": 50.25, "reason": "cold"}, 201)
        assert (part["state"], part["amount"]) == ("succeeded", 50.25)
        rest = await one.api("POST", f"/payment-links/{link['id']}/refunds", {}, 201)
        assert (rest["state"], rest["amount"]) == ("succeeded", 400.25)
        assert (await one.api("GET", f"/payment-links/{link['id']}"))["refunded_amount"] == 450.5
        events = (await one.api("GET", "/events?limit=50"))["data"]
        told = [event for event in events if event["event"].startswith("payment.")]
        assert sorted(event["event"] for event in told) == ["payment.refunded", "payment.refunded", "payment.succeeded"]
        # A try that fails ends nothing; another amount waits for a person; late money wins.
        again = await one.api("POST", "/payment-links", DINNER, 201)
        await one.play(again, "refuse")
        await one.until(again["id"], failure="declined", state="open")
        await one.play(again, "other")
        other = await one.until(again["id"], attention="amount_differs")
        assert other["state"] == "open"
        accepted = await one.api("POST", f"/payment-links/{again['id']}/accept")
        assert (accepted["state"], accepted["settled_at"] is not None) == ("paid", True)
        late = await one.api("POST", "/payment-links", DINNER, 201)
        cancelled = await one.api("POST", f"/payment-links/{late['id']}/cancel")
        assert (cancelled["state"], cancelled["url"]) == ("cancelled", "")
        assert (await one.api("POST", f"/payment-links/{late['id']}/cancel"))["state"] == "cancelled"


async def test_signals_are_proven_kept_once_and_refused_when_forged(database_url: str, tmp_path: Path) -> None:
    async with shop(database_url, tmp_path) as one:
        wish = {"provider": "generic", "keys": GENERIC, "mode": "live"}
        own = await one.api("POST", "/payment-providers", wish, 201)
        assert own["is_default"]
        assert GENERIC["secret"] not in json.dumps(own)
        hook = own["hook_url"]
        link = await one.api("POST", "/payment-links", DINNER, 201)
        assert (link["mode"], link["url"]) == ("live", f"https://pay.example/?ref={link['id']}")
        said = {
            "type": "payment.succeeded",
            "data": {"link_id": link["id"], "amount": 450.5, "currency": "TRY", "mode": "live"},
        }
        other_key = "whsec_" + "b3RoZXItc2VjcmV0LW9mLXNvbWVib2R5LWVsc2UhISE="
        assert await one.tell(hook, said, "forged", other_key) == 401
        assert await one.tell(hook, said, "old", at=-3_600) == 401
        assert await one.tell(hook, {**said, "data": {**said["data"], "mode": "test"}}, "evt_other_mode") == 401  # type: ignore[dict-item]
        assert await one.tell(hook.replace("generic", "stripe"), said, "evt_other") == 404
        assert await one.tell(hook[:-1], said, "evt_none") == 404
        assert (await one.api("GET", f"/payment-links/{link['id']}"))["state"] == "open"
        assert await asyncio.gather(*[one.tell(hook, said, "evt_1") for _ in range(8)]) == [200] * 8
        await one.until(link["id"], state="paid")
        events = (await one.api("GET", "/events?limit=50"))["data"]
        assert [event["event"] for event in events] == ["payment.succeeded"]
        # Nothing of what was forged is kept, and the raw text of what was not goes once it is worked on.
        assert await one.tell(hook, {**said, "data": {**said["data"], "link_id": "pay_nobody"}}, "evt_2") == 200  # type: ignore[dict-item]

        async def waiting() -> list[str]:
            return [row["id"] for row in await one.running.api.db.all(signal_store.WAITING)]

        async def is_worked_on() -> bool:
            return "evt_2" in await waiting()

        await until(is_worked_on, "what was told last")
        assert await waiting() == ["evt_2"]


async def test_keys_are_sealed_and_of_one_mode(database_url: str, tmp_path: Path) -> None:
    async with shop(database_url, tmp_path) as one:
        path = "/payment-providers"
        live = {"secret_key": "sk_live_abcdefgh1234", "webhook_secret": "whsec_abcdefgh12345678"}
        refused = await one.api("POST", path, {"provider": "stripe", "keys": live, "mode": "test"}, 422)
        assert refused["code"] == "provider_key_of_other_mode"
        assert "sk_live" not in json.dumps(refused)
        stripe = await one.api("POST", path, {"provider": "stripe", "keys": live}, 201)
        assert (stripe["mode"], [key["is_set"] for key in stripe["keys"]]) == ("live", [True, True])
        test_key = {"keys": {"secret_key": "sk_test_abcdefgh12345678"}}
        wrong = await one.api("PATCH", f"{path}/{stripe['id']}", test_key, 422)
        assert wrong["code"] == "provider_key_of_other_mode"
        own = await one.api("POST", path, {"provider": "generic", "keys": GENERIC, "mode": "test"}, 201)
        assert not own["is_default"]
        assert (await one.api("PATCH", f"{path}/{own['id']}", {"is_default": True}))["is_default"]
        assert [each["is_default"] for each in (await one.api("GET", path))["data"]] == [False, True]
        link = await one.api("POST", "/payment-links", {**DINNER, "amount": 12, "currency": "JPY"}, 201)
        assert (link["mode"], link["amount"]) == ("test", 12)
        assert (await one.api("DELETE", f"{path}/{own['id']}", status=409))["code"] == "provider_in_use"
        await one.api("POST", f"/payment-links/{link['id']}/cancel")
        await one.api("DELETE", f"{path}/{own['id']}", status=204)
        await one.api("GET", f"{path}/{own['id']}", status=404)
        assert [each["is_default"] for each in (await one.api("GET", path))["data"]] == [True]
        # A program that only plays never reaches real money.
        ring = one.running.api.of(AccountServices).key_ring
        playing = (await ring.create(1, name="plays", scopes=["*"], mode="test")).token
        real = await one.api("POST", "/payment-links", {**DINNER, "provider_id": stripe["id"]}, 409, key=playing)
        assert real["code"] == "live_with_test_key"
        played = await one.api("POST", "/payment-links", DINNER, 201, key=playing)
        assert (played["mode"], played["provider"]) == ("test", "sandbox")
        await one.api("GET", path, status=403, key=playing)
        for amount, currency in ((0.001, "TRY"), (1.5, "JPY"), (0.0001, "KWD")):
            body = {**DINNER, "amount": amount, "currency": currency}
            assert (await one.api("POST", "/payment-links", body, 422))["code"] == "amount_wrong"


async def test_events_of_a_venues_links_name_its_line_and_a_test_key_sees_no_real_money(
    database_url: str, tmp_path: Path
) -> None:
    async with shop(database_url, tmp_path) as one:
        line = await one.api("POST", "/instances", {"kind": "sandbox", "name": "Safran"}, 201)
        wish = {"name": "Safran", "currency": "TRY", "time_zone": "Europe/Istanbul", "instance_id": line["id"]}
        venue = await one.api("POST", "/restaurant/venues", wish, 201)
        live = await one.api(
            "POST", "/payment-providers", {"provider": "generic", "keys": GENERIC, "mode": "live"}, 201
        )
        plays = await one.api("POST", "/payment-providers", {"provider": "sandbox", "keys": {}}, 201)
        db, now = one.running.api.db, one.running.api.clock.now_ms()

        async def paid(provider_id: str, venue_id: str | None) -> str:
            asked = WishedLink(
                account_id=1, amount=100, currency="TRY", description="Tea", venue_id=venue_id, provider_id=provider_id
            )
            await one.works.payments.prepare(1)
            link = await db.write(lambda tx: one.works.payments.make(tx, asked, now))
            await db.write(lambda tx: one.works.payments.apply(tx, 1, link.id, Paid(100, "TRY"), now))
            return link.id

        places = [(plays["id"], venue["id"]), (live["id"], venue["id"]), (plays["id"], None), (plays["id"], "gone")]
        links = [await paid(*place) for place in places]
        told = {
            event["body"]["payment_id"]: event["body"].get("instance_id")
            for event in (await one.api("GET", "/events?type=payment.succeeded"))["data"]
        }
        assert told == dict(zip(links, [line["id"], line["id"], None, None], strict=True))
        ring = one.running.api.of(AccountServices).key_ring
        playing = (await ring.create(1, name="plays", scopes=["*"], mode="test")).token
        seen = (await one.api("GET", "/events?type=payment.succeeded", key=playing))["data"]
        assert [event["body"]["payment_id"] for event in seen] == links[:1]


@pytest.mark.once
async def test_a_repeated_call_makes_one_link_and_hears_how_it_is_now(database_url: str, tmp_path: Path) -> None:
    async with shop(database_url, tmp_path) as one:
        header = {"headers": {"Idempotency-Key": "dinner-1"}}
        first = await one.api("POST", "/payment-links", DINNER, 201, **header)
        await one.play(first, "pay")
        await one.until(first["id"], state="paid")
        again = await one.api("POST", "/payment-links", DINNER, 201, **header)
        assert (again["id"], again["state"]) == (first["id"], "paid")
        assert len((await one.api("GET", "/payment-links"))["data"]) == 1
        for query, count in (("state=paid", 1), ("state=open", 0), ("attention=true", 0), ("phone=905551112233", 0)):
            assert len((await one.api("GET", f"/payment-links?{query}"))["data"]) == count
        refund = {"headers": {"Idempotency-Key": "back-1"}}
        path = f"/payment-links/{first['id']}/refunds"
        assert await one.api("POST", path, {"amount": 10}, 201, **refund) == await one.api(
            "POST", path, {"amount": 10}, 201, **refund
        )
        # Another account sees nothing of it.
        await one.api("GET", f"/payment-links/{first['id']}", status=404, account=2)


async def test_a_person_is_exported_with_payments_and_erased_from_them(database_url: str, tmp_path: Path) -> None:
    async with shop(database_url, tmp_path) as one:
        phone = "905551112233"
        contact = (await one.api("POST", "/contacts", {"phone": phone, "name": "Ayşe"}, 201))["id"]
        by_phone = await one.api("POST", "/payment-links", {**DINNER, "phone": phone}, 201)
        assert by_phone["contact_id"] == contact
        by_contact = await one.api("POST", "/payment-links", {**DINNER, "contact_id": contact}, 201)
        assert by_contact["phone"] == phone
        await one.play(by_phone, "pay")
        await one.until(by_phone["id"], state="paid")
        # Who turns out to be somebody else takes the payments along.
        other = (await one.api("POST", "/contacts", {"phone": "905551112244"}, 201))["id"]
        await one.api("POST", f"/contacts/{contact}/merge", {"into": other})
        (export,) = (await one.api("GET", "/contacts/export?format=json"))["data"]
        assert [held["state"] for held in export["payments"]] == ["paid", "open"]
        receipt = await one.api("DELETE", f"/contacts/{contact}")
        assert receipt["counts"]["payments"] == 2, receipt
        for link in (by_phone, by_contact):
            left = await one.api("GET", f"/payment-links/{link['id']}")
            assert (left["phone"], left["contact_id"], left["description"]) == ("", None, "")
        # The money stays in the books, and can still go back.
        assert (await one.api("POST", f"/payment-links/{by_phone['id']}/refunds", {}, 201))["state"] == "succeeded"
        events = (await one.api("GET", "/events?limit=50"))["data"]
        assert [event["event"] for event in events if phone in json.dumps(event)] == []


@pytest.mark.once
async def test_nonsense_at_the_hook_and_at_the_payers_page_is_refused(database_url: str, tmp_path: Path) -> None:
    async with shop(database_url, tmp_path) as one:
        own = await one.api("POST", "/payment-providers", {"provider": "generic", "keys": GENERIC, "mode": "test"}, 201)
        hook, form = own["hook_url"], {"content-type": "application/x-www-form-urlencoded"}
        asked: list[tuple[str, str, dict[str, Any], int]] = [
            ("GET", hook, {}, 405),
            ("POST", hook, {"data": b""}, 401),
            ("POST", hook, {"data": b"\xff\x00{"}, 401),
            ("POST", hook, {"data": b"x" * 600_000}, 413),
            ("POST", hook, {"data": b"token=nobody", "headers": form}, 404),
            ("POST", hook, {"data": b"token=%ff%00" + b"a" * 500, "headers": form}, 404),
            ("POST", hook, {"data": "token=ş".encode(), "headers": form}, 404),
            ("POST", f"{hook}/more", {"data": b"{}"}, 404),
            ("POST", f"{one.url}/hooks/pay", {"data": b"{}"}, 404),
            ("GET", f"{one.url}/pay/pay_0", {}, 404),
            ("GET", f"{one.url}/pay/pay_{'0' * 26}", {}, 404),
            ("GET", f"{one.url}/pay/%00%ff<script>", {}, 404),
            ("POST", f"{one.url}/pay/pay_{'0' * 26}", {"data": b"{}"}, 405),
        ]
        for method, url, more, status in asked:
            async with one.http.request(method, url, **more) as answer:
                text = await answer.text()
                assert answer.status == status, (method, url[-40:], more, text)
                assert "<script" not in text
        assert await one.tell(hook, {"type": 7}, "evt_nothing") == 200
        assert await one.running.api.db.all(signal_store.WAITING) == []
