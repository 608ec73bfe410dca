"""The page of a person's own data as one ASGI application: paced by address, guarded by headers, refusals in words.

GET  /{key}         the page, for whoever has the link
GET  /{key}/file    everything that is held, as JSON
POST /{key}/stop    no more offers
POST /{key}/erase   everything goes; `sure` must be true
GET  /static/…
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct

from tablegram.data_page import assets, drawing
from tablegram.data_page.assets import BASE
from tablegram.data_page.deps import DataPageDeps
from tablegram.errors import MethodNotAllowed, NotFound, Problem, TooMany
from tablegram.web import problems
from tablegram.web.addresses import Addresses, limit_key
from tablegram.web.asgi import Receive, Send
from tablegram.web.bodies import BodyReader, ClientGone
from tablegram.web.guards import guards, policy
from tablegram.web.limits import Pace, rate_fields
from tablegram.web.plain.exchange import Answer, Asked, give, json
from tablegram.web.plain.problems import as_data

log = logging.getLogger("tablegram.data_page")

# One person on one phone: what a thumb does, and a little more.
PACE = Pace(2.0, 20)
_KEY = r"(?P<key>[A-Za-z0-9_-]{16,64})"


class Sure(Struct, forbid_unknown_fields=True):
    sure: bool


class DataPage:
    """Answers everything under `/my-data`."""

    def __init__(self, deps: DataPageDeps) -> None:
        self._rights, self._limiter = deps.rights, deps.limiter
        self._bodies = BodyReader.of(deps.settings)
        self._addresses = Addresses(deps.settings.trusted_proxies)
        self._guards = guards(policy(), deps.settings.base_url)
        table: list[tuple[str, str, Callable[..., Awaitable[Answer]]]] = [
            ("GET", rf"/{_KEY}", self.page),
            ("GET", rf"/{_KEY}/file", self.file),
            ("POST", rf"/{_KEY}/stop", self.stop),
            ("POST", rf"/{_KEY}/erase", self.erase),
            ("GET", r"/static/(?P<edition>[0-9a-f]{1,40})/(?P<name>[a-z_.]{1,40})", self.static),
        ]
        self._table = [(method, re.compile(pattern), handler) for method, pattern, handler in table]

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
        await give(asked, answer, send, [*self._guards, *asked.marks])

    async def _answer(self, asked: Asked) -> Answer:
        decision = self._limiter.take(f"data {limit_key(asked.remote)}", *PACE, time.monotonic())
        asked.rate_fields = rate_fields(b"data", PACE, decision)
        if not decision.allowed:
            raise TooMany(
                "Too many requests from your network at once. Wait a moment and try again.",
                retry_after_s=decision.retry_after_s,
            )
        wanted, others = "GET" if asked.method == "HEAD" else asked.method, []
        path = asked.path.removeprefix(BASE) if asked.is_plain else ""
        for method, pattern, handler in self._table:
            found = pattern.fullmatch(path)
            if found is not None and method == wanted:
                return await handler(asked, **found.groupdict())
            if found is not None:
                others.append(method)
        if others:
            raise MethodNotAllowed(f"This address takes {others[0]}.", headers={"Allow": others[0]})
        raise NotFound("There is nothing at this address.")

    async def page(self, asked: Asked, key: str) -> Answer:
        return drawing.page(asked, await self._rights.show(key), key)

    async def file(self, asked: Asked, key: str) -> Answer:
        name = {"Content-Disposition": 'attachment; filename="my-data.json"'}
        return Answer(await self._rights.file(key), "application/json", headers=name)

    async def stop(self, asked: Asked, key: str) -> Answer:
        await asked.json(Sure)
        return json({"wants_offers": (await self._rights.stop(key)).wants_offers})

    async def erase(self, asked: Asked, key: str) -> Answer:
        body = await asked.json(Sure)
        shown = await (self._rights.erase(key) if body.sure else self._rights.show(key))
        return json({"receipt": shown.receipt})

    async def static(self, asked: Asked, edition: str, name: str) -> Answer:
        return assets.serve(edition, name)

    def _refuse(self, asked: Asked, error: Exception) -> Answer:
        # The address holds somebody's key: it is not said again.
        words = f"We could not do that. Try again; if it happens again, tell us the number {asked.request_id}."
        problem = (
            error
            if isinstance(error, Problem)
            else problems.failed(error, log, f"a request for own data ({asked.request_id})", words)
        )
        if asked.wants_data or asked.method == "POST":
            return as_data(problem, BASE, asked.request_id)
        return drawing.problem_page(asked, problem)
