"""The framework's side of the API: handlers become routes, and one application. Loaded for the first call that needs it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig

from tablegram.api.documents.naming import NamesAlone
from tablegram.api.requests import ApiRequest, check_parameters, refused
from tablegram.api.routing import BASE, FastHandler, Route, RouteTable
from tablegram.web.version import API_VERSION

# What answers under the base, of every area. The same ones share one framework.
Handlers = tuple[HTTPRouteHandler, ...]


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
        guards=[check_parameters],
        exception_handlers={Exception: refused},
        openapi_config=OpenAPIConfig(
            title="Tablegram", version=API_VERSION, path="/framework-schema", use_handler_docstrings=True
        ),
        plugins=[NamesAlone()],
        logging_config=None,
        # The gate has read and measured the body already.
        request_max_body_size=None,
    )
