"""Whatever is thrown at the network, it answers in its own words and keeps working."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablegram.sandbox.graph.errors import GraphError
from tablegram.sandbox.graph.sending import read_send
from tablegram.sandbox.network import Network
from tablegram.sandbox.store import Number
from tests.long import many
from tests.sandbox.stage import ANNA, LINE, bearer, stage

KINDS = ["text", "image", "location", "contacts", "reaction", "template", "interactive", "document", "order"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "body",
                    "text",
                    "link",
                    "id",
                    "type",
                    "action",
                    "buttons",
                    "reply",
                    "title",
                    "sections",
                    "rows",
                    "name",
                    "language",
                    "code",
                    "components",
                    "parameters",
                    "latitude",
                    "longitude",
                    "message_id",
                    "emoji",
                    "formatted_name",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


NUMBER = Number(id=LINE, access_token="token", display_phone_number="15550783881")


@settings(max_examples=many(80, 300), deadline=None, suppress_health_check=list(HealthCheck))
@given(kind=st.sampled_from(KINDS), content=JSON, more=JSON)
def test_no_send_body_makes_the_network_fail(tmp_path: Path, kind: str, content: Any, more: Any) -> None:
    network = opened(tmp_path / "s.db")
    body = {"messaging_product": "whatsapp", "to": ANNA, "type": kind, kind: content, "context": more}
    code = None
    try:
        network.accept(NUMBER, read_send(body, NUMBER, network.store, network.chats))
    except GraphError as refusal:
        code = refusal.code
    assert code in (None, 100, 131008, 131009, 132000, 132001)


@cache
def opened(path: Path) -> Network:
    return Network(path)


async def test_bytes_that_are_not_json_are_refused_in_each_sides_own_shape(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        for raw in (
            b"",
            b"{",
            b"\xff\xfe",
            b"[]",
            b"null",
            b'"x"',
            b"[" * 100_000,
            b'{"a":' * 50_000,
            b'{"text":"\\ud800"}',
        ):
            async with net.http.post(f"{net.url}/graph/v25.0/{LINE}/messages", data=raw, headers=bearer()) as answer:
                assert answer.status == 400
                assert (await answer.json())["error"]["code"] == 100
            async with net.http.post(f"{net.url}/phones/{ANNA}/messages", data=raw) as answer:
                assert answer.status == 422
                assert (await answer.json())["detail"]


async def test_texts_come_back_exactly_as_they_were_written(tmp_path: Path) -> None:
    texts = [
        "<script>alert(1)</script>",
        "'; DROP TABLE messages; --",
        "שלום ‮abc",
        "🍲" * 100,
        "a\nb\tc",
        "\\u0000 \x07",
    ]
    async with stage(tmp_path / "s.db") as net:
        for text in texts:
            await net.sent(type="text", text={"body": text})
            await net.write(text=text)
        assert [message["text"] for message in await net.on_phone()] == [text for text in texts for _ in range(2)]
        await net.until(lambda: len(net.messages()) == len(texts))
        assert [message["text"]["body"] for message in net.messages()] == texts


async def test_a_file_that_claims_to_be_a_page_is_only_downloaded(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        written = await net.write(type="document", data="PHNjcmlwdD4=", mime_type="text/html", filename="x.html")
        async with net.http.get(net.url.removesuffix("/sandbox") + written["media"]["url"]) as answer:
            assert answer.content_type == "application/octet-stream"
            assert answer.headers["Content-Disposition"] == "attachment"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert "sandbox" in answer.headers["Content-Security-Policy"]


async def test_secrets_of_a_line_do_not_come_back(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        _, numbers = await net.call("GET", "/numbers")
        assert "secret" not in json.dumps(numbers)
        assert "token" not in json.dumps(numbers)
