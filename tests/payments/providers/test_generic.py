"""A provider of one's own: an address that stays one address, signals that may say anything, and calls that are guarded."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tablegram.payments.ports import ProviderRefused, RefundWish, Unverified
from tablegram.payments.providers.generic import Generic, page_address
from tablegram.values.http.outbound import GuardedClient, Targets
from tablegram.values.http.signing import signed_headers
from tests.cases import cases
from tests.payments.providers.stages import SECRET, now_ms, stage, wish

KEYS = {"secret": SECRET, "pay_url": "https://pay.example/{link_id}"}


def test_each_value_stays_one_value_of_the_address() -> None:
    template = "https://pay.example/p/{link_id}?a={amount}&m={amount_minor}&c={currency}&d={description}&x={unknown}&b={success_url}"
    wished = wish("pay_1", 1_200, "JPY", description="a&b=c/../#?{amount} ü", items=())
    parts = urlsplit(page_address(template, wished))
    assert (parts.hostname, parts.path, parts.fragment) == ("pay.example", "/p/pay_1", "")
    assert parse_qs(parts.query) == {
        "a": ["1200.0"], "m": ["1200"], "c": ["JPY"], "d": [wished.description], "b": [wished.success_url],
    }  # fmt: skip


async def test_signed_signals_say_only_what_can_be_relied_on() -> None:
    provider = Generic(KEYS, "live", GuardedClient(Targets()))

    def read(event: object) -> list[tuple[str, str, int | None, bool]]:
        body = json.dumps(event).encode()
        signals = provider.read(signed_headers(SECRET, "msg_1", int(time.time()), body), body, now_ms())
        return [(one.kind, one.link_id, one.amount, one.must_ask) for one in signals]

    data = {"link_id": "pay_1", "amount": 12.5, "currency": "TRY"}
    with cases() as trial:
        for name, event, wanted in (
            ("paid", {"type": "payment.succeeded", "data": data}, [("paid", "pay_1", 1_250, False)]),
            (
                "text",
                {"type": "payment.succeeded", "data": data | {"amount": "12.50"}},
                [("paid", "pay_1", 1_250, False)],
            ),
            ("failed", {"type": "payment.failed", "data": data}, [("failed", "pay_1", 1_250, False)]),
            ("expired", {"type": "payment.expired", "data": {"link_id": "pay_1"}}, [("expired", "pay_1", None, False)]),
            ("refunded", {"type": "payment.refunded", "data": data}, [("refunded", "pay_1", 1_250, False)]),
            ("unknown", {"type": "payment.moved", "data": data}, []),
            ("no link", {"type": "payment.succeeded", "data": {"amount": 1}}, []),
            ("a list", [], []),
            ("no data", {"type": "payment.succeeded"}, []),
            ("a link that is none", {"type": "payment.succeeded", "data": data | {"link_id": ["pay_1"]}}, []),
        ):
            with trial.case(name):
                assert read(event) == wanted
        amounts: list[Any] = [None, True, "12,5", "nan", 12.505, 1e300, [], -1e13]
        for amount in amounts:
            with trial.case(f"amount {amount}"):
                assert read({"type": "payment.succeeded", "data": data | {"amount": amount}})[0][2:] == (None, True)
        for mode in ("test", "", None, 1):
            with trial.case(f"mode {mode}"), pytest.raises(Unverified):
                read({"type": "payment.succeeded", "data": data | {"mode": mode}})


async def test_without_an_address_to_ask_at_it_tells_by_itself(tmp_path: Path) -> None:
    provider = Generic(KEYS, "test", GuardedClient(Targets()))
    await provider.check()
    assert (await provider.ask("pay_1", "pay_1")).state == "open"
    assert (await provider.cancel("pay_1")).state == "cancelled"
    with pytest.raises(ProviderRefused) as refused:
        await provider.refund(
            RefundWish(refund_id="rfd_1", reference="pay_1", payment_reference="", amount=1, currency="TRY")
        )
    assert refused.value.code == "refund_by_hand"


async def test_an_address_inside_the_network_is_never_called(tmp_path: Path) -> None:
    async with stage("generic", tmp_path) as (one, _):
        client = GuardedClient(Targets())
        try:
            for address in (one.fake.url, "https://127.0.0.1/ask", "https://169.254.169.254/", "https://[::1]/"):
                provider = Generic(KEYS | {"ask_url": address}, "test", client)
                with pytest.raises(ProviderRefused) as refused:
                    await provider.ask("pay_1", "pay_1")
                assert refused.value.code == "address_forbidden"
        finally:
            await client.close()
        assert one.fake.seen == []
