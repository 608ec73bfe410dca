"""What is iyzico's alone: its published signatures, answers that are signed too, and tries that end nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tablegram.engine.leases import steady_s
from tablegram.payments import caretaking
from tablegram.payments.ports import Customer, ProviderDown, ProviderRefused, RefundWish, Unverified
from tablegram.payments.providers.calls import ProviderCaller
from tablegram.payments.providers.iyzico import Iyzico, _figure, _price
from tablegram.values.http.wire import Wires
from tests.payments.providers.stages import now_ms, stage, wish

# From the samples of iyzico's own library.
PUBLISHED = "sandbox-UuLnD7wZa0a3DmytfIrwHQqAMfqCNJrs"
VECTORS = [
    (
        {
            "iyziEventType": "CHECKOUT_FORM_AUTH",
            "iyziPaymentId": 22483975,
            "token": "e828c62d-fd12-4b1a-ad5a-380f15fe6596",
            "paymentConversationId": "conversationId",
            "status": "SUCCESS",
        },
        "4031c575763486a2d2bf3f7ace0baebfcd6bed65393ab4df3fe80c00d5fd6878",
    ),
    (
        {
            "iyziEventType": "API_AUTH",
            "paymentId": 22484059,
            "paymentConversationId": "conversationId",
            "status": "SUCCESS",
        },
        "92c7a72b7741bc83eb696066605c894778c87297b2c88d6037670666230e18ae",
    ),
]


async def test_the_published_signatures_are_read_and_only_a_form_is_ours() -> None:
    provider = Iyzico(
        {"api_key": "sandbox-x", "secret_key": PUBLISHED}, "test", ProviderCaller(Wires(), "http://127.0.0.1:9")
    )
    for body, signature in VECTORS:
        raw = json.dumps(body).encode()
        signals = provider.read({"x-iyz-signature-v3": signature}, raw, 0)
        assert [one.link_id for one in signals] == (["conversationId"] if "token" in body else [])
        assert provider.read({"x-iyz-signature-v3": signature.upper()}, raw, 0) == signals
        for field in body:
            with pytest.raises(Unverified):
                provider.read({"x-iyz-signature-v3": signature}, json.dumps(body | {field: "x"}).encode(), 0)


async def test_a_refused_card_ends_nothing_and_a_later_success_counts(tmp_path: Path) -> None:
    async with stage("iyzico", tmp_path) as (one, _):
        made = await one.provider.make(wish())
        for status in ("FAILURE", "INIT_THREEDS", "CALLBACK_THREEDS", "SOMETHING_NEW"):
            assert one.provider.read(*one.iyzico.callback(made.reference, status), now_ms()) == ()
        one.iyzico.forms[made.reference]["paymentStatus"] = "FAILURE"
        assert (await one.provider.ask("pay_1", made.reference)).state == "open"
        await one.pay(made)
        (signal,) = one.provider.read(*one.iyzico.callback(made.reference), now_ms())
        # What was signed is no amount, so nobody is believed before iyzico was asked.
        assert (signal.kind, signal.must_ask, signal.amount) == ("paid", True, None)
        assert (await one.provider.ask("pay_1", made.reference)).state == "paid"


async def test_an_answer_that_somebody_changed_on_the_way_counts_for_nothing(tmp_path: Path) -> None:
    async with stage("iyzico", tmp_path) as (one, _):
        made = await one.provider.make(wish())
        one.iyzico.lies = {"paymentStatus": "SUCCESS"}
        with pytest.raises(ProviderDown):
            await one.provider.ask("pay_1", made.reference)
        one.iyzico.lies = {}
        await one.pay(made)
        for lie in ({"paidPrice": 99.0}, {"currency": "USD"}, {"paymentId": 1}, {"signature": ""}, {"signature": None}):
            one.iyzico.lies = lie
            with pytest.raises(ProviderDown):
                await one.provider.ask("pay_1", made.reference)
        one.iyzico.lies = {"token": "token-9"}
        with pytest.raises(ProviderDown):
            await one.provider.make(wish("pay_2"))
        one.iyzico.lies = {}
        # A form of another link is not taken for this one.
        with pytest.raises(ProviderRefused) as refused:
            await one.provider.ask("pay_9", made.reference)
        assert refused.value.code == "link_unknown"


async def test_a_form_says_what_it_must_and_comes_back_to_us(tmp_path: Path) -> None:
    async with stage("iyzico", tmp_path) as (one, _):
        customer = Customer(name=" Ayşe Nur Yılmaz ", phone="+905551112233")
        made = await one.provider.make(wish(customer=customer, expires_at=now_ms() + 10**9))
        assert made.expires_at <= now_ms() + 1_800_000
        form = one.iyzico.forms[made.reference]
        assert (form["buyer"]["name"], form["buyer"]["surname"]) == ("Ayşe Nur", "Yılmaz")
        assert form["callbackUrl"] == "https://venue.example/hooks/pay/x/key"
        assert (form["price"], [one["price"] for one in form["basketItems"]]) == ("12.5", ["10.0", "2.5"])
        for currency in ("JPY", "KWD", "XAF"):
            with pytest.raises(ProviderRefused):
                await one.provider.make(wish("pay_2", currency=currency))


async def test_who_stood_still_after_looking_for_a_refund_does_not_make_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stage("iyzico", tmp_path) as (one, _):
        made = await one.provider.make(wish())
        await one.pay(made)
        standing = await one.provider.ask("pay_1", made.reference)
        refund = RefundWish(
            refund_id="rfd_1", reference=made.reference, payment_reference=standing.payment_reference, amount=500,
            currency="TRY",
        )  # fmt: skip
        slept = [0.0]
        monkeypatch.setattr(caretaking, "steady_s", lambda: steady_s() + slept[0])
        answer = one.fake.answer

        async def frozen(*asked: Any) -> Any:
            """It hears that there is no such refund yet; then it stands still, and another makes it."""
            monkeypatch.setattr(one.fake, "answer", answer)
            told = await answer(*asked)
            await one.provider.refund(refund)
            slept[0] += 120.0
            return told

        monkeypatch.setattr(one.fake, "answer", frozen)
        with pytest.raises(ProviderDown):
            await caretaking._within(one.provider.refund(refund))
        assert await one.back(made) == 500
        await caretaking._within(one.provider.refund(refund))
        assert await one.back(made) == 500


def test_prices_are_written_as_they_are_signed() -> None:
    assert [_price(amount) for amount in (1, 10, 100, 1_205, 1_250, 100_000)] == [
        "0.01",
        "0.1",
        "1.0",
        "12.05",
        "12.5",
        "1000.0",
    ]
    figures: list[Any] = [12.5, 12.0, "12.50", 10, 100.0, "0.10", None, []]
    assert [_figure(one) for one in figures] == [
        "12.5", "12", "12.5", "10", "100", "0.1", "", "",
    ]  # fmt: skip
