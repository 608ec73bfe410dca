"""The guest's page as one ASGI application: paced by address, guarded by headers, every refusal in words."""

from __future__ import annotations

from tablegram.errors import Problem
from tablegram.menu_page.assets import BASE, style_hash
from tablegram.menu_page.deps import MenuPageDeps
from tablegram.menu_page.live import Streams
from tablegram.menu_page.problems import as_problem
from tablegram.menu_page.routes import Routes
from tablegram.web.guards import policy
from tablegram.web.limits import Pace
from tablegram.web.plain.edge import Count, PlainEdge
from tablegram.web.plain.exchange import Answer, Asked
from tablegram.web.plain.routing import Handler

# What an installed page needs besides, and its one style by its hash.
POLICY = policy(style=style_hash(), manifest="'self'", worker="'self'")
# A full restaurant stands behind one address: so much more than a key's owner is given. Changes are fewer and dearer.
READS = Pace(40.0, 600)
CHANGES = Pace(10.0, 150)
# An order cooks food and may send a message to the number that was typed: one for so many other changes.
CHANGES_PER_ORDER = 20
ORDERS_AT_ONCE = 0.4


class MenuPage(PlainEdge):
    """Answers everything under `/api/v1/menu`."""

    base = BASE
    holds_keys = False

    def __init__(self, deps: MenuPageDeps) -> None:
        super().__init__(deps.settings, POLICY, deps.limiter)
        rate, burst = deps.settings.anonymous_rate_limit, deps.settings.anonymous_rate_burst
        changes = Pace(max(CHANGES.rate, rate), max(CHANGES.burst, burst))
        self._paces = {
            "read": Pace(max(READS.rate, rate), max(READS.burst, burst)),
            "change": changes,
            "order": Pace(changes.rate / CHANGES_PER_ORDER, int(changes.burst * ORDERS_AT_ONCE)),
        }
        self.streams = Streams(deps.watch)
        self._routes = Routes(deps, self.streams)

    def end_streams(self) -> None:
        self.streams.close()

    def count(self, asked: Asked) -> Count:
        is_order = asked.path.endswith("/order")
        kind = "read" if asked.method in ("GET", "HEAD") else "order" if is_order else "change"
        return Count(f"menu {kind}", kind, self._paces[kind])

    def find(self, method: str, path: str) -> tuple[Handler, dict[str, str]] | list[str]:
        return self._routes.find(method, path)

    def problem_of(self, asked: Asked, error: Exception) -> Problem:
        return as_problem(error, asked.path, asked.request_id)

    def problem_page(self, asked: Asked, problem: Problem) -> Answer:
        return self._routes.problem_page(asked, problem)


def create_menu_page(deps: MenuPageDeps) -> MenuPage:
    return MenuPage(deps)
