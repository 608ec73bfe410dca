"""Links of Stripe and iyzico through the whole product: connected, made, paid, told of, refunded; and test never meets live."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tablegram.settings import Settings
from tests.api.product_in_process import Running
from tests.drained import drain_once
from tests.opened_product import OpenedProduct
from tests.payments.fakes.iyzico import FakeIyzico
from tests.payments.fakes.serving import running
from tests.payments.fakes.stripe import FakeStripe
from tests.payments.test_api import DINNER, shop
from tests.sandbox.stage import running as running_sandbox

pytestmark = pytest.mark.later

STRIPE = {"secret_key": "sk_test_51TheWholeWay", "webhook_secret": "whsec_theWholeWayOfAnEvent"}
IYZICO = {"api_key": "sandbox-of-the-whole-way", "secret_key": "sandbox-secret-of-the-whole-way"}


async def test_a_link_of_stripe_goes_the_whole_way(database_url: str, tmp_path: Path) -> None:
    fake = FakeStripe(STRIPE["secret_key"], STRIPE["webhook_secret"])
    async with running(fake), shop(database_url, tmp_path, stripe_url=fake.url) as one:
        own = await one.api("POST", "/payment-providers", {"provider": "stripe", "keys": STRIPE}, 201)
        assert own["mode"] == "test"
        await one.api("POST", f"/payment-providers/{own['id']}/check")
        link = await one.api("POST", "/payment-links", {**DINNER, "expires_in_s": 600}, 201)
        assert (link["state"], link["provider"]) == ("open", "stripe")
        (session,) = fake.sessions.values()
        assert (session["url"], session["amount_total"], session["currency"]) == (link["url"], 45_050, "try")

        async def tell(kind: str, **more: bool) -> int:
            body = fake.event(kind, session["id"], **more)
            fields = fake.sign(body, int(time.time()))
            async with one.http.post(own["hook_url"], data=body, headers=fields) as answer:
                return answer.status

        fake.pay(session["id"])
        # Of live money a provider of tests hears nothing, though the signature is right.
        assert await tell("checkout.session.completed", livemode=True) == 401
        assert (await one.api("GET", f"/payment-links/{link['id']}"))["state"] == "open"
        assert [await tell("checkout.session.completed") for _ in range(3)] == [200] * 3
        await one.until(link["id"], state="paid", paid_amount=450.5)
        await one.api("POST", f"/payment-links/{link['id']}/refunds", {"amount": 50.25, "reason": "cold"}, 201)
        rest = await one.api("POST", f"/payment-links/{link['id']}/refunds", {"amount": 100, "reason": "cold"}, 201)
        assert rest["state"] == "succeeded"
        assert await tell("charge.refunded") == 200
        await one.until(link["id"], refunded_amount=150.25)
        assert [refund["amount"] for refund in fake.refunds] == [5_025, 10_000]


async def test_a_link_of_iyzico_is_believed_only_when_it_was_asked_for(database_url: str, tmp_path: Path) -> None:
    fake = FakeIyzico(IYZICO["api_key"], IYZICO["secret_key"])
    async with running(fake), shop(database_url, tmp_path, iyzico_url=fake.url) as one:
        own = await one.api("POST", "/payment-providers", {"provider": "iyzico", "keys": IYZICO}, 201)
        await one.api("POST", f"/payment-providers/{own['id']}/check")
        link = await one.api("POST", "/payment-links", DINNER, 201)
        ((token, form),) = fake.forms.items()
        assert (form["callbackUrl"], form["price"]) == (own["hook_url"], "450.5")

        async def tell(status: str = "SUCCESS") -> int:
            fields, body = fake.callback(token, status)
            async with one.http.post(own["hook_url"], data=body, headers=fields) as answer:
                return answer.status

        # A recorded success of a form that nobody has paid changes nothing; nor does a browser that comes back.
        assert [await tell("FAILURE"), await tell()] == [200, 200]
        await drain_once(one.running.api.inbox)
        async with one.http.post(own["hook_url"], data={"token": token}, allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (303, f"{one.url}/pay/{link['id']}")
        assert (await one.api("GET", f"/payment-links/{link['id']}"))["state"] == "open"
        fake.pay(token)
        # The browser alone has us ask, and iyzico's own answer counts.
        async with one.http.post(own["hook_url"], data={"token": token}, allow_redirects=False) as answer:
            assert answer.status == 303
        await one.until(link["id"], state="paid", paid_amount=450.5)
        assert await tell() == 200
        back = await one.api("POST", f"/payment-links/{link['id']}/refunds", {"amount": 50.25, "reason": "cold"}, 201)
        assert back["state"] == "succeeded"
        assert [refund["conversationId"] for refund in fake.refunds] == [back["id"]]


@pytest.mark.shared
async def test_who_made_a_link_of_the_sandbox_may_be_gone_when_it_is_paid(database_url: str, tmp_path: Path) -> None:
    async with running_sandbox(tmp_path / "sandbox.db") as sandbox_url:
        common: dict[str, Any] = {"sandbox_url": sandbox_url, "secret_key": "of both servers, and long enough"}
        async with shop(database_url, tmp_path / "stays", **common) as stays:
            # Both are one installation to the world.
            settings = Settings(
                database_url=database_url, data_dir=tmp_path / "goes", sandbox=True, linked_engine="sandbox",
                public_url=stays.url, **common,
            )  # fmt: skip
            goes = Running(OpenedProduct(settings), stays.running.keys)
            await goes.api.start()
            made = await goes.ask("POST", "/payment-links", DINNER)
            await goes.api.stop()
            link = made.json()
            assert (made.status, link["url"].startswith(f"{sandbox_url}/pay/")) == (201, True)
            await stays.play(link, "pay")
            await stays.until(link["id"], state="paid", paid_amount=450.5)
            back = await stays.api("POST", f"/payment-links/{link['id']}/refunds", {"reason": "closed"}, 201)
            assert (back["state"], back["amount"]) == ("succeeded", 450.5)
