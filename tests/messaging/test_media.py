"""A media_url is looked at before its message is accepted, and every refusal says what is wrong."""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from tablegram.errors import Invalid
from tablegram.messaging.media import MediaFacts, inspect
from tablegram.values.http.outbound import GuardedClient, Targets
from tests.messaging.lines.stub_graph import serve

PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)
PDF = b"%PDF-1.7" + bytes(100)
LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)


@asynccontextmanager
async def file(body: bytes, *, chunked: bool = False, **more: object) -> AsyncIterator[tuple[GuardedClient, str]]:
    async def handle(request: web.Request) -> web.StreamResponse:
        if not chunked:
            return web.Response(body=body, **more)  # type: ignore[arg-type]
        response = web.StreamResponse()
        await response.prepare(request)
        await response.write(body)
        return response

    fetcher = GuardedClient(Targets(LOOPBACK))
    async with serve(handle) as url:
        try:
            yield fetcher, url
        finally:
            await fetcher.close()


async def refusal(fetcher: GuardedClient, url: str, wanted: str | None = None) -> str:
    with pytest.raises(Invalid) as caught:
        await inspect(fetcher, url, wanted)  # type: ignore[arg-type]
    (error,) = caught.value.errors
    assert error.field == "media_url"
    assert error.code == caught.value.code
    return error.code


@pytest.mark.parametrize("chunked", [False, True])
async def test_kind_size_and_name_are_told_from_the_file(chunked: bool) -> None:
    async with file(PNG, chunked=chunked) as (fetcher, url):
        facts = await inspect(fetcher, f"{url}/pictures/caf%C3%A9.png?x=1")
        assert facts == MediaFacts("image", "image/png", len(PNG), "café.png", by_link=False)


async def test_a_wish_for_a_document_is_always_granted() -> None:
    async with file(PNG) as (fetcher, url):
        assert (await inspect(fetcher, f"{url}/a.png", "document")).kind == "document"
    async with file(PDF, headers={"Content-Disposition": 'attachment; filename="../bill\u202e.pdf"'}) as (fetcher, url):
        facts = await inspect(fetcher, f"{url}/download")
        assert (facts.kind, facts.mime_type, facts.filename) == ("document", "application/pdf", "bill.pdf")


@pytest.mark.parametrize(
    ("body", "wanted", "headers"),
    [
        (PDF, "image", {}),
        (PNG, "video", {}),
        (b"", None, {}),
        (b"<html><body>Sign in", None, {}),
        (b"<html><body>Sign in", "document", {}),
        (b"MZ\x90", "document", {}),
        (b"garbage", None, {"Content-Type": "image/png"}),
        (b"garbage", "image", {"Content-Type": "image/png"}),
    ],
)
async def test_a_file_that_does_not_fit_is_unsupported(
    body: bytes, wanted: str | None, headers: dict[str, str]
) -> None:
    async with file(body, headers=headers) as (fetcher, url):
        assert await refusal(fetcher, url, wanted) == "media_type_unsupported"


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize(("size", "wanted"), [(5 * 1_048_576 + 1, None), (5 * 1_048_576 + 1, "image")])
async def test_a_file_over_the_networks_cap_is_too_large(size: int, wanted: str | None, chunked: bool) -> None:
    async with file(PNG[:8] + bytes(size - 8), chunked=chunked) as (fetcher, url):
        assert await refusal(fetcher, url, wanted) == "media_too_large"


async def test_a_file_of_exactly_the_cap_is_taken() -> None:
    async with file(PNG[:8] + bytes(5 * 1_048_576 - 8)) as (fetcher, url):
        assert (await inspect(fetcher, url)).size == 5 * 1_048_576


@pytest.mark.parametrize("status", [301, 404, 500, 204])
async def test_an_address_without_a_file_is_unreachable(status: int) -> None:
    async with file(b"", status=status, headers={"Location": "/x"}) as (fetcher, url):
        assert await refusal(fetcher, url) == "media_unreachable"


async def test_a_dead_address_is_unreachable_and_a_private_one_forbidden() -> None:
    async with file(PNG) as (fetcher, _):
        assert await refusal(fetcher, "http://127.0.0.1:1/a.png") == "media_unreachable"
        assert await refusal(fetcher, "https://10.0.0.1/a.png") == "media_url_forbidden"
        assert await refusal(fetcher, "ftp://example.com/a.png") == "media_url_forbidden"
        assert await refusal(fetcher, "not a url") == "media_url_forbidden"
