"""The API as one ASGI application: the gate outside, the framework's routes inside.

Sends go past the framework. It is loaded, with every handler and schema, for the first call of another kind.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from tablegram.api.behind import SCOPE_KEY, Behind
from tablegram.api.deps import ApiDeps
from tablegram.api.gate import Gate
from tablegram.api.records.figures import Figures
from tablegram.api.records.request_log import RequestLog
from tablegram.api.routing import FastHandler, Route, RouteTable
from tablegram.api.sends.fast_send import ROUTE as FAST_SEND
from tablegram.api.sends.fast_send import fast_send
from tablegram.web.asgi import Receive, Send
from tablegram.web.framework.late import Late

if TYPE_CHECKING:
    from litestar import Litestar

    from tablegram.api.framework import Handlers


class Api:
    """Answers everything under /api/v1. `start` and `stop` belong to the server's life."""

    def __init__(self, deps: ApiDeps, handlers: Callable[[], Handlers], *, fast: bool = True) -> None:
        self.figures = Figures()
        self.request_log = RequestLog(deps.db)
        self._handlers = cache(handlers)
        self._fast: dict[str, FastHandler] = {FAST_SEND.name: fast_send(deps)} if fast else {}
        self._web = Late(self._framework)
        # Drawn at its first reading: most processes are never asked.
        self.openapi = cache(lambda: self._draw(deps))
        self._behind = Behind(deps, self.request_log, self.openapi)
        at_once: list[Route] = [replace(FAST_SEND, fast=self._fast[FAST_SEND.name])] if fast else []
        routes = Late(lambda: self.routes)
        self._gate = Gate(deps, RouteTable(at_once), routes.get, self._inside, self.request_log, self.figures)

    def __call__(self, scope: Any, receive: Receive, send: Send) -> Awaitable[None]:
        return self._gate(scope, receive, send)

    @cached_property
    def routes(self) -> RouteTable:
        """Every address. To ask for it loads the handlers."""
        from tablegram.api.framework import route_table

        return route_table(self._handlers(), self._fast)

    def _framework(self) -> Litestar:
        from tablegram.api.framework import framework

        return framework(self._handlers())

    def _draw(self, deps: ApiDeps) -> dict[str, Any]:
        from tablegram.api.documents.openapi import build

        return build(self._framework(), self.routes, deps.settings)

    async def _inside(self, scope: Any, receive: Receive, send: Send) -> None:
        scope[SCOPE_KEY] = self._behind
        web = await self._web.get()
        await web(scope, receive, send)

    async def start(self) -> None:
        await self.request_log.start()

    async def stop(self) -> None:
        await self.request_log.stop()


def create_api(deps: ApiDeps, handlers: Callable[[], Handlers], *, fast: bool = True) -> Api:
    """`fast=False` sends every call through the framework, to show that both ways answer alike."""
    return Api(deps, handlers, fast=fast)
