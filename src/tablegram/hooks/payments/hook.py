"""`/hooks/pay/{provider}/{key}`: what a provider tells is proven, kept and answered; it is worked on afterwards.

A provider that sends its payers back by a form posts that form here too. It proves nothing, and only has us ask how the
payment stands.
"""

from __future__ import annotations

import hashlib
from urllib.parse import parse_qs

from tablegram.engine.inbox import Inbox
from tablegram.errors import MethodNotAllowed, NotFound, Unauthorized
from tablegram.payments.accesses import Accesses
from tablegram.payments.hearing import source_of, write_heard
from tablegram.payments.model import ProviderRow
from tablegram.payments.ports import ProviderRefused, Signal, Unverified
from tablegram.payments.returning import Returning
from tablegram.settings import Settings
from tablegram.values.clock import Clock
from tablegram.web.asgi import Receive, Scope, header
from tablegram.web.plain.hook import TEXT, Hook, Reply

PREFIX = "/hooks/pay/"
# A whole checkout session with its lines; providers send a few kilobytes.
MAX_BODY_BYTES = 512 * 1_024
_FORM = "application/x-www-form-urlencoded"


class PayHook(Hook):
    def __init__(
        self, accesses: Accesses, inbox: Inbox, returning: Returning, clock: Clock, settings: Settings
    ) -> None:
        super().__init__(settings)
        self._accesses = accesses
        self._inbox = inbox
        self._returning = returning
        self._clock = clock

    async def listen(self, scope: Scope, receive: Receive) -> Reply:
        kept = await self._access(scope["path"].removeprefix(PREFIX))
        if scope["method"] != "POST":
            raise MethodNotAllowed("Use POST.", headers={"Allow": "POST"})
        body = await self.body(scope, receive, MAX_BODY_BYTES)
        if header(scope, b"content-type").partition(";")[0].strip().lower() == _FORM:
            onward = (await self._send_on(kept, body)).encode()
            return Reply(303, TEXT, fields=((b"location", onward),))
        signals = self._read(kept, scope, body)
        if signals:
            await self._inbox.store(kept.account_id, source_of(kept.id), write_heard(signals, body), _name(signals))
        await self._returning.heard(kept)
        return Reply(200, TEXT, b"ok")

    async def _access(self, path: str) -> ProviderRow:
        provider, _, key = path.partition("/")
        kept = await self._accesses.by_hook(key)
        if kept is None or kept.provider != provider:
            raise NotFound("There is no such hook.")
        return kept

    def _read(self, kept: ProviderRow, scope: Scope, body: bytes) -> tuple[Signal, ...]:
        fields = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
        try:
            return self._accesses.connect(kept).read(fields, body, self._clock.now_ms())
        except (Unverified, ProviderRefused):
            # Nothing of it is kept, and nobody is told what was wrong with it.
            raise Unauthorized("The signature is missing or wrong.", code="signature_invalid") from None

    async def _send_on(self, kept: ProviderRow, body: bytes) -> str:
        """A payer who comes back: where to go. How the payment stands, the provider is asked."""
        try:
            token = parse_qs(body.decode("ascii"), max_num_fields=50).get("token", [""])[0]
        except ValueError:
            token = ""
        url = await self._returning.came_back(kept, token) if 0 < len(token) <= 200 else None
        if url is None:
            raise NotFound("There is no such payment.")
        return url


def _name(signals: tuple[Signal, ...]) -> str:
    """The same signals are the same callback, however its bytes differ."""
    return hashlib.sha256("\n".join(signal.id for signal in signals).encode("utf-8", "replace")).hexdigest()
