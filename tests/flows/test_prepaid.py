"""What sends cost: free first, then the balance, then nothing goes."""

from __future__ import annotations

import pytest

from tablegram.engine.idempotency import Call
from tablegram.errors import QuotaExhausted, Refused
from tablegram.flows.gateway.sending import Draft
from tablegram.messaging import ports
from tablegram.messaging.model import Text
from tablegram.messaging.ports import Delayed
from tests.flows.callbacks import status
from tests.messaging.gateway import OTHER, PHONE, body, gateway

# What the sample card asks for a service message to this country, in millionths.
PRICE = 1_000


async def test_free_messages_first_then_the_balance_then_402(database_url: str) -> None:
    async with gateway(database_url, billing="prepaid") as one:
        line = await one.add_line("cloud")
        assert body(await one.send())["cost_usd"] == 0
        await one.spend_free_messages()
        await one.top_up(PRICE * 2)
        for left in (PRICE, 0):
            assert body(await one.send())["cost_usd"] == 0.001
            assert await one.balance() == left
        sent = len(one.network(line).seen)
        with pytest.raises(QuotaExhausted) as caught:
            await one.send()
        assert (caught.value.status, caught.value.code) == (402, "quota_exhausted")
        # Nothing was stored, sent or charged for it.
        assert len(one.network(line).seen) == sent == len(await one.rows())
        assert await one.balance() == 0


async def test_free_messages_end_after_72_hours(database_url: str) -> None:
    async with gateway(database_url, billing="prepaid") as one:
        await one.add_line("cloud")
        await one.send()
        one.clock.advance(72 * 3_600 - 1)
        assert body(await one.send(OTHER))["cost_usd"] == 0
        one.clock.advance(2)
        with pytest.raises(QuotaExhausted):
            await one.send(OTHER)


async def test_what_could_not_be_paid_keeps_no_later_message_waiting(database_url: str) -> None:
    async with gateway(database_url, billing="prepaid") as one:
        await one.add_line("cloud")
        await one.spend_free_messages()
        # It was to be queued, and a later one to the same phone would have waited behind it.
        with pytest.raises(QuotaExhausted):
            await one.queue()
        await one.top_up(PRICE)
        assert body(await one.send())["status_code"] == "sent"


async def test_a_refused_message_costs_nothing(database_url: str) -> None:
    async with gateway(database_url, billing="prepaid") as one:
        line = await one.add_line("cloud")
        await one.spend_free_messages()
        await one.top_up(PRICE * 5)
        one.network(line).script.append(ports.NetworkRefused("not_on_network", "No.", 131026))
        with pytest.raises(Refused):
            await one.send()
        assert await one.balance() == PRICE * 5


async def test_a_refused_free_message_is_given_back(database_url: str) -> None:
    async with gateway(database_url, billing="prepaid") as one:
        line = await one.add_line("cloud")
        await one.spend_free_messages(leave=1)
        one.network(line).script.append(ports.NetworkRefused("not_on_network", "No.", 131026))
        with pytest.raises(Refused):
            await one.send()
        assert body(await one.send())["cost_usd"] == 0
        with pytest.raises(QuotaExhausted):
            await one.send()


async def test_a_cancelled_message_is_given_back_once(database_url: str) -> None:
    async with gateway(database_url, billing="prepaid") as one:
        await one.add_line("cloud")
        await one.spend_free_messages()
        await one.top_up(PRICE)
        answer = body(await one.send(send_at_ms=one.clock.now_ms() + 60_000))
        assert await one.balance() == 0
        for _ in range(2):
            await one.lookups.cancel(one.caller, answer["message_id"], Call("/cancel"))
            assert await one.balance() == PRICE


async def test_a_message_that_expires_is_given_back(database_url: str) -> None:
    async with gateway(database_url, billing="prepaid") as one:
        line = await one.add_line("cloud")
        await one.spend_free_messages()
        await one.top_up(PRICE)
        one.network(line).script.append(Delayed("busy", "Later.", 3_600, "recipient"))
        await one.send()
        assert await one.balance() == 0
        await one.later(25 * 3_600)
        await one.until_states("failed")
        assert await one.balance() == PRICE


async def test_the_networks_price_corrects_the_estimate_once(database_url: str) -> None:
    async with gateway(database_url, billing="prepaid") as one:
        line = await one.add_line("cloud")
        await one.spend_free_messages()
        await one.top_up(PRICE * 100)
        network_id = body(await one.send())["message_id"]
        dearer = {"billable": True, "category": "marketing"}
        for _ in range(2):
            await status(one, line, network_id, "delivered", pricing=dearer)
            assert await one.balance() == PRICE * 100 - 10_000
        view = body(await one.lookups.message(one.caller, network_id))
        assert view["cost_usd"] == 0.01
        row = await one.row()
        assert (row["cost_micros"], row["cost_final_micros"]) == (PRICE, 10_000)


async def test_what_the_network_does_not_bill_is_given_back(database_url: str) -> None:
    async with gateway(database_url, billing="prepaid") as one:
        line = await one.add_line("cloud")
        await one.spend_free_messages()
        await one.top_up(PRICE)
        network_id = body(await one.send())["message_id"]
        await status(one, line, network_id, "delivered", pricing={"billable": False, "category": "service"})
        assert await one.balance() == PRICE


async def test_a_failure_that_comes_later_is_given_back_and_a_delivery_after_it_is_charged_anew(
    database_url: str,
) -> None:
    async with gateway(database_url, billing="prepaid") as one:
        line = await one.add_line("cloud")
        await one.spend_free_messages()
        await one.top_up(PRICE)
        network_id = body(await one.send())["message_id"]
        await status(one, line, network_id, "failed", errors=[{"code": 131026, "title": "no"}])
        assert await one.balance() == PRICE
        await status(one, line, network_id, "delivered", pricing={"billable": True, "category": "service"})
        assert (await one.row())["state"] == "delivered"
        assert await one.balance() == 0


async def test_a_batch_stops_charging_where_the_money_ends(database_url: str) -> None:
    async with gateway(database_url, billing="prepaid") as one:
        await one.add_line("cloud")
        await one.spend_free_messages()
        await one.top_up(PRICE * 2)
        drafts = [Draft(phone=PHONE, content=Text(f"{n}"), type="text", text=f"{n}") for n in range(4)]
        answer = body(await one.sending.send_batch(one.caller, list(drafts), Call("/batch")))
        assert [entry["status"] for entry in answer["data"]] == ["success", "success", "error", "error"]
        assert {entry.get("code") for entry in answer["data"][2:]} == {"quota_exhausted"}
        assert await one.balance() == 0
        assert len(await one.rows()) == 2


async def test_without_billing_nothing_is_charged_and_the_price_is_told(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line("cloud")
        for _ in range(3):
            assert body(await one.send())["cost_usd"] == 0.001
        assert await one.balance() == 0
