"""The store cannot be written: callers are told so, nothing is half done, and everything goes on afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import time
from pathlib import Path

import aiohttp
import pytest

from tests.databases import Databases
from tests.engine.waiting import until
from tests.faults.burst import every_message
from tests.faults.looking import accepted_for, inject, network_stands_still, texts_on, wait_for_status
from tests.faults.outage import store_down
from tests.product import Product, fetch, prepare, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]


def database_of(product: Product) -> str:
    return product.environment["TABLEGRAM_DATABASE_URL"]


def test_a_send_is_answered_503_and_leaves_nothing_behind(product: Product, phone: str) -> None:
    assert product.send(phone, "before")[0] == 200
    # Several times, because the first call may meet the connection at any moment of its end.
    for outage in range(8):
        with store_down(database_of(product), product.server.pid):
            for number in range(3):
                status, problem = product.send(phone, f"lost {outage} {number}")
                # Whatever else answers must be seen: which layer said it. A server that ends cannot write why just now.
                runs = product.server.is_running()
                assert isinstance(problem, dict), f"{status} {problem!r}, {runs=}\n{product.server.said()[-4_000:]}"
                assert (status, problem["code"]) == (503, "storage_unavailable"), problem
        wait_until(lambda: product.send(phone, "between")[0] == 200, "sends to work again")
    wait_until(lambda: fetch(f"{product.url}/readyz")[0] == 200, "the store to be back")
    wait_until(lambda: product.send(phone, "after")[0] == 200, "sends to work again")
    assert texts_on(product, phone)[0] == "before"
    assert not [text for text in texts_on(product, phone) if text.startswith("lost")]
    assert not [one for one in every_message(product) if one["text"].startswith("lost") and one["phone"] == phone]


def test_a_server_that_has_just_started_outlives_it(databases: Databases, tmp_path: Path, phone: str) -> None:
    """The first seconds are spent looking whether the lines are up, which they are not while their network is away."""
    url = databases.migrated()
    product = prepare(url, tmp_path, sandbox_alone=True, settings={})
    assert product.sandbox is not None
    try:
        product.server.start()
        with store_down(url, product.server.pid):
            time.sleep(0.5)
            assert product.server.is_running(), product.server.said()
        product.sandbox.start()
        wait_until(lambda: product.send(phone, "after")[0] == 200, "sends to work")
    finally:
        for process in (product.server, product.sandbox):
            if process.is_running():
                process.stop()
        databases.drop(url)


def test_an_answer_of_the_network_that_cannot_be_written_is_not_lost(product: Product, phone: str) -> None:
    """The message is stored, the network takes it, the store goes away before that can be written."""
    inject(product, "latency", phone, ms=3_000, times=1)
    inject(product, "no_callbacks", phone, times=1)

    async def send_through_the_outage() -> tuple[int, dict[str, str]]:
        body = {"phone": phone, "message": "half way"}
        async with aiohttp.ClientSession() as session:
            sending = asyncio.create_task(_post(session, product, body))
            # Stored: the network has it now, and takes its time.
            await until(lambda: asyncio.to_thread(_is_stored, product, phone), "the message to be stored")
            await asyncio.sleep(0.5)
            assert not sending.done()
            down = store_down(database_of(product), product.server.pid)
            await asyncio.to_thread(down.__enter__)
            try:
                return await sending
            finally:
                await asyncio.to_thread(down.__exit__, None, None, None)

    status, answer = asyncio.run(send_through_the_outage())
    # The network has it, so the caller must not be told to try again.
    assert (status, answer["status_code"]) == (200, "sent")
    wait_until(lambda: product.call("GET", f"/messages/{answer['message_id']}")[0] == 200, "the outcome to be written")
    wait_for_status(product, answer["message_id"], "sent", "delivered")
    time.sleep(0.2)
    assert len(accepted_for(product, phone)) == 1


def _is_stored(product: Product, phone: str) -> bool:
    return any(one["phone"] == phone for one in every_message(product))


async def _post(session: aiohttp.ClientSession, product: Product, body: dict[str, str]) -> tuple[int, dict[str, str]]:
    async with session.post(f"{product.api}/messages/send", json=body, headers=product.headers()) as answer:
        return answer.status, await answer.json(content_type=None)


def test_callbacks_that_cannot_be_stored_come_again_and_nothing_is_lost(product: Product, phone: str) -> None:
    inject(product, "delayed_callbacks", phone, ms=2_000)
    status, answer = product.send(phone, "told later")
    assert (status, answer["status_code"]) == (200, "sent")
    with contextlib.ExitStack() as outage:
        with network_stands_still(product):
            outage.enter_context(store_down(database_of(product), product.server.pid))
        counters = product.sandbox_call("GET", "/counters")["callbacks"]
        wait_until(
            lambda: (
                product.sandbox_call("GET", "/counters")["callbacks"]["failed_attempts"] > counters["failed_attempts"]
            ),
            "a callback to be refused",
        )
    wait_for_status(product, answer["message_id"], "delivered")
