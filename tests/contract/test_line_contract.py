"""What every kind of line promises, whatever network is behind it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
from aiohttp import web

from tablegram.messaging.model import (
    Button,
    Buttons,
    Contacts,
    Content,
    ListMenu,
    Location,
    Media,
    Outbound,
    PlaceRequest,
    Reaction,
    Row,
    Section,
    Template,
    Text,
)
from tablegram.messaging.ports import Accepted, Delayed, MediaFetched, NetworkRefused, Unknown
from tablegram.values import Json
from tests.contract.networks import NETWORKS, Stage
from tests.messaging.lines.stub_graph import serve

PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)
LINK = "https://files.example.com/a"

Opener = Callable[[], AbstractAsyncContextManager[Stage]]

CONTENTS: dict[str, Content] = {
    "text": Text("Merhaba *dünya*"),
    "image": Media("image", LINK, True, caption="c"),
    "video": Media("video", LINK, True),
    "document": Media("document", LINK, True, "c", "a.pdf"),
    "audio": Media("audio", LINK, True),
    "sticker": Media("sticker", LINK, True),
    "location": Location(41.0, 29.0, "Pier", "Sea 1"),
    "contacts": Contacts([{"name": {"formatted_name": "A B", "first_name": "A"}, "phones": [{"phone": "+1 555"}]}]),
    "buttons": Buttons("Sure?", [Button("y", "Yes"), Button("n", "No")], "H", "F"),
    "list": ListMenu("Choose", "Menu", [Section([Row("1", "Tea", "hot")], "Drinks")]),
    "location_request": PlaceRequest("Where are you?"),
}


@pytest.fixture(params=NETWORKS)
def stage(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    return lambda: NETWORKS[request.param](tmp_path)


def text(correlation: str = "c1") -> Outbound:
    return Outbound(correlation, "905551112233", Text("Hi"))


async def ignore(body: bytes, external_id: str) -> None:
    """Receipts of what was sent, from a line that listens by itself."""
    assert external_id.startswith("r:"), "a network that calls us brings nothing here"


async def test_a_line_may_be_started_again_and_again_and_stopped_whenever(stage: Opener) -> None:
    async with stage() as on:
        await on.line.stop()
        for _ in range(2):
            assert await on.line.start(ignore) is None
            await until_connected(on)
            assert isinstance(await on.line.transmit(text()), Accepted)
        await on.line.stop()
        await on.line.stop()
        assert await on.line.start(ignore) is None
        await until_connected(on)


async def until_connected(on: Stage) -> None:
    """A line that connects by itself needs a moment after its start."""
    async with asyncio.timeout(60):
        while (await on.line.probe()).state != "connected":
            await asyncio.sleep(0.05)


async def test_a_line_that_has_nothing_to_pair_says_so(stage: Opener) -> None:
    async with stage() as on:
        told = await on.line.pair("")
        assert isinstance(told, NetworkRefused)
        assert told.code == ("already_paired" if on.line.is_exclusive else "kind_unavailable")
        assert ("Log it out" if on.line.is_exclusive else "linked device") in told.detail


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
async def test_every_kind_of_message_is_accepted(stage: Opener, content: Content) -> None:
    async def file(request: web.Request) -> web.StreamResponse:
        return web.Response(body=PNG, content_type="image/png")

    async with stage() as on, serve(file) as files:
        if on.line.is_exclusive and isinstance(content, Media):
            # Nobody fetches a link for a phone: the gateway does.
            content = msgspec.structs.replace(content, url=f"{files}/a")
        outcome = await on.line.transmit(Outbound("c1", "905551112233", content))
        assert isinstance(outcome, Accepted), outcome
        assert outcome.network_id
        assert await on.accepted() == ["c1"]


async def test_an_accepted_message_can_be_answered_and_reacted_to(stage: Opener) -> None:
    async with stage() as on:
        first = await on.line.transmit(text())
        assert isinstance(first, Accepted)
        reply = await on.line.transmit(Outbound("c2", "905551112233", Text("And"), reply_to=first.network_id))
        assert isinstance(reply, Accepted)
        assert reply.network_id != first.network_id
        reaction = await on.line.transmit(Outbound("c3", "905551112233", Reaction(first.network_id, "👍")))
        assert isinstance(reaction, Accepted), reaction


async def test_a_private_file_is_uploaded(stage: Opener) -> None:
    async def file(request: web.Request) -> web.StreamResponse:
        return web.Response(body=PNG, content_type="image/png")

    async with stage() as on, serve(file) as files:
        media = Media("image", f"{files}/a.png", False, "c", "a.png", "image/png")
        outcome = await on.line.transmit(Outbound("c1", "905551112233", media))
        assert isinstance(outcome, Accepted), outcome


async def test_a_template_that_the_line_lists_as_approved_is_accepted(stage: Opener) -> None:
    async with stage() as on:
        if on.line.is_exclusive:
            # A phone has no templates, and says so.
            assert await on.line.templates() == []
            refused = await on.line.transmit(Outbound("c1", "905551112233", Template("hello", "en", [])))
            assert isinstance(refused, NetworkRefused)
            assert refused.code == "template_unavailable"
            return
        approved = [template for template in await on.line.templates() if template.status == "APPROVED"]
        assert approved
        chosen = approved[0]
        values = [{"type": "text", "text": "1"} for _ in range(str(chosen.components).count("{{"))]
        components: list[Json] = [{"type": "body", "parameters": values}] if values else []
        outcome = await on.line.transmit(
            Outbound("c1", "905551112233", Template(chosen.name, chosen.language, components))
        )
        assert isinstance(outcome, Accepted), outcome


@pytest.mark.parametrize(
    ("word", "code"),
    [("undeliverable", "not_on_network"), ("window_closed", "window_closed"), ("new_code", "network_refused")],
)
async def test_a_refusal_is_for_good(stage: Opener, word: str, code: str) -> None:
    async with stage() as on:
        await on.misbehave(word)
        outcome = await on.line.transmit(text())
        assert isinstance(outcome, NetworkRefused)
        assert outcome.code == code
        assert outcome.network_code
        assert outcome.detail


@pytest.mark.parametrize(
    ("word", "holds", "line_state"),
    [
        ("rate_limit", "line", None),
        ("pair_rate", "recipient", None),
        ("unwell", "line", None),
        ("spam_limit", "line", "restricted"),
        ("token_rejected", "line", "needs_attention"),
    ],
)
async def test_a_trouble_of_now_is_worth_another_try(
    stage: Opener, word: str, holds: str, line_state: str | None
) -> None:
    async with stage() as on:
        await on.misbehave(word)
        outcome = await on.line.transmit(text())
        assert isinstance(outcome, Delayed)
        assert (outcome.holds, outcome.line_state) == (holds, line_state)
        assert outcome.retry_after_s > 0
        again = await on.line.transmit(text("c2"))
        # A phone's own number stays quiet while the network has restricted it.
        is_quiet = on.line.is_exclusive and line_state == "restricted"
        assert isinstance(again, Delayed if is_quiet else Accepted)


@pytest.mark.parametrize("word", ["lost_answer", "dropped_request", "http_502"])
async def test_a_lost_answer_is_unknown_and_the_request_is_not_repeated(stage: Opener, word: str) -> None:
    async with stage() as on:
        await on.misbehave(word)
        assert isinstance(await on.line.transmit(text()), Unknown)
        await asyncio.sleep(0.05)
        assert (await on.accepted()).count("c1") <= 1
        assert isinstance(await on.line.transmit(text("c2")), Accepted), "the line goes on"


async def test_many_messages_at_once_each_get_their_own_id(stage: Opener) -> None:
    async with stage() as on:
        outcomes = await asyncio.gather(*(on.line.transmit(text(f"c{number}")) for number in range(64)))
        assert len({outcome.network_id for outcome in outcomes if isinstance(outcome, Accepted)}) == 64
        assert sorted(await on.accepted()) == sorted(f"c{number}" for number in range(64))


async def test_a_healthy_line_says_so_and_a_strange_one_needs_attention(stage: Opener) -> None:
    async with stage() as on:
        assert (await on.line.probe()).state == "connected"
        health = await on.stranger.probe()
        strange = "pairing" if on.line.is_exclusive else "needs_attention"
        assert health.state == strange
        outcome = await on.stranger.transmit(text())
        assert isinstance(outcome, Delayed)
        assert outcome.detail
        assert outcome.line_state == strange


async def test_a_customers_file_is_fetched_byte_for_byte(stage: Opener) -> None:
    content = PNG + bytes(range(256)) * 3_000
    async with stage() as on:
        sink = BytesIO()
        got = await on.line.fetch_media(await on.have_file(content, "image/png"), sink, len(content))
        assert sink.getvalue() == content
        digest = hashlib.sha256(content).hexdigest()
        assert got == MediaFetched(len(content), digest, "image/png", digest)


async def test_a_file_that_is_not_there_is_gone_for_good(stage: Opener) -> None:
    async with stage() as on:
        got = await on.line.fetch_media("1234567890404", BytesIO(), 1_000)
        assert isinstance(got, NetworkRefused), got
        assert got.code == "media_gone"


async def test_a_file_that_is_too_large_is_not_read(stage: Opener) -> None:
    async with stage() as on:
        sink = BytesIO()
        got = await on.line.fetch_media(await on.have_file(PNG, "image/png"), sink, len(PNG) - 1)
        assert isinstance(got, NetworkRefused), got
        assert got.code == "media_too_large"
        assert sink.getvalue() == b""
