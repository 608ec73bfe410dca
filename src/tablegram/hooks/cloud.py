"""Where the network calls us: verify the raw bytes, keep them, answer. Work happens afterwards."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from tablegram.engine.inbox import Inbox
from tablegram.errors import Problem
from tablegram.messaging.instances import Instance, Instances

# The network is said to send up to 3 MB.
MAX_BODY_BYTES = 3 * 1_048_576
# Seconds without a byte of the body before a slow caller is answered 408.
BODY_IDLE_S = 15.0
# How long a line found by its key is remembered; a deleted one may be heard that much longer.
REMEMBER_S = 2.0
LOOK_EVERY_S = 10.0
MAX_REMEMBERED = 1_024

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Verify = Callable[[str, bytes, str | None], bool]
# The number that people dial, from a body and the network's id of it; empty when the body does not tell.
ReadPhone = Callable[[bytes, str], str]


class CloudHook:
    """`/hooks/cloud/{key}`: GET is the network's handshake, POST its callbacks."""

    def __init__(self, instances: Instances, inbox: Inbox, verify: Verify, read_phone: ReadPhone) -> None:
        self._instances = instances
        self._inbox = inbox
        self._verify = verify
        self._read_phone = read_phone
        self._remembered: dict[str, tuple[Instance, float]] = {}
        # When a line's callbacks are next searched for its number.
        self._looked: dict[int, float] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        status, body = await self._answer(scope, receive)
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _answer(self, scope: Scope, receive: Receive) -> tuple[int, bytes]:
        key = scope["path"].removeprefix("/hooks/cloud/")
        try:
            instance = await self._line(key)
            if instance is None:
                return 404, b"no such hook"
            if scope["method"] == "GET":
                status, body = _handshake(instance, scope["query_string"])
                if status == 200:
                    await self._instances.note_handshake(instance)
                return status, body
            if scope["method"] != "POST":
                return 405, b"use GET or POST"
            return await self._keep(instance, scope, receive)
        except Problem as problem:
            return problem.status, problem.detail.encode()

    async def _keep(self, instance: Instance, scope: Scope, receive: Receive) -> tuple[int, bytes]:
        try:
            body = await _read(receive)
        except TimeoutError:
            return 408, b"the body did not come in time"
        if body is None:
            return 413, b"the body is larger than 3 MiB"
        signature = next((value for name, value in scope["headers"] if name == b"x-hub-signature-256"), None)
        if not self._verify(instance.secrets.app_secret, body, signature.decode("latin-1") if signature else None):
            return 401, b"the signature is missing or wrong"
        await self._inbox.store(instance.account_id, f"cloud:{instance.id}", body)
        if instance.heard_at is None:
            # Once in a line's life, or a few times while the line is remembered as it was.
            await self._instances.note_heard(instance)
            self._remembered.clear()
        if instance.kind == "cloud" and not instance.config.phone and self._is_time_to_look(instance):
            # Read here only until it is known; that it has become another one, the line's next check finds.
            phone = self._read_phone(body, instance.config.phone_number_id)
            if phone and await self._instances.learn_phone(instance, phone):
                self._remembered.clear()
        return 200, b"ok"

    def _is_time_to_look(self, instance: Instance) -> bool:
        """A line whose callbacks never tell its number pays for the search now and then, not with each of them."""
        now = time.monotonic()
        if self._looked.get(instance.id, 0.0) > now:
            return False
        if len(self._looked) >= MAX_REMEMBERED:
            self._looked.clear()
        self._looked[instance.id] = now + LOOK_EVERY_S
        return True

    async def _line(self, key: str) -> Instance | None:
        known = self._remembered.get(key)
        if known is not None and known[1] > time.monotonic():
            return known[0]
        # What cannot be a key is not looked for: a store may not even be able to hold it.
        instance = await self._instances.by_hook_key(key) if key.isascii() and key.isalnum() else None
        if instance is not None:
            if len(self._remembered) >= MAX_REMEMBERED:
                self._remembered.clear()
            self._remembered[key] = (instance, time.monotonic() + REMEMBER_S)
        return instance


def _handshake(instance: Instance, query_string: bytes) -> tuple[int, bytes]:
    query = parse_qs(query_string.decode("latin-1"))
    token = query.get("hub.verify_token", [""])[0]
    expected = instance.secrets.verify_token
    if query.get("hub.mode") == ["subscribe"] and expected and hmac.compare_digest(token.encode(), expected.encode()):
        return 200, query.get("hub.challenge", [""])[0].encode()
    return 403, b"the verify token is wrong"


async def _read(receive: Receive) -> bytes | None:
    parts: list[bytes] = []
    size = 0
    while True:
        async with asyncio.timeout(BODY_IDLE_S):
            message = await receive()
        if message["type"] == "http.disconnect":
            return b""
        part = message.get("body", b"")
        size += len(part)
        if size > MAX_BODY_BYTES:
            return None
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)
