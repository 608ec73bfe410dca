"""The cloud driver tells apart what went out, what surely did not, and what nobody can know."""

from __future__ import annotations

import asyncio
import socket

import pytest
from aiohttp import web

from tablegram.messaging.model import Media
from tablegram.messaging.ports import Accepted, Delayed, LineUnreachable, NetworkRefused, Unknown
from tablegram.values.http.wire import only_while
from tests.messaging.lines.cloud.lines import cloud_line, message
from tests.messaging.lines.stub_graph import serve

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 64


async def test_a_text_is_posted_once_with_token_and_correlation() -> None:
    async with cloud_line() as (line, graph):
        assert await line.transmit(message()) == Accepted("wamid.1")
        (seen,) = graph.seen
        assert (seen.method, seen.path) == ("POST", "/v25.0/1065/messages")
        assert seen.headers["Authorization"] == "Bearer token-1"
        assert seen.headers["Content-Type"] == "application/json"
        assert seen.body["biz_opaque_callback_data"] == "corr-1"
        assert seen.body["text"] == {"body": "Hi", "preview_url": False}


async def test_many_messages_at_once_keep_their_own_answers() -> None:
    async with cloud_line() as (line, graph):
        outcomes = await asyncio.gather(*(line.transmit(message()) for _ in range(50)))
        assert {outcome.network_id for outcome in outcomes if isinstance(outcome, Accepted)} == {
            f"wamid.{number}" for number in range(1, 51)
        }
        assert len(graph.seen) == 50


async def test_nobody_listening_is_surely_not_sent() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        base_url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        async with cloud_line(base_url=base_url) as (line, _):
            outcome = await line.transmit(message())
            assert isinstance(outcome, Delayed)
            assert (outcome.code, outcome.holds, outcome.line_state) == ("line_unreachable", "line", "disconnected")
            assert (await line.probe()).state == "disconnected"


async def test_who_hung_until_the_line_may_be_anothers_sends_nothing_and_blames_no_line() -> None:
    async with cloud_line() as (line, graph):
        with only_while(lambda: False):
            outcome = await line.transmit(message())
        assert isinstance(outcome, Delayed)
        assert (outcome.holds, outcome.line_state) == ("message", None)
        assert graph.seen == []
        assert await line.transmit(message()) == Accepted("wamid.1")


async def test_a_name_that_does_not_resolve_is_surely_not_sent() -> None:
    async with cloud_line(base_url="http://no-such-host.invalid") as (line, _):
        outcome = await line.transmit(message())
        assert isinstance(outcome, Delayed)
        assert outcome.code == "line_unreachable"


async def test_a_handshake_that_fails_is_surely_not_sent() -> None:
    async with cloud_line() as (_, graph), cloud_line(base_url=graph.url.replace("http:", "https:")) as (line, _):
        outcome = await line.transmit(message())
        assert isinstance(outcome, Delayed)
        assert outcome.code == "line_unreachable"
        assert graph.seen == []


async def test_a_connection_cut_after_the_request_is_unknown_and_not_repeated() -> None:
    async with cloud_line() as (line, graph):
        graph.drop()
        assert isinstance(await line.transmit(message()), Unknown)
        assert len(graph.seen) == 1


async def test_an_answer_that_does_not_come_in_the_budget_is_unknown() -> None:
    async with cloud_line(budget_s=0.3) as (line, graph):
        graph.hang()
        assert isinstance(await line.transmit(message()), Unknown)
        assert len(graph.seen) == 1


@pytest.mark.parametrize("status", [500, 502, 503, 504])
async def test_a_server_error_without_the_networks_words_is_unknown(status: int) -> None:
    async with cloud_line() as (line, graph):
        graph.answer(status, b"<html>Bad gateway</html>")
        assert isinstance(await line.transmit(message()), Unknown)


@pytest.mark.parametrize(
    "body", [b"", b"not json", b"[]", b"{}", b'{"messages":[]}', b'{"messages":[{"id":""}]}', b'{"messages":7}']
)
async def test_a_success_that_cannot_be_read_is_unknown(body: bytes) -> None:
    async with cloud_line() as (line, graph):
        graph.answer(200, body)
        assert isinstance(await line.transmit(message()), Unknown)


@pytest.mark.slow
async def test_an_answer_that_breaks_off_is_unknown() -> None:
    async with cloud_line() as (line, graph):
        graph.answer(200, b'{"messages"', {"Content-Length": "500"})
        assert isinstance(await line.transmit(message()), Unknown)


