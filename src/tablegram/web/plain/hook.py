"""Where programs of others call us: who shows the right key and proof may call as often as they like.

Refusals are counted by address, and whoever collects too many is not heard for a moment.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

from tablegram.errors import Forbidden, NotFound, Problem, Unauthorized
from tablegram.settings import Settings
from tablegram.web import problems
from tablegram.web.addresses import Addresses
from tablegram.web.asgi import Field, Receive, Scope, Send, announced_length, answer
from tablegram.web.bodies import BodyReader, ClientGone
from tablegram.web.limits import Pace, ShutOut

TEXT = "text/plain; charset=utf-8"


class Reply(NamedTuple):
    status: int = 200
    media: str = ""
    body: bytes = b""
    fields: tuple[Field, ...] = ()


class Hook(ABC):
    # Of every answer.
    always: tuple[Field, ...] = ()
    # Whoever is refused like this did not know the key or had no proof of it.
    strange: tuple[type[Problem], ...] = (NotFound, Forbidden, Unauthorized)

    def __init__(self, settings: Settings, shut_out: ShutOut | None = None) -> None:
        """Listeners with the same `shut_out` count together."""
        self._bodies = BodyReader.of(settings)
        pace = Pace(settings.anonymous_rate_limit, settings.anonymous_rate_burst)
        self.shut_out = shut_out or ShutOut(Addresses(settings.trusted_proxies), pace)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            reply = await self._answer(scope, receive)
        except ClientGone:
            return
        except Problem as problem:
            reply = self.refused(problem)
        media: tuple[Field, ...] = ((b"content-type", reply.media.encode()),) if reply.media else ()
        body = b"" if scope["method"] == "HEAD" else reply.body
        await answer(send, reply.status, [*media, *self.always, *reply.fields], body)

    async def _answer(self, scope: Scope, receive: Receive) -> Reply:
        self.shut_out.check(scope)
        try:
            return await self.listen(scope, receive)
        except self.strange:
            self.shut_out.count(scope)
            raise

    def refused(self, problem: Problem) -> Reply:
        """Programs read the status alone; the words are for who tries it by hand."""
        return Reply(problem.status, TEXT, problem.detail.encode(), tuple(problems.headers(problem)))

    @abstractmethod
    async def listen(self, scope: Scope, receive: Receive) -> Reply:
        """Prove what comes, keep it, and answer."""

    async def body(self, scope: Scope, receive: Receive, most: int) -> bytes:
        return await self._bodies.whole(receive, most, announced_length(scope))
