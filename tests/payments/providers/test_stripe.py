"""What is Stripe's alone: its events and signatures, how long a session lasts, and what its library is told."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
import stripe

from tablegram.payments.ports import ProviderRefused, Unverified
from tablegram.payments.providers.stripe_money import from_stripe, to_stripe
from tablegram.values.money import EXPONENTS
from tests.cases import cases
from tests.payments.providers.stages import HOUR_MS, SECRET, StripeStage, now_ms, stage, wish


def read(one: StripeStage, body: bytes, **sign: Any) -> Any:
    return one.provider.read(one.stripe.sign(body, int(time.time()), **sign), body, now_ms())


async def test_events_mean_what_stripe_says_and_others_nothing(tmp_path: Path) -> None:
    async with stage("stripe", tmp_path) as (one, _):
        made = await one.provider.make(wish())
        fake, reference = one.stripe, made.reference
        # Money that is still on its way (a bank debit) is none.
        assert read(one, fake.event("checkout.session.completed", reference)) == ()
        expired = read(one, fake.event("checkout.session.expired", reference))[0]
        assert (expired.kind, expired.link_id, expired.reference) == ("expired", "pay_1", reference)
        failed = read(one, fake.event("checkout.session.async_payment_failed", reference))[0]
        assert (failed.kind, failed.must_ask) == ("failed", False)
        fake.pay(reference)
        paid = read(one, fake.event("checkout.session.async_payment_succeeded", reference))[0]
        assert (paid.kind, paid.amount, paid.currency) == ("paid", 1_250, "TRY")
        standing = await one.provider.ask("pay_1", reference)
        fake.refunds.append({"amount": 400, "payment_intent": standing.payment_reference})
        back = read(one, fake.event("charge.refunded", reference))[0]
        assert (back.kind, back.link_id, back.refunded) == ("refunded", "pay_1", 400)
        assert (await one.provider.ask("pay_1", reference)).refunded == 400
        for kind in ("customer.created", "checkout.session.unknown", "payment_intent.succeeded"):
            assert read(one, fake.event(kind, reference)) == ()
        # Another shop of the same account.
        fake.sessions[reference]["metadata"] = {}
        assert read(one, fake.event("checkout.session.completed", reference)) == ()


async def test_a_live_event_never_reaches_a_test_provider(tmp_path: Path) -> None:
    async with stage("stripe", tmp_path) as (one, _):
        made = await one.provider.make(wish())
        one.stripe.pay(made.reference)
        for live in (True, None, "false", 0):
            body = one.stripe.event("checkout.session.completed", made.reference, livemode=live)
            with pytest.raises(Unverified):
                read(one, body)


async def test_signed_nonsense_is_no_signal_and_no_failure(tmp_path: Path) -> None:
    async with stage("stripe", tmp_path) as (one, _):
        made = await one.provider.make(wish())
        one.stripe.pay(made.reference)
        good = json.loads(one.stripe.event("checkout.session.completed", made.reference))
        with cases() as trial:
            odd: list[Any] = [None, [], {}, {"object": None}, {"object": []}, {"object": {"metadata": []}}, "x"]
            for data in odd:
                with trial.case(str(data)):
                    assert read(one, json.dumps(good | {"data": data}).encode()) == ()
            for change in ({"amount_total": "1250"}, {"amount_total": 12.5}, {"currency": "zzz"}, {"currency": 7}):
                with trial.case(str(change)):
                    body = json.dumps(good | {"data": {"object": good["data"]["object"] | change}}).encode()
                    (signal,) = read(one, body)
                    # No amount that can be relied on: it is asked for.
                    assert signal.must_ask
                    assert signal.amount is None


async def test_signatures_are_those_of_the_library_and_a_rolled_secret_is_enough(tmp_path: Path) -> None:
    async with stage("stripe", tmp_path) as (one, _):
        made = await one.provider.make(wish())
        one.stripe.pay(made.reference)
        body = one.stripe.event("checkout.session.completed", made.reference)
        theirs = stripe.WebhookSignature.generate_signature_header(body.decode(), SECRET)
        assert one.provider.read({"stripe-signature": theirs}, body, now_ms())
        now = int(time.time())
        old = one.stripe.sign(body, now, "whsec_rolled")["stripe-signature"]
        new = one.stripe.sign(body, now)["stripe-signature"]
        both = f"{old},{new.partition(',')[2]}"
        assert one.provider.read({"stripe-signature": both}, body, now_ms())
        # A scheme that is no proof, and a time that was not signed.
        v0 = new.replace("v1=", "v0=")
        for header in (v0, new.replace(f"t={now}", f"t={now + 1}"), f"t={now},{new}"):
            with pytest.raises(Unverified):
                one.provider.read({"stripe-signature": header}, body, now_ms())


async def test_a_session_lasts_as_wished_within_half_an_hour_and_a_day_and_is_made_once(tmp_path: Path) -> None:
    async with stage("stripe", tmp_path) as (one, _):
        for number, life_ms in enumerate((1_000, 20 * 60_000, 2 * HOUR_MS, 23 * HOUR_MS, 24 * HOUR_MS, 720 * HOUR_MS)):
            wished, before = wish(f"pay_{number}", expires_at=now_ms() + life_ms), now_ms()
            made = await one.provider.make(wished)
            ends = one.stripe.sessions[made.reference]["expires_at"] * 1_000
            assert before + HOUR_MS / 2 <= ends <= now_ms() + 24 * HOUR_MS
            assert made.expires_at == min(ends, wished.expires_at)
            if life_ms in (2 * HOUR_MS, 23 * HOUR_MS):
                assert abs(ends - wished.expires_at) < 1_000
                assert (await one.provider.make(wished)).reference == made.reference
            elif life_ms < HOUR_MS:
                assert ends <= now_ms() + HOUR_MS + 120_000
            else:
                assert ends >= before + 23 * HOUR_MS


async def test_what_ended_at_stripe_says_how(tmp_path: Path) -> None:
    async with stage("stripe", tmp_path) as (one, _):
        made = await one.provider.make(wish())
        session = one.stripe.sessions[made.reference]
        session["status"] = "expired"
        assert (await one.provider.cancel(made.reference)).state == "expired"
        session.update(status="complete", payment_intent="pi_1")
        assert (await one.provider.ask("pay_1", made.reference)).state == "failed"
        with pytest.raises(ProviderRefused):
            await one.provider.ask("pay_2", "cs_test_none")
        # The same id with another amount is a mistake of ours, and said to be one.
        with pytest.raises(ProviderRefused) as refused:
            await one.provider.make(wish(amount=1_300))
        assert refused.value.code == "already_asked_otherwise"


def test_amounts_come_back_as_they_went_in_every_currency() -> None:
    with cases() as trial:
        for currency in EXPONENTS:
            with trial.case(currency):
                for amount in (100, 12_500, 99_900, 10**10):
                    units = to_stripe(amount, currency)
                    assert from_stripe(units, currency) == amount
    assert (to_stripe(990, "ISK"), to_stripe(150_00, "MGA"), to_stripe(1_250, "KWD")) == (99_000, 150, 1_250)
    for amount, currency in ((1_251, "KWD"), (150, "MGA"), (1, "ZZZ")):
        with pytest.raises(ProviderRefused):
            to_stripe(amount, currency)
