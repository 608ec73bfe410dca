"""The same thing asked for many times at once happens once."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import aiohttp
import pytest

from tests.engine.waiting import until
from tests.faults.burst import every_message
from tests.faults.looking import accepted_for, inject, texts_on, wait_for_texts
from tests.ports import free_port
from tests.product import Product, run_cli

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]


async def send_at_once(
    product: Product, body: dict[str, Any], times: int, **headers: str
) -> list[tuple[int, dict[str, Any], bool]]:
    async def one(session: aiohttp.ClientSession) -> tuple[int, dict[str, Any], bool]:
        sent = {**product.headers(), **{name.replace("_", "-"): value for name, value in headers.items()}}
        async with session.post(f"{product.api}/messages/send", json=body, headers=sent) as answer:
            document = await answer.json(content_type=None)
            return answer.status, document, answer.headers.get("Idempotent-Replayed") == "true"

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        return list(await asyncio.gather(*[one(session) for _ in range(times)]))


@pytest.mark.parametrize("latency_ms", [0, 400])
def test_fifty_identical_keys_at_once_make_one_message(product: Product, phone: str, latency_ms: int) -> None:
    if latency_ms:
        inject(product, "latency", phone, ms=latency_ms, times=1)
    body = {"phone": phone, "message": "one of fifty"}
    key = f"fifty-{phone}"
    answers = asyncio.run(send_at_once(product, body, 50, Idempotency_Key=key))
    good = [document["message_id"] for status, document, _ in answers if status == 200]
    others = Counter((status, document.get("code")) for status, document, _ in answers if status != 200)
    assert len(set(good)) == 1
    assert set(others) <= {(409, "idempotency_in_flight")}
    assert sum(1 for status, _, replayed in answers if status == 200 and not replayed) == 1
    assert wait_for_texts(product, phone, 1) == ["one of fifty"]
    status, again = product.call("POST", "/messages/send", body, Idempotency_Key=key)
    assert (status, again["message_id"]) == (200, good[0])
    assert len(accepted_for(product, phone)) == 1


def has_message(product: Product, phone: str) -> bool:
    return any(one["phone"] == phone for one in every_message(product))


def test_a_key_whose_process_died_answers_with_its_message_and_never_409_for_ever(product: Product, phone: str) -> None:
    inject(product, "latency", phone, ms=9_000, times=1)
    body = {"phone": phone, "message": "abandoned"}
    key = f"abandoned-{phone}"

    async def abandon() -> None:
        first = asyncio.create_task(send_at_once(product, body, 1, Idempotency_Key=key))
        await until(lambda: asyncio.to_thread(has_message, product, phone), "the first to be under way")
        second = await send_at_once(product, body, 1, Idempotency_Key=key)
        assert (second[0][0], second[0][1]["code"]) == (409, "idempotency_in_flight")
        product.server.kill()
        with pytest.raises(aiohttp.ClientError):
            await first

    asyncio.run(abandon())
    product.server.start()
    status, answer = product.call("POST", "/messages/send", body, Idempotency_Key=key)
    assert (status, answer["status"]) == (200, "success")
    wait_for_texts(product, phone, 1)
    status, again = product.call("POST", "/messages/send", body, Idempotency_Key=key)
    assert (status, again["message_id"]) == (200, answer["message_id"])
    other = {"phone": phone, "message": "something else"}
    status, problem = product.call("POST", "/messages/send", other, Idempotency_Key=key)
    assert (status, problem["errors"][0]["code"]) == (422, "idempotency_key_reused")
    assert texts_on(product, phone) == ["abandoned"]


def test_a_second_server_on_the_same_folder_refuses_in_plain_words(product: Product) -> None:
    environment = {**product.environment, "TABLEGRAM_PORT": str(free_port())}
    done = run_cli("serve", environment=environment)
    assert done.returncode == 1
    assert "Another server already runs" in done.stderr
    assert "Traceback" not in done.stderr
    assert product.call("GET", "/me")[0] == 200
