"""`/hooks/store/{platform}/{key}` and `/hooks/form/{key}`: what comes is proven, kept and answered; it is worked on
afterwards.

Whoever is genuine hears a 2xx whatever they sent: a platform that is refused a few times stops calling for good.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from tablegram.engine.inbox import Inbox
from tablegram.errors import MethodNotAllowed, NotFound, Problem, Unauthorized
from tablegram.settings import Settings
from tablegram.stores.hearing import LARGE_BYTES, Heard, digest, kept_headers, source_of, write_heard
from tablegram.stores.kinds import FORM
from tablegram.stores.model import SourceRow
from tablegram.stores.ports import Source, Unverified
from tablegram.stores.sources import Sources
from tablegram.web.addresses import Addresses
from tablegram.web.asgi import Receive, Scope, Send, announced_length, answer
from tablegram.web.bodies import BodyReader, ClientGone
from tablegram.web.limits import Pace, ShutOut
from tablegram.web.problems import headers

STORES = "/hooks/store/"
FORMS = "/hooks/form/"
MAX_BODY_BYTES = 5 * 1_048_576


class StoreHook:
    def __init__(self, sources: Sources, inbox: Inbox, settings: Settings) -> None:
        self._bodies = BodyReader.of(settings)
        pace = Pace(settings.anonymous_rate_limit, settings.anonymous_rate_burst)
        self.shut_out = ShutOut(Addresses(settings.trusted_proxies), pace)
        self._sources = sources
        self._inbox = inbox

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            status, words, own = *await self._answer(scope, receive), []
        except ClientGone:
            return
        except Problem as problem:
            # Platforms read the status alone; the words are for who tries it by hand.
            status, words, own = problem.status, problem.detail, headers(problem)
        body = b"" if scope["method"] == "HEAD" else words.encode()
        await answer(send, status, [(b"content-type", b"text/plain; charset=utf-8"), *own], body)

    async def _answer(self, scope: Scope, receive: Receive) -> tuple[int, str]:
        """Who shows the right key and proof may call as often as they like; refusals are counted by address."""
        self.shut_out.check(scope)
        try:
            return await self._hear(scope, receive)
        except (NotFound, Unauthorized):
            self.shut_out.count(scope)
            raise

    async def _hear(self, scope: Scope, receive: Receive) -> tuple[int, str]:
        source = await self._source(scope["path"])
        if scope["method"] in ("GET", "HEAD"):
            return 200, "This address is ready. Deliveries come here by POST."
        if scope["method"] != "POST":
            raise MethodNotAllowed("use POST", headers={"Allow": "GET, HEAD, POST"})
        body = await self._bodies.whole(receive, MAX_BODY_BYTES, announced_length(scope))
        fields = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
        return await self.take(source, fields, body)

    async def take(
        self, source: SourceRow, fields: Mapping[str, str], body: bytes, *, is_test: bool = False
    ) -> tuple[int, str]:
        """Prove a delivery and keep it; returns after the commit, with what its sender is answered."""
        platform = self._sources.platforms.get(source.platform)
        if platform is None:
            raise NotFound("no such hook")
        secret = self._sources.secret(source)
        try:
            if len(body) > LARGE_BYTES:
                name, topic = await asyncio.to_thread(_open, platform, secret, fields, body)
            else:
                name, topic = _open(platform, secret, fields, body)
        except Unverified:
            # Nothing of it is kept, and nobody is told what was wrong with it.
            raise Unauthorized("the signature is missing or wrong", code="signature_invalid") from None
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
            raise NotFound("no such hook")
        return found


def _open(platform: Source, secret: str, fields: Mapping[str, str], body: bytes) -> tuple[str, str]:
    platform.prove(secret, fields, body)
    return platform.name(fields, body), platform.topic(fields, body)