@pytest.mark.parametrize("status", [301, 302, 401, 403, 404])
async def test_an_address_that_is_not_the_cloud_api_needs_attention(status: int) -> None:
    async with cloud_line() as (line, graph):
        graph.answer(status, b"<html>", {"Location": "/elsewhere"})
        outcome = await line.transmit(message())
        assert isinstance(outcome, Delayed)
        assert (outcome.code, outcome.line_state) == ("line_address_wrong", "needs_attention")
        assert len(graph.seen) == 1, "redirects are not followed"


async def test_retry_after_of_the_network_is_respected() -> None:
    async with cloud_line() as (line, graph):
        graph.answer(429, {"error": {"code": 130429, "message": "slow"}}, {"Retry-After": "77"})
        outcome = await line.transmit(message())
        assert isinstance(outcome, Delayed)
        assert outcome.retry_after_s == 77
        graph.answer(429, b"slow down", {"Retry-After": "9999999999"})
        outcome = await line.transmit(message())
        assert isinstance(outcome, Delayed)
        assert outcome.retry_after_s == 86_400


async def test_a_token_pasted_with_spaces_still_works() -> None:
    async with cloud_line() as (line, graph):
        again = type(line)(line._session, graph.url, "v25.0", "1065", " tok\r\nen\t", fetcher=line._outgoing._fetcher)
        assert isinstance(await again.transmit(message()), Accepted)
        assert graph.seen[0].headers["Authorization"] == "Bearer token"


async def test_a_number_id_cannot_reach_another_path() -> None:
    async with cloud_line() as (line, graph):
        sly = type(line)(line._session, graph.url, "v25.0", "../../evil?x=", "t", fetcher=line._outgoing._fetcher)
        await sly.transmit(message())
        assert graph.seen[0].path.startswith("/v25.0/")
        assert graph.seen[0].query == {}


async def test_reading_is_marked_on_the_same_address() -> None:
    async with cloud_line() as (line, graph):
        graph.answer(200, {"success": True})
        assert await line.mark_read("wamid.X") == Accepted("wamid.X")
        assert graph.seen[0].body == {"messaging_product": "whatsapp", "status": "read", "message_id": "wamid.X"}
        graph.error(400, 131009)
        assert isinstance(await line.mark_read("wamid.X"), NetworkRefused)


async def test_a_private_file_is_uploaded_before_its_message() -> None:
    async def file(request: web.Request) -> web.StreamResponse:
        return web.Response(body=PNG, content_type="image/png")

    async with cloud_line() as (line, graph), serve(file) as files:
        graph.answer(200, {"id": "media-7"})
        media = Media("image", f"{files}/a.png", by_link=False, caption="Look", filename="a.png", mime_type="image/png")
        assert isinstance(await line.transmit(message(media)), Accepted)
        upload, sent = graph.seen
        assert upload.path == "/v25.0/1065/media"
        assert upload.headers["Content-Type"].startswith("multipart/form-data")
        assert PNG in upload.raw
        assert b'name="messaging_product"' in upload.raw
        assert sent.body["image"] == {"id": "media-7", "caption": "Look"}


async def test_an_upload_is_never_unknown_because_no_message_went_out() -> None:
    async def file(request: web.Request) -> web.StreamResponse:
        return web.Response(body=PNG)

    async with cloud_line() as (line, graph), serve(file) as files:
        media = message(Media("image", f"{files}/a.png", by_link=False, mime_type="image/png"))
        graph.drop()
        outcome = await line.transmit(media)
        assert isinstance(outcome, Delayed)
        assert (outcome.code, outcome.holds, outcome.max_tries) == ("media_upload_failed", "message", 3)
        graph.answer(502, b"")
        assert isinstance(await line.transmit(media), Delayed)
        graph.answer(200, b"{}")
        assert isinstance(await line.transmit(media), Delayed)
        graph.error(400, 100)
        assert isinstance(await line.transmit(media), NetworkRefused)
        assert [seen.path for seen in graph.seen] == ["/v25.0/1065/media"] * 4


