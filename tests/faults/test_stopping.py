"""SIGTERM: everything ends in time, whoever is still connected, and what was under way is not lost."""

from __future__ import annotations

import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.faults.burst import every_message
from tests.faults.looking import wait_for_texts
from tests.product import Product, running_product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.timeout(120)]

# What an operator was promised.
ENDS_WITHIN_S = 10.0


def open_stream(product: Product, path: str) -> socket.socket:
    host, port = product.url.removeprefix("http://").split(":")
    stream = socket.create_connection((host, int(port)), timeout=10)
    stream.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nAccept: text/event-stream\r\n\r\n".encode())
    assert b" 200 " in stream.recv(65_536).split(b"\r\n", 1)[0]
    return stream


def test_sigterm_ends_in_time_with_sends_and_a_stream_under_way_and_loses_nothing(
    database_url: str, phones: list[str]
) -> None:
    settings = {"TABLEGRAM_UNKNOWN_WAIT_S": "3"}
    with running_product(database_url, settings=settings) as product, ThreadPoolExecutor(8) as pool:
        stream = open_stream(product, "/sandbox/events")
        # Slower than any patience: these sends cannot be finished, only taken up again.
        product.sandbox_call("POST", "/faults", {"kind": "latency", "ms": 20_000, "times": 8})
        sends = [pool.submit(_try_to_send, product, phone) for phone in phones[:8]]
        wait_until(lambda: len(every_message(product)) == 8, "the sends to be under way")
        started = time.monotonic()
        product.server.stop()
        assert time.monotonic() - started < ENDS_WITHIN_S
        stream.close()
        for send in sends:
            send.result()
        product.server.start()
        for phone in phones[:8]:
            assert wait_for_texts(product, phone, 1) == ["under way"]
        time.sleep(1)
        assert product.sandbox_call("GET", "/counters")["duplicates"] == 0
        assert len(every_message(product)) == 8


def _try_to_send(product: Product, phone: str) -> None:
    try:
        product.send(phone, "under way")
    except OSError:
        # The server went away before its answer; the message is what counts.
        pass
