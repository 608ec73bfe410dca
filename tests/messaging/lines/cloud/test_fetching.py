"""Fetching customers' files: the token stays with the network, and nothing that it sends is believed too easily."""

from __future__ import annotations

import asyncio
from io import BytesIO
from typing import Any

import msgspec
import pytest
from aiohttp import web

from tablegram.messaging.lines.cloud import fetching
from tablegram.messaging.lines.cloud.fetching import MediaSource
from tablegram.messaging.ports import Delayed, MediaFetched, NetworkRefused
from tablegram.values.http.network import Session
from tests.messaging.lines.cloud.lines import cloud_line
from tests.messaging.lines.stub_graph import StubGraph, serve

MAX = 10_000


def place(stub: StubGraph, **more: Any) -> dict[str, Any]:
    return {"url": f"{stub.url}/lookaside/1", "mime_type": "image/png", "sha256": "", "file_size": 5, **more}


async def test_the_token_goes_along_to_the_file_and_redirects_are_not_followed() -> None:
    async with cloud_line() as (line, stub):
        stub.answer(200, place(stub))
        stub.answer(302, b"", {"Location": "http://127.0.0.1:1/elsewhere"})
        got = await line.fetch_media("77", BytesIO(), MAX)
        assert isinstance(got, Delayed)
        assert [(seen.path, seen.headers["Authorization"]) for seen in stub.seen] == [
            ("/v25.0/77", "Bearer token-1"), ("/lookaside/1", "Bearer token-1"),
        ]  # fmt: skip


async def test_the_token_is_never_sent_to_a_foreign_host() -> None:
    heard: list[str] = []

    async def foreign(request: web.Request) -> web.StreamResponse:
        heard.append(request.headers.get("Authorization", ""))
        return web.Response(body=b"hello")

    async with serve(foreign) as elsewhere, cloud_line() as (line, stub):
        own = stub.url.removeprefix("http://")
        for url in (
            f"{elsewhere}/x", f"http://{own}@{elsewhere.removeprefix('http://')}/x", f"{elsewhere}/{own}",
            f"//{elsewhere.removeprefix('http://')}/x", f"http://user:pass@{own}/x", f"https://{own}/x",
            "http://lookaside.fbsbx.com/x", "file:///etc/passwd", "ftp://lookaside.fbsbx.com/", "http://[::1", "x", "",
            None, 7, ["http://127.0.0.1/"], "http://127.0.0.1:99999/", "\x00",
        ):  # fmt: skip
            stub.answer(200, place(stub, url=url))
            got = await line.fetch_media("77", BytesIO(), MAX)
            assert isinstance(got, Delayed), url
            assert got.code == "media_host_foreign", url
        assert heard == []
        assert len(stub.seen) == 17


@pytest.mark.parametrize(
    ("url", "trusted"),
    [
        ("https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1&hash=a%2Bb", True),
        ("https://LOOKASIDE.fbsbx.com/x", True),
        ("https://graph.example/x", True),
        ("https://lookaside.fbsbx.com:8443/x", False),
        ("https://lookaside.fbsbx.com.evil.example/x", False),
        ("https://evil-lookaside.fbsbx.com/x", False),
        ("https://evil.example/lookaside.fbsbx.com", False),
        ("https://lookaside.fbsbx.com\\@evil.example/x", False),
        ("https://a@lookaside.fbsbx.com/x", False),
        ("http://graph.example/x", False),
    ],
)
async def test_only_the_networks_own_hosts_are_trusted(url: str, trusted: bool) -> None:
    async with Session() as session:
        source = MediaSource(session, "https://graph.example", ("lookaside.fbsbx.com",), {}, 1.0)
        found = source._trusted(url)
        assert (found is not None) == trusted
        if found is not None and "?" in url:
            assert str(found) == url


@pytest.mark.parametrize("status", [404, 410])
async def test_a_file_that_the_network_no_longer_has_is_gone(status: int) -> None:
    async with cloud_line() as (line, stub):
        stub.answer(200, place(stub))
        stub.answer(status, b"")
        assert (await line.fetch_media("77", BytesIO(), MAX)) == NetworkRefused(
            "media_gone", "The network no longer has this file."
        )


