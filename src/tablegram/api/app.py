"""The API as one ASGI application: the gate outside, the framework's routes inside."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from functools import cache
from typing import Any

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig

from tablegram.api.behind import SCOPE_KEY, Behind
from tablegram.api.deps import ApiDeps
from tablegram.api.documents.openapi import build
from tablegram.api.gate import Gate
from tablegram.api.records.figures import Figures
from tablegram.api.records.request_log import RequestLog
from tablegram.api.requests import ApiRequest, refused
from tablegram.api.routing import BASE, FastHandler, Route, RouteTable
from tablegram.api.sends.fast_send import fast_send
from tablegram.web.asgi import Receive, Send
from tablegram.web.framework.late import Late
from tablegram.web.version import API_VERSION

FAST_SEND = "POST /messages/send"

# What answers under the base, of every area. The same ones share one framework.
Handlers = tuple[HTTPRouteHandler, ...]


class Api:
    """Answers everything under /api/v1. `start` and `stop` belong to the server's life."""

    def __init__(self, deps: ApiDeps, handlers: Handlers, *, fast: bool = True) -> None:
        self.figures = Figures()
        self.request_log = RequestLog(deps.db)
        # Sends go past it, so that it is built for the first call of another kind.
        self._web = Late(lambda: framework(handlers))
        shortcuts: dict[str, FastHandler] = {FAST_SEND: fast_send(deps)} if fast else {}
        self.routes = route_table(handlers, shortcuts)
        # Drawn at its first reading: most processes are never asked.
        self.openapi = cache(lambda: build(framework(handlers), self.routes, deps.settings))
        self._behind = Behind(deps, self.request_log, self.openapi)
        self._gate = Gate(deps, self.routes, self._inside, self.request_log, self.figures)

    def __call__(self, scope: Any, receive: Receive, send: Send) -> Awaitable[None]:
        return self._gate(scope, receive, send)

    async def _inside(self, scope: Any, receive: Receive, send: Send) -> None:
        scope[SCOPE_KEY] = self._behind
        web = await self._web.get()
        await web(scope, receive, send)

    async def start(self) -> None:
        await self.request_log.start()

    async def stop(self) -> None:
        await self.request_log.stop()


def create_api(deps: ApiDeps, handlers: Handlers, *, fast: bool = True) -> Api:
    """`fast=False` sends every call through the framework, to show that both ways answer alike."""
    return Api(deps, handlers, fast=fast)


def route_table(handlers: Handlers, fast: dict[str, FastHandler]) -> RouteTable:
    """Each product has its own fast ways; the rest of the table is the same for those with the same handlers."""
    found = _routes(handlers)
    return RouteTable([replace(one, fast=fast[one.name]) if one.name in fast else one for one in found])


@cache
def _routes(handlers: Handlers) -> tuple[Route, ...]:
    return tuple(map(_route, handlers))


def _route(handler: HTTPRouteHandler) -> Route:
    (template,) = handler.paths
    (method,) = handler.http_methods
    return Route(
        method=str(method),
        template=template,
        # A handler that forgets to name its scope does not start.
        scope=handler.opt["scope"],
        public=handler.opt.get("public", False),
        # A handler that does not think of test keys is closed to them.
        test_keys=handler.opt.get("test_keys", False),
        file_bytes=handler.opt.get("file_bytes", 0),
        takes_body="data" in handler.fn.__annotations__,
    )


@cache
def framework(handlers: Handlers) -> Litestar:
    """The routes with their handlers. Built once in a process, because that takes long; each request brings its own API."""
    return Litestar(
        route_handlers=list(handlers),
        path=BASE,
        request_class=ApiRequest,
        exception_handlers={Exception: refused},
        openapi_config=OpenAPIConfig(
            title="Tablegram", version=API_VERSION, path="/framework-schema", use_handler_docstrings=True
        ),
        logging_config=None,
        # The gate has read and measured the body already.
        request_max_body_size=None,
    )
