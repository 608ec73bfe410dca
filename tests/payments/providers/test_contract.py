"""What every payment provider promises, whoever is behind it."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import Any

import pytest

from tablegram.payments.ports import (
    LinkItem,
    LinkReport,
    MadeLink,
    ProviderDown,
    ProviderRefused,
    RefundWish,
    Unverified,
)
from tests.cases import cases
from tests.payments.providers.stages import NAMES, SECRET, Stage, now_ms, stage, wish

OTHER = "whsec_" + "c29tZWJvZHktZWxzZXMtc2VjcmV0LTEyMzQ1Njc4OTA="
every_provider = pytest.mark.parametrize("name", NAMES)


async def made_and_paid(one: Stage, link_id: str = "pay_1", **more: Any) -> MadeLink:
    wished = wish(link_id, **more)
    made = await one.provider.make(wished)
    await one.take(wished, made)
    await one.pay(made)
    return made


def refund_of(made: MadeLink, standing: LinkReport, refund_id: str, amount: int, currency: str = "TRY") -> RefundWish:
    return RefundWish(
        refund_id=refund_id, reference=made.reference, payment_reference=standing.payment_reference, amount=amount,
        currency=currency,
    )  # fmt: skip


async def refusal(what: Any) -> ProviderRefused | None:
    try:
        await what
    except ProviderRefused as refused:
        return refused
    return None


@every_provider
async def test_a_link_is_made_paid_told_and_asked_for(name: str, tmp_path: Path) -> None:
    async with stage(name, tmp_path) as (one, _):
        provider, wished = one.provider, wish()
        assert (provider.name, provider.mode) == (name, "test")
        await provider.check()
        made = await provider.make(wished)
        await one.take(wished, made)
        assert made.url.startswith("http")
        assert now_ms() < made.expires_at <= wished.expires_at
        again = await provider.make(wished)
        await one.take(wished, again)
        if one.once:
            assert (again.reference, one.pages()) == (made.reference, 1)
        assert (await provider.ask("pay_1", again.reference)).state == "open"

        await one.pay(again)
        callback = await one.callback(again)
        (signal,) = provider.read(*callback, now_ms())
        assert (signal.kind, signal.link_id, signal.reference) == ("paid", "pay_1", again.reference)
        assert signal.must_ask or (signal.amount, signal.currency) == (1_250, "TRY")
        assert provider.read(*callback, now_ms()) == (signal,)
        standing = await provider.ask("pay_1", again.reference)
        assert (standing.state, standing.amount, standing.currency) == ("paid", 1_250, "TRY")
        # Who has paid has paid, whoever takes the link back afterwards.
        assert (await provider.cancel(again.reference)).state == "paid"


@every_provider
async def test_a_link_that_was_taken_back_says_so(name: str, tmp_path: Path) -> None:
    async with stage(name, tmp_path) as (one, _):
        wished = wish()
        made = await one.provider.make(wished)
        await one.take(wished, made)
        assert (await one.provider.cancel(made.reference)).state == "cancelled"
        assert (await one.provider.cancel(made.reference)).state in ("cancelled", "expired")
        assert (await one.provider.ask("pay_1", made.reference)).state in ("cancelled", "expired", "open")
        # What was never made, as far as anybody knows, can be asked for and taken back all the same.
        calls = len(one.fake.seen)
        assert (await one.provider.ask("pay_2", "")).state == "open"
        assert (await one.provider.cancel("")).state == "cancelled"
        assert len(one.fake.seen) == calls


@every_provider
async def test_money_goes_back_once_for_each_refund_also_when_an_answer_is_lost(name: str, tmp_path: Path) -> None:
    async with stage(name, tmp_path) as (one, _):
        made = await made_and_paid(one)
        standing = await one.provider.ask("pay_1", made.reference)
        first = refund_of(made, standing, "rfd_1", 500)
        # Every call of the first try does its work, and the answer to the last one is lost.
        calls = len(one.fake.seen)
        await one.provider.refund(refund_of(made, standing, "rfd_0", 1))
        one.fake.failures.extend(["lost"] if len(one.fake.seen) - calls == 1 else [None, "lost"])
        with pytest.raises(ProviderDown):
            await one.provider.refund(first)
        assert await one.back(made) == 501
        back = await one.provider.refund(first)
        assert await one.provider.refund(first) == back
        assert await one.back(made) == 501
        with pytest.raises(ProviderRefused) as refused:
            await one.provider.refund(refund_of(made, standing, "rfd_2", 750))
        assert refused.value.code == "provider_refused"
        await one.provider.refund(refund_of(made, standing, "rfd_3", 749))
        assert await one.back(made) == 1_250


@every_provider
async def test_what_is_not_signed_by_the_provider_a_moment_ago_is_refused(name: str, tmp_path: Path) -> None:
    async with stage(name, tmp_path) as (one, _):
        made, now = await made_and_paid(one), int(time.time())
        callback = await one.callback(made)
        headers, body = callback
        forged: dict[str, tuple[dict[str, str], bytes]] = {
            "nothing": ({}, body),
            "another secret": one.forge(callback, OTHER, now),
            "another body": (headers, body.replace(b"pay_1", b"pay_2")),
            "no body": (headers, b""),
            "no JSON": (headers, b"\xff\xfe"),
        }
        if one.dated:
            forged["an hour ago"] = one.forge(callback, SECRET, now - 3_600)
            forged["in an hour"] = one.forge(callback, SECRET, now + 3_600)
        for field in headers:
            if "signature" in field or field.startswith("webhook"):
                for word in ("", "ü", "v1,", "t=1,v1=", "t=,v1=x", "v1=0", "=" * 3_000, headers[field].upper() + "0"):
                    forged[f"{field}: {word[:20]}"] = ({**headers, field: word}, body)
        with cases() as trial:
            for what, (fields, raw) in forged.items():
                with trial.case(what), pytest.raises(Unverified):
                    one.provider.read(fields, raw, now_ms())
        assert one.provider.read(headers, body, now_ms())
        # An empty secret signs nothing, wherever it came from.
        for field in ("_secret", "_webhook_secret"):
            if hasattr(one.provider, field):
                setattr(one.provider, field, "")
        with pytest.raises(Unverified):
            one.provider.read(headers, body, now_ms())


@every_provider
async def test_amounts_of_every_kind_of_currency_are_exact_or_refused(name: str, tmp_path: Path) -> None:
    async with stage(name, tmp_path) as (one, _):
        exact, refusals = 0, set()
        with cases() as trial:
            for currency, amount in (
                ("TRY", 1), ("TRY", 29), ("TRY", 100_000_001), ("EUR", 123_456), ("JPY", 1_200), ("KRW", 501), ("ISK", 990),
                ("UGX", 3_700), ("KWD", 1_250), ("KWD", 1_251), ("TND", 5), ("MGA", 100), ("MGA", 150), ("ZZZ", 100),
            ):  # fmt: skip
                link_id = f"pay_{currency}_{amount}"
                with trial.case(link_id):
                    wished = wish(link_id, amount, currency, items=())
                    try:
                        made = await one.provider.make(wished)
                    except ProviderRefused as refused:
                        refusals.add(refused.code)
                        continue
                    await one.take(wished, made)
                    await one.pay(made)
                    (signal,) = one.provider.read(*await one.callback(made), now_ms())
                    standing = await one.provider.ask(link_id, made.reference)
                    assert (standing.amount, standing.currency) == (amount, currency)
                    assert signal.must_ask or (signal.amount, signal.currency) == (amount, currency)
                    exact += 1
        assert exact >= 4
        assert refusals <= {"currency_unsupported", "amount_unsupported"}


@every_provider
async def test_lines_that_cannot_be_shown_one_by_one_never_change_the_sum(name: str, tmp_path: Path) -> None:
    lines: list[tuple[LinkItem, ...]] = [
        (LinkItem(name="Köfte", amount=1_500), LinkItem(name="Discount", amount=-250)),
        (LinkItem(name="Köfte", amount=1_250), LinkItem(name="Gift", amount=0)),
        (LinkItem(name="", amount=1_250),),
        (LinkItem(name="x" * 5_000, amount=1_000),),
        tuple(LinkItem(name=f"Çay {number}", amount=25) for number in range(50)),
    ]
    async with stage(name, tmp_path) as (one, _):
        with cases() as trial:
            for number, items in enumerate(lines):
                with trial.case(str(number)):
                    made = await made_and_paid(one, f"pay_{number}", items=items)
                    assert (await one.provider.ask(f"pay_{number}", made.reference)).amount == 1_250


@every_provider
async def test_who_does_not_answer_is_down_and_the_same_call_later_is_safe(name: str, tmp_path: Path) -> None:
    async with stage(name, tmp_path) as (one, stack):
        wished = wish()
        if name != "generic":
            # A page of one's own is an address that nobody is asked for.
            for failure in ("broken", "busy", "garbled", "lost"):
                one.fake.failures.append(failure)
                with pytest.raises(ProviderDown):
                    await one.provider.make(wished)
        made = await one.provider.make(wished)
        await one.take(wished, made)
        assert one.pages() == 1 or not one.once
        for failure in ("broken", "busy", "garbled", "lost"):
            # A question may be repeated by the client itself, when a kept connection turns out to be dead.
            one.fake.failures.extend([failure, failure])
            with pytest.raises(ProviderDown):
                await one.provider.ask("pay_1", made.reference)
            one.fake.failures.clear()
        hasty = one.open(stack, budget_s=0.3)
        one.fake.failures.append("silent")
        with pytest.raises(ProviderDown):
            await hasty.ask("pay_1", made.reference)
        assert (await one.provider.ask("pay_1", made.reference)).state == "open"


@every_provider
async def test_keys_of_somebody_else_are_refused_and_no_secret_is_told(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with stage(name, tmp_path) as (one, stack):
        made = await made_and_paid(one)
        wrong = one.wrong_keys()
        stranger, told = one.open(stack, wrong), []
        with cases() as trial:
            for what in (
                stranger.make(wish("pay_2")), stranger.ask("pay_1", made.reference), stranger.cancel(made.reference),
                stranger.refund(refund_of(made, LinkReport(state="paid", payment_reference="1"), "rfd_1", 1)),
                stranger.check(),
            ):  # fmt: skip
                with trial.case(what.__qualname__):
                    refused = await refusal(what)
                    # An address is made by nobody; a sandbox serves every merchant, each its own.
                    free = [("generic", "make"), ("sandbox", "make"), ("sandbox", "check")]
                    assert (refused is None) == ((name, what.__name__) in free)
                    if refused is not None:
                        assert refused.code in ("keys_refused", "provider_refused")
                        told.append(f"{refused!r} {refused.detail} {refused.__cause__!r}")
        assert await one.back(made) == 0
        # What the fakes say back holds the keys on purpose.
        one.fake.failures.append("broken")
        with pytest.raises(ProviderDown) as down:
            await one.provider.ask("pay_1", made.reference)
        everything = "\n".join([*told, str(down.value), repr(one.provider), caplog.text])
        assert told
        for key in [*one.keys.values(), *wrong.values()]:
            assert key.startswith("http") or key not in everything