@pytest.mark.parametrize(
    ("status", "code", "holds"),
    [(401, 190, "line"), (429, 4, "line"), (500, 131000, "line"), (400, 131052, "message"), (400, 100, "message")],
)
async def test_a_refusal_of_now_is_worth_another_try(status: int, code: int, holds: str) -> None:
    async with cloud_line() as (line, stub):
        stub.error(status, code)
        got = await line.fetch_media("77", BytesIO(), MAX)
        assert isinstance(got, Delayed)
        assert got.holds == holds
        assert got.detail


@pytest.mark.parametrize("raw", [b"", b"<html>", b"[]", b"{}", b'{"url": 5}', b"\xff", b"{" * 5_000])
async def test_an_answer_that_makes_no_sense_is_worth_another_try(raw: bytes) -> None:
    async with cloud_line() as (line, stub):
        stub.answer(200, raw)
        assert isinstance(await line.fetch_media("77", BytesIO(), MAX), Delayed)


@pytest.mark.parametrize("word", ["drop", "hang"])
async def test_a_lost_answer_is_worth_another_try(word: str) -> None:
    async with cloud_line(budget_s=0.3) as (line, stub):
        getattr(stub, word)()
        assert isinstance(await line.fetch_media("77", BytesIO(), MAX), Delayed)


async def test_a_network_that_is_away_is_the_lines_trouble_and_not_the_files() -> None:
    async with cloud_line(base_url="http://127.0.0.1:1") as (line, _):
        got = await line.fetch_media("77", BytesIO(), MAX)
        assert isinstance(got, Delayed)
        assert got.holds == "line"


async def test_a_file_without_a_length_is_cut_off_at_the_limit() -> None:
    sent = 0

    async def endless(request: web.Request) -> web.StreamResponse:
        nonlocal sent
        if not request.path.startswith("/lookaside"):
            here = {"url": f"http://{request.host}/lookaside/1", "file_size": "small"}
            return web.Response(body=msgspec.json.encode(here))
        response = web.StreamResponse()
        await response.prepare(request)
        while sent < 200 * MAX:
            await response.write(b"x" * 1_000)
            sent += 1_000
        return response

    async with serve(endless) as url, cloud_line(base_url=url) as (line, _):
        sink = BytesIO()
        got = await line.fetch_media("77", sink, MAX)
        assert isinstance(got, NetworkRefused)
        assert got.code == "media_too_large"
        assert len(sink.getvalue()) <= MAX


async def test_a_slow_drip_ends_in_time_and_is_worth_another_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "FILE_BUDGET_S", 0.4)

    async def drip(request: web.Request) -> web.StreamResponse:
        if not request.path.startswith("/lookaside"):
            return web.Response(body=msgspec.json.encode({"url": f"http://{request.host}/lookaside/1"}))
        response = web.StreamResponse()
        await response.prepare(request)
        for _ in range(100):
            await response.write(b"x")
            await asyncio.sleep(0.5)
        return response

    async with serve(drip) as url, cloud_line(base_url=url) as (line, _):
        got = await asyncio.wait_for(line.fetch_media("77", BytesIO(), MAX), 30)
        assert isinstance(got, Delayed)
        assert got.holds == "message"


async def test_a_file_that_breaks_off_is_never_taken_for_whole() -> None:
    async def short(request: web.Request) -> web.StreamResponse:
        if not request.path.startswith("/lookaside"):
            return web.Response(body=msgspec.json.encode({"url": f"http://{request.host}/lookaside/1"}))
        response = web.StreamResponse(headers={"Content-Length": "500"})
        await response.prepare(request)
        await response.write(b"x" * 100)
        assert request.transport is not None
        request.transport.abort()
        return response

    async with serve(short) as url, cloud_line(base_url=url) as (line, _):
        assert isinstance(await line.fetch_media("77", BytesIO(), MAX), Delayed)


async def test_an_odd_id_stays_one_part_of_the_address() -> None:
    async with cloud_line() as (line, stub):
        stub.answer(200, place(stub))
        stub.answer(200, b"hello")
        got = await line.fetch_media("../1065/messages?x=1", BytesIO(), MAX)
        assert isinstance(got, MediaFetched)
        assert stub.seen[0].path == "/v25.0/../1065/messages?x=1"
        assert stub.seen[0].query == {}
