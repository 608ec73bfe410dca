"""Where the network calls us: genuine or not, kept once, answered at once."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
from sqlalchemy import select

from tablegram.errors import Unavailable
from tablegram.hooks import cloud
from tablegram.hooks.cloud import MAX_BODY_BYTES, CloudHook
from tablegram.messaging.instances import Instance
from tablegram.messaging.lines.cloud import callbacks
from tablegram.messaging.switchboard import LiveLine
from tablegram.settings import Settings
from tablegram.storage.tables import inbox
from tablegram.web.bodies import BodyReader
from tests.messaging.gateway import Gateway, gateway

SECRET, WORD = "the app's secret", "the word"
BODY = b'{"entry": []}'


class Hook:
    def __init__(self, one: Gateway, line: LiveLine, **settings: Any) -> None:
        self.one, self.line = one, line
        limits = Settings(**settings)
        self._hook = CloudHook(one.instances, one.inbox, callbacks.verify, callbacks.read_phone, limits)

    async def call(
        self, method: str, key: str | None = None, *, query: str = "", headers: dict[str, str] | None = None,
        parts: Iterable[bytes] = (), stalls: bool = False, remote: str = "192.0.2.7",
    ) -> tuple[int, str]:  # fmt: skip
        scope = {
            "type": "http", "method": method, "query_string": query.encode(), "client": (remote, 1),
            "path": "/hooks/cloud/" + (self.line.instance.hook_key if key is None else key),
            "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in (headers or {}).items()],
        }  # fmt: skip
        coming = list(parts)
        sent: list[Any] = []

        async def receive() -> Any:
            if not coming and stalls:
                await asyncio.sleep(3_600)
            part = coming.pop(0) if coming else b""
            return {"type": "http.request", "body": part, "more_body": bool(coming) or stalls}

        async def send(message: Any) -> None:
            sent.append(message)

        await self._hook(scope, receive, send)
        assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
        return sent[0]["status"], sent[1]["body"].decode()

    async def post(self, body: bytes = BODY, signature: str | None = "right", **more: Any) -> tuple[int, str]:
        right = "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        headers = {} if signature is None else {"X-Hub-Signature-256": right if signature == "right" else signature}
        half = len(body) // 2
        return await self.call("POST", headers=headers, parts=[body[:half], body[half:]], **more)

    async def shake(self, token: str = WORD, **more: str) -> tuple[int, str]:
        asked = {"hub.mode": "subscribe", "hub.challenge": "1158201444", "hub.verify_token": token, **more}
        return await self.call("GET", query=urlencode(asked))

    async def kept(self) -> int:
        return len(await self.one.db.all(select(inbox).where(inbox.c.account_id == 1)))


async def hook(one: Gateway, app_secret: str = SECRET, verify_token: str = WORD, **settings: Any) -> Hook:
    line = await one.add_line("cloud", access_token="t", app_secret=app_secret, verify_token=verify_token)
    return Hook(one, line, **settings)


async def test_the_right_word_is_answered_with_the_challenge(database_url: str) -> None:
    async with gateway(database_url) as one:
        assert await (await hook(one)).shake() == (200, "1158201444")


async def test_a_line_remembers_its_handshake_and_its_first_signed_callback(database_url: str) -> None:
    async with gateway(database_url) as one:
        opened = await hook(one)
        told: list[tuple[int, int]] = []
        one.instances.listen(lambda account_id, line_id: told.append((account_id, line_id)))

        async def steps() -> tuple[bool, bool]:
            line = await one.instances.get(1, opened.line.instance.id)
            return line.handshake_at is not None, line.heard_at is not None

        await opened.shake("wrong")
        await opened.post(signature=None)
        assert (await steps(), told) == ((False, False), [])
        await opened.shake()
        assert await steps() == (True, False)
        await opened.post()
        await opened.post()
        assert await steps() == (True, True)
        assert told == [(1, opened.line.instance.id)] * 2


async def test_a_line_learns_its_number_from_a_callback_and_then_reads_no_more_of_them(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cloud, "LOOK_EVERY_S", 0.0)
    async with gateway(database_url) as one:
        opened = await hook(one)

        def body(number_id: str, phone: str) -> bytes:
            metadata = {"phone_number_id": number_id, "display_phone_number": phone}
            return msgspec.json.encode({"entry": [{"changes": [{"value": {"metadata": metadata}}]}]})

        async def known() -> str:
            return (await one.instances.get(1, opened.line.instance.id)).config.phone

        for raw in (BODY, b"no JSON", body("another", "905551110000")):
            assert await opened.post(raw) == (200, "ok")
            assert await known() == ""
        assert (await opened.post(body("1065", "+90 555 111 00 01"), signature=None))[0] == 401
        assert await known() == ""
        written: list[str] = []
        learn = one.instances.learn_phone

        async def counted(instance: Instance, phone: str) -> bool:
            written.append(phone)
            return await learn(instance, phone)

        monkeypatch.setattr(one.instances, "learn_phone", counted)
        for phone in ("+90 555 111 00 01", "+90 555 111 00 01 ", "+90 555 111 00 02"):
            assert await opened.post(body("1065", phone)) == (200, "ok")
        assert await known() == "905551110001"
        assert written == ["905551110001"]


async def test_callbacks_that_tell_no_number_are_not_all_searched_for_one(database_url: str) -> None:
    async with gateway(database_url) as one:
        opened = await hook(one)
        searched: list[bytes] = []
        look = opened._hook._read_phone

        def counted(body: bytes, number_id: str) -> str:
            searched.append(body)
            return look(body, number_id)

        opened._hook._read_phone = counted
        for _ in range(5):
            assert await opened.post() == (200, "ok")
        assert searched == [BODY]


async def test_a_wrong_word_is_403_and_learns_nothing(database_url: str) -> None:
    async with gateway(database_url) as one:
        opened = await hook(one)
        for token in ("", "the wor", "the word ", "THE WORD", "ğ"):
            status, text = await opened.shake(token)
            assert status == 403, token
            assert "1158201444" not in text
            assert WORD not in text


async def test_a_handshake_of_another_mode_or_without_anything_is_403(database_url: str) -> None:
    async with gateway(database_url) as one:
        opened = await hook(one)
        assert (await opened.shake(**{"hub.mode": "unsubscribe"}))[0] == 403
        assert (await opened.call("GET"))[0] == 403


async def test_a_line_without_a_word_never_shakes_hands(database_url: str) -> None:
    async with gateway(database_url) as one:
        assert (await (await hook(one, verify_token="")).shake(""))[0] == 403


async def test_a_signed_callback_is_kept_before_it_is_answered(database_url: str) -> None:
    async with gateway(database_url) as one:
        opened = await hook(one)
        assert await opened.post() == (200, "ok")
        (row,) = await one.db.all(select(inbox).where(inbox.c.account_id == 1))
        assert (bytes(row["body"]), row["source"]) == (BODY, f"cloud:{opened.line.instance.id}")
        assert row["done_at"] is None


async def test_a_missing_or_wrong_signature_is_401_and_nothing_is_kept(database_url: str) -> None:
    async with gateway(database_url) as one:
        opened = await hook(one)
        for signature in (None, "", "sha256=", "sha256=" + "0" * 64, "sha1=abc", "0" * 64, "sha256=é"):
            assert (await opened.post(signature=signature))[0] == 401, signature
        assert await opened.kept() == 0


async def test_a_changed_body_does_not_match_its_signature(database_url: str) -> None:
    async with gateway(database_url) as one:
        opened = await hook(one)
        signature = "sha256=" + hmac.new(SECRET.encode(), BODY, hashlib.sha256).hexdigest()
        assert (await opened.post(BODY + b" ", signature))[0] == 401


async def test_an_empty_secret_never_verifies(database_url: str) -> None:
    async with gateway(database_url) as one:
        opened = await hook(one, app_secret="")
        with_nothing = "sha256=" + hmac.new(b"", BODY, hashlib.sha256).hexdigest()
        assert (await opened.post(signature=with_nothing))[0] == 401
        assert await opened.kept() == 0


async def test_another_lines_secret_does_not_verify(database_url: str) -> None:
    async with gateway(database_url) as one:
        await hook(one)
        other = await hook(one, app_secret="another secret")
        assert (await other.post())[0] == 401


async def test_an_unknown_key_is_404_whatever_it_is_made_of(database_url: str) -> None:
    async with gateway(database_url) as one:
        opened = await hook(one)
        for key in ("", "unknown", "a/b", "..", "\0", "ğ", "x" * 5_000, "' or 1=1 --"):
            for method in ("GET", "POST"):
                assert (await opened.call(method, key))[0] == 404, key


async def test_a_deleted_lines_key_is_404_within_seconds(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cloud.REMEMBER_S <= 5
    monkeypatch.setattr(cloud, "REMEMBER_S", 0.0)
    async with gateway(database_url) as one:
        opened = await hook(one)
        assert (await opened.post())[0] == 200
        await one.instances.delete(1, opened.line.instance.id)
        assert (await opened.post())[0] == 404


async def test_another_method_is_405(database_url: str) -> None:
    async with gateway(database_url) as one:
        opened = await hook(one)
        for method in ("PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"):
            assert (await opened.call(method))[0] == 405, method


async def test_the_same_callback_is_kept_once_and_answered_each_time(database_url: str) -> None:
    async with gateway(database_url) as one:
        opened = await hook(one)
        answers = await asyncio.gather(*[opened.post() for _ in range(25)])
        assert answers == [(200, "ok")] * 25
        assert await opened.kept() == 1


async def test_a_body_of_the_largest_size_is_taken_and_a_larger_one_is_413(database_url: str) -> None:
    async with gateway(database_url) as one:
        opened = await hook(one)
        assert (await opened.post(b"x" * MAX_BODY_BYTES))[0] == 200
        assert (await opened.post(b"x" * (MAX_BODY_BYTES + 1)))[0] == 413
        assert await opened.kept() == 1


async def test_a_body_that_stops_coming_is_408_and_nothing_is_kept(database_url: str) -> None:
    async with gateway(database_url) as one:
        opened = await hook(one)
        opened._hook._bodies = BodyReader(idle_s=0.05)
        for parts in ([], [b'{"en']):
            assert (await opened.call("POST", parts=parts, stalls=True))[0] == 408
        assert await opened.kept() == 0


async def test_a_store_that_is_down_is_503_so_that_the_network_calls_again(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        opened = await hook(one)

        async def down(*_statements: Any) -> None:
            raise Unavailable("The store cannot be reached.", retry_after_s=1)

        monkeypatch.setattr(one.db, "put", down)
        assert (await opened.post())[0] == 503


async def test_whose_calls_are_refused_too_often_is_not_heard_for_a_moment_and_the_network_is(
    database_url: str,
) -> None:
    async with gateway(database_url) as one:
        opened = await hook(one, anonymous_rate_limit=0.01, anonymous_rate_burst=5)
        for _ in range(50):
            assert (await opened.post(remote="192.0.2.1"))[0] == 200
        told = [(await opened.post(signature="wrong", remote="192.0.2.2"))[0] for _ in range(5)]
        told += [(await opened.call("POST", "nosuchkey", remote="192.0.2.2"))[0] for _ in range(3)]
        assert told == [401] * 5 + [429] * 3
        assert (await opened.call("GET", query="hub.mode=subscribe", remote="192.0.2.2"))[0] == 429
        assert (await opened.post(remote="192.0.2.1"))[0] == 200
