"""The page of a person's own data as one ASGI application: paced by address, guarded by headers, refusals in words.

GET  /{key}         the page, for whoever has the link
GET  /{key}/file    everything that is held, as JSON
POST /{key}/stop    no more offers
POST /{key}/erase   everything goes; `sure` must be true
GET  /static/…
"""

from __future__ import annotations

import logging

from msgspec import Struct

from tablegram.data_page import assets, drawing
from tablegram.data_page.assets import BASE
from tablegram.data_page.deps import DataPageDeps
from tablegram.errors import Problem
from tablegram.web import problems
from tablegram.web.guards import policy
from tablegram.web.limits import Pace
from tablegram.web.plain.edge import Count, PlainEdge
from tablegram.web.plain.exchange import Answer, Asked, json
from tablegram.web.plain.routing import Handler, PatternTable

log = logging.getLogger("tablegram.data_page")

# One person on one phone: what a thumb does, and a little more.
PACE = Pace(2.0, 20)
_KEY = r"(?P<key>[A-Za-z0-9_-]{16,64})"


class Sure(Struct, forbid_unknown_fields=True):
    sure: bool


class DataPage(PlainEdge):
    """Answers everything under `/my-data`."""

    base = BASE

    def __init__(self, deps: DataPageDeps) -> None:
        super().__init__(deps.settings, policy(), deps.limiter)
        self._rights = deps.rights
        self._routes = PatternTable(
            [
                ("GET", rf"/{_KEY}", self.page),
                ("GET", rf"/{_KEY}/file", self.file),
                ("POST", rf"/{_KEY}/stop", self.stop),
                ("POST", rf"/{_KEY}/erase", self.erase),
                ("GET", r"/static/(?P<edition>[0-9a-f]{1,40})/(?P<name>[a-z_.]{1,40})", self.static),
            ]
        )

    def count(self, asked: Asked) -> Count:
        return Count("data", "data", PACE)

    def find(self, method: str, path: str) -> tuple[Handler, dict[str, str]] | list[str]:
        return self._routes.find(method, path)

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

    def problem_of(self, asked: Asked, error: Exception) -> Problem:
        if isinstance(error, Problem):
            return error
        words = f"We could not do that. Try again; if it happens again, tell us the number {asked.request_id}."
        return problems.failed(error, log, f"a request for own data ({asked.request_id})", words)

    def problem_page(self, asked: Asked, problem: Problem) -> Answer:
        return drawing.problem_page(asked, problem)
