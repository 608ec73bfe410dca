"""What the network has accepted survives the death of its process, and of the line's."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import aiohttp
import pytest

from tests.ports import free_port
from tests.product import Process
from tests.sandbox.stage import LINE, Stage, stage


@asynccontextmanager
async def process(port: int, store: Path) -> AsyncIterator[Process]:
    """The network alone, in a process of its own."""
    alone = Process(
        ["sandbox", "--port", str(port), "--file", str(store)],
        {**os.environ, "TABLEGRAM_DATA_DIR": str(store.parent)},
        store.parent / "said.log",
        f"http://127.0.0.1:{port}/sandbox/counters",
    )
    # Whoever waits for it leaves this loop to its callbacks.
    await asyncio.to_thread(alone.start)
    try:
        yield alone
    finally:
        if alone.is_running():
            await asyncio.to_thread(alone.kill)


@pytest.mark.slow
async def test_every_answered_message_survives_being_killed(tmp_path: Path) -> None:
    port, store = free_port(), tmp_path / "alone.db"
    answered: list[str] = []
    async with stage(tmp_path / "receiver.db") as receiver, aiohttp.ClientSession() as http:
        alone = Stage(f"http://127.0.0.1:{port}/sandbox", receiver.callback_url, http, receiver.told)

        async def burst(name: str) -> None:
            for number in range(10_000):
                correlation = f"{name}-{number}"
                try:
                    status, _ = await alone.send(f"90555{number % 50:07d}", biz_opaque_callback_data=correlation)
                except (aiohttp.ClientError, OSError):
                    return
                assert status == 200
                answered.append(correlation)

        for life in range(3):
            async with process(port, store) as running:
                await alone.register()
                bursts = [asyncio.create_task(burst(f"{life}-{worker}")) for worker in range(8)]
                await alone.until(partial(lambda wanted: len(answered) > wanted, 100 * (life + 1)))
                await asyncio.to_thread(running.kill)
                await asyncio.gather(*bursts)

        async with process(port, store):
            _, log = await alone.call("GET", "/accepted?limit=10000")
            kept = {row["correlation"] for row in log["data"]}
            assert set(answered) <= kept
            await alone.settled()
            told = {
                status["biz_opaque_callback_data"] for status in alone.statuses() if status["status"] == "delivered"
            }
            assert kept == told
            _, numbers = await alone.call("GET", "/numbers")
            assert [number["id"] for number in numbers["data"]] == [LINE]


@pytest.mark.slow
async def test_it_ends_when_told_to_even_with_a_page_open(tmp_path: Path) -> None:
    port = free_port()
    async with process(port, tmp_path / "s.db") as running, aiohttp.ClientSession() as http:
        stream = await http.get(f"http://127.0.0.1:{port}/sandbox/events")
        await stream.content.readuntil(b"hello")
        await asyncio.to_thread(running.stop)
        stream.close()


async def test_faults_phones_and_counters_are_there_after_a_restart(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.sent(biz_opaque_callback_data="once")
        await net.write(text="Kept")
        await net.fault("rate_limit", times=2)
        await net.settled()
    async with stage(tmp_path / "s.db") as net:
        assert [message["text"] for message in await net.on_phone()] == ["Hello", "Kept"]
        await net.send()
        [fault] = (await net.call("GET", "/faults"))[1]["data"]
        assert fault["times"] == 1
        await net.call("DELETE", "/faults")
        await net.sent(biz_opaque_callback_data="once")
        _, counters = await net.call("GET", "/counters")
        assert (counters["accepted"], counters["duplicates"], counters["inbound"]) == (2, 1, 1)
