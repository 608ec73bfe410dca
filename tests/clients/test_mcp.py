"""Assistants speak with the running server by the official client of their protocol."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent

from tests.ports import free_port
from tests.product import Product, fetch, running_product, wait_until

PHONE = "905551112277"
PROGRAM = str(Path(sys.executable).with_name("tablegram"))


def _by_pipe(product: Product, *options: str, key: str | None = None) -> Client:
    environment = {**os.environ, "TABLEGRAM_KEY": key or product.key}
    arguments = ["mcp", "--url", product.url, *options]
    return Client(StdioServerParameters(command=PROGRAM, args=arguments, env=environment))


async def _told(client: Client, name: str, **arguments: Any) -> Any:
    answer = await client.call_tool(name, arguments)
    assert not answer.is_error, answer.content
    found = answer.structured_content
    return found["result"] if isinstance(found, dict) and set(found) == {"result"} else found


async def _refused(client: Client, name: str, **arguments: Any) -> str:
    answer = await client.call_tool(name, arguments)
    assert answer.is_error
    [said] = answer.content
    assert isinstance(said, TextContent)
    return said.text


def _dish(product: Product) -> tuple[str, str]:
    """A dish of the demo restaurant that is on sale."""
    venue_id = product.call("GET", "/restaurant/venues")[1]["data"][0]["id"]
    menu = product.call("GET", f"/restaurant/venues/{venue_id}/menu")[1]
    return venue_id, next(one["id"] for one in menu["items"] if not one["sold_out"])


@contextmanager
def _over_http(product: Product) -> Iterator[str]:
    """The program as a server of its own."""
    port = free_port()
    process = subprocess.Popen([PROGRAM, "mcp", "--url", product.url, "--port", str(port)], stderr=subprocess.DEVNULL)
    try:
        address = f"http://127.0.0.1:{port}/mcp"
        wait_until(lambda: _listens(address), "the program to listen")
        yield address
    finally:
        process.terminate()
        process.wait(30)


def _listens(address: str) -> bool:
    try:
        fetch(address)
    except OSError:
        return False
    return True


@asynccontextmanager
async def _caller(address: str, key: str) -> Any:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        yield client


@pytest.mark.slow
def test_assistants_read_and_write_with_the_scopes_of_their_key(database_url: str) -> None:
    with running_product(database_url) as product:
        venue_id, dish_id = _dish(product)
        product.call("POST", "/contacts", {"phone": PHONE, "name": "Elif"})
        product.send(PHONE, "Your table is ready.")
        _, reader = product.call("POST", "/keys", {"name": "reader", "scopes": ["contacts:read"]})
        with _over_http(product) as address:
            asyncio.run(_look(product, venue_id))
            asyncio.run(_change(product, venue_id, dish_id))
            asyncio.run(_by_http(product, address, reader["key"]))


async def _look(product: Product, venue_id: str) -> None:
    async with _by_pipe(product) as client:
        listed = (await client.list_tools()).tools
        names = {one.name for one in listed}
        assert {"find_contacts", "read_conversation", "list_orders", "read_menu"} <= names
        # Read-only unless said otherwise.
        assert not names & {"send_text", "mark_sold_out", "move_order", "write_note"}
        assert all(one.annotations is not None and one.annotations.read_only_hint for one in listed)
        assert (await _told(client, "who_am_i"))["lines"]
        (contact,) = await _told(client, "find_contacts", words=PHONE)
        (message,) = await _told(client, "read_conversation", contact_id=contact["id"])
        assert message["text"] == "Your table is ready."
        assert [one["id"] for one in await _told(client, "list_venues")] == [venue_id]
        assert await _told(client, "list_orders") == []
        assert "order" in await _refused(client, "get_order", order_id="../me")
        assert await _refused(client, "find_contacts", limit=1000)
        assert await client.call_tool("send_text", {"phone": PHONE, "message": "no"}) is not None
    assert len(product.on_phone(PHONE)) == 1


async def _change(product: Product, venue_id: str, dish_id: str) -> None:
    async with _by_pipe(product, "--write") as client:
        sent = await _told(client, "send_text", phone=PHONE, message="Hello")
        assert sent["status"] == "success"
        assert "phone" in await _refused(client, "send_text", phone="0555", message="Hello")
        await _told(client, "mark_sold_out", venue_id=venue_id, ids=[dish_id])
        menu = await _told(client, "read_menu", venue_id=venue_id)
        assert next(one for one in menu["items"] if one["id"] == dish_id)["sold_out"]
        (contact,) = await _told(client, "find_contacts", words=PHONE)
        await _told(client, "write_note", contact_id=contact["id"], text="Likes the window.")
    wait_until(lambda: len(product.on_phone(PHONE)) == 2)


async def _by_http(product: Product, address: str, reader: str) -> None:
    async with _caller(address, product.key) as client:
        assert await _told(client, "list_venues")
    async with _caller(address, reader) as client:
        assert await _told(client, "find_contacts")
        assert "scope" in await _refused(client, "list_orders")
    async with _caller(address, "") as client:
        assert "Authorization" in await _refused(client, "list_venues")
    async with _caller(address, "tg_live_wrong") as client:
        assert "key" in await _refused(client, "list_venues")


@pytest.mark.slow
def test_it_says_what_is_missing(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "TABLEGRAM_KEY"}
    done = subprocess.run([PROGRAM, "mcp"], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode
    assert "TABLEGRAM_KEY" in done.stderr
