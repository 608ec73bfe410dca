"""A server that ends takes its children along at once, told to or killed, and who waits is told to come again."""

from __future__ import annotations

import json
import signal
import threading
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.product import Product, fetch, running_product, wait_until
from tests.workshop.hostile import cell, workbook

pytestmark = [pytest.mark.slow, pytest.mark.once]


def children_of(pid: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def is_there(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def busy(product: Product, heard: list[Any]) -> tuple[int, int]:
    """Have a child at work, and answer the foreman and the child."""
    venue = product.call("GET", "/restaurant/venues")[1]["data"][0]["id"]
    rows = "".join(f"<row>{cell('A') * 40}</row>" for _ in range(3_500))
    raw = workbook(f"<row>{cell('category')}{cell('name')}{cell('price')}</row>{rows}")

    def send() -> None:
        path = f"{product.api}/restaurant/venues/{venue}/menu/import"
        try:
            heard.append(post(path, raw, product.headers()))
        except OSError as error:
            heard.append((0, error))

    threading.Thread(target=send, daemon=True).start()
    found: list[tuple[int, int]] = []

    def at_work() -> bool:
        for foreman in children_of(product.server.pid):
            found.extend((foreman, child) for child in children_of(foreman))
        return bool(found)

    wait_until(at_work, "a child at work", 60)
    return found[0]


def post(url: str, raw: bytes, headers: dict[str, str]) -> tuple[int, Any]:
    request = urllib.request.Request(url, data=raw, method="POST", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def test_children_end_with_the_server_at_once(database_url: str) -> None:
    with running_product(database_url) as product:
        heard: list[Any] = []
        foreman, child = busy(product, heard)
        assert product.server.stop() in (0, -signal.SIGTERM)
        wait_until(lambda: heard, "the answer")
        assert (heard[0][0], heard[0][1]["code"]) == (503, "server_stopping")
        assert not is_there(foreman)
        assert not is_there(child)

        product.server.start()
        assert fetch(f"{product.url}/healthz")[0] == 200
        foreman, child = busy(product, [])
        product.server.kill()
        wait_until(lambda: not is_there(foreman) and not is_there(child), "the children to follow")
