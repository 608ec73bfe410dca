"""Pages without a framework, as one ASGI application: paced by address, guarded by headers, every refusal in words."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import NamedTuple

from tablegram.errors import MethodNotAllowed, NotFound, Problem, TooMany
from tablegram.settings import Settings
from tablegram.web.addresses import Addresses, limit_key
from tablegram.web.asgi import Receive, Scope, Send
from tablegram.web.bodies import BodyReader, ClientGone
from tablegram.web.guards import guards
from tablegram.web.limits import Limiter, Pace, rate_fields
from tablegram.web.plain.exchange import Answer, Asked, Stream, give, stream
from tablegram.web.plain.problems import as_data
from tablegram.web.plain.routing import Handler


class Count(NamedTuple):
    """How a request is counted: in which bucket of its address, how that is called in the answer, and its pace."""

    bucket: str
    name: str
    pace: Pace


class PlainEdge(ABC):
    """Answers everything under `base`."""

    base: str
    # Such an address holds somebody's key: it is not said again.
    holds_keys = True

    def __init__(self, settings: Settings, page_policy: str, limiter: Limiter) -> None:
        self._limiter = limiter
        self._bodies = BodyReader.of(settings)
        self._addresses = Addresses(settings.trusted_proxies)
        self._guards = guards(page_policy, settings.base_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        asked = Asked(scope, receive, self._addresses.of(scope), self._bodies)
        answer: Answer | Stream
        try:
            answer = await self._answer(asked)
        except ClientGone:
            return
        except Exception as error:
            answer = self._refuse(asked, self.problem_of(asked, error))
        fixed = [*self._guards, *asked.marks]
        if isinstance(answer, Stream):
            await stream(asked, answer, send, fixed)
        else:
            await give(asked, answer, send, fixed)

    async def _answer(self, asked: Asked) -> Answer | Stream:
        bucket, name, pace = self.count(asked)
        decision = self._limiter.take(f"{bucket} {limit_key(asked.remote)}", *pace, time.monotonic())
        asked.rate_fields = rate_fields(name.encode(), pace, decision)
        if not decision.allowed:
            raise TooMany(
                "Too many requests from your network at once. Wait a moment and try again.",
                retry_after_s=decision.retry_after_s,
            )
        found = self.find(asked.method, asked.path.removeprefix(self.base)) if asked.is_plain else []
        if isinstance(found, tuple):
            handler, parts = found
            return await handler(asked, **parts)
        if found:
            allowed = ", ".join(sorted(set(found)))
            raise MethodNotAllowed(f"This address takes {allowed}.", headers={"Allow": allowed})
        raise NotFound("There is nothing at this address.")

    def _refuse(self, asked: Asked, problem: Problem) -> Answer:
        if asked.wants_data or asked.method not in ("GET", "HEAD"):
            return as_data(problem, self.base if self.holds_keys else asked.path, asked.request_id)
        return self.problem_page(asked, problem)

    @abstractmethod
    def count(self, asked: Asked) -> Count: ...

    @abstractmethod
    def find(self, method: str, path: str) -> tuple[Handler, dict[str, str]] | list[str]:
        """Who answers there, as a `PatternTable` says it."""

    @abstractmethod
    def problem_of(self, asked: Asked, error: Exception) -> Problem:
        """What is told of an error. Whatever was not raised on purpose is logged and told in few words."""

    @abstractmethod
    def problem_page(self, asked: Asked, problem: Problem) -> Answer: ...
