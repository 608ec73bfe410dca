"""Where the network calls us: verify the raw bytes, keep them, answer. Work happens afterwards."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from urllib.parse import parse_qs

from tablegram.engine.inbox import Inbox
from tablegram.errors import Forbidden, MethodNotAllowed, NotFound, Unauthorized
from tablegram.messaging.instances import Instance, Instances
from tablegram.settings import Settings
from tablegram.web.asgi import Receive, Scope, header
from tablegram.web.plain.hook import TEXT, Hook, Reply

# The network is said to send up to 3 MB.
MAX_BODY_BYTES = 3 * 1_048_576
# How long a line found by its key is remembered; a deleted one may be heard that much longer.
REMEMBER_S = 2.0
LOOK_EVERY_S = 10.0
MAX_REMEMBERED = 1_024

Verify = Callable[[str, bytes, str | None], bool]
# The number that people dial, from a body and the network's id of it; empty when the body does not tell.
ReadPhone = Callable[[bytes, str], str]


class CloudHook(Hook):
    """`/hooks/cloud/{key}`: GET is the network's handshake, POST its callbacks."""

    def __init__(
        self,
        instances: Instances,
        inbox: Inbox,
        verify: Verify,
        read_phone: ReadPhone,
        settings: Settings,
    ) -> None:
        super().__init__(settings)
        self._instances = instances
        self._inbox = inbox
        self._verify = verify
        self._read_phone = read_phone
        self._remembered: dict[str, tuple[Instance, float]] = {}
        # When a line's callbacks are next searched for its number.
        self._looked: dict[int, float] = {}

    async def listen(self, scope: Scope, receive: Receive) -> Reply:
        return Reply(200, TEXT, await self._hear(scope, receive))

    async def _hear(self, scope: Scope, receive: Receive) -> bytes:
        instance = await self._line(scope["path"].removeprefix("/hooks/cloud/"))
        if instance is None:
            raise NotFound("There is no such hook.")
        if scope["method"] == "GET":
            challenge = _handshake(instance, scope["query_string"])
            await self._instances.note_handshake(instance)
            return challenge
        if scope["method"] != "POST":
            raise MethodNotAllowed("Use GET or POST.", headers={"Allow": "GET, POST"})
        return await self._keep(instance, scope, receive)

    async def _keep(self, instance: Instance, scope: Scope, receive: Receive) -> bytes:
        body = await self.body(scope, receive, MAX_BODY_BYTES)
        if not self._verify(instance.secrets.app_secret, body, header(scope, b"x-hub-signature-256") or None):
            raise Unauthorized("The signature is missing or wrong.", code="signature_invalid")
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
        return b"ok"

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


def _handshake(instance: Instance, query_string: bytes) -> bytes:
    query = parse_qs(query_string.decode("latin-1"))
    token = query.get("hub.verify_token", [""])[0]
    expected = instance.secrets.verify_token
    if query.get("hub.mode") == ["subscribe"] and expected and hmac.compare_digest(token.encode(), expected.encode()):
        return query.get("hub.challenge", [""])[0].encode()
    raise Forbidden("The verify token is wrong.")