@pytest.mark.parametrize(
    ("url", "status", "size", "expected"),
    [
        ("http://10.0.0.1/a.png", 200, 10, "media_url_forbidden"),
        ("http://127.0.0.1:1/a.png", 200, 10, "media_unreachable"),
        ("", 404, 10, "media_unreachable"),
        ("", 200, 5 * 1_048_576 + 1, "media_too_large"),
    ],
)
async def test_a_file_that_cannot_be_had_sends_nothing(url: str, status: int, size: int, expected: str) -> None:
    async def file(request: web.Request) -> web.StreamResponse:
        return web.Response(status=status, body=bytes(size))

    async with cloud_line() as (line, graph), serve(file) as files:
        outcome = await line.transmit(message(Media("image", url or f"{files}/a.png", by_link=False)))
        assert isinstance(outcome, NetworkRefused | Delayed)
        assert outcome.code == expected
        assert graph.seen == []


async def test_a_probe_tells_the_number_it_found() -> None:
    async with cloud_line() as (line, graph):
        graph.answer(
            200, {"id": "1065", "display_phone_number": "+90 555", "verified_name": "Demo", "quality_rating": "GREEN"}
        )
        health = await line.probe()
        assert (health.state, health.reason) == ("connected", "Connected as +90 555 Demo.")
        assert (graph.seen[0].method, graph.seen[0].path) == ("GET", "/v25.0/1065")


@pytest.mark.parametrize(
    ("written", "phone"),
    [
        ("+1 631-555-1111", "16315551111"),
        ("15550783881", "15550783881"),
        ("+90 (555) 111\u00a022\u201133", "905551112233"),
        ("", ""),
        ("+90 555", ""),
        ("0555 111 22 33", ""),
        ("Demo 905551112233", ""),
        ("9" * 16, ""),
        (None, ""),
        (["905551112233"], ""),
    ],
)
async def test_a_probe_tells_the_number_that_people_dial(written: object, phone: str) -> None:
    async with cloud_line() as (line, graph):
        for more in ({}, {"quality_rating": "RED"}, {"status": "FLAGGED"}):
            graph.answer(200, {"id": "1065", "display_phone_number": written, **more})
            assert (await line.probe()).phone == phone
        graph.error(401, 190)
        assert (await line.probe()).phone == ""


@pytest.mark.parametrize(
    ("status", "body", "state"),
    [
        (401, {"error": {"code": 190, "message": "expired"}}, "needs_attention"),
        (400, {"error": {"code": 100, "error_subcode": 33, "message": "x"}}, "needs_attention"),
        (400, {"error": {"code": 131031, "message": "x"}}, "restricted"),
        (500, {"error": {"code": 2, "message": "x"}}, "degraded"),
        (502, b"<html>", "degraded"),
        (200, b"<html>", "needs_attention"),
        (404, b"<html>", "needs_attention"),
        (200, {"id": "1065", "quality_rating": "RED"}, "degraded"),
        (200, {"id": "1065", "status": "BANNED"}, "restricted"),
    ],
)
async def test_a_probe_says_why_a_line_does_not_work(status: int, body: object, state: str) -> None:
    async with cloud_line() as (line, graph):
        graph.answer(status, body)
        health = await line.probe()
        assert health.state == state
        assert health.reason


async def test_templates_are_read_page_by_page() -> None:
    async with cloud_line() as (line, graph):
        graph.answer(200, {"whatsapp_business_account": {"id": "77"}, "id": "1065"})
        first = {
            "name": "a",
            "language": "tr",
            "status": "APPROVED",
            "category": "UTILITY",
            "components": [{"type": "BODY"}],
        }
        graph.answer(
            200, {"data": [first, {"odd": 1}], "paging": {"cursors": {"after": "c1"}, "next": "https://evil.example/x"}}
        )
        graph.answer(200, {"data": [first | {"name": "b"}], "paging": {"cursors": {"after": "c2"}}})
        assert [template.name for template in await line.templates()] == ["a", "b"]
        assert [seen.path for seen in graph.seen] == [
            "/v25.0/1065",
            "/v25.0/77/message_templates",
            "/v25.0/77/message_templates",
        ]
        assert graph.seen[2].query["after"] == "c1"


async def test_templates_that_cannot_be_read_say_why() -> None:
    async with cloud_line(waba_id="77") as (line, graph):
        graph.error(401, 190)
        with pytest.raises(LineUnreachable, match="access token"):
            await line.templates()
        graph.answer(200, b"nonsense")
        with pytest.raises(LineUnreachable):
            await line.templates()
