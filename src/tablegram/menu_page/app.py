"""The guest's page as one ASGI application: paced by address, guarded by headers, every refusal in words."""

from __future__ import annotations

import time
from typing import Any

from tablegram.errors import MethodNotAllowed, NotFound, Problem, TooMany
from tablegram.menu_page.assets import BASE, style_hash
from tablegram.menu_page.deps import MenuPageDeps
from tablegram.menu_page.live import Streams
from tablegram.menu_page.problems import as_problem
from tablegram.menu_page.routes import Routes
from tablegram.web.addresses import Addresses, limit_key
from tablegram.web.asgi import Receive, Send
from tablegram.web.bodies import BodyReader, ClientGone
from tablegram.web.guards import guards, policy
from tablegram.web.limits import Pace, rate_fields
from tablegram.web.plain.exchange import Answer, Asked, Stream, give, stream
from tablegram.web.plain.problems import as_data

# What an installed page needs besides, and its one style by its hash.
POLICY = policy(style=style_hash(), manifest="'self'", worker="'self'")
# A full restaurant stands behind one address: so much more than a key's owner is given. Changes are fewer and dearer.
READS = Pace(40.0, 600)
CHANGES = Pace(10.0, 150)
# An order cooks food and may send a message to the number that was typed: one for so many other changes.
CHANGES_PER_ORDER = 20
ORDERS_AT_ONCE = 0.4


class MenuPage:
    """Answers everything under `/api/v1/menu`."""

    def __init__(self, deps: MenuPageDeps) -> None:
        self._limiter = deps.limiter
        self._bodies = BodyReader.of(deps.settings)
        self._addresses = Addresses(deps.settings.trusted_proxies)
        self._guards = guards(POLICY, deps.settings.base_url)
        rate, burst = deps.settings.anonymous_rate_limit, deps.settings.anonymous_rate_burst
        changes = Pace(max(CHANGES.rate, rate), max(CHANGES.burst, burst))
        self._paces = {
            "read": Pace(max(READS.rate, rate), max(READS.burst, burst)),
            "change": changes,
            "order": Pace(changes.rate / CHANGES_PER_ORDER, int(changes.burst * ORDERS_AT_ONCE)),
        }
        self.streams = Streams(deps.watch)
        self._routes = Routes(deps, self.streams)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        asked = Asked(scope, receive, self._addresses.of(scope), self._bodies)
        try:
            answer = await self._answer(asked)
        except ClientGone:
            return
        except Exception as error:
            answer = self._refuse(asked, as_problem(error, asked.path, asked.request_id))
        fixed = [*self._guards, *asked.marks]
        if isinstance(answer, Stream):
            await stream(asked, answer, send, fixed)
        else:
            await give(asked, answer, send, fixed)

    def end_streams(self) -> None:
        self.streams.close()

    async def _answer(self, asked: Asked) -> Answer | Stream:
        self._pace(asked)
        found = self._routes.find(asked.method, asked.path.removeprefix(BASE)) if asked.is_plain else []
        if isinstance(found, tuple):
            handler, parts = found
            return await handler(asked, **parts)
        if found:
            allowed = ", ".join(sorted(set(found)))
            raise MethodNotAllowed(f"This address takes {allowed}.", headers={"Allow": allowed})
        raise NotFound("There is nothing at this address.")

    def _pace(self, asked: Asked) -> None:
        is_order = asked.path.endswith("/order")
        kind = "read" if asked.method in ("GET", "HEAD") else "order" if is_order else "change"
        pace = self._paces[kind]
        decision = self._limiter.take(f"menu {kind} {limit_key(asked.remote)}", *pace, time.monotonic())
        asked.rate_fields = rate_fields(kind.encode(), pace, decision)
        if not decision.allowed:
            raise TooMany(
                "Too many requests from your network at once. Wait a moment and try again.",
                retry_after_s=decision.retry_after_s,
            )

    def _refuse(self, asked: Asked, problem: Problem) -> Answer:
        if asked.wants_data or asked.method not in ("GET", "HEAD"):
            return as_data(problem, asked.path, asked.request_id)
        return self._routes.problem_page(asked, problem)


def create_menu_page(deps: MenuPageDeps) -> MenuPage:
    return MenuPage(deps)
