"""The courier's page as one ASGI application: paced by address, guarded by headers, every refusal in words."""

from __future__ import annotations

import logging
import time
from typing import Any

from tablegram.courier_page import drawing
from tablegram.courier_page.assets import BASE
from tablegram.courier_page.deps import CourierPageDeps
from tablegram.courier_page.live import Streams
from tablegram.courier_page.routes import Routes
from tablegram.errors import MethodNotAllowed, NotFound, Problem, TooMany
from tablegram.web import problems
from tablegram.web.addresses import Addresses, limit_key
from tablegram.web.asgi import Receive, Send
from tablegram.web.bodies import BodyReader, ClientGone
from tablegram.web.guards import guards, policy
from tablegram.web.limits import Pace, rate_fields
from tablegram.web.plain.exchange import Answer, Asked, Stream, give, stream
from tablegram.web.plain.problems import as_data

log = logging.getLogger("tablegram.courier_page")

POLICY = policy(manifest="'self'", worker="'self'")


class CourierPage:
    """Answers everything under `/courier`."""

    def __init__(self, deps: CourierPageDeps) -> None:
        self._limiter = deps.limiter
        self._bodies = BodyReader.of(deps.settings)
        self._addresses = Addresses(deps.settings.trusted_proxies)
        self._guards = guards(POLICY, deps.settings.base_url)
        # All couriers of a house stand behind its one address while they wait for their bags.
        self._pace = Pace(deps.settings.anonymous_rate_limit, deps.settings.anonymous_rate_burst)
        self._streams = Streams(deps.pages)
        self._routes = Routes(deps, self._streams)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        asked = Asked(scope, receive, self._addresses.of(scope), self._bodies)
        try:
            answer = await self._answer(asked)
        except ClientGone:
            return
        except Exception as error:
            answer = self._refuse(asked, error)
        fixed = [*self._guards, *asked.marks]
        if isinstance(answer, Stream):
            await stream(asked, answer, send, fixed)
        else:
            await give(asked, answer, send, fixed)

    def end_streams(self) -> None:
        self._streams.close()

    async def _answer(self, asked: Asked) -> Answer | Stream:
        decision = self._limiter.take(f"courier {limit_key(asked.remote)}", *self._pace, time.monotonic())
        asked.rate_fields = rate_fields(b"courier", self._pace, decision)
        if not decision.allowed:
            raise TooMany(
                "Too many requests from your network at once. Wait a moment and try again.",
                retry_after_s=decision.retry_after_s,
            )
        found = self._routes.find(asked.method, asked.path.removeprefix(BASE)) if asked.is_plain else []
        if isinstance(found, tuple):
            handler, parts = found
            return await handler(asked, **parts)
        if found:
            allowed = ", ".join(sorted(set(found)))
            raise MethodNotAllowed(f"This address takes {allowed}.", headers={"Allow": allowed})
        raise NotFound("There is nothing at this address.")

    def _refuse(self, asked: Asked, error: Exception) -> Answer:
        problem = error if isinstance(error, Problem) else self._failed(asked, error)
        # The address holds somebody's key: it is not said again.
        if asked.wants_data or asked.method not in ("GET", "HEAD"):
            return as_data(problem, BASE, asked.request_id)
        return drawing.problem_page(asked, problem)

    def _failed(self, asked: Asked, error: Exception) -> Problem:
        words = (
            f"We could not do that. Try again; if it happens again, tell the restaurant the number {asked.request_id}."
        )
        return problems.failed(error, log, f"a courier's request ({asked.request_id})", words)


def create_courier_page(deps: CourierPageDeps) -> CourierPage:
    return CourierPage(deps)
