"""`/hooks/store/{platform}/{key}` and `/hooks/form/{key}`: what comes is proven, kept and answered; it is worked on
afterwards.

Whoever is genuine hears a 2xx whatever they sent: a platform that is refused a few times stops calling for good.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from tablegram.engine.inbox import Inbox
from tablegram.errors import MethodNotAllowed, NotFound, Unauthorized
from tablegram.settings import Settings
from tablegram.stores.hearing import LARGE_BYTES, Heard, digest, kept_headers, source_of, write_heard
from tablegram.stores.kinds import FORM
from tablegram.stores.model import SourceRow
from tablegram.stores.ports import Source, Unverified
from tablegram.stores.sources import Sources
from tablegram.web.asgi import Receive, Scope
from tablegram.web.plain.hook import TEXT, Hook, Reply

STORES = "/hooks/store/"
FORMS = "/hooks/form/"
MAX_BODY_BYTES = 5 * 1_048_576


class StoreHook(Hook):
    def __init__(self, sources: Sources, inbox: Inbox, settings: Settings) -> None:
        super().__init__(settings)
        self._sources = sources
        self._inbox = inbox

    async def listen(self, scope: Scope, receive: Receive) -> Reply:
        status, words = await self._hear(scope, receive)
        return Reply(status, TEXT, words.encode())

    async def _hear(self, scope: Scope, receive: Receive) -> tuple[int, str]:
        source = await self._source(scope["path"])
        if scope["method"] in ("GET", "HEAD"):
            return 200, "This address is ready. Deliveries come here by POST."
        if scope["method"] != "POST":
            raise MethodNotAllowed("Use POST.", headers={"Allow": "GET, HEAD, POST"})
        body = await self.body(scope, receive, MAX_BODY_BYTES)
        fields = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
        return await self.take(source, fields, body)

    async def take(
        self, source: SourceRow, fields: Mapping[str, str], body: bytes, *, is_test: bool = False
    ) -> tuple[int, str]:
        """Prove a delivery and keep it; returns after the commit, with what its sender is answered."""
        platform = self._sources.platforms.get(source.platform)
        if platform is None:
            raise NotFound("There is no such hook.")
        secret = self._sources.secret(source)
        try:
            if len(body) > LARGE_BYTES:
                name, topic = await asyncio.to_thread(_open, platform, secret, fields, body)
            else:
                name, topic = _open(platform, secret, fields, body)
        except Unverified:
            # Nothing of it is kept, and nobody is told what was wrong with it.
            raise Unauthorized("The signature is missing or wrong.", code="signature_invalid") from None
        if not source.is_active:
            # Some platforms take a refusal for the end of it, and would not come back.
            return 202, "paused"
        heard = Heard(kept_headers(fields), body, topic, is_test)
        await self._inbox.store(source.account_id, source_of(source.id), write_heard(heard), digest(name))
        return 200, "ok"

    async def _source(self, path: str) -> SourceRow:
        if path.startswith(FORMS):
            platform, key = FORM, path.removeprefix(FORMS)
        else:
            platform, _, key = path.removeprefix(STORES).partition("/")
        found = await self._sources.by_hook(key)
        if found is None or found.platform != platform:
            raise NotFound("There is no such hook.")
        return found


def _open(platform: Source, secret: str, fields: Mapping[str, str], body: bytes) -> tuple[str, str]:
    platform.prove(secret, fields, body)
    return platform.name(fields, body), platform.topic(fields, body)
