"""The courier's page as one ASGI application: paced by address, guarded by headers, every refusal in words."""

from __future__ import annotations

import logging

from tablegram.courier_page import drawing
from tablegram.courier_page.assets import BASE
from tablegram.courier_page.deps import CourierPageDeps
from tablegram.courier_page.live import Streams
from tablegram.courier_page.routes import Routes
from tablegram.errors import Problem
from tablegram.web import problems
from tablegram.web.guards import policy
from tablegram.web.limits import Pace
from tablegram.web.plain.edge import Count, PlainEdge
from tablegram.web.plain.exchange import Answer, Asked
from tablegram.web.plain.routing import Handler

log = logging.getLogger("tablegram.courier_page")

POLICY = policy(manifest="'self'", worker="'self'")


class CourierPage(PlainEdge):
    """Answers everything under `/courier`."""

    base = BASE

    def __init__(self, deps: CourierPageDeps) -> None:
        super().__init__(deps.settings, POLICY, deps.limiter)
        # All couriers of a house stand behind its one address while they wait for their bags.
        self._pace = Pace(deps.settings.anonymous_rate_limit, deps.settings.anonymous_rate_burst)
        self._streams = Streams(deps.pages)
        self._routes = Routes(deps, self._streams)

    def end_streams(self) -> None:
        self._streams.close()

    def count(self, asked: Asked) -> Count:
        return Count("courier", "courier", self._pace)

    def find(self, method: str, path: str) -> tuple[Handler, dict[str, str]] | list[str]:
        return self._routes.find(method, path)

    def problem_of(self, asked: Asked, error: Exception) -> Problem:
        if isinstance(error, Problem):
            return error
        words = (
            f"We could not do that. Try again; if it happens again, tell the restaurant the number {asked.request_id}."
        )
        return problems.failed(error, log, f"a courier's request ({asked.request_id})", words)

    def problem_page(self, asked: Asked, problem: Problem) -> Answer:
        return drawing.problem_page(asked, problem)


def create_courier_page(deps: CourierPageDeps) -> CourierPage:
    return CourierPage(deps)
