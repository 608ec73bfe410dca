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

# What an operator was promised, beside what the machine needs right now to end a server that has nothing to do.
ENDS_WITHIN_S = 10.0


def stop(product: Product) -> float:
    """How many seconds it took."""
    started = time.monotonic()
    product.server.stop()
    return time.monotonic() - started


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
        took_s = stop(product)
        stream.close()
        for send in sends:
            send.result()
        product.server.start()
        for phone in phones[:8]:
            assert wait_for_texts(product, phone, 1) == ["under way"]
        time.sleep(1)
        assert product.sandbox_call("GET", "/counters")["duplicates"] == 0
        assert len(every_message(product)) == 8
        assert took_s - stop(product) < ENDS_WITHIN_S


def test_sigterm_while_an_import_is_checked_and_while_it_runs_ends_in_time_and_it_goes_on(database_url: str) -> None:
    rows = 6_000
    table = "phone,name\n" + "".join(f"9055{number:08d},Guest {number}\n" for number in range(rows))
    with running_product(database_url) as product, ThreadPoolExecutor(1) as pool:
        path = f"/contacts/imports/{product.call('POST', '/contacts/import', {'csv': table})[1]['id']}"
        checking = pool.submit(_try_to_check, product, table)
        assert product.call("POST", f"{path}/start", {})[0] == 202
        wait_until(lambda: product.call("GET", path)[1]["done"] > 0, "the first rows to be in")
        took_s = stop(product)
        checking.result()
        product.server.start()
        wait_until(lambda: product.call("GET", path)[1]["state"] == "done", "the rest to come in", within_s=60)
        assert product.call("GET", path)[1]["done"] == rows
        assert took_s - stop(product) < ENDS_WITHIN_S


def _try_to_check(product: Product, table: str) -> None:
    try:
        product.call("POST", "/contacts/import", {"csv": table})
    except OSError:
        # The server went away before its answer: nothing was agreed to yet.
        pass


def _try_to_send(product: Product, phone: str) -> None:
    try:
        product.send(phone, "under way")
    except OSError:
        # The server went away before its answer; the message is what counts.
        pass
