"""What an answer of a provider comes to: who cannot say is asked again, and only a no that was meant is a no."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablegram.payments.ports import ProviderDown, ProviderRefused, RefundWish, Unverified
from tablegram.payments.providers.calls import ProviderCaller
from tablegram.payments.providers.generic import answer_of
from tablegram.payments.providers.sandbox import Sandbox
from tablegram.values.http.wire import Wires
from tests.cases import cases
from tests.payments.providers.stages import SECRET, now_ms, stage, wish

HALF_AN_HOUR_MS = 1_800_000


def outcome(what: Callable[[], Any]) -> str:
    try:
        what()
    except ProviderRefused as refused:
        return refused.code
    except ProviderDown:
        return "down"
    return "taken"


def test_only_a_status_that_means_no_is_a_no() -> None:
    no = dict.fromkeys((401, 403), "keys_refused") | dict.fromkeys((400, 404, 409, 422), "provider_refused")
    with cases() as trial:
        for status in (200, 201, 204, 299, 300, 303, *range(400, 430), 451, 500, 501, 502, 503, 504):
            with trial.case(str(status)):
                taken = "taken" if status < 300 else "down"
                assert outcome(lambda: answer_of(status, b"{}", "secret")) == no.get(status, taken)  # noqa: B023
                # Whoever says yes to something else has said nothing.
                told = outcome(lambda: answer_of(status, b"[]", "secret"))  # noqa: B023
                assert told == no.get(status, "down")


@pytest.mark.parametrize("status", [500, 503, 429])
async def test_a_failure_of_iyzico_in_its_own_words_takes_no_refund_from_a_guest(tmp_path: Path, status: int) -> None:
    async with stage("iyzico", tmp_path) as (one, _):
        made = await one.provider.make(wish())
        await one.pay(made)
        paid = await one.provider.ask("pay_1", made.reference)
        answer = one.fake.answer

        async def fails(*asked: Any) -> tuple[int, Any]:
            one.fake.answer = answer
            return status, {"status": "failure", "errorCode": "100", "errorMessage": "try again"}

        back = RefundWish(
            refund_id="rfd_1", reference=made.reference, payment_reference=paid.payment_reference, amount=500,
            currency="TRY",
        )  # fmt: skip
        one.fake.answer = fails
        with pytest.raises(ProviderDown):
            await one.provider.refund(back)
        await one.provider.refund(back)
        assert await one.back(made) == 500


async def test_a_form_lives_as_long_as_iyzico_says_and_half_an_hour_where_it_says_nothing(tmp_path: Path) -> None:
    async with stage("iyzico", tmp_path) as (one, _):
        said: list[Any] = [1, 600, 0, -1, "600", None, True, 600.0]
        with cases() as trial:
            for number, lives in enumerate(said):
                with trial.case(str(lives)):
                    one.iyzico.lies = {"tokenExpireTime": lives}
                    before = now_ms()
                    made = await one.provider.make(wish(f"pay_{number}", expires_at=before + 10**9))
                    life_ms = lives * 1_000 if lives in (1, 600) and type(lives) is int else HALF_AN_HOUR_MS
                    assert before + life_ms - 1_000 <= made.expires_at <= now_ms() + life_ms


async def test_names_of_any_length_make_a_signal_that_can_be_kept(tmp_path: Path) -> None:
    async with stage("iyzico", tmp_path) as (one, _):
        made = await one.provider.make(wish())

        def heard(token: str) -> Any:
            one.iyzico.forms[token] = one.iyzico.forms[made.reference]
            return one.provider.read(*one.iyzico.callback(token), now_ms())

        (signal,) = heard("t" * 300)
        assert (len(signal.id), len(signal.reference)) == (190, 300)
        # Longer than it has a reason to be, it counts as none, and for none nobody has signed.
        with pytest.raises(Unverified):
            heard("t" * 301)


async def test_a_session_that_was_paid_without_an_intent_is_paid(tmp_path: Path) -> None:
    async with stage("stripe", tmp_path) as (one, _):
        made = await one.provider.make(wish())
        one.stripe.sessions[made.reference].update(status="complete", payment_status="paid")
        paid = await one.provider.ask("pay_1", made.reference)
        assert (paid.state, paid.amount, paid.payment_reference, paid.refunded) == ("paid", 1_250, "", 0)


async def test_the_pay_page_is_played_for_who_tries_it_out_or_says_why_not(tmp_path: Path) -> None:
    async with stage("sandbox", tmp_path) as (one, _):
        made = await one.provider.make(wish())
        wires = Wires()
        try:
            direct = Sandbox({"secret": SECRET}, ProviderCaller(wires, f"{one.door.inner}/sandbox"), "", "")
            with pytest.raises(ProviderRefused):
                await direct.play("https://sandbox.example/pay/none")
            assert (await direct.ask("pay_1", made.reference)).state == "open"
            await direct.play(made.url)
            assert (await direct.ask("pay_1", made.reference)).state == "paid"
        finally:
            wires.close()
